//! Does the device agree with the hall? Its stamps against the instants at which the bench acted.
//!
//! The true-time reckoning does what the device honoured, at the instants at which it really happened; what is left
//! then may differ from what the device shows by no more than the bound.

use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Phase, Record, Setup, Side, TrueTime};
use flagfall_trace::{Achieved, Trace};

use super::arithmetic::deed_of;
use super::bound::{Bound, Limits};
use super::reckoning::{Deed, Doing, Reckoning};
use super::{Examination, Finding, seconds, sides};
use crate::expectation::Wrong;

pub(super) fn examine(trace: &Trace, limits: &Limits, examination: &mut Examination) {
    let pairs = pair(trace, examination);
    let seen = |record: usize| pairs.iter().find(|pair| pair.record == record).map(|pair| pair.achieved);
    // Running on keeps the reckoning from freezing a tick before or after the device does.
    let setup = Setup { at_zero: AtZero::RunOn, ..trace.plan.setup };
    let mut reckoning = Reckoning::new(&setup, trace.plan.tick_rate);
    let mut observation_ticks = 0_u64;
    for (index, stamped) in trace.records.iter().enumerate() {
        let achieved = seen(index);
        let ticks = trace.ticks_into_run(&stamped.record);
        if let Some(achieved) = achieved {
            let more = limits.observation_ticks(&achieved, trace.plan.tick_rate);
            observation_ticks = observation_ticks.saturating_add(more);
        }
        let bound = Bound {
            stamp_ticks: limits.stamp_ticks,
            oscillator_ticks: limits.oscillator_ticks(ticks),
            observation_ticks,
        };
        examination.bounds.push(bound);
        if let Some(achieved) = achieved {
            stamp(trace, index, &achieved, limits, &bound, examination);
        }
        notice(trace, index, limits, examination);
        let at = achieved.map_or(stamped.true_time, |achieved| achieved.earliest);
        follow(trace, index, at, &mut reckoning, &bound, examination);
    }
}

struct Pair {
    achieved: Achieved,
    record: usize,
}

/// Which record speaks of which act: in order, the same kind and side.
fn pair(trace: &Trace, examination: &mut Examination) -> Vec<Pair> {
    let deeds: Vec<usize> =
        (0..trace.records.len()).filter(|index| deed_of(&trace.records[*index].record).is_some()).collect();
    let mut pairs = Vec::new();
    let mut next = 0;
    for achieved in &trace.achieved {
        let act = &trace.plan.steps[achieved.step as usize].act;
        let Some((kind, side)) = act.leaves() else { continue };
        match deeds.get(next).filter(|index| is(&trace.records[**index].record, kind, side)) {
            Some(record) => {
                pairs.push(Pair { achieved: *achieved, record: *record });
                next += 1;
            }
            None => examination.find(Finding {
                wrong: side.map_or(Wrong::Running, Wrong::Press),
                at: achieved.earliest,
                expected: format!("{} at {} s", words(kind, side), achieved.earliest),
                found: "the device says nothing of it".into(),
            }),
        }
    }
    if let Some(extra) = deeds.get(next).map(|index| &trace.records[*index]) {
        let wrong = extra.record.side.map_or(Wrong::Running, Wrong::Press);
        let found = words(extra.record.kind, extra.record.side);
        examination.find(Finding { wrong, at: extra.true_time, expected: "nobody did anything".into(), found });
    }
    pairs
}

fn is(record: &Record, kind: Kind, side: Option<Side>) -> bool {
    record.kind == kind && (side.is_none() || record.side == side)
}

fn words(kind: Kind, side: Option<Side>) -> String {
    side.map_or(kind.to_string(), |side| format!("{kind}({side})"))
}

