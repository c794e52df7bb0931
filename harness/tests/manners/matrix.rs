//! What `flagfall matrix` says: the table, the files, the exits.

use std::fs;

use serde_json::Value;

use crate::program::{RIGHT, beside, code, flagfall, folder, repository, stderr, stdout};

/// Both flags are down in the last period and nobody knows the order: one text decides, another is silent.
const BOTH: &str = r#"
scenario: both flags down
points: [H2, E2]
control: {periods: "5m", at_zero: run-on, first_fallen_sign: none}
opening: {left: {white: 10s, black: 12s}}
timeline:
  - {at: 0s, start: white}
  - {at: +6s, move: {side: white, san: e4, press: same-hand}}
  - {at: flag(black) + 2s, move: {side: black, san: e5, press: same-hand}}
  - {at: flag(white) + 6s, observe: {by: arbiter, flags: both, first: unknown}}
rulings: {fide-2014: {result: draw, point: H2}, cbx: {ruling: silent, point: H2}}
"#;

/// A club where both lose then, as nobody else says.
const CLUB: &str = "rulebook: club\ntitle: Club rules\nlanguage: en\nextends: fide-2014\n\
                    points: {E2: {value: only-a-players-claim, article: \"1\", strength: literal, en: Players call.}}\n";

fn cases(texts: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder(texts.iter().map(|(id, text)| ((*id).to_owned(), *text)));
    fs::write(folder.path().join("club.yaml"), CLUB).expect("a file");
    folder
}

#[test]
fn the_table_has_a_cell_for_each_rulebook_and_marks_what_differs() {
    let folder = cases(&[("f/both", BOTH)]);
    let two = ["matrix", "--rulebook", "fide-2014", "--rulebook", "cbx"];
    let output = flagfall(folder.path(), &two);
    let said = stdout(&output);
    assert_eq!(code(&output), 0, "{}{said}", stderr(&output));
    let expected = "  fide-2014      cbx\n  f/both  H2 E2\n  draw           ?\n  6.11b\n1 scenario under 2 rulebooks: 0 on which they contradict each other (≠ unlike most, ? the text does not say)\n";
    assert_eq!(said, expected, "a text that does not say contradicts nobody");

    let output = flagfall(folder.path(), &[&two as &[&str], &["--rulebook", "club.yaml"]].concat());
    let said = stdout(&output);
    assert_eq!(code(&output), 0, "{}{said}", stderr(&output));
    assert!(said.starts_with("  fide-2014      cbx            club\n≠ f/both  H2 E2\n"), "{said}");
    assert!(said.contains("≠ flag does") && said.contains("1 literal"), "{said}");
    assert!(stdout(&flagfall(folder.path(), &["--color", "always", "matrix"])).contains("\x1b[1m"));
    assert_eq!(beside(folder.path()), ["club.yaml"], "nothing is written that was not asked for");
}

#[test]
fn json_and_page_are_written_where_they_are_wanted() {
    let folder = cases(&[("f/both", BOTH), ("g/plain", &RIGHT.replace("points: [B1]", "points: [A1]"))]);
    let output =
        flagfall(folder.path(), &["matrix", "--json", "-", "--html", "m/page.html", "--rulebook", "club.yaml"]);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    let matrix: Value = serde_json::from_str(&stdout(&output)).expect("standard output is JSON alone");
    let books: Vec<&str> =
        matrix["rulebooks"].as_array().expect("a list").iter().filter_map(|row| row["key"].as_str()).collect();
    assert!(books.starts_with(&["fide-2014"]) || books.contains(&"fide-2014"), "{books:?}");
    assert_eq!(books.last(), Some(&"club"), "a file's rulebook stands beside those that are built in");
    let row = &matrix["scenarios"][0];
    assert_eq!((&row["scenario"], &row["diverges"]), (&"f/both".into(), &true.into()));
    let cell = |key: &str| {
        row["cells"].as_array().expect("a list").iter().find(|cell| cell["rulebook"] == key).expect("a cell").clone()
    };
    assert_eq!(
        (&cell("fide-2014")["outcome"], &cell("fide-2014")["article"]),
        (&"result: draw".into(), &"6.11b".into())
    );
    assert_eq!((&cell("cbx")["ruling"], &cell("club")["apart"]), (&"silent".into(), &true.into()));
    let page = fs::read_to_string(folder.path().join("m/page.html")).expect("a page");
    assert!(page.contains("id=\"case-f-both\"") && page.contains("<span>6.11b</span>"));
    let output = flagfall(folder.path(), &["matrix", "--json", "matrix.json"]);
    assert!(stdout(&output).contains("f/both"), "the table stands beside files");
    assert!(folder.path().join("matrix.json").exists());
}

#[test]
fn a_ruling_that_is_not_expected_is_exit_1_and_input_that_is_none_exit_2() {
    let wrong = BOTH.replace("result: draw", "result: white-wins");
    let folder = cases(&[("f/both", &wrong)]);
    let output = flagfall(folder.path(), &["matrix", "--rulebook", "fide-2014", "--rulebook", "cbx"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("f/both  H2 E2  fail\n  ! draw"), "{}", stdout(&output));
    assert_eq!(code(&flagfall(folder.path(), &["matrix", "--rulebook", "ua-1850"])), 2);
    let folder = cases(&[("f/both", "scenario: no more\n"), ("f/right", BOTH)]);
    let output = flagfall(folder.path(), &["matrix"]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).contains("f/right") && stderr(&output).contains("f/both.yaml"), "{}", stderr(&output));
    let output = flagfall(folder.path(), &["matrix", "f/right", "--html", "scenarios"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write scenarios"), "{}", stderr(&output));
}

#[test]
fn the_shipped_cases_agree_with_what_they_expect() {
    let output = flagfall(&repository(), &["matrix", "scenarios/cases/both-flags"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}
