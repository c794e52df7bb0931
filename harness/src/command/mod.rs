//! One file for each command.

pub mod attach;
pub mod baseline;
pub mod boards;
pub mod check;
pub mod completions;
pub mod coverage;
pub mod determinism;
pub mod diff;
pub mod flash;
pub mod list;
pub mod matrix;
pub mod measure;
pub mod probes;
mod quarantine;
pub mod replay;
pub mod report;
pub mod rules;
pub mod run;
pub mod show;
pub mod vboard;
pub mod winnable;

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use crate::exit::Exit;
use crate::held::Held;
use crate::interrupt::Interrupt;
use crate::lease::LeaseError;
use crate::rig::board::Description;

/// Says on standard error why nothing could be done, and that the input is to blame.
pub(crate) fn bad_input(error: &dyn Display) -> Exit {
    warn(&format!("flagfall: {error}"));
    Exit::BadInput
}

/// Says on standard error why results could not be kept.
pub(crate) fn infra(error: &dyn Display) -> Exit {
    warn(&format!("flagfall: {error}"));
    Exit::Infra
}

/// Takes the probes of a board for work by hand, or says on standard error who has them. A board in quarantine may be
/// worked on, which is how it gets out; that it is in one is said.
pub(crate) fn held(description: &Description, wait: Option<Duration>, interrupt: &Interrupt) -> Result<Held, Exit> {
    quarantine::admit(description, true)?;
    let told = |error: &LeaseError| warn(&format!("flagfall: waiting: {error}"));
    Held::take(description, wait.unwrap_or_default(), interrupt, told).map_err(|error| infra(&error))
}

/// Prints a line to standard error. If nobody can read that, there is nobody left to tell.
pub(crate) fn warn(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Prints to standard output; a reader that has gone away (`| head`) is no error of ours, anything else is [`Exit::Infra`].
#[must_use]
pub fn print(text: &str) -> Exit {
    printed(try_print(text))
}

/// The same for whoever has more to print, and can leave that when nobody reads it.
pub(crate) fn try_print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// What printing came to.
pub(crate) fn printed(result: io::Result<()>) -> Exit {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            infra(&format!("cannot write to standard output: {error}"))
        }
        _ => Exit::Passed,
    }
}
