//! Faults, settings that are installed, and habits of players: what a timeline comes to.

use flagfall_core::{AtZero, BySide, Opening, Side};
use flagfall_scenarios::read_str;
use flagfall_trace::plan::{Person, Retained, StopReason};
use flagfall_trace::{Act, Anchor, Fault, Step, When};

const fn after(ns: i64) -> When {
    When { from: Anchor::Previous, plus_ns: ns, plus_ticks: 0 }
}

const S: i64 = 1_000_000_000;

/// The acts of a timeline, written without its instants.
fn acts(entries: &str) -> Vec<Act> {
    let text = format!(
        "{{scenario: x, points: [B1], control: \"40/2h, 1h\", timeline: [{entries}], expect: [{{running: none}}]}}"
    );
    let draft = read_str("x", "x/x", &text).unwrap_or_else(|error| panic!("{error}")).draft;
    draft.steps.into_iter().map(|step| step.act).collect()
}

#[test]
fn each_fault_is_read() {
    let (white, black) = (Side::White, Side::Black);
    for (text, fault) in [
        ("{ticks: {lost: 2, every: 10ms, for: 5m}}", Fault::Ticks { ticks: -2, every_ns: S / 100, for_ns: 300 * S }),
        ("{ticks: {doubled: 1, every: 1s, for: 1m}}", Fault::Ticks { ticks: 1, every_ns: S, for_ns: 60 * S }),
        ("{both-run: {for: 3s}}", Fault::BothRun { for_ns: 3 * S }),
        ("{none-runs: {for: 4s}}", Fault::NoneRuns { for_ns: 4 * S }),
        ("{reset: {off: 2s, retained: everything}}", Fault::Reset { off_ns: 2 * S, retained: Retained::Everything }),
        ("{reset: {off: 1s, retained: settings}}", Fault::Reset { off_ns: S, retained: Retained::Settings }),
        ("{lost-bonus: white}", Fault::LostBonus { side: white }),
        ("{double-bonus: black}", Fault::DoubleBonus { side: black }),
        ("{rounding: {to: 1s}}", Fault::RoundingAtSwitch { to_ns: S }),
        ("{flag-early: {side: black, by: 2s}}", Fault::FlagEarly { side: black, by_ns: 2 * S }),
        ("{flag-late: {side: white, by: 3s}}", Fault::FlagLate { side: white, by_ns: 3 * S }),
        ("{flag-sticky: white}", Fault::FlagSticky { side: white }),
        ("first-fallen-wrong", Fault::FirstFallenWrong),
        ("{display-frozen: {for: 5s}}", Fault::DisplayFrozen { for_ns: 5 * S }),
        ("{display-late: {by: 500ms, for: 5s}}", Fault::DisplayLate { by_ns: S / 2, for_ns: 5 * S }),
    ] {
        assert_eq!(acts(&format!("{{at: 0s, fault: {text}}}"))[0], Act::Fault(fault), "{text}");
    }
    let doubled = acts("{at: 0s, start: white}, {at: +1s, fault: {double-press: white}}, {at: +1s, press: white}");
    assert_eq!(doubled[1], Act::Fault(Fault::DoublePress { side: white }));
}

#[test]
fn a_setting_that_is_installed_starts_with_the_side_that_is_started() {
    let entries = r#"{at: 0s, start: white}, {at: +1s, move: {side: white, san: e4, press: yes}},
        {at: +1s, pause: {by: arbiter, reason: clock}},
        {at: +1s, set_up: {control: {periods: "40/90m, 30m+30s", at_zero: run-on},
            opening: {moves: {white: 1}, left: {white: 89m, black: 90m}, period: {black: 1}}}},
        {at: +1s, start: black}, {at: +1s, set: {period: {white: 2}}}"#;
    let acts = acts(entries);
    let Act::SetUp(installed) = &acts[4] else { panic!("{:?}", acts[4]) };
    let setup = &installed.0;
    assert_eq!((setup.control.to_string().as_str(), setup.at_zero), ("40/1h30m, 30m+30s", AtZero::RunOn));
    assert_eq!(setup.first, Side::Black);
    let white = Opening { left_ms: Some(5_340_000), moves: 1, period: None };
    let black = Opening { left_ms: Some(5_400_000), moves: 0, period: Some(0) };
    assert_eq!(setup.opening, BySide::new(white, black));
}

#[test]
fn players_forget_presses_and_stop_clocks_as_the_seed_has_it() {
    let play = |seed: u64, habits: &str| {
        let text = format!(
            r#"{{scenario: x, points: [B1], seed: {seed}, control: 5m, timeline: [{{at: 0s, start: white}},
            {{at: +1s, play: {{moves: "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", think: 3s{habits}}}}}],
            expect: [{{running: white}}]}}"#
        );
        read_str("x", "x/x", &text).unwrap_or_else(|error| panic!("{error}")).draft.steps
    };
    let plain = play(1, "");
    let forgetful = play(1, ", forget_press: {one_in: 3, notice_after: {from: 2s, to: 20s}}");
    let waits = |steps: &[Step<When>]| -> Vec<i64> {
        steps.iter().filter(|step| matches!(step.act, Act::Press { .. })).map(|step| step.at.plus_ns).collect()
    };
    assert_eq!(waits(&plain), [0; 12]);
    let late: Vec<i64> = waits(&forgetful).into_iter().filter(|ns| *ns > 0).collect();
    assert!((1..12).contains(&late.len()) && late.iter().all(|ns| (2 * S..=20 * S).contains(ns)), "{late:?}");
    let abuse = ", pause: {by: white, one_in: 2, for: 20s, reason: assistance}";
    let stopped = play(1, abuse);
    let pause = Act::pause(Person::White, StopReason::Assistance);
    let stops: Vec<usize> = (0..stopped.len()).filter(|index| stopped[*index].act == pause).collect();
    assert!((1..6).contains(&stops.len()), "{stops:?}");
    for index in stops {
        assert_eq!(stopped[index + 1], Step { at: after(20 * S), act: Act::Resume { by: Person::Arbiter } });
        let Act::Move(made) = &stopped[index + 2].act else { panic!("{:?}", stopped[index + 2]) };
        assert_eq!(made.side, Side::White);
        assert_eq!(stopped[index].at.plus_ns + stopped[index + 2].at.plus_ns, 3 * S);
    }
    assert_eq!(play(1, abuse), stopped);
    assert_ne!(play(2, abuse), stopped);
}
