//! One run: what was checked, what was ruled, what happened.

use std::collections::BTreeMap;

use flagfall_core::Face;
use flagfall_trace::{RulingRow, RunRecord, Trace};

use super::html::{Chip, Text, count, put};
use super::{data, measures};
use crate::error::ReportError;
use crate::junit::subject;
use crate::quantity;
use crate::words;

pub(super) fn write(page: &mut String, record: &RunRecord, trace: Option<&Trace>, id: &str) -> Result<(), ReportError> {
    put(
        page,
        format_args!(
            "<details class=\"run\" id=\"{id}\">\n<summary>{} <span class=\"name\">{}</span> <span class=\"rig\">{}</span></summary>\n",
            Chip(record.verdict),
            Text(&record.scenario),
            Text(&record.rig)
        ),
    );
    head(page, record, trace);
    checks(page, record);
    rulings(page, record);
    match trace {
        Some(trace) => {
            page.push_str("<h3>Timeline</h3>\n<div class=\"timeline\"></div>\n");
            put(page, format_args!("<script type=\"application/json\">{}</script>\n", data::json(trace)));
            measures::write_time_error(page, trace)?;
        }
        None => page.push_str("<p class=\"note\">There is no trace: nothing was carried out.</p>\n"),
    }
    page.push_str("</details>\n");
    Ok(())
}

fn head(page: &mut String, record: &RunRecord, trace: Option<&Trace>) {
    put(page, format_args!("<p class=\"lead\">{}</p>\n<dl class=\"facts\">\n", Text(&record.title)));
    let mut fact = |name: &str, text: &str| {
        put(page, format_args!("<div><dt>{name}</dt><dd>{}</dd></div>\n", Text(text)));
    };
    if !record.points.is_empty() {
        fact("rule points", &record.points.join(" "));
    }
    if let Some(trace) = trace {
        let plan = &trace.plan;
        fact("clock", &words::clock(plan));
        if !plan.oscillator.is_exact() {
            fact("simulated oscillator", &plan.oscillator.to_string());
        }
        if plan.seed != 0 {
            fact("seed", &plan.seed.to_string());
        }
        fact("records", &trace.records.len().to_string());
    }
    if let Some(hash) = &record.trace_hash {
        fact("trace", hash);
    }
    let of_one_line = |reason: &&String| !reason.contains('\n');
    if let Some(reason) = record.reason.as_ref().filter(of_one_line) {
        fact("reason", reason);
    }
    page.push_str("</dl>\n");
    if let Some(reason) = record.reason.as_ref().filter(|reason| !of_one_line(reason)) {
        put(page, format_args!("<div class=\"wide\"><pre>{}</pre></div>\n", Text(reason)));
    }
}

fn checks(page: &mut String, record: &RunRecord) {
    put(page, format_args!("<h3>{}</h3>\n", count(record.checks.len(), "check", "checks")));
    if record.checks.is_empty() {
        return;
    }
    page.push_str(
        "<table class=\"stack checks\">\n<thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">about</th>",
    );
    page.push_str("<th scope=\"col\">check</th><th scope=\"col\">expected</th><th scope=\"col\">found</th>");
    page.push_str("<th scope=\"col\" class=\"n\">line</th></tr></thead>\n<tbody>\n");
    for check in &record.checks {
        put(
            page,
            format_args!(
                "<tr><td data-label=\"verdict\">{}</td><td data-label=\"about\">{}</td><td data-label=\"check\">{}</td>\
                 <td data-label=\"expected\">{}</td><td data-label=\"found\">{}</td><td data-label=\"line\" class=\"n\">{}</td></tr>\n",
                Chip(check.verdict),
                subject(check.subject),
                Text(&check.what),
                Text(&check.expected),
                Text(&check.found),
                check.line.map_or(String::new(), |line| line.to_string())
            ),
        );
    }
    page.push_str("</tbody></table>\n");
}

/// Of questions on which the rulebooks agree, this many of each point are shown at once: the last ones.
const AGREED_MAX: usize = 3;

/// Most questions that are shown at once.
const QUESTIONS_MAX: usize = 12;

/// Seconds and, from a minute on, what a clock on the wall would show: `3600.000015 s, 1:00:00`.
fn instant(at_ns: i64) -> String {
    let seconds = quantity::seconds(at_ns.into());
    match u32::try_from(at_ns / 1_000_000_000) {
        Ok(whole) if whole >= 60 => format!("{seconds}, {}", Face::from_seconds(whole)),
        _ => seconds,
    }
}

/// What every rulebook says about one point at one instant.
type Question<'a> = [&'a RulingRow];

/// Each question at its instant, with what every rulebook says about it side by side.
///
/// A long game has a ruling about every press. The scenario is a case for its own points; of these are shown at once the
/// questions on which rulebooks differ and the last others.
fn rulings(page: &mut String, record: &RunRecord) {
    if record.rulings.is_empty() {
        return;
    }
    page.push_str("<h3>Rulings</h3>\n");
    let mut rows: Vec<&RulingRow> = record.rulings.iter().collect();
    rows.sort_by_key(|row| (row.at_ns, &row.point));
    let questions: Vec<&Question> = rows.chunk_by(|a, b| (a.at_ns, &a.point) == (b.at_ns, &b.point)).collect();
    let shown = chosen(&questions, record);
    let more = count(questions.len() - shown.iter().filter(|shown| **shown).count(), "more question", "more questions");
    for (rows, _) in questions.iter().zip(&shown).filter(|(_, shown)| **shown) {
        question(page, rows);
    }
    if shown.iter().all(|shown| *shown) {
        return;
    }
    put(page, format_args!("<details class=\"plain\"><summary>{more}</summary>\n"));
    for (rows, _) in questions.iter().zip(&shown).filter(|(_, shown)| !**shown) {
        question(page, rows);
    }
    page.push_str("</details>\n");
}

