//! What pawns on one file do to each other, and how long pawns last.
//!
//! Two pawns on one file never pass each other while both are pawns there. So as long as neither set of a pair leaves
//! the file and the one ahead is not takeable, the one behind gets at most to the square before it: an enemy pawn stands
//! where it stands or nearer, one of the same side no further than its set goes, unless it promotes. An enemy pawn cannot
//! have promoted, it would have had to pass. Once the one ahead is takeable or its set leaves the file, the bar is gone;
//! it never comes back, because sets only grow. In a series whose first violation is such a step, both pawns have moved
//! straight ahead until then and the one ahead was not taken, so it still stands before the other, who cannot step there.
//!
//! Sets grow as the sides move: after so many moves of each they hold what a series of that many can reach. That counts
//! in two ways. A side that has nothing but pawns to move, and none of them promoting, has no more moves than its pawns
//! have ranks ahead within their sets; when it would need one more, no series gets so far and the sets from before are
//! the last. And where a pawn passes the square of an enemy pawn ahead, that one has been taken or lured off the file by
//! others of the first one's side: a taker came to the file, a decoy came beside it. That takes their moves and the
//! pawn's own, which are different moves, so a step before that many were made is none. A king is no decoy and comes
//! only through his set; a pawn comes by captures or as a piece.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square, get_king_moves};

use super::{Man, Reach};

impl Reach {
    /// Finds the first enemy pawn ahead of each pawn.
    pub(super) fn find_hurdles(&mut self, board: &Board) {
        for man in &mut self.men[..self.number] {
            if man.piece == Piece::Pawn {
                let pawns = board.colored_pieces(!man.color, Piece::Pawn) & man.at.file().bitboard();
                let ahead = (pawns & beyond(man.at.rank() as u32, man.color)).into_iter();
                man.hurdle = ahead.min_by_key(|at| at.rank() as u32 ^ if man.color == Color::White { 0 } else { 7 });
            }
        }
    }

    /// Which of these squares ahead of a pawn cannot have been reached yet, for want of moves; and whether more moves are
    /// all that is wanting. If nobody can help, only larger sets change that, and they are a reason to go on themselves.
    pub(super) fn late(&self, pawn: &Man, ahead: BitBoard) -> (BitBoard, bool) {
        let Some(hurdle) = pawn.hurdle.filter(|_| pawn.walks.is_subset(pawn.at.file().bitboard())) else {
            return (BitBoard::EMPTY, false);
        };
        let ahead = ahead & !beyond(hurdle.rank() as u32, !pawn.color) & !pawn.walks & !pawn.promoted;
        if ahead.is_empty() {
            return (BitBoard::EMPTY, false);
        }
        let made = self.moves[pawn.color as usize];
        let Some(needed) = self.moves_for(pawn, hurdle) else { return (ahead, false) };
        let is_late = |to: &Square| steps_ahead(pawn.at, to.rank(), pawn.color) + needed > made;
        let late: BitBoard = ahead.into_iter().filter(is_late).collect();
        (late, !late.is_empty())
    }

    /// Moves that others of a pawn's side need at least until an enemy pawn ahead on his file is taken or lured away;
    /// `None` if they cannot do it yet.
    fn moves_for(&self, pawn: &Man, hurdle: Square) -> Option<u32> {
        let file = pawn.at.file().bitboard();
        let way = file & !beyond(hurdle.rank() as u32, pawn.color) & beyond(pawn.at.rank() as u32, pawn.color);
        let near = pawn.at.file().adjacent() | file;
        let others = self.men().iter().filter(|other| other.color == pawn.color && other.at != pawn.at);
        let moves = others.filter_map(|other| match other.piece {
            Piece::King if other.castles => Some(1),
            Piece::King => king_steps(other.at, way, other.walks),
            Piece::Pawn => {
                let as_pawn = (!(other.walks & near).is_empty()).then(|| {
                    let files = (other.at.file() as u32).abs_diff(pawn.at.file() as u32);
                    if files == 0 { 1 } else { files - 1 }
                });
                let as_piece = (!other.promoted.is_empty())
                    .then(|| 1 + steps_ahead(other.at, Rank::Eighth.relative_to(pawn.color), pawn.color));
                as_pawn.into_iter().chain(as_piece).min()
            }
            _ => Some(u32::from(!near.has(other.at))),
        });
        moves.min()
    }

    /// Most moves that a side can ever make if it has nothing but its pawns to move and none of them promotes.
    pub(super) fn moves_left(&self, color: Color) -> Option<u32> {
        let mut moves = 0;
        for man in self.men().iter().filter(|man| man.color == color) {
            if man.piece == Piece::Pawn && man.promoted.is_empty() {
                moves += furthest(man.walks, color).abs_diff(man.at.rank() as u32);
            } else if man.anywhere() != man.at.bitboard() {
                return None;
            }
        }
        Some(moves)
    }

    /// Squares ahead of a pawn at and behind another one that he never passes.
    pub(super) fn barred(&self, pawn: &Man) -> BitBoard {
        let file = pawn.at.file();
        if !pawn.walks.is_subset(file.bitboard()) {
            return BitBoard::EMPTY;
        }
        let ahead = beyond(pawn.at.rank() as u32, pawn.color);
        let others = self.men().iter().filter(|other| {
            let is_ahead = other.piece == Piece::Pawn && other.at.file() == file && ahead.has(other.at);
            is_ahead && !other.is_takeable && other.walks.is_subset(file.bitboard())
        });
        others.fold(BitBoard::EMPTY, |squares, other| {
            if other.color != pawn.color {
                squares | other.at.bitboard() | beyond(other.at.rank() as u32, pawn.color)
            } else if other.promoted.is_empty() {
                let last = furthest(other.walks, pawn.color);
                squares | Rank::index(last as usize).bitboard() | beyond(last, pawn.color)
            } else {
                squares
            }
        })
    }
}

