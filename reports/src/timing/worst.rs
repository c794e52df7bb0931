//! Which clock is worst, why, and by how much: the first thing that a report says.

use super::{TimingRow, mask_words, verdict_reason, verdict_word};
use crate::page::Shown;
use crate::quantity;
use crate::statistics::{Mask, MaskVerdict};
use flagfall_trace::Verdict;

/// What is said first.
pub(crate) struct Worst<'a> {
    /// The run that shows it; none where nothing was timed.
    pub(crate) run: Option<&'a Shown>,
    /// `Worst clock`, or that none is bad.
    pub(crate) head: String,
    /// The rest, in sentences.
    pub(crate) words: String,
    /// Whether a time base or its reckoning is wrong.
    pub(crate) is_bad: bool,
    /// Whether some run failed otherwise.
    pub(crate) fails: bool,
}

/// The worst clock of these runs: that of the run which is beyond the mask by most, then of one with a known defect. What a
/// scenario makes wrong itself is no fault of a clock and does not count.
pub(crate) fn worst<'a>(runs: &'a [Shown], mask: &Mask) -> Option<Worst<'a>> {
    let timed = || runs.iter().filter_map(|run| Some((run, run.timing.as_ref()?)));
    let own = || timed().filter(|(_, row)| !row.on_purpose);
    let on_purpose = timed().filter(|(_, row)| row.on_purpose).count();
    let bad = own().filter(|(_, row)| badness(row) > 0.0).max_by(|(_, a), (_, b)| badness(a).total_cmp(&badness(b)));
    if let Some((run, row)) = bad {
        let others: Vec<&str> = rigs(own().filter(|(other, row)| other.rig != run.rig && badness(row) > 0.0));
        let mut words = said(row, mask);
        if !others.is_empty() {
            words += &format!(" Also off: {}.", others.join(", "));
        }
        return Some(Worst {
            run: Some(run),
            head: format!("Worst clock: {}", run.rig),
            words,
            is_bad: true,
            fails: false,
        });
    }
    let largest = own().max_by(|(_, a), (_, b)| a.share.total_cmp(&b.share));
    let mut words = match largest {
        Some((_, row)) => {
            let used = format!("At most {:.1} % of the mask {} is used", 100.0 * row.share, mask_words(mask));
            let width = |row: &TimingRow| row.rates.map_or(f64::INFINITY, |rates| rates.half_width());
            let known = own().min_by(|(_, a), (_, b)| width(a).total_cmp(&width(b)));
            let known = known.filter(|(_, row)| row.rates.is_some());
            let known = known.map(|(run, row)| format!("; the rate is known best on {}{}", run.rig, rate(row)));
            format!("{used}{}.", known.unwrap_or_default())
        }
        None if on_purpose == 0 => return None,
        None => "Every clock was made wrong on purpose.".to_owned(),
    };
    if on_purpose > 0 && largest.is_some() {
        let are = if on_purpose == 1 { "run is of a clock" } else { "runs are of clocks" };
        words += &format!(" {on_purpose} {are} made wrong on purpose, and not counted here.");
    }
    let failed: Vec<&Shown> = runs.iter().filter(|run| run.verdict == Verdict::Fail).collect();
    let Some(first) = failed.first() else {
        let head = "No clock is bad".to_owned();
        return Some(Worst { run: largest.map(|(run, _)| run), head, words, is_bad: false, fails: false });
    };
    let why = first.reason.as_ref().map_or(String::new(), |reason| match &reason.what {
        Some(what) => format!(": {what}, {}", reason.found),
        None => format!(": {}", reason.found),
    });
    let head = format!("{} of {} runs {}", failed.len(), runs.len(), if failed.len() == 1 { "fails" } else { "fail" });
    let words = format!("First {} on {}{why}. No time base is bad: {}", first.scenario, first.rig, lower_first(&words));
    Some(Worst { run: Some(first), head, words, is_bad: false, fails: true })
}

/// How bad a clock is: beyond the mask counts most, then a defect that is named or cannot be a crystal's, by what it did.
fn badness(row: &TimingRow) -> f64 {
    let beyond = matches!(row.mask, Some(MaskVerdict::Breach { .. } | MaskVerdict::Rate(_)));
    let defect = row.findings.iter().any(|finding| finding.is_named || finding.cause.is_none());
    match (beyond, defect) {
        (true, _) => 2.0 + row.share,
        (false, true) => 1.0 + row.share.min(0.9),
        (false, false) => 0.0,
    }
}

fn rigs<'a>(rows: impl Iterator<Item = (&'a Shown, &'a TimingRow)>) -> Vec<&'a str> {
    let mut rigs: Vec<&str> = rows.map(|(run, _)| run.rig.as_str()).collect();
    rigs.sort_unstable();
    rigs.dedup();
    rigs
}

/// Cause, size, what it cost, and what the mask says.
fn said(row: &TimingRow, mask: &Mask) -> String {
    let mut words = match row.findings.first() {
        Some(finding) => upper_first(&finding.words),
        None => format!("A rate for which no cause is known{}", rate(row)),
    };
    words.push('.');
    if let Some(game) = &row.game {
        let of = if game.sum_ns < 0 { "little" } else { "much" };
        let more = if game.difference_ns < 0.0 { ["Black", "White"] } else { ["White", "Black"] };
        words += &format!(
            " In {} both sides together were charged {} ± {} too {of}, and {} {} more than {}.",
            quantity::about(game.duration_ns as f64),
            quantity::short(game.sum_ns.unsigned_abs() as f64),
            quantity::short(game.unsure_ns as f64),
            more[0],
            quantity::short(2.0 * game.difference_ns.abs()),
            more[1],
        );
    }
    if let Some(verdict) = &row.mask {
        words += &format!(" Mask {}: {}, {}.", mask_words(mask), verdict_word(verdict), verdict_reason(verdict));
    }
    words
}

/// `, +20.000 ± 0.040 ppm`, where a rate is known.
fn rate(row: &TimingRow) -> String {
    row.rates.map_or(String::new(), |rates| {
        format!(", {}", quantity::interval_ppm(1e6 * rates.centre(), 1e6 * rates.half_width()))
    })
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
