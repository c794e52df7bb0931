//! `flagfall baseline`: what a clock measures like is kept, and compared with what it measures like now.

use std::path::{Path, PathBuf};

use flagfall_reports::ReportError;
use flagfall_reports::baseline::{Baseline, BaselineError, Change, Comparison, Measure, Row};
use flagfall_reports::plot::Plot;
use flagfall_trace::Verdict;
use flagfall_trace::trace::write_whole;

use crate::cli::{self, BaselineCompare, BaselineSave};
use crate::command::{bad_input, infra, print};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::overwrite;
use crate::terminal::{Colour, count, paint};
use crate::whole_folder::{FolderError, WholeFolder};

/// What is written for programs.
const COMPARISON: &str = "comparison.json";

/// Saves or compares.
#[must_use]
pub fn baseline(what: &cli::Baseline, colour: Colour) -> Exit {
    match what {
        cli::Baseline::Save(options) => save(options),
        cli::Baseline::Compare(options) => compare(options, colour),
    }
}

fn save(options: &BaselineSave) -> Exit {
    let folders = options.folders.iter().map(PathBuf::as_path);
    if let Err(error) = overwrite::none([options.out.as_path()], folders) {
        return bad_input(&error);
    }
    let baseline = match Baseline::of(&options.folders) {
        Ok(baseline) => baseline,
        Err(error) => return bad_input(&error),
    };
    match put(&options.out, &baseline.json()) {
        Ok(()) => {
            let measures: Vec<&str> = baseline.measures.iter().map(|measured| measured.measure.name()).collect();
            let scenarios = count(baseline.scenarios(), "scenario");
            let file = options.out.display();
            print(&format!("{file}: {scenarios} on {}: {}\n", baseline.rig, measures.join(", ")))
        }
        Err(why) => infra(&why),
    }
}

/// Writes a file whole, with its folder.
fn put(file: &Path, text: &str) -> Result<(), String> {
    let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder
        .and_then(|()| write_whole(file, text.as_bytes()))
        .map_err(|cause| format!("cannot write {}: {cause}", file.display()))
}

fn compare(options: &BaselineCompare, colour: Colour) -> Exit {
    let read = options.folders.iter().chain([&options.baseline]).map(PathBuf::as_path);
    if let Err(error) = overwrite::none(options.html.as_deref(), read) {
        return bad_input(&error);
    }
    let folder =
        match options.plots.as_deref().map(|plots| WholeFolder::begin(plots, &Interrupt::default())).transpose() {
            Ok(folder) => folder,
            Err(error @ (FolderError::Taken { .. } | FolderError::Unmovable { .. })) => return bad_input(&error),
            Err(error) => return infra(&error),
        };
    let compared = || -> Result<Comparison, BaselineError> {
        let before = Baseline::read(&options.baseline)?;
        Comparison::of(&before, &Baseline::of(&options.folders)?)
    };
    let comparison = match compared() {
        Ok(comparison) => comparison,
        Err(error) => return bad_input(&error),
    };
    let json = serde_json::to_string_pretty(&comparison).expect("a comparison has string keys only") + "\n";
    let mut exit = verdict(&comparison);
    if let Some(folder) = folder
        && let Err(error) = written(folder, &comparison, &json)
    {
        exit = exit.and(infra(&error));
    }
    let page = options.html.as_deref().map(|file| {
        let page = comparison.html().map_err(|error| error.to_string())?;
        put(file, &page).map(|()| file)
    });
    let page = match page.transpose() {
        Ok(page) => page,
        Err(why) => {
            exit = exit.and(infra(&why));
            None
        }
    };
    let mut text = if options.json { json } else { render(&comparison, colour.on(&std::io::stdout())) };
    if let Some(page) = page.filter(|_| !options.json) {
        text += &format!("page: {}\n", page.display());
    }
    exit.and(print(&text))
}

fn verdict(comparison: &Comparison) -> Exit {
    if comparison.any(Change::Changed) {
        Exit::Failed
    } else if comparison.any(Change::Undecided) || !comparison.missing.is_empty() {
        Exit::Inconclusive
    } else {
        Exit::Passed
    }
}

fn plot_of(measure: Measure) -> String {
    format!("{}.svg", measure.name())
}

fn written(folder: WholeFolder, comparison: &Comparison, json: &str) -> Result<(), FolderError> {
    let drawn = |row: &Row| Ok((plot_of(row.measure), row.plot().svg()?.file()));
    let plots: Result<Vec<(String, String)>, ReportError> = comparison.measures.iter().map(drawn).collect();
    let plots = plots.map_err(|error| FolderError::Content(error.to_string()))?;
    let plots = plots.iter().map(|(name, plot)| (name.as_str(), plot.as_str()));
    let files: Vec<(&str, &str)> = [(COMPARISON, json)].into_iter().chain(plots).collect();
    folder.finish(&files)
}

fn render(comparison: &Comparison, colour: bool) -> String {
    let mut text = String::new();
    for row in &comparison.measures {
        let (word, verdict) = match row.verdict {
            Change::Equal => ("equal", Verdict::Pass),
            Change::Same => ("same", Verdict::Pass),
            Change::Changed => ("changed", Verdict::Fail),
            Change::Undecided => ("undecided", Verdict::Inconclusive),
        };
        let word = paint(&format!("{word:<9}"), verdict, colour);
        text += &format!("  {word}  {:<7} {}\n", row.measure.name(), row.text());
    }
    if !comparison.missing.is_empty() {
        let missing = count(comparison.missing.len(), "scenario");
        text += &format!("{missing} of the baseline with nothing to compare: {}\n", comparison.missing.join(", "));
    }
    if comparison.unknown > 0 {
        text += &format!("{} not in the baseline\n", count(comparison.unknown, "scenario"));
    }
    let how = if comparison.without_chance {
        "any difference is a change".to_owned()
    } else {
        format!("a change is one with p <= {} after Holm's correction, and one that matters", comparison.alpha)
    };
    text + &format!("on {}, where {how}\n", comparison.rig)
}
