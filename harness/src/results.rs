//! The folder of results: written beside its place and moved there, so that it is whole or absent.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use flagfall_judge::rulebook::Rulebook;
use flagfall_judge::ruling_rows::rulebook_row;
use flagfall_reports::statistics::Mask;
use flagfall_reports::{Report, ReportError};
use flagfall_scenarios::requirement::fide_clock;
use flagfall_trace::trace::write_whole;
use flagfall_trace::{BenchRecord, RulebookRow, TraceFileError, open_regular};
use serde::{Deserialize, Serialize};

use crate::case::Judged;
use crate::interrupt::Interrupt;
use crate::written::{WRITTEN, Written, below, dissolve, unmovable};

/// The file with one run record a line.
pub const RESULTS: &str = "results.jsonl";

/// The file with what is asked of a clock, so that reports know what was to be shown.
pub const REQUIREMENTS: &str = flagfall_trace::requirement::FILE;

/// The file with what the rulebooks say that ruled, so that records only name them.
pub const RULEBOOKS: &str = flagfall_trace::rulebook_row::FILE;

/// The folder of traces below the results.
pub const TRACES: &str = "traces";

/// The page.
pub const PAGE: &str = "index.html";

/// The folder of the page's plots as PNG, where somebody asked for them.
pub const PLOTS: &str = "plots";

/// What the page says, for programs.
pub const REPORT: &str = "report.json";

/// The file with what the host took for each: apart from the results, because it differs from run to run.
pub const HOST: &str = "host.jsonl";

/// The file that says on what a run on a board was made.
pub const BENCH: &str = flagfall_trace::bench_record::FILE;

/// What is read from a folder of results.
pub const DATA: [&str; 7] = [RESULTS, REQUIREMENTS, RULEBOOKS, HOST, BENCH, TRACES, WRITTEN];

/// What a run writes into its folder.
const OWN: [&str; 10] = [RESULTS, REQUIREMENTS, RULEBOOKS, HOST, BENCH, PAGE, REPORT, TRACES, PLOTS, WRITTEN];

/// How long the host took for one scenario.
#[derive(Serialize)]
struct HostRecord<'a> {
    scenario: &'a str,
    rig: &'a str,
    host_us: u64,
}

/// Results that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The place has something in it that the run before did not put there: choose another, or move it away.
    #[error(
        "{place} cannot be replaced by results: {foreign} is not among what the run before put there; move it away, or \
         choose another place with --out"
    )]
    Taken {
        /// The place.
        place: PathBuf,
        /// What is there.
        foreign: PathBuf,
    },
    /// The place is there and cannot be moved away: name another.
    #[error("{place} cannot be replaced by results: {why}")]
    Unmovable {
        /// The place.
        place: PathBuf,
        /// Why.
        why: &'static str,
    },
    /// The file system refused.
    #[error("cannot write results to {path}: {cause}")]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A file beside the results would take the place of one of theirs: give it another name.
    #[error("{path} is a file of the results themselves: choose another name with {option}")]
    Own {
        /// The file that was named.
        path: PathBuf,
        /// By which option.
        option: &'static str,
    },
    /// A trace could not be written.
    #[error(transparent)]
    Trace(#[from] TraceFileError),
    /// A file beside the results could not be written; everything else is in its place.
    #[error("cannot write {path}: {cause}")]
    Beside {
        /// Where.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A page or an XML could not be made.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// What is written beside the folder of results, if it is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// JUnit XML.
    pub junit: Option<&'a Path>,
    /// A summary in Markdown.
    pub summary: Option<&'a Path>,
    /// What time errors are held to on the page; flagfall's own mask for crystals if none is named.
    pub mask: Option<&'a Mask>,
}

impl<'a> Beside<'a> {
    fn files(&self) -> impl Iterator<Item = (&'static str, &'a Path)> {
        [("--junit", self.junit), ("--summary", self.summary)]
            .into_iter()
            .filter_map(|(option, file)| Some((option, file?)))
    }
}

impl ResultsError {
    /// Whether there is no room, and nothing wrong with what the user wrote.
    #[must_use]
    pub fn is_a_full_disk(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self, Self::Io { cause, .. } if matches!(cause.kind(), FileTooLarge | QuotaExceeded | StorageFull))
    }
}

