//! What one side's display shows: hours, minutes and seconds, rounded up.
//!
//! Rounding up is the one way in which a display never reads 0:00 while time is left (FIDE requirement (b): the clock
//! shows the time available; a display that reads zero early has cost games).

use core::fmt;

use crate::time::TickRate;

/// The digits of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Face {
    seconds: u32,
}

impl Face {
    /// The face that shows `ticks` of remaining time at `rate`, held at `u32::MAX` seconds.
    #[must_use]
    pub fn of(ticks: u64, rate: TickRate) -> Self {
        let seconds = ticks.div_ceil(u64::from(rate.hz()));
        Self { seconds: u32::try_from(seconds).unwrap_or(u32::MAX) }
    }

    /// The face that shows so many seconds.
    #[must_use]
    pub const fn from_seconds(seconds: u32) -> Self {
        Self { seconds }
    }

    /// Seconds shown.
    #[must_use]
    pub const fn seconds(self) -> u32 {
        self.seconds
    }
}

impl fmt::Display for Face {
    /// `h:mm:ss` from one hour on, else `m:ss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (h, m, s) = (self.seconds / 3_600, self.seconds / 60 % 60, self.seconds % 60);
        if h > 0 { write!(f, "{h}:{m:02}:{s:02}") } else { write!(f, "{m}:{s:02}") }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn zero_is_shown_only_at_zero() {
        let shown = |ticks| Face::of(ticks, TickRate::MHZ).to_string();
        assert_eq!(shown(0), "0:00");
        assert_eq!(shown(1), "0:01");
        assert_eq!(shown(1_000_000), "0:01");
        assert_eq!(shown(1_000_001), "0:02");
        assert_eq!(shown(3_599_000_001), "1:00:00");
        assert_eq!(shown(36_061_000_000), "10:01:01");
    }
}
