//! Which requirements are shown: every state, folders side by side, and files that do not belong together.

use std::fs;
use std::path::{Path, PathBuf};

use flagfall_reports::{Coverage, State, write_page};
use flagfall_trace::requirement::{Proof, RequirementRow};
use flagfall_trace::{RunRecord, Verdict};
use tempfile::TempDir;

fn asked(id: &str, proof: Proof) -> RequirementRow {
    RequirementRow {
        id: id.into(),
        title: format!("title of {id}"),
        source: "a & b".into(),
        text: "<text>".into(),
        proof,
    }
}

fn list() -> Vec<RequirementRow> {
    let cases = || Proof::Cases("how".into());
    vec![
        asked("R-2", cases()),
        asked("R-1", cases()),
        asked("R-3", cases()),
        asked("R-4", Proof::NoCase("print".into())),
    ]
}

fn record(scenario: &str, rig: &str, verdict: Verdict, requirements: &[&str]) -> RunRecord {
    RunRecord {
        schema: RunRecord::SCHEMA,
        scenario: scenario.into(),
        title: "t".into(),
        points: Vec::new(),
        requirements: requirements.iter().map(|id| (*id).to_owned()).collect(),
        rig: rig.into(),
        verdict,
        reason: None,
        checks: Vec::new(),
        margins: Vec::new(),
        rulings: Vec::new(),
        trace_hash: None,
        trace_file: None,
        retried: None,
    }
}

fn folder(asked: &[RequirementRow], records: &[RunRecord]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).expect("JSON")).collect();
    fs::write(folder.path().join("results.jsonl"), lines.join("\n")).expect("results");
    fs::write(folder.path().join("requirements.json"), serde_json::to_string(asked).expect("JSON")).expect("a list");
    folder
}

fn read(folders: &[&TempDir]) -> Result<Coverage, String> {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.path().to_owned()).collect();
    Coverage::read(&folders).map_err(|error| error.to_string())
}

fn states(coverage: &Coverage) -> Vec<(&str, Vec<State>)> {
    let row = |row: &flagfall_reports::CoverageRow| row.on.iter().map(|on| on.state).collect();
    coverage.rows.iter().map(|of| (of.requirement.id.as_str(), row(of))).collect()
}

#[test]
fn each_state_has_its_reason() {
    let runs = [
        record("a/one", "sim", Verdict::Pass, &["R-1", "R-2"]),
        record("a/two", "sim", Verdict::Fail, &["R-2"]),
        record("a/three", "sim", Verdict::NotApplicable, &["R-1", "R-3"]),
        record("a/four", "sim", Verdict::Inconclusive, &["R-3"]),
        record("a/five", "sim", Verdict::Infra, &["R-3"]),
    ];
    let coverage = read(&[&folder(&list(), &runs)]).expect("coverage");
    let expected = [
        ("R-2", vec![State::Failed]),
        ("R-1", vec![State::Shown]),
        ("R-3", vec![State::Open]),
        ("R-4", vec![State::NoCase]),
    ];
    assert_eq!(states(&coverage), expected, "in the order of the list");
    let on = &coverage.rows[0].on[0];
    assert_eq!((on.count(Verdict::Pass), on.count(Verdict::Fail), on.count(Verdict::Infra)), (1, 1, 0));
    assert_eq!(coverage.rows[1].on[0].cases[&Verdict::NotApplicable], ["a/three"]);
}

#[test]
fn what_a_case_showed_is_not_hidden_by_what_the_list_says() {
    for (verdict, state) in [
        (Verdict::Fail, State::Failed),
        (Verdict::Pass, State::Shown),
        (Verdict::NotApplicable, State::NoCase),
        (Verdict::Inconclusive, State::NoCase),
    ] {
        let runs = [record("a/one", "sim", verdict, &["R-4"])];
        let coverage = read(&[&folder(&list(), &runs)]).expect("coverage");
        assert_eq!(coverage.rows[3].on[0].state, state, "{verdict}");
    }
}

