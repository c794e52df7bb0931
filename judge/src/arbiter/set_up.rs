//! D7: complaints about how clock and pieces were set up, and a wrong set-up of the pieces (FIDE Laws 7.1a and A4a of
//! 2009, 7.2.1 and A.5.1.2 of 2023; CBX 63; US Chess 11F, 16O).
//!
//! What becomes of a wrong setting of the clock is asked under G8. That the pieces stood wrongly is for the arbiter to
//! find; where a complaint is heard and nobody looks, that is what has to be known.

use flagfall_core::Side;
use flagfall_trace::hall::{Complain, Grievance};
use flagfall_trace::plan::{Finding, SettingFinding};

use super::{Arbiter, Evidence, time};
use crate::facts::{Fact, What};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, Outcome};
use crate::value::LateComplaint;

const POSITION: &str = "position";

impl Arbiter<'_> {
    /// A player complains about the pieces.
    pub(super) fn complained_of_the_pieces(&mut self, fact: &Fact, complaint: Complain, still_to_come: &[Fact]) {
        let is_heard = self.complaint_is_timely(fact, complaint);
        let decides = matches!(
            self.book.answer(),
            Answer::Value(LateComplaint::BeforeSoManyMoves | LateComplaint::AsSoonAsAware)
        );
        let looked_into = still_to_come.iter().any(|later| matches!(later.what, What::Found(Finding::Position(_))));
        if is_heard && decides && !looked_into {
            let evidence = Evidence::used(format!("{} complained about the pieces at {}", complaint.by, time(fact.at)))
                .and("nobody has found how they had been set up");
            let answers =
                vec![("right".to_owned(), Outcome::PlayContinues), ("wrong".to_owned(), Outcome::GameCancelled)];
            let needs = Decision::Needs { fact: POSITION.to_owned(), answers };
            self.record(Point::D7, fact.at, needs, evidence, 0);
        }
    }

    /// A complaint about how clock or pieces were set up. Whether it is heard.
    pub(super) fn complaint_is_timely(&mut self, fact: &Fact, complaint: Complain) -> bool {
        let what = match complaint.about {
            Grievance::Position => "the pieces",
            Grievance::Increment => "the increment",
            _ => "the setting of the clock",
        };
        let by = complaint.by;
        let mut evidence = Evidence::used(format!("{by} complained about {what} at {}", time(fact.at)));
        evidence = if self.a_move_was_made() {
            evidence.and(format!("both had completed {} moves", self.completed_by_both()))
        } else {
            evidence.and("no move had been made")
        };
        let of_the_pieces = complaint.about == Grievance::Position;
        let void = match self.ask::<LateComplaint>(fact.at, &evidence) {
            None => return false,
            Some(LateComplaint::BeforeTheFirstMove) => {
                if complaint.agreed {
                    evidence = evidence.and("the opponent agreed");
                }
                // "The accuracy of the clock" was written before clocks added anything.
                if complaint.about == Grievance::Increment {
                    evidence = evidence.inferred();
                }
                self.a_move_was_made() && !complaint.agreed
            }
            // "If during a game it is found": whoever says so, and however late.
            Some(LateComplaint::BeforeSoManyMoves) if !self.is_fast_and_unsupervised() && of_the_pieces => {
                evidence = evidence.inferred();
                false
            }
            // Of the clock the text does not speak in other games.
            Some(LateComplaint::BeforeSoManyMoves) if !self.is_fast_and_unsupervised() => {
                self.record(Point::D7, fact.at, Decision::Silent, evidence, 0);
                return false;
            }
            Some(LateComplaint::BeforeSoManyMoves) => self.so_many(Point::D7),
            Some(LateComplaint::AsSoonAsAware) => of_the_pieces && self.black_has_completed_so_many(),
        };
        let outcome = if void { Outcome::ComplaintVoid(by) } else { Outcome::ComplaintHeard(by) };
        self.decide(Point::D7, fact.at, outcome, evidence);
        !void
    }

    /// US Chess 11F counts Black's moves.
    fn black_has_completed_so_many(&self) -> bool {
        u64::from(self.moves[Side::Black].completed) >= self.limit(Point::D7, "moves")
    }

    /// The arbiter has found how the pieces had been set up.
    pub(super) fn set_up_was_examined(&mut self, fact: &Fact, finding: SettingFinding) {
        if finding == SettingFinding::Right {
            return;
        }
        let evidence = Evidence::used(format!("found at {}: the pieces had been set up wrongly", time(fact.at)))
            .and(format!("White had completed {} moves", self.moves[Side::White].completed))
            .and(format!("Black had completed {}", self.moves[Side::Black].completed));
        let too_late = match self.ask::<LateComplaint>(fact.at, &evidence) {
            None => return,
            // Whether anybody may complain is all that the text says.
            Some(LateComplaint::BeforeTheFirstMove) => {
                return self.record(Point::D7, fact.at, Decision::Silent, evidence, 0);
            }
            Some(LateComplaint::BeforeSoManyMoves) => self.is_fast_and_unsupervised() && self.so_many(Point::D7),
            Some(LateComplaint::AsSoonAsAware) => self.black_has_completed_so_many(),
        };
        let outcome = if too_late { Outcome::PlayContinues } else { Outcome::GameCancelled };
        self.decide(Point::D7, fact.at, outcome, evidence);
    }
}
