//! Increment, delay and Bronstein.

use flagfall_core::{Bonus, BySide, Credit, Effect, Input, Phase};

use super::*;

#[test]
fn the_increment_stands_before_the_first_move_or_comes_after_it() {
    let period = [all(180, Bonus::Increment { ms: 2_000 })];
    let before = clock(&period, |_| ());
    let after = clock(&period, |setup| setup.credit = Credit::AfterMove);
    assert_eq!(left(&before), BySide::both(182 * S));
    assert_eq!(left(&after), BySide::both(180 * S));
}

#[test]
fn either_way_a_move_brings_one_increment() {
    for credit in [Credit::BeforeMove, Credit::AfterMove] {
        let mut clock = started(&[all(180, Bonus::Increment { ms: 2_000 })], |setup| setup.credit = credit);
        let begin = left(&clock).white;
        let effects = press(&mut clock, 10 * S, WHITE);
        assert_eq!(effects, [Effect::Pressed(WHITE), Effect::Credited(WHITE, 2 * S), Effect::Switched(BLACK)]);
        assert_eq!(left(&clock).white, begin - 8 * S);
    }
}

#[test]
fn the_increment_before_the_move_is_that_of_the_period_the_next_move_is_in() {
    let periods = [FIRST_MOVE, all(30, Bonus::Increment { ms: 5_000 })];
    let mut before = started(&periods, |_| ());
    let effects = press(&mut before, 10 * S, WHITE);
    assert_eq!(effects[1..3], [Effect::PeriodEntered(WHITE, 1), Effect::Credited(WHITE, 5 * S)]);
    assert_eq!(left(&before).white, 85 * S);
    let mut after = started(&periods, |setup| setup.credit = Credit::AfterMove);
    press(&mut after, 10 * S, WHITE);
    assert_eq!(left(&after).white, 80 * S, "the move was played in a period without increment");
}

#[test]
fn the_increment_of_a_period_ends_with_it() {
    let periods = [Period::of_moves(1, 60_000, Bonus::Increment { ms: 5_000 }), MINUTE];
    for (credit, last) in [(Credit::BeforeMove, 115 * S), (Credit::AfterMove, 115 * S)] {
        let mut clock = started(&periods, |setup| setup.credit = credit);
        press(&mut clock, 10 * S, WHITE);
        assert_eq!(left(&clock).white, last, "60 + 5 - 10 + 60, the five before the move or after it");
        press(&mut clock, 10 * S, BLACK);
        press(&mut clock, 11 * S, WHITE);
        assert_eq!(left(&clock).white, last - S);
    }
}

#[test]
fn a_delay_runs_off_first_and_is_not_saved() {
    let mut clock = started(&[all(60, Bonus::Delay { ms: 5_000 })], |_| ());
    press(&mut clock, 4 * S, WHITE);
    assert_eq!(left(&clock).white, 60 * S, "pressed within the delay");
    press(&mut clock, 4 * S + 5 * S + 1, BLACK);
    assert_eq!(left(&clock).black, 60 * S - 1, "one tick past the delay");
    assert_eq!(deadline(&clock), Some(9 * S + 1 + 65 * S));
}

#[test]
fn a_move_that_takes_exactly_the_delay_costs_nothing() {
    for credit in [Credit::BeforeMove, Credit::AfterMove] {
        let mut clock = started(&[all(60, Bonus::Delay { ms: 5_000 })], |setup| setup.credit = credit);
        press(&mut clock, 5 * S, WHITE);
        assert_eq!(left(&clock), BySide::both(60 * S), "a delay is never credited, before or after");
    }
}

#[test]
fn the_delay_left_over_a_pause_is_what_was_left() {
    let mut clock = started(&[all(60, Bonus::Delay { ms: 5_000 })], |_| ());
    arbiter(&mut clock, 4 * S);
    assert_eq!(clock.state().phase, Phase::Paused(WHITE));
    assert_eq!(deadline(&clock), None);
    arbiter(&mut clock, 100 * S);
    press(&mut clock, 102 * S, WHITE);
    assert_eq!(left(&clock).white, 59 * S, "4 s of 5 s were gone, 2 s more were used");
}

