//! B: how players handle the clock (FIDE Laws 6.2c; CBX 66).

use flagfall_trace::hall::{Handle, Handling};

use super::{Arbiter, Evidence, time};
use crate::facts::Fact;
use crate::point::Point;

impl Arbiter<'_> {
    pub(super) fn handled(&mut self, fact: &Fact, handle: Handle) {
        let Handle { side, how } = handle;
        let (point, what) = match how {
            Handling::Force => (Point::B10, "hit the button with force"),
            Handling::Lift => (Point::B11, "picked the clock up"),
            Handling::KnockOver => (Point::B12, "knocked the clock over"),
            Handling::Rap => (Point::B12, "rapped on the clock"),
        };
        self.conduct(point, fact, side, Evidence::used(format!("{side} {what} at {}", time(fact.at))));
    }
}
