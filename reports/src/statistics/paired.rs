//! Whether pairs of values have moved: a randomisation test, its interval, and a correction for looking at several things.
//!
//! Two runs of one scenario make a pair. If nothing has changed, it is chance which of the two values came first, and each
//! difference could as well have the other sign. The test asks in how many of all assignments of signs the sum of the
//! differences is at least as far from zero as it is (Fisher 1935, section 21; Pitman 1937). It needs no distribution, is
//! exact for ties and for whole numbers, and takes the scenario for its unit: a hundred presses of one game are no hundred
//! independent witnesses. Up to [`EXACT_MAX`] differences that are not zero all assignments are looked at; of more, a
//! sample that is the same each time, with the observed one counted in (Phipson and Smyth 2010), so that no p is zero.

use super::chi_square::student_95;

/// So many differences that are not zero are looked at in all their signs: 65 536 assignments.
pub const EXACT_MAX: usize = 16;

/// Assignments that are drawn where there are more.
const DRAWN: u32 = 19_999;

/// What has become of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedChange {
    /// Pairs.
    pub pairs: usize,
    /// Pairs whose values differ.
    pub different: usize,
    /// The mean of the later values less the earlier ones.
    pub mean: f64,
    /// Half of the width of its interval of 95 % (Student); none with a single pair.
    pub half_width: Option<f64>,
    /// How likely a mean so far from zero is by chance, two-sided.
    pub p: f64,
    /// The least that `p` could be with so many differences.
    pub p_least: f64,
}

impl PairedChange {
    /// The change over pairs of earlier and later; `None` without a pair.
    #[must_use]
    pub fn of(pairs: &[(i64, i64)]) -> Option<Self> {
        if pairs.is_empty() {
            return None;
        }
        let differences: Vec<i128> = pairs.iter().map(|(from, to)| i128::from(*to) - i128::from(*from)).collect();
        let moved: Vec<i128> = differences.iter().copied().filter(|difference| *difference != 0).collect();
        let count = pairs.len() as f64;
        let mean = differences.iter().sum::<i128>() as f64 / count;
        let half_width = (pairs.len() > 1).then(|| {
            let squares: f64 = differences.iter().map(|difference| (*difference as f64 - mean).powi(2)).sum();
            student_95(count - 1.0) * (squares / (count - 1.0) / count).sqrt()
        });
        let (p, p_least) = if moved.len() <= EXACT_MAX {
            (exact(&moved), f64::min(1.0, 2.0 * 0.5_f64.powi(i32::try_from(moved.len()).unwrap_or(i32::MAX))))
        } else {
            (drawn(&moved), 1.0 / f64::from(DRAWN + 1))
        };
        Some(Self { pairs: pairs.len(), different: moved.len(), mean, half_width, p, p_least })
    }
}

/// The share of all assignments of signs whose sum is as far from zero.
fn exact(differences: &[i128]) -> f64 {
    let observed = differences.iter().sum::<i128>().unsigned_abs();
    let all = 1_u32 << differences.len();
    let sum = |signs: u32| {
        let signed =
            |(place, difference): (usize, &i128)| if signs >> place & 1 == 1 { -difference } else { *difference };
        differences.iter().enumerate().map(signed).sum::<i128>()
    };
    let far = (0..all).filter(|signs| sum(*signs).unsigned_abs() >= observed).count();
    far as f64 / f64::from(all)
}

/// The same of a sample of them.
fn drawn(differences: &[i128]) -> f64 {
    let observed = differences.iter().sum::<i128>().unsigned_abs();
    let mut draw = 0_u64;
    let far = (0..DRAWN)
        .filter(|_| {
            let (mut sum, mut bits) = (0_i128, 0_u64);
            for (place, difference) in differences.iter().enumerate() {
                if place % 64 == 0 {
                    bits = next(&mut draw);
                }
                sum += if bits >> (place % 64) & 1 == 1 { -difference } else { *difference };
            }
            sum.unsigned_abs() >= observed
        })
        .count();
    (far as f64 + 1.0) / f64::from(DRAWN + 1)
}

/// SplitMix64 (Steele, Lea and Flood 2014).
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What each p is worth when all were looked at (Holm 1979): the smallest counts as many times as there are, the next once
/// less, and none less than one before it.
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut least = 0.0;
    for (place, index) in order.into_iter().enumerate() {
        least = f64::max(least, f64::min(1.0, p[index] * (p.len() - place) as f64));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(differences: &[i64]) -> PairedChange {
        let pairs: Vec<(i64, i64)> = differences.iter().map(|difference| (1_000, 1_000 + difference)).collect();
        PairedChange::of(&pairs).expect("pairs")
    }

    #[test]
    fn darwins_plants_are_fishers() {
        // The Design of Experiments, section 21: fifteen differences in eighths of an inch, and 1726 of 32 768 assignments as
        // far from zero.
        let differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
        let found = change(&differences);
        assert_eq!(found.p, 1_726.0 / 32_768.0);
        assert!((found.mean - 20.933).abs() < 1e-3);
        // Student's t with 14 degrees: 2.148, so that the interval just leaves zero out.
        let half_width = found.half_width.expect("fifteen pairs");
        assert!((half_width - 20.90).abs() < 0.02, "{half_width}");
    }

    #[test]
    fn what_has_not_moved_has_no_evidence_and_few_pairs_have_little() {
        let same = change(&[0; 30]);
        assert_eq!((same.different, same.mean, same.half_width, same.p), (0, 0.0, Some(0.0), 1.0));
        assert_eq!(change(&[5]).p, 1.0);
        assert_eq!(change(&[5; 5]).p, 2.0 / 32.0);
        assert_eq!(change(&[5; 5]).p_least, 2.0 / 32.0);
        assert_eq!(PairedChange::of(&[]), None);
    }

    #[test]
    fn a_sample_of_assignments_says_what_all_of_them_do() {
        let differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48].map(i128::from);
        let (all, some) = (exact(&differences), drawn(&differences));
        assert!((all - some).abs() < 0.005, "{all} {some}");
        assert_eq!(change(&[7; 40]).p, 1.0 / 20_000.0, "nobody drew forty equal signs");
        assert_eq!(drawn(&differences), some, "the sample is the same each time");
    }

    #[test]
    fn by_chance_one_in_twenty_is_below_one_in_twenty() {
        let mut draw = 1;
        let mut below = 0;
        for _ in 0..2_000 {
            let differences: Vec<i64> = (0..12).map(|_| (next(&mut draw) >> 44) as i64 - (1 << 19)).collect();
            below += usize::from(change(&differences).p <= 0.05);
        }
        assert!((70..=130).contains(&below), "{below} of 2000");
    }

    #[test]
    fn holm_counts_the_smallest_most() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(adjusted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{adjusted:?}");
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
