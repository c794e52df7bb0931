//! Stamps at even distances, of which deviations and kinds of noise can be told.
//!
//! A clock writes when something happens, which is at even distances in a game that is played so. Of others nothing is made
//! up: between two stamps nobody knows what the time base did.

use std::num::NonZeroU64;

use crate::plot::DeviationPoint;
use crate::statistics::{
    Drift, Estimator, NoiseKind, POINTS_MIN as NOISE_POINTS_MIN, PhaseSeries, Stability, TauMultiple, confidence_95,
    identify, mtie_octaves,
};
use crate::time_error::TimeError;

/// Fewest stamps at even distances of which anything is told.
pub(crate) const POINTS_MIN: usize = NOISE_POINTS_MIN;

/// Distances are even when they differ by no more than this part: at a rate of 100 ppm that is a ten-millionth of them.
const EVEN: i64 = 1_000;

/// Degrees of freedom under which no deviation is printed.
const DEGREES_MIN: f64 = 3.0;

/// A stretch of stamps at even distances.
#[derive(Clone, Debug)]
pub(crate) struct Even {
    /// Device time minus true time, in nanoseconds.
    pub(crate) series: PhaseSeries,
    /// What a stamp resolves: a step of the counter, and the uncertainty on both sides.
    pub(crate) resolution: NonZeroU64,
}

impl Even {
    /// The longest stretch; `None` without three stamps at even distances.
    pub(crate) fn of(error: &TimeError) -> Option<Self> {
        let mut points = error.points.clone();
        points.dedup_by_key(|point| point.true_ns);
        let distance = |at: usize| points[at].true_ns.saturating_sub(points[at - 1].true_ns);
        let mut best = 0..0;
        let mut from = 0;
        for at in 2..points.len() {
            let first = distance(from + 1);
            if distance(at).abs_diff(first) > first.unsigned_abs() / EVEN.unsigned_abs() {
                from = at - 1;
            }
            if at + 1 - from > best.len() {
                best = from..at + 1;
            }
        }
        let stretch = points.get(best).filter(|stretch| stretch.len() > 2)?;
        let whole = stretch.last()?.true_ns.saturating_sub(stretch.first()?.true_ns);
        let tau0 = whole / i64::try_from(stretch.len() - 1).ok()?;
        let unsure = stretch.iter().map(|point| point.uncertainty_ns).max().unwrap_or(0);
        let resolution = NonZeroU64::new(error.step_ns.unsigned_abs().saturating_add(unsure.saturating_mul(2)))?;
        let readings = stretch.iter().map(|point| point.error_ns).collect();
        Some(Self { series: PhaseSeries::new(readings, u64::try_from(tau0).ok()?).ok()?, resolution })
    }

    /// Whether there are enough stamps to tell anything.
    pub(crate) fn is_enough(&self) -> bool {
        self.series.points() >= POINTS_MIN
    }

    /// The drift with its interval, from enough stamps.
    pub(crate) fn drift(&self) -> Option<Drift> {
        Drift::of(&self.series, self.resolution).ok().filter(|_| self.is_enough())
    }

    /// The kind of noise at the distance of the stamps; `None` where there is none beyond the steps of the counter, or
    /// from too few.
    pub(crate) fn noise(&self) -> Option<NoiseKind> {
        identify(&self.series, TauMultiple::ONE).ok().map(|noise| noise.kind)
    }

