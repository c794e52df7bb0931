//! The first screen: totals, what needs attention, families, points, and the table of all runs.

use flagfall_trace::{Margin, RulebookRow, Verdict};
use std::collections::{BTreeMap, BTreeSet};

use super::html::{AS_TOTALLED, Chip, Text, WORST_FIRST, always_totalled, count, figure, put, words};
use super::{Rig, Shown, measures, requirements, share, timing};
use crate::coverage::Coverage;
use crate::error::ReportError;
use crate::plot::{Plot, StripPlot, StripPoint};
use crate::quantity;
use crate::statistics::Mask;

pub(super) fn write(
    page: &mut String,
    runs: &[Shown],
    rigs: &BTreeMap<String, Rig>,
    coverage: Option<&Coverage>,
    mask: &Mask,
) -> Result<(), ReportError> {
    let scenarios: BTreeSet<&str> = runs.iter().map(|shown| shown.scenario.as_str()).collect();
    page.push_str("<header>\n<h1>flagfall report</h1>\n<p class=\"lead\">");
    let of = [
        count(runs.len(), "run", "runs"),
        count(scenarios.len(), "scenario", "scenarios"),
        count(rigs.len(), "rig", "rigs"),
    ];
    put(page, format_args!("{} of {} on {}.", of[0], of[1], of[2]));
    page.push_str("</p>\n");
    timing::write_worst(page, runs, mask);
    timing::write_jumped(page, rigs);
    contents(page, runs, coverage.is_some());
    page.push_str("</header>\n");
    totals(page, runs, rigs);
    attention(page, runs)?;
    timing::write_overview(page, runs, rigs, mask)?;
    measures::write(page, rigs)?;
    if let Some(coverage) = coverage {
        requirements::write(page, coverage, runs);
    }
    Ok(())
}

/// The first screen's lists, which have more to say with every run: each is given away line by line.
pub(super) fn lists<E>(
    runs: &[Shown],
    said: &[RulebookRow],
    mut give: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut families_of = String::new();
    families(&mut families_of, runs);
    give(&families_of)?;
    points(runs, said, &mut give)?;
    table(runs, &mut give)
}

/// Where to go from here, for those who do not scroll.
fn contents(page: &mut String, runs: &[Shown], asked: bool) {
    let timed = runs.iter().any(|run| run.timing.is_some());
    let places = [
        ("attention", "Worst first", true),
        ("timing", "Timing", timed),
        ("latency", "Latencies", timed),
        ("requirements", "Requirements", asked),
        ("all", "All runs", true),
    ];
    page.push_str("<nav aria-label=\"sections\">");
    for (id, name, _) in places.into_iter().filter(|(.., there)| *there) {
        put(page, format_args!("<a href=\"#{id}\">{name}</a> "));
    }
    page.push_str("</nav>\n");
}

/// Rigs by verdict, with the hash of each rig's traces.
fn totals(page: &mut String, runs: &[Shown], rigs: &BTreeMap<String, Rig>) {
    let some = |verdict: Verdict| always_totalled(verdict) || runs.iter().any(|shown| shown.verdict == verdict);
    let verdicts: Vec<Verdict> = AS_TOTALLED.into_iter().filter(|verdict| some(*verdict)).collect();
    page.push_str("<section aria-labelledby=\"totals\">\n<h2 id=\"totals\">Totals</h2>\n<div class=\"wide\">");
    page.push_str("<table class=\"stack totals\">\n<thead><tr><th scope=\"col\">rig</th>");
    for verdict in &verdicts {
        put(page, format_args!("<th scope=\"col\" class=\"n\">{}</th>", Chip(*verdict)));
    }
    page.push_str("<th scope=\"col\" class=\"n\">runs</th><th scope=\"col\">trace set</th></tr></thead>\n<tbody>\n");
    for (rig, traces) in rigs {
        let of_rig = || runs.iter().filter(|shown| shown.rig == *rig);
        put(page, format_args!("<tr><th scope=\"row\">{}</th>", Text(rig)));
        for verdict in &verdicts {
            let n = of_rig().filter(|shown| shown.verdict == *verdict).count();
            let class = if n == 0 { "n none" } else { "n" };
            put(page, format_args!("<td class=\"{class}\" data-label=\"{}\">{n}</td>", words(*verdict)));
        }
        let hash = traces.hash().unwrap_or_else(|| "no traces".to_owned());
        put(
            page,
            format_args!(
                "<td class=\"n\" data-label=\"runs\">{}</td><td data-label=\"trace set\"><code>{hash}</code></td></tr>\n",
                of_rig().count()
            ),
        );
    }
    page.push_str("</tbody></table></div>\n</section>\n");
}

