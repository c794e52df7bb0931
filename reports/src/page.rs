//! One page that holds everything: style, script, data and plots, and needs nothing else to be read.

mod data;
mod html;
mod measures;
mod overview;
mod section;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use flagfall_trace::{SetHash, trace::write_whole};

use crate::error::ReportError;
use crate::results::{self, Run};

const STYLE: &str = include_str!("page/style.css");
/// Patterns for the timelines; the script also learns from it how elements of drawings are made.
const DRAWING: &str = include_str!("page/patterns.svg");
const SCRIPT: &str = include_str!("page/script.js");

/// Reads a folder of results and writes its `index.html`, whole or not at all; gives the path of the page.
///
/// The page is the same bytes for the same results: it holds no date, no path and nothing random.
///
/// # Errors
/// [`ReportError`] when results or traces cannot be read, do not belong together, or the page cannot be written.
pub fn write_page(folder: &Path) -> Result<PathBuf, ReportError> {
    let runs = results::read_runs(folder)?;
    let page = folder.join("index.html");
    let text = page_of(&runs)?;
    write_whole(&page, text.as_bytes()).map_err(|cause| ReportError::Io {
        doing: "write",
        path: page.clone(),
        cause,
    })?;
    Ok(page)
}

fn page_of(runs: &[Run]) -> Result<String, ReportError> {
    let ids = ids(runs);
    let runs: Vec<Shown> = runs.iter().zip(&ids).map(|(run, id)| Shown { run, id }).collect();
    let mut page = String::new();
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<title>flagfall report</title>\n<style>\n");
    page.push_str(STYLE);
    page.push_str("</style>\n</head>\n<body>\n");
    page.push_str(DRAWING);
    overview::write(&mut page, &runs);
    measures::write(&mut page, &runs)?;
    page.push_str("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Runs</h2>\n");
    page.push_str("<p class=\"note\">Timelines are drawn when a run is opened.</p>\n");
    page.push_str(
        "<noscript><p class=\"note\">Timelines need this page's own script; all else does not.</p></noscript>\n",
    );
    for shown in &runs {
        section::write(&mut page, shown)?;
    }
    page.push_str("</section>\n<script>\n");
    page.push_str(SCRIPT);
    page.push_str("</script>\n</body>\n</html>\n");
    Ok(page)
}

/// A run and the name of its place on the page.
struct Shown<'a> {
    run: &'a Run,
    id: &'a str,
}

/// A name for each run's place: its scenario and rig in letters, digits and dashes, numbered where two would be equal.
fn ids(runs: &[Run]) -> Vec<String> {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let mut ids = Vec::with_capacity(runs.len());
    for run in runs {
        let name = format!("{}-on-{}", run.record.scenario, run.record.rig);
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let name: String = name.chars().map(plain).collect();
        let count = used.entry(name.clone()).or_default();
        *count += 1;
        ids.push(if *count == 1 { format!("run-{name}") } else { format!("run-{name}.{count}") });
    }
    ids
}

/// The rigs of these runs, in order of their names.
fn rigs<'a>(runs: &[Shown<'a>]) -> Vec<&'a str> {
    let mut rigs: Vec<&str> = runs.iter().map(|shown| shown.run.record.rig.as_str()).collect();
    rigs.sort_unstable();
    rigs.dedup();
    rigs
}

/// The hash of all traces of a rig, if it has any.
fn set_hash(runs: &[Shown], rig: &str) -> Option<String> {
    let mut set = SetHash::default();
    let mut any = false;
    for shown in runs.iter().filter(|shown| shown.run.record.rig == rig) {
        if let Some(trace) = &shown.run.trace {
            set.add(&shown.run.record.scenario, trace.hash());
            any = true;
        }
    }
    any.then(|| set.finish().to_string())
}