    /// OADEV and MDEV on octaves, with intervals of 95 % where the noise at that averaging time can be told.
    pub(crate) fn deviations(&self) -> [Vec<DeviationPoint>; 2] {
        let stability = Stability::of(&self.series);
        let points = self.series.points();
        let (mut oadev, mut mdev) = (Vec::new(), Vec::new());
        let mut kind = None;
        for octave in self.series.octaves() {
            // Beyond the averaging time at which noise can be told it is taken for that before.
            kind = identify(&self.series, octave).ok().map(|noise| noise.kind).or(kind);
            let tau_s = self.series.tau(octave) * 1e-9;
            let point = |estimator: Estimator, deviation: f64| {
                let degrees = kind.and_then(|kind| estimator.degrees_of_freedom(kind, octave, points));
                let told = degrees.is_none_or(|degrees| degrees >= DEGREES_MIN);
                told.then(|| DeviationPoint {
                    tau_s,
                    deviation,
                    interval: degrees.map(|degrees| confidence_95(deviation, degrees)),
                })
            };
            oadev.extend(stability.oadev(octave).ok().and_then(|deviation| point(Estimator::Oadev, deviation)));
            mdev.extend(stability.mdev(octave).ok().and_then(|deviation| point(Estimator::Mdev, deviation)));
        }
        [oadev, mdev]
    }

    /// MTIE on octaves: seconds of observation and nanoseconds.
    pub(crate) fn excursions(&self) -> Vec<(f64, f64)> {
        let octaves = mtie_octaves(&self.series).into_iter();
        octaves.map(|(octave, ns)| (self.series.tau(octave) * 1e-9, ns as f64)).collect()
    }

    /// What the device counted from each stamp to the next, in nanoseconds.
    pub(crate) fn periods_ns(&self) -> Vec<i64> {
        let tau0 = i128::from(self.series.tau0());
        let readings = self.series.readings().windows(2);
        readings.filter_map(|pair| i64::try_from(tau0 + i128::from(pair[1]) - i128::from(pair[0])).ok()).collect()
    }

    /// Whether the stamps stay within what one of them resolves of a straight line: there is no noise to look at.
    pub(crate) fn is_silent(&self) -> bool {
        self.periods_ns()
            .iter()
            .max()
            .zip(self.periods_ns().iter().min())
            .is_none_or(|(longest, shortest)| longest.abs_diff(*shortest) <= self.resolution.get().saturating_mul(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_error::ErrorPoint;

    fn error(instants_ms: impl IntoIterator<Item = i64>) -> TimeError {
        let points = instants_ms.into_iter().map(|ms| ErrorPoint {
            true_ns: ms * 1_000_000,
            error_ns: ms * 20 + ms % 3,
            uncertainty_ns: 100,
        });
        TimeError { points: points.collect(), tick_ns: 1_000, step_ns: 1_000, events: vec![], faults_ns: vec![] }
    }

    #[test]
    fn the_longest_stretch_is_taken_and_nothing_is_made_up_between_stamps() {
        let mixed = [0, 7, 7, 20].into_iter().chain((1..=40).map(|n| n * 1_000)).chain([40_500, 99_000]);
        let even = Even::of(&error(mixed)).expect("a stretch");
        assert_eq!((even.series.points(), even.series.tau0()), (40, 1_000_000_000));
        assert_eq!(even.resolution.get(), 1_200);
        assert!(even.is_enough() && even.drift().is_some());
        assert_eq!(even.periods_ns().len(), 39);
        // A hundredth of a second beside ten is not even.
        let uneven = (0..40).map(|n| n * 10_000 + if n % 2 == 0 { 0 } else { 15 });
        assert!(Even::of(&error(uneven)).is_none_or(|even| !even.is_enough()));
        assert!(Even::of(&error([])).is_none() && Even::of(&error([5, 9])).is_none());
    }

    #[test]
    fn deviations_have_intervals_and_stop_where_there_are_too_few() {
        let even = Even::of(&error((0..200).map(|n| n * 1_000))).expect("a stretch");
        let [oadev, mdev] = even.deviations();
        assert!(oadev.len() >= 4 && oadev.len() <= 7 && mdev.len() <= oadev.len(), "{} {}", oadev.len(), mdev.len());
        assert!(
            oadev
                .iter()
                .all(|point| point.interval.is_some_and(|(low, high)| low < point.deviation && point.deviation < high))
        );
        assert_eq!(even.excursions().first().map(|(tau, _)| *tau), Some(1.0));
    }
}
