//! I: who stops the clocks, what for, and who starts them again (FIDE Laws 6.12; CBX 67 names no sanction).
//!
//! Who starts the opponent's clock to stop his own has not stopped the clocks; of dials the commentary says that this is
//! common practice, so that nothing is ruled there. For the penalty (I4) only a stop by a player is in question, and only the arbiter's finding about it decides. A stop that nobody looks
//! into before the next one needs that finding, unless it was for the clock and something was found wrong with that.

use flagfall_core::Side;
use flagfall_trace::plan::{DefectFinding, Finding, Person, StopFinding, StopMeans, StopReason};

use super::{Arbiter, Evidence, time, whose};
use crate::facts::{Fact, What};
use crate::point::Point;
use crate::ruling::{Decision, Outcome};
use crate::value::{Interruption, OpponentsClock, PlayersStop, Restart, StopWithoutReason};

impl Arbiter<'_> {
    /// Somebody stopped the clocks, or did what he takes for it.
    pub(super) fn stops(
        &mut self,
        fact: &Fact,
        by: Person,
        reason: StopReason,
        how: StopMeans,
        still_to_come: &[Fact],
    ) {
        match by.side() {
            Some(side) if how == StopMeans::StartOpponent => return self.started_the_opponent(fact, side),
            Some(side) => self.stopped_by_a_player(fact, side, reason),
            None if reason == StopReason::Interruption => self.interrupted(fact, how),
            None => {}
        }
        self.last_stop = Some(reason);
        self.stopped(fact, by, reason, still_to_come);
    }

    /// I1.
    fn interrupted(&mut self, fact: &Fact, how: StopMeans) {
        let off = how == StopMeans::SwitchOff;
        let evidence = Evidence::used(format!("the arbiter interrupted the game at {}", time(fact.at))).and(if off {
            "he switched the clock off"
        } else {
            "he stopped both sides"
        });
        match self.ask::<Interruption>(fact.at, &evidence) {
            None => {}
            Some(Interruption::ArbiterPauses) if off => {
                self.decide(Point::I1, fact.at, Outcome::ActNotAdmissible, evidence);
            }
            Some(Interruption::ArbiterStops | Interruption::ArbiterPauses) => {
                self.decide(Point::I1, fact.at, Outcome::ActAdmissible, evidence);
            }
        }
    }

    /// I2.
    fn stopped_by_a_player(&mut self, fact: &Fact, side: Side, reason: StopReason) {
        let evidence = Evidence::used(format!("{side} stopped the clocks at {}", time(fact.at))).and(what_for(reason));
        let Some(rule) = self.ask::<PlayersStop>(fact.at, &evidence) else { return };
        let outcome = match (rule, reason) {
            (PlayersStop::OnlyToCallTheArbiter, StopReason::None) => Some(Outcome::Forbidden(side)),
            (PlayersStop::WhenTheArbiterIsNeeded, StopReason::None) => None,
            (PlayersStop::InAConflict, reason) if reason != StopReason::Conflict => None,
            _ => Some(Outcome::Allowed(side)),
        };
        match outcome {
            Some(outcome) => self.decide(Point::I2, fact.at, outcome, evidence),
            None => self.record(Point::I2, fact.at, Decision::Silent, evidence, 0),
        }
    }

    /// I3.
    pub(super) fn resumed(&mut self, fact: &Fact, by: Person) {
        let evidence = Evidence::used(format!("{by} started the clocks again at {}", time(fact.at)));
        let for_a_piece = self.last_stop == Some(StopReason::PromotionPiece);
        let outcome = match (self.ask::<Restart>(fact.at, &evidence), by.side()) {
            (None, _) => return,
            (Some(Restart::OnlyTheArbiter), None) => Outcome::ActAdmissible,
            (Some(Restart::OnlyTheArbiter), Some(side)) => Outcome::Forbidden(side),
            (Some(Restart::EitherPlayerAfterAPromotion), Some(side)) if for_a_piece => Outcome::Allowed(side),
            (Some(Restart::EitherPlayerAfterAPromotion), _) => {
                return self.record(Point::I3, fact.at, Decision::Silent, evidence, 0);
            }
        };
        self.decide(Point::I3, fact.at, outcome, evidence);
    }

    /// I5.
    fn started_the_opponent(&mut self, fact: &Fact, side: Side) {
        let evidence = Evidence::used(format!(
            "{side} started {} clock at {} to stop his own",
            whose(side.other()),
            time(fact.at)
        ));
        match self.ask::<OpponentsClock>(fact.at, &evidence) {
            None => {}
            Some(OpponentsClock::Discouraged) if self.plan.clock_kind.is_digital() => {
                self.decide(Point::I5, fact.at, Outcome::Forbidden(side), evidence);
            }
            Some(OpponentsClock::Discouraged) => {
                self.record(Point::I5, fact.at, Decision::Silent, evidence.and("the clock has hands"), 0);
            }
        }
    }

    fn stopped(&mut self, fact: &Fact, by: Person, reason: StopReason, still_to_come: &[Fact]) {
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

const fn what_for(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Interruption => "because the game had to be interrupted",
        StopReason::PromotionPiece => "for the piece of a promotion",
        StopReason::DisplacedPiece => "because a piece had been displaced",
        StopReason::Clock => "on account of the clock",
        StopReason::DrawClaim => "to claim a draw",
        StopReason::Conflict => "in a conflict",
        StopReason::Assistance => "for something else that calls for the arbiter",
        StopReason::None => "for nothing that anybody could name",
    }
}

const fn word(finding: StopFinding) -> &'static str {
    match finding {
        StopFinding::Valid => "valid",
        StopFinding::NotValid => "not valid",
        StopFinding::ClearlyUnfounded => "clearly unfounded",
    }
}
