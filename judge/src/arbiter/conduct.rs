//! What somebody may do, and what it costs him: the same few answers to many points.

use flagfall_core::Side;

use super::{Arbiter, Evidence};
use crate::facts::Fact;
use crate::point::Point;
use crate::ruling::{Decision, Outcome};
use crate::value::Conduct;

impl Arbiter<'_> {
    /// This player did what the point asks about.
    pub(super) fn conduct(&mut self, point: Point, fact: &Fact, side: Side, evidence: Evidence) {
        let Some(rule) = self.ask_on::<Conduct>(point, fact.at, &evidence) else { return };
        let outcome = match rule {
            Conduct::Allowed => Outcome::Allowed(side),
            Conduct::Forbidden => Outcome::Forbidden(side),
            Conduct::Penalised => Outcome::Penalty(side),
            Conduct::WarnedFirst => Outcome::Warning(side),
            Conduct::MayBePenalised => {
                let either = Decision::Discretion(vec![Outcome::Penalty(side), Outcome::NoPenalty(side)]);
                return self.record(point, fact.at, either, evidence, 0);
            }
        };
        self.decide(point, fact.at, outcome, evidence);
    }
}
