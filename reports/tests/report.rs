//! The report for programs and for pull requests: its schema, its line, its Markdown.

mod bench;

use std::fs;
use std::path::{Path, PathBuf};

use bench::{Bench, both_flags};
use flagfall_reports::statistics::Mask;
use flagfall_reports::{Report, write_report};
use flagfall_trace::{Check, Margin, Plan, RunRecord, Subject, Verdict};
use serde_json::Value;

const BOARD: Bench = Bench {
    ppb: -35_000,
    zero_ticks: 77,
    bracket_ns: 400,
    uncertainty_ns: 300,
    latency_ns: |n| 900 + (n as i64 % 7) * 200,
};

fn record(scenario: &str, rig: &str, verdict: Verdict, used: Option<u64>) -> RunRecord {
    let check = Check {
        subject: Subject::Clock,
        rulebook: None,
        verdict,
        what: "oracle".to_owned(),
        expected: "right".to_owned(),
        found: "time left | off by a second".to_owned(),
        line: None,
    };
    let margin = |off_ns| Margin { of: "time left".to_owned(), off_ns, bound_ns: 10_000, at_ns: 5_000_000_000 };
    RunRecord {
        schema: RunRecord::SCHEMA,
        scenario: scenario.to_owned(),
        title: "a title".to_owned(),
        points: vec!["H2".to_owned()],
        requirements: Vec::new(),
        rig: rig.to_owned(),
        verdict,
        reason: None,
        checks: vec![check],
        margins: used.map(margin).into_iter().collect(),
        retried: None,
        rulings: Vec::new(),
        trace_hash: None,
        trace_file: None,
    }
}

fn kept(folder: &Path, plan: &Plan, rig: &str, bench: Bench, record: RunRecord) -> RunRecord {
    let trace = bench.run(plan);
    let file = format!("traces/{rig}/{}.json", record.scenario);
    trace.write(&folder.join(&file)).expect("a trace file");
    RunRecord { trace_hash: Some(trace.hash().to_string()), trace_file: Some(file), ..record }
}

fn put(folder: &Path, records: &[RunRecord]) {
    let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).expect("JSON")).collect();
    fs::write(folder.join("results.jsonl"), lines.join("\n")).expect("a file");
}

/// The head of the protocol of the board's folder.
const BENCH: &str = r#"{"schema":1,"rig":"board","board":"bench 3","chip":"STM32F405RGTx","probe":"0483:374b","dut_serial":"17","firmware":{"file":"clock.elf","sha256":"00ff","build_id":null},"reference":{"clock":"GPSDO 7","calibrated":"2026-05-01"},"temperature_c":"23.5","operator":null,"technique":"real","stack":{"used_bytes":964,"of_bytes":3072},"flagfall":"0.1.0"}"#;

/// One folder of the simulator and one of a board, on which a scenario fails and parts from the simulator's run.
fn folders(root: &Path) -> Vec<PathBuf> {
    let folders = ["sim", "board"].map(|name| root.join(name));
    folders.iter().for_each(|folder| fs::create_dir(folder).expect("a folder"));
    let plan = both_flags();
    let mut lost = plan.clone();
    // On the board the second press is lost, and what follows is another game.
    lost.steps.remove(5);
    let sim = [
        kept(&folders[0], &plan, "sim", Bench::EXACT, record("a/bad", "sim", Verdict::Pass, Some(2_000))),
        kept(&folders[0], &plan, "sim", Bench::EXACT, record("a/good", "sim", Verdict::Pass, Some(0))),
    ];
    let board = [
        kept(&folders[1], &lost, "board", BOARD, record("a/bad", "board", Verdict::Fail, Some(90_000))),
        kept(&folders[1], &plan, "board", BOARD, record("a/good", "board", Verdict::Pass, Some(9_100))),
    ];
    put(&folders[0], &sim);
    put(&folders[1], &board);
    fs::write(folders[1].join("bench.json"), BENCH).expect("a file");
    folders.to_vec()
}

fn report() -> (Report, String) {
    let root = tempfile::tempdir().expect("a folder");
    let page = root.path().join("both.html");
    let report = write_report(&folders(root.path()), &page, &Mask::default()).expect("a report");
    assert_eq!(fs::read_dir(root.path()).expect("a folder").count(), 3, "two folders and a page");
    (report, fs::read_to_string(page).expect("the page"))
}

