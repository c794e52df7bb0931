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
