//! How fast or slow a clock is over a run, and how sure that is: the estimator and the interval follow from the noise.
//!
//! A straight-line fit by least squares is the best there is when each reading is off for itself, and its standard error is
//! far too small (40 times for a thousand readings) when the rate itself wanders. So the kind of noise is told first
//! ([`identify`]), and the whole series is asked whether it bears that out.

use std::num::NonZeroU64;

use super::chi_square::{NORMAL_95, chi_square_quantile, student_95};
use super::deviation::Stability;
use super::edf::Estimator;
use super::noise::{NoiseError, NoiseKind, identify};
use super::phase::{PhaseSeries, TauMultiple, TooShort};
use super::sums::sum_of_squares;

/// Fewest readings of which a drift and how sure it is can be told.
const READINGS_MIN: usize = 3;

/// A deviation that is above its expectation with less than this probability speaks against the kind of noise.
const UNEXPECTED: f64 = 0.001;

/// The rate of a clock over a run, as a pure number (1e-6 is one ppm; above zero the clock is fast).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// The estimate.
    pub rate: f64,
    /// Half of the width of the interval of 95 % (guaranteed for [`Basis::Resolution`]).
    pub half_width: f64,
    /// What both rest on.
    pub basis: Basis,
    /// Over what time, in the unit of the readings.
    pub duration: f64,
}

/// What a drift and its interval rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// No reading is further from the line than one step of the clock: ends, each known to a step. Guaranteed for a
    /// constant rate.
    Resolution,
    /// White noise of the phase: least squares with its standard error. A wander of the rate that these readings hide is not
    /// allowed for: it takes more of them, or better ones.
    WhitePm,
    /// White noise of the rate: ends, `u = OADEV(tau0) sqrt(tau0 / T)`.
    WhiteFm,
    /// Flicker of the phase: least squares, the larger of its standard error and `OADEV(T / 3)`.
    FlickerPm,
    /// Flicker of the rate: ends, the largest of `OADEV` up to `T / 3` and the standard error of least squares. What is
    /// meant is the mean rate of this run; of no other is a flickering clock sure.
    FlickerFm,
    /// A rate that walks at random: ends, `u = OADEV(tau0) sqrt(T / tau0)`, which holds the rate at the beginning as well.
    RandomWalkFm,
    /// No single kind of noise, or too few readings to tell: ends, the larger of the standard error of least squares and
    /// `sqrt(3) OADEV(T / 3)` with Student's t.
    Unknown,
}

/// A straight line through a series by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastSquares {
    /// The slope, a pure number.
    pub slope: f64,
    /// Root mean square of what is left beside the line, in the unit of the readings.
    pub residual_rms: f64,
    /// The standard error of the slope if each reading is off for itself, and only then.
    pub standard_error: f64,
}

impl Drift {
    /// The drift of a clock that shows steps of `resolution` in the unit of its readings; what both rest on is
    /// [`Self::basis`].
    ///
    /// # Errors
    /// [`TooShort`] with fewer than three readings: two lie on a line whatever the clock does.
    pub fn of(series: &PhaseSeries, resolution: NonZeroU64) -> Result<Self, TooShort> {
        let line = LeastSquares::of(series)?;
        let duration = series.duration();
        let ends = end_points(series);
        let known = |rate, half_width, basis| Self { rate, half_width, basis, duration };
        if is_within_a_step(series, resolution) {
            return Ok(known(ends, resolution.get() as f64 / duration, Basis::Resolution));
        }
        let stability = Stability::of(series);
        let points = series.points();
        let least_squares = student_95((points - 2) as f64) * line.standard_error;
        let third = TauMultiple::new((points - 1) / 3).unwrap_or(TauMultiple::ONE);
        let long_term = stability.oadev(third)?;
        let short_term = stability.oadev(TauMultiple::ONE)?;
        let kind = match identify(series, TauMultiple::ONE) {
            Ok(noise) => Some(noise.kind).filter(|kind| bears_out(series, &stability, *kind, &line)),
            Err(NoiseError::TooFew { .. } | NoiseError::Silent) => None,
        };
        let student = |kind| {
            let degrees = Estimator::Oadev.degrees_of_freedom(kind, TauMultiple::ONE, points);
            degrees.map_or(f64::INFINITY, student_95)
        };
        let steps = (points - 1) as f64;
        Ok(match kind {
            Some(NoiseKind::WhitePm) => known(line.slope, least_squares, Basis::WhitePm),
            Some(NoiseKind::WhiteFm) => {
                known(ends, student(NoiseKind::WhiteFm) * short_term / steps.sqrt(), Basis::WhiteFm)
            }
            Some(NoiseKind::RandomWalkFm) => {
                known(ends, student(NoiseKind::RandomWalkFm) * short_term * steps.sqrt(), Basis::RandomWalkFm)
            }
            Some(NoiseKind::FlickerPm) => known(line.slope, least_squares.max(NORMAL_95 * long_term), Basis::FlickerPm),
            Some(NoiseKind::FlickerFm) => {
                let octaves = series.octaves().filter_map(|octave| stability.oadev(octave).ok());
                let floor = octaves.fold(long_term, f64::max);
                known(ends, least_squares.max(NORMAL_95 * floor), Basis::FlickerFm)
            }
            None => {
                let degrees = Estimator::Oadev.degrees_of_freedom(NoiseKind::WhiteFm, third, points);
                let wide = degrees.map_or(f64::INFINITY, student_95) * 3.0_f64.sqrt() * long_term;
                known(ends, least_squares.max(wide), Basis::Unknown)
            }
        })
    }

