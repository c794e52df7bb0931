//! One page that holds everything: style, script, data and plots, and needs nothing else to be read.

pub(crate) mod bench;
mod beside;
pub(crate) mod html;
mod lanes;
mod measures;
pub(crate) mod overview;
mod packed;
mod requirements;
pub(crate) mod rulebooks;
pub(crate) mod scrubber;
mod section;
pub(crate) mod timing;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use flagfall_trace::bench_record::Technique;
use flagfall_trace::{BenchRecord, Margin, RunRecord, SetHash, Trace, Verdict};

use crate::coverage::{self, Coverage, Tally};
use crate::error::ReportError;
use crate::junit::first_line;
use crate::latency::Latencies;
use crate::pictures;
use crate::report::Report;
use crate::results::Records;
use crate::statistics::Mask;
use crate::timing::{OnDevice, Timing, TimingRow};

const STYLE: &str = include_str!("page/style.css");
/// Patterns and marks for the timelines.
const DRAWING: &str = include_str!("page/patterns.svg");
const LEGEND: &str = include_str!("page/legend.html");
const SCRIPT: &str = include_str!("page/script.js");

/// Reads a folder of results and writes its `index.html`, whole or not at all; gives the path of the page.
///
/// The page is the same bytes for the same results: it holds no date, no path and nothing random. The runs of one scenario
/// with their traces are in memory at a time, and of each other run some hundred bytes.
///
/// # Errors
/// [`ReportError`] when results or traces cannot be read, do not belong together, or the page cannot be written.
pub fn write_page(folder: &Path) -> Result<PathBuf, ReportError> {
    let page = folder.join("index.html");
    write_report(&[folder.to_owned()], &page, &Mask::default())?;
    Ok(page)
}

/// Reads folders of results and writes one page of all of them, whole or not at all; gives what the page says.
///
/// Where a scenario was run on several rigs, its runs are put side by side and the first difference is marked.
///
/// Where two folders have a run of one scenario on one rig, the rig of the later folder gets its number: `sim (2)`. The mask
/// is what time errors are held to; it changes no verdict of a run.
///
/// # Errors
/// [`ReportError`] as [`write_page`] has it.
pub fn write_report(folders: &[PathBuf], page: &Path, mask: &Mask) -> Result<Report, ReportError> {
    write(folders, page, mask, None)
}

/// As [`write_report`], and puts the plots of the page into another folder as PNG; files of other names stay there.
///
/// # Errors
/// [`ReportError`] as [`write_page`] has it.
pub fn write_report_with_pictures(
    folders: &[PathBuf],
    page: &Path,
    mask: &Mask,
    into: &Path,
) -> Result<Report, ReportError> {
    write(folders, page, mask, Some(into))
}

