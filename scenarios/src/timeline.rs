//! From the timeline to the steps of a plan: each entry is one verb, which may be several acts.
//!
//! A move with a press is two acts, `play` is two for each move, a correction one for each value. `+1s` counts from the
//! last act of the entry before. What is checked here is what can be known before the clock is computed: the order of
//! known times and the legality of moves; whether a clock can be paused or resumed is known once it is computed.

use std::ops::Range;

use flagfall_core::period::TIME_MS_MAX;
use flagfall_core::{BySide, Side, TickRate};
use flagfall_judge::Expectation;
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{Basis, Claim, Finding, Hand, Observation};
use flagfall_trace::{Act, Anchor, Fault, Step, When};

use crate::board::Position;
use crate::diagnostics::{Complaint, Problem};
use crate::expect::{faces, period_index};
use crate::instant;
use crate::order::Order;
use crate::raw::{
    RawFaces, RawFault, RawFind, RawFirst, RawFlags, RawHand, RawMove, RawObserve, RawPlay, RawPress, RawPressed,
    RawRange, RawSet, RawStep, ScalarOr,
};
use crate::scenario::Meaning;
use crate::spans::Node;
use crate::time::{rate_ppb, signed_span_ns, span_ms, span_ns};

/// What the timeline depends on.
pub(crate) struct Given {
    pub(crate) tick_rate: TickRate,
    /// How many periods the control has.
    pub(crate) periods: usize,
    /// The position at the start, if it is known.
    pub(crate) position: Option<Position>,
    /// The seed, if the scenario has one.
    pub(crate) seed: Option<u64>,
}

/// Where a step stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepPlace {
    pub(crate) line: u32,
    pub(crate) bytes: Range<usize>,
}

/// The steps of a plan while the timeline is read.
pub(crate) struct Timeline<'m, 'a> {
    meaning: &'m mut Meaning<'a>,
    periods: usize,
    /// The position on the board; none after a move that could not be made.
    position: Option<Position>,
    think: Option<Stream>,
    order: Order,
    /// The entry that is being read.
    here: StepPlace,
    steps: Vec<Step<When>>,
    places: Vec<StepPlace>,
    expectations: Vec<Expectation>,
    first: Option<Side>,
}

/// What a timeline comes to.
pub(crate) struct Written {
    pub(crate) steps: Vec<Step<When>>,
    pub(crate) end: When,
    /// The place of each step, then that of the end.
    pub(crate) places: Vec<StepPlace>,
    pub(crate) expectations: Vec<Expectation>,
    /// The side that the starting signal sets running, if there is one.
    pub(crate) first: Option<Side>,
}

/// How long a player thinks in `play`.
#[derive(Clone, Copy)]
enum Think {
    Always(i64),
    Drawn { from_ms: u64, to_ms: u64 },
}

/// So many nanoseconds after the step before.
const fn after(ns: i64) -> When {
    When { from: Anchor::Previous, plus_ns: ns, plus_ticks: 0 }
}

impl<'m, 'a> Timeline<'m, 'a> {
    pub(crate) fn new(meaning: &'m mut Meaning<'a>, given: Given) -> Self {
        Self {
            meaning,
            periods: given.periods,
            position: given.position,
            think: given.seed.map(|seed| Stream::named(seed, "think-time")),
            order: Order::new(given.tick_rate),
            here: StepPlace { line: 1, bytes: 0..0 },
            steps: Vec::new(),
            places: Vec::new(),
            expectations: Vec::new(),
            first: None,
        }
    }

