//! Writes a folder of made-up results and its page: `cargo run -p flagfall-reports --example sample_page -- FOLDER`.
//!
//! For those who work on the page: long and short games, faults, failures, a board that is off and late.

#[path = "../tests/bench/mod.rs"]
mod bench;

use std::error::Error;
use std::path::{Path, PathBuf};

use bench::{Bench, both_flags, chess_move, game, ms, opening, plan, press, whole};
use flagfall_core::{Bonus, BySide, Period, Side};
use flagfall_reports::{junit, read_results, write_page};
use flagfall_trace::plan::{Act, Fault, Plan, Step};
use flagfall_trace::{Check, RulingRow, RunRecord, Subject, Verdict};

/// A board: 20 ppm fast, booted three seconds before the run, a few microseconds late and now and then later.
const BOARD: Bench = Bench {
    ppb: 20_000,
    zero_ticks: 3_000_000,
    bracket_ns: 700,
    uncertainty_ns: 500,
    latency_ns: |n| 1_200 + (n as i64 * 7_919 % 23) * 130 + if n.is_multiple_of(61) { 9_000 } else { 0 },
};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name a folder to write to")?);
    let mut records = Vec::new();
    for (plan, title, points) in plans() {
        for (rig, bench) in [("sim", Bench::EXACT), ("virtual-board", BOARD)] {
            records.push(record(&folder, &plan, title, &points, rig, bench)?);
        }
    }
    records.push(nothing_known("defective-clock/probe-unplugged", Verdict::Infra, "the probe 066BFF does not answer"));
    records.push(nothing_known("defective-clock/rate-1ppm", Verdict::NotApplicable, "step 1000 ppm"));
    let mut text = String::new();
    for record in &records {
        text.push_str(&serde_json::to_string(record)?);
        text.push('\n');
    }
    std::fs::write(folder.join("results.jsonl"), text)?;
    std::fs::write(folder.join("junit.xml"), junit(&read_results(&folder)?)?)?;
    println!("{}", write_page(&folder)?.display());
    Ok(())
}

type Sample = (Plan, &'static str, Vec<&'static str>);

fn plans() -> Vec<Sample> {
    let mut all = vec![
        (both_flags(), "both flags down, nobody saw which fell first", vec!["H2", "E2"]),
        (seven_hours(), "a game of seven hours, 160 moves", vec!["C3"]),
        (delay(), "the delay runs off before the main time does", vec!["C4"]),
        (jump(), "the time base jumps by three seconds while White thinks", vec!["G1"]),
    ];
    for n in 0..20 {
        let mut blitz =
            plan(&format!("increment-delay/blitz-{n}"), &[whole(60_000, Bonus::Increment { ms: 1_000 })], ms(90_000));
        game(&mut blitz, 15 + n, |half| 700 + i64::from(half * (n + 3) % 17) * 90);
        all.push((blitz, "one minute and a second for each move", vec!["C4", "B1"]));
    }
    all
}

fn seven_hours() -> Plan {
    let periods = [
        Period::of_moves(40, 7_200_000, Bonus::Increment { ms: 30_000 }),
        Period::of_moves(20, 3_600_000, Bonus::Increment { ms: 30_000 }),
        Period::all_moves(900_000, Bonus::Increment { ms: 30_000 }),
    ];
    let mut long = plan("increment-delay/seven-hours", &periods, ms(25_200_000));
    game(&mut long, 160, |half| 20_000 + i64::from(half * 7_919 % 101) * 1_150);
    long
}

fn delay() -> Plan {
    let mut delay = plan("increment-delay/us-delay", &[whole(30_000, Bonus::Delay { ms: 5_000 })], ms(70_000));
    game(&mut delay, 4, |half| 3_000 + i64::from(half) * 1_700);
    delay
}

fn jump() -> Plan {
    let mut jump = plan("defective-clock/jump", &[whole(300_000, Bonus::None)], ms(120_000));
    jump.setup.opening = BySide::new(opening(240_000, 12), opening(200_000, 12));
    game(&mut jump, 4, |half| 9_000 + i64::from(half) * 500);
    let last = jump.steps.len() - 1;
    jump.steps.insert(last - 2, Step { at: ms(61_000), act: Act::Fault(Fault::Jump { by_ns: 3_000_000_000 }) });
    jump.steps.push(Step { at: ms(90_000), act: chess_move(Side::White, "Qxf7+") });
    jump.steps.push(Step { at: ms(90_000), act: press(Side::White) });
    jump.steps.push(Step { at: ms(100_000), act: Act::Read });
    jump
}

