//! The slow search: every position that legal moves reach, one ply after the other, and whether a mate is among them.

use std::collections::{BTreeSet, VecDeque};

use cozy_chess::{Board, Color, Piece};

use crate::is_mate;

/// Whether this side mates in a position that legal moves reach; `None` where there are more positions than that.
pub(crate) fn reaches_mate(opening: &Board, mating: Color, positions_max: usize) -> Option<bool> {
    let mut known = BTreeSet::from([key(opening)]);
    let mut next = VecDeque::from([opening.clone()]);
    while let Some(board) = next.pop_front() {
        if is_mate(&board, mating) {
            return Some(true);
        }
        let mut moves = Vec::new();
        board.generate_moves(|of_piece| {
            moves.extend(of_piece);
            false
        });
        for each in moves {
            let mut after = board.clone();
            after.play(each);
            if known.insert(key(&after)) {
                next.push_back(after);
            }
        }
        if known.len() > positions_max {
            return None;
        }
    }
    Some(false)
}

/// All that tells two positions apart.
fn key(board: &Board) -> ([u64; 8], String) {
    let pieces = Piece::ALL.map(|piece| board.pieces(piece).0);
    let [a, b, c, d, e, f] = pieces;
    let squares = [a, b, c, d, e, f, board.colors(Color::White).0, board.colors(Color::Black).0];
    let rights = Color::ALL.map(|color| *board.castle_rights(color));
    (squares, format!("{} {rights:?} {:?}", board.side_to_move(), board.en_passant()))
}
