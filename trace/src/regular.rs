//! Opening a file that is to be read to its end.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a regular file for reading; links are followed.
///
/// Opening a pipe waits for a writer and a device may never end, so that what the path leads to is looked at first.
///
/// # Errors
/// What the file system says, and that there is a folder, pipe, socket or device.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if path.metadata()?.is_file() { File::open(path) } else { Err(io::Error::other("this is no regular file")) }
}
