//! `--check-determinism`: the same set in a second process, in another order and with other jobs.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use flagfall_trace::difference::{self, Tolerance};
use flagfall_trace::draw::Stream;
use flagfall_trace::{Trace, TraceHash};

use crate::case::Case;
use crate::cli::{Hashes, Run};
use crate::command::{bad_input, infra, print};
use crate::exit::Exit;
use crate::inputs;
use crate::interrupt::Interrupt;
use crate::progress::PATIENCE;
use crate::rig::sim;
use crate::set::{self, Told};
use crate::work::Bench;

/// The order of the second process; any number but the order of the ids would do.
const SHUFFLE: u64 = 0x5eed;

/// Why the second process gave nothing to compare with.
#[derive(Debug, thiserror::Error)]
pub enum DeterminismError {
    /// It could not be started or its traces could not be kept.
    #[error("cannot run a second process to compare with: {0}")]
    Io(#[from] std::io::Error),
    /// It ended with an error; what it said is in the text.
    #[error("the second process failed: {0}")]
    Failed(String),
    /// The end was asked for while it ran: nothing is known about the second half.
    #[error("the second process was not waited for: the run was interrupted")]
    Interrupted,
}

/// How often a second process that runs is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Runs the set again in a second process and describes every difference; none means that the hashes are equal.
///
/// The traces of the first run are read from its results.
///
/// # Errors
/// [`DeterminismError`] when there is no second run to compare with.
pub fn compare(
    options: &Run,
    jobs: usize,
    hashes: &BTreeMap<String, Option<TraceHash>>,
    interrupt: &Interrupt,
) -> Result<Vec<String>, DeterminismError> {
    let folder = tempfile::tempdir()?;
    interrupt.litter(folder.path());
    let said = second_process(options, jobs, folder.path(), interrupt);
    let differences = said.map(|text| differences(&text, hashes, &options.out, folder.path()));
    // Litter until it is gone: a second Ctrl-C may come while it is being removed.
    let path = folder.path().to_owned();
    let removed = folder.close();
    interrupt.no_litter(&path);
    removed?;
    differences
}

/// What the second process prints; its traces are below `folder`.
fn second_process(
    options: &Run,
    jobs: usize,
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<String, DeterminismError> {
    let other_jobs = if jobs == 1 { 2 } else { 1 };
    let (said, complained) = (folder.join("said"), folder.join("complained"));
    let selection = &options.selection;
    let child = Command::new(std::env::current_exe()?)
        .arg("hashes")
        .args(&selection.paths)
        .args(selection.filter.iter().flat_map(|filter| ["--filter".to_owned(), filter.to_string()]))
        .args(selection.shard.iter().flat_map(|shard| ["--shard".to_owned(), shard.to_string()]))
        .args(options.rulebook.iter().flat_map(|name| ["--rulebook", name]))
        .args(["--jobs", &other_jobs.to_string(), "--shuffle", &SHUFFLE.to_string()])
        .arg("--traces")
        .arg(folder)
        .stdout(File::create(&said)?)
        .stderr(File::create(&complained)?)
        .spawn()?;
    interrupt.keep_second(child);
    let status = end_of_second(interrupt)?;
    // Wrong scenarios were told by the first process already and give this exit in both.
    if !status.success() && status.code() != Some(i32::from(Exit::BadInput.code())) {
        let complaint = std::fs::read(&complained)?;
        return Err(DeterminismError::Failed(String::from_utf8_lossy(&complaint).into_owned()));
    }
    Ok(std::fs::read_to_string(&said)?)
}

/// Waits for the end of the second process, and makes an end of it when somebody asks for one.
fn end_of_second(interrupt: &Interrupt) -> Result<ExitStatus, DeterminismError> {
    loop {
        let ended = interrupt.end_of_second()?;
        // Ctrl-C on a terminal reaches both.
        if interrupt.is_asked() {
            interrupt.end_second();
            return Err(DeterminismError::Interrupted);
        }
        if let Some(status) = ended {
            return Ok(status);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

fn differences(text: &str, hashes: &BTreeMap<String, Option<TraceHash>>, results: &Path, folder: &Path) -> Vec<String> {
    let other: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut differences = Vec::new();
    for (id, hash) in hashes {
        let hash = hash.map(|hash| hash.to_string());
        match (hash, other.get(id.as_str())) {
            (None, None) => {}
            (Some(hash), Some(other)) if hash == *other => {}
            (hash, other) => differences.push(describe(id, hash, other.unwrap_or(&"none"), results, folder)),
        }
    }
    differences
}

fn describe(id: &str, hash: Option<String>, other_hash: &str, results: &Path, folder: &Path) -> String {
    let hash = hash.unwrap_or_else(|| "none".into());
    let mut text = format!("{id}: trace {hash} in this process, {other_hash} in the second\n");
    let read = |below: &Path| Trace::read(&below.join(Case::trace_file_of(id, sim::NAME)));
    if let (Ok(trace), Ok(other)) = (read(results), read(folder)) {
        match difference::first(&trace, &other, &Tolerance::default()) {
            Some(difference) => text += &difference.to_string(),
            None if trace.plan != other.plan => text += "  the plans differ: something was drawn without a seed\n",
            None => text += "  the records are the same; the achieved instants differ\n",
        }
    }
    text
}

/// The second process: runs the set in a shuffled order, keeps the traces, prints ids and hashes.
#[must_use]
pub fn hashes(options: &Hashes) -> Exit {
    let (mut found, rulebooks) = match inputs::given(&options.selection, &options.rulebook) {
        Ok(inputs) => inputs,
        Err(error) => return bad_input(&error),
    };
    Stream::named(options.shuffle, "order").shuffle(&mut found.sources);
    let bench = Bench { rig: sim::NAME, rulebooks: &rulebooks, results: &options.traces, presses: false };
    let worker = || |index: usize| bench.work(&found.sources[index], |case: &Case| sim::run(&case.plan).into());
    let mut exit = if found.errors.is_empty() { Exit::Passed } else { Exit::BadInput };
    let jobs = usize::from(options.jobs);
    set::run(found.sources.len(), jobs, &Interrupt::default(), worker, PATIENCE, |told| {
        let Told::Done(_, done) = told else { return };
        if let Some(hash) = done.judged.hash {
            exit = exit.and(print(&format!("{} {hash}\n", done.judged.record.scenario)));
        }
        if done.unreadable.is_some() {
            exit = exit.and(Exit::BadInput);
        }
        if let Err(error) = done.kept {
            exit = exit.and(infra(&error));
        }
    });
    exit
}
