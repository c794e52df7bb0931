//! The display: what the faces show, written as lines to the serial port when it changes ([`flagfall_core::panel`]).

use flagfall_core::panel::{self, Faces, Frame};
use flagfall_core::record::Kind;
use flagfall_core::{Clock, DeviceTime, Happening, Record, State};

use crate::board::uart::Uart;
use crate::contract_block;

/// The display of both faces.
pub(crate) struct Panel {
    uart: Uart,
    /// What is shown, `None` as long as nothing is or if a line was lost.
    shown: Option<Frame>,
    /// The number of the last record.
    seq: u16,
    /// When it will show something else on its own.
    next_change: Option<DeviceTime>,
}

impl Panel {
    /// A display that shows nothing yet.
    pub(crate) const fn new(uart: Uart) -> Self {
        Self { uart, shown: None, seq: 0, next_change: None }
    }

    /// When it has to be looked at again: digits run off.
    pub(crate) const fn next_change(&self) -> Option<DeviceTime> {
        self.next_change
    }

    /// From here on what is shown belongs to the record with this number.
    pub(crate) const fn belongs_to(&mut self, seq: u16) {
        self.seq = seq;
    }

    /// Shows where a clock stands that was stepped at `at`, and before that what it said `last`.
    ///
    /// Nothing of it comes before the last record of an event: a press does not wait for digits.
    pub(crate) fn show(&mut self, clock: &Clock, last: Option<&Happening>, at: DeviceTime) {
        if let Some(last) = last {
            self.change(clock, last.at, &last.state);
        }
        if last.is_none_or(|last| last.at < at) {
            self.change(clock, at, clock.state());
        }
        self.next_change = panel::ticks_to_next_change(clock).map(|ticks| at.after(ticks));
    }

    fn change(&mut self, clock: &Clock, at: DeviceTime, state: &State) {
        let faces = Faces::of(&Record::of_state(Kind::READ, self.seq, at, state, clock.setup(), clock.rate()));
        if self.shown.is_some_and(|shown| shown.faces == faces) {
            return;
        }
        let frame = Frame { seq: self.seq, at, faces };
        let line = frame.to_line(self.shown.as_ref());
        let is_queued = self.uart.queue(line.as_bytes());
        self.shown = is_queued.then_some(frame);
        if is_queued {
            self.uart.send();
        } else {
            contract_block::count_dropped_frame();
        }
    }
}
