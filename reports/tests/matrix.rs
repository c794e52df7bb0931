//! Scenarios by rulebooks: which ruling a cell has, what contradicts what, and that no text is markup.

use flagfall_reports::matrix::{Matrix, html};
use flagfall_trace::{Check, EntryRow, RulebookRow, RulingRow, RunRecord, Subject, Verdict};

fn book(key: &str, own: Option<&str>) -> RulebookRow {
    let entry = EntryRow {
        point: "H2".to_owned(),
        question: "both flags down".to_owned(),
        answer: "draw".to_owned(),
        limits: std::collections::BTreeMap::new(),
        article: Some("6.11b".to_owned()),
        strength: Some("stated".to_owned()),
        sentence: "The game is drawn.".to_owned(),
        sentence_own: own.map(str::to_owned),
        taken_from: None,
        unverified: false,
    };
    RulebookRow {
        key: key.to_owned(),
        title: format!("Rules {key}"),
        language: "uk".to_owned(),
        edition: String::new(),
        in_force_from: None,
        in_force_to: None,
        extends: None,
        entries: vec![entry],
    }
}

fn row(rulebook: &str, at_ns: i64, point: &str, ruling: &str, outcome: &str) -> RulingRow {
    RulingRow {
        rulebook: rulebook.to_owned(),
        at_ns,
        last_ns: None,
        count: 1,
        point: point.to_owned(),
        ruling: ruling.to_owned(),
        outcome: outcome.to_owned(),
        article: (ruling == "decided").then(|| "6.11b".to_owned()),
        strength: (ruling == "decided").then(|| "literal".to_owned()),
        evidence_used: vec!["the arbiter looked".to_owned()],
        evidence_refused: vec!["a screen".to_owned()],
    }
}

fn decided(rulebook: &str, at_ns: i64, point: &str, outcome: &str) -> RulingRow {
    row(rulebook, at_ns, point, "decided", outcome)
}

fn run(points: &[&str], rulings: Vec<RulingRow>) -> RunRecord {
    RunRecord {
        schema: RunRecord::SCHEMA,
        scenario: "family/case".to_owned(),
        title: "a title".to_owned(),
        points: points.iter().map(|point| (*point).to_owned()).collect(),
        requirements: Vec::new(),
        rig: "sim".to_owned(),
        verdict: Verdict::Pass,
        reason: None,
        checks: Vec::new(),
        margins: Vec::new(),
        rulings,
        trace_hash: None,
        trace_file: None,
        retried: None,
    }
}

fn matrix(points: &[&str], rulings: Vec<RulingRow>) -> Matrix {
    let mut matrix = Matrix::under(["a", "b", "c"].map(|key| book(key, None)).to_vec());
    matrix.add(run(points, rulings), None);
    matrix
}

fn outcomes(matrix: &Matrix) -> Vec<(&str, bool)> {
    matrix.scenarios[0].cells.iter().map(|cell| (cell.outcome.as_str(), cell.apart)).collect()
}

#[test]
fn a_result_on_any_of_the_points_is_the_answer() {
    let rulings = vec![
        decided("a", 1, "B6", "incomplete: {white: 40}"),
        decided("a", 2, "F1", "result: black-wins"),
        decided("b", 1, "B6", "incomplete: {white: 40}"),
        decided("b", 2, "F1", "result: black-wins"),
        row("b", 3, "F1", "void", "void"),
        decided("c", 1, "B6", "completed: {white: 40}"),
        decided("c", 2, "F1", "play: continues"),
        decided("c", 2, "F1", "gains: {black: 2m}"),
        decided("c", 3, "B6", "completed: {white: 41}"),
    ];
    let matrix = matrix(&["B6", "F1"], rulings);
    let expected = [
        ("result: black-wins", false),
        ("result: black-wins", false),
        ("completed: {white: 41}; gains: {black: 2m}; play: continues", true),
    ];
    assert_eq!(outcomes(&matrix), expected);
    assert!(matrix.scenarios[0].diverges && !matrix.scenarios[0].open);
    let cell = &matrix.scenarios[0].cells[0];
    assert_eq!((cell.point.as_deref(), cell.at_ns, cell.article.as_deref()), (Some("F1"), Some(2), Some("6.11b")));
    assert_eq!(cell.strength.as_deref(), Some("literal"));
}

#[test]
fn without_a_result_the_first_point_that_arose_answers_with_what_came_last() {
    let mut often = decided("c", 1, "E2", "flag-counts: black");
    (often.last_ns, often.count) = (Some(9), 4);
    let rulings = vec![
        decided("a", 1, "E2", "flag-does-not-count: black"),
        decided("a", 5, "E2", "flag-counts: black"),
        decided("a", 5, "E2", "flag-counts: white"),
        decided("a", 7, "G1", "reading: stands"),
        decided("b", 7, "G1", "reading: stands"),
        often,
    ];
    let matrix = matrix(&["H2", "E2", "G1"], rulings);
    let of: Vec<&str> = outcomes(&matrix).into_iter().map(|(outcome, _)| outcome).collect();
    assert_eq!(of, ["flag-counts: white; flag-counts: black", "reading: stands", "flag-counts: black"]);
}

