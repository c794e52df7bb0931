//! A guess at how far off a mate is; it orders the search and decides nothing.
//!
//! Both sides help. What a mate takes is different from position to position, so there are several ways to weigh the
//! same few things, and the search tries them one after the other.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves};

use super::reach::{attacks, beyond};

/// What the guess counts, and how much.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    /// For each move made so far.
    pub(super) plies: u32,
    /// For each square beside the king to be mated to which he could go.
    pub(super) flights: u32,
    /// For each step from that king to a corner.
    pub(super) corner: u32,
    /// For each step between the kings.
    pub(super) kings: u32,
    /// For each step from the piece nearest to that king.
    pub(super) first: u32,
    /// For each step from the next piece.
    pub(super) second: u32,
    /// For each step of a pawn to promotion, or of a man who shuts in his king, where a mate takes that.
    pub(super) promotion: u32,
    /// For each man beside that king, anywhere.
    pub(super) men: u32,
    /// Whether walls are expected: bishops of one colour get no help from their king, and enemy pawns in the way of a
    /// pawn have to be taken first.
    pub(super) is_shut: bool,
}

impl Weights {
    /// How far off a mate is at this position, after so many moves.
    pub(super) fn distance(&self, board: &Board, mating: Color, plies: u32) -> u32 {
        let (mine, theirs) = (board.colors(mating), board.colors(!mating));
        let target = board.king(!mating);
        let flights = (get_king_moves(target) & !theirs & !attacked(board, mating)).len();
        let kings = steps(board.king(mating), target).saturating_sub(2);
        let corners = CORNERS.into_iter().filter(|corner| is_mating_corner(board, mating, *corner));
        let corner = corners.map(|corner| steps(corner, target)).min().unwrap_or(0);
        let pieces = mine & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King);
        let [first, second] = nearest_two(pieces, target);
        let heavy = pieces & (board.pieces(Piece::Queen) | board.pieces(Piece::Rook));
        let promotion = if !heavy.is_empty() {
            0
        } else if !(mine & board.pieces(Piece::Pawn)).is_empty() {
            5 + steps_to_promotion(board, mating, self.is_shut)
        } else if is_weak(board, pieces) {
            steps_to_help(board, mating, pieces, self.is_shut)
        } else {
            0
        };
        self.plies * plies
            + self.flights * flights
            + self.corner * corner
            + self.kings * kings
            + self.first * first
            + self.second * second
            + self.promotion * promotion
            + self.men * (theirs.len() - 1)
    }
}

/// Squares that a side attacks; the other king gives no shelter.
fn attacked(board: &Board, by: Color) -> BitBoard {
    let occupied = board.occupied() ^ board.king(!by).bitboard();
    let mut squares = BitBoard::EMPTY;
    for piece in Piece::ALL {
        for at in board.colored_pieces(by, piece) {
            squares |= attacks(piece, by, at, occupied);
        }
    }
    squares
}

/// Steps from the two nearest of these pieces; eight for one that is not there.
fn nearest_two(pieces: BitBoard, target: Square) -> [u32; 2] {
    pieces
        .into_iter()
        .map(|at| steps(at, target))
        .fold([8, 8], |[first, second], far| if far < first { [far, first] } else { [first, second.min(far)] })
}

/// Whether these pieces mate no king that is not shut in by his own men: one knight, or bishops of one square colour.
fn is_weak(board: &Board, pieces: BitBoard) -> bool {
    let is_knight = pieces.len() == 1 && pieces.is_subset(board.pieces(Piece::Knight));
    is_knight || bishops_colour(board, pieces).is_some()
}

/// Steps until the other side's king is shut in by men of his own: ones that these weak pieces do not mate without.
fn steps_to_help(board: &Board, mating: Color, weak: BitBoard, is_shut: bool) -> u32 {
    let pieces = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop) | board.pieces(Piece::Rook);
    let theirs = board.colors(!mating);
    let beside = get_king_moves(board.king(!mating));
    let steps_of = |at: Square, places: BitBoard| {
        if board.pieces(Piece::Knight).has(at) {
            knight_steps(at, places)
        } else {
            places.into_iter().map(|place| steps(at, place)).min().unwrap_or(0)
        }
    };
    let nearest = |helpers: BitBoard, places: BitBoard| helpers.into_iter().map(|at| steps_of(at, places)).min();
    let no_helper = || 8 + steps_to_promotion(board, !mating, is_shut);
    let Some(colour) = bishops_colour(board, weak) else {
        return nearest(theirs & pieces, beside).unwrap_or_else(no_helper);
    };
    // Bishops look after the squares of their own colour, and rooks break their attack.
    let helpers = theirs & pieces & !board.pieces(Piece::Rook) & !(board.pieces(Piece::Bishop) & colour);
    if !is_shut {
        return nearest(helpers, beside & !colour).unwrap_or_else(no_helper);
    }
    let to_place = |place| helpers.into_iter().map(|at| moves_of_helper(board, at, place)).min();
    let to_corner = |corner: Square| {
        let places = get_king_moves(corner) & !colour;
        let helped = places.into_iter().map(|place| to_place(place).unwrap_or_else(no_helper));
        steps(board.king(!mating), corner) + helped.sum::<u32>()
    };
    CORNERS.into_iter().filter(|corner| colour.has(*corner)).map(to_corner).min().unwrap_or(0)
}