/// Most runs that are not as they should be which are listed at once.
const WRONG_MAX: usize = 10;

/// Most runs with margins that are listed.
const MARGINS_MAX: usize = 12;

/// What deserves a look, worst first: everything that is not as it should be, then what came nearest to its bound.
fn attention(page: &mut String, runs: &[Shown]) -> Result<(), ReportError> {
    let wrong = wrong(runs);
    let mut near: Vec<(&Shown, &Margin)> = runs
        .iter()
        .filter(|shown| shown.verdict == Verdict::Pass)
        .filter_map(|shown| Some((shown, shown.margin.as_ref()?)))
        .collect();
    near.sort_by(|a, b| share(b.1).total_cmp(&share(a.1)));
    page.push_str("<section aria-labelledby=\"attention\">\n<h2 id=\"attention\">Worst first</h2>\n");
    if wrong.is_empty() {
        put(
            page,
            format_args!(
                "<p class=\"lead\">{}</p>\n",
                if runs.is_empty() { "Nothing was run." } else { "Nothing is wrong." }
            ),
        );
    } else {
        let (first, more) = wrong.split_at(wrong.len().min(WRONG_MAX));
        list(page, first);
        if !more.is_empty() {
            put(
                page,
                format_args!("<details class=\"plain\" id=\"more-wrong\"><summary>{} more</summary>\n", more.len()),
            );
            list(page, more);
            page.push_str("</details>\n");
        }
        on_paper(page, first);
    }
    margins(page, &near);
    strip(page, runs)?;
    page.push_str("</section>\n");
    Ok(())
}

/// All that is not as it should be: by verdict, and among equal ones those with the worst clock first.
fn wrong(runs: &[Shown]) -> Vec<&Shown> {
    let listed = WORST_FIRST.iter().filter(|verdict| !matches!(verdict, Verdict::Pass | Verdict::NotApplicable));
    let of = |verdict: &Verdict| {
        let mut of: Vec<&Shown> = runs.iter().filter(|shown| shown.verdict == *verdict).collect();
        of.sort_by(|a, b| crate::timing::worse(b, a));
        of
    };
    listed.flat_map(of).collect()
}

/// Each of them with why: what is wrong with its time, if that is known, before what a check has found.
fn list(page: &mut String, wrong: &[&Shown]) {
    page.push_str("<ul class=\"wrong\">\n");
    for shown in wrong {
        let found = shown.reason.as_ref().map_or(String::new(), |reason| match &reason.what {
            None => Text(&reason.found).to_string(),
            Some(what) => format!("<b>{}</b>: {}", Text(what), Text(&reason.found)),
        });
        let diagnosis = crate::timing::diagnosis(shown);
        let diagnosis = diagnosis.map_or(String::new(), |words| format!("<b>{}</b><br>", Text(&words)));
        let parts = shown.parts.as_ref().map_or(String::new(), |parts| format!("<br>{}", Text(parts)));
        put(
            page,
            format_args!(
                "<li>{} <a href=\"#{}\">{}</a> <span class=\"rig\">{}</span><br>{diagnosis}{found}{parts}</li>\n",
                Chip(shown.verdict),
                shown.id,
                Text(&shown.scenario),
                Text(&shown.rig),
            ),
        );
    }
    page.push_str("</ul>\n");
}

/// On paper nobody can open anything: the runs that are listed first are printed in full. Of hundreds it would be a book.
fn on_paper(page: &mut String, first: &[&Shown]) {
    let places: Vec<String> = first
        .iter()
        .flat_map(|shown| ["", " details"].map(|inner| format!("[id=\"{}\"]{inner}::details-content", shown.id)))
        .collect();
    put(
        page,
        format_args!(
            "<style>@media print {{ {} {{ content-visibility: visible; block-size: auto; }} }}</style>\n",
            places.join(", ")
        ),
    );
}

