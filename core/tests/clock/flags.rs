//! Zero: when a flag falls, what comes first, what stays on the faces.

use flagfall_core::{
    AtZero, Bonus, BySide, Effect, IgnoredBecause, Input, LateControlMove, Phase, Record, SameTick, Zero,
};

use super::*;

#[test]
fn exactly_zero_is_fallen_and_the_press_in_that_tick_comes_after_it() {
    let mut clock = started(&[MINUTE], |_| ());
    let effects = press(&mut clock, 60 * S, WHITE);
    let ignored = Effect::Ignored(Some(WHITE), IgnoredBecause::Frozen);
    assert_eq!(effects, [Effect::FlagFell(WHITE, 0), Effect::Pressed(WHITE), ignored]);
    assert_eq!(clock.state().moves, BySide::both(0), "Black's clock does not start, White's press is no move");
}

#[test]
fn one_tick_before_zero_is_in_time() {
    let mut clock = started(&[MINUTE], |_| ());
    press(&mut clock, 60 * S - 1, WHITE);
    assert_eq!(left(&clock).white, 1);
    assert_eq!(clock.state().phase, Phase::Running(BLACK));
}

#[test]
fn a_side_with_exactly_nothing_left_is_alive_for_one_tick_if_the_clock_is_set_so() {
    for (zero, fall) in [(Zero::Fallen, 60 * S), (Zero::Alive, 60 * S + 1)] {
        let mut clock = started(&[MINUTE], |setup| setup.zero = zero);
        assert_eq!(deadline(&clock), Some(fall));
        assert_eq!(wake(&mut clock, fall - 1), []);
        assert!(!clock.state().fallen.white);
        assert_eq!(wake(&mut clock, fall), [Effect::FlagFell(WHITE, 0)]);
        assert_eq!(left(&clock).white, 0);
    }
}

#[test]
fn a_move_that_leaves_exactly_nothing_is_in_time_where_zero_is_alive() {
    let mut clock = started(&[MINUTE], |setup| setup.zero = Zero::Alive);
    assert_eq!(press(&mut clock, 60 * S, WHITE), [Effect::Pressed(WHITE), Effect::Switched(BLACK)]);
    press(&mut clock, 61 * S, BLACK);
    assert_eq!(deadline(&clock), Some(61 * S + 1), "his next move has one tick");
    press(&mut clock, 61 * S, WHITE);
    assert_eq!(clock.state().moves.white, 2, "a move in no time at all");
}

#[test]
fn a_press_in_the_tick_of_the_flag_comes_first_if_the_clock_is_set_so() {
    let mut clock = started(&[MINUTE], |setup| setup.same_tick = SameTick::PressFirst);
    assert_eq!(press(&mut clock, 60 * S, WHITE), [Effect::Pressed(WHITE), Effect::Switched(BLACK)]);
    assert_eq!((left(&clock).white, clock.state().fallen.white), (0, false));
    press(&mut clock, 70 * S, BLACK);
    assert_eq!(deadline(&clock), Some(70 * S), "with nothing left his flag falls as soon as he is on move");
    assert_eq!(wake(&mut clock, 70 * S), [Effect::FlagFell(WHITE, 0)]);
}

#[test]
fn a_press_comes_first_at_the_later_flag_of_a_clock_on_which_zero_is_alive() {
    let change = |setup: &mut Setup| (setup.zero, setup.same_tick) = (Zero::Alive, SameTick::PressFirst);
    let mut clock = started(&[MINUTE], change);
    assert_eq!(press(&mut clock, 60 * S + 1, WHITE)[0], Effect::Pressed(WHITE));
    let mut clock = started(&[MINUTE], change);
    assert_eq!(press(&mut clock, 60 * S + 2, WHITE)[0], Effect::FlagFell(WHITE, 1));
}

#[test]
fn only_the_press_of_the_running_side_can_come_before_the_flag() {
    for input in [Input::Press(BLACK), Input::ArbiterButton, Input::Read] {
        let mut clock = started(&[MINUTE], |setup| setup.same_tick = SameTick::PressFirst);
        assert_eq!(step(&mut clock, 60 * S, input)[0], Effect::FlagFell(WHITE, 0));
    }
}

#[test]
fn a_flag_noticed_late_is_dated_at_its_deadline() {
    let mut clock = started(&[MINUTE], |_| ());
    let fall = happenings(&mut clock, 75 * S, Input::Wake)[0];
    assert_eq!((fall.at.ticks(), fall.effect), (60 * S, Effect::FlagFell(WHITE, 15 * S)));
}

