//! Whether a side can still mate: classes of material that never do, tried out in full, and lines that do, played through.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};
use flagfall_core::Side;
use flagfall_judge::material::cannot_mate;
use flagfall_judge::mating_line::{Answer, can_mate};

/// Positions in which the side can mate; the line is played through.
const CAN: [(&str, &str, Side); 17] = [
    ("rook", "8/2kr4/8/K7/8/8/8/8 w - - 0 1", Side::Black),
    ("queens and pawns", "7k/1qQ5/p4PPK/6PP/8/5P2/8/8 w - - 0 1", Side::White),
    ("queens and pawns", "7k/1qQ5/p4PPK/6PP/8/5P2/8/8 w - - 0 1", Side::Black),
    ("two knights", "8/8/8/4k3/8/2K5/8/4NN2 w - - 0 1", Side::White),
    ("knight against rook", "8/8/8/3k3n/8/2K5/8/4R3 w - - 0 1", Side::Black),
    ("knight against knight", "8/8/8/3k3n/8/2K5/8/4N3 w - - 0 1", Side::Black),
    ("knight against bishop", "8/8/8/3k3n/8/2K5/8/4B3 w - - 0 1", Side::Black),
    ("knight against a pawn that promotes", "8/5k2/8/8/8/2K5/p6N/8 w - - 0 1", Side::White),
    ("bishop against a pawn that promotes", "8/5k2/8/8/8/2K5/p6B/8 w - - 0 1", Side::White),
    ("bishops of both colours", "8/5k2/8/8/8/2K4b/7B/8 w - - 0 1", Side::White),
    ("bishop against knight", "8/5k2/8/8/8/2K4n/7B/8 w - - 0 1", Side::White),
    ("pawn against pawn on its file", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 41", Side::White),
    ("a full board", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Side::White),
    ("a full board", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Side::Black),
    ("middle game", "r4rk1/1pp2ppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP2PPP/R4RK1 w - - 0 12", Side::White),
    ("pawns that can still take", "8/5k1p/8/6p1/6P1/7P/2K5/8 w - - 0 1", Side::White),
    ("a wall with a door for the king", "4k3/8/8/p2p4/P2P4/8/8/4K3 w - - 0 1", Side::White),
];

const CANNOT: [(&str, &str, Side); 12] = [
    ("bare king", "8/2kr4/8/K7/8/8/8/8 w - - 0 1", Side::White),
    ("knight against bare king", "8/8/8/3k3n/8/2K5/8/8 w - - 0 1", Side::Black),
    ("knight against queen", "8/8/8/3k3n/8/2K5/8/4Q3 b - - 0 1", Side::Black),
    ("bishop against bare king", "8/8/8/3k3b/8/2K5/8/8 w - - 0 1", Side::Black),
    ("bishop against rook", "8/8/8/3k3b/8/2K5/8/2R5 b - - 0 1", Side::Black),
    ("bishop against queen", "8/8/8/3k3b/8/2K5/8/2Q5 b - - 0 1", Side::Black),
    ("bishops of one colour", "8/8/8/4k3/8/2K2B2/8/5b2 w - - 0 1", Side::White),
    ("two bishops of one colour", "8/8/8/4k3/8/2K2B2/6B1/5b2 w - - 0 1", Side::White),
    ("a closed wall", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Side::White),
    ("a closed wall", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Side::Black),
    ("the only move takes the rook", "6Rk/8/7K/8/8/8/8/8 b - - 0 1", Side::White),
    ("stalemate", "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1", Side::Black),
];

#[test]
fn what_can_mate_shows_how() {
    for (name, fen, side) in CAN {
        let Ok(Answer::Can(line)) = can_mate(fen, side) else { panic!("{name} {side}: {:?}", can_mate(fen, side)) };
        let mut board = Board::from_fen(fen, false).expect("a position");
        for step in &line {
            let step: Move = step.parse().expect("a move in coordinates");
            board.try_play(step).unwrap_or_else(|error| panic!("{name}: {step} in {line:?}: {error}"));
        }
        let mated = if board.side_to_move() == Color::White { Side::White } else { Side::Black };
        let has_moves = board.generate_moves(|_| true);
        assert!(mated == side.other() && !has_moves && !board.checkers().is_empty(), "{name} {side}: {line:?}");
    }
}

#[test]
fn what_cannot_mate_says_why() {
    for (name, fen, side) in CANNOT {
        assert!(matches!(can_mate(fen, side), Ok(Answer::Cannot(_))), "{name} {side}: {:?}", can_mate(fen, side));
    }
}

#[test]
fn the_answer_is_the_same_every_time() {
    for (_, fen, side) in CAN {
        assert_eq!(can_mate(fen, side), can_mate(fen, side));
    }
}

#[test]
fn what_is_no_position_is_refused() {
    for text in
        ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/3kK3/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"]
    {
        let answer = can_mate(text, Side::White);
        assert_eq!(answer.map_err(|error| error.fen), Err(text.to_owned()));
    }
}

/// Knight or bishop against what the table of [`flagfall_judge::material`] names: every position, no mate.
///
/// Written on squares and not on the board of the library, so that the two check each other: a position is counted as
/// a mate when the king is attacked, cannot move, and his own piece can neither take nor come between.
#[test]
fn no_mate_exists_in_the_classes_that_are_called_impossible() {
    let classes = [
        (Piece::Knight, None),
        (Piece::Knight, Some(Piece::Queen)),
        (Piece::Bishop, None),
        (Piece::Bishop, Some(Piece::Rook)),
        (Piece::Bishop, Some(Piece::Queen)),
    ];
    for (attacker, defender) in classes {
        assert_eq!(mates(attacker, defender), 0, "{attacker:?} against {defender:?}");
    }
    // The count finds the mates that there are.
    for (attacker, defender) in [
        (Piece::Queen, None),
        (Piece::Rook, None),
        (Piece::Knight, Some(Piece::Rook)),
        (Piece::Knight, Some(Piece::Bishop)),
    ] {
        assert!(mates(attacker, defender) > 0, "{attacker:?} against {defender:?}");
    }
}

fn mates(attacker: Piece, defender: Option<Piece>) -> u32 {
    let mut mates = 0;
    for target in Square::ALL {
        for king in Square::ALL {
            let beside = get_king_moves(target) | target.bitboard();
            if beside.has(king) {
                continue;
            }
            for piece in Square::ALL {
                let kings = king.bitboard() | target.bitboard();
                if kings.has(piece) {
                    continue;
                }
                let taken = kings | piece.bitboard();
                match defender {
                    None => mates += u32::from(is_mate(target, king, (attacker, piece), None)),
                    Some(defender) => {
                        for square in Square::ALL.into_iter().filter(|square| !taken.has(*square)) {
                            let defence = Some((defender, square));
                            mates += u32::from(is_mate(target, king, (attacker, piece), defence));
                        }
                    }
                }
            }
        }
    }
    mates
}

fn attacks(piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
        Piece::Pawn => BitBoard::EMPTY,
    }
}

