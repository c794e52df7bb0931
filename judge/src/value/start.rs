//! D: the start of the game and late players (FIDE Laws 6.5 to 6.7).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::D1 => Some(Declared::of::<StartOfGame>(&[])),
        Point::D3 => Some(Declared::of::<LateArrival>(&[])),
        Point::D4 => Some(Declared::of::<BothAbsent>(&[])),
        _ => None,
    }
}

/// D1: whose clock runs from the time fixed for the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartOfGame {
    /// White's, whoever is there.
    WhiteRuns,
}

impl Domain for StartOfGame {
    const POINTS: &'static [Point] = &[Point::D1];
    const VALUES: &'static [(&'static str, Self)] = &[("white-runs", Self::WhiteRuns)];
}

/// D3: a player who comes after the default time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateArrival {
    /// He loses unless the arbiter decides otherwise.
    LosesUnlessArbiterDecides,
    /// He loses.
    Loses,
}

impl Domain for LateArrival {
    const POINTS: &'static [Point] = &[Point::D3];
    const VALUES: &'static [(&'static str, Self)] =
        &[("loses-unless-arbiter-decides", Self::LosesUnlessArbiterDecides), ("loses", Self::Loses)];
}

/// D4: the time that passes while neither player is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothAbsent {
    /// White bears all of it until he arrives.
    WhiteBears,
    /// Each bears half of it until the first of them arrives.
    Split,
}

impl Domain for BothAbsent {
    const POINTS: &'static [Point] = &[Point::D4];
    const VALUES: &'static [(&'static str, Self)] = &[("white-bears", Self::WhiteBears), ("split", Self::Split)];
}
