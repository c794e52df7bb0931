//! B9 to B16 but for presses: fingers and hands at the clock, pieces that are adjusted, assistants, and words about a
//! press (FIDE Laws 6.2, 4.2, 12.6 and 12.7 of 2023; CBX 65, 66, 71).
//!
//! Whose turn it is, is told by the clock: the opponent's turn is when his time runs. A finger that stays while the turn
//! changes has been there on both.

use flagfall_core::{Side, TrueTime};
use flagfall_trace::hall::{Adjust, Assistant, Finger, Handle, Handling, Inability, Touch};

use super::{Arbiter, Evidence, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::ruling::{Decision, Outcome};
use crate::value::{Adjusting, AssistantsPress, FingerAtTheButton, HeldButton, Knocking};

impl Arbiter<'_> {
    /// B9 and B16.
    pub(super) fn touched(&mut self, fact: &Fact, touch: Touch, still_to_come: &[Fact]) {
        let Touch { side, how, for_ms } = touch;
        let ends =
            TrueTime::from_ns(fact.at.ns().saturating_add(i64::try_from(for_ms).unwrap_or(i64::MAX) * 1_000_000));
        let others_turn = std::iter::once(fact)
            .chain(still_to_come.iter().take_while(|later| later.at < ends))
            .any(|now| now.face.and_then(|face| face.running()) == Some(side.other()));
        let evidence =
            Evidence::used(format!("{} finger {} for {for_ms} ms from {}", whose(side), word(how), time(fact.at)))
                .and(if others_turn { "it was the opponent's turn" } else { "it was the player's own turn" });
        if how == Finger::Holding {
            self.held_until[side] = Some(ends);
            return self.held(fact, side, others_turn, evidence);
        }
        let Some(rule) = self.ask::<FingerAtTheButton>(fact.at, &evidence) else { return };
        let hovers = how == Finger::AboveButton;
        match rule {
            FingerAtTheButton::CoveringForbidden if hovers => {
                self.record(Point::B9, fact.at, Decision::Silent, evidence, 0);
            }
            FingerAtTheButton::ForbiddenOnTheOpponentsTurn if !others_turn => {
                // That nothing else is forbidden follows from what is.
                self.decide(Point::B9, fact.at, Outcome::Allowed(side), evidence.inferred());
            }
            FingerAtTheButton::Forbidden
            | FingerAtTheButton::ForbiddenOnTheOpponentsTurn
            | FingerAtTheButton::CoveringForbidden => {
                self.decide(Point::B9, fact.at, Outcome::Forbidden(side), evidence);
            }
        }
    }

    fn held(&mut self, fact: &Fact, side: Side, others_turn: bool, evidence: Evidence) {
        match self.ask::<HeldButton>(fact.at, &evidence) {
            None => {}
            Some(HeldButton::ForbiddenOnTheOpponentsTurn) if !others_turn => {
                self.decide(Point::B16, fact.at, Outcome::Allowed(side), evidence.inferred());
            }
            Some(HeldButton::Forbidden | HeldButton::ForbiddenOnTheOpponentsTurn) => {
                self.decide(Point::B16, fact.at, Outcome::Forbidden(side), evidence);
            }
        }
    }

    /// B10 to B12.
    pub(super) fn handled(&mut self, fact: &Fact, Handle { side, how }: Handle) {
        let did = |what: &str| Evidence::used(format!("{side} {what} at {}", time(fact.at)));
        match how {
            Handling::Force => self.conduct(Point::B10, fact, side, did("hit the button with force")),
            Handling::Lift => self.conduct(Point::B11, fact, side, did("picked the clock up")),
            Handling::KnockOver => self.knocked(fact, side, Knocking::Over, did("knocked the clock over")),
            Handling::Rap => self.knocked(fact, side, Knocking::Rapping, did("rapped on the clock")),
        }
    }

    /// B12: what the text names is stated; the other one is improper handling all the same.
    fn knocked(&mut self, fact: &Fact, side: Side, done: Knocking, evidence: Evidence) {
        let Some(named) = self.ask::<Knocking>(fact.at, &evidence) else { return };
        let evidence = if named == done { evidence } else { evidence.inferred() };
        self.decide(Point::B12, fact.at, Outcome::Penalty(side), evidence);
    }

    /// B13.
    pub(super) fn adjusted(&mut self, fact: &Fact, Adjust { side, announced }: Adjust) {
        let runs = fact.face.and_then(|face| face.running()) == Some(side);
        let has_the_move = self.to_move_on_the_board() == side;
        let evidence = Evidence::used(format!("{side} adjusted pieces at {}", time(fact.at)))
            .and(format!("{} clock {}", whose(side), if runs { "ran" } else { "did not run" }))
            .and(format!("it was {} move", whose(self.to_move_on_the_board())))
            .and(if announced { "he said so before" } else { "he did not say so before" });
        let Some(rule) = self.ask::<Adjusting>(fact.at, &evidence) else { return };
        let may = match rule {
            Adjusting::OwnClockRunning => runs,
            Adjusting::HavingTheMove => has_the_move && announced,
            Adjusting::Both => runs && has_the_move && announced,
            Adjusting::OnMoveOncePressed => runs && announced,
        };
        let outcome = if may { Outcome::Allowed(side) } else { Outcome::Forbidden(side) };
        self.decide(Point::B13, fact.at, outcome, evidence);
    }

    /// B14.
    pub(super) fn assisted(&mut self, fact: &Fact, Assistant { side, reason, accepted }: Assistant) {
        let evidence = Evidence::used(format!("an assistant presses for {side} from {}", time(fact.at)))
            .and(match reason {
                Inability::Disability => "the player has a disability",
                Inability::Injury => "the player is injured",
                Inability::Religion => "the player's religion forbids him to press",
                Inability::Other => "the player has another reason",
            })
            .and(if accepted { "the arbiter accepts him" } else { "the arbiter does not accept him" });
        let Some(rule) = self.ask::<AssistantsPress>(fact.at, &evidence) else { return };
        let either = Decision::Discretion(vec![Outcome::Exempt(side), Outcome::NotExempt(side)]);
        let disabled = reason == Inability::Disability;
        match rule {
            AssistantsPress::MayBeAdjusted if !accepted => {
                self.record(Point::B14, fact.at, Decision::Silent, evidence, 0);
            }
            _ if !accepted => self.decide(Point::B14, fact.at, Outcome::Forbidden(side), evidence),
            AssistantsPress::AdjustedUnlessDisabled | AssistantsPress::MayBeAdjustedUnlessDisabled if disabled => {
                self.decide(Point::B14, fact.at, Outcome::Exempt(side), evidence);
            }
            AssistantsPress::Adjusted | AssistantsPress::AdjustedUnlessDisabled => {
                self.decide(Point::B14, fact.at, Outcome::NotExempt(side), evidence);
            }
            AssistantsPress::MayBeAdjusted | AssistantsPress::MayBeAdjustedUnlessDisabled => {
                self.record(Point::B14, fact.at, either, evidence, 0);
            }
        }
    }
}

const fn word(how: Finger) -> &'static str {
    match how {
        Finger::OnButton => "rested on his button",
        Finger::AboveButton => "hovered above his button",
        Finger::Covering => "covered his button",
        Finger::Holding => "held his button down",
    }
}
