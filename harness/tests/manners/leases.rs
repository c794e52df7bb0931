//! Who has a probe: a run that finds it taken says by whom, waits if it is told to, and never touches it before.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use flagfall::lease::{Lease, Leases};

use crate::program::{RIGHT, code, folder, program, repository, stderr};

/// A board file whose probe nobody has.
fn board_file(folder: &Path) {
    let text = std::fs::read_to_string(repository().join("boards/olimex-h405.yaml")).expect("a board file");
    let firmware = repository().join("target/firmware/flagfall-f405.elf");
    let text = text
        .replace("\"0483:3748\"", "\"dead:beef:BENCH7\"")
        .replace("../target/firmware/flagfall-f405.elf", &firmware.display().to_string());
    std::fs::write(folder.join("board.yaml"), text).expect("a file");
}

fn command(cwd: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.current_dir(cwd).env("FLAGFALL_LEASES", cwd.join("leases")).env("FLAGFALL_HOLDER", "bob@desk");
    command.args(["run", "--board", "board.yaml"]).args(more);
    command
}

fn taken_by_ann(cwd: &Path) -> Lease {
    Leases::in_folder(&cwd.join("leases"), "ann@bench").take("BENCH7", "soak test").expect("free")
}

#[test]
fn a_probe_that_is_taken_is_left_alone_and_its_holder_named() {
    let folder = folder([("f/right".to_owned(), RIGHT)]);
    board_file(folder.path());
    let _lease = taken_by_ann(folder.path());
    let output = command(folder.path(), &[]).output().expect("it starts");
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("probe BENCH7 is taken: ann@bench, process"), "{said}");
    assert!(said.contains("(soak test); wait for it with --wait 10m"), "{said}");
    assert!(!folder.path().join("out").exists(), "nothing was begun");
}

#[test]
fn whoever_is_told_to_wait_says_so_and_goes_on_when_it_is_free() {
    let folder = folder([("f/right".to_owned(), RIGHT)]);
    board_file(folder.path());
    let lease = taken_by_ann(folder.path());
    let mut child = command(folder.path(), &["--wait", "5m"]).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines().map_while(Result::ok);
    let waiting = lines.next().expect("it says that it waits");
    assert!(waiting.contains("waiting: probe BENCH7 is taken: ann@bench"), "{waiting}");
    drop(lease);
    let said = lines.collect::<Vec<_>>().join("\n");
    // Then it goes for the probe, which is not there.
    assert!(said.contains("the board cannot be used:"), "{said}");
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    Leases::in_folder(&folder.path().join("leases"), "ann@bench").take("BENCH7", "again").expect("it was let go");
}

#[test]
fn options_of_a_bench_need_a_board() {
    let folder = folder([("f/right".to_owned(), RIGHT)]);
    for option in [["--wait", "10m"], ["--dut", "17"], ["--operator", "ann"], ["--temperature", "-5.5"]] {
        let output = Command::new(program()).current_dir(folder.path()).arg("run").args(option).output();
        let output = output.expect("it starts");
        assert_eq!(code(&output), 2, "{option:?}");
        assert!(stderr(&output).contains("--board <FILE>"), "{}", stderr(&output));
    }
}
