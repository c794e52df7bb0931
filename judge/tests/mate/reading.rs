//! What is read as a position, and what is refused.

use flagfall_core::Side;
use flagfall_judge::mate::{Fault, Position};

use crate::checked;

#[test]
fn the_last_fields_may_be_missing_and_counters_are_any_numbers() {
    for fen in [
        "8/2kr4/8/K7/8/8/8/8 w - - 0 1",
        "8/2kr4/8/K7/8/8/8/8 w - - 149 0",
        "8/2kr4/8/K7/8/8/8/8 w - - 7",
        "8/2kr4/8/K7/8/8/8/8 w - -",
        "8/2kr4/8/K7/8/8/8/8 w",
        "  8/2kr4/8/K7/8/8/8/8  w - -  0 300 ",
    ] {
        assert_eq!(checked(fen.trim(), Side::White).nodes, 0, "{fen}");
    }
}

#[test]
fn rights_and_passed_pawns_are_read() {
    for fen in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w BGbg - 0 1",
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1",
    ] {
        assert!(Position::read(fen).is_ok(), "{fen}");
    }
}

#[test]
fn what_is_no_position_is_refused_with_its_fault() {
    for (fen, fault) in [
        ("", Fault::TooShort),
        ("nonsense", Fault::TooShort),
        ("8/8/8/8/8/8/8/8 w - - 0 1", Fault::Placement),
        ("8/2kr4/8/K7/8/8/8 w - - 0 1", Fault::Placement),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", Fault::Placement),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", Fault::Placement),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", Fault::Placement),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", Fault::SideToMove),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", Fault::Castling),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", Fault::EnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", Fault::Counter),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm", Fault::TooLong),
    ] {
        let refused = Position::read(fen).expect_err(fen);
        assert_eq!((refused.fault, refused.fen.as_str()), (fault, fen));
    }
}
