//! The command line of `measure`.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use flagfall_reports::statistics::Mask;
use flagfall_scenarios::read_text;

use super::bench::duration;

pub(super) const MEASURE_HELP: &str = "\
The counter of the board's time base is read through the probe between two instants of the host's monotonic clock. The rate \
comes with the interval that is certain, as long as it is constant, and with the one that is likely; an interval that is \
empty proves that the rate changed. How far the host's clock may be off is added: chrony is asked, where it does not \
answer the kernel (by adjtimex, busybox or ntptime), and where that knows no better, 50 ppm. \
With --limit it is over as soon as the whole interval lies on one side: pass, fail, or at the end of --for inconclusive. \
A limit is strict (2 ms + 20 ppm), crystal (20 ms + 50 ppm), lenient (100 ms + 278 ppm), or a file of your own:
  {mask: club, step: 5ms, rate: 30ppm}
An emulated board has no physical time base: its counter is compared with another one that runs from the same clock, and \
what is found is arithmetic.
Exit codes: 0 measured, and within the limit if there is one; 1 beyond it, or the firmware crashed; 2 wrong usage or a \
wrong file; 3 the bench failed, or it was interrupted: what was measured until then is kept; 4 not decided, \
or nothing learned of the rate.

Examples:
  flagfall measure --board boards/virtual-f405.yaml                          what can be known in a minute
  flagfall measure --board boards/olimex-h405.yaml --limit crystal --for 10m
  flagfall measure --board my-bench.yaml --limit club.yaml --host-off 0.1ppm
  flagfall measure --board boards/virtual-f405.yaml --fault prescaler:+1      does the bench see a count too many?
  flagfall measure --board my-bench.yaml --out out-measure --json | jq .rate";

/// Options of `measure`.
#[derive(Debug, Args)]
pub struct Measure {
    /// The board.
    #[arg(long, value_name = "FILE")]
    pub board: PathBuf,
    /// What is to be kept: strict, crystal, lenient, or a file [default: nothing is decided].
    #[arg(long, value_name = "NAME|FILE")]
    pub limit: Option<String>,
    /// Measure so long at most, in time of the reference.
    #[arg(long = "for", value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub span: Duration,
    /// The host's clock is off by no more than this, whoever says so: 0.1ppm, 20ppb [default: what chrony or the kernel says, or 50ppm].
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub host_off: Option<Rate>,
    /// Let something be wrong through the probe: a prescaler that counts N more or fewer (`prescaler:+1`).
    #[arg(long, value_name = "FAULT", allow_hyphen_values = true)]
    pub fault: Option<MeasureFault>,
    /// Put measure.json, reads.csv and round-trips.svg here; an earlier measurement's folder is replaced, unless anything
    /// else is in it.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Wait so long for a probe that somebody else has: 10m, 1h30m [default: not at all].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub wait: Option<Duration>,
    /// One JSON object.
    #[arg(long)]
    pub json: bool,
}

/// A rate that is not below zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// In parts per billion.
    pub ppb: u64,
}

/// What can be made wrong for a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureFault {
    /// The prescaler of the time base counts so many more.
    Prescaler(i32),
}

impl FromStr for MeasureFault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let counts = text.strip_prefix("prescaler:").and_then(|counts| counts.parse::<i32>().ok());
        let counts = counts.filter(|counts| *counts != 0);
        counts.map(Self::Prescaler).ok_or_else(|| "prescaler:+N or prescaler:-N".to_owned())
    }
}

fn rate(text: &str) -> Result<Rate, String> {
    // The same digits and units as a mask has.
    let mask = Mask::from_yaml(&format!("{{mask: host, step: 0s, rate: \"{}\"}}", text.replace(['"', '\\'], "?")));
    mask.map(|mask| Rate { ppb: mask.rate_ppb }).map_err(|error| error.to_string())
}

/// The limit of this name, or the one in this file.
///
/// # Errors
/// Why there is none.
pub fn limit(text: &str) -> Result<Mask, String> {
    if let Some(mask) = Mask::shipped(text) {
        return Ok(mask);
    }
    let shipped = Mask::SHIPPED.join(", ");
    let file = read_text(Path::new(text))
        .map_err(|error| format!("{text} is none of {shipped}, and cannot be read as a file: {error}"))?;
    Mask::from_yaml(&file).map_err(|error| format!("{text}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_a_number_of_counts_and_a_host_is_off_by_a_rate() {
        assert_eq!("prescaler:+1".parse(), Ok(MeasureFault::Prescaler(1)));
        assert_eq!("prescaler:-3".parse(), Ok(MeasureFault::Prescaler(-3)));
        for text in ["prescaler:0", "prescaler:", "prescaler:1.5", "rate:1", ""] {
            assert!(text.parse::<MeasureFault>().is_err(), "{text}");
        }
        assert_eq!(rate("0.1ppm"), Ok(Rate { ppb: 100 }));
        assert!(rate("0.1").is_err() && rate("1s").is_err() && rate("\"}").is_err());
        assert_eq!(limit("strict"), Ok(Mask::shipped("strict").expect("one")));
        assert!(limit("no-such").is_err_and(|error| error.starts_with("no-such is none of strict, crystal, lenient")));
    }
}