fn record(
    folder: &Path,
    plan: &Plan,
    title: &str,
    points: &[&str],
    rig: &str,
    bench: Bench,
) -> Result<RunRecord, Box<dyn Error>> {
    let trace = bench.run(plan);
    let file = format!("traces/{}/{rig}.json", plan.scenario);
    trace.write(&folder.join(&file))?;
    let checks = checks(plan, rig);
    Ok(RunRecord {
        schema: RunRecord::SCHEMA,
        scenario: plan.scenario.clone(),
        title: title.to_owned(),
        points: points.iter().map(|point| (*point).to_owned()).collect(),
        requirements: Vec::new(),
        rig: rig.to_owned(),
        verdict: RunRecord::worst(&checks),
        reason: None,
        checks,
        margins: Vec::new(),
        rulings: rulings(plan),
        trace_hash: Some(trace.hash().to_string()),
        trace_file: Some(file),
        retried: None,
    })
}

fn check(subject: Subject, verdict: Verdict, what: &str, expected: &str, found: &str, line: u32) -> Check {
    let (what, expected, found) = (what.to_owned(), expected.to_owned(), found.to_owned());
    Check { subject, rulebook: None, verdict, what, expected, found, line: Some(line) }
}

fn checks(plan: &Plan, rig: &str) -> Vec<Check> {
    let bound = "3627.500000 s within 1.743 us = tick 1.000 us + bracket 0.700 us + rate 0.043 us";
    let mut checks = vec![
        check(Subject::Clock, Verdict::Pass, "flags", "White up, Black down", "White up, Black down", 21),
        check(Subject::Clock, Verdict::Pass, "remaining(white)", bound, "3627.499750 s", 22),
    ];
    if plan.scenario.ends_with("blitz-7") && rig != "sim" {
        let found = "12.009200 s: 9.2 ms too much";
        checks.push(check(Subject::Clock, Verdict::Fail, "remaining(black)", "12.000000 s within 1.743 us", found, 24));
    }
    if plan.scenario.ends_with("blitz-9") {
        let found = "the bench knows it to 0.7 us";
        checks.push(check(Subject::Clock, Verdict::Inconclusive, "latency p95", "< 0.5 us", found, 24));
    }
    if plan.scenario.starts_with("both-flags") {
        checks.push(check(Subject::Ruling, Verdict::Pass, "result under fide-2014", "draw", "draw", 25));
        checks.push(check(Subject::Ruling, Verdict::Fail, "result under cbx", "silent", "result: white-wins", 26));
    }
    checks
}

fn rulings(plan: &Plan) -> Vec<RulingRow> {
    if !plan.scenario.starts_with("both-flags") {
        return Vec::new();
    }
    let row = |rulebook: &str, point: &str, at_ns, ruling: &str, outcome: &str, article: Option<&str>| RulingRow {
        rulebook: rulebook.to_owned(),
        at_ns,
        last_ns: None,
        count: 1,
        point: point.to_owned(),
        ruling: ruling.to_owned(),
        outcome: outcome.to_owned(),
        article: article.map(str::to_owned),
        strength: article.map(|_| "stated".to_owned()),
        evidence_used: vec!["the arbiter saw Black's flag down at 31 s".to_owned()],
        evidence_refused: article.map(|_| "the order of two unseen falls".to_owned()).into_iter().collect(),
    };
    vec![
        row("fide-2014", "E2", 25_000_000_000, "decided", "flag-counts: black", Some("6.8")),
        row("cbx", "E2", 25_000_000_000, "decided", "flag-counts: black", Some("8.2")),
        row("fide-2014", "H2", 31_000_000_000, "decided", "result: draw", Some("6.11b")),
        row("cbx", "H2", 31_000_000_000, "silent", "silent", None),
    ]
}

fn nothing_known(scenario: &str, verdict: Verdict, reason: &str) -> RunRecord {
    RunRecord {
        schema: RunRecord::SCHEMA,
        scenario: scenario.to_owned(),
        title: "the rate is off by one part in a million".to_owned(),
        points: vec!["G1".to_owned()],
        requirements: Vec::new(),
        rig: "virtual-board".to_owned(),
        verdict,
        reason: Some(reason.to_owned()),
        checks: Vec::new(),
        margins: Vec::new(),
        rulings: Vec::new(),
        trace_hash: None,
        trace_file: None,
        retried: None,
    }
}
