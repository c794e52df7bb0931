//! The folder of results: written beside its place and moved there, so that it is whole or absent.

use std::io;
use std::path::{Path, PathBuf};

use flagfall_reports::ReportError;
use flagfall_trace::{RunRecord, Trace, TraceFileError};
use serde::Serialize;

use crate::case::Judged;

/// The file with one run record a line.
pub const RESULTS: &str = "results.jsonl";

/// The folder of traces below the results.
pub const TRACES: &str = "traces";

/// The page.
pub const PAGE: &str = "index.html";

/// The file with what the host took for each: apart from the results, because it differs from run to run.
pub const HOST: &str = "host.jsonl";

/// How long the host took for one scenario.
#[derive(Serialize)]
struct HostRecord<'a> {
    scenario: &'a str,
    rig: &'a str,
    host_us: u64,
}

fn json_lines<T: Serialize>(rows: impl Iterator<Item = T>) -> String {
    let mut lines = String::new();
    for row in rows {
        lines += &serde_json::to_string(&row).expect("a row has string keys only");
        lines.push('\n');
    }
    lines
}

/// Results that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The place is taken by something that no run has written: choose another, or move it away.
    #[error("{place} cannot be replaced by results, because no run wrote {foreign}: choose another place with --out")]
    Taken {
        /// The place.
        place: PathBuf,
        /// What is there.
        foreign: PathBuf,
    },
    /// The file system refused.
    #[error("cannot write results to {path}: {cause}")]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A trace could not be written.
    #[error(transparent)]
    Trace(#[from] TraceFileError),
    /// A page or an XML could not be made.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// A folder of results that is being filled beside its place.
#[derive(Debug)]
pub struct Results {
    /// As the user named it, for what is said to him.
    named: PathBuf,
    place: PathBuf,
    beside: PathBuf,
}

impl Results {
    /// Begins a folder that will stand at `place`.
    ///
    /// # Errors
    /// [`ResultsError::Taken`] before anything is run, so that no work is lost.
    pub fn begin(place: &Path) -> Result<Self, ResultsError> {
        // `out/` and `out` are one place, and a link to a folder stands for the folder.
        let named = place.components().collect();
        let place = &place.canonicalize().unwrap_or_else(|_| place.components().collect());
        match foreign_to_results(place) {
            Ok(None) => {}
            Ok(Some(foreign)) => return Err(ResultsError::Taken { place: place.clone(), foreign }),
            Err(cause) => return Err(ResultsError::Io { path: place.clone(), cause }),
        }
        remove_parts_of_the_dead(place);
        let beside = part_of(place, std::process::id());
        let io = |cause| ResultsError::Io { path: beside.clone(), cause };
        std::fs::create_dir_all(&beside).map_err(io)?;
        Ok(Self { named, place: place.to_owned(), beside })
    }

    /// Adds a trace at its place below the folder.
    ///
    /// # Errors
    /// [`ResultsError::Trace`] when it cannot be written.
    pub fn add_trace(&self, file: &str, trace: &Trace) -> Result<(), ResultsError> {
        Ok(trace.write(&self.beside.join(file))?)
    }

    /// Writes the records and the page, then moves everything into place; the path of the page.
    ///
    /// # Errors
    /// [`ResultsError`]; what stood at the place before is still there then.
    pub fn finish(self, judged: &[Judged]) -> Result<PathBuf, ResultsError> {
        let records = json_lines(judged.iter().map(|one| &one.record));
        let host = json_lines(judged.iter().map(|one| HostRecord {
            scenario: &one.record.scenario,
            rig: &one.record.rig,
            host_us: u64::try_from(one.took.as_micros()).unwrap_or(u64::MAX),
        }));
        let io = |cause| ResultsError::Io { path: self.place.clone(), cause };
        std::fs::write(self.beside.join(RESULTS), records).map_err(io)?;
        std::fs::write(self.beside.join(HOST), host).map_err(io)?;
        let page = flagfall_reports::write_page(&self.beside)?;
        let page = page.strip_prefix(&self.beside).unwrap_or(Path::new("index.html")).to_owned();
        if self.place.exists() {
            let mut old = self.beside.as_os_str().to_owned();
            old.push(".old");
            std::fs::rename(&self.place, &old).map_err(io)?;
            std::fs::rename(&self.beside, &self.place).map_err(io)?;
            std::fs::remove_dir_all(&old).map_err(io)?;
        } else {
            std::fs::rename(&self.beside, &self.place).map_err(io)?;
        }
        Ok(self.named.join(page))
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        // Moved into place, or the run failed with its own error: a leftover part is only litter.
        let _ = std::fs::remove_dir_all(&self.beside);
    }
}

/// Where a process fills the folder that will stand at `place`.
fn part_of(place: &Path, process: u32) -> PathBuf {
    let mut beside = place.as_os_str().to_owned();
    beside.push(format!(".{process}.part"));
    PathBuf::from(beside)
}

/// Removes what processes left that were ended before they could; where that cannot be known nothing is removed.
fn remove_parts_of_the_dead(place: &Path) {
    let processes = Path::new("/proc");
    let (Some(name), Some(folder)) = (place.file_name(), place.parent()) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let other = entry.file_name();
        let number = other.to_str().zip(name.to_str()).and_then(|(other, name)| {
            other.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".part")?.parse::<u32>().ok()
        });
        if let Some(number) = number
            && processes.join("self").exists()
            && !processes.join(number.to_string()).exists()
        {
            // Litter: that it cannot be removed is no reason not to run.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// What stands at the place that no run has written: the place itself if it is no folder, or an entry that no run makes.
/// Reports that were put there with `--junit` are replaced with the rest.
fn foreign_to_results(place: &Path) -> io::Result<Option<PathBuf>> {
    let entries = match std::fs::read_dir(place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Some(place.to_owned())),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
        let ours = [RESULTS, HOST, PAGE, TRACES].contains(&name) || name.ends_with(".xml");
        if !ours {
            return Ok(Some(path));
        }
    }
    let results = place.join(RESULTS);
    let text = if results.exists() { std::fs::read_to_string(&results)? } else { String::new() };
    let first = text.lines().next();
    let written_by_a_run = first.is_none_or(|line| serde_json::from_str::<RunRecord>(line).is_ok());
    Ok((!written_by_a_run).then_some(results))
}
