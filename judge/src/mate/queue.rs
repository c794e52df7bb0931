//! Which position is looked at next: the nearest by a guess, and of equals the last one found.

/// Distances at and above this are one.
const DISTANCES: usize = 1 << 12;

/// Numbers of positions in the order of a distance.
pub(super) struct Queue {
    at: Vec<Vec<u32>>,
    nearest: usize,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self { at: vec![Vec::new(); DISTANCES], nearest: DISTANCES }
    }

    pub(super) fn push(&mut self, distance: u32, number: u32) {
        let distance = (distance as usize).min(DISTANCES - 1);
        self.at[distance].push(number);
        self.nearest = self.nearest.min(distance);
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        while let Some(numbers) = self.at.get_mut(self.nearest) {
            if let Some(number) = numbers.pop() {
                return Some(number);
            }
            self.nearest += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first_and_of_equals_the_last_one_found() {
        let mut queue = Queue::new();
        for (distance, number) in [7, 3, 7, 1, 3].into_iter().zip(0..) {
            queue.push(distance, number);
        }
        assert_eq!(queue.pop(), Some(3));
        queue.push(2, 5);
        let rest: Vec<u32> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(rest, [5, 4, 1, 2, 0]);
        queue.push(1, 6);
        assert_eq!((queue.pop(), queue.pop()), (Some(6), None), "an empty queue can be filled again");
    }

    #[test]
    fn what_is_far_off_comes_last() {
        let mut queue = Queue::new();
        for (distance, number) in [u32::MAX, 1 << 12, 0].into_iter().zip(0..) {
            queue.push(distance, number);
        }
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some(2), Some(1), Some(0)]);
    }
}
