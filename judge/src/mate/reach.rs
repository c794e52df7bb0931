//! Where each man can ever get to, at most.
//!
//! Every man has a set of squares. A set begins with the square on which the man stands and grows by every move that the
//! rules would allow him if all others were where it suits him best, until nothing grows any more. What bounds a set are
//! the *fixed* men: those that have found no other square so far and that nobody has got at. They block; they guard the
//! squares around them from the other king.
//!
//! Why the sets are never too small: suppose that a series of legal moves takes a man out of his set, or a man is taken
//! who is not called takeable, and look at the first such move. Before it every man stood within his set, and the fixed
//! ones stood where they have always stood. So whatever blocked or forbade the move here did so on the board, too. A king
//! may not go where a fixed man attacks, whoever is pinned; a guard that reaches further than the next square counts only
//! while no man can ever get between.
//!
//! Sets grow as the sides move in turn, so that after so many moves of each they hold what a series of that many can
//! reach. `reach/ahead.rs` says which pawns never pass each other and when a side must have run out of moves.
//!
//! What is left out makes the sets larger only: checks, pins, men who need the same square at once.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

mod ahead;

use super::position;
pub(super) use ahead::beyond;

/// Most men on a board.
const MEN_MAX: usize = 32;

/// One man, from the position that the question is about.
#[derive(Clone, Copy)]
pub(super) struct Man {
    pub(super) color: Color,
    pub(super) piece: Piece,
    pub(super) at: Square,
    /// Squares that he can ever stand on as what he is now.
    pub(super) walks: BitBoard,
    /// Squares that a pawn can ever stand on after his promotion.
    pub(super) promoted: BitBoard,
    pub(super) is_takeable: bool,
    /// For a pawn: where the first enemy pawn ahead on his file stands.
    pub(super) hurdle: Option<Square>,
    /// Whether he is a king who can castle.
    pub(super) castles: bool,
}

impl Man {
    /// Every square on which he can ever stand.
    pub(super) fn anywhere(&self) -> BitBoard {
        self.walks | self.promoted
    }

    fn is_fixed(&self) -> bool {
        !self.is_takeable && self.anywhere() == self.at.bitboard()
    }
}

/// Where all men can ever get to.
#[derive(Clone)]
pub(super) struct Reach {
    men: [Man; MEN_MAX],
    number: usize,
    /// Men of each side that stand where they are for good.
    fixed: [BitBoard; Color::NUM],
    /// Moves that each side has made.
    moves: [u32; Color::NUM],
}

impl Reach {
    /// `None` as soon as this much reach is enough for whoever asks: nothing more is looked for then.
    pub(super) fn unless(board: &Board, is_enough: impl Fn(&Self) -> bool) -> Option<Self> {
        let mut reach = Self::at_first(board);
        reach.play_on(board.side_to_move(), is_enough).then_some(reach)
    }

    /// Where they stand, and where the two moves that rest on the past bring them.
    fn at_first(board: &Board) -> Self {
        let nobody = Man {
            color: Color::White,
            piece: Piece::King,
            at: Square::A1,
            walks: BitBoard::EMPTY,
            promoted: BitBoard::EMPTY,
            is_takeable: false,
            hurdle: None,
            castles: false,
        };
        let mut reach =
            Self { men: [nobody; MEN_MAX], number: 0, fixed: [BitBoard::EMPTY; Color::NUM], moves: [0; Color::NUM] };
        for color in [Color::White, Color::Black] {
            for piece in Piece::ALL {
                for at in board.colored_pieces(color, piece) {
                    reach.men[reach.number] = Man { color, piece, at, walks: at.bitboard(), ..nobody };
                    reach.number += 1;
                }
            }
        }
        reach.find_hurdles(board);
        reach.castle(board);
        reach.take_in_passing(board);
        reach
    }

    /// Lets the sides move in turn until nothing grows any more or the side to move must have run out of moves; whether
    /// it came to that before it was enough.
    fn play_on(&mut self, first: Color, is_enough: impl Fn(&Self) -> bool) -> bool {
        let mut side = first;
        let mut idle = 0;
        while idle < Color::NUM {
            self.moves[side as usize] += 1;
            let is_short = |reach: &Self| reach.moves_left(side).is_some_and(|most| most < reach.moves[side as usize]);
            let before = is_short(self).then(|| self.clone());
            idle = if self.grow(side) { 0 } else { idle + 1 };
            if let Some(before) = before.filter(|_| is_short(self)) {
                *self = before;
                return true;
            }
            if is_enough(self) {
                return false;
            }
            side = !side;
        }
        true
    }

    /// The men, White's first.
    pub(super) fn men(&self) -> &[Man] {
        &self.men[..self.number]
    }

