//! One run: what was checked, what was ruled, what happened.

use std::collections::BTreeMap;

use flagfall_trace::{RulebookRow, RulingRow, RunRecord, Trace, Verdict};

use super::beside::{self, Told};
use super::html::{Chip, Text, count, put};
use super::{measures, packed, rulebooks, scrubber, timing};
use crate::error::ReportError;
use crate::junit::subject;
use crate::questions::{Answer, Question, questions};
use crate::statistics::Mask;
use crate::timeline::instant;
use crate::timing::Timing;
use crate::words;

/// The section of one of the runs of a scenario.
///
/// Of a run that passed, rulings, timeline and time error are packed; of any other everything can be read without the
/// page's script.
pub(super) fn write(
    page: &mut String,
    told: &[Told],
    index: usize,
    id: &str,
    rulebooks: &[RulebookRow],
    timing: Option<(&Timing, &Mask)>,
) -> Result<(), ReportError> {
    let Told { record, trace, .. } = &told[index];
    let passed = record.verdict == Verdict::Pass;
    let beside: Vec<&str> = told
        .iter()
        .enumerate()
        .filter(|(other, told)| *other != index && told.trace.is_some() && trace.is_some())
        .map(|(_, told)| told.id.as_str())
        .collect();
    put(
        page,
        format_args!(
            "<details class=\"run{}\" id=\"{id}\" data-beside=\"{}\">\n<summary>{} <span class=\"name\">{}</span> \
             <span class=\"rig\">{}</span></summary>\n",
            if passed { "" } else { " wrong" },
            beside.join(" "),
            Chip(record.verdict),
            Text(&record.scenario),
            Text(&record.rig)
        ),
    );
    head(page, record, trace.as_ref());
    let parts = beside::parting(told, index);
    match (&parts, beside.is_empty()) {
        (Some(parts), _) => {
            put(page, format_args!("<p class=\"parts\"><b>Two rigs part.</b> This run {}.</p>\n", Text(&parts.words)));
        }
        (None, false) => {
            page.push_str("<p class=\"note\">The runs on the other rigs have the same events in the same order.</p>\n")
        }
        (None, true) => {}
    }
    checks(page, record);
    let mut heavy = String::new();
    rulings(&mut heavy, record, rulebooks);
    match trace {
        Some(trace) => {
            heavy.push_str("<h3>Timeline</h3>\n");
            scrubber::write(&mut heavy, trace, parts.as_ref().map(|parts| parts.record));
            if let Some((timing, mask)) = timing {
                timing::write_run(&mut heavy, timing, mask)?;
                if !timing.is_watched() {
                    measures::write_time_error(&mut heavy, &timing.error)?;
                }
            }
        }
        None => heavy.push_str("<p class=\"note\">There is no trace: nothing was carried out.</p>\n"),
    }
    if passed {
        packed::write(page, &heavy);
    } else {
        page.push_str(&heavy);
    }
    page.push_str("</details>\n");
    Ok(())
}

