//! Wires from the output pins of one emulated board to the input lines of another.
//!
//! A cable is a file that holds which of its wires are pulled low, bit n for wire n, and that both ends name in their
//! selectors. The driving end writes it when one of its pins changes; the driven end looks before every access of its
//! debug port. A core that stands still sees nothing of the time between, so that whoever halts one board, writes to the
//! other and lets the first go on finds the pins as they would be on a bench.

use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How many wires a cable has: one for each pin of a port.
pub(crate) const WIRES: u32 = 16;

/// One end of a cable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cable {
    /// The pins of this board's output port drive the wires.
    Drives(PathBuf),
    /// The wires drive this board's input lines; a wire that nobody pulls low is high.
    Driven(PathBuf),
}

/// A cable that cannot be used.
#[derive(Debug, Clone, Error)]
pub enum CableError {
    /// The file is not there, or cannot be read or written: let both ends name one that is.
    #[error("the cable {file:?} between two boards: {cause}")]
    File {
        /// The file.
        file: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// The emulator has no pins that could drive one: wire another board.
    #[error("{board} has no output pins in the emulator: another board must drive the cable")]
    NoPins {
        /// The board.
        board: &'static str,
    },
}

impl Cable {
    const DRIVES: &str = "drives=";
    const DRIVEN: &str = "driven=";

    /// Reads the last part of a selector.
    pub(crate) fn from_text(text: &str) -> Option<Cable> {
        let file = |text: &str| Some(PathBuf::from(text)).filter(|file| file.is_absolute());
        text.strip_prefix(Self::DRIVES)
            .and_then(file)
            .map(Cable::Drives)
            .or_else(|| text.strip_prefix(Self::DRIVEN).and_then(file).map(Cable::Driven))
    }

    /// The last part of a selector.
    pub(crate) fn text(&self) -> String {
        match self {
            Cable::Drives(file) => format!("{}{}", Self::DRIVES, file.display()),
            Cable::Driven(file) => format!("{}{}", Self::DRIVEN, file.display()),
        }
    }

    /// Lays a cable of which no wire is pulled low.
    pub fn lay(file: &Path) -> Result<(), CableError> {
        fs::write(file, [0; 4]).map_err(|cause| failed(file, &cause))
    }
}

fn failed(file: &Path, cause: &io::Error) -> CableError {
    CableError::File { file: file.to_owned(), cause: cause.to_string() }
}

/// A cable that is plugged in.
#[derive(Debug)]
pub(crate) struct Plugged {
    file: fs::File,
    path: PathBuf,
    /// Which wires are low, as this end has last written or followed.
    low: Option<u32>,
}

impl Plugged {
    pub(crate) fn plug(path: &Path) -> Result<Plugged, CableError> {
        let file = fs::OpenOptions::new().read(true).write(true).open(path).map_err(|cause| failed(path, &cause))?;
        Ok(Plugged { file, path: path.to_owned(), low: None })
    }

    /// Which wires are low, if that has changed since the last call.
    pub(crate) fn change(&mut self) -> Result<Option<u32>, CableError> {
        let mut bytes = [0; 4];
        self.file.read_exact_at(&mut bytes, 0).map_err(|cause| failed(&self.path, &cause))?;
        let low = u32::from_le_bytes(bytes);
        Ok((self.low.replace(low) != Some(low)).then_some(low))
    }

    /// Pulls these wires low and no other.
    pub(crate) fn pull(&mut self, low: u32) -> Result<(), CableError> {
        if self.low == Some(low) {
            return Ok(());
        }
        self.file.write_all_at(&low.to_le_bytes(), 0).map_err(|cause| failed(&self.path, &cause))?;
        self.low = Some(low);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_end_sees_what_the_other_pulls_low() {
        let folder = std::env::temp_dir().join(format!("flagfall-cable-{}", std::process::id()));
        Cable::lay(&folder).expect("laid");
        let (mut driver, mut driven) = (Plugged::plug(&folder).expect("there"), Plugged::plug(&folder).expect("there"));
        assert_eq!(driven.change().expect("a word"), Some(0), "nobody pulls");
        driver.pull(0x8001).expect("pulled");
        assert_eq!(driven.change().expect("a word"), Some(0x8001));
        assert_eq!(driven.change().expect("a word"), None);
        driver.pull(0).expect("let go");
        assert_eq!(driven.change().expect("a word"), Some(0));
        fs::remove_file(&folder).expect("removed");
    }

    #[test]
    fn an_end_is_written_and_read_and_nothing_else_is_one() {
        for cable in [Cable::Drives("/tmp/a/wires".into()), Cable::Driven("/tmp/a/wires".into())] {
            assert_eq!(Cable::from_text(&cable.text()), Some(cable));
        }
        assert_eq!(Cable::from_text("driven=wires"), None, "both ends run in folders of their own");
        assert_eq!(Cable::from_text("/tmp/a/wires"), None);
    }

    #[test]
    fn a_cable_that_nobody_laid_is_told_with_its_place() {
        let error = Plugged::plug(Path::new("/nowhere/wires")).expect_err("not there");
        assert!(error.to_string().contains("/nowhere/wires"), "{error}");
    }
}
