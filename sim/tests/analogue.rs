//! The analogue clock in virtual time: hands, flags, lever, and each of its faults.

use flagfall_core::record::Kind;
use flagfall_core::{
    Bonus, BySide, Face, IgnoredBecause, Opening, Period, Phase, Record, Setup, Side, TickRate, TimeControl, TrueTime,
};
use flagfall_sim::{Budget, RunError, run};
use flagfall_trace::dial::{DialMisfit, ForeignAct};
use flagfall_trace::plan::{Act, Fault, GameClass, Hand, Person, Plan, Regulations, Step, StopReason};
use flagfall_trace::{ClockKind, DialFault, DialSetup};

const WHITE: Side = Side::White;
const BLACK: Side = Side::Black;

fn at(seconds: i64) -> TrueTime {
    TrueTime::from_ns(seconds * 1_000_000_000)
}

/// Two hours for forty moves and another hour, White with so many seconds to six o'clock.
fn plan(white_left_s: u64, steps: &[(i64, Act)]) -> Plan {
    let control = [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::None)];
    let opening = |left_s: u64| Opening { left_ms: Some(left_s * 1_000), ..Opening::default() };
    let setup = Setup {
        opening: BySide::new(opening(white_left_s), opening(7_200)),
        ..Setup::new(TimeControl::new(&control).expect("a control"))
    };
    Plan {
        scenario: "test/analogue".into(),
        seed: 0,
        tick_rate: TickRate::MHZ,
        setup,
        device_setup: None,
        clock_kind: ClockKind::Analogue(DialSetup::default()),
        regulations: Regulations {
            class: Some(GameClass::Standard),
            default_time_ms: None,
            supervised: true,
            ..Regulations::default()
        },
        position: "4k3/8/8/8/8/8/8/4K2R w - - 0 1".into(),
        board: false,
        oscillator: flagfall_trace::OscillatorSpec::default(),
        steps: steps.iter().map(|(seconds, act)| Step { at: at(*seconds), act: act.clone() }).collect(),
        end: steps.last().map_or(at(0), |(seconds, _)| at(*seconds)),
    }
}

fn records(white_left_s: u64, steps: &[(i64, Act)]) -> Vec<(i64, Record)> {
    let trace = run(&plan(white_left_s, steps), &Budget::default()).expect("within budget");
    trace.records.iter().map(|stamped| (stamped.true_time.ns() / 1_000_000_000, stamped.record)).collect()
}

/// What White's flag did, in whole seconds of true time.
fn flag(records: &[(i64, Record)]) -> Vec<(i64, &'static str, u16)> {
    let flags = [Kind::FLAG_LIFTED, Kind::FLAG_DROPPED, Kind::FLAG_FELL];
    let of_white = records.iter().filter(|(_, record)| record.side == Some(WHITE) && flags.contains(&record.kind));
    of_white.map(|(seconds, record)| (*seconds, record.kind.name(), record.detail)).collect()
}

fn last(records: &[(i64, Record)]) -> &Record {
    &records.last().expect("records").1
}

const fn press(side: Side) -> Act {
    Act::Press { side, hand: Hand::Same }
}

const fn pause() -> Act {
    Act::pause(Person::Arbiter, StopReason::Interruption)
}

const fn fault(fault: DialFault) -> Act {
    Act::Fault(Fault::Dial(fault))
}

const fn hms(hours: u32, minutes: u32, seconds: u32) -> Face {
    Face::from_seconds(hours * 3_600 + minutes * 60 + seconds)
}

#[test]
fn the_flag_is_lifted_before_every_hour_and_falls_at_the_end_of_each_control_only() {
    let seen = records(2 * 3_600, &[(0, Act::Start), (4 * 3_600, Act::Read)]);
    assert_eq!(
        flag(&seen),
        [
            (3_420, "flag-lifted", 0),
            (3_600, "flag-dropped", 0),
            (7_020, "flag-lifted", 0),
            (7_200, "flag-fell", 0),
            (10_620, "flag-lifted", 0),
            (10_800, "flag-fell", 0),
            (14_220, "flag-lifted", 0),
            (14_400, "flag-dropped", 0),
        ]
    );
    let falls: Vec<&Record> =
        seen.iter().filter(|(_, record)| record.kind == Kind::FLAG_FELL).map(|(_, record)| record).collect();
    assert_eq!((falls[0].period.white, falls[0].remaining_ticks.white), (0, 0));
    assert_eq!((falls[1].period.white, falls[1].remaining_ticks.white), (1, 0));
    assert_eq!(falls[0].shown, BySide::new(hms(6, 0, 0), hms(4, 0, 0)));
    assert!(last(&seen).fallen.white && !last(&seen).fallen.black);
    assert_eq!(last(&seen).shown.white, hms(8, 0, 0));
}