fn head(page: &mut String, record: &RunRecord, trace: Option<&Trace>) {
    put(page, format_args!("<p class=\"lead\">{}</p>\n<dl class=\"facts\">\n", Text(&record.title)));
    let mut fact = |name: &str, text: &str| {
        put(page, format_args!("<div><dt>{name}<dd>{}</div>\n", Text(text)));
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
    page.push_str("<table class=\"checks\">\n<thead><tr><th scope=\"col\">verdict<th scope=\"col\">about");
    page.push_str("<th scope=\"col\">check<th scope=\"col\">expected<th scope=\"col\">found");
    page.push_str("<th scope=\"col\" class=\"n\">line</tr></thead>\n<tbody>\n");
    for check in &record.checks {
        // What HTML lets be left out is left out: a page has thousands of these.
        put(
            page,
            format_args!(
                "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}\n",
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

/// Each question at its instant, with what the rulebooks say about it side by side.
///
/// The scenario is a case for its own points; of these are shown at once the questions on which rulebooks differ and the
/// last others.
fn rulings(page: &mut String, record: &RunRecord, rulebooks: &[RulebookRow]) {
    let questions = questions(&record.rulings);
    if questions.is_empty() {
        return;
    }
    page.push_str("<h3>Rulings</h3>\n");
    let shown = chosen(&questions, record);
    let more = count(questions.len() - shown.iter().filter(|shown| **shown).count(), "more question", "more questions");
    for (one, _) in questions.iter().zip(&shown).filter(|(_, shown)| **shown) {
        question(page, one, rulebooks);
    }
    if shown.iter().all(|shown| *shown) {
        return;
    }
    put(page, format_args!("<details class=\"plain\"><summary>{more}</summary>\n"));
    for (one, _) in questions.iter().zip(&shown).filter(|(_, shown)| !**shown) {
        question(page, one, rulebooks);
    }
    page.push_str("</details>\n");
}

/// Which questions are shown at once.
fn chosen(questions: &[Question<'_>], record: &RunRecord) -> Vec<bool> {
    let mut shown = vec![false; questions.len()];
    let mut agreed: BTreeMap<&str, usize> = BTreeMap::new();
    let mut room = QUESTIONS_MAX;
    for (question, shown) in questions.iter().zip(&mut shown).rev() {
        if !record.points.iter().any(|point| point == question.point) {
            continue;
        }
        let wanted = question.is_divided || {
            let seen = agreed.entry(question.point).or_default();
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

fn question(page: &mut String, question: &Question<'_>, rulebooks: &[RulebookRow]) {
    put(
        page,
        format_args!(
            "<h4>{} <span class=\"title\">at {}</span></h4>\n<div class=\"rulings\">\n",
            Text(question.point),
            instant(question.at_ns)
        ),
    );
    for one in &question.answers {
        answer(page, one, rulebooks);
    }
    page.push_str("</div>\n");
}

fn answer(page: &mut String, answer: &Answer<'_>, rulebooks: &[RulebookRow]) {
    let row = answer.row();
    put(
        page,
        format_args!(
            "<div class=\"ruling\"><p class=\"outcome\"><span class=\"decision\">{}</span> {}</p>\n",
            Text(&row.ruling),
            Text(answer.outcome())
        ),
    );
    if let Some(last_ns) = row.last_ns {
        put(page, format_args!("<p class=\"source\">{} times, last at {}</p>\n", row.count, instant(last_ns)));
    }
    let by: Vec<String> = answer.rows.iter().map(|row| source(row, rulebooks)).collect();
    put(page, format_args!("<p class=\"by\">{}</p>\n", by.join(" ")));
    for (name, evidence) in [("rests on", &row.evidence_used), ("does not admit", &row.evidence_refused)] {
        if evidence.is_empty() {
            continue;
        }
        put(page, format_args!("<p class=\"evidence\">{name}</p>\n<ul>"));
        for fact in evidence {
            put(page, format_args!("<li>{}</li>", Text(fact)));
        }
        page.push_str("</ul>\n");
    }
    page.push_str("</div>\n");
}

/// A rulebook with its article, led to what it says where the page has that.
fn source(row: &RulingRow, rulebooks: &[RulebookRow]) -> String {
    let said = rulebooks.iter().find(|book| book.key == row.rulebook).and_then(|book| book.entry(&row.point));
    let name = match said {
        Some(entry) if entry.answer != "silent" => {
            format!("<a href=\"#{}\">{}</a>", rulebooks::place(&row.rulebook, &row.point), Text(&row.rulebook))
        }
        _ => Text(&row.rulebook).to_string(),
    };
    let source = row.article.iter().chain(&row.strength).map(|part| format!(" {}", Text(part)));
    format!("<span>{name}{}</span>", source.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(at_ns: i64, point: &str, rulebook: &str, outcome: &str) -> RulingRow {
        RulingRow {
            rulebook: rulebook.to_owned(),
            at_ns,
            last_ns: None,
            count: 1,
            point: point.to_owned(),
            ruling: "decided".to_owned(),
            outcome: outcome.to_owned(),
            article: None,
            strength: None,
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
            margins: Vec::new(),
            rulings,
            trace_hash: None,
            trace_file: None,
            retried: None,
        };
        let mut page = String::new();
        super::rulings(&mut page, &record, &[]);
        let (at_once, rest) = page.split_once("<details").expect("there is more");
        let instants: Vec<&str> =
            at_once.split("title\">at ").skip(1).filter_map(|text| text.split('<').next()).collect();
        assert_eq!(instants, ["0.000000005 s", "0.000000037 s", "0.000000038 s", "0.000000039 s"]);
        assert!(rest.contains("<summary>76 more questions</summary>"));
        assert_eq!(rest.matches("<h4>").count(), 76);
    }
}
