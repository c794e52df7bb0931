//! The clock at its edges, each test named after what a player or an arbiter would notice.

mod bonuses;
mod corrections;
mod flags;
mod limits;
mod modes;
mod odds;
mod periods;
mod presses;
mod setting;
mod states;

use flagfall_core::{Bonus, BySide, Clock, DeviceTime, Effect, Happening, Input, Period, Setup, Side, TickRate};
use flagfall_core::{Opening, TimeControl};

/// A second in ticks of the clock on this table.
const S: u64 = 1_000_000;

const WHITE: Side = Side::White;
const BLACK: Side = Side::Black;

/// A minute for all moves.
const MINUTE: Period = Period::all_moves(60_000, Bonus::None);

/// A minute for the first move.
const FIRST_MOVE: Period = Period::of_moves(1, 60_000, Bonus::None);

fn all(base_s: u64, bonus: Bonus) -> Period {
    Period::all_moves(base_s * 1_000, bonus)
}

fn control(periods: &[Period]) -> TimeControl {
    TimeControl::new(periods).expect("a control")
}

fn clock(periods: &[Period], change: impl FnOnce(&mut Setup)) -> Clock {
    let mut setup = Setup::new(control(periods));
    change(&mut setup);
    Clock::new(&setup, TickRate::MHZ)
}

fn started(periods: &[Period], change: impl FnOnce(&mut Setup)) -> Clock {
    let mut clock = clock(periods, change);
    let first = clock.setup().first;
    assert_eq!(step(&mut clock, 0, Input::ArbiterButton), [Effect::ArbiterPressed, Effect::Started(first)]);
    clock
}

fn happenings(clock: &mut Clock, ticks: u64, input: Input) -> Vec<Happening> {
    clock.step(DeviceTime::from_ticks(ticks), input).iter().copied().collect()
}

fn step(clock: &mut Clock, ticks: u64, input: Input) -> Vec<Effect> {
    happenings(clock, ticks, input).iter().map(|happening| happening.effect).collect()
}

fn press(clock: &mut Clock, ticks: u64, side: Side) -> Vec<Effect> {
    step(clock, ticks, Input::Press(side))
}

fn arbiter(clock: &mut Clock, ticks: u64) -> Vec<Effect> {
    step(clock, ticks, Input::ArbiterButton)
}

fn wake(clock: &mut Clock, ticks: u64) -> Vec<Effect> {
    step(clock, ticks, Input::Wake)
}

fn left(clock: &Clock) -> BySide<u64> {
    clock.state().remaining_ticks
}

fn deadline(clock: &Clock) -> Option<u64> {
    clock.next_deadline().map(DeviceTime::ticks)
}

fn opening(left_s: u64, moves: u16) -> Opening {
    Opening { left_ms: Some(left_s * 1_000), moves, period: None }
}