    /// Adds one entry.
    pub(crate) fn entry(&mut self, raw: &RawStep, node: &Node) {
        self.here = StepPlace { line: node.line, bytes: node.at("at").bytes.clone() };
        let at = self.instant(&raw.at, node.at("at"));
        if let Some(side) = raw.start {
            self.start(at, side, node.at("start"));
        } else if let Some(made) = &raw.made {
            self.make_move(at, made, node.at("move"));
        } else if let Some(press) = &raw.press {
            self.press(at, press);
        } else if let Some(play) = &raw.play {
            self.play(at, play, node.at("play"));
        } else if let Some(pause) = &raw.pause {
            self.add(at, Act::Pause { by: pause.by, reason: pause.reason });
        } else if let Some(by) = raw.resume {
            self.add(at, Act::Resume { by });
        } else if let Some(set) = &raw.set {
            self.set(at, set, node.at("set"));
        } else if let Some(side) = raw.arrive {
            self.add(at, Act::Arrive { side });
        } else if let Some(observe) = &raw.observe {
            self.observe(at, observe, node.at("observe"));
        } else if let Some(claim) = &raw.claim {
            let basis = claim.basis.unwrap_or(Basis::Flag);
            self.add(at, Act::Claim(Claim { by: claim.by, flag: claim.flag, basis }));
        } else if let Some(find) = &raw.find {
            self.find(at, find);
        } else if let Some(fault) = &raw.fault {
            self.fault(at, fault, node.at("fault"));
        } else if let Some(read) = &raw.read {
            self.read(at, &[(read, node.at("read"))]);
        }
    }

    /// Adds the end of the run, with a reading if anything is expected there.
    pub(crate) fn finish(mut self, end: Option<(&str, &Node)>, expect: &[(&RawFaces, &Node)]) -> Written {
        let mut at = after(0);
        if let Some((text, node)) = end {
            self.here = StepPlace { line: node.line, bytes: node.bytes.clone() };
            at = self.instant(text, node);
        }
        if !expect.is_empty() {
            self.read(at, expect);
            at = after(0);
        }
        self.lost_presses();
        self.places.push(self.here);
        Written { steps: self.steps, end: at, places: self.places, expectations: self.expectations, first: self.first }
    }

    /// Every press that is to be lost is made; after another problem the presses are not all there.
    fn lost_presses(&mut self) {
        if !self.meaning.is_right() {
            return;
        }
        for (index, step) in self.steps.iter().enumerate() {
            let Act::Fault(Fault::LostPress { side }) = step.act else { continue };
            let is_press = |later: &Step<When>| matches!(later.act, Act::Press { side: of, .. } if of == side);
            if !self.steps[index + 1..].iter().any(is_press) {
                let complaint =
                    Complaint::new(format!("a press of {side} is to be lost here, and none comes after it"))
                        .help("add the press, or leave the fault out");
                self.meaning.add(Problem::at(self.places[index].bytes.clone(), complaint));
            }
        }
    }

    fn add(&mut self, at: When, act: Act) {
        self.steps.push(Step { at, act });
        self.places.push(self.here.clone());
    }

    /// Reads an instant and checks what can be known of it.
    fn instant(&mut self, text: &str, node: &Node) -> When {
        let Some(when) = self.meaning.take(node, instant::parse(text)) else { return after(0) };
        if let Anchor::Period(_, index) = when.from {
            self.meaning.take(node, period_index(index.saturating_add(1), self.periods));
        }
        if let Err(problem) = self.order.go_to(&when, &node.bytes) {
            self.meaning.add(problem);
        }
        when
    }

    fn start(&mut self, at: When, side: Side, node: &Node) {
        if let Some(mover) = self.position.as_ref().map(Position::side).filter(|mover| *mover != side) {
            let complaint = Complaint::new(format!("the clock of {side} is started, and it is {mover}'s move"))
                .help(format!("write `start: {mover}`, or an `opening` with {side} to move"));
            self.meaning.complain(node, complaint);
        }
        self.first = self.first.or(Some(side));
        self.add(at, Act::Start);
    }

