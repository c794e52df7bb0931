//! One order of facts from a plan and a trace: by hand, record by record.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, BySide, DeviceTime, Period, Phase, Record, Setup, Side, TickRate, TimeControl, TrueTime};
use flagfall_judge::facts::{Fact, What, assemble};
use flagfall_trace::plan::{Act, GameClass, Hand, Observation, Person, Plan, Regulations, Step};
use flagfall_trace::{Achieved, Stamped, Trace};

const MS: i64 = 1_000_000;

fn at(ms: i64) -> TrueTime {
    TrueTime::from_ns(ms * MS)
}

fn press(side: Side) -> Act {
    Act::Press { side, hand: Hand::Same }
}

fn look() -> Act {
    Act::Observe(Observation { by: Person::Arbiter, fallen: BySide::both(false), first: None })
}

/// A plan of these acts, in milliseconds, all achieved when they were planned.
fn trace(acts: &[(i64, Act)], records: Vec<Stamped>) -> Trace {
    let plan = Plan {
        scenario: "test/facts".into(),
        seed: 0,
        tick_rate: TickRate::MHZ,
        setup: Setup::new(TimeControl::new(&[Period::all_moves(60_000, Bonus::None)]).expect("a control")),
        clock_kind: flagfall_trace::ClockKind::Digital,
        regulations: Regulations {
            class: Some(GameClass::Standard),
            default_time_ms: None,
            supervised: true,
            ..Regulations::default()
        },
        position: String::new(),
        board: false,
        device_setup: None,
        oscillator: flagfall_trace::OscillatorSpec::default(),
        steps: acts.iter().map(|(ms, act)| Step { at: at(*ms), act: act.clone() }).collect(),
        end: at(1_000_000),
    };
    let achieved = (0_u32..)
        .zip(acts)
        .filter(|(_, (_, act))| act.is_for_the_clock())
        .map(|(step, (ms, _))| Achieved { step, earliest: at(*ms), latest: at(*ms) })
        .collect();
    Trace::new(plan, 0, achieved, records)
}

/// A record at this millisecond; `running` is the side whose time runs after it.
fn record(ms: i64, kind: Kind, side: Option<Side>, running: Option<Side>, fallen: BySide<bool>) -> Stamped {
    let record = Record {
        kind,
        side,
        seq: 0,
        detail: 0,
        at: DeviceTime::from_ticks(ms.unsigned_abs() * 1_000),
        value: 0,
        phase: running.map_or(Phase::Ready, Phase::Running),
        remaining_ticks: BySide::both(1),
        delay_ticks: 0,
        shown: BySide::both(flagfall_core::Face::from_seconds(1)),
        shown_delay_seconds: 0,
        overtime: BySide::both(0),
        moves: BySide::both(0),
        period: BySide::both(0),
        fallen,
        first_fallen: None,
        battery_low: false,
    };
    Stamped { true_time: at(ms), uncertainty_ns: 0, record }
}

fn started() -> [Stamped; 2] {
    let up = BySide::both(false);
    [
        record(0, Kind::ARBITER_PRESSED, None, None, up),
        record(0, Kind::STARTED, Some(Side::White), Some(Side::White), up),
    ]
}

/// A press of this side that the clock took.
fn taken(ms: i64, side: Side, fallen: BySide<bool>) -> [Stamped; 2] {
    [
        record(ms, Kind::PRESSED, Some(side), Some(side), fallen),
        record(ms, Kind::SWITCHED, Some(side.other()), Some(side.other()), fallen),
    ]
}

/// Each fact in a word, whether a press was taken, and whose time ran after it.
fn told(facts: &[Fact]) -> Vec<(i64, String, Option<Side>)> {
    facts
        .iter()
        .map(|fact| {
            let word = match &fact.what {
                What::Started => "started".to_owned(),
                What::Pressed { side, taken, .. } => format!("{side} {}", if *taken { "taken" } else { "lost" }),
                What::Observed(_) => "looked".to_owned(),
                What::FlagFell(side) => format!("{side} fell"),
                other => format!("{other:?}"),
            };
            (fact.at.ns() / MS, word, fact.face.and_then(|face| face.running()))
        })
        .collect()
}

fn fact(ms: i64, word: &str, running: Option<Side>) -> (i64, String, Option<Side>) {
    (ms, word.to_owned(), running)
}

const UP: BySide<bool> = BySide::both(false);
const WHITE_DOWN: BySide<bool> = BySide::new(true, false);
const W: Option<Side> = Some(Side::White);
const B: Option<Side> = Some(Side::Black);

#[test]
fn acts_and_falls_stand_in_one_order() {
    let acts = [(0, Act::Start), (10, press(Side::White)), (30, look()), (40, press(Side::Black))];
    let fall = record(20, Kind::FLAG_FELL, B, B, BySide::new(false, true));
    let records = [&started()[..], &taken(10, Side::White, UP), &[fall], &taken(40, Side::Black, UP)].concat();
    let expected = [
        fact(0, "started", W),
        fact(10, "white taken", B),
        fact(20, "black fell", B),
        fact(30, "looked", B),
        fact(40, "black taken", W),
    ];
    assert_eq!(told(&assemble(&trace(&acts, records))), expected);
}

