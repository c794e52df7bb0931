//! A search in which both sides help.
//!
//! What it finds is a line that anybody can play through; what it exhausts is a proof that there is none. Between the
//! two it gives up after a number of positions that is the same on every machine, and says so.
//!
//! The position that seems nearest to a mate is looked at first. A guess can lead astray, so there are several attempts
//! with different [`Weights`], short ones before long ones. The last attempts look closer: after a capture or a pawn's
//! move they ask the static layers again, so that what closes for good is not walked through piece by piece.

use cozy_chess::{BitBoard, Board, Color, File, Move, Piece};

use super::distance::Weights;
use super::queue::Queue;
use super::seen::Seen;
use super::{Answer, Prospects, cannot_ever_mate, material, position};

/// One try.
struct Attempt {
    weights: Weights,
    /// Whether the static layers are asked again.
    is_close: bool,
    /// Most positions to meet.
    nodes_max: u64,
}

const fn attempt(weights: [u32; 8], is_shut: bool, is_close: bool, nodes_max: u64) -> Attempt {
    let [plies, flights, corner, kings, first, second, promotion, men] = weights;
    let weights = Weights { plies, flights, corner, kings, first, second, promotion, men, is_shut };
    Attempt { weights, is_close, nodes_max }
}

/// The weights were found by trying many on positions from random games, closed walls and endgames, each set of weights
/// on what the ones before it had left open.
const ATTEMPTS: [Attempt; 13] = [
    attempt([0, 2, 1, 2, 1, 1, 16, 16], false, false, 2_000),
    attempt([0, 6, 4, 2, 1, 1, 4, 48], false, false, 2_000),
    attempt([0, 12, 48, 8, 0, 4, 8, 6], false, false, 2_000),
    attempt([0, 4, 8, 8, 3, 16, 0, 6], false, false, 2_000),
    attempt([1, 3, 48, 0, 1, 1, 1, 16], true, false, 8_000),
    attempt([1, 3, 16, 1, 2, 4, 2, 0], true, false, 8_000),
    attempt([1, 3, 4, 4, 2, 1, 8, 0], false, true, 30_000),
    attempt([0, 6, 4, 2, 1, 1, 4, 48], false, true, 30_000),
    attempt([0, 12, 48, 8, 0, 4, 8, 6], false, true, 30_000),
    attempt([1, 3, 48, 0, 1, 1, 1, 16], true, true, 50_000),
    attempt([1, 3, 16, 1, 2, 4, 2, 0], true, true, 50_000),
    attempt([0, 2, 16, 0, 2, 2, 2, 0], false, true, 60_000),
    attempt([1, 3, 4, 4, 2, 1, 8, 0], false, true, 500_000),
];

/// What asking the static layers costs, in positions that could be met in that time.
const STATIC_NODES: u64 = 24;

/// Follows series of legal moves until one ends in mate, or all are followed, or enough have been.
pub(super) fn search(board: &Board, mating: Color) -> Prospects {
    let mut nodes = 0;
    for attempt in ATTEMPTS {
        let mut search = Search::new(board, mating, &attempt);
        let end = search.run();
        nodes += search.nodes;
        let answer = match end {
            End::Mate(number) => Answer::Winnable(search.line_to(board, number)),
            End::Exhausted => Answer::Unwinnable("every series of legal moves was followed to its end and none mates"),
            End::Spent => continue,
        };
        return Prospects { answer, nodes };
    }
    Prospects { answer: Answer::Undetermined, nodes }
}

enum End {
    Mate(u32),
    Exhausted,
    Spent,
}

/// A position that has been met, and how.
struct Met {
    board: Board,
    before: u32,
    last: Option<Move>,
    plies: u32,
}

struct Search<'a> {
    mating: Color,
    attempt: &'a Attempt,
    met: Vec<Met>,
    seen: Seen,
    open: Queue,
    /// Positions met, and what else took time.
    nodes: u64,
}

impl<'a> Search<'a> {
    fn new(board: &Board, mating: Color, attempt: &'a Attempt) -> Self {
        let mut search = Self { mating, attempt, met: Vec::new(), seen: Seen::new(), open: Queue::new(), nodes: 0 };
        search.meet(Met { board: board.clone(), before: 0, last: None, plies: 0 }, false);
        search
    }

    fn run(&mut self) -> End {
        while let Some(number) = self.open.pop() {
            let Met { board, plies, .. } = &self.met[number as usize];
            let (board, plies) = (board.clone(), plies + 1);
            let mut moves = Vec::new();
            board.generate_moves(|of_piece| {
                moves.extend(of_piece);
                false
            });
            if moves.is_empty() && board.side_to_move() != self.mating && !board.checkers().is_empty() {
                return End::Mate(number);
            }
            for last in moves {
                let mut after = board.clone();
                after.play_unchecked(last);
                let has_changed =
                    after.occupied().len() < board.occupied().len() || board.pieces(Piece::Pawn).has(last.from);
                self.meet(Met { board: after, before: number, last: Some(last), plies }, has_changed);
            }
            if self.nodes > self.attempt.nodes_max {
                return End::Spent;
            }
        }
        End::Exhausted
    }

    /// Keeps a position if it is new, and puts it in line if a mate is not out of the question.
    ///
    /// `has_changed` says that men are fewer or a pawn stands elsewhere; nothing else changes what the static layers say
    /// for the worse.
    fn meet(&mut self, each: Met, has_changed: bool) {
        let number = u32::try_from(self.met.len()).expect("an attempt meets fewer positions than that");
        let met = &self.met;
        if !self.seen.insert(&each.board, number, |number| &met[number as usize].board) {
            return;
        }
        self.nodes += 1;
        if !has_changed || !self.is_hopeless(&each.board) {
            let distance = self.attempt.weights.distance(&each.board, self.mating, each.plies);
            self.open.push(distance, number);
        }
        self.met.push(each);
    }

