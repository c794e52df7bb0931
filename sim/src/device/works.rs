//! What a device reckons: the core's clock, and the faults that make it count wrong.
//!
//! The clock is never rewritten. Where time runs off for both sides, a second clock that stands in the same place and
//! runs the idle side reckons that side's part; where none runs, the clock goes on from a later tick; what is credited
//! or rounded wrongly is corrected right after the step.

use super::take_one;
use flagfall_core::{
    Bonus, BySide, Clock, DeviceTime, Effect, Effects, Happening, Input, Phase, Setup, Side, State, TickRate,
};

/// The reckoning of a device.
#[derive(Clone, Debug)]
pub(super) struct Works {
    clock: Clock,
    now: DeviceTime,
    /// How many faults let both sides run at this moment, and how many let none; where both kinds overlap, none runs.
    pub(super) both_run: u32,
    pub(super) none_runs: u32,
    pub(super) lost_bonuses: BySide<u32>,
    pub(super) double_bonuses: BySide<u32>,
    /// The unit to which each switch rounds down, in nanoseconds.
    rounding_ns: Option<u64>,
}

impl Works {
    pub(super) fn new(setup: &Setup, rate: TickRate) -> Self {
        Self {
            clock: Clock::new(setup, rate),
            now: DeviceTime::ZERO,
            both_run: 0,
            none_runs: 0,
            lost_bonuses: BySide::both(0),
            double_bonuses: BySide::both(0),
            rounding_ns: None,
        }
    }

    pub(super) const fn state(&self) -> &State {
        self.clock.state()
    }

    pub(super) const fn setup(&self) -> &Setup {
        self.clock.setup()
    }

    pub(super) const fn rate(&self) -> TickRate {
        self.clock.rate()
    }

    /// When the running side of sound works reaches zero.
    pub(super) fn next_deadline(&self) -> Option<DeviceTime> {
        self.clock.next_deadline()
    }

    /// Each switch rounds down to a unit from now on; a unit of nothing rounds nothing.
    pub(super) fn round_to(&mut self, unit_ns: i64) {
        self.rounding_ns = u64::try_from(unit_ns).ok().filter(|unit| *unit > 0);
    }

    /// The latest tick that has been reckoned with.
    pub(super) const fn now(&self) -> DeviceTime {
        self.now
    }

    /// Puts another clock in the place of this one; what is wrong with the works stays.
    pub(super) fn restart(&mut self, setup: &Setup, at: DeviceTime, state: &State) {
        self.clock = Clock::restore(setup, self.clock.rate(), at, state);
        self.now = at;
    }

    /// Lets the clock go on from another state.
    fn put(&mut self, at: DeviceTime, state: &State) {
        self.clock = Clock::restore(self.clock.setup(), self.clock.rate(), at, state);
        self.now = at;
    }

    /// A step of works without any fault.
    pub(super) fn step_soundly(&mut self, at: DeviceTime, input: Input, effects: &mut Effects) {
        self.now = self.now.max(at);
        self.clock.step_into(at, input, effects);
    }

    /// Lets time pass up to `at`, then applies `input`, with all that is wrong.
    pub(super) fn step(&mut self, at: DeviceTime, input: Input) -> Vec<Happening> {
        let mut happened = Vec::new();
        let until = at.max(self.now);
        if self.stands() {
            self.pass_without_charge(until);
        } else if self.both_run > 0 {
            self.run_both(until, &mut happened);
        }
        self.step_clock(at, input, &mut happened);
        happened
    }

    /// When each side will have used up what it has, as far as it runs off.
    pub(super) fn zeros_ahead(&self) -> BySide<Option<DeviceTime>> {
        let mut zeros = BySide::both(None);
        if let Phase::Running(running) = self.state().phase {
            // Nothing runs off of a side that stands, but what is used up already is used up.
            zeros[running] = self.clock.next_deadline().filter(|zero| !self.stands() || *zero <= self.now);
            if self.both_run > 0 && !self.stands() {
                zeros[running.other()] = self.idle_clock(running, self.now).next_deadline();
            }
        }
        zeros
    }

    /// Whether the flag of this side will fall for good when it reaches zero at this tick, and not open more time.
    pub(super) fn falls_at(&self, side: Side, zero: DeviceTime) -> bool {
        let falls = |happening: &Happening| matches!(happening.effect, Effect::FlagFell(fallen, _) if fallen == side);
        self.clone().step(zero, Input::Wake).iter().any(falls)
    }

    /// Whether no side's time changes although one runs.
    ///
    /// On an hourglass each side gains what the other loses, so that two that run stand.
    fn stands(&self) -> bool {
        let state = self.state();
        let hourglass =
            |(side, period): (Side, &u8)| self.setup().control[side].period(*period).bonus == Bonus::Hourglass;
        self.none_runs > 0 || (self.both_run > 0 && state.period.iter().any(hourglass))
    }

    fn pass_without_charge(&mut self, until: DeviceTime) {
        if until > self.now && matches!(self.state().phase, Phase::Running(_)) {
            let state = *self.state();
            self.put(until, &state);
        }
    }

