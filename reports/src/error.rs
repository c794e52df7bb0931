//! Why there is no report.

use std::io;
use std::path::PathBuf;

use flagfall_trace::{RunRecord, TraceFileError};
use plotters::drawing::DrawingAreaErrorKind;

/// A report that cannot be made; no half of one is left behind.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The file system refused: look at the path and the cause.
    #[error("cannot {doing} {path}: {cause}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// A run was ended in the moment in which it put new results into the place of these: the next run into this folder
    /// puts them back, or move them yourself.
    #[error("{folder} has no results: a run was ended while it replaced them; the earlier ones are in {old}")]
    Replacing {
        /// The folder of results.
        folder: PathBuf,
        /// Where they are.
        old: PathBuf,
    },
    /// A line is no run record: the file was damaged or cut off; run the scenarios again.
    #[error("{path}:{line}: no run record: {cause}")]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, counted from one.
        line: usize,
        /// Where in the line and why.
        cause: serde_json::Error,
    },
    /// A run record of another version: use the flagfall that wrote it.
    #[error(
        "{path}:{line}: run record schema {found}, this flagfall reads {} to {}",
        RunRecord::SCHEMA_READ,
        RunRecord::SCHEMA
    )]
    Schema {
        /// Which file.
        path: PathBuf,
        /// Which line, counted from one.
        line: usize,
        /// Its schema.
        found: u32,
    },
    /// The file is no list of requirements: it was damaged or is of another version; run the scenarios again.
    #[error("{path} is no list of requirements: {cause}")]
    Requirements {
        /// Which file.
        path: PathBuf,
        /// Where in it and why.
        cause: serde_json::Error,
    },
    /// The file is no list of rulebooks: it was damaged or is of another version; run the scenarios again.
    #[error("{path} is no list of rulebooks: {cause}")]
    Rulebooks {
        /// Which file.
        path: PathBuf,
        /// Where in it and why.
        cause: serde_json::Error,
    },
    /// A record names a requirement that the list beside it lacks: files of two runs are mixed; run again.
    #[error("{path} has no requirement {id}, but the run record of {scenario} names it")]
    UnknownRequirement {
        /// The list.
        path: PathBuf,
        /// The scenario of the record.
        scenario: String,
        /// What it names.
        id: String,
    },
    /// Two folders were run for requirements of one id that differ: run both with one flagfall.
    #[error("{path} words requirement {id} otherwise than a folder before it")]
    OtherRequirement {
        /// The later list.
        path: PathBuf,
        /// Which requirement.
        id: String,
    },
    /// A trace that a record names cannot be read: run the scenarios again.
    #[error(transparent)]
    Trace(#[from] TraceFileError),
    /// A run record names a trace that is not in its folder: somebody has changed it.
    #[error("the run record of {scenario} names a trace outside its folder: {path}")]
    Outside {
        /// Which trace.
        path: PathBuf,
        /// The scenario of the record.
        scenario: String,
    },
    /// A trace is not the one that was judged: files of two runs are mixed, or one was changed; run again.
    #[error("{path} has hash {found}, but the run record of {scenario} was made from {expected}")]
    OtherTrace {
        /// Which trace.
        path: PathBuf,
        /// The scenario of the record.
        scenario: String,
        /// The hash in the record.
        expected: String,
        /// The hash of the file.
        found: String,
    },
    /// The plotter failed: a defect of flagfall, please report it.
    #[error("cannot draw a plot: {0}")]
    Plot(String),
    /// The XML writer failed: a defect of flagfall, please report it.
    #[error("cannot write JUnit XML: {0}")]
    Junit(#[from] quick_junit::SerializeError),
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for ReportError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self::Plot(error.to_string())
    }
}
