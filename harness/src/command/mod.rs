//! One file for each command.

pub mod check;
pub mod completions;
pub mod determinism;
pub mod list;
pub mod run;
pub mod show;

use std::fmt::Display;
use std::io::{self, Write};

use crate::exit::Exit;

/// Says on standard error why nothing could be done, and that the input is to blame.
pub(crate) fn bad_input(error: &dyn Display) -> Exit {
    eprintln!("flagfall: {error}");
    Exit::BadInput
}

/// Says on standard error why results could not be kept.
pub(crate) fn infra(error: &dyn Display) -> Exit {
    eprintln!("flagfall: {error}");
    Exit::Infra
}

/// Prints to standard output; a reader that has gone away (`| head`) is no error of ours.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        eprintln!("flagfall: cannot write to standard output: {error}");
    }
}
