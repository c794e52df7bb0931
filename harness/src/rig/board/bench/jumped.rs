//! What a bench that jumps time does instead of waiting.

use flagfall_core::TrueTime;
use flagfall_trace::Jump;

use super::Bench;
use crate::rig::board::jump::{self, Next};
use crate::rig::board::target::TargetError;

impl Bench<'_> {
    /// What to do on the way to an instant.
    pub(super) fn next(&self, at: TrueTime) -> Next {
        let Some(calendar) = &self.calendar else { return Next::Count(at.ns()) };
        let now = self.hall.now().ns();
        let deadline = jump::deadline(self.written.records.last(), &self.hall, self.description.tick_rate);
        match calendar.next(now, at.ns(), deadline) {
            // The stop is asked for earlier than that, and not in the past.
            Next::Count(until) => Next::Count(at.ns().min(until.max(now.saturating_add(self.late_ns)))),
            jump @ Next::Jump(_) => jump,
        }
    }

    /// Moves device time and true time on together, up to an instant or some way towards it, and lets the firmware see it.
    pub(super) fn jump(&mut self, until: i64) -> Result<(), TargetError> {
        // Lines on their way to the panel take a time that cannot be jumped.
        self.let_the_wire_run_dry()?;
        let from = self.hall.now();
        self.counters.move_on(self.target, until.saturating_sub(from.ns()))?;
        self.observe()?;
        self.jumps.push(Jump { from, to: self.hall.now() });
        self.run_to(self.hall.device().after(1), 0)
    }
}
