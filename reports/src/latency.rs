//! From a press to the stamp that the clock gives it.
//!
//! The press happens inside the bracket that the bench achieved; the stamp is the device time of the answering record,
//! in the bench's estimate of true time. A latency is the stamp minus the middle of the bracket, so it is known to half
//! the bracket, the uncertainty of the estimate, and the tick in which the clock counts.

use flagfall_core::record::Kind;
use flagfall_trace::{Act, Trace};

use crate::answer::{self, Answers};
use crate::quantity;
use crate::statistics::{self, Summary};

/// Most bins of a histogram.
const BINS_MAX: i64 = 30;

/// The presses of a rig.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Latencies {
    /// In nanoseconds, ascending.
    values_ns: Vec<i64>,
    /// The worst resolution among them, in nanoseconds.
    resolution_ns: i64,
    /// Presses that no record answers.
    unanswered: usize,
}

impl Latencies {
    /// The presses of all these traces.
    pub(crate) fn of<'a>(traces: impl IntoIterator<Item = &'a Trace>) -> Self {
        let mut latencies = Self::default();
        for trace in traces {
            latencies.add(trace);
        }
        latencies.values_ns.sort_unstable();
        latencies
    }

    fn add(&mut self, trace: &Trace) {
        let answers = Answers::of(trace);
        let tick_ns = quantity::ns_of_ticks(1, trace.plan.tick_rate);
        for (index, achieved) in trace.achieved.iter().enumerate() {
            if !matches!(answer::act(trace, achieved), Some(Act::Press { .. })) {
                continue;
            }
            let Some(record) = answers.record(index).map(|record| &trace.records[record]) else {
                self.unanswered += 1;
                continue;
            };
            debug_assert_eq!(record.record.kind, Kind::PRESSED);
            let (earliest, latest) = (i128::from(achieved.earliest.ns()), i128::from(achieved.latest.ns()));
            let latency = i128::from(record.true_time.ns()) - (earliest + latest).div_euclid(2);
            let width = latest - earliest + 2 * i128::from(record.uncertainty_ns);
            self.values_ns.push(clamp(latency));
            self.resolution_ns = self.resolution_ns.max(clamp(width.max(tick_ns)));
        }
    }

    pub(crate) fn summary(&self) -> Option<Summary> {
        Summary::of(&self.values_ns)
    }

    pub(crate) const fn resolution_ns(&self) -> i64 {
        self.resolution_ns
    }

    pub(crate) const fn unanswered(&self) -> usize {
        self.unanswered
    }

    /// Whether every press has the stamp of its own instant, as in virtual time.
    pub(crate) fn all_zero(&self) -> bool {
        self.values_ns.iter().all(|value| *value == 0)
    }

    /// The bins to draw; `None` without samples.
    pub(crate) fn histogram(&self) -> Option<Histogram> {
        Histogram::of(&self.values_ns, self.resolution_ns)
    }
}

fn clamp(ns: i128) -> i64 {
    i64::try_from(ns).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX })
}

/// Samples counted in bins of equal width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Histogram {
    /// Where the first bin begins, in nanoseconds, a multiple of the width.
    pub(crate) from_ns: i64,
    /// Width of a bin in nanoseconds: the first of 1, 2, 5, 10, ... that is not finer than the bench resolves.
    pub(crate) width_ns: i64,
    /// Samples in each bin; a sample on an edge belongs to the bin above.
    pub(crate) counts: Vec<usize>,
    /// Samples above the last bin: few and far, they would squeeze all others into one bin.
    pub(crate) beyond: usize,
}

