//! How far a right clock may be from an exact one: computed from what the rig declares and what the bench saw.

use std::fmt;

use flagfall_core::TickRate;
use flagfall_trace::Plan;

const WHOLE_PPT: u64 = 1_000_000_000_000;

/// What a rig declares about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How fast or slow its oscillator may be, in parts per trillion; less than the whole.
    pub oscillator_ppt: u64,
    /// How many ticks a stamp may be off by itself: zero on an exact time base, one where two are compared.
    pub stamp_ticks: u64,
    /// The longest time from an act of the bench to its stamp, in nanoseconds; zero in virtual time.
    ///
    /// A stamp that is later speaks against the clock, so that a bound need not allow for more.
    pub stamp_latency_max_ns: u64,
    /// The longest time from the fall of a flag to the clock's notice of it, in nanoseconds; `None` in virtual time,
    /// where only a fault can make a clock look late.
    pub flag_notice_max_ns: Option<u64>,
    /// What can be seen of a clock that writes nothing and is watched; `None` for one that speaks.
    pub watched: Option<Watched>,
}

/// How well a clock can be watched whose memory is all there is to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched {
    /// One unit of its words for the time left, in ticks.
    pub unit_ticks: u64,
    /// How old what its words say may be, in ticks.
    pub age_ticks: u64,
    /// Whether its flags can be seen.
    pub flags: bool,
    /// Whether its move counters can be seen.
    pub moves: bool,
}

impl Limits {
    /// A rig in virtual time: exact but for an oscillator that the plan makes wrong, and no more than the plan says.
    #[must_use]
    pub fn virtual_time(plan: &Plan) -> Self {
        let oscillator_ppt = plan.oscillator.envelope(plan.end).widest_ppt();
        // Two exact time bases agree to the tick; two different ones round differently, and one that counts in steps
        // shows up to a step less.
        let rounding_ticks = u64::from(oscillator_ppt != 0);
        let stamp_ticks = rounding_ticks + u64::from(plan.oscillator.quantum_ticks.get() - 1);
        Self { oscillator_ppt, stamp_ticks, stamp_latency_max_ns: 0, flag_notice_max_ns: None, watched: None }
    }
}

impl Limits {
    /// How far device time can be from true time when it shows so many ticks, rounded up.
    ///
    /// A clock that is slow has shown less than has passed, so that what it is behind is more than its share of what it
    /// shows: `limit / (1 - limit)` of it.
    pub(super) fn oscillator_ticks(&self, ticks: i128) -> u64 {
        let limit = u128::from(self.oscillator_ppt.min(WHOLE_PPT - 1));
        let off = (ticks.unsigned_abs() * limit).div_ceil(u128::from(WHOLE_PPT) - limit);
        u64::try_from(off).unwrap_or(u64::MAX)
    }

    /// How far a right device's reading may be from an exact one when it shows so many ticks.
    ///
    /// What it shows may be short of where its oscillator is by a stamp, and the oscillator's share is of the latter.
    pub(super) fn bound(&self, ticks: i128) -> Bound {
        let passed = ticks.saturating_add(i128::from(self.stamp_ticks));
        let oscillator_ticks = self.oscillator_ticks(passed);
        Bound { stamp_ticks: self.stamp_ticks, oscillator_ticks, ..Bound::default() }
    }

    /// How far what can be seen of a right clock may be from an exact one after so many ticks, when this is the `turns`th
    /// time that a side's time runs.
    ///
    /// Each turn begins with one act and ends with another, and a right clock notices each of them at some instant from
    /// the act to the longest latency: a turn is too long or too short by no more than that. What is seen is rounded to a
    /// unit and may be of some time ago.
    #[must_use]
    pub fn bound_of_looks(&self, watched: &Watched, rate: TickRate, turns: u32, ticks: u64) -> Bound {
        let word_ticks = watched.unit_ticks.saturating_add(watched.age_ticks);
        let notice_ticks = self.latency_ticks(rate).saturating_mul(u64::from(turns));
        Bound { word_ticks, notice_ticks, turns, ..self.bound(i128::from(ticks)) }
    }

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
    /// Of a clock that is watched: the unit and the age of the words that are seen; otherwise zero.
    pub word_ticks: u64,
    /// Of a clock that is watched: the longest latency, once for each turn.
    pub notice_ticks: u64,
    /// How many turns that is.
    pub turns: u32,
}

impl Bound {
    /// The sum of the terms.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        let exact = self.stamp_ticks.saturating_add(self.oscillator_ticks);
        exact.saturating_add(self.word_ticks).saturating_add(self.notice_ticks)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stamp_ticks, oscillator_ticks, word_ticks, notice_ticks, turns } = self;
        write!(f, "{} ticks = {stamp_ticks} stamp + {oscillator_ticks} oscillator", self.ticks())?;
        match word_ticks {
            0 => Ok(()),
            _ => write!(f, " + {word_ticks} words + {notice_ticks} notice in {turns} turns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_oscillator_is_allowed_what_it_is_behind() {
        let limits = |oscillator_ppt| Limits {
            oscillator_ppt,
            stamp_ticks: 0,
            stamp_latency_max_ns: 0,
            flag_notice_max_ns: None,
            watched: None,
        };
        let seven_hours = 25_200_000_000;
        let behind = 504_000;
        assert_eq!(limits(20_000_000).oscillator_ticks(seven_hours - i128::from(behind)), behind);
        assert_eq!(limits(0).oscillator_ticks(seven_hours), 0);
        assert_eq!(limits(1).oscillator_ticks(1), 1, "rounded up");
    }
    #[test]
    fn a_bound_of_looks_has_every_term_and_says_so() {
        let watched = Watched { unit_ticks: 10_000, age_ticks: 20_000, flags: true, moves: false };
        let limits = Limits {
            oscillator_ppt: 1_000_000,
            stamp_ticks: 1,
            stamp_latency_max_ns: 500_000,
            flag_notice_max_ns: None,
            watched: Some(watched),
        };
        let bound = limits.bound_of_looks(&watched, TickRate::MHZ, 3, 9_000_000);
        assert_eq!(bound.ticks(), 1 + 10 + 10_000 + 20_000 + 3 * 500);
        let words = "31511 ticks = 1 stamp + 10 oscillator + 30000 words + 1500 notice in 3 turns";
        assert_eq!(bound.to_string(), words);
    }
}
