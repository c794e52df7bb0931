//! The clock at its edges, each named after what a player or an arbiter would notice.

use flagfall_core::{
    AtZero, Bonus, BySide, Clock, Credit, DeviceTime, Effect, IgnoredBecause, Input, Opening, Period, Phase, Record,
    Setup, Side, TickRate, TimeControl,
};

const S: u64 = 1_000_000;

fn clock(periods: &[Period], change: impl FnOnce(&mut Setup)) -> Clock {
    let mut setup = Setup::new(TimeControl::new(periods).expect("a control"));
    change(&mut setup);
    Clock::new(&setup, TickRate::MHZ)
}

fn step(clock: &mut Clock, ticks: u64, input: Input) -> Vec<Effect> {
    clock.step(DeviceTime::from_ticks(ticks), input).iter().map(|happening| happening.effect).collect()
}

fn started(periods: &[Period], change: impl FnOnce(&mut Setup)) -> Clock {
    let mut clock = clock(periods, change);
    assert_eq!(step(&mut clock, 0, Input::ArbiterButton), [Effect::ArbiterPressed, Effect::Started(Side::White)]);
    clock
}

const MINUTE: Period = Period::all_moves(60_000, Bonus::None);

#[test]
fn exactly_zero_is_fallen_and_the_press_in_that_tick_comes_after_it() {
    let mut clock = started(&[MINUTE], |_| ());
    let effects = step(&mut clock, 60 * S, Input::Press(Side::White));
    assert_eq!(
        effects,
        [
            Effect::FlagFell(Side::White, 0),
            Effect::Pressed(Side::White),
            Effect::Ignored(Some(Side::White), IgnoredBecause::Frozen),
        ]
    );
}

#[test]
fn one_tick_before_zero_is_in_time() {
    let mut clock = started(&[MINUTE], |_| ());
    step(&mut clock, 60 * S - 1, Input::Press(Side::White));
    assert_eq!(clock.state().remaining_ticks.white, 1);
    assert_eq!(clock.state().phase, Phase::Running(Side::Black));
}

#[test]
fn a_flag_noticed_late_is_dated_at_its_deadline() {
    let mut clock = started(&[MINUTE], |_| ());
    let effects = clock.step(DeviceTime::from_ticks(75 * S), Input::Wake);
    let fall = effects.iter().next().expect("a fall");
    assert_eq!((fall.at.ticks(), fall.effect), (60 * S, Effect::FlagFell(Side::White, 15 * S)));
}

#[test]
fn the_increment_stands_before_the_first_move_or_comes_after_it() {
    let period = [Period::all_moves(180_000, Bonus::Increment { ms: 2_000 })];
    let before = clock(&period, |_| ());
    let after = clock(&period, |setup| setup.credit = Credit::AfterMove);
    assert_eq!(before.state().remaining_ticks, BySide::both(182 * S));
    assert_eq!(after.state().remaining_ticks, BySide::both(180 * S));
}

#[test]
fn the_increment_before_the_move_is_that_of_the_period_the_next_move_is_in() {
    let periods = [Period::of_moves(1, 60_000, Bonus::None), Period::all_moves(30_000, Bonus::Increment { ms: 5_000 })];
    let mut before = started(&periods, |_| ());
    let effects = step(&mut before, 10 * S, Input::Press(Side::White));
    assert_eq!(effects[1..3], [Effect::PeriodEntered(Side::White, 1), Effect::Credited(Side::White, 5 * S)]);
    assert_eq!(before.state().remaining_ticks.white, 85 * S);
    let mut after = started(&periods, |setup| setup.credit = Credit::AfterMove);
    step(&mut after, 10 * S, Input::Press(Side::White));
    assert_eq!(after.state().remaining_ticks.white, 80 * S, "the move was played in a period without increment");
}

#[test]
fn saved_time_is_carried_over_or_not() {
    let periods = [Period::of_moves(1, 60_000, Bonus::None), MINUTE];
    for (carry_over, left) in [(true, 110 * S), (false, 60 * S)] {
        let mut clock = started(&periods, |setup| setup.carry_over = carry_over);
        step(&mut clock, 10 * S, Input::Press(Side::White));
        assert_eq!(clock.state().remaining_ticks.white, left);
    }
}

