//! Positions with a known answer.

use flagfall_core::Side;
use flagfall_judge::mate::{Answer, is_dead};

use crate::checked;

const CAN: &[(&str, &str, Side)] = &[
    ("rook", "8/2kr4/8/K7/8/8/8/8 w - - 0 1", Side::Black),
    ("queens and pawns", "7k/1qQ5/p4PPK/6PP/8/5P2/8/8 w - - 0 1", Side::White),
    ("queens and pawns", "7k/1qQ5/p4PPK/6PP/8/5P2/8/8 w - - 0 1", Side::Black),
    ("two knights", "8/8/8/4k3/8/2K5/8/4NN2 w - - 0 1", Side::White),
    ("rook against knight", "8/8/8/3k3n/8/2K5/8/4R3 w - - 0 1", Side::White),
    ("knight against rook", "8/8/8/3k3n/8/2K5/8/4R3 w - - 0 1", Side::Black),
    ("knight against knight", "8/8/8/3k3n/8/2K5/8/4N3 w - - 0 1", Side::Black),
    ("knight against bishop", "8/8/8/3k3n/8/2K5/8/4B3 w - - 0 1", Side::Black),
    ("knight against a pawn that promotes", "8/5k2/8/8/8/2K5/p6N/8 w - - 0 1", Side::White),
    ("bishop against a pawn that promotes", "8/5k2/8/8/8/2K5/p6B/8 w - - 0 1", Side::White),
    ("bishops of both colours", "8/5k2/8/8/8/2K4b/7B/8 w - - 0 1", Side::White),
    ("bishop against knight", "8/5k2/8/8/8/2K4n/7B/8 w - - 0 1", Side::White),
    ("two bishops of one colour against a pawn", "8/8/K7/8/4b3/1b1k3P/8/5Q2 b - - 0 1", Side::Black),
    ("two bishops of one colour against a bishop and a knight", "b5K1/3B4/8/8/8/4N3/1kb5/8 b - - 0 1", Side::Black),
    ("pawn against pawn on its file", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 41", Side::White),
    ("a full board", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Side::White),
    ("a full board", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Side::Black),
    ("middle game", "r4rk1/1pp2ppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP2PPP/R4RK1 w - - 0 12", Side::White),
    ("pawns that can still take", "8/5k1p/8/6p1/6P1/7P/2K5/8 w - - 0 1", Side::White),
    ("a wall with a door for the king", "4k3/8/8/p2p4/P2P4/8/8/4K3 w - - 0 1", Side::White),
    ("a wall that a bishop can break", "4k3/3b4/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Side::White),
    ("mate on the board", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Side::White),
    ("a wall that falls by taking in passing", "4k3/8/3p4/p1pPp1p1/P1P1P1P1/8/8/4K3 w - c6 0 1", Side::White),
    ("a wall that falls by taking in passing", "4k3/8/3p4/p1pPp1p1/P1P1P1P1/8/8/4K3 w - c6 0 1", Side::Black),
    ("a wall with a pawn that goes round it", "8/3k4/8/8/p1pPp1p1/PpP1P1P1/1P1K4/8 b - - 0 1", Side::Black),
];

const CANNOT: &[(&str, &str, Side)] = &[
    ("bare king", "8/2kr4/8/K7/8/8/8/8 w - - 0 1", Side::White),
    ("knight against bare king", "8/8/8/3k3n/8/2K5/8/8 w - - 0 1", Side::Black),
    ("knight against queens", "8/8/8/3k3n/8/2K5/Q7/4Q3 b - - 0 1", Side::Black),
    ("bishop against bare king", "8/8/8/3k3b/8/2K5/8/8 w - - 0 1", Side::Black),
    ("bishop against rook and queen", "8/8/8/3k3b/8/2K5/8/2R3Q1 b - - 0 1", Side::Black),
    ("bishops of one colour", "8/8/8/4k3/8/2K2B2/8/5b2 w - - 0 1", Side::White),
    ("bishops of one colour", "8/8/8/4k3/8/2K2B2/8/5b2 w - - 0 1", Side::Black),
    ("two bishops of one colour", "8/8/8/4k3/8/2K2B2/6B1/5b2 w - - 0 1", Side::White),
    ("a closed wall", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Side::White),
    ("a closed wall", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Side::Black),
    ("a closed wall that nobody takes in passing", "4k3/8/3p4/p1pPp1p1/P1P1P1P1/8/8/4K3 w - - 0 1", Side::White),
    ("a wall with a bishop that attacks none of it", "8/2b1k3/7p/p1p1p1pP/P1PpP1P1/3P4/4K3/8 w - - 0 1", Side::Black),
    ("a wall with a bishop that attacks none of it", "8/2b1k3/7p/p1p1p1pP/P1PpP1P1/3P4/4K3/8 w - - 0 1", Side::White),
    ("shut in behind bishops", "Bb2kb2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 b - - 0 1", Side::White),
    ("shut in behind bishops", "Bb2kb2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 b - - 0 1", Side::Black),
    ("the only move takes the rook", "6Rk/8/7K/8/8/8/8/8 b - - 0 1", Side::White),
    ("the only move takes the rook", "6Rk/8/7K/8/8/8/8/8 b - - 0 1", Side::Black),
    ("stalemate", "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1", Side::Black),
    ("the one that is mated", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Side::Black),
];

#[test]
fn what_can_mate_shows_how() {
    for (name, fen, side) in CAN {
        let prospects = checked(fen, *side);
        assert!(matches!(prospects.answer, Answer::Winnable(_)), "{name}, {side}: {prospects:?}");
    }
}

#[test]
fn what_cannot_mate_says_why() {
    for (name, fen, side) in CANNOT {
        let prospects = checked(fen, *side);
        assert!(matches!(prospects.answer, Answer::Unwinnable(_)), "{name}, {side}: {prospects:?}");
    }
}

#[test]
fn the_answer_is_the_same_every_time() {
    for (_, fen, side) in CAN.iter().take(6) {
        assert_eq!(checked(fen, *side), checked(fen, *side));
    }
}

#[test]
fn mate_on_the_board_has_no_line_and_a_bare_king_no_nodes() {
    assert_eq!(checked("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Side::White).answer, Answer::Winnable(Vec::new()));
    assert_eq!(checked("8/2kr4/8/K7/8/8/8/8 w - - 0 1", Side::White).nodes, 0);
}

#[test]
fn a_dead_position_is_dead_for_both() {
    for (fen, is) in [
        ("8/8/4k3/8/8/8/4K3/8 b - - 0 50", true),
        ("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", true),
        ("8/2b1k3/7p/p1p1p1pP/P1PpP1P1/3P4/4K3/8 w - - 0 1", true),
        ("8/8/4k3/8/8/8/4K3/4R3 b - - 0 50", false),
        ("8/8/8/3k3n/8/2K5/8/4Q3 b - - 0 1", false),
        ("4k2r/8/8/8/8/8/8/4K3 w - - 0 1", false),
        ("no position", false),
    ] {
        assert_eq!(is_dead(fen).is_some(), is, "{fen}");
    }
}

#[test]
fn why_it_is_dead_is_said_of_the_side_with_more() {
    let bare = is_dead("8/8/4k3/8/8/8/4K3/8 b - - 0 50");
    for fen in ["4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "4kn2/8/8/8/8/8/8/4K3 w - - 0 1"] {
        let why = is_dead(fen);
        assert!(why.is_some_and(|why| why.contains("knight")) && why != bare, "{fen}: {why:?}");
    }
}
