//! What a scenario expects of the rulebooks, written as outcomes are printed: `result: draw`, `completed: {white: 40}`.

use std::collections::BTreeMap;

use flagfall_core::Side;
use flagfall_judge::{ExpectedDecision, ExpectedRuling, GameResult, Outcome, Placer, Point, Strength};

use crate::diagnostics::{Complaint, quoted};
use crate::raw::{OneOrMany, RawBySide, RawRuling, ScalarOr};
use crate::scenario::Meaning;
use crate::spans::Node;
use crate::time::span_ms;

type RawRulings = BTreeMap<String, OneOrMany<ScalarOr<RawRuling>>>;

/// The expectations of every rulebook that is named.
pub(crate) fn read(
    meaning: &mut Meaning<'_>,
    raw: &RawRulings,
    node: &Node,
    points: &[Point],
) -> BTreeMap<String, Vec<ExpectedRuling>> {
    let mut rulings = BTreeMap::new();
    for (rulebook, entries) in raw {
        let place = node.at(rulebook);
        let mut expected = Vec::new();
        for (index, entry) in entries.items.iter().enumerate() {
            let place = if entries.listed { place.item(index) } else { place };
            expected.extend(ruling(meaning, entry, place, points));
        }
        if let Some(silent) = expected.iter().position(|entry| contradicts_the_rest(entry, &expected)) {
            let complaint = Complaint::new("a rulebook that is silent says nothing else")
                .help("write `ruling: silent` with `point:` to be silent on one point only");
            meaning.complain(place.item(silent), complaint);
        }
        rulings.insert(rulebook.clone(), expected);
    }
    rulings
}

/// Silence on all points cannot stand beside another expectation.
fn contradicts_the_rest(entry: &ExpectedRuling, all: &[ExpectedRuling]) -> bool {
    all.len() > 1 && entry.decision == ExpectedDecision::Silent && entry.point.is_none()
}

fn ruling(
    meaning: &mut Meaning<'_>,
    raw: &ScalarOr<RawRuling>,
    node: &Node,
    points: &[Point],
) -> Option<ExpectedRuling> {
    let line = node.line;
    let raw = match raw {
        ScalarOr::Scalar(word) => {
            return Some(ExpectedRuling {
                point: None,
                decision: word_decision(word),
                article: None,
                strength: None,
                line,
            });
        }
        ScalarOr::Long(raw) => raw,
    };
    let point = raw.point.as_deref().and_then(|name| name.parse::<Point>().ok());
    if let Some(point) = point.filter(|point| !points.contains(point)) {
        let names: Vec<&str> = points.iter().map(|point| point.name()).collect();
        let complaint = Complaint::new(format!("{point} is not one of the points of this scenario"))
            .help(format!("its points are {}", quoted(&names)));
        meaning.complain(node.at("point"), complaint);
    }
    let strength = raw
        .strength
        .as_deref()
        .map(|word| if word == Strength::Literal.name() { Strength::Literal } else { Strength::Stated });
    let decision = decision(meaning, raw, node)?;
    if strength.is_some() && !matches!(decision, ExpectedDecision::Decided(_)) {
        let complaint = Complaint::new("only a decision has a strength").help("leave `strength` out");
        meaning.complain(node.at("strength"), complaint);
    }
    Some(ExpectedRuling { point, decision, article: raw.article.clone(), strength, line })
}

fn word_decision(word: &str) -> ExpectedDecision {
    if word == "void" { ExpectedDecision::Void } else { ExpectedDecision::Silent }
}

fn decision(meaning: &mut Meaning<'_>, raw: &RawRuling, node: &Node) -> Option<ExpectedDecision> {
    if raw.answers.is_some() && raw.needs.is_none() {
        let complaint = Complaint::new("`if` answers a fact that `needs` names").help("add `needs`, or leave `if` out");
        meaning.complain(node.at("if"), complaint);
    }
    if let Some(word) = &raw.ruling {
        return Some(word_decision(word));
    }
    if let Some(fact) = &raw.needs {
        let Some(answers) = &raw.answers else {
            let complaint = Complaint::new("`needs` has an outcome for each answer")
                .help("add `if: {yes: {result: white-wins}, no: {result: draw}}`");
            meaning.complain(node, complaint);
            return None;
        };
        let place = node.at("if");
        let answers = answers
            .iter()
            .filter_map(|(answer, raw)| Some((answer.clone(), outcome(meaning, raw, place.at(answer))?)))
            .collect();
        return Some(ExpectedDecision::Needs { fact: fact.clone(), answers });
    }
    if let Some(outcomes) = &raw.discretion {
        let place = node.at("discretion");
        let outcomes =
            outcomes.iter().enumerate().filter_map(|(index, raw)| outcome(meaning, raw, place.item(index))).collect();
        return Some(ExpectedDecision::Discretion(outcomes));
    }
    outcome(meaning, raw, node).map(ExpectedDecision::Decided)
}

