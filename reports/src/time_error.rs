//! How far the device's time is from true time, and at what rate it drifts off.
//!
//! `x(t)` is device time minus true time, both since the run began: above zero the device is ahead, and a side that runs
//! loses time too soon. The drift is the slope between the first and the last point (a straight-line fit would promise
//! more than a few points on a quantised clock can hold), given with the guaranteed half-width: one tick and the
//! uncertainty of both stamps, over the run.

use flagfall_core::record::Kind;
use flagfall_trace::{Act, Fault, Stamped, Trace};

use crate::answer;
use crate::quantity;
use crate::statistics::{ErrorReading, Read};

/// Fewest points that make a picture.
pub(crate) const POINTS_MIN: usize = 3;

/// The time error at one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ErrorPoint {
    /// True time in nanoseconds.
    pub(crate) true_ns: i64,
    /// Device time minus true time in nanoseconds.
    pub(crate) error_ns: i64,
    /// Uncertainty of the true time in nanoseconds.
    pub(crate) uncertainty_ns: u64,
}

/// The time error of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeError {
    /// One point for each instant at which the device wrote something, in order.
    pub(crate) points: Vec<ErrorPoint>,
    /// A tick of the device, in nanoseconds.
    pub(crate) tick_ns: i64,
    /// The step in which its counter is read, a whole number of ticks, in nanoseconds.
    pub(crate) step_ns: i64,
    /// When buttons were pressed and flags fell, in nanoseconds of true time; the second part says that it was a flag.
    pub(crate) events: Vec<(i64, bool)>,
    /// When time-base faults began, in nanoseconds of true time.
    pub(crate) faults_ns: Vec<i64>,
}

/// The slope between the first and the last point of a time error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drift {
    /// Parts per million, above zero for a fast device.
    pub(crate) ppm: f64,
    /// Guaranteed half-width in parts per million.
    pub(crate) half_width_ppm: f64,
    /// True time between both points, in nanoseconds.
    pub(crate) over_ns: i64,
}

impl TimeError {
    pub(crate) fn of(trace: &Trace) -> Self {
        let rate = trace.plan.tick_rate;
        let mut points: Vec<ErrorPoint> = Vec::new();
        // A clock that is watched dates nothing itself.
        let dated: &[Stamped] = if trace.watched { &[] } else { &trace.records };
        for stamped in dated {
            // A flag that was noticed late, or a step back that was held, is dated by the clock at an instant that the
            // time base may never have shown.
            let dated_back =
                matches!(stamped.record.kind, Kind::FLAG_FELL | Kind::WENT_BACK) && stamped.record.value > 0;
            let device_ns = quantity::ns_of_ticks(trace.ticks_into_run(&stamped.record), rate);
            let Ok(error_ns) = i64::try_from(device_ns - i128::from(stamped.true_time.ns())) else { continue };
            let point =
                ErrorPoint { true_ns: stamped.true_time.ns(), error_ns, uncertainty_ns: stamped.uncertainty_ns };
            if !dated_back && points.last() != Some(&point) {
                points.push(point);
            }
        }
        let faults = trace.achieved.iter().filter(|achieved| {
            let act = answer::act(trace, achieved);
            matches!(act, Some(Act::Fault(fault)) if is_of_the_time_base(*fault))
        });
        let tick_ns = i64::try_from(quantity::ns_of_ticks(1, rate)).expect("a tick is at most a second");
        let step = i128::from(trace.plan.oscillator.quantum_ticks.get());
        let step_ns = i64::try_from(quantity::ns_of_ticks(step, rate)).unwrap_or(i64::MAX);
        let events = trace.records.iter().filter_map(|stamped| match stamped.record.kind {
            Kind::PRESSED => Some((stamped.true_time.ns(), false)),
            Kind::FLAG_FELL => Some((stamped.true_time.ns(), true)),
            _ => None,
        });
        let events = events.collect();
        Self { points, tick_ns, step_ns, events, faults_ns: faults.map(|achieved| achieved.earliest.ns()).collect() }
    }

    /// The drift; `None` when the points do not span any time.
    pub(crate) fn drift(&self) -> Option<Drift> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        let over_ns = last.true_ns.checked_sub(first.true_ns).filter(|over| *over > 0)?;
        let doubt_ns = self.tick_ns as f64 + first.uncertainty_ns as f64 + last.uncertainty_ns as f64;
        let ppm = |ns: f64| 1e6 * ns / over_ns as f64;
        let gained_ns = i128::from(last.error_ns) - i128::from(first.error_ns);
        Some(Drift { ppm: ppm(gained_ns as f64), half_width_ppm: ppm(doubt_ns), over_ns })
    }

    /// The points as readings of a counter that shows whole steps, in order.
    pub(crate) fn reads(&self) -> Vec<Read> {
        let mut reads = Vec::with_capacity(self.points.len());
        let mut ended = i64::MIN;
        for point in &self.points {
            let unsure = i64::try_from(point.uncertainty_ns).unwrap_or(i64::MAX);
            let (before, after) = (point.true_ns.saturating_sub(unsure), point.true_ns.saturating_add(unsure));
            let low = point.true_ns.saturating_add(point.error_ns);
            if before > ended
                && let Ok(read) = Read::new(before, after, low, low.saturating_add(self.step_ns))
            {
                reads.push(read);
                ended = after;
            }
        }
        reads
    }

    /// What the time error can have been at each point.
    pub(crate) fn readings(&self) -> Vec<ErrorReading> {
        let reading = |point: &ErrorPoint| {
            let unsure = i64::try_from(point.uncertainty_ns).unwrap_or(i64::MAX);
            ErrorReading {
                at_ns: point.true_ns,
                least_ns: point.error_ns.saturating_sub(unsure),
                most_ns: point.error_ns.saturating_add(unsure).saturating_add(self.step_ns),
            }
        };
        self.points.iter().map(reading).collect()
    }

    /// Whether there is more to see than what a sentence says: points over some time that are not all within a tick of
    /// virtual time.
    pub(crate) fn is_worth_a_picture(&self) -> bool {
        let nothing = self.faults_ns.is_empty() && self.is_exact() && self.is_quantisation();
        self.points.len() >= POINTS_MIN && self.drift().is_some() && !nothing
    }

    /// Largest minus smallest error, in nanoseconds.
    pub(crate) fn spread_ns(&self) -> i128 {
        let errors = || self.points.iter().map(|point| i128::from(point.error_ns));
        errors().max().unwrap_or(0) - errors().min().unwrap_or(0)
    }

    /// Whether every stamp is exact, as in virtual time: nothing was measured.
    pub(crate) fn is_exact(&self) -> bool {
        self.points.iter().all(|point| point.uncertainty_ns == 0)
    }

    /// Whether all that is to be seen is the tick in which the device counts (and what the bench does not know).
    pub(crate) fn is_quantisation(&self) -> bool {
        let doubt = self.points.iter().map(|point| point.uncertainty_ns).max().unwrap_or(0);
        self.spread_ns() <= i128::from(self.tick_ns) + 2 * i128::from(doubt)
    }
}

