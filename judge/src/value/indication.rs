//! G: what the clock shows, and what is put right (FIDE Laws 6.10; CBX 63, 72, 73, 82).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::G1 => Some(Declared::of::<Indication>(&[])),
        _ => None,
    }
}

/// G1: what the clock shows, against what is said about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indication {
    /// It is conclusive unless a defect is evident; an evidently defective clock is replaced.
    ConclusiveUnlessEvidentDefect,
    /// A clock under suspicion is replaced, but once a flag has fallen no complaint about it is heard.
    FinalOnceFallen,
}

impl Domain for Indication {
    const POINTS: &'static [Point] = &[Point::G1];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("conclusive-unless-evident-defect", Self::ConclusiveUnlessEvidentDefect),
        ("final-once-fallen", Self::FinalOnceFallen),
    ];
}