/// The one outcome that is given; that it is one is a matter of shape.
fn outcome(meaning: &mut Meaning<'_>, raw: &RawRuling, node: &Node) -> Option<Outcome> {
    let result = |name: &String| GameResult::ALL.into_iter().find(|result| result.name() == name).map(Outcome::Result);
    let by_side = [
        raw.flag_counts.map(Outcome::FlagCounts),
        raw.flag_does_not_count.map(Outcome::FlagDoesNotCount),
        raw.runs.map(Outcome::Runs),
        raw.penalty.map(Outcome::Penalty),
        raw.no_penalty.map(Outcome::NoPenalty),
        raw.allowed.map(Outcome::Allowed),
        raw.forbidden.map(Outcome::Forbidden),
        raw.warning.map(Outcome::Warning),
        raw.illegal_move.map(Outcome::IllegalMove),
        raw.honoured.map(Outcome::Honoured),
        raw.not_honoured.map(Outcome::NotHonoured),
        raw.claim_holds.map(Outcome::ClaimHolds),
        raw.claim_fails.map(Outcome::ClaimFails),
        raw.complaint_heard.map(Outcome::ComplaintHeard),
        raw.complaint_void.map(Outcome::ComplaintVoid),
        raw.check_due.map(Outcome::CheckDue),
        raw.exempt.map(Outcome::Exempt),
        raw.not_exempt.map(Outcome::NotExempt),
        raw.considered.map(Outcome::Considered),
        raw.not_considered.map(Outcome::NotConsidered),
        raw.may_change.map(Outcome::MayChange),
        raw.sheet_due.map(Outcome::SheetDue),
        raw.check_not_due.map(Outcome::CheckNotDue),
        raw.may_not_change.map(Outcome::MayNotChange),
    ];
    let words = [
        raw.result.as_ref().and_then(result),
        raw.game.as_ref().map(|_| Outcome::GameCancelled),
        raw.play.as_ref().map(|_| Outcome::PlayContinues),
        raw.reading.as_ref().map(|_| Outcome::ReadingStands),
        raw.clock.as_ref().map(|_| Outcome::ClockReplaced),
        raw.placed_by.as_ref().and_then(placed_by),
        either(raw.setting.as_ref(), "corrected", Outcome::SettingCorrected, Outcome::SettingStands),
        either(raw.clocks.as_ref(), "stopped", Outcome::ClocksStopped, Outcome::ClocksRunning),
        either(raw.act.as_ref(), "admissible", Outcome::ActAdmissible, Outcome::ActNotAdmissible),
        either(raw.envelope.as_ref(), "opened", Outcome::EnvelopeOpened, Outcome::EnvelopeShut),
        either(raw.prompt.as_ref(), "allowed", Outcome::PromptAllowed, Outcome::PromptForbidden),
        either(raw.evidence.as_ref(), "admitted", Outcome::EvidenceAdmitted, Outcome::EvidenceRefused),
    ];
    if let Some(found) = by_side.into_iter().chain(words).flatten().next() {
        return Some(found);
    }
    if let Some((side, moves)) = one(meaning, raw.completed.as_ref(), node.at("completed")) {
        return Some(Outcome::Completed(side, *moves));
    }
    if let Some((side, number)) = one(meaning, raw.incomplete.as_ref(), node.at("incomplete")) {
        return Some(Outcome::Incomplete(side, *number));
    }
    if let Some((side, target)) = one(meaning, raw.target.as_ref(), node.at("target")) {
        return Some(Outcome::Target(side, *target));
    }
    if let Some(span) = &raw.default_time {
        return meaning.take(node.at("default-time"), span_ms(span)).map(Outcome::DefaultTime);
    }
    if let Some(span) = &raw.increment {
        return meaning.take(node.at("increment"), span_ms(span)).map(Outcome::Increment);
    }
    let spans = [
        ("left", &raw.left, Outcome::Left as fn(Side, u64) -> Outcome),
        ("bears", &raw.bears, Outcome::Bears),
        ("gains", &raw.gains, Outcome::Gains),
        ("charged", &raw.charged, Outcome::Charged),
        ("ends-at", &raw.ends_at, Outcome::EndsAt),
    ];
    spans.into_iter().find_map(|(key, raw, outcome)| {
        let (side, span) = one(meaning, raw.as_ref(), node.at(key))?;
        Some(outcome(side, meaning.take(node.at(key).at(side.name()), span_ms(span))?))
    })
}

/// One of two outcomes that share a key.
fn either(word: Option<&String>, first: &str, one: Outcome, other: Outcome) -> Option<Outcome> {
    word.map(|word| if word == first { one } else { other })
}

fn placed_by(name: &String) -> Option<Outcome> {
    Placer::ALL.into_iter().find(|placer| placer.name() == name).map(Outcome::PlacedBy)
}

/// The one side that an outcome is about.
fn one<'r, T>(meaning: &mut Meaning<'_>, raw: Option<&'r RawBySide<T>>, node: &Node) -> Option<(Side, &'r T)> {
    let mut sides = raw?.iter();
    let first = sides.next();
    if sides.next().is_some() {
        let complaint =
            Complaint::new("an outcome is about one side").help("write a list with one outcome for each side");
        meaning.complain(node, complaint);
    }
    first
}
