//! Do firmware and simulator agree? What a board did, done again in virtual time at the instants that the board gave it.
//!
//! Both then have the same input at the same ticks, so that nothing may differ: not the order of events, not their
//! ticks, not a field of a record. Whether the device's ticks are true is another question, which the oracle answers
//! with what the bench saw. One field is left out: how late a flag was noticed, which in virtual time is never late, and
//! to which the oracle holds the limit of the board file.

use std::iter::Peekable;

use flagfall_core::record::Kind;
use flagfall_core::{DeviceTime, Record, TrueTime};
use flagfall_judge::oracle::TimeBase;
use flagfall_trace::difference::{self, Difference, Tolerance};
use flagfall_trace::plan::{Act, Fault, Plan};
use flagfall_trace::{Achieved, Check, Subject, Trace, Verdict};

use crate::rig::{Outcome, sim};
use crate::terminal::count;

/// The plan with each act at the tick of the record that the device wrote of it; an act of which it wrote nothing stays
/// between its neighbours.
#[must_use]
pub fn stamped_plan(trace: &Trace) -> Plan {
    let mut plan = trace.plan.clone();
    let rate = plan.tick_rate;
    let mut records = trace.records.iter().map(|stamped| &stamped.record).peekable();
    let mut last = TrueTime::ZERO;
    let base = TimeBase::achieved(trace);
    let on_device = |at: TrueTime| rate.true_time_of(DeviceTime::from_ticks(base.tick_at(at)));
    for achieved in &trace.achieved {
        let step = &mut plan.steps[achieved.step as usize];
        let stamp = match reset(trace, achieved.step, &step.act) {
            Some((ticks, fault)) => {
                step.act = Act::Fault(fault);
                Some(ticks)
            }
            None => record_of(&step.act, achieved, trace, &base, &mut records),
        };
        let done = if base.is_sound() { achieved.earliest } else { on_device(achieved.earliest) };
        let at = stamp.map_or(done, |ticks| rate.true_time_of(DeviceTime::from_ticks(ticks)));
        step.at = at.max(last);
        last = step.at;
        if let Act::Fault(Fault::Rate { .. } | Fault::Jump { .. } | Fault::Stuck { .. } | Fault::DisplayFrozen { .. }) =
            step.act
        {
            // Time is the device's own here, in which nothing of this is to be seen; nor is the panel in its records.
            step.act = Act::Fault(Fault::Jump { by_ns: 0 });
        }
    }
    plan.end = if base.is_sound() { plan.end.max(last) } else { last };
    plan
}

/// A reset as it was for the device: from where it was kept last to where it came back.
fn reset(trace: &Trace, step: u32, act: &Act) -> Option<(u64, Fault)> {
    let Act::Fault(Fault::Reset { retained, .. }) = act else { return None };
    let reset = trace.resets.iter().find(|reset| reset.step == step)?;
    let came_back = |record: &&Record| record.kind == Kind::BOOT && record.at.ticks() > reset.kept_ticks;
    let boot = trace.records.iter().map(|stamped| &stamped.record).find(came_back)?;
    let kept = u64::try_from(trace.kept_into_run(reset)).ok()?;
    let true_time = |ticks: u64| trace.plan.tick_rate.true_time_of(DeviceTime::from_ticks(ticks)).ns();
    let off_ns = true_time(u64::try_from(trace.ticks_into_run(boot)).ok()?) - true_time(kept);
    Some((kept, Fault::Reset { off_ns, retained: *retained }))
}

