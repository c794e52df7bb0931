//! A position of a game, read from Forsyth-Edwards notation.
//!
//! Read leniently where nothing about mates depends on it: of the six fields the last ones may be missing, and the two
//! counters are not looked at further than that they are numbers, because move counts end no series of legal moves.

use cozy_chess::{Board, FenParseError, File, Move, Rank, Square, get_king_moves, get_pawn_attacks, util};

/// A position that a game can continue from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
}

/// The text is no position of a game: no Forsyth-Edwards notation, or one that no legal game reaches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no position of a game: {fault}: {fen}")]
pub struct PositionError {
    /// The text.
    pub fen: String,
    /// What is wrong with it: mend that.
    pub fault: Fault,
}

/// What makes a text no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Write the placement of the men and the side to move at least.
    #[error("placement and side to move are needed at least")]
    TooShort,
    /// Leave out what follows the move number.
    #[error("there is more than the six fields")]
    TooLong,
    /// Write eight ranks of eight squares, with one king, at most eight pawns and sixteen men for each side, no pawns on the
    /// first and last rank, kings apart, and the side that has just moved not in check.
    #[error("no game has this placement of the men with this side to move")]
    Placement,
    /// Write `w` or `b`.
    #[error("the side to move is `w` or `b`")]
    SideToMove,
    /// Write `-` or the rights that king and rooks still have where they stand.
    #[error("king and rooks do not stand as the castling rights say")]
    Castling,
    /// Write `-` or the square that a pawn has just passed.
    #[error("no pawn has just passed the en-passant square")]
    EnPassant,
    /// Write numbers, or leave both out.
    #[error("half-move clock and move number are numbers")]
    Counter,
}

impl Position {
    /// Reads a position.
    ///
    /// Castling rights, en-passant square and counters may be left out, from the end; missing rights are none. Rights of
    /// Chess960 are read in both usual forms.
    ///
    /// # Errors
    /// [`PositionError`] when `fen` is no position of a game.
    ///
    /// ```
    /// use flagfall_judge::mate::Position;
    ///
    /// assert!(Position::read("8/2kr4/8/K7/8/8/8/8 w - - 0 1").is_ok());
    /// assert!(Position::read("8/2kr4/8/K7/8/8/8/8 w").is_ok());
    /// assert!(Position::read("8/2kr4/8/K7/8/8/8 w").is_err());
    /// ```
    pub fn read(fen: &str) -> Result<Self, PositionError> {
        read(fen).map(|board| Self { board }).map_err(|fault| PositionError { fen: fen.to_owned(), fault })
    }

    /// The board of the chess library.
    pub(super) const fn board(&self) -> &Board {
        &self.board
    }
}

fn read(fen: &str) -> Result<Board, Fault> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let (placement, side) = match fields[..] {
        [] | [_] => return Err(Fault::TooShort),
        [placement, side, ..] => (placement, side),
    };
    if fields.len() > 6 {
        return Err(Fault::TooLong);
    }
    if fields[fields.len().min(4)..].iter().any(|counter| counter.parse::<u32>().is_err()) {
        return Err(Fault::Counter);
    }
    if placement.split('/').count() != Rank::NUM {
        return Err(Fault::Placement);
    }
    let (castling, passed) = (fields.get(2).unwrap_or(&"-"), fields.get(3).unwrap_or(&"-"));
    let whole = format!("{placement} {side} {castling} {passed} 0 1");
    let board = Board::from_fen(&whole, false).or_else(|error| match error {
        FenParseError::InvalidCastlingRights => Board::from_fen(&whole, true),
        other => Err(other),
    });
    let board = board.map_err(|error| match error {
        FenParseError::InvalidSideToMove => Fault::SideToMove,
        FenParseError::InvalidCastlingRights => Fault::Castling,
        FenParseError::InvalidEnPassant => Fault::EnPassant,
        FenParseError::InvalidHalfMoveClock | FenParseError::InvalidFullmoveNumber => Fault::Counter,
        FenParseError::MissingField => Fault::TooShort,
        FenParseError::TooManyFields => Fault::TooLong,
        FenParseError::InvalidBoard => Fault::Placement,
    })?;
    let kings = [cozy_chess::Color::White, cozy_chess::Color::Black].map(|color| board.king(color));
    if get_king_moves(kings[0]).has(kings[1]) { Err(Fault::Placement) } else { Ok(board) }
}

/// The square of a pawn that can be taken in passing at once, if any is and the move is legal.
///
/// A double step that nobody can answer in that way leaves the same position as two single ones.
pub(super) fn passed(board: &Board) -> Option<Square> {
    let file: File = board.en_passant()?;
    let side = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(side));
    let takes = |from| board.is_legal(Move { from, to, promotion: None });
    let pawns = board.colored_pieces(side, cozy_chess::Piece::Pawn);
    (get_pawn_attacks(to, !side) & pawns).into_iter().any(takes).then_some(to)
}

/// A hash of everything that tells two positions apart, and of nothing else.
pub(super) fn hash(board: &Board) -> u64 {
    if passed(board).is_some() { board.hash() } else { board.hash_without_ep() }
}

/// A move as other programs read it: castling is the king's two steps, unless the game is one of Chess960.
pub(super) fn notation(board: &Board, each: Move) -> String {
    let king = board.king(board.side_to_move());
    let castles = board.colors(board.side_to_move()).has(each.to);
    let is_usual = king.file() == File::E && matches!(each.to.file(), File::A | File::H);
    if castles && !is_usual { each.to_string() } else { util::display_uci_move(board, each).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        read(fen).unwrap_or_else(|fault| panic!("{fen}: {fault}"))
    }

    #[test]
    fn a_double_step_that_nobody_answers_leaves_the_position_of_two_single_ones() {
        for (placement, expected) in [
            ("4k3/8/8/8/4P3/8/8/4K3 b -", None),
            ("4k3/8/8/8/4Pp2/8/8/4K3 b -", Some(Square::E3)),
            // The pawn that could take is pinned: on its file, and on its rank, from which both pawns would go.
            ("5k2/8/8/8/4Pp2/8/8/4KR2 b -", None),
            ("8/8/8/8/k3Pp1Q/8/8/4K3 b -", None),
        ] {
            let (double, single) = (board(&format!("{placement} e3")), board(&format!("{placement} -")));
            assert_eq!(passed(&double), expected, "{placement}");
            assert_eq!(double.same_position(&single), expected.is_none(), "{placement}");
            assert_eq!(hash(&double) == hash(&single), expected.is_none(), "{placement}");
        }
    }

    #[test]
    fn castling_is_written_as_other_programs_read_it() {
        for (fen, (from, to), written) in [
            ("4k3/8/8/8/8/8/8/R3K2R w KQ", (Square::E1, Square::H1), "e1g1"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ", (Square::E1, Square::A1), "e1c1"),
            ("r3k2r/8/8/8/8/8/8/4K3 b kq", (Square::E8, Square::A8), "e8c8"),
            ("4k3/8/8/8/8/8/8/1K3R2 w F", (Square::B1, Square::F1), "b1f1"),
            ("4k3/8/8/8/8/8/8/R3KR2 w F", (Square::E1, Square::F1), "e1f1"),
            ("4k3/8/8/8/8/8/8/R3KR2 w -", (Square::E1, Square::D1), "e1d1"),
        ] {
            let each = Move { from, to, promotion: None };
            let board = board(fen);
            assert!(board.is_legal(each), "{fen}: {each}");
            assert_eq!(notation(&board, each), written, "{fen}");
        }
    }
}
