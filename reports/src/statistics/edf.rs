//! How many independent numbers a deviation rests on, and the interval that follows.
//!
//! Source: Greenhall and Riley, "Uncertainty of stability variances based on finite differences", PTTI 2003, with the
//! numbers of its equations and tables; also NIST SP 1065 section 5.4.1.

use super::chi_square::chi_square_quantile;
use super::noise::NoiseKind;
use super::phase::TauMultiple;

/// Longest sum that is reckoned in full; beyond, the paper's approximations take over.
const TERMS_MAX: f64 = 100.0;

/// One of the Allan family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Estimator {
    /// Allan deviation without overlap.
    Adev,
    /// Overlapping Allan deviation.
    Oadev,
    /// Modified Allan deviation; time deviation as well.
    Mdev,
    /// Hadamard deviation without overlap.
    Hdev,
    /// Overlapping Hadamard deviation.
    Ohdev,
}

impl Estimator {
    /// Differences of phase that are taken.
    const fn differences(self) -> usize {
        match self {
            Self::Adev | Self::Oadev | Self::Mdev => 2,
            Self::Hdev | Self::Ohdev => 3,
        }
    }

    /// Equivalent degrees of freedom of a deviation at `m` times the distance of `points` readings that have noise of this
    /// kind: a pure number, good to some per cent (Greenhall and Riley, section 3).
    ///
    /// `None` when there are too few readings for the deviation itself.
    #[must_use]
    pub fn degrees_of_freedom(self, noise: NoiseKind, multiple: TauMultiple, points: usize) -> Option<f64> {
        let m = multiple.get() as f64;
        let d = self.differences();
        let filter = if self == Self::Mdev { 1.0 } else { m };
        let stride = if matches!(self, Self::Adev | Self::Hdev) { 1.0 } else { m };
        let length = m / filter + m * d as f64;
        if length > points as f64 {
            return None;
        }
        let terms = 1.0 + (stride * (points as f64 - length) / m).floor();
        let sums = Sums { alpha: noise.alpha(), d, terms, stride, ratio: terms / stride };
        Some(1.0 / if filter <= 1.0 { sums.modified() } else { sums.unmodified(m) })
    }
}

/// The interval of 95 % for a deviation that was estimated with so many degrees of freedom: lower and upper limit, in the
/// unit of the deviation (chi-square, two-sided; SP 1065 section 5.3.1).
#[must_use]
pub fn confidence_95(deviation: f64, degrees_of_freedom: f64) -> (f64, f64) {
    let limit = |p| deviation * (degrees_of_freedom / chi_square_quantile(p, degrees_of_freedom)).sqrt();
    (limit(0.975), limit(0.025))
}

/// What the sums of the paper run over.
#[derive(Clone, Copy)]
struct Sums {
    alpha: i32,
    d: usize,
    /// Number of differences, M.
    terms: f64,
    /// Differences taken for each averaging time, S.
    stride: f64,
    /// M / S.
    ratio: f64,
}

impl Sums {
    /// Case 1: modified variances, and any with an averaging time of one.
    fn modified(self) -> f64 {
        let longest = self.longest();
        if longest <= TERMS_MAX {
            return self.full(longest, 1.0);
        }
        match table_1(self.alpha, self.d) {
            Some(line) if self.is_long() => self.line(line),
            _ => self.coarse(1.0),
        }
    }

    fn unmodified(self, m: f64) -> f64 {
        match self.alpha {
            2.. => self.white_phase(),
            1 => self.flicker_phase(m),
            _ => self.frequency(m),
        }
    }

    /// Case 2: noise of the rate.
    fn frequency(self, m: f64) -> f64 {
        let longest = self.longest();
        if longest <= TERMS_MAX {
            let filter = if m * (self.d as f64 + 1.0) <= TERMS_MAX { m } else { f64::INFINITY };
            return self.full(longest, filter);
        }
        match table_2(self.alpha, self.d) {
            Some(line) if self.is_long() => self.line(line),
            _ => self.coarse(f64::INFINITY),
        }
    }

