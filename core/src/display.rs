//! What one side's display shows, as digits.
//!
//! Read FIDE's requirements (b), (d), (e) for electronic clocks first: at all times the time available for the next
//! move. Rounding up is the one way in which a display never reads zero while time is left; a display that reads zero
//! early has cost games.

use core::fmt;

use crate::time::TickRate;

/// What happens to the part that the digits cannot show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Rounding {
    /// It shows as one more of the last digit: zero means zero.
    #[default]
    Up,
    /// It is dropped: zero is shown up to a whole unit early.
    Down,
}

/// How a clock shows what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisplayFormat {
    /// What happens to the rest.
    pub rounding: Rounding,
    /// Below so many seconds tenths are shown; zero for never.
    pub tenths_below_s: u8,
    /// From so many minutes on seconds are hidden; zero for never (FIDE 5.4.3.2: preferably shown from the start).
    pub seconds_below_min: u16,
}

/// Which digits a face has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Digits {
    /// Hours, minutes, seconds.
    Seconds,
    /// Seconds and tenths.
    Tenths,
    /// Hours and minutes.
    Minutes,
}

/// A time on the grid of its last digit, in such parts of a tick that a unit of the digit is whole.
struct Grid {
    here: u64,
    unit: u64,
    parts: u64,
}

impl Grid {
    fn of(ticks: u64, rate: TickRate, digits: Digits) -> Self {
        let hz = u64::from(rate.hz());
        match digits {
            // Shown below 255 s: ten times as many ticks are within the range.
            Digits::Tenths => Self { here: ticks * 10, unit: hz, parts: 10 },
            Digits::Seconds => Self { here: ticks, unit: hz, parts: 1 },
            Digits::Minutes => Self { here: ticks, unit: hz * 60, parts: 1 },
        }
    }
}

/// The digits of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Face {
    tenths: u32,
    digits: Digits,
}

/// The largest number of tenths: 28 bits, 7 456 hours.
const TENTHS_MAX: u32 = 0x0fff_ffff;

impl Face {
    /// The face of `ticks` of time at `rate` on a display of this format, held at 7 456 hours.
    #[must_use]
    pub fn of(ticks: u64, rate: TickRate, format: DisplayFormat) -> Self {
        let hz = u64::from(rate.hz());
        let digits = if ticks < hz * u64::from(format.tenths_below_s) {
            Digits::Tenths
        } else if format.seconds_below_min > 0 && ticks >= hz * 60 * u64::from(format.seconds_below_min) {
            Digits::Minutes
        } else {
            Digits::Seconds
        };
        let units = |numerator: u64, denominator: u64| match format.rounding {
            Rounding::Up => numerator.div_ceil(denominator),
            Rounding::Down => numerator / denominator,
        };
        // Tenths are shown below 255 s, so that ten times as many ticks are no more than 2 550 GHz.
        let tenths = match digits {
            Digits::Tenths => units(ticks * 10, hz),
            Digits::Seconds => units(ticks, hz).saturating_mul(10),
            Digits::Minutes => units(ticks, hz * 60).saturating_mul(600),
        };
        Self { tenths: u32::try_from(tenths).unwrap_or(TENTHS_MAX).min(TENTHS_MAX), digits }
    }

    /// Ticks until a time that runs off from `ticks` shows another face; `None` if it shows this one down to nothing.
    #[must_use]
    pub fn ticks_to_next_below(ticks: u64, rate: TickRate, format: DisplayFormat) -> Option<u64> {
        let digits = Self::of(ticks, rate, format).digits;
        let Grid { here, unit, parts } = Grid::of(ticks, rate, digits);
        let by_digits = match format.rounding {
            Rounding::Up => here.div_ceil(unit).checked_sub(1).map(|next| next * unit / parts),
            Rounding::Down => (here / unit * unit).div_ceil(parts).checked_sub(1),
        };
        let hz = u64::from(rate.hz());
        let limit = match digits {
            Digits::Tenths => 0,
            Digits::Seconds => hz * u64::from(format.tenths_below_s),
            Digits::Minutes => hz * 60 * u64::from(format.seconds_below_min),
        };
        Some(ticks - by_digits.max(limit.checked_sub(1))?)
    }

    /// Ticks until a time that grows from `ticks` shows another face, held at the end of the range.
    #[must_use]
    pub fn ticks_to_next_above(ticks: u64, rate: TickRate, format: DisplayFormat) -> u64 {
        let digits = Self::of(ticks, rate, format).digits;
        let Grid { here, unit, parts } = Grid::of(ticks, rate, digits);
        let by_digits = match format.rounding {
            Rounding::Up => (here.div_ceil(unit).saturating_mul(unit) / parts).saturating_add(1),
            Rounding::Down => (here / unit + 1).saturating_mul(unit).div_ceil(parts),
        };
        let hz = u64::from(rate.hz());
        let limit = match digits {
            Digits::Tenths => hz * u64::from(format.tenths_below_s),
            Digits::Seconds if format.seconds_below_min > 0 => hz * 60 * u64::from(format.seconds_below_min),
            Digits::Seconds | Digits::Minutes => u64::MAX,
        };
        by_digits.min(limit) - ticks
    }

