//! The summary that is put under a pull request: totals, what is wrong, what came near, in Markdown.

use std::fmt::Write;

use flagfall_trace::Verdict;

use super::{Report, line};
use crate::page::{html::WORST_FIRST, html::words, share};
use crate::quantity;

/// Most runs of a list; the others are counted.
const ROWS_MAX: usize = 20;

impl Report {
    /// The summary in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = "## flagfall\n\n".to_owned();
        if let Some(worst) = &self.worst {
            let of = worst.scenario.iter().zip(&worst.rig).map(|(scenario, rig)| match worst.by {
                "" => format!(" ({scenario} on {rig})"),
                by => format!(" {by} {scenario} on {rig}."),
            });
            put(&mut text, &format!("{}{}\n", cell(&worst.words), cell(&of.collect::<String>())));
        }
        self.totals(&mut text);
        self.wrong(&mut text);
        self.measured(&mut text);
        self.timed(&mut text);
        self.near(&mut text);
        text
    }

    fn totals(&self, text: &mut String) {
        let there = |verdict: &Verdict| self.rigs.iter().any(|rig| rig.verdicts.contains_key(verdict.name()));
        let verdicts: Vec<Verdict> =
            WORST_FIRST.into_iter().filter(|verdict| *verdict == Verdict::Pass || there(verdict)).collect();
        let heads: Vec<&str> = verdicts.iter().map(|verdict| words(*verdict)).collect();
        put(text, &format!("| rig | {} | trace set |", heads.join(" | ")));
        put(text, &format!("|---|{}---|", "--:|".repeat(verdicts.len())));
        for rig in &self.rigs {
            let counts: Vec<String> = verdicts
                .iter()
                .map(|verdict| rig.verdicts.get(verdict.name()).copied().unwrap_or(0).to_string())
                .collect();
            let set = rig.trace_set.as_ref().map_or("none".to_owned(), |set| format!("`{set}`"));
            put(text, &format!("| {} | {} | {set} |", cell(&rig.rig), counts.join(" | ")));
        }
    }

    fn wrong(&self, text: &mut String) {
        let mut wrong: Vec<_> =
            self.runs.iter().filter(|run| !matches!(run.verdict, Verdict::Pass | Verdict::NotApplicable)).collect();
        let rank = |verdict: Verdict| WORST_FIRST.iter().position(|other| *other == verdict);
        wrong.sort_by_key(|run| rank(run.verdict));
        if wrong.is_empty() {
            return;
        }
        put(text, "\n### What is wrong\n\n| verdict | scenario | rig | why |\n|---|---|---|---|");
        for run in wrong.iter().take(ROWS_MAX) {
            let reason = run.reason.as_deref().unwrap_or_default();
            let parts = run.parts.as_ref().map_or(String::new(), |parts| format!("; {parts}"));
            let why = cell(&format!("{reason}{parts}"));
            put(
                text,
                &format!("| **{}** | {} | {} | {why} |", words(run.verdict), cell(&run.scenario), cell(&run.rig)),
            );
        }
        more(text, wrong.len());
    }

    fn measured(&self, text: &mut String) {
        let rigs = self.rigs.iter().filter(|rig| rig.measured() || rig.jumped);
        let lines: Vec<String> = rigs
            .map(|rig| {
                let jumped = rig.jumped.then(|| line::JUMPED.to_owned());
                let drift = jumped.into_iter().chain(rig.drift.iter().map(line::drift));
                let parts = drift.chain(rig.latency.iter().map(line::latency));
                format!("- {}: {}", cell(&rig.rig), parts.collect::<Vec<_>>().join("; "))
            })
            .collect();
        if !lines.is_empty() {
            put(text, &format!("\n### Measured\n\n{}", lines.join("\n")));
        }
    }

    /// The runs that use most of the mask, and what is wrong with them.
    fn timed(&self, text: &mut String) {
        let mut timed: Vec<_> = self
            .runs
            .iter()
            .filter_map(|run| Some((run, run.timing.as_ref().filter(|timing| !timing.on_purpose)?)))
            .filter_map(|(run, timing)| Some((run, timing, timing.mask.as_ref()?)))
            .filter(|(_, timing, mask)| {
                mask.share > 0.0 || timing.findings.iter().any(|finding| finding.brief.is_some())
            })
            .collect();
        timed.sort_by(|a, b| b.2.share.total_cmp(&a.2.share));
        if timed.is_empty() {
            return;
        }
        put(
            text,
            &format!(
                "\n### Timing, by the mask {}\n\n| mask used | mask | scenario | rig | rate | S | D | what is wrong |\n|--:|---|---|---|--:|--:|--:|---|",
                cell(&self.mask.name)
            ),
        );
        for (run, timing, mask) in timed.iter().take(5) {
            let rate = timing
                .rate
                .as_ref()
                .map_or("not known".to_owned(), |rate| quantity::interval_ppm(rate.ppm, rate.half_width_ppm));
            let (s, d) = timing.game.as_ref().map_or((String::new(), String::new()), |game| {
                let doubt = quantity::short(game.half_width_ns as f64);
                let of = |ns: f64| format!("{} ± {doubt}", quantity::signed(ns));
                (of(game.s_ns as f64), of(game.d_ns))
            });
            let wrong: Vec<&str> = timing.findings.iter().filter_map(|finding| finding.brief.as_deref()).collect();
            let row = format!(
                "| {:.1} % | {} | {} | {} | {rate} | {s} | {d} | {} |",
                100.0 * mask.share,
                mask.verdict,
                cell(&run.scenario),
                cell(&run.rig),
                cell(&wrong.join("; "))
            );
            put(text, &row);
        }
    }

    fn near(&self, text: &mut String) {
        let mut near: Vec<_> = self
            .runs
            .iter()
            .filter(|run| run.verdict == Verdict::Pass)
            .filter_map(|run| Some((run, run.margin.as_ref()?)))
            .collect();
        near.sort_by(|a, b| share(b.1).total_cmp(&share(a.1)));
        if near.is_empty() {
            return;
        }
        put(
            text,
            "\n### Smallest margins\n\n| bound used | scenario | rig | of what | off by | bound |\n|--:|---|---|---|--:|--:|",
        );
        for (run, margin) in near.iter().take(5) {
            let row = format!(
                "| {:.0} % | {} | {} | {} | {} | {} |",
                100.0 * share(margin),
                cell(&run.scenario),
                cell(&run.rig),
                cell(&margin.of),
                quantity::span(margin.off_ns.into()),
                quantity::span(margin.bound_ns.into())
            );
            put(text, &row);
        }
    }
}

fn put(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes all that is written to it");
}

fn more(text: &mut String, all: usize) {
    if all > ROWS_MAX {
        put(text, &format!("\n{} more.", all - ROWS_MAX));
    }
}

/// Text that stays in its cell and is no markup of its own.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => cell.extend(['\\', c]),
            '<' => cell.push_str("&lt;"),
            '&' => cell.push_str("&amp;"),
            c if c.is_control() => cell.push(' '),
            c => cell.push(c),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_cell() {
        assert_eq!(cell("a|b\n<img> `x` [l](u) _e_"), "a\\|b &lt;img> \\`x\\` \\[l\\](u) \\_e\\_");
    }
}
