//! `flagfall rules explain`: what a rulebook answers to a point, beside the answers of the others.

use std::path::Path;

use flagfall_judge::rulebook::{Answer, Entry, Rulebook};
use flagfall_judge::{Point, value};
use flagfall_scenarios::rulebook;

use crate::cli::Explain;
use crate::command::{bad_input, print};
use crate::exit::Exit;
use crate::inputs::{self, CASES};
use crate::terminal::Colour;
use crate::what_if::{answer_name, answer_words};

/// Prints everything that is known of one cell.
pub(super) fn explain(options: &Explain, colour: Colour) -> Exit {
    let book = match inputs::one_rulebook(&options.rulebook) {
        Ok(book) => book,
        Err(error) => return bad_input(&error),
    };
    let mut text = cell(&book, options.point);
    text += &others(&book, options.point);
    text += &cases(&book, options.point, colour);
    print(&text)
}

fn cell(book: &Rulebook, point: Point) -> String {
    let entry = book.entry(point);
    let mut text = format!("{point}: {}\n\n{} ({})\n", point.question(), book.key, book.title);
    let mut fact = |name: &str, value: &str| text += &format!("  {name:10} {value}\n");
    fact("answer", &answer_words(entry));
    if let Some(article) = &entry.article {
        fact("article", article);
    }
    match &entry.answer {
        Answer::Value(_) => {
            fact("strength", entry.strength.name());
            fact("en", &entry.sentence);
            if let Some(own) = &entry.sentence_own {
                fact(&book.language, own);
            }
        }
        Answer::NotDecidable { reason } => fact("because", reason),
        Answer::Silent => {}
    }
    if entry.unverified {
        fact("unverified", "the text itself was not seen: the answer is known from those who quote it");
    }
    if let Some(base) = &entry.taken_from {
        fact("taken from", base);
    }
    text
}

/// Every answer that there can be, with the rulebooks that give it.
fn others(book: &Rulebook, point: Point) -> String {
    let mut books: Vec<Rulebook> = rulebook::keys().iter().filter_map(|key| rulebook::builtin(key)).collect();
    if books.iter().all(|known| known.key != book.key) {
        books.push(book.clone());
    }
    let mut text = "\nanswers\n".to_owned();
    for name in value::names(point).into_iter().chain(["silent", "not-decidable"]) {
        let of: Vec<String> = books
            .iter()
            .filter(|book| answer_name(book.entry(point)) == name)
            .map(|book| with_source(book, book.entry(point)))
            .collect();
        let of = if of.is_empty() { "none of these rulebooks".to_owned() } else { of.join(", ") };
        text += &format!("  {name}: {of}\n");
    }
    text
}

/// `cbx 74`, `ua 4.2 (remaining 5m)`.
fn with_source(book: &Rulebook, entry: &Entry) -> String {
    let mut text = book.key.clone();
    if let Some(article) = &entry.article {
        text += &format!(" [{article}]");
    }
    if !entry.limits.is_empty() {
        let words = answer_words(entry);
        text += &format!(" ({})", words.split_once(", ").map_or("", |(_, figures)| figures));
    }
    text
}

/// The scenarios that are about this point and expect something of this rulebook, where there are scenarios.
fn cases(book: &Rulebook, point: Point, _: Colour) -> String {
    if !Path::new(CASES).is_dir() {
        return String::new();
    }
    let found = inputs::sources(&[]).map(|found| found.sources).unwrap_or_default();
    let mut ids: Vec<String> = Vec::new();
    for source in &found {
        let Ok(scenario) = source.read() else { continue };
        let asks = scenario.points.contains(&point) && scenario.rulings.contains_key(&book.key);
        if asks {
            ids.push(scenario.id);
        }
    }
    let list: String = ids.iter().map(|id| format!("  {id}\n")).collect();
    format!("\nscenarios about {point} that expect something of {}: {}\n{list}", book.key, ids.len())
}
