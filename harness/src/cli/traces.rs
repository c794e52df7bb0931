//! The command line of `diff` and `replay`.

use std::path::PathBuf;

use clap::Args;

pub(super) const DIFF_HELP: &str = "\
What the two clocks wrote is compared event by event and field by field, device time against device time since the \
beginning of each run. When the bench acted, and what it knows of true time, is no event. Plans that differ are a \
difference; events are compared all the same, as long as their ticks are of one rate.
Exit codes: 0 equal, 1 different, 2 a file that is no trace.

Examples:
  flagfall diff out/traces/sim/family/name.json out-board/traces/virtual-board/family/name.json
  flagfall diff --ignore-ticks 200 sim.json board.json     the bench acted some microseconds beside the instant
  flagfall diff --json one.json other.json | jq .event.what";

/// Options of `diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// A trace, as `run` writes them below its results.
    #[arg(value_name = "TRACE")]
    pub first: PathBuf,
    /// The trace to compare it with.
    #[arg(value_name = "TRACE")]
    pub second: PathBuf,
    /// Let stamps and times left differ by so many ticks of the device, and digits by one more of their last.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub ignore_ticks: u64,
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}

pub(super) const REPLAY_HELP: &str = "\
The simulator is given each act in the tick that the device stamped it with, and must write the same events with the same \
fields; only how late a flag was noticed is left out, which in virtual time is never late.
  model reproduces   it does: what the board did follows from what was done to it
  model gap          it does not, from the event that is shown on
Exit codes: 0 the model reproduces, 1 a model gap, 2 a file that is no trace, 3 the plan cannot be run again.

Examples:
  flagfall replay out/traces/virtual-board/family/name.json
  flagfall replay board.json --out simulated.json      and keep what the simulator made of it
  flagfall replay board.json --json | jq .model";

/// Options of `replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// The trace of a run, on a board or in virtual time.
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Write the simulator's trace.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}
