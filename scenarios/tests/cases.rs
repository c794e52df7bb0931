//! The shipped cases: all readable, none a copy of another, each able to fail on the clock and under both rulebooks.

use std::collections::BTreeMap;
use std::path::Path;

use flagfall_judge::{ClockExpectation, Point};
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

/// A case about a point of the clock alone has nothing for a rulebook to rule on.
#[test]
fn every_case_can_fail_on_the_clock_and_if_it_is_about_rules_under_both_rulebooks() {
    for case in cases() {
        let expects = !case.expectations.is_empty() || case.clock != ClockExpectation::Right;
        assert!(expects, "{} expects nothing of the clock", case.id);
        let rulebooks: Vec<&str> = case.rulings.keys().map(String::as_str).collect();
        let is_about_rules = case.points.iter().any(|point| point.is_ruled()) && case.id != SMALLEST;
        let wanted: &[&str] = if is_about_rules { &["cbx", "fide-2014"] } else { &[] };
        assert_eq!(rulebooks, wanted, "{}", case.id);
    }
}

#[test]
fn every_point_that_is_ruled_on_is_the_point_of_a_case() {
    let cases = cases();
    for point in Point::RULED {
        assert!(cases.iter().any(|case| case.points.contains(&point)), "{point}");
    }
}

#[test]
fn the_smallest_case_has_five_lines() {
    let case = cases().into_iter().find(|case| case.id == SMALLEST).expect("it is there");
    let text = std::fs::read_to_string(case.path).expect("it was read before");
    assert_eq!(text.lines().count(), 5);
}
