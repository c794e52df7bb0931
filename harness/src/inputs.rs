//! What a command works on: cases from folders, rulebooks by key or file.

use std::path::{Path, PathBuf};

use flagfall_judge::rulebook::Rulebook;
use flagfall_scenarios::{Diagnostics, DiscoverError, Discovered, discover, rulebook};

use crate::case::Case;

/// The folder that is taken when no path is given.
pub const CASES: &str = "scenarios/cases";

/// Input that cannot be used at all; single wrong scenarios are not among them.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// No path was given and the usual folder is not here: name a file or folder.
    #[error("no scenarios given and no folder {CASES} here: name a file or folder of scenarios")]
    NoCases,
    /// The paths lead to no scenario at all: each is named with what stands in its way.
    #[error("{}", reasons(.0))]
    Nothing(Discovered),
    /// No rulebook has this key: use one of those listed, or the path of a file.
    #[error("no rulebook `{given}`: flagfall has {}; a file is named by its path, with `/` or `.yaml` in it", .known.join(", "))]
    NoRulebook {
        /// What was given.
        given: String,
        /// The keys there are.
        known: Vec<String>,
    },
    /// A rulebook file is wrong; every problem has its place.
    #[error("a rulebook cannot be read\n{}", .0.render(false))]
    Rulebook(Diagnostics),
    /// Two rulebooks have one key, so that results could not tell them apart: rename one.
    #[error("two rulebooks have the key `{0}`: give one of them another key")]
    RulebookTwice(String),
}

fn reasons(found: &Discovered) -> String {
    let reasons: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    reasons.join("\n")
}

/// What is behind these paths, or behind the usual folder when there is none.
///
/// # Errors
/// [`InputError`] when there is nothing to work on; a path that leads nowhere beside others that do is no such error.
pub fn sources(paths: &[PathBuf]) -> Result<Discovered, InputError> {
    let found = if !paths.is_empty() {
        discover(paths)
    } else if Path::new(CASES).is_dir() {
        discover(&[PathBuf::from(CASES)])
    } else {
        return Err(InputError::NoCases);
    };
    if found.sources.is_empty() { Err(InputError::Nothing(found)) } else { Ok(found) }
}

/// The rulebooks named by key or file, or all that are built in when none is named.
///
/// # Errors
/// [`InputError`] for an unknown key, a wrong file, or one key twice.
pub fn rulebooks(named: &[String]) -> Result<Vec<Rulebook>, InputError> {
    let built_in = |key: &str| {
        rulebook::builtin(key).ok_or_else(|| InputError::NoRulebook {
            given: key.to_owned(),
            known: rulebook::keys().iter().map(ToString::to_string).collect(),
        })
    };
    let mut rulebooks = Vec::new();
    if named.is_empty() {
        for key in rulebook::keys() {
            rulebooks.push(built_in(key)?);
        }
    }
    for name in named {
        let is_a_file = name.contains(['/', '\\']) || name.ends_with(".yaml") || name.ends_with(".yml");
        let rulebook = if is_a_file {
            rulebook::read_file(Path::new(name)).map_err(InputError::Rulebook)?
        } else {
            built_in(name)?
        };
        if rulebooks.iter().any(|known: &Rulebook| known.key == rulebook.key) {
            return Err(InputError::RulebookTwice(rulebook.key));
        }
        rulebooks.push(rulebook);
    }
    Ok(rulebooks)
}

/// The cases that could be read, and what is wrong with those that could not.
#[derive(Debug, Default)]
pub struct Cases {
    /// Those that can be run, in order of their ids.
    pub good: Vec<Case>,
    /// What is wrong with the others, and with files and folders that gave none.
    pub bad: Vec<Diagnostics>,
}

/// Reads every source; one that is wrong does not stop the others.
///
/// Expected rulings may be of the rulebooks that are built in and of those given here.
#[must_use]
pub fn read(found: &Discovered, rulebooks: &[Rulebook]) -> Cases {
    let mut cases = Cases { good: Vec::new(), bad: found.errors.iter().map(DiscoverError::diagnose).collect() };
    for source in &found.sources {
        match Case::read(source, rulebooks) {
            Ok(case) => cases.good.push(case),
            Err(diagnostics) => cases.bad.push(diagnostics),
        }
    }
    cases
}

/// The cases behind these paths and the rulebooks with these names, each as the functions for it alone give them.
///
/// # Errors
/// [`InputError`] when there is nothing to work on, or a rulebook cannot be had.
pub fn cases(paths: &[PathBuf], named: &[String]) -> Result<(Cases, Vec<Rulebook>), InputError> {
    let found = sources(paths)?;
    let rulebooks = rulebooks(named)?;
    Ok((read(&found, &rulebooks), rulebooks))
}
