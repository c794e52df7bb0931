//! The oracle against the simulated clock: silent about a right one, and each kind of wrong found by itself.

mod expectations;
mod forged;
mod random;
mod rig;
mod watched;

use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Bonus, DeviceTime, Period, Phase, Setup, Side, TickRate, TimeControl, TrueTime};
use flagfall_judge::oracle::{self, Limits, ResolveCause};
use flagfall_judge::{ClockExpectation, Wrong};
use flagfall_trace::plan::{Act, Anchor, Draft, Fault, GameClass, Hand, Person, Regulations, Step, StopReason, When};
use flagfall_trace::{OscillatorSpec, Trace, Verdict};

const S: i64 = 1_000_000_000;

fn after(plus_ns: i64) -> When {
    When { from: Anchor::Previous, plus_ns, plus_ticks: 0 }
}

fn draft(setup: Setup, steps: Vec<(When, Act)>) -> Draft {
    Draft {
        scenario: "test/oracle".into(),
        seed: 0,
        tick_rate: TickRate::MHZ,
        setup,
        clock_kind: flagfall_trace::ClockKind::Digital,
        regulations: Regulations {
            class: Some(GameClass::Standard),
            default_time_ms: None,
            supervised: true,
            ..Regulations::default()
        },
        position: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        board: false,
        device_setup: None,
        oscillator: OscillatorSpec::default(),
        steps: steps.into_iter().map(|(at, act)| Step { at, act }).collect(),
        end: after(0),
    }
}

fn press(side: Side) -> Act {
    Act::Press { side, hand: Hand::Same }
}

fn pause() -> Act {
    Act::pause(Person::Arbiter, StopReason::Interruption)
}

fn simulate(draft: Draft) -> Trace {
    let plan = oracle::resolve(draft).expect("the draft resolves");
    flagfall_sim::run(&plan, &flagfall_sim::Budget::default()).expect("within budget")
}

fn wrong(trace: &Trace) -> Vec<Wrong> {
    let limits = Limits::virtual_time(&trace.plan);
    oracle::examine(trace, &limits).findings.iter().map(|finding| finding.wrong).collect()
}

fn minute(bonus: Bonus) -> Setup {
    Setup::new(TimeControl::new(&[Period::all_moves(60_000, bonus)]).expect("a control"))
}

/// A short game: White and Black press after 3 s each, with a pause, then a look at the faces.
fn game(setup: Setup) -> Draft {
    draft(
        setup,
        vec![
            (after(0), Act::Start),
            (after(3 * S), press(Side::White)),
            (after(3 * S), press(Side::Black)),
            (after(S), pause()),
            (after(9 * S), Act::Resume { by: Person::Arbiter }),
            (after(2 * S), press(Side::White)),
            (after(4 * S), Act::Read),
        ],
    )
}

#[test]
fn an_oscillator_within_its_limit_is_right_and_one_beyond_it_is_not() {
    let mut draft = game(minute(Bonus::Increment { ms: 2_000 }));
    draft.oscillator = OscillatorSpec::with_offset_ppb(50_000);
    let trace = simulate(draft);
    assert_eq!(wrong(&trace), []);
    let limits = Limits { oscillator_ppt: 10_000_000, ..Limits::virtual_time(&trace.plan) };
    let found: Vec<Wrong> = oracle::examine(&trace, &limits).findings.iter().map(|f| f.wrong).collect();
    assert!(found.contains(&Wrong::TimeBase), "{found:?}");
}

/// What the oracle finds when a fault begins 1 s into Black's first turn.
fn with_fault(fault: Fault) -> Vec<Wrong> {
    let mut draft = game(minute(Bonus::None));
    draft.steps.insert(2, Step { at: after(S), act: Act::Fault(fault) });
    let trace = simulate(draft);
    let expected = ClockExpectation::Wrong(wrong(&trace));
    let examination = oracle::examine(&trace, &Limits::virtual_time(&trace.plan));
    assert_eq!(oracle::check_clock(&trace, &examination, &expected, None).verdict, Verdict::Pass);
    assert_eq!(oracle::check_clock(&trace, &examination, &ClockExpectation::Right, None).verdict, Verdict::Fail);
    wrong(&trace)
}

