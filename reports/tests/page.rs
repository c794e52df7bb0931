//! The page as bytes: the same for the same results, nothing from outside, nothing that names could break.

mod bench;

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bench::{Bench, both_flags, game, ms, plan, whole};
use flagfall_core::Bonus;
use flagfall_reports::{ReportError, junit, write_page};
use flagfall_trace::{Check, Plan, RulingRow, RunRecord, Subject, Verdict};
use proptest::prelude::*;

const BOARD: Bench = Bench {
    ppb: -35_000,
    zero_ticks: 77,
    bracket_ns: 400,
    uncertainty_ns: 300,
    latency_ns: |n| 900 + (n as i64 % 7) * 200,
};

/// A record with this text wherever a record holds text.
fn record(text: &str, scenario: &str, rig: &str, verdict: Verdict) -> RunRecord {
    let said = || text.to_owned();
    RunRecord {
        schema: RunRecord::SCHEMA,
        scenario: scenario.to_owned(),
        title: said(),
        points: vec!["H2".to_owned(), said()],
        requirements: Vec::new(),
        rig: rig.to_owned(),
        verdict,
        reason: None,
        checks: vec![Check {
            subject: Subject::Clock,
            rulebook: None,
            verdict,
            what: said(),
            expected: said(),
            found: said(),
            line: Some(3),
        }],
        margins: Vec::new(),
        rulings: vec![RulingRow {
            rulebook: said(),
            at_ns: 5,
            last_ns: Some(9),
            count: 2,
            point: said(),
            ruling: said(),
            outcome: said(),
            article: Some(said()),
            strength: Some(said()),
            evidence_used: vec![said()],
            evidence_refused: vec![said()],
        }],
        trace_hash: None,
        trace_file: None,
        retried: None,
    }
}

fn put(folder: &Path, records: &[RunRecord]) {
    let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).expect("JSON")).collect();
    fs::write(folder.join("results.jsonl"), lines.join("\n")).expect("a file");
}

/// Carries the plan out, keeps its trace in the folder and gives its record.
fn kept(folder: &Path, plan: &Plan, rig: &str, bench: Bench) -> RunRecord {
    let trace = bench.run(plan);
    let file = format!("traces/{rig}/{}.json", plan.scenario);
    trace.write(&folder.join(&file)).expect("a trace file");
    RunRecord {
        trace_hash: Some(trace.hash().to_string()),
        trace_file: Some(file),
        ..record("said", &plan.scenario, rig, Verdict::Pass)
    }
}

fn page(folder: &Path) -> String {
    let path = write_page(folder).expect("a page");
    assert_eq!(path, folder.join("index.html"));
    fs::read_to_string(path).expect("the page")
}

/// The page with everything that is packed in its place.
fn unpacked(folder: &Path) -> String {
    let page = page(folder);
    let mut parts = page.split("data-packed=\"");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (packed, rest) = part.split_once("\">").expect("the attribute ends");
        let bytes = STANDARD.decode(packed).expect("base64");
        let html = miniz_oxide::inflate::decompress_to_vec(&bytes).expect("DEFLATE");
        whole += "\">";
        whole += std::str::from_utf8(&html).expect("text");
        whole += rest;
    }
    whole
}

/// A folder with two scenarios on two rigs, in this order of lines.
fn sample(reversed: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut blitz = plan("increment-delay/blitz", &[whole(60_000, Bonus::Increment { ms: 2_000 })], ms(200_000));
    game(&mut blitz, 40, |half| 800 + i64::from(half % 13) * 70);
    let mut records = vec![record("no trace", "both-flags/none", "virtual-board", Verdict::Infra)];
    for plan in [&both_flags(), &blitz] {
        records.push(kept(folder.path(), plan, "sim", Bench::EXACT));
        records.push(kept(folder.path(), plan, "virtual-board", BOARD));
    }
    if reversed {
        records.reverse();
    }
    put(folder.path(), &records);
    folder
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let (first, second) = (page(sample(false).path()), page(sample(true).path()));
    assert!(first == second, "folder or order of lines shows in the page");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = page(sample(false).path());
    for outside in ["http", "//cdn", "@import", "src=", "<link", "url(\"", "fetch(", "Date", "Math.random"] {
        assert!(!page.contains(outside), "{outside} is on the page");
    }
}

