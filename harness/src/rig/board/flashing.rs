//! How far an image is on its way into flash, in the words of a person who waits for it.

use std::fmt;

use probe_rs::flashing::{FlashProgress, ProgressEvent, ProgressOperation};
use serde::Serialize;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// What is in flash already is compared with the image; if it is the same nothing is written.
    Comparing,
    /// What was there is erased, sector by sector.
    Erasing,
    /// The image is written.
    Programming,
    /// What was written is read back.
    Verifying,
}

impl Doing {
    /// Whether flash is another after it.
    #[must_use]
    pub const fn changes_flash(self) -> bool {
        matches!(self, Self::Erasing | Self::Programming)
    }
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Comparing => "comparing",
            Self::Erasing => "erasing",
            Self::Programming => "programming",
            Self::Verifying => "verifying",
        })
    }
}

/// How far something that is done to flash is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Flashing {
    /// What.
    pub doing: Doing,
    /// How much of it is done.
    pub done_bytes: u64,
    /// How much there is to do.
    pub of_bytes: u64,
}

impl Flashing {
    /// The part that is done, in percent, rounded down.
    #[must_use]
    pub fn percent(&self) -> u64 {
        (self.done_bytes * 100).checked_div(self.of_bytes).unwrap_or(100)
    }
}

/// What probe-rs says of its progress, added up.
struct Tally<'a> {
    tell: &'a (dyn Fn(Flashing) + 'a),
    /// Whether a verification is of what was there before.
    comparing: bool,
    totals: [u64; 4],
    done: [u64; 4],
}

/// A listener for probe-rs that tells of each step in bytes.
pub(super) fn told<'a>(tell: &'a (dyn Fn(Flashing) + 'a), comparing: bool) -> FlashProgress<'a> {
    let mut tally = Tally { tell, comparing, totals: [0; 4], done: [0; 4] };
    FlashProgress::new(move |event| tally.hear(&event))
}

impl Tally<'_> {
    /// Nothing is restored here, so that nothing is filled.
    const fn doing(&self, operation: ProgressOperation) -> Option<Doing> {
        match operation {
            ProgressOperation::Fill => None,
            ProgressOperation::Erase => Some(Doing::Erasing),
            ProgressOperation::Program => Some(Doing::Programming),
            ProgressOperation::Verify if self.comparing => Some(Doing::Comparing),
            ProgressOperation::Verify => Some(Doing::Verifying),
        }
    }

    fn hear(&mut self, event: &ProgressEvent) {
        let (operation, more) = match event {
            ProgressEvent::AddProgressBar { operation, total } => {
                if let Some(doing) = self.doing(*operation) {
                    self.totals[doing as usize] += total.unwrap_or(0);
                }
                return;
            }
            ProgressEvent::Started(operation) => (*operation, 0),
            ProgressEvent::Progress { operation, size, .. } => (*operation, *size),
            _ => return,
        };
        if let Some(doing) = self.doing(operation) {
            let (of_bytes, done) = (self.totals[doing as usize], &mut self.done[doing as usize]);
            // The last page counts in full, whatever of it the image has.
            *done = (*done + more).min(of_bytes);
            (self.tell)(Flashing { doing, done_bytes: *done, of_bytes });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_step_is_told_in_bytes_up_to_all_of_them() {
        let told_so_far = RefCell::new(Vec::new());
        let tell = |flashing: Flashing| {
            told_so_far.borrow_mut().push((flashing.doing, flashing.done_bytes, flashing.percent()));
        };
        let bar = |operation, total| ProgressEvent::AddProgressBar { operation, total: Some(total) };
        let page = |operation, size| ProgressEvent::Progress { operation, size, time: Duration::ZERO };
        let (erase, program, verify) =
            (ProgressOperation::Erase, ProgressOperation::Program, ProgressOperation::Verify);
        let mut progress = told(&tell, false);
        // Two algorithms, as for a chip with two kinds of flash, have a bar each.
        for event in [bar(erase, 16_384), bar(program, 3_000), bar(program, 1_000), bar(verify, 4_000)] {
            progress.emit(event);
        }
        for event in [
            ProgressEvent::Started(erase),
            page(erase, 16_384),
            ProgressEvent::Finished(erase),
            ProgressEvent::Started(program),
            page(program, 2_048),
            page(program, 2_048),
            ProgressEvent::Started(verify),
            ProgressEvent::Failed(verify),
        ] {
            progress.emit(event);
        }
        drop(progress);
        let expected = [
            (Doing::Erasing, 0, 0),
            (Doing::Erasing, 16_384, 100),
            (Doing::Programming, 0, 0),
            (Doing::Programming, 2_048, 51),
            (Doing::Programming, 4_000, 100),
            (Doing::Verifying, 0, 0),
        ];
        assert_eq!(told_so_far.take(), expected);
        let mut progress = told(&tell, true);
        progress.emit(bar(verify, 10));
        progress.emit(page(verify, 5));
        drop(progress);
        assert_eq!(told_so_far.take(), [(Doing::Comparing, 5, 50)]);
    }
}
