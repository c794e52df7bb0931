//! J7: the clock while a claim of a draw is looked into (FIDE Laws 9.5 of 2009 and 2023, 6.12b of 2014; CBX 81).
//!
//! The question is answered when the arbiter has found the claim right or wrong. Where the clock has to run, the time
//! of the check is the claimant's, also on a clock that he stopped: it is reckoned from the instant of the claim. A
//! flag that falls meanwhile waits for the finding where the text says what a right claim brings.

use flagfall_core::{Side, TrueTime};
use flagfall_trace::hall::DrawClaim;
use flagfall_trace::plan::{ClaimFinding, GameClass};

use super::{Arbiter, Evidence, milliseconds, time};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::ClaimClock;

/// A claim of a draw that nobody has decided yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClaimUnderway {
    by: Side,
    at: TrueTime,
    left_ns: i128,
}

impl Arbiter<'_> {
    pub(super) fn draw_claimed(&mut self, fact: &Fact, claim: DrawClaim) {
        let left_ns = self.left_ns(claim.by);
        self.claim_underway = Some(ClaimUnderway { by: claim.by, at: fact.at, left_ns });
    }

    /// Whether this side's flag waits for what is found of its claim.
    pub(super) fn flag_waits_for_a_claim(&self, sides: &[Side]) -> bool {
        let answered = matches!(self.book.answer::<ClaimClock>(), Answer::Value(rule) if rule != ClaimClock::MayStop);
        answered && self.claim_underway.is_some_and(|claim| sides.contains(&claim.by))
    }

    pub(super) fn draw_claim_was_examined(&mut self, fact: &Fact, finding: ClaimFinding) {
        let Some(claim) = self.claim_underway.take() else { return };
        let side = claim.by;
        let found = match finding {
            ClaimFinding::Right => "right",
            ClaimFinding::Wrong => "wrong",
            ClaimFinding::ClearlyUnfounded => "clearly unfounded",
        };
        let evidence = Evidence::used(format!("{side} claimed a draw at {}", time(claim.at)))
            .and(format!("the claim was found {found} at {}", time(fact.at)))
            .and(format!("{side} had {} left when claiming", span(claim.left_ns)));
        let Some(rule) = self.ask::<ClaimClock>(fact.at, &evidence) else { return };
        let right = finding == ClaimFinding::Right;
        if right && rule == ClaimClock::MayStop {
            return self.record(Point::J7, fact.at, Decision::Silent, evidence, 0);
        }
        if rule == ClaimClock::Runs {
            return self.claim_was_examined_on_its_time(fact, claim, right, evidence);
        }
        let stands = fact.face.is_some_and(|face| face.running().is_none());
        let must_stop = rule == ClaimClock::MustStopAndCosts;
        let clocks = if must_stop || stands { Outcome::ClocksStopped } else { Outcome::ClocksRunning };
        self.decide(Point::J7, fact.at, clocks, evidence.clone());
        if right {
            return self.decide(Point::J7, fact.at, Outcome::Result(GameResult::Draw), evidence);
        }
        if matches!(rule, ClaimClock::MayStopAndCosts | ClaimClock::MustStopAndCosts) {
            let fast = matches!(self.class(), Some(GameClass::Rapid | GameClass::Blitz));
            let gains = self.limit(Point::J7, if fast { "opponent-fast" } else { "opponent" });
            self.decide(Point::J7, fact.at, Outcome::Gains(side.other(), gains), evidence.clone());
        }
        let left_ns = if must_stop { claim.left_ns } else { self.left_ns(side) };
        self.play_goes_on_with(fact, side, left_ns, evidence);
    }

    /// The claimant's clock runs, or should have, from the claim to the finding.
    fn claim_was_examined_on_its_time(&mut self, fact: &Fact, claim: ClaimUnderway, right: bool, evidence: Evidence) {
        let took_ns = i128::from(fact.at.ns()) - i128::from(claim.at.ns());
        let left_ns = claim.left_ns - took_ns;
        let mut evidence = evidence.and(format!("the check took {}", span(took_ns)));
        if fact.face.is_some_and(|face| face.running().is_none())
            && !fact.face.is_some_and(|face| face.fallen[claim.by])
        {
            evidence = evidence.but_not("that the clock was stopped meanwhile");
            evidence.inferred |= !right;
        }
        self.decide(Point::J7, fact.at, Outcome::ClocksRunning, evidence.clone());
        if right {
            self.decide(Point::J7, fact.at, Outcome::Result(GameResult::Draw), evidence);
        } else if left_ns <= 0 {
            self.decide(Point::J7, fact.at, Outcome::Result(GameResult::lost_by(claim.by)), evidence);
        } else {
            self.play_goes_on_with(fact, claim.by, left_ns, evidence);
        }
    }

    fn play_goes_on_with(&mut self, fact: &Fact, side: Side, left_ns: i128, evidence: Evidence) {
        if left_ns <= 0 {
            return;
        }
        let bound_ns = self.accounts.bound_ns(side);
        let left = Outcome::Left(side, milliseconds(left_ns));
        self.decide_within(Point::J7, fact.at, left, evidence.clone(), bound_ns);
        self.decide(Point::J7, fact.at, Outcome::PlayContinues, evidence);
    }
}

/// A time that somebody has or takes, for people.
pub(super) fn span(ns: i128) -> String {
    time(TrueTime::from_ns(i64::try_from(ns).unwrap_or(i64::MAX)))
}
