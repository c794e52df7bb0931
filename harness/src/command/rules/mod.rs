//! `flagfall rules`: one file for each thing that can be asked about rulebooks.

mod coverage;
mod diff;
mod explain;
mod list;
mod mutate;
mod what_if;

use flagfall_judge::rulebook::Rulebook;
use flagfall_judge::{Point, Ruling};
use flagfall_scenarios::Discovered;

use crate::cli::Rules;
use crate::command::warn;
use crate::exit::Exit;
use crate::games::{self, Game};
use crate::terminal::Colour;

/// Does what was asked for.
#[must_use]
pub fn rules(what: &Rules, colour: Colour) -> Exit {
    match what {
        Rules::List(options) => list::list(options),
        Rules::Explain(options) => explain::explain(options, colour),
        Rules::Diff(options) => diff::diff(options, colour),
        Rules::WhatIf(options) => what_if::what_if(options, colour),
        Rules::Coverage(options) => coverage::coverage(options, colour),
        Rules::Mutate(options) => mutate::mutate(options, colour),
    }
}

/// The games of these scenarios, the shortest first; what stands in the way of others is told.
fn games(found: &Discovered, rulebooks: &[Rulebook], colour: Colour) -> (Vec<Game>, Exit) {
    let colour = colour.on(&std::io::stderr());
    for error in &found.errors {
        warn(&error.diagnose().render(colour));
    }
    let (games, none) = games::of_all(&found.sources, rulebooks);
    for reason in &none {
        match reason {
            games::NoGame::Unreadable(diagnostics) => warn(&diagnostics.render(colour)),
            games::NoGame::NotCarriedOut { .. } => warn(&format!("flagfall: {reason}")),
        }
    }
    (games, if found.errors.is_empty() && none.is_empty() { Exit::Passed } else { Exit::BadInput })
}

/// What rulings say, whatever article and sentence go with them.
fn said(rulings: &[Ruling]) -> Vec<(Point, i64, String)> {
    rulings.iter().map(|ruling| (ruling.point, ruling.at.ns(), ruling.decision.to_string())).collect()
}

/// `result: draw [6.11b]`.
fn short(ruling: &Ruling) -> String {
    let article = ruling.article.as_ref().map_or(String::new(), |article| format!(" [{article}]"));
    format!("{}{article}", ruling.decision)
}