#[test]
fn the_report_is_as_its_schema_says_and_leaves_none_of_its_words_out() {
    let schema: Value = serde_json::from_str(Report::json_schema()).expect("the schema is JSON");
    assert!(jsonschema::meta::is_valid(&schema), "the schema is one");
    assert_eq!(schema["properties"]["schema"]["const"], Report::SCHEMA);
    let json: Value = serde_json::from_str(&report().0.json()).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let wrong: Vec<String> =
        validator.iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // With nothing beyond the schema, and everything that it requires, both are the same words.
    for name in [
        "rig",
        "bench",
        "latency",
        "drift",
        "margin",
        "named_margin",
        "run",
        "mask",
        "worst",
        "on_device",
        "samples",
        "rate",
        "drift_95",
        "game",
        "finding",
        "mask_verdict",
        "timing",
    ] {
        let defined = &schema["$defs"][name];
        assert_eq!(defined["additionalProperties"], false, "{name}");
        let (all, required) = (defined["properties"].as_object(), defined["required"].as_array());
        // What a board may not tell is the one word that may be missing.
        let told = required.map(|required| required.len() + usize::from(name == "bench"));
        assert_eq!(all.map(serde_json::Map::len), told, "{name}");
    }
    assert_eq!(json["benches"], Value::Array(vec![serde_json::from_str(BENCH).expect("JSON")]));
    let board = &json["rigs"][0];
    assert!(board["latency"].is_object() && board["drift"].is_object() && board["smallest_margin"].is_object());
}

#[test]
fn the_line_has_an_interval_and_names_what_came_nearest() {
    let lines = report().0.lines();
    assert_eq!(lines.len(), 1, "in virtual time nothing is measured: {lines:?}");
    assert!(lines[0].starts_with("board: drift -35.") && lines[0].contains(" ± "), "{}", lines[0]);
    assert!(lines[0].contains("ppm over ") && lines[0].contains("(max of "), "{}", lines[0]);
    assert!(lines[0].ends_with("bounds used up to 91 % (9.1 µs of 10 µs, a/good)"), "{}", lines[0]);
}

#[test]
fn the_summary_says_first_what_is_wrong_and_no_text_breaks_its_table() {
    let text = report().0.markdown();
    let wrong = text.lines().find(|line| line.starts_with("| **fail**")).expect("a failure");
    assert!(wrong.contains("a/bad") && wrong.contains("time left \\| off by a second"), "{wrong}");
    assert!(wrong.contains("parts from sim at record"), "{wrong}");
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} is not in {text}"));
    assert!(place("| board |") < place("### What is wrong") && place("### What is wrong") < place("### Measured"));
    assert!(place("### Measured") < place("| 91 % | a/good | board |"));
    assert!(place("| 91 % | a/good | board |") < place("| 20 % | a/bad | sim |"));
}

#[test]
fn two_rigs_stand_side_by_side_and_the_page_says_where_they_part() {
    let (report, page) = report();
    assert!(page.contains("id=\"run-a-bad-on-board\" data-beside=\"run-a-bad-on-sim\""));
    assert!(page.contains("<b>Two rigs part.</b> This run parts from sim at record"));
    assert!(page.contains("have the same events in the same order"), "a/good does not part");
    let parts: Vec<bool> = report.runs.iter().map(|run| run.parts.is_some()).collect();
    assert_eq!(parts, [true, true, false, false]);
    let attention = page.split("id=\"attention\"").nth(1).expect("a section");
    let (wrong, near) = (attention.find("a/bad"), attention.find("Smallest margins"));
    assert!(wrong < near && near.is_some(), "failures come first");
}

#[test]
fn a_rig_that_two_folders_have_gets_a_number() {
    let root = tempfile::tempdir().expect("a folder");
    let mut folders = folders(root.path());
    folders.push(folders[0].clone());
    let report = write_report(&folders, &root.path().join("three.html"), &Mask::default()).expect("a report");
    let rigs: Vec<&str> = report.rigs.iter().map(|rig| rig.rig.as_str()).collect();
    assert_eq!(rigs, ["board", "sim", "sim (3)"]);
}