    /// Case 3: flicker of the phase.
    fn flicker_phase(self, m: f64) -> f64 {
        let longest = self.longest();
        if longest <= TERMS_MAX {
            return self.full(longest, m);
        }
        let (b0, b1) = if self.d == 2 { (15.23, 12.0) } else { (47.8, 40.0) };
        let level = b0 + b1 * m.ln();
        match table_2(1, self.d) {
            Some(line) if self.is_long() => self.line(line) / level.powi(2),
            _ => {
                let stride = TERMS_MAX / self.ratio;
                self.basic_sum(TERMS_MAX, TERMS_MAX, stride, stride) / (level.powi(2) * TERMS_MAX)
            }
        }
    }

    /// Case 4: white noise of the phase, in which only differences a whole number of averaging times apart are related.
    fn white_phase(self) -> f64 {
        let mut sum = 1.0;
        for apart in (1..=self.d).take_while(|apart| (*apart as f64) < self.ratio) {
            let related = binomial(2 * self.d, self.d - apart) / binomial(2 * self.d, self.d);
            sum += 2.0 * (1.0 - apart as f64 / self.ratio) * related.powi(2);
        }
        sum / self.terms
    }

    fn longest(self) -> f64 {
        self.terms.min((self.d as f64 + 1.0) * self.stride)
    }

    fn is_long(self) -> bool {
        self.ratio >= self.d as f64 + 1.0
    }

    fn full(self, longest: f64, filter: f64) -> f64 {
        self.basic_sum(longest, self.terms, self.stride, filter) / (self.sz(0.0, filter).powi(2) * self.terms)
    }

    /// As if there were no more differences than can be summed, each so much coarser.
    fn coarse(self, filter: f64) -> f64 {
        let sum = self.basic_sum(TERMS_MAX, TERMS_MAX, TERMS_MAX / self.ratio, filter);
        sum / (self.sz(0.0, filter).powi(2) * TERMS_MAX)
    }

    fn line(self, (a0, a1): (f64, f64)) -> f64 {
        (a0 - a1 / self.ratio) / self.ratio
    }

    /// Equation 10.
    fn basic_sum(self, longest: f64, terms: f64, stride: f64, filter: f64) -> f64 {
        let square = |lag: f64| self.sz(lag / stride, filter).powi(2);
        let between: f64 = (1..longest as usize).map(|lag| (1.0 - lag as f64 / terms) * square(lag as f64)).sum();
        square(0.0) + (1.0 - longest / terms) * square(longest) + 2.0 * between
    }

    /// Equation 9: the difference of order `2 d`.
    fn sz(self, t: f64, filter: f64) -> f64 {
        let weights: &[f64] = if self.d == 2 { &[6.0, -4.0, 1.0] } else { &[20.0, -15.0, 6.0, -1.0] };
        let mut sum = weights[0] * self.sx(t, filter);
        for (apart, weight) in weights.iter().enumerate().skip(1) {
            let apart = apart as f64;
            sum += weight * (self.sx(t - apart, filter) + self.sx(t + apart, filter));
        }
        sum
    }

    /// Equation 8.
    fn sx(self, t: f64, filter: f64) -> f64 {
        if filter.is_infinite() {
            return sw(t, self.alpha + 2);
        }
        let step = 1.0 / filter;
        filter.powi(2) * (2.0 * sw(t, self.alpha) - sw(t - step, self.alpha) - sw(t + step, self.alpha))
    }
}

