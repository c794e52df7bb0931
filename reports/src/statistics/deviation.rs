//! The Allan family: how much the rate of a clock differs from one averaging time to the next.
//!
//! All are square roots of a mean of squared differences of phase, pure numbers, after IEEE Std 1139-2008 and NIST
//! SP 1065 (Riley 2008) sections 5.2 to 5.5. Second and third differences do not see a constant rate, so that a line with
//! a whole slope is taken out first, which keeps numbers small and changes no difference at all.

use std::sync::OnceLock;

use super::phase::{PhaseSeries, TauMultiple, TooShort};
use super::sums::sum_of_squares;

/// Whole numbers up to here and eight of them added are exact in floating point.
const NARROW: u64 = 1 << 50;

/// A series made ready for many averaging times.
#[derive(Debug)]
pub struct Stability<'a> {
    series: &'a PhaseSeries,
    levelled: Levelled,
    prefix: OnceLock<Prefix>,
}

/// Readings without their first and without a line of whole slope.
#[derive(Debug)]
enum Levelled {
    /// All within [`NARROW`]: whole numbers, exact, and so are their differences.
    Narrow {
        readings: Vec<f64>,
        widest: u64,
    },
    Wide(Vec<i128>),
}

/// Sums of the first so many levelled readings.
#[derive(Debug)]
enum Prefix {
    /// Exact as they are, and so are their differences.
    Narrow(Vec<f64>),
    /// They may wrap; their third differences do not.
    Wrapping(Vec<i64>),
    Wide(Vec<i128>),
}

impl<'a> Stability<'a> {
    /// Makes a series ready.
    #[must_use]
    pub fn of(series: &'a PhaseSeries) -> Self {
        Self { series, levelled: Levelled::of(series.readings()), prefix: OnceLock::new() }
    }

    /// Allan deviation without overlap, a pure number (IEEE Std 1139): second differences at a stride of `m`, `m` apart.
    ///
    /// For comparison with reference tables; [`Self::oadev`] makes more of the same readings.
    ///
    /// # Errors
    /// [`TooShort`] with fewer than `2 m + 1` readings.
    pub fn adev(&self, multiple: TauMultiple) -> Result<f64, TooShort> {
        let m = multiple.get();
        self.series.enough(multiple, m.checked_mul(2).and_then(|needed| needed.checked_add(1)))?;
        let (sum, count) = self.levelled.second(m, m);
        Ok((sum / (2.0 * count)).sqrt() / self.series.tau(multiple))
    }

    /// Overlapping Allan deviation, a pure number (SP 1065 section 5.2.4): all second differences `m` apart.
    ///
    /// # Errors
    /// [`TooShort`] with fewer than `2 m + 1` readings.
    pub fn oadev(&self, multiple: TauMultiple) -> Result<f64, TooShort> {
        let m = multiple.get();
        self.series.enough(multiple, m.checked_mul(2).and_then(|needed| needed.checked_add(1)))?;
        let (sum, count) = self.levelled.second(m, 1);
        Ok((sum / (2.0 * count)).sqrt() / self.series.tau(multiple))
    }

    /// Modified Allan deviation, a pure number (SP 1065 section 5.2.5): second differences of means over `m` readings.
    ///
    /// It tells white phase noise (slope -3/2 over the averaging time) from flicker (-1), which OADEV does not.
    ///
    /// # Errors
    /// [`TooShort`] with fewer than `3 m` readings.
    pub fn mdev(&self, multiple: TauMultiple) -> Result<f64, TooShort> {
        let m = multiple.get();
        self.series.enough(multiple, m.checked_mul(3))?;
        let prefix = self.prefix.get_or_init(|| Prefix::of(&self.levelled));
        let (sum, count) = prefix.third(m);
        Ok((sum / (2.0 * count)).sqrt() / (m as f64 * self.series.tau(multiple)))
    }

    /// Time deviation `tau * MDEV / sqrt(3)` in the unit of the readings (SP 1065 section 5.2.6, ITU-T G.810).
    ///
    /// # Errors
    /// [`TooShort`] with fewer than `3 m` readings.
    pub fn tdev(&self, multiple: TauMultiple) -> Result<f64, TooShort> {
        Ok(self.series.tau(multiple) * self.mdev(multiple)? / 3.0_f64.sqrt())
    }

    /// Hadamard deviation without overlap, a pure number (SP 1065 section 5.2.8): third differences at a stride of `m`.
    ///
    /// # Errors
    /// [`TooShort`] with fewer than `3 m + 1` readings.
    pub fn hdev(&self, multiple: TauMultiple) -> Result<f64, TooShort> {
        let m = multiple.get();
        self.series.enough(multiple, m.checked_mul(3).and_then(|needed| needed.checked_add(1)))?;
        let (sum, count) = self.levelled.third(m, m);
        Ok((sum / (6.0 * count)).sqrt() / self.series.tau(multiple))
    }

