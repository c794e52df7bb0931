//! Many moves in one entry, each pressed at once, with times to think.

use std::ops::Range;

use flagfall_trace::When;
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::Hand;

use super::{Timeline, after};
use crate::diagnostics::Complaint;
use crate::raw::{RawPlay, RawRange, ScalarOr};
use crate::spans::Node;
use crate::time::{span_ms, span_ns};

/// How long a player thinks in `play`.
#[derive(Clone, Copy)]
pub(super) enum Think {
    Always(i64),
    Drawn { from_ms: u64, to_ms: u64 },
}

impl Timeline<'_, '_> {
    /// Many moves, each pressed at once with the hand that made it.
    pub(super) fn play(&mut self, at: When, raw: &RawPlay, node: &Node) {
        let Some(think) = self.thinking(&raw.think, node.at("think")) else { return };
        let moves: Vec<(&str, Range<usize>)> = tokens(&raw.moves).collect();
        if moves.is_empty() {
            let complaint = Complaint::new("there is no move here").help("write moves like \"e4 e5 Nf3 Nc6\"");
            self.meaning.complain(node.at("moves"), complaint);
        }
        let habits = self.habits(raw, node);
        for (index, (san, within)) in moves.into_iter().enumerate() {
            let made_at = if index == 0 {
                at
            } else {
                let think_ns = self.next_think(think);
                self.thought(think_ns, habits)
            };
            let Some(side) = self.board_move(made_at, None, san, node.at("moves"), within) else { return };
            let press_ns = self.forgotten_ns(habits);
            self.press_button(after(press_ns), side, Hand::Same, node.at("moves"));
        }
    }

    /// A span, or a range to draw from.
    pub(super) fn thinking(&mut self, raw: &ScalarOr<RawRange>, node: &Node) -> Option<Think> {
        let range = match raw {
            ScalarOr::Scalar(text) => return self.meaning.take(node, span_ns(text)).map(Think::Always),
            ScalarOr::Long(range) => range,
        };
        let from_ms = self.meaning.take(node.at("from"), span_ms(&range.from));
        let to_ms = self.meaning.take(node.at("to"), span_ms(&range.to));
        let (from_ms, to_ms) = (from_ms?, to_ms?);
        let complaint = if from_ms > to_ms {
            Complaint::new("this range ends before it begins").help("swap `from` and `to`")
        } else if self.think.is_none() {
            Complaint::new("a range is drawn from, and this scenario has no `seed`")
                .help("add `seed: 1` to the scenario, or write one span")
        } else {
            return Some(Think::Drawn { from_ms, to_ms });
        };
        self.meaning.complain(node, complaint);
        None
    }

    /// Draws how long the next move takes, and lets that time pass.
    fn next_think(&mut self, think: Think) -> i64 {
        let ns = match &mut self.think {
            Some(stream) => think.drawn(stream),
            None => think.shortest(),
        };
        self.order.pass(ns);
        ns
    }
}

impl Think {
    /// Nanoseconds, drawn from this stream where there is anything to draw.
    pub(super) fn drawn(self, stream: &mut Stream) -> i64 {
        match self {
            Self::Always(ns) => ns,
            Self::Drawn { from_ms, to_ms } => ns_of_ms(stream.within(from_ms, to_ms)),
        }
    }

    /// The fewest nanoseconds that it can be.
    fn shortest(self) -> i64 {
        match self {
            Self::Always(ns) => ns,
            Self::Drawn { from_ms, .. } => ns_of_ms(from_ms),
        }
    }
}

pub(super) fn ns_of_ms(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX).saturating_mul(1_000_000)
}

/// The moves of a text with their bytes, without move numbers.
fn tokens(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut next = 0;
    text.split(|c: char| c.is_ascii_whitespace()).filter_map(move |word| {
        let start = next;
        next += word.len() + 1;
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let numbered = if digits > 0 && word[digits..].starts_with('.') {
            digits + word[digits..].len() - word[digits..].trim_start_matches('.').len()
        } else {
            0
        };
        let bare = &word[numbered..];
        (!bare.is_empty()).then_some((bare, start + numbered..start + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers_are_no_moves() {
        let read: Vec<_> = tokens("1. e4 e5 2.Nf3  Nc6\n3... O-O").collect();
        assert_eq!(read, [("e4", 3..5), ("e5", 6..8), ("Nf3", 11..14), ("Nc6", 16..19), ("O-O", 25..28)]);
        assert_eq!(tokens("  ").count(), 0);
    }
}
