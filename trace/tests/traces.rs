//! Hashes, files and differences of traces.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, BySide, DeviceTime, Period, Phase, Record, Setup, Side, TickRate, TimeControl, TrueTime};
use flagfall_trace::difference::{self, What};
use flagfall_trace::plan::{Act, GameClass, Hand, Plan, Regulations, Step};
use flagfall_trace::{Achieved, SetHash, Stamped, Trace, TraceFileError};

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

/// The value that every machine, profile and release of this schema must give.
#[test]
fn the_hash_is_golden() {
    assert_eq!(trace().hash().to_string(), "dc98621283aa9a0f");
}

#[test]
fn every_part_of_a_trace_is_in_its_hash() {
    let changes: [fn(&mut Trace); 10] = [
        |trace| trace.plan.scenario.push('x'),
        |trace| trace.plan.seed = 1,
        |trace| trace.plan.setup.carry_over = false,
        |trace| trace.plan.device_setup = Some(trace.plan.setup),
        |trace| trace.plan.steps[0].at = TrueTime::from_ns(1),
        |trace| trace.device_zero_ticks = 1,
        |trace| trace.achieved[0].latest = TrueTime::from_ns(6),
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

#[test]
fn equal_events_within_the_bound_are_no_difference() {
    let mut later = trace();
    later.device_zero_ticks = 1_000;
    for stamped in &mut later.records {
        stamped.record.at = stamped.record.at.after(1_002);
    }
    assert_eq!(difference::first(&trace(), &later, |_| 2), None);
    let difference = difference::first(&trace(), &later, |_| 1).expect("two ticks are above one");
    assert_eq!((difference.index, difference.what), (0, What::Time { by_ticks: 2, bound_ticks: 1 }));
}

#[test]
fn another_event_an_early_end_and_their_context_are_found() {
    let mut other = trace();
    other.records[3].record.side = Some(Side::Black);
    let found = difference::first(&trace(), &other, |_| 0).expect("another side");
    assert_eq!((found.index, found.what, found.left.len()), (3, What::Event, 4));
    assert!(found.to_string().contains("read            black"), "{found}");
    other.records.pop();
    assert_eq!(difference::first(&trace(), &other, |_| 0).map(|found| found.what), Some(What::RightEnds));
    assert_eq!(difference::first(&other, &trace(), |_| 0).map(|found| found.what), Some(What::LeftEnds));
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_written_to_and_a_link_stays_a_link() {
    use flagfall_trace::trace::write_whole;
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let (socket, file, link) = (folder.path().join("socket"), folder.path().join("file"), folder.path().join("link"));
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    assert!(write_whole(&socket, b"text").is_err(), "nothing can be written to a socket's name");
    assert!(std::fs::metadata(&socket).expect("still there").file_type().is_socket(), "and nothing takes its place");
    std::fs::write(&file, "old").expect("a file");
    symlink(&file, &link).expect("a link");
    write_whole(&link, b"new").expect("written");
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "new");
    assert!(std::fs::symlink_metadata(&link).expect("the link").file_type().is_symlink());
}
