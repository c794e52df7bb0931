//! E and F: when a flag counts and what it costs (FIDE Laws 6.4, 6.8 and 6.9; CBX 74, 78).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::E2 => Some(Declared::of::<FlagCounts>(&[])),
        Point::F1 => Some(Declared::of::<NotEnoughMoves>(&[])),
        Point::F3 => Some(Declared::of::<CannotMate>(&[])),
        _ => None,
    }
}

/// E2: when a flag counts as fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagCounts {
    /// When the arbiter observes it or a player makes a valid claim.
    WhenObservedOrClaimed,
    /// When it falls, whoever notices it later.
    TheFallItself,
    /// When a player claims it, and never by the arbiter.
    OnlyAPlayersClaim,
}

impl Domain for FlagCounts {
    const POINTS: &'static [Point] = &[Point::E2];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("when-observed-or-claimed", Self::WhenObservedOrClaimed),
        ("the-fall-itself", Self::TheFallItself),
        ("only-a-players-claim", Self::OnlyAPlayersClaim),
    ];
}

/// F1: a flag counts and its side has not completed the moves of the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotEnoughMoves {
    /// That side loses, as far as F3 does not say otherwise.
    Loses,
}

impl Domain for NotEnoughMoves {
    const POINTS: &'static [Point] = &[Point::F1];
    const VALUES: &'static [(&'static str, Self)] = &[("loses", Self::Loses)];
}

/// F3: the same when the opponent cannot mate any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotMate {
    /// A draw if no series of legal moves mates.
    Draw,
    /// A loss all the same.
    Loses,
}

impl Domain for CannotMate {
    const POINTS: &'static [Point] = &[Point::F3];
    const VALUES: &'static [(&'static str, Self)] = &[("draw", Self::Draw), ("loses", Self::Loses)];
}
