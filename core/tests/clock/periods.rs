//! Periods driven by moves, and periods driven by time.

use flagfall_core::{AtZero, Bonus, BySide, Credit, Effect, Input, Opening, Phase};

use super::*;

const INCREMENT: Bonus = Bonus::Increment { ms: 5_000 };

#[test]
fn saved_time_is_carried_over_or_not() {
    for (carry_over, expected) in [(true, 110 * S), (false, 60 * S)] {
        let mut clock = started(&[FIRST_MOVE, MINUTE], |setup| setup.carry_over = carry_over);
        press(&mut clock, 10 * S, WHITE);
        assert_eq!(left(&clock).white, expected);
    }
}

#[test]
fn each_side_enters_its_next_period_with_its_own_move() {
    let mut clock = started(&[FIRST_MOVE, MINUTE], |_| ());
    press(&mut clock, 10 * S, WHITE);
    assert_eq!(clock.state().period, BySide::new(1, 0));
    assert_eq!(left(&clock).black, 60 * S, "Black has not made his move");
    assert_eq!(press(&mut clock, 70 * S, BLACK)[0], Effect::FlagFell(BLACK, 0));
}

#[test]
fn the_second_target_counts_from_the_first_move() {
    let one = Period::of_moves(1, 60_000, Bonus::None);
    let mut clock = started(&[one, one, MINUTE], |_| ());
    let mut entered = Vec::new();
    for ticks in 1..=3 {
        entered.extend(press(&mut clock, ticks * S, WHITE).get(1).copied());
        press(&mut clock, ticks * S, BLACK);
    }
    let period = |index| Effect::PeriodEntered(WHITE, index);
    assert_eq!(entered, [period(1), period(2), Effect::Switched(BLACK)]);
}

#[test]
fn an_opening_starts_where_it_says() {
    let clock = clock(&[Period::of_moves(40, 60_000, Bonus::None), MINUTE], |setup| {
        setup.first = BLACK;
        setup.opening = BySide::new(opening(7, 41), Opening { left_ms: None, moves: 40, period: None });
    });
    assert_eq!(left(&clock), BySide::new(7 * S, 60 * S));
    assert_eq!(clock.state().period, BySide::both(1));
}

#[test]
fn an_opening_can_stand_in_a_period_that_its_moves_do_not_say() {
    let at = |period| Opening { left_ms: None, moves: 3, period: Some(period) };
    let clock = clock(&[MINUTE, all(30, INCREMENT)], |setup| setup.opening = BySide::new(at(1), at(9)));
    assert_eq!(clock.state().period, BySide::both(1), "the last one, where there is no such period");
    assert_eq!(left(&clock), BySide::both(35 * S), "its base, and what is credited before the move");
}

#[test]
fn driven_by_time_both_sides_enter_the_next_period_when_the_first_reaches_zero() {
    let mut clock = started(&[MINUTE, all(30, Bonus::None)], |_| ());
    press(&mut clock, 20 * S, WHITE);
    let effects = wake(&mut clock, 80 * S);
    let entered = |side| Effect::PeriodEntered(side, 1);
    assert_eq!(effects, [Effect::FlagFell(BLACK, 0), entered(BLACK), entered(WHITE)]);
    assert_eq!((left(&clock), clock.state().period), (BySide::new(70 * S, 30 * S), BySide::both(1)));
    assert_eq!(clock.state().phase, Phase::Running(BLACK), "he goes on with his move");
}

#[test]
fn the_flag_that_opened_a_period_is_down_in_its_record_and_the_sign_stays() {
    let mut clock = started(&[MINUTE, MINUTE], |_| ());
    let fall = happenings(&mut clock, 60 * S, Input::Wake)[0];
    assert_eq!((fall.state.fallen, fall.state.remaining_ticks.white), (BySide::new(true, false), 0));
    assert_eq!((clock.state().fallen, clock.state().first_fallen), (BySide::both(false), Some(WHITE)));
    press(&mut clock, 61 * S, WHITE);
    wake(&mut clock, 1_000 * S);
    assert_eq!(clock.state().first_fallen, Some(BLACK), "his was the first flag of the last period");
}

#[test]
fn moves_open_no_period_in_a_control_driven_by_time() {
    let mut clock = started(&[MINUTE, MINUTE], |_| ());
    for ticks in 1..=100 {
        let side = if ticks % 2 == 1 { WHITE } else { BLACK };
        press(&mut clock, ticks * S / 10, side);
    }
    assert_eq!((clock.state().moves, clock.state().period), (BySide::both(50), BySide::both(0)));
}

