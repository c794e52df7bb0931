//! G3, G4, G5 and G9: another clock and its times, and a position that is restored (FIDE Laws 6.10a, 6.13 and 7.1; the
//! commentary on 6.10a; CBX 72 and 82; US Chess 16O).
//!
//! That the arbiter brings another clock is the fact; whether he had a ground for it is what he found before. He adds
//! time where the new clock shows more than the old one did, and takes it away where it shows less. A floor *for each
//! move to the control* has no figure in a period that asks for all moves.

use flagfall_core::{BySide, Side};
use flagfall_trace::hall::Restore;
use flagfall_trace::plan::DefectFinding;

use super::{Arbiter, Evidence, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{Floor, Replacement, Restored, WrittenTimes};

/// What is known of the clock that may have to be replaced.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Examined {
    /// What the arbiter found last.
    pub(super) found: Option<DefectFinding>,
    /// A player wrote down what the clock showed.
    pub(super) times_written: bool,
}

impl Arbiter<'_> {
    pub(super) fn clock_is_replaced(&mut self, fact: &Fact, left_ms: BySide<u64>) {
        let found = match self.examined.found {
            Some(DefectFinding::Evident) => "an evident defect",
            Some(DefectFinding::Total) => "that the clock shows nothing any more",
            Some(DefectFinding::Suspected) => "a suspicion, nothing evident",
            Some(DefectFinding::None) => "nothing wrong",
            None => "nothing, as nobody had looked",
        };
        let evidence = Evidence::used(format!("the arbiter brought another clock at {}", time(fact.at)))
            .and(format!("he had found {found}"));
        self.replacement_has_a_ground(fact, evidence.clone());
        if self.examined.found == Some(DefectFinding::Total) && self.examined.times_written {
            let evidence = evidence.clone().and("a player had written down the times of the clock");
            match self.ask::<WrittenTimes>(fact.at, &evidence) {
                None => {}
                Some(WrittenTimes::MayBeUsed) => {
                    self.decide(Point::G5, fact.at, Outcome::EvidenceAdmitted, evidence);
                }
            }
        }
        for side in Side::ALL {
            self.enough_is_left(fact, side, left_ms[side], &evidence);
        }
    }

    fn replacement_has_a_ground(&mut self, fact: &Fact, evidence: Evidence) {
        let Some(rule) = self.ask::<Replacement>(fact.at, &evidence) else { return };
        let ground = |found| match found {
            DefectFinding::Evident | DefectFinding::Total => true,
            DefectFinding::Suspected => rule == Replacement::OnSuspicion,
            DefectFinding::None => false,
        };
        let judged = |admissible| if admissible { Outcome::ActAdmissible } else { Outcome::ActNotAdmissible };
        let Some(found) = self.examined.found else {
            let answers = [
                ("evident", DefectFinding::Evident),
                ("suspected", DefectFinding::Suspected),
                ("none", DefectFinding::None),
            ];
            let answers = answers.map(|(name, found)| (name.to_owned(), judged(ground(found)))).to_vec();
            let needs = Decision::Needs { fact: "defect-finding".to_owned(), answers };
            return self.record(Point::G3, fact.at, needs, evidence, 0);
        };
        self.decide(Point::G3, fact.at, judged(ground(found)), evidence);
    }

    /// G4: the time that a player is left with.
    fn enough_is_left(&mut self, fact: &Fact, side: Side, left_ms: u64, evidence: &Evidence) {
        let Some(shown_ms) = fact.face.map(|face| face.left_ms[side]) else { return };
        let target = self.plan.setup.control[side].target(self.accounts.period(side));
        let moves = target.map(|target| u64::from(target.saturating_sub(self.moves[side].completed)));
        let arises = match self.book.answer::<Floor>() {
            Answer::Value(Floor::WhenAdding) => left_ms > shown_ms && moves.is_some(),
            Answer::Value(Floor::WhenSubtracting) => left_ms < shown_ms,
            Answer::Silent | Answer::NotDecidable { .. } => left_ms != shown_ms,
        };
        if !arises {
            return;
        }
        let mut evidence = evidence
            .clone()
            .and(format!("{} time was {shown_ms} ms on the old clock and is {left_ms} ms on the new one", whose(side)));
        if let Some(moves) = moves {
            evidence = evidence.and(format!("{side} has {moves} moves to make to the control"));
        }
        let Some(rule) = self.ask::<Floor>(fact.at, &evidence) else { return };
        let for_moves_ms = self.limit(Point::G4, "per_move").saturating_mul(moves.unwrap_or(0));
        let floor_ms = match rule {
            Floor::WhenAdding => for_moves_ms,
            Floor::WhenSubtracting => for_moves_ms.max(self.limit(Point::G4, "at_least")),
        };
        let evidence = evidence.and(format!("no less than {floor_ms} ms may be left"));
        let outcome = if left_ms >= floor_ms { Outcome::ActAdmissible } else { Outcome::ActNotAdmissible };
        self.decide(Point::G4, fact.at, outcome, evidence);
    }

    /// G9: a position was restored after an irregularity.
    pub(super) fn position_is_restored(&mut self, fact: &Fact, restore: Restore) {
        let mut evidence = Evidence::used(format!("the arbiter restored a position in {} ms", restore.took_ms));
        evidence = match restore.offender {
            Some(side) => evidence.and(format!("the irregularity was {}", whose(side))),
            None => evidence.and("the irregularity was nobody's"),
        };
        match self.ask::<Restored>(fact.at, &evidence) {
            None => {}
            Some(Restored::ArbitersJudgement) => {
                self.decide(Point::G9, fact.at, Outcome::ActAdmissible, evidence);
            }
            Some(Restored::ChargedToTheOffender) => match restore.offender {
                Some(side) => self.restoring_is_charged(fact, side, restore.took_ms, evidence),
                None => self.record(Point::G9, fact.at, Decision::Silent, evidence, 0),
            },
        }
    }

    fn restoring_is_charged(&mut self, fact: &Fact, side: Side, took_ms: u64, evidence: Evidence) {
        self.decide(Point::G9, fact.at, Outcome::Charged(side, took_ms), evidence.clone());
        if self.left_ns(side) <= i128::from(took_ms) * 1_000_000 {
            // *Whatever the consequences* is said; that a charge can cost the game follows from it.
            let mut evidence = evidence.and(format!("{side} had no more time than that left"));
            evidence.inferred = true;
            self.decide(Point::G9, fact.at, Outcome::Result(GameResult::lost_by(side)), evidence);
        }
    }
}
