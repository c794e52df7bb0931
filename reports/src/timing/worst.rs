//! Which clock is worst, why, and by how much: the first thing that a report says.

use super::{TimingRow, mask_words, verdict_reason, verdict_word};
use crate::page::Shown;
use crate::quantity;
use crate::statistics::{Mask, MaskVerdict};
use flagfall_trace::Verdict;
use std::cmp::Ordering;

/// A rate that is off by less, as a pure number, is told in parts per million alone.
const NOTICED: f64 = 10e-6;

/// What there is to say of the time of a clock that a bench only watches.
pub(crate) const WATCHED: &str = "not measured: a firmware that is only watched stamps nothing";

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
    /// Whether some run failed otherwise, or was not run.
    pub(crate) fails: bool,
    /// What the run that is named after it has to do with it, if that is no failure: `The mask is used most by`.
    pub(crate) by: &'static str,
}

/// That a run is incomplete, with how many of how many were not run; `None` if it is not.
pub(crate) fn incomplete(verdicts: impl Iterator<Item = Verdict>) -> Option<String> {
    let (all, not_run) = verdicts.fold((0_usize, 0_usize), |(all, not_run), verdict| {
        (all + 1, not_run + usize::from(verdict == Verdict::NotRun))
    });
    (not_run > 0).then(|| format!("The run is incomplete: {not_run} of {all} were not run"))
}

/// What is said first: that runs are missing, if they are, and then of the clocks.
pub(crate) fn worst<'a>(runs: &'a [Shown], mask: &Mask) -> Option<Worst<'a>> {
    let told = of_clocks(runs, mask);
    let Some(head) = incomplete(runs.iter().map(|run| run.verdict)) else { return told };
    Some(match told {
        Some(told) => {
            let words = format!("Of the others: {}. {}", lower_first(&told.head), told.words);
            Worst { head, words, fails: true, ..told }
        }
        None => Worst { run: None, head, words: String::new(), is_bad: false, fails: true, by: "" },
    })
}

/// The worst clock of these runs: that of the run which is beyond the mask by most, then of one with a known defect. What a
/// scenario makes wrong itself is no fault of a clock and does not count.
fn of_clocks<'a>(runs: &'a [Shown], mask: &Mask) -> Option<Worst<'a>> {
    let timed = || runs.iter().filter_map(|run| Some((run, run.timing.as_ref()?)));
    let own = || timed().filter(|(_, row)| !row.on_purpose);
    let on_purpose = timed().filter(|(_, row)| row.on_purpose).count();
    let bad = own().filter(|(_, row)| badness(row) > 0.0).max_by(|(_, a), (_, b)| badness(a).total_cmp(&badness(b)));
    if let Some((run, row)) = bad {
        let others: Vec<&str> = rigs(own().filter(|(other, row)| other.rig != run.rig && badness(row) > 0.0));
        let mut words = said(row, mask);
        words += &alike(runs, run, row);
        if !others.is_empty() {
            words += &format!(" Also off: {}.", others.join(", "));
        }
        let head = format!("Worst clock: {}{}", run.rig, off_by(row));
        return Some(Worst { run: Some(run), head, words, is_bad: true, fails: false, by: "" });
    }
    let largest = own().filter(|(_, row)| !row.watched).max_by(|(_, a), (_, b)| a.share.total_cmp(&b.share));
    let mut words = match largest {
        Some((_, row)) => {
            let used = format!("At most {:.1} % of the mask {} is used", 100.0 * row.share, mask_words(mask));
            let width = |row: &TimingRow| row.rates.map_or(f64::INFINITY, |rates| rates.half_width());
            let known = own().min_by(|(_, a), (_, b)| width(a).total_cmp(&width(b)));
            let known = known.filter(|(_, row)| row.rates.is_some());
            let known = known.map(|(run, row)| format!("; the rate is known best on {}{}", run.rig, rate(row)));
            format!("{used}{}.", known.unwrap_or_default())
        }
        None if own().next().is_some() => upper_first(WATCHED),
        None if on_purpose == 0 => return None,
        None => "Every clock was made wrong on purpose.".to_owned(),
    };
    if on_purpose > 0 && largest.is_some() {
        let are = if on_purpose == 1 { "run is of a clock" } else { "runs are of clocks" };
        words += &format!(" {on_purpose} {are} made wrong on purpose, and not counted here.");
    }
    let watched = rigs(own().filter(|(_, row)| row.watched));
    if largest.is_some() && !watched.is_empty() {
        words += &format!(" {}: {WATCHED}.", upper_first(&watched.join(", ")));
    }
    let failed: Vec<&Shown> = runs.iter().filter(|run| run.verdict == Verdict::Fail).collect();
    let Some(first) = failed.iter().copied().reduce(|first, run| if worse(run, first).is_gt() { run } else { first })
    else {
        if largest.is_none() && own().next().is_some() {
            return Some(Worst { run: None, head: words, words: String::new(), is_bad: false, fails: false, by: "" });
        }
        let (run, head) = (largest.map(|(run, _)| run), "No clock is bad".to_owned());
        return Some(Worst { run, head, words, is_bad: false, fails: false, by: "The mask is used most by" });
    };
    let why = first.reason.as_ref().map_or(String::new(), |reason| match &reason.what {
        Some(what) => format!(": {what}, {}", reason.found),
        None => format!(": {}", reason.found),
    });
    let head = format!("{} of {} runs {}", failed.len(), runs.len(), if failed.len() == 1 { "fails" } else { "fail" });
    let diagnosed = diagnosis(first).map_or(String::new(), |diagnosis| format!(": {diagnosis}"));
    let bases = match (largest, diagnosed.is_empty()) {
        (None, _) if own().next().is_some() => format!("Timing: {WATCHED}."),
        (_, true) => format!("No time base is bad: {}", lower_first(&words)),
        (_, false) => format!("No other time base is bad: {}", lower_first(&words)),
    };
    let words = format!("First {} on {}{diagnosed}{why}. {bases}", first.scenario, first.rig);
    Some(Worst { run: Some(first), head, words, is_bad: false, fails: true, by: "" })
}

