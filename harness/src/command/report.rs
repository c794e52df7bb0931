//! `flagfall report`: the page, from files and from nothing else.

use std::path::{Path, PathBuf};

use flagfall_reports::{Report, ReportError, write_report, write_report_with_pictures};
use flagfall_trace::trace::write_whole;

use crate::cli;
use crate::command::{bad_input, infra, print};
use crate::exit::Exit;
use crate::limit;
use crate::results::{PAGE, PLOTS, REPORT, RESULTS};

/// Writes the page of these folders, and what else is wanted.
#[must_use]
pub fn report(options: &cli::Report) -> Exit {
    if options.schema {
        return print(Report::json_schema());
    }
    let (page, json) = match (&options.page, options.folders.as_slice()) {
        (Some(page), _) => (page.clone(), None),
        (None, [folder]) => (folder.join(PAGE), Some(folder.join(REPORT))),
        (None, _) => return bad_input(&"of several folders the page needs a place of its own: name it with --page"),
    };
    // Said before anything is written: a page can be meant for a folder that is not there.
    if let Some(folder) = options.folders.iter().find(|folder| !folder.join(RESULTS).is_file()) {
        let folder = folder.display();
        return bad_input(&format!("{folder} holds no {RESULTS}: name a folder that `flagfall run` has written"));
    }
    let mask = match limit::mask(options.mask.as_deref()) {
        Ok(mask) => mask,
        Err(error) => return bad_input(&error),
    };
    let into = page.parent().unwrap_or(Path::new(".")).join(PLOTS);
    let written_report = if options.png {
        write_report_with_pictures(&options.folders, &page, &mask, &into)
    } else {
        write_report(&options.folders, &page, &mask)
    };
    let report = match written_report {
        Ok(report) => report,
        Err(error @ ReportError::Io { doing: "write", .. }) => return infra(&error),
        Err(error) => return bad_input(&error),
    };
    let mut exit = Exit::Passed;
    let to_stdout = options.json.as_deref() == Some(Path::new("-"));
    let files: Vec<PathBuf> = json.into_iter().chain(options.json.clone().filter(|_| !to_stdout)).collect();
    for file in &files {
        exit = exit.and(written(file, &report.json()));
    }
    if let Some(file) = &options.summary {
        exit = exit.and(written(file, &report.markdown()));
    }
    if to_stdout {
        return exit.and(print(&report.json()));
    }
    let lines: String = report.lines().iter().map(|line| format!("{line}\n")).collect();
    exit.and(print(&format!("page: {}\n{lines}", page.display())))
}

fn written(file: &Path, text: &str) -> Exit {
    match write_whole(file, text.as_bytes()) {
        Ok(()) => Exit::Passed,
        Err(cause) => infra(&format!("cannot write {}: {cause}", file.display())),
    }
}
