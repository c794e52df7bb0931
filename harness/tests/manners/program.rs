//! The program in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flagfall_trace::RunRecord;
use tempfile::TempDir;

pub(crate) const RIGHT: &str = r#"
scenario: a press stops White and starts Black
points: [B1]
control: 5m
timeline: [{at: 0s, start: white}, {at: +7s, move: {side: white, san: e4, press: same-hand}}]
expect: [{left: {white: 4m53s}, running: black}]
"#;

/// A case that takes a while even in virtual time: knights go out and home so many times.
pub(crate) fn long(rounds: usize) -> String {
    format!(
        "scenario: knights go out and home\npoints: [B1]\ncontrol: 100h\n\
         timeline:\n  - {{at: 0s, start: white}}\n  - {{at: +1s, play: {{moves: \"{}\", think: 10ms}}}}\n\
         expect: [{{running: white}}]\n",
        "Nf3 Nf6 Ng1 Ng8 ".repeat(rounds).trim_end()
    )
}

pub(crate) fn program() -> &'static str {
    env!("CARGO_BIN_EXE_flagfall")
}

pub(crate) fn flagfall(cwd: &Path, arguments: &[&str]) -> Output {
    Command::new(program()).current_dir(cwd).args(arguments).output().expect("it starts")
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// A folder with a file `scenarios/cases/ID.yaml` for each pair of id and text.
pub(crate) fn folder<'a>(files: impl IntoIterator<Item = (String, &'a str)>) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (id, text) in files {
        let file = folder.path().join("scenarios/cases").join(format!("{id}.yaml"));
        fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    folder
}

pub(crate) fn records(results: &Path) -> Vec<RunRecord> {
    let text = fs::read_to_string(results.join("results.jsonl")).expect("results");
    text.lines().map(|line| serde_json::from_str(line).expect("a run record")).collect()
}

/// What is in a folder besides the scenarios, sorted.
pub(crate) fn beside(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it can be listed").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != "scenarios");
    names.sort();
    names
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
