//! J7: the clock while a claim of a draw is looked into (FIDE Laws 9.5 of 2009 and 2023, 6.12b of 2014; CBX 81).
//!
//! Where the clock has to run or to stand, that is answered with the claim; the rest when the arbiter has found it right
//! or wrong. Where the clock has to run, the time of the check is the claimant's, also on a clock that he stopped: it is
//! reckoned from the instant of the claim. A flag that falls meanwhile waits for the finding where the text says what a
//! right claim brings.
//!
//! FIDE Laws 9.2 and 9.3 and US Chess 14C3 know a claim of the player who has the move. What is found of the position
//! makes no other claim good.

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
        let (by, at) = (claim.by, fact.at);
        let evidence = Evidence::used(format!("{by} claimed a draw at {}", time(at)));
        let rule = self.book.answer::<ClaimClock>();
        let clocks = match rule {
            Answer::Value(rule) if rule.costs() && !self.may_claim_a_draw(by, rule) => {
                return self.claim_out_of_turn(fact, by, evidence);
            }
            Answer::Value(ClaimClock::Runs) => Some(Outcome::ClocksRunning),
            Answer::Value(rule) if rule.must_stop() => Some(Outcome::ClocksStopped),
            _ => None,
        };
        if let Some(clocks) = clocks
            && self.ask::<ClaimClock>(at, &evidence).is_some()
        {
            self.decide(Point::J7, at, clocks, evidence);
        }
        self.claim_underway = Some(ClaimUnderway { by, at, left_ns: self.left_ns(by) });
    }

    /// Whether this side has the move, as far as the log tells of the board; US Chess 14C4 leaves it to him until he has
    /// pressed.
    fn may_claim_a_draw(&self, by: Side, rule: ClaimClock) -> bool {
        let has_not_pressed = rule == ClaimClock::MustStopAndCostsOnTheMove && self.moves[by].waits_for_its_press();
        !self.tells_of_the_board || self.to_move_on_the_board() == by || has_not_pressed
    }

    /// A draw is for the player who has the move to claim, whatever stands on the board.
    fn claim_out_of_turn(&mut self, fact: &Fact, by: Side, evidence: Evidence) {
        let evidence = evidence.and(format!("{} was on the move", by.other()));
        let Some(rule) = self.ask::<ClaimClock>(fact.at, &evidence) else { return };
        if rule == ClaimClock::MustStopAndCostsOnTheMove {
            self.decide(Point::J7, fact.at, Outcome::ClaimFails(by), evidence.clone());
            return self.decide(Point::J7, fact.at, Outcome::PlayContinues, evidence);
        }
        // That such a claim is one that was found incorrect follows from the words.
        let evidence = evidence.inferred();
        self.decide(Point::J7, fact.at, Outcome::ClaimFails(by), evidence.clone());
        self.decide(Point::J7, fact.at, Outcome::Gains(by.other(), self.price_of_a_claim()), evidence.clone());
        self.decide(Point::J7, fact.at, Outcome::PlayContinues, evidence);
    }

    /// What a wrong claim gives the opponent, in milliseconds.
    fn price_of_a_claim(&self) -> u64 {
        let fast = matches!(self.class(), Some(GameClass::Rapid | GameClass::Blitz));
        self.limit(Point::J7, if fast { "opponent-fast" } else { "opponent" })
    }

    /// Nothing more will happen, and nobody has said whether the claim was right.
    pub(super) fn draw_claim_was_never_examined(&mut self, last: Option<&Fact>) {
        let Some(claim) = self.claim_underway.take() else { return };
        let evidence = Evidence::used(format!("{} claimed a draw at {}", claim.by, time(claim.at)))
            .and("nobody has found the claim right or wrong");
        match self.book.answer::<ClaimClock>() {
            // Those have been answered with the claim.
            Answer::Value(rule) if rule == ClaimClock::Runs || rule.must_stop() => {}
            _ => {
                if self.ask::<ClaimClock>(claim.at, &evidence).is_some() {
                    self.decide(Point::J7, claim.at, clocks_now(last), evidence);
                }
            }
        }
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
        if !rule.must_stop() {
            self.decide(Point::J7, fact.at, clocks_now(Some(fact)), evidence.clone());
        }
        if right {
            return self.decide(Point::J7, fact.at, Outcome::Result(GameResult::Draw), evidence);
        }
        if rule.costs() {
            let gains = Outcome::Gains(side.other(), self.price_of_a_claim());
            self.decide(Point::J7, fact.at, gains, evidence.clone());
        }
        let left_ns = if rule.must_stop() { claim.left_ns } else { self.left_ns(side) };
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

/// What the clocks do after a fact.
fn clocks_now(fact: Option<&Fact>) -> Outcome {
    let stand = fact.and_then(|fact| fact.face).is_some_and(|face| face.running().is_none());
    if stand { Outcome::ClocksStopped } else { Outcome::ClocksRunning }
}

/// A time that somebody has or takes, for people.
pub(super) fn span(ns: i128) -> String {
    time(TrueTime::from_ns(i64::try_from(ns).unwrap_or(i64::MAX)))
}
