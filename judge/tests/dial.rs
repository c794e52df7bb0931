//! The oracle against the simulated analogue clock: silent about a right one, and each kind of wrong found by itself.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, BySide, Face, Opening, Period, Setup, Side, TickRate, TimeControl, TrueTime};
use flagfall_judge::Wrong;
use flagfall_judge::oracle::{self, Limits, ResolveCause};
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{
    Act, Anchor, Draft, Fault, GameClass, Hand, Person, Plan, Regulations, Step, StopReason, When,
};
use flagfall_trace::{ClockKind, DialFault, DialSetup, Trace};

const S: i64 = 1_000_000_000;
const WHITE: Side = Side::White;
const BLACK: Side = Side::Black;

fn after(plus_ns: i64) -> When {
    When { from: Anchor::Previous, plus_ns, plus_ticks: 0 }
}

fn flag(side: Side, plus_ns: i64) -> When {
    When { from: Anchor::Flag(side), plus_ns, plus_ticks: 0 }
}

fn draft(setup: Setup, dial: DialSetup, steps: Vec<(When, Act)>) -> Draft {
    Draft {
        scenario: "test/dial".into(),
        seed: 0,
        tick_rate: TickRate::MHZ,
        setup,
        device_setup: None,
        clock_kind: ClockKind::Analogue(dial),
        regulations: Regulations {
            class: Some(GameClass::Standard),
            default_time_ms: None,
            supervised: true,
            ..Regulations::default()
        },
        position: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        board: false,
        oscillator: flagfall_trace::OscillatorSpec::default(),
        steps: steps.into_iter().map(|(at, act)| Step { at, act }).collect(),
        end: after(0),
    }
}

/// Two controls, White with so many seconds to the end of the first, Black with ten minutes.
fn setup(white_left_s: u64) -> Setup {
    let periods = [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::None)];
    let opening = |left_s: u64| Opening { left_ms: Some(left_s * 1_000), ..Opening::default() };
    Setup {
        opening: BySide::new(opening(white_left_s), opening(600)),
        ..Setup::new(TimeControl::new(&periods).expect("a control"))
    }
}

const fn press(side: Side) -> Act {
    Act::Press { side, hand: Hand::Same }
}

const fn pause() -> Act {
    Act::pause(Person::Arbiter, StopReason::Interruption)
}

const fn resume() -> Act {
    Act::Resume { by: Person::Arbiter }
}

fn simulate(draft: Draft) -> Trace {
    let plan = oracle::resolve(draft).expect("the draft resolves");
    flagfall_sim::run(&plan, &flagfall_sim::Budget::default()).expect("within budget")
}

fn wrong(trace: &Trace) -> Vec<Wrong> {
    let mut found: Vec<Wrong> = oracle::examine(trace, &Limits::virtual_time(&trace.plan))
        .findings
        .iter()
        .map(|finding| finding.wrong)
        .collect();
    found.sort_unstable();
    found
}

/// A short game around six o'clock of White's, with a stop, and what the faces show at its end.
fn game(faults: &[(i64, DialFault)]) -> Draft {
    let mut steps = vec![(after(0), Act::Start)];
    steps.extend(faults.iter().map(|(seconds, fault)| {
        let at = When { from: Anchor::Start, plus_ns: seconds * S, plus_ticks: 0 };
        (at, Act::Fault(Fault::Dial(*fault)))
    }));
    steps.extend([
        (When { from: Anchor::Start, plus_ns: 100 * S, plus_ticks: 0 }, press(WHITE)),
        (after(20 * S), press(BLACK)),
        (after(5 * S), pause()),
        (after(9 * S), resume()),
        (after(5 * S), Act::Read),
        (after(60 * S), press(WHITE)),
        (after(60 * S), Act::Read),
        (after(20 * S), press(BLACK)),
        (after(10 * S), Act::Read),
        (after(100 * S), Act::Read),
    ]);
    draft(setup(200), DialSetup::default(), steps)
}

#[test]
fn a_right_clock_is_right() {
    let trace = simulate(game(&[]));
    assert_eq!(oracle::examine(&trace, &Limits::virtual_time(&trace.plan)).findings, []);
    assert!(trace.records.iter().any(|stamped| stamped.record.kind == Kind::FLAG_FELL));
}

