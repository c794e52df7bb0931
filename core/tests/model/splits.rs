//! How often a clock is looked at changes nothing of what it does.

use flagfall_core::{Clock, DeviceTime, Effect, Happening, Input, SameTick, Side, TickRate};
use proptest::prelude::*;

use crate::cases;
use crate::game::{Deed, Game, When, Who, real_game};

/// What a step told, without how late the clock was with it.
fn told(clock: &mut Clock, at: u64, input: Input) -> Vec<Happening> {
    let at = DeviceTime::from_ticks(at);
    let punctual = |happening: &Happening| match happening.effect {
        Effect::FlagFell(side, _) => Happening { effect: Effect::FlagFell(side, 0), ..*happening },
        _ => *happening,
    };
    clock.step(at, input).iter().map(punctual).collect()
}

/// Plays a game on a clock that is looked at when something is done, and on one that is looked at in between as well.
fn same_however_often_looked_at(game: &Game, looks: &[u64]) -> Result<(), TestCaseError> {
    let mut seldom = Clock::new(&game.setup, game.rate);
    let mut often = Clock::new(&game.setup, game.rate);
    let (mut now, mut looks) = (0_u64, looks.iter().cycle());
    for step in &game.steps {
        let deadline = seldom.next_deadline().map(DeviceTime::ticks);
        let at = match step.when {
            When::After(ticks) => now + u64::from(ticks) * u64::from(game.rate.hz()) / 7,
            When::Zero(beside) => deadline.unwrap_or(now + 1).saturating_add_signed(beside.into()),
            When::DelayEnd(beside) => {
                let state = seldom.state();
                let delay = state.phase.side().map_or(0, |side| state.delay_ticks[side]);
                (now + delay).saturating_add_signed(beside.into())
            }
            When::Zeros(zeros) => deadline.unwrap_or(now) + u64::from(zeros) * 60 * u64::from(game.rate.hz()),
            When::Back(ticks) => now.saturating_sub(ticks.into()),
        };
        let on_move = seldom.state().phase.side().unwrap_or(Side::White);
        let input = match step.deed {
            Deed::Press(Who::OnMove) => Input::Press(on_move),
            Deed::Press(Who::NotOnMove) => Input::Press(on_move.other()),
            Deed::Do(input) => input,
            Deed::Restart => Input::Wake,
        };
        let expected = told(&mut seldom, at, input);
        let mut found = Vec::new();
        // A look in the tick of the press would let the flag come before it.
        let last_look = if game.setup.same_tick == SameTick::FlagFirst { at } else { at.saturating_sub(1) };
        for look in looks.by_ref().take(3) {
            if let Some(span) = last_look.checked_sub(now).filter(|_| at > now) {
                let from = often.next_deadline().map_or(now, DeviceTime::ticks);
                let look = if look % 2 == 0 { now + look % (span + 1) } else { from.clamp(now, last_look) };
                found.extend(told(&mut often, look.max(now), Input::Wake));
                now = now.max(look);
            }
        }
        found.extend(told(&mut often, at, input));
        now = now.max(at);
        prop_assert_eq!(found, expected, "{:?}, which is {:?} at tick {}", step, input, at);
        prop_assert_eq!(seldom.state(), often.state());
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_clock_does_the_same_however_often_it_is_looked_at(
        game in real_game(),
        looks in proptest::collection::vec(any::<u64>(), 1..8),
    ) {
        same_however_often_looked_at(&game, &looks)?;
    }

    #[test]
    fn no_time_and_no_leap_in_time_is_too_much(game in real_game(), any_numbers in proptest::collection::vec(any::<u64>(), 1..8)) {
        let mut clock = Clock::new(&game.setup, TickRate::new(1_000_000_000).expect("in range"));
        let mut at = 0_u64;
        for (step, any_number) in game.steps.iter().zip(any_numbers.iter().cycle()) {
            let side = if any_number % 2 == 0 { Side::White } else { Side::Black };
            let input = match step.deed {
                Deed::Do(Input::SetTime { .. }) => Input::SetTime { side, left_ms: *any_number },
                Deed::Do(input) => input,
                Deed::Press(_) | Deed::Restart => Input::Press(side),
            };
            at = at.saturating_add(any_number >> (any_number % 64));
            clock.step(DeviceTime::from_ticks(at), input);
        }
    }
}