#[test]
fn a_silent_text_contradicts_nobody() {
    let draw = |key| decided(key, 1, "H2", "result: draw");
    let agreed = matrix(&["H2"], vec![draw("a"), draw("b"), row("c", 1, "H2", "silent", "silent")]);
    assert!(!agreed.scenarios[0].diverges && agreed.scenarios[0].open);
    let unasked = matrix(&["H2"], vec![draw("a"), draw("b")]);
    assert_eq!(outcomes(&unasked)[2], ("not-asked", true), "that it does not arise is an answer");
    let before = matrix(&["H2"], vec![draw("a"), draw("b"), row("c", 1, "E2", "silent", "silent")]);
    assert_eq!(outcomes(&before)[2], ("silent", false), "nothing is known of a flag that may not count");
    let elsewhere = matrix(&["H2"], vec![draw("a"), draw("b"), row("c", 0, "D1", "silent", "silent")]);
    assert_eq!(outcomes(&elsewhere)[2], ("not-asked", true));
    let none = matrix(&["H2"], vec![decided("a", 1, "E2", "flag-counts: black")]);
    assert_eq!((none.scenarios.len(), none.left_out), (0, vec!["family/case".to_owned()]));
}

#[test]
fn what_the_scenario_expects_otherwise_is_marked() {
    let mut record = run(&["H2"], vec![decided("a", 1, "H2", "result: draw")]);
    record.verdict = Verdict::Fail;
    record.checks.push(Check {
        subject: Subject::Ruling,
        rulebook: Some("b".to_owned()),
        verdict: Verdict::Fail,
        what: "H2 under b".to_owned(),
        expected: "result: draw".to_owned(),
        found: "the question never arises".to_owned(),
        line: None,
    });
    let mut matrix = Matrix::under(vec![book("a", None), book("b", None)]);
    matrix.add(record, None);
    let wrong: Vec<bool> = matrix.scenarios[0].cells.iter().map(|cell| cell.wrong).collect();
    assert_eq!(wrong, [false, true]);
    assert!(html(&matrix).contains("not as expected"));
}

#[test]
fn what_is_left_open_after_all_is_open_where_others_say_what_becomes_of_the_game() {
    let incomplete = |key| decided(key, 1, "B3", "incomplete: {white: 40}");
    let silent = |key, at| row(key, at, "E2", "silent", "silent");
    let open_later = vec![incomplete("a"), silent("a", 2), incomplete("b"), silent("b", 0), incomplete("c")];
    let said = |rulings: &[RulingRow]| {
        let matrix = matrix(&["B3", "E2"], rulings.to_vec());
        let of = outcomes(&matrix).into_iter().map(|(of, apart)| (of.to_owned(), apart)).collect::<Vec<_>>();
        (of, matrix.scenarios[0].diverges)
    };
    let all = |of: &str| (of.to_owned(), false);
    let incompletes = vec![all("incomplete: {white: 40}"); 3];
    assert_eq!(said(&open_later), (incompletes, false), "nobody says more");
    let mut ruled = open_later.clone();
    ruled.push(decided("c", 2, "E2", "play: continues"));
    let (of, diverges) = said(&ruled);
    assert_eq!(of[0], all("silent"), "it is open when another one rules");
    assert_eq!((of[1].clone(), diverges), (all("incomplete: {white: 40}"), true), "it is not open then");
    assert_eq!(of[2], ("play: continues".to_owned(), true), "and these two do not say the same");
    ruled[1] = silent("a", 1);
    ruled[3] = silent("b", 1);
    ruled[5] = decided("c", 1, "E2", "play: continues");
    let (of, diverges) = said(&ruled);
    let expected = [all("incomplete: {white: 40}"), all("incomplete: {white: 40}"), all("play: continues")];
    assert_eq!((of.as_slice(), diverges), (expected.as_slice(), false), "what it leaves open contradicts nobody");
}

