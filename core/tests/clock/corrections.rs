//! What the arbiter corrects, and takes back.

use flagfall_core::{AtZero, Bonus, BySide, Effect, IgnoredBecause, Input, Phase, State, Zero};

use super::*;

fn set_time(side: Side, left_s: u64) -> Input {
    Input::SetTime { side, left_ms: left_s * 1_000 }
}

#[test]
fn a_correction_lifts_the_flag_and_a_frozen_clock_waits_for_the_restart() {
    let mut clock = started(&[MINUTE], |_| ());
    wake(&mut clock, 60 * S);
    assert_eq!(step(&mut clock, 90 * S, set_time(WHITE, 120)), [Effect::TimeSet(WHITE, 120 * S)]);
    assert_eq!(clock.state().phase, Phase::Paused(WHITE));
    assert_eq!(clock.state().first_fallen, None);
    arbiter(&mut clock, 95 * S);
    assert_eq!(deadline(&clock), Some(215 * S));
}

#[test]
fn a_time_corrected_while_it_runs_runs_on_from_there() {
    let mut clock = started(&[MINUTE], |_| ());
    step(&mut clock, 30 * S, set_time(WHITE, 90));
    assert_eq!((deadline(&clock), clock.state().phase), (Some(120 * S), Phase::Running(WHITE)));
    step(&mut clock, 40 * S, set_time(BLACK, 10));
    assert_eq!(left(&clock), BySide::new(80 * S, 10 * S));
}

#[test]
fn a_correction_of_the_main_time_leaves_the_delay_of_the_move() {
    let mut clock = started(&[all(60, Bonus::Delay { ms: 5_000 })], |_| ());
    step(&mut clock, 2 * S, set_time(WHITE, 10));
    assert_eq!(deadline(&clock), Some(15 * S), "three seconds of delay and ten");
}

#[test]
fn a_time_set_to_zero_is_a_fallen_flag() {
    let mut clock = clock(&[MINUTE], |_| ());
    let effects = step(&mut clock, 1, set_time(BLACK, 0));
    assert_eq!(effects, [Effect::TimeSet(BLACK, 0), Effect::FlagFell(BLACK, 0)]);
}

#[test]
fn a_time_set_to_zero_takes_the_delay_of_the_move_with_it() {
    let mut clock = started(&[all(60, Bonus::Delay { ms: 5_000 })], |_| ());
    step(&mut clock, 2 * S, set_time(WHITE, 0));
    assert_eq!((clock.state().delay_ticks.white, clock.state().phase), (0, Phase::Frozen(WHITE)));
}

#[test]
fn a_time_set_to_zero_falls_even_where_overtime_or_a_period_would_follow() {
    for periods in [&[all(60, Bonus::ByoYomi { periods: 3, ms: 30_000 })][..], &[MINUTE, MINUTE]] {
        let mut clock = started(periods, |_| ());
        let effects = step(&mut clock, S, set_time(WHITE, 0));
        assert_eq!(effects, [Effect::TimeSet(WHITE, 0), Effect::FlagFell(WHITE, 0)]);
        assert_eq!((clock.state().phase, clock.state().fallen.white), (Phase::Frozen(WHITE), true));
    }
}

#[test]
fn a_time_set_to_zero_where_zero_is_alive_has_one_tick() {
    let mut clock = started(&[MINUTE], |setup| setup.zero = Zero::Alive);
    assert_eq!(step(&mut clock, S, set_time(WHITE, 0)), [Effect::TimeSet(WHITE, 0)]);
    assert_eq!(deadline(&clock), Some(S + 1));
}

#[test]
fn a_flag_that_the_arbiter_lets_fall_freezes_a_paused_clock_and_keeps_a_ready_one_from_starting() {
    let frozen = [Effect::ArbiterPressed, Effect::Ignored(None, IgnoredBecause::Frozen)];
    let mut paused = started(&[MINUTE], |_| ());
    arbiter(&mut paused, S);
    step(&mut paused, 2 * S, set_time(WHITE, 0));
    assert_eq!(paused.state().phase, Phase::Frozen(WHITE));
    assert_eq!(arbiter(&mut paused, 3 * S), frozen);
    let mut ready = clock(&[MINUTE], |_| ());
    step(&mut ready, S, set_time(BLACK, 0));
    assert_eq!(arbiter(&mut ready, 2 * S), frozen);
    step(&mut ready, 3 * S, set_time(BLACK, 5));
    assert_eq!(arbiter(&mut ready, 4 * S)[1], Effect::Started(WHITE));
}

