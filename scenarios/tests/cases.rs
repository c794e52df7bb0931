//! The shipped cases: all readable, none a copy of another, each able to fail on the clock and by its rulings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use flagfall_judge::{ClockExpectation, Point, value};
use flagfall_scenarios::{Scenario, discover};
use flagfall_trace::Act;
use flagfall_trace::dial::DialFault;
use flagfall_trace::plan::{Fault, Retained};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The families that must be covered, and how many cases each needs at least.
const FAMILIES: [(&str, usize); 16] = [
    ("analogue", 12),
    ("both-flags", 12),
    ("buttons", 12),
    ("late-arrival", 12),
    ("defective-clock", 12),
    ("pause-abuse", 12),
    ("move-completion", 6),
    ("increment-delay", 6),
    ("flag-fall", 6),
    ("periods", 6),
    ("display", 6),
    ("press-handling", 6),
    ("corrections", 6),
    ("long-games", 6),
    ("wrong-setting", 4),
    ("interruption", 4),
];

/// How many there are in all, at least.
const CASES_MIN: usize = 120;

/// The scenario that is small enough to begin with, and judged by the clock alone.
const SMALLEST: &str = "move-completion/smallest";

fn cases() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let sources = discover(&[folder]).sources;
    sources.iter().map(|source| source.read().unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn every_family_has_its_cases() {
    let cases = cases();
    assert!(cases.len() >= CASES_MIN, "{} cases", cases.len());
    for (family, min) in FAMILIES {
        let count = cases.iter().filter(|case| case.id.starts_with(&format!("{family}/"))).count();
        assert!(count >= min, "{family} has {count} cases");
    }
}

#[test]
fn no_two_cases_show_the_same() {
    let mut seen: BTreeMap<(Vec<Point>, Option<String>), String> = BTreeMap::new();
    for case in cases() {
        let mut points = case.points.clone();
        points.sort_unstable();
        assert!(case.purpose.is_some() || case.id == SMALLEST, "{} has no purpose", case.id);
        if let Some(other) = seen.insert((points, case.purpose), case.id.clone()) {
            panic!("{other} and {} have the same points and purpose", case.id);
        }
    }
}

/// Whether every rulebook's answers are shown by cases is asked elsewhere, answer by answer.
#[test]
fn every_case_can_fail() {
    for case in cases() {
        let of_the_clock = !case.expectations.is_empty() || case.clock != ClockExpectation::Right;
        assert!(of_the_clock || !case.rulings.is_empty(), "{} expects nothing", case.id);
    }
}

#[test]
fn every_point_that_can_be_decided_is_the_point_of_a_case() {
    let cases = cases();
    for point in Point::ALL.into_iter().filter(|point| value::declared(*point).is_some()) {
        assert!(cases.iter().any(|case| case.points.contains(&point)), "{point}");
    }
}

#[test]
fn the_smallest_case_has_five_lines() {
    let case = cases().into_iter().find(|case| case.id == SMALLEST).expect("it is there");
    let text = std::fs::read_to_string(case.path).expect("it was read before");
    assert_eq!(text.lines().count(), 5);
}

/// The variants of a type by the names that they have in files: whoever writes one that is not there is told them all.
fn variants<T: DeserializeOwned>(prefix: &str) -> BTreeSet<String> {
    let Err(error) = serde_json::from_value::<T>(Value::from("?")) else { panic!("`?` is a variant") };
    let said = error.to_string();
    let (_, all) = said.split_once("expected ").unwrap_or_else(|| panic!("`{said}` lists no variants"));
    all.split('`').skip(1).step_by(2).map(|name| format!("{prefix}{name}")).collect()
}

/// The name of a variant in files, and what it holds.
fn variant(value: &Value) -> (String, &Value) {
    match value {
        Value::Object(one) => {
            one.iter().next().map(|(name, holds)| (name.clone(), holds)).expect("a variant has a name")
        }
        name => (name.as_str().expect("a variant without fields is a word").to_owned(), &Value::Null),
    }
}

/// What a case of a fault is about: the fault itself, which mechanics of a dial, what is kept over a reset.
fn names_of(fault: &Fault) -> Vec<String> {
    let value = serde_json::to_value(fault).expect("it has string keys only");
    let (name, holds) = variant(&value);
    let mut names = vec![name];
    match fault {
        Fault::Dial(_) => names.push(format!("dial {}", variant(holds).0)),
        Fault::Reset { .. } => names.push(format!("reset {}", variant(&holds["retained"]).0)),
        _ => {}
    }
    names
}

#[test]
fn every_fault_has_a_case_that_names_what_must_be_found() {
    let mut faults = variants::<Fault>("");
    faults.extend(variants::<DialFault>("dial "));
    faults.extend(variants::<Retained>("reset "));
    assert!(faults.len() > 25 && faults.contains("first-fallen-wrong"), "{faults:?}");
    let found =
        cases().into_iter().filter(|case| matches!(&case.clock, ClockExpectation::Wrong(wrong) if !wrong.is_empty()));
    let mut shown = BTreeSet::new();
    for case in found {
        for step in &case.draft.steps {
            if let Act::Fault(fault) = &step.act {
                shown.extend(names_of(fault));
            }
        }
    }
    let without: Vec<&String> = faults.difference(&shown).collect();
    assert!(without.is_empty(), "no case says what must be found of {without:?}");
}
