//! H: both flags down and neither side has made its moves (FIDE Laws 6.11, since 2017 guideline III.3; US Chess 14G and
//! 16T; CBX has no rule for it).
//!
//! The question arises only when both sides are short of moves: a side that has made its control has lost nothing, and
//! then nobody needs to know whose flag was first. Who was first is known from the clock's sign or from somebody who
//! saw it as it was; the instants of two unseen falls are known to nobody in the hall.
//!
//! The guideline is in force only where it was announced, and not for blitz nor with any extra time for each move, by
//! delay or in advance: the Laws since 2017 call both an increment.

use flagfall_core::{Bonus, Side};
use flagfall_trace::plan::GameClass;

use super::flag_fall::Inquiry;
use super::{Arbiter, Evidence, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{BothDown, BothDownLast, FlagCounts};

impl Arbiter<'_> {
    /// Both flags count and neither side has made its moves; `claim_fails` where the one who called them may not win.
    pub(super) fn both_are_short(&mut self, inquiry: &Inquiry, claim_fails: bool) {
        let (first, evidence) = self.first_to_fall(inquiry);
        let last_period = Side::ALL.map(|side| self.target(side, inquiry).is_none());
        let order_matters = match last_period {
            [true, true] => match self.book.answer() {
                Answer::Value(BothDownLast::Draw) => false,
                Answer::Value(BothDownLast::DrawIfOrderUnknownOrUnsupervised) => !self.is_fast_and_unsupervised(),
                _ => true,
            },
            [false, false] => self.book.answer() != Answer::Value(BothDown::Continues),
            _ => true,
        };
        if let Some(first) = first.filter(|_| order_matters) {
            if claim_fails && inquiry.claimant == Some(first.other()) {
                return self.play_goes_on_after_a_claim(inquiry);
            }
            self.time_is_lost(first, inquiry, evidence);
            return;
        }
        match last_period {
            [true, true] => self.both_in_the_last_period(inquiry, evidence),
            [false, false] => self.both_before_the_last_period(inquiry, evidence),
            _ => {
                // The texts speak of one period for both; flags that fell in different ones are nowhere provided for.
                let evidence = evidence.and("the flags fell in different periods");
                self.record(Point::H1, inquiry.at, Decision::Silent, evidence, 0);
            }
        }
    }

    fn both_before_the_last_period(&mut self, inquiry: &Inquiry, evidence: Evidence) {
        match self.ask::<BothDown>(inquiry.at, &evidence) {
            None => {}
            Some(BothDown::ContinuesIfAnnounced) => match self.guideline_is_not_in_force(inquiry) {
                Some(why) => self.record(Point::H1, inquiry.at, Decision::Silent, evidence.and(why), 0),
                None => self.play_goes_on_in_the_next_period(inquiry, evidence),
            },
            Some(BothDown::ContinuesIfOrderUnknown | BothDown::Continues) => {
                self.play_goes_on_in_the_next_period(inquiry, evidence);
            }
        }
    }

    fn play_goes_on_in_the_next_period(&mut self, inquiry: &Inquiry, evidence: Evidence) {
        self.decide(Point::H1, inquiry.at, Outcome::PlayContinues, evidence.clone());
        self.next_period_asks(inquiry, &evidence);
    }

    fn both_in_the_last_period(&mut self, inquiry: &Inquiry, evidence: Evidence) {
        let draw = Outcome::Result(GameResult::Draw);
        match self.ask::<BothDownLast>(inquiry.at, &evidence) {
            None => {}
            Some(BothDownLast::DrawIfAnnounced) => match self.guideline_is_not_in_force(inquiry) {
                Some(why) => self.record(Point::H2, inquiry.at, Decision::Silent, evidence.and(why), 0),
                None => self.decide(Point::H2, inquiry.at, draw, evidence),
            },
            Some(BothDownLast::Draw) if !self.is_sudden_death(inquiry) => {
                let evidence = evidence.and("the increment is too large for sudden death");
                self.decide(Point::H2, inquiry.at, Outcome::PlayContinues, evidence);
            }
            Some(
                BothDownLast::DrawIfOrderUnknown | BothDownLast::DrawIfOrderUnknownOrUnsupervised | BothDownLast::Draw,
            ) => self.decide(Point::H2, inquiry.at, draw, evidence),
        }
    }

    /// US Chess 14G2: the arbiter sees both flags down, no player says so, and only a player's call would count.
    pub(super) fn both_are_down_and_nobody_calls(&mut self, fact: &Fact, evidence: Evidence) {
        let inquiry = Inquiry { clocks_stood: true, ..self.inquiry_into(fact, Side::ALL.to_vec(), None, evidence) };
        let last = Side::ALL.into_iter().all(|side| self.target(side, &inquiry).is_none());
        let players_call = self.book.answer() == Answer::Value(FlagCounts::OnlyAPlayersClaim);
        if !last || !players_call || self.book.answer() != Answer::Value(BothDownLast::Draw) {
            return;
        }
        if self.is_sudden_death(&inquiry) && self.ask::<BothDownLast>(inquiry.at, &inquiry.evidence).is_some() {
            let either = vec![Outcome::Result(GameResult::Draw), Outcome::PlayContinues];
            self.record(Point::H2, inquiry.at, Decision::Discretion(either), inquiry.evidence, 0);
        }
    }

    /// Whether what each move brings is below the limit from which the last period is no sudden death.
    fn is_sudden_death(&self, inquiry: &Inquiry) -> bool {
        let limit_ms = self.limit(Point::H2, "increment");
        Side::ALL.into_iter().all(|side| match self.bonus(side, inquiry) {
            Bonus::Increment { ms } => u64::from(ms) < limit_ms,
            _ => true,
        })
    }

    /// Why the guideline for games without increment does not help here, if it does not.
    fn guideline_is_not_in_force(&self, inquiry: &Inquiry) -> Option<&'static str> {
        if Side::ALL.into_iter().any(|side| self.bonus(side, inquiry) != Bonus::None) {
            return Some("each move brings extra time, for which the guideline is not meant");
        }
        if self.class() == Some(GameClass::Blitz) {
            return Some("it is a blitz game, for which the guideline is not meant");
        }
        (self.plan.regulations.draw_request != Some(true)).then_some("nobody announced that the guideline is in force")
    }

    fn bonus(&self, side: Side, inquiry: &Inquiry) -> Bonus {
        let control = &self.plan.setup.control[side];
        let period = inquiry.face.map_or(control.last(), |face| face.period[side]);
        control.period(period).bonus
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