#[test]
fn each_fault_is_found_as_what_it_is_and_nothing_else() {
    let hands = |side| vec![Wrong::Remaining(side), Wrong::TimeBase];
    let stand = |side| vec![Wrong::Remaining(side), Wrong::Running, Wrong::TimeBase];
    let cases = [
        (DialFault::NotGoing { side: WHITE, for_ns: None }, stand(WHITE)),
        (DialFault::NotGoing { side: WHITE, for_ns: Some(S) }, hands(WHITE)),
        (DialFault::BothRunning { side: BLACK, for_ns: None }, stand(BLACK)),
        (DialFault::LooseMinuteHand { side: WHITE }, hands(WHITE)),
        (DialFault::SpringSpent { side: BLACK, slow_ppb: 1_000_000, stops_after_ns: 3_600 * S }, hands(BLACK)),
        (DialFault::SpringSpent { side: BLACK, slow_ppb: 1, stops_after_ns: 21 * S }, stand(BLACK)),
        (DialFault::FlagNotLifted { side: WHITE, for_ns: None }, vec![Wrong::Flag(WHITE)]),
        (DialFault::FlagStuck { side: WHITE, for_ns: None }, vec![Wrong::Flag(WHITE)]),
        (DialFault::FlagEarly { side: WHITE, by_ms: 1, for_ns: None }, vec![Wrong::Flag(WHITE)]),
    ];
    for (fault, expected) in cases {
        assert_eq!(wrong(&simulate(game(&[(10, fault)]))), expected, "{fault:?}");
    }
    // From 5:27 the hands meet in sixteen seconds.
    let jammed = draft(
        setup(1_980),
        DialSetup::default(),
        vec![
            (after(0), Act::Start),
            (after(S), Act::Fault(Fault::Dial(DialFault::JammedHands { side: WHITE, for_ns: None }))),
            (after(20 * S), Act::Read),
            (after(20 * S), Act::Read),
        ],
    );
    assert_eq!(wrong(&simulate(jammed)), stand(WHITE));
}

#[test]
fn a_fault_that_touches_nothing_is_not_found() {
    for fault in [
        DialFault::BothRunning { side: WHITE, for_ns: Some(50 * S) },
        DialFault::FlagNotLifted { side: BLACK, for_ns: None },
        DialFault::FlagStuck { side: BLACK, for_ns: None },
        DialFault::JammedHands { side: WHITE, for_ns: None },
        DialFault::NotGoing { side: BLACK, for_ns: Some(50 * S) },
    ] {
        assert_eq!(wrong(&simulate(game(&[(10, fault)]))), [], "{fault:?}");
    }
}

/// What the oracle finds after a right trace has been forged.
fn forged(forge: impl FnOnce(&mut Trace)) -> Vec<Wrong> {
    let mut trace = simulate(game(&[]));
    forge(&mut trace);
    wrong(&trace)
}

fn a_second_on(face: Face) -> Face {
    Face::from_seconds(face.tenths() / 10 + 1)
}

fn index_of(trace: &Trace, kind: Kind) -> usize {
    trace.records.iter().position(|stamped| stamped.record.kind == kind).expect("the record is there")
}

