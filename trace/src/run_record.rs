//! One line of `results.jsonl`: the truth about one scenario on one rig, from which every report derives.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a check or a scenario came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// The rig lacks what the scenario needs.
    NotApplicable,
    /// The bench cannot resolve the limit.
    Inconclusive,
    /// It was its turn and the run had been interrupted.
    NotRun,
    /// Probe, link, flash, board, harness or budget: nothing is known about the clock.
    Infra,
    /// The file is no scenario; the reason says where it is wrong.
    Unreadable,
    /// The clock or a ruling is wrong.
    Fail,
}

impl Verdict {
    /// `pass`, `fail`, as files and terminals have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::NotApplicable => "not-applicable",
            Self::Inconclusive => "inconclusive",
            Self::NotRun => "not-run",
            Self::Infra => "infra",
            Self::Unreadable => "unreadable",
            Self::Fail => "fail",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a verdict is about; a wrong ruling never paints the clock red.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// The clock under test.
    Clock,
    /// What a rulebook rules.
    Ruling,
    /// The bench itself.
    Bench,
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What it is about.
    pub subject: Subject,
    /// The rulebook, for a ruling.
    pub rulebook: Option<String>,
    /// How it came out.
    pub verdict: Verdict,
    /// What was checked, in a few words: `remaining(white)`, `result under cbx`.
    pub what: String,
    /// What should have been, and, where a bound decides, the bound with its terms.
    pub expected: String,
    /// What was.
    pub found: String,
    /// The line of the scenario file that asked for it.
    pub line: Option<u32>,
}

/// How much of a bound was used: how far something was off at worst, and how far it might have been there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Margin {
    /// What is held to the bound: `time left`.
    pub of: String,
    /// How far it was off, in nanoseconds.
    pub off_ns: u64,
    /// How far it might have been, in nanoseconds; above zero.
    pub bound_ns: u64,
    /// When that was, in nanoseconds of true time.
    pub at_ns: i64,
}

/// What a rulebook ruled: once, or again and again in the same words.
///
/// Rulings of one point that follow each other and differ in their figures alone are one row with a [`count`](Self::count).
/// What ends the game and what the scenario expects has a row of its own. The sentence that goes with a row stands in
/// `rulebooks.json`, once for each rulebook and point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulingRow {
    /// Key of the rulebook.
    pub rulebook: String,
    /// When, in nanoseconds of true time; the first time, of several.
    pub at_ns: i64,
    /// When for the last time, of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_ns: Option<i64>,
    /// How many rulings the row stands for; outcome and evidence are those of the last.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub count: u32,
    /// Rule point of the catalogue: `H2`.
    pub point: String,
    /// `decided`, `silent`, `discretion`, `needs` or `void`.
    pub ruling: String,
    /// The outcome as scenarios write it (`result: draw`), or for `needs` the fact and what each answer gives.
    pub outcome: String,
    /// The article as the rulebook numbers it.
    pub article: Option<String>,
    /// `stated` or `literal`.
    pub strength: Option<String>,
    /// Facts that the ruling rests on.
    pub evidence_used: Vec<String>,
    /// Facts that it may not rest on.
    pub evidence_refused: Vec<String>,
}

const fn once() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_once(count: &u32) -> bool {
    *count == 1
}

/// The truth about one scenario on one rig.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Version of this form: 3.
    pub schema: u32,
    /// `family/file-stem`; the path, where what stands in the way of scenarios has no id.
    pub scenario: String,
    /// What the scenario is about, in its own words; the path of a file whose words nobody knows.
    pub title: String,
    /// Rule points that it is a case for.
    pub points: Vec<String>,
    /// Requirements for clocks that it is a proof of, by their ids in `requirements.json`, sorted.
    pub requirements: Vec<String>,
    /// `sim`, `virtual-board`, or a probe's serial.
    pub rig: String,
    /// The worst of the checks.
    pub verdict: Verdict,
    /// Why there is no trace: the reason of `not-applicable` or `not-run`, the cause of `infra`, or everything that is
    /// wrong with a file that is `unreadable`.
    pub reason: Option<String>,
    /// Everything that was checked.
    pub checks: Vec<Check>,
    /// How much of its bounds the clock used; none where nothing but the exact time is right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub margins: Vec<Margin>,
    /// Everything that was ruled.
    pub rulings: Vec<RulingRow>,
    /// Hash of the trace, 16 digits.
    pub trace_hash: Option<String>,
    /// The trace, relative to the folder of the results.
    pub trace_file: Option<String>,
    /// What was tried before; only where the bench failed and it was tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retried: Option<Retried>,
}

/// Tries before the one that counts, in each of which the bench failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// How many.
    pub times: u32,
    /// Why the first of them failed.
    pub first_cause: String,
}

impl RunRecord {
    /// The version of the form.
    pub const SCHEMA: u32 = 3;

    /// The oldest version that is read: of version 2 each ruling has a row, with its sentence in it.
    pub const SCHEMA_READ: u32 = 2;

    /// The verdict that these checks add up to: the worst one, and `pass` only if there is at least one.
    #[must_use]
    pub fn worst(checks: &[Check]) -> Verdict {
        checks.iter().map(|check| check.verdict).max().unwrap_or(Verdict::Infra)
    }
}
