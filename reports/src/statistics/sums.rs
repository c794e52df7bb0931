//! Sums of squares of differences, exact in the differences and compensated in the sum.

/// Numbers that are added side by side, so that the processor can do so as well.
const LANES: usize = 8;

/// Rounds of all lanes before they are added to the compensated sum.
const ROUNDS: usize = 512;

/// A sum with what its roundings have lost (Neumaier 1974).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(super) fn add(&mut self, value: f64) {
        let next = self.sum + value;
        let larger_first = self.sum.abs() >= value.abs();
        self.lost += if larger_first { (self.sum - next) + value } else { (value - next) + self.sum };
        self.sum = next;
    }

    pub(super) fn value(self) -> f64 {
        self.sum + self.lost
    }
}

/// The sum of `combine(taps[0][i], taps[1][i], ...)` squared over all `i`; the taps are equally long.
pub(super) fn sum_of_squares<T: Copy, const TAPS: usize>(
    taps: [&[T]; TAPS],
    combine: impl Fn([T; TAPS]) -> f64,
) -> f64 {
    let count = taps[0].len();
    let mut total = Sum::default();
    let mut at = 0;
    while at + LANES <= count {
        let rounds = ((count - at) / LANES).min(ROUNDS);
        let mut lanes = [0.0; LANES];
        for round in 0..rounds {
            let from = at + round * LANES;
            let block: [&[T]; TAPS] = taps.map(|tap| &tap[from..from + LANES]);
            for (lane, sum) in lanes.iter_mut().enumerate() {
                let value = combine(std::array::from_fn(|tap| block[tap][lane]));
                *sum += value * value;
            }
        }
        lanes.into_iter().for_each(|sum| total.add(sum));
        at += rounds * LANES;
    }
    while at < count {
        let value = combine(taps.map(|tap| tap[at]));
        total.add(value * value);
        at += 1;
    }
    total.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_keeps_what_rounding_loses() {
        let mut sum = Sum::default();
        for value in [1.0, 1e100, 1.0, -1e100] {
            sum.add(value);
        }
        assert_eq!(sum.value(), 2.0);
    }

    #[test]
    fn every_number_is_counted_once() {
        for count in [0, 1, 7, 8, 9, 16, 4_096, 4_097, 10_003] {
            let numbers: Vec<f64> = (0..count).map(f64::from).collect();
            let n = f64::from(count);
            let expected = (n - 1.0) * n * (2.0 * n - 1.0) / 6.0;
            assert_eq!(sum_of_squares([&numbers], |[number]| number), expected.max(0.0), "{count}");
        }
    }
}
