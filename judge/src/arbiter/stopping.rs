//! I: players who stop the clocks (FIDE Laws 6.12; CBX 67 names no sanction).
//!
//! Only a stop by a player is in question, and only the arbiter's finding about it decides. A stop that nobody looks
//! into before the next one needs that finding, unless it was for the clock and something was found wrong with that.

use flagfall_trace::plan::{DefectFinding, Finding, Person, StopFinding, StopReason};

use super::{Arbiter, Evidence, time, whose};
use crate::facts::{Fact, What};
use crate::point::Point;
use crate::ruling::{Decision, Outcome};
use crate::value::StopWithoutReason;

impl Arbiter<'_> {
    pub(super) fn stopped(&mut self, fact: &Fact, by: Person, reason: StopReason, still_to_come: &[Fact]) {
        self.complained(reason);
        self.stopped_by = by.side();
        let Some(side) = by.side() else { return };
        let looked_into = still_to_come.iter().take_while(|later| !matches!(later.what, What::Stopped { .. })).any(
            |later| match later.what {
                What::Found(Finding::Stop(_)) => true,
                What::Found(Finding::Defect(defect)) => reason == StopReason::Clock && defect != DefectFinding::None,
                _ => false,
            },
        );
        if looked_into {
            return;
        }
        let evidence = Evidence::used(format!("{side} stopped the clocks at {}", time(fact.at)))
            .and("the arbiter did not say whether there was a valid reason");
        let worst = match self.ask::<StopWithoutReason>(fact.at, &evidence) {
            None => return,
            Some(StopWithoutReason::Penalty) => "not-valid",
            Some(StopWithoutReason::PenaltyIfClear | StopWithoutReason::MayBePenalisedIfClear) => "clearly-unfounded",
        };
        let answers = vec![("valid".to_owned(), Outcome::NoPenalty(side)), (worst.to_owned(), Outcome::Penalty(side))];
        let needs = Decision::Needs { fact: "stop-finding".to_owned(), answers };
        self.record(Point::I4, fact.at, needs, evidence, 0);
    }

    pub(super) fn stop_was_examined(&mut self, fact: &Fact, finding: StopFinding) {
        let Some(side) = self.stopped_by.take() else { return };
        let evidence = Evidence::used(format!("{} reason for stopping the clocks was {}", whose(side), word(finding)));
        let Some(rule) = self.ask::<StopWithoutReason>(fact.at, &evidence) else { return };
        let (penalty, none) = (Outcome::Penalty(side), Outcome::NoPenalty(side));
        match outcome(rule, finding) {
            Sanction::Must => self.decide(Point::I4, fact.at, penalty, evidence),
            Sanction::May => {
                self.record(Point::I4, fact.at, Decision::Discretion(vec![penalty, none]), evidence, 0);
            }
            Sanction::No => self.decide(Point::I4, fact.at, none, evidence),
        }
    }
}

enum Sanction {
    Must,
    May,
    No,
}

const fn outcome(rule: StopWithoutReason, finding: StopFinding) -> Sanction {
    match (rule, finding) {
        (_, StopFinding::Valid)
        | (StopWithoutReason::PenaltyIfClear | StopWithoutReason::MayBePenalisedIfClear, StopFinding::NotValid) => {
            Sanction::No
        }
        (StopWithoutReason::MayBePenalisedIfClear, StopFinding::ClearlyUnfounded) => Sanction::May,
        (StopWithoutReason::Penalty, StopFinding::NotValid | StopFinding::ClearlyUnfounded)
        | (StopWithoutReason::PenaltyIfClear, StopFinding::ClearlyUnfounded) => Sanction::Must,
    }
}

const fn word(finding: StopFinding) -> &'static str {
    match finding {
        StopFinding::Valid => "valid",
        StopFinding::NotValid => "not valid",
        StopFinding::ClearlyUnfounded => "clearly unfounded",
    }
}
