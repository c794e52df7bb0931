//! Which files are scenarios, under which id, and what is said of those that cannot be.

use std::fs;
use std::path::{Path, PathBuf};

use flagfall_scenarios::{DiscoverError, Discovered, FileError, discover, read_str, read_text, rulebook};
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
        let found = self.discover(names);
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        ids(&found)
    }

    fn discover(&self, names: &[&str]) -> Discovered {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        discover(&paths)
    }
}

fn ids(found: &Discovered) -> Vec<String> {
    found.sources.iter().map(|source| source.id().to_owned()).collect()
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
fn two_files_with_one_id_are_named_and_neither_is_taken() {
    let folder = Folder::new(&[("one/a/x.yaml", GOOD), ("two/a/x.yml", GOOD), ("two/a/y.yaml", GOOD)]);
    let found = folder.discover(&["one", "two"]);
    let [DiscoverError::Duplicate { id, first, second }] = &found.errors[..] else {
        panic!("a/x is there twice: {:?}", found.errors);
    };
    let paths = (&folder.path("one/a/x.yaml"), &folder.path("two/a/x.yml"));
    assert_eq!((id.as_str(), first, second), ("a/x", paths.0, paths.1));
    assert_eq!(ids(&found), ["a/y"]);
}

#[test]
fn what_leads_to_no_scenario_is_an_error_beside_the_others() {
    let folder = Folder::new(&[("a/x.txt", ""), ("c/y.yaml", GOOD)]);
    let found = folder.discover(&["a", "c", "a/x.txt", "b"]);
    let [empty, no_yaml, missing] = &found.errors[..] else { panic!("{:?}", found.errors) };
    assert!(matches!(empty, DiscoverError::Empty { .. }));
    assert!(matches!(no_yaml, DiscoverError::NotYaml { .. }));
    assert!(matches!(missing, DiscoverError::Io { .. }));
    assert!(missing.to_string().contains(&folder.path("b").display().to_string()), "{missing}");
    assert_eq!(Path::new(missing.diagnose().file()), folder.path("b"));
    assert_eq!(ids(&found), ["c/y"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_or_nowhere_are_an_error_and_others_are_followed() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new(&[("a/x.yaml", GOOD), ("c/y.yaml", GOOD)]);
    symlink(folder.path("c"), folder.path("a/linked")).expect("a link can be made");
    assert_eq!(folder.ids(&["a"]), ["a/x", "c/y"]);
    symlink(folder.path("a"), folder.path("a/again")).expect("a link can be made");
    symlink(folder.path("e/self"), folder.path("c/broken.yaml")).expect("a link can be made");
    symlink(folder.path("c/loop.yaml"), folder.path("c/loop.yaml")).expect("a link can be made");
    let found = folder.discover(&["a"]);
    let [DiscoverError::Loop { path }, DiscoverError::Io { path: broken, .. }, DiscoverError::Io { path: looping, .. }] =
        &found.errors[..]
    else {
        panic!("{:?}", found.errors);
    };
    let expected = ["a/again", "a/linked/broken.yaml", "a/linked/loop.yaml"].map(|name| folder.path(name));
    assert_eq!([path, broken, looping], expected.each_ref());
    assert_eq!(ids(&found), ["a/x", "c/y"]);
}

#[cfg(unix)]
#[test]
fn names_that_a_terminal_would_obey_are_refused_and_shown_escaped() {
    let folder = Folder::new(&[("a/x\u{1b}[31m.yaml", GOOD), ("b\u{9b}/x.yaml", GOOD), ("c/x.yaml", GOOD)]);
    let found = folder.discover(&["a", "b\u{9b}", "c"]);
    let texts: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    assert!(found.errors.iter().all(|error| matches!(error, DiscoverError::Control { .. })), "{texts:?}");
    assert!(texts[0].contains("x\\u{1b}[31m.yaml") && texts[1].contains("b\\u{9b}/x.yaml"), "{texts:?}");
    assert!(!found.errors[0].diagnose().to_string().contains('\x1b'));
    assert_eq!(ids(&found), ["c/x"]);
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let folder = Folder::new(&[("a/folder.txt", "")]);
    std::os::unix::fs::symlink("/dev/zero", folder.path("a/zero.yaml")).expect("a link can be made");
    let socket = std::os::unix::net::UnixListener::bind(folder.path("a/socket.yaml")).expect("a socket can be made");
    let found = folder.discover(&["a"]);
    assert_eq!(ids(&found), ["a/socket", "a/zero"]);
    for source in &found.sources {
        assert_eq!(source.read().expect_err("it is none").titles().collect::<String>(), "this is no regular file");
    }
    assert!(matches!(read_text(&folder.path("a")), Err(FileError::NotRegular)));
    let rulebook = rulebook::read_file(&folder.path("a/zero.yaml")).expect_err("it is none");
    assert!(rulebook.to_string().contains("no regular file"), "{rulebook}");
    drop(socket);
}

#[test]
fn a_byte_order_mark_is_passed_over_and_moves_no_caret() {
    let right =
        "scenario: x\npoints: [B1]\ncontrol: 5m\ntimeline: [{at: 0s, start: white}]\nexpect: [{running: white}]\n";
    let wrong = right.replace("scenario", "scenaroi");
    let marked = |text: &str| format!("\u{feff}{text}");
    let folder = Folder::new(&[("a/right.yaml", &marked(right)), ("a/wrong.yaml", &marked(&wrong))]);
    let sources = folder.discover(&["a"]).sources;
    assert_eq!(sources[0].read().expect("it is right").title, "x");
    let name = sources[1].path().to_str().expect("text");
    let message = |text: &str| read_str(name, "a/wrong", text).expect_err("a key is misspelt").to_string();
    assert_eq!(sources[1].read().expect_err("a key is misspelt").to_string(), message(&wrong));
    assert_eq!(message(&marked(&wrong)), message(&wrong));
}

#[test]
fn one_wrong_file_does_not_stop_the_others() {
    let folder = Folder::new(&[("a/bad.yaml", "x"), ("a/good.yaml", GOOD), ("a/large.yaml", &"#".repeat(1 << 21))]);
    fs::write(folder.path("a/latin.yaml"), b"scenario: \xe9\n").expect("a file can be written");
    let sources = folder.discover(&["a"]).sources;
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
