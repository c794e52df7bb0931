//! What happened, in one order: the acts of the hall and what the clock did, as the arbiter gets to know them.
//!
//! Acts keep the order of the plan, which is the order in which people did things. What the device did on its own, the
//! fall of a flag, is put between them by its stamp; at one instant the flag falls first, as it does on the clock.
//! Every fact carries the face of the clock right after it. Faults are causes that nobody in the hall sees and are no
//! facts; their effects are.
//!
//! Who could notice: a press that the clock did not take is a fact too, with `taken: false`; it is told from the
//! others by the device's records alone. A clock that writes nothing and is watched took a press if its time did not run
//! on, and a flag of it fell when it was first seen down.

mod watched;

use std::collections::BTreeMap;

use flagfall_core::record::Kind;
use flagfall_core::{BySide, Phase, Record, Side, TickRate, TrueTime};
use flagfall_trace::plan::{Claim, Finding, Hand, Installed, MoveMade, Observation, Person, StopMeans, StopReason};
use flagfall_trace::{Act, Hall, Stamped, Trace};

use crate::{counts, mate};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// When, as far as the bench knows; never before the fact before it.
    pub at: TrueTime,
    /// When the plan asked for it; the same as `at` for what the device did on its own.
    pub planned: TrueTime,
    /// How far from `planned` it may have been, in nanoseconds: zero in the hall and in virtual time.
    pub bound_ns: u64,
    /// What happened.
    pub what: What,
    /// What the clock showed right after it; `None` before it showed anything.
    pub face: Option<ClockFace>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The starting signal was given.
    Started,
    /// A move was made on the board.
    Moved {
        /// Which.
        made: MoveMade,
        /// Why neither side can mate any more, if that takes no search.
        dead: Option<&'static str>,
        /// What has been reached with it that ends the game in some texts: a position for the fifth time, or 75 moves.
        drawn: Option<&'static str>,
    },
    /// A player pressed his button.
    Pressed {
        /// Who.
        side: Side,
        /// With which hand.
        hand: Hand,
        /// Whether the clock noticed.
        taken: bool,
    },
    /// The clocks were stopped.
    Stopped {
        /// By whom.
        by: Person,
        /// What for.
        reason: StopReason,
        /// By what.
        how: StopMeans,
    },
    /// The clocks were started again.
    Resumed {
        /// By whom.
        by: Person,
    },
    /// The arbiter set a side's time.
    TimeSet {
        /// Whose.
        side: Side,
        /// Milliseconds left.
        left_ms: u64,
    },
    /// The arbiter set a side's counter.
    CounterSet {
        /// Whose.
        side: Side,
        /// Completed moves.
        moves: u16,
    },
    /// The arbiter installed another setting; the clock waits for its start again.
    Installed(Installed),
    /// A player came to the board.
    Arrived(Side),
    /// Somebody looked at the flags.
    Observed(Observation),
    /// A player claimed a flag.
    Claimed(Claim),
    /// The arbiter found something out.
    Found(Finding),
    /// Anything else that happened in the hall.
    Hall(Hall),
    /// A flag fell, seen or unseen.
    FlagFell(Side),
}

/// What a clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockFace {
    /// What it is doing.
    pub phase: Phase,
    /// Flags that are down.
    pub fallen: BySide<bool>,
    /// The sign of the flag that fell first, if the clock has one and shows it.
    pub first_fallen: Option<Side>,
    /// The period of each side, an index.
    pub period: BySide<u8>,
    /// What each side has left, in milliseconds, rounded up.
    pub left_ms: BySide<u64>,
}

impl ClockFace {
    /// The face of a record of a clock with this tick rate.
    #[must_use]
    pub fn of(record: &Record, rate: TickRate) -> Self {
        Self {
            phase: record.phase,
            fallen: record.fallen,
            first_fallen: record.first_fallen,
            period: record.period,
            left_ms: record.remaining_ticks.map(|ticks| rate.ms_from_ticks_up(ticks)),
        }
    }

    /// The side whose time runs, if one does.
    #[must_use]
    pub const fn running(&self) -> Option<Side> {
        match self.phase {
            Phase::Running(side) => Some(side),
            _ => None,
        }
    }
}

