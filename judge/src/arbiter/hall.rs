//! What people do in the hall, handed to the letter of the catalogue that it is about.

use flagfall_trace::Hall;
use flagfall_trace::hall::Entry;

use super::Arbiter;
use crate::facts::Fact;

impl Arbiter<'_> {
    /// Takes an act of the hall.
    pub(super) fn hall(&mut self, fact: &Fact, hall: &Hall, still_to_come: &[Fact]) {
        match hall {
            // A: the clock. B: moves and presses.
            Hall::Handle(handle) => self.handled(fact, *handle),
            Hall::Touch(touch) => self.touched(fact, *touch, still_to_come),
            Hall::Adjust(adjust) => self.adjusted(fact, *adjust),
            Hall::Assistant(assistant) => self.assisted(fact, *assistant),
            Hall::Prompt(prompt) => self.prompted(fact, *prompt),
            // D: the start of the game. G: complaints and corrections.
            Hall::Place(place) => self.clock_is_placed(fact, *place),
            Hall::OpenRound => self.round_opened(fact),
            Hall::Excuse(side) => self.excused(fact, *side),
            Hall::Allocate(shares_ms) => self.allocated(fact, *shares_ms),
            Hall::Complain(complaint) => self.complained_of(fact, *complaint, still_to_come),
            Hall::Replace(left_ms) => self.clock_is_replaced(fact, *left_ms),
            Hall::Restore(restore) => self.position_is_restored(fact, *restore),
            // F: results before the flag.
            Hall::Resign(side) => self.resigned(fact, *side),
            Hall::AgreeDraw => self.agreed_on_a_draw(fact),
            // I: penalties.
            Hall::Penalise(penalty) => self.penalised(fact, *penalty),
            // J: draws.
            Hall::ClaimDraw(claim) => self.draw_claimed(fact, *claim),
            Hall::RequestDraw(request) => self.draw_requested(fact, *request),
            Hall::AskIncrement(side) => self.increment_asked(fact, *side),
            Hall::Decide(answer) => self.request_was_answered(fact, *answer),
            // E and K: scoresheets.
            Hall::Write(written) => {
                self.examined.times_written |= written.what == Entry::Times;
                self.wrote(fact, *written);
            }
            Hall::StopWriting(side) => self.stopped_writing(fact, *side),
            Hall::Sheets(sheets) => {
                self.proof.sheets = Some(*sheets);
                self.sheets_were_seen(fact, *sheets);
            }
            Hall::CatchUp(how) => self.catches_up(fact, *how),
            Hall::RecordBy(_) => self.written_for_them(fact),
            Hall::Verify(verify) => self.verified(fact, *verify),
            Hall::PutOff => self.catching_up_is_put_off(fact),
            Hall::OfferDraw(side) => self.draw_offered(*side),
            // L: adjournment.
            Hall::Adjourn => self.hour_of_adjournment(fact),
            Hall::Seal(side) => self.sealed(*side),
            Hall::ChangeSealed(side) => self.change_wanted(fact, *side),
            Hall::Resumption(present) => self.game_is_resumed(fact, *present),
        }
    }
}
