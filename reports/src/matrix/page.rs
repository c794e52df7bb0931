//! The matrix as one page that needs nothing else: a table, and behind each cell the game with its evidence.

use std::collections::BTreeMap;

use flagfall_core::Side;
use flagfall_trace::{RulebookRow, Verdict};
use serde_json::{Value, json};

use super::{Cell, Matrix, MatrixRow, TurnsOn, few_words};
use crate::page::html::{Text, count, plain_id, put};
use crate::page::scrubber::escaped;
use crate::questions::questions;
use crate::timeline::{Mark, TimelineLine};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Of a longer game so many events are kept at its beginning and at its end.
const FIRST_EVENTS: usize = 20;
const LAST_EVENTS: usize = 60;

/// The page; the same bytes for the same matrix.
#[must_use]
pub fn html(matrix: &Matrix) -> String {
    let mut page = String::new();
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<title>flagfall matrix</title>\n<style>\n");
    page.push_str(STYLE);
    page.push_str("</style>\n</head>\n<body>\n");
    head(&mut page, matrix);
    table(&mut page, matrix);
    rulebooks(&mut page, matrix);
    put(&mut page, format_args!("<script type=\"application/json\" id=\"data\">{}</script>\n", data(matrix)));
    put(&mut page, format_args!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n"));
    page
}

fn head(page: &mut String, matrix: &Matrix) {
    let diverging = matrix.scenarios.iter().filter(|row| row.diverges).count();
    put(
        page,
        format_args!(
            "<header>\n<h1>Scenarios by rulebooks</h1>\n<p class=\"lead\">{} under {}; on {} they contradict each other.</p>\n",
            count(matrix.scenarios.len(), "scenario", "scenarios"),
            count(matrix.rulebooks.len(), "rulebook", "rulebooks"),
            diverging
        ),
    );
    page.push_str("<p class=\"note\">The same game under each text: outcome, article and how firmly it is written. <b class=\"key apart\">Marked</b> is what ");
    page.push_str("differs from what most texts say; <b>?</b> is a text that does not say; <i>literal</i> follows from the words alone. ");
    page.push_str("A cell opens the game: what happened by both clocks, the evidence used and refused, and the sentence of the text. ");
    page.push_str("Arrow keys move between cells, Enter opens, Escape closes.</p>\n</header>\n");
    page.push_str("<p class=\"find\"><label>Filter <input id=\"filter\" type=\"search\" autocomplete=\"off\" placeholder=\"both-flags H2 draw\"></label> ");
    page.push_str("<label><input id=\"only\" type=\"checkbox\"> contradictions only</label> <output id=\"matches\"></output></p>\n");
    page.push_str("<noscript><p class=\"note\">What is behind a cell needs this page's own script; the table does not.</p></noscript>\n");
}

fn table(page: &mut String, matrix: &Matrix) {
    page.push_str("<div class=\"wide\"><table id=\"matrix\">\n<thead><tr><th scope=\"col\">scenario</th>");
    for book in &matrix.rulebooks {
        put(
            page,
            format_args!(
                "<th scope=\"col\" title=\"{}\"><a href=\"#book-{}\">{}</a></th>",
                Text(&book.title),
                plain_id(&book.key),
                Text(&book.key)
            ),
        );
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for (index, row) in matrix.scenarios.iter().enumerate() {
        scenario(page, index, row);
    }
    page.push_str("</tbody></table></div>\n");
    if !matrix.left_out.is_empty() {
        put(
            page,
            format_args!(
                "<p class=\"note\">{} in which none of their points arises left out.</p>\n",
                count(matrix.left_out.len(), "scenario", "scenarios")
            ),
        );
    }
}

fn scenario(page: &mut String, index: usize, row: &MatrixRow) {
    let class = if row.diverges { " class=\"diverges\"" } else { "" };
    let wrong = if row.verdict == Verdict::Pass { "" } else { " <b class=\"wrong\">not as expected</b>" };
    put(
        page,
        format_args!(
            "<tr id=\"case-{}\" data-row=\"{index}\"{class}><th scope=\"row\">{}{wrong}<span>{}</span><span>{}</span></th>",
            plain_id(&row.scenario),
            Text(&row.scenario),
            Text(&row.title),
            Text(&row.points.join(" "))
        ),
    );
    for (column, cell) in row.cells.iter().enumerate() {
        self::cell(page, column, cell);
    }
    page.push_str("</tr>\n");
}

fn cell(page: &mut String, column: usize, cell: &Cell) {
    let mut class: Vec<&str> = vec![if cell.ruling == "not-asked" { "unasked" } else { &cell.ruling }];
    if cell.apart {
        class.push("apart");
    }
    if cell.wrong {
        class.push("wrong");
    }
    put(
        page,
        format_args!(
            "<td class=\"{}\"><button data-column=\"{column}\">{}",
            Text(&class.join(" ")),
            Text(&few_words(&cell.outcome))
        ),
    );
    if let Some(article) = &cell.article {
        put(page, format_args!("<span>{}</span>", Text(article)));
    }
    if let Some(TurnsOn { point, article }) = &cell.turns_on {
        put(page, format_args!("<span>{} {}</span>", Text(point), Text(article)));
    }
    if cell.strength.as_deref() == Some("literal") {
        page.push_str("<i>literal</i>");
    }
    if cell.unverified {
        page.push_str("<i>unverified</i>");
    }
    page.push_str("</button></td>");
}

fn rulebooks(page: &mut String, matrix: &Matrix) {
    page.push_str("<section>\n<h2>Rulebooks</h2>\n<dl>\n");
    for book in &matrix.rulebooks {
        put(
            page,
            format_args!(
                "<dt id=\"book-{}\">{}</dt><dd>{}<br>{}</dd>\n",
                plain_id(&book.key),
                Text(&book.key),
                Text(&book.title),
                Text(&crate::page::rulebooks::about(book))
            ),
        );
    }
    page.push_str("</dl>\n</section>\n");
}

/// What the script shows behind a cell, as JSON that may stand inside a script element.
fn data(matrix: &Matrix) -> String {
    let books: BTreeMap<&str, usize> =
        matrix.rulebooks.iter().enumerate().map(|(index, book)| (book.key.as_str(), index)).collect();
    let data = json!({
        "books": matrix.rulebooks.iter().map(book).collect::<Vec<_>>(),
        "cases": matrix.scenarios.iter().map(|row| case(row, &books)).collect::<Vec<_>>(),
    });
    escaped(&data.to_string())
}

/// Key, title, language, and by its point the question with the sentence in English and in the text's language, and whether
/// nobody has seen the text.
fn book(book: &RulebookRow) -> Value {
    let says: BTreeMap<&str, Value> = book
        .entries
        .iter()
        .map(|entry| {
            (entry.point.as_str(), json!([entry.question, entry.sentence, entry.sentence_own, entry.unverified]))
        })
        .collect();
    json!({"key": book.key, "title": book.title, "language": book.language, "says": says})
}

/// Id, title, the answers to each question, and what happened.
fn case(row: &MatrixRow, books: &BTreeMap<&str, usize>) -> Value {
    let mut answers = Vec::new();
    for question in questions(&row.rulings) {
        for answer in &question.answers {
            let said = answer.row();
            let by: Vec<Value> = answer
                .rows
                .iter()
                .filter_map(|row| Some(json!([books.get(row.rulebook.as_str())?, row.article, row.strength])))
                .collect();
            answers.push(json!([
                question.point,
                question.at_ns,
                said.last_ns,
                said.count,
                few_words(&said.outcome),
                said.evidence_used,
                said.evidence_refused,
                by,
            ]));
        }
    }
    let (first, last) = ends(&row.timeline);
    json!({
        "id": row.scenario,
        "title": row.title,
        "shown": row.cells.iter().map(shown).collect::<Vec<_>>(),
        "answers": answers,
        "first": first.iter().map(event).collect::<Vec<_>>(),
        "skipped": row.timeline.len() - first.len() - last.len(),
        "last": last.iter().map(event).collect::<Vec<_>>(),
    })
}

/// Points, instants and outcomes of the rulings of which a cell is made.
fn shown(cell: &Cell) -> Vec<Value> {
    cell.made_of.iter().map(|(point, at, outcome)| json!([point, at, few_words(outcome)])).collect()
}

/// All events, or those of the beginning and of the end.
fn ends(timeline: &[TimelineLine]) -> (&[TimelineLine], &[TimelineLine]) {
    if timeline.len() <= FIRST_EVENTS + LAST_EVENTS {
        return (timeline, &[]);
    }
    (&timeline[..FIRST_EVENTS], &timeline[timeline.len() - LAST_EVENTS..])
}

/// True time, device time or null, both faces, what happened, what the clock did, whether it is a flag.
fn event(line: &TimelineLine) -> Value {
    json!([
        line.true_time.ns(),
        line.device.map(|device| i64::try_from(device.ns_into_run).unwrap_or(i64::MAX)),
        line.shown.faces[Side::White].to_string(),
        line.shown.faces[Side::Black].to_string(),
        line.event,
        line.effect,
        u8::from(line.mark == Mark::Flag),
    ])
}
