//! What `flagfall coverage` says of the results of runs.

use std::fs;
use std::path::Path;

use flagfall_trace::Verdict;
use serde_json::Value;

use crate::program::{RIGHT, beside, code, flagfall, folder, records, repository, stderr, stdout};

/// A case that names a requirement, and is right only if White keeps this much.
fn case(left: &str) -> String {
    RIGHT.replace("4m53s", left).replace("points: [B1]", "points: [B1]\nrequirements: [E-l, E-b]")
}

/// Like [`RIGHT`], with a clock that is wrong and is expected to be.
const WRONG_ON_PURPOSE: &str = r#"
scenario: the sign names the wrong side
points: [A3]
control: {periods: 10m, at_zero: run-on}
opening: {left: {white: 2s, black: 4s}}
timeline:
  - {at: 0s, start: white}
  - {at: +1s, fault: first-fallen-wrong}
  - {at: flag(white) + 1s, press: white}
  - {at: flag(black) + 1s, read: {shown: {first_fallen: black}}}
clock: {wrong: [flag(black)], from: fault}
"#;

fn ran(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder(files.iter().map(|(id, text)| ((*id).to_owned(), *text)));
    let output = flagfall(folder.path(), &["run"]);
    assert!(code(&output) <= 1, "{}", stderr(&output));
    folder
}

