//! Two of the three clocks of the house: true time (the hall) and device time (ticks of the clock under test).
//!
//! Host time, the third, never enters a verdict and has no type here. Conversions are exact integer arithmetic: tick
//! `n` of an exact clock falls at the first nanosecond not before `n / tick_hz`.

use core::fmt;

/// Nanoseconds in a second.
pub const NS_PER_S: i64 = 1_000_000_000;

/// An instant of the hall in nanoseconds since the run began.
///
/// Signed, so that an instant before the start can be computed and refused instead of wrapping. `i64` reaches 292 years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct TrueTime(i64);

impl TrueTime {
    /// The beginning of the run.
    pub const ZERO: Self = Self(0);

    /// An instant from nanoseconds since the run began.
    #[must_use]
    pub const fn from_ns(ns: i64) -> Self {
        Self(ns)
    }

    /// Nanoseconds since the run began.
    #[must_use]
    pub const fn ns(self) -> i64 {
        self.0
    }

    /// This instant moved by `ns`; `None` when it leaves the range of `i64`.
    #[must_use]
    pub const fn checked_add_ns(self, ns: i64) -> Option<Self> {
        match self.0.checked_add(ns) {
            Some(ns) => Some(Self(ns)),
            None => None,
        }
    }
}

impl fmt::Display for TrueTime {
    /// Seconds with nine digits: `12.000000500`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let ns = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:09}", ns / NS_PER_S.unsigned_abs(), ns % NS_PER_S.unsigned_abs())
    }
}

/// An instant of the device: ticks of its own time base since it was reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceTime(u64);

impl DeviceTime {
    /// The reset of the device.
    pub const ZERO: Self = Self(0);

    /// An instant from ticks since reset.
    #[must_use]
    pub const fn from_ticks(ticks: u64) -> Self {
        Self(ticks)
    }

    /// Ticks since reset.
    #[must_use]
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// Ticks from `earlier` to this instant, zero when `earlier` is later.
    #[must_use]
    pub const fn ticks_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// This instant moved forward, held at the end of the range (584 000 years at 1 MHz).
    #[must_use]
    pub const fn after(self, ticks: u64) -> Self {
        Self(self.0.saturating_add(ticks))
    }

    /// The instant nearest to this one at which a counter that holds the lower 32 bits of device time reads `counter`; never
    /// before tick zero.
    ///
    /// With it a counter is extended to 64 bits, if it is read before it has come round by half: 35.8 minutes at 1 MHz. What
    /// is more than half a round is a counter that has gone back.
    #[must_use]
    pub const fn at_counter(self, counter: u32) -> Self {
        let on = counter.wrapping_sub(self.0 as u32);
        if on <= u32::MAX / 2 { self.after(on as u64) } else { Self(self.0.saturating_sub(on.wrapping_neg() as u64)) }
    }

    /// This instant moved forward; `None` beyond the end of the range.
    #[must_use]
    pub const fn checked_after(self, ticks: u64) -> Option<Self> {
        match self.0.checked_add(ticks) {
            Some(ticks) => Some(Self(ticks)),
            None => None,
        }
    }
}

/// How many ticks the device's time base makes in a second of its own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u32", into = "u32"))]
pub struct TickRate(u32);

/// The tick rate is outside 1 Hz to 1 GHz; choose another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickRateError(pub u32);

impl fmt::Display for TickRateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tick rate is 1 Hz to 1 GHz, not {} Hz", self.0)
    }
}

impl core::error::Error for TickRateError {}

impl TryFrom<u32> for TickRate {
    type Error = TickRateError;

    fn try_from(hz: u32) -> Result<Self, TickRateError> {
        Self::new(hz)
    }
}

impl From<TickRate> for u32 {
    fn from(rate: TickRate) -> Self {
        rate.0
    }
}

impl TickRate {
    /// 1 MHz, the rate of the reference firmware and of scenarios that name none.
    pub const MHZ: Self = Self(1_000_000);

    /// A rate in hertz.
    ///
    /// # Errors
    /// [`TickRateError`] outside 1 Hz to 1 GHz: below there is no clock, above a tick is no whole nanosecond.
    pub const fn new(hz: u32) -> Result<Self, TickRateError> {
        if hz == 0 || hz > 1_000_000_000 { Err(TickRateError(hz)) } else { Ok(Self(hz)) }
    }

