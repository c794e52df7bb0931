//! Which kind of noise a series shows, from its lag-1 autocorrelation.

use std::fmt;

use super::phase::{PhaseSeries, TauMultiple};

/// Fewest readings, at the averaging time asked for, of which a kind of noise can be told.
pub const POINTS_MIN: usize = 30;

/// Differences after which everything is taken for what the last one shows.
const DIFFERENCES_MAX: u8 = 2;

/// A kind of noise after its power law `S_y(f) = h f^alpha` (IEEE Std 1139).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoiseKind {
    /// Random walk of the rate, alpha -2 or below: warmth, shocks.
    RandomWalkFm,
    /// Flicker of the rate, alpha -1: what a crystal is left with.
    FlickerFm,
    /// White noise of the rate, alpha 0.
    WhiteFm,
    /// Flicker of the phase, alpha 1.
    FlickerPm,
    /// White noise of the phase, alpha 2: each reading is off for itself, as by a tick or by the bench.
    WhitePm,
}

impl NoiseKind {
    /// All kinds, the most divergent first.
    pub const ALL: [Self; 5] = [Self::RandomWalkFm, Self::FlickerFm, Self::WhiteFm, Self::FlickerPm, Self::WhitePm];

    /// The exponent `alpha` of the frequency in the power law.
    #[must_use]
    pub const fn alpha(self) -> i32 {
        match self {
            Self::RandomWalkFm => -2,
            Self::FlickerFm => -1,
            Self::WhiteFm => 0,
            Self::FlickerPm => 1,
            Self::WhitePm => 2,
        }
    }

    const fn nearest(alpha: i32) -> Self {
        match alpha {
            i32::MIN..=-2 => Self::RandomWalkFm,
            -1 => Self::FlickerFm,
            0 => Self::WhiteFm,
            1 => Self::FlickerPm,
            2.. => Self::WhitePm,
        }
    }
}

impl fmt::Display for NoiseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::RandomWalkFm => "random walk FM",
            Self::FlickerFm => "flicker FM",
            Self::WhiteFm => "white FM",
            Self::FlickerPm => "flicker PM",
            Self::WhitePm => "white PM",
        })
    }
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The nearest kind.
    pub kind: NoiseKind,
    /// The exponent as it was estimated.
    pub alpha: f64,
    /// Readings that it was estimated from.
    pub points: usize,
}

/// Noise that cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoiseError {
    /// From so few readings any answer would be a guess: read on, or ask for a shorter averaging time.
    #[error("{points} readings at this averaging time, and a kind of noise is told from {POINTS_MIN} on")]
    TooFew {
        /// Readings that there are.
        points: usize,
    },
    /// All readings lie on a parabola: there is no noise to be told.
    #[error("the readings show no noise")]
    Silent,
}

/// The kind of noise at an averaging time (Riley and Greenhall 2004, "Power law noise identification using the lag 1
/// autocorrelation").
///
/// Each `m`-th reading is taken, a constant rate and an even change of it are taken out, and the rest is differenced until
/// it is stationary; `alpha = 2 - 2 d - 2 r / (1 + r)` for a lag-1 autocorrelation `r` after `d` differences.
///
/// # Errors
/// [`NoiseError`] with fewer than [`POINTS_MIN`] readings, or without noise.
pub fn identify(series: &PhaseSeries, multiple: TauMultiple) -> Result<Noise, NoiseError> {
    let first = series.readings()[0];
    let taken = series.readings().iter().step_by(multiple.get());
    let mut numbers: Vec<f64> = taken.map(|reading| (i128::from(*reading) - i128::from(first)) as f64).collect();
    let points = numbers.len();
    if points < POINTS_MIN {
        return Err(NoiseError::TooFew { points });
    }
    detrend(&mut numbers);
    let mut differences = 0;
    loop {
        let correlation = lag_1(&numbers).ok_or(NoiseError::Silent)?;
        let delta = correlation / (1.0 + correlation);
        if delta < 0.25 || differences == DIFFERENCES_MAX {
            let alpha = 2.0 - 2.0 * f64::from(differences) - 2.0 * delta;
            let nearest = 2 - 2 * i32::from(differences) - (2.0 * delta).round_ties_even() as i32;
            return Ok(Noise { kind: NoiseKind::nearest(nearest), alpha, points });
        }
        numbers = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
        differences += 1;
    }
}

/// Takes the parabola out that fits best, by least squares; what is left of nothing but a parabola is nothing.
fn detrend(numbers: &mut [f64]) {
    let middle = (numbers.len() - 1) as f64 / 2.0;
    let along = |at: usize| at as f64 / middle - 1.0;
    let n = numbers.len() as f64;
    let mean_square = (0..numbers.len()).map(|at| along(at).powi(2)).sum::<f64>() / n;
    // Mean, slope and curvature about the middle are at right angles to each other, so that each is fitted alone.
    let shapes: [&dyn Fn(usize) -> f64; 3] = [&|_| 1.0, &along, &|at| along(at).powi(2) - mean_square];
    let largest = numbers.iter().fold(0.0_f64, |largest, number| largest.max(number.abs()));
    for shape in shapes {
        let (mut product, mut square) = (0.0, 0.0);
        for (at, number) in numbers.iter().enumerate() {
            product += number * shape(at);
            square += shape(at).powi(2);
        }
        for (at, number) in numbers.iter_mut().enumerate() {
            *number -= product / square * shape(at);
        }
    }
    // What is left of the arithmetic itself is no noise of the clock.
    if numbers.iter().all(|number| number.abs() <= largest * 1e-13 * n) {
        numbers.fill(0.0);
    }
}

/// Autocorrelation from one number to the next about their mean; `None` when they are all the same.
fn lag_1(numbers: &[f64]) -> Option<f64> {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let products: f64 = numbers.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    (squares > 0.0).then(|| products / squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(readings: impl Iterator<Item = i64>) -> PhaseSeries {
        PhaseSeries::new(readings.collect(), 1).expect("a series")
    }

    #[test]
    fn a_guess_from_few_readings_is_refused() {
        let noisy = series((0..299).map(|n: i64| n * n * 7_919 % 1_009));
        let at = |m| identify(&noisy, TauMultiple::new(m).expect("not zero"));
        assert!(at(1).is_ok());
        assert_eq!(at(10).map(|noise| noise.points), Ok(30));
        assert_eq!(at(11), Err(NoiseError::TooFew { points: 28 }));
        assert_eq!(at(usize::MAX), Err(NoiseError::TooFew { points: 1 }));
    }

    #[test]
    fn a_parabola_is_no_noise() {
        for readings in [
            series((0..100).map(|_| 5)),
            series((0..100).map(|n| 1_000_000 - 20_000 * n)),
            series((0..100).map(|n| 3 * n * n - 17 * n)),
        ] {
            assert_eq!(identify(&readings, TauMultiple::ONE), Err(NoiseError::Silent));
        }
    }

    #[test]
    fn kinds_are_their_exponents() {
        assert!(NoiseKind::ALL.iter().all(|kind| NoiseKind::nearest(kind.alpha()) == *kind));
        assert_eq!((NoiseKind::nearest(-4), NoiseKind::nearest(3)), (NoiseKind::RandomWalkFm, NoiseKind::WhitePm));
        assert_eq!(NoiseKind::WhiteFm.to_string(), "white FM");
    }
}