    /// Squares on which a man stands for good.
    pub(super) fn fixed(&self) -> BitBoard {
        self.fixed[0] | self.fixed[1]
    }

    /// Squares on which a man of this side stands for good.
    pub(super) const fn fixed_of(&self, color: Color) -> BitBoard {
        self.fixed[color as usize]
    }

    /// King and rook may pass each other, and in Chess960 change places.
    fn castle(&mut self, board: &Board) {
        for color in [Color::White, Color::Black] {
            let rank = Rank::First.relative_to(color);
            let rights = board.castle_rights(color);
            for (rook, king_to, rook_to) in [(rights.short, File::G, File::F), (rights.long, File::C, File::D)] {
                let Some(rook) = rook.map(|file| Square::new(file, rank)) else { continue };
                for man in &mut self.men[..self.number] {
                    if man.at == board.king(color) {
                        man.walks |= Square::new(king_to, rank).bitboard();
                        man.castles = true;
                    } else if man.at == rook {
                        man.walks |= Square::new(rook_to, rank).bitboard();
                    }
                }
            }
        }
    }

    /// The one move that depends on the move before. Later double steps are covered by the single step on the way: who
    /// could take in passing could also take on the passed square.
    fn take_in_passing(&mut self, board: &Board) {
        let Some(to) = position::passed(board) else { return };
        let side = board.side_to_move();
        let taken = Square::new(to.file(), Rank::Fifth.relative_to(side));
        let takers = get_pawn_attacks(to, !side) & board.colored_pieces(side, Piece::Pawn);
        for man in &mut self.men[..self.number] {
            if takers.has(man.at) {
                man.walks |= to.bitboard();
            }
            man.is_takeable |= man.at == taken;
        }
    }

    /// Lets every man of a side make one move from each of his squares; whether anything has grown.
    fn grow(&mut self, side: Color) -> bool {
        for color in [Color::White, Color::Black] {
            let men = self.men().iter().filter(|man| man.color == color && man.is_fixed());
            self.fixed[color as usize] = men.fold(BitBoard::EMPTY, |squares, man| squares | man.at.bitboard());
        }
        let enemies = self.of_side(!side);
        let guarded = self.guarded_by(!side);
        let mut has_grown = false;
        for index in 0..self.number {
            let man = self.men[index];
            if man.color != side {
                continue;
            }
            let steps = match man.piece {
                Piece::Pawn => self.steps_of_pawn(&man, enemies),
                Piece::King => Steps::of_piece(self.steps_of_piece(Piece::King, man.walks) & !guarded),
                piece => Steps::of_piece(self.steps_of_piece(piece, man.walks)),
            };
            let free = !self.fixed[man.color as usize];
            let (walks, promoted) = (steps.walks & free, steps.promoted & free);
            has_grown |= steps.is_waiting;
            has_grown |= self.take(man.color, steps.takes & free);
            let man = &mut self.men[index];
            has_grown |= !(walks & !man.walks).is_empty() || !(promoted & !man.promoted).is_empty();
            man.walks |= walks;
            man.promoted |= promoted;
        }
        has_grown
    }

    /// Squares on which men of this side, beside its king, can ever stand.
    fn of_side(&self, color: Color) -> BitBoard {
        let men = self.men().iter().filter(|man| man.color == color && man.piece != Piece::King);
        men.fold(BitBoard::EMPTY, |squares, man| squares | man.anywhere())
    }

    /// Squares that fixed men of this side attack for good.
    fn guarded_by(&self, color: Color) -> BitBoard {
        let ever = self.men().iter().fold(BitBoard::EMPTY, |squares, man| squares | man.anywhere());
        let fixed = self.men().iter().filter(|man| man.color == color && man.is_fixed());
        fixed.fold(BitBoard::EMPTY, |squares, man| squares | attacks(man.piece, color, man.at, ever))
    }

    fn take(&mut self, by: Color, squares: BitBoard) -> bool {
        let mut is_new = false;
        for man in &mut self.men[..self.number] {
            let can = man.color != by && man.piece != Piece::King && !(man.anywhere() & squares).is_empty();
            is_new |= can && !man.is_takeable;
            man.is_takeable |= can;
        }
        is_new
    }

    fn steps_of_piece(&self, piece: Piece, from: BitBoard) -> BitBoard {
        let blockers = self.fixed();
        from.into_iter().fold(BitBoard::EMPTY, |squares, from| squares | attacks(piece, Color::White, from, blockers))
    }

