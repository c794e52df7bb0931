//! How regularly something happens that should happen at equal distances: ticks, refreshes of a display.

use super::sums::sum_of_squares;

/// How much periods differ from their mean, in the unit of the instants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeriodJitter {
    /// How many periods there are.
    pub periods: usize,
    /// Their mean.
    pub mean: f64,
    /// Root mean square of their differences from the mean.
    pub rms: f64,
    /// The longest minus the shortest, exact.
    pub peak_to_peak: u128,
}

/// How much a period differs from the one before it, in the unit of the instants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleToCycle {
    /// How many pairs of neighbouring periods there are.
    pub pairs: usize,
    /// Root mean square of the differences.
    pub rms: f64,
    /// The largest size of a difference, exact.
    pub max: u128,
}

/// Period jitter of instants in order (JEDEC JESD65B): `P_i - mean(P)`, root mean square and peak to peak.
///
/// `None` with fewer than two instants: they bound no period.
#[must_use]
pub fn period_jitter(instants: &[i64]) -> Option<PeriodJitter> {
    let periods = differences(instants);
    let (shortest, longest) = (periods.iter().min()?, periods.iter().max()?);
    let n = periods.len() as i128;
    let whole: i128 = periods.iter().sum();
    // Each difference from the mean, times the number of periods, is a whole number.
    let beside: Vec<f64> = periods.iter().map(|period| (period * n - whole) as f64 / n as f64).collect();
    let rms = (sum_of_squares([&beside], |[beside]| beside) / n as f64).sqrt();
    Some(PeriodJitter {
        periods: periods.len(),
        mean: whole as f64 / n as f64,
        rms,
        peak_to_peak: longest.abs_diff(*shortest),
    })
}

/// Cycle-to-cycle jitter of instants in order (JEDEC JESD65B): `P_(i+1) - P_i`, root mean square and largest size.
///
/// `None` with fewer than three instants: there are no two periods to compare.
#[must_use]
pub fn cycle_to_cycle(instants: &[i64]) -> Option<CycleToCycle> {
    let periods = differences(instants);
    let changes: Vec<i128> = periods.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let max = changes.iter().map(|change| change.unsigned_abs()).max()?;
    let rms = (sum_of_squares([&changes], |[change]| change as f64) / changes.len() as f64).sqrt();
    Some(CycleToCycle { pairs: changes.len(), rms, max })
}

fn differences(instants: &[i64]) -> Vec<i128> {
    instants.windows(2).map(|pair| i128::from(pair[1]) - i128::from(pair[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_tick_makes_one_long_and_one_short_period() {
        let jitter = period_jitter(&[0, 1_000, 2_040, 3_000, 4_000]).expect("periods");
        assert_eq!((jitter.periods, jitter.mean, jitter.peak_to_peak), (4, 1_000.0, 80));
        assert!((jitter.rms - 800.0_f64.sqrt()).abs() < 1e-12, "{}", jitter.rms);
        let changes = cycle_to_cycle(&[0, 1_000, 2_040, 3_000, 4_000]).expect("pairs");
        assert_eq!((changes.pairs, changes.max), (3, 80));
        assert!((changes.rms - (9_600.0_f64 / 3.0).sqrt()).abs() < 1e-12, "{}", changes.rms);
    }

    #[test]
    fn even_ticks_have_none_however_far_off_they_are() {
        let ticks: Vec<i64> = (0..100).map(|tick| i64::MAX - 7 * (100 - tick)).collect();
        assert_eq!(period_jitter(&ticks).map(|jitter| (jitter.rms, jitter.peak_to_peak)), Some((0.0, 0)));
        assert_eq!(cycle_to_cycle(&ticks).map(|jitter| (jitter.rms, jitter.max)), Some((0.0, 0)));
    }

    #[test]
    fn too_few_instants_have_no_jitter() {
        assert_eq!((period_jitter(&[]), period_jitter(&[5]), cycle_to_cycle(&[5, 6])), (None, None, None));
        let ends = period_jitter(&[i64::MIN, i64::MAX, i64::MIN]).expect("periods");
        assert_eq!(ends.peak_to_peak, (1 << 65) - 2);
    }
}
