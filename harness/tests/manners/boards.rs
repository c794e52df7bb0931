//! `flagfall probes`, `boards`, `boards check` and `flash` on a machine that may have neither probe nor emulator.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{code, flagfall, repository, stderr, stdout};

/// A folder `boards` with the emulated board and one changed copy of it.
fn boards(change: impl FnOnce(String) -> String) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let boards = folder.path().join("boards");
    fs::create_dir(&boards).expect("a folder");
    let text = fs::read_to_string(repository().join("boards/virtual-f405.yaml")).expect("a board file");
    fs::write(boards.join("as-it-is.yaml"), &text).expect("written");
    fs::write(boards.join("changed.yaml"), change(text)).expect("written");
    folder
}

fn objects(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn probes_are_listed_with_emulated_ones_apart() {
    let output = flagfall(Path::new("."), &["probes"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("\nemulated, started by a board file"), "{}", stdout(&output));
    let report = &objects(&flagfall(Path::new("."), &["probes", "--json"]))[0];
    assert!(report["probes"].is_array(), "{report}");
    assert_eq!(report["emulated"]["machines"][0]["ids"], "c0de:0405");
}

#[test]
fn boards_are_listed_with_what_they_can_do_and_their_quarantine() {
    let held = "quarantine: {reason: loses its probe, date: 2026-01-01, owner: bench team, expires: 9999-12-31}\n";
    let folder = boards(|text| text + held);
    let output = flagfall(folder.path(), &["boards"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(text.matches("virtual-f405  STM32F405RGTx, emulated stm32f405\n").count(), 2, "{text}");
    assert!(text.contains("  in quarantine: loses its probe (since 2026-01-01, owner bench team, "), "{text}");
    assert!(text.contains("  not on this machine: cannot read firmware"), "{text}");
    let rows = objects(&flagfall(folder.path(), &["boards", "--json", "boards/as-it-is.yaml", "boards"]));
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[2]["quarantine"]["holds"], &rows[0]["quarantine"]), (&true.into(), &Value::Null));
    assert_eq!((&rows[0]["emulated"], &rows[0]["faults"][0]), (&true.into(), &"rate".into()));
    assert!(text.contains("\n  time can be jumped\n") && rows[0]["no_jumps"].is_null(), "{text}");
}

#[test]
fn a_wrong_board_file_is_told_and_the_others_are_listed() {
    let folder = boards(|text| text.replace("board: virtual-f405", "baord: virtual-f405"));
    let output = flagfall(folder.path(), &["boards"]);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(stderr(&output).contains("changed.yaml"), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("virtual-f405  "), "{}", stdout(&output));
    for command in [&["boards", "nowhere.yaml"][..], &["boards", "check", "nowhere.yaml"], &["flash", "--board", "x"]] {
        assert_eq!(code(&flagfall(folder.path(), command)), 2, "{command:?}");
    }
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    let output = flagfall(folder.path(), &["boards", "empty"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("no board file in empty"), "{}", stderr(&output));
}

#[test]
fn a_board_that_cannot_be_used_fails_in_the_step_that_is_to_blame() {
    // The firmware is looked for beside the folder, and nobody has built one there.
    let folder = boards(|text| text);
    let output = flagfall(folder.path(), &["boards", "check", "boards/as-it-is.yaml"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 3, "{text}");
    assert!(text.contains("  failed      firmware    cannot read firmware"), "{text}");
    assert!(text.contains("next: build the firmware with scripts/firmware"), "{text}");
    assert!(text.contains("  not reached white\n"), "{text}");
    assert!(text.ends_with("virtual-f405 is not fit for a run: no verdict on a clock can be had here\n"), "{text}");
    let report = &objects(&flagfall(folder.path(), &["boards", "check", "--json", "boards/as-it-is.yaml"]))[0];
    assert_eq!((&report["fit"], &report["steps"][0]["outcome"]), (&false.into(), &"failed".into()));
    assert_eq!(report["steps"][8]["outcome"], "not-reached");
    let output = flagfall(folder.path(), &["flash", "--board", "boards/as-it-is.yaml"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (2, ""), "{}", stderr(&output));
}
