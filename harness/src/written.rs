//! What flagfall has put into a folder, by name: a note in the folder itself, so that nothing else there is taken for ours.
//!
//! A name is no proof: `index.html` is what many a folder of somebody else's has. What stands in no note is never removed.

use std::collections::BTreeSet;
use std::fs::FileType;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use flagfall_trace::open_regular;
use flagfall_trace::trace::write_whole;
use serde::{Deserialize, Serialize};

/// The note.
pub const WRITTEN: &str = "written.json";

/// The files that flagfall has put into a folder, as paths from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    written_by_flagfall: BTreeSet<PathBuf>,
}

impl Written {
    /// The note of a folder, if there is one.
    ///
    /// # Errors
    /// When there is a note that cannot be read.
    pub fn read(folder: &Path) -> io::Result<Option<Self>> {
        let note = folder.join(WRITTEN);
        if !note.symlink_metadata().is_ok_and(|there| there.is_file()) {
            return Ok(None);
        }
        // A file of somebody else's under this name is no note.
        Ok(serde_json::from_reader(io::BufReader::new(open_regular(&note)?)).ok())
    }

    /// Everything that is in a folder which nobody else writes to.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn all_of(folder: &Path) -> io::Result<Self> {
        let mut written = Self::default();
        let none: Option<()> = walk(folder, Path::new(""), &mut |path, kind| {
            if !kind.is_dir() {
                written.add(path);
            }
            None
        })?;
        debug_assert!(none.is_none());
        Ok(written)
    }

    /// Adds a file; one whose name is no text cannot be noted.
    pub fn add(&mut self, file: &Path) {
        if file.to_str().is_some() {
            self.written_by_flagfall.insert(file.to_owned());
        }
    }

    /// Takes a file out: something else has its place.
    pub fn take_out(&mut self, file: &Path) {
        self.written_by_flagfall.remove(file);
    }

    /// Leaves the note in the folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&mut self, folder: &Path) -> io::Result<()> {
        self.add(Path::new(WRITTEN));
        let text = serde_json::to_string_pretty(self)? + "\n";
        write_whole(&folder.join(WRITTEN), text.as_bytes())
    }

    /// Whether this file is noted.
    #[must_use]
    pub fn has(&self, file: &Path) -> bool {
        self.written_by_flagfall.contains(file)
    }

    /// The first thing in the folder that is not noted: a file, a link, a folder that nothing noted is in.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn foreign(&self, folder: &Path) -> io::Result<Option<PathBuf>> {
        walk(folder, Path::new(""), &mut |path, kind| {
            let ours = if kind.is_dir() {
                self.written_by_flagfall.iter().any(|file| file.starts_with(path))
            } else {
                kind.is_file() && self.has(path)
            };
            (!ours).then(|| folder.join(path))
        })
    }
}

/// The path of a file from a folder, if it is, or is to be, below that.
#[must_use]
pub fn below(file: &Path, folder: &Path) -> Option<PathBuf> {
    let file = real(file);
    let path = file.strip_prefix(real(folder)).ok()?;
    let plain = path.components().all(|part| matches!(part, Component::Normal(_))) && !path.as_os_str().is_empty();
    plain.then(|| path.to_owned())
}

/// Why a folder cannot be moved away so that another takes its place, if it cannot: found before anything is run.
///
/// # Errors
/// When it is there and cannot be looked at.
pub fn unmovable(folder: &Path) -> io::Result<Option<&'static str>> {
    let folder = real(folder);
    let device = |path: &Path| path.metadata().map(|there| there.dev());
    let (own, above) = match (device(&folder), folder.parent()) {
        (Err(error), _) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        (own, above) => (own?, above.map(device).transpose()?),
    };
    if above.is_some_and(|above| above != own) {
        return Ok(Some("it is a mount point: name a folder inside it"));
    }
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let stands_in_it = here.is_ok_and(|here| here.starts_with(&folder));
    Ok(stands_in_it.then_some("this command was given in it: name a folder inside it, or one elsewhere"))
}

/// The path without links, of what is not there as far as its folder is.
pub(crate) fn real(path: &Path) -> PathBuf {
    let there = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    match (there.canonicalize(), there.parent(), there.file_name()) {
        (Ok(path), _, _) => path,
        (Err(_), Some(above), Some(name)) => real(above).join(name),
        _ => there.to_owned(),
    }
}

