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
    let reach = Reach::of(board);
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
/// Numbers of different parts.
const PARTS: usize = 1 << 9;

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
            closed = closed.with_one_of(&of_man, self.whole);
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

/// A set of parts of a net.
#[derive(Clone)]
struct Parts([u64; PARTS / 64]);

impl Parts {
    const fn none() -> Self {
        Self([0; PARTS / 64])
    }

    fn with_nothing() -> Self {
        let mut parts = Self::none();
        parts.insert(0);
        parts
    }

    const fn insert(&mut self, part: Part) {
        self.0[part as usize / 64] |= 1 << (part % 64);
    }

    const fn has(&self, part: Part) -> bool {
        self.0[part as usize / 64] & (1 << (part % 64)) != 0
    }

    fn iter(&self) -> impl Iterator<Item = Part> {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(word, bits)| BitBoard(*bits).into_iter().map(move |bit| word as Part * 64 + bit as Part))
    }

    /// What can be done together with one of these.
    fn with_one_of(&self, others: &Self, whole: Part) -> Self {
        let mut both = Self::none();
        for part in self.iter() {
            for other in others.iter() {
                both.insert((part | other) & whole);
            }
        }
        both
    }
}
