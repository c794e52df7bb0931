//! The display: what the faces show, written as lines to the serial port when it changes ([`flagfall_core::panel`]).

use flagfall_core::panel::{self, Faces, Frame};
use flagfall_core::record::Kind;
use flagfall_core::{Clock, DeviceTime, Happening, Record, State};

use crate::board::uart::Uart;
use crate::{contract_block, lines};

/// The display of both faces.
pub(crate) struct Panel {
    uart: Uart,
    /// What is shown, `None` as long as nothing is or if a line was lost.
    shown: Option<Frame>,
    /// The number of the last record.
    seq: u16,
    /// When it will show something else on its own.
    next_change: Option<DeviceTime>,
    /// A press whose line is on its way: when its contact closed, and the number of its last record.
    awaited: Option<(DeviceTime, u16)>,
}

/// A press that is shown.
pub(crate) struct Shown {
    /// When its line had gone out.
    pub(crate) at: DeviceTime,
    /// Ticks from the edge of its contact until then.
    pub(crate) ticks: u64,
    /// The number of its last record.
    pub(crate) seq: u16,
}

impl Panel {
    /// A display that shows nothing yet.
    pub(crate) const fn new(uart: Uart) -> Self {
        Self { uart, shown: None, seq: 0, next_change: None, awaited: None }
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
    /// Nothing of it comes before the last record of an event: a press does not wait for digits. Of the one whose contact
    /// closed at `pressed` it is noted when its line has gone out, unless another one is still on its way.
    pub(crate) fn show(
        &mut self,
        clock: &Clock,
        last: Option<&Happening>,
        at: DeviceTime,
        pressed: Option<DeviceTime>,
    ) {
        let lines = self.uart.lines();
        if let Some(last) = last {
            self.change(clock, last.at, &last.state);
        }
        if last.is_none_or(|last| last.at < at) {
            self.change(clock, at, clock.state());
        }
        if self.uart.lines() != lines {
            if let (Some(pressed), None) = (pressed, self.awaited) {
                self.awaited = Some((pressed, self.seq));
                lines::await_end_of(lines.wrapping_add(1));
            }
            self.uart.send();
        }
        self.next_change = panel::ticks_to_next_change(clock).map(|ticks| at.after(ticks));
    }

    /// A press whose line has gone out since this was asked last.
    pub(crate) fn take_shown(&mut self) -> Option<Shown> {
        let (pressed, seq) = self.awaited?;
        let at = lines::take_stamp()?;
        self.awaited = None;
        Some(Shown { at, ticks: at.ticks_since(pressed), seq })
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
        if !is_queued {
            contract_block::count_dropped_frame();
        }
    }
}
