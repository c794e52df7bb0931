//! H: both flags down (FIDE Laws 6.11, guideline III.3 since 2017; US Chess 14G, 16T).

use super::{Declared, Domain, Limit, Unit};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::H1 => Some(Declared::of::<BothDown>(&[])),
        Point::H2 => Some(Declared::of::<BothDownLast>(SUDDEN_DEATH)),
        Point::H3 => Some(Declared::of::<UsedTime>(&[])),
        _ => None,
    }
}

const SUDDEN_DEATH: &[Limit] = &[Limit { name: "increment", unit: Unit::Span, needed_by: &["draw"] }];

/// H1: both flags down in a period that is not the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothDown {
    /// The game goes on if nobody can tell which fell first.
    ContinuesIfOrderUnknown,
    /// The same, but only without increment, not in blitz, and if the event announced it.
    ContinuesIfAnnounced,
    /// The game goes on, whichever fell first.
    Continues,
}

impl Domain for BothDown {
    const POINTS: &'static [Point] = &[Point::H1];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("continues-if-order-unknown", Self::ContinuesIfOrderUnknown),
        ("continues-if-announced", Self::ContinuesIfAnnounced),
        ("continues", Self::Continues),
    ];
}

/// H2: both flags down in the last period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothDownLast {
    /// A draw if nobody can tell which fell first.
    DrawIfOrderUnknown,
    /// The same, and in rapid and blitz without adequate supervision a draw in any case.
    DrawIfOrderUnknownOrUnsupervised,
    /// A draw if nobody can tell, but only without increment, not in blitz, and if the event announced it.
    DrawIfAnnounced,
    /// A draw, whichever fell first; with an increment of the limit `increment` or more the game goes on.
    Draw,
}

impl Domain for BothDownLast {
    const POINTS: &'static [Point] = &[Point::H2];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("draw-if-order-unknown", Self::DrawIfOrderUnknown),
        ("draw-if-order-unknown-or-unsupervised", Self::DrawIfOrderUnknownOrUnsupervised),
        ("draw-if-announced", Self::DrawIfAnnounced),
        ("draw", Self::Draw),
    ];
}

/// H3: one side has used more time than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedTime {
    /// That does not prove that its flag fell first.
    NoProof,
    /// That proves it.
    Proof,
}

impl Domain for UsedTime {
    const POINTS: &'static [Point] = &[Point::H3];
    const VALUES: &'static [(&'static str, Self)] = &[("no-proof", Self::NoProof), ("proof", Self::Proof)];
}
