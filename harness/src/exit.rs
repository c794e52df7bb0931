//! Exit codes; the first that applies in this order is the program's.

use std::process::ExitCode;

use flagfall_trace::Verdict;

/// What a run came to, as a shell sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exit {
    /// 0: everything that ran passed.
    #[default]
    Passed,
    /// 1: a clock or a ruling is wrong.
    Failed,
    /// 2: wrong usage, or a scenario, rulebook or board file that is wrong.
    BadInput,
    /// 3: probe, link, flash, board, harness or budget, or the run was interrupted; nothing is known about what was to be
    /// tested.
    Infra,
    /// 4: the bench cannot resolve a limit.
    Inconclusive,
}

impl Exit {
    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Failed => 1,
            Self::BadInput => 2,
            Self::Infra => 3,
            Self::Inconclusive => 4,
        }
    }

    /// The exit that a verdict asks for by itself.
    #[must_use]
    pub const fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass | Verdict::NotApplicable => Self::Passed,
            Verdict::Fail => Self::Failed,
            Verdict::Unreadable => Self::BadInput,
            Verdict::Infra | Verdict::NotRun => Self::Infra,
            Verdict::Inconclusive => Self::Inconclusive,
        }
    }

    /// This exit or the other, whichever applies first in the order 1, 2, 3, 4; 0 gives way to all.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Passed, exit) | (exit, Self::Passed) => exit,
            (one, two) => {
                if one.code() <= two.code() {
                    one
                } else {
                    two
                }
            }
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_applies_wins() {
        let of = |exits: &[Exit]| exits.iter().fold(Exit::Passed, |sum, exit| sum.and(*exit)).code();
        assert_eq!(of(&[]), 0);
        assert_eq!(of(&[Exit::Inconclusive, Exit::Infra]), 3);
        assert_eq!(of(&[Exit::Infra, Exit::BadInput, Exit::Passed]), 2);
        assert_eq!(of(&[Exit::Inconclusive, Exit::Failed, Exit::BadInput]), 1);
    }
}