/// A folder of results that is being filled beside its place: a line for each scenario as it comes, and nothing of it is
/// kept in memory.
#[derive(Debug)]
pub struct Results {
    /// As the user named it, for what is said to him.
    named: PathBuf,
    place: PathBuf,
    beside: PathBuf,
    records: BufWriter<File>,
    host: BufWriter<File>,
    interrupt: Interrupt,
}

impl Results {
    /// Begins a folder that will stand at `place`, and files elsewhere if there are to be any; a run on a board says on what
    /// it is made. If the process is ended at once, what was begun is removed.
    ///
    /// # Errors
    /// [`ResultsError::Taken`] and [`ResultsError::Own`] before anything is run, so that no work is lost.
    pub fn begin(
        place: &Path,
        beside: &Beside<'_>,
        rulebooks: &[Rulebook],
        bench: Option<&BenchRecord>,
        interrupt: &Interrupt,
    ) -> Result<Self, ResultsError> {
        for (option, file) in beside.files() {
            if below(file, place).is_some_and(|file| is_own(&file)) {
                return Err(ResultsError::Own { path: file.to_owned(), option });
            }
        }
        // `out/` and `out` are one place, and a link to a folder stands for the folder.
        let named: PathBuf = place.components().collect();
        let place = &place.canonicalize().unwrap_or_else(|_| place.components().collect());
        if let Some(why) = unmovable(place).unwrap_or_default() {
            return Err(ResultsError::Unmovable { place: named, why });
        }
        parts_of_the_dead(place, put_right);
        match foreign_to_results(place, beside) {
            Ok(None) => {}
            Ok(Some(foreign)) => return Err(ResultsError::Taken { place: place.clone(), foreign }),
            Err(cause) => return Err(ResultsError::Io { path: place.clone(), cause }),
        }
        let part = part_of(place, std::process::id());
        interrupt.litter(&part);
        let (records, host) = fill(&part, rulebooks, bench).map_err(|cause| {
            // A full disk: half of a folder is no use to anybody.
            let _ = std::fs::remove_dir_all(&part);
            interrupt.no_litter(&part);
            ResultsError::Io { path: part.clone(), cause }
        })?;
        Ok(Self { named, place: place.to_owned(), beside: part, records, host, interrupt: interrupt.clone() })
    }

