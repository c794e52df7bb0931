//! The command line of what is done with boards besides running scenarios on them.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::bench::duration;

pub(super) const PROBES_HELP: &str = "\
A probe that this user may not open comes with the udev rule that allows it. Emulated boards stand apart: they are started \
when a board file names one.
Exit code: 0, also where no probe is found.

Examples:
  flagfall probes
  flagfall probes --json | jq -r '.probes[].selector'";

/// Options of `probes`.
#[derive(Debug, Args)]
pub struct Probes {
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}

pub(super) const FLASH_HELP: &str = "\
The ELF of the board file is compared with what is in flash, written and read back if that is another, the board is reset, \
and what runs must say that it is that ELF. How far it is shows a bar on a terminal, a line for each step elsewhere.
Exit codes: 0; 2 a wrong board file; 3 the bench failed, with what to do about it.

Examples:
  flagfall flash --board boards/virtual-f405.yaml
  flagfall flash --board boards/virtual-f405.yaml --json | jq -r '.build_id // empty'";

/// Options of `flash`.
#[derive(Debug, Args)]
pub struct Flash {
    /// The board.
    #[arg(long, value_name = "FILE")]
    pub board: PathBuf,
    /// Wait so long for a probe that somebody else has: 10m, 1h30m [default: not at all].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub wait: Option<Duration>,
    /// JSON, an object a line: how far each step is, and at last what is in flash.
    #[arg(long)]
    pub json: bool,
}

pub(super) const BOARDS_HELP: &str = "\
Exit codes of `boards`: 0; 2 a wrong board file. Of `boards check` also 3 where a board is not fit for a run.

Examples:
  flagfall boards                                   the board files of this folder
  flagfall boards my-boards/ other.yaml --json
  flagfall boards check boards/virtual-f405.yaml    is it fit for a run?";

/// Options of `boards`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Boards {
    /// What to do instead of listing.
    #[command(subcommand)]
    pub what: Option<BoardsCommand>,
    /// Which board files to list.
    #[command(flatten)]
    pub files: BoardFiles,
}

/// Board files, and how to tell of them.
#[derive(Debug, Args)]
pub struct BoardFiles {
    /// Board files, or folders of them.
    #[arg(value_name = "FILE", default_value = "boards")]
    pub files: Vec<PathBuf>,
    /// One JSON object a line, for each board.
    #[arg(long)]
    pub json: bool,
}

/// What can be done with boards.
#[derive(Debug, Subcommand)]
pub enum BoardsCommand {
    /// Look whether boards are fit for a run, step by step, before a clock is blamed.
    #[command(after_help = BOARDS_CHECK_HELP)]
    Check(BoardsCheck),
}

/// Options of `boards check`.
#[derive(Debug, Args)]
pub struct BoardsCheck {
    /// Which boards.
    #[command(flatten)]
    pub files: BoardFiles,
    /// Wait so long for a probe that somebody else has: 10m, 1h30m [default: not at all].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub wait: Option<Duration>,
}

const BOARDS_CHECK_HELP: &str = "\
A step that failed says why, and what to do next; those after it are not reached.
Exit codes: 0 every board is fit; 2 a wrong board file; 3 a board is not.

Examples:
  flagfall boards check                              every board file of this folder
  flagfall boards check boards/virtual-f405.yaml
  flagfall boards check --json boards/virtual-f405.yaml | jq '.steps[] | select(.outcome == \"failed\")'";