/// The tick of the record that speaks of an act, counted from the beginning of the run.
fn record_of<'t>(
    act: &Act,
    achieved: &Achieved,
    trace: &Trace,
    base: &TimeBase,
    records: &mut Peekable<impl Iterator<Item = &'t Record>>,
) -> Option<u64> {
    let (kind, side) = match act {
        // What a contact does is a press or nothing at all.
        Act::Contact { side, closes: true } => (Kind::PRESSED, Some(*side)),
        act => act.leaves()?,
    };
    // As far as the two readings of a counter can be off, once more for each time that the time base was written to.
    let off = 2 * (1 + base.changes_until(achieved.latest));
    let over = i128::from(base.tick_at(achieved.latest)) + i128::from(off);
    while let Some(record) = records.next_if(|record| trace.ticks_into_run(record) <= over) {
        if (record.kind, record.side) == (kind, side) {
            return u64::try_from(trace.ticks_into_run(record)).ok();
        }
    }
    None
}

/// Compares a board's trace with the simulator's, record by record and field by field.
#[must_use]
pub fn check(trace: &Trace) -> Check {
    let mut check = Check {
        subject: Subject::Clock,
        rulebook: None,
        verdict: Verdict::Pass,
        what: "same events as in the simulator".into(),
        expected: "for the same input in the same ticks".into(),
        found: String::new(),
        line: None,
    };
    let simulated = match simulated(trace) {
        Ok(trace) => trace,
        Err(reason) => return Check { subject: Subject::Bench, verdict: Verdict::Infra, found: reason, ..check },
    };
    match parting(&simulated, trace) {
        Some(difference) => {
            check.verdict = Verdict::Fail;
            check.found = difference.to_string();
        }
        None => check.found = alike(trace.records.len()),
    }
    let untold = if is_of_virtual_time(trace) { 0 } else { without_notices(trace).1 };
    if check.verdict == Verdict::Pass && untold > 0 {
        check.verdict = Verdict::Fail;
        check.found = format!("nothing of {} back that its time base made", count(untold, "jump"));
    }
    check
}

/// What the simulator makes of the input that a trace says was achieved.
///
/// A board's is what its device stamped. A trace of virtual time has the input of its plan, and its device may be one that
/// no board has.
///
/// # Errors
/// A reason in words if the simulator cannot carry that out.
pub fn simulated(trace: &Trace) -> Result<Trace, String> {
    let plan = if is_of_virtual_time(trace) { trace.plan.clone() } else { stamped_plan(trace) };
    match sim::run(&plan) {
        Outcome::Ran { trace, .. } => Ok(*trace),
        Outcome::Broke(reason) | Outcome::Infra(reason) | Outcome::NotApplicable(reason) => Err(reason),
        Outcome::Interrupted => Err("interrupted".to_owned()),
    }
}

/// Whether each instant of a trace is known to the nanosecond, as on no bench.
#[must_use]
pub fn is_of_virtual_time(trace: &Trace) -> bool {
    trace.achieved.iter().all(|achieved| achieved.earliest == achieved.latest)
        && trace.records.iter().all(|stamped| stamped.uncertainty_ns == 0)
}

/// The first event in which a trace is another than the simulator's.
#[must_use]
pub fn parting(simulated: &Trace, trace: &Trace) -> Option<Difference> {
    let tolerance = Tolerance { ticks: 0, any_notice: true };
    if is_of_virtual_time(trace) || jumps_back(trace).next().is_none() {
        return difference::first(simulated, trace, &tolerance);
    }
    difference::first(simulated, &without_notices(trace).0, &tolerance)
}

/// By how many ticks the time base was set back, each time.
fn jumps_back(trace: &Trace) -> impl Iterator<Item = u64> {
    let rate = trace.plan.tick_rate;
    trace.achieved.iter().filter_map(move |achieved| match trace.plan.steps[achieved.step as usize].act {
        Act::Fault(Fault::Jump { by_ns: by_ns @ ..0 }) => Some(rate.tick_at(TrueTime::from_ns(-by_ns)).ticks()),
        _ => None,
    })
}

