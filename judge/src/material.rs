//! Can this side still mate, by any series of legal moves? Answers that need no search.
//!
//! Read FIDE Laws 6.9 first. Only impossibility is decided here, and only in these classes, each with its reason:
//!
//! | mating side | other side | why no legal move can ever mate |
//! |---|---|---|
//! | king | anything | A king gives no check, and there is nothing else to give or to discover one. |
//! | king, one knight | king | No square next to one king is further than two steps from the other without touching it: the knight would have to guard what the king leaves, and a test that places all three pieces everywhere finds no mate. Captures lead to bare kings. |
//! | king, one knight | king, one queen | The same test with the queen: wherever she blocks her king's way out she can take the knight. Captures lead to the rows above. |
//! | king, bishops of one square colour | king, bishops of the same square colour | The mated king stands on that colour. The squares beside it in rank and file have the other colour: no bishop attacks or fills them, and one king cannot guard two of them without touching the mated king. Captures stay in the class. |
//! | king, one bishop | king, one rook or one queen | The same test with the rook and the queen: she or the rook can always take or come between. Captures lead to the rows above. |
//! | any | any, when only kings and pawns are left, every pawn stands before another, none can take, and no king can get to take one | Only kings ever move, and a king's move gives no check: there is nothing that it could discover one from. |
//!
//! No class has a pawn that can move, so no new piece appears. Everything else is for [`crate::mating_line`], which finds
//! a mate or shows that there is none.

use cozy_chess::{BitBoard, Board, Color, Piece, get_king_moves, get_pawn_attacks};

/// Why this side can never mate, if its material or a closed pawn wall says so.
#[must_use]
pub fn cannot_mate(board: &Board, mating: Color) -> Option<&'static str> {
    let mine = Count::of(board, mating);
    let theirs = Count::of(board, !mating);
    if mine.is_bare() {
        return Some("a bare king gives no check");
    }
    if mine.is_only(Piece::Knight, 1) && (theirs.is_bare() || theirs.is_only(Piece::Queen, 1)) {
        return Some("king and one knight never mate a bare king or a king with its queen");
    }
    let bishops = board.pieces(Piece::Bishop);
    let one_colour = (bishops & BitBoard::DARK_SQUARES).is_empty() || (bishops & BitBoard::LIGHT_SQUARES).is_empty();
    if mine.is_only_bishops() && one_colour && (theirs.is_bare() || theirs.is_only_bishops()) {
        return Some("bishops on squares of one colour never mate a king that has nothing else beside it");
    }
    if mine.is_only(Piece::Bishop, 1) && (theirs.is_only(Piece::Rook, 1) || theirs.is_only(Piece::Queen, 1)) {
        return Some("king and one bishop never mate a king with one rook or one queen");
    }
    is_closed_wall(board).then_some("only kings can ever move: every pawn is blocked and none can be taken")
}

/// Why neither side can ever mate, if the material or a closed pawn wall says so: the position is dead (FIDE Laws 5.2b).
///
/// A position that is dead for another reason is not found here: `None` says nothing.
///
/// ```
/// use flagfall_judge::material::is_dead;
///
/// assert!(is_dead("8/8/4k3/8/8/8/4K3/8 b - - 0 50").is_some());
/// assert_eq!(is_dead("8/8/4k3/8/4p3/8/4K3/8 b - - 0 50"), None);
/// assert_eq!(is_dead("no position"), None);
/// ```
#[must_use]
pub fn is_dead(fen: &str) -> Option<&'static str> {
    let board = Board::from_fen(fen, false).ok()?;
    let white = cannot_mate(&board, Color::White)?;
    let black = cannot_mate(&board, Color::Black)?;
    Some(if board.colors(Color::White).len() == 1 { black } else { white })
}

/// The pieces of a side beside its king.
struct Count {
    all: u32,
    knights: u32,
    bishops: u32,
    rooks: u32,
    queens: u32,
}

impl Count {
    fn of(board: &Board, color: Color) -> Self {
        let count = |piece| board.colored_pieces(color, piece).len();
        Self {
            all: board.colors(color).len() - 1,
            knights: count(Piece::Knight),
            bishops: count(Piece::Bishop),
            rooks: count(Piece::Rook),
            queens: count(Piece::Queen),
        }
    }

    const fn is_bare(&self) -> bool {
        self.all == 0
    }

    const fn is_only(&self, piece: Piece, number: u32) -> bool {
        let of_kind = match piece {
            Piece::Knight => self.knights,
            Piece::Bishop => self.bishops,
            Piece::Rook => self.rooks,
            Piece::Queen => self.queens,
            Piece::Pawn | Piece::King => return false,
        };
        self.all == number && of_kind == number
    }

    const fn is_only_bishops(&self) -> bool {
        self.all > 0 && self.all == self.bishops
    }
}

/// Whether only kings and pawns are left, no pawn can ever move or take, and no king can ever take a pawn.
fn is_closed_wall(board: &Board) -> bool {
    let pawns = board.pieces(Piece::Pawn);
    if pawns.is_empty() || (board.occupied() ^ pawns ^ board.pieces(Piece::King)) != BitBoard::EMPTY {
        return false;
    }
    board.en_passant().is_none() && [Color::White, Color::Black].into_iter().all(|color| is_walled_in(board, color))
}

/// Whether this side's pawns are stuck and its king cannot get at a pawn, even if the other king let it pass everywhere.
fn is_walled_in(board: &Board, color: Color) -> bool {
    let pawns = board.pieces(Piece::Pawn);
    let (own, enemy) = (pawns & board.colors(color), pawns & board.colors(!color));
    let forward = |pawn: cozy_chess::Square| pawn.try_offset(0, if color == Color::White { 1 } else { -1 });
    let stuck = |pawn| {
        forward(pawn).is_some_and(|front| pawns.has(front)) && (get_pawn_attacks(pawn, color) & enemy).is_empty()
    };
    if !own.into_iter().all(stuck) {
        return false;
    }
    let forbidden = enemy.into_iter().fold(own, |squares, pawn| squares | get_pawn_attacks(pawn, !color));
    let mut reached = board.king(color).bitboard();
    loop {
        let steps = reached.into_iter().fold(reached, |squares, from| squares | (get_king_moves(from) & !forbidden));
        if steps == reached {
            return (reached & enemy).is_empty();
        }
        reached = steps;
    }
}
