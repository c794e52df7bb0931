//! Expectations against rulings: each kind met and missed.

use flagfall_core::{Side, TrueTime};
use flagfall_judge::ruling_check::check;
use flagfall_judge::{Decision, ExpectedDecision, ExpectedRuling, GameResult, Outcome, Point, Ruling, Strength};
use flagfall_trace::Verdict;

const DRAW: Outcome = Outcome::Result(GameResult::Draw);
const WHITE_WINS: Outcome = Outcome::Result(GameResult::WhiteWins);
const CONTINUES: Outcome = Outcome::PlayContinues;
const POINTS: [Point; 2] = [Point::H2, Point::E2];

fn ruling(point: Point, decision: Decision) -> Ruling {
    Ruling {
        point,
        at: TrueTime::from_ns(7),
        decision,
        article: Some("70, 74".into()),
        sentence: "A sentence.".into(),
        used: vec!["seen".into()],
        refused: vec!["a screen".into()],
        bound_ns: 0,
    }
}

fn decided(point: Point, outcome: Outcome) -> Ruling {
    ruling(point, Decision::Decided { outcome, strength: Strength::Stated })
}

fn expects(decision: ExpectedDecision) -> ExpectedRuling {
    ExpectedRuling { point: None, decision, article: None, strength: None, line: 12 }
}

fn outcome(outcome: Outcome) -> ExpectedRuling {
    expects(ExpectedDecision::Decided(outcome))
}

fn meets(rulings: &[Ruling], expected: &ExpectedRuling) -> bool {
    let checks = check("book", rulings, std::slice::from_ref(expected), &POINTS);
    checks.len() == 1 && checks[0].verdict == Verdict::Pass
}

#[test]
fn an_outcome_is_met_on_the_points_asked() {
    let draw = [decided(Point::H2, DRAW)];
    assert!(meets(&draw, &outcome(DRAW)));
    assert!(!meets(&draw, &outcome(WHITE_WINS)));
    assert!(!meets(&[decided(Point::F1, DRAW)], &outcome(DRAW)), "not a point of the scenario");
    let on = |point| ExpectedRuling { point: Some(point), ..outcome(DRAW) };
    assert!(meets(&draw, &on(Point::H2)));
    assert!(!meets(&draw, &on(Point::E2)));
    assert!(meets(&[decided(Point::F1, DRAW)], &on(Point::F1)), "its own point need not be one of the scenario's");
    assert!(!meets(&[], &outcome(DRAW)));
}

#[test]
fn article_and_strength_are_compared_when_given() {
    let draw = [decided(Point::H2, DRAW)];
    let with = |article: &str, strength| ExpectedRuling {
        article: (!article.is_empty()).then(|| article.to_owned()),
        strength,
        ..outcome(DRAW)
    };
    assert!(meets(&draw, &with("70, 74", None)));
    assert!(meets(&draw, &with("74", None)), "one of several articles");
    assert!(!meets(&draw, &with("7", None)));
    assert!(meets(&draw, &with("", Some(Strength::Stated))));
    assert!(!meets(&draw, &with("", Some(Strength::Literal))));
    let no_article = [Ruling { article: None, ..draw[0].clone() }];
    assert!(!meets(&no_article, &with("74", None)));
}

#[test]
fn a_time_is_met_within_the_bound_of_its_instants_and_not_beyond() {
    let left = |ms, bound_ns| [Ruling { bound_ns, ..decided(Point::H2, Outcome::Left(Side::White, ms)) }];
    let expected = outcome(Outcome::Left(Side::White, 1_000));
    assert!(meets(&left(1_000, 0), &expected));
    assert!(!meets(&left(1_001, 0), &expected));
    assert!(meets(&left(1_001, 300_000), &expected));
    assert!(meets(&left(998, 1_200_000), &expected));
    assert!(!meets(&left(1_003, 1_200_000), &expected));
    assert!(!meets(&left(1_000, 0), &outcome(Outcome::Left(Side::Black, 1_000))));
}

#[test]
fn a_choice_is_met_by_the_same_set() {
    let choice = |outcomes: &[Outcome]| ruling(Point::H2, Decision::Discretion(outcomes.to_vec()));
    let expected = |outcomes: &[Outcome]| expects(ExpectedDecision::Discretion(outcomes.to_vec()));
    assert!(meets(&[choice(&[DRAW, CONTINUES])], &expected(&[CONTINUES, DRAW])));
    assert!(!meets(&[choice(&[DRAW, CONTINUES])], &expected(&[DRAW])));
    assert!(!meets(&[choice(&[DRAW])], &expected(&[DRAW, CONTINUES])));
    assert!(!meets(&[choice(&[DRAW, CONTINUES])], &outcome(DRAW)));
}

