//! The last line of a run.

use std::fmt;
use std::time::Duration;

use flagfall_trace::{TraceHash, Verdict};

use crate::exit::Exit;

/// How many scenarios came out how, on one rig.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The rig's name, and how time passed on it where that is to be told.
    pub rig: String,
    /// All verdicts passing.
    pub passed: usize,
    /// At least one failing.
    pub failed: usize,
    /// None failing, at least one that the bench cannot resolve.
    pub inconclusive: usize,
    /// The bench failed.
    pub infra: usize,
    /// The rig lacks what the scenario needs.
    pub not_applicable: usize,
    /// Files that are no scenario.
    pub unreadable: usize,
    /// Left out because the run was interrupted.
    pub not_run: usize,
    /// How long it took.
    pub took: Duration,
    /// The hash of all traces.
    pub set: Option<TraceHash>,
}

impl Summary {
    /// Of a run on this rig that has just begun.
    #[must_use]
    pub fn new(rig: &str) -> Self {
        Self { rig: rig.to_owned(), ..Self::default() }
    }

    /// Counts one more.
    pub const fn add(&mut self, verdict: Verdict) {
        let count = match verdict {
            Verdict::Pass => &mut self.passed,
            Verdict::Fail => &mut self.failed,
            Verdict::Inconclusive => &mut self.inconclusive,
            Verdict::Infra => &mut self.infra,
            Verdict::NotApplicable => &mut self.not_applicable,
            Verdict::Unreadable => &mut self.unreadable,
            Verdict::NotRun => &mut self.not_run,
        };
        *count += 1;
    }

    /// Whether scenarios were given and none of them was carried out: green would be a lie.
    #[must_use]
    pub const fn ran_nothing(&self) -> bool {
        self.not_applicable > 0 && self.passed + self.failed + self.inconclusive + self.infra == 0
    }

    /// The exit of a run that came out like this.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let mut exit = Exit::Passed;
        for (count, other) in [
            (self.failed, Exit::Failed),
            (self.unreadable, Exit::BadInput),
            (self.infra + self.not_run, Exit::Infra),
            (self.inconclusive, Exit::Inconclusive),
        ] {
            if count > 0 {
                exit = exit.and(other);
            }
        }
        exit
    }
}

impl fmt::Display for Summary {
    /// `36 passed, 0 failed, 0 inconclusive, 0 infra, 0 not applicable on sim in 0.2 s; trace set 9f3c1a…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} inconclusive, {} infra, {} not applicable",
            self.passed, self.failed, self.inconclusive, self.infra, self.not_applicable
        )?;
        for (count, word) in [(self.unreadable, "not readable"), (self.not_run, "not run")] {
            if count > 0 {
                write!(f, ", {count} {word}")?;
            }
        }
        let tenths = self.took.as_millis().div_ceil(100);
        write!(f, " on {} in {}.{} s", self.rig, tenths / 10, tenths % 10)?;
        match self.set {
            Some(set) => write!(f, "; trace set {set}"),
            None => Ok(()),
        }
    }
}
