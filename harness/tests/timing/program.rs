//! The program, and what it says.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The emulated board.
pub(crate) const BOARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../boards/virtual-f405.yaml");

/// What it said and how it ended.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
    command.args(arguments).stdin(Stdio::null());
    command
}

pub(crate) fn flagfall(arguments: &[&str]) -> Result<Said, String> {
    command(arguments).output().map_err(|error| error.to_string()).and_then(said)
}

pub(crate) fn said(output: Output) -> Result<Said, String> {
    let text = |bytes| String::from_utf8(bytes).map_err(|error| error.to_string());
    let code = output.status.code().ok_or("a signal ended it")?;
    Ok(Said { code, out: text(output.stdout)?, err: text(output.stderr)? })
}

impl Said {
    /// The same, if it ended like this.
    pub(crate) fn ending(self, code: i32) -> Result<Self, String> {
        if self.code == code {
            Ok(self)
        } else {
            Err(format!("exit {}, not {code}\n{}{}", self.code, self.out, self.err))
        }
    }

    pub(crate) fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.out).map_err(|error| format!("{error}\n{}{}", self.out, self.err))
    }
}

pub(crate) fn path(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| "a path that is no text".to_owned())
}

/// An error with this text, unless this is so.
pub(crate) fn ensure(is: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if is { Ok(()) } else { Err(otherwise()) }
}
