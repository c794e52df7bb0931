//! Rulings for a terminal: question after question, and below each answer the rulebooks that give it, with article and
//! sentence.

use flagfall_judge::Point;
use flagfall_judge::rulebook::{Answer, Rulebook};
use flagfall_reports::questions::{self, Question, questions};
use flagfall_reports::timeline::instant;
use flagfall_trace::RulingRow;

/// Everything that was ruled, for people to read; each line is ended.
#[must_use]
pub fn rulings(rows: &[RulingRow], rulebooks: &[Rulebook]) -> String {
    questions(rows).iter().map(|one| question(one, rulebooks)).collect()
}

fn question(question: &Question<'_>, rulebooks: &[Rulebook]) -> String {
    let words = question.point.parse::<Point>().map_or("", Point::question);
    let mut text = format!("  {} at {}: {words}\n", question.point, instant(question.at_ns));
    for one in &question.answers {
        text += &answer(one, rulebooks);
    }
    text
}

fn answer(answer: &questions::Answer<'_>, rulebooks: &[Rulebook]) -> String {
    let row = answer.row();
    let mut text = format!("    {:10} {}", row.ruling, answer.outcome()).trim_end().to_owned();
    if let Some(last_ns) = row.last_ns {
        text += &format!("  ({} times, last at {})", row.count, instant(last_ns));
    }
    text.push('\n');
    let key = answer.rows.iter().map(|row| row.rulebook.len()).max().unwrap_or(0);
    let source = answer.rows.iter().map(|row| source(row).len()).max().unwrap_or(0);
    if source == 0 && answer.rows.iter().all(|row| sentence(row, rulebooks).is_empty()) {
        let keys: Vec<&str> = answer.rows.iter().map(|row| row.rulebook.as_str()).collect();
        return text + "      " + &keys.join(", ") + "\n" + &refused(row);
    }
    for row in &answer.rows {
        let line = format!("      {:key$}  {:source$}  {}", row.rulebook, self::source(row), sentence(row, rulebooks));
        text += line.trim_end();
        text.push('\n');
    }
    text + &refused(row)
}

fn refused(row: &RulingRow) -> String {
    row.evidence_refused.iter().map(|refused| format!("      not admitted: {refused}\n")).collect()
}

/// `[6.11b] stated`.
fn source(row: &RulingRow) -> String {
    let article = row.article.as_ref().map(|article| format!("[{article}]"));
    article.into_iter().chain(row.strength.clone()).collect::<Vec<_>>().join(" ")
}

/// The sentence of the rulebook that the ruling follows.
fn sentence(row: &RulingRow, rulebooks: &[Rulebook]) -> String {
    if row.ruling == "void" {
        return "The game was over before.".to_owned();
    }
    let book = rulebooks.iter().find(|book| book.key == row.rulebook);
    let entry = book.zip(row.point.parse().ok()).map(|(book, point)| book.entry(point));
    match entry.map(|entry| (&entry.answer, entry)) {
        Some((Answer::Value(_), entry)) => entry.sentence.clone(),
        Some((Answer::NotDecidable { reason }, _)) => reason.clone(),
        Some((Answer::Silent, _)) | None => String::new(),
    }
}
