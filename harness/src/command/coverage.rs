//! `flagfall coverage`: which requirements are shown on which rig.

use std::fmt::Write;

use flagfall_reports::{Coverage, CoverageRow, OnRig, State};
use flagfall_trace::Verdict;
use flagfall_trace::requirement::Proof;

use crate::cli;
use crate::command::{bad_input, print};
use crate::exit::Exit;
use crate::terminal::{Colour, paint};

/// Prints what the runs in these folders show of what is asked of a clock.
#[must_use]
pub fn coverage(options: &cli::Coverage, colour: Colour) -> Exit {
    let coverage = match Coverage::read(&options.folders) {
        Ok(coverage) => coverage,
        Err(error) => return bad_input(&error),
    };
    let text = if options.json { lines(&coverage) } else { table(&coverage, colour.on(&std::io::stdout())) };
    let missed =
        coverage.any(State::Failed) || options.require && (coverage.any(State::Open) || coverage.rigs.is_empty());
    print(&text).and(if missed { Exit::Failed } else { Exit::Passed })
}

/// One JSON object a line, for each requirement.
fn lines(coverage: &Coverage) -> String {
    coverage.rows.iter().map(|row| serde_json::to_string(row).expect("a row has string keys only") + "\n").collect()
}

/// A line for each requirement and a column for each rig, then what is not shown, then how much is.
fn table(coverage: &Coverage, colour: bool) -> String {
    let heads = ["", "requirement"].into_iter().chain(coverage.rigs.iter().map(String::as_str));
    let cells: Vec<Vec<String>> = coverage.rows.iter().map(cells_of).collect();
    let widths: Vec<usize> = heads
        .clone()
        .enumerate()
        .map(|(column, head)| {
            cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(head.chars().count())
        })
        .collect();
    let mut text = padded(heads.zip(&widths).map(|(head, width)| (head, *width, None)), colour);
    for (row, cells) in coverage.rows.iter().zip(&cells) {
        let verdicts = [None, None].into_iter().chain(row.on.iter().map(|on| Some(like(on.state))));
        let cells = cells.iter().zip(&widths).zip(verdicts).map(|((cell, width), like)| (cell.as_str(), *width, like));
        text += &padded(cells, colour);
    }
    for row in &coverage.rows {
        text += &missed(row);
    }
    for (index, rig) in coverage.rigs.iter().enumerate() {
        let count = |state| coverage.rows.iter().filter(|row| row.on[index].state == state).count();
        let _ = writeln!(
            text,
            "{rig}: {} shown, {} failed, {} open, {} without a case",
            count(State::Shown),
            count(State::Failed),
            count(State::Open),
            count(State::NoCase)
        );
    }
    if coverage.rigs.is_empty() {
        text += "nothing was run\n";
    }
    text
}

fn cells_of(row: &CoverageRow) -> Vec<String> {
    let mut cells = vec![row.requirement.id.clone(), row.requirement.title.clone()];
    cells.extend(row.on.iter().map(cell));
    cells
}

/// `shown: 9 pass, 1 not-applicable`.
fn cell(on: &OnRig) -> String {
    let counts: Vec<String> =
        on.cases.iter().rev().map(|(verdict, cases)| format!("{} {verdict}", cases.len())).collect();
    if counts.is_empty() { on.state.words().to_owned() } else { format!("{}: {}", on.state.words(), counts.join(", ")) }
}

/// The verdict in whose colour a state is painted.
const fn like(state: State) -> Verdict {
    match state {
        State::Shown => Verdict::Pass,
        State::Failed => Verdict::Fail,
        State::Open => Verdict::Inconclusive,
        State::NoCase => Verdict::NotApplicable,
    }
}

fn padded<'a>(cells: impl Iterator<Item = (&'a str, usize, Option<Verdict>)>, colour: bool) -> String {
    let mut line = String::new();
    for (cell, width, verdict) in cells {
        let pad = width - cell.chars().count() + 2;
        line += &verdict.map_or_else(|| cell.to_owned(), |verdict| paint(cell, verdict, colour));
        line.extend(std::iter::repeat_n(' ', pad));
    }
    line.trim_end().to_owned() + "\n"
}

/// What is not shown of a requirement, and why where that is known.
fn missed(row: &CoverageRow) -> String {
    let id = &row.requirement.id;
    let mut text = String::new();
    for on in &row.on {
        if let Some(failed) = on.cases.get(&Verdict::Fail) {
            let _ = writeln!(text, "{id} failed on {}: {}", on.rig, failed.join(" "));
        }
        if on.state == State::Open {
            let _ = writeln!(text, "{id} is open on {}: no case passed or failed", on.rig);
        }
    }
    if let (Proof::NoCase(why), true) = (&row.requirement.proof, row.on.iter().all(|on| on.state == State::NoCase)) {
        let _ = writeln!(text, "{id} has no case: {why}");
    }
    text
}
