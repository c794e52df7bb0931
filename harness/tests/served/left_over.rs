//! Many boards one after the other, in one process.

use std::fs;

use flagfall::case::Case;
use flagfall::rig::Outcome;
use flagfall::rig::board::Board;
use libtest_mimic::Failed;

use crate::emulated;
use crate::process::{emulators, flagfall, folder, nothing_is_left};

const RUNS: usize = 50;

const SCENARIO: &str = r#"
scenario: White presses
points: [B1]
control: 5m
timeline: [{at: 0s, start: white}, {at: +7s, move: {side: white, san: e4, press: same-hand}}]
expect: [{running: black}]
"#;

/// The files and sockets that this process holds open.
fn open_files() -> Result<usize, Failed> {
    Ok(fs::read_dir("/proc/self/fd")?.count())
}

/// The children of this process that it has not waited for.
fn children() -> Result<usize, Failed> {
    let tasks = fs::read_dir("/proc/self/task")?;
    let of = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    Ok(tasks.flatten().map(|task| of(task).split_whitespace().count()).sum())
}

/// The folders of emulators of this process.
fn folders() -> Result<usize, Failed> {
    let ours = format!("flagfall-vboard-{}-", std::process::id());
    let names = fs::read_dir(std::env::temp_dir())?.flatten().map(|entry| entry.file_name());
    Ok(names.filter(|name| name.to_string_lossy().starts_with(&ours)).count())
}

pub(crate) fn fifty_boards_leave_nothing() -> Result<(), Failed> {
    let scenario = flagfall_scenarios::read_str("press.yaml", "test/press", SCENARIO).expect("it is right");
    let case = Case::prepare(scenario).expect("it resolves");
    let mut before = None;
    for run in 0..RUNS {
        let outcome = Board::new(emulated()).run(&case.plan);
        assert!(matches!(outcome, Outcome::Ran { .. }), "run {run}: {outcome:?}");
        drop(outcome);
        let now = (open_files()?, children()?, folders()?);
        assert_eq!(now, *before.get_or_insert(now), "files, children, folders after run {run}");
    }
    assert_eq!(before.map(|(_, children, folders)| (children, folders)), Some((0, 0)));
    // The same for a few runs of the program.
    let (temporary, work) = (folder()?, tempfile::tempdir()?);
    for _ in 0..3 {
        let output = flagfall(temporary.path())
            .args(["run", "--board", "boards/virtual-f405.yaml", "late-arrival/black-first-then-white", "--out"])
            .arg(work.path().join("out"))
            .output()?;
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(emulators(temporary.path()).is_empty());
        nothing_is_left(temporary.path())?;
    }
    Ok(())
}