    /// Lets both sides' times run off up to `until`; what is left for the caller's own step is the running side's part
    /// of the last stretch, so that an input at `until` meets it in the right order.
    fn run_both(&mut self, until: DeviceTime, happened: &mut Vec<Happening>) {
        while let Phase::Running(running) = self.state().phase {
            let zero = |zero: Option<DeviceTime>| zero.unwrap_or(until).min(until);
            let from = self.now;
            let idle_zero = self.idle_clock(running, from).next_deadline();
            let next = zero(self.clock.next_deadline()).min(zero(idle_zero));
            if next == until && idle_zero.is_none_or(|zero| zero > until) {
                let mut idle = self.idle_clock(running, from);
                idle.step(until, Input::Wake);
                if until > from {
                    let mut state = *self.state();
                    state.remaining_ticks[running.other()] = idle.state().remaining_ticks[running.other()];
                    self.put(from, &state);
                }
                return;
            }
            let already = happened.len();
            self.step_clock(next, Input::Wake, happened);
            self.step_idle(running, from, next, happened);
            for happening in &mut happened[already..] {
                if let Effect::FlagFell(_, late) = &mut happening.effect {
                    *late = until.ticks_since(happening.at);
                }
            }
        }
    }

    /// A clock in this one's place that runs the side that does not, and so has no delay.
    fn idle_clock(&self, running: Side, from: DeviceTime) -> Clock {
        let mut state = *self.state();
        state.phase = Phase::Running(running.other());
        Clock::restore(self.setup(), self.clock.rate(), from, &state)
    }

    fn step_idle(&mut self, running: Side, from: DeviceTime, to: DeviceTime, happened: &mut Vec<Happening>) {
        let before = *self.state();
        let mut idle = self.idle_clock(running, from);
        let effects = idle.step(to, Input::Wake);
        let as_of_this_clock = |mut state: State| {
            state.phase = match state.phase {
                Phase::Frozen(_) => Phase::Frozen(running),
                _ => before.phase,
            };
            state.turn_ticks = before.turn_ticks;
            state
        };
        self.put(to, &as_of_this_clock(*idle.state()));
        let effects =
            effects.iter().map(|happening| Happening { state: as_of_this_clock(happening.state), ..*happening });
        self.keep(effects, happened);
    }

    fn step_clock(&mut self, at: DeviceTime, input: Input, happened: &mut Vec<Happening>) {
        self.now = self.now.max(at);
        let effects = self.clock.step(at, input);
        self.keep(effects.iter().copied(), happened);
    }

    /// Keeps what happened, with bonuses and switches as they are wrong.
    fn keep(&mut self, effects: impl Iterator<Item = Happening>, happened: &mut Vec<Happening>) {
        let mut extra = BySide::both(0_i128);
        for mut happening in effects {
            let sound = happening.state.remaining_ticks;
            happening.state.remaining_ticks = BySide::from_fn(|side| shifted(sound[side], extra[side]));
            match happening.effect {
                // A period that a correction enters adds nothing, and comes after no credit.
                Effect::PeriodEntered(side, index) if extra[side] != 0 => {
                    let left = &mut happening.state.remaining_ticks[side];
                    *left = self.carried_over(side, index, sound[side], *left);
                    extra[side] = i128::from(*left) - i128::from(sound[side]);
                }
                Effect::Credited(side, ticks) if take_one(&mut self.lost_bonuses[side]) => {
                    extra[side] -= i128::from(ticks);
                    continue;
                }
                Effect::Credited(side, ticks) if take_one(&mut self.double_bonuses[side]) => {
                    happened.push(happening);
                    extra[side] += i128::from(ticks);
                    happening.state.remaining_ticks[side] += ticks;
                }
                Effect::Switched(to) => {
                    let stopped = to.other();
                    let left = &mut happening.state.remaining_ticks[stopped];
                    let rounded = self.rounding_ns.map_or(*left, |unit| rounded_down(*left, unit, self.clock.rate()));
                    extra[stopped] -= i128::from(*left - rounded);
                    *left = rounded;
                }
                _ => {}
            }
            happened.push(happening);
        }
        if extra != BySide::both(0) {
            let mut state = *self.state();
            let sound = state.remaining_ticks;
            state.remaining_ticks = BySide::from_fn(|side| shifted(sound[side], extra[side]));
            self.put(self.now, &state);
        }
    }

    /// What a side has in a period that it enters with `wrong` instead of `sound` ticks: where time is not carried over,
    /// what was wrong before is of no consequence, and nobody enters with less than the base.
    fn carried_over(&self, side: Side, index: u8, sound: u64, wrong: u64) -> u64 {
        let base = self.clock.rate().ticks_from_ms(self.setup().control[side].period(index).base_ms);
        if self.setup().carry_over { wrong.max(base) } else { sound }
    }
}

fn shifted(ticks: u64, by: i128) -> u64 {
    u64::try_from((i128::from(ticks) + by).max(0)).unwrap_or(u64::MAX)
}

/// The ticks that cover the whole units of `unit_ns` in `ticks`.
fn rounded_down(ticks: u64, unit_ns: u64, rate: TickRate) -> u64 {
    let (hz, unit_ns) = (u128::from(rate.hz()), u128::from(unit_ns));
    let units = u128::from(ticks) * 1_000_000_000 / (hz * unit_ns);
    u64::try_from((units * unit_ns * hz).div_ceil(1_000_000_000)).unwrap_or(ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_whole_units_at_any_tick_rate() {
        let crystal = TickRate::new(32_768).expect("in range");
        assert_eq!(rounded_down(3_999_999, 1_000_000_000, TickRate::MHZ), 3_000_000);
        assert_eq!(rounded_down(3_000_000, 1_000_000_000, TickRate::MHZ), 3_000_000);
        // A tenth is 3276.8 ticks of a watch crystal.
        assert_eq!(rounded_down(6_553, 100_000_000, crystal), 3_277);
        assert_eq!(rounded_down(6_554, 100_000_000, crystal), 6_554);
        assert_eq!(rounded_down(3_276, 100_000_000, crystal), 0);
    }
}