#[test]
fn each_fault_of_the_time_base_is_found_where_it_costs_time() {
    assert_eq!(with_fault(Fault::Stuck { for_ns: S }), [Wrong::Remaining(Side::Black), Wrong::TimeBase]);
    assert_eq!(with_fault(Fault::Jump { by_ns: S }), [Wrong::Remaining(Side::Black), Wrong::TimeBase]);
    let rate = Fault::Rate { ppb: 1_000_000, for_ns: 3_600 * S };
    assert_eq!(with_fault(rate), [Wrong::Remaining(Side::Black), Wrong::TimeBase, Wrong::Remaining(Side::White)]);
}

#[test]
fn a_lost_press_is_found_as_that_and_nothing_else() {
    assert_eq!(with_fault(Fault::LostPress { side: Side::Black }), [Wrong::Press(Side::Black)]);
}

#[test]
fn a_finding_before_the_fault_is_not_excused_by_it() {
    let mut draft = game(minute(Bonus::None));
    draft.steps.insert(5, Step { at: after(S), act: Act::Fault(Fault::LostPress { side: Side::White }) });
    let mut trace = simulate(draft);
    let expected = ClockExpectation::Wrong(vec![Wrong::Press(Side::White)]);
    let check = |trace: &Trace| {
        let examination = oracle::examine(trace, &Limits::virtual_time(&trace.plan));
        oracle::check_clock(trace, &examination, &expected, None).verdict
    };
    assert_eq!(check(&trace), Verdict::Pass);
    let fault = trace.plan.steps.iter().position(|step| matches!(step.act, Act::Fault(_))).expect("a fault");
    trace.plan.steps[fault].at = trace.plan.end;
    assert_eq!(check(&trace), Verdict::Fail);
}

/// What the oracle finds after a right trace has been forged.
fn forged(setup: Setup, forge: impl FnOnce(&mut Trace)) -> Vec<Wrong> {
    let mut trace = simulate(game(setup));
    assert_eq!(wrong(&trace), []);
    forge(&mut trace);
    wrong(&trace)
}

fn index_of(trace: &Trace, kind: Kind, nth: usize) -> usize {
    let mut found = (0..trace.records.len()).filter(|index| trace.records[*index].record.kind == kind);
    found.nth(nth).expect("the record is there")
}

#[test]
fn one_tick_too_little_is_found() {
    let found = forged(minute(Bonus::None), |trace| {
        let last = trace.records.len() - 1;
        trace.records[last].record.remaining_ticks.white -= 1;
    });
    assert!(found.contains(&Wrong::Arithmetic(Side::White)), "{found:?}");
}

#[test]
fn a_side_that_loses_time_while_the_other_runs_is_found() {
    let found = forged(minute(Bonus::None), |trace| {
        let switched = index_of(trace, Kind::SWITCHED, 0);
        for stamped in &mut trace.records[switched + 1..] {
            stamped.record.remaining_ticks.white -= 500_000;
        }
    });
    assert!(found.contains(&Wrong::Running), "{found:?}");
}

#[test]
fn a_missing_increment_and_a_missing_switch_are_found() {
    let increment = Bonus::Increment { ms: 2_000 };
    let found = forged(minute(increment), |trace| {
        let credit = index_of(trace, Kind::CREDITED, 0);
        trace.records.remove(credit);
    });
    assert_eq!(found, [Wrong::Arithmetic(Side::White)]);
    let found = forged(minute(increment), |trace| {
        let switched = index_of(trace, Kind::SWITCHED, 0);
        trace.records.remove(switched);
    });
    assert_eq!(found[0], Wrong::Running);
}