/// All runs that were held to a bound, against it; `None` where none was.
pub(crate) fn bounds(runs: &[Shown]) -> Option<StripPlot> {
    let points: Vec<StripPoint> = runs
        .iter()
        .filter_map(|shown| {
            let share = share(shown.margin.as_ref()?);
            Some(StripPoint { strip: shown.rig.clone(), share, passed: shown.verdict == Verdict::Pass })
        })
        .collect();
    let of = "share of the bound that was used (%)".to_owned();
    (!points.is_empty()).then_some(StripPlot { points, of })
}

fn strip(page: &mut String, runs: &[Shown]) -> Result<(), ReportError> {
    let Some(plot) = bounds(runs) else { return Ok(()) };
    let held = count(plot.points.len(), "run", "runs");
    let drawn = plot.svg()?;
    let beyond = match drawn.left_out {
        0 => String::new(),
        n => format!(" {n} far beyond are not drawn."),
    };
    let caption = format!(
        "{held} against the bound that came nearest: a dot for each that passed, a cross for any other, and the line that none \
         may pass.{beyond}"
    );
    figure(page, &drawn.svg, &format!("{held} against their bounds"), &caption);
    Ok(())
}

/// How much of their bounds the runs that passed used, the nearest to failing first.
fn margins(page: &mut String, near: &[(&Shown, &Margin)]) {
    if near.is_empty() {
        return;
    }
    page.push_str(
        "<h3>Smallest margins</h3>\n<p class=\"note\">How much of its bound a run that passed used, where it came ",
    );
    page.push_str(
        "nearest: 100 % is all of it. Where nothing but the exact time is right there is no bound to use.</p>\n",
    );
    page.push_str("<div class=\"wide\"><table class=\"margins\">\n<thead><tr><th scope=\"col\">used</th><th scope=\"col\">scenario</th>");
    page.push_str("<th scope=\"col\">rig</th><th scope=\"col\">of what</th><th scope=\"col\" class=\"n\">off by</th>");
    page.push_str(
        "<th scope=\"col\" class=\"n\">bound</th><th scope=\"col\" class=\"n\">at</th></tr></thead>\n<tbody>\n",
    );
    for (shown, margin) in near.iter().take(MARGINS_MAX) {
        let percent = 100.0 * share(margin);
        put(
            page,
            format_args!(
                "<tr><td><meter min=\"0\" max=\"100\" high=\"80\" value=\"{percent:.1}\"></meter> {percent:.0} %<td><a href=\"#{}\">{}</a><td>{}\
                 <td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}\n",
                shown.id,
                Text(&shown.scenario),
                Text(&shown.rig),
                Text(&margin.of),
                quantity::span(margin.off_ns.into()),
                quantity::span(margin.bound_ns.into()),
                quantity::seconds(margin.at_ns.into()),
            ),
        );
    }
    page.push_str("</tbody></table></div>\n");
    if near.len() > MARGINS_MAX {
        put(page, format_args!("<p class=\"note\">{} more in report.json.</p>\n", near.len() - MARGINS_MAX));
    }
}

fn family(shown: &Shown) -> &str {
    shown.scenario.split_once('/').map_or("no family", |(family, _)| family)
}

/// Families with their scenarios and how many of their runs came out how.
fn families(page: &mut String, runs: &[Shown]) {
    let mut families: BTreeMap<&str, Vec<&Shown>> = BTreeMap::new();
    for shown in runs {
        families.entry(family(shown)).or_default().push(shown);
    }
    page.push_str(
        "<section aria-labelledby=\"families\">\n<h2 id=\"families\">Families</h2>\n<div class=\"wide\"><table>\n",
    );
    page.push_str("<thead><tr><th scope=\"col\">family</th><th scope=\"col\" class=\"n\">scenarios</th>");
    page.push_str("<th scope=\"col\">runs</th></tr></thead>\n<tbody>\n");
    for (family, runs) in families {
        let scenarios: BTreeSet<&str> = runs.iter().map(|shown| shown.scenario.as_str()).collect();
        let mut came_out = Vec::new();
        for verdict in WORST_FIRST {
            let n = runs.iter().filter(|shown| shown.verdict == verdict).count();
            if n > 0 {
                came_out.push(format!("<span class=\"v {verdict}\">{n} {}</span>", words(verdict)));
            }
        }
        put(
            page,
            format_args!(
                "<tr><th scope=\"row\"><button class=\"filter\" data-filter=\"{0}/\">{0}</button></th>\
                 <td class=\"n\">{1}</td><td>{2}</td></tr>\n",
                Text(family),
                scenarios.len(),
                came_out.join(" ")
            ),
        );
    }
    page.push_str("</tbody></table></div>\n</section>\n");
}