    fn is_hopeless(&mut self, board: &Board) -> bool {
        if self.attempt.is_close && is_closed(board, self.mating) {
            self.nodes += STATIC_NODES;
            return cannot_ever_mate(board, self.mating).is_some();
        }
        material::cannot_mate(board, self.mating).is_some()
    }

    fn line_to(&self, opening: &Board, mut number: u32) -> Vec<String> {
        let mut moves = Vec::new();
        while let Some(last) = self.met[number as usize].last {
            moves.push(last);
            number = self.met[number as usize].before;
        }
        let mut board = opening.clone();
        let mut line = Vec::new();
        for each in moves.into_iter().rev() {
            line.push(position::notation(&board, each));
            board.play_unchecked(each);
        }
        line
    }
}

/// Whether the static layers have a chance to find something: the mating side has no pawns, or pawns stand before each
/// other.
fn is_closed(board: &Board, mating: Color) -> bool {
    let [white, black] = [Color::White, Color::Black].map(|color| board.colored_pieces(color, Piece::Pawn));
    let blocked = BitBoard(white.0 << File::NUM) & black;
    board.colored_pieces(mating, Piece::Pawn).is_empty() || !blocked.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOSED: &str = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1";
    const OPEN: &str = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 41";
    /// A cage that a castled rook leaves, which helps nobody: it takes several attempts to see that.
    const CAGE: &str = "4k1br/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/K7/2B5 b k - 0 1";
    const BARE: &str = "4k3/8/8/8/8/8/8/4K3 b - - 0 1";

    fn board(fen: &str) -> Board {
        Board::from_fen(fen, false).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    fn try_with(is_close: bool, nodes_max: u64) -> Attempt {
        attempt([0, 2, 1, 2, 1, 1, 16, 16], false, is_close, nodes_max)
    }

    #[test]
    fn what_all_attempts_met_counts_together() {
        let board = board(CAGE);
        let mut nodes = Vec::new();
        for attempt in &ATTEMPTS {
            let mut search = Search::new(&board, Color::Black, attempt);
            let end = search.run();
            nodes.push(search.nodes);
            if !matches!(end, End::Spent) {
                break;
            }
        }
        assert!(nodes.len() > 1, "one attempt was enough: {nodes:?}");
        assert_eq!(super::search(&board, Color::Black).nodes, nodes.iter().sum::<u64>(), "{nodes:?}");
    }

    #[test]
    fn an_attempt_ends_with_the_position_that_is_too_many() {
        let board = board(OPEN);
        let moves_max = 40;
        for nodes_max in [0, 20, 50] {
            let attempt = try_with(false, nodes_max);
            let mut search = Search::new(&board, Color::Black, &attempt);
            assert!(matches!(search.run(), End::Spent), "{nodes_max}");
            let over = nodes_max + 1..=nodes_max + moves_max;
            assert!(over.contains(&search.nodes), "{} of {nodes_max}", search.nodes);
        }
    }

    #[test]
    fn a_close_look_asks_the_static_layers_and_has_its_price() {
        for (is_close, fen, is_hopeless, price) in [
            (true, CLOSED, true, STATIC_NODES),
            (false, CLOSED, false, 0),
            (true, OPEN, false, 0),
            (true, BARE, true, STATIC_NODES),
            (false, BARE, true, 0),
        ] {
            let attempt = try_with(is_close, 1_000);
            let mut search = Search::new(&board(OPEN), Color::White, &attempt);
            assert_eq!(search.nodes, 1, "the opening");
            assert_eq!(search.is_hopeless(&board(fen)), is_hopeless, "{is_close} {fen}");
            assert_eq!(search.nodes, 1 + price, "{is_close} {fen}");
        }
    }

    #[test]
    fn the_static_layers_are_asked_without_pawns_and_at_walls() {
        for (fen, white, black) in [
            (OPEN, false, false),
            (CLOSED, true, true),
            ("4k3/8/8/p7/P7/8/8/4K3 w - - 0 1", true, true),
            ("4k3/8/8/p2p4/P2P4/8/8/4K3 w - - 0 1", true, true),
            ("4k3/p7/8/3P4/3p4/P7/8/4K3 w - - 0 1", false, false),
            ("4k3/p7/8/8/8/8/8/4K2R w - - 0 1", true, false),
        ] {
            let board = board(fen);
            assert_eq!([Color::White, Color::Black].map(|mating| is_closed(&board, mating)), [white, black], "{fen}");
        }
    }

    #[test]
    fn what_is_hopeless_is_not_followed_if_it_could_have_become_so() {
        for (has_changed, followed) in [(true, None), (false, Some(1))] {
            let attempt = try_with(false, 1_000);
            let mut search = Search::new(&board(OPEN), Color::White, &attempt);
            assert_eq!(search.open.pop(), Some(0));
            search.meet(Met { board: board(BARE), before: 0, last: None, plies: 1 }, has_changed);
            assert_eq!(search.open.pop(), followed);
            search.meet(Met { board: board(BARE), before: 0, last: None, plies: 1 }, has_changed);
            assert_eq!((search.open.pop(), search.nodes), (None, 2), "it was met before");
        }
    }
}
