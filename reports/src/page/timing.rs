//! How wrong the clocks are and how sure that is: the overview of all runs, and the part of one.

use std::collections::BTreeMap;

use super::html::{Text, count, figure, put};
use super::{Rig, Shown};
use crate::error::ReportError;
use crate::game::{Account, Budget};
use crate::plot::{
    BudgetPlot, FairnessPlot, JitterPlot, MoveError, MtiePlot, Plot, StabilityPlot, StripPlot, StripPoint, Term,
};
use crate::quantity;
use crate::statistics::{Basis, Mask, MaskVerdict, Rates};
use crate::timing::{
    DriftRow, GameRow, POINTS_MIN, Timing, TimingRow, WATCHED, basis, mask_words, upper_first, verdict_reason,
    verdict_word, worst,
};
use flagfall_core::Side;

/// What is charged too much by less than this is told in words and not drawn, in nanoseconds.
const DRAWN_MIN_NS: f64 = 100_000.0;

/// The first lines of the page: which clock is worst, why, and by how much.
pub(super) fn write_worst(page: &mut String, runs: &[Shown], mask: &Mask) {
    let Some(worst) = worst(runs, mask) else { return };
    let class = if worst.is_bad || worst.fails { "worst bad" } else { "worst" };
    put(page, format_args!("<p class=\"{class}\"><b>{}.</b> {}", Text(&worst.head), Text(&worst.words)));
    if let Some(run) = worst.run {
        let by = if worst.by.is_empty() { "See" } else { worst.by };
        put(page, format_args!(" {by} <a href=\"#{}\">{} on {}</a>.", run.id, Text(&run.scenario), Text(&run.rig)));
    }
    page.push_str("</p>\n");
}

/// Of which rigs nothing is said about a rate, because their time was jumped.
pub(super) fn write_jumped(page: &mut String, rigs: &BTreeMap<String, Rig>) {
    for (name, _) in rigs.iter().filter(|(_, rig)| rig.jumped) {
        put(
            page,
            format_args!(
                "<p class=\"note\"><b>Jumped time on {}.</b> While nothing was due its counters were moved on instead of waited \
                 for: rate, drift, accounts and mask are not applicable.</p>\n",
                Text(name)
            ),
        );
    }
}

/// All runs against the mask, the longest one of each rig, and a table for those who compare.
pub(super) fn write_overview(
    page: &mut String,
    runs: &[Shown],
    rigs: &BTreeMap<String, Rig>,
    mask: &Mask,
) -> Result<(), ReportError> {
    if runs.iter().all(|run| run.timing.is_none()) {
        return Ok(());
    }
    page.push_str("<section aria-labelledby=\"timing\">\n<h2 id=\"timing\">Timing</h2>\n");
    put(
        page,
        format_args!(
            "<p class=\"note\">The time error is device time minus true time: above zero the device is fast, and the side on move \
             loses time too soon. The mask {} (flagfall's own: no federation has published one) limits how far it may move within \
             any span. A run passes when nothing that its stamps leave open is beyond, fails when nothing is within, and is \
             inconclusive otherwise.</p>\n",
            Text(&mask_words(mask))
        ),
    );
    write_strip(page, runs, mask)?;
    write_table(page, runs);
    for (name, rig) in rigs {
        if let Some(longest) = &rig.longest {
            write_longest(page, name, longest, mask)?;
        }
    }
    page.push_str("</section>\n");
    Ok(())
}

/// Each run that is no fault of its scenario against the mask; `None` where there is none.
pub(crate) fn strip(runs: &[Shown], mask: &Mask) -> Option<StripPlot> {
    let timed = runs.iter().filter_map(|run| Some((run, run.timing.as_ref()?)));
    let own = timed.filter(|(_, row)| !row.on_purpose && row.mask.is_some());
    let points: Vec<StripPoint> = own
        .map(|(run, row)| StripPoint {
            strip: run.rig.clone(),
            share: row.share,
            passed: !matches!(row.mask, Some(MaskVerdict::Breach { .. } | MaskVerdict::Rate(_))),
        })
        .collect();
    let of = format!("share of the mask {} that was used (%)", mask.name);
    (!points.is_empty()).then_some(StripPlot { points, of })
}

