//! `flagfall rules what-if`: one scenario under texts that answer a point otherwise.

use std::collections::BTreeSet;

use flagfall_judge::Ruling;
use flagfall_reports::timeline::instant;

use super::{said, short};
use crate::cli::WhatIf;
use crate::command::{bad_input, print, warn};
use crate::exit::Exit;
use crate::games::{Game, NoGame};
use crate::inputs;
use crate::terminal::Colour;
use crate::what_if::changed;

/// Prints, for each rulebook, what would be ruled otherwise.
pub(super) fn what_if(options: &WhatIf, colour: Colour) -> Exit {
    let read = || {
        let rulebooks = inputs::rulebooks(&options.rulebook)?;
        Ok::<_, inputs::InputError>((inputs::scenario(&options.scenario, &options.cases)?, rulebooks))
    };
    let (source, rulebooks) = match read() {
        Ok(read) => read,
        Err(error) => return bad_input(&error),
    };
    let game = match Game::of(&source, &rulebooks) {
        Ok(game) => game,
        Err(NoGame::Unreadable(diagnostics)) => {
            warn(&diagnostics.render(colour.on(&std::io::stderr())));
            return Exit::BadInput;
        }
        Err(error) => return bad_input(&error),
    };
    let mut text = format!("{}: {}\n", game.id(), game.case.scenario.title);
    let (mut unchanged, mut refused) = (Vec::new(), Vec::new());
    for book in &rulebooks {
        match changed(book, &options.set) {
            Ok(other) => match difference(&game.rule(book), &game.rule(&other)) {
                Some(difference) => text += &format!("{}\n{difference}", book.key),
                None => unchanged.push(book.key.as_str()),
            },
            Err(error) => refused.push(format!("{}: {error}", book.key)),
        }
    }
    if refused.len() == rulebooks.len() {
        return bad_input(&refused.remove(0));
    }
    if !unchanged.is_empty() {
        text += &format!("nothing changes under {}\n", unchanged.join(", "));
    }
    for reason in refused {
        text += &format!("not asked: {reason}\n");
    }
    print(&text)
}

/// What was ruled and is not any more, and what is ruled instead, by point and instant.
fn difference(was: &[Ruling], is: &[Ruling]) -> Option<String> {
    let (before, after) = (said(was), said(is));
    if before == after {
        return None;
    }
    let mut text = String::new();
    let lost: BTreeSet<_> = before.iter().filter(|one| !after.contains(one)).collect();
    let gained: BTreeSet<_> = after.iter().filter(|one| !before.contains(one)).collect();
    let mut questions: Vec<(i64, _)> = lost.iter().chain(&gained).map(|(point, at, _)| (*at, *point)).collect();
    questions.sort();
    questions.dedup();
    for (at, point) in questions {
        text += &format!("  {point} at {}: {}\n", instant(at), point.question());
        for (word, rulings) in [("is", was), ("would be", is)] {
            let on = rulings.iter().filter(|ruling| ruling.point == point && ruling.at.ns() == at);
            let told: Vec<String> = on.map(short).collect();
            let told = if told.is_empty() { "not asked".to_owned() } else { told.join("; ") };
            text += &format!("    {word:9} {told}\n");
        }
    }
    Some(text)
}