    /// The face that shows so many seconds.
    #[must_use]
    pub const fn from_seconds(seconds: u32) -> Self {
        Self::new(seconds.saturating_mul(10), Digits::Seconds)
    }

    /// The face that shows so many tenths of a second in these digits, held at 7 456 hours.
    #[must_use]
    pub const fn new(tenths: u32, digits: Digits) -> Self {
        Self { tenths: if tenths < TENTHS_MAX { tenths } else { TENTHS_MAX }, digits }
    }

    /// Tenths of a second shown.
    #[must_use]
    pub const fn tenths(self) -> u32 {
        self.tenths
    }

    /// Which digits it has.
    #[must_use]
    pub const fn digits(self) -> Digits {
        self.digits
    }

    /// The wire form: 28 bits of tenths below 4 bits that name the digits.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        let digits = match self.digits {
            Digits::Seconds => 0,
            Digits::Tenths => 1,
            Digits::Minutes => 2,
        };
        digits << 28 | self.tenths
    }

    /// Reads the wire form back; `None` if it names no digits.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let digits = match bits >> 28 {
            0 => Digits::Seconds,
            1 => Digits::Tenths,
            2 => Digits::Minutes,
            _ => return None,
        };
        Some(Self { tenths: bits & TENTHS_MAX, digits })
    }
}

impl fmt::Display for Face {
    /// `1:02:03` from one hour on, else `2:03`; `9.8` with tenths; `1h02` without seconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.tenths / 10;
        let (h, m, s) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        match self.digits {
            Digits::Seconds if h > 0 => write!(f, "{h}:{m:02}:{s:02}"),
            Digits::Seconds => write!(f, "{m}:{s:02}"),
            Digits::Tenths => write!(f, "{seconds}.{}", self.tenths % 10),
            Digits::Minutes => write!(f, "{h}h{m:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::{String, ToString};

    fn shown(ticks: u64, format: DisplayFormat) -> String {
        Face::of(ticks, TickRate::MHZ, format).to_string()
    }

    #[test]
    fn zero_is_shown_only_at_zero() {
        let shown = |ticks| shown(ticks, DisplayFormat::default());
        assert_eq!(shown(0), "0:00");
        assert_eq!(shown(1), "0:01");
        assert_eq!(shown(1_000_000), "0:01");
        assert_eq!(shown(1_000_001), "0:02");
        assert_eq!(shown(3_599_000_001), "1:00:00");
        assert_eq!(shown(36_061_000_000), "10:01:01");
    }

    #[test]
    fn a_display_that_rounds_down_reads_zero_a_second_early() {
        let down = DisplayFormat { rounding: Rounding::Down, ..DisplayFormat::default() };
        assert_eq!(shown(999_999, down), "0:00");
        assert_eq!(shown(1_999_999, down), "0:01");
    }

    #[test]
    fn tenths_are_shown_below_their_limit() {
        let tenths = DisplayFormat { tenths_below_s: 20, ..DisplayFormat::default() };
        assert_eq!(shown(20_000_000, tenths), "0:20");
        assert_eq!(shown(19_999_999, tenths), "20.0");
        assert_eq!(shown(9_750_000, tenths), "9.8");
        assert_eq!(shown(1, tenths), "0.1");
        assert_eq!(shown(0, tenths), "0.0");
    }

    #[test]
    fn seconds_are_hidden_from_their_limit_on() {
        let hidden = DisplayFormat { seconds_below_min: 20, ..DisplayFormat::default() };
        assert_eq!(shown(1_199_999_999, hidden), "20:00");
        assert_eq!(shown(1_200_000_000, hidden), "0h20");
        assert_eq!(shown(7_140_000_001, hidden), "2h00");
    }

    #[test]
    fn the_next_face_comes_when_it_is_foretold() {
        for hz in [1, 3, 10, 16] {
            let rate = TickRate::new(hz).expect("in range");
            for (rounding, tenths_below_s, seconds_below_min) in
                [Rounding::Up, Rounding::Down].into_iter().flat_map(|r| [(r, 0, 0), (r, 7, 0), (r, 0, 1), (r, 9, 2)])
            {
                let format = DisplayFormat { rounding, tenths_below_s, seconds_below_min };
                let face = |ticks| Face::of(ticks, rate, format);
                for ticks in 0..u64::from(hz) * 200 {
                    let below = (0..ticks).rev().find(|less| face(*less) != face(ticks)).map(|less| ticks - less);
                    assert_eq!(Face::ticks_to_next_below(ticks, rate, format), below, "{ticks} at {hz} Hz {format:?}");
                    let above =
                        (ticks..).find(|more| face(*more) != face(ticks)).expect("there is always more") - ticks;
                    assert_eq!(Face::ticks_to_next_above(ticks, rate, format), above, "{ticks} at {hz} Hz {format:?}");
                }
            }
        }
    }

    #[test]
    fn faces_survive_the_wire() {
        for face in [Face::from_seconds(7_199), Face::new(98, Digits::Tenths), Face::new(72_000, Digits::Minutes)] {
            assert_eq!(Face::from_bits(face.to_bits()), Some(face));
        }
        assert_eq!(Face::from_bits(3 << 28), None);
        assert_eq!(
            Face::of(u64::MAX, TickRate::new(1).expect("in range"), DisplayFormat::default()).tenths(),
            TENTHS_MAX
        );
    }
}
