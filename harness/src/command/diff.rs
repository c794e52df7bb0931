//! `flagfall diff`: the first event in which two traces part.

use flagfall_trace::difference::{self, Difference, Tolerance};
use flagfall_trace::{Trace, Verdict};
use serde::Serialize;

use crate::agreement::alike;
use crate::cli::Diff;
use crate::command::{bad_input, print};
use crate::divergence::{Compared, Event, PlanPart};
use crate::exit::Exit;
use crate::terminal::{Colour, count, paint};

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    equal: bool,
    first: Compared,
    second: Compared,
    ignored_ticks: u64,
    /// Empty where the plans are the same.
    plan: Vec<PlanPart>,
    /// Whether ticks of one are ticks of the other.
    events_compared: bool,
    event: Option<Event>,
}

/// Compares two traces and says where they part first.
#[must_use]
pub fn diff(options: &Diff, colour: Colour) -> Exit {
    let read =
        || Ok::<_, flagfall_trace::TraceFileError>((Trace::read(&options.first)?, Trace::read(&options.second)?));
    let (first, second) = match read() {
        Ok(traces) => traces,
        Err(error) => return bad_input(&error),
    };
    let comparable = first.plan.tick_rate == second.plan.tick_rate;
    let tolerance = Tolerance { ticks: options.ignore_ticks, any_notice: options.ignore_ticks > 0 };
    let event = comparable.then(|| difference::first(&first, &second, &tolerance)).flatten();
    let plan: Vec<PlanPart> = difference::plans(&first.plan, &second.plan).into_iter().map(PlanPart::from).collect();
    let report = Report {
        equal: plan.is_empty() && event.is_none(),
        first: Compared::of(&first, Some(&options.first)),
        second: Compared::of(&second, Some(&options.second)),
        ignored_ticks: options.ignore_ticks,
        plan,
        events_compared: comparable,
        event: event.as_ref().map(Event::from),
    };
    let text = if options.json {
        serde_json::to_string(&report).expect("a report has string keys only") + "\n"
    } else {
        render(&report, event.as_ref(), colour.on(&std::io::stdout()))
    };
    print(&text).and(if report.equal { Exit::Passed } else { Exit::Failed })
}

fn render(report: &Report, event: Option<&Difference>, colour: bool) -> String {
    let mut text = format!("first   {}\nsecond  {}\n", report.first.line(), report.second.line());
    if !report.plan.is_empty() {
        text += &format!("{}\n", paint("the plans differ", Verdict::Fail, colour));
        for part in &report.plan {
            text += &format!("  {}\n", part.line());
        }
    }
    match event {
        Some(event) => {
            let told = event.to_string();
            let (headline, context) = told.split_once('\n').unwrap_or((&told, ""));
            text + &paint(headline, Verdict::Fail, colour) + "\n" + context
        }
        None if !report.events_compared => text + "events are not compared: their ticks are of different rates\n",
        None => text + &paint(&same(report), Verdict::Pass, colour) + "\n",
    }
}

/// What is said where no event differs.
fn same(report: &Report) -> String {
    let alike = match report.ignored_ticks {
        0 => alike(report.first.events),
        ticks => format!("{} in the same order, within {}", count(report.first.events, "event"), count_ticks(ticks)),
    };
    let hash = report.first.trace_hash == report.second.trace_hash;
    let bench = if hash || !report.plan.is_empty() { "" } else { "; the benches saw them at other instants" };
    alike + bench
}

fn count_ticks(ticks: u64) -> String {
    count(usize::try_from(ticks).unwrap_or(usize::MAX), "tick")
}