#[test]
fn hands_go_on_into_the_next_control_and_the_lifted_flag_is_up_again() {
    let seen = records(60, &[(0, Act::Start), (70, Act::Read), (60 + 3_430, Act::Read)]);
    let reads: Vec<&Record> =
        seen.iter().filter(|(_, record)| record.kind == Kind::READ).map(|(_, record)| record).collect();
    let [first, second] = reads[..] else { panic!("two looks") };
    assert_eq!((first.period.white, first.remaining_ticks.white, first.fallen.white), (1, 3_590_000_000, true));
    assert_eq!((second.period.white, second.remaining_ticks.white, second.fallen.white), (1, 170_000_000, false));
}

#[test]
fn a_dial_reads_twelve_before_one() {
    let read = |left_s| last(&records(left_s, &[(0, Act::Start), (0, Act::Read)])).shown.white;
    assert_eq!(read(6 * 3_600 - 30), hms(12, 0, 30));
    assert_eq!(read(6 * 3_600 + 1), hms(11, 59, 59));
    assert_eq!(read(5 * 3_600), hms(1, 0, 0));
    assert_eq!(read(30 * 3_600), hms(12, 0, 0), "a day and six hours before six");
}

#[test]
fn a_flag_up_from_the_setting_drops_in_its_own_time() {
    let mut plan = plan(7_200, &[(0, Act::Start), (10, press(WHITE)), (30, press(BLACK)), (100, Act::Read)]);
    plan.clock_kind =
        ClockKind::Analogue(DialSetup { flag_up_ms: BySide::new(Some(40_000), None), ..DialSetup::default() });
    let trace = run(&plan, &Budget::default()).expect("within budget");
    let dropped = trace.records.iter().find(|stamped| stamped.record.kind == Kind::FLAG_DROPPED).expect("it drops");
    assert_eq!((dropped.true_time, dropped.record.detail), (at(60), 1));
    assert!(!dropped.record.fallen.white);
}

#[test]
fn a_lever_does_what_it_is_pressed_to() {
    let seen = records(
        600,
        &[
            (0, press(BLACK)),
            (5, press(BLACK)),
            (10, press(WHITE)),
            (20, pause()),
            (30, Act::Resume { by: Person::Arbiter }),
            (35, pause()),
            (40, press(BLACK)),
            (50, pause()),
            (60, press(WHITE)),
            (70, pause()),
            (71, press(WHITE)),
            (80, Act::Read),
        ],
    );
    let effects: Vec<(Kind, Option<Side>, u16)> = seen
        .iter()
        .filter(|(_, record)| record.kind.is_consequence())
        .map(|(_, record)| (record.kind, record.side, record.detail))
        .collect();
    assert_eq!(
        effects,
        [
            (Kind::STARTED, Some(WHITE), 0),
            (Kind::IGNORED, Some(BLACK), IgnoredBecause::NotOnMove as u16),
            (Kind::SWITCHED, Some(BLACK), 0),
            (Kind::PAUSED, Some(BLACK), 0),
            (Kind::RESUMED, Some(BLACK), 0),
            (Kind::PAUSED, Some(BLACK), 0),
            (Kind::SWITCHED, Some(WHITE), 0),
            (Kind::PAUSED, Some(WHITE), 0),
            (Kind::SWITCHED, Some(BLACK), 0),
            (Kind::PAUSED, Some(BLACK), 0),
            (Kind::RESUMED, Some(BLACK), 0),
        ]
    );
    let last = last(&seen);
    // White ran from 0 s to 10 s and from 40 s to 50 s; Black the rest but for the stops.
    assert_eq!(last.remaining_ticks, BySide::new(580_000_000, 7_200_000_000 - 34_000_000));
    assert_eq!((last.phase, last.moves), (Phase::Running(BLACK), BySide::both(0)));
}

