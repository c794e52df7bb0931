//! Presses that move nothing, and presses by the side that does not run.

use flagfall_core::{AtZero, Bonus, BySide, Credit, Effect, IgnoredBecause, LateControlMove, Phase, SecondPress};

use super::*;

fn counted(setup: &mut Setup) {
    setup.second_press = SecondPress::Counted;
}

#[test]
fn presses_that_change_nothing_say_why() {
    let mut clock = clock(&[MINUTE], |_| ());
    let ignored = |effects: Vec<Effect>| match effects[..] {
        [Effect::Pressed(pressed), Effect::Ignored(Some(side), because)] if pressed == side => because,
        ref other => panic!("{other:?}"),
    };
    assert_eq!(ignored(press(&mut clock, 1, WHITE)), IgnoredBecause::NotStarted);
    arbiter(&mut clock, 2);
    assert_eq!(ignored(press(&mut clock, 3, BLACK)), IgnoredBecause::NotOnMove);
    arbiter(&mut clock, 4);
    for side in Side::ALL {
        assert_eq!(ignored(press(&mut clock, 5, side)), IgnoredBecause::Paused);
    }
    assert_eq!(clock.state().moves, BySide::both(0));
}

#[test]
fn a_second_press_by_the_same_side_changes_nothing_by_default() {
    let mut clock = started(&[all(60, Bonus::Increment { ms: 2_000 })], |_| ());
    press(&mut clock, 10 * S, WHITE);
    let ignored = Effect::Ignored(Some(WHITE), IgnoredBecause::NotOnMove);
    assert_eq!(press(&mut clock, 11 * S, WHITE), [Effect::Pressed(WHITE), ignored]);
    assert_eq!((left(&clock), clock.state().moves), (BySide::new(54 * S, 61 * S), BySide::new(1, 0)));
}

#[test]
fn a_forgotten_press_made_up_for_counts_as_a_move_if_the_clock_is_set_so() {
    for credit in [Credit::BeforeMove, Credit::AfterMove] {
        let mut clock = started(&[all(60, Bonus::Increment { ms: 2_000 })], |setup| {
            counted(setup);
            setup.credit = credit;
        });
        let begin = left(&clock).black;
        let effects = press(&mut clock, 10 * S, BLACK);
        assert_eq!(effects, [Effect::Pressed(BLACK), Effect::Counted(BLACK), Effect::Credited(BLACK, 2 * S)]);
        assert_eq!((left(&clock).black, clock.state().moves), (begin + 2 * S, BySide::new(0, 1)));
        assert_eq!(clock.state().phase, Phase::Running(WHITE), "White's time goes on");
        press(&mut clock, 20 * S, WHITE);
        assert_eq!(left(&clock).white, begin - 18 * S);
    }
}

#[test]
fn a_counted_press_opens_the_period_that_it_reaches() {
    let mut clock = started(&[FIRST_MOVE, all(30, Bonus::Increment { ms: 5_000 })], counted);
    let effects = press(&mut clock, 10 * S, BLACK);
    assert_eq!(effects[1..], [Effect::Counted(BLACK), Effect::PeriodEntered(BLACK, 1), Effect::Credited(BLACK, 5 * S)]);
    assert_eq!(left(&clock).black, 95 * S);
}

#[test]
fn a_counted_press_used_no_time_that_bronstein_could_give_back() {
    let mut clock = started(&[all(60, Bonus::Bronstein { ms: 5_000 })], counted);
    assert_eq!(press(&mut clock, 4 * S, BLACK), [Effect::Pressed(BLACK), Effect::Counted(BLACK)]);
    assert_eq!(left(&clock), BySide::new(61 * S, 65 * S));
    assert_eq!(press(&mut clock, 6 * S, WHITE)[1], Effect::Credited(WHITE, 5 * S), "White's move took six seconds");
}

#[test]
fn a_counted_press_does_not_renew_the_delay_of_the_move_that_runs() {
    let mut clock = started(&[all(60, Bonus::Delay { ms: 5_000 })], counted);
    press(&mut clock, 4 * S, BLACK);
    assert_eq!(deadline(&clock), Some(65 * S));
    press(&mut clock, 7 * S, WHITE);
    assert_eq!((left(&clock).white, deadline(&clock)), (58 * S, Some(72 * S)), "Black's move has its own delay");
}

#[test]
fn a_counted_press_is_a_move_of_the_canadian_stage() {
    let mut clock = started(&[all(10, Bonus::Canadian { moves: 3, ms: 30_000 })], counted);
    press(&mut clock, 15 * S, WHITE);
    press(&mut clock, 16 * S, WHITE);
    assert_eq!((clock.state().overtime.white, left(&clock).white), (1, 25 * S));
    assert_eq!(press(&mut clock, 17 * S, WHITE)[2], Effect::Credited(WHITE, 5 * S));
    assert_eq!(clock.state().overtime.white, 3);
}

#[test]
fn a_counted_press_of_a_fallen_side_brings_it_nothing_but_the_late_base_where_that_is_set() {
    for (late, expected) in [(LateControlMove::Nothing, 0), (LateControlMove::NextBase, 60 * S)] {
        let mut clock = started(&[Period::of_moves(2, 60_000, Bonus::None), MINUTE], |setup| {
            counted(setup);
            (setup.at_zero, setup.late_control_move) = (AtZero::RunOn, late);
        });
        press(&mut clock, 70 * S, WHITE);
        assert_eq!(press(&mut clock, 71 * S, WHITE)[1], Effect::Counted(WHITE));
        assert_eq!((left(&clock).white, clock.state().moves.white), (expected, 2));
    }
}

#[test]
fn a_press_while_paused_or_frozen_counts_for_no_setting() {
    let mut paused = started(&[MINUTE], counted);
    arbiter(&mut paused, S);
    press(&mut paused, 2 * S, BLACK);
    let mut frozen = started(&[MINUTE], counted);
    press(&mut frozen, 60 * S, BLACK);
    assert_eq!((paused.state().moves, frozen.state().moves), (BySide::both(0), BySide::both(0)));
}

#[test]
fn a_move_counter_that_is_full_stays_full() {
    let mut clock = started(&[MINUTE], |setup| setup.opening.white.moves = u16::MAX);
    press(&mut clock, S, WHITE);
    assert_eq!(clock.state().moves.white, u16::MAX);
}
