//! A comparison as one page that needs nothing else: what has changed comes first, with both distributions.

use super::comparison::{number, signed};
use super::{Change, Comparison, Row};
use crate::error::ReportError;
use crate::page::html::{Text, count, figure, put};
use crate::page::opened;
use crate::plot::Plot;

impl Comparison {
    /// The page; the same bytes for the same comparison.
    ///
    /// # Errors
    /// [`ReportError::Plot`] when a plot cannot be drawn.
    pub fn html(&self) -> Result<String, ReportError> {
        let mut page = opened("flagfall baseline comparison");
        let mut rows: Vec<&Row> = self.measures.iter().collect();
        rows.sort_by_key(|row| row.verdict.rank());
        head(&mut page, self, &rows);
        table(&mut page, self, &rows);
        for row in rows {
            section(&mut page, row)?;
        }
        self.rest(&mut page);
        page.push_str("</body>\n</html>\n");
        Ok(page)
    }

    /// Scenarios that are on one side only.
    fn rest(&self, page: &mut String) {
        if self.missing.is_empty() && self.unknown == 0 {
            return;
        }
        page.push_str("<section aria-labelledby=\"rest\">\n<h2 id=\"rest\">Not compared</h2>\n");
        if !self.missing.is_empty() {
            let missing = count(self.missing.len(), "scenario", "scenarios");
            put(page, format_args!("<p>{missing} of the baseline with nothing to compare:</p>\n<ul>"));
            for scenario in &self.missing {
                put(page, format_args!("<li>{}</li>\n", Text(scenario)));
            }
            page.push_str("</ul>\n");
        }
        if self.unknown > 0 {
            let unknown = count(self.unknown, "scenario", "scenarios");
            put(page, format_args!("<p>{unknown} not in the baseline.</p>\n"));
        }
        page.push_str("</section>\n");
    }
}

impl Change {
    /// What a reader wants to see first.
    const fn rank(self) -> u8 {
        match self {
            Self::Changed => 0,
            Self::Undecided => 1,
            Self::Same => 2,
            Self::Equal => 3,
        }
    }

    /// In a word, with a sign of its own shape, so that colour is not needed.
    const fn chip(self) -> &'static str {
        match self {
            Self::Changed => "<span class=\"v fail\">changed</span>",
            Self::Undecided => "<span class=\"v inconclusive\">undecided</span>",
            Self::Same => "<span class=\"v pass\">same</span>",
            Self::Equal => "<span class=\"v pass\">equal</span>",
        }
    }
}

fn head(page: &mut String, comparison: &Comparison, rows: &[&Row]) {
    let of = |verdict: Change| -> Vec<&Row> { rows.iter().copied().filter(|row| row.verdict == verdict).collect() };
    let (changed, undecided) = (of(Change::Changed), of(Change::Undecided));
    page.push_str("<header>\n<h1>Has it got worse?</h1>\n");
    let measures = count(rows.len(), "measure", "measures");
    put(page, format_args!("<p class=\"lead\">{measures} on {}, before and now.</p>\n", Text(&comparison.rig)));
    let bad = !(changed.is_empty() && undecided.is_empty() && comparison.missing.is_empty());
    put(page, format_args!("<p class=\"worst{}\">", if bad { " bad" } else { "" }));
    match changed.first() {
        Some(_) => {
            let names: Vec<&str> = changed.iter().map(|row| row.measure.name()).collect();
            let have = if changed.len() == 1 { "has" } else { "have" };
            put(page, format_args!("<b>{} {have} changed.</b>", names.join(", ")));
            for row in changed {
                let most = row.most.as_ref().map_or(String::new(), |(scenario, change)| {
                    format!(", most in {}: {} {}", Text(scenario), signed(*change), Text(&row.unit))
                });
                put(page, format_args!(" {}: {}{most}.", sentence(row.measure.title()), Text(&row.figures())));
            }
        }
        None if undecided.is_empty() => page.push_str("<b>Nothing has changed.</b>"),
        None => page.push_str("<b>Nothing is certain to have changed.</b>"),
    }
    if !undecided.is_empty() {
        let names: Vec<&str> = undecided.iter().map(|row| row.measure.name()).collect();
        put(page, format_args!(" Too few scenarios differ to tell from chance: {}.", Text(&names.join(", "))));
    }
    if !comparison.missing.is_empty() {
        let missing = count(comparison.missing.len(), "scenario", "scenarios");
        put(page, format_args!(" {missing} of the baseline could not be <a href=\"#rest\">compared</a>."));
    }
    page.push_str("</p>\n");
    let how = if comparison.without_chance {
        "In virtual time nothing is left to chance: a difference is a change, if it is as large as matters in any one scenario."
            .to_owned()
    } else {
        format!(
            "A scenario before and now is a pair. A change is one that chance explains with p of at most {} after Holm\u{2019}s \
             correction, and that is as large as matters. Intervals are of 95 %.",
            comparison.alpha
        )
    };
    put(page, format_args!("<p class=\"note\">{how}</p>\n</header>\n"));
}

