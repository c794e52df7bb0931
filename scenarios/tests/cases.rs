//! The shipped cases: all readable, none a copy of another, each able to fail on the clock and by its rulings.

use std::collections::BTreeMap;
use std::path::Path;

use flagfall_judge::{ClockExpectation, Point, value};
use flagfall_scenarios::{Scenario, discover};

/// The families that must be covered, and how many cases each needs at least.
const FAMILIES: [(&str, usize); 15] = [
    ("analogue", 12),
    ("both-flags", 12),
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