fn is_mate(target: Square, king: Square, (piece, at): (Piece, Square), defence: Option<(Piece, Square)>) -> bool {
    let own = defence.map_or(BitBoard::EMPTY, |(_, square)| square.bitboard());
    let occupied = target.bitboard() | king.bitboard() | at.bitboard() | own;
    if !attacks(piece, at, occupied).has(target) {
        return false;
    }
    // The king's own square is no shelter behind him.
    let seen = attacks(piece, at, occupied ^ target.bitboard()) | get_king_moves(king);
    let free = get_king_moves(target) & !own & !seen;
    if !free.is_empty() {
        return false;
    }
    let Some((defender, square)) = defence else { return true };
    let reach = attacks(defender, square, occupied) & !target.bitboard() & !king.bitboard();
    let saves = reach.into_iter().any(|to| {
        let after = occupied ^ square.bitboard() | to.bitboard();
        to == at || !attacks(piece, at, after).has(target)
    });
    !saves
}

#[test]
fn the_classes_are_recognised_and_no_others() {
    let says = |fen: &str| {
        let board = Board::from_fen(fen, false).expect("a position");
        [Color::White, Color::Black].map(|color| cannot_mate(&board, color).is_some())
    };
    for (fen, white_and_black) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", [true, true]),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", [true, true]),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", [false, true]),
        ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", [true, false]),
        ("2qqk3/8/8/8/8/8/8/4KN2 w - - 0 1", [false, false]),
        ("4k2r/8/8/8/8/8/8/4KN2 w - - 0 1", [false, false]),
        ("4k2r/8/8/8/8/8/8/4KB2 w - - 0 1", [true, false]),
        ("r3k2r/8/8/8/8/8/8/4KB2 w - - 0 1", [false, false]),
        ("4k3/p7/8/8/8/8/8/4KB2 w - - 0 1", [false, false]),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", [false, true]),
        ("4k3/8/8/8/p7/P7/8/4K3 w - - 0 1", [false, false]),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", [true, true]),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 w - - 0 1", [false, false]),
        ("4k3/8/3p4/p1pPp1p1/P1P1P1P1/8/8/4K3 w - - 0 1", [true, true]),
        ("4k3/8/3p4/p1pPp1p1/P1P1P1P1/8/8/4K3 w - c6 0 1", [false, false]),
        ("4k3/8/8/ppp1p1p1/PPP1P1P1/8/8/4K3 w - - 0 1", [false, false]),
    ] {
        assert_eq!(says(fen), white_and_black, "{fen}");
    }
}
