//! Every key of the language in one file, and what it comes to.

use std::num::NonZeroU32;

use flagfall_core::display::Digits;
use flagfall_core::{
    AtZero, Bonus, BySide, Credit, DisplayFormat, Face, LateControlMove, Opening, Period, Rounding, SameTick,
    SecondPress, Setup, Side, TickRate, TrueTime, Zero,
};
use flagfall_judge::{
    ClockExpectation, Expectation, Expected, ExpectedDecision, ExpectedRuling, GameResult, Outcome, Placer, Point,
    Strength, Wrong,
};
use flagfall_scenarios::{Scenario, read_str};
use flagfall_trace::draw::Stream;
use flagfall_trace::oscillator::{
    Ageing, AgeingSpan, NoiseLevels, OscillatorSpec, Temperature, TemperatureCourse, TemperaturePoint,
};
use flagfall_trace::plan::{
    Basis, Claim, DefectFinding, Finding, GameClass, Hand, MoveMade, Observation, Person, Regulations, StopFinding,
    StopReason,
};
use flagfall_trace::{Act, Anchor, Fault, Step, When};

const EVERYTHING: &str = r#"
scenario: every key of the language
points: [H2, E2]
purpose: to be read
requirements: [E-h, E-d]
sources: {fide-2014: 6.11b, ua: "5.2"}
regulations: {class: rapid, default_time: 30m, supervised: false}
seed: 7
tick_hz: 32768
oscillator:
  offset: -20ppm
  temperature: {course: [{at: 0s, is: 25C}, {at: 2h, is: -5.5C}], turnover: 24C, parabola: -0.034ppm/K2}
  ageing: +3ppm/year
  noise: {white: 1ppb, flicker: 2ppb, random-walk: 0.1ppb}
  quantum: 8 ticks
control:
  periods: {white: "40/2h, 1h+30s", black: "30m, 15m;d5s"}
  increment: after-move
  at_zero: run-on
  zero: alive
  same_tick: press-first
  late_control_move: next-base
  second_press: counted
  carry_over: false
  first_fallen_sign: none
  rounding: down
  tenths_below: 20s
  seconds_below: 20m
  debounce: 15ms
opening:
  position: "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 41"
  moves: {white: 40, black: 39}
  left: {black: 12.5s}
  period: {white: 1}
wrong_setting: {control: {pgn: "40/7200:3600+30"}, opening: {moves: {black: 38}, period: {black: 2}}}
timeline:
  - {at: 0s, start: white}
  - {at: +6s, move: {side: white, san: Kd2, press: other-hand, press_after: 500ms}}
  - {at: flag(black) - 1 tick, move: {side: black, san: Kd7, press: no}}
  - {at: +0s, press: {side: black, hand: same-hand}}
  - {at: +1s, press: white}
  - {at: period(black 2) + 1s, pause: {by: white, reason: promotion-piece}}
  - {at: +1s, find: {stop: clearly-unfounded}}
  - {at: +1s, find: {defect: evident}}
  - {at: +1s, set: {left: {white: 5m, black: 4m}, moves: {white: 41}}}
  - {at: +1s, set: {period: {white: 2}}}
  - {at: +1s, swap: arbiter}
  - {at: +1s, undo: arbiter}
  - {at: +1s, battery: low}
  - {at: +1s, battery: good}
  - {at: +1s, resume: arbiter}
  - {at: delay-end(white), arrive: black}
  - {at: +1s, observe: {by: arbiter, flags: both, first: white}}
  - {at: +1s, claim: {by: black, flag: white, basis: used-time}}
  - {at: +1s, fault: {stuck: {for: 5s}}}
  - {at: +1s, fault: {jump: {by: -3s}}}
  - {at: +1s, fault: {rate: {offset: +500ppm, for: 10m}}}
  - {at: +1s, fault: {lost-press: white}}
  - {at: +1s, press: {side: white, wave: [0us, 900us off, 1400us on, 6ms off]}}
  - {at: +1s, press: {side: black, wave: [2ms]}}
  - {at: +1s, press: {side: black, wave: [0us off]}}
  - {at: +1s, read: {running: none, period: {black: 2}, overtime: {white: 3}, shown: {black: "9.8", delay: 4s, battery: low}}}
  - {at: zero(white) - 1ms, read: {shown: {white: 1h02, battery: good}}}
  - {at: +1s, play: {moves: "1. e4 e5 2. Kd3", think: {from: 2s, to: 8s}}}