fn write(folders: &[PathBuf], page: &Path, mask: &Mask, into: Option<&Path>) -> Result<Report, ReportError> {
    let mut part = Part::begin(page)?;
    let mut sections = Part::begin(&page.with_extension("sections"))?;
    let (mut shown, coverage) = index(folders)?;
    let mut rigs: BTreeMap<String, Rig> = BTreeMap::new();
    let said = rulebooks::read(folders)?;
    let benches = folders.iter().map(|folder| bench::read(folder)).collect::<Result<Vec<_>, _>>()?;
    let mut records = folders.iter().map(|folder| Records::open(folder)).collect::<Result<Vec<_>, _>>()?;
    let mut section = String::new();
    for runs in shown.chunk_by_mut(|a, b| a.scenario == b.scenario) {
        let told = beside::read(folders, &mut records, runs)?;
        for (index, run) in runs.iter_mut().enumerate() {
            let rig = rigs.entry(run.rig.clone()).or_default();
            let trace = told[index].trace.as_ref();
            let jumped = is_jumped(benches[run.folder].as_ref(), trace);
            rig.jumped |= jumped;
            if let Some(trace) = trace {
                rig.add(&run.scenario, trace);
            }
            // Of jumped time only the least part was counted: what it shows is no rate.
            let timing = trace.filter(|_| !jumped).map(|trace| Timing::of(trace, mask));
            if let Some(timing) = &timing {
                rig.compare(run, timing);
                run.drift = Some(measures::drift_of(&timing.error));
                run.timing = Some(timing.row());
                into.map(|into| pictures::of_run(into, run, timing)).transpose()?;
            }
            run.parts = beside::parting(&told, index).map(|parting| parting.words);
            section.clear();
            section::write(&mut section, &told, index, &run.id, &said, timing.as_ref().map(|timing| (timing, mask)))?;
            sections.put(section.as_bytes())?;
        }
    }
    let mut head = head();
    overview::write(&mut head, &shown, &rigs, coverage.as_ref(), mask)?;
    part.put(head.as_bytes())?;
    overview::lists(&shown, &said, |line| part.put(line.as_bytes()))?;
    head.clear();
    for (number, record) in benches.iter().flatten().enumerate() {
        bench::write(&mut head, record, number);
    }
    head.push_str("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Runs</h2>\n");
    head.push_str(LEGEND);
    head.push_str(
        "<noscript><p class=\"note\">Everything of a run that did not pass stands here in full. Rulings and timelines of runs \
         that passed are packed and need this page's own script; without it they are in results.jsonl and traces/.</p></noscript>\n",
    );
    let mut tail = "</section>\n".to_owned();
    rulebooks::write(&mut tail, &said);
    tail += &format!("<script>\n{}</script>\n</body>\n</html>\n", lean(SCRIPT));
    into.map(|into| pictures::of_all(into, &shown, &rigs, mask)).transpose()?;
    part.put(head.as_bytes())?;
    part.finish(sections, tail.as_bytes())?;
    // The page is written; the report takes its words over from here.
    drop((head, tail, section));
    let benches = benches.into_iter().flatten().collect();
    Ok(Report { benches, ..Report::of(shown, &rigs, coverage, mask) })
}

/// Whether time was jumped in a run, as its bench says, or the trace itself.
fn is_jumped(bench: Option<&BenchRecord>, trace: Option<&Trace>) -> bool {
    let by_its_bench = bench.is_some_and(|bench| bench.technique == Technique::Jumped);
    by_its_bench || trace.is_some_and(|trace| !trace.jumps.is_empty())
}