#[test]
fn a_wrong_counter_period_or_phase_is_found() {
    let at_the_end = |change: fn(&mut flagfall_core::Record)| {
        forged(minute(Bonus::None), |trace| {
            change(&mut trace.records.last_mut().expect("records").record);
        })
    };
    assert_eq!(at_the_end(|record| record.moves.white += 1), [Wrong::Counter(Side::White)]);
    assert_eq!(at_the_end(|record| record.period.black += 1), [Wrong::Counter(Side::Black)]);
    assert_eq!(at_the_end(|record| record.phase = Phase::Paused(Side::Black)), [Wrong::Running]);
    assert_eq!(at_the_end(|record| record.first_fallen = Some(Side::Black)), [Wrong::Flag(Side::Black)]);
    assert_eq!(at_the_end(|record| record.fallen.black = true), [Wrong::Flag(Side::Black)]);
}

fn flag_game(at_zero: AtZero) -> Draft {
    let setup = Setup { at_zero, ..minute(Bonus::None) };
    draft(setup, vec![(after(0), Act::Start), (after(3 * S), press(Side::White)), (after(70 * S), Act::Read)])
}

#[test]
fn a_flag_one_tick_late_one_that_never_falls_and_one_too_early_are_found() {
    for at_zero in [AtZero::Freeze, AtZero::RunOn] {
        let trace = simulate(flag_game(at_zero));
        let fall = index_of(&trace, Kind::FLAG_FELL, 0);
        let move_fall = |by: i64| {
            let mut trace = trace.clone();
            let at = trace.records[fall].record.at.ticks().checked_add_signed(by).expect("in range");
            trace.records[fall].record.at = DeviceTime::from_ticks(at);
            wrong(&trace)
        };
        assert_eq!(wrong(&trace), []);
        assert!(move_fall(1).contains(&Wrong::Flag(Side::Black)));
        assert!(move_fall(-1).contains(&Wrong::Flag(Side::Black)));
        let mut silent = trace.clone();
        silent.records.remove(fall);
        assert!(wrong(&silent).contains(&Wrong::Flag(Side::Black)), "{:?}", wrong(&silent));
    }
}

#[test]
fn a_press_that_nobody_made_is_found() {
    let found = forged(minute(Bonus::None), |trace| {
        let pressed = trace.records[index_of(trace, Kind::PRESSED, 2)];
        trace.achieved.retain(|achieved| achieved.latest != pressed.true_time);
    });
    assert_eq!(found, [Wrong::Press(Side::White)], "the acts after it still have their records");
}

#[test]
fn anchors_are_computed_on_an_exact_clock() {
    let setup = Setup {
        at_zero: AtZero::RunOn,
        ..Setup::new(
            TimeControl::new(&[
                Period::of_moves(1, 60_000, Bonus::Delay { ms: 5_000 }),
                Period::all_moves(30_000, Bonus::None),
            ])
            .expect("a control"),
        )
    };
    let from = |from, plus_ns, plus_ticks| When { from, plus_ns, plus_ticks };
    let plan = oracle::resolve(draft(
        setup,
        vec![
            (after(S), Act::Start),
            (from(Anchor::DelayEnd(Side::White), 0, 1), press(Side::White)),
            (from(Anchor::Flag(Side::Black), -3 * S, -1), press(Side::Black)),
            (from(Anchor::Period(Side::White, 1), 70 * S, 0), Act::Read),
            (from(Anchor::Flag(Side::White), 2 * S, 0), Act::Read),
        ],
    ))
    .expect("the draft resolves");
    let instants: Vec<i64> = plan.steps.iter().map(|step| step.at.ns()).collect();
    let white_pressed = 6 * S + 1_000;
    let black_pressed = white_pressed + 62 * S - 1_000;
    // White saved all but a tick of his minute and got half a minute more.
    let white_falls = black_pressed + 90 * S - 1_000;
    assert_eq!(instants, [S, white_pressed, black_pressed, white_pressed + 70 * S, white_falls + 2 * S]);
}