end: +3s
expect:
  - flags: {white: fallen, black: up}
    shown: {first_fallen: black, white: "0:01"}
  - {left: {white: 900us}, moves: {black: 41}}
clock: {wrong: [battery, time-base, display(black), remaining(white)], from: fault}
rulings:
  one: silent
  two: {result: draw, article: 6.10, point: H2, strength: literal}
  three: [{left: {white: 1m}}, {point: E2, ruling: void}]
  four: {needs: white-can-mate, if: {yes: {result: black-wins}, no: {flag-counts: white}}}
  five: {discretion: [{play: continues}, {penalty: white}]}
"#;

fn everything() -> Scenario {
    read_str("everything.yaml", "tests/everything", EVERYTHING).unwrap_or_else(|error| panic!("{error}"))
}

const fn after(ns: i64) -> When {
    When { from: Anchor::Previous, plus_ns: ns, plus_ticks: 0 }
}

const S: i64 = 1_000_000_000;

#[test]
fn what_stands_before_the_timeline() {
    let scenario = everything();
    assert_eq!((scenario.id.as_str(), scenario.title.as_str()), ("tests/everything", "every key of the language"));
    assert_eq!((scenario.purpose.as_deref(), scenario.path.to_str()), (Some("to be read"), Some("everything.yaml")));
    assert_eq!(scenario.points, [Point::H2, Point::E2]);
    assert_eq!(scenario.requirements, ["E-d", "E-h"]);
    assert_eq!(scenario.sources["fide-2014"], "6.11b");
    let draft = scenario.draft;
    assert_eq!((draft.scenario.as_str(), draft.seed), ("tests/everything", 7));
    let point = |hours: i64, millicelsius| TemperaturePoint { at: TrueTime::from_ns(hours * 3_600 * S), millicelsius };
    let oscillator = OscillatorSpec {
        offset_ppt: -20_000_000,
        temperature: Some(Temperature {
            turnover_millicelsius: 24_000,
            parabola_ppt: -34_000,
            course: TemperatureCourse::new(vec![point(0, 25_000), point(2, -5_500)]).expect("a course"),
        }),
        ageing: Some(Ageing { ppt: 3_000_000, per: AgeingSpan::Year }),
        noise: NoiseLevels { white_ppt: 1_000, flicker_ppt: 2_000, random_walk_ppt: 100 },
        quantum_ticks: NonZeroU32::new(8).expect("not zero"),
    };
    assert_eq!(draft.oscillator, oscillator);
    assert_eq!(draft.tick_rate, TickRate::new(32_768).expect("in range"));
    let regulations = Regulations {
        class: Some(GameClass::Rapid),
        default_time_ms: Some(1_800_000),
        supervised: false,
        ..Regulations::default()
    };
    assert_eq!(draft.regulations, regulations);
    let setup = draft.setup;
    let white =
        [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::Increment { ms: 30_000 })];
    let black = [Period::all_moves(1_800_000, Bonus::None), Period::all_moves(900_000, Bonus::Delay { ms: 5_000 })];
    assert_eq!((setup.control.white.periods(), setup.control.black.periods()), (&white[..], &black[..]));
    assert_eq!((setup.credit, setup.at_zero), (Credit::AfterMove, AtZero::RunOn));
    assert_eq!((setup.zero, setup.same_tick), (Zero::Alive, SameTick::PressFirst));
    assert_eq!((setup.late_control_move, setup.second_press), (LateControlMove::NextBase, SecondPress::Counted));
    assert_eq!((setup.carry_over, setup.first_fallen_sign, setup.first), (false, false, Side::White));
    let display = DisplayFormat { rounding: Rounding::Down, tenths_below_s: 20, seconds_below_min: 20 };
    assert_eq!((setup.display, setup.debounce_ms), (display, 15));
    let opened = Opening { left_ms: None, moves: 40, period: Some(0) };
    assert_eq!(setup.opening, BySide::new(opened, Opening { left_ms: Some(12_500), moves: 39, period: None }));
    let wrong = draft.device_setup.expect("it is set wrongly");
    assert_eq!(wrong.control.to_string(), "40/2h, 1h+30s");
    assert_eq!((wrong.credit, wrong.debounce_ms, wrong.first), (Credit::BeforeMove, 20, Side::White));
    assert_eq!(wrong.opening, BySide::new(opened, Opening { left_ms: Some(12_500), moves: 38, period: Some(1) }));
    assert_eq!(draft.position, "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 41");
}

