//! What people do in the hall, handed to the letter of the catalogue that it is about.

use flagfall_trace::Hall;

use super::Arbiter;
use crate::facts::Fact;

impl Arbiter<'_> {
    /// Takes an act of the hall.
    pub(super) fn hall(&mut self, fact: &Fact, hall: &Hall) {
        match hall {
            // A: the clock. B: moves and presses.
            Hall::Handle(handle) => self.handled(fact, *handle),
            Hall::Touch(_) | Hall::Adjust(_) | Hall::Assistant(_) | Hall::Prompt(_) => {}
            // D: the start of the game. G: complaints and corrections.
            Hall::Place(_) | Hall::OpenRound | Hall::Excuse(_) | Hall::Allocate(_) => {}
            Hall::Complain(_) | Hall::Replace(_) | Hall::Restore(_) => {}
            // F: results before the flag.
            Hall::Resign(side) => self.resigned(fact, *side),
            Hall::AgreeDraw => self.agreed_on_a_draw(fact),
            // I: penalties.
            Hall::Penalise(_) => {}
            // J: draws.
            Hall::ClaimDraw(_) | Hall::RequestDraw(_) | Hall::AskIncrement(_) | Hall::Decide(_) => {}
            // E and K: scoresheets.
            Hall::Sheets(sheets) => self.proof.sheets = Some(*sheets),
            Hall::Write(_) | Hall::StopWriting(_) | Hall::CatchUp(_) | Hall::RecordBy(_) => {}
            Hall::Verify(_) | Hall::PutOff | Hall::OfferDraw(_) => {}
            // L: adjournment.
            Hall::Adjourn | Hall::Seal(_) | Hall::ChangeSealed(_) | Hall::Resumption(_) => {}
        }
    }
}
