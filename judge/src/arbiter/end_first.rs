//! F2, F4 and F5: the end of the game, a press and the flag, and which of them came first.
//!
//! Read FIDE Laws 6.9, the commentary on 6.2(a) and US Chess 9F, 13A, 14A and 16S first. Two acts at one instant of the
//! log are acts of which nobody can tell which came first.

use flagfall_core::Side;
use flagfall_trace::plan::{GameEnd, MoveMade};

use super::prospects::Prospect;
use super::{Arbiter, Evidence, time, whose};
use crate::facts::{Fact, What};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{EndBeforeTheFlag, EndOrCall, PressWithTheFlag};

impl Arbiter<'_> {
    /// F2: a player resigns.
    pub(super) fn resigned(&mut self, fact: &Fact, side: Side) {
        let evidence = Evidence::used(format!("{side} resigned at {}", time(fact.at)));
        if self.over || self.book.answer() != Answer::Value(EndBeforeTheFlag::EndsTheGameAndMayDraw) {
            self.ends_before_the_flag(fact, GameResult::lost_by(side), evidence);
            return;
        }
        match self.prospect(side, evidence) {
            Prospect::Loss(evidence) => {
                self.ends_before_the_flag(fact, GameResult::lost_by(side), evidence);
            }
            Prospect::Draw(evidence) => {
                self.ends_before_the_flag(fact, GameResult::Draw, evidence);
            }
            Prospect::Unknown(evidence) => self.needs_the_prospect(Point::F2, side, fact.at, evidence),
        }
    }

    /// F2: the players agree on a draw.
    pub(super) fn agreed_on_a_draw(&mut self, fact: &Fact) {
        let evidence = Evidence::used(format!("the players agreed on a draw at {}", time(fact.at)));
        self.ends_before_the_flag(fact, GameResult::Draw, evidence);
    }

    /// F2: the game ends, and no flag counts yet. Whether the rulebook says that the end stands.
    pub(super) fn ends_before_the_flag(&mut self, fact: &Fact, result: GameResult, mut evidence: Evidence) -> bool {
        for side in Side::ALL.into_iter().filter(|side| self.flags.of[*side].fall.is_some()) {
            evidence = evidence.and(format!("{} flag was down and had not been called", whose(side)));
        }
        match self.ask::<EndBeforeTheFlag>(fact.at, &evidence) {
            None => false,
            Some(EndBeforeTheFlag::Stands) if !self.flags.any_fallen() => {
                self.record(Point::F2, fact.at, Decision::Silent, evidence, 0);
                false
            }
            Some(_) => {
                self.decide(Point::F2, fact.at, Outcome::Result(result), evidence);
                true
            }
        }
    }

    /// F4: this move mates or stalemates at the instant at which a flag was called. Whether the call is off by that.
    pub(super) fn ends_as_the_flag_is_called(&mut self, fact: &Fact) -> bool {
        let What::Moved { made: MoveMade { side, san, ends: Some(end), .. }, .. } = &fact.what else { return false };
        if self.flags.inquiry.as_ref().is_none_or(|inquiry| inquiry.at != fact.at) {
            return false;
        }
        self.over = self.decided;
        let evidence = Evidence::used(format!("{} {san} and the call of the flag came at one instant", whose(*side)));
        match self.ask::<EndOrCall>(fact.at, &evidence) {
            None => false,
            Some(EndOrCall::CallStands) => {
                let called = self.flags.inquiry.as_ref().and_then(|inquiry| inquiry.sides.first().copied());
                if let Some(called) = called {
                    self.decide(Point::F4, fact.at, Outcome::FlagCounts(called), evidence);
                }
                false
            }
            Some(EndOrCall::EndStands) => {
                let result = match end {
                    GameEnd::Checkmate => GameResult::lost_by(side.other()),
                    GameEnd::Stalemate => GameResult::Draw,
                };
                self.flags.inquiry = None;
                self.decide(Point::F4, fact.at, Outcome::Result(result), evidence);
                true
            }
        }
    }

    /// F5: the last move of a period is pressed at the instant at which the flag falls. Whether it is in time; `None`
    /// where the question does not arise or has no answer.
    pub(super) fn pressed_with_the_flag(&mut self, fact: &Fact, side: Side, number: u16) -> Option<bool> {
        let fall = self.flags.of[side].fall.filter(|fall| fall.at == fact.at)?;
        let target = fall.then.period.and_then(|period| self.plan.setup.control[side].target(period));
        if target != Some(number) {
            return None;
        }
        let evidence = Evidence::used(format!(
            "{} move {number} was pressed at {}, and his flag fell then",
            whose(side),
            time(fact.at)
        ));
        let in_time = match self.ask::<PressWithTheFlag>(fact.at, &evidence)? {
            PressWithTheFlag::TooLate => false,
            PressWithTheFlag::InTime => true,
        };
        let outcome = if in_time { Outcome::Completed(side, number) } else { Outcome::Incomplete(side, number) };
        self.decide(Point::F5, fact.at, outcome, evidence);
        Some(in_time)
    }
}
