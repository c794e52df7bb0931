//! What was done at a clock, as a scenario.
//!
//! Instants are rounded as far as this changes nothing: to tenths of a second if the simulator then writes the same events
//! and shows the same faces, else to hundredths, and so on.

use flagfall_core::record::Kind;
use flagfall_core::{Record, Side, TrueTime};
use flagfall_scenarios::{Diagnostics, WriteError, read_str, write};
use flagfall_trace::Trace;
use flagfall_trace::plan::Plan;

use crate::case::Case;
use crate::rig::{Outcome, sim};

/// To what instants may be rounded, coarsest first, in nanoseconds.
const GRAINS_NS: [i64; 6] = [100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000];

/// The text of a scenario, and how far it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The file.
    pub text: String,
    /// Steps in it.
    pub steps: usize,
    /// What instants were rounded to, in nanoseconds.
    pub grain_ns: i64,
    /// Where the simulator does something else than the clock did, in words.
    pub gap: Option<String>,
}

/// Why there is nothing to save.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// Nobody has done anything: press something first.
    #[error("nothing was done yet")]
    Nothing,
    /// Something was done that has no form in a file.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file would be no scenario.
    #[error("what was done is no scenario:\n{0}")]
    NoScenario(Box<Diagnostics>),
}

/// Makes a scenario of what was done until now, `face` being the last look.
///
/// # Errors
/// [`SaveError`] when nothing was done, or nothing that a scenario can say.
pub fn scenario(trace: &Trace, face: &Record, now: TrueTime, clock: &str) -> Result<Played, SaveError> {
    let Some(first) = trace.plan.steps.first() else { return Err(SaveError::Nothing) };
    let mut last = None;
    for grain_ns in GRAINS_NS {
        let plan = rounded(&trace.plan, first.at, now, grain_ns);
        let steps = plan.steps.len();
        let text = write(&format!("played by keys on {clock}"), &[note(clock, grain_ns)], &plan, face)?;
        let gap = gap(&text, trace, face)?;
        let played = Played { text, steps, grain_ns, gap };
        if played.gap.is_none() {
            return Ok(played);
        }
        last = Some(played);
    }
    last.ok_or(SaveError::Nothing)
}

fn note(clock: &str, grain_ns: i64) -> String {
    let grain = match grain_ns {
        1_000_000.. => format!("{} ms", grain_ns / 1_000_000),
        _ => format!("{} us", grain_ns / 1_000),
    };
    format!(
        "Played with `flagfall attach` on {clock}; instants are true time to {grain}, the faces are those of the end."
    )
}

/// The plan with its beginning at its first step and instants of this grain.
fn rounded(plan: &Plan, first: TrueTime, now: TrueTime, grain_ns: i64) -> Plan {
    let round = |at: TrueTime| {
        let ns = at.ns().saturating_sub(first.ns());
        TrueTime::from_ns(ns.saturating_add(grain_ns / 2) / grain_ns * grain_ns)
    };
    let mut plan = plan.clone();
    for step in &mut plan.steps {
        step.at = round(step.at);
    }
    plan.end = round(now).max(plan.steps.last().map_or(TrueTime::ZERO, |step| step.at));
    plan
}

/// What the simulator does otherwise with this scenario than the clock did.
fn gap(text: &str, trace: &Trace, face: &Record) -> Result<Option<String>, SaveError> {
    let wrong = |diagnostics| SaveError::NoScenario(Box::new(diagnostics));
    let scenario = read_str("what was done", &trace.plan.scenario, text).map_err(wrong)?;
    let case = Case::prepare(scenario).map_err(wrong)?;
    let simulated = match sim::run(&case.plan) {
        Outcome::Ran { trace, .. } => trace,
        Outcome::Broke(reason) | Outcome::Infra(reason) | Outcome::NotApplicable(reason) => return Ok(Some(reason)),
        Outcome::Interrupted => return Ok(Some("interrupted".into())),
    };
    let (expected, found) = (events(trace), events(&simulated));
    if let Some(index) = (0..expected.len().max(found.len())).find(|index| expected.get(*index) != found.get(*index)) {
        let word = |event: Option<&(Kind, Option<Side>, u16)>| event.map_or("nothing", |(kind, ..)| kind.name());
        let (simulator, clock) = (word(found.get(index)), word(expected.get(index)));
        return Ok(Some(format!("event {index}: the clock wrote {clock}, the simulator {simulator}")));
    }
    let Some(last) = simulated.records.iter().rev().find(|stamped| stamped.record.kind == Kind::READ) else {
        return Ok(Some("the simulator shows no faces".into()));
    };
    Ok(Side::ALL.into_iter().find_map(|side| {
        let (clock, simulator) = (face.shown[side], last.record.shown[side]);
        (clock != simulator).then(|| format!("{side}: the clock showed {clock}, the simulator {simulator}"))
    }))
}

