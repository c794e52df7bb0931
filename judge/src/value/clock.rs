//! A: what a clock is (FIDE Laws 6.1; CBX 61, 62).

use super::Declared;
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) const fn declared(_: Point) -> Option<Declared> {
    None
}
