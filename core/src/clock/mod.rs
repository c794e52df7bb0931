//! The sans-IO clock: `step(at, input)` lets time pass up to `at`, applies the input and returns what happened.
//!
//! Read FIDE Laws 6.1 (one side runs at most), 6.2 (press), 6.3 (periods, delay), 6.10 and 6.12 (corrections, stopping)
//! and the requirements (a) to (l) for electronic clocks first.
//!
//! Decisions at the edges, all visible to players; what a setting changes stands in [`crate::setup`]:
//! - exactly zero is fallen, and a press in the tick of the flag comes after it;
//! - zero is reached at its deadline however late the clock is stepped;
//! - a fallen side is credited nothing by its presses (requirement (i)), until the arbiter corrects its time;
//! - the delay left when the clock is paused is what is left when it goes on;
//! - a press by the side that does not run, or while the clock is stopped, changes nothing and is told;
//! - time that goes back is held: nothing is undone, and the step says so.

mod correction;
mod event;
mod turn;

pub use event::{Effect, Effects, Happening, IgnoredBecause, Input, Phase, State};

use correction::Correction;
use turn::Entry;

use crate::period::Bonus;
use crate::setup::{AtZero, SameTick, Setup, Zero};
use crate::side::{BySide, Side};
use crate::time::{DeviceTime, TickRate};

/// A chess clock with two sides.
#[derive(Clone, Debug)]
pub struct Clock {
    setup: Setup,
    rate: TickRate,
    now: DeviceTime,
    state: State,
    last_correction: Option<Correction>,
}

impl Clock {
    /// A clock set up and waiting, at device time zero.
    #[must_use]
    pub fn new(setup: &Setup, rate: TickRate) -> Self {
        let moves = BySide::from_fn(|side| setup.opening[side].moves);
        let period = BySide::from_fn(|side| {
            let control = &setup.control[side];
            setup.opening[side].period.unwrap_or(control.period_after(moves[side])).min(control.last())
        });
        let state = State {
            phase: Phase::Ready,
            remaining_ticks: BySide::both(0),
            delay_ticks: BySide::both(0),
            turn_ticks: 0,
            moves,
            period,
            overtime: BySide::both(0),
            fallen: BySide::both(false),
            first_fallen: None,
            battery_low: false,
        };
        let mut clock = Self { setup: *setup, rate, now: DeviceTime::ZERO, state, last_correction: None };
        for side in Side::ALL {
            clock.state.remaining_ticks[side] = match setup.opening[side].left_ms {
                Some(ms) => rate.ticks_from_ms(ms),
                None => {
                    let period = setup.control[side].period(period[side]);
                    rate.ticks_from_ms(period.base_ms).saturating_add(clock.lent_ticks(period.bonus))
                }
            };
        }
        clock
    }

    /// A clock that goes on from a state that was kept, with `at` as its device time.
    ///
    /// `setup` is what [`Clock::setup`] said then, with the controls on the sides on which they stood. A correction made
    /// before cannot be taken back any more. What no clock of that setup can have counted (memory lost its contents) is
    /// held at its limit: the last period, all of its overtime.
    #[must_use]
    pub fn restore(setup: &Setup, rate: TickRate, at: DeviceTime, state: &State) -> Self {
        let mut clock = Self { setup: *setup, rate, now: at, state: *state, last_correction: None };
        clock.hold_at_limits();
        clock
    }

    /// The same without a second clock, for which a small device has no room: setup and rate are those that it has, with its
    /// controls on the other sides if the colours were changed.
    pub(crate) fn go_on_from(&mut self, at: DeviceTime, state: &State, is_swapped: bool) {
        if is_swapped {
            let BySide { white, black } = &mut self.setup.control;
            core::mem::swap(white, black);
        }
        (self.now, self.state, self.last_correction) = (at, *state, None);
        self.hold_at_limits();
    }

    fn hold_at_limits(&mut self) {
        let Self { setup, state, .. } = self;
        for side in Side::ALL {
            state.period[side] = state.period[side].min(setup.control[side].last());
            let overtime_max = match setup.control[side].period(state.period[side]).bonus {
                Bonus::ByoYomi { periods, .. } => u16::from(periods),
                Bonus::Canadian { moves, .. } => moves,
                _ => 0,
            };
            state.overtime[side] = state.overtime[side].min(overtime_max);
        }
    }

