//! How near a clock came to its bounds: what a verdict does not say, and what tells a good clock from one that just passed.

use std::fmt;

use flagfall_core::TrueTime;
use flagfall_trace::{Margin, Trace};

use super::Examination;

/// What is held to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The time left of a side, to that on an exact clock.
    TimeLeft,
    /// The stamp of an act, to the longest latency that the rig declares.
    Stamp,
    /// The notice of a flag's fall, to the longest that the rig declares.
    FlagNotice,
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimeLeft => "time left",
            Self::Stamp => "stamp of an act",
            Self::FlagNotice => "notice of a flag",
        })
    }
}

/// The farthest that anything held to a bound was off, as a share of that bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// What was held to it.
    pub held: Held,
    /// How far it was off, in ticks.
    pub off_ticks: u64,
    /// How far it might have been, in ticks; above zero.
    pub bound_ticks: u64,
    /// When, by the bench's estimate.
    pub at: TrueTime,
}

impl Used {
    fn is_worse_than(&self, other: &Self) -> bool {
        u128::from(self.off_ticks) * u128::from(other.bound_ticks)
            > u128::from(other.off_ticks) * u128::from(self.bound_ticks)
    }

    /// The same for a run record, in nanoseconds rounded up.
    #[must_use]
    pub fn margin(&self, trace: &Trace) -> Margin {
        let hz = u128::from(trace.plan.tick_rate.hz());
        let ns = |ticks: u64| u64::try_from((u128::from(ticks) * 1_000_000_000).div_ceil(hz)).unwrap_or(u64::MAX);
        Margin {
            of: self.held.to_string(),
            off_ns: ns(self.off_ticks),
            bound_ns: ns(self.bound_ticks),
            at_ns: self.at.ns(),
        }
    }
}

impl Examination {
    /// Notes how far something was off; where the bound is nothing, there is no share of it.
    pub(super) fn uses(&mut self, held: Held, off_ticks: u128, bound_ticks: u128, at: TrueTime) {
        let ticks = |ticks: u128| u64::try_from(ticks).unwrap_or(u64::MAX);
        let used = Used { held, off_ticks: ticks(off_ticks), bound_ticks: ticks(bound_ticks), at };
        if used.bound_ticks == 0 {
            return;
        }
        match self.used.iter_mut().find(|known| known.held == held) {
            Some(known) if used.is_worse_than(known) => *known = used,
            Some(_) => {}
            None => self.used.push(used),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_share_of_a_bound_is_kept_and_not_the_largest_error() {
        let mut examination = Examination::default();
        let at = TrueTime::from_ns;
        examination.uses(Held::TimeLeft, 3, 100, at(1));
        examination.uses(Held::TimeLeft, 2, 4, at(2));
        examination.uses(Held::TimeLeft, 50, 101, at(3));
        examination.uses(Held::Stamp, 0, 0, at(4));
        examination.uses(Held::FlagNotice, 0, 7, at(5));
        let used = |held, off_ticks, bound_ticks, ns| Used { held, off_ticks, bound_ticks, at: at(ns) };
        assert_eq!(examination.used, [used(Held::TimeLeft, 2, 4, 2), used(Held::FlagNotice, 0, 7, 5)]);
    }
}
