//! `flagfall matrix`: scenarios by rulebooks.

use std::path::Path;
use std::thread::available_parallelism;

use flagfall_judge::rulebook::Rulebook;
use flagfall_judge::ruling_rows::rulebook_row;
use flagfall_reports::matrix::{self, Cell, MatrixRow, TurnsOn, few_words};
use flagfall_scenarios::{Diagnostics, Source};
use flagfall_trace::Verdict;
use flagfall_trace::trace::write_whole;

use crate::case::{Case, Judged};
use crate::cli::Matrix;
use crate::command::{bad_input, infra, print, warn};
use crate::exit::Exit;
use crate::inputs;
use crate::interrupt::Interrupt;
use crate::overwrite;
use crate::progress::PATIENCE;
use crate::rig::sim;
use crate::set::{self, Told};
use crate::terminal::{Colour, count};

/// Width of a column; longer words are broken.
const COLUMN: usize = 14;

/// Carries every scenario out in virtual time, asks every rulebook, and puts the answers side by side.
#[must_use]
pub fn matrix(options: &Matrix, colour: Colour) -> Exit {
    let (found, rulebooks) = match inputs::given(&options.selection, &options.rulebook) {
        Ok(inputs) => inputs,
        Err(error) => return bad_input(&error),
    };
    let put = [options.html.as_deref(), options.json.as_deref()].into_iter().flatten();
    if let Err(error) = overwrite::none(put, found.sources.iter().map(Source::path)) {
        return bad_input(&error);
    }
    // Until here there is nothing to keep: a signal ends the program as it ends any other.
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return infra(&error),
    };
    let on_stderr = colour.on(&std::io::stderr());
    for error in &found.errors {
        warn(&error.diagnose().render(on_stderr));
    }
    let mut exit = if found.errors.is_empty() { Exit::Passed } else { Exit::BadInput };
    let mut matrix = matrix::Matrix::under(rulebooks.iter().map(rulebook_row).collect());
    let (begun, judged) = judged(&found.sources, &rulebooks, &interrupt, |one| match one {
        Ok(judged) => {
            let exit = Exit::of(judged.record.verdict);
            matrix.add(judged.record, judged.trace.as_ref());
            exit
        }
        Err(diagnostics) => {
            warn(&diagnostics.render(on_stderr));
            Exit::BadInput
        }
    });
    if begun < found.sources.len() {
        return exit.and(infra(&"interrupted: nothing was written"));
    }
    exit = exit.and(judged);
    exit.and(write(options, &matrix, colour))
}

/// Judges each under these rulebooks and takes them in order; gives how many were begun and what they came to.
fn judged(
    sources: &[Source],
    rulebooks: &[Rulebook],
    interrupt: &Interrupt,
    mut take: impl FnMut(Result<Judged, Diagnostics>) -> Exit,
) -> (usize, Exit) {
    let worker = || {
        |index: usize| {
            let case = Case::read(&sources[index], rulebooks)?;
            Ok(case.judge(sim::NAME, sim::run(&case.plan), rulebooks))
        }
    };
    let mut exit = Exit::Passed;
    let jobs = available_parallelism().map_or(1, usize::from);
    let begun = set::run(sources.len(), jobs, interrupt, worker, PATIENCE, |told| {
        if let Told::Done(_, one) = told {
            exit = exit.and(take(one));
        }
    });
    (begun, exit)
}

/// Writes what was asked for; the table is for people, and stands on standard output unless JSON does.
fn write(options: &Matrix, matrix: &matrix::Matrix, colour: Colour) -> Exit {
    let json = || serde_json::to_string(matrix).expect("a matrix has string keys only") + "\n";
    let to_stdout = options.json.as_deref() == Some(Path::new("-"));
    let mut exit = match &options.json {
        Some(_) if to_stdout => print(&json()),
        Some(file) => kept(file, &json()),
        None => Exit::Passed,
    };
    if let Some(file) = &options.html {
        exit = exit.and(kept(file, &matrix::html(matrix)));
    }
    if !to_stdout {
        exit = exit.and(print(&table(matrix, colour.on(&std::io::stdout()))));
    }
    exit
}

