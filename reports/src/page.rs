//! One page that holds everything: style, script, data and plots, and needs nothing else to be read.

mod bench;
pub(crate) mod data;
pub(crate) mod html;
mod measures;
mod overview;
mod requirements;
pub(crate) mod rulebooks;
mod section;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use flagfall_trace::{RunRecord, SetHash, Verdict};

use crate::coverage::{self, Coverage, Tally};
use crate::error::ReportError;
use crate::latency::Latencies;
use crate::results::{self, Records};

const STYLE: &str = include_str!("page/style.css");
/// Patterns for the timelines; the script also learns from it how elements of drawings are made.
const DRAWING: &str = include_str!("page/patterns.svg");
const SCRIPT: &str = include_str!("page/script.js");

/// Reads a folder of results and writes its `index.html`, whole or not at all; gives the path of the page.
///
/// The page is the same bytes for the same results: it holds no date, no path and nothing random. One run with its trace
/// is in memory at a time, and of each some hundred bytes.
///
/// # Errors
/// [`ReportError`] when results or traces cannot be read, do not belong together, or the page cannot be written.
pub fn write_page(folder: &Path) -> Result<PathBuf, ReportError> {
    let page = folder.join("index.html");
    let part = Part::begin(&page)?;
    let mut sections = Part::begin(&folder.join("sections"))?;
    let (mut shown, coverage) = index(folder)?;
    let mut rigs: BTreeMap<String, Rig> = BTreeMap::new();
    let said = rulebooks::read(folder)?;
    let mut records = Records::open(folder)?;
    let mut section = String::new();
    for run in &mut shown {
        let record = records.at(run.at)?;
        let trace = results::trace_of(folder, &record)?;
        let rig = rigs.entry(run.rig.clone()).or_default();
        if let Some(trace) = &trace {
            rig.add(&run.scenario, trace);
            run.drift = Some(measures::drift_of(trace));
        }
        section.clear();
        section::write(&mut section, &record, trace.as_ref(), &run.id, &said)?;
        sections.put(section.as_bytes())?;
    }
    rigs.values_mut().for_each(|rig| rig.latencies.sort());
    let mut head = head();
    overview::write(&mut head, &shown, &rigs, coverage.as_ref());
    measures::write(&mut head, &shown, &rigs)?;
    if let Some(record) = bench::read(folder)? {
        bench::write(&mut head, &record);
    }
    head.push_str("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Runs</h2>\n");
    head.push_str("<p class=\"note\">Timelines are drawn when a run is opened.</p>\n");
    head.push_str(
        "<noscript><p class=\"note\">Timelines need this page's own script; all else does not.</p></noscript>\n",
    );
    let mut tail = "</section>\n".to_owned();
    rulebooks::write(&mut tail, &said);
    tail += &format!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    part.finish(head.as_bytes(), sections, tail.as_bytes())?;
    Ok(page)
}

fn head() -> String {
    let mut page = String::new();
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<title>flagfall report</title>\n<style>\n");
    page.push_str(STYLE);
    page.push_str("</style>\n</head>\n<body>\n");
    page.push_str(DRAWING);
    page
}

/// A file that is being filled beside its place, and is gone if it is not moved there.
struct Part {
    place: PathBuf,
    path: PathBuf,
    file: BufWriter<File>,
}

impl Part {
    fn begin(place: &Path) -> Result<Self, ReportError> {
        let mut path = place.as_os_str().to_owned();
        path.push(format!(".{}.part", std::process::id()));
        let path = PathBuf::from(path);
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(|cause| ReportError::Io { doing: "write", path: path.clone(), cause })?;
        Ok(Self { place: place.to_owned(), path, file: BufWriter::new(file) })
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), ReportError> {
        self.file.write_all(bytes).map_err(|cause| self.refused(cause))
    }

    fn refused(&self, cause: io::Error) -> ReportError {
        ReportError::Io { doing: "write", path: self.place.clone(), cause }
    }

    /// Moves the file into its place, with a head, what the other part holds, and a tail.
    fn finish(mut self, head: &[u8], mut middle: Self, tail: &[u8]) -> Result<(), ReportError> {
        self.put(head)?;
        let copied = middle.file.flush().and_then(|()| middle.file.rewind());
        copied.and_then(|()| io::copy(middle.file.get_mut(), &mut self.file)).map_err(|cause| self.refused(cause))?;
        self.put(tail)?;
        let moved = self.file.flush().and_then(|()| std::fs::rename(&self.path, &self.place));
        moved.map_err(|cause| self.refused(cause))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Moved into place, or the page failed with its own error: what is left is litter.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// What the page says of a run outside its own section.
struct Shown {
    /// The name of its place on the page.
    id: String,
    /// Where its line begins.
    at: u64,
    scenario: String,
    title: String,
    points: Vec<String>,
    rig: String,
    verdict: Verdict,
    /// Why it is not as it should be, escaped; empty where it is.
    reason: String,
    passed: usize,
    checks: usize,
    trace_hash: Option<String>,
    drift: Option<measures::DriftRow>,
}

impl Shown {
    fn of(record: RunRecord, at: u64) -> Self {
        let reason = if record.verdict == Verdict::Pass { String::new() } else { overview::reason(&record) };
        Self {
            id: String::new(),
            at,
            reason,
            passed: record.checks.iter().filter(|check| check.verdict == Verdict::Pass).count(),
            checks: record.checks.len(),
            scenario: record.scenario,
            title: record.title,
            points: record.points,
            rig: record.rig,
            verdict: record.verdict,
            trace_hash: record.trace_hash,
            drift: None,
        }
    }
}

/// The runs of a folder, sorted by scenario and rig, and what they show of the requirements that they were run for.
fn index(folder: &Path) -> Result<(Vec<Shown>, Option<Coverage>), ReportError> {
    let mut tally = None;
    if let Some(asked) = coverage::requirements_if_any(folder)? {
        tally.insert(Tally::default()).ask(folder, asked)?;
    }
    let mut shown = Vec::new();
    for line in Records::open(folder)? {
        let (at, record) = line?;
        if let Some(tally) = &mut tally {
            tally.add(folder, &record)?;
        }
        shown.push(Shown::of(record, at));
    }
    shown.sort_by(|a, b| (&a.scenario, &a.rig).cmp(&(&b.scenario, &b.rig)));
    name(&mut shown);
    Ok((shown, tally.map(Tally::finish)))
}

/// What the traces of a rig come to.
#[derive(Default)]
struct Rig {
    set: SetHash,
    latencies: Latencies,
    traces: usize,
}

impl Rig {
    fn add(&mut self, scenario: &str, trace: &flagfall_trace::Trace) {
        self.set.add(scenario, trace.hash());
        self.latencies.add(trace);
        self.traces += 1;
    }

    /// The hash of all traces, if there are any.
    fn hash(&self) -> Option<String> {
        (self.traces > 0).then(|| self.set.clone().finish().to_string())
    }
}

/// Gives each run's place a name: its scenario and rig in letters, digits and dashes, numbered where two would be equal.
fn name(runs: &mut [Shown]) {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for run in runs {
        let name = html::plain_id(&format!("{}-on-{}", run.scenario, run.rig));
        let count = used.entry(name.clone()).or_default();
        *count += 1;
        run.id = if *count == 1 { format!("run-{name}") } else { format!("run-{name}.{count}") };
    }
}