#[test]
fn what_cannot_be_resolved_is_named_with_its_step() {
    let minute = minute(Bonus::None);
    let flag = When { from: Anchor::Flag(Side::Black), plus_ns: 0, plus_ticks: 0 };
    let back = When { from: Anchor::Start, plus_ns: S, plus_ticks: 0 };
    let cause = |steps| oracle::resolve(draft(minute, steps)).expect_err("no plan");
    let error = cause(vec![(after(0), Act::Start), (flag, press(Side::White))]);
    assert_eq!((error.step, error.cause), (1, ResolveCause::NoFlag(Side::Black)));
    let error = cause(vec![(after(2 * S), Act::Start), (back, Act::Read)]);
    let goes_back = ResolveCause::GoesBack { at: TrueTime::from_ns(S), before: TrueTime::from_ns(2 * S) };
    assert_eq!((error.step, error.cause), (1, goes_back));
    assert_eq!(cause(vec![(after(0), pause())]).cause, ResolveCause::NothingToPause);
    assert_eq!(cause(vec![(after(0), Act::Start), (after(0), Act::Start)]).cause, ResolveCause::StartedAlready);
    let resume = Act::Resume { by: Person::Arbiter };
    assert_eq!(cause(vec![(after(0), resume)]).cause, ResolveCause::NothingToResume { frozen: false });
    assert_eq!(cause(vec![(after(-1), Act::Start)]).cause, ResolveCause::OutOfRange);
}

#[test]
fn the_gap_to_a_flag_counts_the_flag_that_a_press_just_escaped() {
    let gap = |press_at: When| {
        let steps = vec![(after(0), Act::Start), (press_at, press(Side::White)), (after(10 * S), Act::Read)];
        let plan = oracle::resolve(draft(minute(Bonus::None), steps)).expect("the draft resolves");
        oracle::smallest_gap_to_a_flag_ns(&plan)
    };
    let flag = |plus_ns, plus_ticks| When { from: Anchor::Flag(Side::White), plus_ns, plus_ticks };
    assert_eq!(gap(flag(0, -1)), Some(1_000));
    assert_eq!(gap(flag(0, 0)), Some(0));
    assert_eq!(gap(flag(3_000, 0)), Some(3_000));
    assert_eq!(gap(after(20 * S)), Some(40_000_000_000), "Black's flag is further away");
}

#[test]
fn a_flag_that_a_board_notices_late_is_found() {
    let trace = simulate(flag_game(AtZero::RunOn));
    let limits = Limits { flag_notice_max_ns: Some(20_000), ..Limits::virtual_time(&trace.plan) };
    let with = |late: u64| {
        let mut trace = trace.clone();
        let fall = index_of(&trace, Kind::FLAG_FELL, 0);
        trace.records[fall].record.value = late;
        oracle::examine(&trace, &limits).findings.iter().map(|finding| finding.wrong).collect::<Vec<_>>()
    };
    assert_eq!(with(20), []);
    assert_eq!(with(21), [Wrong::Flag(Side::Black)]);
}

#[test]
fn a_time_set_in_a_pause_inside_a_delay_is_right() {
    let setup = minute(Bonus::Delay { ms: 5_000 });
    let trace = simulate(draft(
        setup,
        vec![
            (after(0), Act::Start),
            (after(3 * S), pause()),
            (after(10 * S), Act::SetTime { side: Side::White, left_ms: 600_000 }),
            (after(S), Act::Resume { by: Person::Arbiter }),
            (after(4 * S), press(Side::White)),
        ],
    ));
    assert_eq!(wrong(&trace), []);
    assert_eq!(trace.records.last().expect("records").record.remaining_ticks.white, 598_000_000);
}
