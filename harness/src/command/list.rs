//! `flagfall list`: which scenarios there are.

use flagfall_scenarios::Scenario;
use serde::Serialize;

use crate::cli::List;
use crate::command::{bad_input, print, warn};
use crate::exit::Exit;
use crate::inputs;
use crate::terminal::Colour;

#[derive(Serialize)]
struct Line {
    scenario: String,
    title: String,
    points: Vec<String>,
    path: String,
    rulebooks: Vec<String>,
}

/// Prints id, points and title of every scenario; wrong ones are told on standard error.
#[must_use]
pub fn list(options: &List, colour: Colour) -> Exit {
    let (found, rulebooks) = match inputs::given(&options.selection, &options.rulebook) {
        Ok(inputs) => inputs,
        Err(error) => return bad_input(&error),
    };
    let colour = colour.on(&std::io::stderr());
    for error in &found.errors {
        warn(&error.diagnose().render(colour));
    }
    let mut bad = !found.errors.is_empty();
    let width = found.sources.iter().map(|source| source.id().len()).max().unwrap_or(0);
    let mut printed = Exit::Passed;
    for case in inputs::each(&found.sources, &rulebooks) {
        match case {
            Ok(case) => printed = printed.and(print(&line(case.scenario, options.json, width))),
            Err(diagnostics) => {
                bad = true;
                warn(&diagnostics.render(colour));
            }
        }
        if printed != Exit::Passed {
            break;
        }
    }
    printed.and(if bad { Exit::BadInput } else { Exit::Passed })
}

fn line(scenario: Scenario, json: bool, width: usize) -> String {
    let points: Vec<String> = scenario.points.iter().map(ToString::to_string).collect();
    if !json {
        return format!("{:width$}  {:12} {}\n", scenario.id, points.join(" "), scenario.title);
    }
    let path = scenario.path.display().to_string();
    let rulebooks = scenario.rulings.into_keys().collect();
    let line = Line { scenario: scenario.id, title: scenario.title, points, path, rulebooks };
    serde_json::to_string(&line).expect("a line has string keys only") + "\n"
}