/// Compares the stamp of a record with the instants between which it must lie.
fn stamp(
    trace: &Trace,
    index: usize,
    achieved: &Achieved,
    limits: &Limits,
    bound: &Bound,
    examination: &mut Examination,
) {
    let rate = trace.plan.tick_rate;
    let stamped = &trace.records[index];
    let ticks = trace.ticks_into_run(&stamped.record);
    let tick_at = |at: TrueTime| i128::from(rate.tick_at(at).ticks());
    let slack = i128::from(bound.stamp_ticks) + i128::from(bound.oscillator_ticks);
    if ticks < tick_at(achieved.earliest) - slack || ticks > tick_at(achieved.latest) + slack {
        examination.find(Finding {
            wrong: Wrong::TimeBase,
            at: stamped.true_time,
            expected: format!(
                "a stamp from {} to {} within {slack} ticks = {} stamp + {} oscillator",
                seconds(tick_at(achieved.earliest), trace),
                seconds(tick_at(achieved.latest), trace),
                bound.stamp_ticks,
                bound.oscillator_ticks
            ),
            found: format!("{} for {}", seconds(ticks, trace), words(stamped.record.kind, stamped.record.side)),
        });
        return;
    }
    // Within what the bench saw, a stamp may still be later than the rig declares.
    let late = ticks - tick_at(achieved.earliest);
    let limit = i128::from(limits.latency_ticks(rate)) + slack;
    if late > limit {
        examination.find(Finding {
            wrong: stamped.record.side.map_or(Wrong::Running, Wrong::Press),
            at: stamped.true_time,
            expected: format!("a stamp within {limit} ticks of the act"),
            found: format!("{} stamped {late} ticks after it", words(stamped.record.kind, stamped.record.side)),
        });
    }
}

/// A flag is dated at its deadline however late the clock looked; on a board, looking late shows at the display.
fn notice(trace: &Trace, index: usize, limits: &Limits, examination: &mut Examination) {
    let stamped = &trace.records[index];
    let (Kind::FLAG_FELL, Some(side), Some(limit_ns)) =
        (stamped.record.kind, stamped.record.side, limits.flag_notice_max_ns)
    else {
        return;
    };
    let limit = (u128::from(limit_ns) * u128::from(trace.plan.tick_rate.hz())).div_ceil(1_000_000_000);
    if u128::from(stamped.record.value) > limit {
        examination.find(Finding {
            wrong: Wrong::Flag(side),
            at: stamped.true_time,
            expected: format!("the fall is noticed within {limit} ticks"),
            found: format!("noticed {} ticks after it", stamped.record.value),
        });
    }
}

/// Lets the reckoning do what the device did and compares what is left.
fn follow(
    trace: &Trace,
    index: usize,
    at: TrueTime,
    reckoning: &mut Reckoning<'_>,
    bound: &Bound,
    examination: &mut Examination,
) {
    let record = &trace.records[index].record;
    let tick = trace.plan.tick_rate.tick_at(at).ticks();
    reckoning.pass(tick);
    let deed = deed_of(record);
    if record.kind == Kind::FLAG_FELL
        && matches!(record.phase, Phase::Frozen(_))
        && matches!(reckoning.doing(), Doing::Running(_))
    {
        reckoning.deed(Deed::ArbiterButton, tick);
    }
    if !matches!(deed, Some(Deed::Press(_) | Deed::ArbiterButton | Deed::Read)) {
        if let Some(deed) = deed {
            reckoning.deed(deed, tick);
        }
        return;
    }
    for side in sides() {
        let (left, has) = (reckoning.left(side, tick), record.remaining_ticks[side]);
        if left.abs_diff(has) > bound.ticks() {
            examination.find(Finding {
                wrong: Wrong::Remaining(side),
                at,
                expected: format!("{} left, within {bound}", seconds(left.into(), trace)),
                found: format!("{} at {}", seconds(has.into(), trace), words(record.kind, record.side)),
            });
        }
    }
    let honoured = trace.records.get(index + 1).is_none_or(|after| after.record.kind != Kind::IGNORED);
    if let Some(deed) = deed.filter(|_| honoured) {
        reckoning.deed(deed, tick);
    }
}
