//! Readings of a clock at equal distances, and multiples of that distance.

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};

/// Readings of `x(t)`, the clock's time minus true time, at equal distances `tau0`.
///
/// Readings and distance are in the same unit, whichever that is; deviations are then pure numbers, and what is a time is
/// in that unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseSeries {
    readings: Vec<i64>,
    tau0: NonZeroU64,
}

/// Readings that are no series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PhaseError {
    /// No readings: a series begins with one.
    #[error("a phase series has at least one reading")]
    Empty,
    /// Readings at one instant: say how far apart they are, in their unit.
    #[error("the readings of a phase series are more than nothing apart")]
    Distance,
}

/// A series that is too short for what is asked: read on, or ask for a shorter averaging time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{needed} readings are needed for an averaging time of {multiple} times their distance, and there are {has}")]
pub struct TooShort {
    /// The averaging time.
    pub multiple: TauMultiple,
    /// Readings that it takes at least.
    pub needed: usize,
    /// Readings that there are.
    pub has: usize,
}

/// An averaging time `tau = m * tau0`, as the number `m`, one or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TauMultiple(NonZeroUsize);

impl TauMultiple {
    /// The distance of the readings itself.
    pub const ONE: Self = Self(NonZeroUsize::MIN);

    /// The multiple `m`; `None` for zero.
    #[must_use]
    pub const fn new(m: usize) -> Option<Self> {
        match NonZeroUsize::new(m) {
            Some(m) => Some(Self(m)),
            None => None,
        }
    }

    /// The number `m`.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0.get()
    }
}

impl fmt::Display for TauMultiple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PhaseSeries {
    /// A series of readings that are `tau0` apart, in the unit of the readings.
    ///
    /// # Errors
    /// [`PhaseError`] when there are no readings or no distance.
    pub fn new(readings: Vec<i64>, tau0: u64) -> Result<Self, PhaseError> {
        let tau0 = NonZeroU64::new(tau0).ok_or(PhaseError::Distance)?;
        if readings.is_empty() { Err(PhaseError::Empty) } else { Ok(Self { readings, tau0 }) }
    }

    /// The readings.
    #[must_use]
    pub fn readings(&self) -> &[i64] {
        &self.readings
    }

    /// How many readings there are: one or more.
    #[must_use]
    pub fn points(&self) -> usize {
        self.readings.len()
    }

    /// The distance of two readings in their unit.
    #[must_use]
    pub const fn tau0(&self) -> u64 {
        self.tau0.get()
    }

    /// The averaging time `m * tau0` in the unit of the readings.
    #[must_use]
    pub fn tau(&self, multiple: TauMultiple) -> f64 {
        multiple.get() as f64 * self.tau0() as f64
    }

    /// The time between the first and the last reading, in their unit.
    #[must_use]
    pub fn duration(&self) -> f64 {
        (self.points() - 1) as f64 * self.tau0() as f64
    }

    /// The time interval error `x_i - x_0` of each reading, in their unit (ITU-T G.810).
    pub fn tie(&self) -> impl Iterator<Item = i128> + '_ {
        let first = i128::from(self.readings[0]);
        self.readings.iter().map(move |reading| i128::from(*reading) - first)
    }

    /// The multiples 1, 2, 4, ... up to a third of the readings: beyond, a deviation is a guess from a handful of numbers.
    pub fn octaves(&self) -> impl Iterator<Item = TauMultiple> + use<> {
        let longest = self.points() / 3;
        (0..usize::BITS)
            .map_while(move |octave| 1_usize.checked_shl(octave).filter(|m| *m <= longest))
            .filter_map(TauMultiple::new)
    }

    pub(super) fn enough(&self, multiple: TauMultiple, needed: Option<usize>) -> Result<(), TooShort> {
        let needed = needed.unwrap_or(usize::MAX);
        if needed <= self.points() { Ok(()) } else { Err(TooShort { multiple, needed, has: self.points() }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_readings_and_no_distance_are_no_series() {
        assert_eq!(PhaseSeries::new(Vec::new(), 1), Err(PhaseError::Empty));
        assert_eq!(PhaseSeries::new(vec![1], 0), Err(PhaseError::Distance));
        assert_eq!(TauMultiple::new(0), None);
    }

    #[test]
    fn octaves_end_at_a_third_of_the_readings() {
        let octaves = |points| {
            let series = PhaseSeries::new(vec![0; points], 1).expect("a series");
            series.octaves().map(TauMultiple::get).collect::<Vec<_>>()
        };
        assert_eq!((octaves(2), octaves(3), octaves(11), octaves(12)), (vec![], vec![1], vec![1, 2], vec![1, 2, 4]));
    }

    #[test]
    fn an_error_does_not_overflow() {
        let series = PhaseSeries::new(vec![i64::MIN, 0, i64::MAX], 5).expect("a series");
        assert_eq!(series.tie().collect::<Vec<_>>(), [0, 1 << 63, (1 << 64) - 1]);
        assert_eq!(series.duration(), 10.0);
    }

    #[test]
    fn an_error_says_how_many_readings_it_takes() {
        let series = PhaseSeries::new(vec![1, 2], 1).expect("a series");
        let error = series.enough(TauMultiple::ONE, Some(3)).expect_err("too short");
        assert_eq!(
            error.to_string(),
            "3 readings are needed for an averaging time of 1 times their distance, and there are 2"
        );
    }
}
