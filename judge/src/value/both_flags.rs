//! H: both flags down (FIDE Laws 6.11).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::H1 => Some(Declared::of::<BothDown>(&[])),
        Point::H2 => Some(Declared::of::<BothDownLast>(&[])),
        _ => None,
    }
}

/// H1: both flags down in a period that is not the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothDown {
    /// The game goes on if nobody can tell which fell first.
    ContinuesIfOrderUnknown,
    /// The game goes on, whichever fell first.
    Continues,
}

impl Domain for BothDown {
    const POINTS: &'static [Point] = &[Point::H1];
    const VALUES: &'static [(&'static str, Self)] =
        &[("continues-if-order-unknown", Self::ContinuesIfOrderUnknown), ("continues", Self::Continues)];
}

/// H2: both flags down in the last period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothDownLast {
    /// A draw if nobody can tell which fell first.
    DrawIfOrderUnknown,
    /// A draw, whichever fell first.
    Draw,
}

impl Domain for BothDownLast {
    const POINTS: &'static [Point] = &[Point::H2];
    const VALUES: &'static [(&'static str, Self)] =
        &[("draw-if-order-unknown", Self::DrawIfOrderUnknown), ("draw", Self::Draw)];
}
