//! Reads a folder of results back, one record after the other.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use flagfall_trace::{RunRecord, Trace, open_regular};

use crate::error::ReportError;

/// The file of run records in a folder of results.
const RESULTS: &str = "results.jsonl";

/// The run records of a folder, in the order of their lines; empty lines are passed over.
///
/// # Errors
/// [`ReportError::Io`] when `results.jsonl` cannot be read, [`ReportError::Replacing`] when its folder was being
/// replaced, [`ReportError::Line`] and [`ReportError::Schema`] with the line that holds no record of a version that is read.
pub fn read_results(folder: &Path) -> Result<Vec<RunRecord>, ReportError> {
    Records::open(folder)?.map(|line| line.map(|(_, record)| record)).collect()
}

/// The run records of a folder, each with the place at which its line begins; only one is in memory.
pub(crate) struct Records {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the next line begins.
    at: u64,
    line: usize,
}

impl Records {
    pub(crate) fn open(folder: &Path) -> Result<Self, ReportError> {
        let path = folder.join(RESULTS);
        match open_regular(&path) {
            Ok(file) => Ok(Self { path, file: BufReader::new(file), at: 0, line: 0 }),
            Err(cause) => match moved_away(folder) {
                Some(old) if cause.kind() == io::ErrorKind::NotFound => {
                    Err(ReportError::Replacing { folder: folder.to_owned(), old })
                }
                _ => Err(ReportError::Io { doing: "read", path, cause }),
            },
        }
    }

    /// The record whose line begins here.
    pub(crate) fn at(&mut self, at: u64) -> Result<RunRecord, ReportError> {
        let sought = self.file.seek(SeekFrom::Start(at));
        sought.map_err(|cause| ReportError::Io { doing: "read", path: self.path.clone(), cause })?;
        self.at = at;
        match self.next() {
            Some(line) => line.map(|(_, record)| record),
            None => {
                let cause = io::ErrorKind::UnexpectedEof.into();
                Err(ReportError::Io { doing: "read", path: self.path.clone(), cause })
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<(u64, RunRecord), ReportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let path = || self.path.clone();
        loop {
            let mut text = String::new();
            let begin = self.at;
            match self.file.read_line(&mut text) {
                Ok(0) => return None,
                Ok(read) => self.at += read as u64,
                Err(cause) => return Some(Err(ReportError::Io { doing: "read", path: path(), cause })),
            }
            self.line += 1;
            if text.trim().is_empty() {
                continue;
            }
            let line = self.line;
            return Some(match serde_json::from_str::<RunRecord>(text.trim_end_matches(['\n', '\r'])) {
                Err(cause) => Err(ReportError::Line { path: path(), line, cause }),
                Ok(record) if !(RunRecord::SCHEMA_READ..=RunRecord::SCHEMA).contains(&record.schema) => {
                    Err(ReportError::Schema { path: path(), line, found: record.schema })
                }
                Ok(record) => Ok((begin, record)),
            });
        }
    }
}

/// The trace that a record names, if it names one, and if it is the one that was judged.
pub(crate) fn trace_of(folder: &Path, record: &RunRecord) -> Result<Option<Trace>, ReportError> {
    let Some(file) = &record.trace_file else { return Ok(None) };
    let path = folder.join(file);
    // What was copied from somebody else must not make a report of files elsewhere.
    if !Path::new(file).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(ReportError::Outside { path, scenario: record.scenario.clone() });
    }
    let trace = Trace::read(&path)?;
    let found = trace.hash().to_string();
    match &record.trace_hash {
        Some(expected) if *expected != found => {
            Err(ReportError::OtherTrace { path, scenario: record.scenario.clone(), expected: expected.clone(), found })
        }
        _ => Ok(Some(trace)),
    }
}

/// Where results stand that were moved away to be replaced when the run that did so was ended.
fn moved_away(folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name()?.to_str()?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut found: Vec<PathBuf> = std::fs::read_dir(parent)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let other = path.file_name().and_then(|other| other.to_str()).unwrap_or_default();
            let number = other.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".part.old"));
            number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        })
        .collect();
    found.sort();
    found.pop()
}