    /// Ticks per second.
    #[must_use]
    pub const fn hz(self) -> u32 {
        self.0
    }

    /// Ticks that cover `ms` milliseconds, rounded up: a control is converted once, in the player's favour.
    #[must_use]
    pub const fn ticks_from_ms(self, ms: u64) -> u64 {
        let hz = self.0 as u64;
        // Whole seconds are ticks without a division, and the rest of one is so in 64 bits: a small core has no more.
        (ms / 1_000).saturating_mul(hz).saturating_add((ms % 1_000 * hz).div_ceil(1_000))
    }

    /// Milliseconds that `ticks` cover, rounded up, so that nothing but zero ticks reads as zero.
    #[must_use]
    pub const fn ms_from_ticks_up(self, ticks: u64) -> u64 {
        let ms = (ticks as u128 * 1_000).div_ceil(self.0 as u128);
        if ms > u64::MAX as u128 { u64::MAX } else { ms as u64 }
    }

    /// The last tick of an exact clock not after `at`; an instant before the start is tick zero.
    #[must_use]
    pub const fn tick_at(self, at: TrueTime) -> DeviceTime {
        if at.0 <= 0 {
            return DeviceTime::ZERO;
        }
        DeviceTime((at.0 as u128 * self.0 as u128 / NS_PER_S as u128) as u64)
    }

