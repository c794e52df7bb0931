//! Hourglass, byo-yomi, Canadian, per move, counting up.

use flagfall_core::{AtZero, Bonus, BySide, Credit, Effect, Input, Phase, Zero};

use super::*;

const BYO_YOMI: Bonus = Bonus::ByoYomi { periods: 3, ms: 30_000 };
const CANADIAN: Bonus = Bonus::Canadian { moves: 2, ms: 30_000 };

#[test]
fn in_an_hourglass_what_runs_off_one_side_runs_on_to_the_other() {
    let mut clock = started(&[all(60, Bonus::Hourglass)], |_| ());
    press(&mut clock, 20 * S, WHITE);
    assert_eq!(left(&clock), BySide::new(40 * S, 80 * S));
    press(&mut clock, 50 * S, BLACK);
    assert_eq!(left(&clock), BySide::new(70 * S, 50 * S));
    wake(&mut clock, 120 * S);
    assert_eq!((left(&clock), clock.state().fallen), (BySide::new(0, 120 * S), BySide::new(true, false)));
}

#[test]
fn an_hourglass_that_runs_on_gives_nothing_to_a_fallen_side() {
    let mut clock = started(&[all(60, Bonus::Hourglass)], |setup| setup.at_zero = AtZero::RunOn);
    press(&mut clock, 100 * S, WHITE);
    press(&mut clock, 130 * S, BLACK);
    assert_eq!(left(&clock), BySide::new(0, 90 * S), "Black's thirty seconds went nowhere");
    press(&mut clock, 200 * S, WHITE);
    assert_eq!(left(&clock), BySide::new(0, 90 * S), "and a fallen side has none to give");
}

#[test]
fn byo_yomi_begins_at_zero_and_each_move_within_it_starts_it_anew() {
    let mut clock = started(&[all(60, BYO_YOMI)], |_| ());
    let effects = press(&mut clock, 75 * S, WHITE);
    let [entered, credited] = [Effect::OvertimeEntered(WHITE, 3), Effect::Credited(WHITE, 15 * S)];
    assert_eq!(effects, [entered, Effect::Pressed(WHITE), credited, Effect::Switched(BLACK)]);
    assert_eq!((left(&clock).white, clock.state().overtime), (30 * S, BySide::new(3, 0)));
    press(&mut clock, 80 * S, BLACK);
    assert_eq!(left(&clock).black, 55 * S, "a move in the main time brings nothing");
    press(&mut clock, 110 * S - 1, WHITE);
    assert_eq!((left(&clock).white, clock.state().overtime.white), (30 * S, 3), "one tick was left of the period");
}

#[test]
fn a_byo_yomi_period_that_runs_off_is_lost_and_the_last_one_is_the_flag() {
    let mut clock = started(&[all(60, BYO_YOMI)], |_| ());
    assert_eq!(wake(&mut clock, 60 * S), [Effect::OvertimeEntered(WHITE, 3)]);
    assert_eq!(wake(&mut clock, 90 * S), [Effect::OvertimeEntered(WHITE, 2)]);
    press(&mut clock, 100 * S, WHITE);
    assert_eq!((left(&clock).white, clock.state().overtime.white), (30 * S, 2), "the lost period does not come back");
    press(&mut clock, 100 * S, BLACK);
    assert_eq!(wake(&mut clock, 130 * S), [Effect::OvertimeEntered(WHITE, 1)]);
    assert_eq!(wake(&mut clock, 160 * S), [Effect::FlagFell(WHITE, 0)]);
    assert_eq!((left(&clock).white, clock.state().overtime.white), (0, 1));
}

#[test]
fn a_late_look_finds_every_byo_yomi_period_at_its_own_time() {
    let mut clock = started(&[all(60, BYO_YOMI)], |_| ());
    let found = happenings(&mut clock, 155 * S, Input::Read);
    let dated: Vec<_> = found.iter().map(|happening| (happening.at.ticks() / S, happening.effect)).collect();
    let entered = |s, periods| (s, Effect::OvertimeEntered(WHITE, periods));
    assert_eq!(
        dated,
        [entered(60, 3), entered(90, 2), entered(120, 1), (150, Effect::FlagFell(WHITE, 5 * S)), (155, Effect::Read)]
    );
}

