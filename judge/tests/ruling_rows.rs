//! Rulings as rows: what says the same again is one row, and nothing that matters is lost in one.

use flagfall_core::{Side, TrueTime};
use flagfall_judge::rulebook::{Entry, Rulebook};
use flagfall_judge::ruling_rows::{rows, rulebook_row};
use flagfall_judge::value::{FlagCounts, Value};
use flagfall_judge::{Decision, ExpectedDecision, ExpectedRuling, GameResult, Outcome, Point, Ruling, Strength};

const DRAW: Outcome = Outcome::Result(GameResult::Draw);
const POINTS: [Point; 1] = [Point::B1];

fn ruling(at: i64, point: Point, decision: Decision) -> Ruling {
    Ruling {
        point,
        at: TrueTime::from_ns(at),
        decision,
        article: Some("70, 74".into()),
        sentence: "A sentence.".into(),
        used: vec![format!("seen at {at}")],
        refused: Vec::new(),
        bound_ns: 0,
    }
}

fn decided(at: i64, point: Point, outcome: Outcome) -> Ruling {
    ruling(at, point, Decision::Decided { outcome, strength: Strength::Stated })
}

/// White and Black press in turn, so many times.
fn game(moves: u16) -> Vec<Ruling> {
    let sides = (1..=moves).flat_map(|number| [(Side::White, number), (Side::Black, number)]);
    sides
        .enumerate()
        .map(|(at, (side, number))| decided(at as i64, Point::B1, Outcome::Completed(side, number)))
        .collect()
}

fn told(rulings: &[Ruling], expected: &[ExpectedRuling]) -> Vec<(i64, u32, Option<i64>, String)> {
    let rows = rows("book", rulings, expected, &POINTS);
    rows.into_iter().map(|row| (row.at_ns, row.count, row.last_ns, row.outcome)).collect()
}

#[test]
fn a_row_carries_everything() {
    let row = rows("book", &[decided(7, Point::H2, DRAW)], &[], &POINTS).remove(0);
    assert_eq!((row.rulebook.as_str(), row.at_ns, row.point.as_str()), ("book", 7, "H2"));
    assert_eq!((row.ruling.as_str(), row.outcome.as_str()), ("decided", "result: draw"));
    assert_eq!((row.article.as_deref(), row.strength.as_deref()), (Some("70, 74"), Some("stated")));
    assert_eq!((row.evidence_used, row.evidence_refused), (vec!["seen at 7".to_owned()], Vec::new()));
    assert_eq!((row.count, row.last_ns), (1, None));
    assert_eq!(rows("book", &[ruling(7, Point::H2, Decision::Void)], &[], &POINTS)[0].strength, None);
}

#[test]
fn what_is_said_of_each_move_is_one_row_for_each_side() {
    let expected =
        [(0, 40, Some(78), "completed: {white: 40}".into()), (1, 40, Some(79), "completed: {black: 40}".into())];
    assert_eq!(told(&game(40), &[]), expected);
    let last = rows("book", &game(40), &[], &POINTS).remove(0);
    assert_eq!(last.evidence_used, ["seen at 78"], "the evidence is the last one's");
}

#[test]
fn something_else_between_them_parts_them() {
    let mut rulings = game(6);
    rulings[4] = decided(4, Point::B1, Outcome::Incomplete(Side::White, 3));
    let of_white: Vec<_> = told(&rulings, &[]).into_iter().filter(|row| row.3.contains("white")).collect();
    let expected = [
        (0, 2, Some(2), "completed: {white: 2}".to_owned()),
        (4, 1, None, "incomplete: {white: 3}".to_owned()),
        (6, 3, Some(10), "completed: {white: 6}".to_owned()),
    ];
    assert_eq!(of_white, expected);

    let mut literal = game(2);
    literal[2].decision =
        Decision::Decided { outcome: Outcome::Completed(Side::White, 2), strength: Strength::Literal };
    assert_eq!(told(&literal, &[]).len(), 3, "another strength is another answer");
    literal[2].decision = literal[0].decision.clone();
    literal[2].article = Some("71".into());
    assert_eq!(told(&literal, &[]).len(), 3, "another article is another answer");
}

#[test]
fn what_is_expected_and_what_ends_the_game_stands_alone() {
    let decision = ExpectedDecision::Decided(Outcome::Completed(Side::White, 3));
    let expected = ExpectedRuling { point: None, decision, article: None, strength: None, line: 1 };
    let of_white = |rulings: &[Ruling], expected: &[ExpectedRuling]| {
        let white = told(rulings, expected).into_iter().filter(|row| row.3.contains("white"));
        white.map(|row| (row.1, row.3)).collect::<Vec<_>>()
    };
    let alone = [
        (2, "completed: {white: 2}".to_owned()),
        (1, "completed: {white: 3}".to_owned()),
        (3, "completed: {white: 6}".to_owned()),
    ];
    assert_eq!(of_white(&game(6), &[expected]), alone);
    assert_eq!(told(&[decided(1, Point::F1, DRAW), decided(2, Point::F1, DRAW)], &[]).len(), 2);
    let choice = || Decision::Discretion(vec![DRAW, Outcome::PlayContinues]);
    assert_eq!(told(&[ruling(1, Point::F1, choice()), ruling(2, Point::F1, choice())], &[]).len(), 2);
    assert_eq!(told(&[ruling(1, Point::F1, Decision::Silent), ruling(2, Point::F1, Decision::Silent)], &[]).len(), 1);
}

#[test]
fn a_rulebook_is_a_row_with_every_entry() {
    let book = Rulebook::silent("club", "Club rules")
        .with(Entry::decided(Value::of(FlagCounts::OnlyAPlayersClaim), "3", Strength::Stated, "Players call flags."))
        .with(Entry::not_decidable(Point::H1, "two texts differ"));
    let row = rulebook_row(&book);
    assert_eq!((row.key.as_str(), row.entries.len()), ("club", Point::ALL.len()));
    let entry = |point: &str| row.entry(point).expect("an entry").clone();
    let called = entry("E2");
    assert_eq!((called.answer.as_str(), called.article.as_deref()), ("only-a-players-claim", Some("3")));
    assert_eq!((called.strength.as_deref(), called.sentence.as_str()), (Some("stated"), "Players call flags."));
    assert_eq!((entry("H1").answer.as_str(), entry("H1").sentence.as_str()), ("not-decidable", "two texts differ"));
    assert_eq!((entry("H2").answer.as_str(), entry("H2").strength), ("silent", None));
}