    /// A double step saves a move, which counts where moves are few.
    fn steps_of_pawn(&self, pawn: &Man, enemies: BitBoard) -> Steps {
        let blockers = self.fixed() | self.barred(pawn);
        let next = forward(pawn.walks | forward(pawn.walks, pawn.color), pawn.color);
        let (late, is_waiting) = self.late(pawn, next & !blockers);
        let blockers = blockers | late;
        let ahead = forward(pawn.walks, pawn.color) & !blockers;
        let is_home = pawn.at.rank() == Rank::Second.relative_to(pawn.color);
        let third = Rank::Third.relative_to(pawn.color).bitboard();
        let two_ahead = if is_home { forward(ahead & third, pawn.color) & !blockers } else { BitBoard::EMPTY };
        let takes = pawn.walks.into_iter().fold(BitBoard::EMPTY, |all, from| all | get_pawn_attacks(from, pawn.color));
        let takes = takes & enemies;
        let last = Rank::Eighth.relative_to(pawn.color).bitboard();
        let squares = ahead | two_ahead | takes;
        let as_piece =
            self.steps_of_piece(Piece::Queen, pawn.promoted) | self.steps_of_piece(Piece::Knight, pawn.promoted);
        Steps { walks: squares & !last, promoted: (squares & last) | as_piece, takes: takes | as_piece, is_waiting }
    }
}

/// What one more move adds.
struct Steps {
    walks: BitBoard,
    promoted: BitBoard,
    takes: BitBoard,
    /// Whether a step is possible but for want of moves.
    is_waiting: bool,
}

impl Steps {
    const fn of_piece(squares: BitBoard) -> Self {
        Self { walks: squares, promoted: BitBoard::EMPTY, takes: squares, is_waiting: false }
    }
}

const fn forward(squares: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(squares.0 << File::NUM),
        Color::Black => BitBoard(squares.0 >> File::NUM),
    }
}

