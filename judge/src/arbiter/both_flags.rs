//! H: both flags down and neither side has made its moves (FIDE Laws 6.11; CBX has no rule for it).
//!
//! The question arises only when both sides are short of moves: a side that has made its control has lost nothing, and
//! then nobody needs to know whose flag was first. Who was first is known from the clock's sign or from somebody who
//! saw it as it was; the instants of two unseen falls are known to nobody in the hall.

use flagfall_core::Side;

use super::flag_fall::Inquiry;
use super::{Arbiter, Evidence, whose};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{BothDown, BothDownLast};

impl Arbiter<'_> {
    pub(super) fn both_are_short(&mut self, inquiry: &Inquiry) {
        let (first, evidence) = self.first_to_fall(inquiry);
        let last_period = Side::ALL.map(|side| self.target(side, inquiry).is_none());
        let order_matters = match last_period {
            [true, true] => self.book.answer() != Answer::Value(BothDownLast::Draw),
            [false, false] => self.book.answer() != Answer::Value(BothDown::Continues),
            _ => true,
        };
        if let Some(first) = first.filter(|_| order_matters) {
            return self.time_is_lost(first, inquiry, evidence);
        }
        match last_period {
            [true, true] => {
                if self.ask::<BothDownLast>(inquiry.at, &evidence).is_some() {
                    self.decide(Point::H2, inquiry.at, Outcome::Result(GameResult::Draw), evidence);
                }
            }
            [false, false] => {
                if self.ask::<BothDown>(inquiry.at, &evidence).is_some() {
                    self.decide(Point::H1, inquiry.at, Outcome::PlayContinues, evidence);
                }
            }
            _ => {
                // The texts speak of one period for both; flags that fell in different ones are nowhere provided for.
                let evidence = evidence.and("the flags fell in different periods");
                self.record(Point::H1, inquiry.at, Decision::Silent, evidence, 0);
            }
        }
    }

    fn first_to_fall(&self, inquiry: &Inquiry) -> (Option<Side>, Evidence) {
        let mut evidence = inquiry.evidence.clone();
        if let Some(side) = self.flags.mistaken_first {
            let refused =
                format!("{} flag was seen down first, but on the clock the other one fell first", whose(side));
            evidence = evidence.but_not(refused);
        }
        if let Some(side) = inquiry.face.and_then(|face| face.first_fallen) {
            return (Some(side), evidence.and(format!("the clock's sign shows that {} flag fell first", whose(side))));
        }
        if let Some(side) = self.flags.witnessed_first {
            return (Some(side), evidence.and(format!("{} flag was seen down first", whose(side))));
        }
        let refused = "the instants of the falls: nobody saw them and the clock has no sign of the order";
        (None, evidence.but_not(refused))
    }
}
