//! Walls of pawns with kings and pieces behind them, built at random, against the slow search.

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square, get_king_moves};
use flagfall_core::Side;
use flagfall_judge::mate::{Answer, Position};
use flagfall_trace::draw::Stream;

use crate::{brute, checked, color};

/// Positions of a wall that the slow search follows at most.
const POSITIONS_MAX: usize = 15_000;

/// Pairs of pawns that stand before each other, each pair a rank higher or lower than the one beside it, so that none can
/// take; here and there a pair or a pawn is missing.
fn wall(draw: &mut Stream, pieces: &[Piece]) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    let mut rank = draw.within(1, 5);
    for file in File::ALL {
        rank = if rank == 1 || (rank < 5 && draw.within(0, 1) == 1) { rank + 1 } else { rank - 1 };
        if draw.within(0, 15) == 0 {
            continue;
        }
        let [lower, upper] = [rank, rank + 1].map(|rank| Square::new(file, Rank::index(rank as usize)));
        for (square, color) in [(lower, Color::White), (upper, Color::Black)] {
            if draw.within(0, 79) > 0 {
                *builder.square_mut(square) = Some((Piece::Pawn, color));
            }
        }
    }
    for color in Color::ALL {
        place(draw, &mut builder, Piece::King, color);
        if draw.within(0, 2) == 0 {
            let piece = pieces[draw.within(0, pieces.len() as u64 - 1) as usize];
            place(draw, &mut builder, piece, color);
        }
    }
    builder.side_to_move = Color::ALL[draw.within(0, 1) as usize];
    let board = builder.build().ok()?;
    let is_apart = !get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
    is_apart.then_some(board)
}

fn place(draw: &mut Stream, builder: &mut BoardBuilder, piece: Piece, color: Color) {
    loop {
        let square = Square::index(draw.within(0, 63) as usize);
        if builder.square(square).is_none() {
            *builder.square_mut(square) = Some((piece, color));
            return;
        }
    }
}

#[test]
fn what_a_wall_allows_is_what_the_slow_search_finds() {
    let mut draw = Stream::named(4, "walls");
    let [mut shut, mut open, mut unknown] = [0, 0, 0];
    for _ in 0..300 {
        let Some(board) = wall(&mut draw, &[Piece::Bishop, Piece::Bishop, Piece::Bishop, Piece::Knight]) else {
            continue;
        };
        let fen = board.to_string();
        // Three men who give check at once: nobody can have got there.
        if Position::read(&fen).is_err() {
            continue;
        }
        for side in [Side::White, Side::Black] {
            match checked(&fen, side).answer {
                Answer::Winnable(_) => open += 1,
                Answer::Unwinnable(reason) => {
                    let found = brute::reaches_mate(&board, color(side), POSITIONS_MAX);
                    assert_ne!(found, Some(true), "{side} mates in {fen}, and yet: {reason}");
                    shut += usize::from(found == Some(false));
                }
                Answer::Undetermined => unknown += 1,
            }
        }
    }
    println!("{open} walls let a mate through, {shut} do not, {unknown} are not known");
    assert!(shut > 40 && open > 200, "{open} open and {shut} shut walls are too few to tell");
    assert!(unknown * 50 <= open + shut, "{unknown} of {} are not known", open + shut + unknown);
}
