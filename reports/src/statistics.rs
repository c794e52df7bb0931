//! The few statistics that a page prints, each with the rule for when it may be printed.

/// A quantile that is printed only from so many samples on.
///
/// The largest of `n` samples lies above the `q` quantile with confidence `1 - q^n`; at 95 % that takes 59 samples for
/// p95 and 299 for p99. With fewer, a percentile is the maximum under another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Percentile {
    /// The value, by nearest rank.
    Value(i64),
    /// More samples are needed: this many.
    TooFew(usize),
}

/// Samples needed for p95.
pub(crate) const P95_SAMPLES_MIN: usize = 59;

/// Samples needed for p99.
pub(crate) const P99_SAMPLES_MIN: usize = 299;

/// What is said about a set of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) n: usize,
    pub(crate) min: i64,
    pub(crate) p50: i64,
    pub(crate) p95: Percentile,
    pub(crate) p99: Percentile,
    pub(crate) max: i64,
}

impl Summary {
    /// The summary of samples in ascending order; `None` when there are none.
    pub(crate) fn of(sorted: &[i64]) -> Option<Self> {
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let from = |percent, samples_min| match nearest_rank(sorted, percent) {
            Some(value) if sorted.len() >= samples_min => Percentile::Value(value),
            _ => Percentile::TooFew(samples_min),
        };
        Some(Self {
            n: sorted.len(),
            min,
            p50: nearest_rank(sorted, 50)?,
            p95: from(95, P95_SAMPLES_MIN),
            p99: from(99, P99_SAMPLES_MIN),
            max,
        })
    }
}

/// The percentile by nearest rank: the sample number `ceil(percent / 100 * n)`, counted from one.
pub(crate) fn nearest_rank(sorted: &[i64], percent: usize) -> Option<i64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.max(1) - 1).copied()
}

/// The smallest of 1, 2, 5, 10, 20, ... that is not below `least`; 1 for anything below.
pub(crate) fn round_up_125(least: i64) -> i64 {
    let mut decade = 1_i64;
    loop {
        for step in [1, 2, 5] {
            match decade.checked_mul(step) {
                Some(width) if width < least => {}
                Some(width) => return width,
                None => return i64::MAX,
            }
        }
        match decade.checked_mul(10) {
            Some(next) => decade = next,
            None => return i64::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples_by_nearest_rank() {
        let five = [15, 20, 35, 40, 50];
        let ranks = [5, 30, 40, 50, 100].map(|percent| nearest_rank(&five, percent));
        assert_eq!(ranks, [Some(15), Some(20), Some(20), Some(35), Some(50)]);
        assert_eq!(nearest_rank(&five, 0), Some(15));
        assert_eq!(nearest_rank(&[], 50), None);
    }

    #[test]
    fn a_percentile_needs_its_samples() {
        let samples: Vec<i64> = (1..=299).collect();
        let summary = |n: usize| Summary::of(&samples[..n]).expect("samples");
        assert_eq!(summary(58).p95, Percentile::TooFew(59));
        assert_eq!(summary(59).p95, Percentile::Value(57), "rank ceil(56.05)");
        assert_eq!(summary(298).p99, Percentile::TooFew(299));
        assert_eq!(summary(299).p99, Percentile::Value(297), "rank ceil(296.01)");
        assert_eq!(Summary::of(&[]), None);
        let one = Summary::of(&[7]).expect("one sample");
        assert_eq!((one.n, one.min, one.p50, one.max), (1, 7, 7, 7));
    }

    #[test]
    fn widths_are_round() {
        let widths = [-3, 0, 1, 3, 5, 6, 11, 1_000, 1_001].map(round_up_125);
        assert_eq!(widths, [1, 1, 1, 5, 5, 10, 20, 1_000, 2_000]);
        assert_eq!(round_up_125(i64::MAX), i64::MAX);
    }
}
