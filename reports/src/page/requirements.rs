//! What is asked of a clock and what the runs show of it.

use std::collections::BTreeMap;

use flagfall_trace::requirement::Proof;

use super::Shown;
use super::html::{Text, WORST_FIRST, put, words};
use crate::coverage::{Coverage, CoverageRow, OnRig, State};

/// The table of requirements, and what is not covered in so many words.
pub(super) fn write(page: &mut String, coverage: &Coverage, runs: &[Shown]) {
    let mut places: BTreeMap<(&str, &str), &Shown> = BTreeMap::new();
    for shown in runs {
        // Where two runs of a case are on one rig, the worse one is what counts.
        let place = places.entry((shown.rig.as_str(), shown.scenario.as_str())).or_insert(shown);
        if shown.verdict > place.verdict {
            *place = shown;
        }
    }
    page.push_str("<section aria-labelledby=\"requirements\">\n<h2 id=\"requirements\">Requirements</h2>\n");
    page.push_str("<p class=\"note\">Shown: a case passed and none failed. Open: no case gave an answer.</p>\n");
    page.push_str("<div class=\"wide\"><table class=\"stack asked\">\n<thead><tr><th scope=\"col\">requirement</th>");
    for rig in &coverage.rigs {
        put(page, format_args!("<th scope=\"col\">{}</th>", Text(rig)));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &coverage.rows {
        self::row(page, row, &places);
    }
    page.push_str("</tbody></table></div>\n");
    uncovered(page, coverage);
    page.push_str("</section>\n");
}

fn row(page: &mut String, row: &CoverageRow, places: &BTreeMap<(&str, &str), &Shown>) {
    let asked = &row.requirement;
    put(
        page,
        format_args!(
            "<tr><th scope=\"row\">{} {}<br><span class=\"title\">{}</span><br><span class=\"source\">{}</span></th>",
            Text(&asked.id),
            Text(&asked.title),
            Text(&asked.text),
            Text(&asked.source)
        ),
    );
    for on in &row.on {
        put(page, format_args!("<td data-label=\"{}\">", Text(&on.rig)));
        cell(page, on, places);
        page.push_str("</td>");
    }
    page.push_str("</tr>\n");
}

/// The state, and behind the counts the runs that they count.
fn cell(page: &mut String, on: &OnRig, places: &BTreeMap<(&str, &str), &Shown>) {
    put(page, format_args!("<div><span class=\"v {}\">{}</span>", sign(on.state), on.state.words()));
    let counted: Vec<_> =
        WORST_FIRST.into_iter().filter_map(|verdict| Some((verdict, on.cases.get(&verdict)?))).collect();
    if !counted.is_empty() {
        let counts: Vec<String> =
            counted.iter().map(|(verdict, cases)| format!("{} {}", cases.len(), words(*verdict))).collect();
        put(page, format_args!("<details class=\"plain\"><summary>{}</summary><p class=\"cases\">", counts.join(", ")));
        for (verdict, cases) in counted {
            for scenario in cases {
                let id = places.get(&(on.rig.as_str(), scenario.as_str())).map_or("", |shown| shown.id.as_str());
                put(page, format_args!("<a class=\"v {verdict}\" href=\"#{id}\">{}</a> ", Text(scenario)));
            }
        }
        page.push_str("</p></details>");
    }
    page.push_str("</div>");
}

/// The sign of a state is that of the verdict which is most like it.
const fn sign(state: State) -> &'static str {
    match state {
        State::Shown => "pass",
        State::Failed => "fail",
        State::Open => "inconclusive",
        State::NoCase => "not-applicable",
    }
}

/// Everything that these runs do not show, and why where that is known.
fn uncovered(page: &mut String, coverage: &Coverage) {
    let mut lines = Vec::new();
    for row in &coverage.rows {
        let asked = &row.requirement;
        let named = format!("<b>{} {}</b>", Text(&asked.id), Text(&asked.title));
        for (state, what) in [(State::Failed, "failed"), (State::Open, "open")] {
            let rigs: Vec<String> =
                row.on.iter().filter(|on| on.state == state).map(|on| Text(&on.rig).to_string()).collect();
            if !rigs.is_empty() {
                lines.push(format!("{named}: {what} on {}.", rigs.join(", ")));
            }
        }
        if let (Proof::NoCase(why), true) = (&asked.proof, row.on.iter().all(|on| on.state == State::NoCase)) {
            lines.push(format!("{named}: no case. {}", Text(why)));
        }
    }
    if lines.is_empty() {
        return;
    }
    page.push_str("<h3>Not covered</h3>\n<ul>\n");
    for line in lines {
        put(page, format_args!("<li>{line}</li>\n"));
    }
    page.push_str("</ul>\n");
}