fn write_strip(page: &mut String, runs: &[Shown], mask: &Mask) -> Result<(), ReportError> {
    let Some(plot) = strip(runs, mask) else { return Ok(()) };
    let timed = runs.iter().filter_map(|run| run.timing.as_ref());
    let on_purpose = timed.filter(|row| row.on_purpose).count();
    let failed = plot.points.iter().filter(|point| !point.passed).count();
    let held = count(plot.points.len(), "run", "runs");
    let drawn = plot.svg()?;
    let mut caption = format!(
        "{held} against the mask: a dot for each, a cross for one that fails it ({failed}), and the line that none may pass."
    );
    if drawn.left_out > 0 {
        caption += &format!(" {} far beyond are counted at the edge.", drawn.left_out);
    }
    if on_purpose > 0 {
        let are = if on_purpose == 1 { "is" } else { "are" };
        let runs = count(on_purpose, "run", "runs");
        caption += &format!(" {runs} whose scenario makes the clock wrong itself {are} left out.");
    }
    caption += &without_a_verdict(runs);
    figure(page, &drawn.svg, &format!("{held} against the mask {}, {failed} beyond it", mask.name), &caption);
    Ok(())
}

/// Most runs without a verdict that are named in a caption.
const NAMED_MAX: usize = 3;

/// Runs that no mask can be held against, by name where they are few.
fn without_a_verdict(runs: &[Shown]) -> String {
    let few = |row: &TimingRow| !row.on_purpose && !row.watched && row.mask.is_none();
    let left: Vec<&str> =
        runs.iter().filter(|run| run.timing.as_ref().is_some_and(few)).map(|run| run.scenario.as_str()).collect();
    match left[..] {
        [] => String::new(),
        [..] if left.len() <= NAMED_MAX => {
            format!(" Left out for having no two stamps at different instants: {}.", Text(&left.join(", ")))
        }
        _ => format!(" {} with no two stamps at different instants are left out.", count(left.len(), "run", "runs")),
    }
}

fn write_table(page: &mut String, runs: &[Shown]) {
    page.push_str("<details class=\"plain\" id=\"rates\"><summary>Rate, errors and verdict of every run</summary>\n<p class=\"note\">");
    page.push_str("Rate: guaranteed, from all stamps, if it was constant. 95 %: by the estimator that fits the noise, from stamps at ");
    page.push_str("even distances. S: what both sides were charged too much together. D: half of what White was charged too much more ");
    page.push_str(
        "than Black.</p>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">scenario<th scope=\"col\">rig",
    );
    for name in ["rate", "95 %", "S", "D"] {
        put(page, format_args!("<th scope=\"col\" class=\"n\">{name}"));
    }
    page.push_str("<th scope=\"col\">mask<th scope=\"col\">what is wrong</tr></thead>\n<tbody>\n");
    for run in runs {
        let Some(row) = &run.timing else { continue };
        // What HTML lets be left out is left out: there may be hundreds of these.
        put(
            page,
            format_args!(
                "<tr><td><a href=\"#{id}\">{}</a><td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}<td>{}<td>{}{}\n",
                Text(&run.scenario),
                Text(&run.rig),
                rate_cell(row),
                row.drift.as_ref().map_or(String::new(), |row| interval(&row.drift_rates())),
                row.game.map_or(String::new(), |game| quantity::signed(game.sum_ns as f64)),
                row.game.map_or(String::new(), |game| quantity::signed(game.difference_ns)),
                row.mask.as_ref().map_or(String::new(), chip),
                if row.on_purpose { "on purpose" } else { "" },
                wrong_cell(row),
                id = run.id,
            ),
        );
    }
    page.push_str("</tbody></table></div></details>\n");
}

/// What is wrong by signature, in a few words; nothing where nothing need be.
fn wrong_cell(row: &TimingRow) -> String {
    let wrong: Vec<&str> = row.findings.iter().filter_map(|finding| finding.brief.as_deref()).collect();
    match wrong.is_empty() {
        true => String::new(),
        false => format!("{}{}", if row.on_purpose { ": " } else { "" }, Text(&wrong.join("; "))),
    }
}

fn rate_cell(row: &TimingRow) -> String {
    match row.rates {
        None if row.watched => "not measured".to_owned(),
        Some(rates) => interval(&rates),
        None if row.rate_changed => "not constant".to_owned(),
        None => "not known".to_owned(),
    }
}

fn words_of(row: &TimingRow) -> String {
    row.findings.iter().map(|finding| finding.words.as_str()).collect::<Vec<_>>().join("; ")
}

/// The word of a mask's verdict with its sign.
fn chip(verdict: &MaskVerdict) -> String {
    let word = verdict_word(verdict);
    format!("<span class=\"v {word}\">{word}</span>")
}

fn interval(rates: &Rates) -> String {
    quantity::interval_ppm(1e6 * rates.centre(), 1e6 * rates.half_width())
}