/// Squares that a piece attacks from here past these blockers.
pub(super) fn attacks(piece: Piece, color: Color, from: Square, blockers: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, blockers),
        Piece::Rook => get_rook_moves(from, blockers),
        Piece::Queen => get_bishop_moves(from, blockers) | get_rook_moves(from, blockers),
        Piece::King => get_king_moves(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(fen: &str) -> Reach {
        let board = Board::from_fen(fen, false).or_else(|_| Board::from_fen(fen, true));
        Reach::unless(&board.unwrap_or_else(|error| panic!("{fen}: {error}")), |_| false).expect("it is never enough")
    }

    fn man(reach: &Reach, at: Square) -> Man {
        *reach.men().iter().find(|man| man.at == at).unwrap_or_else(|| panic!("nobody begins on {at}"))
    }

    fn words(squares: BitBoard) -> String {
        let mut words: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
        words.sort_unstable();
        words.join(" ")
    }

    #[test]
    fn a_wall_that_nobody_gets_at_is_fixed_and_its_kings_stay_behind() {
        let reach = reach("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1");
        assert_eq!(words(reach.fixed_of(Color::White)), "a4 d4 g4");
        assert_eq!(words(reach.fixed_of(Color::Black)), "a5 d5 g5");
        let king = man(&reach, Square::E1);
        assert_eq!(words(king.walks & !BitBoard(0x00ff_ffff)), "", "beyond the third rank");
        assert_eq!(king.walks.len(), 24, "{}", words(king.walks));
    }

    #[test]
    fn castling_brings_king_and_rook_where_it_puts_them() {
        let first = |fen: &str| Reach::at_first(&Board::from_fen(fen, true).expect("a position"));
        let usual = first("4k3/8/8/8/8/8/8/R3K2R w AH - 0 1");
        let of = |reach: &Reach, at| words(man(reach, at).walks);
        assert_eq!([Square::E1, Square::A1, Square::H1].map(|at| of(&usual, at)), ["c1 e1 g1", "a1 d1", "f1 h1"]);
        let swapped = first("3rk3/8/8/8/8/8/8/4K3 b d - 0 1");
        assert_eq!([Square::E8, Square::D8].map(|at| of(&swapped, at)), ["c8 e8", "d8"]);
        assert_eq!(of(&first("4k3/8/8/8/8/8/8/R3K2R w - - 0 1"), Square::E1), "e1");
        // Nothing but that lets the rook out of this cage.
        let cage = |rights: &str| reach(&format!("4k1br/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/K7/2B5 b {rights} - 0 1"));
        assert!(!man(&cage("-"), Square::H8).walks.has(Square::F8));
        assert!(man(&cage("k"), Square::H8).walks.has(Square::F8));
    }

    #[test]
    fn a_pawn_taken_in_passing_is_takeable_and_its_taker_gets_there() {
        let wall = "4k3/8/3p4/p1pPp1p1/P1P1P1P1/8/8/4K3 w -";
        for (passed, walks, is_takeable) in [("-", "d5", false), ("c6", "c6 d5", true)] {
            let board = Board::from_fen(&format!("{wall} {passed} 0 1"), false).expect("a position");
            let reach = Reach::at_first(&board);
            assert_eq!(words(man(&reach, Square::D5).walks), walks);
            assert_eq!(man(&reach, Square::C5).is_takeable, is_takeable);
            assert!(!man(&reach, Square::E5).is_takeable && words(man(&reach, Square::D6).walks) == "d6");
        }
    }

    #[test]
    fn men_take_what_they_attack_and_no_king_and_nobody_of_their_own() {
        let reach = reach("7k/8/8/8/4p3/4P3/8/K6N w - - 0 1");
        let takeable = reach.men().iter().filter(|man| man.is_takeable).map(|man| man.at).collect();
        assert_eq!(words(takeable), "e3 e4 h1");
        // Behind its wall nobody gets at this bishop but its own king.
        assert!(!man(&self::reach("8/2b1k3/7p/p1p1p1pP/P1PpP1P1/3P4/4K3/8 w - - 0 1"), Square::C7).is_takeable);
    }

    #[test]
    fn a_pawn_takes_beside_it_and_not_ahead() {
        let grown = |fen: &str, times: usize| {
            let mut reach = Reach::at_first(&Board::from_fen(fen, false).expect("a position"));
            (0..times).for_each(|_| assert!(reach.grow(Color::White) | reach.grow(Color::Black)));
            reach
        };
        // The knight may leave the pawn's way, and has not yet come to where anybody takes.
        assert!(!man(&grown("K7/8/8/8/4n3/4P3/8/7k w - - 0 1", 2), Square::E4).is_takeable);
        assert!(man(&grown("K7/8/8/8/3n4/4P3/8/7k w - - 0 1", 1), Square::D4).is_takeable);
        assert!(man(&grown("1n6/P7/8/8/8/8/8/K6k w - - 0 1", 1), Square::B8).is_takeable, "with a promotion");
    }

    #[test]
    fn a_new_piece_goes_and_takes_as_queen_and_knight() {
        let reach = reach("7k/P7/8/8/8/8/8/K7 w - - 0 1");
        let pawn = Man { walks: Square::A7.bitboard(), promoted: Square::A8.bitboard(), ..man(&reach, Square::A7) };
        let steps = reach.steps_of_pawn(&pawn, BitBoard::EMPTY);
        let new = attacks(Piece::Queen, Color::White, Square::A8, BitBoard::EMPTY) | get_knight_moves(Square::A8);
        assert_eq!(words(steps.promoted), words(new | Square::A8.bitboard()));
        assert_eq!(words(steps.takes), words(new));
        assert_eq!(words(steps.walks), "", "no pawn stands on the last rank");
        let takes = reach.steps_of_pawn(&Man { promoted: BitBoard::EMPTY, ..pawn }, Square::B8.bitboard());
        assert_eq!((words(takes.promoted).as_str(), words(takes.takes).as_str()), ("a8 b8", "b8"));
    }

    #[test]
    fn a_pawn_is_takeable_once_it_is_a_new_piece() {
        // Behind the wall nobody gets at the pawn as long as it is one.
        let mut reach = reach("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1");
        let index = reach.men().iter().position(|man| man.at == Square::A4).expect("a pawn");
        reach.men[index].promoted = Square::A8.bitboard();
        assert!(reach.take(Color::Black, Square::A8.bitboard()));
        assert!(reach.men[index].is_takeable);
        assert!(!reach.take(Color::Black, Square::A8.bitboard()), "that was known");
    }

    #[test]
    fn a_guard_forbids_only_what_nobody_can_ever_come_between() {
        // A bishop that stands for good looks along a diagonal into which a knight can jump.
        let mut reach = reach("7k/8/8/8/8/8/8/KB5n w - - 0 1");
        let bishop = reach.men().iter().position(|man| man.at == Square::B1).expect("a bishop");
        reach.men[bishop].walks = Square::B1.bitboard();
        reach.men[bishop].is_takeable = false;
        let knight = reach.men().iter().position(|man| man.at == Square::H1).expect("a knight");
        let king = reach.men().iter().position(|man| man.at == Square::A1).expect("a king");
        reach.men[king].walks = Square::A1.bitboard();
        let other = reach.men().iter().position(|man| man.at == Square::H8).expect("a king");
        reach.men[other].walks = Square::H8.bitboard();
        reach.men[knight].walks = Square::E4.bitboard();
        reach.fixed = [Square::B1.bitboard(), BitBoard::EMPTY];
        let guarded = reach.guarded_by(Color::White);
        assert!(guarded.has(Square::D3) && guarded.has(Square::E4), "{}", words(guarded));
        assert!(!guarded.has(Square::F5), "behind the knight");
    }
}
