//! `flagfall completions`: what a shell needs to complete the command line.

use clap::CommandFactory;

use crate::cli::Cli;
use crate::command::print;
use crate::exit::Exit;

/// Prints the script for this shell.
#[must_use]
pub fn completions(shell: clap_complete::Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "flagfall", &mut script);
    print(&String::from_utf8_lossy(&script))
}
