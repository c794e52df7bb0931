//! Can this side still mate, by any series of legal moves? A search in which both sides help.
//!
//! What it finds is a line that anybody can play through; what it exhausts is a proof that there is none. Between the
//! two it gives up after a fixed number of positions, the same on every machine, and says so.
//!
//! Positions are told apart by their 64-bit hash. Two that share one would cost the search a branch: a line that it
//! finds is a line all the same, and a false "exhausted" has a chance below 10^-9 at this budget.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
};
use flagfall_core::Side;

use crate::material;

/// Most positions that a search keeps.
pub const POSITIONS_MAX: usize = 40_000;

/// Whether a side can mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It can: these moves, in coordinates, end in mate.
    Can(Vec<String>),
    /// It cannot.
    Cannot(&'static str),
    /// It is not known after so many positions.
    Unknown(usize),
}

/// The text is no position of a game: one that no legal game reaches, or no Forsyth-Edwards notation at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no position of a game: {fen}")]
pub struct PositionError {
    /// The text.
    pub fen: String,
}

/// Whether this side can mate from this position.
///
/// # Errors
/// [`PositionError`] when `fen` is no position of a game.
///
/// ```
/// use flagfall_core::Side;
/// use flagfall_judge::mating_line::{Answer, can_mate};
///
/// let rook_against_knight = "8/8/8/8/4n3/1k6/8/K6R w - - 0 1";
/// assert!(matches!(can_mate(rook_against_knight, Side::Black), Ok(Answer::Can(_))));
/// assert!(matches!(can_mate("8/8/8/8/4n3/1k6/8/K7 w - - 0 1", Side::Black), Ok(Answer::Cannot(_))));
/// ```
pub fn can_mate(fen: &str, side: Side) -> Result<Answer, PositionError> {
    let board = Board::from_fen(fen, false).map_err(|_| PositionError { fen: fen.to_owned() })?;
    let mating = match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    if steps(board.king(Color::White), board.king(Color::Black)) < 2 {
        return Err(PositionError { fen: fen.to_owned() });
    }
    if let Some(reason) = material::cannot_mate(&board, mating) {
        return Ok(Answer::Cannot(reason));
    }
    // Clearing the board of the other side's men is the short way from a full one and the wrong way where a mate needs
    // them as blockers, so it is tried first and dropped soon.
    let first = Search::new(board.clone(), mating, Aim::Clear).run();
    Ok(match first {
        Answer::Unknown(_) => Search::new(board, mating, Aim::Block).run(),
        found => found,
    })
}

/// What the guess at the distance to a mate rewards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// Fewer men beside the other king.
    Clear,
    /// The other king shut in by his own men.
    Block,
}

/// A position, how it came about, and how it is ordered.
struct Position {
    board: Board,
    before: usize,
    last: Option<Move>,
    plies: u32,
}

struct Search {
    mating: Color,
    aim: Aim,
    positions: Vec<Position>,
    seen: HashSet<u64>,
    open: BinaryHeap<Reverse<(u32, usize)>>,
}

impl Search {
    fn new(board: Board, mating: Color, aim: Aim) -> Self {
        let mut search = Self { mating, aim, positions: Vec::new(), seen: HashSet::new(), open: BinaryHeap::new() };
        search.keep(Position { board, before: 0, last: None, plies: 0 });
        search
    }

    fn keep(&mut self, position: Position) {
        if !self.seen.insert(position.board.hash()) {
            return;
        }
        let cost = position.plies + 4 * distance_to_mate(&position.board, self.mating, self.aim);
        self.open.push(Reverse((cost, self.positions.len())));
        self.positions.push(position);
    }

    fn run(mut self) -> Answer {
        while let Some(Reverse((_, index))) = self.open.pop() {
            let Position { board, plies, .. } = &self.positions[index];
            let (board, plies) = (board.clone(), *plies);
            let moves = legal_moves(&board);
            if moves.is_empty() && board.side_to_move() != self.mating && !board.checkers().is_empty() {
                return Answer::Can(self.line_to(index));
            }
            for each in moves {
                let mut after = board.clone();
                after.play_unchecked(each);
                if material::cannot_mate(&after, self.mating).is_none() {
                    self.keep(Position { board: after, before: index, last: Some(each), plies: plies + 1 });
                }
            }
            if self.positions.len() > POSITIONS_MAX {
                return Answer::Unknown(self.positions.len());
            }
        }
        Answer::Cannot("every series of legal moves was followed to its end and none mates")
    }

