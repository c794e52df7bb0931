//! What is written reads back as what was done.

use flagfall_core::{BySide, Face, Record, Side, TrueTime};
use flagfall_judge::oracle;
use flagfall_scenarios::{WriteError, read_str, write};
use flagfall_trace::plan::{Act, Plan, Step};

const PLAYED: &str = r#"
scenario: everything that a hand can do
points: [B1]
control: 40/1h, 15m+10s
timeline:
  - {at: 0s, start: white}
  - {at: 7.5s, press: white}
  - {at: 1m9.25s, press: black}
  - {at: 1m20s, pause: {by: arbiter, reason: clock}}
  - {at: 1m20s, set: {left: {white: 59m30.5s}}}
  - {at: 1m21s, set: {moves: {black: 39}}}
  - {at: 1m22s, set: {period: {white: 2}}}
  - {at: 1m23s, undo: arbiter}
  - {at: 1m24s, swap: arbiter}
  - {at: 1m30s, resume: arbiter}
  - {at: 1m31s, battery: low}
  - {at: 1m40.000000001s, press: black}
end: 1h2m
expect: [{running: white}]
"#;

fn plan(text: &str) -> Plan {
    let scenario = read_str("test", "test/played", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    oracle::resolve(scenario.draft).expect("it can happen")
}

/// A record with these faces; what else stands in it is not written.
fn last(plan: &Plan) -> Record {
    let clock = flagfall_core::Clock::new(&plan.setup, plan.tick_rate);
    let mut record = Record::of_state(
        flagfall_core::record::Kind::READ,
        0,
        flagfall_core::DeviceTime::ZERO,
        clock.state(),
        &plan.setup,
        plan.tick_rate,
    );
    record.phase = flagfall_core::Phase::Running(Side::White);
    record.moves = BySide::new(1, 2);
    record.shown = BySide::new(Face::from_seconds(3_725), Face::from_seconds(7));
    record.fallen.black = true;
    record.first_fallen = Some(Side::Black);
    record.shown_delay_seconds = 4;
    record
}

#[test]
fn what_is_written_reads_back_as_the_same_plan() {
    let played = plan(PLAYED);
    let text = write("a \"title\" with: things", &["played".into()], &played, &last(&played)).expect("written");
    assert_eq!(plan(&text), played);
    let expected = r#"
end: 1h2m
expect:
  - flags: {white: up, black: fallen}
  - moves: {white: 1, black: 2}
  - running: white
  - shown: {white: "1:02:05", black: "0:07", first_fallen: black, delay: 4s}
"#;
    assert!(text.ends_with(expected), "{text}");
    assert!(text.contains("\n  - {at: 1m9.25s, press: black}\n"), "{text}");
    let scenario = read_str("test", "test/played", &text).expect("it is right");
    assert_eq!((scenario.title.as_str(), scenario.expectations.len()), ("a \"title\" with: things", 9));
}

#[test]
fn what_has_no_form_is_named() {
    let played = plan(PLAYED);
    let mut other = played.clone();
    other.steps.insert(3, Step { at: TrueTime::ZERO, act: Act::Arrive { side: Side::White } });
    assert_eq!(write("x", &[], &other, &last(&played)), Err(WriteError::Act(3)));
    let mut other = played.clone();
    other.setup.carry_over = false;
    assert_eq!(write("x", &[], &other, &last(&played)), Err(WriteError::Settings));
}
