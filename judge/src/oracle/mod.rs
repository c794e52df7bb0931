//! Is the clock right? Four independent looks at one trace.
//!
//! - [`resolve()`] computes instants before a run, on an exact clock.
//! - The **arithmetic** look reckons in closed form what must follow from the device's own stamps: exact, bound zero.
//! - The **true-time** look compares device stamps with the instants at which the bench really pressed, within a bound
//!   that is computed and printed with its terms, and says what the time left would be on an exact clock.
//! - The **invariants** hold for any control: who does not run loses nothing, a flag is down if and only if nothing is
//!   left, nothing is credited after a fall.
//! - The **display** look compares the digits with the time that the clock itself says is left.
//!
//! An analogue clock has its own look (`oracle::dial`): hands against what was done, flags against hands. So has a clock
//! that says nothing and is watched (`oracle::watched`): what its memory shows against what was done.
//!
//! Achieved instants are judged, never requested ones.

mod arithmetic;
mod bound;
mod contacts;
mod dial;
mod display;
mod expected;
mod foreseen;
mod gap;
mod invariants;
mod kept;
mod margin;
mod reckoning;
mod resolve;
mod stamps;
mod time_base;
mod true_time;
mod watched;

use std::fmt;

use flagfall_core::{Side, TrueTime};
use flagfall_trace::Trace;

pub use bound::{Bound, Limits, Watched};
pub use expected::{check_clock, check_expectations};
pub use gap::smallest_gap_to_a_flag_ns;
pub use kept::check_kept;
pub use margin::{Held, Used};
pub use resolve::{ResolveCause, ResolveError, resolve};
pub use time_base::{TimeBase, check_time_base};

use crate::expectation::Wrong;

impl fmt::Display for Wrong {
    /// As scenarios write it: `remaining(white)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, side) = match self {
            Self::Remaining(side) => ("remaining", Some(side)),
            Self::Arithmetic(side) => ("arithmetic", Some(side)),
            Self::Flag(side) => ("flag", Some(side)),
            Self::Press(side) => ("press", Some(side)),
            Self::Counter(side) => ("counter", Some(side)),
            Self::Running => ("running", None),
            Self::TimeBase => ("time-base", None),
            Self::Display(side) => ("display", Some(side)),
            Self::Battery => ("battery", None),
        };
        match side {
            Some(side) => write!(f, "{word}({side})"),
            None => f.write_str(word),
        }
    }
}

/// One thing that is wrong, where it is seen first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub wrong: Wrong,
    /// When, by the bench's estimate.
    pub at: TrueTime,
    /// What should have been, with the bound and its terms where one decides.
    pub expected: String,
    /// What was.
    pub found: String,
}

/// What the oracle makes of a trace.
#[derive(Clone, Debug, Default)]
pub struct Examination {
    /// What is wrong, each thing once, where it is seen first; in order of time.
    pub findings: Vec<Finding>,
    /// For each record, how far its stamp and times may be from an exact clock's.
    pub bounds: Vec<Bound>,
    /// When an exact clock would have noticed each act that left a record, had it been as quick as this one.
    pub noticed: Vec<Noticed>,
    /// How much of its bound was used at most, of each thing that is held to one.
    pub used: Vec<Used>,
}

/// An act and the instant at which it was noticed: where the device's stamp puts it, as far as the bench saw it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noticed {
    /// Index into the plan's steps.
    pub step: u32,
    /// When, in ticks of an exact clock since the beginning of the run.
    pub tick: u64,
    /// When by the device's own stamp, in its ticks since the beginning of the run.
    pub stamp: u64,
    /// How many ticks after the earliest instant at which it can have happened.
    pub late_ticks: u64,
}

impl Examination {
    fn find(&mut self, finding: Finding) {
        match self.findings.iter_mut().find(|known| known.wrong == finding.wrong) {
            Some(known) if finding.at < known.at => *known = finding,
            Some(_) => {}
            None => self.findings.push(finding),
        }
    }

    /// The largest bound of the run, if there is any record.
    #[must_use]
    pub fn largest_bound(&self) -> Option<&Bound> {
        self.bounds.iter().max_by_key(|bound| bound.ticks())
    }

    /// How the act of a step was noticed, if it left a record.
    #[must_use]
    pub fn noticed(&self, step: u32) -> Option<&Noticed> {
        self.noticed.iter().find(|noticed| noticed.step == step)
    }
}

/// Examines a trace of a rig with these limits.
#[must_use]
pub fn examine(trace: &Trace, limits: &Limits) -> Examination {
    let mut examination = Examination::default();
    if let Some(dial) = trace.plan.clock_kind.dial() {
        dial::examine(trace, dial, &mut examination);
        examination.findings.sort_by_key(|finding| (finding.at, finding.wrong));
        return examination;
    }
    if let Some(seen) = limits.watched.filter(|_| trace.watched) {
        watched::examine(trace, limits, &seen, &mut examination);
        examination.findings.sort_by_key(|finding| (finding.at, finding.wrong));
        return examination;
    }
    arithmetic::examine(trace, &mut examination);
    invariants::examine(trace, &mut examination);
    display::examine(trace, &mut examination);
    true_time::examine(trace, limits, &mut examination);
    examination.findings.sort_by_key(|finding| (finding.at, finding.wrong));
    examination
}

/// Ticks as seconds with all their digits, for people.
fn seconds(ticks: i128, trace: &Trace) -> String {
    let hz = i128::from(trace.plan.tick_rate.hz());
    let sign = if ticks < 0 { "-" } else { "" };
    let ticks = ticks.abs();
    format!("{sign}{}.{:06} s", ticks / hz, ticks % hz * 1_000_000 / hz)
}

fn sides() -> [Side; 2] {
    Side::ALL
}