impl Histogram {
    /// The bins of samples in ascending order; `None` when there are none.
    pub(crate) fn of(sorted: &[i64], resolution_ns: i64) -> Option<Self> {
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let bulk = statistics::nearest_rank(sorted, 95)?.saturating_sub(min).max(resolution_ns);
        let far = max.saturating_sub(min) / 10 > bulk;
        let drawn = if far { min.saturating_add(bulk.saturating_mul(2)) } else { max };
        let width = statistics::round_up_125(resolution_ns.max(drawn.saturating_sub(min) / BINS_MAX + 1));
        let first = min.div_euclid(width);
        let last = drawn.div_euclid(width);
        let mut counts = vec![0; usize::try_from(last - first).unwrap_or(0) + 1];
        let mut beyond = 0;
        for value in sorted {
            match usize::try_from(value.div_euclid(width) - first).ok().and_then(|bin| counts.get_mut(bin)) {
                Some(count) => *count += 1,
                None => beyond += 1,
            }
        }
        Some(Self { from_ns: first.saturating_mul(width), width_ns: width, counts, beyond })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{self, Bench};

    #[test]
    fn a_latency_counts_from_the_middle_of_the_bracket() {
        let late = Bench { bracket_ns: 400, uncertainty_ns: 150, latency_ns: |n| 2_000 * n as i64, ..Bench::EXACT };
        let latencies = Latencies::of([&late.run(&bench::both_flags())]);
        // Stamps are whole microseconds: 2, 4 and 6 of them after the beginning of a bracket of 400 ns.
        assert_eq!(latencies.values_ns, [1_800, 3_800, 5_800]);
        assert_eq!((latencies.resolution_ns, latencies.unanswered), (1_000, 1));
        let vague = Bench { bracket_ns: 4_000, ..late };
        assert_eq!(Latencies::of([&vague.run(&bench::both_flags())]).resolution_ns, 4_300);
    }

    #[test]
    fn in_virtual_time_there_is_no_latency() {
        let exact = Latencies::of([&Bench::EXACT.run(&bench::both_flags())]);
        assert!(exact.all_zero() && exact.values_ns.len() == 3);
    }

    #[test]
    fn a_bin_is_not_finer_than_the_bench_resolves() {
        let histogram = Histogram::of(&[-200, 0, 999, 1_000, 2_500], 1_000).expect("samples");
        assert_eq!((histogram.from_ns, histogram.width_ns), (-1_000, 1_000));
        assert_eq!((histogram.counts, histogram.beyond), (vec![1, 2, 1, 1], 0));
    }

    #[test]
    fn equal_samples_are_one_bin() {
        let histogram = Histogram::of(&[1_200; 4], 1_000).expect("samples");
        assert_eq!((histogram.from_ns, histogram.width_ns, histogram.counts), (1_000, 1_000, vec![4]));
        assert_eq!(Histogram::of(&[], 1_000), None);
    }

    #[test]
    fn no_histogram_has_more_than_its_bins() {
        for spread in [1, 29, 30, 31, 100, 12_345, 1_000_000_007] {
            let samples: Vec<i64> = (0..=100).map(|n| n * spread).collect();
            let histogram = Histogram::of(&samples, 1).expect("samples");
            assert!(histogram.counts.len() as i64 <= BINS_MAX + 1, "{spread}: {}", histogram.counts.len());
            assert_eq!(histogram.counts.iter().sum::<usize>() + histogram.beyond, samples.len());
        }
    }

    #[test]
    fn one_sample_far_off_does_not_squeeze_the_others() {
        let mut samples: Vec<i64> = (0..99).map(|n| 2_000 + n * 10).collect();
        samples.push(10_000_000);
        let histogram = Histogram::of(&samples, 50).expect("samples");
        assert_eq!(histogram.beyond, 1);
        assert!(histogram.counts.len() > 10 && histogram.width_ns <= 100, "{histogram:?}");
    }

    #[test]
    fn the_ends_of_the_range_do_not_overflow() {
        let histogram = Histogram::of(&[i64::MIN, 0, i64::MAX], 1).expect("samples");
        assert_eq!(histogram.counts.iter().sum::<usize>() + histogram.beyond, 3);
    }
}
