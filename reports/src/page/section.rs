//! One run: what was checked, what was ruled, what happened.

use std::fmt::Write;

use flagfall_trace::{RulingRow, RunRecord};

use super::html::{Chip, Text, count};
use super::{Shown, data, measures};
use crate::error::ReportError;
use crate::junit::subject;
use crate::quantity;
use crate::words;

pub(super) fn write(page: &mut String, shown: &Shown) -> Result<(), ReportError> {
    let record = &shown.run.record;
    put(
        page,
        format_args!(
            "<details class=\"run\" id=\"{}\">\n<summary>{} <span class=\"name\">{}</span> <span class=\"rig\">{}</span></summary>\n",
            shown.id,
            Chip(record.verdict),
            Text(&record.scenario),
            Text(&record.rig)
        ),
    );
    head(page, shown);
    checks(page, record);
    rulings(page, record);
    match &shown.run.trace {
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

fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("a string takes all that is written to it");
}

fn head(page: &mut String, shown: &Shown) {
    let record = &shown.run.record;
    put(page, format_args!("<p class=\"lead\">{}</p>\n<dl class=\"facts\">\n", Text(&record.title)));
    let mut fact = |name: &str, text: &str| {
        put(page, format_args!("<div><dt>{name}</dt><dd>{}</dd></div>\n", Text(text)));
    };
    if !record.points.is_empty() {
        fact("rule points", &record.points.join(" "));
    }
    if let Some(trace) = &shown.run.trace {
        let plan = &trace.plan;
        fact("clock", &words::setup(&plan.setup, plan.tick_rate));
        if plan.oscillator_ppb != 0 {
            fact("simulated oscillator", &quantity::ppm(plan.oscillator_ppb));
        }
        if plan.seed != 0 {
            fact("seed", &plan.seed.to_string());
        }
        fact("records", &trace.records.len().to_string());
    }
    if let Some(hash) = &record.trace_hash {
        fact("trace", hash);
    }
    if let Some(reason) = &record.reason {
        fact("reason", reason);
    }
    page.push_str("</dl>\n");
}

fn checks(page: &mut String, record: &RunRecord) {
    put(page, format_args!("<h3>{}</h3>\n", count(record.checks.len(), "check", "checks")));
    if record.checks.is_empty() {
        return;
    }
    page.push_str("<table class=\"stack\">\n<thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">about</th>");
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

/// Each question at its instant, with what every rulebook says about it side by side.
fn rulings(page: &mut String, record: &RunRecord) {
    if record.rulings.is_empty() {
        return;
    }
    page.push_str("<h3>Rulings</h3>\n");
    let mut rows: Vec<&RulingRow> = record.rulings.iter().collect();
    rows.sort_by_key(|row| (row.at_ns, &row.point));
    for question in rows.chunk_by(|a, b| (a.at_ns, &a.point) == (b.at_ns, &b.point)) {
        let Some(first) = question.first() else { continue };
        put(
            page,
            format_args!(
                "<h4>{} <span class=\"title\">at {}</span></h4>\n<div class=\"rulings\">\n",
                Text(&first.point),
                quantity::seconds(first.at_ns.into())
            ),
        );
        for row in question {
            ruling(page, row);
        }
        page.push_str("</div>\n");
    }
}

fn ruling(page: &mut String, row: &RulingRow) {
    put(
        page,
        format_args!(
            "<article class=\"ruling\">\n<h5>{}</h5>\n<p class=\"outcome\"><span class=\"decision\">{}</span> {}</p>\n",
            Text(&row.rulebook),
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
    page.push_str("</article>\n");
}
