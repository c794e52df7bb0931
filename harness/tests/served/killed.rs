//! Processes that end before their time, and a disk that is full.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use flagfall_vboard::EmulatorOptions;
use libtest_mimic::Failed;

use crate::process::{Client, Served, emulator, emulators, flagfall, folder, nothing_is_left, signal, soon};

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

pub(crate) fn a_full_disk_leaves_whole_results_or_none() -> Result<(), Failed> {
    let (temporary, work) = (folder()?, tempfile::tempdir()?);
    let out = work.path().join("out");
    // QEMU keeps its memory in a file, and is not meant.
    let programs = tempfile::tempdir()?;
    let qemu = programs.path().join("qemu-system-arm");
    let real = EmulatorOptions::default().program()?;
    fs::write(&qemu, format!("#!/bin/sh\nulimit -S -f unlimited\nexec {} \"$@\"\n", real.display()))?;
    fs::set_permissions(&qemu, fs::Permissions::from_mode(0o700))?;
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH")?);
    // No file may be larger than this many blocks of 512 bytes, which ends writes as a full disk does.
    let limited = |blocks: u32| {
        let mut command = Command::new("/bin/sh");
        let script = format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$@\"");
        command.args(["-c", &script, "limited", env!("CARGO_BIN_EXE_flagfall")]).env("TMPDIR", temporary.path());
        command.env("PATH", &path);
        command.args(["run", "--board", "boards/virtual-f405.yaml", SET[0], "--out"]).arg(&out);
        command.output()
    };
    let names = || -> Vec<String> {
        let entries = fs::read_dir(work.path()).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    // Full from the beginning, in the middle of the run, and when the page is written.
    for blocks in [24, 420, 640] {
        let output = limited(blocks)?;
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{blocks}: {errors}");
        assert!(errors.contains("cannot write") && errors.contains("out"), "the place is named: {errors}");
        assert!(errors.contains("File too large"), "and the cause: {errors}");
        assert_eq!(names(), Vec::<String>::new(), "nothing is left");
        nothing_is_left(temporary.path())?;
    }
    // Results of an earlier run stay as they were.
    let output = flagfall(temporary.path()).args(["run", SET[0], "--out"]).arg(&out).output()?;
    assert_eq!(output.status.code(), Some(0));
    let before = fs::read(out.join("results.jsonl"))?;
    assert_eq!(limited(420)?.status.code(), Some(3));
    assert_eq!(names(), ["out"]);
    assert_eq!(fs::read(out.join("results.jsonl"))?, before);
    nothing_is_left(temporary.path())
}

pub(crate) fn an_emulator_that_is_killed_is_started_anew() -> Result<(), Failed> {
    let (temporary, work) = (folder()?, tempfile::tempdir()?);
    let out = work.path().join("out");
    let run = run_of_the_set(temporary.path(), &out).spawn()?;
    soon("results that are begun", || fs::read_dir(work.path()).is_ok_and(|mut entries| entries.next().is_some()))?;
    signal(emulator(temporary.path())?, "-KILL")?;
    let output = run.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("tried again 1 time, the bench failed first: "), "{said}");
    assert!(said.contains("ended by signal 9"), "the cause: {said}");
    let results = fs::read_to_string(out.join("results.jsonl"))?;
    let retried = results.lines().filter(|line| line.contains("\"retried\":{\"times\":1,\"first_cause\":\""));
    assert_eq!(retried.count(), 1, "one scenario was tried again");
    nothing_is_left(temporary.path())
}
