//! J: draws that a player short of time asks for (FIDE Laws 10 of 2009, guideline III of 2023; CBX 81).

use super::Declared;
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) const fn declared(_: Point) -> Option<Declared> {
    None
}