    /// The folder that is being filled: traces are put below it.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.beside
    }

    /// Adds the line of a scenario.
    ///
    /// # Errors
    /// [`ResultsError::Io`], a full disk for one.
    pub fn add(&mut self, judged: &Judged) -> Result<(), ResultsError> {
        let host = HostRecord {
            scenario: &judged.record.scenario,
            rig: &judged.record.rig,
            host_us: u64::try_from(judged.took.as_micros()).unwrap_or(u64::MAX),
        };
        let path = self.place.clone();
        add_line(&mut self.records, &judged.record)
            .and_then(|()| add_line(&mut self.host, &host))
            .map_err(|cause| ResultsError::Io { path, cause })
    }

    /// Writes the page, and the files elsewhere if there are to be any, then moves everything into place; the path of the
    /// page and what it says. A run on a board says once more on what it was made, with what only its end shows.
    ///
    /// # Errors
    /// [`ResultsError`]; what stood at the place before is still there then.
    pub fn finish(
        mut self,
        beside: &Beside<'_>,
        bench: Option<&BenchRecord>,
    ) -> Result<(PathBuf, Report), ResultsError> {
        let io = |cause| ResultsError::Io { path: self.place.clone(), cause };
        self.records.flush().and_then(|()| self.host.flush()).map_err(io)?;
        bench.map_or(Ok(()), |bench| write_bench(&self.beside, bench)).map_err(io)?;
        let mask = beside.mask.cloned().unwrap_or_default();
        let report =
            flagfall_reports::write_report(std::slice::from_ref(&self.beside), &self.beside.join(PAGE), &mask)?;
        let mut json = File::create(self.beside.join(REPORT)).map(BufWriter::new).map_err(io)?;
        report.write_json(&mut json).and_then(|()| json.flush()).map_err(io)?;
        let junit =
            beside.junit.map(|file| flagfall_reports::junit_of(&self.beside).map(|xml| (file, xml))).transpose()?;
        let summary = beside.summary.map(|file| (file, report.markdown()));
        // What is meant to stand among the results becomes one of them, and is noted with them.
        let mut refused = None;
        let mut elsewhere = Vec::new();
        for (file, text) in junit.into_iter().chain(summary) {
            match below(file, &self.place) {
                None => elsewhere.push((file, text)),
                Some(path) => {
                    let written = write_whole(&self.beside.join(path), text.as_bytes());
                    refused =
                        refused.or(written.err().map(|cause| ResultsError::Beside { path: file.to_owned(), cause }));
                }
            }
        }
        Written::all_of(&self.beside).and_then(|mut written| written.note(&self.beside)).map_err(io)?;
        // From here on the folder is no litter: ending the process at once must not take it away.
        self.interrupt.no_litter(&self.beside);
        if self.place.exists() {
            let old = old_of(&self.beside);
            std::fs::rename(&self.place, &old).map_err(io)?;
            std::fs::rename(&self.beside, &self.place).map_err(io)?;
            let ours = written_with(&old, &self.place, beside).map_err(io)?;
            // What somebody has put there while the run was at work is kept.
            dissolve(&old, &self.place, |file| ours.has(file)).map_err(io)?;
        } else {
            std::fs::rename(&self.beside, &self.place).map_err(io)?;
        }
        for (file, text) in elsewhere {
            write_whole(file, text.as_bytes())
                .map_err(|cause| ResultsError::Beside { path: file.to_owned(), cause })?;
        }
        if let Some(error) = refused {
            return Err(error);
        }
        Ok((self.named.join(PAGE), report))
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        // Moved into place, or the run failed with its own error: a leftover part is only litter.
        let _ = std::fs::remove_dir_all(&self.beside);
        self.interrupt.no_litter(&self.beside);
    }
}

/// Makes the folder, with what is known before anything is run; the files of the records, which are still to come.
fn fill(
    folder: &Path,
    rulebooks: &[Rulebook],
    bench: Option<&BenchRecord>,
) -> io::Result<(BufWriter<File>, BufWriter<File>)> {
    std::fs::create_dir_all(folder)?;
    let file = |name| File::create(folder.join(name)).map(BufWriter::new);
    let whole = |name, row: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
        let mut file = file(name)?;
        row(&mut file).and_then(|()| file.flush())
    };
    whole(REQUIREMENTS, &|file| add_line(file, &fide_clock().requirements))?;
    let said: Vec<RulebookRow> = rulebooks.iter().map(rulebook_row).collect();
    whole(RULEBOOKS, &|file| add_line(file, &said))?;
    bench.map_or(Ok(()), |bench| write_bench(folder, bench))?;
    Ok((file(RESULTS)?, file(HOST)?))
}

fn write_bench(folder: &Path, bench: &BenchRecord) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(folder.join(BENCH))?);
    add_line(&mut file, bench).and_then(|()| file.flush())
}

fn add_line(file: &mut impl Write, row: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *file, row)?;
    file.write_all(b"\n")
}

/// Where a process fills the folder that will stand at `place`.
fn part_of(place: &Path, process: u32) -> PathBuf {
    let mut beside = place.as_os_str().to_owned();
    beside.push(format!(".{process}.part"));
    PathBuf::from(beside)
}

/// Where a process puts what stood at the place before, for the moment in which it puts the new folder there.
fn old_of(part: &Path) -> PathBuf {
    let mut old = part.as_os_str().to_owned();
    old.push(".old");
    PathBuf::from(old)
}

/// Does something with each folder beside `place` that a process left which was ended before it could clean up; where
/// that cannot be known, with none.
fn parts_of_the_dead(place: &Path, mut take: impl FnMut(&Path, &Path)) {
    let processes = Path::new("/proc");
    let (Some(name), Some(folder)) = (place.file_name(), place.parent()) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let other = entry.file_name();
        let number = other.to_str().zip(name.to_str()).and_then(|(other, name)| {
            let part = other.strip_prefix(name)?.strip_prefix('.')?;
            part.strip_suffix(".old").unwrap_or(part).strip_suffix(".part")?.parse::<u32>().ok()
        });
        if let Some(number) = number
            && processes.join("self").exists()
            && !processes.join(number.to_string()).exists()
        {
            take(place, &entry.path());
        }
    }
}