#[test]
fn byo_yomi_without_main_time_begins_with_the_first_tick() {
    let mut clock = started(&[all(0, BYO_YOMI)], |_| ());
    assert_eq!(wake(&mut clock, 0), [Effect::OvertimeEntered(WHITE, 3)]);
    assert_eq!(deadline(&clock), Some(30 * S));
    press(&mut clock, 10 * S, WHITE);
    assert_eq!(press(&mut clock, 20 * S, BLACK)[0], Effect::OvertimeEntered(BLACK, 3));
    assert_eq!(left(&clock), BySide::both(30 * S));
}

#[test]
fn where_zero_is_alive_each_byo_yomi_period_lasts_a_tick_longer() {
    let mut clock = started(&[all(60, BYO_YOMI)], |setup| setup.zero = Zero::Alive);
    assert_eq!(wake(&mut clock, 60 * S), []);
    assert_eq!(wake(&mut clock, 60 * S + 1), [Effect::OvertimeEntered(WHITE, 3)]);
    assert_eq!(deadline(&clock), Some(90 * S + 2));
}

#[test]
fn byo_yomi_after_a_period_of_moves_begins_when_the_last_base_is_used_up() {
    let mut clock = started(&[FIRST_MOVE, all(10, BYO_YOMI)], |_| ());
    press(&mut clock, 59 * S, WHITE);
    assert_eq!((left(&clock).white, clock.state().overtime.white), (11 * S, 0));
    press(&mut clock, 59 * S, BLACK);
    assert_eq!(wake(&mut clock, 70 * S), [Effect::OvertimeEntered(WHITE, 3)]);
}

#[test]
fn a_canadian_stage_asks_for_its_moves_and_then_starts_anew() {
    let mut clock = started(&[all(60, CANADIAN)], |_| ());
    assert_eq!(press(&mut clock, 70 * S, WHITE)[0], Effect::OvertimeEntered(WHITE, 2));
    assert_eq!((left(&clock).white, clock.state().overtime.white), (20 * S, 1), "one move made, the time goes on");
    press(&mut clock, 70 * S, BLACK);
    let effects = press(&mut clock, 85 * S, WHITE);
    assert_eq!(effects[1], Effect::Credited(WHITE, 25 * S));
    assert_eq!(
        (left(&clock).white, clock.state().overtime.white),
        (30 * S, 2),
        "the stage is full again, nothing saved"
    );
}

#[test]
fn a_canadian_stage_that_runs_off_is_the_flag() {
    let mut clock = started(&[all(60, CANADIAN)], |_| ());
    press(&mut clock, 70 * S, WHITE);
    press(&mut clock, 70 * S, BLACK);
    assert_eq!(press(&mut clock, 90 * S, WHITE)[0], Effect::FlagFell(WHITE, 0));
    assert_eq!((left(&clock).white, clock.state().overtime.white), (0, 1));
}

#[test]
fn per_move_each_move_has_the_whole_time_and_saves_none() {
    for credit in [Credit::BeforeMove, Credit::AfterMove] {
        let mut clock = started(&[all(30, Bonus::PerMove)], |setup| setup.credit = credit);
        assert_eq!(press(&mut clock, 10 * S, WHITE)[1], Effect::Credited(WHITE, 10 * S));
        press(&mut clock, 39 * S, BLACK);
        assert_eq!(left(&clock), BySide::both(30 * S));
        assert_eq!(wake(&mut clock, 69 * S), [Effect::FlagFell(WHITE, 0)]);
    }
}

#[test]
fn a_clock_that_counts_up_shows_the_time_used_and_has_no_flag() {
    let mut clock = started(&[all(0, Bonus::CountUp)], |_| ());
    assert_eq!(deadline(&clock), None);
    press(&mut clock, 10 * S, WHITE);
    assert_eq!(press(&mut clock, 40 * S, BLACK), [Effect::Pressed(BLACK), Effect::Switched(WHITE)]);
    arbiter(&mut clock, 45 * S);
    assert_eq!(left(&clock), BySide::new(15 * S, 30 * S));
    assert_eq!(wake(&mut clock, 100_000 * S), []);
    assert_eq!((left(&clock), clock.state().fallen), (BySide::new(15 * S, 30 * S), BySide::both(false)));
}

#[test]
fn a_time_used_that_is_set_to_zero_is_no_flag() {
    let mut clock = started(&[all(0, Bonus::CountUp)], |_| ());
    let effects = step(&mut clock, 10 * S, Input::SetTime { side: WHITE, left_ms: 0 });
    assert_eq!(effects, [Effect::TimeSet(WHITE, 0)]);
    assert_eq!(clock.state().phase, Phase::Running(WHITE));
    press(&mut clock, 11 * S, WHITE);
    assert_eq!(left(&clock).white, S);
}