#[test]
fn one_side_does_not_displace_the_other_and_no_act_of_the_arbiter_the_game() {
    let rulings = vec![
        decided("a", 1, "K5", "exempt: white"),
        decided("a", 3, "K5", "not-exempt: black"),
        decided("b", 1, "K5", "illegal-move: white"),
        decided("b", 1, "K5", "gains: {black: 120000ms}"),
        decided("b", 2, "K5", "act: not-admissible"),
        decided("b", 7, "K5", "act: admissible"),
        decided("c", 1, "K5", "completed: {white: 39}"),
        decided("c", 2, "K5", "clocks: stopped"),
        decided("c", 3, "K5", "completed: {white: 40}"),
    ];
    let matrix = matrix(&["K5"], rulings);
    let of: Vec<&str> = outcomes(&matrix).into_iter().map(|(outcome, _)| outcome).collect();
    let expected = [
        "exempt: white; not-exempt: black",
        "illegal-move: white; gains: {black: 120000ms}; act: admissible",
        "completed: {white: 40}; clocks: stopped",
    ];
    assert_eq!(of, expected);
    assert_eq!(matrix.scenarios[0].cells[0].at_ns, Some(3), "the last of them");
    assert!(html(&matrix).contains("\"shown\":[[[\"K5\",1,\"exempt: White\"],[\"K5\",3,\"not exempt: Black\"]]"));
}

#[test]
fn beside_what_becomes_of_the_game_stands_what_belongs_to_it() {
    let rulings = vec![
        decided("a", 1, "J3", "considered: white"),
        row("a", 6, "J3", "discretion", "one of left: {white: 13000ms}, play: continues"),
        decided("a", 6, "J3", "act: admissible"),
        decided("a", 8, "J3", "complaint-heard: white"),
        decided("a", 9, "J3", "act: not-admissible"),
    ];
    let matrix = matrix(&["J3"], rulings);
    assert_eq!(outcomes(&matrix)[0].0, "one of left: {white: 13000ms}, play: continues; act: not-admissible");
}

#[test]
fn what_is_ruled_on_the_first_point_after_the_game_stands_before_it() {
    let rulings = vec![
        decided("a", 1, "F1", "play: continues"),
        decided("a", 2, "G1", "clock: replaced"),
        decided("b", 2, "G1", "clock: replaced"),
        decided("b", 2, "G1", "play: continues"),
        decided("c", 1, "G1", "reading: stands"),
        decided("c", 2, "F1", "play: continues"),
    ];
    let matrix = matrix(&["G1", "F1"], rulings);
    let both = ("clock: replaced; play: continues", false);
    assert_eq!(outcomes(&matrix), [both, both, ("play: continues", true)], "what came before is what it rests on");
}

#[test]
fn what_hangs_on_a_missing_fact_answers_nothing() {
    let needs = |key| row(key, 1, "D3", "needs", "needs default-time; if exceeded: result: black-wins");
    let lost = matrix(&["D3"], vec![needs("a"), needs("b"), decided("c", 1, "D3", "result: black-wins")]);
    assert!(!lost.scenarios[0].diverges, "neither it nor the one that rules is apart");
}

#[test]
fn a_cell_names_the_article_on_which_its_answer_turns() {
    let mut completed = decided("a", 1, "B3", "completed: {white: 40}");
    completed.article = Some("6.2".to_owned());
    let mut void = row("b", 1, "B3", "void", "void");
    void.article = None;
    let lost = |key| decided(key, 2, "F1", "result: black-wins");
    let incomplete = decided("c", 1, "B3", "incomplete: {white: 40}");
    let open = row("c", 2, "F1", "silent", "silent");
    let matrix = matrix(&["B3", "F1"], vec![completed, lost("a"), void, lost("b"), incomplete, open]);
    let turns_on: Vec<Option<(&str, &str)>> = matrix.scenarios[0]
        .cells
        .iter()
        .map(|cell| cell.turns_on.as_ref().map(|on| (on.point.as_str(), on.article.as_str())))
        .collect();
    assert_eq!(turns_on, [Some(("B3", "6.2")), None, None]);
    assert!(html(&matrix).contains("<span>6.11b</span><span>B3 6.2</span>"));
}

const HOSTILE: &str = "</script><script>alert(1)</script><!-- \" onload='x' & <img src=x onerror=y>";

#[test]
fn the_page_needs_nothing_from_elsewhere_and_no_text_is_markup() {
    let mut loud = decided(HOSTILE, 1, "H2", HOSTILE);
    loud.evidence_used = vec![HOSTILE.to_owned()];
    let mut hostile = book(HOSTILE, Some(HOSTILE));
    hostile.title = HOSTILE.to_owned();
    let mut record = run(&["H2"], vec![loud]);
    (record.scenario, record.title) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    let mut matrix = Matrix::under(vec![hostile]);
    matrix.add(record, None);
    let page = html(&matrix);
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2), "data and the page's own");
    assert!(!page.contains("<!--") && !page.contains("<img"));
    for outside in ["http", "//cdn", "@import", "src=\"", "<link", "url(", "fetch(", "Date", "Math.random"] {
        assert!(!page.contains(outside), "{outside} is on the page");
    }
    assert_eq!(page, html(&matrix), "the same bytes for the same matrix");
}
