//! Does the device agree with the hall? Its stamps against the instants at which the bench acted.
//!
//! The true-time reckoning does what the device honoured, at the instants at which an exact clock that was as quick as
//! this one would have noticed it; what is left then may differ from what the device shows by no more than the bound.
//! Which side of a zero a press falls on is the device's word here: the arithmetic look judges that to the tick, and a
//! tick of difference must not become a whole period.

use flagfall_core::record::Kind;
use flagfall_core::{Record, Side, TrueTime};
use flagfall_trace::{Achieved, Trace};

use super::bound::{Bound, Limits};
use super::margin::Held;
use super::reckoning::{Deed, Reckoning};
use super::stamps::{Deeds, Offset, Pair, Window, pair, words};
use super::time_base::{FaultBound, TimeBase};
use super::{Examination, Finding, Noticed, seconds, sides};
use crate::expectation::Wrong;

pub(super) fn examine(trace: &Trace, limits: &Limits, examination: &mut Examination) {
    let pairs = pair(trace, limits, examination);
    let mut pairs = pairs.iter().peekable();
    let reckoning = Reckoning::new(&trace.plan.setup, trace.plan.tick_rate);
    let base = TimeBase::achieved(trace);
    let (deeds, offset) = (Deeds::of(trace), Offset::default());
    let mut look = Look { trace, limits, examination, reckoning, deeds, offset, base };
    for index in 0..trace.records.len() {
        let seen = pairs.next_if(|pair| pair.record == index);
        look.record(index, seen);
    }
}

struct Look<'t, 'e> {
    trace: &'t Trace,
    limits: &'e Limits,
    examination: &'e mut Examination,
    reckoning: Reckoning,
    deeds: Deeds<'t>,
    offset: Offset,
    /// What was done to the time base.
    base: TimeBase,
}

impl Look<'_, '_> {
    fn record(&mut self, index: usize, seen: Option<&Pair>) {
        let stamped = &self.trace.records[index];
        let ticks = self.trace.ticks_into_run(&stamped.record);
        let bound = self.limits.bound(ticks);
        self.examination.bounds.push(bound);
        let tick = match seen {
            Some(pair) => {
                self.stamp(index, &pair.achieved, &bound);
                self.noticed(ticks, stamped.true_time, &pair.achieved)
            }
            None => self.tick_at(stamped.true_time),
        };
        match (stamped.record.kind, stamped.record.side) {
            (Kind::FLAG_FELL | Kind::OVERTIME_ENTERED, Some(side)) => {
                self.notice(index, side);
                self.zero(index, side, tick, &bound);
            }
            _ => self.deed(index, tick, &bound),
        }
    }

    fn tick_at(&self, at: TrueTime) -> u64 {
        self.trace.plan.tick_rate.tick_at(at).ticks()
    }

    /// How many ticks the time base has gained by what was done to it.
    fn gained(&self, at: TrueTime) -> i128 {
        if self.base.is_sound() { 0 } else { i128::from(self.base.tick_at(at)) - i128::from(self.tick_at(at)) }
    }

    fn noticed(&mut self, ticks: i128, at: TrueTime, achieved: &Achieved) -> u64 {
        let window = Window::of(achieved, self.limits, self.trace.plan.tick_rate);
        // What a fault has made of its stamps does not hide how quick the clock was.
        let tick = self.offset.follow(ticks - self.gained(at), window);
        let late_ticks = tick.saturating_sub(self.tick_at(achieved.earliest));
        let stamp = u64::try_from(ticks).unwrap_or(0);
        self.examination.noticed.push(Noticed { step: achieved.step, tick, stamp, late_ticks });
        tick
    }

    /// Compares the stamp of a record with the instants between which it must lie.
    fn stamp(&mut self, index: usize, achieved: &Achieved, bound: &Bound) {
        let stamped = &self.trace.records[index];
        let ticks = self.trace.ticks_into_run(&stamped.record);
        let (earliest, latest) =
            (i128::from(self.tick_at(achieved.earliest)), i128::from(self.tick_at(achieved.latest)));
        let slack = i128::from(bound.ticks());
        if ticks < earliest - slack || ticks > latest + slack {
            self.examination.find(Finding {
                wrong: Wrong::TimeBase,
                at: stamped.true_time,
                expected: format!(
                    "a stamp from {} to {} within {bound}",
                    seconds(earliest, self.trace),
                    seconds(latest, self.trace)
                ),
                found: format!(
                    "{} for {}",
                    seconds(ticks, self.trace),
                    words(stamped.record.kind, stamped.record.side)
                ),
            });
            return;
        }
        // Within what the bench saw, a stamp may still be later than the rig declares.
        let late = ticks - earliest;
        let limit = i128::from(self.limits.latency_ticks(self.trace.plan.tick_rate)) + slack;
        let off = u128::try_from(late).unwrap_or(0);
        self.examination.uses(Held::Stamp, off, limit.unsigned_abs(), stamped.true_time);
        if late > limit {
            // A time base that was made fast stamps late what it noticed at once.
            let late_press = stamped.record.side.map_or(Wrong::Running, Wrong::Press);
            self.examination.find(Finding {
                wrong: if late - self.gained(stamped.true_time) > limit { late_press } else { Wrong::TimeBase },
                at: stamped.true_time,
                expected: format!("a stamp within {limit} ticks of the act"),
                found: format!("{} stamped {late} ticks after it", words(stamped.record.kind, stamped.record.side)),
            });
        }
    }

