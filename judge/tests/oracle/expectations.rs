//! What a scenario may expect of the faces, and where a clock is wrong from the beginning.

use flagfall_core::display::Digits;
use flagfall_core::{AtZero, Bonus, BySide, DisplayFormat, Face, Period, SameTick, Setup, Side, TimeControl};
use flagfall_judge::oracle::{self, Limits, ResolveCause};
use flagfall_judge::{ClockExpectation, Expectation, Expected, Wrong};
use flagfall_trace::plan::{Act, Anchor, When};
use flagfall_trace::{Trace, Verdict};

use super::{S, after, draft, minute, press, simulate, wrong};

fn control(period: Period) -> TimeControl {
    TimeControl::new(&[period]).expect("a control")
}

/// White plays byo-yomi, Black has a delay; tenths are shown below 20 s.
fn odds() -> Setup {
    let white = control(Period::all_moves(10_000, Bonus::ByoYomi { periods: 3, ms: 5_000 }));
    let black = control(Period::all_moves(60_000, Bonus::Delay { ms: 4_000 }));
    Setup {
        control: BySide::new(white, black),
        display: DisplayFormat { tenths_below_s: 20, ..DisplayFormat::default() },
        ..Setup::new(white)
    }
}

fn from(from: Anchor, plus_ns: i64) -> When {
    When { from, plus_ns, plus_ticks: 0 }
}

/// White enters his first byo-yomi period, is looked at, presses; Black is looked at within his delay.
fn game() -> Trace {
    simulate(draft(
        odds(),
        vec![
            (after(0), Act::Start),
            (from(Anchor::Zero(Side::White), 1_250_000_000), Act::Read),
            (from(Anchor::Flag(Side::White), -1), press(Side::White)),
            (after(0), Act::Battery { low: true }),
            (from(Anchor::DelayEnd(Side::Black), -S), Act::Read),
        ],
    ))
}

#[test]
fn a_zero_and_a_flag_are_different_instants_with_byo_yomi() {
    let trace = game();
    let at: Vec<i64> = trace.plan.steps.iter().map(|step| step.at.ns()).collect();
    assert_eq!(at, [0, 11_250_000_000, 25 * S - 1, 25 * S - 1, 28 * S - 1_000]);
    let zero = from(Anchor::Zero(Side::Black), 0);
    let error = oracle::resolve(draft(odds(), vec![(after(0), Act::Start), (zero, Act::Read)])).expect_err("no plan");
    assert_eq!((error.step, error.cause), (1, ResolveCause::NoZero(Side::Black)));
}

#[test]
fn faces_delay_battery_and_overtime_are_expected_and_compared() {
    let trace = game();
    assert_eq!(wrong(&trace), []);
    let examination = oracle::examine(&trace, &Limits::virtual_time(&trace.plan));
    let verdict = |step, expected| {
        oracle::check_expectations(&trace, &examination, &[Expectation { step, expected, line: 1 }])[0].verdict
    };
    let (first, second) = (1, 4);
    for (step, right, not) in [
        (first, Expected::Overtime(Side::White, 3), Expected::Overtime(Side::White, 2)),
        (first, Expected::Overtime(Side::Black, 0), Expected::Overtime(Side::Black, 1)),
        (
            first,
            Expected::Face(Side::White, Face::new(38, Digits::Tenths)),
            Expected::Face(Side::White, Face::new(30, Digits::Seconds)),
        ),
        (first, Expected::ShownDelay(0), Expected::ShownDelay(4)),
        (first, Expected::Battery(false), Expected::Battery(true)),
        (second, Expected::Overtime(Side::White, 1), Expected::Overtime(Side::White, 3)),
        (second, Expected::ShownDelay(1), Expected::ShownDelay(2)),
        (second, Expected::Battery(true), Expected::Battery(false)),
        (second, Expected::Left(Side::White, 5_000_000_000), Expected::Left(Side::White, 4_999_999_000)),
    ] {
        assert_eq!(verdict(step, right), Verdict::Pass, "{right:?}");
        assert_eq!(verdict(step, not), Verdict::Fail, "{not:?}");
    }
}

#[test]
fn a_wrong_setting_is_a_fault_from_the_beginning() {
    let steps = vec![(after(0), Act::Start), (after(3 * S), press(Side::White)), (after(S), Act::Read)];
    let mut draft = draft(minute(Bonus::None), steps);
    draft.device_setup = Some(minute(Bonus::Increment { ms: 2_000 }));
    let trace = simulate(draft);
    let examination = oracle::examine(&trace, &Limits::virtual_time(&trace.plan));
    let found = wrong(&trace);
    assert!(found.contains(&Wrong::Arithmetic(Side::White)) && found.contains(&Wrong::Remaining(Side::White)));
    let check = |expected| oracle::check_clock(&trace, &examination, &expected, None).verdict;
    assert_eq!(check(ClockExpectation::Wrong(found.clone())), Verdict::Pass);
    assert_eq!(check(ClockExpectation::Wrong(found[1..].to_vec())), Verdict::Fail);
    assert_eq!(check(ClockExpectation::Right), Verdict::Fail);
}

#[test]
fn a_press_that_comes_first_escapes_the_flag_of_its_own_tick_and_no_other() {
    let setup = Setup { same_tick: SameTick::PressFirst, at_zero: AtZero::RunOn, ..minute(Bonus::None) };
    let flag_after_a_press = |late_ns| {
        let steps = vec![
            (after(0), Act::Start),
            (from(Anchor::Flag(Side::White), late_ns), press(Side::White)),
            (from(Anchor::Flag(Side::White), 5 * S), Act::Read),
        ];
        oracle::resolve(draft(setup, steps)).map(|plan| plan.steps[2].at.ns()).map_err(|error| error.cause)
    };
    assert_eq!(flag_after_a_press(0), Err(ResolveCause::NoFlag(Side::White)));
    assert_eq!(flag_after_a_press(1_000), Ok(65 * S));
}
