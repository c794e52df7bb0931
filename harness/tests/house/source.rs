//! The code of the repository, as the house rules look at it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tree::files;

/// The folders of the workspace that hold Rust, each a room.
pub(crate) const ROOMS: [&str; 11] = [
    "core",
    "trace",
    "judge",
    "scenarios",
    "sim",
    "reports",
    "virtual-board",
    "virtual-board/probe",
    "firmware",
    "fuzz",
    "harness",
];

/// A Rust file of a room's `src`.
pub(crate) struct Source {
    /// Relative to the root.
    pub(crate) path: PathBuf,
    /// The code line by line, its number first: without comments, without test modules.
    code: Vec<(usize, String)>,
}

impl Source {
    /// The lines of code of which this is true, as `path:line: text`.
    pub(crate) fn lines_where(&self, is: impl Fn(&str) -> bool) -> Vec<String> {
        let lines = self.code.iter().filter(|(_, line)| is(line));
        lines.map(|(number, line)| format!("{}:{number}: {}", self.path.display(), line.trim())).collect()
    }
}

/// The code of these rooms; files that only tests are made of are left out.
pub(crate) fn code(root: &Path, rooms: &[&str]) -> Vec<Source> {
    let mut sources = Vec::new();
    for room in rooms {
        let paths = files(root, &format!("{room}/src"));
        let texts: Vec<String> =
            paths.iter().map(|path| fs::read_to_string(root.join(path)).expect("a source is text")).collect();
        let test_files: Vec<String> = texts.iter().flat_map(|text| test_modules(text)).collect();
        for (path, text) in paths.into_iter().zip(&texts) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|ending| ending == "rs") && !test_files.contains(&stem) {
                sources.push(Source { path, code: lines_of_code(text) });
            }
        }
    }
    assert!(sources.len() >= rooms.len(), "no sources in {rooms:?}");
    sources
}

/// The modules that are declared for tests alone and live in files of their own.
fn test_modules(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut modules = Vec::new();
    for (index, _) in lines.iter().enumerate().filter(|(_, line)| **line == "#[cfg(test)]") {
        let declared = lines[index + 1..].iter().find(|line| !line.starts_with("#["));
        let name = declared.and_then(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
        modules.extend(name.map(str::to_owned));
    }
    modules
}

/// Lines without comments and without what follows `#[cfg(test)]`; rustfmt's indentation tells where that ends.
fn lines_of_code(text: &str) -> Vec<(usize, String)> {
    let mut code = Vec::new();
    let mut in_test: Option<String> = None;
    for (index, line) in text.lines().enumerate() {
        let indentation = &line[..line.len() - line.trim_start().len()];
        if let Some(test) = &in_test {
            let ends = line == format!("{test}}}") || (line.ends_with(';') && indentation == test);
            if ends {
                in_test = None;
            }
        } else if line.trim() == "#[cfg(test)]" {
            in_test = Some(indentation.to_owned());
        } else {
            code.push((index + 1, without_comment(line).to_owned()));
        }
    }
    code
}

/// The line up to a comment; two strokes within quotation marks begin none.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let mut before = ' ';
    for (at, char) in line.char_indices() {
        match char {
            '"' if before != '\\' && before != '\'' => quoted = !quoted,
            '/' if before == '/' && !quoted => return &line[..at - 1],
            _ => {}
        }
        before = char;
    }
    line
}