/// Moves of a knight or a bishop to a square, two at most for the bishop.
fn moves_of_helper(board: &Board, at: Square, place: Square) -> u32 {
    if board.pieces(Piece::Knight).has(at) {
        knight_steps(at, place.bitboard())
    } else if at == place {
        0
    } else if get_bishop_moves(at, board.occupied()).has(place) {
        1
    } else {
        2
    }
}

/// A knight's moves on an empty board to the nearest of these squares.
fn knight_steps(from: Square, places: BitBoard) -> u32 {
    let mut reached = from.bitboard();
    let mut moves = 0;
    while (reached & places).is_empty() && moves < KNIGHT_STEPS_MAX {
        reached |= reached.into_iter().fold(BitBoard::EMPTY, |squares, at| squares | get_knight_moves(at));
        moves += 1;
    }
    moves
}

/// A knight gets anywhere in as many moves.
const KNIGHT_STEPS_MAX: u32 = 6;

/// The square colour of these pieces if they are nothing but bishops of one.
fn bishops_colour(board: &Board, pieces: BitBoard) -> Option<BitBoard> {
    let colours = [BitBoard::LIGHT_SQUARES, BitBoard::DARK_SQUARES];
    let is_all = |colour: &BitBoard| pieces.is_subset(board.pieces(Piece::Bishop) & *colour);
    if pieces.is_empty() { None } else { colours.into_iter().find(is_all) }
}

/// Whether few pieces can mate in this corner; for more every corner will do.
///
/// Bishops of one colour need a corner of that colour. A knight needs one beside which the other side's bishops, if they
/// are all it has and of one colour, can shut its king in: a corner of the other colour.
fn is_mating_corner(board: &Board, mating: Color, corner: Square) -> bool {
    let beside_king = |color: Color| board.colors(color) ^ board.king(color).bitboard();
    let (mine, theirs) = (beside_king(mating), beside_king(!mating));
    if let Some(colour) = bishops_colour(board, mine) {
        return colour.has(corner);
    }
    let is_knight = mine.len() == 1 && mine.is_subset(board.pieces(Piece::Knight));
    !is_knight || bishops_colour(board, theirs).is_none_or(|colour| !colour.has(corner))
}

const CORNERS: [Square; 4] = [Square::A1, Square::A8, Square::H1, Square::H8];

/// Steps until a side has promoted its nearest pawn; zero without pawns.
///
/// With walls each enemy pawn in the way has to be taken first, which is the king's work.
fn steps_to_promotion(board: &Board, color: Color, is_shut: bool) -> u32 {
    let (mine, theirs) = (board.colored_pieces(color, Piece::Pawn), board.colored_pieces(!color, Piece::Pawn));
    let to_go = |pawn: Square| {
        let to_go = match color {
            Color::White => Rank::Eighth as u32 - pawn.rank() as u32,
            Color::Black => pawn.rank() as u32,
        };
        if !is_shut {
            return to_go;
        }
        let ahead = pawn.file().bitboard() & beyond(pawn.rank() as u32, color);
        let in_the_way = (theirs & ahead).into_iter().map(|at| 1 + steps(board.king(color), at)).sum::<u32>();
        to_go + in_the_way + BLOCKED * (mine & ahead).len()
    };
    mine.into_iter().map(to_go).min().unwrap_or(0)
}

/// What a pawn of the same side in the way counts.
const BLOCKED: u32 = 4;

/// King's moves from one square to another.
fn steps(from: Square, to: Square) -> u32 {
    let file = (from.file() as i32).abs_diff(to.file() as i32);
    let rank = (from.rank() as i32).abs_diff(to.rank() as i32);
    file.max(rank)
}
