//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// What holds no sources of ours; `.git` is a file in a worktree. Commands of documents write to `out-...` as well.
const NOT_OURS: [&str; 3] = ["target", "out", ".git"];

/// Where the repository is.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository is where it was built")
}

/// Every file below a folder, in order of their names; the path is relative to `root`.
pub(crate) fn files(root: &Path, below: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.join(below)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a folder can be listed").path();
            let of_a_document = path.strip_prefix(root).is_ok_and(|path| path.to_string_lossy().starts_with("out-"));
            if of_a_document || NOT_OURS.iter().any(|name| path.ends_with(name)) {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(root).expect("it is below the root").to_owned());
            }
        }
    }
    found.sort();
    found
}