#[test]
fn driven_by_time_nothing_is_saved_where_time_is_not_carried_over() {
    let mut clock = started(&[MINUTE, all(30, Bonus::None)], |setup| setup.carry_over = false);
    press(&mut clock, 20 * S, WHITE);
    wake(&mut clock, 80 * S);
    assert_eq!(left(&clock), BySide::both(30 * S));
}

#[test]
fn the_idle_side_gives_back_what_was_credited_before_its_move_and_gets_the_new_bonus() {
    let periods = [all(60, INCREMENT), all(30, Bonus::Increment { ms: 2_000 })];
    let mut clock = started(&periods, |_| ());
    let effects = wake(&mut clock, 65 * S);
    let entered = |side| Effect::PeriodEntered(side, 1);
    assert_eq!(effects[1..], [entered(WHITE), entered(BLACK), Effect::Credited(BLACK, 2 * S)]);
    assert_eq!(left(&clock), BySide::new(30 * S, (60 + 30 + 2) * S), "White's move had its increment already");
    press(&mut clock, 66 * S, WHITE);
    assert_eq!(left(&clock).white, 31 * S, "and his next one gets the new");
    let mut after = started(&periods, |setup| setup.credit = Credit::AfterMove);
    assert_eq!(wake(&mut after, 60 * S).len(), 3, "nothing was lent, nothing is");
    assert_eq!(left(&after), BySide::new(30 * S, 90 * S));
}

#[test]
fn bronstein_goes_through_a_period_driven_by_time_as_a_delay_does() {
    let (bronstein, delay) = (Bonus::Bronstein { ms: 5_000 }, Bonus::Delay { ms: 5_000 });
    let play = |bonus| {
        let mut clock = started(&[all(60, bonus), all(30, bonus)], |_| ());
        press(&mut clock, 10 * S, WHITE);
        press(&mut clock, 10 * S + 66 * S, BLACK);
        press(&mut clock, 10 * S + 68 * S, WHITE);
        left(&clock)
    };
    assert_eq!(play(delay), BySide::new(85 * S, 29 * S), "one second of the new base was used");
    assert_eq!(play(bronstein), BySide::new(90 * S, 34 * S), "five seconds more on each face");
}

#[test]
fn a_late_look_finds_every_period_driven_by_time_at_its_own_time() {
    let mut clock = started(&[MINUTE, all(30, Bonus::None), all(10, Bonus::None)], |_| ());
    let found = happenings(&mut clock, 120 * S, Input::Wake);
    let falls: Vec<_> = found
        .iter()
        .filter_map(|happening| match happening.effect {
            Effect::FlagFell(side, late) => Some((side, happening.at.ticks() / S, late / S)),
            _ => None,
        })
        .collect();
    assert_eq!(falls, [(WHITE, 60, 60), (WHITE, 90, 30), (WHITE, 100, 20)]);
    assert_eq!(left(&clock), BySide::new(0, 100 * S));
}

#[test]
fn byo_yomi_after_a_period_driven_by_time_begins_at_the_last_zero() {
    let mut clock = started(&[MINUTE, all(30, Bonus::ByoYomi { periods: 2, ms: 10_000 })], |_| ());
    wake(&mut clock, 60 * S);
    assert_eq!(clock.state().overtime, BySide::both(0));
    assert_eq!(wake(&mut clock, 90 * S), [Effect::OvertimeEntered(WHITE, 2)]);
    assert_eq!(clock.state().overtime, BySide::new(2, 0));
}

#[test]
fn a_flag_that_the_arbiter_let_fall_is_given_no_period_by_the_other_side() {
    let mut clock = started(&[MINUTE, MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    step(&mut clock, S, Input::SetTime { side: BLACK, left_ms: 0 });
    wake(&mut clock, 60 * S);
    assert_eq!((left(&clock), clock.state().period), (BySide::new(60 * S, 0), BySide::new(1, 0)));
    assert_eq!((clock.state().fallen, clock.state().first_fallen), (BySide::new(false, true), Some(BLACK)));
}

#[test]
fn a_side_in_the_last_period_gets_none_from_one_that_is_behind() {
    let mut clock = started(&[MINUTE, MINUTE], |_| ());
    step(&mut clock, 0, Input::SetPeriod { side: BLACK, period: 1 });
    wake(&mut clock, 60 * S);
    assert_eq!((left(&clock), clock.state().period), (BySide::both(60 * S), BySide::both(1)));
}
