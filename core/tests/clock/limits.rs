//! The largest numbers: nothing overflows, and what a step can tell fits into it.

use flagfall_core::{AtZero, Bonus, BySide, Clock, Credit, DeviceTime, Effect, Input, SecondPress, State};

use super::*;

#[test]
fn a_late_look_at_everything_that_can_happen_fits_into_one_step() {
    let time = |bonus| all(1, bonus);
    let increment = Bonus::Increment { ms: 1 };
    let byo_yomi = Bonus::ByoYomi { periods: 10, ms: 1_000 };
    let white = [time(increment), time(increment), time(increment), time(byo_yomi)];
    let black = [time(increment), time(increment), time(increment), time(increment)];
    let mut clock = started(&white, |setup| {
        setup.control.black = control(&black);
        (setup.at_zero, setup.second_press) = (AtZero::RunOn, SecondPress::Counted);
    });
    let effects = press(&mut clock, 1_000 * S, BLACK);
    let count = |wanted: fn(&Effect) -> bool| effects.iter().filter(|effect| wanted(effect)).count();
    assert_eq!(count(|effect| matches!(effect, Effect::FlagFell(..))), 4);
    assert_eq!(count(|effect| matches!(effect, Effect::PeriodEntered(..))), 6);
    assert_eq!(count(|effect| matches!(effect, Effect::OvertimeEntered(..))), 10);
    assert_eq!(count(|effect| matches!(effect, Effect::Credited(BLACK, _))), 4);
    assert_eq!(effects.len(), 26, "and the press, counted");
}

#[test]
fn zeros_that_are_all_due_at_once_and_a_time_that_goes_back_fit_into_one_step() {
    let nothing = Period::all_moves(0, Bonus::Increment { ms: 1 });
    let last = Period::all_moves(0, Bonus::ByoYomi { periods: 10, ms: 1 });
    let control = control(&[nothing, nothing, nothing, last]);
    let setup = Setup { credit: Credit::AfterMove, at_zero: AtZero::RunOn, ..Setup::new(control) };
    let mut clock = Clock::new(&setup, TickRate::new(1).expect("in range"));
    step(&mut clock, 100, Input::ArbiterButton);
    let effects = press(&mut clock, 99, WHITE);
    assert_eq!(effects[0], Effect::WentBack(1));
    assert_eq!(effects[10], Effect::OvertimeEntered(WHITE, 10), "three periods of nothing: {effects:?}");
    assert_eq!(effects.len(), 13);
}

#[test]
fn a_corrupt_state_is_played_to_its_end() {
    for bonus in [Bonus::None, Bonus::ByoYomi { periods: 10, ms: 1 }, Bonus::Canadian { moves: u16::MAX, ms: 1 }] {
        let clock = started(&[MINUTE, MINUTE, all(1, bonus)], |_| ());
        let full = BySide::both(u64::MAX);
        let corrupt = State {
            remaining_ticks: full,
            delay_ticks: full,
            turn_ticks: u64::MAX,
            moves: BySide::both(u16::MAX),
            period: BySide::both(u8::MAX),
            overtime: BySide::both(u16::MAX),
            ..*clock.state()
        };
        let mut clock = Clock::restore(clock.setup(), clock.rate(), DeviceTime::ZERO, &corrupt);
        for input in [Input::Press(WHITE), Input::SetPeriod { side: BLACK, period: 0 }, Input::Swap, Input::Read] {
            step(&mut clock, 1_000 * S, input);
            step(&mut clock, u64::MAX, input);
        }
    }
}

#[test]
fn a_zero_beyond_the_end_of_device_time_never_comes() {
    let mut clock = started(&[MINUTE], |_| ());
    step(&mut clock, S, Input::SetTime { side: WHITE, left_ms: u64::MAX });
    assert_eq!((left(&clock).white, deadline(&clock)), (u64::MAX, None));
    assert_eq!(step(&mut clock, u64::MAX, Input::Read), [Effect::Read]);
    assert_eq!(left(&clock).white, S, "it ran all the same");
}

#[test]
fn the_last_tick_of_device_time_can_be_the_flag() {
    for (late, expected) in [(1, None), (0, Some(u64::MAX))] {
        let mut clock = clock(&[MINUTE], |_| ());
        arbiter(&mut clock, u64::MAX - 60 * S + late);
        assert_eq!(deadline(&clock), expected);
        let fell = wake(&mut clock, u64::MAX);
        assert_eq!(fell.len(), usize::from(expected.is_some()));
    }
}

#[test]
fn times_beyond_all_bounds_are_held() {
    let opening = Opening { left_ms: Some(u64::MAX), moves: u16::MAX, period: Some(u8::MAX) };
    let bonuses = [
        Bonus::None,
        Bonus::Increment { ms: 3_600_000 },
        Bonus::Delay { ms: 3_600_000 },
        Bonus::Bronstein { ms: 3_600_000 },
        Bonus::Hourglass,
        Bonus::PerMove,
        Bonus::CountUp,
    ];
    for bonus in bonuses {
        let mut setup = Setup::new(control(&[Period::all_moves(360_000_000, bonus)]));
        setup.opening = BySide::both(opening);
        let mut clock = Clock::new(&setup, TickRate::new(1_000_000_000).expect("in range"));
        for (ticks, input) in [(0, Input::ArbiterButton), (5, Input::Press(WHITE)), (u64::MAX, Input::Press(BLACK))] {
            step(&mut clock, ticks, input);
        }
    }
}

#[test]
fn saved_time_beyond_all_bounds_is_held() {
    for control_periods in [[FIRST_MOVE, MINUTE], [MINUTE, MINUTE]] {
        let mut clock = started(&control_periods, |_| ());
        for side in Side::ALL {
            step(&mut clock, 0, Input::SetTime { side, left_ms: u64::MAX });
        }
        press(&mut clock, 0, WHITE);
        step(&mut clock, 0, Input::SetTime { side: BLACK, left_ms: 1 });
        wake(&mut clock, 1_000 * S);
        assert_eq!(left(&clock).white, u64::MAX);
    }
}