#[test]
fn what_was_measured_is_on_the_page() {
    let page = unpacked(sample(false).path());
    // A press is stamped 700 ns to 1.9 µs late (0.9 µs to 2.1 µs after the middle of its bracket) on whole ticks.
    assert!(page.contains("<th scope=\"col\" class=\"n\">p95</th>") && page.contains("n too small (needs 299)"));
    assert!(page.contains("at the very instant of the press"));
    let drift = page.split("the last point: <b>").nth(1).and_then(|rest| rest.split("</b>").next()).expect("a drift");
    assert!(drift.starts_with("-35.0") && drift.ends_with("ppm"), "{drift}");
    assert!(page.contains("what is left is quantisation"));
    let drawn = |what: &str| page.matches(&format!("<svg role=\"img\" aria-label=\"{what}")).count();
    assert_eq!(drawn("Time error over true time"), 2, "both games on the board");
    assert_eq!(drawn("Latency from press to stamp on virtual-board: "), 1);
    assert_eq!(drawn("S and D after each move"), 1, "35 ppm of a long game");
    assert!(!page.contains("NaN") && !page.contains("inf "), "numbers are numbers");
}

#[test]
fn every_run_has_its_place_and_its_row() {
    let page = page(sample(false).path());
    for id in
        ["both-flags-none-on-virtual-board", "increment-delay-blitz-on-sim", "increment-delay-blitz-on-virtual-board"]
    {
        assert!(page.contains(&format!("id=\"run-{id}\"")), "{id}");
        let rows = page.split("id=\"table\"").nth(1).and_then(|rest| rest.split("</table>").next()).expect("a table");
        assert!(rows.contains(&format!("href=\"#run-{id}\"")), "{id}");
    }
}

#[test]
fn the_script_is_small() {
    let page = page(sample(false).path());
    let script = page.rsplit("<script>").next().and_then(|rest| rest.split("</script>").next()).expect("a script");
    assert!(script.len() < 12_000, "{} bytes", script.len());
    assert!(script.starts_with("\n\"use strict\";") && !script.contains("\n//"), "lean");
}

#[test]
fn what_did_not_pass_is_there_in_full_without_the_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut failed = kept(folder.path(), &both_flags(), "sim", Bench::EXACT);
    failed.verdict = Verdict::Fail;
    let passed = kept(folder.path(), &both_flags(), "virtual-board", BOARD);
    put(folder.path(), &[failed, passed]);
    let page = page(folder.path());
    let sections: Vec<&str> = page.split("<details class=\"run").skip(1).collect();
    assert!(sections[0].contains("<h3>Rulings</h3>") && sections[0].contains("<table class=\"events\">"));
    assert!(sections[0].contains("class=\"lane-1\"") && !sections[0].contains("data-packed"));
    assert!(sections[1].contains("data-packed") && !sections[1].contains("<table class=\"events\">"));
    assert!(sections[1].contains("<table class=\"checks\">"), "checks can always be read");
}

