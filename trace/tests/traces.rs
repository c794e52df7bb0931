//! Hashes, files and differences of traces.

use flagfall_core::record::Kind;
use flagfall_core::{
    Bonus, BySide, DeviceTime, Face, Period, Phase, Record, Setup, Side, TickRate, TimeControl, TrueTime,
};
use flagfall_trace::difference::{self, Difference, PlanDifference, Tolerance, What};
use flagfall_trace::plan::{Act, GameClass, Hand, Plan, Regulations, Step};
use flagfall_trace::{Achieved, Displayed, Jump, Placed, Reset, SetHash, Stamped, Trace, TraceFileError};

fn record(kind: Kind, at_ticks: u64) -> Stamped {
    let record = Record {
        kind,
        side: Some(Side::White),
        seq: 0,
        detail: 0,
        at: DeviceTime::from_ticks(at_ticks),
        value: 0,
        phase: Phase::Running(Side::White),
        remaining_ticks: BySide::both(60_000_000),
        delay_ticks: 0,
        shown: BySide::both(flagfall_core::Face::from_seconds(60)),
        shown_delay_seconds: 0,
        overtime: BySide::both(0),
        moves: BySide::both(0),
        period: BySide::both(0),
        fallen: BySide::both(false),
        first_fallen: None,
        battery_low: false,
    };
    Stamped { true_time: TrueTime::from_ns(at_ticks as i64 * 1_000), uncertainty_ns: 0, record }
}

fn trace() -> Trace {
    let control = TimeControl::new(&[Period::all_moves(60_000, Bonus::None)]).expect("a control");
    let plan = Plan {
        scenario: "test/trace".into(),
        seed: 0,
        tick_rate: TickRate::MHZ,
        setup: Setup::new(control),
        clock_kind: flagfall_trace::ClockKind::Digital,
        regulations: Regulations {
            class: Some(GameClass::Blitz),
            default_time_ms: Some(0),
            supervised: true,
            ..Regulations::default()
        },
        position: "8/8/8/8/8/8/8/8 w - - 0 1".into(),
        board: false,
        device_setup: None,
        oscillator: flagfall_trace::OscillatorSpec::default(),
        steps: vec![Step { at: TrueTime::ZERO, act: Act::Press { side: Side::White, hand: Hand::Other } }],
        end: TrueTime::from_ns(9_000),
    };
    let achieved = vec![Achieved { step: 0, earliest: TrueTime::ZERO, latest: TrueTime::from_ns(5) }];
    let records = [(Kind::STARTED, 1), (Kind::PRESSED, 3), (Kind::SWITCHED, 3), (Kind::READ, 9)];
    Trace::new(plan, 0, achieved, records.map(|(kind, at)| record(kind, at)).to_vec())
}

const RESET: Reset =
    Reset { step: 0, kept_ticks: 3, missing_ticks: 100, at_ticks: 4, lost_ticks_max: 1, off_ns: 5, uncertainty_ns: 0 };

#[test]
fn device_time_goes_on_over_a_reset() {
    let mut trace = trace();
    trace.device_zero_ticks = 1;
    trace.resets = vec![RESET, Reset { kept_ticks: 8, missing_ticks: 1_000, ..RESET }];
    let ticks: Vec<i128> = trace.records.iter().map(|stamped| trace.ticks_into_run(&stamped.record)).collect();
    assert_eq!(ticks, [0, 2, 2, 1_108], "what was kept at 3 is from before, 9 is after both");
}

#[test]
fn a_trace_says_that_it_is_one_of_looks_and_others_do_not() {
    let told = serde_json::to_string(&trace()).expect("JSON");
    assert!(!told.contains("watched"), "{told}");
    let Trace { plan, achieved, records, .. } = trace();
    let looks = Trace::of_looks(plan, achieved, records);
    let text = serde_json::to_string(&looks).expect("JSON");
    assert_eq!(serde_json::from_str::<Trace>(&text).expect("a trace"), looks);
}

/// The value that every machine, profile and release of this schema must give.
#[test]
fn the_hash_is_golden() {
    assert_eq!(trace().hash().to_string(), "dc98621283aa9a0f");
}