fn table(page: &mut String, comparison: &Comparison, rows: &[&Row]) {
    page.push_str(
        "<section aria-labelledby=\"all\">\n<h2 id=\"all\">Measures</h2>\n<div class=\"wide\"><table>\n<thead><tr>",
    );
    page.push_str("<th scope=\"col\">verdict<th scope=\"col\">measure");
    for name in ["before", "now", "change", "matters from"] {
        put(page, format_args!("<th scope=\"col\" class=\"n\">{name}"));
    }
    if !comparison.without_chance {
        page.push_str("<th scope=\"col\" class=\"n\">p<th scope=\"col\" class=\"n\">p, Holm");
    }
    page.push_str(
        "<th scope=\"col\" class=\"n\">scenarios<th scope=\"col\" class=\"n\">that differ</tr></thead>\n<tbody>\n",
    );
    for row in rows {
        let unit = Text(&row.unit);
        put(
            page,
            format_args!(
                "<tr><td>{}<th scope=\"row\"><a href=\"#{}\">{}</a><td class=\"n\">{} {unit}<td class=\"n\">{} {unit}<td class=\"n\">{}\
                 <td class=\"n\">{} {unit}",
                row.verdict.chip(),
                row.measure.name(),
                Text(row.measure.title()),
                number(row.before),
                number(row.now),
                Text(&row.moved()),
                row.smallest
            ),
        );
        if !comparison.without_chance {
            let p = |p: Option<f64>| p.map_or(String::new(), likely);
            put(page, format_args!("<td class=\"n\">{}<td class=\"n\">{}", p(row.p), p(row.p_holm)));
        }
        put(page, format_args!("<td class=\"n\">{}<td class=\"n\">{}</tr>\n", row.pairs, row.different));
    }
    page.push_str("</tbody></table></div>\n</section>\n");
}

/// A measure with both distributions.
fn section(page: &mut String, row: &Row) -> Result<(), ReportError> {
    let (name, title) = (row.measure.name(), row.measure.title());
    put(
        page,
        format_args!(
            "<section aria-labelledby=\"{name}\">\n<h2 id=\"{name}\">{} {}</h2>\n<p>{}.</p>\n",
            sentence(title),
            row.verdict.chip(),
            Text(&row.text())
        ),
    );
    let drawn = row.plot().svg()?;
    figure(
        page,
        &drawn.svg,
        &format!("{title}, before and now: {}", row.figures()),
        "The share of all values that are not above, before (dashed) and now, of scenarios that have a partner and of others.",
    );
    page.push_str("</section>\n");
    Ok(())
}

/// A title at the beginning of a sentence, as text of a page.
fn sentence(title: &str) -> String {
    let mut chars = title.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    Text(&(first + chars.as_str())).to_string()
}

/// A probability with four digits behind the point.
fn likely(p: f64) -> String {
    if p < 1e-4 { "&lt; 0.0001".to_owned() } else { format!("{p:.4}") }
}

impl Row {
    /// `182.1 ns before, 193.4 ns now, +11.3 ± 0.2 ns`.
    fn figures(&self) -> String {
        let unit = &self.unit;
        format!("{} {unit} before, {} {unit} now, {}", number(self.before), number(self.now), self.moved())
    }

    /// The change with its interval.
    fn moved(&self) -> String {
        let half_width = self.half_width.map_or_else(|| "?".to_owned(), number);
        format!("{} ± {half_width} {}", signed(self.change), self.unit)
    }
}
