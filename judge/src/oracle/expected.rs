//! What a scenario expects of the clock, compared with what was found and shown.

use flagfall_core::display::Face;
use flagfall_core::record::Kind;
use flagfall_core::{BySide, Record, Side, TrueTime};
use flagfall_trace::plan::{Act, Fault};
use flagfall_trace::{Check, Subject, Trace, Verdict};

use super::reckoning::Reckoning;
use super::resolve::deed;
use super::{Bound, Examination};
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
pub fn check_expectations(trace: &Trace, examination: &Examination, expectations: &[Expectation]) -> Vec<Check> {
    expectations.iter().map(|expectation| check_one(trace, examination, expectation)).collect()
}

fn check_one(trace: &Trace, examination: &Examination, expectation: &Expectation) -> Check {
    let (what, expected) = describe(expectation.expected);
    let Some(index) = read_at(trace, expectation.step) else {
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
    let record = &trace.records[index].record;
    let (pass, found, expected) = match expectation.expected {
        Expected::Flag(side, down) => (record.fallen[side] == down, flag_word(record.fallen[side]).into(), expected),
        Expected::FirstFallen(side) => (record.first_fallen == side, side_word(record.first_fallen), expected),
        Expected::Face(side, seconds) => {
            let shown = record.shown[side];
            (shown == Face::from_seconds(seconds), shown.to_string(), expected)
        }
        Expected::Moves(side, moves) => (record.moves[side] == moves, record.moves[side].to_string(), expected),
        Expected::Period(side, index) => {
            (record.period[side] == index, (record.period[side] + 1).to_string(), expected)
        }
        Expected::Running(side) => (record.running() == side, side_word(record.running()), expected),
        Expected::Left(side, ns) => {
            let bound = examination.bounds.get(index).copied().unwrap_or_default();
            left(trace, record, expectation.step, side, ns, &bound, expected)
        }
    };
    let verdict = if pass { Verdict::Pass } else { Verdict::Fail };
    Check { subject: Subject::Clock, rulebook: None, verdict, what, expected, found, line: Some(expectation.line) }
}

/// The index of the record of the look at the faces that this step of the plan is.
fn read_at(trace: &Trace, step: u32) -> Option<usize> {
    let nth = trace
        .achieved
        .iter()
        .take_while(|achieved| achieved.step != step)
        .filter(|achieved| trace.plan.steps[achieved.step as usize].act == Act::Read)
        .count();
    if !trace.achieved.iter().any(|achieved| achieved.step == step) {
        return None;
    }
    let mut reads = (0..trace.records.len()).filter(|index| trace.records[*index].record.kind == Kind::READ);
    reads.nth(nth)
}

fn left(
    trace: &Trace,
    record: &Record,
    step: u32,
    side: Side,
    ns: u64,
    bound: &Bound,
    expected: String,
) -> (bool, String, String) {
    let hz = u128::from(trace.plan.tick_rate.hz());
    let asked = u64::try_from((u128::from(ns) * hz).div_ceil(1_000_000_000)).unwrap_or(u64::MAX);
    let shift = shift(trace, step, side);
    let has = record.remaining_ticks[side];
    let pass = (i128::from(has) - i128::from(asked) - shift).unsigned_abs() <= u128::from(bound.ticks());
    let mut words = expected;
    if shift != 0 {
        words += &format!(", {shift:+} ticks for acts beside their instants");
    }
    if bound.ticks() != 0 {
        words += &format!(", within {bound}");
    }
    (pass, super::seconds(has.into(), trace), words)
}

/// What it makes of a side's time, in ticks, that the bench acted a little beside the instants of the plan: reckoned on
/// an exact clock, and zero in virtual time.
fn shift(trace: &Trace, step: u32, side: Side) -> i128 {
    let planned = |index: usize| trace.plan.steps[index].at;
    let achieved = |index: usize| {
        let seen = trace.achieved.iter().find(|achieved| achieved.step as usize == index);
        seen.map_or(planned(index), |achieved| achieved.earliest)
    };
    i128::from(left_at(trace, step, side, achieved)) - i128::from(left_at(trace, step, side, planned))
}

fn left_at(trace: &Trace, step: u32, side: Side, instant: impl Fn(usize) -> TrueTime) -> u64 {
    let rate = trace.plan.tick_rate;
    let mut reckoning = Reckoning::new(&trace.plan.setup, rate);
    let mut lost = BySide::both(0_u32);
    let mut tick = 0;
    for (index, planned) in trace.plan.steps.iter().enumerate().take(step as usize + 1) {
        match planned.act {
            Act::Fault(Fault::LostPress { side }) => lost[side] += 1,
            Act::Press { side, .. } if lost[side] > 0 => {
                lost[side] -= 1;
                continue;
            }
            _ => {}
        }
        if let Some(deed) = deed(&planned.act, rate) {
            tick = rate.tick_at(instant(index)).ticks();
            reckoning.pass(tick);
            reckoning.deed(deed, tick);
        }
    }
    tick = tick.max(rate.tick_at(instant(step as usize)).ticks());
    reckoning.pass(tick);
    reckoning.left(side, tick)
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
