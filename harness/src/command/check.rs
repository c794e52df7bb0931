//! `flagfall check`: what is wrong with scenario files.

use crate::cli::Check;
use crate::command::{bad_input, print, warn};
use crate::exit::Exit;
use crate::inputs;
use crate::terminal::Colour;

/// Reads everything, prints every problem, and counts.
#[must_use]
pub fn check(options: &Check, colour: Colour) -> Exit {
    let cases = match inputs::cases(&options.paths.paths, &options.rulebook) {
        Ok((cases, _)) => cases,
        Err(error) => return bad_input(&error),
    };
    for diagnostics in &cases.bad {
        warn(&diagnostics.render(colour.on(&std::io::stderr())));
    }
    let printed = print(&format!("{} scenarios are right, {} are not\n", cases.good.len(), cases.bad.len()));
    printed.and(if cases.bad.is_empty() { Exit::Passed } else { Exit::BadInput })
}
