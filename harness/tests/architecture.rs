//! The arrows of ARCHITECTURE.md, held by what cargo says of the workspace and by the sources themselves.

#[path = "house/licence.rs"]
mod licence;
#[path = "house/source.rs"]
mod source;
#[path = "house/tree.rs"]
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use source::Source;

/// Every room and what it may depend on within the house. A new room has to be added here, so that somebody looks at it.
const MAY_DEPEND_ON: [(&str, &[&str]); 12] = [
    ("flagfall-core", &[]),
    ("flagfall-trace", &["flagfall-core"]),
    ("flagfall-judge", &["flagfall-core", "flagfall-trace"]),
    ("flagfall-scenarios", &["flagfall-core", "flagfall-trace", "flagfall-judge"]),
    ("flagfall-sim", &["flagfall-core", "flagfall-trace"]),
    ("flagfall-reports", &["flagfall-core", "flagfall-trace"]),
    ("flagfall-vboard", &[]),
    ("flagfall-vprobe", &["flagfall-vboard"]),
    ("flagfall-firmware", &["flagfall-core"]),
    // It is judged because it knows nothing of the house.
    ("fischer-clock", &[]),
    ("flagfall-fuzz", &["flagfall-core", "flagfall-judge", "flagfall-scenarios"]),
    (
        "flagfall",
        &[
            "flagfall-core",
            "flagfall-trace",
            "flagfall-judge",
            "flagfall-scenarios",
            "flagfall-sim",
            "flagfall-reports",
            "flagfall-vboard",
            "flagfall-vprobe",
        ],
    ),
];

/// Rooms in which a run must come out the same at any hour and on any machine.
const TIMELESS: [&str; 5] = ["core", "trace", "sim", "judge", "scenarios"];

fn metadata(arguments: &[&str]) -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(tree::root())
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(arguments)
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

fn packages(metadata: &Value) -> &[Value] {
    metadata["packages"].as_array().expect("cargo metadata has packages")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The dependencies of a package; `normal` leaves those of tests and build scripts out.
fn dependencies(package: &Value, normal: bool) -> BTreeSet<&str> {
    let all = package["dependencies"].as_array().expect("a package has dependencies");
    all.iter().filter(|each| !normal || each["kind"].is_null()).map(|each| text(each, "name")).collect()
}

fn lines_with(source: &Source, word: &str) -> Vec<String> {
    source.lines_where(|line| has_word(line, word))
}

fn has_word(line: &str, word: &str) -> bool {
    let part_of_word = |char: char| char.is_alphanumeric() || char == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(part_of_word)
            && !line[at + word.len()..].chars().next().is_some_and(part_of_word)
    })
}

#[test]
fn rooms_depend_on_each_other_in_one_direction() {
    let metadata = metadata(&["--no-deps"]);
    let may: BTreeMap<&str, &[&str]> = MAY_DEPEND_ON.into_iter().collect();
    let rooms: BTreeSet<&str> = packages(&metadata).iter().map(|package| text(package, "name")).collect();
    assert_eq!(rooms, may.keys().copied().collect(), "the rooms of the workspace and those of MAY_DEPEND_ON");
    for package in packages(&metadata) {
        let name = text(package, "name");
        for needed in dependencies(package, true).intersection(&rooms) {
            assert!(may[name].contains(needed), "{name} may not depend on {needed}: see ARCHITECTURE.md");
        }
        for last in ["flagfall-firmware", "fischer-clock", "flagfall-fuzz"] {
            assert!(!dependencies(package, false).contains(last), "{name}: nothing depends on {last}");
        }
    }
}

