//! `flagfall report`: the page, from files and from nothing else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flagfall_reports::{Report, ReportError, write_report, write_report_with_pictures};
use flagfall_trace::trace::write_whole;

use crate::cli;
use crate::command::{bad_input, infra, print};
use crate::exit::Exit;
use crate::limit;
use crate::overwrite;
use crate::results::{self, PAGE, PLOTS, REPORT, RESULTS};
use crate::written::below;

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
    let put = [Some(page.as_path()), options.json.as_deref(), options.summary.as_deref()];
    if let Err(error) = overwrite::none(put.into_iter().flatten(), options.folders.iter().map(PathBuf::as_path)) {
        return bad_input(&error);
    }
    let mask = match limit::mask(options.mask.as_deref()) {
        Ok(mask) => mask,
        Err(error) => return bad_input(&error),
    };
    let into = page.parent().unwrap_or(Path::new(".")).join(PLOTS);
    let drawn_before = files_in(&into);
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
    let drawn = files_in(&into).difference(&drawn_before).cloned().collect();
    let put: [Vec<PathBuf>; 4] = [vec![page.clone()], files, options.summary.iter().cloned().collect(), drawn];
    exit = exit.and(noted(&options.folders, &put.concat()));
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

/// The files of a folder; none where there is no folder.
fn files_in(folder: &Path) -> BTreeSet<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Notes in each folder of results what was put into it, so that the next run may replace it.
fn noted(folders: &[PathBuf], put: &[PathBuf]) -> Exit {
    for folder in folders {
        let inside: Vec<PathBuf> = put.iter().filter_map(|file| below(file, folder)).collect();
        if inside.is_empty() {
            continue;
        }
        let noted = results::written(folder).and_then(|mut written| {
            inside.iter().for_each(|file| written.add(file));
            written.note(folder)
        });
        if let Err(cause) = noted {
            return infra(&format!("cannot write {}: {cause}", folder.display()));
        }
    }
    Exit::Passed
}
