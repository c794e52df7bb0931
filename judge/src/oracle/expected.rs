//! What a scenario expects of the clock, compared with what was found and shown.

use flagfall_core::display::Face;
use flagfall_core::record::Kind;
use flagfall_core::{Record, Side, TrueTime};
use flagfall_trace::plan::Act;
use flagfall_trace::{Check, Subject, Trace, Verdict};

use super::true_time::record_of;
use super::{Bound, Examination, Limits};
use crate::expectation::{ClockExpectation, Expectation, Expected, Wrong};

/// Whether the oracle found what the scenario expects, and nothing else.
#[must_use]
pub fn check_clock(trace: &Trace, examination: &Examination, expected: &ClockExpectation, line: Option<u32>) -> Check {
    let found = match examination.findings.as_slice() {
        [] => match examination.largest_bound() {
            Some(bound) => format!("right, within {bound}"),
            None => "the device wrote no record".to_owned(),
        },
        findings => findings
            .iter()
            .map(|finding| {
                format!("{} at {} s: {}, expected {}", finding.wrong, finding.at, finding.found, finding.expected)
            })
            .collect::<Vec<_>>()
            .join("; "),
    };
    let pass = !trace.records.is_empty()
        && match expected {
            ClockExpectation::Right => examination.findings.is_empty(),
            ClockExpectation::Wrong(wrong) => is_wrong_as_expected(trace, examination, wrong),
        };
    let expected = match expected {
        ClockExpectation::Right => "right".to_owned(),
        ClockExpectation::Wrong(wrong) => {
            let words: Vec<String> = wrong.iter().map(Wrong::to_string).collect();
            format!("wrong from the fault on: {}", words.join(", "))
        }
    };
    let verdict = if pass { Verdict::Pass } else { Verdict::Fail };
    Check { subject: Subject::Clock, rulebook: None, verdict, what: "oracle".into(), expected, found, line }
}

fn is_wrong_as_expected(trace: &Trace, examination: &Examination, expected: &[Wrong]) -> bool {
    let first_fault = trace.plan.steps.iter().find(|step| matches!(step.act, Act::Fault(_))).map(|step| step.at);
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    expected.dedup();
    let mut found: Vec<Wrong> = examination.findings.iter().map(|finding| finding.wrong).collect();
    found.sort_unstable();
    // A wrong oscillator is a fault from the beginning, without a step of its own.
    let since = first_fault.unwrap_or(TrueTime::ZERO);
    found == expected && examination.findings.iter().all(|finding| finding.at >= since)
}

/// Compares each expectation with the faces read at its step.
#[must_use]
pub fn check_expectations(trace: &Trace, limits: &Limits, expectations: &[Expectation]) -> Vec<Check> {
    expectations.iter().map(|expectation| check_one(trace, limits, expectation)).collect()
}

fn check_one(trace: &Trace, limits: &Limits, expectation: &Expectation) -> Check {
    let (what, expected) = describe(expectation.expected);
    let Some(record) = read_at(trace, expectation.step) else {
        return Check {
            subject: Subject::Clock,
            rulebook: None,
            verdict: Verdict::Fail,
            what,
            expected,
            found: "the faces were never read".into(),
            line: Some(expectation.line),
        };
    };
    let (pass, found, expected) = match expectation.expected {
        Expected::Flag(side, down) => (record.fallen[side] == down, flag_word(record.fallen[side]).into(), expected),
        Expected::FirstFallen(side) => (record.first_fallen == side, side_word(record.first_fallen), expected),
        Expected::Face(side, seconds) => {
            let shown = record.shown_seconds[side];
            (shown == seconds, Face::from_seconds(shown).to_string(), expected)
        }
        Expected::Moves(side, moves) => (record.moves[side] == moves, record.moves[side].to_string(), expected),
        Expected::Period(side, index) => {
            (record.period[side] == index, (record.period[side] + 1).to_string(), expected)
        }
        Expected::Running(side) => (record.running() == side, side_word(record.running()), expected),
        Expected::Left(side, ns) => {
            let bound = placement_bound(trace, limits, expectation.step);
            let (pass, found) = left(trace, record, side, ns, &bound);
            let expected = if bound.ticks() == 0 { expected } else { format!("{expected}, within {bound}") };
            (pass, found, expected)
        }
    };
    let verdict = if pass { Verdict::Pass } else { Verdict::Fail };
    Check { subject: Subject::Clock, rulebook: None, verdict, what, expected, found, line: Some(expectation.line) }
}

/// The record of the look at the faces that this step of the plan is.
fn read_at(trace: &Trace, step: u32) -> Option<&Record> {
    let nth = trace
        .achieved
        .iter()
        .take_while(|achieved| achieved.step != step)
        .filter(|achieved| trace.plan.steps[achieved.step as usize].act == Act::Read)
        .count();
    if !trace.achieved.iter().any(|achieved| achieved.step == step) {
        return None;
    }
    trace.records.iter().map(|stamped| &stamped.record).filter(|record| record.kind == Kind::READ).nth(nth)
}

/// How far times read at a step may be from the plan's, because acts were achieved later than requested.
fn placement_bound(trace: &Trace, limits: &Limits, step: u32) -> Bound {
    let rate = trace.plan.tick_rate;
    let mut bound = Bound { stamp_ticks: limits.stamp_ticks, ..Bound::default() };
    for achieved in trace.achieved.iter().filter(|achieved| achieved.step <= step) {
        let requested = &trace.plan.steps[achieved.step as usize];
        if record_of(&requested.act).is_some() {
            let late = rate.tick_at(achieved.earliest).ticks_since(rate.tick_at(requested.at));
            let more = late.saturating_add(limits.observation_ticks(achieved, rate));
            bound.observation_ticks = bound.observation_ticks.saturating_add(more);
        }
        let passed = u128::from(rate.tick_at(requested.at).ticks()) * u128::from(limits.oscillator_ppb);
        bound.oscillator_ticks = u64::try_from(passed.div_ceil(1_000_000_000)).unwrap_or(u64::MAX);
    }
    bound
}

fn left(trace: &Trace, record: &Record, side: Side, ns: u64, bound: &Bound) -> (bool, String) {
    let hz = u128::from(trace.plan.tick_rate.hz());
    let expected = u64::try_from((u128::from(ns) * hz).div_ceil(1_000_000_000)).unwrap_or(u64::MAX);
    let has = record.remaining_ticks[side];
    (has.abs_diff(expected) <= bound.ticks(), super::seconds(has.into(), trace))
}

fn describe(expected: Expected) -> (String, String) {
    match expected {
        Expected::Flag(side, down) => (format!("flag of {side}"), flag_word(down).into()),
        Expected::FirstFallen(side) => ("first-fallen sign".into(), side_word(side)),
        Expected::Face(side, seconds) => (format!("digits of {side}"), Face::from_seconds(seconds).to_string()),
        Expected::Left(side, ns) => {
            (format!("time left of {side}"), format!("{} s", TrueTime::from_ns(ns.cast_signed())))
        }
        Expected::Moves(side, moves) => (format!("move counter of {side}"), moves.to_string()),
        Expected::Period(side, index) => (format!("period of {side}"), (index + 1).to_string()),
        Expected::Running(side) => ("running side".into(), side_word(side)),
    }
}

const fn flag_word(down: bool) -> &'static str {
    if down { "fallen" } else { "up" }
}

fn side_word(side: Option<Side>) -> String {
    side.map_or("none", Side::name).to_owned()
}
