//! C6 and C7: how a dial is set, and a flag that is still up from the setting (FIDE Laws 6.1; CBX 68 and 69; US Chess
//! 16B1).
//!
//! The clock of a plan is set as the text has it, and everybody at the board sees whether its flag is up. A flag that
//! drops in the first minutes because it was up from the setting falls at no end of a period: that it costs nothing
//! follows from what the Laws call a flag-fall. That nobody has to wait for it is literal; only CBX 69 asks for that.

use flagfall_core::Side;
use flagfall_trace::ClockKind;

use super::{Arbiter, Evidence, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::ruling::Outcome;
use crate::value::{DialHour, FlagFromSetting};

const SIX_HOURS_MS: u64 = 6 * 3_600_000;

impl Arbiter<'_> {
    /// The game begins with hands that somebody has set.
    pub(super) fn dial_is_set(&mut self, fact: &Fact) {
        if self.plan.clock_kind.is_digital() {
            return;
        }
        let evidence = Evidence::used("the clock has a dial for each side");
        match self.ask::<DialHour>(fact.at, &evidence) {
            None => {}
            Some(DialHour::AtSix) => {
                for side in Side::ALL {
                    self.decide(Point::C6, fact.at, Outcome::EndsAt(side, SIX_HOURS_MS), evidence.clone());
                }
            }
        }
    }

    /// A side presses for the first time.
    pub(super) fn first_press_on_a_dial(&mut self, fact: &Fact, side: Side) {
        let ClockKind::Analogue(dial) = self.plan.clock_kind else { return };
        let Some(up_ms) = dial.flag_up_ms[side] else { return };
        let up = self.accounts.used_ns(side) < i128::from(up_ms) * 1_000_000;
        let state = if up { "was still up from the setting" } else { "had dropped before" };
        let evidence =
            Evidence::used(format!("{} flag {state} when he pressed his first move at {}", whose(side), time(fact.at)));
        let outcome = match self.ask::<FlagFromSetting>(fact.at, &evidence) {
            None => return,
            Some(FlagFromSetting::WaitForTheDrop) if up => Outcome::Forbidden(side),
            Some(FlagFromSetting::WaitForTheDrop | FlagFromSetting::NoFlagFall) => Outcome::Allowed(side),
        };
        self.decide(Point::C7, fact.at, outcome, evidence);
    }
}
