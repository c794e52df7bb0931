//! How far a right clock may be from an exact one: computed from what the rig declares and what the bench saw.

use std::fmt;

use flagfall_core::TickRate;

/// What a rig declares about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How fast or slow its oscillator may be, in parts per billion.
    pub oscillator_ppb: u64,
    /// How many ticks a stamp may be off by itself: zero on an exact time base, one where two are compared.
    pub stamp_ticks: u64,
    /// The longest time from an act of the bench to its stamp, in nanoseconds; zero in virtual time.
    ///
    /// A stamp that is later speaks against the clock, so that a bound need not allow for more.
    pub stamp_latency_max_ns: u64,
    /// The longest time from the fall of a flag to the clock's notice of it, in nanoseconds; `None` in virtual time,
    /// where only a fault can make a clock look late.
    pub flag_notice_max_ns: Option<u64>,
}

impl Limits {
    /// A rig in virtual time: exact but for an oscillator that the plan makes wrong by so much.
    #[must_use]
    pub const fn virtual_time(oscillator_ppb: i64) -> Self {
        let oscillator_ppb = oscillator_ppb.unsigned_abs();
        // Two exact time bases agree to the tick; two different ones round differently.
        let stamp_ticks = if oscillator_ppb == 0 { 0 } else { 1 };
        Self { oscillator_ppb, stamp_ticks, stamp_latency_max_ns: 0, flag_notice_max_ns: None }
    }
}

impl Limits {
    /// The longest latency in ticks, rounded up.
    pub(super) fn latency_ticks(&self, rate: TickRate) -> u64 {
        let ticks = (u128::from(self.stamp_latency_max_ns) * u128::from(rate.hz())).div_ceil(1_000_000_000);
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }
}

/// A bound and its terms, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// Quantisation of stamps.
    pub stamp_ticks: u64,
    /// The oscillator limit over the time that has passed.
    pub oscillator_ticks: u64,
}

impl Bound {
    /// The sum of the terms.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.stamp_ticks.saturating_add(self.oscillator_ticks)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stamp_ticks, oscillator_ticks } = self;
        write!(f, "{} ticks = {stamp_ticks} stamp + {oscillator_ticks} oscillator", self.ticks())
    }
}