#[test]
fn what_is_left_out_has_its_default() {
    let text =
        "{scenario: x, points: [B1], control: 3m+2s, timeline: [{at: 0s, start: white}], expect: [{running: white}]}";
    let draft = read_str("x", "x/x", text).unwrap_or_else(|error| panic!("{error}")).draft;
    assert_eq!(draft.device_setup, None);
    let control = draft.setup.control.white;
    assert_eq!(Setup { first: Side::White, ..draft.setup }, Setup::new(control));
    assert_eq!((draft.seed, draft.oscillator, draft.tick_rate), (0, OscillatorSpec::default(), TickRate::MHZ));
    let regulations = Regulations::default();
    assert_eq!(draft.regulations, regulations);
    let setup = draft.setup;
    assert_eq!((setup.credit, setup.at_zero), (Credit::BeforeMove, AtZero::Freeze));
    assert_eq!((setup.carry_over, setup.first_fallen_sign, setup.first), (true, true, Side::White));
    assert_eq!(setup.opening, BySide::both(Opening::default()));
    assert_eq!(draft.position, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(draft.end, after(0));
}

#[test]
fn the_side_to_move_may_be_black() {
    let text = r#"{scenario: x, points: [B1], control: 5m, opening: {position: "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"},
        timeline: [{at: 0s, start: black}], expect: [{running: black}]}"#;
    let draft = read_str("x", "x/x", text).unwrap_or_else(|error| panic!("{error}")).draft;
    assert_eq!(draft.setup.first, Side::Black);
}

#[test]
fn each_verb_becomes_its_acts() {
    let moved =
        |side, san: &str, after: &str| Act::Move(MoveMade { side, san: san.into(), after: after.into(), ends: None });
    let press = |side, hand| Act::Press { side, hand };
    let edge = |side, closes| Act::Contact { side, closes };
    let second = |act| (after(S), act);
    let black = Side::Black;
    let white = Side::White;
    let expected = [
        (When { from: Anchor::Start, plus_ns: 0, plus_ticks: 0 }, Act::Start),
        (after(6 * S), moved(white, "Kd2", "4k3/4p3/8/8/8/8/3KP3/8 b - - 1 41")),
        (after(S / 2), press(white, Hand::Other)),
        (
            When { from: Anchor::Flag(black), plus_ns: 0, plus_ticks: -1 },
            moved(black, "Kd7", "8/3kp3/8/8/8/8/3KP3/8 w - - 2 42"),
        ),
        (after(0), press(black, Hand::Same)),
        (after(S), press(white, Hand::Unsaid)),
        (
            When { from: Anchor::Period(black, 1), plus_ns: S, plus_ticks: 0 },
            Act::pause(Person::White, StopReason::PromotionPiece),
        ),
        second(Act::Find(Finding::Stop(StopFinding::ClearlyUnfounded))),
        second(Act::Find(Finding::Defect(DefectFinding::Evident))),
        second(Act::SetTime { side: white, left_ms: 300_000 }),
        (after(0), Act::SetTime { side: black, left_ms: 240_000 }),
        (after(0), Act::SetCounter { side: white, moves: 41 }),
        second(Act::SetPeriod { side: white, period: 1 }),
        second(Act::Swap),
        second(Act::Undo),
        second(Act::Battery { low: true }),
        second(Act::Battery { low: false }),
        second(Act::Resume { by: Person::Arbiter }),
        (When { from: Anchor::DelayEnd(white), plus_ns: 0, plus_ticks: 0 }, Act::Arrive { side: black }),
        second(Act::Observe(Observation { by: Person::Arbiter, fallen: BySide::both(true), first: Some(white) })),
        second(Act::Claim(Claim { by: black, flag: white, basis: Basis::UsedTime })),
        second(Act::Fault(Fault::Stuck { for_ns: 5 * S })),
        second(Act::Fault(Fault::Jump { by_ns: -3 * S })),
        second(Act::Fault(Fault::Rate { ppb: 500_000, for_ns: 600 * S })),
        second(Act::Fault(Fault::LostPress { side: white })),
        second(edge(white, true)),
        (after(900_000), edge(white, false)),
        (after(500_000), edge(white, true)),
        (after(4_600_000), edge(white, false)),
        (after(S + 2_000_000), edge(black, true)),
        second(edge(black, false)),
        second(Act::Read),
        (When { from: Anchor::Zero(white), plus_ns: -1_000_000, plus_ticks: 0 }, Act::Read),
    ];
    let draft = everything().draft;
    let steps: Vec<_> = draft.steps.iter().take(expected.len()).map(|Step { at, act }| (*at, act.clone())).collect();
    for (index, (found, expected)) in steps.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "step {index}");
    }
    assert_eq!(draft.steps.last(), Some(&Step { at: after(3 * S), act: Act::Read }));
    assert_eq!((draft.end, draft.steps.len()), (after(0), expected.len() + 7));
}

