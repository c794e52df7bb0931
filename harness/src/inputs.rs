//! What a command works on: cases from folders, rulebooks by key or file.

use std::path::{Path, PathBuf};

use flagfall_judge::rulebook::Rulebook;
use flagfall_scenarios::{Diagnostics, DiscoverError, Discovered, Source, discover, rulebook};

use crate::case::Case;
use crate::cli::Selection;
use crate::selection::{Filter, meant, select};

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
    /// A filter that would leave nothing: correct it.
    #[error("no scenario matches --filter {}: {}", short(&.filter.to_string()), hint(.near))]
    NoMatch {
        /// The filter.
        filter: Filter,
        /// The ids that may have been meant.
        near: Vec<String>,
    },
    /// No scenario has this id: take one that is listed, or the path of a file.
    #[error("no scenario `{}`: {}", short(.named), match near[..] {
        [] => "see `flagfall list`, give the path of its file, or name its folder with --cases".to_owned(),
        _ => hint(near),
    })]
    NoScenario {
        /// What was given.
        named: String,
        /// The ids that may have been meant.
        near: Vec<String>,
    },
    /// No rulebook has this key: use one of those listed, or the path of a file.
    #[error("no rulebook `{}`: flagfall has {}; a file is named by its path, with `/` or `.yaml` in it", short(.given), .known.join(", "))]
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

/// Most characters of what was given that are said again.
const SAID_MAX: usize = 80;

/// What was given, or its beginning.
fn short(given: &str) -> String {
    match given.char_indices().nth(SAID_MAX) {
        Some((end, _)) => format!("{}…", &given[..end]),
        None => given.to_owned(),
    }
}