    /// The lower and the upper end of the interval.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        (self.rate - self.half_width, self.rate + self.half_width)
    }

    /// How long a run would have to be, in the unit of the readings, for the interval to leave `limit` out, if the clock
    /// goes on as it does; `None` when no run would be long enough.
    #[must_use]
    pub fn decides_after(&self, limit: f64) -> Option<f64> {
        let away = (self.rate - limit).abs();
        let power = self.basis.narrows_with()?;
        (away > 0.0).then(|| self.duration * (self.half_width / away).powf(1.0 / power))
    }
}

impl Basis {
    /// The power of the duration with which an interval narrows; `None` for noise that no patience averages away.
    #[must_use]
    pub const fn narrows_with(self) -> Option<f64> {
        match self {
            Self::Resolution => Some(1.0),
            Self::WhitePm => Some(1.5),
            Self::WhiteFm => Some(0.5),
            Self::FlickerPm => Some(1.0),
            Self::FlickerFm | Self::RandomWalkFm | Self::Unknown => None,
        }
    }
}

impl LeastSquares {
    /// The line that fits best.
    ///
    /// # Errors
    /// [`TooShort`] with fewer than three readings.
    pub fn of(series: &PhaseSeries) -> Result<Self, TooShort> {
        series.enough(TauMultiple::ONE, Some(READINGS_MIN))?;
        let n = series.points() as i128;
        // Twice the place from the middle is a whole number, and so are both sums.
        let place = |at: usize| 2 * at as i128 - (n - 1);
        let products: i128 = series.tie().enumerate().map(|(at, error)| place(at) * error).sum();
        let squares = n * (n * n - 1) / 3;
        let per_reading = 2.0 * (products as f64 / squares as f64);
        let mean = series.tie().sum::<i128>() as f64 / n as f64;
        let beside: Vec<f64> = (series.tie().enumerate())
            .map(|(at, error)| error as f64 - mean - per_reading * place(at) as f64 / 2.0)
            .collect();
        let sum = sum_of_squares([&beside], |[beside]| beside);
        let tau0 = series.tau0() as f64;
        let spread = (squares as f64 / 4.0).sqrt() * tau0;
        Ok(Self {
            slope: per_reading / tau0,
            residual_rms: (sum / n as f64).sqrt(),
            standard_error: (sum / (n - 2) as f64).sqrt() / spread,
        })
    }
}

fn end_points(series: &PhaseSeries) -> f64 {
    series.tie().last().unwrap_or(0) as f64 / series.duration()
}

/// Whether every reading is within a step of the line between the ends, exactly.
fn is_within_a_step(series: &PhaseSeries, resolution: NonZeroU64) -> bool {
    let steps = series.points() as i128 - 1;
    let gained = series.tie().last().unwrap_or(0);
    let allowed = i128::from(resolution.get()) * steps;
    series.tie().enumerate().all(|(at, error)| (error * steps - gained * at as i128).abs() <= allowed)
}

