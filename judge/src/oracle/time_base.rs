//! What a time base shows when somebody makes it wrong: device time as a piecewise linear function of true time.
//!
//! The oracle compares a clock with an exact one, whatever was done to it. What a fault was to do is a question of its
//! own: of a bench, whether it did it, and of an expectation, which time is left after it.

use std::fmt;

use flagfall_core::{TickRate, TrueTime};
use flagfall_trace::plan::{Act, Fault, Plan};
use flagfall_trace::{Check, Subject, Trace, Verdict};

use super::bound::{Bound, Limits};
use super::{Examination, seconds};

/// Parts of a tick that one nanosecond is, at 1 Hz and a rate that is right.
const PER_NS: i128 = 1_000_000_000;

/// Parts of a tick.
const PER_TICK: i128 = PER_NS * 1_000_000_000;

/// What a time base shows, and when.
#[derive(Clone, Debug)]
pub struct TimeBase {
    /// In order of time; the first is at the beginning.
    turns: Vec<Turn>,
}

/// From here on the time base goes on from another position or at another rate.
#[derive(Clone, Copy, Debug)]
struct Turn {
    at: TrueTime,
    /// What it shows just before, in parts of a tick.
    before: i128,
    /// What it shows from here on.
    position: i128,
    per_ns: i128,
}

/// Something that is done to a time base.
#[derive(Clone, Copy, Debug)]
enum Deed {
    RateBegins(i64),
    /// Of the fault that was the so-manieth to change the rate.
    RateEnds(u32),
    Jumps(i64),
    Stops,
    GoesOn,
}

impl TimeBase {
    /// As a plan would have it: a fault begins with its step and ends to the nanosecond.
    #[must_use]
    pub fn planned(plan: &Plan) -> Self {
        Self::of(plan, |step| Some(plan.steps[step].at), |_, at, for_ns| at.checked_add_ns(for_ns))
    }

    /// As a rig has done it.
    #[must_use]
    pub fn achieved(trace: &Trace) -> Self {
        let begun = |step: usize| {
            let achieved = trace.achieved.iter().find(|achieved| achieved.step as usize == step);
            achieved.map(|achieved| achieved.earliest)
        };
        let ended = |step: usize, at: TrueTime, for_ns: i64| {
            let by_the_bench = trace.ends.iter().find(|end| end.step as usize == step).map(|end| end.earliest);
            by_the_bench.or(at.checked_add_ns(for_ns))
        };
        Self::of(&trace.plan, begun, ended)
    }

    fn of(
        plan: &Plan,
        begun: impl Fn(usize) -> Option<TrueTime>,
        ended: impl Fn(usize, TrueTime, i64) -> Option<TrueTime>,
    ) -> Self {
        let mut deeds = Vec::new();
        let mut rates = 0;
        // What it shows on an oscillator of its own, or with ticks lost here and there, is not reckoned here.
        let miscounts = plan.steps.iter().any(|step| matches!(step.act, Act::Fault(Fault::Ticks { .. })));
        if miscounts || !plan.oscillator.is_exact() {
            return Self { turns: turns(plan.tick_rate, &deeds) };
        }
        for (step, planned) in plan.steps.iter().enumerate() {
            let Act::Fault(fault) = planned.act else { continue };
            let Some(at) = begun(step) else { continue };
            match fault {
                Fault::Rate { ppb, for_ns } => {
                    rates += 1;
                    deeds.push((at, Deed::RateBegins(ppb)));
                    deeds.extend(ended(step, at, for_ns).map(|end| (end, Deed::RateEnds(rates))));
                }
                Fault::Stuck { for_ns } => {
                    deeds.push((at, Deed::Stops));
                    deeds.extend(ended(step, at, for_ns).map(|end| (end, Deed::GoesOn)));
                }
                Fault::Jump { by_ns } => deeds.push((at, Deed::Jumps(by_ns))),
                _ => {}
            }
        }
        deeds.sort_by_key(order);
        Self { turns: turns(plan.tick_rate, &deeds) }
    }

