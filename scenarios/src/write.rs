//! A scenario file written: what was done at a clock, and what its faces showed at the end.
//!
//! Only what a hand can do at a digital clock has a form here: presses, the arbiter's button and corrections. What this
//! writes reads back as the same steps at the same instants.

use std::fmt::Write;

use flagfall_core::{Record, Setup, Side, TickRate};
use flagfall_trace::plan::{Act, Hand, Person, Plan, StopMeans};

/// Something that this cannot write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The clock has settings beside its control: write the file by hand.
    #[error("a clock with settings of its own is not written, only one with a control for both sides")]
    Settings,
    /// The step is nothing that a hand does at a clock: write the file by hand.
    #[error("step {0} is nothing that is written")]
    Act(usize),
}

/// The text of a scenario file with the steps of this plan and, as what is expected at its end, what `last` shows.
///
/// `notes` become comments at the head. A read in the plan is left out: what is expected makes one.
///
/// # Errors
/// [`WriteError`] names what has no form.
pub fn write(title: &str, notes: &[String], plan: &Plan, last: &Record) -> Result<String, WriteError> {
    if plan.setup != Setup::new(plan.setup.control.white) || !plan.clock_kind.is_digital() {
        return Err(WriteError::Settings);
    }
    let mut text = String::new();
    for note in notes {
        line(&mut text, format_args!("# {}", note.replace(char::is_control, " ")));
    }
    line(&mut text, format_args!("scenario: {}", quoted(title)));
    line(&mut text, format_args!("points: [B1]"));
    line(&mut text, format_args!("control: {}", quoted(&plan.setup.control.white.to_string())));
    if plan.tick_rate != TickRate::MHZ {
        line(&mut text, format_args!("tick_hz: {}", plan.tick_rate.hz()));
    }
    line(&mut text, format_args!("timeline:"));
    for (index, step) in plan.steps.iter().enumerate().filter(|(_, step)| step.act != Act::Read) {
        let act = verb(&step.act, plan.setup.first).ok_or(WriteError::Act(index))?;
        line(&mut text, format_args!("  - {{at: {}, {act}}}", span(step.at.ns())));
    }
    line(&mut text, format_args!("end: {}", span(plan.end.ns())));
    line(&mut text, format_args!("expect:"));
    for expected in faces(last) {
        line(&mut text, format_args!("  - {expected}"));
    }
    Ok(text)
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes all that is written to it");
}

/// A text in double quotes; what could end or steer a line becomes a space.
fn quoted(text: &str) -> String {
    let text = text.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

/// What was done, as the key and value of a step.
fn verb(act: &Act, first: Side) -> Option<String> {
    Some(match act {
        Act::Start => format!("start: {first}"),
        Act::Press { side, hand: Hand::Unsaid } => format!("press: {side}"),
        Act::Pause { by, reason, how: StopMeans::PauseButton } => {
            let reason = serde_yaml::to_string(reason).ok()?;
            format!("pause: {{by: {by}, reason: {}}}", reason.trim_end())
        }
        Act::Resume { by } => format!("resume: {by}"),
        Act::SetTime { side, left_ms } => {
            format!("set: {{left: {{{side}: {}}}}}", span(i64::try_from(*left_ms).ok()?.checked_mul(NS_PER_MS)?))
        }
        Act::SetCounter { side, moves } => format!("set: {{moves: {{{side}: {moves}}}}}"),
        Act::SetPeriod { side, period } => format!("set: {{period: {{{side}: {}}}}}", u16::from(*period) + 1),
        Act::Swap => format!("swap: {}", Person::Arbiter),
        Act::Undo => format!("undo: {}", Person::Arbiter),
        Act::Battery { low } => format!("battery: {}", if *low { "low" } else { "good" }),
        _ => return None,
    })
}

/// What the faces show, one thing a line.
fn faces(last: &Record) -> Vec<String> {
    let both = |name: &str, of: &dyn Fn(Side) -> String| {
        format!("{name}: {{white: {}, black: {}}}", of(Side::White), of(Side::Black))
    };
    let flag = |side: Side| if last.fallen[side] { "fallen" } else { "up" }.to_owned();
    let mut shown = both("shown", &|side| quoted(&last.shown[side].to_string()));
    if let Some(first) = last.first_fallen {
        shown.insert_str(shown.len() - 1, &format!(", first_fallen: {first}"));
    }
    if last.shown_delay_seconds > 0 {
        shown.insert_str(shown.len() - 1, &format!(", delay: {}s", last.shown_delay_seconds));
    }
    vec![
        both("flags", &flag),
        both("moves", &|side| last.moves[side].to_string()),
        format!("running: {}", last.running().map_or("none", Side::name)),
        shown,
    ]
}

const NS_PER_MS: i64 = 1_000_000;

/// A span as scenarios have it, longest unit first: `1h2m3.25s`, `0s`.
fn span(ns: i64) -> String {
    let (sign, ns) = (if ns < 0 { "-" } else { "" }, ns.unsigned_abs());
    let (seconds, rest) = (ns / 1_000_000_000, ns % 1_000_000_000);
    let (h, m, s) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let mut text = sign.to_owned();
    for (count, unit) in [(h, "h"), (m, "m")].into_iter().filter(|(count, _)| *count > 0) {
        text += &format!("{count}{unit}");
    }
    if rest > 0 {
        let fraction = format!("{rest:09}");
        text += &format!("{s}.{}s", fraction.trim_end_matches('0'));
    } else if s > 0 || seconds == 0 {
        text += &format!("{s}s");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_no_more_units_and_digits_than_it_needs() {
        let cases = [
            (0, "0s"),
            (1, "0.000000001s"),
            (2_500_000_000, "2.5s"),
            (60_000_000_000, "1m"),
            (3_723_250_000_000, "1h2m3.25s"),
            (3_600_100_000_000, "1h0.1s"),
        ];
        for (ns, text) in cases {
            assert_eq!(span(ns), text);
            assert_eq!(crate::time::span_ns(text).ok(), Some(ns), "{text}");
        }
    }
}