#[test]
fn a_missing_fact_is_met_with_its_answers() {
    let answers = |yes, no| vec![("yes".to_owned(), yes), ("no".to_owned(), no)];
    let needs = [ruling(Point::H2, Decision::Needs { fact: "x".into(), answers: answers(DRAW, CONTINUES) })];
    let expected = |fact: &str, answers| expects(ExpectedDecision::Needs { fact: fact.into(), answers });
    assert!(meets(&needs, &expected("x", answers(DRAW, CONTINUES))));
    assert!(!meets(&needs, &expected("y", answers(DRAW, CONTINUES))));
    assert!(!meets(&needs, &expected("x", answers(CONTINUES, DRAW))));
    assert!(!meets(&needs, &expected("x", Vec::new())));
}

#[test]
fn silence_leaves_the_case_open() {
    let silent = ruling(Point::H2, Decision::Silent);
    let expected = expects(ExpectedDecision::Silent);
    let counts = decided(Point::E2, Outcome::FlagCounts(Side::White));
    assert!(meets(std::slice::from_ref(&silent), &expected));
    assert!(meets(&[counts.clone(), silent.clone()], &expected), "a step on the way is no answer to the case");
    assert!(!meets(&[counts], &expected), "nothing is silent");
    assert!(!meets(&[], &expected), "the question never arose");
    assert!(!meets(&[silent.clone(), decided(Point::E2, DRAW)], &expected), "another point answers");
    assert!(!meets(&[silent.clone(), decided(Point::E2, CONTINUES)], &expected));
    assert!(!meets(&[silent.clone(), decided(Point::H2, Outcome::FlagCounts(Side::White))], &expected));
    let on_point = ExpectedRuling { point: Some(Point::H2), ..expected };
    assert!(meets(&[silent, decided(Point::E2, DRAW)], &on_point));
}

#[test]
fn void_is_met_by_void() {
    let expected = expects(ExpectedDecision::Void);
    assert!(meets(&[ruling(Point::E2, Decision::Void)], &expected));
    assert!(!meets(&[ruling(Point::E2, Decision::Silent)], &expected));
}

#[test]
fn play_does_not_continue_if_it_ends_later() {
    let goes_on = decided(Point::E2, CONTINUES);
    let ends = decided(Point::H2, DRAW);
    let expected = outcome(CONTINUES);
    assert!(meets(std::slice::from_ref(&goes_on), &expected));
    assert!(meets(&[ends.clone(), goes_on.clone()], &expected), "what was before is no matter");
    assert!(!meets(&[goes_on.clone(), ends.clone()], &expected));
    let both = check("book", &[goes_on, ends], &[expected, outcome(DRAW)], &POINTS);
    assert!(both.iter().all(|check| check.verdict == Verdict::Pass), "the end is expected too");
}

#[test]
fn a_check_tells_what_was_expected_and_found() {
    let rulings =
        [decided(Point::H2, DRAW), Ruling { bound_ns: 1, ..decided(Point::E2, Outcome::Left(Side::White, 5)) }];
    let expected =
        ExpectedRuling { article: Some("6.9".into()), strength: Some(Strength::Literal), ..outcome(WHITE_WINS) };
    let failed = &check("book", &rulings, &[expected], &POINTS)[0];
    assert_eq!(failed.what, "H2, E2 under book");
    assert_eq!(failed.expected, "result: white-wins (6.9, literal)");
    assert_eq!(failed.found, "H2 result: draw (70, 74, stated); E2 left: {white: 5ms} ± 1 ms (70, 74, stated)");
    assert_eq!((failed.line, failed.rulebook.as_deref()), (Some(12), Some("book")));
    let elsewhere = &check("book", &[decided(Point::F1, DRAW)], &[outcome(DRAW)], &POINTS)[0];
    assert_eq!(elsewhere.found, "the question never arises; elsewhere: F1 result: draw (70, 74, stated)");
    let nothing = &check("book", &[], &[outcome(DRAW)], &POINTS)[0];
    assert_eq!(nothing.found, "the question never arises");
    let many = vec![decided(Point::H2, DRAW); 9];
    assert!(check("book", &many, &[outcome(WHITE_WINS)], &POINTS)[0].found.starts_with("3 before; "));
}