#[test]
fn every_part_of_a_trace_is_in_its_hash() {
    let changes: [fn(&mut Trace); 16] = [
        |trace| trace.watched = true,
        |trace| trace.plan.scenario.push('x'),
        |trace| trace.plan.seed = 1,
        |trace| trace.plan.setup.carry_over = false,
        |trace| trace.plan.device_setup = Some(trace.plan.setup),
        |trace| trace.plan.steps[0].at = TrueTime::from_ns(1),
        |trace| trace.device_zero_ticks = 1,
        |trace| trace.achieved[0].latest = TrueTime::from_ns(6),
        |trace| trace.ends.push(trace.achieved[0]),
        |trace| trace.resets.push(RESET),
        |trace| trace.jumps.push(Jump { from: TrueTime::ZERO, to: TrueTime::from_ns(1) }),
        |trace| trace.displayed.push(Displayed { record: 0, ticks: 1 }),
        |trace| trace.placed.push(Placed { step: 0, part: 0, read: false }),
        |trace| trace.records[3].true_time = TrueTime::ZERO,
        |trace| trace.records[3].uncertainty_ns = 1,
        |trace| trace.records[3].record.remaining_ticks.black -= 1,
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut changed = trace();
        change(&mut changed);
        assert_ne!(changed.hash(), trace().hash(), "change {index}");
    }
}

#[test]
fn the_hash_of_a_set_does_not_know_its_order() {
    let (one, mut other) = (trace(), trace());
    other.plan.seed = 2;
    let hash = |members: &[(&str, &Trace)]| {
        let mut set = SetHash::default();
        for (scenario, trace) in members {
            set.add(scenario, trace.hash());
        }
        set.finish()
    };
    let expected = hash(&[("a", &one), ("b", &other)]);
    assert_eq!(hash(&[("b", &other), ("a", &one)]), expected);
    assert_ne!(hash(&[("a", &other), ("b", &one)]), expected);
    assert_ne!(hash(&[("a", &one)]), expected);
}

#[test]
fn a_trace_survives_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("family/name.json");
    trace().write(&path).expect("written");
    assert_eq!(Trace::read(&path).expect("read"), trace());
    assert_eq!(std::fs::read_dir(path.parent().expect("a parent")).expect("a folder").count(), 1, "no part is left");
}

#[test]
fn a_damaged_file_and_a_later_schema_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.json");
    assert!(matches!(Trace::read(&path), Err(TraceFileError::Io { .. })));
    trace().write(&path).expect("written");
    let text = std::fs::read_to_string(&path).expect("text");
    std::fs::write(&path, &text[..text.len() - 2]).expect("cut");
    assert!(matches!(Trace::read(&path), Err(TraceFileError::Form { .. })));
    let bad_record = text.replacen("\"record\":\"02", "\"record\":\"07", 1);
    std::fs::write(&path, bad_record).expect("written");
    let error = Trace::read(&path).expect_err("no record");
    assert!(error.to_string().contains("record version 7"), "{error}");
    std::fs::write(&path, text.replacen("\"schema\":2", "\"schema\":3", 1)).expect("written");
    assert!(matches!(Trace::read(&path), Err(TraceFileError::Schema { found: 3, .. })));
}

/// What is found first with so many ticks allowed.
fn first(left: &Trace, right: &Trace, ticks: u64) -> Option<Difference> {
    difference::first(left, right, &Tolerance { ticks, ..Tolerance::default() })
}

#[test]
fn equal_events_within_the_bound_are_no_difference() {
    let mut later = trace();
    later.device_zero_ticks = 1_000;
    for stamped in &mut later.records {
        stamped.record.at = stamped.record.at.after(1_002);
    }
    assert_eq!(first(&trace(), &later, 2), None);
    let difference = first(&trace(), &later, 1).expect("two ticks are above one");
    assert_eq!((difference.index, difference.what), (0, What::Time { by_ticks: 2, bound_ticks: 1 }));
}

