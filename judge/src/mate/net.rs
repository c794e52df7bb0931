//! Whether any mating net can be woven within what every man can reach.
//!
//! A king is mated on a square only if somebody attacks it there and each square beside it is one of these: a man of his
//! own stands there, or the other side attacks it. [`Reach`] says at most who can ever stand where. For each square that
//! the king can reach this module asks whether the men could share the work: every man is in one place and does what
//! he does from there. Where that cannot be, there is no mate on that square; where it can be on none, there is none at all.
//!
//! Why a mate is never missed: in the mated position every man stands within his reach, and what he does there is among
//! the contributions that are tried for him. An attack is counted past everything but fixed men, and past the king, who
//! gives no shelter to the square behind him. That two men may need the same square, that the attacker may be taken and
//! the attack blocked, and how men get there is not looked at: it could only make mates fewer.

use cozy_chess::{BitBoard, Board, Color, Piece, Square, get_king_moves};

use super::reach::{Man, Reach, attacks};

/// Whether this side could mate if all men could be where they like within their reach.
pub(super) fn can_be_woven(board: &Board, mating: Color) -> bool {
    let is_everywhere = |man: &Man| man.color == mating && man.promoted == BitBoard::FULL;
    // There are no walls then that could keep a net from being woven, or too few to be worth the time.
    let Some(reach) = Reach::unless(board, |reach| reach.men().iter().any(is_everywhere)) else { return true };
    let target = reach.men().iter().find(|man| man.color != mating && man.piece == Piece::King);
    let squares = target.map_or(BitBoard::EMPTY, |king| king.walks);
    squares.into_iter().any(|king| Net::around(king, &reach, mating).is_closed(&reach))
}

/// What has to be done so that a king on a square is mated: a bit for the check and one for each square beside him.
struct Net {
    king: Square,
    mating: Color,
    beside: [Option<Square>; 8],
    /// Everything that has to be done.
    whole: Part,
}

/// A part of a net.
type Part = u16;

const CHECK: Part = 1 << 8;

impl Net {
    fn around(king: Square, reach: &Reach, mating: Color) -> Self {
        let held = reach.fixed_of(!mating);
        let mut net = Self { king, mating, beside: [None; 8], whole: CHECK };
        for (index, square) in (get_king_moves(king) & !held).into_iter().enumerate() {
            net.beside[index] = Some(square);
            net.whole |= 1 << index;
        }
        net
    }

    /// Whether the men can close it together.
    fn is_closed(&self, reach: &Reach) -> bool {
        let mut closed = Parts::with_nothing();
        for man in reach.men() {
            let of_man = self.contributions(man, reach);
            if of_man.all() == [0] {
                continue;
            }
            closed = closed.with_one_of(&of_man);
            if closed.has(self.whole) {
                return true;
            }
        }
        false
    }

    /// What a man can do for the net, from each place where he can be.
    fn contributions(&self, man: &Man, reach: &Reach) -> Parts {
        let mut parts = Parts::none();
        if man.color != self.mating {
            if man.piece != Piece::King {
                for (index, _) in self.beside_in(man.anywhere()) {
                    parts.insert(1 << index);
                }
            }
            // Elsewhere he does nothing.
            parts.insert(0);
            return parts;
        }
        let blockers = reach.fixed() & !self.king.bitboard();
        let mut from = |piece: Piece, squares: BitBoard| {
            for at in squares & !self.king.bitboard() {
                parts.insert(self.part(attacks(piece, man.color, at, blockers)));
            }
        };
        match man.piece {
            Piece::King => from(Piece::King, man.walks & !get_king_moves(self.king)),
            Piece::Pawn => {
                from(Piece::Pawn, man.walks);
                from(Piece::Queen, man.promoted);
                from(Piece::Knight, man.promoted);
            }
            piece => from(piece, man.walks),
        }
        if man.is_takeable {
            parts.insert(0);
        }
        parts
    }

    fn part(&self, attacked: BitBoard) -> Part {
        let check = if attacked.has(self.king) { CHECK } else { 0 };
        self.beside_in(attacked).fold(check, |part, (index, _)| part | 1 << index)
    }

    fn beside_in(&self, squares: BitBoard) -> impl Iterator<Item = (usize, Square)> {
        let beside = self.beside.iter().enumerate().filter_map(|(index, square)| square.map(|square| (index, square)));
        beside.filter(move |(_, square)| squares.has(*square))
    }
}

/// Parts of a net, none of which is contained in another: who can do the larger one need not do the smaller.
struct Parts {
    parts: [Part; PARTS_MAX],
    number: usize,
}

/// Of nine things no more sets than this contain none of each other (Sperner).
const PARTS_MAX: usize = 126;

impl Parts {
    const fn none() -> Self {
        Self { parts: [0; PARTS_MAX], number: 0 }
    }

    fn with_nothing() -> Self {
        let mut parts = Self::none();
        parts.insert(0);
        parts
    }

    fn insert(&mut self, part: Part) {
        if self.has(part) {
            return;
        }
        let mut kept = 0;
        for index in 0..self.number {
            let other = self.parts[index];
            if other & part != other {
                self.parts[kept] = other;
                kept += 1;
            }
        }
        self.parts[kept] = part;
        self.number = kept + 1;
    }

    /// Whether this part can be done, alone or with more.
    fn has(&self, part: Part) -> bool {
        self.all().iter().any(|larger| larger & part == part)
    }

