//! Which files are scenarios, under which id, and what is said of those that cannot be.

use std::fs;
use std::path::{Path, PathBuf};

use flagfall_scenarios::{DiscoverError, Source, discover};
use tempfile::TempDir;

const GOOD: &str =
    "{scenario: x, points: [B1], control: 5m, timeline: [{at: 0s, start: white}], expect: [{running: white}]}\n";

struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder can be made"));
        for (name, text) in files {
            let path = folder.path(name);
            fs::create_dir_all(path.parent().expect("it has a parent")).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn ids(&self, names: &[&str]) -> Vec<String> {
        self.discover(names).expect("they are found").iter().map(|source| source.id().to_owned()).collect()
    }

    fn discover(&self, names: &[&str]) -> Result<Vec<Source>, DiscoverError> {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        discover(&paths)
    }
}

#[test]
fn folders_are_searched_and_sorted_by_id() {
    let folder = Folder::new(&[
        ("a/z/late.yaml", GOOD),
        ("a/b/early.yml", GOOD),
        ("a/b/notes.txt", "no scenario"),
        ("a/.hidden/x.yaml", GOOD),
        ("a/top.yaml", GOOD),
    ]);
    assert_eq!(folder.ids(&["a"]), ["a/top", "b/early", "z/late"]);
    assert_eq!(folder.ids(&["a/z", "a/b/early.yml"]), ["b/early", "z/late"]);
    assert_eq!(folder.ids(&["a/z/../b"]), ["b/early"]);
}

#[test]
fn a_file_reached_twice_counts_once() {
    let folder = Folder::new(&[("a/x.yaml", GOOD)]);
    assert_eq!(folder.ids(&["a", "a/x.yaml", "a/../a"]), ["a/x"]);
}

#[test]
fn two_files_with_one_id_are_named() {
    let folder = Folder::new(&[("one/a/x.yaml", GOOD), ("two/a/x.yml", GOOD)]);
    let Err(DiscoverError::Duplicate { id, first, second }) = folder.discover(&["one", "two"]) else {
        panic!("a/x is there twice");
    };
    assert_eq!((id.as_str(), first, second), ("a/x", folder.path("one/a/x.yaml"), folder.path("two/a/x.yml")));
}

#[test]
fn what_leads_to_no_scenario_is_an_error() {
    let folder = Folder::new(&[("a/x.txt", "")]);
    assert!(matches!(folder.discover(&["a"]), Err(DiscoverError::Empty { .. })));
    assert!(matches!(folder.discover(&["a/x.txt"]), Err(DiscoverError::NotYaml { .. })));
    let Err(error) = folder.discover(&["b"]) else { panic!("there is no b") };
    assert!(matches!(error, DiscoverError::Io { .. }));
    assert!(error.to_string().contains(&folder.path("b").display().to_string()), "{error}");
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_are_an_error_and_others_are_followed() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new(&[("a/x.yaml", GOOD), ("c/y.yaml", GOOD)]);
    symlink(folder.path("c"), folder.path("a/linked")).expect("a link can be made");
    assert_eq!(folder.ids(&["a"]), ["a/x", "c/y"]);
    symlink(folder.path("a"), folder.path("a/again")).expect("a link can be made");
    assert!(matches!(folder.discover(&["a"]), Err(DiscoverError::Loop { path }) if path == folder.path("a/again")));
    symlink(folder.path("e/self"), folder.path("c/broken.yaml")).expect("a link can be made");
    assert!(matches!(folder.discover(&["c"]), Err(DiscoverError::Io { .. })));
}

#[test]
fn one_wrong_file_does_not_stop_the_others() {
    let folder = Folder::new(&[("a/bad.yaml", "x"), ("a/good.yaml", GOOD), ("a/large.yaml", &"#".repeat(1 << 21))]);
    fs::write(folder.path("a/latin.yaml"), b"scenario: \xe9\n").expect("a file can be written");
    let sources = folder.discover(&["a"]).expect("all are found");
    let read: Vec<Result<String, String>> = sources
        .iter()
        .map(|source| source.read().map(|scenario| scenario.id).map_err(|error| error.titles().collect::<String>()))
        .collect();
    assert_eq!(
        read,
        [
            Err("expected a mapping, found `x`".into()),
            Ok("a/good".into()),
            Err("the file has more than 1048576 bytes".into()),
            Err("the file is not UTF-8: byte 10 begins no character".into()),
        ]
    );
    fs::remove_file(folder.path("a/good.yaml")).expect("it was there");
    let gone = sources[1].read().expect_err("it is gone");
    assert!(gone.to_string().contains("cannot open the file"), "{gone}");
    assert_eq!(Path::new(gone.file()), sources[1].path());
}