#[test]
fn one_second_and_a_delay_of_five_allow_three_seconds_of_thought() {
    let three_seconds = |bonus, credit| {
        let mut clock = started(&[all(1, bonus)], |setup| setup.credit = credit);
        press(&mut clock, 3 * S, WHITE);
        (clock.state().fallen.white, left(&clock).white)
    };
    let (delay, bronstein) = (Bonus::Delay { ms: 5_000 }, Bonus::Bronstein { ms: 5_000 });
    assert_eq!(three_seconds(delay, Credit::BeforeMove), (false, S));
    assert_eq!(three_seconds(bronstein, Credit::BeforeMove), (false, 6 * S), "shown with the delay in it");
    assert_eq!(three_seconds(bronstein, Credit::AfterMove), (true, 0), "the kind that adds back loses");
}

#[test]
fn bronstein_gives_back_what_was_used_and_no_more_than_its_time() {
    let mut clock = started(&[all(60, Bonus::Bronstein { ms: 5_000 })], |_| ());
    assert_eq!(left(&clock), BySide::both(65 * S));
    assert_eq!(press(&mut clock, 2 * S, WHITE)[1], Effect::Credited(WHITE, 2 * S));
    assert_eq!(press(&mut clock, 7 * S, BLACK)[1], Effect::Credited(BLACK, 5 * S), "exactly its time");
    assert_eq!(press(&mut clock, 15 * S, WHITE)[1], Effect::Credited(WHITE, 5 * S), "8 s were used");
    assert_eq!(left(&clock), BySide::new(62 * S, 65 * S));
    assert_eq!(press(&mut clock, 15 * S, BLACK)[1], Effect::Switched(WHITE), "nothing used, nothing given back");
}

#[test]
fn bronstein_counts_what_was_used_before_and_after_a_pause() {
    let mut clock = started(&[all(60, Bonus::Bronstein { ms: 5_000 })], |_| ());
    arbiter(&mut clock, 2 * S);
    arbiter(&mut clock, 50 * S);
    assert_eq!(press(&mut clock, 51 * S, WHITE)[1], Effect::Credited(WHITE, 3 * S), "the pause is not used");
}

#[test]
fn what_bronstein_lent_does_not_go_into_the_next_period() {
    let periods =
        [Period::of_moves(1, 60_000, Bonus::Bronstein { ms: 5_000 }), all(30, Bonus::Bronstein { ms: 2_000 })];
    let mut clock = started(&periods, |_| ());
    let effects = press(&mut clock, 10 * S, WHITE);
    let credits = [Effect::Credited(WHITE, 5 * S), Effect::PeriodEntered(WHITE, 1), Effect::Credited(WHITE, 2 * S)];
    assert_eq!(effects[1..4], credits);
    assert_eq!(left(&clock).white, (55 + 30 + 2) * S, "main time 55 s, the new base, the new bonus shown");
    let mut after = started(&periods, |setup| setup.credit = Credit::AfterMove);
    press(&mut after, 10 * S, WHITE);
    assert_eq!(left(&after).white, (55 + 30) * S);
}

#[test]
fn a_flag_under_a_delay_falls_when_both_have_run_off() {
    let mut clock = started(&[all(0, Bonus::Delay { ms: 5_000 })], |_| ());
    assert_eq!(deadline(&clock), Some(5 * S), "no main time at all: each move has its delay");
    press(&mut clock, 4 * S, WHITE);
    assert_eq!(press(&mut clock, 9 * S, BLACK)[0], Effect::FlagFell(BLACK, 0));
    assert_eq!(step(&mut clock, 9 * S, Input::Read), [Effect::Read]);
}