    /// What can be read off the clock as of the last step.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What it is set to; the controls change sides with the colours.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The rate of its time base.
    #[must_use]
    pub const fn rate(&self) -> TickRate {
        self.rate
    }

    /// When the running side will have used up what it has (and a flag will fall, or its next time begin) if nothing
    /// happens before.
    #[must_use]
    pub fn next_deadline(&self) -> Option<DeviceTime> {
        self.zero_ahead().map(|(_, deadline)| deadline)
    }

    /// Lets time pass up to `at`, then applies `input`.
    ///
    /// Every zero that is not after `at` is reached first, dated at its deadline. If `at` lies before the last step it
    /// is taken at the time of that step and [`Effect::WentBack`] comes first.
    pub fn step(&mut self, at: DeviceTime, input: Input) -> Effects {
        let mut effects = Effects::default();
        self.step_into(at, input, &mut effects);
        effects
    }

    /// The same into a list that is there already, whatever stood in it: a small device has no room for two.
    pub fn step_into(&mut self, at: DeviceTime, input: Input, effects: &mut Effects) {
        effects.clear();
        if at < self.now {
            self.note(effects, Effect::WentBack(self.now.ticks_since(at)));
        }
        self.advance(at.max(self.now), input, effects);
        if !matches!(input, Input::Read | Input::Wake | Input::Undo) {
            self.last_correction = None;
        }
        match input {
            Input::Press(side) => self.press(side, effects),
            Input::ArbiterButton => self.arbiter_button(effects),
            Input::SetTime { side, left_ms } => self.set_time(side, left_ms, effects),
            Input::SetCounter { side, moves } => self.set_counter(side, moves, effects),
            Input::SetPeriod { side, period } => self.set_period(side, period, effects),
            Input::Swap => self.swap(effects),
            Input::Undo => self.undo(effects),
            Input::Battery { low } => {
                self.state.battery_low = low;
                self.note(effects, Effect::Battery(low));
            }
            Input::Read => self.note(effects, Effect::Read),
            Input::Wake => {}
        }
    }

    fn note(&self, effects: &mut Effects, effect: Effect) {
        effects.push(Happening { at: self.now, effect, state: self.state });
    }

    fn bonus(&self, side: Side) -> Bonus {
        self.setup.control[side].period(self.state.period[side]).bonus
    }

    fn ticks(&self, ms: u32) -> u64 {
        self.rate.ticks_from_ms(u64::from(ms))
    }

    /// The running side and when it reaches zero, if it can.
    fn zero_ahead(&self) -> Option<(Side, DeviceTime)> {
        let Phase::Running(side) = self.state.phase else { return None };
        if self.state.fallen[side] || self.bonus(side) == Bonus::CountUp {
            return None;
        }
        let left = self.state.delay_ticks[side].checked_add(self.state.remaining_ticks[side])?;
        let grace = match self.setup.zero {
            Zero::Fallen => 0,
            Zero::Alive => 1,
        };
        // Beyond the end of device time there is no zero.
        Some((side, self.now.checked_after(left.checked_add(grace)?)?))
    }

    fn advance(&mut self, at: DeviceTime, input: Input, effects: &mut Effects) {
        while let Some((side, deadline)) = self.zero_ahead() {
            let press_first = self.setup.same_tick == SameTick::PressFirst && input == Input::Press(side);
            if deadline > at || (deadline == at && press_first) {
                break;
            }
            self.run_off(deadline);
            self.reach_zero(side, at.ticks_since(deadline), effects);
        }
        self.run_off(at);
    }

