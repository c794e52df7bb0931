//! `flagfall show`: one scenario, step by step.

use flagfall_judge::rulebook::Rulebook;
use flagfall_trace::Verdict;

use crate::case::{Case, Judged};
use crate::cli::Show;
use crate::command::{bad_input, print, quarantine, warn};
use crate::exit::Exit;
use crate::inputs;
use crate::rig::board::{Board, Description};
use crate::rig::sim;
use crate::telling;
use crate::terminal::{Colour, below, paint};

/// Width of the timeline where the terminal does not say.
const WIDTH: usize = 110;

/// Runs one scenario and prints its timeline, checks and rulings.
#[must_use]
pub fn show(options: &Show, colour: Colour) -> Exit {
    let read = || {
        let rulebooks = inputs::rulebooks(&options.rulebook)?;
        Ok::<_, inputs::InputError>((inputs::scenario(&options.scenario, &options.cases)?, rulebooks))
    };
    let (source, rulebooks) = match read() {
        Ok(read) => read,
        Err(error) => return bad_input(&error),
    };
    let case = match Case::read(&source, &rulebooks) {
        Ok(case) => case,
        Err(diagnostics) => {
            warn(&diagnostics.render(colour.on(&std::io::stderr())));
            return Exit::BadInput;
        }
    };
    let judged = match options.board.as_deref().map(Description::read).transpose() {
        Ok(None) => case.judge(sim::NAME, sim::run(&case.plan), &rulebooks),
        Ok(Some(description)) => {
            if let Err(exit) = quarantine::admit(&description, options.quarantined) {
                return exit;
            }
            let rig = description.probe.rig_name().to_owned();
            case.judge(&rig, Board::new(description).run_scenario(&case.plan, &case.scenario), &rulebooks)
        }
        Err(error) => return bad_input(&error),
    };
    print(&render(&case, &judged, &rulebooks, colour.on(&std::io::stdout()))).and(Exit::of(judged.record.verdict))
}

fn render(case: &Case, judged: &Judged, rulebooks: &[Rulebook], colour: bool) -> String {
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
    text + &telling::rulings(&record.rulings, rulebooks)
}
