//! `flagfall diff` and `flagfall replay`: what is found in two traces, and in one and the simulator.

use std::path::Path;

use flagfall_core::TrueTime;
use flagfall_core::record::Kind;
use flagfall_trace::Trace;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{RIGHT, code, flagfall, folder, stderr, stdout};

const TRACE: &str = "out/traces/sim/family/right.json";

/// A folder in which the smallest case was run, with a changed copy of its trace in `other.json`.
fn ran(change: impl FnOnce(&mut Trace)) -> TempDir {
    let folder = folder([("family/right".to_owned(), RIGHT)]);
    assert_eq!(code(&flagfall(folder.path(), &["run"])), 0);
    let mut trace = read(folder.path(), TRACE);
    change(&mut trace);
    trace.write(&folder.path().join("other.json")).expect("written");
    folder
}

fn read(folder: &Path, name: &str) -> Trace {
    Trace::read(&folder.join(name)).expect("a trace")
}

/// What a bench would have seen that does everything so much later, on a device that runs since a while.
fn on_a_bench(trace: &mut Trace, late_us: i64) {
    trace.device_zero_ticks = 5;
    for achieved in &mut trace.achieved {
        achieved.latest = TrueTime::from_ns(achieved.latest.ns() + 2 * late_us * 1_000);
    }
    for stamped in &mut trace.records {
        stamped.record.at = stamped.record.at.after(5);
        stamped.uncertainty_ns = 1_000;
    }
}

fn json(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one object")
}

#[test]
fn a_trace_is_equal_to_itself() {
    let folder = ran(|_| ());
    let output = flagfall(folder.path(), &["diff", TRACE, "other.json"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).ends_with("5 events in the same order, equal in every field\n"), "{}", stdout(&output));
}

#[test]
fn the_first_event_that_differs_is_shown_on_both_sides_with_its_fields() {
    let folder = ran(|trace| {
        let press = trace.records.iter_mut().find(|stamped| stamped.record.kind == Kind::PRESSED).expect("a press");
        press.record.remaining_ticks.white -= 3;
        trace.records.last_mut().expect("a last look").record.moves.black = 9;
    });
    let output = flagfall(folder.path(), &["diff", TRACE, "other.json"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{text}");
    assert!(text.contains("record 2, pressed: time left 293000000 / 300000000 -> 292999997 / 300000000\n"), "{text}");
    assert_eq!(text.matches(">      2     7000000  pressed").count(), 2, "{text}");
    assert_eq!(code(&flagfall(folder.path(), &["diff", "--ignore-ticks", "3", TRACE, "other.json"])), 1, "a count");
    let event = json(&flagfall(folder.path(), &["diff", "--json", TRACE, "other.json"]))["event"].take();
    assert_eq!((&event["index"], &event["what"]), (&2.into(), &"fields".into()));
    assert_eq!(event["fields"][0]["second"], "292999997 / 300000000");
    assert_eq!(event["second"][2]["left_ticks"]["white"], 292_999_997);
}

#[test]
fn plans_that_differ_are_told_and_events_are_compared_all_the_same() {
    let folder = ran(|trace| {
        trace.plan.setup.carry_over = false;
        trace.plan.steps[1].at = TrueTime::from_ns(6_500_000_000);
    });
    let output = flagfall(folder.path(), &["diff", TRACE, "other.json"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{text}");
    assert!(text.contains("  setup.carry_over: true -> false\n"), "{text}");
    assert!(text.contains("  step 1: White plays e4 at 7 s -> White plays e4 at 6.5 s\n"), "{text}");
    assert!(text.ends_with("5 events in the same order, equal in every field\n"), "{text}");
    let report = json(&flagfall(folder.path(), &["diff", "--json", TRACE, "other.json"]));
    assert_eq!((&report["equal"], &report["event"]), (&false.into(), &Value::Null));
    assert_eq!(report["plan"][1]["second"]["at"], 6_500_000_000_i64);
}

#[test]
fn a_file_that_is_no_trace_is_named() {
    let folder = ran(|_| ());
    for command in [&["diff", TRACE, "scenarios"][..], &["diff", "nowhere.json", TRACE], &["replay", "nowhere.json"]] {
        let output = flagfall(folder.path(), command);
        assert_eq!((code(&output), stdout(&output).as_str()), (2, ""), "{command:?}");
        assert!(stderr(&output).contains("cannot read"), "{}", stderr(&output));
    }
}

#[test]
fn what_a_bench_saw_is_reproduced_and_written() {
    let folder = ran(|trace| on_a_bench(trace, 10));
    let output = flagfall(folder.path(), &["diff", TRACE, "other.json"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).ends_with("; the benches saw them at other instants\n"), "{}", stdout(&output));
    let output = flagfall(folder.path(), &["replay", "other.json", "--out", "again/simulated.json"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("model reproduces: 5 events"), "{}", stdout(&output));
    let simulated = read(folder.path(), "again/simulated.json");
    assert_eq!((simulated.records.len(), simulated.device_zero_ticks), (5, 0));
    let report = json(&flagfall(folder.path(), &["replay", "--json", "other.json"]));
    assert_eq!((&report["model"], &report["input"]), (&"reproduces".into(), &"stamps".into()));
    let of_the_plan = json(&flagfall(folder.path(), &["replay", "--json", TRACE]));
    assert_eq!((&of_the_plan["model"], &of_the_plan["input"]), (&"reproduces".into(), &"plan".into()));
}

#[test]
fn a_firmware_that_does_something_else_is_a_model_gap() {
    let folder = ran(|trace| {
        on_a_bench(trace, 10);
        trace.records.retain(|stamped| stamped.record.kind != Kind::SWITCHED);
    });
    let output = flagfall(folder.path(), &["replay", "other.json"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{text}");
    assert!(text.contains("model gap: another event at record 3\n"), "{text}");
    assert!(text.contains(">      3     7000000  switched") && text.contains(">      3     7000000  read"), "{text}");
    let report = json(&flagfall(folder.path(), &["replay", "--json", "other.json"]));
    assert_eq!((&report["model"], &report["event"]["index"]), (&"gap".into(), &3.into()));
}