/// Which questions are shown at once.
fn chosen(questions: &[&Question], record: &RunRecord) -> Vec<bool> {
    let mut shown = vec![false; questions.len()];
    let mut agreed: BTreeMap<&str, usize> = BTreeMap::new();
    let mut room = QUESTIONS_MAX;
    for (rows, shown) in questions.iter().zip(&mut shown).rev() {
        let Some(first) = rows.first().filter(|row| record.points.contains(&row.point)) else { continue };
        let wanted = differ(rows) || {
            let seen = agreed.entry(&first.point).or_default();
            *seen += 1;
            *seen <= AGREED_MAX
        };
        if wanted && room > 0 {
            room -= 1;
            *shown = true;
        }
    }
    shown
}

/// Whether two rulebooks rule differently.
fn differ(rows: &Question) -> bool {
    let mut said: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for row in rows {
        said.entry(&row.rulebook).or_default().push((&row.ruling, &row.outcome));
    }
    let mut said = said.into_values();
    let first = said.next();
    said.any(|other| Some(other) != first)
}

fn question(page: &mut String, rows: &Question) {
    let Some(first) = rows.first() else { return };
    put(
        page,
        format_args!(
            "<h4>{} <span class=\"title\">at {}</span></h4>\n<div class=\"rulings\">\n",
            Text(&first.point),
            instant(first.at_ns)
        ),
    );
    let mut rulebooks: Vec<&str> = Vec::new();
    for row in rows {
        if !rulebooks.contains(&row.rulebook.as_str()) {
            rulebooks.push(&row.rulebook);
        }
    }
    for rulebook in rulebooks {
        put(page, format_args!("<article class=\"ruling\">\n<h5>{}</h5>\n", Text(rulebook)));
        for row in rows.iter().filter(|row| row.rulebook == rulebook) {
            ruling(page, row);
        }
        page.push_str("</article>\n");
    }
    page.push_str("</div>\n");
}

fn ruling(page: &mut String, row: &RulingRow) {
    put(
        page,
        format_args!(
            "<p class=\"outcome\"><span class=\"decision\">{}</span> {}</p>\n",
            Text(&row.ruling),
            Text(if row.outcome == row.ruling { "" } else { &row.outcome })
        ),
    );
    let article = row.article.as_deref().map(|article| format!("article {}", Text(article)));
    let strength = row.strength.as_deref().map(|strength| Text(strength).to_string());
    let source: Vec<String> = article.into_iter().chain(strength).collect();
    if !source.is_empty() {
        put(page, format_args!("<p class=\"source\">{}</p>\n", source.join(", ")));
    }
    put(page, format_args!("<p>{}</p>\n", Text(&row.sentence)));
    for (name, evidence) in [("rests on", &row.evidence_used), ("does not admit", &row.evidence_refused)] {
        if evidence.is_empty() {
            continue;
        }
        put(page, format_args!("<p class=\"evidence\">{name}</p>\n<ul>\n"));
        for fact in evidence {
            put(page, format_args!("<li>{}</li>\n", Text(fact)));
        }
        page.push_str("</ul>\n");
    }
}

#[cfg(test)]
mod tests {
    use flagfall_trace::Verdict;

    use super::*;

    fn row(at_ns: i64, point: &str, rulebook: &str, outcome: &str) -> RulingRow {
        RulingRow {
            rulebook: rulebook.to_owned(),
            at_ns,
            point: point.to_owned(),
            ruling: "decided".to_owned(),
            outcome: outcome.to_owned(),
            article: None,
            strength: None,
            sentence: String::new(),
            evidence_used: Vec::new(),
            evidence_refused: Vec::new(),
        }
    }

    #[test]
    fn the_questions_of_the_scenario_come_first() {
        let mut rulings = Vec::new();
        for at in 0..40 {
            let black = if at == 5 { "incomplete" } else { "completed" };
            rulings.push(row(at, "B1", "fide-2014", "completed"));
            rulings.push(row(at, "B1", "cbx", black));
            rulings.push(row(at, "D1", "fide-2014", "runs"));
        }
        let record = RunRecord {
            schema: RunRecord::SCHEMA,
            scenario: "a/b".to_owned(),
            title: String::new(),
            points: vec!["B1".to_owned()],
            requirements: Vec::new(),
            rig: "sim".to_owned(),
            verdict: Verdict::Pass,
            reason: None,
            checks: Vec::new(),
            rulings,
            trace_hash: None,
            trace_file: None,
        };
        let mut page = String::new();
        super::rulings(&mut page, &record);
        let (at_once, rest) = page.split_once("<details").expect("there is more");
        let instants: Vec<&str> =
            at_once.split("title\">at ").skip(1).filter_map(|text| text.split('<').next()).collect();
        assert_eq!(instants, ["0.000000005 s", "0.000000037 s", "0.000000038 s", "0.000000039 s"]);
        assert!(rest.contains("<summary>76 more questions</summary>"));
        assert_eq!(rest.matches("<h4>").count(), 76);
    }
}