fn kept(file: &Path, text: &str) -> Exit {
    match write_whole(file, text.as_bytes()) {
        Ok(()) => Exit::Passed,
        Err(error) => infra(&format!("cannot write {}: {error}", file.display())),
    }
}

/// Most scenarios that are named when they are left out; of more their number is told.
const NAMED_MAX: usize = 5;

/// A head, for each scenario a line with its id and below it a cell for each rulebook, and what that adds up to.
fn table(matrix: &matrix::Matrix, colour: bool) -> String {
    let mut text = String::new();
    if !matrix.scenarios.is_empty() {
        let heads = matrix.rulebooks.iter().map(|book| (book.key.clone(), Like::Head)).collect::<Vec<_>>();
        text += &beside(&heads, colour);
    }
    for row in &matrix.scenarios {
        text += &scenario(row, colour);
    }
    let diverging = matrix.scenarios.iter().filter(|row| row.diverges).count();
    text += &format!(
        "{} under {}: {diverging} on which they contradict each other (≠ unlike most, ? the text does not say)",
        count(matrix.scenarios.len(), "scenario"),
        count(matrix.rulebooks.len(), "rulebook"),
    );
    if !matrix.left_out.is_empty() {
        let number = matrix.left_out.len();
        let named = if number > NAMED_MAX { number.to_string() } else { matrix.left_out.join(", ") };
        text += &format!("; left out, because none of their points arises: {named}");
    }
    text + "\n"
}

fn scenario(row: &MatrixRow, colour: bool) -> String {
    let mark = if row.diverges { "≠ " } else { "  " };
    let wrong = if row.verdict == Verdict::Pass { String::new() } else { format!("  {}", row.verdict) };
    let head = format!("{mark}{}  {}{wrong}", row.scenario, row.points.join(" "));
    let cells: Vec<(String, Like)> = row.cells.iter().map(cell).collect();
    format!("{}\n{}", Like::Head.paint(&head, colour), beside(&cells, colour))
}

fn cell(cell: &Cell) -> (String, Like) {
    let mark = match cell {
        Cell { wrong: true, .. } => "! ",
        Cell { apart: true, .. } => "≠ ",
        _ => "",
    };
    let mut text = format!("{mark}{}", few_words(&cell.outcome));
    if let Some(article) = &cell.article {
        text += &format!("\n{article}");
    }
    if let Some(TurnsOn { point, article }) = &cell.turns_on {
        text += &format!(", {point} {article}");
    }
    if cell.strength.as_deref() == Some("literal") {
        text += " literal";
    }
    if cell.unverified {
        text += " unverified";
    }
    let like = match cell {
        Cell { wrong: true, .. } => Like::Wrong,
        Cell { apart: true, .. } => Like::Apart,
        _ => Like::Plain,
    };
    (text, like)
}

/// How a cell is painted.
#[derive(Clone, Copy)]
enum Like {
    Head,
    Plain,
    Apart,
    Wrong,
}

impl Like {
    fn paint(self, text: &str, colour: bool) -> String {
        let code = match self {
            Self::Plain => return text.to_owned(),
            Self::Head => "1",
            Self::Apart => "33",
            Self::Wrong => "1;31",
        };
        if colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Cells beside each other, each of as many lines as it needs.
fn beside(cells: &[(String, Like)], colour: bool) -> String {
    let cells: Vec<(Vec<String>, Like)> = cells.iter().map(|(text, like)| (wrapped(text), *like)).collect();
    let height = cells.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..height {
        let mut row = "  ".to_owned();
        for (lines, like) in &cells {
            let cell = lines.get(line).map_or("", String::as_str);
            row += &like.paint(cell, colour && !cell.is_empty());
            row += &" ".repeat((COLUMN + 1).saturating_sub(cell.chars().count()));
        }
        text += row.trim_end();
        text.push('\n');
    }
    text
}

/// A text in lines no longer than a column, broken after spaces and hyphens where that is possible.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for part in text.split('\n') {
        let mut line = String::new();
        for word in part.split_inclusive([' ', '-']) {
            if !line.is_empty() && line.chars().count() + word.trim_end().chars().count() > COLUMN {
                lines.push(line.trim_end().to_owned());
                line.clear();
            }
            line += word;
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}