#[test]
fn what_is_forged_is_found() {
    let last = |change: fn(&mut flagfall_core::Record)| {
        forged(|trace| change(&mut trace.records.last_mut().expect("records").record))
    };
    assert_eq!(last(|record| record.remaining_ticks.white -= 1), [Wrong::Remaining(WHITE)]);
    assert_eq!(last(|record| record.shown.white = a_second_on(record.shown.white)), [Wrong::Remaining(WHITE)]);
    assert_eq!(last(|record| record.fallen.white = false), [Wrong::Flag(WHITE)]);
    assert_eq!(last(|record| record.fallen.black = true), [Wrong::Flag(BLACK)]);
    assert_eq!(last(|record| record.first_fallen = Some(WHITE)), [Wrong::Flag(WHITE)]);
    assert_eq!(last(|record| record.moves.white = 1), [Wrong::Counter(WHITE)]);
    assert_eq!(last(|record| record.phase = flagfall_core::Phase::Paused(WHITE)), [Wrong::Running]);
    let moved = |kind: Kind, other: Kind| {
        forged(|trace| {
            let index = index_of(trace, kind);
            trace.records[index].record.kind = other;
        })
    };
    assert_eq!(moved(Kind::FLAG_FELL, Kind::FLAG_DROPPED), [Wrong::Flag(WHITE), Wrong::Counter(WHITE)]);
    assert_eq!(moved(Kind::FLAG_LIFTED, Kind::FLAG_DROPPED), [Wrong::Flag(WHITE)]);
    let without = |kind: Kind| {
        forged(|trace| {
            let index = index_of(trace, kind);
            trace.records.remove(index);
        })
    };
    assert_eq!(without(Kind::FLAG_FELL), [Wrong::Flag(WHITE)]);
    assert_eq!(without(Kind::FLAG_LIFTED), [Wrong::Flag(WHITE)]);
    assert!(without(Kind::SWITCHED).contains(&Wrong::Running));
    assert!(without(Kind::PRESSED).contains(&Wrong::Press(WHITE)));
    let found = forged(|trace| {
        let index = index_of(trace, Kind::FLAG_FELL);
        trace.records[index].record.at = flagfall_core::DeviceTime::from_ticks(0);
    });
    assert!(found.contains(&Wrong::TimeBase), "{found:?}");
    let found = forged(|trace| {
        trace.achieved.remove(1);
    });
    assert!(found.contains(&Wrong::Press(WHITE)), "{found:?}");
}

#[test]
fn a_flag_a_second_late_and_a_lift_a_second_late_are_found() {
    for kind in [Kind::FLAG_LIFTED, Kind::FLAG_FELL] {
        let found = forged(|trace| {
            let index = index_of(trace, kind);
            let next = trace.records[index + 1].true_time;
            let stamped = &mut trace.records[index];
            let late = TrueTime::from_ns(stamped.true_time.ns() + S);
            assert!(late < next);
            stamped.true_time = late;
            stamped.record.at = TickRate::MHZ.tick_at(late);
            stamped.record.remaining_ticks.white = stamped.record.remaining_ticks.white.saturating_sub(1_000_000);
            stamped.record.shown.white = a_second_on(stamped.record.shown.white);
        });
        assert_eq!(found, [Wrong::Flag(WHITE)], "{kind}");
    }
}

fn random_setup(draw: &mut Stream) -> (Setup, DialSetup) {
    let mut periods = Vec::new();
    for _ in 0..draw.within(0, 2) {
        let base_ms = if periods.is_empty() { draw.within(1, 9_000_000) } else { 3_600_000 * draw.within(1, 2) };
        periods.push(Period::of_moves(draw.within(1, 40) as u16, base_ms, Bonus::None));
    }
    let base_ms = if periods.is_empty() { draw.within(1, 50_000_000) } else { 3_600_000 * draw.within(1, 13) };
    periods.push(Period::all_moves(base_ms, Bonus::None));
    let opening = |draw: &mut Stream| Opening {
        left_ms: Some(draw.within(0, 9_000_000)).filter(|ms| ms % 3 != 0),
        moves: draw.within(0, 80) as u16,
        period: None,
    };
    let setup = Setup {
        first: if draw.within(0, 1) == 0 { WHITE } else { BLACK },
        opening: BySide::new(opening(draw), opening(draw)),
        ..Setup::new(TimeControl::new(&periods).expect("drawn within limits"))
    };
    let lift_ms = draw.within(1_000, DialSetup::LIFT_MS_MAX);
    let up = |draw: &mut Stream| Some(draw.within(1, 2_000_000)).filter(|ms| ms % 2 == 0);
    let mut dial = DialSetup { lift_ms, flag_up_ms: BySide::new(up(draw), up(draw)) };
    for side in Side::ALL {
        let alone =
            DialSetup { flag_up_ms: BySide::from_fn(|other| dial.flag_up_ms[other].filter(|_| other == side)), ..dial };
        if alone.fits(&setup).is_err() {
            dial.flag_up_ms[side] = None;
        }
    }
    (setup, dial)
}