    /// Whether nothing was done to it.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.turns.len() == 1
    }

    /// How often something was done to it up to an instant.
    #[must_use]
    pub fn changes_until(&self, at: TrueTime) -> u64 {
        (self.turns.partition_point(|turn| turn.at <= at) - 1) as u64
    }

    /// The tick that it shows at an instant.
    #[must_use]
    pub fn tick_at(&self, at: TrueTime) -> u64 {
        let turn = &self.turns[self.turns.partition_point(|turn| turn.at <= at).max(1) - 1];
        let passed = i128::from(at.ns().saturating_sub(turn.at.ns()));
        u64::try_from((turn.position + passed * turn.per_ns) / PER_TICK).unwrap_or(0)
    }

    /// How many ticks after its deadline a right clock may notice a flag because of what was done to its time base: all
    /// those that were left out around the deadline, and, where the time base is faster than the alarm that wakes the
    /// clock, what it gained since `since`, when the alarm was set at the earliest.
    pub(super) fn notice_ticks(&self, deadline: u64, since: u64, rate: TickRate) -> u64 {
        let left_out = |turn: &Turn| {
            let (before, after) = (turn.before / PER_TICK, turn.position / PER_TICK);
            let deadline = i128::from(deadline);
            if before <= deadline && deadline < after { after - deadline } else { 0 }
        };
        let right = i128::from(rate.hz()) * PER_NS;
        let fastest = self.turns.iter().map(|turn| turn.per_ns - right).max().unwrap_or(0).max(0);
        let gained = (i128::from(deadline.saturating_sub(since)) * fastest + right - 1) / right;
        let left_out: i128 = self.turns.iter().map(left_out).sum();
        u64::try_from(left_out + gained).unwrap_or(u64::MAX)
    }
}

/// What ends comes before what begins in the same instant.
fn order((at, deed): &(TrueTime, Deed)) -> (TrueTime, bool) {
    (*at, !matches!(deed, Deed::RateEnds(_) | Deed::GoesOn))
}

fn turns(rate: TickRate, deeds: &[(TrueTime, Deed)]) -> Vec<Turn> {
    let per_ns = |ppb: i64| i128::from(rate.hz()) * (PER_NS + i128::from(ppb)).max(0);
    let mut turns = vec![Turn { at: TrueTime::ZERO, before: 0, position: 0, per_ns: per_ns(0) }];
    let (mut ppb, mut rates, mut stopped) = (0, 0, 0_u32);
    for (at, deed) in deeds {
        let last = turns[turns.len() - 1];
        let before = last.position + i128::from(at.ns() - last.at.ns()) * last.per_ns;
        let mut position = before;
        match deed {
            Deed::RateBegins(fast) => (ppb, rates) = (*fast, rates + 1),
            Deed::RateEnds(number) if *number == rates => ppb = 0,
            Deed::RateEnds(_) => {}
            Deed::Jumps(by_ns) => position = (before + i128::from(*by_ns) * per_ns(0)).max(0),
            Deed::Stops => stopped += 1,
            Deed::GoesOn => stopped -= 1,
        }
        turns.push(Turn { at: *at, before, position, per_ns: if stopped > 0 { 0 } else { per_ns(ppb) } });
    }
    turns
}

/// Whether the bench has done to the time base what the plan's faults say: the device's stamps against what they leave of
/// device time, at the instants at which the bench did it. `None` without such a fault.
#[must_use]
pub fn check_time_base(trace: &Trace, examination: &Examination, limits: &Limits) -> Option<Check> {
    let base = TimeBase::achieved(trace);
    if base.is_sound() {
        return None;
    }
    let off = trace
        .records
        .iter()
        .zip(&examination.bounds)
        .filter(|(stamped, _)| super::stamps::is_deed(stamped.record.kind));
    let off = off.map(|(stamped, bound)| {
        let must = i128::from(base.tick_at(stamped.true_time));
        let by = trace.ticks_into_run(&stamped.record) - must;
        (by, FaultBound::of(&base, stamped.true_time, *bound, limits), stamped)
    });
    let worst =
        off.max_by_key(|(by, bound, _)| (by.unsigned_abs().saturating_sub(bound.ticks().into()), by.unsigned_abs()));
    let (by, bound, stamped) = worst?;
    let is_as_asked = by.unsigned_abs() <= u128::from(bound.ticks());
    let at = seconds(trace.ticks_into_run(&stamped.record), trace);
    Some(Check {
        // A time base that does not do what the bench writes into it is no finding about the clock's game.
        subject: Subject::Bench,
        rulebook: None,
        verdict: if is_as_asked { Verdict::Pass } else { Verdict::Infra },
        what: "time base under the fault".into(),
        expected: format!("what the fault leaves of device time, within {bound}"),
        found: format!("{by:+} ticks at {at}, the furthest of all stamps"),
        line: None,
    })
}

