//! `flagfall show`: one scenario, step by step.

use std::path::{Path, PathBuf};

use flagfall_trace::Verdict;

use crate::case::{Case, Judged};
use crate::cli::Show;
use crate::command::{bad_input, print, warn};
use crate::exit::Exit;
use crate::inputs;
use crate::rig::board::{Board, Description};
use crate::rig::sim;
use crate::selection::meant;
use crate::terminal::{Colour, below, paint};

/// Width of the timeline where the terminal does not say.
const WIDTH: usize = 110;

/// Runs one scenario and prints its timeline, checks and rulings.
#[must_use]
pub fn show(options: &Show, colour: Colour) -> Exit {
    let (case, rulebooks) = match find(options) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    let case = match case {
        Ok(case) => case,
        Err(diagnostics) => {
            warn(&diagnostics.render(colour.on(&std::io::stderr())));
            return Exit::BadInput;
        }
    };
    let judged = match options.board.as_deref().map(Description::read).transpose() {
        Ok(None) => case.judge(sim::NAME, sim::run(&case.plan), &rulebooks),
        Ok(Some(description)) => {
            let rig = description.probe.rig_name().to_owned();
            case.judge(&rig, Board::new(description).run(&case.plan), &rulebooks)
        }
        Err(error) => return bad_input(&error),
    };
    print(&render(&case, &judged, colour.on(&std::io::stdout()))).and(Exit::of(judged.record.verdict))
}

type Found = (Result<Case, flagfall_scenarios::Diagnostics>, Vec<flagfall_judge::rulebook::Rulebook>);

fn find(options: &Show) -> Result<Found, Exit> {
    let rulebooks = inputs::rulebooks(&options.rulebook).map_err(|error| bad_input(&error))?;
    let named = Path::new(&options.scenario);
    let is_a_file = named.exists() && !named.is_dir();
    let paths = if is_a_file { vec![PathBuf::from(&options.scenario)] } else { options.cases.clone() };
    let sources = inputs::sources(&paths).map_err(|error| bad_input(&error))?.sources;
    match sources.iter().find(|source| is_a_file || source.id() == options.scenario) {
        Some(source) => Ok((Case::read(source, &rulebooks), rulebooks)),
        None => {
            let hint = match meant(&options.scenario, &sources).as_slice() {
                [] => "see `flagfall list`, give the path of its file, or name its folder with --cases".into(),
                near => inputs::hint(near),
            };
            Err(bad_input(&format!("no scenario `{}`: {hint}", options.scenario)))
        }
    }
}

fn render(case: &Case, judged: &Judged, colour: bool) -> String {
    let record = &judged.record;
    let mut text = format!("{}: {}\n", record.scenario, record.title);
    text += &format!("control {}, points {}\n\n", case.plan.setup.control, record.points.join(" "));
    if let Some(trace) = &judged.trace {
        text += &flagfall_reports::timeline::render(trace, WIDTH, colour);
    }
    text += "\nchecks\n";
    for check in &record.checks {
        let word = paint(&format!("{:>6}", check.verdict.name()), check.verdict, colour);
        text += &format!("{word}  {}: {}\n", check.what, below(&check.found, 8));
        if check.verdict != Verdict::Pass {
            text += &format!("        expected: {}\n", check.expected);
        }
    }
    text += "\nrulings\n";
    for ruling in &record.rulings {
        let article = ruling.article.as_ref().map_or(String::new(), |article| format!(" [{article}]"));
        // `silent` and `void` have no outcome besides themselves.
        let outcome = if ruling.outcome == ruling.ruling { "" } else { ruling.outcome.as_str() };
        let line = format!("  {:10} {:3} {:10} {outcome}{article}", ruling.rulebook, ruling.point, ruling.ruling);
        text += line.trim_end();
        text.push('\n');
        text += &format!("             {}\n", ruling.sentence);
        for refused in &ruling.evidence_refused {
            text += &format!("             not admitted: {refused}\n");
        }
    }
    text
}
