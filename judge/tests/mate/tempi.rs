//! Pawns that face each other with room between them, and sides that have few moves left, against the slow search.

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square, get_king_moves};
use flagfall_core::Side;
use flagfall_judge::mate::{Answer, Position};
use flagfall_trace::draw::Stream;

use crate::{brute, checked, color};

/// Positions that the slow search follows at most.
const POSITIONS_MAX: usize = 8_000;

/// A king who cannot move, and pawns that shut him in for as long as they stand.
const CAGES: [&[(Square, Piece, Color)]; 3] = [
    &[
        (Square::A5, Piece::King, Color::White),
        (Square::A4, Piece::Pawn, Color::White),
        (Square::B4, Piece::Pawn, Color::White),
        (Square::B5, Piece::Pawn, Color::White),
        (Square::B6, Piece::Pawn, Color::White),
        (Square::B7, Piece::Pawn, Color::Black),
    ],
    &[
        (Square::B8, Piece::King, Color::Black),
        (Square::B7, Piece::Pawn, Color::White),
        (Square::B6, Piece::Pawn, Color::White),
        (Square::B5, Piece::Pawn, Color::White),
        (Square::A6, Piece::Bishop, Color::White),
    ],
    &[
        (Square::A1, Piece::King, Color::White),
        (Square::B2, Piece::Pawn, Color::White),
        (Square::A2, Piece::Pawn, Color::Black),
        (Square::B3, Piece::Pawn, Color::Black),
    ],
];

fn put(builder: &mut BoardBuilder, square: Square, piece: Piece, color: Color) {
    if builder.square(square).is_none() {
        *builder.square_mut(square) = Some((piece, color));
    }
}

/// Two pawns that face each other on a file, with room between them or none; now and then one more.
fn pair(draw: &mut Stream, builder: &mut BoardBuilder, file: File) {
    let lower = draw.within(1, 5);
    let upper = draw.within(lower + 1, 6);
    let at = |rank: u64| Square::new(file, Rank::index(rank as usize));
    put(builder, at(lower), Piece::Pawn, Color::White);
    put(builder, at(upper), Piece::Pawn, Color::Black);
    if draw.within(0, 7) == 0 {
        put(builder, at(draw.within(1, 6)), Piece::Pawn, Color::ALL[draw.within(0, 1) as usize]);
    }
}

fn any_square(draw: &mut Stream) -> Square {
    Square::index(draw.within(0, 63) as usize)
}

/// Pairs on every second file at most, so that nobody can take at once, or two pairs on each; kings anywhere.
fn facing(draw: &mut Stream) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    let from = draw.within(0, 1);
    let is_double = draw.within(0, 1) == 1;
    for file in File::ALL.into_iter().filter(|file| *file as u64 % 2 == from) {
        if is_double {
            let ranks = [(1, Color::White), (draw.within(2, 4), Color::Black), (5, Color::White), (6, Color::Black)];
            for (rank, color) in ranks {
                if draw.within(0, 39) > 0 {
                    put(&mut builder, Square::new(file, Rank::index(rank as usize)), Piece::Pawn, color);
                }
            }
        } else if draw.within(0, 5) > 0 {
            pair(draw, &mut builder, file);
        }
    }
    let upper = if is_double { Square::new(any_square(draw).file(), Rank::Eighth) } else { any_square(draw) };
    put(&mut builder, upper, Piece::King, Color::Black);
    let king = any_square(draw);
    put(&mut builder, king, Piece::King, Color::White);
    if draw.within(0, 3) == 0 {
        let (square, color) = (any_square(draw), Color::ALL[draw.within(0, 1) as usize]);
        put(&mut builder, square, Piece::Bishop, color);
    }
    finished(draw, builder)
}

/// A caged king whose side has some pawns to move, and another king who is free.
fn caged(draw: &mut Stream) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    let cage = CAGES[draw.within(0, CAGES.len() as u64 - 1) as usize];
    for (square, piece, color) in cage {
        put(&mut builder, *square, *piece, *color);
    }
    for _ in 0..draw.within(1, 2) {
        let file = File::index(draw.within(3, 7) as usize);
        pair(draw, &mut builder, file);
    }
    let (_, _, shut_in) = cage[0];
    let king = any_square(draw);
    put(&mut builder, king, Piece::King, !shut_in);
    finished(draw, builder)
}

fn finished(draw: &mut Stream, mut builder: BoardBuilder) -> Option<Board> {
    builder.side_to_move = Color::ALL[draw.within(0, 1) as usize];
    let board = builder.build().ok()?;
    let is_apart = !get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
    (is_apart && Position::read(&board.to_string()).is_ok()).then_some(board)
}

/// How many questions were answered how, after every "no" was tried out as far as that goes.
#[derive(Debug, Default)]
struct Count {
    open: usize,
    shut: usize,
    /// Of those shut, the ones that took no search and that the slow search followed to the end.
    proved: usize,
    unknown: usize,
}

fn tried(board: &Board, count: &mut Count) {
    let fen = board.to_string();
    for side in [Side::White, Side::Black] {
        let prospects = checked(&fen, side);
        match prospects.answer {
            Answer::Winnable(_) => count.open += 1,
            Answer::Unwinnable(reason) => {
                let found = brute::reaches_mate(board, color(side), POSITIONS_MAX);
                assert_ne!(found, Some(true), "{side} mates in {fen}, and yet: {reason}");
                count.shut += 1;
                count.proved += usize::from(found == Some(false) && prospects.nodes == 0);
            }
            Answer::Undetermined => count.unknown += 1,
        }
    }
}

#[test]
fn pawns_that_face_each_other_pass_only_where_the_slow_search_says_so() {
    let mut draw = Stream::named(4, "facing pawns");
    let mut count = Count::default();
    for _ in 0..300 {
        if let Some(board) = facing(&mut draw) {
            tried(&board, &mut count);
        }
    }
    println!("{count:?}");
    assert!(count.shut > 30 && count.open > 150 && count.unknown * 50 <= count.open, "{count:?}");
}

#[test]
fn a_side_that_runs_out_of_moves_is_followed_to_its_last() {
    let mut draw = Stream::named(4, "caged kings");
    let mut count = Count::default();
    for _ in 0..250 {
        if let Some(board) = caged(&mut draw) {
            tried(&board, &mut count);
        }
    }
    println!("{count:?}");
    assert!(count.proved > 100 && count.open > 20, "{count:?}");
    assert!(count.unknown * 50 <= count.open + count.shut, "{count:?}");
}

#[test]
fn pawns_that_nobody_can_take_hold_each_other_up_without_a_search() {
    for (fen, white_and_black) in [
        // Two walls with room between them; neither king gets through.
        ("4k3/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/4K3 w - - 0 1", [true, true]),
        ("1k6/p1p5/P1P5/8/8/8/8/K7 w - - 0 1", [false, false]),
        // White's king is shut in, and without pawns to move White is stalemated after one move of Black's.
        ("8/8/8/8/8/1p6/pP6/K1k5 b - - 0 1", [true, true]),
    ] {
        let position = Position::read(fen).expect("a position");
        let says = [Side::White, Side::Black].map(|side| {
            let prospects = flagfall_judge::mate::can_mate(&position, side);
            matches!(prospects.answer, Answer::Unwinnable(_)) && prospects.nodes == 0
        });
        assert_eq!(says, white_and_black, "{fen}");
    }
}
