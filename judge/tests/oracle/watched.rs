//! Clocks that say nothing: what their memory shows, and no bound wider than its terms.

use flagfall_core::{Bonus, Phase, Side, TrueTime};
use flagfall_judge::oracle::{self, Limits, Watched};
use flagfall_judge::{Expectation, Expected, Wrong, facts};
use flagfall_trace::plan::{Act, Fault, Person, Plan, Step};
use flagfall_trace::{Achieved, Stamped, Trace, Verdict};

use super::{S, after, draft, minute, pause, press};

const MS: i64 = 1_000_000;

/// Hundredths of a second, in ticks.
const UNIT: u64 = 10_000;

/// How long a bench waits for what has come of an act.
const SETTLED_NS: i64 = 40 * MS;

const WATCHED: Watched = Watched { unit_ticks: UNIT, age_ticks: UNIT, flags: true, moves: true };

fn limits() -> Limits {
    Limits {
        oscillator_ppt: 0,
        stamp_ticks: 1,
        stamp_latency_max_ns: 10_000_000,
        flag_notice_max_ns: None,
        watched: Some(WATCHED),
    }
}

/// A device that is watched.
#[derive(Clone, Copy)]
struct Device {
    /// How much later than it was done each act has its effect.
    late_ns: fn(usize) -> i64,
    /// How old what its words say is.
    age_ns: i64,
    /// The act of which it notices nothing.
    misses: Option<usize>,
}

/// At every limit: the notice at its longest and its shortest in turn, the words rounded down and as old as they may be.
const AT_THE_LIMITS: Device =
    Device { late_ns: |nth| if nth.is_multiple_of(2) { 10 * MS } else { 0 }, age_ns: 10 * MS, misses: None };

fn later(at: TrueTime, ns: i64) -> TrueTime {
    TrueTime::from_ns((at.ns() + ns).max(0))
}

/// What a bench sees of a device before each act and after it.
fn seen(plan: &Plan, device: Device) -> Trace {
    let mut inside = plan.clone();
    inside.steps = Vec::new();
    let mut looks_at = Vec::new();
    for (nth, step) in plan.steps.iter().enumerate() {
        let after = if step.act == Act::Read { 0 } else { SETTLED_NS };
        let mut look = |at| {
            looks_at.push(at);
            Step { at: later(at, -device.age_ns), act: Act::Read }
        };
        let act = Step { at: later(step.at, (device.late_ns)(nth)), act: step.act.clone() };
        inside.steps.push(look(step.at));
        if after > 0 {
            inside.steps.extend((device.misses != Some(nth)).then_some(act));
            inside.steps.push(look(later(step.at, after)));
        }
    }
    inside.end = later(plan.end, S);
    let run = flagfall_sim::run(&inside, &flagfall_sim::Budget::default()).expect("within budget");
    let reads = run.records.iter().filter(|stamped| stamped.record.kind == flagfall_core::record::Kind::READ);
    let looks = reads.zip(looks_at).map(|(stamped, at)| {
        let mut record = stamped.record;
        record.remaining_ticks = record.remaining_ticks.map(|ticks| ticks / UNIT * UNIT);
        record.at = plan.tick_rate.tick_at(at);
        Stamped { true_time: at, uncertainty_ns: 1_000, record }
    });
    let achieved = plan.steps.iter().enumerate().map(|(nth, step)| {
        let after = if step.act == Act::Read { 0 } else { SETTLED_NS };
        Achieved { step: nth as u32, earliest: step.at, latest: later(step.at, after) }
    });
    Trace::of_looks(plan.clone(), achieved.collect(), looks.collect())
}

fn found(trace: &Trace, limits: &Limits) -> Vec<Wrong> {
    oracle::examine(trace, limits).findings.iter().map(|finding| finding.wrong).collect()
}

/// Ten turns with increment, a pause, and the fall of Black's flag.
fn plan() -> Plan {
    let mut steps = vec![(after(S), Act::Start)];
    for _ in 0..5 {
        steps.extend([(after(3 * S), press(Side::White)), (after(2 * S), press(Side::Black))]);
    }
    steps.extend([
        (after(S), pause()),
        (after(S), Act::Resume { by: Person::Arbiter }),
        (after(S), press(Side::White)),
    ]);
    steps.extend([(after(S), Act::Read), (after(70 * S), press(Side::White)), (after(S), Act::Read)]);
    oracle::resolve(draft(minute(Bonus::Increment { ms: 2_000 }), steps)).expect("the draft resolves")
}

#[test]
fn a_right_clock_at_every_limit_is_right() {
    let trace = seen(&plan(), AT_THE_LIMITS);
    assert!(trace.records.last().is_some_and(|look| look.record.fallen.black), "a flag falls in this game");
    assert_eq!(found(&trace, &limits()), []);
}

#[test]
fn a_bound_lacks_no_term() {
    let without = |change: fn(&mut Limits)| {
        let mut limits = limits();
        change(&mut limits);
        found(&seen(&plan(), AT_THE_LIMITS), &limits)
    };
    let remaining = |side| move |wrong: &Wrong| *wrong == Wrong::Remaining(side);
    let no_notice = without(|limits| limits.stamp_latency_max_ns = 0);
    assert!(
        no_notice.iter().any(remaining(Side::White)) && no_notice.iter().any(remaining(Side::Black)),
        "{no_notice:?}"
    );
    let no_words = without(|limits| limits.watched = Some(Watched { unit_ticks: 0, age_ticks: 0, ..WATCHED }));
    assert!(no_words.iter().any(remaining(Side::White)), "{no_words:?}");
}

