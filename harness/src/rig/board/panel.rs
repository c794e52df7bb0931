//! The clock's display, watched during a run: what comes out of its serial port, against the records.
//!
//! A line counts from when it has come, and not from when it says that it was sent: a display that is frozen has its
//! lines waiting. It is looked at whenever the firmware stands in its idle loop. What an emulator keeps is there by then. On
//! a wire a line takes its time, and the device has to run for it: there a record is looked at once the device has gone on
//! for as long as the lines that may wait take.

use std::io;
use std::ops::Range;
use std::time::Instant;

use flagfall_core::panel::{Faces, Frame};
use flagfall_core::{DeviceTime, Record};
use flagfall_trace::Misshown;
use flagfall_vboard::{Emulator, SerialOutput};

use super::port::Port;
use super::target::TargetError;

/// A panel that is watched.
pub(super) struct Panel {
    source: Source,
    partial: Vec<u8>,
    /// What it shows, and what it showed for records that have not been looked at.
    frames: Vec<Frame>,
    /// Whether a line that makes sense by itself has come since the reset. Before it a wire may have any bytes.
    in_step: bool,
    /// Whether any byte has come since the reset.
    heard: bool,
    /// How many records of the run have been looked at, and how many there were at the last look.
    looked_at: usize,
    there: usize,
    misshown: Vec<Misshown>,
}

/// Where its lines come from.
enum Source {
    /// An emulator, which has kept them.
    Kept(SerialOutput),
    /// A wire, on which a line may come so many ticks of the device after its record.
    Wire { port: Port, lag_ticks: u64 },
}

fn unreadable(error: &io::Error) -> TargetError {
    TargetError::Panel(format!("its serial port cannot be read: {error}"))
}

/// Whether a line is of no later time than a record.
fn belongs(record: &Record) -> impl Fn(&Frame) -> bool {
    let until = (record.seq, record.at);
    move |frame| (frame.seq, frame.at) <= until
}

impl Panel {
    /// What comes out of an emulated board.
    pub(super) fn of(emulator: &Emulator) -> io::Result<Self> {
        Ok(Self::new(Source::Kept(emulator.serial()?)))
    }

    /// What comes out of a serial port of this machine, at most so many ticks of the device after its record.
    pub(super) fn behind(port: Port, lag_ticks: u64) -> Self {
        Self::new(Source::Wire { port, lag_ticks })
    }

    fn new(source: Source) -> Self {
        let in_step = matches!(source, Source::Kept(_));
        let (partial, frames, misshown) = (Vec::new(), Vec::new(), Vec::new());
        Self { source, partial, frames, in_step, heard: false, looked_at: 0, there: 0, misshown }
    }

    /// A run begins: no record of it has been looked at.
    pub(super) fn begin(&mut self) -> Result<(), TargetError> {
        self.take()?;
        self.looked_at = 0;
        self.there = 0;
        self.misshown.clear();
        Ok(())
    }

    /// The board was reset and stands still: whatever comes from now on belongs to another life, and is numbered anew.
    pub(super) fn forget(&mut self) -> Result<(), TargetError> {
        match &mut self.source {
            Source::Kept(_) => self.take()?,
            Source::Wire { port, .. } => {
                let halted = Instant::now();
                while port.in_flight(halted)?.is_some() {}
            }
        }
        self.in_step = matches!(self.source, Source::Kept(_));
        self.heard = false;
        self.partial.clear();
        self.frames.clear();
        // Nobody will see any more what it would have shown of these.
        self.looked_at = self.there;
        Ok(())
    }

    /// How many ticks the device has to run until all of these records can be looked at; `None` if they have been.
    pub(super) fn awaits(&self, records: &[Record]) -> Option<u64> {
        match self.source {
            Source::Wire { lag_ticks, .. } => (self.looked_at < records.len()).then_some(lag_ticks),
            Source::Kept(_) => None,
        }
    }

    /// Looks at it for the records of the run that are new; the device stands still at `now`.
    pub(super) fn look(&mut self, records: &[Record], now: DeviceTime) -> Result<(), TargetError> {
        self.take()?;
        let new = records.get(self.looked_at..).unwrap_or_default();
        let due = match self.source {
            Source::Kept(_) => new.len(),
            Source::Wire { lag_ticks, .. } => new.iter().take_while(|record| record.at.after(lag_ticks) <= now).count(),
        };
        let due = self.looked_at..self.looked_at + due;
        let mut wrong = self.compare(records, due.clone());
        let halted = Instant::now();
        while !wrong.is_empty() && self.more_has_come(halted)? {
            wrong = self.compare(records, due.clone());
        }
        if let (Source::Wire { port, .. }, [_, ..], []) = (&self.source, wrong.as_slice(), self.frames.as_slice()) {
            // A display that never showed anything is a wire that was not plugged in, before it is a clock that is wrong.
            return Err(port.without_a_line(self.heard).into());
        }
        self.misshown.extend(wrong);
        self.looked_at = due.end;
        self.there = records.len();
        let needed = match records.get(due.end) {
            Some(waiting) => self.frames.iter().rposition(belongs(waiting)).unwrap_or(0),
            None => self.frames.len().saturating_sub(1),
        };
        self.frames.drain(..needed);
        Ok(())
    }

    /// Where it did not show what the records say.
    pub(super) fn misshown(&self) -> &[Misshown] {
        &self.misshown
    }

    /// Those of these records of which it does not show what they say.
    fn compare(&self, records: &[Record], due: Range<usize>) -> Vec<Misshown> {
        let mut wrong = Vec::new();
        for (index, record) in records.iter().enumerate().take(due.end).skip(due.start) {
            // Of records in one tick only the last need be shown.
            if records.get(index + 1).is_some_and(|next| next.at == record.at) {
                continue;
            }
            let belongs = belongs(record);
            let shown = self.frames.iter().rfind(|frame| belongs(frame)).map(|frame| frame.faces);
            if shown != Some(Faces::of(record)) {
                wrong.push(Misshown { record: index as u32, shown });
            }
        }
        wrong
    }

    /// Whether something was still on its way from a device that stands still since `halted`.
    fn more_has_come(&mut self, halted: Instant) -> Result<bool, TargetError> {
        let Source::Wire { port, .. } = &mut self.source else { return Ok(false) };
        let Some(bytes) = port.in_flight(halted)? else { return Ok(false) };
        self.read(bytes).map(|()| true)
    }

    /// Takes the lines that have come since the last look.
    fn take(&mut self) -> Result<(), TargetError> {
        let new = match &mut self.source {
            Source::Kept(output) => output.read_new().map_err(|error| unreadable(&error))?,
            Source::Wire { port, .. } => port.read_new()?,
        };
        self.read(new)
    }

    fn read(&mut self, bytes: Vec<u8>) -> Result<(), TargetError> {
        self.heard |= !bytes.is_empty();
        self.partial.extend(bytes);
        let whole = self.partial.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let lines: Vec<u8> = self.partial.drain(..whole).collect();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            // A chip that boots moves the wire before it sends: what is before the head of its first line is none of it.
            let head = if self.in_step { 0 } else { line.iter().rposition(|byte| *byte == b'#').unwrap_or(0) };
            match Frame::parse(&line[head..], self.frames.last()) {
                Ok(frame) => {
                    self.in_step = true;
                    self.frames.push(frame);
                }
                Err(_) if !self.in_step => {}
                Err(error) => {
                    let line = String::from_utf8_lossy(line);
                    return Err(TargetError::Panel(format!("its line {:?} makes no sense: {error}", line.trim_end())));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
