//! Pieces that never mate, wherever they stand.
//!
//! No class has a pawn, so no new piece appears, and a capture leads to the same class or to a smaller one. `k` is the
//! mated king's square, and the numbers are files and ranks from there, turned so that the check comes from the right and
//! above.
//!
//! | mating side | other side | why no legal move can ever mate |
//! |---|---|---|
//! | king | anything | A king gives no check, and there is nothing else to give or to discover one. |
//! | king, one knight | king, any number of queens | The knight checks from (1,2), so (0,1), (1,1) and (1,0) are on the board. The knight attacks none of them; a queen on any of them takes the knight, who pins nobody. The other king would have to guard all three and would touch the mated one. |
//! | king, bishops of one square colour | king, rooks, queens, bishops of that same square colour | The check comes along the diagonal of (1,1), so (0,1) and (1,0) are on the board. They have the other colour: no bishop attacks or fills them, and one king cannot guard both without touching the mated one. So a rook or queen stands on one; nothing pins it, and it goes to (1,1), where it takes the bishop or comes between. No two bishops of one colour check at once: one that steps off a diagonal of `k` steps onto none. |

use cozy_chess::{BitBoard, Board, Color, Piece};

/// Why this side can never mate, if the material says so.
pub(super) fn cannot_mate(board: &Board, mating: Color) -> Option<&'static str> {
    let [mine, theirs] = [mating, !mating].map(|color| board.colors(color) & !board.pieces(Piece::King));
    if mine.is_empty() {
        return Some("a bare king gives no check");
    }
    if mine.len() == 1 && mine.is_subset(board.pieces(Piece::Knight)) && theirs.is_subset(board.pieces(Piece::Queen)) {
        return Some("king and one knight never mate a king that has nothing but queens beside it");
    }
    let bishops = board.pieces(Piece::Bishop);
    let of_one_colour = [BitBoard::LIGHT_SQUARES, BitBoard::DARK_SQUARES].into_iter().find(|colour| {
        let heavy = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        mine.is_subset(bishops & *colour) && theirs.is_subset((bishops & *colour) | heavy)
    });
    of_one_colour
        .map(|_| "bishops on squares of one colour never mate a king that only these, rooks and queens can shut in")
}
