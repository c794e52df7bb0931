//! Does everything follow from the device's own stamps? Exact to the tick, whatever the time base does.
//!
//! Every plan ends with a look at the faces, so that a flag that never fell is found there at the latest.

use flagfall_core::record::Kind;
use flagfall_core::{Phase, Record, Side};
use flagfall_trace::{Stamped, Trace};

use super::reckoning::{Consequence, Deed, Doing, Reckoning};
use super::{Examination, Finding, seconds, sides};
use crate::expectation::Wrong;

pub(super) fn examine(trace: &Trace, examination: &mut Examination) {
    let mut look = Look { trace, examination, reckoning: Reckoning::new(&trace.plan.setup, trace.plan.tick_rate) };
    let mut index = 0;
    while index < trace.records.len() {
        index = look.deed(index);
    }
}

/// What a device's record says was done to it; `None` for a consequence.
pub(super) fn deed_of(record: &Record) -> Option<Deed> {
    match (record.kind, record.side) {
        (Kind::PRESSED, Some(side)) => Some(Deed::Press(side)),
        (Kind::ARBITER_PRESSED, _) => Some(Deed::ArbiterButton),
        (Kind::TIME_SET, Some(side)) => Some(Deed::SetTime(side, record.value)),
        (Kind::COUNTER_SET, Some(side)) => Some(Deed::SetCounter(side, record.value as u16)),
        (Kind::READ, _) => Some(Deed::Read),
        _ => None,
    }
}

struct Look<'t, 'e> {
    trace: &'t Trace,
    examination: &'e mut Examination,
    reckoning: Reckoning<'t>,
}

impl Look<'_, '_> {
    fn tick(&self, record: &Record) -> u64 {
        u64::try_from(self.trace.ticks_into_run(record)).unwrap_or(0)
    }

    fn find(&mut self, stamped: &Stamped, wrong: Wrong, expected: String, found: String) {
        self.examination.find(Finding { wrong, at: stamped.true_time, expected, found });
    }

    /// Follows the record at `index` and the consequences after it; the index of the next deed or fall.
    fn deed(&mut self, index: usize) -> usize {
        let stamped = &self.trace.records[index];
        let record = &stamped.record;
        let tick = self.tick(record);
        if record.kind == Kind::WENT_BACK {
            self.find(
                stamped,
                Wrong::TimeBase,
                "device time that goes on".into(),
                format!("{} ticks back", record.value),
            );
            return index + 1;
        }
        if record.kind == Kind::FLAG_FELL {
            self.fall(stamped, tick);
            return index + 1;
        }
        self.fall_overdue(stamped, tick);
        let Some(deed) = deed_of(record) else {
            self.find(stamped, Wrong::Running, "nothing without a cause".into(), describe(record));
            return index + 1;
        };
        // A press record shows the clock before the press takes effect, a correction shows it after.
        if matches!(deed, Deed::Press(_) | Deed::ArbiterButton | Deed::Read) {
            self.faces(stamped, tick);
        }
        let follows = self.reckoning.deed(deed, tick);
        let mut next = index + 1;
        for consequence in follows {
            match self.trace.records.get(next).filter(|s| deed_of(&s.record).is_none() && s.record.at == record.at) {
                Some(follower) if says(&follower.record, consequence) => next += 1,
                follower => {
                    let found = follower.map_or("nothing".into(), |s| describe(&s.record));
                    let wrong = blame(consequence, follower.map(|s| &s.record));
                    self.find(stamped, wrong, describe_consequence(consequence), found);
                    while self.trace.records.get(next).is_some_and(|s| is_consequence(&s.record)) {
                        next += 1;
                    }
                    break;
                }
            }
        }
        // A time set to zero is shown before its flag falls; the record of the fall follows and is compared.
        if !matches!(deed, Deed::SetTime(_, 0)) {
            self.faces(&self.trace.records[next - 1], tick);
        }
        next
    }

    /// A flag that the device says fell.
    fn fall(&mut self, stamped: &Stamped, tick: u64) {
        let Some(side) = stamped.record.side else {
            return self.find(stamped, Wrong::Running, "a fall with a side".into(), describe(&stamped.record));
        };
        // A time set to zero has let the flag fall in the reckoning already.
        let fell = if self.reckoning.fallen(side) && self.reckoning.flag_tick(side) == Some(tick) {
            Some((side, tick))
        } else {
            self.reckoning.pass(tick)
        };
        if fell != Some((side, tick)) {
            let expected = match fell.map(|(_, tick)| tick).or(self.reckoning.flag_tick(side)) {
                Some(zero) => format!("{side} reaches zero at tick {zero}"),
                None => format!(
                    "{side} has {} and does not run",
                    seconds(self.reckoning.left(side, tick).into(), self.trace)
                ),
            };
            self.find(stamped, Wrong::Flag(side), expected, format!("the flag fell at tick {tick}"));
        }
        self.faces(stamped, tick);
    }

