//! `--check-determinism`: the same set in a second process, in another order and with other jobs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use flagfall_trace::draw::Stream;
use flagfall_trace::{Trace, difference};

use crate::case::Judged;
use crate::cli::{Hashes, Run};
use crate::command::{bad_input, print};
use crate::exit::Exit;
use crate::inputs;
use crate::rig::sim;
use crate::set;

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
}

/// Runs the set again in a second process and describes every difference; none means that the hashes are equal.
///
/// # Errors
/// [`DeterminismError`] when there is no second run to compare with.
pub fn compare(options: &Run, jobs: usize, judged: &[Judged]) -> Result<Vec<String>, DeterminismError> {
    let folder = tempfile::tempdir()?;
    let other_jobs = if jobs == 1 { 2 } else { 1 };
    let output = Command::new(std::env::current_exe()?)
        .arg("hashes")
        .args(&options.paths.paths)
        .args(options.rulebook.iter().flat_map(|name| ["--rulebook", name]))
        .args(["--jobs", &other_jobs.to_string(), "--shuffle", &SHUFFLE.to_string()])
        .arg("--traces")
        .arg(folder.path())
        .output()?;
    // Wrong scenarios were told by the first process already and give this exit in both.
    if !output.status.success() && output.status.code() != Some(i32::from(Exit::BadInput.code())) {
        return Err(DeterminismError::Failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let other: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut differences = Vec::new();
    for one in judged {
        let id = one.record.scenario.as_str();
        let hash = one.hash.map(|hash| hash.to_string());
        match (hash, other.get(id)) {
            (None, None) => {}
            (Some(hash), Some(other)) if hash == *other => {}
            (hash, other) => differences.push(describe(id, hash, other.unwrap_or(&"none"), one, folder.path())),
        }
    }
    Ok(differences)
}

fn describe(id: &str, hash: Option<String>, other_hash: &str, one: &Judged, folder: &Path) -> String {
    let hash = hash.unwrap_or_else(|| "none".into());
    let mut text = format!("{id}: trace {hash} in this process, {other_hash} in the second\n");
    if let (Some(trace), Ok(other)) = (&one.trace, Trace::read(&folder.join(format!("{id}.json")))) {
        match difference::first(trace, &other, |_| 0) {
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
    let mut cases = match inputs::cases(&options.paths.paths, &options.rulebook) {
        Ok((cases, _)) => cases,
        Err(error) => return bad_input(&error),
    };
    Stream::named(options.shuffle, "order").shuffle(&mut cases.good);
    let judged = set::run(
        &cases.good,
        sim::NAME,
        &[],
        options.jobs.into(),
        || |case: &crate::case::Case| sim::run(&case.plan),
        |_, _| (),
    );
    let mut text = String::new();
    for one in &judged {
        if let (Some(trace), Some(hash)) = (&one.trace, one.hash) {
            text += &format!("{} {hash}\n", one.record.scenario);
            if let Err(error) = trace.write(&options.traces.join(format!("{}.json", one.record.scenario))) {
                return super::infra(&error);
            }
        }
    }
    print(&text).and(if cases.bad.is_empty() { Exit::Passed } else { Exit::BadInput })
}
