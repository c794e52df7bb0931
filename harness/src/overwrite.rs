//! What is read is never written over: a report in the place of the results that it was made from is the end of both.

use std::path::{Component, Path, PathBuf};

use crate::results;
use crate::written::{below, real};

/// A file that is to be written and is read from as well: name another.
#[derive(Debug, thiserror::Error)]
#[error("{written} is read by this command and would be written over: choose another name")]
pub struct Overwrite {
    written: PathBuf,
}

/// Looks, before anything is done, whether a file that is to be written is one of these, or a file of results in one of
/// these folders. `-` is no file.
///
/// # Errors
/// [`Overwrite`] with the first that is.
pub fn none<'a>(
    written: impl IntoIterator<Item = &'a Path>,
    read: impl IntoIterator<Item = &'a Path> + Clone,
) -> Result<(), Overwrite> {
    let is_read = |file: &Path| {
        read.clone().into_iter().any(|input| {
            if input.is_dir() {
                below(file, input).is_some_and(|file| is_data(&file))
            } else {
                real(file) == real(input)
            }
        })
    };
    let found = written.into_iter().filter(|file| *file != Path::new("-")).find(|file| is_read(file));
    found.map_or(Ok(()), |file| Err(Overwrite { written: file.to_owned() }))
}

/// Whether this path, from a folder of results, is one that is read from there.
fn is_data(file: &Path) -> bool {
    let first = file.components().next();
    first.is_some_and(|first| results::DATA.iter().any(|data| first == Component::Normal(data.as_ref())))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_read_is_not_written_and_what_stands_beside_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (out, file) = (folder.path().join("out"), folder.path().join("base.json"));
        fs::create_dir(&out).expect("a folder");
        fs::write(&file, "{}").expect("written");
        let link = folder.path().join("link.json");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        let refused = |written: &Path| none([written], [out.as_path(), file.as_path()]).is_err();
        for data in ["results.jsonl", "rulebooks.json", "traces/sim/a/b.json"] {
            assert!(refused(&out.join(data)), "{data}");
        }
        assert!(refused(&file) && refused(&link) && refused(&folder.path().join("out/../base.json")));
        for other in [out.join("page.html"), out.join("report.json"), folder.path().join("new.json"), "-".into()] {
            assert!(!refused(&other), "{}", other.display());
        }
    }
}