/// Whether the noise at long averaging times is no more than what this kind makes of that at short ones.
///
/// The kind was told at the distance of the readings, where a weak wander of the rate is hidden by whatever each reading is
/// off by; over the whole run it is not.
fn bears_out(series: &PhaseSeries, stability: &Stability<'_>, kind: NoiseKind, line: &LeastSquares) -> bool {
    let points = series.points();
    let tau0 = series.tau0() as f64;
    series.octaves().skip(1).all(|octave| {
        let m = octave.get() as f64;
        let (estimator, found, expected) = match kind {
            NoiseKind::WhitePm => {
                (Estimator::Mdev, stability.mdev(octave), 3.0_f64.sqrt() * line.residual_rms / (m.powf(1.5) * tau0))
            }
            NoiseKind::WhiteFm => match stability.oadev(TauMultiple::ONE) {
                Ok(short) => (Estimator::Oadev, stability.oadev(octave), short / m.sqrt()),
                Err(_) => return true,
            },
            // What these promise is wide enough for whatever comes at long averaging times.
            NoiseKind::FlickerPm | NoiseKind::FlickerFm | NoiseKind::RandomWalkFm => return true,
        };
        match (found, estimator.degrees_of_freedom(kind, octave, points)) {
            (Ok(found), Some(degrees)) => {
                (found / expected).powi(2) <= chi_square_quantile(1.0 - UNEXPECTED, degrees) / degrees
            }
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: NonZeroU64 = NonZeroU64::MIN;

    fn series(readings: impl IntoIterator<Item = i64>, tau0: u64) -> PhaseSeries {
        PhaseSeries::new(readings.into_iter().collect(), tau0).expect("a series")
    }

    #[test]
    fn a_clock_that_only_ticks_is_known_to_a_tick_over_the_run() {
        // 20 ppm over 1000 s on a clock of 1 µs, in nanoseconds; each reading is rounded down.
        let read = (0..=1_000).map(|second: i64| (second * 20_003 + 777) / 1_000 * 1_000);
        let drift =
            Drift::of(&series(read, 1_000_000_000), NonZeroU64::new(1_000).expect("not zero")).expect("readings");
        assert_eq!((drift.basis, drift.half_width), (Basis::Resolution, 1e-9));
        let (low, high) = drift.interval();
        assert!(low <= 20.003e-6 && 20.003e-6 <= high, "{drift:?}");
        // A limit 1 ppb away needs the whole run, one 10 ppb away a tenth.
        let after = drift.decides_after(drift.rate + 1e-8).expect("it narrows");
        assert!((after / 1e11 - 1.0).abs() < 1e-9, "{after}");
        assert_eq!(drift.decides_after(drift.rate), None);
    }

    #[test]
    fn two_readings_are_refused_and_three_are_not_trusted() {
        assert!(Drift::of(&series([0, 5], 1), STEP).is_err());
        let drift = Drift::of(&series([0, 100, 0], 1), STEP).expect("three readings");
        assert_eq!((drift.basis, drift.rate), (Basis::Unknown, 0.0));
        assert!(drift.half_width > 1_000.0, "{drift:?}");
        assert_eq!(drift.decides_after(1.0), None);
    }

    #[test]
    fn the_ends_of_the_range_make_a_line() {
        let drift = Drift::of(&series([i64::MIN, -1, i64::MAX - 1], 1 << 62), STEP).expect("three readings");
        assert_eq!((drift.basis, drift.rate), (Basis::Resolution, 2.0));
    }

    #[test]
    fn weak_wander_below_white_readings_is_noticed() {
        let mut state = 5_u64;
        let mut uniform = |bits: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> (64 - bits)) as i64 - (1 << (bits - 1))
        };
        let mut walk = 0;
        let mut rate = 0;
        let readings: Vec<i64> = (0..4_096)
            .map(|_| {
                rate += uniform(6);
                walk += rate;
                walk + uniform(22)
            })
            .collect();
        let series = series(readings, 1);
        assert_eq!(identify(&series, TauMultiple::ONE).map(|noise| noise.kind), Ok(NoiseKind::WhitePm));
        let drift = Drift::of(&series, STEP).expect("readings");
        assert_eq!(drift.basis, Basis::Unknown);
        let naive = LeastSquares::of(&series).expect("readings").standard_error;
        assert!(drift.half_width > 5.0 * naive, "{drift:?} {naive}");
    }
}
