//! Baselines: what equal clocks, slower ones and those that round at each switch look like beside one.

mod bench;

use std::fs;
use std::path::{Path, PathBuf};

use bench::Bench;
use flagfall_core::record::Kind;
use flagfall_core::{Bonus, BySide, Phase, TrueTime};
use flagfall_reports::baseline::{Baseline, BaselineError, Change, Comparison, Measure, SCHEMA};
use flagfall_reports::plot::Plot;
use flagfall_trace::{Jump, RunRecord, Trace, Verdict};
use tempfile::TempDir;

/// Stamps that scatter, presses that are late by some microseconds.
const BOARD: Bench = Bench {
    ppb: 2_000,
    zero_ticks: 77,
    bracket_ns: 400,
    uncertainty_ns: 300,
    latency_ns: |n| 20_000 + (n as i64 * 7_919 % 7) * 1_000,
};

/// Another run of it: the same latencies in another order.
const AGAIN: Bench = Bench { latency_ns: |n| 20_000 + (n as i64 * 104_729 % 7) * 1_000, ..BOARD };

fn traces(games: u32, bench: Bench) -> Vec<Trace> {
    let game = |number: u32| {
        let scenario = format!("baseline/game-{number:02}");
        let mut plan = bench::plan(&scenario, &[bench::whole(600_000, Bonus::None)], bench::ms(60_000));
        bench::game(&mut plan, 3 + number % 5, |half| 1_003 + i64::from((half * 977 + number * 331) % 2_000));
        bench.run(&plan)
    };
    (0..games).map(game).collect()
}

/// A folder of results with these traces.
fn results(rig: &str, traces: &[Trace]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = String::new();
    for trace in traces {
        let scenario = trace.plan.scenario.clone();
        let file = format!("traces/{scenario}.json");
        trace.write(&folder.path().join(&file)).expect("a trace file");
        let record = RunRecord {
            schema: RunRecord::SCHEMA,
            title: scenario.clone(),
            scenario,
            points: Vec::new(),
            requirements: Vec::new(),
            rig: rig.to_owned(),
            verdict: Verdict::Pass,
            reason: None,
            checks: Vec::new(),
            margins: Vec::new(),
            rulings: Vec::new(),
            trace_hash: Some(trace.hash().to_string()),
            trace_file: Some(file),
            retried: None,
        };
        lines += &(serde_json::to_string(&record).expect("JSON") + "\n");
    }
    fs::write(folder.path().join("results.jsonl"), lines).expect("a file");
    folder
}

fn baseline(rig: &str, traces: &[Trace]) -> Baseline {
    Baseline::of(&[results(rig, traces).path().to_owned()]).expect("a baseline")
}

fn compared(rig: &str, before: &[Trace], now: &[Trace]) -> Comparison {
    Comparison::of(&baseline(rig, before), &baseline(rig, now)).expect("pairs")
}

fn verdict(comparison: &Comparison, measure: Measure) -> Change {
    comparison.measures.iter().find(|row| row.measure == measure).expect("it is measured").verdict
}

/// What a clock would have written that cuts what a side has left down to a whole hundredth when it stops: made of a trace
/// alone, whatever clock wrote it.
fn truncating(mut trace: Trace) -> Trace {
    let unit = u64::from(trace.plan.tick_rate.hz()) / 100;
    let mut lost = BySide::both(0_u64);
    for stamped in &mut trace.records {
        let record = &mut stamped.record;
        if record.kind == Kind::SWITCHED
            && let Phase::Running(side) = record.phase
        {
            let stopped = side.other();
            lost[stopped] += (record.remaining_ticks[stopped] - lost[stopped]) % unit;
        }
        record.remaining_ticks = BySide::from_fn(|side| record.remaining_ticks[side] - lost[side]);
    }
    trace
}

#[test]
fn a_clock_that_is_as_it_was_has_not_changed() {
    let comparison = compared("virtual-board", &traces(14, BOARD), &traces(14, AGAIN));
    assert!(!comparison.any(Change::Changed) && !comparison.any(Change::Undecided), "{comparison:?}");
    assert_eq!((comparison.missing.len(), comparison.unknown, comparison.without_chance), (0, 0, false));
    let itself = compared("virtual-board", &traces(14, BOARD), &traces(14, BOARD));
    assert!(itself.measures.iter().all(|row| row.verdict == Change::Equal), "{itself:?}");
}