#[test]
fn every_requirement_that_cases_can_show_is_shown_in_virtual_time() {
    let out = tempfile::tempdir().expect("a folder");
    let results = out.path().join("sim");
    let results = results.to_str().expect("a path in UTF-8");
    let run = flagfall(&repository(), &["run", "--out", results]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let output = flagfall(out.path(), &["coverage", "--require", results]);
    let said = stdout(&output);
    assert_eq!(code(&output), 0, "{said}");
    assert!(said.ends_with("sim: 12 shown, 0 failed, 0 open, 2 without a case\n"), "{said}");
    for id in ["E-c", "E-j"] {
        assert!(said.contains(&format!("{id} has no case: ")), "{said}");
    }
    // A clock that is wrong on purpose shows that the bench finds it, and nothing of the clock.
    let wrong: Vec<_> =
        records(Path::new(results)).into_iter().filter(|of| of.scenario.starts_with("defective-clock/")).collect();
    let proofs: Vec<_> = wrong.iter().filter(|of| of.requirements.iter().any(|id| id != "E-a")).collect();
    assert!(!wrong.is_empty() && proofs.is_empty(), "{proofs:?}");
}

#[test]
fn records_name_what_they_prove_and_every_right_clock_proves_the_laws() {
    const DIAL: &str = "scenario: hands\npoints: [A1]\ncontrol: {periods: 5m, dial: plain}\n\
                        timeline: [{at: 0s, start: white}, {at: +1s, press: white}]\nexpect: [{running: black}]\n";
    // What every case proves may be named as well, and counts once.
    let named = case("4m53s").replace("[E-l, E-b]", "[E-l, E-a, E-b]");
    let folder = ran(&[("f/dial", DIAL), ("f/named", &named), ("f/plain", RIGHT), ("f/wrong", WRONG_ON_PURPOSE)]);
    let records = records(&folder.path().join("out"));
    let of: Vec<(&str, Verdict, Vec<&str>)> = records
        .iter()
        .map(|of| (of.scenario.as_str(), of.verdict, of.requirements.iter().map(String::as_str).collect()))
        .collect();
    let expected = [
        ("f/dial", Verdict::Pass, vec![]),
        ("f/named", Verdict::Pass, vec!["E-a", "E-b", "E-l"]),
        ("f/plain", Verdict::Pass, vec!["E-a"]),
        ("f/wrong", Verdict::Pass, vec![]),
    ];
    assert_eq!(of, expected);
}

#[test]
fn a_failed_requirement_is_an_exit_of_one_and_an_open_one_only_if_all_are_required() {
    let folder = ran(&[("f/one", &case("4m53s"))]);
    let output = flagfall(folder.path(), &["coverage"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    let said = stdout(&output);
    assert!(said.contains("E-b  shows the time for the next move           shown: 1 pass\n"), "{said}");
    assert!(said.contains("E-n is open on sim: no case passed or failed\n"), "{said}");
    assert!(said.ends_with("sim: 3 shown, 0 failed, 9 open, 2 without a case\n"), "{said}");
    assert_eq!(code(&flagfall(folder.path(), &["coverage", "--require"])), 1);
    let painted = stdout(&flagfall(folder.path(), &["--color", "always", "coverage"]));
    assert!(painted.contains("\x1b[32mshown: 1 pass\x1b[0m"), "{painted:?}");

    let folder = ran(&[("f/one", &case("4m53s")), ("f/two", &case("4m52s"))]);
    let output = flagfall(folder.path(), &["coverage"]);
    let said = stdout(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(said.contains("E-l failed on sim: f/two\n") && said.contains("failed: 1 fail, 1 pass\n"), "{said}");
    assert!(said.ends_with("sim: 0 shown, 3 failed, 9 open, 2 without a case\n"), "{said}");
    let painted = stdout(&flagfall(folder.path(), &["--color", "always", "coverage"]));
    for cell in ["1;31mfailed: 1 fail, 1 pass", "33mopen", "2mno case"] {
        assert!(painted.contains(&format!("\x1b[{cell}\x1b[0m")), "{cell:?}: {painted:?}");
    }
}

/// The same results as those of a bench called `rig`, in a folder beside those of the simulator.
fn of_another_rig(folder: &Path, rig: &str) {
    let (from, to) = (folder.join("out"), folder.join("bench"));
    fs::create_dir(&to).expect("a folder");
    let results = fs::read_to_string(from.join("results.jsonl")).expect("results");
    let results = results.replace("\"rig\":\"sim\"", &format!("\"rig\":\"{rig}\""));
    fs::write(to.join("results.jsonl"), results).expect("results");
    fs::copy(from.join("requirements.json"), to.join("requirements.json")).expect("a list");
}

#[test]
fn rigs_have_columns_as_wide_as_their_names() {
    let folder = ran(&[("f/one", RIGHT)]);
    of_another_rig(folder.path(), "a-bench-of-our-own");
    let said = stdout(&flagfall(folder.path(), &["coverage", "out", "bench"]));
    let column = |text: &str| said.lines().find_map(|line| line.find(text)).expect("a column");
    assert!(said.contains("  a-bench-of-our-own  sim\n"), "{said}");
    let first = said.lines().find(|line| line.starts_with("E-a ")).expect("a row");
    assert_eq!(first.rfind("shown: 1 pass"), Some(column("  sim") + 2), "{said}");
    assert_eq!(first.find("shown: 1 pass"), Some(column("a-bench")), "{said}");
    assert!(!said.lines().any(|line| line.ends_with(' ')), "{said:?}");
}

#[test]
fn a_requirement_with_a_case_on_one_rig_is_not_without_a_case() {
    let named = case("4m53s").replace("[E-l, E-b]", "[E-c]");
    let folder = ran(&[("f/named", &named), ("g/other", RIGHT)]);
    of_another_rig(folder.path(), "bench");
    let file = folder.path().join("bench/results.jsonl");
    let of_bench = fs::read_to_string(&file).expect("results").replace("\"E-c\"", "\"E-a\"");
    fs::write(&file, of_bench).expect("results");
    let said = stdout(&flagfall(folder.path(), &["coverage", "out", "bench"]));
    assert!(!said.contains("E-c has no case") && said.contains("E-j has no case"), "{said}");
}

#[test]
fn where_nothing_was_run_everything_that_is_required_is_missing() {
    let folder = ran(&[("f/one", RIGHT)]);
    fs::write(folder.path().join("out/results.jsonl"), "").expect("a file");
    let output = flagfall(folder.path(), &["coverage"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).ends_with("nothing was run\n"), "{}", stdout(&output));
    assert_eq!(code(&flagfall(folder.path(), &["coverage", "--require"])), 1);
}

#[test]
fn json_is_one_object_for_each_requirement() {
    let folder = ran(&[("f/one", &case("4m53s"))]);
    let said = stdout(&flagfall(folder.path(), &["coverage", "--json"]));
    let rows: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), 14, "{said}");
    assert_eq!((&rows[1]["id"], &rows[1]["on"][0]["state"]), (&"E-b".into(), &"shown".into()));
    assert_eq!(rows[1]["on"][0]["cases"]["pass"][0], "f/one");
    assert_eq!(rows[2]["on"][0]["state"], "no-case");
    assert!(rows[2]["proof"]["no_case"].is_string());
}

#[test]
fn results_are_replaced_with_their_list_and_without_it_there_is_no_coverage() {
    let folder = ran(&[("f/one", RIGHT)]);
    assert_eq!(code(&flagfall(folder.path(), &["run"])), 0, "the list is ours");
    let out = folder.path().join("out");
    let files = ["host.jsonl", "index.html", "report.json", "requirements.json", "results.jsonl", "rulebooks.json"];
    assert_eq!(beside(&out), [&files as &[&str], &["traces", "written.json"]].concat());
    fs::remove_file(out.join("requirements.json")).expect("removed");
    let output = flagfall(folder.path(), &["coverage"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with("flagfall: cannot read out/requirements.json: "), "{}", stderr(&output));
}
