//! C: periods, saved time and delay (FIDE Laws 6.3).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::C3 => Some(Declared::of::<SavedTime>(&[])),
        Point::C4 => Some(Declared::of::<DelayRule>(&[])),
        _ => None,
    }
}

/// C3: time saved in one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedTime {
    /// It is added to the next one.
    Carried,
    /// It is added where the control of the game provides it.
    CarriedWhereApplicable,
    /// It is added, but not in a period with a delay.
    NotCarriedWithDelay,
}

impl Domain for SavedTime {
    const POINTS: &'static [Point] = &[Point::C3];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("carried", Self::Carried),
        ("carried-where-applicable", Self::CarriedWhereApplicable),
        ("not-carried-with-delay", Self::NotCarriedWithDelay),
    ];
}

/// C4: fixed extra time with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayRule {
    /// It runs off before the main time does; what is left of it is lost.
    RunsFirst,
}

impl Domain for DelayRule {
    const POINTS: &'static [Point] = &[Point::C4];
    const VALUES: &'static [(&'static str, Self)] = &[("runs-first", Self::RunsFirst)];
}
