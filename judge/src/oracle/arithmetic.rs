//! Does everything follow from the device's own stamps? Exact to the tick, whatever the time base does.
//!
//! Every record is compared in all that it shows. Every plan ends with a look at the faces, so that a zero of which the
//! device never told is found there at the latest.

use flagfall_core::record::Kind;
use flagfall_core::{Phase, Record, Side};
use flagfall_trace::{Stamped, Trace};

use super::reckoning::{Deed, Doing, Reckoning, Standing, Told};
use super::stamps::{Deeds, is_deed, words};
use super::{Examination, Finding, seconds, sides};
use crate::expectation::Wrong;

pub(super) fn examine(trace: &Trace, examination: &mut Examination) {
    let reckoning = Reckoning::new(&trace.plan.setup, trace.plan.tick_rate);
    let mut look = Look { trace, examination, reckoning, deeds: Deeds::of(trace) };
    let mut index = 0;
    while index < trace.records.len() {
        index = look.record(index);
    }
}

struct Look<'t, 'e> {
    trace: &'t Trace,
    examination: &'e mut Examination,
    reckoning: Reckoning,
    deeds: Deeds<'t>,
}

impl<'t> Look<'t, '_> {
    fn tick(&self, record: &Record) -> u64 {
        u64::try_from(self.trace.ticks_into_run(record)).unwrap_or(0)
    }

    fn find(&mut self, stamped: &Stamped, wrong: Wrong, expected: String, found: String) {
        self.examination.find(Finding { wrong, at: stamped.true_time, expected, found });
    }

    /// Follows the record at `index` and what it brings; the index of the next deed or zero.
    fn record(&mut self, index: usize) -> usize {
        let stamped = &self.trace.records[index];
        let record = &stamped.record;
        let tick = self.tick(record);
        if record.kind == Kind::WENT_BACK {
            let found = format!("{} ticks back", record.value);
            self.find(stamped, Wrong::TimeBase, "device time that goes on".into(), found);
            return index + 1;
        }
        if let (Kind::FLAG_FELL | Kind::OVERTIME_ENTERED, Some(side)) = (record.kind, record.side) {
            return self.zero(index, side, tick);
        }
        let Some(deed) = self.deeds.next(record) else {
            self.find(stamped, blame(record.kind, record.side), "nothing without a cause".into(), describe(record));
            return index + 1;
        };
        self.overdue(stamped, tick, deed);
        let told = self.reckoning.deed(deed, tick);
        self.follow(index, &told)
    }

    /// Zeros that should have been reached before this record and of which the device said nothing.
    fn overdue(&mut self, stamped: &Stamped, tick: u64, next: Deed<'t>) {
        for zero in self.reckoning.pass(tick, Some(next)) {
            let found = format!("nothing of it before {} at tick {tick}", describe(&stamped.record));
            let expected = format!("{} has used up its time at tick {}", zero.side, zero.tick);
            self.find(stamped, Wrong::Flag(zero.side), expected, found);
        }
    }

    /// A side that has used up its time, as the device says.
    fn zero(&mut self, index: usize, side: Side, tick: u64) -> usize {
        let stamped = &self.trace.records[index];
        let record = &stamped.record;
        while let Some((ahead, zero)) = self.reckoning.zero_ahead().filter(|(_, zero)| *zero <= tick) {
            let reached = self.reckoning.reach_zero_at(ahead, zero);
            let same = ahead == side && says(record, &reached.told[0]);
            if zero < tick || !same {
                let expected = format!("{} at tick {zero}", tell(&reached.told[0]));
                self.find(stamped, Wrong::Flag(ahead), expected, format!("{} at tick {tick}", describe(record)));
            }
            if same || zero == tick {
                return self.follow(index, &reached.told);
            }
        }
        let expected = match self.reckoning.zero_ahead() {
            Some((ahead, zero)) => format!("{ahead} has used up its time at tick {zero}"),
            None => {
                format!(
                    "{side} has {} and does not run off",
                    seconds(self.reckoning.left(side, tick).into(), self.trace)
                )
            }
        };
        self.find(stamped, Wrong::Flag(side), expected, format!("{} at tick {tick}", describe(record)));
        if record.fallen[side] && !self.reckoning.fallen(side) {
            // From here on the device is taken at its word, so that one wrong is found once.
            self.reckoning.fall_without_zero(side, tick);
        }
        self.shows(stamped, &self.reckoning.standing(tick));
        self.after_consequences(index + 1)
    }

    /// Compares the records from `index` on with what must be told; the index of the first that is not part of it.
    fn follow(&mut self, index: usize, told: &[Told]) -> usize {
        let first = &self.trace.records[index];
        for (nth, told) in told.iter().enumerate() {
            let follower = self.trace.records.get(index + nth);
            match follower.filter(|s| nth == 0 || (!is_deed(s.record.kind) && s.record.at == first.record.at)) {
                Some(follower) if says(&follower.record, told) => self.shows(follower, &told.standing),
                follower => {
                    let wrong = match follower.map(|s| &s.record) {
                        Some(record) if record.kind == Kind::CREDITED => blame(Kind::CREDITED, record.side),
                        _ => blame(told.kind, told.side),
                    };
                    let found = follower.map_or("nothing".into(), |s| describe(&s.record));
                    self.find(first, wrong, tell(told), found);
                    let next = self.after_consequences(index + nth.max(1));
                    // What the device has made of it all is compared at the last of its records.
                    let standing = self.reckoning.standing(self.tick(&first.record));
                    self.shows(&self.trace.records[next - 1], &standing);
                    return next;
                }
            }
        }
        index + told.len()
    }

    fn after_consequences(&self, index: usize) -> usize {
        let consequences = self.trace.records[index..].iter().take_while(|s| s.record.kind.is_consequence());
        index + consequences.count()
    }

    /// Compares everything that a record shows with where the clock must stand.
    fn shows(&mut self, stamped: &Stamped, must: &Standing) {
        let record = &stamped.record;
        for side in sides() {
            let (left, has) = (must.left[side], record.remaining_ticks[side]);
            if left != has {
                let expected = format!("{left} ticks left by its own stamps");
                self.find(stamped, Wrong::Arithmetic(side), expected, format!("{has} ticks at {}", describe(record)));
            }
            if must.fallen[side] != record.fallen[side] {
                let word = |down| if down { "flag down" } else { "flag up" };
                let found = format!("{} at {}", word(record.fallen[side]), describe(record));
                self.find(stamped, Wrong::Flag(side), word(must.fallen[side]).into(), found);
            }
            let counted = (must.presses[side], must.period[side], must.overtime[side]);
            let counter = (record.moves[side], record.period[side], record.overtime[side]);
            if counted != counter {
                let words = |(moves, period, overtime)| match overtime {
                    0 => format!("{moves} moves, period {}", period + 1),
                    overtime => format!("{moves} moves, period {}, overtime {overtime}", period + 1),
                };
                let found = format!("{} at {}", words(counter), describe(record));
                self.find(stamped, Wrong::Counter(side), words(counted), found);
            }
        }
        if must.delay != record.delay_ticks {
            let side = must.doing.side().or(record.phase.side()).unwrap_or(Side::White);
            let found = format!("{} ticks at {}", record.delay_ticks, describe(record));
            self.find(stamped, Wrong::Arithmetic(side), format!("{} ticks of delay left", must.delay), found);
        }
        if must.first_fallen_sign != record.first_fallen {
            let sign = |side: Option<Side>| format!("first-fallen sign: {}", side.map_or("none", Side::name));
            let side = record.first_fallen.or(must.first_fallen_sign).unwrap_or(Side::White);
            self.find(stamped, Wrong::Flag(side), sign(must.first_fallen_sign), sign(record.first_fallen));
        }
        let doing = doing_of(record.phase);
        if doing != must.doing {
            let expected = format!("{:?}", must.doing).to_lowercase();
            self.find(stamped, Wrong::Running, expected, format!("{doing:?} at {}", describe(record)).to_lowercase());
        }
        if must.battery_low != record.battery_low {
            let sign = |lit| if lit { "battery sign lit" } else { "battery sign out" };
            let found = format!("{} at {}", sign(record.battery_low), describe(record));
            self.find(stamped, Wrong::Battery, sign(must.battery_low).into(), found);
        }
    }
}

