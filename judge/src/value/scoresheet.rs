//! K: scoresheets (FIDE Laws 8; CBX 75 to 80).

use super::Declared;
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) const fn declared(_: Point) -> Option<Declared> {
    None
}