/// All facts of a trace, in order.
///
/// A step for the clock that the rig did not achieve is no fact.
#[must_use]
pub fn assemble(trace: &Trace) -> Vec<Fact> {
    let owners = owners(trace);
    let mut own = vec![None; trace.plan.steps.len()];
    for (record, owner) in owners.iter().enumerate() {
        if let Some(step) = owner {
            own[*step] = Some(record);
        }
    }
    let mut achieved = vec![None; trace.plan.steps.len()];
    for one in &trace.achieved {
        if let Some(slot) = achieved.get_mut(one.step as usize) {
            *slot = Some(one);
        }
    }
    let dead = dead(trace);
    let drawn = counts::drawn(&trace.plan);
    let mut assembly = Assembly { trace, owners, own, next: 0, facts: Vec::new() };
    for (index, step) in trace.plan.steps.iter().enumerate() {
        let Some(mut what) = What::of(&step.act) else { continue };
        if let What::Moved { dead: no_mate, drawn: count, .. } = &mut what {
            *no_mate = dead.get(&index).copied();
            *count = drawn.get(&index).copied();
        }
        let done_by = achieved[index].map_or(step.at, |achieved| achieved.latest);
        let (at, bound_ns) = match achieved[index] {
            Some(achieved) => {
                let (earliest, latest, planned) = (achieved.earliest.ns(), achieved.latest.ns(), step.at.ns());
                let middle = earliest + (latest - earliest) / 2;
                (TrueTime::from_ns(middle), earliest.abs_diff(planned).max(latest.abs_diff(planned)))
            }
            None if step.act.is_for_the_clock() => continue,
            None => (step.at, 0),
        };
        let fact = Fact { at, planned: step.at, bound_ns, what, face: None };
        if trace.watched { assembly.watched(fact, done_by) } else { assembly.act(index, fact) }
    }
    assembly.pass_to_the_end();
    assembly.facts
}

impl What {
    /// The fact that an act is, with a press not taken until a record says so and no word on whether a move leaves a dead
    /// position; `None` for what nobody in the hall sees.
    fn of(act: &Act) -> Option<Self> {
        Some(match act {
            Act::Start => Self::Started,
            Act::Press { side, hand } => Self::Pressed { side: *side, hand: *hand, taken: false },
            Act::Pause { by, reason, how } => Self::Stopped { by: *by, reason: *reason, how: *how },
            Act::Resume { by } => Self::Resumed { by: *by },
            Act::SetTime { side, left_ms } => Self::TimeSet { side: *side, left_ms: *left_ms },
            Act::SetCounter { side, moves } => Self::CounterSet { side: *side, moves: *moves },
            Act::SetUp(installed) => Self::Installed(installed.clone()),
            Act::Move(made) => Self::Moved { made: made.clone(), dead: None, drawn: None },
            Act::Arrive { side } => Self::Arrived(*side),
            Act::Observe(observation) => Self::Observed(*observation),
            Act::Claim(claim) => Self::Claimed(*claim),
            Act::Find(finding) => Self::Found(*finding),
            Act::Hall(hall) => Self::Hall(hall.clone()),
            Act::SetPeriod { .. }
            | Act::Swap
            | Act::Undo
            | Act::Contact { .. }
            | Act::Battery { .. }
            | Act::Tap { .. }
            | Act::Read
            | Act::Fault(_) => return None,
        })
    }
}

struct Assembly<'a> {
    trace: &'a Trace,
    /// The step that caused each record; `None` for what the device did on its own and for what follows a cause.
    owners: Vec<Option<usize>>,
    /// The record that each step caused, if it left one.
    own: Vec<Option<usize>>,
    next: usize,
    facts: Vec<Fact>,
}

impl Assembly<'_> {
    fn act(&mut self, step: usize, mut fact: Fact) {
        if let Some(own) = self.own[step] {
            while self.next <= own {
                self.pass();
            }
            while self.trace.records.get(self.next).is_some_and(|stamped| stamped.record.kind.is_consequence()) {
                self.pass();
            }
            if let What::Pressed { taken, .. } = &mut fact.what {
                *taken = true;
            }
        } else {
            while self.is_before(step, fact.at) {
                self.pass();
            }
        }
        self.push(fact);
    }

    /// Whether the next record tells of something before this act, which itself left no record.
    fn is_before(&self, step: usize, at: TrueTime) -> bool {
        let Some(stamped) = self.trace.records.get(self.next) else { return false };
        stamped.true_time <= at && self.owners[self.next].is_none_or(|owner| owner < step)
    }

    fn pass(&mut self) {
        let Stamped { true_time, record, .. } = self.trace.records[self.next];
        self.next += 1;
        if self.trace.watched {
            return self.seen_to_fall();
        }
        if let (Kind::FLAG_FELL, Some(side)) = (record.kind, record.side) {
            self.push(Fact { at: true_time, planned: true_time, bound_ns: 0, what: What::FlagFell(side), face: None });
        }
    }

    fn pass_to_the_end(&mut self) {
        while self.next < self.trace.records.len() {
            self.pass();
        }
    }

    fn push(&mut self, mut fact: Fact) {
        fact.at = self.facts.last().map_or(fact.at, |last| last.at.max(fact.at));
        let shown = self.trace.records[..self.next].iter().rev().find(|stamped| shows_a_face(stamped.record.kind));
        fact.face = shown.map(|stamped| ClockFace::of(&stamped.record, self.trace.plan.tick_rate));
        self.facts.push(fact);
    }
}

