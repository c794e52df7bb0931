//! The command line of `baseline`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

pub(super) const BASELINE_HELP: &str = "\
Kept are, for each scenario, the drift of the device's time, the jitter of its stamps, what turns were charged beyond their \
time, and the times from a press to its stamp, from the edge to the switch, and from the fall of a flag to its notice. \
In virtual time any difference is a change. On a board scenarios make pairs, before and now, and a measure has changed if \
chance explains its mean difference with p <= 0.01 at most (a test that turns signs round, corrected for all measures), and \
if that difference is one that matters, which stands in the baseline as `smallest`. To either side: what has become better \
is to be saved, so that it is noticed when it gets worse.
Exit codes of `compare`: 0 nothing has changed; 1 something has; 2 a file that cannot be read, or of another rig; 4 too few \
scenarios to tell a change from chance, or some of the baseline were not run.

Examples:
  flagfall baseline save out --out baselines/sim.json
  flagfall baseline compare baselines/sim.json out
  flagfall baseline compare baselines/my-board.json run-1 run-2 run-3 --plots changes
  flagfall baseline compare baselines/sim.json out --json | jq '.measures[] | select(.verdict == \"changed\")'";

/// What to do with baselines.
#[derive(Debug, Subcommand)]
pub enum Baseline {
    /// Keep what results measure like.
    #[command(after_help = "Example:\n  flagfall baseline save out --out baselines/sim.json")]
    Save(BaselineSave),
    /// Say whether results still measure like that.
    #[command(after_help = "Example:\n  flagfall baseline compare baselines/sim.json out --html changes.html")]
    Compare(BaselineCompare),
}

/// Options of `baseline save`.
#[derive(Debug, Args)]
pub struct BaselineSave {
    /// Folders of results of one rig, as `run --out` writes them; of a scenario that is in several all count.
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Options of `baseline compare`.
#[derive(Debug, Args)]
pub struct BaselineCompare {
    /// What `baseline save` has written.
    #[arg(value_name = "BASELINE")]
    pub baseline: PathBuf,
    /// Folders of results of the same rig.
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Put comparison.json and a plot of both distributions of each measure here; an earlier comparison's are replaced.
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// Write one page here that needs nothing else: what has changed first, with both distributions of each measure.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}
