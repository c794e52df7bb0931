//! The command line of `attach`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};
use flagfall_core::TimeControl;
use flagfall_scenarios::control;

use super::bench::duration;

pub(super) const ATTACH_HELP: &str = "\
Both faces and what happens, live; keys press, stop and correct, and are shown in the last lines. `s` saves what was done \
as a scenario: `flagfall check` accepts it, and `flagfall run` replays it. The time of the view is that of the hall; on the \
emulated board, which could run faster, it is held back to it.
Exit codes: 0 left with q or Ctrl-C, 1 the clock crashed or ran past a stop, 2 no terminal or a wrong board file, 3 the \
bench failed.

Examples:
  flagfall attach --sim                               the clock of the simulator
  flagfall attach --sim --control 40/2h,1h
  flagfall attach --board boards/virtual-f405.yaml    the firmware on the emulated board";

/// Options of `attach`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("rig").required(true).args(["board", "sim"])))]
pub struct Attach {
    /// The clock on the board that this file describes.
    #[arg(long, value_name = "FILE")]
    pub board: Option<PathBuf>,
    /// The clock of the simulator, in real time.
    #[arg(long)]
    pub sim: bool,
    /// Wait so long for a probe that somebody else has: 10m, 1h30m [default: not at all].
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "board")]
    pub wait: Option<Duration>,
    /// What the clock is set to, as in a scenario.
    #[arg(long, value_name = "CONTROL", default_value = "5m+3s", value_parser = time_control)]
    pub control: TimeControl,
}

fn time_control(text: &str) -> Result<TimeControl, String> {
    control::parse(text).map_err(|error| error.to_string())
}
