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

const fn attempt(weights: [u32; 8], is_close: bool, nodes_max: u64) -> Attempt {
    let [plies, flights, corner, kings, first, second, promotion, men] = weights;
    let weights = Weights { plies, flights, corner, kings, first, second, promotion, men };
    Attempt { weights, is_close, nodes_max }
}

/// The weights were found by trying many on positions from random games, closed walls and endgames, each set of weights
/// on what the ones before it had left open.
const ATTEMPTS: [Attempt; 8] = [
    attempt([0, 2, 1, 2, 1, 1, 16, 16], false, 2_000),
    attempt([0, 6, 4, 2, 1, 1, 4, 48], false, 2_000),
    attempt([0, 12, 48, 8, 0, 4, 8, 6], false, 2_000),
    attempt([0, 4, 8, 8, 3, 16, 0, 6], false, 2_000),
    attempt([1, 3, 4, 4, 2, 1, 8, 0], true, 30_000),
    attempt([0, 6, 4, 2, 1, 1, 4, 48], true, 30_000),
    attempt([0, 12, 48, 8, 0, 4, 8, 6], true, 30_000),
    attempt([1, 3, 4, 4, 2, 1, 8, 0], true, 200_000),
];

/// What asking the static layers costs, in positions that could be met in that time.
const STATIC_NODES: u64 = 16;

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

/// Whether the static layers have a chance to find something: the mating side has no pawns, or walls are standing.
fn is_closed(board: &Board, mating: Color) -> bool {
    let [white, black] = [Color::White, Color::Black].map(|color| board.colored_pieces(color, Piece::Pawn));
    let blocked = BitBoard(white.0 << File::NUM) & black;
    board.colored_pieces(mating, Piece::Pawn).is_empty() || blocked.len() > 1
}