/// A script or a style sheet without what only its writers need: indentation, comments of a line of their own, empty lines.
fn lean(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The beginning of a page that needs nothing else, up to its body.
pub(crate) fn opened(title: &str) -> String {
    let mut page = String::new();
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html::put(&mut page, format_args!("{}", html::Text(title)));
    page.push_str("</title>\n<style>\n");
    page.push_str(&lean(STYLE));
    page.push_str("</style>\n</head>\n<body>\n");
    page
}

fn head() -> String {
    opened("flagfall report") + DRAWING
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

    /// Adds what the other part holds, and a tail, and moves the file into its place.
    fn finish(mut self, mut middle: Self, tail: &[u8]) -> Result<(), ReportError> {
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
pub(crate) struct Shown {
    /// The name of its place on the page.
    pub(crate) id: String,
    /// The number of its folder.
    folder: usize,
    /// Where its line begins.
    at: u64,
    pub(crate) scenario: String,
    pub(crate) title: String,
    pub(crate) points: Vec<String>,
    pub(crate) rig: String,
    pub(crate) verdict: Verdict,
    /// Why it is not as it should be; `None` where it is.
    pub(crate) reason: Option<Reason>,
    pub(crate) passed: usize,
    pub(crate) checks: usize,
    pub(crate) trace_hash: Option<String>,
    /// The largest share of a bound that was used.
    pub(crate) margin: Option<Margin>,
    pub(crate) drift: Option<measures::DriftRow>,
    pub(crate) timing: Option<TimingRow>,
    /// Where it parts from the run on another rig, in words.
    pub(crate) parts: Option<String>,
}

impl Shown {
    fn of(record: RunRecord, folder: usize, at: u64) -> Self {
        Self {
            id: String::new(),
            folder,
            at,
            reason: (record.verdict != Verdict::Pass).then(|| Reason::of(&record)),
            passed: record.checks.iter().filter(|check| check.verdict == Verdict::Pass).count(),
            checks: record.checks.len(),
            margin: record.margins.iter().max_by(|a, b| share(a).total_cmp(&share(b))).cloned(),
            scenario: record.scenario,
            title: record.title,
            points: record.points,
            rig: record.rig,
            verdict: record.verdict,
            trace_hash: record.trace_hash,
            drift: None,
            timing: None,
            parts: None,
        }
    }
}

/// How much of a bound was used: 1 is all of it.
pub(crate) fn share(margin: &Margin) -> f64 {
    margin.off_ns as f64 / margin.bound_ns.max(1) as f64
}

/// Why a run is not as it should be.
pub(crate) struct Reason {
    /// What was checked, if it is a check that says so.
    pub(crate) what: Option<String>,
    /// What was found, in a line.
    pub(crate) found: String,
}

impl Reason {
    fn of(record: &RunRecord) -> Self {
        let worst = record.checks.iter().find(|check| check.verdict == record.verdict);
        let (what, found) = match (&record.reason, worst) {
            (Some(reason), _) => (None, first_line(reason).to_owned()),
            (None, Some(check)) => {
                (Some(check.what.clone()), format!("expected {}, found {}", check.expected, first_line(&check.found)))
            }
            (None, None) => (None, "no check says why".to_owned()),
        };
        Self { what, found }
    }
}

/// The runs of all folders, sorted by scenario and rig, and what they show of the requirements that they were run for.
fn index(folders: &[PathBuf]) -> Result<(Vec<Shown>, Option<Coverage>), ReportError> {
    let mut tally = None;
    for folder in folders {
        if let Some(asked) = coverage::requirements_if_any(folder)? {
            tally.get_or_insert_with(Tally::default).ask(folder, asked)?;
        }
    }
    let again = again(folders)?;
    let mut shown = Vec::new();
    for (number, folder) in folders.iter().enumerate() {
        for line in Records::open(folder)? {
            let (at, mut record) = line?;
            if again.contains(&(number, record.rig.clone())) {
                record.rig = format!("{} ({})", record.rig, number + 1);
            }
            if let Some(tally) = &mut tally {
                tally.add(folder, &record)?;
            }
            shown.push(Shown::of(record, number, at));
        }
    }
    shown.sort_by(|a, b| (&a.scenario, &a.rig, a.folder).cmp(&(&b.scenario, &b.rig, b.folder)));
    name(&mut shown);
    Ok((shown, tally.map(Tally::finish)))
}

/// Folders with a rig on which one before them has run a scenario of theirs as well.
fn again(folders: &[PathBuf]) -> Result<BTreeSet<(usize, String)>, ReportError> {
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut again = BTreeSet::new();
    if folders.len() < 2 {
        return Ok(again);
    }
    for (number, folder) in folders.iter().enumerate() {
        for line in Records::open(folder)? {
            let (_, record) = line?;
            let first = *seen.entry((record.scenario, record.rig.clone())).or_insert(number);
            if first != number {
                again.insert((number, record.rig));
            }
        }
    }
    Ok(again)
}

/// What the traces of a rig come to.
#[derive(Default)]
pub(crate) struct Rig {
    set: SetHash,
    pub(crate) latencies: Latencies,
    pub(crate) on_device: OnDevice,
    pub(crate) longest: Option<timing::Longest>,
    /// Whether its time was jumped, so that nothing of it shows a rate.
    pub(crate) jumped: bool,
    traces: usize,
    /// How many of them are of a firmware that was only watched.
    watched: usize,
}

impl Rig {
    fn add(&mut self, scenario: &str, trace: &Trace) {
        self.set.add(scenario, trace.hash());
        self.watched += usize::from(trace.watched);
        // A firmware that is only watched dates nothing: none of its presses has a stamp that could be late or missing.
        if !trace.watched {
            self.latencies.add(trace);
        }
        self.on_device.add(trace);
        self.traces += 1;
    }

    /// Keeps of all runs that of which most can be told.
    fn compare(&mut self, run: &Shown, timing: &Timing) {
        let Some(even) = timing.even.as_ref().filter(|even| even.is_enough()) else { return };
        let longest = timing::Longest {
            scenario: run.scenario.clone(),
            id: run.id.clone(),
            even: even.clone(),
            on_purpose: timing.on_purpose,
        };
        if self.longest.as_ref().is_none_or(|other| longest.is_better_than(other)) {
            self.longest = Some(longest);
        }
    }

    /// Whether nothing of its time was measured, because its clock was only watched.
    fn is_watched(&self) -> bool {
        self.watched > 0 && self.watched == self.traces
    }

    /// The hash of all traces, if there are any.
    pub(crate) fn hash(&self) -> Option<String> {
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