    fn make_move(&mut self, at: When, raw: &RawMove, node: &Node) {
        self.board_move(at, Some(raw.side), &raw.san, node, 0..raw.san.len());
        let hand = match raw.press {
            RawPressed::SameHand => Some(Hand::Same),
            RawPressed::OtherHand => Some(Hand::Other),
            RawPressed::Yes => Some(Hand::Unsaid),
            RawPressed::No => None,
        };
        let place = node.at("press_after");
        let delay = raw.press_after.as_ref().and_then(|text| self.meaning.take(place, span_ns(text)));
        match hand {
            Some(hand) => {
                let delay = delay.unwrap_or(0);
                self.order.pass(delay);
                self.add(after(delay), Act::Press { side: raw.side, hand });
            }
            None if raw.press_after.is_some() => {
                let complaint = Complaint::new("this move is not pressed at all").help("leave `press_after` out");
                self.meaning.complain(place, complaint);
            }
            None => {}
        }
    }

    /// Makes a move on the board and says whose it was; after one that cannot be made no other is looked at.
    fn board_move(
        &mut self,
        at: When,
        side: Option<Side>,
        san: &str,
        node: &Node,
        within: Range<usize>,
    ) -> Option<Side> {
        let position = self.position.as_mut()?;
        let mover = position.side();
        let (place, complaint) = if side.is_some_and(|side| side != mover) {
            let help = format!("write `side: {mover}`, or the move before it");
            (node.at("side"), Complaint::new(format!("it is {mover}'s move")).help(help))
        } else {
            match position.play(san) {
                Ok(made) => {
                    self.add(at, Act::Move(made));
                    return Some(mover);
                }
                Err(error) => (node.at("san"), Complaint::from(error).within(within)),
            }
        };
        self.meaning.complain(place, complaint);
        self.position = None;
        None
    }

    fn press(&mut self, at: When, raw: &ScalarOr<RawPress>) {
        let (side, hand) = match raw {
            ScalarOr::Scalar(word) => (word.parse().ok(), None),
            ScalarOr::Long(press) => (Some(press.side), press.hand),
        };
        let hand = match hand {
            None => Hand::Unsaid,
            Some(RawHand::SameHand) => Hand::Same,
            Some(RawHand::OtherHand) => Hand::Other,
        };
        if let Some(side) = side {
            self.add(at, Act::Press { side, hand });
        }
    }

    /// Many moves, each pressed at once with the hand that made it.
    fn play(&mut self, at: When, raw: &RawPlay, node: &Node) {
        let Some(think) = self.thinking(&raw.think, node.at("think")) else { return };
        let moves: Vec<(&str, Range<usize>)> = tokens(&raw.moves).collect();
        if moves.is_empty() {
            let complaint = Complaint::new("there is no move here").help("write moves like \"e4 e5 Nf3 Nc6\"");
            self.meaning.complain(node.at("moves"), complaint);
        }
        for (index, (san, within)) in moves.into_iter().enumerate() {
            let made_at = if index == 0 { at } else { after(self.next_think(think)) };
            let Some(side) = self.board_move(made_at, None, san, node.at("moves"), within) else { return };
            self.add(after(0), Act::Press { side, hand: Hand::Same });
        }
    }

    fn thinking(&mut self, raw: &ScalarOr<RawRange>, node: &Node) -> Option<Think> {
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
        let ns = match (think, &mut self.think) {
            (Think::Always(ns), _) => ns,
            (Think::Drawn { from_ms, to_ms }, Some(stream)) => ns_of_ms(stream.within(from_ms, to_ms)),
            (Think::Drawn { from_ms, .. }, None) => ns_of_ms(from_ms),
        };
        self.order.pass(ns);
        ns
    }

    fn set(&mut self, at: When, raw: &RawSet, node: &Node) {
        let mut acts = Vec::new();
        for (side, span) in raw.left.iter().flat_map(|left| left.iter()) {
            let left_ms = self.meaning.take(node.at("left").at(side.name()), settable_ms(span)).unwrap_or(0);
            acts.push(Act::SetTime { side, left_ms });
        }
        for (side, moves) in raw.moves.iter().flat_map(|moves| moves.iter()) {
            acts.push(Act::SetCounter { side, moves: *moves });
        }
        for (index, act) in acts.into_iter().enumerate() {
            self.add(if index == 0 { at } else { after(0) }, act);
        }
    }

