//! Quantiles of the chi-square, normal and Student distributions, for intervals.

/// Steps after which a series or a bisection is exact to what floating point holds.
const STEPS_MAX: usize = 10_000;

/// The value below which a chi-square variable with `degrees` of freedom, any number above zero, lies with probability
/// `p`, between 0 and 1; relative error below 1e-10 (NIST Digital Library of Mathematical Functions 8.2, 8.11, 8.9).
///
/// `NaN` outside those ranges.
#[must_use]
pub fn chi_square_quantile(p: f64, degrees: f64) -> f64 {
    if !(degrees > 0.0 && degrees.is_finite() && p > 0.0 && p < 1.0) {
        return f64::NAN;
    }
    let below = |value: f64| gamma_below(degrees / 2.0, value / 2.0);
    let (mut low, mut high) = (0.0, degrees.max(1.0));
    while below(high) < p {
        low = high;
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Half of the width, in standard deviations, of an interval of 95 % from `degrees` degrees of freedom (Student's t,
/// expansion of Abramowitz and Stegun 26.7.5; within 1e-3 from four degrees on, and too wide below three).
pub(super) fn student_95(degrees: f64) -> f64 {
    let z = NORMAL_95;
    let z2 = z * z;
    let terms = [
        (z2 + 1.0) * z / 4.0,
        (5.0 * z2 * z2 + 16.0 * z2 + 3.0) * z / 96.0,
        (3.0 * z2.powi(3) + 19.0 * z2 * z2 + 17.0 * z2 - 15.0) * z / 384.0,
        (79.0 * z2.powi(4) + 776.0 * z2.powi(3) + 1_482.0 * z2 * z2 - 1_920.0 * z2 - 945.0) * z / 92_160.0,
    ];
    match degrees {
        // Exact: tangent of 0.475 pi, and a closed form for two.
        _ if degrees < 1.5 => 12.706_204_736,
        _ if degrees < 2.5 => 4.302_652_730,
        _ => terms.iter().enumerate().fold(z, |t, (power, term)| t + term / degrees.powi(power as i32 + 1)),
    }
}

/// Half of the width, in standard deviations, of an interval of 95 % of a normal variable.
pub(super) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The lower incomplete gamma function, as a part of the whole.
fn gamma_below(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for step in 1..STEPS_MAX {
            term *= x / (a + step as f64);
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return front * sum;
    }
    // The continued fraction, from its end by Lentz's method.
    let tiny = f64::MIN_POSITIVE / f64::EPSILON;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for step in 1..STEPS_MAX {
        let step = step as f64;
        let an = -step * (step - a);
        b += 2.0;
        d = 1.0 / nonzero(an * d + b, tiny);
        c = nonzero(b + an / c, tiny);
        let change = d * c;
        fraction *= change;
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    1.0 - front * fraction
}

fn nonzero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

/// Logarithm of the gamma function above zero: Stirling's series, reached by recurrence (DLMF 5.11.1).
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 15.0 {
        shift += x.ln();
        x += 1.0;
    }
    let x2 = x * x;
    let series =
        (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1_260.0 - (1.0 / 1_680.0 - 1.0 / (1_188.0 * x2)) / x2) / x2) / x2) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_is_what_tables_say() {
        let cases =
            [(1.0, 0.0), (0.5, std::f64::consts::PI.sqrt().ln()), (5.0, 24.0_f64.ln()), (10.5, 13.940_625_219_403_763)];
        for (x, expected) in cases {
            assert!((ln_gamma(x) - expected).abs() < 1e-13, "{x}: {}", ln_gamma(x));
        }
    }

    #[test]
    fn quantiles_are_what_tables_say() {
        // With two degrees it is -2 ln(1 - p); the others are from SciPy 1.17.
        let cases = [
            (0.975, 2.0, -2.0 * 0.025_f64.ln()),
            (0.025, 2.0, -2.0 * 0.975_f64.ln()),
            (0.025, 0.3, 2.6300743566293655e-11),
            (0.025, 1.0, 0.0009820691171752555),
            (0.025, 3.7, 0.39457687534151664),
            (0.025, 12.81493, 4.8956061716106944),
            (0.025, 135.0714, 104.7913935235733),
            (0.025, 5000.5, 4806.394930948942),
            (0.5, 0.3, 0.012469611517980431),
            (0.5, 1.0, 0.454936423119572),
            (0.5, 3.7, 3.058889359041863),
            (0.5, 12.81493, 12.154783711760267),
            (0.5, 135.0714, 134.4053214668746),
            (0.5, 5000.5, 4999.833349136529),
            (0.975, 0.3, 2.545055437452546),
            (0.975, 1.0, 5.023886187314888),
            (0.975, 3.7, 10.618055248352459),
            (0.975, 12.81493, 24.477935258340445),
            (0.975, 135.0714, 169.13596340545462),
            (0.975, 5000.5, 5198.393571848001),
        ];
        for (p, degrees, expected) in cases {
            let found = chi_square_quantile(p, degrees);
            assert!((found / expected - 1.0).abs() < 1e-10, "{p} {degrees}: {found}, not {expected}");
        }
        assert!(chi_square_quantile(0.5, 0.0).is_nan() && chi_square_quantile(1.0, 3.0).is_nan());
    }

    #[test]
    fn few_degrees_widen_an_interval() {
        let cases = [(1.0, 12.706_205), (2.0, 4.302_653), (4.0, 2.776_445), (10.0, 2.228_139), (100.0, 1.983_972)];
        for (degrees, expected) in cases {
            assert!((student_95(degrees) - expected).abs() < 1e-3, "{degrees}: {}", student_95(degrees));
        }
        assert!((student_95(1e9) - NORMAL_95).abs() < 1e-8);
    }
}