#[test]
fn hands_that_are_set_take_the_flag_with_them() {
    let set = |left_ms| Act::SetTime { side: WHITE, left_ms };
    let seen = records(600, &[(0, Act::Start), (10, set(120_000)), (20, Act::Read), (200, Act::Read)]);
    assert_eq!(flag(&seen), [(130, "flag-fell", 0)], "it was lifted by hand");
    let seen = records(600, &[(0, Act::Start), (10, set(0)), (20, Act::Read)]);
    assert_eq!(flag(&seen), [(10, "flag-fell", 0)]);
    let seen = records(10, &[(0, Act::Start), (15, set(30_000)), (20, Act::Read), (60, Act::Read)]);
    assert_eq!(flag(&seen), [(10, "flag-fell", 0), (45, "flag-fell", 0)], "nobody had gone on");
    let go_on = [(15, press(WHITE)), (16, press(BLACK)), (20, set(30_000)), (60, Act::Read)];
    let seen = records(10, &[vec![(0, Act::Start)], go_on.to_vec()].concat());
    assert_eq!(flag(&seen), [(10, "flag-fell", 0), (50, "flag-fell", 0)]);
    let falls: Vec<u8> = seen
        .iter()
        .filter(|(_, record)| record.kind == Kind::FLAG_FELL)
        .map(|(_, record)| record.period.white)
        .collect();
    assert_eq!(falls, [0, 1], "play had gone on in the second control");
}