#[test]
fn each_measure_changes_by_itself() {
    let before = traces(14, BOARD);
    let fast = compared("virtual-board", &before, &traces(14, Bench { ppb: 12_000, ..BOARD }));
    assert_eq!(verdict(&fast, Measure::Drift), Change::Changed);
    assert_eq!((verdict(&fast, Measure::Charge), verdict(&fast, Measure::Switch)), (Change::Equal, Change::Equal));
    let late = Bench { latency_ns: |n| 25_000 + (n as i64 * 7_919 % 7) * 1_000, ..BOARD };
    let late = compared("virtual-board", &before, &traces(14, late));
    assert_eq!(verdict(&late, Measure::Press), Change::Changed);
    assert_ne!(verdict(&late, Measure::Drift), Change::Changed);
    let row = late.measures.iter().find(|row| row.measure == Measure::Press).expect("a row");
    assert!((row.change - 5_000.0).abs() < 100.0 && row.p_holm.is_some_and(|p| p <= 0.01), "{row:?}");
    let drawn = row.plot().svg().expect("a plot");
    assert!(drawn.svg.contains("press to stamp (µs)"), "{}", drawn.svg);
    let page = late.html().expect("a page");
    let first = page.split("<p class=\"worst bad\">").nth(1).and_then(|rest| rest.split("</p>").next()).expect("first");
    assert!(first.starts_with("<b>press has changed.</b> Press to stamp: 22894 ns before, 27894"), "{first}");
    assert!(first.contains(" ns now, +5000 ± ") && first.contains(", most in baseline/game-"), "{first}");
    let sections: Vec<&str> = page.split("<h2 id=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
    assert_eq!(sections[..2], ["all", "press"], "what has changed comes first");
    assert_eq!(sections.len(), 1 + late.measures.len());
    assert_eq!(page.matches("<figure>").count(), late.measures.len(), "both distributions of each");
    assert!(page.contains(&format!("<td class=\"n\">{:.4}", row.p_holm.expect("a p"))), "with its p");
    assert!(!page.contains("http://www.w3.org/1999") && !page.contains("<script"), "it needs nothing else");
    assert_eq!(page, late.html().expect("a page"));
    let same = compared("virtual-board", &before, &before).html().expect("a page");
    assert!(same.contains("<p class=\"worst\"><b>Nothing has changed.</b></p>"), "{same}");
}

#[test]
fn what_does_not_matter_is_no_change_however_certain() {
    let later = Bench { latency_ns: |n| 21_000 + (n as i64 * 7_919 % 7) * 1_000, ..BOARD };
    let comparison = compared("virtual-board", &traces(14, BOARD), &traces(14, later));
    let row = comparison.measures.iter().find(|row| row.measure == Measure::Press).expect("a row");
    assert!((row.change - 1_000.0).abs() < 100.0 && row.p_holm.is_some_and(|p| p <= 0.01), "{row:?}");
    assert_eq!(row.verdict, Change::Same, "a microsecond is less than two ticks");
}

#[test]
fn a_clock_that_cuts_at_each_switch_is_found_by_what_its_turns_are_charged() {
    let before = traces(14, BOARD);
    let now: Vec<Trace> = traces(14, AGAIN).into_iter().map(truncating).collect();
    for rig in ["virtual-board", "sim"] {
        let comparison = compared(rig, &before, &now);
        let row = comparison.measures.iter().find(|row| row.measure == Measure::Charge).expect("a row");
        assert_eq!(row.verdict, Change::Changed, "{rig}: {row:?}");
        // Half of a hundredth on average.
        assert!((3e6..7e6).contains(&row.change), "{rig}: {row:?}");
    }
    let comparison = compared("virtual-board", &before, &now);
    let others = comparison.measures.iter().filter(|row| row.measure != Measure::Charge);
    assert!(others.clone().count() > 2 && others.clone().all(|row| row.verdict != Change::Changed), "{comparison:?}");
}

#[test]
fn of_jumped_time_no_rate_is_kept() {
    let mut traces = traces(3, BOARD);
    let measures = |baseline: &Baseline| {
        [Measure::Drift, Measure::Jitter, Measure::Charge, Measure::Press]
            .map(|measure| baseline.json().contains(&format!("\"{}\"", measure.name())))
    };
    assert_eq!(measures(&baseline("one", &traces)), [true; 4]);
    let jump = Jump { from: TrueTime::from_ns(1), to: TrueTime::from_ns(2) };
    traces.iter_mut().for_each(|trace| trace.jumps.push(jump));
    assert_eq!(measures(&baseline("one", &traces)), [false, false, true, true]);
}

#[test]
fn a_few_scenarios_are_not_enough_where_there_is_chance_and_one_is_where_there_is_none() {
    let now: Vec<Trace> = traces(5, BOARD).into_iter().map(truncating).collect();
    let board = compared("virtual-board", &traces(5, BOARD), &now);
    assert_eq!(verdict(&board, Measure::Charge), Change::Undecided, "{board:?}");
    let mut one = traces(14, Bench::EXACT);
    let before = one.clone();
    one[7] = truncating(one[7].clone());
    let sim = compared("sim", &before, &one);
    assert_eq!(verdict(&sim, Measure::Charge), Change::Changed);
    let row = sim.measures.iter().find(|row| row.measure == Measure::Charge).expect("a row");
    assert_eq!(row.most.as_ref().map(|(scenario, _)| scenario.as_str()), Some("baseline/game-07"));
    assert_eq!(row.p, None, "nothing is left to chance");
    let board = compared("virtual-board", &before, &one);
    assert_eq!(verdict(&board, Measure::Charge), Change::Undecided, "one of fourteen may be chance, and need not be");
}

#[test]
fn what_was_not_run_is_named_and_what_is_new_is_counted() {
    let comparison = compared("sim", &traces(6, Bench::EXACT), &traces(8, Bench::EXACT)[2..]);
    assert_eq!(comparison.missing, ["baseline/game-00", "baseline/game-01"]);
    assert_eq!(comparison.unknown, 2);
}

#[test]
fn several_runs_make_one_baseline() {
    let folders = [results("virtual-board", &traces(4, BOARD)), results("virtual-board", &traces(4, AGAIN))];
    let paths: Vec<PathBuf> = folders.iter().map(|folder| folder.path().to_owned()).collect();
    let (both, one) = (Baseline::of(&paths).expect("two runs"), Baseline::of(&paths[..1]).expect("a run"));
    let values =
        |baseline: &Baseline| baseline.measures.iter().flat_map(|it| it.scenarios.values()).map(|it| it.0).sum();
    let (both_n, one_n): (u64, u64) = (values(&both), values(&one));
    assert_eq!((both_n, both.scenarios()), (2 * one_n, one.scenarios()));
}

#[test]
fn a_baseline_is_read_as_it_was_written_and_nothing_else_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("baseline.json");
    let written = baseline("virtual-board", &traces(3, BOARD));
    let read = |text: &str| {
        fs::write(&file, text).expect("written");
        Baseline::read(&file)
    };
    let text = written.json();
    assert_eq!(read(&text).expect("what was written"), written);
    assert_eq!(written.json(), baseline("virtual-board", &traces(3, BOARD)).json(), "the same bytes each time");
    let other = text.replacen(&format!("\"schema\": {SCHEMA}"), "\"schema\": 99", 1);
    assert!(matches!(read(&other), Err(BaselineError::Schema { found: 99, .. })));
    for wrong in [text.replace("\"smallest\"", "\"smalest\""), text.replace("\"drift\"", "\"drif\""), "{}".to_owned()] {
        assert!(matches!(read(&wrong), Err(BaselineError::Form { .. })), "{wrong}");
    }
    assert!(matches!(Baseline::read(Path::new("nowhere.json")), Err(BaselineError::Io { .. })));
    let sim = baseline("sim", &traces(3, Bench::EXACT));
    assert!(matches!(Comparison::of(&written, &sim), Err(BaselineError::OtherRig { .. })));
    let mixed = [results("sim", &traces(1, BOARD)), results("virtual-board", &traces(1, BOARD))];
    let paths: Vec<PathBuf> = mixed.iter().map(|folder| folder.path().to_owned()).collect();
    assert!(matches!(Baseline::of(&paths), Err(BaselineError::Rigs { .. })));
    let empty = results("sim", &[]);
    assert!(matches!(Baseline::of(&[empty.path().to_owned()]), Err(BaselineError::Nothing)));
}