    fn line_to(&self, mut index: usize) -> Vec<String> {
        let mut line = Vec::new();
        while let Some(last) = self.positions[index].last {
            line.push(last.to_string());
            index = self.positions[index].before;
        }
        line.reverse();
        line
    }
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

/// A guess at how far off a mate is; it orders the search and decides nothing.
fn distance_to_mate(board: &Board, mating: Color, aim: Aim) -> u32 {
    let (mine, theirs) = (board.colors(mating), board.colors(!mating));
    let (king, target) = (board.king(mating), board.king(!mating));
    let heavy = mine & (board.pieces(Piece::Queen) | board.pieces(Piece::Rook));
    let light = mine & (board.pieces(Piece::Knight) | board.pieces(Piece::Bishop));
    let flights = (get_king_moves(target) & !theirs).len();
    let near = steps(king, target).saturating_sub(2);
    let corner = CORNERS
        .into_iter()
        .filter(|corner| is_mating_corner(board, mating, *corner))
        .map(|corner| steps(corner, target))
        .min()
        .unwrap_or(0);
    let attackers = (heavy | light).into_iter().map(|piece| steps(piece, target)).min().unwrap_or(8);
    let force = if !heavy.is_empty() {
        0
    } else if !(mine & board.pieces(Piece::Pawn)).is_empty() {
        10 + 2 * steps_to_promotion(board, mating)
    } else {
        // Knights and bishops mate only a king in a corner; one alone needs him shut in by his own pieces.
        let guarded = get_king_moves(king) | light_attacks(board, light);
        let open = (get_king_moves(target) & !theirs & !guarded).len();
        if light.len() > 1 { 2 * open } else { 4 + steps_to_promotion(board, !mating) + open }
    };
    let men = if aim == Aim::Clear { 3 * (theirs.len() - 1) } else { 0 };
    force + men + flights / 2 + near + corner + attackers / 2
}

fn light_attacks(board: &Board, light: BitBoard) -> BitBoard {
    let (knights, bishops) = (light & board.pieces(Piece::Knight), light & board.pieces(Piece::Bishop));
    let by_knights = knights.into_iter().fold(BitBoard::EMPTY, |squares, from| squares | get_knight_moves(from));
    bishops.into_iter().fold(by_knights, |squares, from| squares | get_bishop_moves(from, board.occupied()))
}

/// Whether a lone bishop or knight can mate in this corner; for other pieces every corner will do.
///
/// A bishop needs a corner of its own colour. A knight needs one beside which the other side's bishop, if that is all
/// it has, can shut its king in: a corner of the other colour.
fn is_mating_corner(board: &Board, mating: Color, corner: Square) -> bool {
    let only = |color: Color, piece: Piece| {
        let pieces = board.colors(color) ^ board.king(color).bitboard();
        (pieces == board.colored_pieces(color, piece) && pieces.len() == 1).then_some(pieces)
    };
    let is_dark = |squares: BitBoard| !(squares & BitBoard::DARK_SQUARES).is_empty();
    let corner = corner.bitboard();
    match (only(mating, Piece::Bishop), only(mating, Piece::Knight), only(!mating, Piece::Bishop)) {
        (Some(bishop), _, _) => is_dark(bishop) == is_dark(corner),
        (None, Some(_), Some(blocker)) => is_dark(blocker) != is_dark(corner),
        _ => true,
    }
}

const CORNERS: [Square; 4] = [Square::A1, Square::A8, Square::H1, Square::H8];

/// Steps of a side's most advanced pawn to its promotion; zero without pawns.
fn steps_to_promotion(board: &Board, color: Color) -> u32 {
    let to_go = |pawn: Square| match color {
        Color::White => Rank::Eighth as u32 - pawn.rank() as u32,
        Color::Black => pawn.rank() as u32,
    };
    board.colored_pieces(color, Piece::Pawn).into_iter().map(to_go).min().unwrap_or(0)
}

/// King's moves from one square to another.
fn steps(from: Square, to: Square) -> u32 {
    let file = (from.file() as i32).abs_diff(to.file() as i32);
    let rank = (from.rank() as i32).abs_diff(to.rank() as i32);
    file.max(rank)
}