    fn all(&self) -> &[Part] {
        &self.parts[..self.number]
    }

    /// What can be done together with one of these.
    fn with_one_of(&self, others: &Self) -> Self {
        let mut both = Self::none();
        for part in self.all() {
            for other in others.all() {
                both.insert(part | other);
            }
        }
        both
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two kings far from everything that is looked at.
    const BARE: &str = "7k/8/8/8/8/8/8/7K w - - 0 1";

    /// A man of Black who has been nowhere yet.
    fn man(piece: Piece) -> Man {
        let nowhere = BitBoard::EMPTY;
        Man {
            color: Color::Black,
            piece,
            at: Square::A1,
            walks: nowhere,
            promoted: nowhere,
            is_takeable: false,
            hurdle: None,
            castles: false,
        }
    }

    fn of(squares: &[Square]) -> BitBoard {
        squares.iter().copied().collect()
    }

    /// What a man of White can do about a king on e4 from these squares.
    fn does(piece: Piece, walks: &[Square], promoted: &[Square], is_takeable: bool) -> Vec<String> {
        words(&Man { color: Color::White, walks: of(walks), promoted: of(promoted), is_takeable, ..man(piece) })
    }

    /// The squares beside a king on e4 that each contribution to his mate is for, and `+` for the check.
    fn words(man: &Man) -> Vec<String> {
        let board = Board::from_fen(BARE, false).expect("a position");
        let reach = Reach::unless(&board, |_| false).expect("it is never enough");
        let net = Net::around(Square::E4, &reach, Color::White);
        let mut words: Vec<String> =
            net.contributions(man, &reach).all().iter().map(|part| in_words(&net, *part)).collect();
        words.sort_unstable();
        words
    }

    fn in_words(net: &Net, part: Part) -> String {
        let beside = net.beside.iter().enumerate().filter(|(index, _)| part & (1 << index) != 0);
        let mut words: Vec<String> = beside.filter_map(|(_, square)| square.map(|square| square.to_string())).collect();
        if part & CHECK != 0 {
            words.push("+".into());
        }
        words.sort_unstable();
        words.join(" ")
    }

    #[test]
    fn each_place_of_a_man_is_one_thing_that_he_can_do() {
        use Square::{A4, B1, C6, D5, E1, E2, E3, F2, H8};
        for (piece, walks, promoted, expected) in [
            (Piece::Rook, &[E1, A4] as &[Square], &[] as &[Square], &["+ d4 f4", "+ e3 e5"] as &[&str]),
            (Piece::Bishop, &[B1], &[], &["+ d3 f5"]),
            (Piece::Knight, &[F2, C6], &[], &["+ d3", "d4 e5"]),
            (Piece::Pawn, &[E3], &[], &["d4 f4"]),
            (Piece::Pawn, &[E1], &[H8], &["d4 e5"]),
            (Piece::Pawn, &[], &[C6], &["+ d5 f3", "d4 e5"]),
            (Piece::King, &[E2, D5], &[], &["d3 e3 f3"]),
        ] {
            assert_eq!(does(piece, walks, promoted, false), expected, "{piece} on {walks:?} and {promoted:?}");
        }
    }

    #[test]
    fn who_stood_where_the_king_is_was_taken_or_there_is_no_such_net() {
        use Square::{E1, E4};
        assert_eq!(does(Piece::Rook, &[E4], &[], false), [""; 0]);
        assert_eq!(does(Piece::Rook, &[E4], &[], true), [""]);
        assert_eq!(does(Piece::Rook, &[E1], &[], true), ["+ e3 e5"]);
        assert_eq!(does(Piece::King, &[Square::D5], &[], false), [""; 0], "kings do not touch");
    }

    #[test]
    fn a_man_of_the_kings_side_fills_one_square_at_a_time_and_his_king_none() {
        use Square::{D3, E5, F5};
        let helper = Man { walks: of(&[D3, E5]), promoted: of(&[F5]), ..man(Piece::Pawn) };
        assert_eq!(words(&helper), ["d3", "e5", "f5"]);
        assert_eq!(words(&Man { walks: of(&[D3]), ..man(Piece::King) }), [""]);
    }

    #[test]
    fn of_parts_the_largest_are_kept_and_put_together() {
        for part in 0..=Part::MAX >> 7 {
            let mut parts = Parts::none();
            parts.insert(part);
            assert_eq!(parts.all(), [part]);
            let within = (0..=Part::MAX >> 7).filter(|other| part & other == *other).collect::<Vec<_>>();
            assert_eq!((0..=Part::MAX >> 7).filter(|other| parts.has(*other)).collect::<Vec<_>>(), within);
        }
        let set = |of: &[Part]| {
            let mut parts = Parts::none();
            of.iter().for_each(|part| parts.insert(*part));
            parts
        };
        assert_eq!(set(&[0b0011, 0b0001, 0b0111, 0b1001]).all(), [0b0111, 0b1001]);
        let both = set(&[0b0011, 0b0100]).with_one_of(&set(&[0b0110, 0b1000]));
        assert_eq!(both.all(), [0b0111, 0b1011, 0b1100]);
        let fours = (0..=Part::MAX >> 7).filter(|part| part.count_ones() == 4).collect::<Vec<_>>();
        assert_eq!(set(&fours).all().len(), PARTS_MAX);
    }
}