#[test]
fn both_sides_stand_still_at_the_flag_and_the_other_keeps_what_it_has() {
    let mut clock = started(&[MINUTE], |_| ());
    press(&mut clock, 10 * S, WHITE);
    wake(&mut clock, 100 * S);
    assert_eq!(clock.state().phase, Phase::Frozen(BLACK));
    assert_eq!((left(&clock), deadline(&clock)), (BySide::new(50 * S, 0), None));
    for input in [Input::Press(WHITE), Input::Press(BLACK), Input::ArbiterButton] {
        let because = step(&mut clock, 200 * S, input)[1];
        assert!(matches!(because, Effect::Ignored(_, IgnoredBecause::Frozen)), "{because:?}");
    }
    assert_eq!(left(&clock), BySide::new(50 * S, 0));
}

#[test]
fn running_on_lets_both_flags_fall_and_keeps_the_first() {
    let mut clock = started(&[MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    press(&mut clock, 61 * S, WHITE);
    assert_eq!(clock.state().phase, Phase::Running(BLACK));
    wake(&mut clock, 200 * S);
    assert_eq!(clock.state().fallen, BySide::both(true));
    assert_eq!(clock.state().first_fallen, Some(WHITE));
}

#[test]
fn a_fallen_side_stays_at_zero_while_it_runs_on() {
    let mut clock = started(&[MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    wake(&mut clock, 60 * S);
    assert_eq!(deadline(&clock), None);
    assert_eq!(wake(&mut clock, 500 * S), []);
    assert_eq!(left(&clock), BySide::new(0, 60 * S));
}

#[test]
fn a_clock_without_the_sign_does_not_show_who_fell_first() {
    for (sign, shown) in [(true, Some(WHITE)), (false, None)] {
        let mut clock = started(&[MINUTE], |setup| setup.first_fallen_sign = sign);
        let fall = happenings(&mut clock, 60 * S, Input::Wake)[0];
        let record = Record::new(0, &fall, clock.setup(), clock.rate());
        assert!(record.fallen.white);
        assert_eq!(record.first_fallen, shown);
    }
}

#[test]
fn a_fallen_side_is_credited_nothing_by_its_presses() {
    let periods = [Period::of_moves(1, 60_000, Bonus::Increment { ms: 2_000 }), MINUTE];
    let mut clock = started(&periods, |setup| setup.at_zero = AtZero::RunOn);
    let effects = press(&mut clock, 70 * S, WHITE);
    assert_eq!(effects[1..], [Effect::Pressed(WHITE), Effect::Switched(BLACK)]);
    assert_eq!((left(&clock).white, clock.state().moves.white, clock.state().period.white), (0, 1, 0));
    press(&mut clock, 71 * S, BLACK);
    press(&mut clock, 72 * S, WHITE);
    assert_eq!((left(&clock).white, clock.state().moves.white), (0, 2), "nor later");
}

#[test]
fn the_last_move_of_a_period_pressed_after_zero_brings_the_next_base_in_full_if_the_clock_is_set_so() {
    let late = |setting| {
        let mut clock = started(&[FIRST_MOVE, all(30, Bonus::Increment { ms: 5_000 })], |setup| {
            (setup.at_zero, setup.late_control_move) = (AtZero::RunOn, setting);
        });
        let effects = press(&mut clock, 70 * S, WHITE);
        (effects, *clock.state())
    };
    let (effects, state) = late(LateControlMove::Nothing);
    assert_eq!(effects[1..], [Effect::Pressed(WHITE), Effect::Switched(BLACK)]);
    assert_eq!((state.fallen.white, state.period.white), (true, 0));
    let (effects, state) = late(LateControlMove::NextBase);
    let [entered, credited] = [Effect::PeriodEntered(WHITE, 1), Effect::Credited(WHITE, 5 * S)];
    assert_eq!(effects[1..], [Effect::Pressed(WHITE), entered, credited, Effect::Switched(BLACK)]);
    assert_eq!((state.fallen.white, state.remaining_ticks.white), (false, 35 * S), "the ten seconds are not deducted");
    assert_eq!(state.first_fallen, Some(WHITE), "the sign stays");
}

#[test]
fn a_late_move_before_the_last_of_its_period_brings_nothing() {
    let periods = [Period::of_moves(2, 60_000, Bonus::None), MINUTE];
    let mut clock = started(&periods, |setup| {
        (setup.at_zero, setup.late_control_move) = (AtZero::RunOn, LateControlMove::NextBase);
    });
    press(&mut clock, 70 * S, WHITE);
    assert_eq!((clock.state().fallen.white, left(&clock).white), (true, 0));
    press(&mut clock, 71 * S, BLACK);
    press(&mut clock, 72 * S, WHITE);
    assert_eq!((clock.state().fallen.white, left(&clock).white), (false, 60 * S), "the second move does");
}