/// Equation 7: the generalised autocovariance of the noise.
fn sw(t: f64, alpha: i32) -> f64 {
    let size = t.abs();
    if size == 0.0 {
        return 0.0;
    }
    match alpha {
        2.. => -size,
        1 => size.powi(2) * size.ln(),
        0 => size.powi(3),
        -1 => -size.powi(4) * size.ln(),
        ..=-2 => -size.powi(5),
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (1..=k).fold(1.0, |product, at| product * (n - k + at) as f64 / at as f64)
}

/// Table 1: modified variances.
const fn table_1(alpha: i32, d: usize) -> Option<(f64, f64)> {
    Some(match (alpha, d) {
        (2, 2) => (7.0 / 9.0, 1.0 / 2.0),
        (2, 3) => (22.0 / 25.0, 2.0 / 3.0),
        (1, 2) => (0.997, 0.616),
        (1, 3) => (1.141, 0.843),
        (0, 2) => (1.033, 0.607),
        (0, 3) => (1.184, 0.848),
        (-1, 2) => (1.048, 0.534),
        (-1, 3) => (1.180, 0.816),
        (-2, 2) => (1.302, 0.535),
        (-2, 3) => (1.175, 0.777),
        _ => return None,
    })
}

/// Table 2: unmodified variances.
const fn table_2(alpha: i32, d: usize) -> Option<(f64, f64)> {
    Some(match (alpha, d) {
        (1, 2) => (790.0, 410.0),
        (1, 3) => (9_950.0, 6_520.0),
        (0, 2) => (2.0 / 3.0, 1.0 / 3.0),
        (0, 3) => (7.0 / 9.0, 1.0 / 2.0),
        (-1, 2) => (0.852, 0.375),
        (-1, 3) => (0.997, 0.617),
        (-2, 2) => (1.079, 0.368),
        (-2, 3) => (1.033, 0.607),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edf(estimator: Estimator, alpha: i32, m: usize, points: usize) -> Option<f64> {
        let noise = NoiseKind::ALL.into_iter().find(|kind| kind.alpha() == alpha).expect("a kind");
        estimator.degrees_of_freedom(noise, TauMultiple::new(m).expect("not zero"), points)
    }

    /// The paper's procedure as allantools 2024.6 has it, in every branch.
    #[test]
    fn every_branch_is_that_of_the_paper() {
        use Estimator::{Adev, Mdev, Oadev, Ohdev};
        let cases = [
            (Oadev, 2, 10, 1_001, 507.173_123),
            (Oadev, 1, 10, 1_001, 247.306_833),
            (Oadev, 1, 100, 1_001, 53.873_798_2),
            (Oadev, 1, 200, 1_001, 28.557_426_6),
            (Oadev, -1, 10, 1_001, 114.668_676),
            (Oadev, -2, 100, 1_001, 7.753_683_18),
            (Oadev, -2, 330, 1_001, 1.426_775_14),
            (Oadev, 0, 330, 1_001, 2.723_874_23),
            (Oadev, 0, 30, 1_001, 46.294_531_9),
            (Mdev, -1, 330, 1_001, 1.000_789_25),
            (Mdev, 2, 300, 1_001, 1.479_786_49),
            (Adev, 0, 10, 1_001, 66.987_576_9),
            (Adev, 0, 40, 1_001, 16.225_352_1),
            (Adev, 2, 10, 1_001, 51.180_156_7),
            (Adev, 1, 40, 1_001, 13.169_106_6),
            (Adev, 1, 1, 1_001, 635.465_906),
            (Oadev, -1, 2, 10, 3.742_638_4),
            (Ohdev, 0, 3, 10, 1.0),
            (Ohdev, 1, 200, 1_001, 20.452_744_2),
            (Ohdev, -2, 250, 1_001, 1.802_365_77),
        ];
        for (estimator, alpha, m, points, expected) in cases {
            let found = edf(estimator, alpha, m, points).expect("enough readings");
            assert!((found / expected - 1.0).abs() < 1e-8, "{estimator:?} {alpha} {m}: {found}, not {expected}");
        }
    }

    #[test]
    fn white_phase_noise_in_a_short_series_has_at_least_one_degree() {
        for m in 1..=500 {
            let found = edf(Estimator::Oadev, 2, m, 1_001).expect("enough readings");
            assert!((1.0..=1_001.0).contains(&found), "{m}: {found}");
        }
    }

    #[test]
    fn a_series_that_has_no_deviation_has_no_degrees() {
        assert_eq!(edf(Estimator::Oadev, 0, 501, 1_001), None);
        assert_eq!(edf(Estimator::Mdev, 2, 334, 1_001), None);
        assert!(edf(Estimator::Oadev, 0, 500, 1_001).is_some_and(|edf| (0.9..=1.1).contains(&edf)));
    }

    #[test]
    fn an_interval_holds_the_deviation_and_widens_with_fewer_degrees() {
        let (low, high) = confidence_95(2.0, 10.0);
        let (lower, higher) = confidence_95(2.0, 3.0);
        assert!(lower < low && low < 2.0 && 2.0 < high && high < higher);
    }
}
