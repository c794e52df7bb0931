//! House rules that a program can check; CONTRIBUTING.md has them all.
//!
//! Words that must not stand anywhere are put together from two halves here, so that this file does not find itself.

#[path = "house/source.rs"]
mod source;
#[path = "house/tree.rs"]
mod tree;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use flagfall::inputs;

/// Longer than this, and a file holds more than one noun.
const LINES_MAX: usize = 600;

/// Every Rust file with its text, tests too.
fn rust() -> Vec<(PathBuf, String)> {
    texts(&["rs"])
}

/// Every text file with one of these endings; `""` is for files without one.
fn texts(endings: &[&str]) -> Vec<(PathBuf, String)> {
    let root = tree::root();
    let wanted = |path: &Path| endings.contains(&path.extension().map_or("", |ending| ending.to_str().unwrap_or("?")));
    let files = tree::files(&root, "").into_iter().filter(|path| wanted(path));
    files.map(|path| (path.clone(), fs::read_to_string(root.join(path)).expect("a text is UTF-8"))).collect()
}

fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn files_are_short() {
    let long = rust().into_iter().map(|(path, text)| (path, text.lines().count()));
    let long = long.filter(|(_, lines)| *lines > LINES_MAX);
    let long: Vec<String> = long.map(|(path, lines)| format!("{}: {lines} lines", path.display())).collect();
    assert_none(&format!("one noun per file, at most {LINES_MAX} lines"), &long);
}

#[test]
fn every_file_says_what_it_is() {
    let silent = rust().into_iter().filter(|(path, text)| {
        path.components().any(|part| part.as_os_str() == "src") && !text.trim_start().starts_with("//!")
    });
    let silent: Vec<String> = silent.map(|(path, _)| path.display().to_string()).collect();
    assert_none("a file begins with `//!`: what it is, and what it deliberately does not do", &silent);
}

#[test]
fn no_room_for_odds_and_ends() {
    let odd = rust().into_iter().filter(|(path, _)| {
        path.components().any(|part| part.as_os_str() == "utils")
            || path.file_stem().is_some_and(|stem| stem == "utils")
    });
    let odd: Vec<String> = odd.map(|(path, _)| path.display().to_string()).collect();
    assert_none("a module is named after what it holds", &odd);
}

#[test]
fn nothing_is_left_to_do() {
    let words = [["todo", "!("], ["unimplemented", "!("], ["dbg", "!("]].map(|halves| halves.concat());
    let mut found = Vec::new();
    for (path, text) in rust() {
        for (index, line) in text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{}: {}", path.display(), index + 1, line.trim()));
            }
        }
    }
    assert_none("what is committed is finished", &found);
}

#[test]
fn nothing_is_unwrapped_outside_tests() {
    let word = [".unwrap", "()"].concat();
    let found: Vec<String> = source::code(&tree::root(), &source::ROOMS)
        .iter()
        .flat_map(|source| source.lines_where(|line| line.contains(&word)))
        .collect();
    assert_none("an error is handed on; `expect` says why it cannot happen", &found);
}

#[test]
fn the_repository_speaks_of_no_machine() {
    let words = [["/wo", "rk/"], ["/ro", "ot/"], ["/ho", "me/"], ["crates", ".io"], ["deb.debian", ".org"]];
    let words = words.map(|halves| halves.concat());
    let mut found = Vec::new();
    for (path, text) in texts(&["rs", "md", "yaml", "yml", "toml", "x", "js", "css", "stderr", "txt", "xml", "svg", ""])
    {
        for (index, line) in text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{}: {}", path.display(), index + 1, line.trim()));
            }
        }
    }
    assert_none("no path and no host of anybody's machine", &found);
}

#[test]
fn lines_end_where_they_end() {
    let mut found = Vec::new();
    for (path, text) in texts(&["rs", "md", "yaml", "yml", "toml", "x", "js", "css", ""]) {
        for (index, line) in text.lines().enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                found.push(format!("{}:{}: space at the end of the line", path.display(), index + 1));
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            found.push(format!("{}: no newline at the end", path.display()));
        }
    }
    assert_none("no space at the end of a line, a newline at the end of a file", &found);
}

#[test]
fn no_two_cases_are_one() {
    let cases = tree::root().join(inputs::CASES);
    let cases = inputs::read(&inputs::sources(&[cases]).expect("the repository has cases"), &[]);
    assert!(cases.bad.is_empty(), "{:?}", cases.bad);
    let mut known: BTreeMap<(Vec<String>, String), String> = BTreeMap::new();
    let mut found = Vec::new();
    for case in cases.good {
        let scenario = case.scenario;
        let mut points: Vec<String> = scenario.points.iter().map(ToString::to_string).collect();
        points.sort();
        let purpose = scenario.purpose.unwrap_or_default();
        if let Some(other) = known.insert((points.clone(), purpose.clone()), scenario.id.clone()) {
            found.push(format!("{other} and {}: {} `{purpose}`", scenario.id, points.join(" ")));
        }
    }
    assert_none("two cases with the same points and purpose are one case", &found);
}
