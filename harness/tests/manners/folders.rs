//! A run replaces results, and never anything that it has not written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::program::{RIGHT, code, flagfall, folder, program, stderr, stdout};

fn with_a_case() -> TempDir {
    folder([("family/right".to_owned(), RIGHT)])
}

fn put(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
    fs::write(file, text).expect("written");
}

/// Every file below a folder with what is in it.
fn all(below: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![below.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("it can be listed").flatten() {
            let path = entry.path();
            if entry.file_type().expect("it has one").is_dir() {
                open.push(path);
            } else {
                found.insert(path.clone(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}

/// A run into `out` is refused because of this file, and nothing there has changed.
fn refused(cwd: &Path, file: &str) {
    let before = all(&cwd.join("out"));
    let output = flagfall(cwd, &["run"]);
    assert_eq!(code(&output), 2, "{file}: {}", stderr(&output));
    let named = cwd.canonicalize().expect("it is there").join(file);
    assert!(stderr(&output).contains(&format!("{} is not among", named.display())), "{file}: {}", stderr(&output));
    assert_eq!(all(&cwd.join("out")), before, "{file}");
}

fn ran(cwd: &Path, arguments: &[&str]) {
    let output = flagfall(cwd, arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_folder_that_no_run_has_written_is_not_replaced() {
    for file in ["out/README.md", "out/index.html", "out/traces/x.json", "out/plots/photo.jpg", "out/results.jsonl"] {
        let folder = with_a_case();
        put(&folder.path().join(file), "years of work\n");
        refused(folder.path(), file);
    }
}

#[test]
fn what_was_put_into_a_folder_of_results_is_not_removed() {
    let folder = with_a_case();
    for file in
        ["my.xml", "my.md", "traces/mine.txt", "traces/sim/family/mine.json", "plots/photo.jpg", "sub/results.jsonl"]
    {
        ran(folder.path(), &["run"]);
        let file = format!("out/{file}");
        put(&folder.path().join(&file), "mine\n");
        refused(folder.path(), &file);
        fs::remove_dir_all(folder.path().join("out")).expect("removed");
    }
    #[cfg(unix)]
    {
        ran(folder.path(), &["run"]);
        fs::remove_file(folder.path().join("out/index.html")).expect("removed");
        put(&folder.path().join("page.html"), "mine");
        std::os::unix::fs::symlink("../page.html", folder.path().join("out/index.html")).expect("a link");
        refused(folder.path(), "out/index.html");
    }
}

#[test]
fn an_empty_folder_is_filled() {
    let folder = with_a_case();
    fs::create_dir(folder.path().join("out")).expect("a folder");
    ran(folder.path(), &["run"]);
}

/// Before there were notes, a run was known by its results; they say which traces are theirs.
#[test]
fn results_without_a_note_are_replaced_as_far_as_they_are_known() {
    let folder = with_a_case();
    let out = folder.path().join("out");
    let without_note = || {
        ran(folder.path(), &["run"]);
        fs::remove_file(out.join("written.json")).expect("removed");
    };
    without_note();
    ran(folder.path(), &["run"]);
    for file in ["out/junit.xml", "out/traces/sim/family/mine.json", "out/plots/photo.jpg"] {
        without_note();
        put(&folder.path().join(file), "mine\n");
        refused(folder.path(), file);
        fs::remove_file(folder.path().join(file)).expect("removed");
        let _ = fs::remove_dir(out.join("plots"));
    }
    put(&out.join("junit.xml"), "of the run before\n");
    ran(folder.path(), &["run", "--junit", "out/junit.xml"]);
}

#[test]
fn reports_among_the_results_are_replaced_run_after_run() {
    let folder = with_a_case();
    let out = folder.path().join("out");
    for _ in 0..2 {
        ran(folder.path(), &["run", "--junit", "out/ci/junit.xml", "--summary", "out/summary.md"]);
        assert!(out.join("ci/junit.xml").is_file() && out.join("summary.md").is_file());
        let more = ["--png", "--summary", "out/again.md", "--json", "out/again.json", "--page", "out/again.html"];
        ran(folder.path(), &[&["report", "out"] as &[&str], &more].concat());
        assert!(out.join("plots").is_dir() && out.join("again.html").is_file());
        ran(folder.path(), &["run"]);
        assert!(!out.join("ci").exists() && !out.join("plots").exists() && !out.join("again.md").exists());
    }
    let output = flagfall(folder.path(), &["run", "--junit", "out/traces/junit.xml"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
}

/// What runs that were killed have left goes away, and what somebody put there does not.
#[test]
fn litter_is_removed_and_nothing_else() {
    let folder = with_a_case();
    let mut ended = Command::new(program()).arg("--version").spawn().expect("it starts");
    ended.wait().expect("it ends");
    let (part, old) = (format!("out.{}.part", ended.id()), format!("out.{}.part.old", ended.id()));
    ran(folder.path(), &["run"]);
    // Ended between the two moves: the earlier results come back, with what was put to them.
    fs::rename(folder.path().join("out"), folder.path().join(&old)).expect("moved");
    put(&folder.path().join(&old).join("mine.txt"), "mine\n");
    let output = flagfall(folder.path(), &["run"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(!folder.path().join(&old).exists() && folder.path().join("out/results.jsonl").is_file());
    fs::remove_file(folder.path().join("out/mine.txt")).expect("removed");
    // Ended before the old ones were removed, and while results were being written.
    for (name, files) in [(&old, ["index.html", "results.jsonl"]), (&part, ["traces/sim/a.json", "index.html.7.part"])]
    {
        files.iter().for_each(|file| put(&folder.path().join(name).join(file), ""));
        put(&folder.path().join(name).join("notes.txt"), "mine\n");
    }
    let output = flagfall(folder.path(), &["run"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join("out/notes.txt")).expect("it is kept"), "mine\n");
    assert_eq!(all(&folder.path().join(&part)).len(), 1, "the notes alone");
}

#[test]
fn what_a_command_reads_is_not_written_over() {
    let folder = with_a_case();
    let case = all(folder.path()).into_keys().next().expect("the case");
    let case = case.to_str().expect("text");
    ran(folder.path(), &["run"]);
    ran(folder.path(), &["baseline", "save", "out", "--out", "base.json"]);
    let before = all(folder.path());
    for arguments in [
        ["run", case, "--junit", case].as_slice(),
        &["matrix", case, "--html", case],
        &["report", "out", "--page", "out/results.jsonl"],
        &["report", "out", "--json", "out/rulebooks.json"],
        &["report", "out", "--summary", "out/written.json"],
        &["baseline", "save", "out", "--out", "out/results.jsonl"],
        &["baseline", "compare", "base.json", "out", "--html", "base.json"],
    ] {
        let output = flagfall(folder.path(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("is read by this command"), "{arguments:?}: {}", stderr(&output));
        assert_eq!(all(folder.path()), before, "{arguments:?}");
    }
}

#[test]
fn the_folder_in_which_a_command_is_given_is_not_moved_away() {
    let folder = with_a_case();
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    for out in [".", "../empty", ".."] {
        let output = flagfall(&empty, &["run", "..", "--out", out]);
        assert_eq!(code(&output), 2, "{out}: {}", stderr(&output));
        assert!(stderr(&output).contains("this command was given in it"), "{out}: {}", stderr(&output));
    }
}