const fn is_of_the_time_base(fault: Fault) -> bool {
    matches!(fault, Fault::Stuck { .. } | Fault::Jump { .. } | Fault::Rate { .. } | Fault::Ticks { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{self, Bench};

    fn error(points: &[(i64, i64, u64)]) -> TimeError {
        let points = points
            .iter()
            .map(|(true_ns, error_ns, uncertainty_ns)| ErrorPoint {
                true_ns: *true_ns,
                error_ns: *error_ns,
                uncertainty_ns: *uncertainty_ns,
            })
            .collect();
        TimeError { points, tick_ns: 1_000, step_ns: 1_000, events: vec![], faults_ns: Vec::new() }
    }

    #[test]
    fn half_a_second_in_seven_hours_is_twenty_ppm() {
        let run = 25_200_000_000_000;
        let drift = error(&[(0, 0, 0), (run / 2, 1, 0), (run, 504_000_000, 0)]).drift().expect("a drift");
        assert_eq!((drift.ppm, drift.over_ns), (20.0, run));
        // One tick of 1 µs over 25 200 s.
        assert!((drift.half_width_ppm - 1e-3 / 25.2).abs() < 1e-12, "{}", drift.half_width_ppm);
    }

    #[test]
    fn the_interval_has_the_uncertainty_of_both_ends() {
        let drift = error(&[(1_000_000_000, -700, 300), (11_000_000_000, -5_700, 700)]).drift().expect("a drift");
        assert!((drift.ppm - -0.5).abs() < 1e-12, "{}", drift.ppm);
        assert!((drift.half_width_ppm - 0.2).abs() < 1e-12, "{}", drift.half_width_ppm);
    }

    #[test]
    fn a_run_counts_from_its_beginning_and_leaves_out_what_was_dated_back() {
        let board = Bench { ppb: -50_000, zero_ticks: 1_000_000, ..Bench::EXACT };
        let mut trace = board.run(&bench::both_flags());
        let drift = |trace: &Trace| TimeError::of(trace).drift().expect("a drift");
        let (points, before) = (TimeError::of(&trace).points.len(), drift(&trace));
        assert!((before.ppm - -50.0).abs() < before.half_width_ppm, "{before:?}");
        let flag = trace.records.iter_mut().find(|stamped| stamped.record.kind == Kind::FLAG_FELL).expect("a flag");
        flag.record.value = 5_000_000;
        assert_eq!((TimeError::of(&trace).points.len(), drift(&trace)), (points - 1, before));
    }

    #[test]
    fn faults_of_the_time_base_are_noted_and_others_are_not() {
        let mut plan = bench::both_flags();
        let fault = Act::Fault(Fault::Jump { by_ns: 1_000_000_000 });
        plan.steps.insert(9, flagfall_trace::Step { at: bench::ms(26_600), act: fault });
        let error = TimeError::of(&Bench::EXACT.run(&plan));
        assert_eq!(error.faults_ns, [26_600_000_000], "the lost press is no fault of the time base");
        assert_eq!(error.spread_ns(), 1_000_000_000);
    }

    #[test]
    fn miscounted_ticks_are_a_fault_of_the_time_base_and_wrong_reckoning_is_not() {
        assert!(is_of_the_time_base(Fault::Ticks { ticks: -1, every_ns: 1, for_ns: 1 }));
        assert!(!is_of_the_time_base(Fault::NoneRuns { for_ns: 1 }));
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        for points in [&[][..], &[(5, 1, 0)][..], &[(5, 1, 0), (5, 2, 0)][..]] {
            assert_eq!(error(points).drift(), None);
        }
        assert!(error(&[]).is_quantisation());
    }

    #[test]
    fn a_tick_of_spread_is_quantisation_and_more_is_not() {
        assert!(error(&[(0, -1_000, 0), (1, 0, 0)]).is_quantisation());
        assert!(!error(&[(0, -1_001, 0), (1, 0, 0)]).is_quantisation());
        assert!(error(&[(0, -2_000, 500), (1, 0, 500)]).is_quantisation());
    }
}
