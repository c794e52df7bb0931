//! Finding scenario files: from the files and folders that a user names to a list sorted by id.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostics::Diagnostics;
use crate::file;
use crate::printable::{self, is_hidden};
use crate::scenario::{Scenario, read_str};

/// A scenario file that has been found and not read yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    id: String,
    path: PathBuf,
}

/// What was found: everything that could be, and what stood in the way of the rest.
#[derive(Debug, Default)]
pub struct Discovered {
    /// The scenario files, sorted by id.
    pub sources: Vec<Source>,
    /// Every file or folder that gave none, in the order in which they were come upon; two files with one id are both
    /// left out.
    pub errors: Vec<DiscoverError>,
}

/// Why a file or folder gives no scenarios.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// The file system refused: look at the path and the cause.
    #[error("cannot read {}: {cause}", printable::path(path))]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// Nothing has this name, and no scenario this id: correct it.
    #[error("there is no file, folder or scenario {}{}", printable::path(path), meant(near))]
    Missing {
        /// What was named.
        path: PathBuf,
        /// The ids that may have been meant.
        near: Vec<String>,
    },
    /// A folder that leads back to itself: remove the link.
    #[error("{} leads back to a folder that it is in", printable::path(path))]
    Loop {
        /// The link.
        path: PathBuf,
    },
    /// A folder without a single scenario: look at the path, or add a file that ends in `.yaml` or `.yml`.
    #[error("there is no scenario (*.yaml, *.yml) in {}", printable::path(path))]
    Empty {
        /// The folder that was named.
        path: PathBuf,
    },
    /// A file that is no scenario by its name: rename it, or name another.
    #[error("{} is no scenario: its name does not end in .yaml or .yml", printable::path(path))]
    NotYaml {
        /// The file that was named.
        path: PathBuf,
    },
    /// A name that is no UTF-8 cannot be an id: rename the file or its folder.
    #[error("the name of {} is not UTF-8", printable::path(path))]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// A name that a terminal would obey instead of printing it: rename the file or its folder.
    #[error("the name of {} has control characters", printable::path(path))]
    Control {
        /// The file.
        path: PathBuf,
    },
    /// Two files that would be told apart by nobody: rename one.
    #[error("{} and {} would both be scenario {id}", printable::path(first), printable::path(second))]
    Duplicate {
        /// The id of both.
        id: String,
        /// One of the files.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
}

fn meant(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) }
}

impl DiscoverError {
    /// The file or folder that gives nothing.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::Missing { path, .. }
            | Self::Loop { path }
            | Self::Empty { path }
            | Self::NotYaml { path }
            | Self::Name { path }
            | Self::Control { path } => path,
            Self::Duplicate { second, .. } => second,
        }
    }

    /// That path as it may be shown anywhere, with control characters escaped.
    #[must_use]
    pub fn shown_path(&self) -> String {
        printable::path(self.path())
    }

    /// The same for a list of what is wrong with scenario files.
    #[must_use]
    pub fn diagnose(&self) -> Diagnostics {
        Diagnostics::of_file(self.path().display().to_string(), self.to_string(), None)
    }
}

impl Source {
    /// `family/file-stem`: the name of the folder it is in, and its own without the ending.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The file, under the name by which it was reached.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file.
    ///
    /// # Errors
    /// [`Diagnostics`] with everything that is wrong with it, a file that cannot be read included.
    pub fn read(&self) -> Result<Scenario, Diagnostics> {
        let name = self.path.display().to_string();
        let text = file::read_text(&self.path)
            .map_err(|error| Diagnostics::of_file(name.clone(), error.to_string(), error.help().map(str::to_owned)))?;
        read_str(&name, &self.id, &text)
    }
}

/// The scenarios in these files and folders, sorted by id; folders are searched to any depth.
///
/// In a folder only files that end in `.yaml` or `.yml` count, and names that begin with a dot are passed over. A file
/// that is reached twice counts once. What cannot be searched does not keep anything else from being found. Nothing is
/// said of the contents of any file.
#[must_use]
pub fn discover(paths: &[PathBuf]) -> Discovered {
    let mut search = Search::default();
    for path in paths {
        search.named(path);
    }
    search.with_ids()
}