/// A board's trace without what it says of each jump back, of which there is none in the device's own time; and of how many
/// it says nothing.
///
/// A device says once by how much it was, less what passed between its two looks: under a millisecond. Whatever else it
/// says of time that went back stays.
fn without_notices(trace: &Trace) -> (Trace, usize) {
    let between_looks = trace.plan.tick_rate.ticks_from_ms(1);
    let mut jumps = jumps_back(trace).peekable();
    let mut rest = trace.clone();
    rest.records.retain(|stamped| {
        let Record { kind, value, .. } = stamped.record;
        let is_notice = |jump: &u64| kind == Kind::WENT_BACK && value <= *jump && *jump - value < between_looks;
        jumps.next_if(is_notice).is_none()
    });
    (rest, jumps.count())
}

/// What is said of so many events without a difference.
#[must_use]
pub fn alike(events: usize) -> String {
    format!("{} in the same order, equal in every field", count(events, "event"))
}

#[cfg(test)]
mod tests {
    use flagfall_core::{Face, Phase, Side};
    use flagfall_scenarios::read_str;

    use super::*;
    use crate::case::Case;

    /// What a right board would have done, with the run beginning at tick 7 of its time.
    fn trace() -> Trace {
        let text = "scenario: a test\npoints: [B5]\ncontrol: 5s+3s\ntimeline:\n  - {at: 0s, start: white}\n  - {at: +2s, press: white}\n  - {at: flag(black) + 1s, read: {running: black}}\nexpect:\n  - running: black\n";
        let scenario = read_str("test", "test", text).expect("a scenario");
        let plan = Case::prepare(scenario).expect("a case").plan;
        let Outcome::Ran { trace, .. } = sim::run(&plan) else { panic!("it runs") };
        *trace
    }

    fn found_after(change: impl Fn(&mut Record)) -> String {
        let mut trace = trace();
        let index = trace.records.iter().position(|stamped| stamped.record.kind == Kind::CREDITED).expect("a bonus");
        change(&mut trace.records[index].record);
        let check = check(&trace);
        assert_eq!(check.verdict, Verdict::Fail, "{}", check.found);
        check.found
    }

    #[test]
    fn a_trace_agrees_with_itself() {
        let check = check(&trace());
        assert_eq!(check.verdict, Verdict::Pass, "{}", check.found);
    }

    #[test]
    fn each_field_of_a_record_is_compared() {
        type Change = fn(&mut Record);
        let changes: [(&str, Change); 12] = [
            ("value", |record| record.value += 1),
            ("phase", |record| record.phase = Phase::Ready),
            ("time left", |record| record.remaining_ticks.black += 1),
            ("delay left", |record| record.delay_ticks += 1),
            ("digits", |record| record.shown.white = Face::from_seconds(1)),
            ("delay digits", |record| record.shown_delay_seconds += 1),
            ("moves", |record| record.moves.white += 1),
            ("overtime", |record| record.overtime.black += 1),
            ("period", |record| record.period.white += 1),
            ("flag down", |record| record.fallen.black = true),
            ("first fallen", |record| record.first_fallen = Some(Side::Black)),
            ("battery low", |record| record.battery_low = true),
        ];
        for (name, change) in changes {
            let found = found_after(change);
            assert!(found.contains(&format!(": {name} ")), "{name}: {found}");
        }
    }

    #[test]
    fn how_late_a_flag_was_noticed_is_left_to_the_oracle() {
        let mut late = trace();
        let fell = late.records.iter_mut().find(|stamped| stamped.record.kind == Kind::FLAG_FELL).expect("a flag");
        fell.record.value += 8;
        assert_eq!(check(&late).verdict, Verdict::Pass);
    }

    #[test]
    fn how_long_a_press_was_handled_is_no_matter_of_the_clock() {
        let mut slow = trace();
        let handled = slow.records.iter_mut().filter(|stamped| stamped.record.kind.tells_handling());
        assert_eq!(handled.map(|stamped| stamped.record.value += 80).count(), 2, "a press and a switch");
        assert_eq!(check(&slow).verdict, Verdict::Pass);
    }