#[test]
fn thinking_times_are_drawn_from_the_named_stream() {
    let draft = everything().draft;
    let played = &draft.steps[33..39];
    let mut stream = Stream::named(7, "think-time");
    let mut think = || after(i64::try_from(stream.within(2_000, 8_000)).expect("it is small") * 1_000_000);
    let times: Vec<When> = played.iter().map(|step| step.at).collect();
    let first = think();
    assert_eq!(times, [after(S), after(0), first, after(0), think(), after(0)]);
    let sides: Vec<_> = played
        .iter()
        .filter_map(|step| match &step.act {
            Act::Press { side, hand: Hand::Same } => Some(*side),
            _ => None,
        })
        .collect();
    assert_eq!(sides, [Side::White, Side::Black, Side::White]);
}

#[test]
fn moves_can_be_played_again_with_thoughts_that_are_mostly_short() {
    let text = r#"{scenario: x, points: [B1], control: 5m, seed: 3, expect: [{running: white}], timeline: [
        {at: 0s, start: white},
        {at: 1s, play: {moves: "Nf3 Nf6 Ng1 Ng8", think: {from: 1s, to: 9s, shape: mostly-short}, times: 60}}]}"#;
    let draft = read_str("x", "x/x", text).unwrap_or_else(|error| panic!("{error}")).draft;
    let moves: Vec<&MoveMade> = draft
        .steps
        .iter()
        .filter_map(|step| match &step.act {
            Act::Move(made) => Some(made),
            _ => None,
        })
        .collect();
    assert_eq!((moves.len(), draft.steps.len()), (240, 2 + 480));
    assert_eq!(moves[239].san, "Ng8");
    assert!(
        moves[239].after.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"),
        "{}",
        moves[239].after
    );
    let thoughts: Vec<i64> = draft.steps[3..481].iter().step_by(2).map(|step| step.at.plus_ns).collect();
    assert_eq!(thoughts.len(), 239);
    assert!(thoughts.iter().all(|ns| (S..=9 * S).contains(ns)));
    let short = thoughts.iter().filter(|ns| **ns < 2 * S).count();
    assert!((90..150).contains(&short), "{short} of 239 are below an eighth of the range");
}

#[test]
fn each_expectation_knows_its_step_and_line() {
    let scenario = everything();
    let line_of = |text: &str| {
        u32::try_from(EVERYTHING.lines().position(|line| line.contains(text)).expect("it is there") + 1).expect("few")
    };
    let end = u32::try_from(scenario.draft.steps.len() - 1).expect("few steps");
    let at = |step, text, expected| Expectation { step, expected, line: line_of(text) };
    assert_eq!(
        scenario.expectations,
        [
            at(31, "running: none", Expected::Face(Side::Black, Face::new(98, Digits::Tenths))),
            at(31, "running: none", Expected::ShownDelay(4)),
            at(31, "running: none", Expected::Battery(true)),
            at(31, "running: none", Expected::Period(Side::Black, 1)),
            at(31, "running: none", Expected::Overtime(Side::White, 3)),
            at(31, "running: none", Expected::Running(None)),
            at(32, "zero(white)", Expected::Face(Side::White, Face::new(37_200, Digits::Minutes))),
            at(32, "zero(white)", Expected::Battery(false)),
            at(end, "black: up", Expected::Flag(Side::White, true)),
            at(end, "black: up", Expected::Flag(Side::Black, false)),
            at(end, "shown: {first_fallen", Expected::FirstFallen(Some(Side::Black))),
            at(end, "shown: {first_fallen", Expected::Face(Side::White, Face::from_seconds(1))),
            at(end, "left: {white: 900us}", Expected::Left(Side::White, 900_000)),
            at(end, "left: {white: 900us}", Expected::Moves(Side::Black, 41)),
        ]
    );
    assert_eq!(scenario.step_lines.len(), scenario.draft.steps.len());
    assert_eq!((scenario.step_lines[0], scenario.step_lines[2]), (line_of("start: white"), line_of("san: Kd2")));
    assert_eq!(scenario.step_lines.last(), Some(&line_of("end: +3s")));
    assert_eq!(
        scenario.clock,
        ClockExpectation::Wrong(vec![
            Wrong::Remaining(Side::White),
            Wrong::TimeBase,
            Wrong::Display(Side::Black),
            Wrong::Battery
        ])
    );
}