/// What to say of the ids that may have been meant.
pub(crate) fn hint<T: AsRef<str>>(near: &[T]) -> String {
    match near {
        [] => "`flagfall list` has them all".into(),
        [id] => format!("did you mean `{}`?", id.as_ref()),
        ids => format!("did you mean one of {}?", ids.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    }
}

/// Whether a word is this id, or the family of it.
fn is_named(id: &str, word: &str) -> bool {
    let family = word.strip_suffix('/').unwrap_or(word);
    id == word || id.strip_prefix(family).is_some_and(|rest| rest.starts_with('/'))
}

/// What is behind these paths, or behind the usual folder when there is none. A path that leads nowhere may be the id of
/// a scenario in the usual folder, or a family there.
///
/// # Errors
/// [`InputError`] when there is nothing to work on; a path that leads nowhere beside others that do is no such error.
pub fn sources(paths: &[PathBuf]) -> Result<Discovered, InputError> {
    let usual = Path::new(CASES);
    let found = if paths.is_empty() {
        if !usual.is_dir() {
            return Err(InputError::NoCases);
        }
        discover(&[usual.to_owned()])
    } else {
        let is_there = |path: &&PathBuf| path.symlink_metadata().is_ok();
        let (mut there, others): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(|path| is_there(&path));
        let mut missing = Vec::new();
        if !others.is_empty() {
            let known = if usual.is_dir() { discover(&[usual.to_owned()]).sources } else { Vec::new() };
            for path in others {
                let word = path.to_string_lossy();
                let named = known.iter().filter(|source| is_named(source.id(), &word)).map(Source::path);
                let before = there.len();
                there.extend(named.map(Path::to_owned));
                if there.len() == before {
                    let near = meant(&word, &known).into_iter().map(str::to_owned).collect();
                    missing.push(DiscoverError::Missing { path, near });
                }
            }
        }
        let mut found = discover(&there);
        missing.append(&mut found.errors);
        Discovered { errors: missing, ..found }
    };
    if found.sources.is_empty() { Err(InputError::Nothing(found)) } else { Ok(found) }
}

/// The scenario in this file, or the one with this id behind these paths, the usual folder when there is none.
///
/// # Errors
/// Those of [`sources`], and an id that no scenario has.
pub fn scenario(named: &str, paths: &[PathBuf]) -> Result<Source, InputError> {
    let file = Path::new(named);
    let is_a_file = file.exists() && !file.is_dir();
    let mut sources = if is_a_file { sources(&[file.to_owned()])? } else { sources(paths)? }.sources;
    match sources.iter().position(|source| is_a_file || source.id() == named) {
        Some(index) => Ok(sources.swap_remove(index)),
        None => Err(InputError::NoScenario {
            named: named.to_owned(),
            near: meant(named, &sources).into_iter().map(str::to_owned).collect(),
        }),
    }
}

/// The sources that the options of a command choose.
///
/// # Errors
/// Those of [`sources`], and a filter that names nothing.
pub fn chosen(selection: &Selection) -> Result<Discovered, InputError> {
    let mut found = sources(&selection.paths)?;
    let all = found.sources.clone();
    select(&mut found.sources, &selection.filter, selection.shard).map_err(|filter| InputError::NoMatch {
        filter: filter.clone(),
        near: meant(&filter.to_string(), &all).into_iter().map(str::to_owned).collect(),
    })?;
    Ok(found)
}

/// The rulebooks to rule under: of those that are built in the ones whose keys are named, all when no key is; and those of
/// the files that are named. The key of such a file names a rulebook too: with it alone only the file's rules.
///
/// # Errors
/// [`InputError`] for an unknown key, a wrong file, or one key twice.
pub fn rulebooks(named: &[String]) -> Result<Vec<Rulebook>, InputError> {
    let (files, keys): (Vec<&String>, Vec<&String>) = named.iter().partition(|name| is_a_file(name));
    let own = files.into_iter().map(|name| one_rulebook(name)).collect::<Result<Vec<_>, _>>()?;
    let is_own = |key: &str| own.iter().any(|rulebook| rulebook.key == key);
    let chosen: Vec<&str> = match keys[..] {
        [] => rulebook::keys().to_vec(),
        _ => keys.into_iter().map(String::as_str).filter(|key| !is_own(key)).collect(),
    };
    let mut rulebooks = chosen.into_iter().map(built_in).collect::<Result<Vec<_>, _>>()?;
    rulebooks.extend(own);
    for (index, rulebook) in rulebooks.iter().enumerate() {
        if rulebooks[..index].iter().any(|other| other.key == rulebook.key) {
            return Err(InputError::RulebookTwice(rulebook.key.clone()));
        }
    }
    Ok(rulebooks)
}

/// The rulebook with this key or in this file.
///
/// # Errors
/// [`InputError`] for an unknown key or a wrong file.
pub fn one_rulebook(named: &str) -> Result<Rulebook, InputError> {
    if is_a_file(named) { rulebook::read_file(Path::new(named)).map_err(InputError::Rulebook) } else { built_in(named) }
}

fn is_a_file(named: &str) -> bool {
    named.contains(['/', '\\']) || named.ends_with(".yaml") || named.ends_with(".yml")
}

fn built_in(key: &str) -> Result<Rulebook, InputError> {
    rulebook::builtin(key).ok_or_else(|| InputError::NoRulebook {
        given: key.to_owned(),
        known: rulebook::keys().iter().map(ToString::to_string).collect(),
    })
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
    for one in each(&found.sources, rulebooks) {
        match one {
            Ok(case) => cases.good.push(case),
            Err(diagnostics) => cases.bad.push(diagnostics),
        }
    }
    cases
}

/// Reads one source after the other, and keeps none.
pub fn each<'a>(
    sources: &'a [Source],
    rulebooks: &'a [Rulebook],
) -> impl Iterator<Item = Result<Case, Diagnostics>> + 'a {
    sources.iter().map(|source| Case::read(source, rulebooks))
}

/// The sources that the options choose and the rulebooks with these names.
///
/// # Errors
/// [`InputError`] when there is nothing to work on, or a rulebook cannot be had.
pub fn given(selection: &Selection, named: &[String]) -> Result<(Discovered, Vec<Rulebook>), InputError> {
    Ok((chosen(selection)?, rulebooks(named)?))
}
