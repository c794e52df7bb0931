//! Finding scenario files: from the files and folders that a user names to a list sorted by id.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::diagnostics::Diagnostics;
use crate::scenario::{Scenario, read_str};
use crate::spans::FILE_BYTES_MAX;

/// A scenario file that has been found and not read yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    id: String,
    path: PathBuf,
}

/// Why the scenario files cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// The file system refused: look at the path and the cause.
    #[error("cannot read {}: {cause}", path.display())]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// A folder that leads back to itself: remove the link.
    #[error("{} leads back to a folder that it is in", path.display())]
    Loop {
        /// The link.
        path: PathBuf,
    },
    /// A folder without a single scenario: look at the path, or add a file that ends in `.yaml` or `.yml`.
    #[error("there is no scenario (*.yaml, *.yml) in {}", path.display())]
    Empty {
        /// The folder that was named.
        path: PathBuf,
    },
    /// A file that is no scenario by its name: rename it, or name another.
    #[error("{} is no scenario: its name does not end in .yaml or .yml", path.display())]
    NotYaml {
        /// The file that was named.
        path: PathBuf,
    },
    /// A name that is no UTF-8 cannot be an id: rename the file or its folder.
    #[error("the name of {} is not UTF-8", path.display())]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// Two files that would be told apart by nobody: rename one.
    #[error("{} and {} would both be scenario {id}", first.display(), second.display())]
    Duplicate {
        /// The id of both.
        id: String,
        /// One of the files.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
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
        let refused =
            |title: String, help: Option<&str>| Diagnostics::of_file(name.clone(), title, help.map(str::to_owned));
        let file =
            fs::File::open(&self.path).map_err(|cause| refused(format!("cannot open the file: {cause}"), None))?;
        let mut bytes = Vec::new();
        // One byte more than allowed tells that there is too much, however much there is.
        file.take(FILE_BYTES_MAX as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|cause| refused(format!("cannot read the file: {cause}"), None))?;
        if bytes.len() > FILE_BYTES_MAX {
            let help = "split it: a scenario is one case";
            return Err(refused(format!("the file has more than {FILE_BYTES_MAX} bytes"), Some(help)));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            refused(format!("the file is not UTF-8: byte {at} begins no character"), Some("save it as UTF-8"))
        })?;
        read_str(&name, &self.id, &text)
    }
}

/// The scenarios in these files and folders, sorted by id; folders are searched to any depth.
///
/// In a folder only files that end in `.yaml` or `.yml` count, and names that begin with a dot are passed over. A file
/// that is reached twice counts once.
///
/// # Errors
/// [`DiscoverError`] says what to do; nothing is said of the contents of any file.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<Source>, DiscoverError> {
    let mut found = BTreeMap::new();
    for path in paths {
        let canonical = canonical_of(path)?;
        if !canonical.is_dir() {
            if !is_yaml(path) {
                return Err(DiscoverError::NotYaml { path: path.clone() });
            }
            found.entry(canonical).or_insert_with(|| path.clone());
            continue;
        }
        let mut search = Search { found: BTreeMap::new(), inside: Vec::new() };
        search.folder(path, canonical)?;
        if search.found.is_empty() {
            return Err(DiscoverError::Empty { path: path.clone() });
        }
        for (canonical, path) in search.found {
            found.entry(canonical).or_insert(path);
        }
    }
    with_ids(found)
}

/// Files by their one true path, each under the name by which it was reached.
type Found = BTreeMap<PathBuf, PathBuf>;

fn with_ids(found: Found) -> Result<Vec<Source>, DiscoverError> {
    let mut by_id: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in found.into_values() {
        let id = id_of(&path)?;
        if let Some(first) = by_id.get(&id) {
            return Err(DiscoverError::Duplicate { id, first: first.clone(), second: path });
        }
        by_id.insert(id, path);
    }
    Ok(by_id.into_iter().map(|(id, path)| Source { id, path }).collect())
}

struct Search {
    found: Found,
    /// The folders that lead to the one being searched.
    inside: Vec<PathBuf>,
}

impl Search {
    fn folder(&mut self, path: &Path, canonical: PathBuf) -> Result<(), DiscoverError> {
        if self.inside.contains(&canonical) {
            return Err(DiscoverError::Loop { path: path.to_owned() });
        }
        self.inside.push(canonical);
        let failed = |cause| DiscoverError::Io { path: path.to_owned(), cause };
        for entry in fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            self.entry(&entry.path())?;
        }
        self.inside.pop();
        Ok(())
    }

    fn entry(&mut self, path: &Path) -> Result<(), DiscoverError> {
        // A broken link that is no scenario by its name is nobody's business here.
        let is_dir = path.is_dir();
        if is_dir {
            self.folder(path, canonical_of(path)?)
        } else if is_yaml(path) {
            self.found.insert(canonical_of(path)?, path.to_owned());
            Ok(())
        } else {
            Ok(())
        }
    }
}

fn canonical_of(path: &Path) -> Result<PathBuf, DiscoverError> {
    fs::canonicalize(path).map_err(|cause| DiscoverError::Io { path: path.to_owned(), cause })
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
    let folder = canonical_of(parent)?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).ok_or_else(name)?;
    match folder.file_name() {
        Some(folder) => Ok(format!("{}/{stem}", folder.to_str().ok_or_else(name)?)),
        None => Ok(stem.to_owned()),
    }
}
