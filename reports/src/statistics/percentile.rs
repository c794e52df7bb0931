//! Percentiles by nearest rank, each with the sample size that it needs.

/// A quantile that is given only from so many samples on.
///
/// The largest of `n` samples lies above the `q` quantile with confidence `1 - q^n`; at 95 % that takes 59 samples for
/// p95, 299 for p99 and 2995 for p99.9. With fewer, a percentile is the maximum under another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Percentile {
    /// The value, by nearest rank, in the unit of the samples.
    Value(i64),
    /// n too small: more samples are needed, this many.
    TooFew(usize),
}

/// What is said about a set of samples, in their unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many there are.
    pub n: usize,
    /// The smallest.
    pub min: i64,
    /// The median, by nearest rank.
    pub p50: i64,
    /// The 95th percentile.
    pub p95: Percentile,
    /// The 99th percentile.
    pub p99: Percentile,
    /// The 99.9th percentile.
    pub p999: Percentile,
    /// The largest.
    pub max: i64,
}

impl Summary {
    /// The summary of samples in ascending order; `None` when there are none.
    #[must_use]
    pub fn of(sorted: &[i64]) -> Option<Self> {
        Self::by_ranks(sorted.len(), |per_mille| nearest_rank(sorted, per_mille))
    }

    /// The summary of `n` samples, of which somebody knows the quantiles by nearest rank.
    pub(super) fn by_ranks(n: usize, quantile: impl Fn(u16) -> Option<i64>) -> Option<Self> {
        let from = |per_mille| match quantile(per_mille) {
            Some(value) if n >= samples_needed(per_mille) => Percentile::Value(value),
            _ => Percentile::TooFew(samples_needed(per_mille)),
        };
        Some(Self {
            n,
            min: quantile(0)?,
            p50: quantile(500)?,
            p95: from(950),
            p99: from(990),
            p999: from(999),
            max: quantile(1_000)?,
        })
    }
}

/// Samples of which the largest lies above the quantile of so many thousandths with 95 % confidence: the least `n` with
/// `1 - q^n >= 0.95`.
///
/// One for a quantile of zero; one that asks for the maximum itself, 1000 or more, takes more than there can be.
#[must_use]
pub fn samples_needed(per_mille: u16) -> usize {
    match per_mille {
        0 => 1,
        1_000.. => usize::MAX,
        _ => (0.05_f64.ln() / (f64::from(per_mille) / 1_000.0).ln()).ceil() as usize,
    }
}

/// The quantile of so many thousandths by nearest rank: sample number `ceil(q n)`, counted from one, of samples in
/// ascending order (the definition is fixed, because there are nine in use: Hyndman and Fan 1996).
///
/// The largest sample for 1000 and more; `None` without samples.
#[must_use]
pub fn nearest_rank(sorted: &[i64], per_mille: u16) -> Option<i64> {
    sorted.get(rank_of(sorted.len(), per_mille)? - 1).copied()
}

/// Which of so many samples is the quantile, counted from one; `None` without samples.
pub(super) fn rank_of(n: usize, per_mille: u16) -> Option<usize> {
    let rank = (n as u128 * u128::from(per_mille.min(1_000))).div_ceil(1_000).max(1);
    usize::try_from(rank).ok().filter(|rank| *rank <= n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples_by_nearest_rank() {
        let five = [15, 20, 35, 40, 50];
        let ranks = [50, 300, 400, 500, 1_000].map(|per_mille| nearest_rank(&five, per_mille));
        assert_eq!(ranks, [Some(15), Some(20), Some(20), Some(35), Some(50)]);
        assert_eq!(nearest_rank(&five, 0), Some(15));
        assert_eq!(nearest_rank(&[], 500), None);
    }

    #[test]
    fn a_percentile_needs_its_samples() {
        let samples: Vec<i64> = (1..=299).collect();
        let summary = |n: usize| Summary::of(&samples[..n]).expect("samples");
        assert_eq!(summary(58).p95, Percentile::TooFew(59));
        assert_eq!(summary(59).p95, Percentile::Value(57), "rank ceil(56.05)");
        assert_eq!(summary(298).p99, Percentile::TooFew(299));
        assert_eq!(summary(299).p99, Percentile::Value(297), "rank ceil(296.01)");
        let many: Vec<i64> = (1..=2_995).collect();
        assert_eq!(Summary::of(&many[..2_994]).map(|summary| summary.p999), Some(Percentile::TooFew(2_995)));
        assert_eq!(
            Summary::of(&many).map(|summary| summary.p999),
            Some(Percentile::Value(2_993)),
            "rank ceil(2992.005)"
        );
        assert_eq!(Summary::of(&[]), None);
        let one = Summary::of(&[7]).expect("one sample");
        assert_eq!((one.n, one.min, one.p50, one.max), (1, 7, 7, 7));
    }
}