    /// Overlapping Hadamard deviation, a pure number (SP 1065 section 5.2.9): it does not see a rate that changes evenly,
    /// as while a hall warms up.
    ///
    /// # Errors
    /// [`TooShort`] with fewer than `3 m + 1` readings.
    pub fn ohdev(&self, multiple: TauMultiple) -> Result<f64, TooShort> {
        let m = multiple.get();
        self.series.enough(multiple, m.checked_mul(3).and_then(|needed| needed.checked_add(1)))?;
        let (sum, count) = self.levelled.third(m, 1);
        Ok((sum / (6.0 * count)).sqrt() / self.series.tau(multiple))
    }
}

impl Levelled {
    fn of(readings: &[i64]) -> Self {
        let first = readings[0];
        // The bits of the largest size: far below the ends of the range nothing can overflow.
        let bits = readings.iter().fold(0, |bits, reading| bits | (reading ^ (reading >> 63)));
        if bits < 1 << 60 {
            let steps = readings.len().max(2) as i64 - 1;
            let slope = (readings[readings.len() - 1] - first) / steps;
            let mut expected = first;
            let levelled: Vec<i64> = readings
                .iter()
                .map(|reading| {
                    let beside = reading - expected;
                    expected = expected.wrapping_add(slope);
                    beside
                })
                .collect();
            let bits = levelled.iter().fold(0, |bits, reading| bits | (reading ^ (reading >> 63)));
            let widest = bits.unsigned_abs() + 1;
            if widest <= NARROW {
                return Self::Narrow { readings: levelled.iter().map(|reading| *reading as f64).collect(), widest };
            }
            return Self::Wide(levelled.into_iter().map(i128::from).collect());
        }
        Self::Wide(readings.iter().map(|reading| i128::from(*reading)).collect())
    }

    /// Sum of squared second differences `m` apart, taken each `stride`, and how many.
    fn second(&self, m: usize, stride: usize) -> (f64, f64) {
        match self {
            Self::Narrow { readings, .. } => squares(taps(readings, m), stride, |[a, b, c]| c - 2.0 * b + a),
            Self::Wide(readings) => squares(taps(readings, m), stride, |[a, b, c]| (c - 2 * b + a) as f64),
        }
    }

    /// Sum of squared third differences `m` apart, taken each `stride`, and how many.
    fn third(&self, m: usize, stride: usize) -> (f64, f64) {
        match self {
            Self::Narrow { readings, .. } => squares(taps(readings, m), stride, |[a, b, c, d]| d - 3.0 * (c - b) - a),
            Self::Wide(readings) => squares(taps(readings, m), stride, |[a, b, c, d]| (d - 3 * (c - b) - a) as f64),
        }
    }
}

impl Prefix {
    fn of(levelled: &Levelled) -> Self {
        match levelled {
            Levelled::Wide(readings) => Self::Wide(running(readings, 0, |sum, reading| sum + reading)),
            Levelled::Narrow { readings, widest } => {
                let widest_sum = u128::from(*widest) * readings.len() as u128;
                if widest_sum <= u128::from(NARROW) {
                    Self::Narrow(running(readings, 0.0, |sum, reading| sum + reading))
                } else if widest_sum < 1 << 61 {
                    Self::Wrapping(running(readings, 0, |sum: i64, reading| sum.wrapping_add(reading as i64)))
                } else {
                    Self::Wide(running(readings, 0, |sum, reading| sum + reading as i128))
                }
            }
        }
    }

    /// Sum of squared third differences `m` apart, which are second differences of sums over `m` readings.
    fn third(&self, m: usize) -> (f64, f64) {
        match self {
            Self::Narrow(sums) => squares(taps(sums, m), 1, |[a, b, c, d]| d - 3.0 * (c - b) - a),
            Self::Wrapping(sums) => squares(taps(sums, m), 1, |[a, b, c, d]| {
                d.wrapping_sub(c.wrapping_sub(b).wrapping_mul(3)).wrapping_sub(a) as f64
            }),
            Self::Wide(sums) => squares(taps(sums, m), 1, |[a, b, c, d]| (d - 3 * (c - b) - a) as f64),
        }
    }
}

fn running<T: Copy, S: Copy>(numbers: &[T], zero: S, add: impl Fn(S, T) -> S) -> Vec<S> {
    let mut sums = Vec::with_capacity(numbers.len() + 1);
    let mut sum = zero;
    sums.push(sum);
    for number in numbers {
        sum = add(sum, *number);
        sums.push(sum);
    }
    sums
}

/// The same numbers from `0`, `m`, `2 m`, ... on, as long as the last of these; the caller has made sure that there are.
fn taps<T, const TAPS: usize>(numbers: &[T], m: usize) -> [&[T]; TAPS] {
    let count = numbers.len() - (TAPS - 1) * m;
    std::array::from_fn(|tap| &numbers[tap * m..tap * m + count])
}

/// Sum of squares at each `stride`, and how many there are.
fn squares<T: Copy, const TAPS: usize>(
    taps: [&[T]; TAPS],
    stride: usize,
    combine: impl Fn([T; TAPS]) -> f64,
) -> (f64, f64) {
    if stride == 1 {
        return (sum_of_squares(taps, combine), taps[0].len() as f64);
    }
    let strided = taps.map(|tap| tap.iter().copied().step_by(stride).collect::<Vec<T>>());
    (sum_of_squares(strided.each_ref().map(Vec::as_slice), combine), strided[0].len() as f64)
}
