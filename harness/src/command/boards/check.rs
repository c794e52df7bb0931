//! Whether boards are fit for a run, told step by step.

use flagfall_trace::Verdict;
use serde::Serialize;

use super::{BoardFile, read};
use crate::cli::BoardsCheck;
use crate::command::{held, infra, print};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::rig::board::health::{self, Health, Step};
use crate::terminal::{Colour, below, paint};

/// The column at which what was found begins.
const FOUND: usize = 26;

#[derive(Serialize)]
struct Report<'a> {
    board: &'a str,
    file: String,
    fit: bool,
    steps: &'a [Step],
}

/// Checks one board after the other.
pub(super) fn check(options: &BoardsCheck, colour: Colour) -> Exit {
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return infra(&error),
    };
    let (found, mut exit) = read(&options.files);
    let colour = colour.on(&std::io::stdout());
    for file in &found {
        if interrupt.is_asked() {
            return exit.and(Exit::Infra);
        }
        let held = match held(&file.description, options.wait, &interrupt) {
            Ok(held) => held,
            Err(refused) => {
                exit = exit.and(refused);
                continue;
            }
        };
        let (fit, printed) =
            if options.files.json { as_json(file, &interrupt) } else { as_text(file, &interrupt, colour) };
        drop(held);
        exit = exit.and(printed).and(if fit { Exit::Passed } else { Exit::Infra });
    }
    exit
}

fn as_json(file: &BoardFile, interrupt: &Interrupt) -> (bool, Exit) {
    let steps = health::check(&file.description, interrupt, |_| ());
    let fit = health::is_fit(&steps);
    let path = file.path.display().to_string();
    let report = Report { board: &file.description.board, file: path, fit, steps: &steps };
    (fit, print(&(serde_json::to_string(&report).expect("a report has string keys only") + "\n")))
}

/// Each step is printed when it is done: some take a while.
fn as_text(file: &BoardFile, interrupt: &Interrupt, colour: bool) -> (bool, Exit) {
    let name = &file.description.board;
    let mut exit = print(&format!("{name}\n"));
    let steps = health::check(&file.description, interrupt, |step| exit = exit.and(print(&line(step, colour))));
    let fit = health::is_fit(&steps);
    let said = if fit { "fit for a run" } else { "not fit for a run: no verdict on a clock can be had here" };
    let verdict = if fit { Verdict::Pass } else { Verdict::Infra };
    (fit, exit.and(print(&format!("{name} is {}\n", paint(said, verdict, colour)))))
}

fn line(step: &Step, colour: bool) -> String {
    let (word, verdict, found) = match &step.health {
        Health::Ok { found } => ("ok", Verdict::Pass, found.clone()),
        Health::Failed { cause, next } => ("failed", Verdict::Infra, format!("{cause}\nnext: {next}")),
        Health::NotThere { reason } => ("-", Verdict::NotApplicable, reason.clone()),
        Health::NotReached => ("not reached", Verdict::NotApplicable, String::new()),
    };
    let word = paint(&format!("{word:<11}"), verdict, colour);
    let line = format!("  {word} {:<11} {}", step.name, below(&found, FOUND));
    line.trim_end().to_owned() + "\n"
}
