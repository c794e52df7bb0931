//! What the time base did over a game, by what its records leave open.

use crate::statistics::{Rates, Read, Strip};

/// Fewest records on either side of a change of rate.
const READS_MIN: usize = 4;

/// A leap takes at most this part of the game; what takes longer is another course.
const LONG_LEAP: i64 = 4;

/// Degree of the smooth curve that a change is compared with: what a course of temperatures makes of a crystal's parabola.
const DEGREE: usize = 5;

/// A smooth curve is taken for the course if no record is further from it than this part of what there is to explain.
pub(super) const SMOOTH: f64 = 0.03;

/// The course of a time base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// A constant rate explains everything. The interval is guaranteed.
    Constant(Rates),
    /// A constant rate and one leap do.
    Jump {
        /// The rate before and after.
        rates: Rates,
        /// By how many nanoseconds at least; below zero time was lost.
        least_ns: f64,
        /// By how many at most.
        most_ns: f64,
        /// The longest that it can have taken, in nanoseconds.
        within_ns: i64,
    },
    /// A rate that changes smoothly does.
    Smooth {
        /// The rate at the beginning.
        first_rate: f64,
        /// What the change made of the error by the end, in nanoseconds.
        bent_ns: f64,
        /// The rate at the end less that at the beginning.
        changed_by: f64,
        /// Whether two constant rates would do as well.
        or_two_rates: bool,
    },
    /// One rate and then another do.
    TwoRates([Rates; 2]),
    /// None of these does: more than one thing happened, or noise.
    Other,
}

impl Course {
    /// The course that these readings leave open, the simplest first.
    #[must_use]
    pub fn of(reads: &[Read]) -> Self {
        let before = bounds(reads);
        if let Some(rates) = before.last().copied().flatten() {
            return Self::Constant(rates);
        }
        if before.is_empty() {
            return Self::Constant(Rates { slowest: f64::NEG_INFINITY, fastest: f64::INFINITY });
        }
        let mirrored: Vec<Read> = reads.iter().rev().map(Read::mirrored).collect();
        let mut after = bounds(&mirrored);
        after.reverse();
        if let Some(jump) = one_jump(reads, &before, &after) {
            return jump;
        }
        let two_rates =
            (READS_MIN..reads.len().saturating_sub(READS_MIN)).find_map(|at| Some([before[at - 1]?, after[at]?]));
        match (Smooth::of(reads), two_rates) {
            (Some(smooth), two_rates) => Self::Smooth {
                first_rate: smooth.first_rate,
                bent_ns: smooth.bent_ns,
                changed_by: smooth.changed_by,
                or_two_rates: two_rates.is_some(),
            },
            (None, Some(rates)) => Self::TwoRates(rates),
            (None, None) => Self::Other,
        }
    }
}

/// The rates that the first readings leave open, after each of them.
fn bounds(reads: &[Read]) -> Vec<Option<Rates>> {
    let mut strip = Strip::default();
    let after = |read: &Read| {
        // Readings come in their order; one that does not is left out by whoever made them.
        strip.push(*read).ok()?;
        strip.rates().ok()
    };
    reads.iter().map(after).collect()
}

/// All places at which one leap would explain everything, as one interval of leaps.
fn one_jump(reads: &[Read], before: &[Option<Rates>], after: &[Option<Rates>]) -> Option<Course> {
    let leaps = (1..reads.len()).filter_map(|at| leap(reads, before, after, at - 1, at));
    leaps.reduce(Leap::or).or_else(|| long_leap(reads, before, after)).map(|leap| Course::Jump {
        rates: leap.rates,
        least_ns: leap.least_ns,
        most_ns: leap.most_ns,
        within_ns: leap.within_ns,
    })
}

/// A leap that takes so long that the device was read meanwhile: between the last reading that goes with all before it and
/// the first that goes with all after it.
fn long_leap(reads: &[Read], before: &[Option<Rates>], after: &[Option<Rates>]) -> Option<Leap> {
    let last = before.iter().rposition(Option::is_some)?;
    let first = after.iter().position(Option::is_some)?;
    if last + 1 < READS_MIN || reads.len() < first + READS_MIN || first <= last {
        return None;
    }
    let found = leap(reads, before, after, last, first)?;
    let whole = reads.first()?.to(reads.last()?).host_ns;
    (found.within_ns <= whole / LONG_LEAP).then_some(found)
}