fn doing_of(phase: Phase) -> Doing {
    match phase {
        Phase::Ready => Doing::Waiting,
        Phase::Running(side) => Doing::Running(side),
        Phase::Paused(side) => Doing::Paused(side),
        Phase::Frozen(side) => Doing::Frozen(side),
    }
}

fn says(record: &Record, told: &Told) -> bool {
    (record.kind, record.side, record.detail) == (told.kind, told.side, told.detail)
        && (record.kind.tells_handling() || told.value.is_none_or(|value| value == record.value))
}

/// Which part of the clock a record that is missing, different or too many speaks against.
fn blame(kind: Kind, side: Option<Side>) -> Wrong {
    match (kind, side) {
        (Kind::CREDITED | Kind::TIME_SET, Some(side)) => Wrong::Arithmetic(side),
        (Kind::FLAG_FELL | Kind::OVERTIME_ENTERED, Some(side)) => Wrong::Flag(side),
        (Kind::PERIOD_ENTERED | Kind::COUNTED | Kind::COUNTER_SET | Kind::PERIOD_SET, Some(side)) => {
            Wrong::Counter(side)
        }
        (Kind::BATTERY, _) => Wrong::Battery,
        _ => Wrong::Running,
    }
}

fn describe(record: &Record) -> String {
    words(record.kind, record.side)
}

fn tell(told: &Told) -> String {
    let words = words(told.kind, told.side);
    match (told.kind, told.value) {
        (Kind::CREDITED, Some(ticks)) => format!("{words} of {ticks} ticks"),
        (Kind::OVERTIME_ENTERED, _) => format!("{words} with {} left", told.detail),
        _ => words,
    }
}
