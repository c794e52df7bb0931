//! What is shown of what is asked of a clock: each requirement on each rig.
//!
//! A case counts once on a rig, however many folders hold a run of it, and then with its worst run, so that no failure is
//! hidden by a folder beside it. Nothing is taken for shown because it was shown on another rig.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use flagfall_trace::requirement::{self, Proof, RequirementRow};
use flagfall_trace::{RunRecord, Verdict, open_regular};
use serde::Serialize;

use crate::error::ReportError;
use crate::results::Records;

/// Every requirement on every rig.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The rigs, sorted.
    pub rigs: Vec<String>,
    /// The requirements in the order of their list.
    pub rows: Vec<CoverageRow>,
}

/// One requirement on every rig.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoverageRow {
    /// What is asked.
    #[serde(flatten)]
    pub requirement: RequirementRow,
    /// What came of it on each of [`Coverage::rigs`], in that order.
    pub on: Vec<OnRig>,
}

/// How far a requirement is shown on a rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// At least one case passed and none failed.
    Shown,
    /// At least one case failed.
    Failed,
    /// No case passed or failed: none was run, or none gave an answer.
    Open,
    /// Nothing that a scenario could show, and no case passed or failed.
    NoCase,
}

impl State {
    /// `shown`, `no case`, as tables have it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Failed => "failed",
            Self::Open => "open",
            Self::NoCase => "no case",
        }
    }
}

/// What came of a requirement's cases on a rig.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OnRig {
    /// The rig.
    pub rig: String,
    /// What that comes to.
    pub state: State,
    /// The cases by how they came out, each with its sorted ids; verdicts without any are left out.
    pub cases: BTreeMap<Verdict, Vec<String>>,
}

impl OnRig {
    /// How many cases came out like this.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cases.get(&verdict).map_or(0, Vec::len)
    }
}

impl Coverage {
    /// Of the runs in these folders of results.
    ///
    /// # Errors
    /// [`ReportError`] when results or requirements cannot be read, when a record names a requirement that is on no list,
    /// and when two folders word a requirement differently.
    pub fn read(folders: &[PathBuf]) -> Result<Self, ReportError> {
        let mut tally = Tally::default();
        for folder in folders {
            tally.ask(folder, read_requirements(folder)?)?;
            for line in Records::open(folder)? {
                let (_, record) = line?;
                tally.add(folder, &record)?;
            }
        }
        Ok(tally.finish())
    }

    /// Whether any requirement has this state on any rig.
    #[must_use]
    pub fn any(&self, state: State) -> bool {
        self.rows.iter().flat_map(|row| &row.on).any(|on| on.state == state)
    }
}

/// The requirements that a folder of results was run for.
///
/// # Errors
/// [`ReportError::Io`] when there are none or they cannot be read, [`ReportError::Requirements`] when the file is no list.
pub fn read_requirements(folder: &Path) -> Result<Vec<RequirementRow>, ReportError> {
    let path = folder.join(requirement::FILE);
    let file = open_regular(&path).map_err(|cause| ReportError::Io { doing: "read", path: path.clone(), cause })?;
    serde_json::from_reader(BufReader::new(file)).map_err(|cause| ReportError::Requirements { path, cause })
}

/// The requirements of a folder whose page is written; a folder may hold records alone, and then nothing was asked.
pub(crate) fn requirements_if_any(folder: &Path) -> Result<Option<Vec<RequirementRow>>, ReportError> {
    match read_requirements(folder) {
        Err(ReportError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// Runs that are being counted.
#[derive(Default)]
pub(crate) struct Tally {
    rigs: BTreeSet<String>,
    asked: Vec<RequirementRow>,
    /// The worst verdict of each case: by requirement, rig and scenario.
    worst: BTreeMap<(String, String), BTreeMap<String, Verdict>>,
}

impl Tally {
    /// Adds a list of requirements; what two lists have in common must be the same.
    pub(crate) fn ask(&mut self, folder: &Path, rows: Vec<RequirementRow>) -> Result<(), ReportError> {
        for row in rows {
            match self.asked.iter().find(|asked| asked.id == row.id) {
                None => self.asked.push(row),
                Some(asked) if *asked == row => {}
                Some(_) => {
                    let path = folder.join(requirement::FILE);
                    return Err(ReportError::OtherRequirement { path, id: row.id });
                }
            }
        }
        Ok(())
    }

    pub(crate) fn add(&mut self, folder: &Path, record: &RunRecord) -> Result<(), ReportError> {
        self.rigs.insert(record.rig.clone());
        for id in &record.requirements {
            if !self.asked.iter().any(|asked| asked.id == *id) {
                return Err(ReportError::UnknownRequirement {
                    path: folder.join(requirement::FILE),
                    scenario: record.scenario.clone(),
                    id: id.clone(),
                });
            }
            let cases = self.worst.entry((id.clone(), record.rig.clone())).or_default();
            let worst = cases.entry(record.scenario.clone()).or_insert(record.verdict);
            *worst = record.verdict.max(*worst);
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Coverage {
        let rigs: Vec<String> = self.rigs.into_iter().collect();
        let mut rows = Vec::new();
        for requirement in self.asked {
            let on = rigs.iter().map(|rig| {
                let worst = self.worst.remove(&(requirement.id.clone(), rig.clone())).unwrap_or_default();
                on_rig(&requirement.proof, rig, worst)
            });
            let on = on.collect();
            rows.push(CoverageRow { requirement, on });
        }
        Coverage { rigs, rows }
    }
}

fn on_rig(proof: &Proof, rig: &str, worst: BTreeMap<String, Verdict>) -> OnRig {
    let mut cases: BTreeMap<Verdict, Vec<String>> = BTreeMap::new();
    for (scenario, verdict) in worst {
        cases.entry(verdict).or_default().push(scenario);
    }
    let state = if cases.contains_key(&Verdict::Fail) {
        State::Failed
    } else if cases.contains_key(&Verdict::Pass) {
        State::Shown
    } else if matches!(proof, Proof::NoCase(_)) {
        State::NoCase
    } else {
        State::Open
    };
    OnRig { rig: rig.to_owned(), state, cases }
}