    /// A flag that should have fallen before this record and of which the device said nothing.
    fn fall_overdue(&mut self, stamped: &Stamped, tick: u64) {
        if let Some((side, zero)) = self.reckoning.pass(tick) {
            let found = format!("no fall before {} at tick {tick}", describe(&stamped.record));
            self.find(stamped, Wrong::Flag(side), format!("the flag falls at tick {zero}"), found);
        }
    }

    /// Compares everything that a record shows with the reckoning.
    fn faces(&mut self, stamped: &Stamped, tick: u64) {
        let record = &stamped.record;
        for side in sides() {
            let (left, has) = (self.reckoning.left(side, tick), record.remaining_ticks[side]);
            if left != has {
                let expected = format!("{left} ticks left by its own stamps");
                self.find(stamped, Wrong::Arithmetic(side), expected, format!("{has} ticks at {}", describe(record)));
            }
            if self.reckoning.fallen(side) != record.fallen[side] {
                let word = |down| if down { "flag down" } else { "flag up" };
                let expected = word(self.reckoning.fallen(side)).into();
                self.find(
                    stamped,
                    Wrong::Flag(side),
                    expected,
                    format!("{} at {}", word(record.fallen[side]), describe(record)),
                );
            }
            let counted = (self.reckoning.presses(side), self.reckoning.period(side));
            if counted != (record.moves[side], record.period[side]) {
                let words = |(moves, period)| format!("{moves} moves, period {}", period + 1);
                let found = words((record.moves[side], record.period[side]));
                self.find(stamped, Wrong::Counter(side), words(counted), found);
            }
        }
        if self.reckoning.first_fallen_sign() != record.first_fallen {
            let sign = |side: Option<Side>| format!("first-fallen sign: {}", side.map_or("none", Side::name));
            let side = record.first_fallen.or(self.reckoning.first_fallen_sign()).unwrap_or(Side::White);
            self.find(stamped, Wrong::Flag(side), sign(self.reckoning.first_fallen_sign()), sign(record.first_fallen));
        }
        let doing = match record.phase {
            Phase::Ready => Doing::Waiting,
            Phase::Running(side) => Doing::Running(side),
            Phase::Paused(side) => Doing::Paused(side),
            Phase::Frozen(side) => Doing::Frozen(side),
        };
        if doing != self.reckoning.doing() {
            let expected = format!("{:?}", self.reckoning.doing()).to_lowercase();
            self.find(stamped, Wrong::Running, expected, format!("{doing:?} at {}", describe(record)).to_lowercase());
        }
    }
}

fn is_consequence(record: &Record) -> bool {
    deed_of(record).is_none() && !matches!(record.kind, Kind::FLAG_FELL | Kind::WENT_BACK)
}

fn says(record: &Record, consequence: Consequence) -> bool {
    (record.kind, record.side, record.detail, record.value)
        == (consequence.kind, consequence.side, consequence.detail, consequence.value)
}

/// Which part of the clock a missing or different consequence speaks against.
fn blame(expected: Consequence, found: Option<&Record>) -> Wrong {
    let (kind, side) = match found {
        Some(record) if record.kind == Kind::CREDITED => (Kind::CREDITED, record.side),
        _ => (expected.kind, expected.side),
    };
    match (kind, side) {
        (Kind::CREDITED, Some(side)) => Wrong::Arithmetic(side),
        (Kind::PERIOD_ENTERED, Some(side)) => Wrong::Counter(side),
        _ => Wrong::Running,
    }
}

fn describe(record: &Record) -> String {
    match record.side {
        Some(side) => format!("{}({side})", record.kind),
        None => record.kind.to_string(),
    }
}

fn describe_consequence(consequence: Consequence) -> String {
    let side = consequence.side.map_or(String::new(), |side| format!("({side})"));
    match consequence.kind {
        Kind::CREDITED => format!("{}{side} of {} ticks", consequence.kind, consequence.value),
        kind => format!("{kind}{side}"),
    }
}
