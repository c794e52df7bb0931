//! The time base of a simulated device: which tick it shows at an instant of true time, and when it reaches a tick.
//!
//! The position is kept in 1e-21 of a tick, so that a change of rate loses no phase and every result is exact:
//! `position(t) = position(t0) + (t - t0) * hz * (1e12 + ppt)` with `t` in nanoseconds. 100 hours at 1 GHz stay below
//! 2^119; [`Oscillator::horizon`] says how far the arithmetic reaches.

use std::num::NonZeroU32;

use flagfall_core::{DeviceTime, TickRate, TrueTime};
use flagfall_trace::oscillator::PPT_MAX;

const PER_TICK: i128 = 1_000_000_000_000_000_000_000;
const PPT: i128 = 1_000_000_000_000;

/// A time base, exact or off by some parts per trillion, that can be stopped, jump and change its rate.
#[derive(Clone, Debug)]
pub struct Oscillator {
    rate: TickRate,
    quantum: u64,
    since: TrueTime,
    position: i128,
    ppt: i64,
    stopped: bool,
    /// While ticks are being lost, the one that is shown.
    held: u64,
}

impl Oscillator {
    /// A time base that shows tick zero at the beginning, is fast by `ppt`, held within [`PPT_MAX`], and shows multiples
    /// of `quantum` only.
    #[must_use]
    pub fn new(rate: TickRate, ppt: i64, quantum: NonZeroU32) -> Self {
        Self {
            rate,
            quantum: u64::from(quantum.get()),
            since: TrueTime::ZERO,
            position: 0,
            ppt: ppt.clamp(-PPT_MAX, PPT_MAX),
            stopped: false,
            held: 0,
        }
    }

    /// The last instant that can be reckoned with: 1.8 years at 1 GHz, 292 years from 6 MHz down.
    #[must_use]
    pub fn horizon(rate: TickRate) -> TrueTime {
        let fastest_per_ns = i128::from(rate.hz()) * (PPT + i128::from(PPT_MAX));
        TrueTime::from_ns(i64::try_from(i128::MAX / 2 / fastest_per_ns).unwrap_or(i64::MAX))
    }

    fn per_ns(&self) -> i128 {
        if self.stopped { 0 } else { i128::from(self.rate.hz()) * (PPT + i128::from(self.ppt)) }
    }

    fn position_at(&self, at: TrueTime) -> i128 {
        let passed = i128::from(at.ns() - self.since.ns()).saturating_mul(self.per_ns());
        self.position.saturating_add(passed)
    }

    /// The tick shown at an instant not before the last change.
    #[must_use]
    pub fn tick_at(&self, at: TrueTime) -> DeviceTime {
        let tick = u64::try_from(self.position_at(at) / PER_TICK).unwrap_or(0);
        let shown = if self.quantum == 1 { tick } else { tick - tick % self.quantum };
        DeviceTime::from_ticks(shown.max(self.held))
    }

    /// The first nanosecond, not before `now`, at which this tick is shown or passed; `None` while it never will be.
    #[must_use]
    pub fn first_at(&self, tick: DeviceTime, now: TrueTime) -> Option<TrueTime> {
        let shown =
            if self.quantum == 1 { tick.ticks() } else { tick.ticks().checked_next_multiple_of(self.quantum)? };
        let missing = i128::from(shown).checked_mul(PER_TICK)?.saturating_sub(self.position_at(now));
        if missing <= 0 || tick.ticks() <= self.held {
            return Some(now);
        }
        let per_ns = self.per_ns();
        if per_ns == 0 {
            return None;
        }
        let ns = missing / per_ns + i128::from(missing % per_ns > 0);
        i64::try_from(ns).ok().and_then(|ns| now.checked_add_ns(ns))
    }

    /// Lets the time base stand still from `at` on, or run again.
    pub fn set_stopped(&mut self, at: TrueTime, stopped: bool) {
        self.settle(at);
        self.stopped = stopped;
    }

    /// Changes the rate from `at` on to `ppt` fast, held within [`PPT_MAX`].
    pub fn set_ppt(&mut self, at: TrueTime, ppt: i64) {
        self.settle(at);
        self.ppt = ppt.clamp(-PPT_MAX, PPT_MAX);
    }

