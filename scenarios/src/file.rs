//! Reading a text file that a user names: a regular one, of limited size, in UTF-8.
//!
//! Opening a pipe waits for a writer and a device may never end, so that what a path leads to is looked at first.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::spans::FILE_BYTES_MAX;

/// Why the text of a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file system refused: look at the path and the cause.
    #[error("cannot open the file: {0}")]
    Open(#[source] io::Error),
    /// Reading stopped on the way: look at the cause.
    #[error("cannot read the file: {0}")]
    Read(#[source] io::Error),
    /// A folder, pipe, socket or device: name a regular file.
    #[error("this is no regular file")]
    NotRegular,
    /// More than any file here has reason to have: split it.
    #[error("the file has more than {FILE_BYTES_MAX} bytes")]
    TooLarge,
    /// Another encoding: save it as UTF-8.
    #[error("the file is not UTF-8: byte {at} begins no character")]
    NotUtf8 {
        /// The first byte that is wrong, counted from zero.
        at: usize,
    },
}

impl FileError {
    /// What to do about it, where that is known.
    pub(crate) const fn help(&self) -> Option<&'static str> {
        match self {
            Self::Open(_) | Self::Read(_) => None,
            Self::NotRegular => Some("pipes, sockets, devices and folders are not read"),
            Self::TooLarge => Some("split it: a file holds one case, rulebook or board"),
            Self::NotUtf8 { .. } => Some("save it as UTF-8"),
        }
    }
}

/// The text of a regular file (links are followed) of at most 1 MiB, a byte order mark at its beginning left out.
///
/// # Errors
/// [`FileError`] says why it cannot be had; nothing that might block or never end is opened.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let metadata = path.metadata().map_err(FileError::Open)?;
    if !metadata.is_file() {
        return Err(FileError::NotRegular);
    }
    let file = File::open(path).map_err(FileError::Open)?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells that there is too much, however much there is.
    file.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(FileError::Read)?;
    if bytes.len() > FILE_BYTES_MAX {
        return Err(FileError::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|error| FileError::NotUtf8 { at: error.utf8_error().valid_up_to() })?;
    Ok(without_mark(&text).to_owned())
}

/// The text without a byte order mark, which some editors put before the first character.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
