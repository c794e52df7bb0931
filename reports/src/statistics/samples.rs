//! Samples, each value with how often it came: a clock counts ticks, so that there are few values, however many samples.

use std::collections::BTreeMap;

use super::percentile::{Summary, rank_of};

/// The fewest samples whose mean has an interval: below, that would take a table of Student's distribution.
pub const MEAN_MIN: usize = 30;

/// Samples of which the order does not matter, in any unit.
///
/// Memory grows with the number of different values, and not with the number of samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    counts: BTreeMap<i64, usize>,
    n: usize,
}

impl Samples {
    /// Adds one.
    pub fn add(&mut self, value: i64) {
        *self.counts.entry(value).or_default() += 1;
        self.n += 1;
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.n
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The smallest; `None` without samples.
    #[must_use]
    pub fn min(&self) -> Option<i64> {
        self.counts.first_key_value().map(|(value, _)| *value)
    }

    /// The largest; `None` without samples.
    #[must_use]
    pub fn max(&self) -> Option<i64> {
        self.counts.last_key_value().map(|(value, _)| *value)
    }

    /// Each value with how often it came, in ascending order of values.
    pub fn values(&self) -> impl Iterator<Item = (i64, usize)> {
        self.counts.iter().map(|(value, count)| (*value, *count))
    }

    /// The quantile of so many thousandths, as [`nearest_rank`](super::nearest_rank) has it; `None` without samples.
    #[must_use]
    pub fn nearest_rank(&self, per_mille: u16) -> Option<i64> {
        let rank = rank_of(self.n, per_mille)?;
        let mut before = 0;
        self.values()
            .find(|(_, count)| {
                before += count;
                before >= rank
            })
            .map(|(value, _)| value)
    }

    /// Their mean, and half of its interval of 95 %, in their unit: 1.96 standard deviations of a mean of independent samples.
    ///
    /// Whole ticks that were taken at random places of a tick resolve less than a tick this way (Gray and Stockham,
    /// *Dithered quantizers*, 1993). `None` under [`MEAN_MIN`] samples.
    #[must_use]
    pub fn mean(&self) -> Option<(f64, f64)> {
        if self.n < MEAN_MIN {
            return None;
        }
        let sum: i128 = self.values().map(|(value, count)| i128::from(value) * count as i128).sum();
        let n = self.n as f64;
        let mean = sum as f64 / n;
        let square = |value: i64| (value as f64 - mean).powi(2);
        let squares: f64 = self.values().map(|(value, count)| square(value) * count as f64).sum();
        Some((mean, 1.96 * (squares / (n - 1.0) / n).sqrt()))
    }

    /// What is said about them; `None` without samples.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        Summary::by_ranks(self.n, |per_mille| self.nearest_rank(per_mille))
    }
}

impl FromIterator<i64> for Samples {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Self {
        let mut samples = Self::default();
        values.into_iter().for_each(|value| samples.add(value));
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_has_the_percentiles_of_what_is_sorted() {
        for n in [1_i64, 2, 58, 59, 298, 299, 2_995] {
            let mut sorted: Vec<i64> = (0..n).map(|index| index * index % 97 - 40).collect();
            let samples: Samples = sorted.iter().copied().collect();
            sorted.sort_unstable();
            assert_eq!(samples.summary(), Summary::of(&sorted), "{n}");
            for per_mille in [0, 1, 333, 500, 950, 1_000] {
                assert_eq!(samples.nearest_rank(per_mille), super::super::nearest_rank(&sorted, per_mille), "{n}");
            }
            assert_eq!((samples.min(), samples.max()), (sorted.first().copied(), sorted.last().copied()));
            assert_eq!(samples.values().map(|(_, count)| count).sum::<usize>(), samples.len());
        }
        assert_eq!(Samples::default().summary(), None);
        assert_eq!(Samples::from_iter(0..29).mean(), None);
        assert!(Samples::default().is_empty() && Samples::default().nearest_rank(500).is_none());
    }

    #[test]
    fn a_mean_of_whole_ticks_resolves_less_than_a_tick() {
        // Three of four took a tick, one took none.
        let samples: Samples = (0..400).map(|index| i64::from(index % 4 != 0) * 1_000_000).collect();
        let (mean, half_width) = samples.mean().expect("there are enough");
        assert!((mean - 750_000.0).abs() < 1e-6, "{mean}");
        // sqrt(0.75 * 0.25 / 399) of a tick, 1.96 times.
        assert!((half_width - 42_488.0).abs() < 1.0, "{half_width}");
    }
}
