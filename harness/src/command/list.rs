//! `flagfall list`: which scenarios there are.

use serde::Serialize;

use crate::cli::List;
use crate::command::{bad_input, print, warn};
use crate::exit::Exit;
use crate::inputs;
use crate::terminal::Colour;

#[derive(Serialize)]
struct Line<'a> {
    scenario: &'a str,
    title: &'a str,
    points: Vec<String>,
    path: String,
    rulebooks: Vec<&'a String>,
}

/// Prints id, points and title of every scenario; wrong ones are told on standard error.
#[must_use]
pub fn list(options: &List, colour: Colour) -> Exit {
    let cases = match inputs::cases(&options.paths.paths, &options.rulebook) {
        Ok((cases, _)) => cases,
        Err(error) => return bad_input(&error),
    };
    for diagnostics in &cases.bad {
        warn(&diagnostics.render(colour.on(&std::io::stderr())));
    }
    let width = cases.good.iter().map(|case| case.scenario.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for case in &cases.good {
        let scenario = &case.scenario;
        let points: Vec<String> = scenario.points.iter().map(ToString::to_string).collect();
        if options.json {
            let path = scenario.path.display().to_string();
            let rulebooks = scenario.rulings.keys().collect();
            let line = Line { scenario: &scenario.id, title: &scenario.title, points, path, rulebooks };
            text += &serde_json::to_string(&line).expect("a line has string keys only");
            text.push('\n');
        } else {
            text += &format!("{:width$}  {:12} {}\n", scenario.id, points.join(" "), scenario.title);
        }
    }
    print(&text).and(if cases.bad.is_empty() { Exit::Passed } else { Exit::BadInput })
}
