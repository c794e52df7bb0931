//! `flagfall boards`: what boards there are, and whether they are fit for a run.

mod check;
mod list;

use std::path::{Path, PathBuf};

use crate::cli::{BoardFiles, Boards, BoardsCommand};
use crate::command::bad_input;
use crate::exit::Exit;
use crate::rig::board::Description;
use crate::terminal::Colour;

/// Lists boards, or checks them.
#[must_use]
pub fn boards(options: &Boards, colour: Colour) -> Exit {
    match &options.what {
        None => list::list(&options.files),
        Some(BoardsCommand::Check(options)) => check::check(options, colour),
    }
}

/// A board file that can be read.
struct BoardFile {
    path: PathBuf,
    description: Description,
}

/// The board files that were named, those of folders sorted; what is wrong with one is told, and the others are there all
/// the same.
fn read(files: &BoardFiles) -> (Vec<BoardFile>, Exit) {
    let (mut found, mut exit) = (Vec::new(), Exit::Passed);
    for path in &files.files {
        match files_of(path) {
            Ok(paths) => {
                for path in paths {
                    match Description::read(&path) {
                        Ok(description) => found.push(BoardFile { path, description }),
                        Err(error) => exit = exit.and(bad_input(&error)),
                    }
                }
            }
            Err(why) => exit = exit.and(bad_input(&why)),
        }
    }
    (found, exit)
}

/// A file itself, or the YAML files of a folder.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|error| format!("cannot look into {}: {error}", path.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| format!("cannot look into {}: {error}", path.display()))?.path();
        if entry.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
            paths.push(entry);
        }
    }
    if paths.is_empty() {
        return Err(format!("no board file in {}: name a file, or a folder of them", path.display()));
    }
    paths.sort();
    Ok(paths)
}
