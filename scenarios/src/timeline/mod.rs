//! From the timeline to the steps of a plan: each entry is one verb, which may be several acts.
//!
//! A move with a press is two acts, `play` is two for each move, a correction one for each value. `+1s` counts from the
//! last act of the entry before. What is checked here is what can be known before the clock is computed: the order of
//! known times and the legality of moves; whether a clock can be paused or resumed is known once it is computed.

mod arbiter;
mod fault;
mod habit;
mod hall;
mod play;
mod press;

use std::ops::Range;

use flagfall_core::{BySide, Side, TickRate};
use flagfall_judge::Expectation;
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{Basis, Claim, Hand, Observation};
use flagfall_trace::{Act, Anchor, ClockKind, Step, When};

use crate::board::Position;
use crate::diagnostics::{Complaint, Problem};
use crate::dial;
use crate::expect::{faces, period_index};
use crate::instant;
use crate::order::Order;
use crate::raw::{RawBattery, RawFaces, RawFirst, RawFlags, RawMove, RawObserve, RawPressed, RawStep};
use crate::scenario::Meaning;
use crate::spans::Node;
use crate::time::span_ns;

use self::habit::Chance;

/// What the timeline depends on.
pub(crate) struct Given {
    pub(crate) tick_rate: TickRate,
    /// The kind of clock.
    pub(crate) clock_kind: ClockKind,
    /// How many periods each side has.
    pub(crate) periods: BySide<usize>,
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
    clock_kind: ClockKind,
    periods: BySide<usize>,
    /// The position on the board; none after a move that could not be made.
    position: Option<Position>,
    think: Option<Stream>,
    chance: Option<Chance>,
    order: Order,
    /// Whose button a wave has left closed.
    held: BySide<bool>,
    /// For which time the moves of a repeated `play` are made.
    round: Option<u16>,
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

/// So many nanoseconds after the step before.
const fn after(ns: i64) -> When {
    When { from: Anchor::Previous, plus_ns: ns, plus_ticks: 0 }
}

impl<'m, 'a> Timeline<'m, 'a> {
    pub(crate) fn new(meaning: &'m mut Meaning<'a>, given: Given) -> Self {
        Self {
            meaning,
            clock_kind: given.clock_kind,
            periods: given.periods,
            position: given.position,
            think: given.seed.map(|seed| Stream::named(seed, "think-time")),
            chance: given.seed.map(Chance::new),
            order: Order::new(given.tick_rate),
            held: BySide::both(false),
            round: None,
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
            self.press(at, press, node.at("press"));
        } else if let Some(play) = &raw.play {
            self.play(at, play, node.at("play"));
        } else if let Some(pause) = &raw.pause {
            let how = pause.how.unwrap_or_default();
            self.add(at, Act::Pause { by: pause.by, reason: pause.reason, how });
        } else if let Some(by) = raw.resume {
            self.add(at, Act::Resume { by });
        } else if let Some(set) = &raw.set {
            self.set(at, set, node.at("set"));
        } else if raw.swap.is_some() {
            self.swap(at);
        } else if raw.undo.is_some() {
            self.add(at, Act::Undo);
        } else if let Some(installed) = &raw.set_up {
            self.set_up(at, installed, node.at("set_up"));
        } else if let Some(battery) = raw.battery {
            self.add(at, Act::Battery { low: battery == RawBattery::Low });
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
        } else if let Some(by) = raw.tap {
            self.add(at, Act::Tap { by });
        } else if let Some(read) = &raw.read {
            self.read(at, &[(read, node.at("read"))]);
        } else {
            self.hall(at, raw, node);
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
        self.presses_of_faults();
        self.places.push(self.here);
        Written { steps: self.steps, end: at, places: self.places, expectations: self.expectations, first: self.first }
    }

    fn add(&mut self, at: When, act: Act) {
        if let Err(foreign) = self.clock_kind.knows(&act) {
            self.meaning.add(Problem::at(self.here.bytes.clone(), Complaint::new(foreign.to_string())));
        }
        self.steps.push(Step { at, act });
        self.places.push(self.here.clone());
    }

    /// Reads an instant and checks what can be known of it.
    fn instant(&mut self, text: &str, node: &Node) -> When {
        let Some(when) = self.meaning.take(node, instant::parse(text)) else { return after(0) };
        if let Anchor::Period(side, index) = when.from {
            self.meaning.take(node, period_index(index.saturating_add(1), self.periods[side]));
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
        self.starts_what_is_set_up(side);
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
                self.press_button(after(delay), raw.side, hand, node.at("press"));
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
                Err(error) => {
                    let complaint = Complaint::from(error).within(within);
                    let round = self.round.map_or(String::new(), |round| format!("in round {round}"));
                    (node.at("san"), complaint.label(round))
                }
            }
        };
        self.meaning.complain(place, complaint);
        self.position = None;
        None
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

    /// Adds a reading of the faces and what is expected of it.
    fn read(&mut self, at: When, expected: &[(&RawFaces, &Node)]) {
        let step = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        for (raw, node) in expected {
            if !self.clock_kind.is_digital() {
                dial::check_faces(self.meaning, raw, node);
            }
            let found = faces(self.meaning, raw, node, self.periods);
            self.expectations.extend(found.into_iter().map(|(expected, line)| Expectation { step, expected, line }));
        }
        self.add(at, Act::Read);
    }
}
