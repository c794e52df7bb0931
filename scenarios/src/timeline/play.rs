//! Many moves in one entry, each pressed at once, with times to think.

use std::ops::Range;

use flagfall_trace::When;
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::Hand;

use super::{Timeline, after};
use crate::diagnostics::Complaint;
use crate::raw::{RawPlay, RawRange, RawThinkShape, ScalarOr};
use crate::spans::Node;
use crate::time::{span_ms, span_ns};

/// Most moves that one `play` makes.
const PLAYED_MAX: usize = 5_000;

/// How long a player thinks in `play`.
#[derive(Clone, Copy)]
pub(super) enum Think {
    Always(i64),
    Drawn { from_ms: u64, to_ms: u64, shape: RawThinkShape },
}

impl Timeline<'_, '_> {
    /// Many moves, each pressed at once with the hand that made it, and all of them as often as is said.
    pub(super) fn play(&mut self, at: When, raw: &RawPlay, node: &Node) {
        let Some(think) = self.thinking(&raw.think, node.at("think")) else { return };
        let moves: Vec<(&str, Range<usize>)> = tokens(&raw.moves).collect();
        if moves.is_empty() {
            let complaint = Complaint::new("there is no move here").help("write moves like \"e4 e5 Nf3 Nc6\"");
            self.meaning.complain(node.at("moves"), complaint);
        }
        let times = raw.times.unwrap_or(1);
        if moves.len() * usize::from(times) > PLAYED_MAX {
            let complaint = Complaint::new(format!("`play` makes at most {PLAYED_MAX} moves"));
            return self.meaning.complain(node, complaint.help("the longest game known has 269 of each side"));
        }
        if times == 0 {
            let complaint = Complaint::new("moves that are played zero times are not played").help("leave them out");
            self.meaning.complain(node.at("times"), complaint);
        }
        let habits = self.habits(raw, node);
        for round in 1..=times {
            self.round = (times > 1).then_some(round);
            for (index, (san, within)) in moves.iter().enumerate() {
                let made_at = if round == 1 && index == 0 {
                    at
                } else {
                    let think_ns = self.next_think(think);
                    self.thought(think_ns, habits)
                };
                let made = self.board_move(made_at, None, san, node.at("moves"), within.clone());
                let Some(side) = made else { return };
                let press_ns = self.forgotten_ns(habits);
                self.press_button(after(press_ns), side, Hand::Same, node.at("moves"));
            }
        }
        self.round = None;
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
            return Some(Think::Drawn { from_ms, to_ms, shape: range.shape.unwrap_or_default() });
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
            Self::Drawn { from_ms, to_ms, shape } => ns_of_ms(drawn_ms(stream, from_ms, to_ms, shape)),
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

/// A time of this range: each equally likely, or most of them short, with a mean of a quarter of the range.
fn drawn_ms(stream: &mut Stream, from_ms: u64, to_ms: u64, shape: RawThinkShape) -> u64 {
    match shape {
        RawThinkShape::Even => stream.within(from_ms, to_ms),
        RawThinkShape::MostlyShort => {
            // The cube of an even number between zero and one: half of them are below an eighth.
            const ONE: u128 = 1 << 20;
            let even = u128::from(stream.within(0, ONE as u64));
            let part = u128::from(to_ms - from_ms) * even.pow(3) / ONE.pow(3);
            from_ms + u64::try_from(part).expect("a part of a u64 is one")
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
    fn mostly_short_thoughts_have_a_quarter_of_the_range_as_their_mean() {
        let mut stream = Stream::named(1, "think-time");
        let drawn: Vec<u64> =
            (0..10_000).map(|_| drawn_ms(&mut stream, 2_000, 10_000, RawThinkShape::MostlyShort)).collect();
        let mean = drawn.iter().sum::<u64>() / 10_000;
        assert!((3_900..4_100).contains(&mean), "{mean}");
        let short = drawn.iter().filter(|ms| **ms < 3_000).count();
        assert!((4_800..5_200).contains(&short), "{short} below an eighth of the range");
        assert!(drawn.iter().all(|ms| (2_000..=10_000).contains(ms)));
        assert!(drawn.iter().any(|ms| *ms > 9_900), "the whole range is used");
        assert_eq!(drawn_ms(&mut stream, 7, 7, RawThinkShape::MostlyShort), 7);
    }

    #[test]
    fn move_numbers_are_no_moves() {
        let read: Vec<_> = tokens("1. e4 e5 2.Nf3  Nc6\n3... O-O").collect();
        assert_eq!(read, [("e4", 3..5), ("e5", 6..8), ("Nf3", 11..14), ("Nc6", 16..19), ("O-O", 25..28)]);
        assert_eq!(tokens("  ").count(), 0);
    }
}