    /// A flag is dated at its deadline however late the clock looked; on a board, looking late shows at the display.
    fn notice(&mut self, index: usize, side: Side) {
        let stamped = &self.trace.records[index];
        let (Kind::FLAG_FELL, Some(limit_ns)) = (stamped.record.kind, self.limits.flag_notice_max_ns) else { return };
        let rate = self.trace.plan.tick_rate;
        let into_run = |record: &Record| u64::try_from(self.trace.ticks_into_run(record)).unwrap_or(0);
        let since = index.checked_sub(1).map_or(0, |before| into_run(&self.trace.records[before].record));
        let by_fault = self.base.notice_ticks(into_run(&stamped.record), since, rate);
        let limit = (u128::from(limit_ns) * u128::from(rate.hz())).div_ceil(1_000_000_000) + u128::from(by_fault);
        self.examination.uses(Held::FlagNotice, stamped.record.value.into(), limit, stamped.true_time);
        if u128::from(stamped.record.value) > limit {
            self.examination.find(Finding {
                wrong: Wrong::Flag(side),
                at: stamped.true_time,
                expected: format!("the fall is noticed within {limit} ticks"),
                found: format!("noticed {} ticks after it", stamped.record.value),
            });
        }
    }

    /// A side that has used up its time, as the device says: an exact clock reaches that zero at its own tick.
    fn zero(&mut self, index: usize, side: Side, tick: u64, bound: &Bound) {
        let stamped = &self.trace.records[index];
        if self.reckoning.fallen(side) {
            // A time set to zero has let the flag fall already.
            return;
        }
        let uncertainty = u128::from(stamped.uncertainty_ns) * u128::from(self.trace.plan.tick_rate.hz());
        let allowed = u128::from(bound.ticks()) + uncertainty.div_ceil(1_000_000_000);
        let left = self.reckoning.left(side, tick);
        let ahead = self.reckoning.zero_ahead().filter(|(ahead, _)| *ahead == side).map(|(_, zero)| zero);
        if let Some(zero) = ahead.filter(|_| u128::from(left) <= allowed) {
            self.reckoning.reach_zero_at(side, zero);
            return;
        }
        let has = match stamped.record.kind {
            Kind::FLAG_FELL => stamped.record.remaining_ticks[side],
            _ => 0,
        };
        self.left(index, side, left, has, &format!("within {allowed} ticks"), allowed);
        if ahead.is_some() && has == 0 {
            self.reckoning.reach_zero_at(side, tick);
        } else {
            self.reckoning.fall_without_zero(side, tick);
        }
    }

    /// Lets the reckoning do what the device did and compares what is left.
    fn deed(&mut self, index: usize, tick: u64, bound: &Bound) {
        let record = &self.trace.records[index].record;
        let Some(deed) = self.deeds.next(record) else { return };
        // A press or a look shows the clock before it takes effect, a correction shows it after.
        if matches!(deed, Deed::Press(_) | Deed::ArbiterButton | Deed::Read) {
            let bound = FaultBound::of(&self.base, self.trace.records[index].true_time, *bound, self.limits);
            for side in sides() {
                let (left, has) = (self.reckoning.left(side, tick), record.remaining_ticks[side]);
                self.left(index, side, left, has, &format!("within {bound}"), bound.ticks().into());
            }
        }
        if self.trace.records.get(index + 1).is_some_and(|after| after.record.kind == Kind::IGNORED) {
            return;
        }
        match deed {
            Deed::Undo => self.reckoning.take_back(tick),
            deed => drop(self.reckoning.deed(deed, tick)),
        }
    }

    fn left(&mut self, index: usize, side: Side, left: u64, has: u64, within: &str, allowed: u128) {
        let off = u128::from(left.abs_diff(has));
        self.examination.uses(Held::TimeLeft, off, allowed, self.trace.records[index].true_time);
        if off > allowed {
            let stamped = &self.trace.records[index];
            let at = words(stamped.record.kind, stamped.record.side);
            self.examination.find(Finding {
                wrong: Wrong::Remaining(side),
                at: stamped.true_time,
                expected: format!("{} left, {within}", seconds(left.into(), self.trace)),
                found: format!("{} at {at}", seconds(has.into(), self.trace)),
            });
        }
    }
}