#[test]
fn a_rig_on_which_nothing_was_asked_for_is_a_rig() {
    let runs = [record("a/one", "board", Verdict::Pass, &[]), record("a/one", "sim", Verdict::Fail, &["R-1"])];
    let coverage = read(&[&folder(&list(), &runs)]).expect("coverage");
    assert_eq!(coverage.rigs, ["board", "sim"]);
    assert_eq!(states(&coverage)[1], ("R-1", vec![State::Open, State::Failed]));
    assert!(coverage.any(State::Failed) && coverage.any(State::Open) && !coverage.any(State::Shown));
}

#[test]
fn folders_stand_side_by_side_and_one_rig_proves_nothing_of_another() {
    let sim = folder(&list(), &[record("a/one", "sim", Verdict::Pass, &["R-1"])]);
    let board = folder(&list(), &[record("a/one", "board", Verdict::NotApplicable, &["R-1"])]);
    let coverage = read(&[&sim, &board]).expect("coverage");
    assert_eq!(coverage.rigs, ["board", "sim"]);
    assert_eq!(states(&coverage)[1], ("R-1", vec![State::Open, State::Shown]));
    assert_eq!(coverage, read(&[&board, &sim]).expect("coverage"), "the order of folders decides nothing");
}

#[test]
fn the_worse_of_two_runs_of_a_case_counts_and_counts_once() {
    let right = folder(&list(), &[record("a/one", "sim", Verdict::Pass, &["R-1"])]);
    let wrong = folder(&list(), &[record("a/one", "sim", Verdict::Fail, &["R-1"])]);
    for folders in [[&right, &wrong], [&wrong, &right]] {
        let on = &read(&folders).expect("coverage").rows[1].on[0];
        assert_eq!((on.state, on.count(Verdict::Pass), on.count(Verdict::Fail)), (State::Failed, 0, 1));
    }
    assert_eq!(read(&[&right, &right]).expect("coverage").rows[1].on[0].count(Verdict::Pass), 1);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let stranger = folder(&list(), &[record("a/one", "sim", Verdict::Pass, &["R-9"])]);
    let said = read(&[&stranger]).expect_err("R-9 is on no list");
    assert!(said.ends_with("requirements.json has no requirement R-9, but the run record of a/one names it"), "{said}");

    let mut other = list();
    other[1].text = "something else".into();
    let said = read(&[&folder(&list(), &[]), &folder(&other, &[])]).expect_err("two wordings");
    assert!(said.ends_with("words requirement R-1 otherwise than a folder before it"), "{said}");

    let damaged = folder(&list(), &[]);
    fs::write(damaged.path().join("requirements.json"), "[{}]").expect("a file");
    let said = read(&[&damaged]).expect_err("no list");
    assert!(said.contains("requirements.json is no list of requirements: missing field `id` at line 1"), "{said}");

    let alone = folder(&list(), &[]);
    fs::remove_file(alone.path().join("requirements.json")).expect("removed");
    let said = read(&[&alone]).expect_err("no file");
    assert!(said.starts_with("cannot read") && said.contains("requirements.json"), "{said}");
}

fn page(folder: &Path) -> String {
    fs::read_to_string(write_page(folder).expect("a page")).expect("the page")
}

