//! From a press to the stamp that the clock gives it.
//!
//! The press happens inside the bracket that the bench achieved; the stamp is the device time of the answering record,
//! in the bench's estimate of true time. What is known for certain is the most that the latency can be: the stamp minus
//! the beginning of the bracket. That is what is counted here. It can be less by the width of the bracket, as far as that
//! lies before the stamp: no press comes after its stamp.

use flagfall_core::record::Kind;
use flagfall_trace::{Act, Trace};

use crate::answer::{self, Answers};
use crate::quantity;
use crate::statistics::{Samples, Summary};

/// Most bins of a histogram.
const BINS_MAX: i64 = 30;

/// The presses of a rig.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Latencies {
    /// In nanoseconds.
    values_ns: Samples,
    /// The longest tick among them, in nanoseconds.
    tick_ns: i64,
    /// The largest uncertainty of a stamp among them, in nanoseconds.
    uncertainty_ns: i64,
    /// The widest bracket among them, as far as it lies before the stamp, in nanoseconds.
    bracket_ns: i64,
    /// Presses that no record answers.
    unanswered: usize,
}

impl Latencies {
    /// The presses of all these traces.
    #[cfg(test)]
    pub(crate) fn of<'a>(traces: impl IntoIterator<Item = &'a Trace>) -> Self {
        let mut latencies = Self::default();
        for trace in traces {
            latencies.add(trace);
        }
        latencies
    }

    /// Adds the presses of a trace.
    pub(crate) fn add(&mut self, trace: &Trace) {
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
            let stamp = i128::from(record.true_time.ns());
            let (earliest, latest) = (i128::from(achieved.earliest.ns()), i128::from(achieved.latest.ns()));
            let uncertainty = i128::from(record.uncertainty_ns);
            self.values_ns.add(clamp(stamp - earliest));
            self.tick_ns = self.tick_ns.max(clamp(tick_ns));
            self.uncertainty_ns = self.uncertainty_ns.max(clamp(uncertainty));
            self.bracket_ns = self.bracket_ns.max(clamp(latest.min(stamp + uncertainty) - earliest));
        }
    }

    pub(crate) fn summary(&self) -> Option<Summary> {
        self.values_ns.summary()
    }

    pub(crate) const fn uncertainty_ns(&self) -> i64 {
        self.uncertainty_ns
    }

    pub(crate) const fn bracket_ns(&self) -> i64 {
        self.bracket_ns
    }

    pub(crate) const fn unanswered(&self) -> usize {
        self.unanswered
    }

    /// Whether every press has the stamp of its own instant, as in virtual time.
    pub(crate) fn all_zero(&self) -> bool {
        self.values_ns.values().all(|(value, _)| value == 0)
    }

    /// What there is to draw; `None` without samples or in virtual time.
    pub(crate) fn drawn(&self) -> Option<(Histogram, Summary)> {
        if self.all_zero() { None } else { self.histogram().zip(self.summary()) }
    }

    /// The bins to draw; `None` without samples.
    pub(crate) fn histogram(&self) -> Option<Histogram> {
        Histogram::of(&self.values_ns, self.tick_ns)
    }
}

fn clamp(ns: i128) -> i64 {
    i64::try_from(ns).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX })
}

/// Samples counted in bins of equal width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Histogram {
    /// Where the first bin begins, in nanoseconds: multiples of the width, such as ticks, lie in the middle of bins.
    pub(crate) from_ns: i64,
    /// Width of a bin in nanoseconds: the first of 1, 2, 5, 10, ... not below a tick.
    pub(crate) width_ns: i64,
    /// Samples in each bin; a sample on an edge belongs to the bin above.
    pub(crate) counts: Vec<usize>,
    /// Samples above the last bin: few and far, they would squeeze all others into one bin.
    pub(crate) beyond: usize,
}

impl Histogram {
    /// The bins of samples; `None` when there are none.
    pub(crate) fn of(samples: &Samples, tick_ns: i64) -> Option<Self> {
        let (min, max) = (samples.min()?, samples.max()?);
        let bulk = samples.nearest_rank(950)?.saturating_sub(min).max(tick_ns);
        let far = max.saturating_sub(min) / 10 > bulk;
        let drawn = if far { min.saturating_add(bulk.saturating_mul(2)) } else { max };
        let width = round_up_125(tick_ns.max(drawn.saturating_sub(min) / BINS_MAX + 1));
        let bin = |value: i64| value.saturating_add(width / 2).div_euclid(width);
        let (first, last) = (bin(min), bin(drawn));
        let mut counts = vec![0; usize::try_from(last - first).unwrap_or(0) + 1];
        let mut beyond = 0;
        for (value, times) in samples.values() {
            match usize::try_from(bin(value) - first).ok().and_then(|bin| counts.get_mut(bin)) {
                Some(count) => *count += times,
                None => beyond += times,
            }
        }
        let from_ns = first.saturating_mul(width).saturating_sub(width / 2);
        Some(Self { from_ns, width_ns: width, counts, beyond })
    }
}