fn random_act(draw: &mut Stream) -> Act {
    let side = if draw.within(0, 1) == 0 { WHITE } else { BLACK };
    match draw.within(0, 11) {
        0..=6 => press(side),
        7 => pause(),
        8 => resume(),
        9 if draw.within(0, 2) == 0 => Act::SetTime { side, left_ms: 0 },
        9 => Act::SetTime { side, left_ms: draw.within(0, 9_000_000) },
        10 => Act::Tap { by: side.into() },
        _ => Act::Read,
    }
}

fn random_plan(seed: u64) -> Plan {
    let draw = &mut Stream::named(seed, "dial-test");
    let (setup, dial) = random_setup(draw);
    let mut steps = vec![(after(draw.within(0, 3) as i64), Act::Start)];
    for _ in 0..draw.within(1, 40) {
        steps.push((after(draw.within(0, 2_000_000_000_000) as i64), random_act(draw)));
    }
    let tick_rate = if seed.is_multiple_of(2) { TickRate::MHZ } else { TickRate::new(32_768).expect("in range") };
    loop {
        match oracle::resolve(Draft { tick_rate, ..draft(setup, dial, steps.clone()) }) {
            Ok(plan) => return plan,
            Err(error) => drop(steps.remove(error.step)),
        }
    }
}

#[test]
fn a_right_clock_is_right_under_random_controls_and_deeds() {
    for seed in 0..3_000 {
        let plan = random_plan(seed);
        let trace = flagfall_sim::run(&plan, &flagfall_sim::Budget::default()).expect("within budget");
        let examination = oracle::examine(&trace, &Limits::virtual_time(&trace.plan));
        assert_eq!(examination.findings, [], "seed {seed}: {plan:#?}\n{:#?}", trace.records);
    }
}

#[test]
fn anchors_are_computed_on_an_exact_dial() {
    let plan = oracle::resolve(draft(
        setup(30),
        DialSetup::default(),
        vec![
            (after(S), Act::Start),
            (after(10 * S), press(WHITE)),
            (after(5 * S), press(BLACK)),
            (flag(WHITE, -S), Act::Read),
            (flag(WHITE, 2 * S), press(WHITE)),
            (after(S), Act::Read),
            (flag(WHITE, 10 * S), press(BLACK)),
            (When { from: Anchor::Period(WHITE, 1), plus_ns: 100 * S, plus_ticks: 0 }, Act::Read),
            (after(3_500 * S), Act::Read),
            (flag(WHITE, 0), Act::Read),
        ],
    ))
    .expect("the draft resolves");
    let seconds: Vec<i64> = plan.steps.iter().map(|step| step.at.ns() / S).collect();
    // White runs from 1 s to 11 s and from 16 s to 38 s: six o'clock at 36 s; then from 46 s on, seven at 3644 s.
    assert_eq!(seconds, [1, 11, 16, 35, 38, 39, 46, 136, 3_636, 3_644]);
}

#[test]
fn what_cannot_be_foreseen_on_a_dial_is_named() {
    let cause = |steps| oracle::resolve(draft(setup(30), DialSetup::default(), steps)).expect_err("no plan").cause;
    assert_eq!(cause(vec![(after(0), Act::Start), (flag(BLACK, 0), Act::Read)]), ResolveCause::NoFlag(BLACK));
    let period = When { from: Anchor::Period(WHITE, 1), plus_ns: 0, plus_ticks: 0 };
    assert_eq!(cause(vec![(after(0), Act::Start), (period, Act::Read)]), ResolveCause::NoPeriod(WHITE, 1));
    let delay = When { from: Anchor::DelayEnd(WHITE), plus_ns: 0, plus_ticks: 0 };
    assert_eq!(cause(vec![(after(0), Act::Start), (delay, Act::Read)]), ResolveCause::NoDelay(WHITE));
    assert_eq!(cause(vec![(after(0), press(BLACK)), (after(0), Act::Start)]), ResolveCause::StartedAlready);
    let resumed = vec![(after(0), Act::Start), (after(0), pause()), (after(0), press(WHITE)), (after(0), resume())];
    assert_eq!(cause(resumed), ResolveCause::NothingToResume { frozen: false });
}