/// Moves that a pawn needs at least to get to a rank ahead.
fn steps_ahead(from: Square, to: Rank, color: Color) -> u32 {
    let steps = (from.rank() as u32).abs_diff(to as u32);
    if from.rank() == Rank::Second.relative_to(color) { steps.saturating_sub(1).max(1) } else { steps }
}

/// Moves that a king needs at least to get to one of these squares without leaving others.
fn king_steps(from: Square, to: BitBoard, within: BitBoard) -> Option<u32> {
    let mut reached = from.bitboard();
    let mut moves = 0;
    loop {
        if !(reached & to).is_empty() {
            return Some(moves);
        }
        let next = reached.into_iter().fold(reached, |squares, at| squares | (get_king_moves(at) & within));
        if next == reached {
            return None;
        }
        reached = next;
        moves += 1;
    }
}

/// The rank among these squares that is the furthest for this side's pawns.
fn furthest(squares: BitBoard, color: Color) -> u32 {
    let ranks = squares.into_iter().map(|square| square.rank() as u32);
    match color {
        Color::White => ranks.max(),
        Color::Black => ranks.min(),
    }
    .expect("a man stands somewhere")
}

/// All squares further ahead than this rank, for this side's pawns.
pub(in super::super) const fn beyond(rank: u32, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard((!0 << (8 * rank)) << 8),
        Color::Black => BitBoard((1 << (8 * rank)) - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pawns face each other on the a-file, Black's on the square given by its rank.
    fn facing() -> Reach {
        Reach::at_first(&Board::from_fen("4k3/8/8/p7/8/8/P7/4K3 w - - 0 1", false).expect("a position"))
    }

    fn index(reach: &Reach, at: Square) -> usize {
        reach.men().iter().position(|man| man.at == at).unwrap_or_else(|| panic!("nobody begins on {at}"))
    }

    fn of(squares: &[Square]) -> BitBoard {
        squares.iter().copied().collect()
    }

    #[test]
    fn a_pawn_is_barred_by_one_that_is_neither_taken_nor_leaves_the_file() {
        let reach = facing();
        let [white, black] = [Square::A2, Square::A5].map(|at| index(&reach, at));
        let bars = |reach: &Reach, index: usize| reach.barred(&reach.men[index]) & Square::A1.file().bitboard();
        assert_eq!(bars(&reach, white), of(&[Square::A5, Square::A6, Square::A7, Square::A8]));
        assert_eq!(bars(&reach, black), of(&[Square::A2, Square::A1]));
        let mut taken = reach.clone();
        taken.men[black].is_takeable = true;
        assert_eq!((bars(&taken, white), bars(&taken, black)), (BitBoard::EMPTY, of(&[Square::A2, Square::A1])));
        let mut lured = reach.clone();
        lured.men[black].walks |= Square::B4.bitboard();
        assert_eq!([white, black].map(|index| bars(&lured, index)), [BitBoard::EMPTY; 2]);
    }

    #[test]
    fn a_pawn_stays_behind_its_own_as_far_as_that_one_gets() {
        let board = Board::from_fen("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", false).expect("a position");
        let mut reach = Reach::at_first(&board);
        let [behind, before] = [Square::A2, Square::A3].map(|at| index(&reach, at));
        let bars = |reach: &Reach| (reach.barred(&reach.men[behind]) & Square::A1.file().bitboard()).len();
        assert_eq!(bars(&reach), 6);
        reach.men[before].walks |= of(&[Square::A4, Square::A5]);
        assert_eq!(bars(&reach), 4);
        reach.men[before].promoted = Square::A8.bitboard();
        assert_eq!(bars(&reach), 0);
    }

    #[test]
    fn a_step_past_an_enemy_pawn_waits_for_who_takes_it_and_for_the_steps_before() {
        let mut reach = facing();
        let [pawn, king] = [Square::A2, Square::E1].map(|at| index(&reach, at));
        let ahead = of(&[Square::A4, Square::A5, Square::A6]);
        let late = |reach: &Reach, made: u32| Reach { moves: [made, 0], ..reach.clone() }.late(&reach.men[pawn], ahead);
        // A king who cannot come near does not help, however long it lasts.
        assert_eq!(late(&reach, 99), (of(&[Square::A5, Square::A6]), false), "nor is it waited for");
        reach.men[king].walks = BitBoard::FULL;
        // Four moves to the file, and the pawn needs two to a5.
        assert_eq!(late(&reach, 5), (of(&[Square::A5, Square::A6]), true));
        assert_eq!(late(&reach, 6), (of(&[Square::A6]), true));
        assert_eq!(late(&reach, 7), (BitBoard::EMPTY, false));
        reach.men[king].castles = true;
        assert_eq!(late(&reach, 3), (of(&[Square::A6]), true));
        // Elsewhere the pawn may have gone round.
        reach.men[pawn].walks |= Square::B3.bitboard();
        assert_eq!(late(&reach, 0), (BitBoard::EMPTY, false));
    }
}
