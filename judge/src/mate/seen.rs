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

#[cfg(test)]
mod tests {
    use cozy_chess::{BoardBuilder, Color, Piece, Square};

    use super::*;

    /// Two kings and two pieces wherever they may stand: many more positions than there are slots in the beginning.
    fn boards() -> Vec<Board> {
        let mut boards = Vec::new();
        for (rook, knight) in Square::ALL.into_iter().flat_map(|rook| Square::ALL.map(|knight| (rook, knight))) {
            let mut builder = BoardBuilder::empty();
            *builder.square_mut(rook) = Some((Piece::Rook, Color::White));
            *builder.square_mut(knight) = Some((Piece::Knight, Color::Black));
            *builder.square_mut(Square::A1) = Some((Piece::King, Color::White));
            *builder.square_mut(Square::H7) = Some((Piece::King, Color::Black));
            for side in Color::ALL {
                builder.side_to_move = side;
                let is_whole = rook != knight && ![rook, knight].iter().any(|at| [Square::A1, Square::H7].contains(at));
                boards.extend(builder.build().ok().filter(|_| is_whole));
            }
        }
        boards
    }

    #[test]
    fn each_position_is_new_once_however_many_share_its_slot() {
        let boards = boards();
        assert!(boards.len() > 6 << 10, "{} are too few to run out of slots again and again", boards.len());
        let mut seen = Seen::new();
        for (board, number) in boards.iter().zip(0..) {
            assert!(seen.insert(board, number, |kept| &boards[kept as usize]), "{board} has not been met");
        }
        for board in &boards {
            assert!(!seen.insert(board, 0, |kept| &boards[kept as usize]), "{board} has been met");
        }
        assert!(seen.slots.len() >= 2 * seen.taken && seen.taken == boards.len(), "half of the slots are free");
    }

    #[test]
    fn rights_make_another_position_and_counters_do_not() {
        let board = |fen| Board::from_fen(fen, false).expect("a position");
        let boards = [board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), board("4k3/8/8/8/8/8/8/4K2R w K - 9 30")];
        let without_rights = board("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        let mut seen = Seen::new();
        assert!(seen.insert(&boards[0], 0, |_| &boards[0]));
        assert!(!seen.insert(&boards[1], 1, |_| &boards[0]));
        assert!(seen.insert(&without_rights, 1, |_| &boards[0]));
    }
}
