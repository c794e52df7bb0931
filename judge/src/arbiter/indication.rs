//! G: how far the clock is believed (FIDE Laws 6.10; CBX 72 and 73).
//!
//! A complaint is made when a player stops the clocks on account of the clock, or else when the arbiter looks into it;
//! it stands until he has, even if the clocks run on meanwhile.
//! If an evident defect takes a flag its force, play goes on; what it would have cost is not ruled. Where a text has a
//! test for a flag that seems to have dropped too soon, a complaint about that flag waits for it (`complaint`).

use flagfall_trace::plan::{DefectFinding, Finding, StopReason};

use super::{Arbiter, Evidence, time};
use crate::facts::Fact;
use crate::point::Point;
use crate::ruling::{Decision, Outcome};
use crate::value::Indication;

/// A complaint about the clock that nobody has looked into yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Complaint {
    /// Whether a flag had fallen when it was made; `None` without a complaint.
    after_a_fall: Option<bool>,
}

impl Arbiter<'_> {
    pub(super) fn complained(&mut self, reason: StopReason) {
        if reason == StopReason::Clock {
            self.complaint.after_a_fall.get_or_insert(self.flags.any_fallen());
        }
    }

    pub(super) fn found(&mut self, fact: &Fact, finding: Finding) {
        match finding {
            Finding::Defect(defect) => self.clock_was_examined(fact, defect),
            Finding::Stop(stop) => self.stop_was_examined(fact, stop),
            Finding::DrawClaim(claim) => self.draw_claim_was_examined(fact, claim),
            Finding::Count(side, moves) => self.proof.count[side] = Some(moves),
            Finding::Unproven(side) => {
                self.proof.unproven[side] = true;
                self.moves_are_unproven(fact, side);
            }
            Finding::Setting(setting) => self.setting_was_examined(fact, setting),
            Finding::Position(position) => self.set_up_was_examined(fact, position),
            Finding::TurnOver(turned) => self.clock_was_turned_over(fact, turned),
            Finding::Schedule(schedule) => self.schedule_was_weighed(schedule),
            Finding::Deliberate(side) => self.purpose_was_found(fact, side),
        }
    }

    fn clock_was_examined(&mut self, fact: &Fact, defect: DefectFinding) {
        let found = match defect {
            DefectFinding::Evident => "the clock is evidently defective",
            DefectFinding::Total => "the clock shows nothing any more",
            DefectFinding::Suspected => "the clock may be defective, nothing evident",
            DefectFinding::None => "nothing is wrong with the clock",
        };
        let evidence = Evidence::used(format!("found at {}: {found}", time(fact.at)));
        self.examined.found = Some(defect);
        if self.dispute_goes_first(fact, defect, &evidence) {
            return;
        }
        let after_a_fall = self.complaint.after_a_fall.take().unwrap_or_else(|| self.flags.any_fallen());
        match self.ask::<Indication>(fact.at, &evidence) {
            None => {}
            Some(Indication::ConclusiveUnlessEvidentDefect)
                if matches!(defect, DefectFinding::Evident | DefectFinding::Total) =>
            {
                self.replace_the_clock(fact, evidence);
            }
            Some(Indication::FinalOnceFallen) if defect != DefectFinding::None && !after_a_fall => {
                self.replace_the_clock(fact, evidence);
            }
            Some(Indication::FinalOnceFallen) if defect != DefectFinding::None => {
                let evidence = evidence.but_not("a complaint about a flag that has fallen");
                self.decide(Point::G1, fact.at, Outcome::ReadingStands, evidence);
            }
            // Suspicion and the fallen flag are all that the text speaks of; a clock that was cleared in time is neither.
            Some(Indication::FinalOnceFallen) if !after_a_fall => {
                self.record(Point::G1, fact.at, Decision::Silent, evidence, 0);
            }
            Some(Indication::ConclusiveUnlessEvidentDefect | Indication::FinalOnceFallen) => {
                self.decide(Point::G1, fact.at, Outcome::ReadingStands, evidence);
            }
        }
    }

    fn replace_the_clock(&mut self, fact: &Fact, evidence: Evidence) {
        self.decide(Point::G1, fact.at, Outcome::ClockReplaced, evidence.clone());
        if self.flags.discredit(fact.face) {
            self.decide(Point::G1, fact.at, Outcome::PlayContinues, evidence);
        }
    }
}