#[test]
fn names_that_look_alike_get_places_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), &["a/b", "a-b", "A/B"].map(|name| record("t", name, "sim", Verdict::Pass)));
    let page = page(folder.path());
    for id in ["run-a-b-on-sim", "run-a-b-on-sim.2", "run-a-b-on-sim.3"] {
        assert_eq!(page.matches(&format!("<details class=\"run\" id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn nothing_at_all_is_a_page_too() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), &[]);
    assert!(page(folder.path()).contains("0 runs of 0 scenarios on 0 rigs"));
}

#[test]
fn a_trace_of_another_run_is_refused_and_no_page_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = kept(folder.path(), &both_flags(), "sim", Bench::EXACT);
    wrong.trace_hash = Some("0123456789abcdef".to_owned());
    put(folder.path(), &[wrong.clone()]);
    let error = write_page(folder.path()).expect_err("another trace");
    assert!(matches!(error, ReportError::OtherTrace { .. }), "{error}");
    for outside in ["/etc/hostname", "../elsewhere.json"] {
        wrong.trace_file = Some(outside.to_owned());
        put(folder.path(), &[wrong.clone()]);
        let error = write_page(folder.path()).expect_err("not in the folder");
        assert!(matches!(error, ReportError::Outside { .. }), "{error}");
    }
    wrong.trace_file = Some("traces/none.json".to_owned());
    put(folder.path(), &[wrong]);
    let error = write_page(folder.path()).expect_err("no trace");
    assert!(matches!(error, ReportError::Trace(_)), "{error}");
    assert!(!folder.path().join("index.html").exists());
}

const HOSTILE: &str = "</script><script>alert(1)</script><!-- \" onload='x' & ]]> <img src=x onerror=y>";

#[test]
fn hostile_names_are_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plan = both_flags();
    plan.scenario = "hostile/case".to_owned();
    plan.steps[2].act = bench::chess_move(flagfall_core::Side::White, HOSTILE);
    let mut with_trace = kept(folder.path(), &plan, "sim", Bench::EXACT);
    with_trace.verdict = Verdict::Fail;
    with_trace.title = HOSTILE.to_owned();
    put(folder.path(), &[with_trace, record(HOSTILE, HOSTILE, HOSTILE, Verdict::Fail)]);
    let page = page(folder.path());
    assert_eq!(page.matches("<script").count(), 2, "one with data and the page's own");
    assert_eq!(page.matches("</script").count(), 2);
    let rows = page.split("<table class=\"events\">").nth(1).expect("the table of events");
    assert!(rows.contains("&lt;/script&gt;&lt;script&gt;alert(1)"), "it is told as it is");
    assert!(!page.contains("<!--") && !page.contains("<img"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_is_markup(text in "[<>&\"'/!a-z\\[\\]\\-\u{0}-\u{20}é\u{2028}]{0,40}", rig in "[<>&\"'a-z]{1,8}") {
        let folder = tempfile::tempdir().expect("a folder");
        let quiet = record("", "a/b", "sim", Verdict::Fail);
        put(folder.path(), &[quiet]);
        let tags = |page: &str| page.matches('<').count();
        let plain = tags(&page(folder.path()));
        let loud = record(&text, "a/b", &rig, Verdict::Fail);
        put(folder.path(), std::slice::from_ref(&loud));
        // A text adds no tag: rows and cards are there with or without it; an empty point adds nothing either.
        prop_assert_eq!(tags(&page(folder.path())), plain);

        let xml = junit(&[loud]).expect("XML");
        let read = quick_junit::Report::deserialize_from_str(&xml).expect("XML that can be read back");
        prop_assert_eq!(read.test_suites[0].test_cases.len(), 1);
    }
}

#[test]
fn the_head_of_the_protocol_stands_on_the_page_of_a_bench() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), &[record("said", "f/a", "virtual-board", Verdict::Pass)]);
    assert!(!page(folder.path()).contains("id=\"bench\""), "a run in virtual time has no bench");
    let head = r#"{"schema":1,"rig":"0669FF","board":"bench <3>","chip":"STM32F405RGTx","probe":"0483:374b:0669FF","dut_serial":"17","firmware":{"file":"clock.elf","sha256":"00ff","build_id":null},"reference":{"clock":"GPSDO 7","calibrated":"2026-05-01"},"temperature_c":"23.5","operator":null,"technique":"jumped","stack":{"used_bytes":964,"of_bytes":3072},"flagfall":"0.1.0"}"#;
    fs::write(folder.path().join("bench.json"), head).expect("a file");
    let page = page(folder.path());
    for words in [
        "bench &lt;3&gt; (STM32F405RGTx)",
        "clock.elf, SHA-256 00ff",
        "GPSDO 7, compared on 2026-05-01",
        "jumped time: no test of the rate",
        "23.5 \u{b0}C",
        "<th scope=\"row\">stack of the firmware</th><td>deepest stack 964 of 3072 bytes</td>",
        "<th scope=\"row\">operator</th><td>not stated</td>",
    ] {
        assert!(page.contains(words), "{words}");
    }
    fs::write(folder.path().join("bench.json"), "{").expect("a file");
    assert!(matches!(write_page(folder.path()), Err(ReportError::Line { line: 1, .. })));
}

#[test]
fn a_rule_point_stands_with_its_question_and_its_names_may_wrap() {
    let root = tempfile::tempdir().expect("a folder");
    let run = record("said", "games/one", "sim", Verdict::Pass);
    fs::write(root.path().join("results.jsonl"), serde_json::to_string(&run).expect("JSON") + "\n").expect("a file");
    let book = r#"[{"key":"book","title":"a book","language":"en","edition":"","in_force_from":null,"in_force_to":null,
        "extends":null,"entries":[{"point":"H2","question":"both flags are <down>","answer":"silent","article":null,
        "strength":null,"sentence":"","sentence_own":null,"taken_from":null}]}]"#;
    fs::write(root.path().join("rulebooks.json"), book).expect("a file");
    let page = fs::read_to_string(write_page(root.path()).expect("a page")).expect("the page");
    assert!(page.contains("<table class=\"points\">"), "its own width, and no box that scrolls sideways");
    assert!(page.contains(">H2</th><td>both flags are &lt;down&gt;</td><td class=\"n\">1</td>"), "{page}");
    assert!(page.contains(">said</th><td></td><td class=\"n\">1</td>"), "no rulebook knows this point: {page}");
}
