//! What a clock measured like at an earlier time, and whether it still does.
//!
//! A [`Baseline`] keeps of each scenario the sum and the number of a few measures, and of all together their distribution: it
//! is small enough to be committed. [`Comparison`] pairs the scenarios of two of them and says of each measure whether it has
//! changed. On a rig without chance, which is the simulator, any difference is a change; elsewhere a change is one that
//! chance does not explain ([`PairedChange`]) and that is large enough to matter.
//!
//! What a single run did wrong is the oracle's matter; here nothing is right or wrong, only other than before.
//!
//! [`PairedChange`]: crate::statistics::PairedChange

mod comparison;
mod measure;
mod page;
mod samples;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flagfall_trace::bench_record::Technique;
use flagfall_trace::open_regular;
use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::page::bench;
use crate::results::{Records, trace_of};
use crate::statistics::nearest_rank;

pub use comparison::{ALPHA, Change, Comparison, Row};
pub use measure::Measure;
use samples::Samples;

/// The version of the form; a reader refuses others.
pub const SCHEMA: u32 = 1;

/// The rig in which everything repeats to the bit.
const WITHOUT_CHANCE: &str = "sim";

/// What runs of one rig measured like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// [`SCHEMA`].
    pub schema: u32,
    /// `sim`, `virtual-board`, or a probe's serial.
    pub rig: String,
    /// Each measure of which there are values.
    pub measures: Vec<Measured>,
}

/// A measure over all scenarios that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Which.
    pub measure: Measure,
    /// `ns` or `ppb`.
    pub unit: String,
    /// A change of the mean by less than this does not matter; may be edited.
    pub smallest: u64,
    /// The distribution of all values: what 0 %, 1 % ... 100 % of them do not exceed, by nearest rank.
    pub percentiles: Vec<i64>,
    /// By scenario, how many values there are, and their sum.
    pub scenarios: BTreeMap<String, (u64, i64)>,
}

/// Why there is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The results cannot be read.
    #[error(transparent)]
    Results(#[from] ReportError),
    /// The results are of several rigs, of which each has a baseline of its own: run them into folders of their own.
    #[error("results of {one} and of {other} make no baseline: take the folders of one rig")]
    Rigs {
        /// One.
        one: String,
        /// Another.
        other: String,
    },
    /// Nothing in the results can be measured: no run has a trace.
    #[error("nothing to measure: none of the runs has a trace of a clock that counts")]
    Nothing,
    /// The file cannot be read.
    #[error("cannot read {path}: {cause}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The file is no baseline: save it anew.
    #[error("{path} is no baseline: {cause}")]
    Form {
        /// Which.
        path: PathBuf,
        /// Where and why.
        cause: serde_json::Error,
    },
    /// The file has another version: save it anew, or use the flagfall that wrote it.
    #[error("{path} is a baseline of schema {found}, this flagfall reads {SCHEMA}")]
    Schema {
        /// Which.
        path: PathBuf,
        /// Its schema.
        found: u64,
    },
    /// A baseline of one rig says nothing of another.
    #[error("the baseline is of {one}, the results are of {other}: compare what ran on one rig")]
    OtherRig {
        /// The baseline's.
        one: String,
        /// The results'.
        other: String,
    },
    /// No scenario of the baseline was run.
    #[error("no scenario of the baseline is among the results")]
    NoPair,
}

impl Baseline {
    /// What the results in these folders, which are of one rig, measured like; of a scenario that was run several times all
    /// values count.
    ///
    /// # Errors
    /// [`BaselineError`].
    pub fn of(folders: &[PathBuf]) -> Result<Self, BaselineError> {
        let mut rig: Option<String> = None;
        let mut samples = Samples::default();
        for folder in folders {
            let jumped = bench::read(folder)?.is_some_and(|bench| bench.technique == Technique::Jumped);
            for line in Records::open(folder)? {
                let (_, record) = line?;
                let Some(trace) = trace_of(folder, &record)? else { continue };
                let one = rig.get_or_insert_with(|| record.rig.clone());
                if *one != record.rig {
                    return Err(BaselineError::Rigs { one: one.clone(), other: record.rig });
                }
                samples.add(&record.scenario, &trace, jumped);
            }
        }
        let measures: Vec<Measured> = samples.0.into_iter().map(|(measure, by)| Measured::of(measure, by)).collect();
        match rig {
            Some(rig) if !measures.is_empty() => Ok(Self { schema: SCHEMA, rig, measures }),
            _ => Err(BaselineError::Nothing),
        }
    }

    /// A baseline that was written.
    ///
    /// # Errors
    /// [`BaselineError`] with the place.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let mut text = String::new();
        open_regular(path)
            .and_then(|mut file| file.read_to_string(&mut text))
            .map_err(|cause| BaselineError::Io { path: path.to_owned(), cause })?;
        let form = |cause| BaselineError::Form { path: path.to_owned(), cause };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(form)?;
        if let Some(found) = value["schema"].as_u64().filter(|found| *found != u64::from(SCHEMA)) {
            return Err(BaselineError::Schema { path: path.to_owned(), found });
        }
        // From the text, for the place of what is wrong.
        serde_json::from_str(&text).map_err(form)
    }

    /// The file: a line for each scenario, so that a difference can be read.
    #[must_use]
    pub fn json(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let measures = self.measures.iter().map(|measured| {
            let percentiles: Vec<String> = measured.percentiles.iter().map(i64::to_string).collect();
            let scenarios: Vec<String> = measured
                .scenarios
                .iter()
                .map(|(scenario, (n, sum))| format!("      {}: [{n}, {sum}]", quoted(scenario)))
                .collect();
            format!(
                "    {{\n      \"measure\": {},\n      \"unit\": {},\n      \"smallest\": {},\n      \"percentiles\": [{}],\n      \
                 \"scenarios\": {{\n{}\n      }}\n    }}",
                quoted(measured.measure.name()),
                quoted(&measured.unit),
                measured.smallest,
                percentiles.join(", "),
                scenarios.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join(",\n")
            )
        });
        format!(
            "{{\n  \"schema\": {},\n  \"rig\": {},\n  \"measures\": [\n{}\n  ]\n}}\n",
            self.schema,
            quoted(&self.rig),
            measures.collect::<Vec<_>>().join(",\n")
        )
    }

    /// How many scenarios have a measure.
    #[must_use]
    pub fn scenarios(&self) -> usize {
        let mut names: Vec<&String> = self.measures.iter().flat_map(|measured| measured.scenarios.keys()).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    }

    fn is_without_chance(&self) -> bool {
        self.rig == WITHOUT_CHANCE
    }

    fn measured(&self, measure: Measure) -> Option<&Measured> {
        self.measures.iter().find(|measured| measured.measure == measure)
    }
}

impl Measured {
    fn of(measure: Measure, by: BTreeMap<String, Vec<i64>>) -> Self {
        let mut all: Vec<i64> = by.values().flatten().copied().collect();
        all.sort_unstable();
        let percentiles = (0..=100).filter_map(|percent| match percent {
            0 => all.first().copied(),
            percent => nearest_rank(&all, percent * 10),
        });
        Self {
            measure,
            unit: measure.unit().to_owned(),
            smallest: measure.smallest(),
            percentiles: percentiles.collect(),
            scenarios: by
                .into_iter()
                .map(|(scenario, values)| {
                    let sum: i128 = values.iter().copied().map(i128::from).sum();
                    (scenario, (values.len() as u64, i64::try_from(sum).unwrap_or(i64::MAX)))
                })
                .collect(),
        }
    }
}
