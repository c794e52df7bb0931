//! The same on the emulated board in jumped time: verdicts and events as in counted time, and nothing that is judged lies in
//! or near a jump.

use std::sync::Arc;

use flagfall::case::Case;
use flagfall::rig::Outcome;
use flagfall::rig::board::{Board, Description};
use flagfall_judge::rulebook::Rulebook;
use flagfall_scenarios::read_str;
use flagfall_trace::difference::{self, Tolerance};
use flagfall_trace::{Trace, Verdict};
use libtest_mimic::{Failed, Trial};

use super::passes;

/// Of each family that waits for something, a case or two; those of a fault and of a reset among them.
const CASES: [&str; 17] = [
    "adjournment/replier-comes-later",
    "both-flags/last-period-order-unknown",
    "corrections/mistaken-correction-taken-back",
    "defective-clock/both-presses-are-lost",
    "defective-clock/displays-freeze",
    "defective-clock/jump-over-the-flag",
    "display/sixty-one-minutes-and-ten-hours",
    "flag-fall/claimant-stops-in-time",
    "increment-delay/saved-time-is-carried",
    "interruption/fire-alarm",
    "interruption/supply-fails-and-everything-is-kept",
    "late-arrival/half-an-hour-and-a-moment",
    "pause-abuse/stop-inside-the-delay",
    "periods/by-time-the-second-brings-an-increment",
    "periods/hourglass-runs-out",
    "press-handling/two-minutes-for-a-press-without-a-move",
    "wrong-setting/delay-forgotten",
];

/// A game of seven hours, in which a single thought is longer than the counter takes to come round.
const OVER_WRAPS: &str = "long-games/exact-clock";

/// How fast a time base is cannot be told where it is moved on.
const OF_A_RATE: &str = "defective-clock/rate-a-thousandth-fast";

/// Forty moves of each side in two hours, and no minute more.
const TWO_HOURS: &str = "scenario: eighty moves in two hours\npoints: [B1]\ncontrol: \"40/2h, 1h\"\ntimeline:\n  \
    - {at: 0s, start: white}\n  - {at: +90s, play: {moves: \"Nf3 Nf6 Ng1 Ng8\", think: 90s, times: 20}}\nend: +0s\n\
    expect:\n  - {left: {white: 2h, black: 2h}, moves: {white: 40, black: 40}}\nclock: right\n";

/// What is judged is at least so far behind the end of a jump.
const BEFORE_NS: i64 = 1_000_000_000;

/// The trials in jumped time that a case of the repository is made for.
pub(crate) fn trial(case: &Arc<Case>, board: &Description, under: &Arc<Vec<Rulebook>>) -> Option<Trial> {
    let id = case.scenario.id.clone();
    let (case, board, under) = (case.clone(), board.clone(), under.clone());
    let name = format!("virtual_board::jumped::{id}");
    match id.as_str() {
        OVER_WRAPS => Some(Trial::test(name, move || jumped(&case, &board, &under).map(drop))),
        OF_A_RATE => Some(Trial::test(name, move || has_no_rate(&case, &board))),
        id if CASES.contains(&id) => Some(Trial::test(name, move || as_counted(&case, &board, &under))),
        _ => None,
    }
}

/// A game of two hours as no case of the repository has it.
pub(crate) fn two_hours(board: &Description, under: &Arc<Vec<Rulebook>>) -> Trial {
    let (board, under) = (board.clone(), under.clone());
    Trial::test("virtual_board::jumped::eighty-moves-in-two-hours", move || {
        let scenario = read_str("two-hours.yaml", "jumped/two-hours", TWO_HOURS);
        let case = Case::prepare(scenario.expect("it is right")).expect("it resolves");
        let trace = as_counted_trace(&case, &board, &under)?;
        let jumped_ns: i64 = trace.jumps.iter().map(|jump| jump.to.ns() - jump.from.ns()).sum();
        // Of each minute and a half a second before the press and a moment after it.
        if jumped_ns < 7_200 * BEFORE_NS * 98 / 100 {
            return Err(format!("only {} s of two hours were jumped", jumped_ns / 1_000_000_000).into());
        }
        Ok(())
    })
}

