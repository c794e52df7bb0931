//! `flagfall replay`: a trace's achieved inputs, run again in virtual time.

use flagfall_trace::difference::Difference;
use flagfall_trace::{Trace, Verdict};
use serde::Serialize;

use crate::agreement::{alike, is_of_virtual_time, parting, simulated};
use crate::cli::Replay;
use crate::command::{bad_input, infra, print};
use crate::divergence::{Compared, Event};
use crate::exit::Exit;
use crate::terminal::{Colour, paint};

/// What `--json` prints; of an event that differs, `first` is the simulator's and `second` the trace's.
#[derive(Serialize)]
struct Report {
    model: &'static str,
    trace: Compared,
    /// Where the instants of the acts come from: `stamps` of the device, or the `plan` of a run in virtual time.
    input: &'static str,
    simulated: Compared,
    event: Option<Event>,
}

/// Runs a trace again in virtual time and compares.
#[must_use]
pub fn replay(options: &Replay, colour: Colour) -> Exit {
    let trace = match Trace::read(&options.trace) {
        Ok(trace) => trace,
        Err(error) => return bad_input(&error),
    };
    if trace.watched {
        return bad_input(&format!(
            "{} was written by a bench that watched the memory of a clock: it has no stamps at which its acts could be done \
             again",
            options.trace.display()
        ));
    }
    let simulated = match simulated(&trace) {
        Ok(simulated) => simulated,
        Err(reason) => return infra(&format!("{} cannot be run again: {reason}", options.trace.display())),
    };
    if let Some(error) = options.out.as_ref().and_then(|out| simulated.write(out).err()) {
        return infra(&error);
    }
    let difference = parting(&simulated, &trace);
    let report = Report {
        model: if difference.is_none() { "reproduces" } else { "gap" },
        trace: Compared::of(&trace, Some(&options.trace)),
        input: if is_of_virtual_time(&trace) { "plan" } else { "stamps" },
        simulated: Compared::of(&simulated, options.out.as_deref()),
        event: difference.as_ref().map(Event::from),
    };
    let text = if options.json {
        serde_json::to_string(&report).expect("a report has string keys only") + "\n"
    } else {
        render(&report, difference.as_ref(), colour.on(&std::io::stdout()))
    };
    print(&text).and(if difference.is_none() { Exit::Passed } else { Exit::Failed })
}

fn render(report: &Report, difference: Option<&Difference>, colour: bool) -> String {
    let input = match report.input {
        "stamps" => "each act in the tick that the device stamped",
        _ => "the plan of a run in virtual time",
    };
    let text = format!("{}\nrun again in virtual time: {input}\n", report.trace.line());
    match difference {
        None => {
            let said = format!("model reproduces: {}", alike(report.trace.events));
            text + &paint(&said, Verdict::Pass, colour) + "\n"
        }
        Some(difference) => {
            let told = difference.to_string();
            let (headline, context) = told.split_once('\n').unwrap_or((&told, ""));
            let said = paint(&format!("model gap: {headline}"), Verdict::Fail, colour);
            format!("{said}\n{context}", said = text + &said) + "first is the simulator, second is the trace\n"
        }
    }
}