#[test]
fn a_flag_in_the_instant_of_an_act_falls_first() {
    let fall = record(10, Kind::FLAG_FELL, W, W, WHITE_DOWN);
    let looked = trace(&[(0, Act::Start), (10, look())], [&started()[..], &[fall]].concat());
    assert_eq!(told(&assemble(&looked)), [fact(0, "started", W), fact(10, "white fell", W), fact(10, "looked", W)]);
    let pressed = [&started()[..], &[fall], &taken(10, Side::White, WHITE_DOWN)].concat();
    let pressed = assemble(&trace(&[(0, Act::Start), (10, press(Side::White))], pressed));
    assert_eq!(told(&pressed), [fact(0, "started", W), fact(10, "white fell", W), fact(10, "white taken", B)]);
    assert!(pressed[2].face.is_some_and(|face| face.fallen.white));
}

#[test]
fn a_look_before_a_press_in_the_same_instant_sees_what_was_before_it() {
    let acts = [(0, Act::Start), (10, look()), (10, press(Side::White)), (10, look())];
    let facts = assemble(&trace(&acts, [&started()[..], &taken(10, Side::White, UP)].concat()));
    let expected = [fact(0, "started", W), fact(10, "looked", W), fact(10, "white taken", B), fact(10, "looked", B)];
    assert_eq!(told(&facts), expected);
}

#[test]
fn a_press_without_a_record_was_lost_and_the_next_one_was_not() {
    let acts = [(0, Act::Start), (10, press(Side::White)), (30, press(Side::White))];
    let facts = assemble(&trace(&acts, [&started()[..], &taken(30, Side::White, UP)].concat()));
    assert_eq!(told(&facts), [fact(0, "started", W), fact(10, "white lost", W), fact(30, "white taken", B)]);
}

#[test]
fn a_record_that_nobody_caused_belongs_to_no_press() {
    // One press, noticed twice; the press lost before it does not get the second record.
    let acts = [(0, Act::Start), (10, press(Side::White)), (30, press(Side::White)), (60, press(Side::White))];
    let records = [&started()[..], &taken(30, Side::White, UP), &[record(31, Kind::PRESSED, W, W, UP)]].concat();
    let expected =
        [fact(0, "started", W), fact(10, "white lost", W), fact(30, "white taken", B), fact(60, "white lost", W)];
    assert_eq!(told(&assemble(&trace(&acts, records))), expected);
}

#[test]
fn stamps_that_lag_or_lead_still_find_their_presses() {
    // Every press has its record: they are paired in order, whatever the stamps of a wrong time base say.
    let acts = [(0, Act::Start), (10, press(Side::White)), (30, press(Side::Black))];
    let records = [&started()[..], &taken(4, Side::White, UP), &taken(55, Side::Black, UP)].concat();
    let facts = assemble(&trace(&acts, records));
    assert_eq!(told(&facts), [fact(0, "started", W), fact(10, "white taken", B), fact(30, "black taken", W)]);
}

#[test]
fn an_act_achieved_late_says_by_how_much() {
    let acts = [(0, Act::Start), (10, press(Side::White)), (11, look())];
    let mut trace = trace(&acts, [&started()[..], &taken(13, Side::White, UP)].concat());
    trace.achieved[1] = Achieved { step: 1, earliest: at(12), latest: at(14) };
    let facts = assemble(&trace);
    assert_eq!((facts[1].planned, facts[1].at, facts[1].bound_ns), (at(10), at(13), 4 * MS.unsigned_abs()));
    // The look is planned between the request and the press: people keep their order.
    assert_eq!(told(&facts), [fact(0, "started", W), fact(13, "white taken", B), fact(13, "looked", B)]);
    assert_eq!((facts[2].planned, facts[2].bound_ns), (at(11), 0));
}

#[test]
fn what_was_not_achieved_is_no_fact_and_neither_is_a_fault_or_a_reading() {
    let fault = Act::Fault(flagfall_trace::Fault::Jump { by_ns: 5 });
    let acts = [(0, Act::Start), (5, fault), (6, Act::Read), (10, press(Side::White))];
    let mut trace = trace(&acts, [&started()[..], &[record(6, Kind::READ, None, W, UP)]].concat());
    trace.achieved.pop();
    assert_eq!(told(&assemble(&trace)), [fact(0, "started", W)]);
}

#[test]
fn a_fall_after_the_last_act_is_a_fact_too() {
    let fall = record(70_000, Kind::FLAG_FELL, W, None, WHITE_DOWN);
    let facts = assemble(&trace(&[(0, Act::Start)], [&started()[..], &[fall]].concat()));
    assert_eq!(told(&facts), [fact(0, "started", W), fact(70_000, "white fell", None)]);
}

#[test]
fn without_records_nothing_is_shown() {
    let facts = assemble(&trace(&[(10, look())], Vec::new()));
    assert_eq!(facts[0].face, None);
}