fn has_no_rate(case: &Case, board: &Description) -> Result<(), Failed> {
    match Board::new(board.clone()).jumping(true).run(&case.plan) {
        Outcome::NotApplicable(reason) if reason.starts_with("jumped time: ") => Ok(()),
        other => Err(format!("a rate in jumped time: {other:?}").into()),
    }
}

fn as_counted(case: &Case, board: &Description, under: &[Rulebook]) -> Result<(), Failed> {
    as_counted_trace(case, board, under).map(drop)
}

/// The run in jumped time, after a look at the same run in counted time.
fn as_counted_trace(case: &Case, board: &Description, under: &[Rulebook]) -> Result<Trace, Failed> {
    let jumped = jumped(case, board, under)?;
    let counted = carried_out(case, Board::new(board.clone()), under)?;
    if !counted.jumps.is_empty() {
        return Err("time was jumped although nobody asked for it".into());
    }
    // Neither run does an act in the tick of the other: a time left is apart by no more than what the bench leaves open.
    let open_ns = |trace: &Trace| -> i64 {
        trace.achieved.iter().map(|achieved| achieved.latest.ns() - achieved.earliest.ns()).sum()
    };
    let ticks =
        (open_ns(&jumped) + open_ns(&counted)).unsigned_abs() * u64::from(case.plan.tick_rate.hz()) / 1_000_000_000;
    let tolerance = Tolerance { ticks: ticks + 2 * board.stamp_ticks(), any_notice: true };
    println!("counted and jumped: {} events, at most {} ticks apart", jumped.records.len(), tolerance.ticks);
    match difference::first(&counted, &jumped, &tolerance) {
        None => Ok(jumped),
        Some(difference) => {
            Err(format!("counted and jumped time part at record {}:\n{difference}", difference.index).into())
        }
    }
}

/// The run in jumped time, in which every act and every record was counted to.
fn jumped(case: &Case, board: &Description, under: &[Rulebook]) -> Result<Trace, Failed> {
    let trace = carried_out(case, Board::new(board.clone()).jumping(true), under)?;
    if trace.jumps.is_empty() {
        return Err("no time was jumped".into());
    }
    let acts = trace.achieved.iter().map(|achieved| achieved.earliest.ns());
    let ends = trace.ends.iter().map(|end| end.earliest.ns());
    let records = trace.records.iter().map(|stamped| stamped.true_time.ns());
    let judged: Vec<i64> = acts.chain(ends).chain(records).collect();
    for jump in &trace.jumps {
        let (from, to) = (jump.from.ns(), jump.to.ns());
        let within = judged.iter().find(|at| (from + 1..to + BEFORE_NS).contains(at));
        assert!(within.is_none(), "{within:?} ns is judged, and time was jumped from {from} to {to} ns");
    }
    let jumped_ns: i64 = trace.jumps.iter().map(|jump| jump.to.ns() - jump.from.ns()).sum();
    println!(
        "{} jumps over {} of {} s",
        trace.jumps.len(),
        jumped_ns / 1_000_000_000,
        case.plan.end.ns() / 1_000_000_000
    );
    Ok(trace)
}

fn carried_out(case: &Case, mut board: Board, under: &[Rulebook]) -> Result<Trace, Failed> {
    let mut judged = case.judge("virtual-board", board.run(&case.plan), under);
    let trace = judged.trace.take();
    if judged.record.verdict == Verdict::NotApplicable {
        return Err(format!("not applicable: {:?}", judged.record.reason).into());
    }
    passes(judged)?;
    trace.ok_or_else(|| "it passes without a trace".into())
}
