//! Few men anywhere: every answer against the slow search where that comes to an end, and hardly an answer missing.

use cozy_chess::{Board, BoardBuilder, Color, Piece, Rank, Square, get_king_moves};
use flagfall_core::Side;
use flagfall_judge::mate::Answer;
use flagfall_trace::draw::Stream;

use crate::{brute, checked, color};

const SETS: [&str; 12] = ["", "n", "b", "r", "q", "p", "nn", "bb", "bn", "np", "bp", "pp"];

fn ending(draw: &mut Stream) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    for color in Color::ALL {
        for letter in "k".chars().chain(SETS[draw.within(0, SETS.len() as u64 - 1) as usize].chars()) {
            let piece = Piece::try_from(letter).expect("a piece");
            let square = Square::index(draw.within(0, 63) as usize);
            let is_last = matches!(square.rank(), Rank::First | Rank::Eighth);
            if builder.square(square).is_some() || (piece == Piece::Pawn && is_last) {
                return None;
            }
            *builder.square_mut(square) = Some((piece, color));
        }
    }
    builder.side_to_move = Color::ALL[draw.within(0, 1) as usize];
    let board = builder.build().ok()?;
    (!get_king_moves(board.king(Color::White)).has(board.king(Color::Black))).then_some(board)
}

#[test]
fn few_men_are_decided_and_rightly() {
    let mut draw = Stream::named(4, "endings");
    let [mut can, mut cannot, mut proved, mut unknown] = [0; 4];
    for _ in 0..400 {
        let Some(board) = ending(&mut draw) else { continue };
        let fen = board.to_string();
        for side in [Side::White, Side::Black] {
            let prospects = checked(&fen, side);
            match prospects.answer {
                Answer::Winnable(_) => can += 1,
                Answer::Unwinnable(reason) => {
                    cannot += 1;
                    // Classes of pieces are tried out in full elsewhere; here it is what the search has exhausted.
                    if prospects.nodes > 0 {
                        let found = brute::reaches_mate(&board, color(side), 100_000);
                        assert_eq!(found, Some(false), "{side} in {fen}: {reason}");
                        proved += 1;
                    }
                }
                Answer::Undetermined => {
                    println!("undetermined: {side} in {fen}");
                    unknown += 1;
                }
            }
        }
    }
    println!("{can} can mate, {cannot} cannot, {proved} of them by search, {unknown} are not known");
    assert!(unknown * 100 <= can + cannot, "{unknown} of {} are not known", can + cannot + unknown);
    assert!(can > 200 && cannot > 60, "{can} and {cannot} are too few to tell");
}