/// Removes what is ours from a folder that was replaced, puts the rest into `instead` where nothing else has its place
/// there, and removes the folder once it is empty; whether it is gone.
///
/// # Errors
/// When the folder cannot be listed or a file of ours not be removed.
pub fn dissolve(folder: &Path, instead: &Path, ours: impl Fn(&Path) -> bool) -> io::Result<bool> {
    let mut folders = vec![PathBuf::new()];
    let mut files = Vec::new();
    let none: Option<()> = walk(folder, Path::new(""), &mut |path, kind| {
        if kind.is_dir() { &mut folders } else { &mut files }.push(path.to_owned());
        None
    })?;
    debug_assert!(none.is_none());
    for file in files {
        let (from, to) = (folder.join(&file), instead.join(&file));
        if ours(&file) {
            std::fs::remove_file(from)?;
        } else if to.symlink_metadata().is_err() {
            // Somebody put it there while a run was at work. Where it cannot be moved it stays where it is.
            let _ = to.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::rename(from, to));
        }
    }
    // The deepest first: a folder is removed only while nothing is in it.
    folders.sort();
    for path in folders.iter().rev() {
        let _ = std::fs::remove_dir(folder.join(path));
    }
    Ok(!folder.exists())
}

/// Looks at everything below a folder in order of the names, at what is in a folder before the folder itself, until there
/// is an answer. Links are looked at and not followed.
fn walk<T>(folder: &Path, below: &Path, look: &mut impl FnMut(&Path, FileType) -> Option<T>) -> io::Result<Option<T>> {
    let mut entries = std::fs::read_dir(folder.join(below))?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
        if kind.is_dir()
            && let Some(found) = walk(folder, &path, look)?
        {
            return Ok(Some(found));
        }
        if let Some(found) = look(&path, kind) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_not_noted_is_foreign_and_moves_to_what_comes_instead() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::create_dir_all(old.join("traces")).expect("a folder");
        for file in ["index.html", "traces/a.json"] {
            fs::write(old.join(file), "").expect("written");
        }
        let mut written = Written::all_of(&old).expect("listed");
        written.note(&old).expect("noted");
        assert_eq!(Written::read(&old).expect("read"), Some(written.clone()));
        assert_eq!(written.foreign(&old).expect("listed"), None);
        for (file, named) in [("mine.xml", "mine.xml"), ("traces/mine.json", "traces/mine.json")] {
            fs::write(old.join(file), "mine").expect("written");
            assert_eq!(written.foreign(&old).expect("listed"), Some(old.join(named)));
            fs::remove_file(old.join(file)).expect("removed");
        }
        fs::create_dir(old.join("plots")).expect("a folder");
        assert_eq!(written.foreign(&old).expect("listed"), Some(old.join("plots")));
        fs::write(old.join("plots/photo.jpg"), "mine").expect("written");
        assert_eq!(written.foreign(&old).expect("listed"), Some(old.join("plots/photo.jpg")));
        fs::create_dir(&new).expect("a folder");
        assert!(dissolve(&old, &new, |file| written.has(file)).expect("dissolved"));
        assert_eq!(fs::read_to_string(new.join("plots/photo.jpg")).expect("it is kept"), "mine");
        assert!(!new.join("index.html").exists());
    }

    #[test]
    fn what_has_no_place_instead_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        for place in [&old, &new] {
            fs::create_dir(place).expect("a folder");
            fs::write(place.join("notes.md"), place.as_os_str().as_encoded_bytes()).expect("written");
        }
        assert!(!dissolve(&old, &new, |_| false).expect("dissolved"));
        assert!(fs::read_to_string(old.join("notes.md")).expect("it is kept").ends_with("old"));
        assert!(fs::read_to_string(new.join("notes.md")).expect("it is kept").ends_with("new"));
    }

    #[test]
    fn a_path_below_a_folder_is_told_whether_the_folder_is_there_or_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        for _ in 0..2 {
            assert_eq!(below(&out.join("a/b.xml"), &out), Some("a/b.xml".into()));
            assert_eq!(below(&out, &out), None);
            assert_eq!(below(&folder.path().join("out.xml"), &out), None);
            assert_eq!(below(&out.join("../b.xml"), &out), None);
            fs::create_dir_all(&out).expect("a folder");
        }
        assert_eq!(below(&out.join("../out/b.xml"), &out), Some("b.xml".into()));
    }

    #[test]
    fn where_a_command_was_given_is_not_moved_away() {
        let here = std::env::current_dir().expect("a folder");
        for place in [here.as_path(), here.parent().expect("one above"), Path::new("."), Path::new("")] {
            assert!(unmovable(place).expect("looked at").is_some_and(|why| why.contains("given in it")), "{place:?}");
        }
        // Linux mounts it, in containers too.
        assert!(unmovable(Path::new("/proc")).expect("looked at").is_some_and(|why| why.contains("mount point")));
        for place in ["target/no-such-folder", "src"] {
            assert_eq!(unmovable(Path::new(place)).expect("looked at"), None);
        }
    }
}