/// Rule points and the scenarios that are cases for them.
fn points<E>(runs: &[Shown], said: &[RulebookRow], give: &mut impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
    let asked: BTreeMap<&str, &str> = said
        .iter()
        .flat_map(|book| &book.entries)
        .map(|entry| (entry.point.as_str(), entry.question.as_str()))
        .collect();
    let mut points: BTreeMap<&str, BTreeMap<&str, Vec<&Shown>>> = BTreeMap::new();
    for shown in runs {
        for point in &shown.points {
            points.entry(point).or_default().entry(&shown.scenario).or_default().push(shown);
        }
    }
    if points.is_empty() {
        return Ok(());
    }
    give("<section aria-labelledby=\"points\">\n<h2 id=\"points\">Rule points</h2>\n<table class=\"points\">\n")?;
    give(
        "<thead><tr><th scope=\"col\">point</th><th scope=\"col\">question</th><th scope=\"col\" class=\"n\">cases</th>",
    )?;
    give("<th scope=\"col\">scenarios</th></tr></thead>\n<tbody>\n")?;
    let mut line = String::new();
    for (point, scenarios) in points {
        line.clear();
        put(
            &mut line,
            format_args!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"n\">{}</td><td class=\"cases\">",
                Text(point),
                Text(asked.get(point).unwrap_or(&"")),
                scenarios.len()
            ),
        );
        for (scenario, cases) in scenarios {
            let worst = cases.iter().map(|shown| shown.verdict).max().unwrap_or(Verdict::Infra);
            let first = cases.iter().find(|shown| shown.verdict == worst).map_or("", |shown| shown.id.as_str());
            put(&mut line, format_args!("<a class=\"v {worst}\" href=\"#{first}\">{}</a> ", Text(scenario)));
            give(&line)?;
            line.clear();
        }
        give("</td></tr>\n")?;
    }
    give("</tbody></table>\n</section>\n")
}

/// All runs, with a box to filter them.
fn table<E>(runs: &[Shown], give: &mut impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
    give("<section aria-labelledby=\"all\">\n<h2 id=\"all\">All runs</h2>\n")?;
    give("<p class=\"find\"><label>Filter <input id=\"filter\" type=\"search\" autocomplete=\"off\" ")?;
    give("placeholder=\"words of the row: fail sim H2\"></label> <output id=\"matches\"></output></p>\n")?;
    give("<div class=\"wide\"><table id=\"table\" class=\"rows\">\n<thead><tr><th scope=\"col\">verdict</th>")?;
    give("<th scope=\"col\">scenario</th><th scope=\"col\">rig</th><th scope=\"col\">points</th>")?;
    give("<th scope=\"col\" class=\"n\">checks</th><th scope=\"col\">trace</th></tr></thead>\n<tbody>\n")?;
    let mut line = String::new();
    for shown in runs {
        line.clear();
        put(
            &mut line,
            format_args!(
                "<tr><td>{}<td><a href=\"#{id}\">{}</a><br><span class=\"title\">{}</span>\
                 <td>{}<td>{}<td class=\"n\">{}/{}<td><code>{}</code>\n",
                Chip(shown.verdict),
                Text(&shown.scenario),
                Text(&shown.title),
                Text(&shown.rig),
                Text(&shown.points.join(" ")),
                shown.passed,
                shown.checks,
                Text(shown.trace_hash.as_deref().unwrap_or("none")),
                id = shown.id,
            ),
        );
        give(&line)?;
    }
    give("</tbody></table></div>\n</section>\n")
}
