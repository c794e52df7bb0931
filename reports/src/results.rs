//! Reads a folder of results back.

use std::path::Path;

use flagfall_trace::{RunRecord, Trace};

use crate::error::ReportError;

/// The file of run records in a folder of results.
const RESULTS: &str = "results.jsonl";

/// The run records of a folder, in the order of their lines; empty lines are passed over.
///
/// # Errors
/// [`ReportError::Io`] when `results.jsonl` cannot be read, [`ReportError::Line`] and [`ReportError::Schema`] with the
/// line that holds no record of this version.
pub fn read_results(folder: &Path) -> Result<Vec<RunRecord>, ReportError> {
    let path = folder.join(RESULTS);
    let text =
        std::fs::read_to_string(&path).map_err(|cause| ReportError::Io { doing: "read", path: path.clone(), cause })?;
    let mut records = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line_number = index + 1;
        let record: RunRecord = serde_json::from_str(line).map_err(|cause| ReportError::Line {
            path: path.clone(),
            line: line_number,
            cause,
        })?;
        if record.schema != RunRecord::SCHEMA {
            return Err(ReportError::Schema { path, line: line_number, found: record.schema });
        }
        records.push(record);
    }
    Ok(records)
}
/// A run record with its trace.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) record: RunRecord,
    pub(crate) trace: Option<Trace>,
}

/// The run records of a folder with their traces, sorted by scenario and rig.
pub(crate) fn read_runs(folder: &Path) -> Result<Vec<Run>, ReportError> {
    let mut runs = Vec::new();
    for record in read_results(folder)? {
        let trace = match &record.trace_file {
            Some(file) => Some(read_trace(folder, file, &record)?),
            None => None,
        };
        runs.push(Run { record, trace });
    }
    runs.sort_by(|a, b| (&a.record.scenario, &a.record.rig).cmp(&(&b.record.scenario, &b.record.rig)));
    Ok(runs)
}

fn read_trace(folder: &Path, file: &str, record: &RunRecord) -> Result<Trace, ReportError> {
    let path = folder.join(file);
    let trace = Trace::read(&path)?;
    let found = trace.hash().to_string();
    match &record.trace_hash {
        Some(expected) if *expected != found => {
            Err(ReportError::OtherTrace { path, scenario: record.scenario.clone(), expected: expected.clone(), found })
        }
        _ => Ok(trace),
    }
}