/// The run of a rig of which most can be told.
pub(crate) struct Longest {
    pub(crate) scenario: String,
    pub(crate) id: String,
    pub(crate) even: crate::timing::Even,
    pub(crate) on_purpose: bool,
}

impl Longest {
    /// Whether this one tells more: noise before none, a clock that is not made wrong before one that is, then length, and
    /// one kind of noise before several.
    pub(crate) fn is_better_than(&self, other: &Self) -> bool {
        let told = |one: &Self| one.even.drift().is_some_and(|drift| drift.basis != Basis::Unknown);
        let rank = |one: &Self| (!one.even.is_silent(), !one.on_purpose, one.even.series.points(), told(one));
        rank(self) > rank(other)
    }
}

impl Longest {
    pub(crate) fn deviations(&self) -> StabilityPlot {
        let [oadev, mdev] = self.even.deviations();
        StabilityPlot { oadev, mdev, quantum_ns: self.even.resolution.get() as f64 }
    }

    pub(crate) fn excursions(&self, mask: &Mask) -> MtiePlot {
        MtiePlot { points: self.even.excursions(), mask: mask.clone() }
    }

    pub(crate) fn jitter(&self) -> JitterPlot {
        let resolution_ns = i64::try_from(self.even.resolution.get()).unwrap_or(i64::MAX);
        JitterPlot { periods_ns: self.even.periods_ns(), resolution_ns }
    }
}

/// Deviations, MTIE and period jitter of the longest run of a rig.
fn write_longest(page: &mut String, rig: &str, longest: &Longest, mask: &Mask) -> Result<(), ReportError> {
    let series = &longest.even.series;
    let tau0 = quantity::about(series.tau0() as f64);
    put(
        page,
        format_args!(
            "<h3>Longest run on {}</h3>\n<p class=\"note\"><a href=\"#{}\">{}</a>{}: {} stamps at even distances of {tau0}, over {}.",
            Text(rig),
            longest.id,
            Text(&longest.scenario),
            if longest.on_purpose { ", made wrong on purpose" } else { "" },
            series.points(),
            quantity::about(series.duration())
        ),
    );
    if let Some(drift) = longest.even.drift() {
        let row = DriftRow { drift, noise: longest.even.noise(), points: series.points(), tau0_ns: series.tau0() };
        put(page, format_args!(" {}", drift_words(&row)));
    }
    page.push_str("</p>\n");
    if longest.even.is_silent() {
        page.push_str(
            "<p>No stamp is further from the line than what one resolves: there is no noise to be shown.</p>\n",
        );
        return Ok(());
    }
    let step = quantity::short(longest.even.resolution.get() as f64);
    page.push_str("<details class=\"plain\" open><summary>Deviations, MTIE and jitter</summary>\n");
    let drawn = longest.deviations().svg()?;
    figure(
        page,
        &drawn.svg,
        "Allan deviations over averaging time",
        &format!(
            "Overlapping and modified Allan deviation with intervals of 95 %, on octaves up to a third of the run. Thin lines have the \
             slopes of white phase (-1), white frequency (-1/2) and random walk (+1/2) noise; dots are what steps of {step} alone make."
        ),
    );
    let drawn = longest.excursions(mask).svg()?;
    let dropped = left_out(drawn.left_out);
    figure(
        page,
        &drawn.svg,
        "MTIE over observation time, with the mask",
        &format!(
            "The farthest that the time error moved within any span, and what the mask {} allows.{dropped}",
            Text(&mask.name)
        ),
    );
    let drawn = longest.jitter().svg()?;
    let dropped = left_out(drawn.left_out);
    figure(
        page,
        &drawn.svg,
        "Jitter of the period between stamps",
        &format!("What the device counted from each stamp to the next, {tau0} of true time, beside its mean.{dropped}"),
    );
    page.push_str("</details>\n");
    Ok(())
}

fn left_out(n: usize) -> String {
    if n == 0 { String::new() } else { format!(" {} cannot be drawn.", count(n, "point", "points")) }
}

/// `Drift +20.0003 ± 0.0002 ppm (95 %; end points, white FM): ...`.
fn drift_words(row: &DriftRow) -> String {
    let noise = row.noise.map_or("no noise beyond the steps of its counter".to_owned(), |noise| noise.to_string());
    format!(
        "Drift {} (95 %, by {}); from {} stamps {} apart the noise is told as: {noise}.",
        interval(&row.drift_rates()),
        basis(row.drift.basis),
        row.points,
        quantity::about(row.tau0_ns as f64)
    )
}

