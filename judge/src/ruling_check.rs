//! Do the rulings say what the scenario expects?
//!
//! An expectation is met by one ruling, on its point or on one of the scenario's. Two kinds look further:
//! - `play: continues` also means that no ruling on these points ends the game afterwards, unless another expectation
//!   of the same rulebook says so;
//! - `silent` without a point means that the rulebook leaves the case open: it is silent on one of the points, gives no
//!   other answer to that one, and answers none of the others by a result, by play going on, or by a choice.

use std::fmt;

use flagfall_trace::{Check, Subject, Verdict};

use crate::point::Point;
use crate::ruling::{Decision, ExpectedDecision, ExpectedRuling, Outcome, Ruling};

/// Rulings that a failed check prints before it only counts them.
const FOUND_MAX: usize = 6;

/// Compares what a scenario expects of the rulebook `key` with its rulings: one check for each expectation.
#[must_use]
pub fn check(key: &str, rulings: &[Ruling], expected: &[ExpectedRuling], points: &[Point]) -> Vec<Check> {
    expected.iter().map(|one| check_one(key, rulings, one, expected, points)).collect()
}

fn check_one(key: &str, rulings: &[Ruling], one: &ExpectedRuling, all: &[ExpectedRuling], points: &[Point]) -> Check {
    let asked = one.point.as_ref().map_or(points, std::slice::from_ref);
    let on_points: Vec<&Ruling> = rulings.iter().filter(|ruling| asked.contains(&ruling.point)).collect();
    let met = match &one.decision {
        ExpectedDecision::Silent if one.point.is_none() => leaves_open(&on_points),
        ExpectedDecision::Decided(Outcome::PlayContinues) => on_points
            .iter()
            .position(|ruling| meets(ruling, one))
            .is_some_and(|first| !on_points[first..].iter().any(|later| ends_unexpectedly(later, all))),
        _ => on_points.iter().any(|ruling| meets(ruling, one)),
    };
    let list = |points: &[Point]| points.iter().map(Point::to_string).collect::<Vec<_>>().join(", ");
    Check {
        subject: Subject::Ruling,
        rulebook: Some(key.to_owned()),
        verdict: if met { Verdict::Pass } else { Verdict::Fail },
        what: format!("{} under {key}", list(asked)),
        expected: one.to_string(),
        found: describe(&on_points, rulings),
        line: Some(one.line),
    }
}

/// Whether one of these expectations is met by this ruling.
#[must_use]
pub fn is_expected(ruling: &Ruling, expected: &[ExpectedRuling], points: &[Point]) -> bool {
    let asks = |one: &ExpectedRuling| one.point.as_ref().map_or(points, std::slice::from_ref).contains(&ruling.point);
    expected.iter().any(|one| asks(one) && meets(ruling, one))
}

/// Whether this ruling is the one expected, whatever its point.
fn meets(ruling: &Ruling, expected: &ExpectedRuling) -> bool {
    let article_fits = expected.article.as_ref().is_none_or(|article| {
        ruling
            .article
            .as_ref()
            .is_some_and(|ruled| ruled == article || ruled.split(',').any(|part| part.trim() == article.trim()))
    });
    article_fits && decision_fits(ruling, expected)
}

fn decision_fits(ruling: &Ruling, expected: &ExpectedRuling) -> bool {
    let bound_ms = ruling.bound_ns.div_ceil(1_000_000);
    match (&ruling.decision, &expected.decision) {
        (Decision::Decided { outcome, strength }, ExpectedDecision::Decided(wanted)) => {
            outcome_fits(outcome, wanted, bound_ms) && expected.strength.is_none_or(|wanted| wanted == *strength)
        }
        (Decision::Discretion(outcomes), ExpectedDecision::Discretion(wanted)) => same_set(outcomes, wanted),
        (Decision::Needs { fact, answers }, ExpectedDecision::Needs { fact: wanted_fact, answers: wanted }) => {
            fact == wanted_fact && same_set(answers, wanted)
        }
        (Decision::Silent, ExpectedDecision::Silent) | (Decision::Void, ExpectedDecision::Void) => true,
        _ => false,
    }
}