#[test]
fn the_page_links_counts_to_runs_and_says_what_is_not_covered() {
    let runs = [
        record("a/one", "sim", Verdict::Pass, &["R-1", "R-2"]),
        record("a/two", "sim", Verdict::Fail, &["R-2"]),
        record("a/one", "board", Verdict::Pass, &["R-1", "R-2"]),
    ];
    let folder = folder(&list(), &runs);
    let page = page(folder.path());
    let (_, section) = page.split_once("id=\"requirements\"").expect("a section");
    let (section, _) = section.split_once("</section>").expect("its end");
    assert!(section.contains("<summary>1 fail, 1 pass</summary>"), "{section}");
    for id in ["run-a-one-on-sim", "run-a-one-on-board", "run-a-two-on-sim"] {
        assert!(section.contains(&format!("href=\"#{id}\"")) && page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    assert!(section.contains("&lt;text&gt;") && section.contains("a &amp; b"), "{section}");
    for line in [
        "<li><b>R-2 title of R-2</b>: failed on sim.</li>",
        "<li><b>R-3 title of R-3</b>: open on board, sim.</li>",
        "<li><b>R-4 title of R-4</b>: no case. print</li>",
    ] {
        assert!(section.contains(line), "{line} is not in {section}");
    }
    assert!(!section.contains("<li><b>R-1"), "{section}");
}

/// The section of the page about requirements.
fn section(folder: &Path) -> String {
    let page = page(folder);
    let (_, section) = page.split_once("id=\"requirements\"").expect("a section");
    section.split_once("</section>").expect("its end").0.to_owned()
}

#[test]
fn each_cell_has_its_state_in_words_and_in_colour() {
    let runs = [
        record("a/one", "<sim>", Verdict::Pass, &["R-1"]),
        record("a/two", "<sim>", Verdict::Fail, &["R-2"]),
        record("a/three", "<sim>", Verdict::Infra, &["R-3"]),
    ];
    let section = section(folder(&list(), &runs).path());
    assert!(section.contains("<th scope=\"col\">&lt;sim&gt;</th>"), "{section}");
    for (class, words, counted) in [
        ("pass", "shown", "<details class=\"plain\"><summary>1 pass</summary>"),
        ("fail", "failed", "<details class=\"plain\"><summary>1 fail</summary>"),
        ("inconclusive", "open", "<details class=\"plain\"><summary>1 infra</summary>"),
        ("not-applicable", "no case", "</div></td>"),
    ] {
        let cell = format!("<td data-label=\"&lt;sim&gt;\"><div><span class=\"v {class}\">{words}</span>{counted}");
        assert!(section.contains(&cell), "{cell} is not in {section}");
    }
}

#[test]
fn the_worse_of_two_runs_of_a_case_is_the_one_that_is_linked() {
    for (verdicts, id) in
        [([Verdict::Pass, Verdict::Fail], "run-a-one-on-sim.2"), ([Verdict::Fail, Verdict::Pass], "run-a-one-on-sim")]
    {
        let runs = verdicts.map(|verdict| record("a/one", "sim", verdict, &["R-1"]));
        let section = section(folder(&list(), &runs).path());
        assert!(section.contains(&format!("<a class=\"v fail\" href=\"#{id}\">a/one</a>")), "{id}: {section}");
    }
}

#[test]
fn where_everything_is_covered_nothing_is_said_to_be_missing() {
    let asked = &list()[..1];
    let shown = section(folder(asked, &[record("a/one", "sim", Verdict::Pass, &["R-2"])]).path());
    assert!(!shown.contains("Not covered") && !shown.contains("<li>"), "{shown}");
}

#[test]
fn what_has_a_case_on_one_rig_is_not_without_a_case() {
    let runs = [record("a/one", "sim", Verdict::Pass, &["R-4"]), record("a/two", "board", Verdict::Pass, &[])];
    let shown = section(folder(&list(), &runs).path());
    assert!(!shown.contains("title of R-4</b>: no case"), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_list_that_is_there_and_cannot_be_read_is_no_missing_list() {
    let folder = folder(&list(), &[]);
    let path = folder.path().join("requirements.json");
    fs::remove_file(&path).expect("removed");
    std::os::unix::fs::symlink(&path, &path).expect("a link to itself");
    let said = write_page(folder.path()).expect_err("no list").to_string();
    assert!(said.starts_with("cannot read") && said.contains("requirements.json"), "{said}");
}

#[test]
fn a_folder_without_a_list_has_a_page_without_the_section() {
    let folder = folder(&list(), &[record("a/one", "sim", Verdict::Pass, &[])]);
    fs::remove_file(folder.path().join("requirements.json")).expect("removed");
    assert!(!page(folder.path()).contains("id=\"requirements\""));
}