#[test]
fn a_delay_runs_off_first_and_is_not_saved() {
    let mut clock = started(&[Period::all_moves(60_000, Bonus::Delay { ms: 5_000 })], |_| ());
    step(&mut clock, 4 * S, Input::Press(Side::White));
    assert_eq!(clock.state().remaining_ticks.white, 60 * S, "pressed within the delay");
    step(&mut clock, 4 * S + 5 * S + 1, Input::Press(Side::Black));
    assert_eq!(clock.state().remaining_ticks.black, 60 * S - 1, "one tick past the delay");
    assert_eq!(clock.next_deadline(), Some(DeviceTime::from_ticks(9 * S + 1 + 65 * S)));
}

#[test]
fn the_delay_left_over_a_pause_is_what_was_left() {
    let mut clock = started(&[Period::all_moves(60_000, Bonus::Delay { ms: 5_000 })], |_| ());
    step(&mut clock, 4 * S, Input::ArbiterButton);
    assert_eq!(clock.state().phase, Phase::Paused(Side::White));
    assert_eq!(clock.next_deadline(), None);
    step(&mut clock, 100 * S, Input::ArbiterButton);
    step(&mut clock, 102 * S, Input::Press(Side::White));
    assert_eq!(clock.state().remaining_ticks.white, 59 * S, "4 s of 5 s were gone, 2 s more were used");
}

#[test]
fn presses_that_change_nothing_say_why() {
    let mut clock = clock(&[MINUTE], |_| ());
    let ignored = |effects: Vec<Effect>| match effects[1] {
        Effect::Ignored(_, because) => because,
        ref other => panic!("{other:?}"),
    };
    assert_eq!(ignored(step(&mut clock, 1, Input::Press(Side::White))), IgnoredBecause::NotStarted);
    step(&mut clock, 2, Input::ArbiterButton);
    assert_eq!(ignored(step(&mut clock, 3, Input::Press(Side::Black))), IgnoredBecause::NotOnMove);
    step(&mut clock, 4, Input::ArbiterButton);
    assert_eq!(ignored(step(&mut clock, 5, Input::Press(Side::White))), IgnoredBecause::Paused);
    assert_eq!(clock.state().moves, BySide::both(0));
}