    /// Charges the running side for the time up to `at`, which is not after its deadline.
    fn run_off(&mut self, at: DeviceTime) {
        let passed = at.ticks_since(self.now);
        self.now = at;
        let Phase::Running(side) = self.state.phase else { return };
        if passed == 0 {
            return;
        }
        self.last_correction = None;
        self.state.turn_ticks = self.state.turn_ticks.saturating_add(passed);
        let from_delay = passed.min(self.state.delay_ticks[side]);
        self.state.delay_ticks[side] -= from_delay;
        let bonus = self.bonus(side);
        let left = &mut self.state.remaining_ticks;
        if bonus == Bonus::CountUp {
            left[side] = left[side].saturating_add(passed);
            return;
        }
        let charged = (passed - from_delay).min(left[side]);
        left[side] -= charged;
        if bonus == Bonus::Hourglass && !self.state.fallen[side.other()] {
            left[side.other()] = left[side.other()].saturating_add(charged);
        }
    }

    /// What happens when a running side has used up what it had.
    fn reach_zero(&mut self, side: Side, noticed_late: u64, effects: &mut Effects) {
        let control = &self.setup.control[side];
        if let Some((left, ms)) = self.next_overtime(side) {
            self.state.overtime[side] = left;
            self.state.remaining_ticks[side] = self.ticks(ms);
            self.note(effects, Effect::OvertimeEntered(side, left));
        } else if control.is_driven_by_time() && self.state.period[side] < control.last() {
            self.open_next_period(side, noticed_late, effects);
        } else {
            self.fall(side, noticed_late, effects);
        }
    }

    /// The byo-yomi period or Canadian stage that follows at zero: what is left of it then, and its milliseconds.
    fn next_overtime(&self, side: Side) -> Option<(u16, u32)> {
        match (self.bonus(side), self.state.overtime[side]) {
            (Bonus::ByoYomi { periods, ms }, 0) => Some((u16::from(periods), ms)),
            (Bonus::ByoYomi { ms, .. }, left) if left > 1 => Some((left - 1, ms)),
            (Bonus::Canadian { moves, ms }, 0) => Some((moves, ms)),
            _ => None,
        }
    }

    /// In a control driven by time the side that reaches zero opens the next period for both: its flag is down for a
    /// moment, and the sign keeps that it was the first.
    fn open_next_period(&mut self, side: Side, noticed_late: u64, effects: &mut Effects) {
        let other = side.other();
        self.flag_down(side);
        self.note(effects, Effect::FlagFell(side, noticed_late));
        self.state.fallen[side] = false;
        self.enter(side, self.state.period[side] + 1, Entry::Running, effects);
        let control = &self.setup.control[other];
        // A flag that the arbiter let fall stays down, whatever the other side opens.
        if control.is_driven_by_time() && self.state.period[other] < control.last() && !self.state.fallen[other] {
            self.enter(other, self.state.period[other] + 1, Entry::Idle, effects);
        }
    }

    fn flag_down(&mut self, side: Side) {
        self.state.fallen[side] = true;
        if !self.state.fallen[side.other()] {
            self.state.first_fallen = Some(side);
        }
    }

    fn fall(&mut self, side: Side, noticed_late: u64, effects: &mut Effects) {
        self.flag_down(side);
        if self.setup.at_zero == AtZero::Freeze
            && let Phase::Running(side) | Phase::Paused(side) = self.state.phase
        {
            self.state.phase = Phase::Frozen(side);
        }
        self.note(effects, Effect::FlagFell(side, noticed_late));
    }

    fn arbiter_button(&mut self, effects: &mut Effects) {
        self.note(effects, Effect::ArbiterPressed);
        let flag_down = self.state.fallen.white || self.state.fallen.black;
        let effect = match self.state.phase {
            // A clock that freezes at zero does not start with a flag that the arbiter has let fall.
            Phase::Ready if flag_down && self.setup.at_zero == AtZero::Freeze => {
                Effect::Ignored(None, IgnoredBecause::Frozen)
            }
            Phase::Ready => {
                self.run(self.setup.first);
                Effect::Started(self.setup.first)
            }
            Phase::Running(side) => {
                self.state.phase = Phase::Paused(side);
                Effect::Paused(side)
            }
            Phase::Paused(side) => {
                self.state.phase = Phase::Running(side);
                Effect::Resumed(side)
            }
            Phase::Frozen(_) => Effect::Ignored(None, IgnoredBecause::Frozen),
        };
        self.note(effects, effect);
    }
}