#[test]
fn what_is_beyond_the_bound_is_found() {
    let mut trace = seen(&plan(), AT_THE_LIMITS);
    let last = trace.records.len() - 1;
    let bound = oracle::examine(&trace, &limits()).bounds[last].ticks();
    trace.records[last].record.remaining_ticks.white += bound;
    assert_eq!(found(&trace, &limits()), [Wrong::Remaining(Side::White)]);
}

#[test]
fn a_press_that_nobody_notices_is_found() {
    let missed = seen(&plan(), Device { misses: Some(3), ..AT_THE_LIMITS });
    let findings = oracle::examine(&missed, &limits()).findings;
    let press = findings.iter().find(|finding| finding.wrong == Wrong::Press(Side::White)).expect("it is found");
    assert_eq!(press.at, later(missed.plan.steps[3].at, SETTLED_NS), "{findings:?}");
    let facts = facts::assemble(&missed);
    let taken = |nth: usize| matches!(facts[nth].what, facts::What::Pressed { taken: true, .. });
    assert!(taken(1) && taken(2) && !taken(3));
}

#[test]
fn a_press_that_is_lost_on_purpose_is_found_and_nothing_else() {
    let lost = Act::Fault(Fault::LostPress { side: Side::White });
    let steps = vec![
        (after(S), Act::Start),
        (after(3 * S), press(Side::White)),
        (after(3 * S), press(Side::Black)),
        (after(S), lost),
        (after(2 * S), press(Side::White)),
        (after(S), Act::Read),
        (after(S), press(Side::White)),
        (after(2 * S), press(Side::Black)),
        (after(S), Act::Read),
    ];
    let plan = oracle::resolve(draft(minute(Bonus::Increment { ms: 2_000 }), steps)).expect("the draft resolves");
    let trace = seen(&plan, AT_THE_LIMITS);
    let findings = oracle::examine(&trace, &limits()).findings;
    assert_eq!(findings.iter().map(|finding| finding.wrong).collect::<Vec<_>>(), [Wrong::Press(Side::White)]);
    assert_eq!(findings[0].at, later(plan.steps[4].at, SETTLED_NS), "{findings:?}");
    // A clock that noticed it all the same is not the one that the fault makes.
    let mut noticed = seen(&plan, AT_THE_LIMITS);
    let look = noticed.records.iter().position(|look| look.true_time == findings[0].at).expect("the look after it");
    noticed.records[look].record.phase = Phase::Running(Side::Black);
    assert_eq!(found(&noticed, &limits()), [Wrong::Running]);
}

#[test]
fn another_unit_is_found_at_the_first_look() {
    let mut trace = seen(&plan(), AT_THE_LIMITS);
    for look in &mut trace.records {
        look.record.remaining_ticks = look.record.remaining_ticks.map(|ticks| ticks / 10);
    }
    let findings = oracle::examine(&trace, &limits()).findings;
    assert_eq!((findings[0].wrong, findings[0].at.ns()), (Wrong::Remaining(Side::White), S));
    assert_eq!(findings[0].found, "6.200000 s in its word");
}

#[test]
fn a_flag_that_comes_up_again_is_found_and_one_that_falls_is_a_fact() {
    let mut trace = seen(&plan(), AT_THE_LIMITS);
    let falls = facts::assemble(&trace).into_iter().filter(|fact| fact.what == facts::What::FlagFell(Side::Black));
    assert_eq!(falls.count(), 1);
    let last = trace.records.len() - 1;
    trace.records[last].record.fallen.black = false;
    assert_eq!(found(&trace, &limits()), [Wrong::Flag(Side::Black)]);
    let blind = Limits { watched: Some(Watched { flags: false, ..WATCHED }), ..limits() };
    assert_eq!(found(&trace, &blind), [], "what cannot be seen is not judged");
}

#[test]
fn a_count_is_a_count() {
    let mut trace = seen(&plan(), AT_THE_LIMITS);
    trace.records[9].record.moves.black += 1;
    assert_eq!(found(&trace, &limits()), [Wrong::Counter(Side::Black)]);
    let blind = Limits { watched: Some(Watched { moves: false, ..WATCHED }), ..limits() };
    assert_eq!(found(&trace, &blind), []);
}

#[test]
fn an_expectation_is_compared_with_the_look_at_its_step() {
    let plan = plan();
    let step = plan.steps.iter().position(|step| step.act == Act::Read).expect("a read") as u32;
    let trace = seen(&plan, AT_THE_LIMITS);
    let examination = oracle::examine(&trace, &limits());
    // White had 62 s, and 13 turns of 3 s, one of 1 s and one of 1 s less six increments.
    let verdict = |left_ms: u64| {
        let expected = Expected::Left(Side::White, left_ms * 1_000_000);
        let expectation = Expectation { step, expected, line: 1 };
        oracle::check_expectations(&trace, &examination, &[expectation])[0].verdict
    };
    let left_ms = 62_000 - 5 * 3_000 - 1_000 - 1_000 + 6 * 2_000;
    assert_eq!(verdict(left_ms), Verdict::Pass);
    assert_eq!(verdict(left_ms + 1_000), Verdict::Fail);
}
