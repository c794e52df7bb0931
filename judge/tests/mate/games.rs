//! Positions from random games, of several tempers: how often there is no answer, and what an answer takes.
//!
//! Times are printed and not judged: `cargo nextest run -p flagfall-judge games --no-capture --cargo-profile release`.

use std::time::{Duration, Instant};

use cozy_chess::{Board, Move, Piece};
use flagfall_core::Side;
use flagfall_judge::mate::Answer;
use flagfall_trace::draw::Stream;

use crate::checked;

/// How the players choose.
#[derive(Clone, Copy, Debug)]
enum Temper {
    /// Any move.
    Any,
    /// Pawns first, and nothing is taken while something else can be done: the board closes.
    Closing,
    /// Everything is taken that can be: the board empties.
    Taking,
}

fn game(draw: &mut Stream, temper: Temper) -> Option<Board> {
    let mut board = Board::default();
    for _ in 0..draw.within(20, 160) {
        let mut moves: Vec<Move> = Vec::new();
        board.generate_moves(|of_piece| {
            moves.extend(of_piece);
            false
        });
        let (takes, quiet): (Vec<Move>, Vec<Move>) = moves.iter().partition(|each| board.occupied().has(each.to));
        let of_pawns: Vec<Move> =
            quiet.iter().copied().filter(|each| board.pieces(Piece::Pawn).has(each.from)).collect();
        let preferred = match temper {
            Temper::Any => &moves,
            Temper::Closing if !of_pawns.is_empty() && draw.within(0, 2) > 0 => &of_pawns,
            Temper::Closing if !quiet.is_empty() => &quiet,
            Temper::Taking if !takes.is_empty() => &takes,
            Temper::Closing | Temper::Taking => &moves,
        };
        if preferred.is_empty() {
            return None;
        }
        board.play(preferred[draw.within(0, preferred.len() as u64 - 1) as usize]);
    }
    Some(board)
}

#[test]
fn random_games_are_decided() {
    let mut draw = Stream::named(4, "games");
    let (mut times, mut nodes): (Vec<Duration>, Vec<u64>) = (Vec::new(), Vec::new());
    let [mut can, mut cannot, mut unknown] = [0, 0, 0];
    for temper in [Temper::Any, Temper::Closing, Temper::Taking] {
        for _ in 0..100 {
            let Some(board) = game(&mut draw, temper) else { continue };
            for side in [Side::White, Side::Black] {
                let start = Instant::now();
                let prospects = checked(&board.to_string(), side);
                times.push(start.elapsed());
                nodes.push(prospects.nodes);
                match prospects.answer {
                    Answer::Winnable(_) => can += 1,
                    Answer::Unwinnable(_) => cannot += 1,
                    Answer::Undetermined => {
                        println!("undetermined: {side} in {board}");
                        unknown += 1;
                    }
                }
            }
        }
    }
    times.sort();
    nodes.sort_unstable();
    let (median, last) = (times.len() / 2, times.len() - 1);
    println!("{can} can mate, {cannot} cannot, {unknown} are not known");
    println!(
        "median {:?} and {} nodes, most {:?} and {} nodes",
        times[median], nodes[median], times[last], nodes[last]
    );
    assert!(can + cannot > 300, "{can} and {cannot} are too few to tell");
    assert!(unknown * 50 <= times.len(), "{unknown} of {} are not known", times.len());
}