    /// The first nanosecond not before tick `at` of an exact clock, held at the end of the range.
    #[must_use]
    pub const fn true_time_of(self, at: DeviceTime) -> TrueTime {
        let ns = (at.0 as u128 * NS_PER_S as u128).div_ceil(self.0 as u128);
        if ns > i64::MAX as u128 { TrueTime(i64::MAX) } else { TrueTime(ns as i64) }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_counter_is_followed_over_its_wraps() {
        let wrap = 1_u64 << 32;
        let mut now = DeviceTime::from_ticks(wrap - 3);
        let half = wrap / 2;
        for (counter, ticks) in [
            (u32::MAX - 2, wrap - 3),
            (u32::MAX, wrap - 1),
            (0, wrap),
            (u32::MAX / 2, wrap + half - 1),
            (u32::MAX - 1, 2 * wrap - 2),
            (5, 2 * wrap + 5),
        ] {
            now = now.at_counter(counter);
            assert_eq!(now.ticks(), ticks, "at {counter:#x}");
        }
    }

    #[test]
    fn a_counter_that_goes_back_by_less_than_half_a_round_is_no_wrap() {
        let wrap = 1_u64 << 32;
        for (from, counter, ticks) in [
            (10_000_000, 7_000_000, 7_000_000),
            (10_000_000, 9_999_999, 9_999_999),
            (wrap + 3, u32::MAX, wrap - 1),
            (wrap / 2 + 5, 6, 6),
            (5, u32::MAX, 0),
        ] {
            assert_eq!(DeviceTime::from_ticks(from).at_counter(counter).ticks(), ticks, "{from} at {counter}");
        }
    }

    #[test]
    fn a_tick_falls_at_the_first_nanosecond_not_before_it() {
        let rate = TickRate::new(32_768).expect("in range");
        let first = rate.true_time_of(DeviceTime::from_ticks(1));
        assert_eq!(first.ns(), 30_518, "1/32768 s is 30517.578125 ns");
        assert_eq!(rate.tick_at(first).ticks(), 1);
        assert_eq!(rate.tick_at(TrueTime::from_ns(first.ns() - 1)).ticks(), 0);
    }

    #[test]
    fn tick_and_true_time_are_inverse_at_every_tick() {
        for hz in [1, 7, 32_768, 1_000_000, 999_983, 1_000_000_000] {
            let rate = TickRate::new(hz).expect("in range");
            for tick in (0..5_000).chain([u64::from(u32::MAX), 25_200 * u64::from(hz)]) {
                let tick = DeviceTime::from_ticks(tick);
                assert_eq!(rate.tick_at(rate.true_time_of(tick)), tick, "{hz} Hz");
            }
        }
    }

    #[test]
    fn milliseconds_round_up_in_both_directions() {
        let rate = TickRate::new(32_768).expect("in range");
        assert_eq!(rate.ticks_from_ms(1), 33);
        assert_eq!(rate.ms_from_ticks_up(1), 1);
        assert_eq!(rate.ms_from_ticks_up(0), 0);
        assert_eq!(rate.ms_from_ticks_up(rate.ticks_from_ms(7_200_000)), 7_200_000);
    }

    #[test]
    fn ticks_of_milliseconds_are_those_of_wide_arithmetic() {
        for hz in [1, 7, 999, 32_768, 999_983, 1_000_000, 1_000_000_000] {
            let rate = TickRate::new(hz).expect("in range");
            for ms in (0..3_001).chain([25_200_000, u64::MAX / u64::from(hz), u64::MAX / 1_000 - 1, u64::MAX]) {
                let wide = (u128::from(ms) * u128::from(hz)).div_ceil(1_000);
                assert_eq!(rate.ticks_from_ms(ms), u64::try_from(wide).unwrap_or(u64::MAX), "{ms} ms at {hz} Hz");
            }
        }
    }

    #[test]
    fn a_rate_outside_its_range_is_refused() {
        assert_eq!(TickRate::new(0), Err(TickRateError(0)));
        assert_eq!(TickRate::try_from(1_000_000_001), Err(TickRateError(1_000_000_001)));
        assert_eq!(TickRateError(0).to_string(), "a tick rate is 1 Hz to 1 GHz, not 0 Hz");
        for hz in [1, 1_000_000_000] {
            assert_eq!(TickRate::new(hz).map(TickRate::hz), Ok(hz));
            assert_eq!(TickRate::new(hz).map(u32::from), Ok(hz));
        }
    }

    #[test]
    fn an_instant_before_the_start_is_tick_zero() {
        for ns in [i64::MIN, -1, 0] {
            assert_eq!(
                TickRate::new(1_000_000_000).expect("in range").tick_at(TrueTime::from_ns(ns)),
                DeviceTime::ZERO
            );
        }
    }

    #[test]
    fn times_beyond_the_range_are_held_or_refused() {
        let (slow, fast) = (TickRate::new(1).expect("in range"), TickRate::new(1_000_000_000).expect("in range"));
        assert_eq!(fast.ticks_from_ms(u64::MAX), u64::MAX);
        assert_eq!(fast.ticks_from_ms(u64::MAX / 1_000_000), u64::MAX / 1_000_000 * 1_000_000);
        assert_eq!(slow.ms_from_ticks_up(u64::MAX), u64::MAX);
        assert_eq!(slow.ms_from_ticks_up(u64::MAX / 1_000), u64::MAX / 1_000 * 1_000);
        assert_eq!(slow.true_time_of(DeviceTime::from_ticks(u64::MAX)), TrueTime::from_ns(i64::MAX));
        assert_eq!(fast.true_time_of(DeviceTime::from_ticks(1 << 62)), TrueTime::from_ns(1 << 62));
        assert_eq!(TrueTime::from_ns(i64::MAX).checked_add_ns(1), None);
        assert_eq!(TrueTime::from_ns(5).checked_add_ns(-7), Some(TrueTime::from_ns(-2)));
    }

    #[test]
    fn device_time_moves_forward_to_its_end() {
        let end = DeviceTime::from_ticks(u64::MAX);
        assert_eq!(DeviceTime::from_ticks(5).after(7), DeviceTime::from_ticks(12));
        assert_eq!(DeviceTime::from_ticks(5).after(u64::MAX), end);
        assert_eq!(DeviceTime::from_ticks(5).checked_after(u64::MAX - 5), Some(end));
        assert_eq!(DeviceTime::from_ticks(5).checked_after(u64::MAX - 4), None);
        assert_eq!(end.ticks_since(DeviceTime::from_ticks(5)), u64::MAX - 5);
        assert_eq!(DeviceTime::ZERO.ticks_since(end), 0);
    }

    #[test]
    fn true_time_is_written_in_seconds() {
        let written = |ns| TrueTime::from_ns(ns).to_string();
        assert_eq!(written(12_000_000_500), "12.000000500");
        assert_eq!(written(0), "0.000000000");
        assert_eq!(written(-1), "-0.000000001");
        assert_eq!(written(i64::MIN), "-9223372036.854775808");
    }
}
