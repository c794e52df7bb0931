//! Which positions a search has met.
//!
//! A hash finds the place and the position itself decides: two positions that share a hash are two. A search that has
//! followed everything that it has not met before has therefore followed everything.

use cozy_chess::Board;

use super::position;

/// Free slots hold this.
const FREE: u32 = u32::MAX;

/// Numbers of positions, found by what they are.
pub(super) struct Seen {
    /// A power of two of slots, at most half of them taken; a position stands in the first free one from its hash on.
    slots: Vec<u32>,
    taken: usize,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self { slots: vec![FREE; 1 << 10], taken: 0 }
    }

    /// Whether this position is new; if so it is kept as `number`. `of` finds a kept one.
    pub(super) fn insert<'a>(&mut self, board: &Board, number: u32, of: impl Fn(u32) -> &'a Board) -> bool {
        if self.taken * 2 >= self.slots.len() {
            self.double(&of);
        }
        let slot = self.slot(position::hash(board), |kept| of(kept).same_position(board));
        if self.slots[slot] != FREE {
            return false;
        }
        self.slots[slot] = number;
        self.taken += 1;
        true
    }

    /// The slot of the position with this hash that is the one looked for, or the free one in which it belongs.
    fn slot(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != FREE && !is_it(self.slots[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn double<'a>(&mut self, of: &impl Fn(u32) -> &'a Board) {
        let kept = std::mem::take(&mut self.slots);
        self.slots = vec![FREE; kept.len() * 2];
        for number in kept.into_iter().filter(|slot| *slot != FREE) {
            let slot = self.slot(position::hash(of(number)), |_| false);
            self.slots[slot] = number;
        }
    }
}