/// All that there is to say of the time of a clock that was only watched.
pub(super) fn not_measured(page: &mut String) {
    put(page, format_args!("<p>{}.</p>\n", upper_first(WATCHED)));
}

/// The part of one run.
pub(super) fn write_run(page: &mut String, timing: &Timing, mask: &Mask) -> Result<(), ReportError> {
    page.push_str("<h3>Timing</h3>\n");
    if timing.is_watched() {
        not_measured(page);
        return Ok(());
    }
    let row = timing.row();
    match &row.mask {
        Some(verdict) => put(
            page,
            format_args!(
                "<p>{} by the mask {}: {}.{}</p>\n",
                chip(verdict),
                Text(&mask_words(mask)),
                verdict_reason(verdict),
                if timing.on_purpose { " This scenario makes its clock wrong itself." } else { "" }
            ),
        ),
        None => page.push_str("<p>Fewer than two stamps: nothing can be said of the time base.</p>\n"),
    }
    write_rate(page, timing, &row);
    match &timing.account {
        Ok(account) => write_account(page, timing, account)?,
        Err(none) => put(page, format_args!("<p>No account of the game: {}.</p>\n", Text(&none.to_string()))),
    }
    Ok(())
}

fn write_rate(page: &mut String, timing: &Timing, row: &TimingRow) {
    match (&timing.rates, row.rates) {
        (Some(Err(changed)), _) => put(
            page,
            format_args!(
                "<p><b>No constant rate</b> explains the stamps: from {} to {} it was at least {:+.3} ppm, from {} to {} at most {:+.3} ppm.</p>\n",
                quantity::instant(changed.fast_ns.0),
                quantity::instant(changed.fast_ns.1),
                1e6 * changed.at_least,
                quantity::instant(changed.slow_ns.0),
                quantity::instant(changed.slow_ns.1),
                1e6 * changed.at_most
            ),
        ),
        (_, Some(rates)) => {
            put(page, format_args!("<p>Rate <b>{}</b>, guaranteed if it was constant", interval(&rates)));
            match (&row.drift, &timing.even) {
                (Some(drift), _) => put(page, format_args!(". {}</p>\n", drift_words(drift))),
                (None, even) => put(
                    page,
                    format_args!(
                        ". Noise is not told: that takes {POINTS_MIN} stamps at even distances, and the longest such stretch has {}.</p>\n",
                        even.as_ref().map_or(timing.error.points.len().min(2), |even| even.series.points())
                    ),
                ),
            }
        }
        _ => {}
    }
    if let Some(diagnosis) = &timing.diagnosis {
        if diagnosis.findings.is_empty() {
            page.push_str("<p>Diagnosis: nothing beyond what crystals are off.</p>\n");
        } else {
            put(page, format_args!("<p>Diagnosis: <b>{}</b>.</p>\n", Text(&words_of(row))));
        }
    }
}

/// What was charged and what was due, S and D, and pictures where there is something to see.
fn write_account(page: &mut String, timing: &Timing, account: &Account) -> Result<(), ReportError> {
    let game = GameRow::of(account);
    page.push_str("<div class=\"wide\"><table class=\"account\"><thead><tr><td><th scope=\"col\" class=\"n\">charged<th scope=\"col\" class=\"n\">on move");
    page.push_str("<th scope=\"col\" class=\"n\">too much</tr></thead>\n<tbody>");
    for (side, name) in [(Side::White, "White"), (Side::Black, "Black")] {
        let of = &account.sides[side];
        let seconds = |ns: i128| format!("{:.6} s", ns as f64 * 1e-9);
        put(
            page,
            format_args!(
                "<tr><th scope=\"row\">{name}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}\n",
                seconds(of.charged_ns),
                seconds(of.on_move_ns),
                quantity::signed(account.error_ns(side) as f64)
            ),
        );
    }
    put(
        page,
        format_args!(
            "</tbody></table></div>\n<p>Over {} and {}: both together {} too much (S), White {} more than his share (D), each ± {}.</p>\n",
            quantity::about(game.duration_ns as f64),
            count(game.switches, "switch", "switches"),
            quantity::signed(game.sum_ns as f64),
            quantity::signed(game.difference_ns),
            quantity::short(game.unsure_ns as f64)
        ),
    );
    let Some(diagnosis) = &timing.diagnosis else { return Ok(()) };
    if let Some(plot) = fairness(account, &game) {
        let drawn = plot.svg()?;
        let caption = "What had been charged too much after each move: S of both sides together, the error of the time base; D, half of \
                       what White was charged more than Black.";
        figure(page, &drawn.svg, "S and D after each move", caption);
    }
    if let Some(plot) = budget(account, diagnosis, &game) {
        let drawn = plot.svg()?;
        let caption =
            "What the errors at the end are made of, with what each part may be off. Parts of nothing are left out.";
        figure(page, &drawn.svg, "Parts of the errors at the end of the game", caption);
    }
    Ok(())
}