    /// Moves the time base by so many nanoseconds of its own time at once; it never shows less than tick zero.
    pub fn jump(&mut self, at: TrueTime, by_ns: i64) {
        self.settle(at);
        self.held = 0;
        let by = i128::from(by_ns) * i128::from(self.rate.hz());
        self.position = self.position.saturating_add(by.saturating_mul(PPT)).max(0);
    }

    /// Counts so many ticks twice at once, or (negative) loses the next ones: it shows what it shows until they are over.
    pub fn miscount(&mut self, at: TrueTime, ticks: i64) {
        let shown = self.tick_at(at).ticks();
        self.settle(at);
        self.held = shown;
        self.position += i128::from(ticks) * PER_TICK;
    }

    fn settle(&mut self, at: TrueTime) {
        self.position = self.position_at(at);
        self.since = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(rate: TickRate) -> Oscillator {
        Oscillator::new(rate, 0, NonZeroU32::MIN)
    }

    const fn s(seconds: i64) -> TrueTime {
        TrueTime::from_ns(seconds * 1_000_000_000)
    }

    #[test]
    fn an_exact_oscillator_agrees_with_the_definition_of_a_tick() {
        for hz in [1, 32_768, 1_000_000, 999_983] {
            let rate = TickRate::new(hz).expect("in range");
            let exact = exact(rate);
            for tick in [0, 1, 2, 999, 1_000_003].map(DeviceTime::from_ticks) {
                let at = exact.first_at(tick, TrueTime::ZERO).expect("it runs");
                assert_eq!(at, rate.true_time_of(tick));
                assert_eq!(exact.tick_at(at), rate.tick_at(at));
            }
        }
    }

    #[test]
    fn twenty_ppm_are_half_a_second_in_seven_hours() {
        let fast = Oscillator::new(TickRate::MHZ, 20_000_000, NonZeroU32::MIN);
        assert_eq!(fast.tick_at(s(25_200)).ticks(), 25_200_504_000);
        let slow = Oscillator::new(TickRate::MHZ, -20_000_000, NonZeroU32::MIN);
        assert_eq!(slow.tick_at(s(25_200)).ticks(), 25_199_496_000);
    }

    #[test]
    fn a_stopped_time_base_reaches_nothing_until_it_runs_again() {
        let mut oscillator = exact(TickRate::MHZ);
        oscillator.set_stopped(s(10), true);
        assert_eq!(oscillator.tick_at(s(14)).ticks(), 10_000_000);
        assert_eq!(oscillator.first_at(DeviceTime::from_ticks(10_000_001), s(14)), None);
        oscillator.set_stopped(s(15), false);
        assert_eq!(oscillator.first_at(DeviceTime::from_ticks(11_000_000), s(15)), Some(s(16)));
    }

    #[test]
    fn a_change_of_rate_loses_no_phase() {
        let rate = TickRate::new(3).expect("in range");
        let mut oscillator = exact(rate);
        for ns in (0..1_000_000_000).step_by(1_000_003) {
            oscillator.set_ppt(TrueTime::from_ns(ns), 0);
        }
        assert_eq!(oscillator.tick_at(s(1)).ticks(), 3);
        assert_eq!(oscillator.tick_at(TrueTime::from_ns(999_999_999)).ticks(), 2);
    }

    #[test]
    fn a_tick_that_is_lost_is_not_shown_again_and_keeps_the_phase() {
        let rate = TickRate::new(3).expect("in range");
        let mut oscillator = exact(rate);
        let tick = |oscillator: &Oscillator, ms: i64| oscillator.tick_at(TrueTime::from_ns(ms * 1_000_000)).ticks();
        oscillator.miscount(TrueTime::from_ns(500_000_000), -2);
        let ticks = [500, 999, 1_333, 1_334, 1_667].map(|ms| tick(&oscillator, ms));
        assert_eq!(ticks, [1, 1, 1, 2, 3], "ticks 2 and 3 of an exact clock are lost");
        let first = |tick| oscillator.first_at(DeviceTime::from_ticks(tick), TrueTime::from_ns(500_000_000));
        assert_eq!(first(1), Some(TrueTime::from_ns(500_000_000)));
        assert_eq!(first(2), Some(TrueTime::from_ns(1_333_333_334)));
        oscillator.miscount(TrueTime::from_ns(1_700_000_000), 1);
        assert_eq!((tick(&oscillator, 1_700), tick(&oscillator, 2_000)), (4, 5));
    }

    #[test]
    fn before_the_first_tick_nothing_can_be_lost_but_the_ticks_to_come() {
        let mut oscillator = exact(TickRate::new(10).expect("in range"));
        oscillator.miscount(s(0), -2);
        let ticks = [0, 199, 299, 300].map(|ms| oscillator.tick_at(TrueTime::from_ns(ms * 1_000_000)).ticks());
        assert_eq!(ticks, [0, 0, 0, 1]);
    }

    #[test]
    fn a_jump_back_shows_again_what_was_held_while_ticks_were_lost() {
        let mut oscillator = exact(TickRate::MHZ);
        oscillator.miscount(s(5), -2_000_000);
        oscillator.jump(s(5), -1_000_000_000);
        assert_eq!(oscillator.tick_at(s(5)).ticks(), 2_000_000);
    }

    #[test]
    fn a_time_base_that_stands_has_reached_the_tick_that_it_shows() {
        let mut oscillator = exact(TickRate::MHZ);
        oscillator.set_stopped(s(10), true);
        assert_eq!(oscillator.first_at(DeviceTime::from_ticks(10_000_000), s(14)), Some(s(14)));
    }

    #[test]
    fn no_rate_is_beyond_the_limit() {
        for sign in [1, -1] {
            let limit = Oscillator::new(TickRate::MHZ, sign * PPT_MAX, NonZeroU32::MIN).tick_at(s(10));
            assert_eq!(Oscillator::new(TickRate::MHZ, sign * 4 * PPT_MAX, NonZeroU32::MIN).tick_at(s(10)), limit);
            let mut changed = exact(TickRate::MHZ);
            changed.set_ppt(s(0), sign * 4 * PPT_MAX);
            assert_eq!(changed.tick_at(s(10)), limit);
        }
    }

    #[test]
    fn a_jump_moves_the_time_base_and_stops_at_zero() {
        let mut oscillator = exact(TickRate::MHZ);
        oscillator.jump(s(5), 3_000_000_000);
        assert_eq!(oscillator.tick_at(s(5)).ticks(), 8_000_000);
        oscillator.jump(s(5), -60_000_000_000);
        assert_eq!(oscillator.tick_at(s(6)).ticks(), 1_000_000);
    }

    #[test]
    fn a_hundred_hours_at_a_gigahertz_are_exact() {
        let gigahertz = TickRate::new(1_000_000_000).expect("in range");
        let fastest = Oscillator::new(gigahertz, PPT_MAX, NonZeroU32::MIN);
        assert_eq!(fastest.tick_at(s(360_000)).ticks(), 540_000_000_000_000);
        let odd = Oscillator::new(gigahertz, 1, NonZeroU32::MIN);
        assert_eq!(odd.tick_at(s(360_000)).ticks(), 360_000_000_000_360);
        assert_eq!(odd.first_at(DeviceTime::from_ticks(360_000_000_000_360), s(0)), Some(s(360_000)));
        // 1.8 years, and as much again is left for what a jump adds.
        assert!((s(55_000_000)..s(58_000_000)).contains(&Oscillator::horizon(gigahertz)));
        assert_eq!(Oscillator::horizon(TickRate::MHZ), TrueTime::from_ns(i64::MAX));
        let end = Oscillator::horizon(gigahertz);
        assert!(fastest.tick_at(end) > fastest.tick_at(TrueTime::from_ns(end.ns() - 1)));
        assert_eq!(fastest.first_at(DeviceTime::from_ticks(u64::MAX), s(0)), None, "beyond all reckoning");
    }

    #[test]
    fn a_coarse_counter_shows_multiples_and_reaches_a_tick_with_the_next_one() {
        let coarse = Oscillator::new(TickRate::MHZ, 0, NonZeroU32::new(1_000).expect("not zero"));
        let at = |us: i64| TrueTime::from_ns(us * 1_000);
        for (us, shown) in [(0, 0), (999, 0), (1_000, 1_000), (2_999, 2_000)] {
            assert_eq!(coarse.tick_at(at(us)).ticks(), shown, "{us} us");
        }
        for (tick, us) in [(0, 0), (1, 1_000), (1_000, 1_000), (1_001, 2_000)] {
            assert_eq!(coarse.first_at(DeviceTime::from_ticks(tick), at(0)), Some(at(us)), "tick {tick}");
        }
    }
}
