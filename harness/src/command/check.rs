//! `flagfall check`: what is wrong with scenario files.

use crate::cli::Check;
use crate::command::{bad_input, print, warn};
use crate::exit::Exit;
use crate::inputs;
use crate::terminal::{Colour, count};

/// Reads everything, prints every problem, and counts.
#[must_use]
pub fn check(options: &Check, colour: Colour) -> Exit {
    let (found, rulebooks) = match inputs::given(&options.selection, &options.rulebook) {
        Ok(inputs) => inputs,
        Err(error) => return bad_input(&error),
    };
    let colour = colour.on(&std::io::stderr());
    for error in &found.errors {
        warn(&error.diagnose().render(colour));
    }
    let (mut good, mut bad) = (0, found.errors.len());
    for case in inputs::each(&found.sources, &rulebooks) {
        match case {
            Ok(_) => good += 1,
            Err(diagnostics) => {
                bad += 1;
                warn(&diagnostics.render(colour));
            }
        }
    }
    let (is, are) = (if good == 1 { "is" } else { "are" }, if bad == 1 { "is" } else { "are" });
    let printed = print(&format!("{} {is} right, {bad} {are} not\n", count(good, "scenario")));
    printed.and(if bad == 0 { Exit::Passed } else { Exit::BadInput })
}
