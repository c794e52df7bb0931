//! `flagfall rules coverage`: which cells, a point under a rulebook, a scenario decides.

use std::collections::BTreeMap;

use flagfall_judge::rulebook::{Answer, Rulebook};
use flagfall_judge::ruling_check::is_expected;
use flagfall_judge::{Decision, Point};
use serde::Serialize;

use super::games;
use crate::cli::RulesCoverage;
use crate::command::{bad_input, print};
use crate::exit::Exit;
use crate::games::Game;
use crate::inputs;
use crate::terminal::{Colour, count};
use crate::what_if::answer_name;

/// What is known of one cell.
#[derive(Serialize)]
struct CellLine<'a> {
    rulebook: &'a str,
    point: String,
    answer: &'static str,
    article: Option<&'a str>,
    /// Whether the rulebook answers the point.
    decided: bool,
    /// The scenarios that decide it; of a silent one those that show the silence.
    cases: Vec<&'a str>,
}

/// Prints how many of the decided cells have a scenario, and which have none.
pub(super) fn coverage(options: &RulesCoverage, colour: Colour) -> Exit {
    let (found, rulebooks) = match inputs::given(&options.selection, &options.rulebook) {
        Ok(inputs) => inputs,
        Err(error) => return bad_input(&error),
    };
    let (games, exit) = games(&found, &rulebooks, colour);
    let (mut text, mut missing) = (String::new(), false);
    for book in &rulebooks {
        let cells = cells(book, &games);
        missing |= cells.iter().any(|cell| cell.decided && cell.cases.is_empty());
        text += &if options.json { lines(&cells) } else { summary(book, &cells) };
    }
    print(&text).and(if missing { Exit::Failed } else { exit }).and(exit)
}

/// Every cell of a rulebook, in the order of the catalogue.
fn cells<'a>(book: &'a Rulebook, games: &'a [Game]) -> Vec<CellLine<'a>> {
    let mut shown: BTreeMap<Point, Vec<&str>> = BTreeMap::new();
    for game in games {
        for point in shown_by(game, book) {
            shown.entry(point).or_default().push(game.id());
        }
    }
    let line = |entry: &'a flagfall_judge::rulebook::Entry| {
        let mut cases = shown.remove(&entry.point).unwrap_or_default();
        cases.sort_unstable();
        CellLine {
            rulebook: &book.key,
            point: entry.point.to_string(),
            answer: answer_name(entry),
            article: entry.article.as_deref(),
            decided: matches!(entry.answer, Answer::Value(_)),
            cases,
        }
    };
    book.entries().map(line).collect()
}

/// The points on which this game expects a ruling of this rulebook, and gets it.
fn shown_by(game: &Game, book: &Rulebook) -> Vec<Point> {
    let expected = game.expected(&book.key);
    if expected.is_empty() {
        return Vec::new();
    }
    let mut points: Vec<Point> = Vec::new();
    for ruling in game.rule(book) {
        let says =
            !matches!(ruling.decision, Decision::Void) && is_expected(&ruling, expected, &game.case.scenario.points);
        if says && !points.contains(&ruling.point) {
            points.push(ruling.point);
        }
    }
    points
}

fn lines(cells: &[CellLine<'_>]) -> String {
    cells.iter().map(|cell| serde_json::to_string(cell).expect("a cell has string keys only") + "\n").collect()
}

fn summary(book: &Rulebook, cells: &[CellLine<'_>]) -> String {
    let decided: Vec<&CellLine<'_>> = cells.iter().filter(|cell| cell.decided).collect();
    let missing: Vec<&str> =
        decided.iter().filter(|cell| cell.cases.is_empty()).map(|cell| cell.point.as_str()).collect();
    let silent: Vec<&CellLine<'_>> = cells.iter().filter(|cell| cell.answer == "silent").collect();
    let shown = silent.iter().filter(|cell| !cell.cases.is_empty()).count();
    let open = cells.len() - decided.len() - silent.len();
    let mut text = format!(
        "{}: {} decided, {} of them by a scenario; {} silent, {shown} of them shown; {open} not decidable\n",
        book.key,
        count(decided.len(), "cell"),
        decided.len() - missing.len(),
        silent.len(),
    );
    if !missing.is_empty() {
        text += &format!("  without a scenario: {}\n", missing.join(" "));
    }
    text
}
