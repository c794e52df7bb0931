//! Rigs that see an act late: the bound does not grow with the acts, and what it leaves out is judged act by act.

use flagfall_core::{Bonus, DeviceTime, Period, Setup, Side, TimeControl, TrueTime};
use flagfall_judge::oracle::{self, Limits};
use flagfall_judge::{Expectation, Expected, Wrong};
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{Act, Draft, Plan};
use flagfall_trace::{Achieved, Trace, Verdict};

use super::{S, after, draft, press, random};

/// Where the device's counter stands when the run begins.
const ZERO_TICKS: u64 = 4_711;

/// How long the bench does not look after each act.
const BLIND_NS: i64 = 100_000;

fn limits() -> Limits {
    Limits {
        oscillator_ppt: 0,
        stamp_ticks: 2,
        stamp_latency_max_ns: 6_000,
        flag_notice_max_ns: Some(20_000),
        watched: None,
    }
}

/// What a bench sees of a clock that notices the `nth` act `late_ticks(nth)` ticks after it, on its own time base.
fn seen(plan: &Plan, late_ticks: impl Fn(usize) -> i64) -> Trace {
    let mut device = plan.clone();
    let mut before = TrueTime::ZERO;
    for (nth, step) in device.steps.iter_mut().enumerate() {
        step.at = TrueTime::from_ns(step.at.ns() + late_ticks(nth) * 1_000).max(before);
        before = step.at;
    }
    device.end = before.max(device.end);
    let run = flagfall_sim::run(&device, &flagfall_sim::Budget::default()).expect("within budget");
    let achieved = run.achieved.iter().map(|achieved| {
        let earliest = plan.steps[achieved.step as usize].at;
        Achieved { step: achieved.step, earliest, latest: TrueTime::from_ns(earliest.ns() + BLIND_NS) }
    });
    let records = run.records.iter().map(|stamped| {
        let mut stamped = *stamped;
        stamped.record.at = DeviceTime::from_ticks(stamped.record.at.ticks() + ZERO_TICKS);
        stamped.uncertainty_ns = 2_000;
        stamped
    });
    Trace::new(plan.clone(), ZERO_TICKS, achieved.collect(), records.collect())
}

fn found(trace: &Trace) -> Vec<Wrong> {
    oracle::examine(trace, &limits()).findings.iter().map(|finding| finding.wrong).collect()
}

/// 300 moves in more than six hours, with a look at the faces after it.
fn long_game() -> Plan {
    let increment = Bonus::Increment { ms: 30_000 };
    let periods = [Period::of_moves(40, 7_200_000, increment), Period::all_moves(1_800_000, increment)];
    let setup = Setup::new(TimeControl::new(&periods).expect("a control"));
    let mut steps = vec![(after(0), Act::Start)];
    for nth in 0..300 {
        steps.push((after(39 * S + nth), press(Side::White)));
        steps.push((after(38 * S + 7 * nth), press(Side::Black)));
    }
    steps.push((after(S), Act::Read));
    plan(draft(setup, steps))
}

fn plan(draft: Draft) -> Plan {
    oracle::resolve(draft).expect("the draft resolves")
}

#[test]
fn the_bound_does_not_grow_with_the_presses() {
    let plan = long_game();
    // The worst that may be: all of White's presses are noticed as late as the board declares, Black's at once.
    let trace = seen(&plan, |nth| if nth % 2 == 1 { 6 } else { 0 });
    let examination = oracle::examine(&trace, &limits());
    assert_eq!(examination.findings, []);
    let bound = examination.largest_bound().expect("records");
    assert_eq!(bound.to_string(), "2 ticks = 2 stamp + 0 oscillator");
    assert_eq!(examination.noticed.iter().map(|noticed| noticed.late_ticks).max(), Some(6));
    // White lost 6 microseconds 301 times by it, and it is known how much.
    let read = plan.steps.len() as u32 - 1;
    let exact = seen(&plan, |_| 0).records.last().expect("records").record.remaining_ticks.white;
    let left = trace.records.last().expect("records").record.remaining_ticks.white;
    assert_eq!(exact - left, 1_806);
    let expected = |ticks| Expectation { step: read, expected: Expected::Left(Side::White, ticks * 1_000), line: 1 };
    let checks = |ticks| oracle::check_expectations(&trace, &examination, &[expected(ticks)])[0].clone();
    assert_eq!(checks(exact).verdict, Verdict::Pass);
    assert!(checks(exact).expected.contains("-1806 ticks for acts beside their instants"), "{:?}", checks(exact));
    assert_eq!(checks(exact + 3).verdict, Verdict::Fail);
}

#[test]
fn a_press_noticed_later_than_the_board_declares_is_found() {
    let plan = long_game();
    let late = |by: i64| found(&seen(&plan, |nth| if nth == 301 { by } else { 0 }));
    assert_eq!(late(8), [], "six microseconds and a stamp");
    assert_eq!(late(9), [Wrong::Press(Side::White)]);
}

#[test]
fn a_time_base_that_loses_a_tick_with_each_press_is_found() {
    let plan = long_game();
    let found = found(&seen(&plan, |nth| -(nth as i64)));
    assert!(found.contains(&Wrong::TimeBase) && found.contains(&Wrong::Remaining(Side::White)), "{found:?}");
}

#[test]
fn a_clock_as_quick_as_its_board_declares_is_right_whatever_is_done_to_it() {
    for seed in 0..3_000 {
        let plan = random::plan_without_contacts(seed, "oracle-test-latency");
        let draw = &mut Stream::named(seed, "oracle-test-late");
        let late: Vec<i64> = plan.steps.iter().map(|_| draw.within(0, 6) as i64).collect();
        let trace = seen(&plan, |nth| late[nth]);
        let examination = oracle::examine(&trace, &limits());
        assert_eq!(examination.findings, [], "seed {seed}: {}", random::story(&trace));
        assert!(examination.bounds.iter().all(|bound| bound.ticks() == 2));
    }
}

#[test]
fn an_undoing_in_the_tick_of_its_correction_is_followed_though_the_hall_saw_two_instants() {
    let control = TimeControl::new(&[Period::all_moves(60_000, Bonus::None)]).expect("a control");
    let correct = Act::SetTime { side: Side::White, left_ms: 5_000 };
    let steps = vec![
        (after(0), Act::Start),
        (after(S), correct),
        (after(3_000), Act::Undo),
        (after(S), press(Side::White)),
        (after(S), Act::Read),
    ];
    let plan = plan(draft(Setup::new(control), steps));
    let trace = seen(&plan, |nth| if nth == 2 { -3 } else { 0 });
    assert_eq!(trace.records.last().expect("records").record.remaining_ticks.white, 57_999_997);
    // The stamp of the undoing is a tick too early; that what it took back came back is no second wrong.
    assert_eq!(found(&trace), [Wrong::TimeBase]);
}