/// The smallest of 1, 2, 5, 10, 20, ... that is not below `least`; 1 for anything below.
fn round_up_125(least: i64) -> i64 {
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
    use crate::bench::{self, Bench};

    #[test]
    fn a_latency_is_the_most_that_it_can_be() {
        let late = Bench { bracket_ns: 400, uncertainty_ns: 150, latency_ns: |n| 2_000 * n as i64, ..Bench::EXACT };
        let latencies = Latencies::of([&late.run(&bench::both_flags())]);
        // Stamps are whole microseconds: 2, 4 and 6 of them after the beginning of a bracket of 400 ns.
        assert_eq!(latencies.values_ns, Samples::from_iter([2_000, 4_000, 6_000]));
        assert_eq!((latencies.tick_ns, latencies.uncertainty_ns), (1_000, 150));
        assert_eq!((latencies.bracket_ns, latencies.unanswered), (400, 1));
        // A bracket of 20 µs begins 10 µs before the middle, and what lies after the stamp is no part of it.
        let vague = Bench { bracket_ns: 20_000, uncertainty_ns: 750, ..late };
        let latencies = Latencies::of([&vague.run(&bench::both_flags())]);
        assert_eq!(latencies.values_ns, Samples::from_iter([12_000, 14_000, 16_000]));
        assert_eq!((latencies.uncertainty_ns, latencies.bracket_ns), (750, 16_750));
    }

    #[test]
    fn in_virtual_time_there_is_no_latency() {
        let exact = Latencies::of([&Bench::EXACT.run(&bench::both_flags())]);
        assert!(exact.all_zero() && exact.values_ns.len() == 3);
    }

    #[test]
    fn a_bin_is_not_finer_than_a_tick() {
        let histogram = Histogram::of(&Samples::from_iter([-200, 0, 999, 1_000, 2_500]), 1_000).expect("samples");
        assert_eq!((histogram.from_ns, histogram.width_ns), (-500, 1_000));
        assert_eq!((histogram.counts, histogram.beyond), (vec![2, 2, 0, 1], 0));
    }

    #[test]
    fn equal_samples_are_one_bin() {
        let histogram = Histogram::of(&Samples::from_iter([1_200; 4]), 1_000).expect("samples");
        assert_eq!((histogram.from_ns, histogram.width_ns, histogram.counts), (500, 1_000, vec![4]));
        assert_eq!(Histogram::of(&Samples::default(), 1_000), None);
    }

    #[test]
    fn no_histogram_has_more_than_its_bins() {
        for spread in [1, 29, 30, 31, 100, 12_345, 1_000_000_007] {
            let samples: Samples = (0..=100).map(|n| n * spread).collect();
            let histogram = Histogram::of(&samples, 1).expect("samples");
            assert!(histogram.counts.len() as i64 <= BINS_MAX + 1, "{spread}: {}", histogram.counts.len());
            assert_eq!(histogram.counts.iter().sum::<usize>() + histogram.beyond, samples.len());
        }
    }

    #[test]
    fn one_sample_far_off_does_not_squeeze_the_others() {
        let mut samples: Samples = (0..99).map(|n| 2_000 + n * 10).collect();
        samples.add(10_000_000);
        let histogram = Histogram::of(&samples, 50).expect("samples");
        assert_eq!(histogram.beyond, 1);
        assert!(histogram.counts.len() > 10 && histogram.width_ns <= 100, "{histogram:?}");
    }

    #[test]
    fn the_ends_of_the_range_do_not_overflow() {
        let histogram = Histogram::of(&Samples::from_iter([i64::MIN, 0, i64::MAX]), 1).expect("samples");
        assert_eq!(histogram.counts.iter().sum::<usize>() + histogram.beyond, 3);
    }

    #[test]
    fn widths_are_round() {
        let widths = [-3, 0, 1, 3, 5, 6, 11, 1_000, 1_001].map(round_up_125);
        assert_eq!(widths, [1, 1, 1, 5, 5, 10, 20, 1_000, 2_000]);
        assert_eq!(round_up_125(i64::MAX), i64::MAX);
    }
}
