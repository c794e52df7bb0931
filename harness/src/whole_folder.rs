//! A small folder of files that is written beside its place and moved there, so that it is whole or absent.
//!
//! Folders of results, which grow while scenarios run, are [`crate::results`]'s.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::interrupt::Interrupt;
use crate::written::{Written, dissolve, unmovable};

/// Why there is no folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The place has something in it that was not put there the time before: choose another, or move it away.
    #[error(
        "{place} cannot be replaced: {foreign} is not among what flagfall put there; move it away, or choose another place"
    )]
    Taken {
        /// The place.
        place: PathBuf,
        /// What is there.
        foreign: PathBuf,
    },
    /// The place is there and cannot be moved away: name another.
    #[error("{place} cannot be replaced: {why}")]
    Unmovable {
        /// The place.
        place: PathBuf,
        /// Why.
        why: &'static str,
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
    /// Looks whether the place can be had, before any work is done.
    ///
    /// # Errors
    /// [`FolderError::Taken`] when something else is there.
    pub fn begin(place: &Path, interrupt: &Interrupt) -> Result<Self, FolderError> {
        let place: PathBuf = place.components().collect();
        let io = |cause| FolderError::Io { path: place.clone(), cause };
        if let Some(why) = unmovable(&place).unwrap_or_default() {
            return Err(FolderError::Unmovable { place, why });
        }
        match std::fs::metadata(&place) {
            Ok(there) if there.is_dir() => {
                let written = Written::read(&place).map_err(io)?.unwrap_or_default();
                if let Some(foreign) = written.foreign(&place).map_err(io)? {
                    return Err(FolderError::Taken { place, foreign });
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Ok(_) => return Err(FolderError::Taken { foreign: place.clone(), place }),
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
        Written::all_of(&full).and_then(|mut written| written.note(&full)).map_err(io)?;
        let old = part.path().join("old");
        let replaces = place.exists();
        if replaces {
            std::fs::rename(&place, &old).map_err(io)?;
        }
        std::fs::rename(&full, &place).map_err(io)?;
        interrupt.no_litter(part.path());
        if replaces {
            // What somebody has put there meanwhile is kept.
            let written = Written::read(&old).map_err(io)?.unwrap_or_default();
            if !dissolve(&old, &place, |file| written.has(file)).map_err(io)? {
                let _: PathBuf = part.keep();
                return Ok(());
            }
        }
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
        let begin = || WholeFolder::begin(&place, &Interrupt::default());
        begin().expect("free").finish(&[("a", "1"), ("b", "2")]).expect("written");
        begin().expect("ours").finish(&[("a", "3")]).expect("written");
        assert!(place.join("a").is_file() && !place.join("b").exists());
        assert_eq!(std::fs::read_dir(folder.path().join("below")).expect("a folder").count(), 1, "no litter");
        drop(begin().expect("ours"));
        assert_eq!(std::fs::read_to_string(place.join("a")).expect("still there"), "3");
        let of_somebody_else = folder.path().join("of-somebody-else");
        std::fs::create_dir(&of_somebody_else).expect("a folder");
        drop(WholeFolder::begin(&of_somebody_else, &Interrupt::default()).expect("empty"));
        std::fs::write(of_somebody_else.join("a"), "").expect("written");
        let taken = WholeFolder::begin(&of_somebody_else, &Interrupt::default());
        assert!(matches!(taken, Err(FolderError::Taken { foreign, .. }) if foreign.ends_with("a")));
        let meanwhile = begin().expect("ours");
        std::fs::write(place.join("notes.md"), "mine").expect("written");
        meanwhile.finish(&[("a", "4")]).expect("written");
        assert_eq!(std::fs::read_to_string(place.join("notes.md")).expect("kept"), "mine");
        std::fs::remove_file(place.join("notes.md")).expect("removed");
        std::fs::write(place.join("thesis.tex"), "").expect("written");
        assert!(matches!(begin(), Err(FolderError::Taken { foreign, .. }) if foreign.ends_with("thesis.tex")));
        let file = place.join("a");
        assert!(matches!(WholeFolder::begin(&file, &Interrupt::default()), Err(FolderError::Taken { .. })));
    }
}