/// Files by their one true path, each under the name by which it was reached.
type Found = BTreeMap<PathBuf, PathBuf>;

#[derive(Default)]
struct Search {
    found: Found,
    errors: Vec<DiscoverError>,
    /// The folders that lead to the one being searched.
    inside: Vec<PathBuf>,
}

impl Search {
    /// A file or folder that the user named.
    fn named(&mut self, path: &Path) {
        let Some(canonical) = self.canonical(path) else { return };
        if !canonical.is_dir() {
            if is_yaml(path) {
                self.found.entry(canonical).or_insert_with(|| path.to_owned());
            } else {
                self.errors.push(DiscoverError::NotYaml { path: path.to_owned() });
            }
            return;
        }
        let errors = self.errors.len();
        let mut below = Self { errors: std::mem::take(&mut self.errors), ..Self::default() };
        below.folder(path, canonical);
        self.errors = below.errors;
        if below.found.is_empty() && self.errors.len() == errors {
            self.errors.push(DiscoverError::Empty { path: path.to_owned() });
        }
        for (canonical, path) in below.found {
            self.found.entry(canonical).or_insert(path);
        }
    }

    fn folder(&mut self, path: &Path, canonical: PathBuf) {
        if self.inside.contains(&canonical) {
            return self.errors.push(DiscoverError::Loop { path: path.to_owned() });
        }
        let entries = match entries(path) {
            Ok(entries) => entries,
            Err(cause) => return self.errors.push(DiscoverError::Io { path: path.to_owned(), cause }),
        };
        self.inside.push(canonical);
        for entry in entries {
            self.entry(&entry);
        }
        self.inside.pop();
    }

    fn entry(&mut self, path: &Path) {
        // A broken link that is no scenario by its name is nobody's business here.
        let is_dir = path.is_dir();
        if !is_dir && !is_yaml(path) {
            return;
        }
        let Some(canonical) = self.canonical(path) else { return };
        if is_dir {
            self.folder(path, canonical);
        } else {
            self.found.insert(canonical, path.to_owned());
        }
    }

    fn canonical(&mut self, path: &Path) -> Option<PathBuf> {
        fs::canonicalize(path)
            .map_err(|cause| self.errors.push(DiscoverError::Io { path: path.to_owned(), cause }))
            .ok()
    }

    fn with_ids(mut self) -> Discovered {
        let mut by_id: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for path in self.found.into_values() {
            match id_of(&path) {
                Ok(id) => by_id.entry(id).or_default().push(path),
                Err(error) => self.errors.push(error),
            }
        }
        let mut sources = Vec::new();
        for (id, paths) in by_id {
            let mut paths = paths.into_iter();
            let Some(first) = paths.next() else { continue };
            let others: Vec<PathBuf> = paths.collect();
            if others.is_empty() {
                sources.push(Source { id, path: first });
                continue;
            }
            let twice = |second| DiscoverError::Duplicate { id: id.clone(), first: first.clone(), second };
            self.errors.extend(others.into_iter().map(twice));
        }
        Discovered { sources, errors: self.errors }
    }
}

/// What is in a folder, in the order of the names, but for what is hidden.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
}

/// The folder's name and the file's, whatever the current folder is.
fn id_of(path: &Path) -> Result<String, DiscoverError> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = || DiscoverError::Name { path: path.to_owned() };
    let folder = fs::canonicalize(parent).map_err(|cause| DiscoverError::Io { path: parent.to_owned(), cause })?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or_else(name)?;
    let id = match folder.file_name() {
        Some(folder) => format!("{}/{stem}", folder.to_str().ok_or_else(name)?),
        None => stem.to_owned(),
    };
    // Messages name the whole path, so that a folder far above counts too.
    if path.to_string_lossy().contains(is_hidden) || id.contains(is_hidden) {
        return Err(DiscoverError::Control { path: path.to_owned() });
    }
    Ok(id)
}
