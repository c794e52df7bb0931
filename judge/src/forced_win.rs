//! Can this side force mate with what it has, whatever the other side plays?
//!
//! Read US Chess rule 14E first: a lone bishop, a lone knight or two knights win on time only with a *forced* win, and
//! with no pawn beside them a win is a mate. A proof-number search: what it proves is certain, in both directions; when
//! it gives up after a fixed number of positions, the same on every machine, it says so and decides nothing.
//!
//! A position that comes back on its own line counts as held, since who can force a mate can do so without a detour.
//! Positions are told apart by their 64-bit hash: two that share one would cost the search a branch.

use cozy_chess::{Board, Color, Move, Piece};
use flagfall_core::Side;

/// Most positions that a search keeps.
pub const POSITIONS_MAX: usize = 4_000;

const INFINITE: u32 = u32::MAX;

/// Whether a side can force mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It can.
    Forced,
    /// It cannot.
    NotForced,
    /// None was found in so many positions.
    NotFound(usize),
}

/// Whether this side forces mate from this position, whoever is on move.
///
/// `None` when `fen` is no position of a game.
///
/// ```
/// use flagfall_core::Side;
/// use flagfall_judge::forced_win::{Answer, forced_win};
///
/// let own_pawn_in_the_way = "5n1K/5k2/7P/8/8/8/8/8 w - - 0 1";
/// assert_eq!(forced_win(own_pawn_in_the_way, Side::Black), Some(Answer::Forced));
/// ```
#[must_use]
pub fn forced_win(fen: &str, side: Side) -> Option<Answer> {
    let board = Board::from_fen(fen, false).ok()?;
    let winner = match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    Some(Search::new(board, winner).run())
}

/// A position of the tree, and how much would have to be shown to prove or to refute the mate from here.
struct Node {
    board: Board,
    parent: Option<usize>,
    children: std::ops::Range<usize>,
    to_prove: u32,
    to_refute: u32,
}

struct Search {
    winner: Color,
    nodes: Vec<Node>,
}

impl Search {
    fn new(board: Board, winner: Color) -> Self {
        let mut search = Self { winner, nodes: Vec::new() };
        search.keep(board, None);
        search
    }

    fn run(mut self) -> Answer {
        loop {
            match (self.nodes[0].to_prove, self.nodes[0].to_refute) {
                (0, _) => return Answer::Forced,
                (_, 0) => return Answer::NotForced,
                _ if self.nodes.len() > POSITIONS_MAX => return Answer::NotFound(self.nodes.len()),
                _ => {}
            }
            let leaf = self.most_telling();
            self.expand(leaf);
            self.reckon_from(leaf);
        }
    }

    fn keep(&mut self, board: Board, parent: Option<usize>) {
        let (to_prove, to_refute) = self.first_guess(&board, parent);
        self.nodes.push(Node { board, parent, children: 0..0, to_prove, to_refute });
    }

    /// What is certain at once, else as many as the moves that would have to be looked at.
    fn first_guess(&self, board: &Board, parent: Option<usize>) -> (u32, u32) {
        let moves = u32::try_from(legal_moves(board).len()).unwrap_or(INFINITE);
        let wins = board.side_to_move() == self.winner;
        let mated = moves == 0 && !wins && !board.checkers().is_empty();
        if mated {
            return (0, INFINITE);
        }
        if moves == 0 || self.has_nothing_to_mate_with(board) || self.came_before(board, parent) {
            return (INFINITE, 0);
        }
        if wins { (1, moves) } else { (moves, 1) }
    }

    fn has_nothing_to_mate_with(&self, board: &Board) -> bool {
        board.colors(self.winner).len() == 1
    }

    fn came_before(&self, board: &Board, mut parent: Option<usize>) -> bool {
        while let Some(index) = parent {
            if self.nodes[index].board.hash() == board.hash() {
                return true;
            }
            parent = self.nodes[index].parent;
        }
        false
    }

    /// The leaf whose answer brings the proof or the refutation nearest.
    fn most_telling(&self) -> usize {
        let mut index = 0;
        while !self.nodes[index].children.is_empty() {
            let node = &self.nodes[index];
            let wins = node.board.side_to_move() == self.winner;
            let telling = node.children.clone().min_by_key(|child| {
                let child = &self.nodes[*child];
                if wins { child.to_prove } else { child.to_refute }
            });
            index = telling.expect("the range of children is not empty");
        }
        index
    }

    fn expand(&mut self, leaf: usize) {
        let first = self.nodes.len();
        let board = self.nodes[leaf].board.clone();
        for each in legal_moves(&board) {
            let mut after = board.clone();
            after.play_unchecked(each);
            self.keep(after, Some(leaf));
        }
        self.nodes[leaf].children = first..self.nodes.len();
    }