    fn observe(&mut self, at: When, raw: &RawObserve, node: &Node) {
        let fallen = match raw.flags {
            RawFlags::Both => BySide::both(true),
            RawFlags::White => BySide::new(true, false),
            RawFlags::Black => BySide::new(false, true),
            RawFlags::None => BySide::both(false),
        };
        let first = match raw.first {
            None | Some(RawFirst::Unknown) => None,
            Some(RawFirst::White) => Some(Side::White),
            Some(RawFirst::Black) => Some(Side::Black),
        };
        if let Some(side) = first.filter(|side| !fallen[*side]) {
            let complaint = Complaint::new(format!("{side}'s flag is not seen down, so it was not seen to fall first"));
            self.meaning.complain(node.at("first"), complaint);
        }
        self.add(at, Act::Observe(Observation { by: raw.by, fallen, first }));
    }

    fn find(&mut self, at: When, raw: &RawFind) {
        let defect = raw.defect.map(Finding::Defect);
        let stop = raw.stop.map(Finding::Stop);
        if let Some(finding) = defect.or(stop) {
            self.add(at, Act::Find(finding));
        }
    }

    fn fault(&mut self, at: When, raw: &RawFault, node: &Node) {
        let for_ns = |meaning: &mut Meaning<'_>, text: &str, node: &Node| {
            let ns = meaning.take(node, span_ns(text)).unwrap_or(1);
            if ns == 0 {
                meaning.complain(node, Complaint::new("a fault lasts longer than no time at all"));
            }
            ns
        };
        let fault = if let Some(stuck) = &raw.stuck {
            Fault::Stuck { for_ns: for_ns(self.meaning, &stuck.duration, node.at("stuck").at("for")) }
        } else if let Some(jump) = &raw.jump {
            let place = node.at("jump").at("by");
            let by_ns = self.meaning.take(place, signed_span_ns(&jump.by)).unwrap_or(1);
            self.changes_something(by_ns, place);
            Fault::Jump { by_ns }
        } else if let Some(rate) = &raw.rate {
            let place = node.at("rate");
            let ppb = self.meaning.take(place.at("offset"), rate_ppb(&rate.offset)).unwrap_or(1);
            self.changes_something(ppb, place.at("offset"));
            Fault::Rate { ppb, for_ns: for_ns(self.meaning, &rate.duration, place.at("for")) }
        } else if let Some(side) = raw.lost_press {
            Fault::LostPress { side }
        } else {
            return;
        };
        self.add(at, Act::Fault(fault));
    }

    /// A fault that changes the time by nothing is none.
    fn changes_something(&mut self, amount: i64, node: &Node) {
        if amount == 0 {
            let complaint = Complaint::new("this fault changes nothing").help("write another value than zero");
            self.meaning.complain(node, complaint);
        }
    }

    /// Adds a reading of the faces and what is expected of it.
    fn read(&mut self, at: When, expected: &[(&RawFaces, &Node)]) {
        let step = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        for (raw, node) in expected {
            let found = faces(self.meaning, raw, node, self.periods);
            self.expectations.extend(found.into_iter().map(|(expected, line)| Expectation { step, expected, line }));
        }
        self.add(at, Act::Read);
    }
}

/// Milliseconds that a clock can be set to.
pub(crate) fn settable_ms(text: &str) -> Result<u64, Complaint> {
    match span_ms(text)? {
        ms if ms > TIME_MS_MAX => Err(Complaint::new("a clock is set to at most 100 h")),
        ms => Ok(ms),
    }
}

fn ns_of_ms(ms: u64) -> i64 {
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
