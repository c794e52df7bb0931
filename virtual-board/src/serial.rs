//! What comes out of the board's serial port.
//!
//! QEMU writes it to a file in the emulator's folder: a socket that nobody reads would fill up and hold the emulated
//! core, and with it virtual time, until somebody does. A byte is in the file before the core executes the instruction
//! after the one that sent it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// The file in the emulator's folder.
pub(crate) const SERIAL_FILE: &str = "serial";

/// The output of a serial port, read as far as it has come.
#[derive(Debug)]
pub struct SerialOutput(File);

impl SerialOutput {
    /// From the end of what is there already.
    pub(crate) fn open(path: &Path) -> io::Result<SerialOutput> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::End(0))?;
        Ok(SerialOutput(file))
    }

    /// The bytes that have come out since the last call; none is no end.
    ///
    /// # Errors
    /// The system's.
    pub fn read_new(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn each_byte_is_read_once_and_an_end_is_none() {
        let path = std::env::temp_dir().join(format!("flagfall-serial-{}", std::process::id()));
        fs::write(&path, "before").expect("a file");
        let mut output = SerialOutput::open(&path).expect("it opens");
        let mut writer = fs::OpenOptions::new().append(true).open(&path).expect("it opens");
        for part in ["one", "", "two"] {
            io::Write::write_all(&mut writer, part.as_bytes()).expect("written");
            assert_eq!(output.read_new().expect("read"), part.as_bytes());
        }
        fs::remove_file(&path).expect("removed");
        assert_eq!(output.read_new().expect("a file that is gone is still read"), b"");
    }
}
