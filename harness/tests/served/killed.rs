//! Processes that end before their time.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::Failed;

use crate::process::{Client, Served, emulator, emulators, flagfall, folder, nothing_is_left, soon};

/// A set that takes a board some seconds.
const SET: [&str; 2] = ["scenarios/cases/late-arrival", "scenarios/cases/move-completion"];

fn run_of_the_set(temporary: &Path, out: &Path) -> Command {
    let mut command = flagfall(temporary);
    command.args(["run", "--jobs", "1", "--board", "boards/virtual-f405.yaml", "--out"]).arg(out).args(SET);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn a_server_that_is_asked_to_end_leaves_nothing() -> Result<(), Failed> {
    for (name, with_a_client) in [("-INT", true), ("-TERM", false), ("-HUP", true)] {
        let temporary = folder()?;
        let served = Served::start(temporary.path())?;
        let client = with_a_client.then(|| Client::connect(&served.address)).transpose()?;
        emulator(temporary.path())?;
        let (status, said) = served.end(name)?;
        assert_eq!(status.code(), Some(0), "{name}: {said}");
        assert!(emulators(temporary.path()).is_empty(), "{name}: it has waited for the end of the emulator");
        nothing_is_left(temporary.path())?;
        drop(client);
    }
    Ok(())
}

pub(crate) fn a_server_that_is_killed_leaves_nothing() -> Result<(), Failed> {
    let temporary = folder()?;
    let mut served = Served::start(temporary.path())?;
    emulator(temporary.path())?;
    served.process.kill()?;
    served.process.wait()?;
    nothing_is_left(temporary.path())
}

pub(crate) fn a_run_that_is_killed_leaves_no_emulator() -> Result<(), Failed> {
    let (temporary, work) = (folder()?, tempfile::tempdir()?);
    let out = work.path().join("out");
    let parts = || fs::read_dir(work.path()).map_or(0, Iterator::count);
    let mut run = run_of_the_set(temporary.path(), &out).spawn()?;
    // The first emulator is for a look at the board; results are begun after that.
    soon("results that are begun", || parts() > 0)?;
    emulator(temporary.path())?;
    run.kill()?;
    run.wait()?;
    nothing_is_left(temporary.path())?;
    assert!(!out.exists(), "half of the results are none");
    assert_eq!(parts(), 1, "what was begun");
    // The next run cleans up behind it.
    let output = flagfall(temporary.path()).args(["run", SET[0], "--out"]).arg(&out).output()?;
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(parts(), 1, "the results alone");
    Ok(())
}
