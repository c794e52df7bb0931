//! The shipped cases: all readable, none a copy of another, each able to fail on the clock and under both rulebooks.

use std::collections::BTreeMap;
use std::path::Path;

use flagfall_judge::Point;
use flagfall_scenarios::{Scenario, discover};

/// The families that must be covered, and how many cases each needs at least.
const FAMILIES: [&str; 7] =
    ["analogue", "both-flags", "late-arrival", "defective-clock", "pause-abuse", "move-completion", "increment-delay"];
const FAMILY_MIN: usize = 6;

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
    for family in FAMILIES {
        let count = cases.iter().filter(|case| case.id.starts_with(&format!("{family}/"))).count();
        assert!(count >= FAMILY_MIN, "{family} has {count} cases");
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

#[test]
fn every_case_can_fail_on_the_clock_and_under_both_rulebooks() {
    for case in cases() {
        assert!(!case.expectations.is_empty(), "{} expects nothing of the clock", case.id);
        let rulebooks: Vec<&str> = case.rulings.keys().map(String::as_str).collect();
        let wanted: &[&str] = if case.id == SMALLEST { &[] } else { &["cbx", "fide-2014"] };
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
