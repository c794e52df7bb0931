//! The core and the slow clock tell the same story of every game.

use flagfall_core::{Clock, DeviceTime, Happening, Input, Side};
use proptest::prelude::*;

use crate::cases;
use crate::game::{Deed, Game, Step, When, Who, game};
use crate::slow::SlowClock;

/// No zero of a random game is farther away, in ticks.
const HORIZON: u64 = 60_000;

fn instant(slow: &SlowClock, when: When) -> u64 {
    let beside = |tick: u64, beside: i8| tick.saturating_add_signed(i64::from(beside));
    match when {
        When::After(ticks) => slow.now() + u64::from(ticks),
        When::Back(ticks) => slow.now().saturating_sub(u64::from(ticks)),
        When::Zero(ticks) => slow.next_zero(HORIZON).map_or(slow.now() + 3, |zero| beside(zero, ticks)),
        When::DelayEnd(ticks) => beside(slow.now() + slow.delay_left(), ticks),
        When::Zeros(zeros) => {
            let mut ahead = slow.clone();
            for _ in 0..zeros {
                let Some(zero) = ahead.next_zero(HORIZON) else { break };
                ahead.step(zero, Input::Wake);
            }
            ahead.now()
        }
    }
}

fn input(slow: &SlowClock, deed: Deed) -> Input {
    let on_move = slow.on_move().unwrap_or(Side::White);
    match deed {
        Deed::Press(Who::OnMove) => Input::Press(on_move),
        Deed::Press(Who::NotOnMove) => Input::Press(on_move.other()),
        Deed::Do(input) => input,
        Deed::Restart => Input::Wake,
    }
}

/// The story of a step as one reads it beside another.
fn story(happenings: &[Happening]) -> String {
    let line =
        |happening: &Happening| format!("    {} {:?} {:?}", happening.at.ticks(), happening.effect, happening.state);
    happenings.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn same_step(core: &mut Clock, slow: &mut SlowClock, step: Step) -> Result<(), TestCaseError> {
    let at = instant(slow, step.when);
    let input = input(slow, step.deed);
    let told: Vec<Happening> = core.step(DeviceTime::from_ticks(at), input).iter().copied().collect();
    let expected = slow.step(at, input);
    prop_assert!(
        told == expected,
        "{step:?}, which is {input:?} at tick {at}\n  the core:\n{}\n  the slow clock:\n{}",
        story(&told),
        story(&expected)
    );
    prop_assert_eq!(*core.state(), slow.state(), "after {:?}, which is {:?} at tick {}", step, input, at);
    let zero = slow.next_zero(HORIZON);
    prop_assert_eq!(core.next_deadline().map(DeviceTime::ticks), zero, "the next zero after {:?} at tick {}", step, at);
    if matches!(step.deed, Deed::Restart) {
        *core = Clock::restore(core.setup(), core.rate(), DeviceTime::from_ticks(slow.now()), core.state());
        slow.restart();
    }
    Ok(())
}

fn same_story(game: &Game) -> Result<(), TestCaseError> {
    let mut core = Clock::new(&game.setup, game.rate);
    let mut slow = SlowClock::new(&game.setup, game.rate);
    prop_assert_eq!(*core.state(), slow.state(), "before the start");
    for step in &game.steps {
        same_step(&mut core, &mut slow, *step)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn the_core_does_what_a_clock_does_that_lives_tick_by_tick(game in game()) {
        same_story(&game)?;
    }
}
