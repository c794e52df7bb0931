//! Every mistake has its stored message: `bad/*.yaml` is read, `bad/*.stderr` is what the user sees.
//!
//! `FLAGFALL_BLESS=1 cargo test -p flagfall-scenarios --test bad` writes the messages anew; look at the difference.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use flagfall_scenarios::read_str;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad")
}

/// The files with this ending, by their stems.
fn stems(ending: &str) -> BTreeSet<String> {
    fs::read_dir(folder())
        .expect("the folder of bad scenarios is there")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .map(|path| path.file_stem().expect("it has a name").to_string_lossy().into_owned())
        .collect()
}

fn scenario(stem: &str) -> String {
    fs::read_to_string(folder().join(format!("{stem}.yaml"))).expect("a scenario is text")
}

/// What a user sees of a bad scenario; a draft that can be read is refused at its second step, as the
/// oracle would, and rulebooks are compared with those that are built in.
fn message(stem: &str, text: &str) -> String {
    let name = format!("bad/{stem}.yaml");
    let diagnostics = match read_str(&name, &format!("bad/{stem}"), text) {
        Err(diagnostics) => diagnostics,
        Ok(scenario) if stem == "step-without-instant" => {
            scenario.diagnose_step(1, "black does not run here and its flag is up")
        }
        Ok(scenario) if stem == "unknown-rulebook" => {
            scenario.check_rulebooks(&["fide-2014", "cbx"]).expect_err("it names others")
        }
        Ok(_) => panic!("{name} is a good scenario"),
    };
    format!("{diagnostics}\n")
}

#[test]
fn every_mistake_has_its_stored_message() {
    let bless = std::env::var_os("FLAGFALL_BLESS").is_some();
    let mut wrong = Vec::new();
    for stem in stems("yaml") {
        let stored = folder().join(format!("{stem}.stderr"));
        let found = message(&stem, &scenario(&stem));
        if bless {
            fs::write(&stored, &found).expect("the folder can be written");
        } else if fs::read_to_string(&stored).unwrap_or_default() != found {
            wrong.push(format!("{stem}.stderr differs; found:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_message_has_its_scenario() {
    let scenarios = stems("yaml");
    assert!(scenarios.len() >= 30, "{} mistakes", scenarios.len());
    assert_eq!(stems("stderr"), scenarios);
}

#[test]
fn every_message_names_file_line_and_column() {
    for stem in stems("yaml") {
        let text = message(&stem, &scenario(&stem));
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("error: "), "{stem}: {first}");
        let place = text.lines().find(|line| line.trim_start().starts_with("--> ")).unwrap_or_default();
        let numbers: Vec<&str> = place.rsplit(':').take(2).collect();
        assert!(numbers.iter().all(|number| number.parse::<u32>().is_ok()), "{stem}: {place}");
    }
}
