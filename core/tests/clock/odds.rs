//! Different controls for the two sides.

use flagfall_core::{Bonus, BySide, Effect, Input};

use super::*;

fn odds(white: &[Period], black: &[Period]) -> Clock {
    started(&[MINUTE], |setup| setup.control = BySide::new(control(white), control(black)))
}

#[test]
fn each_side_has_the_time_and_the_bonus_of_its_own_control() {
    let mut clock = odds(&[all(300, Bonus::None)], &[all(60, Bonus::Increment { ms: 2_000 })]);
    assert_eq!(left(&clock), BySide::new(300 * S, 62 * S));
    assert_eq!(press(&mut clock, 10 * S, WHITE), [Effect::Pressed(WHITE), Effect::Switched(BLACK)]);
    assert_eq!(press(&mut clock, 20 * S, BLACK)[1], Effect::Credited(BLACK, 2 * S));
}

#[test]
fn a_side_with_periods_of_moves_is_given_none_by_a_side_whose_time_opens_them() {
    let mut clock = odds(&[MINUTE, all(30, Bonus::None)], &[FIRST_MOVE, MINUTE]);
    assert_eq!(wake(&mut clock, 60 * S), [Effect::FlagFell(WHITE, 0), Effect::PeriodEntered(WHITE, 1)]);
    assert_eq!((left(&clock), clock.state().period), (BySide::new(30 * S, 60 * S), BySide::new(1, 0)));
    press(&mut clock, 61 * S, WHITE);
    assert_eq!(press(&mut clock, 71 * S, BLACK)[1], Effect::PeriodEntered(BLACK, 1));
}

#[test]
fn a_delay_is_that_of_the_side_whose_move_begins() {
    let mut clock = odds(&[all(60, Bonus::Delay { ms: 5_000 })], &[all(60, Bonus::Delay { ms: 2_000 })]);
    press(&mut clock, 6 * S, WHITE);
    assert_eq!(deadline(&clock), Some(68 * S));
    press(&mut clock, 9 * S, BLACK);
    assert_eq!((left(&clock), deadline(&clock)), (BySide::both(59 * S), Some((9 + 5 + 59) * S)));
}

#[test]
fn colours_that_are_swapped_take_their_controls_with_them() {
    let mut clock = odds(&[all(300, Bonus::None)], &[all(60, Bonus::Increment { ms: 2_000 })]);
    arbiter(&mut clock, 10 * S);
    step(&mut clock, 11 * S, Input::Swap);
    assert_eq!(left(&clock), BySide::new(62 * S, 290 * S));
    arbiter(&mut clock, 12 * S);
    press(&mut clock, 22 * S, BLACK);
    assert_eq!(left(&clock).black, 280 * S, "the player without increment is Black now");
    assert_eq!(press(&mut clock, 23 * S, WHITE)[1], Effect::Credited(WHITE, 2 * S));
}
