//! The likely rate of a counter that is read between two instants of a host: a weighted straight line.

use super::chi_square::student_95;
use super::strip::Read;

/// The shortest round trip counts as if this part of it were certain.
const CERTAIN: f64 = 0.9;

/// A line through the middles of reads, each with the weight that its round trip deserves.
///
/// A read that was quick is known well, a slow one badly: weights are `1 / ((RTT - 0.9 RTT_min)^2 / 4 + q^2 / 12)` for a
/// round trip `RTT` and steps `q` of the counter. Delays that are longer there than back all the time are an offset and
/// change no rate. The interval takes reads for independent of each other; [`super::Strip`] does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoWayFit {
    /// The rate about zero, a pure number.
    pub rate: f64,
    /// Half of the width of its interval of 95 %.
    pub half_width: f64,
    /// Reads that it rests on.
    pub reads: usize,
}

impl TwoWayFit {
    /// The fit through reads in their order; `None` with fewer than three, or all at one instant.
    #[must_use]
    pub fn of(reads: &[Read]) -> Option<Self> {
        let shortest = reads.iter().map(Read::round_trip_ns).min()? as f64;
        let first = *reads.first()?;
        let (from, zero) = (first.middle_ns(), first.time_ns());
        let points: Vec<(f64, f64, f64)> = reads
            .iter()
            .map(|read| {
                let at = read.middle_ns() - from;
                let beside = read.time_ns() - zero - at;
                let unsure = (read.round_trip_ns() as f64 - CERTAIN * shortest).max(1.0);
                let step = read.step_ns() as f64;
                // Halves of nanoseconds are whole here.
                (at as f64 / 2.0, beside as f64 / 2.0, 1.0 / (unsure.powi(2) / 4.0 + step.powi(2) / 12.0))
            })
            .collect();
        let sum =
            |value: &dyn Fn(&(f64, f64, f64)) -> f64| points.iter().map(|point| point.2 * value(point)).sum::<f64>();
        let whole = sum(&|_| 1.0);
        let (middle, mean) = (sum(&|point| point.0) / whole, sum(&|point| point.1) / whole);
        let squares = sum(&|point| (point.0 - middle).powi(2));
        if reads.len() < 3 || squares <= 0.0 {
            return None;
        }
        let rate = sum(&|point| (point.0 - middle) * (point.1 - mean)) / squares;
        let degrees = (reads.len() - 2) as f64;
        let left = sum(&|point| (point.1 - mean - rate * (point.0 - middle)).powi(2)) / degrees;
        Some(Self { rate, half_width: student_95(degrees) * (left / squares).sqrt(), reads: reads.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(before: i64, trip: i64, part: i64, ppm: i64) -> Read {
        let happens = before + trip * part / 100;
        let shown = happens + happens * ppm / 1_000_000;
        Read::new(before, before + trip, shown, shown + 1_000).expect("in order")
    }

    #[test]
    fn slow_reads_do_not_spoil_quick_ones() {
        let reads: Vec<Read> = (0..600)
            .map(|number| {
                // Each tenth read takes 30 ms, all of it before the counter is read.
                let (trip, part) = if number % 10 == 3 { (30_000_000, 99) } else { (120_000, 40 + number % 20) };
                read(100_000_000 * number, trip, part, 20)
            })
            .collect();
        let fit = TwoWayFit::of(&reads).expect("a line");
        assert!((fit.rate - 20e-6).abs() < 2e-8, "{fit:?}");
        assert!((fit.rate - 20e-6).abs() < fit.half_width && fit.half_width < 1e-6, "{fit:?}");
    }

    #[test]
    fn an_even_asymmetry_is_an_offset() {
        let reads: Vec<Read> = (0..100).map(|number| read(100_000_000 * number, 120_000, 90, -35)).collect();
        let fit = TwoWayFit::of(&reads).expect("a line");
        assert!((fit.rate - -35e-6).abs() < 1e-9, "{fit:?}");
    }

    #[test]
    fn two_reads_are_no_fit() {
        let two = [read(0, 100, 50, 0), read(1_000, 100, 50, 0)];
        assert_eq!((TwoWayFit::of(&two), TwoWayFit::of(&[])), (None, None));
    }
}