#[test]
fn a_clock_that_runs_on_starts_with_a_flag_that_is_down() {
    let mut clock = clock(&[MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    step(&mut clock, S, set_time(WHITE, 0));
    assert_eq!(arbiter(&mut clock, 2 * S)[1], Effect::Started(WHITE));
}

#[test]
fn the_idle_side_whose_flag_the_arbiter_lets_fall_stops_the_clock_of_the_other() {
    let mut clock = started(&[MINUTE], |_| ());
    step(&mut clock, S, set_time(BLACK, 0));
    assert_eq!(clock.state().phase, Phase::Frozen(WHITE));
    step(&mut clock, 2 * S, set_time(WHITE, 50));
    assert_eq!(clock.state().phase, Phase::Frozen(WHITE), "Black's flag is still down");
    step(&mut clock, 3 * S, set_time(BLACK, 60));
    assert_eq!(clock.state().phase, Phase::Paused(WHITE));
}

#[test]
fn the_first_fallen_sign_outlives_the_correction_of_the_other_side() {
    let mut clock = started(&[MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    press(&mut clock, 61 * S, WHITE);
    step(&mut clock, 200 * S, set_time(BLACK, 60));
    assert_eq!(clock.state().fallen, BySide::new(true, false));
    assert_eq!(clock.state().first_fallen, Some(WHITE));
}

#[test]
fn the_first_fallen_sign_goes_to_the_flag_that_is_still_down() {
    let mut clock = started(&[MINUTE], |setup| setup.at_zero = AtZero::RunOn);
    press(&mut clock, 61 * S, WHITE);
    step(&mut clock, 200 * S, set_time(WHITE, 10));
    assert_eq!(clock.state().first_fallen, Some(BLACK));
    press(&mut clock, 201 * S, BLACK);
    wake(&mut clock, 300 * S);
    assert_eq!(clock.state().fallen, BySide::both(true));
    assert_eq!(clock.state().first_fallen, Some(BLACK), "White's flag was lifted and fell again, later");
}

#[test]
fn a_corrected_counter_moves_the_period_indicator_but_no_time() {
    let periods = [Period::of_moves(40, 60_000, Bonus::None), MINUTE];
    let mut clock = started(&periods, |setup| setup.opening.white = opening(10, 38));
    let effects = step(&mut clock, S, Input::SetCounter { side: WHITE, moves: 40 });
    assert_eq!(effects, [Effect::CounterSet(WHITE, 40), Effect::PeriodEntered(WHITE, 1)]);
    assert_eq!(left(&clock).white, 9 * S);
    let effects = step(&mut clock, S, Input::SetCounter { side: WHITE, moves: 39 });
    assert_eq!(effects, [Effect::CounterSet(WHITE, 39), Effect::PeriodEntered(WHITE, 0)]);
    assert_eq!(press(&mut clock, S, WHITE)[1], Effect::PeriodEntered(WHITE, 1), "move 40 is made again");
    assert_eq!(left(&clock).white, 69 * S);
}

#[test]
fn a_corrected_counter_moves_no_period_that_time_drives() {
    let mut clock = started(&[MINUTE, MINUTE], |_| ());
    wake(&mut clock, 60 * S);
    let effects = step(&mut clock, 61 * S, Input::SetCounter { side: WHITE, moves: 40 });
    assert_eq!((effects, clock.state().period.white), (vec![Effect::CounterSet(WHITE, 40)], 1));
}

#[test]
fn a_corrected_period_leaves_time_and_counter() {
    let mut clock = started(&[MINUTE, all(30, Bonus::Increment { ms: 2_000 })], |_| ());
    let effects = step(&mut clock, S, Input::SetPeriod { side: WHITE, period: 1 });
    assert_eq!(effects, [Effect::PeriodSet(WHITE, 1), Effect::PeriodEntered(WHITE, 1)]);
    assert_eq!((left(&clock).white, clock.state().moves.white), (59 * S, 0));
    assert_eq!(press(&mut clock, S, WHITE)[1], Effect::Credited(WHITE, 2 * S), "the bonus of the corrected period");
    assert_eq!(step(&mut clock, S, Input::SetPeriod { side: WHITE, period: 1 }), [Effect::PeriodSet(WHITE, 1)]);
}

#[test]
fn a_period_that_does_not_exist_is_refused() {
    let mut clock = started(&[MINUTE, MINUTE], |_| ());
    let effects = step(&mut clock, S, Input::SetPeriod { side: WHITE, period: 2 });
    let refused = Effect::Ignored(Some(WHITE), IgnoredBecause::NoSuchPeriod);
    assert_eq!(effects, [Effect::PeriodSet(WHITE, 2), refused]);
    assert_eq!(clock.state().period.white, 0);
}

#[test]
fn a_corrected_period_ends_the_overtime() {
    let mut clock = started(&[FIRST_MOVE, all(10, Bonus::ByoYomi { periods: 3, ms: 30_000 })], |_| ());
    press(&mut clock, S, WHITE);
    press(&mut clock, S, BLACK);
    wake(&mut clock, (1 + 69) * S);
    assert_eq!(clock.state().overtime.white, 3);
    step(&mut clock, 71 * S, Input::SetPeriod { side: WHITE, period: 0 });
    assert_eq!((clock.state().overtime.white, left(&clock).white), (0, 29 * S));
}

#[test]
fn swapped_colours_swap_everything_but_the_turn() {
    let mut clock = started(&[Period::of_moves(2, 60_000, Bonus::Delay { ms: 5_000 }), all(9, Bonus::None)], |setup| {
        setup.at_zero = AtZero::RunOn;
        setup.opening = BySide::new(opening(20, 1), opening(50, 0));
    });
    step(&mut clock, S, set_time(BLACK, 0));
    press(&mut clock, 7 * S, WHITE);
    press(&mut clock, 7 * S, BLACK);
    wake(&mut clock, 9 * S);
    let before = *clock.state();
    assert_eq!(step(&mut clock, 9 * S, Input::Swap), [Effect::Swapped]);
    let swapped = State {
        phase: Phase::Running(BLACK),
        remaining_ticks: BySide::new(0, 25 * S),
        delay_ticks: BySide::new(before.delay_ticks.black, before.delay_ticks.white),
        turn_ticks: 2 * S,
        moves: BySide::new(1, 2),
        period: BySide::new(0, 1),
        overtime: BySide::both(0),
        fallen: BySide::new(true, false),
        first_fallen: Some(WHITE),
        battery_low: false,
    };
    assert_eq!(*clock.state(), swapped);
}

#[test]
fn a_swap_moves_the_delay_and_the_overtime_with_the_player() {
    let mut clock = started(&[all(0, Bonus::ByoYomi { periods: 2, ms: 30_000 })], |_| ());
    wake(&mut clock, 30 * S);
    step(&mut clock, 31 * S, Input::Swap);
    assert_eq!((clock.state().overtime, left(&clock).black), (BySide::new(0, 1), 29 * S));
    let mut clock = started(&[all(60, Bonus::Delay { ms: 5_000 })], |_| ());
    step(&mut clock, 2 * S, Input::Swap);
    assert_eq!((clock.state().delay_ticks, deadline(&clock)), (BySide::new(0, 3 * S), Some(65 * S)));
}

#[test]
fn colours_can_be_swapped_before_the_start_and_while_the_clock_stands() {
    let mut ready = clock(&[MINUTE], |setup| setup.opening.white = opening(10, 3));
    step(&mut ready, 1, Input::Swap);
    assert_eq!((left(&ready), ready.state().phase), (BySide::new(60 * S, 10 * S), Phase::Ready));
    assert_eq!(arbiter(&mut ready, 2)[1], Effect::Started(WHITE), "White begins, whoever that is");
    arbiter(&mut ready, 3);
    step(&mut ready, 4, Input::Swap);
    assert_eq!(ready.state().phase, Phase::Paused(BLACK));
    let mut frozen = started(&[MINUTE], |_| ());
    wake(&mut frozen, 60 * S);
    step(&mut frozen, 61 * S, Input::Swap);
    assert_eq!((frozen.state().phase, frozen.state().fallen), (Phase::Frozen(BLACK), BySide::new(false, true)));
}

#[test]
fn a_mistaken_correction_of_any_kind_can_be_taken_back() {
    let corrections = [
        set_time(WHITE, 7),
        set_time(BLACK, 0),
        Input::SetCounter { side: WHITE, moves: 5 },
        Input::SetPeriod { side: BLACK, period: 1 },
        Input::Swap,
    ];
    for correction in corrections {
        let mut clock = started(&[FIRST_MOVE, MINUTE], |setup| setup.control.black = control(&[MINUTE, MINUTE]));
        arbiter(&mut clock, S);
        let (state, setup) = (*clock.state(), *clock.setup());
        step(&mut clock, 2 * S, correction);
        assert_ne!(*clock.state(), state);
        wake(&mut clock, 3 * S);
        step(&mut clock, 4 * S, Input::Read);
        assert_eq!(step(&mut clock, 5 * S, Input::Undo), [Effect::Undone], "{correction:?}");
        assert_eq!((*clock.state(), *clock.setup()), (state, setup), "{correction:?}");
    }
}

#[test]
fn only_the_last_correction_can_be_taken_back_and_only_once() {
    let mut clock = clock(&[MINUTE], |_| ());
    step(&mut clock, 1, set_time(WHITE, 7));
    step(&mut clock, 2, set_time(WHITE, 8));
    step(&mut clock, 3, Input::Undo);
    assert_eq!(left(&clock).white, 7 * S);
    let nothing = [Effect::Undone, Effect::Ignored(None, IgnoredBecause::NothingToUndo)];
    assert_eq!(step(&mut clock, 4, Input::Undo), nothing);
    assert_eq!(left(&clock).white, 7 * S);
}

#[test]
fn a_correction_stands_once_time_has_run_or_anything_was_done() {
    let nothing = [Effect::Undone, Effect::Ignored(None, IgnoredBecause::NothingToUndo)];
    let mut running = started(&[MINUTE], |_| ());
    step(&mut running, S, set_time(BLACK, 7));
    assert_eq!(step(&mut running.clone(), S, Input::Undo), [Effect::Undone], "in the same tick it can");
    assert_eq!(step(&mut running, S + 1, Input::Undo), nothing);
    for input in [
        Input::Press(WHITE),
        Input::Battery { low: true },
        Input::SetPeriod { side: WHITE, period: 9 },
        Input::ArbiterButton,
    ] {
        let mut clock = clock(&[MINUTE], |_| ());
        step(&mut clock, S, set_time(BLACK, 7));
        step(&mut clock, S, input);
        assert_eq!(step(&mut clock, S, Input::Undo), nothing, "{input:?}");
    }
}
