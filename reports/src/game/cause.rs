//! What can be wrong with a clock, as far as it leaves a signature.

use std::fmt;

use crate::quantity;

/// One cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A crystal that is off by no more than crystals are.
    Crystal,
    /// A timer that counts one more or one less than it should to its reload.
    ReloadOffByOne {
        /// The counts that it should take.
        counts: u32,
        /// Whether it takes one more, which makes the clock slow.
        one_more: bool,
    },
    /// A crystal of another frequency than the firmware reckons with.
    WrongCrystal {
        /// What is fitted, in hertz.
        fitted_hz: u32,
        /// What is reckoned with, in hertz.
        assumed_hz: u32,
    },
    /// A rate that no crystal has and no other signature explains: an RC oscillator, another divider.
    OtherRate,
    /// A rate that changed smoothly, as warmth makes it.
    Temperature,
    /// One rate before an instant and another after it.
    RateChanged,
    /// Device time leapt ahead, or ticks were counted twice.
    TimeGained,
    /// Device time was lost: it stood, ticks were missed, or it was set back. Records do not tell these apart.
    TimeLost,
    /// A counter of this many bits at this rate wrapped round and nobody noticed.
    Wrapped {
        /// Bits of the counter.
        bits: u8,
        /// Counts per second.
        hz: u32,
    },
    /// Both sides' times ran off together.
    BothRan,
    /// Neither side's time ran off, though the time base went on.
    NoneRan,
    /// With each switch the side that stopped lost what it had beyond a whole unit.
    RoundedAtSwitch {
        /// The unit in nanoseconds.
        unit_ns: u64,
    },
}

impl Cause {
    /// Rates up to here, in parts per million either way, are what crystals have: grades up to 50 ppm, a load that does
    /// not fit, and warmth (CTS TF20 data sheet; NXP UM10301 section 6).
    pub const CRYSTAL_PPM: f64 = 100.0;

    /// Counts to which timers are reloaded: megahertz divided down to microseconds, a millisecond of usual clocks, a
    /// second of a watch crystal.
    const RELOADS: [u32; 15] = [8, 16, 32, 64, 72, 84, 100, 168, 1_000, 8_000, 10_000, 16_000, 32_000, 32_768, 64_000];

    /// Crystals that are taken for each other: what is fitted, and what is reckoned with.
    const TAKEN_FOR: [(u32, u32); 3] = [(32_000, 32_768), (32_768, 32_000), (32_768, 33_000)];

    /// Counters that wrap within a game: bits and counts per second.
    const COUNTERS: [(u8, u32); 12] = [
        (32, 1_000_000),
        (32, 16_000_000),
        (32, 64_000_000),
        (32, 72_000_000),
        (32, 84_000_000),
        (32, 168_000_000),
        (24, 16_000_000),
        (24, 64_000_000),
        (24, 72_000_000),
        (24, 168_000_000),
        (16, 1_000),
        (16, 32_768),
    ];

    /// All causes that have an exact rate.
    pub fn with_a_rate() -> impl Iterator<Item = Self> {
        let reloads = Self::RELOADS
            .into_iter()
            .flat_map(|counts| [true, false].map(|one_more| Self::ReloadOffByOne { counts, one_more }));
        reloads.chain(Self::TAKEN_FOR.map(|(fitted_hz, assumed_hz)| Self::WrongCrystal { fitted_hz, assumed_hz }))
    }

    /// All counters that wrap.
    pub fn wraps() -> impl Iterator<Item = Self> {
        Self::COUNTERS.into_iter().map(|(bits, hz)| Self::Wrapped { bits, hz })
    }

    /// The rate that this cause makes, as a pure number about zero; `None` for one without an exact rate.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        match self {
            Self::ReloadOffByOne { counts, one_more: true } => Some(-1.0 / (f64::from(counts) + 1.0)),
            Self::ReloadOffByOne { counts, one_more: false } => Some(1.0 / (f64::from(counts) - 1.0)),
            Self::WrongCrystal { fitted_hz, assumed_hz } => Some(f64::from(fitted_hz) / f64::from(assumed_hz) - 1.0),
            _ => None,
        }
    }

    /// The time that is lost with each wrap, in nanoseconds; `None` for what does not wrap.
    #[must_use]
    pub fn wrap_ns(self) -> Option<f64> {
        match self {
            Self::Wrapped { bits, hz } => Some(1e9 * 2.0_f64.powi(i32::from(bits)) / f64::from(hz)),
            _ => None,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crystal => f.write_str("a crystal within what crystals are off"),
            Self::ReloadOffByOne { counts, one_more } => {
                write!(
                    f,
                    "timer reload off by one: {} counts for {counts}",
                    if *one_more { counts + 1 } else { counts - 1 }
                )
            }
            Self::WrongCrystal { fitted_hz, assumed_hz } => {
                write!(f, "wrong crystal: {fitted_hz} Hz taken for {assumed_hz} Hz")
            }
            Self::OtherRate => f.write_str("a rate beyond any crystal"),
            Self::Temperature => f.write_str("a rate that changes smoothly, as with temperature"),
            Self::RateChanged => f.write_str("two rates, one after the other"),
            Self::TimeGained => f.write_str("time base leapt ahead"),
            Self::TimeLost => f.write_str("time base stood, missed ticks or was set back"),
            Self::Wrapped { bits, hz } => write!(f, "counter of {bits} bits at {hz} Hz wrapped round"),
            Self::BothRan => f.write_str("both sides ran"),
            Self::NoneRan => f.write_str("neither side ran"),
            Self::RoundedAtSwitch { unit_ns } => {
                write!(f, "rounded down to whole {} at each switch", quantity::span((*unit_ns).into()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_the_arithmetic() {
        let ppm = |cause: Cause| 1e6 * cause.rate().expect("a rate");
        assert!((ppm(Cause::ReloadOffByOne { counts: 1_000, one_more: true }) - -999.000_999).abs() < 1e-6);
        assert!((ppm(Cause::ReloadOffByOne { counts: 16, one_more: false }) - 66_666.666_667).abs() < 1e-6);
        assert!((ppm(Cause::WrongCrystal { fitted_hz: 32_000, assumed_hz: 32_768 }) - -23_437.5).abs() < 1e-6);
        assert!((ppm(Cause::WrongCrystal { fitted_hz: 32_768, assumed_hz: 33_000 }) - -7_030.303_03).abs() < 1e-5);
        let minutes = Cause::Wrapped { bits: 32, hz: 1_000_000 }.wrap_ns().expect("a wrap") / 60e9;
        assert!((minutes - 71.582_788).abs() < 1e-6, "{minutes}");
    }

    #[test]
    fn no_two_signatures_are_one() {
        let mut rates: Vec<f64> = Cause::with_a_rate().filter_map(Cause::rate).collect();
        rates.sort_by(f64::total_cmp);
        assert!(rates.windows(2).all(|pair| pair[1] - pair[0] > 1e-8), "{rates:?}");
        let mut wraps: Vec<f64> = Cause::wraps().filter_map(Cause::wrap_ns).collect();
        wraps.sort_by(f64::total_cmp);
        assert!(wraps.windows(2).all(|pair| pair[1] > pair[0]), "{wraps:?}");
    }
}
