//! Rulings and rulebooks as rows of results.
//!
//! A long game has a ruling about every press. Those of one point and side that follow each other in the same words are
//! one row, which counts them and has the outcome and the evidence of the last: `completed: {white: 40}`, 40 times. A
//! ruling that ends the game, one that the scenario expects, and one that leaves something open to a choice or to a fact
//! stands alone. What is left out is where each press of a row was made, and that stands in the trace.

use std::collections::BTreeMap;

use flagfall_core::Side;
use flagfall_trace::{EntryRow, RulebookRow, RulingRow};

use crate::point::Point;
use crate::rulebook::{Answer, Entry, Rulebook};
use crate::ruling::{Decision, ExpectedRuling, Ruling};
use crate::ruling_check;
use crate::value::{self, Unit};

/// The rulings of one rulebook as rows, in the order in which each row begins.
#[must_use]
pub fn rows(key: &str, rulings: &[Ruling], expected: &[ExpectedRuling], points: &[Point]) -> Vec<RulingRow> {
    let mut rows: Vec<RulingRow> = Vec::new();
    let mut open: BTreeMap<(Point, Option<Side>), Open> = BTreeMap::new();
    for ruling in rulings {
        let row = row(key, ruling);
        let words = without_figures(&row.outcome);
        let lane = (ruling.point, side_of(&words));
        if stands_alone(ruling, expected, points) {
            open.remove(&lane);
            rows.push(row);
            continue;
        }
        match open.get(&lane) {
            Some(open) if open.words == words && says_the_same(&rows[open.row], &row) => {
                let first = &mut rows[open.row];
                let (at_ns, count) = (first.at_ns, first.count.saturating_add(1));
                *first = RulingRow { at_ns, last_ns: Some(row.at_ns), count, ..row };
            }
            _ => {
                open.insert(lane, Open { row: rows.len(), words });
                rows.push(row);
            }
        }
    }
    rows
}

/// A row that the next ruling of its point and side may belong to.
struct Open {
    row: usize,
    words: String,
}

fn stands_alone(ruling: &Ruling, expected: &[ExpectedRuling], points: &[Point]) -> bool {
    match ruling.decision {
        Decision::Silent | Decision::Void => false,
        Decision::Discretion(_) | Decision::Needs { .. } => true,
        Decision::Decided { .. } => ruling.decision.is_final() || ruling_check::is_expected(ruling, expected, points),
    }
}

fn says_the_same(one: &RulingRow, other: &RulingRow) -> bool {
    let of = |row: &RulingRow| (row.ruling.clone(), row.article.clone(), row.strength.clone());
    of(one) == of(other) && one.evidence_refused.is_empty() == other.evidence_refused.is_empty()
}

/// `completed: {white: }`: an outcome as scenarios write it, without its figures.
fn without_figures(outcome: &str) -> String {
    outcome.chars().filter(|character| !character.is_ascii_digit()).collect()
}

fn side_of(words: &str) -> Option<Side> {
    Side::ALL.into_iter().find(|side| words.contains(side.name()))
}

/// One ruling as a row.
#[must_use]
pub fn row(key: &str, ruling: &Ruling) -> RulingRow {
    RulingRow {
        rulebook: key.to_owned(),
        at_ns: ruling.at.ns(),
        last_ns: None,
        count: 1,
        point: ruling.point.to_string(),
        ruling: ruling.decision.name().to_owned(),
        outcome: ruling.decision.to_string(),
        article: ruling.article.clone(),
        strength: ruling.strength().map(|strength| strength.name().to_owned()),
        evidence_used: ruling.used.clone(),
        evidence_refused: ruling.refused.clone(),
    }
}

/// A rulebook as a row of `rulebooks.json`.
#[must_use]
pub fn rulebook_row(book: &Rulebook) -> RulebookRow {
    RulebookRow {
        key: book.key.clone(),
        title: book.title.clone(),
        language: book.language.clone(),
        edition: book.edition.clone(),
        in_force_from: book.in_force.from.map(|day| day.to_string()),
        in_force_to: book.in_force.to.map(|day| day.to_string()),
        extends: book.extends.clone(),
        entries: book.entries().map(entry_row).collect(),
    }
}

fn entry_row(entry: &Entry) -> EntryRow {
    let (answer, decides) = match &entry.answer {
        Answer::Value(value) => (value.name(), true),
        Answer::Silent => ("silent", false),
        Answer::NotDecidable { .. } => ("not-decidable", false),
    };
    let sentence = match &entry.answer {
        Answer::NotDecidable { reason } => reason.clone(),
        _ => entry.sentence.clone(),
    };
    EntryRow {
        point: entry.point.to_string(),
        question: entry.point.question().to_owned(),
        answer: answer.to_owned(),
        limits: entry
            .limits
            .iter()
            .map(|(name, figure)| ((*name).to_owned(), figure_of(entry, name, *figure)))
            .collect(),
        article: entry.article.clone(),
        strength: decides.then(|| entry.strength.name().to_owned()),
        sentence,
        sentence_own: entry.sentence_own.clone(),
        taken_from: entry.taken_from.clone(),
        unverified: entry.unverified,
    }
}

fn figure_of(entry: &Entry, name: &str, figure: u64) -> String {
    let limit = value::limits(entry.point).iter().find(|limit| limit.name == name);
    limit.map_or(Unit::Count, |limit| limit.unit).written(figure)
}