/// `S` and `D` move by move, where there is something to see.
pub(crate) fn fairness(account: &Account, game: &GameRow) -> Option<FairnessPlot> {
    let seen = |ns: f64| ns.abs() >= DRAWN_MIN_NS.max(game.unsure_ns as f64);
    let moves: Vec<MoveError> = (1_u32..)
        .zip(&account.moves)
        .map(|(half_move, after)| MoveError {
            half_move,
            time_base_ns: after.sum_ns() as f64,
            unfairness_ns: after.difference_ns(),
        })
        .collect();
    let worth = moves.len() > 1 && moves.iter().any(|at| seen(at.time_base_ns) || seen(at.unfairness_ns));
    worth.then_some(FairnessPlot { moves })
}

/// The parts of both errors at the end, where there is something to see.
pub(crate) fn budget(account: &Account, diagnosis: &crate::game::Diagnosis, game: &GameRow) -> Option<BudgetPlot> {
    let seen = |ns: f64| ns.abs() >= DRAWN_MIN_NS.max(game.unsure_ns as f64);
    let mut terms = Vec::new();
    for (side, name) in [(Side::White, "White"), (Side::Black, "Black")] {
        let budget = Budget::of(account, &account.sides[side], &diagnosis.course);
        let parts = budget.parts().into_iter().filter(|(_, ns, _)| seen(*ns));
        terms.extend(parts.map(|(part, ns, half_width_ns)| Term {
            name: format!("{name}, {part}"),
            ns,
            half_width_ns,
        }));
    }
    (!terms.is_empty()).then_some(BudgetPlot { terms })
}

impl DriftRow {
    /// The ends of the interval.
    pub(crate) fn drift_rates(&self) -> Rates {
        let (slowest, fastest) = self.drift.interval();
        Rates { slowest, fastest }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::statistics::PhaseSeries;
    use crate::timing::Even;

    fn longest(readings: impl Iterator<Item = i64>, on_purpose: bool) -> Longest {
        let series = PhaseSeries::new(readings.collect(), 1_000_000_000).expect("a series");
        let even = Even { series, resolution: NonZeroU64::new(1_000).expect("not zero") };
        Longest { scenario: "games/long".to_owned(), id: "run-games-long-on-sim".to_owned(), even, on_purpose }
    }

    /// A rate of 20 ppm and stamps that are off by some 50 µs, each for itself.
    fn noisy() -> impl Iterator<Item = i64> {
        (0..300_u64).map(|n| {
            let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            n.cast_signed() * 20_000 + ((mixed ^ (mixed >> 29)) % 100_003).cast_signed()
        })
    }

    #[test]
    fn deviations_and_mtie_are_drawn_where_there_is_noise_and_nothing_is_where_there_is_none() {
        let mut page = String::new();
        write_longest(&mut page, "sim", &longest(noisy(), false), &Mask::default()).expect("pictures");
        for words in [
            "300 stamps at even distances of 1.0 s, over 299 s. Drift +19.972 ± 0.039 ppm",
            "(95 %, by least squares, white PM)",
            "aria-label=\"Allan deviations over averaging time\"",
            "aria-label=\"MTIE over observation time, with the mask\"",
            "aria-label=\"Jitter of the period between stamps\"",
            "mask crystal",
        ] {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert!(!page.contains("NaN") && !page.contains("inf "));
        page.clear();
        write_longest(&mut page, "sim", &longest((0..300).map(|n| n * 20_000), true), &Mask::default()).expect("words");
        assert!(page.contains("there is no noise to be shown") && page.contains("made wrong on purpose"));
        assert!(!page.contains("<svg"));
    }

    #[test]
    fn the_run_that_tells_most_is_shown() {
        let silent = longest((0..900).map(|n| n * 20_000), false);
        let (own, made) = (longest(noisy(), false), longest(noisy().chain(noisy()), true));
        assert!(own.is_better_than(&silent) && own.is_better_than(&made) && made.is_better_than(&silent));
        assert!(!silent.is_better_than(&own) && !own.is_better_than(&own));
    }
}