/// Between which rates, and by how much, the time base leapt from one reading to a later one, if it did.
fn leap(reads: &[Read], before: &[Option<Rates>], after: &[Option<Rates>], last: usize, first: usize) -> Option<Leap> {
    let (left, right) = (before[last]?, after[first]?);
    let rates = Rates { slowest: left.slowest.max(right.slowest), fastest: left.fastest.min(right.fastest) };
    if rates.slowest > rates.fastest || !rates.half_width().is_finite() {
        return None;
    }
    let gap = reads[last].to(&reads[first]);
    let moved = |rate: f64| rate * gap.host_ns as f64;
    Some(Leap {
        rates,
        least_ns: gap.least_gained_ns as f64 - moved(rates.fastest).max(moved(rates.slowest)),
        most_ns: gap.most_gained_ns as f64 - moved(rates.fastest).min(moved(rates.slowest)),
        within_ns: gap.host_ns,
    })
}

#[derive(Clone, Copy)]
struct Leap {
    rates: Rates,
    least_ns: f64,
    most_ns: f64,
    within_ns: i64,
}

impl Leap {
    /// What is left open by two places of which either may be the one.
    fn or(self, other: Self) -> Self {
        Self {
            rates: Rates {
                slowest: self.rates.slowest.min(other.rates.slowest),
                fastest: self.rates.fastest.max(other.rates.fastest),
            },
            least_ns: self.least_ns.min(other.least_ns),
            most_ns: self.most_ns.max(other.most_ns),
            within_ns: self.within_ns.max(other.within_ns),
        }
    }
}

/// A polynomial through the readings.
struct Smooth {
    first_rate: f64,
    bent_ns: f64,
    changed_by: f64,
}

impl Smooth {
    fn of(reads: &[Read]) -> Option<Self> {
        if reads.len() < 3 * (DEGREE + 1) {
            return None;
        }
        let points: Vec<(f64, f64)> = reads.iter().map(Read::error_point).collect();
        let (first, last) = (points.first()?, points.last()?);
        let (middle, half) = (f64::midpoint(first.0, last.0), (last.0 - first.0) / 2.0);
        let slope = (last.1 - first.1) / (last.0 - first.0);
        let along = |at: f64| (at - middle) / half;
        let beside: Vec<(f64, f64)> =
            points.iter().map(|(at, error)| (along(*at), error - first.1 - slope * (at - first.0))).collect();
        let curve = Polynomial::through(&beside)?;
        let size = beside.iter().fold(0.0_f64, |size, (_, beside)| size.max(beside.abs()));
        let unsure = reads.iter().map(Read::unsure_ns).max().unwrap_or(0) as f64;
        let farthest = beside.iter().map(|(at, beside)| (beside - curve.at(*at)).abs()).fold(0.0, f64::max);
        let explained = farthest <= unsure + SMOOTH * size && size > 4.0 * unsure;
        let rate_at = |at: f64| slope + curve.slope_at(at) / half;
        explained.then(|| Self {
            first_rate: rate_at(-1.0),
            bent_ns: (slope - rate_at(-1.0)) * (last.0 - first.0),
            changed_by: rate_at(1.0) - rate_at(-1.0),
        })
    }
}

/// A polynomial in Legendre's polynomials, which stay apart from each other on the points of a game.
struct Polynomial([f64; DEGREE + 1]);

impl Polynomial {
    /// The one that fits best by least squares; `None` where points do not determine it.
    fn through(points: &[(f64, f64)]) -> Option<Self> {
        const TERMS: usize = DEGREE + 1;
        let mut matrix = [[0.0; TERMS + 1]; TERMS];
        for (at, value) in points {
            let terms = legendre(*at);
            for (line, term) in matrix.iter_mut().zip(terms) {
                line.iter_mut().zip(terms).for_each(|(entry, other)| *entry += term * other);
                line[TERMS] += term * value;
            }
        }
        for pivot in 0..TERMS {
            let best = (pivot..TERMS).max_by(|a, b| matrix[*a][pivot].abs().total_cmp(&matrix[*b][pivot].abs()))?;
            matrix.swap(pivot, best);
            let head = matrix[pivot];
            if head[pivot].abs() < 1e-9 {
                return None;
            }
            for (row, line) in matrix.iter_mut().enumerate() {
                if row != pivot {
                    let factor = line[pivot] / head[pivot];
                    line.iter_mut().zip(head).for_each(|(entry, head)| *entry -= factor * head);
                }
            }
        }
        Some(Self(std::array::from_fn(|term| matrix[term][TERMS] / matrix[term][term])))
    }

    fn at(&self, at: f64) -> f64 {
        self.0.iter().zip(legendre(at)).map(|(factor, term)| factor * term).sum()
    }

    fn slope_at(&self, at: f64) -> f64 {
        let step = 1e-4;
        (self.at(at + step) - self.at(at - step)) / (2.0 * step)
    }
}

fn legendre(at: f64) -> [f64; DEGREE + 1] {
    let mut terms = [1.0; DEGREE + 1];
    terms[1] = at;
    for n in 1..DEGREE {
        let order = n as f64;
        terms[n + 1] = ((2.0 * order + 1.0) * at * terms[n] - order * terms[n - 1]) / (order + 1.0);
    }
    terms
}