#[test]
fn another_event_an_early_end_and_their_context_are_found() {
    let mut other = trace();
    other.records[3].record.side = Some(Side::Black);
    let found = first(&trace(), &other, 0).expect("another side");
    assert_eq!((found.index, &found.what, found.left.len()), (3, &What::Event, 4));
    assert!(found.to_string().contains(">      3           9  read              black"), "{found}");
    other.records.pop();
    let found = first(&trace(), &other, 0).expect("it ends early");
    assert_eq!(found.what, What::RightEnds);
    assert!(found.to_string().ends_with("> no record 3\n"), "{found}");
    assert_eq!(first(&other, &trace(), 0).map(|found| found.what), Some(What::LeftEnds));
}

#[test]
fn the_first_record_that_differs_is_shown_with_its_neighbours_and_the_fields_are_named() {
    let mut other = trace();
    other.records[1].record.remaining_ticks.black -= 7;
    other.records[1].record.moves.white = 3;
    other.records[2].record.side = Some(Side::Black);
    let found = first(&trace(), &other, 0).expect("two fields");
    let What::Fields(fields) = &found.what else { panic!("{found}") };
    let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
    assert_eq!(fields, ["time left 60000000 / 60000000 -> 60000000 / 59999993", "moves 0 / 0 -> 3 / 0"]);
    let shown: Vec<usize> = found.right.iter().map(|line| line.index).collect();
    assert_eq!((found.index, shown), (1, vec![0, 1, 2, 3]));
}

#[test]
fn times_and_digits_may_be_as_far_apart_as_the_stamps() {
    let mut other = trace();
    let record = &mut other.records[1].record;
    record.remaining_ticks.black -= 7;
    record.shown.black = Face::from_seconds(61);
    assert_eq!(first(&trace(), &other, 7), None);
    assert!(
        matches!(first(&trace(), &other, 6).map(|found| found.what), Some(What::Fields(fields)) if fields.len() == 1)
    );
    other.records[1].record.shown.black = Face::from_seconds(62);
    assert!(matches!(first(&trace(), &other, 7).map(|found| found.what), Some(What::Fields(_))));
    other.records[1].record.shown.black = Face::from_seconds(60);
    other.records[1].record.moves.black = 1;
    assert!(first(&trace(), &other, 1_000_000).is_some(), "a count is no time");
}

#[test]
fn how_late_a_flag_was_noticed_may_be_left_out() {
    let (mut one, mut other) = (trace(), trace());
    for (trace, late) in [(&mut one, 0), (&mut other, 8)] {
        trace.records[3].record.kind = Kind::FLAG_FELL;
        trace.records[3].record.value = late;
    }
    assert!(first(&one, &other, 0).is_some());
    assert_eq!(difference::first(&one, &other, &Tolerance { ticks: 0, any_notice: true }), None);
}

#[test]
fn plans_part_in_named_values_and_at_a_step() {
    let plan = trace().plan;
    assert_eq!(difference::plans(&plan, &plan), []);
    let mut other = plan.clone();
    other.setup.carry_over = false;
    other.setup.opening.black.moves = 4;
    other.device_setup = Some(plan.setup);
    other.regulations.class = None;
    other.end = TrueTime::from_ns(10_000);
    other.steps[0].at = TrueTime::from_ns(1);
    other.steps.push(Step { at: TrueTime::from_ns(2), act: Act::Read });
    let found = difference::plans(&plan, &other);
    let paths: Vec<&str> = found
        .iter()
        .map(|one| match one {
            PlanDifference::Value { path, .. } => path.as_str(),
            PlanDifference::Step { .. } => "step",
        })
        .collect();
    let expected =
        ["setup.carry_over", "setup.opening.black.moves", "device_setup", "regulations.class", "end", "step"];
    assert_eq!(paths, expected);
    let step = |at_ns: i64| Some(Step { at: TrueTime::from_ns(at_ns), act: plan.steps[0].act.clone() });
    assert_eq!(found.last(), Some(&PlanDifference::Step { index: 0, left: step(0), right: step(1) }));
    assert!(matches!(&found[3], PlanDifference::Value { left, right, .. } if left == "blitz" && right == "none"));
    other.steps[0] = plan.steps[0].clone();
    let added = other.steps.last().cloned();
    assert_eq!(
        difference::plans(&plan, &other).last(),
        Some(&PlanDifference::Step { index: 1, left: None, right: added })
    );
}
