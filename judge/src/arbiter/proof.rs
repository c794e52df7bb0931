//! E5: who has to prove how many moves were made (CBX 78; FIDE Laws 8.5 and 8.6; US Chess 13C7 to 13C12).
//!
//! The question arises only where somebody has looked at the scoresheets, or where the arbiter finds that the moves of
//! a side cannot be proved. Without that the count is the one that the moves and presses give.

use flagfall_core::{BySide, Side};
use flagfall_trace::hall::Sheet;

use super::flag_fall::Inquiry;
use super::{Arbiter, Evidence, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::ProofOfMoves;

/// What has come to light about the moves of both sides since the last flag was noticed.
#[derive(Clone, Debug, Default)]
pub(super) struct Proof {
    /// The scoresheets, if somebody looked at them.
    pub(super) sheets: Option<BySide<Sheet>>,
    /// Sides whose moves cannot be proved.
    pub(super) unproven: BySide<bool>,
    /// Moves that the arbiter found proved.
    pub(super) count: BySide<Option<u16>>,
}

/// What the proof of a side's moves comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proved {
    /// The count decides.
    AsCounted,
    /// There are too few of them, whatever the count is.
    TooFew,
    /// It is ruled already, or nobody can say.
    Settled,
}

impl Arbiter<'_> {
    /// E5: whether the moves of a side whose flag counts are proved as they have to be.
    pub(super) fn moves_are_proved(&mut self, side: Side, inquiry: &Inquiry) -> Proved {
        let Some(target) = self.target(side, inquiry) else { return Proved::AsCounted };
        let unproven = self.proof.unproven[side];
        let sheets_decide =
            matches!(self.book.answer(), Answer::Value(ProofOfMoves::EachHisOwn | ProofOfMoves::ClaimantsSheet));
        let looked_at = sheets_decide && self.proof.sheets.is_some();
        if !unproven && !looked_at {
            return Proved::AsCounted;
        }
        let mut evidence = inquiry.evidence.clone();
        if unproven {
            evidence = evidence.and(format!("{} moves could not be proved", whose(side)));
        }
        match self.ask::<ProofOfMoves>(inquiry.at, &evidence) {
            None => Proved::Settled,
            Some(ProofOfMoves::EachHisOwn) => self.own_sheet(side, target, inquiry, evidence),
            Some(ProofOfMoves::OversteppingIsShown) => {
                self.flags.of[side].settled = true;
                self.decide(Point::E5, inquiry.at, Outcome::PlayContinues, evidence);
                Proved::Settled
            }
            Some(ProofOfMoves::ClaimantsSheet) => self.claimants_sheet(side, inquiry, evidence),
        }
    }

    fn own_sheet(&mut self, side: Side, target: u16, inquiry: &Inquiry, mut evidence: Evidence) -> Proved {
        let shown = self.proof.sheets.and_then(|sheets| sheets[side].shows);
        if let Some(shown) = shown {
            evidence = evidence.and(format!("{} own sheet shows {shown} moves", whose(side)));
        }
        if self.proof.unproven[side] || shown.is_some_and(|shown| shown < target) {
            if let Some(result) = self.time_is_lost(side, inquiry, evidence.clone()) {
                self.decide(Point::E5, inquiry.at, result, evidence);
            }
            return Proved::Settled;
        }
        if shown.is_some() && self.standing(side).completed >= target {
            self.decide(Point::E5, inquiry.at, Outcome::PlayContinues, evidence);
        }
        Proved::AsCounted
    }

    fn claimants_sheet(&mut self, side: Side, inquiry: &Inquiry, evidence: Evidence) -> Proved {
        let claimant = side.other();
        let allowed = self.limit(Point::E5, "missing");
        let Some(sheet) = self.proof.sheets.map(|sheets| sheets[claimant]) else {
            return self.needs_the_claimants_sheet(side, inquiry, evidence);
        };
        let missing = sheet.missing.max(sheet.shows.map_or(0, |shows| inquiry.pairs_begun.saturating_sub(shows)));
        let evidence = evidence.and(format!("{missing} pairs of moves are missing on {} sheet", whose(claimant)));
        if u64::from(missing) > allowed {
            let gain_ms = self.limit(Point::E5, "gain");
            self.flags.of[side].settled = true;
            for outcome in [Outcome::ClaimFails(claimant), Outcome::Gains(side, gain_ms), Outcome::PlayContinues] {
                self.decide(Point::E5, inquiry.at, outcome, evidence.clone());
            }
            return Proved::Settled;
        }
        self.decide(Point::E5, inquiry.at, Outcome::ClaimHolds(claimant), evidence);
        if self.proof.unproven[side] { Proved::TooFew } else { Proved::AsCounted }
    }

    fn needs_the_claimants_sheet(&mut self, side: Side, inquiry: &Inquiry, evidence: Evidence) -> Proved {
        let loss = Outcome::Result(GameResult::lost_by(side));
        let answers = vec![("complete".to_owned(), loss), ("incomplete".to_owned(), Outcome::PlayContinues)];
        let fact = format!("sheet-of-{}", side.other());
        self.record(Point::E5, inquiry.at, Decision::Needs { fact, answers }, evidence, 0);
        Proved::Settled
    }

    /// A player claims once more what was settled for this period: where the text bars that, it is ruled.
    pub(super) fn claim_is_barred(
        &mut self,
        fact: &Fact,
        side: Side,
        claimant: Option<Side>,
        claim: &Evidence,
    ) -> bool {
        let Some(claimant) = claimant.filter(|_| self.flags.of[side].settled) else { return false };
        if self.book.answer() != Answer::Value(ProofOfMoves::ClaimantsSheet) {
            return false;
        }
        let evidence = claim.clone().and("a claim of this flag was denied before");
        if self.ask::<ProofOfMoves>(fact.at, &evidence).is_some() {
            self.decide(Point::E5, fact.at, Outcome::ClaimFails(claimant), evidence);
        }
        true
    }
}