#[test]
fn running_on_lets_both_flags_fall_and_keeps_the_first() {
    let mut clock = started(&[MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    step(&mut clock, 61 * S, Input::Press(Side::White));
    assert_eq!(clock.state().phase, Phase::Running(Side::Black));
    step(&mut clock, 200 * S, Input::Wake);
    assert_eq!(clock.state().fallen, BySide::both(true));
    assert_eq!(clock.state().first_fallen, Some(Side::White));
}

#[test]
fn a_clock_without_the_sign_does_not_show_who_fell_first() {
    let mut clock = started(&[MINUTE], |setup| setup.first_fallen_sign = false);
    step(&mut clock, 60 * S, Input::Wake);
    assert!(clock.state().fallen.white);
    let read = clock.step(DeviceTime::from_ticks(61 * S), Input::Read);
    let happening = read.iter().next().expect("the faces");
    assert_eq!(Record::new(0, happening, clock.setup(), clock.rate()).first_fallen, None);
}

#[test]
fn a_fallen_side_is_credited_nothing_by_its_presses() {
    let periods = [Period::of_moves(1, 60_000, Bonus::Increment { ms: 2_000 }), MINUTE];
    let mut clock = started(&periods, |setup| setup.at_zero = AtZero::RunOn);
    let effects = step(&mut clock, 70 * S, Input::Press(Side::White));
    assert_eq!(effects[1..], [Effect::Pressed(Side::White), Effect::Switched(Side::Black)]);
    assert_eq!((clock.state().remaining_ticks.white, clock.state().moves.white, clock.state().period.white), (0, 1, 0));
}

#[test]
fn a_correction_lifts_the_flag_and_a_frozen_clock_waits_for_the_restart() {
    let mut clock = started(&[MINUTE], |_| ());
    step(&mut clock, 60 * S, Input::Wake);
    let effects = step(&mut clock, 90 * S, Input::SetTime { side: Side::White, left_ms: 120_000 });
    assert_eq!(effects, [Effect::TimeSet(Side::White, 120 * S)]);
    assert_eq!(clock.state().phase, Phase::Paused(Side::White));
    assert_eq!(clock.state().first_fallen, None);
    step(&mut clock, 95 * S, Input::ArbiterButton);
    assert_eq!(clock.next_deadline(), Some(DeviceTime::from_ticks(215 * S)));
}

#[test]
fn the_first_fallen_sign_outlives_the_correction_of_the_other_side() {
    let mut clock = started(&[MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    step(&mut clock, 61 * S, Input::Press(Side::White));
    step(&mut clock, 200 * S, Input::SetTime { side: Side::Black, left_ms: 60_000 });
    assert_eq!(clock.state().fallen, BySide::new(true, false));
    assert_eq!(clock.state().first_fallen, Some(Side::White));
}

#[test]
fn the_first_fallen_sign_goes_to_the_flag_that_is_still_down() {
    let mut clock = started(&[MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    step(&mut clock, 61 * S, Input::Press(Side::White));
    step(&mut clock, 200 * S, Input::SetTime { side: Side::White, left_ms: 10_000 });
    assert_eq!(clock.state().first_fallen, Some(Side::Black));
    step(&mut clock, 201 * S, Input::Press(Side::Black));
    step(&mut clock, 300 * S, Input::Wake);
    assert_eq!(clock.state().fallen, BySide::both(true));
    assert_eq!(clock.state().first_fallen, Some(Side::Black), "White's flag was lifted and fell again, later");
}

#[test]
fn a_flag_that_the_arbiter_lets_fall_freezes_a_paused_clock_and_keeps_a_ready_one_from_starting() {
    let zero = Input::SetTime { side: Side::White, left_ms: 0 };
    let frozen = [Effect::ArbiterPressed, Effect::Ignored(None, IgnoredBecause::Frozen)];
    let mut paused = started(&[MINUTE], |_| ());
    step(&mut paused, S, Input::ArbiterButton);
    step(&mut paused, 2 * S, zero);
    assert_eq!(paused.state().phase, Phase::Frozen(Side::White));
    assert_eq!(step(&mut paused, 3 * S, Input::ArbiterButton), frozen);
    let mut ready = clock(&[MINUTE], |_| ());
    step(&mut ready, S, zero);
    assert_eq!(step(&mut ready, 2 * S, Input::ArbiterButton), frozen);
    step(&mut ready, 3 * S, Input::SetTime { side: Side::White, left_ms: 5_000 });
    assert_eq!(step(&mut ready, 4 * S, Input::ArbiterButton)[1], Effect::Started(Side::White));
}

#[test]
fn a_time_set_to_zero_is_a_fallen_flag() {
    let mut clock = clock(&[MINUTE], |_| ());
    let effects = step(&mut clock, 1, Input::SetTime { side: Side::Black, left_ms: 0 });
    assert_eq!(effects, [Effect::TimeSet(Side::Black, 0), Effect::FlagFell(Side::Black, 0)]);
}

#[test]
fn a_corrected_counter_moves_the_period_indicator_but_no_time() {
    let periods = [Period::of_moves(40, 60_000, Bonus::None), MINUTE];
    let mut clock =
        started(&periods, |setup| setup.opening.white = Opening { left_ms: Some(10_000), moves: 38, period: None });
    let effects = step(&mut clock, S, Input::SetCounter { side: Side::White, moves: 40 });
    assert_eq!(effects, [Effect::CounterSet(Side::White, 40), Effect::PeriodEntered(Side::White, 1)]);
    assert_eq!(clock.state().remaining_ticks.white, 9 * S);
}

#[test]
fn time_that_goes_back_is_held_and_told() {
    let mut clock = started(&[MINUTE], |_| ());
    step(&mut clock, 10 * S, Input::Wake);
    let effects = step(&mut clock, 4 * S, Input::Press(Side::White));
    assert_eq!(effects[0], Effect::WentBack(6 * S));
    assert_eq!(clock.state().remaining_ticks.white, 50 * S);
}

#[test]
fn an_opening_starts_where_it_says() {
    let clock = clock(&[Period::of_moves(40, 60_000, Bonus::None), MINUTE], |setup| {
        setup.first = Side::Black;
        setup.opening = BySide::new(
            Opening { left_ms: Some(7), moves: 41, period: None },
            Opening { left_ms: None, moves: 40, period: None },
        );
    });
    assert_eq!(clock.state().remaining_ticks, BySide::new(7_000, 60 * S));
    assert_eq!(clock.state().period, BySide::both(1));
}