#[test]
fn probe_rs_is_named_in_two_places() {
    let metadata = metadata(&["--no-deps"]);
    let with_probe_rs = packages(&metadata).iter().filter(|package| dependencies(package, false).contains("probe-rs"));
    let names: BTreeSet<&str> = with_probe_rs.map(|package| text(package, "name")).collect();
    assert_eq!(names, BTreeSet::from(["flagfall", "flagfall-vprobe"]));
    let outside: Vec<String> = source::code(&tree::root(), &source::ROOMS)
        .iter()
        .filter(|source| !source.path.starts_with("virtual-board/probe"))
        .filter(|source| !source.path.starts_with("harness/src/rig/board"))
        .flat_map(|source| lines_with(source, "probe_rs"))
        .collect();
    assert!(outside.is_empty(), "probe-rs belongs to virtual-board/probe and harness/src/rig/board:\n{outside:#?}");
}

#[test]
fn the_oracle_does_not_see_the_clock() {
    let sources = source::code(&tree::root(), &["judge"]);
    let oracle: Vec<_> = sources.iter().filter(|source| source.path.starts_with("judge/src/oracle")).collect();
    assert!(oracle.len() >= 6, "the oracle has moved: {} files", oracle.len());
    let sees = |line: &str| {
        // The subject of a verdict is called so, too.
        let line = line.replace("Subject::Clock", "");
        has_word(&line, "Clock") || line.contains("clock::")
    };
    let found: Vec<String> = oracle.iter().flat_map(|source| source.lines_where(sees)).collect();
    assert!(found.is_empty(), "the oracle reckons by itself:\n{found:#?}");
}

#[test]
fn floating_point_is_for_reports() {
    // A number with a point is handed over by serde as a float, so that it can be refused with its place.
    let refusals = ["scenarios/src/raw/forms.rs", "scenarios/src/names.rs"];
    let rooms: Vec<&str> = source::ROOMS.into_iter().filter(|room| *room != "reports").collect();
    let found: Vec<String> = source::code(&tree::root(), &rooms)
        .iter()
        .filter(|source| !refusals.iter().any(|path| source.path.ends_with(path)))
        .flat_map(|source| ["f32", "f64"].map(|word| lines_with(source, word)))
        .flatten()
        .collect();
    assert!(found.is_empty(), "time is whole ticks and nanoseconds outside reports:\n{found:#?}");
}

#[test]
fn nothing_has_the_order_of_a_hash() {
    for source in source::code(&tree::root(), &source::ROOMS) {
        let maps = lines_with(&source, "HashMap");
        assert!(maps.is_empty(), "use BTreeMap, its order is the same everywhere:\n{maps:#?}");
        let sets = lines_with(&source, "HashSet");
        assert!(sets.is_empty(), "use BTreeSet:\n{sets:#?}");
    }
}

#[test]
fn no_wall_clock_where_verdicts_are_made() {
    let found: Vec<String> = source::code(&tree::root(), &TIMELESS)
        .iter()
        .flat_map(|source| ["std::time", "SystemTime", "Instant"].map(|word| lines_with(source, word)))
        .flatten()
        .collect();
    assert!(found.is_empty(), "host time decides nothing:\n{found:#?}");
}

#[test]
fn every_dependency_has_a_permissive_licence() {
    let deny = std::fs::read_to_string(tree::root().join("deny.toml")).expect("deny.toml");
    let policy = licence::Policy::of(&deny);
    let metadata = metadata(&[]);
    let mut needed = BTreeSet::new();
    for package in packages(&metadata) {
        let (name, expression) = (text(package, "name"), text(package, "license"));
        if policy.excepts(name, expression) {
            needed.insert(expression.to_owned());
            continue;
        }
        let chosen = policy.choose(expression);
        needed.extend(chosen.unwrap_or_else(|| panic!("{name}: `{expression}` is not among {:?}", policy.allowed)));
    }
    let listed = policy.allowed.iter().chain(policy.exceptions.iter().map(|(licence, _)| licence));
    let stale: Vec<&String> = listed.filter(|licence| !needed.contains(*licence)).collect();
    assert!(stale.is_empty(), "no dependency needs these licences of deny.toml: {stale:?}");
}
