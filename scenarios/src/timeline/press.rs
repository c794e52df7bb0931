//! Presses, and buttons whose contacts close and open one by one.

use flagfall_core::Side;
use flagfall_trace::plan::Hand;
use flagfall_trace::{Act, When};

use super::{Timeline, after};
use crate::diagnostics::Complaint;
use crate::raw::{RawHand, RawPress, ScalarOr};
use crate::spans::Node;
use crate::time::span_ns;

/// What an edge of a wave may be called.
const EDGES: [&str; 2] = ["on", "off"];

/// One edge as it is written: nanoseconds after the instant of its step, and what it says it does.
struct Edge {
    ns: i64,
    closes: Option<bool>,
}

impl Timeline<'_, '_> {
    pub(super) fn press(&mut self, at: When, raw: &ScalarOr<RawPress>, node: &Node) {
        let press = match raw {
            ScalarOr::Scalar(word) => match word.parse() {
                Ok(side) => return self.press_button(at, side, Hand::Unsaid, node),
                Err(_) => return,
            },
            ScalarOr::Long(press) => press,
        };
        if let Some(wave) = &press.wave {
            if press.hand.is_some() {
                let complaint = Complaint::new("a wave is made by the button, not by a hand");
                self.meaning.complain(node.at("hand"), complaint.help("leave `hand` or `wave` out"));
            }
            return self.wave(at, press.side, wave, node.at("wave"));
        }
        let hand = match press.hand {
            None => Hand::Unsaid,
            Some(RawHand::SameHand) => Hand::Same,
            Some(RawHand::OtherHand) => Hand::Other,
        };
        self.press_button(at, press.side, hand, node);
    }

    /// Adds a press by somebody who lets go again.
    pub(super) fn press_button(&mut self, at: When, side: Side, hand: Hand, node: &Node) {
        if self.held[side] {
            let complaint = Complaint::new(format!("the button of {side} is held down here"))
                .help(format!("let it go before with `press: {{side: {side}, wave: [0us off]}}`"));
            self.meaning.complain(node, complaint);
        }
        self.add(at, Act::Press { side, hand });
    }

    /// Adds one act for each edge; a wave that does not end with `off` leaves the button held down.
    fn wave(&mut self, at: When, side: Side, raw: &[String], node: &Node) {
        let mut at = at;
        let mut before_ns: Option<i64> = None;
        for (index, text) in raw.iter().enumerate() {
            let place = node.item(index);
            let Some(edge) = self.meaning.take(place, edge(text)) else { return };
            if before_ns.is_some_and(|before| edge.ns <= before) {
                let complaint = Complaint::new("this edge is not after the one before it");
                self.meaning.complain(place, complaint.help("count every edge from the instant of the step"));
                return;
            }
            let closes = !self.held[side];
            if edge.closes.is_some_and(|said| said != closes) {
                let (is, turn) = if closes { ("open", "on") } else { ("closed", "off") };
                let complaint = Complaint::new(format!("the contact is {is} here"));
                self.meaning.complain(place, complaint.help(format!("edges take turns: this one is `{turn}`")));
                return;
            }
            let wait_ns = edge.ns - before_ns.unwrap_or(0);
            self.order.pass(wait_ns);
            let when = When { plus_ns: at.plus_ns.saturating_add(wait_ns), ..at };
            self.add(when, Act::Contact { side, closes });
            self.held[side] = closes;
            before_ns = Some(edge.ns);
            at = after(0);
        }
    }
}

/// `900us`, `900us off`, `1400us on`.
fn edge(text: &str) -> Result<Edge, Complaint> {
    let trimmed = text.trim_end();
    let word_at = trimmed.rfind(|c: char| c.is_whitespace()).map_or(0, |at| at + 1);
    let (span, word) = trimmed.split_at(word_at);
    let closes = match word {
        "on" => true,
        "off" => false,
        _ if word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            let complaint =
                Complaint::new(format!("`{word}` is no edge")).help(crate::diagnostics::suggestion(word, &EDGES));
            return Err(complaint.within(word_at..trimmed.len()));
        }
        _ => return Ok(Edge { ns: span_ns(text)?, closes: None }),
    };
    Ok(Edge { ns: span_ns(span)?, closes: Some(closes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_read() {
        let read = |text| edge(text).map(|Edge { ns, closes }| (ns, closes));
        assert_eq!(read("0us"), Ok((0, None)));
        assert_eq!(read("900us off"), Ok((900_000, Some(false))));
        assert_eq!(read(" 1ms 400us  on "), Ok((1_400_000, Some(true))));
        let complaint = read("900us offf").expect_err("no edge");
        assert_eq!((complaint.within, complaint.help.as_deref()), (Some(6..10), Some("did you mean `off`?")));
        for bad in ["", "on", "900 on", "900", "-1us", "1us on off"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
