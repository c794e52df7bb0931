//! I: who stops the clocks, and why (FIDE Laws 6.12; CBX 67).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::I4 => Some(Declared::of::<StopWithoutReason>(&[])),
        _ => None,
    }
}

/// I4: a player stops the clocks and had no reason to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopWithoutReason {
    /// He is penalised if the reason was not valid.
    Penalty,
    /// He is penalised only if the stop was clearly unfounded.
    PenaltyIfClear,
    /// He may be penalised, and only if the stop was clearly unfounded.
    MayBePenalisedIfClear,
}

impl Domain for StopWithoutReason {
    const POINTS: &'static [Point] = &[Point::I4];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("penalty", Self::Penalty),
        ("penalty-if-clear", Self::PenaltyIfClear),
        ("may-be-penalised-if-clear", Self::MayBePenalisedIfClear),
    ];
}
