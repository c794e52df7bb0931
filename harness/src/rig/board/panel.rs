//! The clock's display, watched during a run: what comes out of the serial port, against the records.
//!
//! A line counts from when it has come, and not from when it says that it was sent: a display that is frozen has its
//! lines waiting. It is looked at whenever the firmware stands in its idle loop, where it has said all that it has to
//! say.

use std::io;

use flagfall_core::Record;
use flagfall_core::panel::{Faces, Frame};
use flagfall_trace::Misshown;
use flagfall_vboard::{Emulator, SerialOutput};

use super::target::TargetError;

/// A panel that is watched.
pub(super) struct Panel {
    output: SerialOutput,
    partial: Vec<u8>,
    /// What it shows.
    last: Option<Frame>,
    /// How many records of the run have been looked at.
    looked_at: usize,
    misshown: Vec<Misshown>,
}

fn unreadable(error: &io::Error) -> TargetError {
    TargetError::Panel(format!("its serial port cannot be read: {error}"))
}

impl Panel {
    /// What comes out of an emulated board.
    pub(super) fn of(emulator: &Emulator) -> io::Result<Self> {
        Ok(Self { output: emulator.serial()?, partial: Vec::new(), last: None, looked_at: 0, misshown: Vec::new() })
    }

    /// A run begins: no record of it has been looked at.
    pub(super) fn begin(&mut self) -> Result<(), TargetError> {
        self.take()?;
        self.looked_at = 0;
        self.misshown.clear();
        Ok(())
    }

    /// The board was reset: whatever comes from now on belongs to another life, and is numbered anew.
    pub(super) fn forget(&mut self) -> Result<(), TargetError> {
        self.take()?;
        self.partial.clear();
        self.last = None;
        Ok(())
    }

    /// Looks at it for the records of the run that are new.
    pub(super) fn look(&mut self, records: &[Record]) -> Result<(), TargetError> {
        let before = self.last;
        let frames: Vec<Frame> = before.into_iter().chain(self.take()?).collect();
        let new = records.iter().enumerate().skip(self.looked_at);
        for (index, record) in new {
            // Of records in one tick only the last need be shown.
            if records.get(index + 1).is_some_and(|next| next.at == record.at) {
                continue;
            }
            let belongs = |frame: &&Frame| (frame.seq, frame.at) <= (record.seq, record.at);
            let shown = frames.iter().rfind(belongs).map(|frame| frame.faces);
            if shown != Some(Faces::of(record)) {
                self.misshown.push(Misshown { record: index as u32, shown });
            }
        }
        self.looked_at = records.len();
        Ok(())
    }

    /// Where it did not show what the records say.
    pub(super) fn misshown(&self) -> &[Misshown] {
        &self.misshown
    }

    /// The lines that have come since the last look.
    fn take(&mut self) -> Result<Vec<Frame>, TargetError> {
        let new = self.output.read_new().map_err(|error| unreadable(&error))?;
        self.partial.extend(new);
        let whole = self.partial.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let lines: Vec<u8> = self.partial.drain(..whole).collect();
        let mut frames = Vec::new();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let frame = Frame::parse(line, self.last.as_ref()).map_err(|error| {
                let line = String::from_utf8_lossy(line);
                TargetError::Panel(format!("its line {:?} makes no sense: {error}", line.trim_end()))
            })?;
            self.last = Some(frame);
            frames.push(frame);
        }
        Ok(frames)
    }
}
