//! What a player or somebody else may do, and what it costs: one domain for many points.

use super::Domain;
use crate::point::Point;

/// Whether something may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conduct {
    /// It may be done.
    Allowed,
    /// It may not be done, and the text names no sanction.
    Forbidden,
    /// It may not be done, and the arbiter penalises it.
    Penalised,
    /// It may not be done; the arbiter may penalise it.
    MayBePenalised,
    /// It may not be done; the arbiter warns first.
    WarnedFirst,
}

impl Domain for Conduct {
    const POINTS: &'static [Point] = &[];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("allowed", Self::Allowed),
        ("forbidden", Self::Forbidden),
        ("penalised", Self::Penalised),
        ("may-be-penalised", Self::MayBePenalised),
        ("warned-first", Self::WarnedFirst),
    ];
}
