//! Does the simulator reproduce a board? The instants that the board really saw, replayed in virtual time.

use flagfall_core::{DeviceTime, TrueTime};
use flagfall_judge::oracle::Examination;
use flagfall_trace::plan::Plan;
use flagfall_trace::{Check, Subject, Trace, Verdict, difference};

use crate::rig::{Outcome, sim};

/// The largest bound within which "the same" still means something: a millisecond.
pub const BOUND_NS_MAX: u64 = 1_000_000;

/// The plan with each step for the clock at the instant at which the board noticed it, as far as the bench saw it there;
/// one of which the board wrote nothing comes right after the step before it.
#[must_use]
pub fn noticed_plan(trace: &Trace, examination: &Examination) -> Plan {
    let mut plan = trace.plan.clone();
    let mut before = TrueTime::ZERO;
    for achieved in &trace.achieved {
        let noticed = examination.noticed(achieved.step).map(DeviceTime::from_ticks);
        before = noticed.map_or(before, |tick| trace.plan.tick_rate.true_time_of(tick).max(before));
        plan.steps[achieved.step as usize].at = before;
    }
    if let Some(last) = plan.steps.iter().map(|step| step.at).max() {
        plan.end = plan.end.max(last);
    }
    plan
}

/// Compares a board's trace with the simulator's, event by event, each within its computed bound.
#[must_use]
pub fn check(trace: &Trace, examination: &Examination) -> Check {
    let bound_ticks = |index: usize| examination.bounds.get(index).map_or(0, |bound| bound.ticks());
    let mut check = Check {
        subject: Subject::Clock,
        rulebook: None,
        verdict: Verdict::Pass,
        what: "same events as in the simulator".into(),
        expected: String::new(),
        found: String::new(),
        line: None,
    };
    let found = match sim::run(&noticed_plan(trace, examination)) {
        Outcome::Ran { trace, .. } => Ok(trace),
        Outcome::Broke(reason) | Outcome::Infra(reason) | Outcome::NotApplicable(reason) => Err(reason),
        Outcome::Interrupted => Err("interrupted".to_owned()),
    };
    let simulated = match found {
        Ok(trace) => trace,
        Err(reason) => return Check { subject: Subject::Bench, verdict: Verdict::Infra, found: reason, ..check },
    };
    let hz = u64::from(trace.plan.tick_rate.hz());
    let limit_ticks = u64::try_from(u128::from(BOUND_NS_MAX) * u128::from(hz) / 1_000_000_000).unwrap_or(u64::MAX);
    if let Some(bound) = examination.largest_bound() {
        check.expected = format!("each event within {bound} at most");
        if bound.ticks() > limit_ticks {
            check.verdict = Verdict::Inconclusive;
            check.found = format!("a bound above {limit_ticks} ticks decides nothing");
            return check;
        }
    }
    match difference::first(&simulated, trace, bound_ticks) {
        Some(difference) => {
            check.verdict = Verdict::Fail;
            check.found = difference.to_string();
        }
        None => check.found = largest(&simulated, trace),
    }
    check
}

fn largest(simulated: &Trace, board: &Trace) -> String {
    let apart =
        simulated.records.iter().zip(&board.records).map(|(one, two)| {
            (board.ticks_into_run(&two.record) - simulated.ticks_into_run(&one.record), two.record.kind)
        });
    match apart.max_by_key(|(ticks, _)| ticks.unsigned_abs()) {
        Some((ticks, kind)) => {
            format!("{} events in the same order, at most {ticks:+} ticks apart ({kind})", board.records.len())
        }
        None => "no events".into(),
    }
}