/// Which of two runs has the worse clock, on purpose or not.
pub(crate) fn worse(a: &Shown, b: &Shown) -> Ordering {
    let of = |run: &Shown| run.timing.as_ref().map_or(0.0, badness);
    of(a).total_cmp(&of(b))
}

/// What is wrong with the time of a run that has a bad clock, in a few words, and whether that is its scenario's doing.
pub(crate) fn diagnosis(run: &Shown) -> Option<String> {
    let row = run.timing.as_ref().filter(|row| badness(row) > 0.0)?;
    let words = match row.findings.first() {
        Some(finding) => finding.words.clone(),
        None => format!("a rate for which no cause is known{}", rate(row)),
    };
    let whose = if row.on_purpose { ", which its scenario itself brings about" } else { "" };
    Some(format!("{words}{}{whose}", off_by(row)))
}

/// `, slow by 3.6 s an hour`, where so much is certain.
fn off_by(row: &TimingRow) -> String {
    let Some(rates) = row.rates else { return String::new() };
    let certain = f64::max(rates.slowest, -rates.fastest);
    if certain < NOTICED {
        return String::new();
    }
    let which = if rates.centre() < 0.0 { "slow" } else { "fast" };
    format!(", {which} by {} an hour", quantity::short(3.6e12 * rates.centre().abs()))
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
        let unsure = quantity::short(game.unsure_ns as f64);
        let more = if game.difference_ns < 0.0 { ["Black", "White"] } else { ["White", "Black"] };
        words += &format!(
            " In {} both sides together were charged {} ± {unsure} too {of}, and {} {} ± {unsure} more than {}.",
            quantity::about(game.duration_ns as f64),
            quantity::short(game.sum_ns.unsigned_abs() as f64),
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

/// How many of the runs that fail on this rig show the same cause: whether there is more to look for than one.
fn alike(runs: &[Shown], worst: &Shown, row: &TimingRow) -> String {
    let cause = |row: &TimingRow| row.findings.first().and_then(|finding| finding.cause);
    let failed: Vec<&Shown> = runs.iter().filter(|run| run.rig == worst.rig && run.verdict == Verdict::Fail).collect();
    let same = failed.iter().filter(|run| run.timing.as_ref().and_then(cause) == cause(row)).count();
    match (cause(row), failed.len()) {
        (None, _) | (_, 0 | 1) => String::new(),
        (_, all) if same == all => format!(" All {all} runs that fail on it show this cause."),
        (_, all) => format!(" Of {all} runs that fail on it {same} show this cause."),
    }
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

pub(crate) fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
