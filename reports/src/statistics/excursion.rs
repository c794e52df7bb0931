//! How far the time error moves within a span of time, whatever its rate.

use std::collections::VecDeque;

use super::phase::{PhaseSeries, TauMultiple, TooShort};
use super::sums::sum_of_squares;

/// Maximum time interval error in the unit of the readings, exact (ITU-T G.810 section 4.5.14): the largest difference
/// of any two readings that are no more than `m` apart.
///
/// # Errors
/// [`TooShort`] with fewer than `m + 1` readings.
pub fn mtie(series: &PhaseSeries, multiple: TauMultiple) -> Result<u64, TooShort> {
    let m = multiple.get();
    series.enough(multiple, m.checked_add(1))?;
    let (mut highest, mut lowest) = (Extreme::new(m, |new, old| new >= old), Extreme::new(m, |new, old| new <= old));
    let mut widest = 0;
    for (at, reading) in series.readings().iter().enumerate() {
        widest = widest.max(highest.push(at, *reading).abs_diff(lowest.push(at, *reading)));
    }
    Ok(widest)
}

/// [`mtie`] for 1, 2, 4, ... times the distance of the readings up to the whole series, in one go.
///
/// The extremes over twice as many readings are those of two neighbouring spans (Bregni 1996), so that each octave takes
/// one pass, however long its span is.
#[must_use]
pub fn mtie_octaves(series: &PhaseSeries) -> Vec<(TauMultiple, u64)> {
    let readings = series.readings();
    let (mut highest, mut lowest) = (readings.to_vec(), readings.to_vec());
    let mut found = Vec::new();
    let mut m = 1;
    while let Some(multiple) = TauMultiple::new(m).filter(|_| m < readings.len()) {
        // What lies at the same place now are the extremes of `m` readings; one more makes the span `m` long.
        let spans = readings.len() - m;
        let ends = readings[m..].iter().zip(&highest[..spans]).zip(&lowest[..spans]);
        let widest = ends.map(|((end, high), low)| (*high).max(*end).abs_diff((*low).min(*end))).max();
        found.push((multiple, widest.unwrap_or(0)));
        let spans = spans.saturating_sub(m - 1);
        for at in 0..spans {
            highest[at] = highest[at].max(highest[at + m]);
            lowest[at] = lowest[at].min(lowest[at + m]);
        }
        m *= 2;
    }
    found
}

/// Root mean square of the time interval errors over `m` times the distance of the readings, in their unit (ITU-T G.810).
///
/// # Errors
/// [`TooShort`] with fewer than `m + 1` readings.
pub fn tie_rms(series: &PhaseSeries, multiple: TauMultiple) -> Result<f64, TooShort> {
    let m = multiple.get();
    series.enough(multiple, m.checked_add(1))?;
    let count = series.points() - m;
    let (from, to) = (&series.readings()[..count], &series.readings()[m..]);
    Ok((sum_of_squares([from, to], |[from, to]| to.abs_diff(from) as f64) / count as f64).sqrt())
}

/// The extreme of the last `span + 1` readings: candidates in the order in which they will be the extreme.
struct Extreme {
    span: usize,
    replaces: fn(i64, i64) -> bool,
    candidates: VecDeque<(usize, i64)>,
}

impl Extreme {
    fn new(span: usize, replaces: fn(i64, i64) -> bool) -> Self {
        Self { span, replaces, candidates: VecDeque::new() }
    }

    /// Adds a reading and returns the extreme.
    fn push(&mut self, at: usize, reading: i64) -> i64 {
        while self.candidates.back().is_some_and(|(_, old)| (self.replaces)(reading, *old)) {
            self.candidates.pop_back();
        }
        self.candidates.push_back((at, reading));
        while self.candidates.front().is_some_and(|(old, _)| at - old > self.span) {
            self.candidates.pop_front();
        }
        self.candidates.front().map_or(reading, |(_, extreme)| *extreme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(readings: &[i64]) -> PhaseSeries {
        PhaseSeries::new(readings.to_vec(), 1).expect("a series")
    }

    fn multiple(m: usize) -> TauMultiple {
        TauMultiple::new(m).expect("not zero")
    }

    fn slow(readings: &[i64], m: usize) -> u64 {
        let spread = |span: &[i64]| Some(span.iter().max()?.abs_diff(*span.iter().min()?));
        readings.windows(m + 1).filter_map(spread).max().expect("a span")
    }

    #[test]
    fn one_span_and_octaves_are_what_the_definition_says() {
        let mut state = 7_u64;
        for points in [2, 3, 4, 5, 8, 9, 16, 17, 33, 100] {
            let readings: Vec<i64> = (0..points)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 54) as i64 - 512
                })
                .collect();
            let series = series(&readings);
            for m in 1..points {
                assert_eq!(mtie(&series, multiple(m)), Ok(slow(&readings, m)), "{points} {m}");
            }
            let octaves = mtie_octaves(&series);
            assert_eq!(octaves.len(), (points - 1).ilog2() as usize + 1, "{points}");
            for (multiple, found) in octaves {
                assert_eq!(found, slow(&readings, multiple.get()), "{points} {multiple}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_are_a_difference_like_any_other() {
        let series = series(&[i64::MAX, 0, i64::MIN]);
        assert_eq!(mtie(&series, multiple(2)), Ok(u64::MAX));
        assert_eq!(mtie_octaves(&series)[1].1, u64::MAX);
        assert!(tie_rms(&series, TauMultiple::ONE).is_ok_and(|rms| rms > 9.2e18));
    }

    #[test]
    fn one_reading_has_no_excursion() {
        let one = series(&[5]);
        assert_eq!(mtie_octaves(&one), []);
        assert_eq!(mtie(&one, TauMultiple::ONE), Err(TooShort { multiple: TauMultiple::ONE, needed: 2, has: 1 }));
        assert!(tie_rms(&one, multiple(usize::MAX)).is_err());
    }

    #[test]
    fn a_clock_that_stands_right_has_none() {
        let constant = series(&[9; 20]);
        assert!(mtie_octaves(&constant).iter().all(|(_, found)| *found == 0));
        assert_eq!(tie_rms(&constant, multiple(3)), Ok(0.0));
    }
}
