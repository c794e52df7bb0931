//! Positions from random games, of several tempers: how often there is no answer, and what an answer takes.
//!
//! Times are printed and not judged: `cargo nextest run -p flagfall-judge games --no-capture --cargo-profile release`.

use std::time::{Duration, Instant};

use cozy_chess::{Board, Move, Piece};
use flagfall_core::Side;
use flagfall_judge::mate::{self, Answer};
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

/// The position at the end of a random number of moves; `None` if the game ends before.
fn game(draw: &mut Stream, temper: Temper) -> Option<Board> {
    let moves = draw.within(20, 160) as usize;
    let positions = positions(draw, temper, moves);
    if positions.len() == moves { positions.last().cloned() } else { None }
}

/// The positions after each of so many moves, or of fewer where the game ends.
fn positions(draw: &mut Stream, temper: Temper, number: usize) -> Vec<Board> {
    let mut board = Board::default();
    let mut positions = Vec::new();
    for _ in 0..number {
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
            break;
        }
        board.play(preferred[draw.within(0, preferred.len() as u64 - 1) as usize]);
        positions.push(board.clone());
    }
    positions
}

/// The facts of a game rest on it: they look at its last moves first.
#[test]
fn what_is_known_to_be_dead_stays_so() {
    let mut draw = Stream::named(11, "dead");
    let mut after_death = 0;
    for temper in [Temper::Closing, Temper::Taking] {
        for _ in 0..60 {
            let mut was_dead = false;
            for board in positions(&mut draw, temper, 250) {
                let is_dead = mate::is_dead(&board.to_string()).is_some();
                assert!(is_dead || !was_dead, "{board} is no longer dead");
                after_death += u32::from(was_dead);
                was_dead = is_dead;
            }
        }
    }
    assert!(after_death > 300, "{after_death} positions after a dead one");
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
