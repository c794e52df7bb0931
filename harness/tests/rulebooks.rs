//! The shipped rulebooks against the shipped cases: every answer that is given is expected somewhere, and no answer could be
//! another without a case that notices.

use std::path::Path;
use std::process::{Command, Output};

fn rules(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .arg("rules")
        .args(arguments)
        .output()
        .expect("it starts")
}

fn assert_passes(arguments: &[&str]) {
    let output = rules(arguments);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn every_decided_cell_has_a_case() {
    assert_passes(&["coverage"]);
}

#[test]
fn every_answer_that_is_changed_is_noticed() {
    assert_passes(&["mutate"]);
}