/// Puts earlier results back if they had been moved away and nothing came into their place; removes of any other part what
/// a run had put there.
fn put_right(place: &Path, part: &Path) {
    let is_old = part.extension().is_some_and(|ending| ending == "old");
    if is_old && !place.exists() {
        // Where that fails, the reader of results says where they are.
        let _ = std::fs::rename(part, place);
        return;
    }
    // Litter: that it cannot be removed is no reason not to run.
    let Ok(written) = written(part) else { return };
    if is_old {
        let _ = dissolve(part, place, |file| written.has(file));
    } else {
        // A run that was ended in the middle has left no note, and files that were not whole yet.
        let half = |file: &Path| is_own(file) || file.extension().is_some_and(|ending| ending == "part");
        let _ = dissolve(part, part, |file| half(file) || written.has(file));
    }
}

/// What a line of results has in every version, so that an older run's can be replaced.
#[derive(Deserialize)]
struct AnyRecord {
    #[serde(rename = "schema")]
    _schema: u32,
    #[serde(rename = "scenario")]
    _scenario: String,
    #[serde(default)]
    trace_file: Option<PathBuf>,
}

/// Whether a path from the folder of results leads to what every run writes there.
fn is_own(file: &Path) -> bool {
    let first = file.components().next();
    first.is_some_and(|first| OWN.iter().any(|own| first == Component::Normal(own.as_ref())))
}

/// What runs and reports have put into a folder: what its note says. Of a folder from before there were notes it is what every
/// run writes, and the traces that its results name; of one without results, nothing.
///
/// # Errors
/// When note or results are there and cannot be read.
pub fn written(folder: &Path) -> io::Result<Written> {
    let traces = traces_of(&folder.join(RESULTS))?;
    if let Some(mut written) = Written::read(folder)? {
        if traces.is_none() {
            // Somebody else's file has taken the place of ours.
            written.take_out(Path::new(RESULTS));
        }
        return Ok(written);
    }
    let mut written = Written::default();
    if let Some(traces) = traces.filter(|traces| !traces.is_empty()) {
        let files = OWN.iter().filter(|name| ![TRACES, PLOTS, WRITTEN].contains(name));
        files.map(Path::new).chain(traces.iter().flatten().map(PathBuf::as_path)).for_each(|file| written.add(file));
    }
    Ok(written)
}

/// The trace of each line of results, of those that have one; `None` where there is a file that no run wrote.
fn traces_of(results: &Path) -> io::Result<Option<Vec<Option<PathBuf>>>> {
    match results.symlink_metadata() {
        Ok(there) if there.is_file() => {}
        Ok(_) => return Ok(None),
        Err(_) => return Ok(Some(Vec::new())),
    }
    let mut traces = Vec::new();
    for line in BufReader::new(open_regular(results)?).lines() {
        let Ok(record) = serde_json::from_str::<AnyRecord>(&line?) else { return Ok(None) };
        traces.push(record.trace_file);
    }
    Ok(Some(traces))
}

/// The same with the files that are named to be written anew.
fn written_with(folder: &Path, place: &Path, beside: &Beside<'_>) -> io::Result<Written> {
    let mut written = written(folder)?;
    beside.files().filter_map(|(_, file)| below(file, place)).for_each(|file| written.add(&file));
    Ok(written)
}

/// What stands at the place that no run has put there: the place itself if it is no folder, or something in it.
fn foreign_to_results(place: &Path, beside: &Beside<'_>) -> io::Result<Option<PathBuf>> {
    match std::fs::metadata(place) {
        Ok(there) if there.is_dir() => written_with(place, place, beside)?.foreign(place),
        Ok(_) => Ok(Some(place.to_owned())),
        // What a link leads to cannot be put in its place.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(place.is_symlink().then(|| place.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Some(place.to_owned())),
        Err(error) => Err(error),
    }
}
