//! E4: a player calls his opponent's flag and runs out of time himself before the clocks stand.
//!
//! Read US Chess 13C5, 13C6 and 13C13 first, and the rules on flags for rapid games without adequate supervision (FIDE
//! 2009 A4d, FIDE 2023 A.5.3). A claim that is not secured is not nothing: both flags are down then, and that is H.

use flagfall_core::Side;

use super::flag_fall::Inquiry;
use super::{Arbiter, whose};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::Outcome;
use crate::value::ClaimantsFlag;

impl Arbiter<'_> {
    /// Whether the claim that began the inquiry fails because the claimant's own flag is down; both flags count then.
    pub(super) fn claim_is_not_secured(&mut self, inquiry: &mut Inquiry) -> bool {
        if self.claimant_let_the_clocks_run(inquiry) {
            return true;
        }
        let Some(claimant) = inquiry.claimant.filter(|claimant| self.own_flag_is_down(*claimant)) else { return false };
        let opponent = claimant.other();
        let saved = self.flags.of[opponent].arbiter_saw_it_alone && !inquiry.sides.contains(&claimant);
        let evidence =
            inquiry.evidence.clone().and(format!("{} own flag was down once the clocks stood", whose(claimant)));
        let only_unsupervised =
            Answer::Value(ClaimantsFlag::FlagUp) != self.book.answer() && !self.is_fast_and_unsupervised();
        if only_unsupervised && matches!(self.book.answer::<ClaimantsFlag>(), Answer::Value(_)) {
            return false;
        }
        let (fails, evidence) = match self.ask::<ClaimantsFlag>(inquiry.at, &evidence) {
            None => return false,
            Some(ClaimantsFlag::FlagUp) if saved => {
                (false, evidence.and(format!("the arbiter had seen {} flag down alone", whose(opponent))))
            }
            Some(ClaimantsFlag::FlagUp | ClaimantsFlag::FlagUpWithoutSupervision) => (true, evidence),
            Some(ClaimantsFlag::NotNeeded) => (false, evidence),
        };
        let outcome = if fails { Outcome::ClaimFails(claimant) } else { Outcome::ClaimHolds(claimant) };
        self.decide(Point::E4, inquiry.at, outcome, evidence);
        if fails && !inquiry.sides.contains(&claimant) {
            self.flags.of[claimant].counts = true;
            inquiry.sides.push(claimant);
        }
        fails
    }

    /// Whether the text asks the claimant to stop both clocks in a game like this, and nobody has stopped them.
    fn claimant_let_the_clocks_run(&mut self, inquiry: &Inquiry) -> bool {
        let Some(claimant) = inquiry.claimant.filter(|_| !inquiry.clocks_stood) else { return false };
        let must_stop = Answer::Value(ClaimantsFlag::FlagUpWithoutSupervision) == self.book.answer();
        if !must_stop || !self.is_fast_and_unsupervised() || self.own_flag_is_down(claimant) {
            return false;
        }
        let evidence = inquiry.evidence.clone().and("nobody stopped the clocks");
        if self.ask::<ClaimantsFlag>(inquiry.at, &evidence).is_some() {
            self.decide(Point::E4, inquiry.at, Outcome::ClaimFails(claimant), evidence);
        }
        true
    }

    fn own_flag_is_down(&self, side: Side) -> bool {
        self.flags.of[side].fall.is_some() && !self.fell_with_the_control_made(side)
    }

    /// The claim fails, and nothing else is wrong: play goes on.
    pub(super) fn play_goes_on_after_a_claim(&mut self, inquiry: &Inquiry) {
        self.decide(Point::E4, inquiry.at, Outcome::PlayContinues, inquiry.evidence.clone());
    }
}
