//! What a scenario expects of the clock, compared with what was found and shown.

use flagfall_core::panel::Faces;
use flagfall_core::record::Kind;
use flagfall_core::{BySide, Record, Side, TrueTime};
use flagfall_trace::plan::{Act, Fault, Retained};
use flagfall_trace::{Check, Subject, Trace, Verdict};

use super::contacts::Contacts;
use super::reckoning::{Deed, Doing, Reckoning};
use super::time_base::TimeBase;
use super::{Bound, Examination};
use crate::expectation::{ClockExpectation, Expectation, Expected, Wrong};

/// Whether the oracle found what the scenario expects, and nothing else; each finding has a line of its own.
#[must_use]
pub fn check_clock(trace: &Trace, examination: &Examination, expected: &ClockExpectation, line: Option<u32>) -> Check {
    let found = match examination.findings.as_slice() {
        [] => match examination.largest_bound() {
            Some(bound) => match examination.noticed.iter().map(|noticed| noticed.late_ticks).max() {
                None | Some(0) => format!("right, within {bound}"),
                Some(late) => format!("right, within {bound}; acts noticed at most {late} ticks late"),
            },
            None => "the device wrote no record".to_owned(),
        },
        findings => findings
            .iter()
            .map(|finding| {
                format!("{} at {} s: {}, expected {}", finding.wrong, finding.at, finding.found, finding.expected)
            })
            .collect::<Vec<_>>()
            .join("\n"),
    };
    let pass = !trace.records.is_empty()
        && match expected {
            ClockExpectation::Right => examination.findings.is_empty(),
            ClockExpectation::Wrong(wrong) => is_wrong_as_expected(trace, examination, wrong),
        };
    let found = match &trace.panel {
        Some(misshown) if misshown.is_empty() => format!("{found}; the panel showed what the records say"),
        _ => found,
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
    // A wrong oscillator or setting is a fault from the beginning, without a step of its own.
    let since = first_fault.filter(|_| trace.plan.device_setup.is_none()).unwrap_or(TrueTime::ZERO);
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
    let seen = trace.seen(index).unwrap_or_else(|| Faces::of(record));
    let (pass, found, expected) = match expectation.expected {
        Expected::Flag(side, down) => (record.fallen[side] == down, flag_word(record.fallen[side]).into(), expected),
        Expected::FirstFallen(side) => (record.first_fallen == side, side_word(record.first_fallen), expected),
        Expected::Face(side, face) => (seen.shown[side] == face, seen.shown[side].to_string(), expected),
        Expected::ShownDelay(seconds) => {
            let shown = seen.delay_seconds;
            (shown == seconds, format!("{shown} s"), expected)
        }
        Expected::Battery(low) => (record.battery_low == low, battery_word(record.battery_low).into(), expected),
        Expected::Overtime(side, left) => (record.overtime[side] == left, record.overtime[side].to_string(), expected),
        Expected::Moves(side, moves) => (record.moves[side] == moves, record.moves[side].to_string(), expected),
        Expected::Period(side, index) => {
            (record.period[side] == index, (record.period[side] + 1).to_string(), expected)
        }
        Expected::Running(side) => (record.running() == side, side_word(record.running()), expected),
        Expected::Left(side, ns) => {
            let bound = examination.bounds.get(index).copied().unwrap_or_default();
            let asked = Asked { step: expectation.step, side, ns };
            left(trace, examination, record, &asked, &bound, expected)
        }
    };
    let verdict = if pass { Verdict::Pass } else { Verdict::Fail };
    Check { subject: Subject::Clock, rulebook: None, verdict, what, expected, found, line: Some(expectation.line) }
}

/// The index of the record of the look at the faces that this step of the plan is.
fn read_at(trace: &Trace, step: u32) -> Option<usize> {
    if trace.watched {
        let achieved = trace.achieved.iter().find(|achieved| achieved.step == step)?;
        return trace.records.iter().position(|look| look.true_time == achieved.earliest);
    }
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

/// A time left that is expected at a step.
struct Asked {
    step: u32,
    side: Side,
    ns: u64,
}

fn left(
    trace: &Trace,
    examination: &Examination,
    record: &Record,
    asked: &Asked,
    bound: &Bound,
    expected: String,
) -> (bool, String, String) {
    let hz = u128::from(trace.plan.tick_rate.hz());
    let ticks = u64::try_from((u128::from(asked.ns) * hz).div_ceil(1_000_000_000)).unwrap_or(u64::MAX);
    let shift = shift(trace, examination, asked);
    let has = record.remaining_ticks[asked.side];
    let pass = (i128::from(has) - i128::from(ticks) - shift).unsigned_abs() <= u128::from(bound.ticks());
    let mut words = expected;
    if shift != 0 {
        let lost = if trace.resets.is_empty() { "" } else { " and what a reset has lost" };
        words += &format!(", {shift:+} ticks for acts beside their instants{lost}");
    }
    if bound.ticks() != 0 {
        words += &format!(", within {bound}");
    }
    (pass, super::seconds(has.into(), trace), words)
}

/// What it makes of a side's time, in ticks, that the acts were noticed a little beside the instants of the plan:
/// reckoned on an exact clock, and zero in virtual time.
///
/// Where the time base was made wrong, the clock had other time than the hall, and what is reckoned is what it had:
/// the plan's instants on a time base as the plan has it, and what was noticed by the device's own stamps.
fn shift(trace: &Trace, examination: &Examination, asked: &Asked) -> i128 {
    if !trace.plan.clock_kind.is_digital() {
        return 0;
    }
    let base = TimeBase::planned(&trace.plan);
    let planned = |step: usize| base.tick_at(trace.plan.steps[step].at);
    let noticed = |step: usize| {
        let noticed = examination.noticed(step as u32);
        let tick = noticed.map(|noticed| if base.is_sound() { noticed.tick } else { noticed.stamp });
        tick.or_else(|| kept_at(trace, step)).unwrap_or(planned(step))
    };
    i128::from(left_at(trace, asked, noticed)) - i128::from(left_at(trace, asked, planned))
}

/// If a step was a reset, the tick since the beginning of the run at which what the device kept was last true.
fn kept_at(trace: &Trace, step: usize) -> Option<u64> {
    let reset = trace.resets.iter().find(|reset| reset.step as usize == step)?;
    u64::try_from(trace.kept_into_run(reset)).ok()
}

fn left_at(trace: &Trace, asked: &Asked, tick_of: impl Fn(usize) -> u64) -> u64 {
    let mut reckoning = Reckoning::new(&trace.plan.setup, trace.plan.tick_rate);
    let mut contacts = Contacts::new(&trace.plan.setup, trace.plan.tick_rate);
    let mut lost = BySide::both(0_u32);
    let mut now = 0;
    for (index, planned) in trace.plan.steps.iter().enumerate().take(asked.step as usize + 1) {
        if let Act::Fault(Fault::LostPress { side }) = planned.act {
            lost[side] += 1;
        }
        let tick = tick_of(index);
        let deed = match contacts.deed(&planned.act, tick) {
            Some(Deed::Press(side)) if lost[side] > 0 => {
                lost[side] -= 1;
                None
            }
            // A clock comes back paused.
            None if is_a_pausing_reset(&planned.act, &reckoning) => Some(Deed::ArbiterButton),
            deed => deed,
        };
        let Some(deed) = deed else { continue };
        now = tick.max(now);
        reckoning.pass(now, Some(deed));
        reckoning.deed(deed, now);
    }
    reckoning.left(asked.side, now)
}

fn is_a_pausing_reset(act: &Act, reckoning: &Reckoning) -> bool {
    let keeps_everything = matches!(act, Act::Fault(Fault::Reset { retained: Retained::Everything, .. }));
    keeps_everything && matches!(reckoning.doing(), Doing::Running(_))
}

fn describe(expected: Expected) -> (String, String) {
    match expected {
        Expected::Flag(side, down) => (format!("flag of {side}"), flag_word(down).into()),
        Expected::FirstFallen(side) => ("first-fallen sign".into(), side_word(side)),
        Expected::Face(side, face) => (format!("digits of {side}"), face.to_string()),
        Expected::ShownDelay(seconds) => ("delay shown".into(), format!("{seconds} s")),
        Expected::Battery(low) => ("battery sign".into(), battery_word(low).into()),
        Expected::Overtime(side, left) => (format!("overtime of {side}"), left.to_string()),
        Expected::Left(side, ns) => {
            (format!("time left of {side}"), format!("{} s", TrueTime::from_ns(ns.cast_signed())))
        }
        Expected::Moves(side, moves) => (format!("move counter of {side}"), moves.to_string()),
        Expected::Period(side, index) => (format!("period of {side}"), (index + 1).to_string()),
        Expected::Running(side) => ("running side".into(), side_word(side)),
    }
}

const fn battery_word(low: bool) -> &'static str {
    if low { "low" } else { "good" }
}

const fn flag_word(down: bool) -> &'static str {
    if down { "fallen" } else { "up" }
}

fn side_word(side: Option<Side>) -> String {
    side.map_or("none", Side::name).to_owned()
}
