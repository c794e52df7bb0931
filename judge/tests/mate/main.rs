//! Whether a side can still mate: known answers, rules of the game that decide, classes of pieces tried out in full, and
//! closed walls and endings against a slow search that shares nothing with the fast one but the chess library.

mod answers;
mod brute;
mod classes;
mod endings;
mod games;
mod reading;
mod tempi;
mod walls;

use cozy_chess::{Board, Color, util};
use flagfall_core::Side;
use flagfall_judge::mate::{Answer, Position, Prospects, can_mate};

/// What the judge says, its line played through: it must be legal and end in mate of the other side.
fn checked(fen: &str, side: Side) -> Prospects {
    let position = Position::read(fen).unwrap_or_else(|error| panic!("{error}"));
    let prospects = can_mate(&position, side);
    if let Answer::Winnable(line) = &prospects.answer {
        let end = replayed(&board(fen), line);
        assert!(is_mate(&end, color(side)), "{side} in {fen}: {line:?}");
    }
    prospects
}

/// The board at the end of a line.
fn replayed(opening: &Board, line: &[String]) -> Board {
    let mut board = opening.clone();
    for step in line {
        let each = util::parse_uci_move(&board, step).expect("a move in coordinates");
        board.try_play(each).unwrap_or_else(|error| panic!("{step} in {line:?} from {opening}: {error}"));
    }
    board
}

fn is_mate(board: &Board, by: Color) -> bool {
    board.side_to_move() != by && !board.checkers().is_empty() && !board.generate_moves(|_| true)
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen, false).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}
