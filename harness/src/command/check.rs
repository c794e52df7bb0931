//! `flagfall check`: what is wrong with scenario files.

use crate::cli::Paths;
use crate::command::{bad_input, print};
use crate::exit::Exit;
use crate::inputs;
use crate::terminal::Colour;

/// Reads everything, prints every problem, and counts.
#[must_use]
pub fn check(paths: &Paths, colour: Colour) -> Exit {
    let sources = match inputs::sources(&paths.paths) {
        Ok(sources) => sources,
        Err(error) => return bad_input(&error),
    };
    let cases = inputs::read(&sources);
    for diagnostics in &cases.bad {
        eprintln!("{}", diagnostics.render(colour.on(&std::io::stderr())));
    }
    print(&format!("{} scenarios are right, {} are not\n", cases.good.len(), cases.bad.len()));
    if cases.bad.is_empty() { Exit::Passed } else { Exit::BadInput }
}