#[test]
fn each_ruling_is_read() {
    let scenario = everything();
    let one = |key: &str| match scenario.rulings[key].as_slice() {
        [only] => only.clone(),
        several => panic!("{several:?}"),
    };
    assert_eq!(one("one").decision, ExpectedDecision::Silent);
    let draw = Outcome::Result(GameResult::Draw);
    let ExpectedRuling { point, decision, article, strength, .. } = one("two");
    assert_eq!((point, decision), (Some(Point::H2), ExpectedDecision::Decided(draw)));
    assert_eq!((article.as_deref(), strength), (Some("6.10"), Some(Strength::Literal)));
    let three = &scenario.rulings["three"];
    assert_eq!(three[0].decision, ExpectedDecision::Decided(Outcome::Left(Side::White, 60_000)));
    assert_eq!((three[1].point, &three[1].decision), (Some(Point::E2), &ExpectedDecision::Void));
    let ExpectedDecision::Needs { fact, answers } = one("four").decision else { panic!("it needs a fact") };
    let black_wins = Outcome::Result(GameResult::BlackWins);
    let mut answers = answers;
    answers.sort();
    let expected = [("no".to_owned(), Outcome::FlagCounts(Side::White)), ("yes".to_owned(), black_wins)];
    assert_eq!((fact.as_str(), answers.as_slice()), ("white-can-mate", expected.as_slice()));
    let choice = vec![Outcome::PlayContinues, Outcome::Penalty(Side::White)];
    assert_eq!(one("five").decision, ExpectedDecision::Discretion(choice));
}

#[test]
fn every_outcome_reads_back_as_it_is_printed() {
    let white = Side::White;
    let outcomes = [
        Outcome::Result(GameResult::BothLose),
        Outcome::PlayContinues,
        Outcome::Completed(white, 40),
        Outcome::Incomplete(white, 40),
        Outcome::FlagCounts(white),
        Outcome::FlagDoesNotCount(white),
        Outcome::Left(white, 60_000),
        Outcome::Bears(white, 300_000),
        Outcome::Runs(white),
        Outcome::ReadingStands,
        Outcome::ClockReplaced,
        Outcome::Penalty(white),
        Outcome::NoPenalty(white),
        Outcome::Allowed(white),
        Outcome::Forbidden(white),
        Outcome::Warning(white),
        Outcome::IllegalMove(white),
        Outcome::Honoured(white),
        Outcome::NotHonoured(white),
        Outcome::ClaimHolds(white),
        Outcome::ClaimFails(white),
        Outcome::ComplaintHeard(white),
        Outcome::ComplaintVoid(white),
        Outcome::CheckDue(white),
        Outcome::CheckNotDue(white),
        Outcome::SheetDue(white),
        Outcome::Exempt(white),
        Outcome::NotExempt(white),
        Outcome::Considered(white),
        Outcome::NotConsidered(white),
        Outcome::MayChange(white),
        Outcome::MayNotChange(white),
        Outcome::GameCancelled,
        Outcome::SettingCorrected,
        Outcome::SettingStands,
        Outcome::ClocksStopped,
        Outcome::ClocksRunning,
        Outcome::ActAdmissible,
        Outcome::ActNotAdmissible,
        Outcome::EnvelopeOpened,
        Outcome::EnvelopeShut,
        Outcome::EvidenceAdmitted,
        Outcome::EvidenceRefused,
        Outcome::PromptAllowed,
        Outcome::PromptForbidden,
        Outcome::Gains(white, 120_000),
        Outcome::Charged(white, 120_000),
        Outcome::EndsAt(white, 120_000),
        Outcome::Charged(white, 0),
        Outcome::PlacedBy(Placer::Rules),
        Outcome::DefaultTime(1_800_000),
        Outcome::Increment(5_000),
        Outcome::Target(white, 60),
    ];
    for outcome in outcomes {
        let text = format!(
            "{{scenario: x, points: [B1], control: 5m, timeline: [{{at: 0s, start: white}}], rulings: {{a: {{{outcome}}}}}}}"
        );
        let scenario = read_str("x", "x/x", &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scenario.rulings["a"][0].decision, ExpectedDecision::Decided(outcome));
    }
}
