//! A small folder of files that is written beside its place and moved there, so that it is whole or absent.
//!
//! Folders of results, which grow while scenarios run, are [`crate::results`]'s.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::interrupt::Interrupt;

/// Why there is no folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The place has something in it that this command does not write: choose another, or move it away.
    #[error("{place} cannot be replaced, because {foreign} is none of its files: choose another place with --out")]
    Taken {
        /// The place.
        place: PathBuf,
        /// What is there.
        foreign: PathBuf,
    },
    /// The file system refused.
    #[error("cannot write {path}: {cause}")]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// What was to be written cannot be made: a defect of flagfall, please report it.
    #[error("{0}")]
    Content(String),
}

/// A folder that is not there yet.
#[derive(Debug)]
pub struct WholeFolder {
    place: PathBuf,
    part: TempDir,
    interrupt: Interrupt,
}

impl WholeFolder {
    /// Looks whether the place can be had for these files, before any work is done.
    ///
    /// # Errors
    /// [`FolderError::Taken`] when something else is there.
    pub fn begin(place: &Path, names: &[&str], interrupt: &Interrupt) -> Result<Self, FolderError> {
        let place: PathBuf = place.components().collect();
        let io = |cause| FolderError::Io { path: place.clone(), cause };
        match std::fs::read_dir(&place) {
            Ok(entries) => {
                for entry in entries {
                    let path = entry.map_err(io)?.path();
                    let ours = path.file_name().and_then(std::ffi::OsStr::to_str).is_some_and(|it| names.contains(&it));
                    if !ours || !path.is_file() {
                        return Err(FolderError::Taken { place, foreign: path });
                    }
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(FolderError::Taken { foreign: place.clone(), place });
            }
            Err(error) => return Err(io(error)),
        }
        let above = place.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(above).map_err(io)?;
        let part = tempfile::Builder::new().prefix(".flagfall-part-").tempdir_in(above).map_err(io)?;
        interrupt.litter(part.path());
        Ok(Self { place, part, interrupt: interrupt.clone() })
    }

    /// Writes the files and puts the folder in its place, instead of an earlier one.
    ///
    /// # Errors
    /// [`FolderError::Io`]; an earlier folder is still there then.
    pub fn finish(self, files: &[(&str, &str)]) -> Result<(), FolderError> {
        let Self { place, part, interrupt } = self;
        let io = |cause| FolderError::Io { path: place.clone(), cause };
        let full = part.path().join("new");
        std::fs::create_dir(&full).map_err(io)?;
        for (name, text) in files {
            std::fs::write(full.join(name), text).map_err(io)?;
        }
        if place.exists() {
            std::fs::rename(&place, part.path().join("old")).map_err(io)?;
        }
        std::fs::rename(&full, &place).map_err(io)?;
        interrupt.no_litter(part.path());
        part.close().map_err(io)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_replaced_as_a_whole_and_no_other_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("below/out");
        let begin = || WholeFolder::begin(&place, &["a", "b"], &Interrupt::default());
        begin().expect("free").finish(&[("a", "1"), ("b", "2")]).expect("written");
        begin().expect("ours").finish(&[("a", "3")]).expect("written");
        assert!(place.join("a").is_file() && !place.join("b").exists());
        assert_eq!(std::fs::read_dir(folder.path().join("below")).expect("a folder").count(), 1, "no litter");
        drop(begin().expect("ours"));
        assert_eq!(std::fs::read_to_string(place.join("a")).expect("still there"), "3");
        std::fs::write(place.join("thesis.tex"), "").expect("written");
        assert!(matches!(begin(), Err(FolderError::Taken { foreign, .. }) if foreign.ends_with("thesis.tex")));
        let file = place.join("a");
        assert!(matches!(WholeFolder::begin(&file, &["a"], &Interrupt::default()), Err(FolderError::Taken { .. })));
    }
}