/// A record of this version is complete; one of a later version may mean anything.
fn shows_a_face(kind: Kind) -> bool {
    kind.name() != "unknown"
}

/// The moves after which neither side can mate, by their step, and why.
///
/// What is dead stays dead. So the moves are looked at from the last one back to the first that leaves either side a
/// mate; of a long game that is one move of hundreds, and no rulebook has to ask again.
fn dead(trace: &Trace) -> BTreeMap<usize, &'static str> {
    let moves = trace.plan.steps.iter().enumerate().rev().filter_map(|(index, step)| match &step.act {
        Act::Move(made) => Some((index, &made.after)),
        _ => None,
    });
    moves.map_while(|(index, after)| mate::is_dead(after).map(|reason| (index, reason))).collect()
}

/// Which step caused each record.
///
/// Where a device noticed every act of one kind they are paired in order. Where it missed or invented some, a record
/// belongs to the last act of its kind that had certainly begun by then, and to none if that one has its record.
fn owners(trace: &Trace) -> Vec<Option<usize>> {
    let mut owners = vec![None; trace.records.len()];
    for cause in Cause::ALL {
        let steps: Vec<(usize, TrueTime)> = trace
            .achieved
            .iter()
            .map(|achieved| (achieved.step as usize, achieved.earliest))
            .filter(|(step, _)| trace.plan.steps.get(*step).is_some_and(|step| Cause::of(&step.act) == Some(cause)))
            .collect();
        let records: Vec<usize> = (0..trace.records.len())
            .filter(|index| Cause::shown_by(&trace.records[*index].record) == Some(cause))
            .collect();
        if steps.len() == records.len() {
            for ((step, _), record) in steps.iter().zip(&records) {
                owners[*record] = Some(*step);
            }
            continue;
        }
        let mut last = None;
        for record in records {
            let stamped = &trace.records[record];
            let latest_ns = stamped.true_time.ns().saturating_add_unsigned(stamped.uncertainty_ns);
            let step = steps.iter().rev().find(|(_, earliest)| earliest.ns() <= latest_ns).map(|(step, _)| *step);
            if step > last {
                owners[record] = step;
                last = step;
            }
        }
    }
    owners
}

/// A kind of act that leaves a record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Press(Side),
    ArbitersButton,
    TimeSet(Side),
    CounterSet(Side),
}

impl Cause {
    const ALL: [Self; 7] = [
        Self::Press(Side::White),
        Self::Press(Side::Black),
        Self::ArbitersButton,
        Self::TimeSet(Side::White),
        Self::TimeSet(Side::Black),
        Self::CounterSet(Side::White),
        Self::CounterSet(Side::Black),
    ];

    const fn of(act: &Act) -> Option<Self> {
        match act {
            Act::Press { side, .. } => Some(Self::Press(*side)),
            Act::Pause { how: StopMeans::StartOpponent, .. } => None,
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => Some(Self::ArbitersButton),
            Act::SetTime { side, .. } => Some(Self::TimeSet(*side)),
            Act::SetCounter { side, .. } => Some(Self::CounterSet(*side)),
            _ => None,
        }
    }

    const fn shown_by(record: &Record) -> Option<Self> {
        match (record.kind, record.side) {
            (Kind::PRESSED, Some(side)) => Some(Self::Press(side)),
            (Kind::ARBITER_PRESSED, _) => Some(Self::ArbitersButton),
            (Kind::TIME_SET, Some(side)) => Some(Self::TimeSet(side)),
            (Kind::COUNTER_SET, Some(side)) => Some(Self::CounterSet(side)),
            _ => None,
        }
    }
}