/// How far the stamp of a time base that was made wrong may be from what that was to make of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaultBound {
    bound: Bound,
    /// One count of either counter, for each time that the bench has written to the time base.
    writes_ticks: u64,
    /// What a rate is off that can only be near the one asked for: less than a part in 10^9 of what has passed.
    rate_ticks: u64,
}

impl FaultBound {
    pub(super) fn of(base: &TimeBase, at: TrueTime, bound: Bound, limits: &Limits) -> Self {
        // In virtual time nothing is written, and a rate is what it is said to be.
        if base.is_sound() || limits.stamp_ticks == 0 {
            return Self { bound, writes_ticks: 0, rate_ticks: 0 };
        }
        let writes_ticks = base.changes_until(at) * limits.stamp_ticks;
        Self { bound, writes_ticks, rate_ticks: base.tick_at(at).div_ceil(1_000_000_000) }
    }

    pub(super) const fn ticks(&self) -> u64 {
        self.bound.ticks().saturating_add(self.writes_ticks).saturating_add(self.rate_ticks)
    }
}

impl fmt::Display for FaultBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bound, writes_ticks, rate_ticks } = self;
        if writes_ticks + rate_ticks == 0 {
            return write!(f, "{bound}");
        }
        let Bound { stamp_ticks, oscillator_ticks, .. } = bound;
        let all = self.ticks();
        write!(f, "{all} ticks = {stamp_ticks} stamp + {oscillator_ticks} oscillator + ")?;
        write!(f, "{writes_ticks} writes + {rate_ticks} rate")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: i64) -> TrueTime {
        TrueTime::from_ns(seconds * 1_000_000_000)
    }

    fn base(deeds: &[(TrueTime, Deed)]) -> TimeBase {
        TimeBase { turns: turns(TickRate::MHZ, deeds) }
    }

    #[test]
    fn a_time_base_to_which_nothing_was_done_shows_the_ticks_of_an_exact_clock() {
        let sound = base(&[]);
        assert!(sound.is_sound());
        for ns in [0, 999, 1_000, 123_456_789_012] {
            let at = TrueTime::from_ns(ns);
            assert_eq!(sound.tick_at(at), TickRate::MHZ.tick_at(at).ticks(), "{ns} ns");
        }
    }

    #[test]
    fn each_change_goes_on_from_where_the_last_one_was() {
        let base = base(&[
            (s(10), Deed::RateBegins(250_000_000)),
            (s(15), Deed::RateBegins(-200_000_000)),
            (s(20), Deed::RateEnds(1)),
            (s(25), Deed::RateEnds(2)),
            (s(30), Deed::Jumps(3_000_000_000)),
            (s(40), Deed::Stops),
            (s(45), Deed::GoesOn),
        ]);
        let shown: Vec<u64> = [10, 15, 20, 25, 29, 30, 40, 44, 46].map(|at| base.tick_at(s(at)) / 1_000).to_vec();
        assert_eq!(shown, [10_000, 16_250, 20_250, 24_250, 28_250, 32_250, 42_250, 42_250, 43_250]);
        assert_eq!([base.changes_until(s(9)), base.changes_until(s(30)), base.changes_until(s(99))], [0, 5, 7]);
    }

    #[test]
    fn a_flag_may_be_noticed_late_by_what_was_left_out_around_it_and_by_what_was_gained_over_the_alarm() {
        let jumped = base(&[(s(10), Deed::Jumps(3_000_000_000))]);
        let late = |deadline| jumped.notice_ticks(deadline, 0, TickRate::MHZ);
        assert_eq!([late(9_999_999), late(10_000_000), late(12_999_999), late(13_000_000)], [0, 3_000_000, 1, 0]);
        let fast = base(&[(s(10), Deed::RateBegins(250_000_000))]);
        assert_eq!(fast.notice_ticks(30_000_000, 20_000_000, TickRate::MHZ), 2_500_000);
        let slow = base(&[(s(10), Deed::RateBegins(-200_000_000))]);
        assert_eq!(slow.notice_ticks(30_000_000, 20_000_000, TickRate::MHZ), 0);
    }

    #[test]
    fn what_ends_comes_before_what_begins_in_the_same_instant() {
        let mut deeds = [(s(1), Deed::Stops), (s(1), Deed::RateEnds(1))];
        deeds.sort_by_key(order);
        assert!(matches!(deeds[0].1, Deed::RateEnds(1)));
    }
}