    /// What a board did with these acts: each noticed 100 us after it was asked for, seen within 500 us around that, on
    /// a device whose time began a second before the run.
    fn board(timeline: &str) -> Trace {
        let text = format!(
            "scenario: a test\npoints: [B5]\ncontrol: 5m\ntimeline:\n{timeline}\nexpect:\n  - running: black\n"
        );
        let scenario = read_str("test", "test", &text).unwrap_or_else(|error| panic!("{error}"));
        let mut plan = Case::prepare(scenario).expect("a case").plan;
        let asked: Vec<TrueTime> = plan.steps.iter().map(|step| step.at).collect();
        for step in &mut plan.steps {
            step.at = later(step.at, 100_000);
        }
        let end = plan.end;
        plan.end = later(end, 100_000);
        let Outcome::Ran { trace: mut board, .. } = sim::run(&plan) else { panic!("it runs") };
        board.device_zero_ticks = 1_000_000;
        for stamped in &mut board.records {
            stamped.record.at = stamped.record.at.after(1_000_000);
        }
        for achieved in &mut board.achieved {
            let asked = asked[achieved.step as usize];
            (achieved.earliest, achieved.latest) = (asked, later(asked, 500_000));
        }
        for (step, at) in board.plan.steps.iter_mut().zip(asked) {
            step.at = at;
        }
        board.plan.end = end;
        *board
    }

    fn later(at: TrueTime, ns: i64) -> TrueTime {
        at.checked_add_ns(ns).expect("a short run")
    }

    /// The instants of the stamped plan in microseconds, and that of its end.
    fn stamped_us(board: &Trace) -> (Vec<i64>, i64) {
        let plan = stamped_plan(board);
        (plan.steps.iter().map(|step| step.at.ns() / 1_000).collect(), plan.end.ns() / 1_000)
    }

    #[test]
    fn each_act_is_put_where_the_device_stamped_it() {
        let board = board("  - {at: 0s, start: white}\n  - {at: 2s, press: black}\n  - {at: 2s, press: white}");
        assert_eq!(stamped_us(&board), (vec![100, 2_000_100, 2_000_100, 2_000_100], 2_000_100));
        assert_eq!(check(&board).verdict, Verdict::Pass);
    }

    #[test]
    fn an_act_without_a_record_stays_where_it_was_done_and_after_what_came_before() {
        let wave = "[0us, 3ms off, 6ms on, 9ms off]";
        let mut board =
            board(&format!("  - {{at: 0s, start: white}}\n  - {{at: 2s, press: {{side: white, wave: {wave}}}}}"));
        let expected = vec![100, 2_000_100, 2_003_000, 2_006_000, 2_009_000, 2_009_100];
        assert_eq!(stamped_us(&board), (expected, 2_009_100));
        // A bench that saw the opening before the device had stamped the closing.
        board.achieved[2].earliest = later(TrueTime::ZERO, 2_000_000_000);
        assert_eq!(stamped_us(&board).0[2], 2_000_100);
    }

    #[test]
    fn a_record_belongs_to_an_act_if_it_was_there_when_the_bench_looked() {
        let mut board = board("  - {at: 0s, start: white}\n  - {at: 2s, press: white}");
        let press = board.achieved[1];
        // Two counters that are read are each off by one at most.
        for (late_us, at_us) in [(2, 2_000_100), (3, 1_999_000)] {
            board.achieved[1].earliest = later(TrueTime::ZERO, 1_999_000_000);
            board.achieved[1].latest = later(TrueTime::ZERO, (2_000_100 - late_us) * 1_000);
            assert_eq!(stamped_us(&board).0[1], at_us, "{late_us} us");
        }
        board.achieved[1] = press;
        board.records.retain(|stamped| stamped.record.kind != Kind::PRESSED);
        assert_eq!(stamped_us(&board).0[1], 2_000_000, "a press that left no record");
    }

    #[test]
    fn an_event_too_few_is_found() {
        let mut short = trace();
        let index = short.records.iter().position(|stamped| stamped.record.kind == Kind::SWITCHED).expect("a switch");
        short.records.remove(index);
        assert_eq!(check(&short).verdict, Verdict::Fail);
    }
}