/// What the clock wrote, but for looks.
fn events(trace: &Trace) -> Vec<(Kind, Option<Side>, u16)> {
    let written = trace.records.iter().map(|stamped| &stamped.record).filter(|record| record.kind != Kind::READ);
    written.map(|record| (record.kind, record.side, record.detail)).collect()
}

#[cfg(test)]
mod tests {
    use flagfall_core::TickRate;
    use flagfall_trace::Verdict;
    use flagfall_trace::plan::Act;

    use super::*;
    use crate::attach::session::{Session, nothing_done};

    fn session(control: &str) -> Session<'static> {
        let control = flagfall_scenarios::control::parse(control).expect("a control");
        Session::on_the_simulator(nothing_done(control, TickRate::MHZ)).expect("a clock")
    }

    fn at(session: &mut Session<'_>, ms: i64) {
        session.advance(TrueTime::from_ns(ms * 1_000_000 + 123_456)).expect("it runs");
    }

    fn saved(session: &Session<'_>) -> Played {
        scenario(session.trace(), session.face(), session.now(), "the simulator").expect("something was done")
    }

    fn verdict(text: &str) -> Verdict {
        let case = Case::prepare(read_str("played", "x/played", text).expect("a scenario")).expect("a case");
        case.judge("sim", sim::run(&case.plan), &[]).record.verdict
    }

    #[test]
    fn a_game_is_saved_in_tenths_where_that_changes_nothing() {
        let mut session = session("5m+3s");
        at(&mut session, 1_700);
        assert!(session.arbiter_button().expect("it starts"));
        at(&mut session, 4_000);
        session.press(Side::White).expect("pressed");
        at(&mut session, 9_500);
        assert!(session.arbiter_button().expect("it stops"));
        session.act(Act::SetTime { side: Side::Black, left_ms: 60_000 }).expect("set");
        at(&mut session, 12_000);
        assert!(session.arbiter_button().expect("it goes on"));
        at(&mut session, 14_450);
        let played = saved(&session);
        assert_eq!((played.steps, played.grain_ns, &played.gap), (5, 100_000_000, &None), "{}", played.text);
        assert!(played.text.contains("  - {at: 2.3s, press: white}\n"), "{}", played.text);
        assert!(played.text.contains("end: 12.8s\n") || played.text.contains("end: 12.7s\n"), "{}", played.text);
        assert_eq!(verdict(&played.text), Verdict::Pass);
    }

    #[test]
    fn instants_are_kept_as_finely_as_the_order_of_events_needs() {
        let mut session = session("1s");
        assert!(session.arbiter_button().expect("it starts"));
        // The flag would fall at one second; the press comes four milliseconds before it.
        at(&mut session, 996);
        session.press(Side::White).expect("pressed");
        let played = saved(&session);
        assert_eq!(played.grain_ns, 1_000_000, "{}", played.text);
        assert!(played.text.contains("{at: 0.996s, press: white}"), "{}", played.text);
        assert_eq!(verdict(&played.text), Verdict::Pass);
    }

    #[test]
    fn a_clock_that_does_something_else_is_told_and_the_scenario_is_red() {
        let mut session = session("5m");
        assert!(session.arbiter_button().expect("it starts"));
        at(&mut session, 2_000);
        let mut face = *session.face();
        face.shown.white = flagfall_core::Face::from_seconds(7);
        let played = scenario(session.trace(), &face, session.now(), "a board").expect("something was done");
        assert_eq!(played.gap.as_deref(), Some("white: the clock showed 0:07, the simulator 4:58"));
        assert_eq!(verdict(&played.text), Verdict::Fail);
    }

    #[test]
    fn nothing_is_no_scenario() {
        let session = session("5m");
        let nothing = scenario(session.trace(), session.face(), session.now(), "the simulator");
        assert!(matches!(nothing, Err(SaveError::Nothing)));
    }
}
