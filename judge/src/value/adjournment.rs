//! L: adjourned games (FIDE guideline I).

use super::Declared;
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) const fn declared(_: Point) -> Option<Declared> {
    None
}
