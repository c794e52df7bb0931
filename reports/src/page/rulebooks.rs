//! What the rulebooks say, once for all runs: runs name rulebook and point and lead here.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use flagfall_trace::rulebook_row::FILE;
use flagfall_trace::{EntryRow, RulebookRow, open_regular};

use super::html::{Text, plain_id, put};
use crate::error::ReportError;

/// Reads `rulebooks.json` of all folders; where two have a rulebook of one key, the first one's texts are shown.
pub(super) fn read(folders: &[PathBuf]) -> Result<Vec<RulebookRow>, ReportError> {
    let mut rows: Vec<RulebookRow> = Vec::new();
    for folder in folders {
        let new = read_one(folder)?;
        rows.extend(new.into_iter().filter(|new| !rows.iter().any(|row| row.key == new.key)).collect::<Vec<_>>());
    }
    Ok(rows)
}

/// There is none beside results of version 2.
fn read_one(folder: &Path) -> Result<Vec<RulebookRow>, ReportError> {
    let path = folder.join(FILE);
    match open_regular(&path) {
        Ok(file) => {
            serde_json::from_reader(BufReader::new(file)).map_err(|cause| ReportError::Rulebooks { path, cause })
        }
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(cause) => Err(ReportError::Io { doing: "read", path, cause }),
    }
}

/// The place of what a rulebook says to a point.
pub(super) fn place(rulebook: &str, point: &str) -> String {
    format!("says-{}-{}", plain_id(rulebook), plain_id(point))
}

/// The rulebooks with everything they answer; points on which they are silent are only named.
pub(super) fn write(page: &mut String, rulebooks: &[RulebookRow]) {
    if rulebooks.is_empty() {
        return;
    }
    page.push_str("<section aria-labelledby=\"rulebooks\">\n<h2 id=\"rulebooks\">Rulebooks</h2>\n");
    page.push_str("<p class=\"note\">Sentences are ours; the article says where to read the text itself.</p>\n");
    for book in rulebooks {
        put(
            page,
            format_args!(
                "<details class=\"plain\" id=\"book-{}\"><summary>{}</summary>\n<p class=\"note\">{}</p>\n",
                plain_id(&book.key),
                Text(&format!("{}: {}", book.key, book.title)),
                Text(&about(book))
            ),
        );
        entries(page, book);
        page.push_str("</details>\n");
    }
    page.push_str("</section>\n");
}

/// Edition, days in force, and what it builds upon.
pub(crate) fn about(book: &RulebookRow) -> String {
    let mut about: Vec<String> = Vec::new();
    if !book.edition.is_empty() {
        about.push(book.edition.clone());
    }
    match (&book.in_force_from, &book.in_force_to) {
        (Some(from), Some(to)) => about.push(format!("in force from {from} to {to}")),
        (Some(from), None) => about.push(format!("in force from {from}")),
        (None, Some(to)) => about.push(format!("in force to {to}")),
        (None, None) => {}
    }
    about.extend(book.extends.as_ref().map(|base| format!("builds upon {base}")));
    about.push(format!("language {}", book.language));
    about.join("; ")
}

fn entries(page: &mut String, book: &RulebookRow) {
    page.push_str("<div class=\"wide\"><table class=\"says\">\n");
    page.push_str("<thead><tr><th scope=\"col\">point</th><th scope=\"col\">answer</th><th scope=\"col\">article</th>");
    page.push_str("<th scope=\"col\">sentence</th></tr></thead>\n<tbody>\n");
    let (silent, said): (Vec<&EntryRow>, Vec<&EntryRow>) =
        book.entries.iter().partition(|entry| entry.answer == "silent");
    for entry in said {
        put(
            page,
            format_args!(
                "<tr id=\"{}\"><th scope=\"row\">{}<td>{}<td>{}<td>{}",
                place(&book.key, &entry.point),
                Text(&entry.point),
                Text(&answer(entry)),
                Text(&source(entry)),
                Text(&entry.sentence)
            ),
        );
        if let Some(own) = &entry.sentence_own {
            put(page, format_args!("<br><span lang=\"{}\">{}</span>", Text(&book.language), Text(own)));
        }
        page.push('\n');
    }
    page.push_str("</tbody></table></div>\n");
    if !silent.is_empty() {
        let silent: Vec<&str> = silent.iter().map(|entry| entry.point.as_str()).collect();
        put(page, format_args!("<p class=\"note\">silent on {}</p>\n", Text(&silent.join(", "))));
    }
}

/// The answer with its figures.
fn answer(entry: &EntryRow) -> String {
    let figures = entry.limits.iter().map(|(name, figure)| format!(", {name} {figure}"));
    format!("{}{}", entry.answer, figures.collect::<String>())
}

/// Article and strength, and whether anybody has looked.
fn source(entry: &EntryRow) -> String {
    let unverified = entry.unverified.then_some("unverified");
    let parts = entry.article.iter().chain(&entry.strength).map(String::as_str).chain(unverified);
    parts.collect::<Vec<_>>().join(", ")
}