fn outcome_fits(found: &Outcome, wanted: &Outcome, bound_ms: u64) -> bool {
    match (found, wanted) {
        (Outcome::Left(side, ms), Outcome::Left(wanted_side, wanted_ms))
        | (Outcome::Gains(side, ms), Outcome::Gains(wanted_side, wanted_ms))
        | (Outcome::Charged(side, ms), Outcome::Charged(wanted_side, wanted_ms))
        | (Outcome::Bears(side, ms), Outcome::Bears(wanted_side, wanted_ms)) => {
            side == wanted_side && ms.abs_diff(*wanted_ms) <= bound_ms
        }
        _ => found == wanted,
    }
}

fn same_set<T: Ord + Clone>(found: &[T], wanted: &[T]) -> bool {
    let sorted = |list: &[T]| {
        let mut list = list.to_vec();
        list.sort();
        list
    };
    sorted(found) == sorted(wanted)
}

fn leaves_open(on_points: &[&Ruling]) -> bool {
    let answers = |ruling: &Ruling| match &ruling.decision {
        Decision::Decided { outcome, .. } => outcome.is_result() || *outcome == Outcome::PlayContinues,
        Decision::Discretion(_) | Decision::Needs { .. } => true,
        Decision::Silent | Decision::Void => false,
    };
    on_points.iter().any(|silent| {
        silent.decision == Decision::Silent
            && on_points.iter().all(|other| other.point != silent.point || other.decision == Decision::Silent)
    }) && !on_points.iter().any(|ruling| answers(ruling))
}

fn ends_unexpectedly(ruling: &Ruling, all: &[ExpectedRuling]) -> bool {
    ruling.decision.is_final()
        && !all.iter().any(|one| one.point.is_none_or(|point| point == ruling.point) && meets(ruling, one))
}

fn describe(on_points: &[&Ruling], rulings: &[Ruling]) -> String {
    if !on_points.is_empty() {
        return list(on_points);
    }
    let elsewhere: Vec<&Ruling> = rulings.iter().filter(|ruling| ruling.decision.is_final()).collect();
    if elsewhere.is_empty() {
        "the question never arises".to_owned()
    } else {
        format!("the question never arises; elsewhere: {}", list(&elsewhere))
    }
}

/// The last rulings, which is where the answer to a case stands.
fn list(rulings: &[&Ruling]) -> String {
    let skipped = rulings.len().saturating_sub(FOUND_MAX);
    let mut text: Vec<String> = rulings[skipped..].iter().map(|ruling| ruling.to_string()).collect();
    if skipped > 0 {
        text.insert(0, format!("{skipped} before"));
    }
    text.join("; ")
}

impl fmt::Display for Ruling {
    /// `H2 result: draw (6.11b, stated)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.point, self.decision)?;
        if self.bound_ns > 0 {
            write!(f, " ± {} ms", self.bound_ns.div_ceil(1_000_000))?;
        }
        let strength = self.strength().map(|strength| strength.name());
        let details: Vec<&str> = self.article.as_deref().into_iter().chain(strength).collect();
        if details.is_empty() { Ok(()) } else { write!(f, " ({})", details.join(", ")) }
    }
}

impl fmt::Display for ExpectedRuling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decision = match &self.decision {
            ExpectedDecision::Decided(outcome) => outcome.to_string(),
            ExpectedDecision::Silent => Decision::Silent.to_string(),
            ExpectedDecision::Discretion(outcomes) => Decision::Discretion(outcomes.clone()).to_string(),
            ExpectedDecision::Needs { fact, answers } => {
                Decision::Needs { fact: fact.clone(), answers: answers.clone() }.to_string()
            }
            ExpectedDecision::Void => Decision::Void.to_string(),
        };
        f.write_str(&decision)?;
        let strength = self.strength.map(|strength| strength.name());
        let details: Vec<&str> = self.article.as_deref().into_iter().chain(strength).collect();
        if details.is_empty() { Ok(()) } else { write!(f, " ({})", details.join(", ")) }
    }
}
