//! D6: where the clock stands (FIDE Laws 6.5; CBX 64; US Chess 16L).
//!
//! That somebody puts the clock somewhere is the fact; whose choice that is, and whether it was his, is the question.
//! US Chess 16L takes the choice from a Black who is late and does not say who has it then; that White has it follows
//! from the words at most.

use flagfall_core::Side;
use flagfall_trace::hall::{Edge, Place};
use flagfall_trace::plan::{GameClass, Person};

use super::{Arbiter, Evidence};
use crate::facts::Fact;
use crate::point::Point;
use crate::ruling::{Decision, Outcome, Placer};
use crate::value::ClockPlace;

impl Arbiter<'_> {
    pub(super) fn clock_is_placed(&mut self, fact: &Fact, place: Place) {
        let edge = match place.at {
            Edge::WhitesLeft => "White's left",
            Edge::WhitesRight => "White's right",
        };
        let mut evidence = Evidence::used(format!("{} put the clock at {edge}", place.by));
        let Some(rule) = self.ask::<ClockPlace>(fact.at, &evidence) else { return };
        let (placer, admissible) = match rule {
            ClockPlace::ArbiterDecidesAndMayLetBlackInBlitz
                if place.by == Person::Black && self.class() == Some(GameClass::Blitz) =>
            {
                evidence = evidence.and("it is a blitz game");
                self.decide(Point::D6, fact.at, Outcome::PlacedBy(Placer::Arbiter), evidence.clone());
                let either = Decision::Discretion(vec![Outcome::ActAdmissible, Outcome::ActNotAdmissible]);
                return self.record(Point::D6, fact.at, either, evidence, 0);
            }
            ClockPlace::ArbiterDecides | ClockPlace::ArbiterDecidesAndMayLetBlackInBlitz => {
                (Placer::Arbiter, place.by == Person::Arbiter)
            }
            ClockPlace::WhitesLeft => (Placer::Rules, place.at == Edge::WhitesLeft || place.by == Person::Arbiter),
            ClockPlace::BlackChooses if self.presence.is_late(Side::Black) => {
                evidence = evidence.and("Black was late");
                evidence.inferred = true;
                (Placer::White, place.by != Person::Black)
            }
            ClockPlace::BlackChooses => (Placer::Black, place.by != Person::White),
        };
        self.decide(Point::D6, fact.at, Outcome::PlacedBy(placer), evidence.clone());
        let outcome = if admissible { Outcome::ActAdmissible } else { Outcome::ActNotAdmissible };
        self.decide(Point::D6, fact.at, outcome, evidence);
    }
}