    /// Carries new figures up to the root: the winner needs one good move, the other side has to be beaten in all.
    fn reckon_from(&mut self, leaf: usize) {
        let mut next = Some(leaf);
        while let Some(index) = next {
            let children = &self.nodes[self.nodes[index].children.clone()];
            let proofs = children.iter().map(|child| child.to_prove);
            let refutations = children.iter().map(|child| child.to_refute);
            let figures = if self.nodes[index].board.side_to_move() == self.winner {
                (least(proofs), sum(refutations))
            } else {
                (sum(proofs), least(refutations))
            };
            let node = &mut self.nodes[index];
            let settled = (node.to_prove, node.to_refute) == figures;
            (node.to_prove, node.to_refute) = figures;
            next = node.parent.filter(|_| !settled);
        }
    }
}

fn least(figures: impl Iterator<Item = u32>) -> u32 {
    figures.min().unwrap_or(INFINITE)
}

fn sum(figures: impl Iterator<Item = u32>) -> u32 {
    figures.fold(0, u32::saturating_add)
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

/// The rows of US Chess rule 14E beside a bare king: what wins on time only if it wins by force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meagre {
    /// A bare king (14E1).
    BareKing,
    /// One bishop or one knight (14E2).
    OneMinorPiece,
    /// Two knights against a side without pawns (14E3).
    TwoKnights,
}

/// Whether this side has so little that it may not win on time.
///
/// `None` when it has more, or when `fen` is no position of a game.
#[must_use]
pub fn meagre(fen: &str, side: Side) -> Option<Meagre> {
    let board = Board::from_fen(fen, false).ok()?;
    let color = match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let count = |piece| board.colored_pieces(color, piece).len();
    let (bishops, knights) = (count(Piece::Bishop), count(Piece::Knight));
    if count(Piece::Pawn) + count(Piece::Rook) + count(Piece::Queen) > 0 {
        return None;
    }
    match (bishops, knights) {
        (0, 0) => Some(Meagre::BareKing),
        (1, 0) | (0, 1) => Some(Meagre::OneMinorPiece),
        (0, 2) if board.colored_pieces(!color, Piece::Pawn).is_empty() => Some(Meagre::TwoKnights),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forced_and_what_is_not() {
        for (name, fen, side, expected) in [
            ("a pawn shuts its own king in", "5n1K/5k2/7P/8/8/8/8/8 w - - 0 1", Side::Black, Answer::Forced),
            ("the same for the other colour", "8/8/8/8/8/7p/5K2/5N1k b - - 0 1", Side::White, Answer::Forced),
            ("two knights, the king caught already", "k7/8/1KN1N3/8/8/8/8/8 w - - 0 1", Side::White, Answer::Forced),
            ("the knight falls at once", "7k/6N1/8/8/8/8/8/K7 b - - 0 1", Side::White, Answer::NotForced),
        ] {
            assert_eq!(forced_win(fen, side), Some(expected), "{name}");
        }
        assert_eq!(forced_win("no position", Side::White), None);
    }

    #[test]
    fn a_search_that_gives_up_says_after_how_much() {
        let free = "8/8/8/8/3nn3/2k5/8/K7 w - - 0 1";
        let Some(Answer::NotFound(positions)) = forced_win(free, Side::Black) else { panic!("nothing is forced here") };
        assert!(positions > POSITIONS_MAX);
    }

    #[test]
    fn a_bishop_and_a_knight_are_not_meagre_and_neither_are_two_knights_against_a_pawn() {
        let of = |fen| meagre(fen, Side::Black);
        assert_eq!(of("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), Some(Meagre::BareKing));
        assert_eq!(of("4kn2/8/8/8/8/8/8/4K2R w - - 0 1"), Some(Meagre::OneMinorPiece));
        assert_eq!(of("4kb2/8/8/8/8/8/8/4K2R w - - 0 1"), Some(Meagre::OneMinorPiece));
        assert_eq!(of("4knn1/8/8/8/8/8/8/4K2R w - - 0 1"), Some(Meagre::TwoKnights));
        assert_eq!(of("4knn1/8/8/8/8/8/P7/4K3 w - - 0 1"), None);
        assert_eq!(of("4knb1/8/8/8/8/8/8/4K3 w - - 0 1"), None);
        assert_eq!(of("4kbb1/8/8/8/8/8/8/4K3 w - - 0 1"), None);
        assert_eq!(of("4k3/p7/8/8/8/8/8/4K3 w - - 0 1"), None);
    }
}