/// What White's flag does, and what he has left after an hour, with a fault from the tenth second on.
fn with(white_left_s: u64, dial: DialFault) -> (Vec<(i64, &'static str, u16)>, u64) {
    let seen = records(white_left_s, &[(0, Act::Start), (10, fault(dial)), (3_600, Act::Read)]);
    (flag(&seen), last(&seen).remaining_ticks.white / 1_000_000)
}

#[test]
fn a_movement_that_stands_drops_no_flag_until_it_is_wound() {
    let stands = |for_ns| with(600, DialFault::NotGoing { side: WHITE, for_ns });
    assert_eq!(stands(None), (vec![], 590));
    let lifted_and_fallen = vec![(920, "flag-lifted", 0), (1_100, "flag-fell", 0)];
    assert_eq!(stands(Some(500_000_000_000)), (lifted_and_fallen, 3_600 - 2_500));
}

#[test]
fn two_sides_that_run_at_once_use_twice_the_time() {
    let dragged = DialFault::BothRunning { side: WHITE, for_ns: Some(100_000_000_000) };
    let steps = [(0, Act::Start), (10, press(WHITE)), (20, fault(dragged)), (90, pause()), (200, Act::Read)];
    let left = last(&records(600, &steps)).remaining_ticks;
    assert_eq!(left, BySide::new(520_000_000, 7_120_000_000), "a stopped clock stands still on both sides");
}

#[test]
fn a_jammed_hand_stands_where_the_hands_meet() {
    let jammed = DialFault::JammedHands { side: WHITE, for_ns: Some(2_990_000_000_000) };
    // From 5:20 the hands meet at 5:27:16.36, after 436 s, and are freed at 3000 s.
    let (flag, left) = with(2_400, jammed);
    assert_eq!((flag, left), (vec![], 2_400 - 436 - 600 - 1));
}

#[test]
fn a_loose_hand_slips_to_the_six_and_lets_the_flag_go() {
    let loose = DialFault::LooseMinuteHand { side: WHITE };
    let (up, left) = with(120, loose);
    assert_eq!(
        (&up[..], left),
        (&[(10, "flag-dropped", 2), (1_630, "flag-lifted", 0), (1_810, "flag-fell", 0)][..], 1_810)
    );
    let (forward, _) = with(3_500, loose);
    assert_eq!(forward, [(1_630, "flag-lifted", 0), (1_810, "flag-fell", 0)]);
}

#[test]
fn a_spent_spring_slows_and_stops() {
    let spent = DialFault::SpringSpent { side: WHITE, slow_ppb: 500_000_000, stops_after_ns: 100_000_000_000 };
    assert_eq!(with(600, spent), (vec![], 540));
}

#[test]
fn a_flag_that_is_not_lifted_does_not_fall() {
    let (flag, left) = with(600, DialFault::FlagNotLifted { side: WHITE, for_ns: None });
    assert_eq!((flag, left), (vec![], 600), "the hands go on all the same");
    let (flag, _) = with(600, DialFault::FlagNotLifted { side: WHITE, for_ns: Some(100_000_000_000) });
    assert_eq!(flag, [(420, "flag-lifted", 0), (600, "flag-fell", 0)]);
}

#[test]
fn a_stuck_flag_waits_for_a_tap() {
    let stuck = |for_ns| fault(DialFault::FlagStuck { side: WHITE, for_ns });
    let tapped = |tap_at| {
        let steps = [(0, Act::Start), (10, stuck(None)), (tap_at, Act::Tap { by: Person::Black }), (900, Act::Read)];
        flag(&records(60, &steps))
    };
    assert_eq!(tapped(75), [(75, "flag-fell", 0)]);
    assert_eq!(tapped(30), [(60, "flag-fell", 0)], "it was freed in time");
    let (freed, _) = with(60, DialFault::FlagStuck { side: WHITE, for_ns: Some(70_000_000_000) });
    assert_eq!(freed, [(80, "flag-fell", 0), (3_480, "flag-lifted", 0)]);
}

#[test]
fn a_flag_that_drops_too_early_has_fallen_all_the_same() {
    let seen = records(
        600,
        &[
            (0, Act::Start),
            (10, fault(DialFault::FlagEarly { side: WHITE, by_ms: 40_000, for_ns: None })),
            (561, Act::Read),
        ],
    );
    assert_eq!(flag(&seen), [(420, "flag-lifted", 0), (560, "flag-fell", 0)]);
    assert_eq!((last(&seen).fallen.white, last(&seen).remaining_ticks.white), (true, 39_000_000));
}

#[test]
fn a_tick_that_is_no_whole_nanosecond_loses_nothing() {
    let mut plan = plan(3, &[(0, Act::Start), (60, Act::Read)]);
    plan.tick_rate = TickRate::new(32_768).expect("in range");
    let turns = (1..=50).map(|turn| {
        let side = if turn % 2 == 1 { WHITE } else { BLACK };
        Step { at: TrueTime::from_ns(turn * 100_000_001), act: press(side) }
    });
    plan.steps.splice(1..1, turns);
    let trace = run(&plan, &Budget::default()).expect("within budget");
    let fell = trace.records.iter().find(|stamped| stamped.record.kind == Kind::FLAG_FELL).expect("White's flag falls");
    // 25 turns of White's before, 2.500000025 s, and half a second after the last press of Black's.
    assert_eq!(fell.true_time, TrueTime::from_ns(50 * 100_000_001 + 3_000_000_000 - 25 * 100_000_001));
}

#[test]
fn what_the_clock_does_not_know_is_refused() {
    let counter = Act::SetCounter { side: WHITE, moves: 1 };
    let error = run(&plan(60, &[(0, Act::Start), (1, counter)]), &Budget::default());
    assert_eq!(error.expect_err("no counter"), RunError::Foreign { step: 1, cause: ForeignAct::Counter });
    let mut tapped = plan(60, &[(0, Act::Tap { by: Person::Arbiter })]);
    tapped.clock_kind = ClockKind::Digital;
    let error = run(&tapped, &Budget::default());
    assert_eq!(error.expect_err("no flag"), RunError::Foreign { step: 0, cause: ForeignAct::Tap });
    let mut bonus = plan(60, &[(0, Act::Start)]);
    let increment = [Period::all_moves(60_000, Bonus::Increment { ms: 1_000 })];
    bonus.setup.control = BySide::both(TimeControl::new(&increment).expect("a control"));
    assert_eq!(run(&bonus, &Budget::default()).expect_err("no bonus"), RunError::Dial(DialMisfit::Bonus(0)));
}

#[test]
fn a_run_ends_at_its_budget() {
    let plan = plan(7_200, &[(0, Act::Start), (360_000, Act::Read)]);
    let events = Budget { events_max: 10, ..Budget::default() };
    assert!(matches!(run(&plan, &events), Err(RunError::Events { limit: 10, .. })));
    let records = Budget { records_max: 10, ..Budget::default() };
    assert!(matches!(run(&plan, &records), Err(RunError::Records { limit: 10, .. })));
}
