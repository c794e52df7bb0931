//! Classes of pieces that are called impossible, tried out in full, and recognised where they stand.
//!
//! Written on squares and not on the board of the library, so that the two check each other: a position is counted as a
//! mate when the king is attacked, cannot move, and his own pieces can neither take nor come between.

use cozy_chess::{BitBoard, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};
use flagfall_core::Side;
use flagfall_judge::mate::{Answer, Position, can_mate};

#[test]
fn no_mate_exists_in_the_classes_that_are_called_impossible() {
    use Piece::{Bishop, Knight, Queen, Rook};
    for (attacker, defenders) in [
        (Knight, &[] as &[Piece]),
        (Knight, &[Queen]),
        (Knight, &[Queen, Queen]),
        (Bishop, &[]),
        (Bishop, &[Rook]),
        (Bishop, &[Queen]),
        (Bishop, &[Rook, Queen]),
        (Bishop, &[Rook, Rook]),
        (Bishop, &[Queen, Queen]),
    ] {
        assert_eq!(mates(attacker, defenders), 0, "{attacker:?} against {defenders:?}");
    }
    // The count finds the mates that there are.
    for (attacker, defenders) in [
        (Queen, &[] as &[Piece]),
        (Rook, &[]),
        (Knight, &[Rook]),
        (Knight, &[Bishop]),
        (Knight, &[Queen, Rook]),
        (Bishop, &[Knight]),
        (Bishop, &[Rook, Knight]),
    ] {
        assert!(mates(attacker, defenders) > 0, "{attacker:?} against {defenders:?}");
    }
}

/// Squares from which turning and mirroring the board gives all others.
const TARGETS: [Square; 10] = [
    Square::A1,
    Square::B1,
    Square::C1,
    Square::D1,
    Square::B2,
    Square::C2,
    Square::D2,
    Square::C3,
    Square::D3,
    Square::D4,
];

fn mates(attacker: Piece, defenders: &[Piece]) -> u32 {
    let mut mates = 0;
    for target in TARGETS {
        for king in !(get_king_moves(target) | target.bitboard()) {
            let kings = king.bitboard() | target.bitboard();
            for at in attacks(attacker, target, BitBoard::EMPTY) & !kings {
                let scene = Scene { target, king, attacker, at };
                match *defenders {
                    [] => mates += u32::from(scene.is_mate(&[])),
                    [one] => {
                        for first in !(kings | at.bitboard()) {
                            mates += u32::from(scene.is_mate(&[(one, first)]));
                        }
                    }
                    [one, two] => {
                        for first in !(kings | at.bitboard()) {
                            for second in !(kings | at.bitboard() | first.bitboard()) {
                                mates += u32::from(scene.is_mate(&[(one, first), (two, second)]));
                            }
                        }
                    }
                    _ => unreachable!("two defenders at most"),
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

/// A king to be mated, and the two men who are to do it.
struct Scene {
    target: Square,
    king: Square,
    attacker: Piece,
    at: Square,
}

impl Scene {
    fn is_mate(&self, defence: &[(Piece, Square)]) -> bool {
        let own = defence.iter().fold(BitBoard::EMPTY, |squares, (_, square)| squares | square.bitboard());
        let occupied = self.target.bitboard() | self.king.bitboard() | self.at.bitboard() | own;
        if !attacks(self.attacker, self.at, occupied).has(self.target) {
            return false;
        }
        // The king's own square is no shelter behind him.
        let seen = attacks(self.attacker, self.at, occupied ^ self.target.bitboard()) | get_king_moves(self.king);
        if !(get_king_moves(self.target) & !own & !seen).is_empty() {
            return false;
        }
        let blocked = own | self.target.bitboard() | self.king.bitboard();
        !defence.iter().any(|(piece, from)| {
            (attacks(*piece, *from, occupied) & !blocked).into_iter().any(|to| {
                let after = occupied ^ from.bitboard() | to.bitboard();
                to == self.at || !attacks(self.attacker, self.at, after).has(self.target)
            })
        })
    }
}

#[test]
fn the_classes_are_recognised_and_no_others() {
    let says = |fen: &str| {
        let position = Position::read(fen).expect("a position");
        [Side::White, Side::Black].map(|side| {
            let prospects = can_mate(&position, side);
            matches!(prospects.answer, Answer::Unwinnable(_)) && prospects.nodes == 0
        })
    };
    for (fen, white_and_black) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", [true, true]),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", [true, true]),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", [false, true]),
        ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", [true, false]),
        ("2qqk3/8/8/8/8/8/8/4KN2 w - - 0 1", [true, false]),
        ("2rqk3/8/8/8/8/8/8/4KN2 w - - 0 1", [false, false]),
        ("4k2r/8/8/8/8/8/8/4KN2 w - - 0 1", [false, false]),
        ("4k2r/8/8/8/8/8/8/4KB2 w - - 0 1", [true, false]),
        ("r3k2r/8/8/8/8/8/8/4KB2 w - - 0 1", [true, false]),
        ("r3k1br/8/8/8/8/8/8/4KB2 w - - 0 1", [true, false]),
        ("r1b1k2r/8/8/8/8/8/8/4KB2 w - - 0 1", [true, false]),
        ("rb2k2r/8/8/8/8/8/8/4KB2 w - - 0 1", [false, false]),
        ("n3k2r/8/8/8/8/8/8/4KB2 w - - 0 1", [false, false]),
        ("4k2r/8/8/8/8/8/8/3BKB2 w - - 0 1", [true, false]),
        ("4k2r/8/8/8/8/8/8/2B1KB2 w - - 0 1", [false, false]),
        ("4k3/p7/8/8/8/8/8/4KB2 w - - 0 1", [false, false]),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", [false, true]),
        ("4k3/8/8/8/p7/P7/8/4K3 w - - 0 1", [false, false]),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", [true, true]),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 w - - 0 1", [false, false]),
        ("4k3/8/3p4/p1pPp1p1/P1P1P1P1/8/8/4K3 w - - 0 1", [true, true]),
        ("4k3/8/3p4/p1pPp1p1/P1P1P1P1/8/8/4K3 w - c6 0 1", [false, false]),
        ("4k3/8/8/ppp1p1p1/PPP1P1P1/8/8/4K3 w - - 0 1", [false, false]),
        // Walls whose bishops attack no square that is needed, and those that do.
        ("7k/8/8/p3p3/Pp1pPp1p/1P1P1P1P/8/b3KB2 w - - 0 1", [true, true]),
        ("7k/8/8/5p1p/p1p1pP1P/PpP1PbK1/1P6/8 w - - 0 1", [true, true]),
        ("1k6/8/8/1p1p4/1P1Pp1p1/4PpPp/5PKP/8 w - - 0 1", [true, true]),
        ("2k3b1/3p3p/2pPp1pP/1pP1PpPK/pP1B1P2/P7/8/8 w - - 0 1", [true, false]),
        ("1k6/3p3p/2pPp1pP/1pP1PpPK/pP1BbP2/P7/8/8 w - - 0 1", [true, false]),
        // A pawn goes round on the side that is open, and a rook that castles out of its cage.
        ("8/3k4/8/8/p1pPp1p1/PpP1P1P1/1P1K4/8 b - - 0 1", [false, false]),
        ("4k1br/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/K7/2B5 b - - 0 1", [true, true]),
        ("4k1br/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/K7/2B5 b k - 0 1", [false, false]),
    ] {
        assert_eq!(says(fen), white_and_black, "{fen}");
    }
}
