//! What `flagfall rules` says of rulebooks, and when it fails.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{code, flagfall, folder, stderr, stdout};

/// The arbiter sees both flags down; in the club of [`CLUB`] only a player's word counts.
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
rulings: {club: {flag-does-not-count: white, point: E2}}
"#;

const CLUB: &str = "rulebook: club\ntitle: Club rules\nlanguage: en\nrest: silent\npoints:\n  \
                    E2: {value: only-a-players-claim, article: \"1\", strength: stated, en: Players call flags.}\n";

/// [`CLUB`] with an answer that no scenario asks for.
fn with_an_idle_answer() -> String {
    CLUB.to_owned() + "  D1: {value: white-runs, article: \"2\", strength: stated, en: White starts.}\n"
}

fn club(text: &str) -> TempDir {
    let folder = folder([("f/both".to_owned(), BOTH)]);
    fs::write(folder.path().join("club.yaml"), text).expect("a file");
    folder
}

const ALONE: [&str; 4] = ["--rulebook", "club.yaml", "--rulebook", "club"];

fn ask(folder: &TempDir, what: &[&str]) -> (i32, String) {
    let output = flagfall(folder.path(), &[&["rules"] as &[&str], what].concat());
    (code(&output), stdout(&output) + &stderr(&output))
}

#[test]
fn a_rulebook_is_listed_and_explained() {
    let folder = club(CLUB);
    let (exit, said) = ask(&folder, &[&["list"] as &[&str], &ALONE].concat());
    assert_eq!(exit, 0, "{said}");
    assert!(
        said.starts_with("club  en  Club rules\n") && said.contains("1 decided, 88 silent, 0 not decidable"),
        "{said}"
    );
    let (_, said) = ask(&folder, &[&["list", "--json"] as &[&str], &ALONE].concat());
    let row: Value = serde_json::from_str(&said).expect("one line of JSON");
    assert_eq!((&row["key"], row["entries"].as_array().map(Vec::len)), (&"club".into(), Some(89)));

    let (exit, said) = ask(&folder, &["explain", "club.yaml", "E2"]);
    assert_eq!(exit, 0, "{said}");
    for line in [
        "E2: when a flag counts as fallen\n",
        "  answer     only-a-players-claim\n",
        "  article    1\n",
        "  en         Players call flags.\n",
        "  only-a-players-claim: ",
        "club [1]",
    ] {
        assert!(said.contains(line), "{line:?} is not in {said}");
    }
    assert_eq!(ask(&folder, &["explain", "club.yaml", "E99"]).0, 2);
    assert_eq!(ask(&folder, &["explain", "ua-1850", "E2"]).0, 2);
}

#[test]
fn two_rulebooks_differ_where_a_scenario_shows_it() {
    let folder = club(CLUB);
    fs::write(
        folder.path().join("other.yaml"),
        CLUB.replace("club", "other").replace("only-a-players-claim", "the-fall-itself"),
    )
    .expect("a file");
    fs::remove_dir_all(folder.path().join("scenarios")).expect("removed");
    fs::create_dir_all(folder.path().join("cases/f")).expect("a folder");
    let facts = BOTH.split("rulings:").next().expect("facts");
    fs::write(folder.path().join("cases/f/both.yaml"), facts.to_owned() + "expect: [{running: white}]\n")
        .expect("a file");
    let (exit, said) = ask(&folder, &["diff", "club.yaml", "other.yaml", "cases"]);
    assert_eq!(exit, 0, "{said}");
    let expected = "E2: when a flag counts as fallen\n  club   only-a-players-claim [1]\n  other  the-fall-itself [1]\n  shown by f/both\n    club   flag-does-not-count: black [1]\n    other  flag-counts: black [1]\n1 point answered differently, 88 alike\n";
    assert_eq!(said, expected);
}

#[test]
fn what_if_says_what_would_be_ruled_instead() {
    let folder = club(CLUB);
    let ask = |set: &str| ask(&folder, &[&["what-if", "f/both", "--set", set] as &[&str], &ALONE].concat());
    let (exit, said) = ask("E2=when-observed-or-claimed");
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains("    is        flag-does-not-count: white [1]; flag-does-not-count: black [1]\n"), "{said}");
    assert!(said.contains("    would be  flag-counts: white [what if]; flag-counts: black [what if]\n"), "{said}");
    assert!(ask("D3=silent").1.ends_with("nothing changes under club\n"));
    for (set, hint) in [
        ("E2=only-a-player-claims", "did you mean `only-a-players-claim`?"),
        ("E99=silent", "there is no rule point `E99`"),
        ("E2", "write POINT=VALUE"),
        ("E2.within=5m", "E2 has no limit `within`"),
    ] {
        let (exit, said) = ask(set);
        assert!(exit == 2 && said.contains(hint), "{set}: {exit}: {said}");
    }
}

#[test]
fn a_decided_cell_without_a_scenario_is_a_failure() {
    let folder = club(CLUB);
    let (exit, said) = ask(&folder, &[&["coverage"] as &[&str], &ALONE].concat());
    assert_eq!(exit, 0, "{said}");
    assert!(said.starts_with("club: 1 cell decided, 1 of them by a scenario; 88 silent"), "{said}");

    let folder = club(&with_an_idle_answer());
    let (exit, said) = ask(&folder, &[&["coverage"] as &[&str], &ALONE].concat());
    assert_eq!(exit, 1, "{said}");
    assert!(
        said.contains("2 cells decided, 1 of them by a scenario") && said.ends_with("  without a scenario: D1\n"),
        "{said}"
    );
    let (exit, said) = ask(&folder, &[&["coverage", "--json"] as &[&str], &ALONE].concat());
    let cells: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let cell = |point: &str| cells.iter().find(|cell| cell["point"] == point).expect("a cell").clone();
    assert_eq!((exit, cells.len()), (1, 89));
    assert_eq!((&cell("E2")["cases"][0], &cell("E2")["decided"]), (&"f/both".into(), &true.into()));
    assert_eq!((&cell("D1")["cases"], &cell("H2")["answer"]), (&Value::Array(Vec::new()), &"silent".into()));
}

#[test]
fn a_flip_that_no_scenario_tells_needs_a_reason() {
    let folder = club(CLUB);
    let flips = |more: &[&str]| {
        ask(&folder, &[&["mutate", "--point", "E2", "--point", "I4"] as &[&str], &ALONE, more].concat())
    };
    let (exit, said) = flips(&[]);
    assert_eq!(exit, 1, "nothing in this game asks for I4: {said}");
    assert!(said.contains("survived: club I4 to penalty\n") && !said.contains("survived: club E2"), "{said}");

    let of_e2 = ask(&folder, &[&["mutate", "--point", "E2"] as &[&str], &ALONE].concat());
    assert_eq!(of_e2.0, 0, "{}", of_e2.1);
    assert!(of_e2.1.contains(" killed, 0 with a reason, 0 survived in "), "{}", of_e2.1);

    let survivors: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("survived: club I4 to ")).collect();
    let reasons: String =
        survivors.iter().map(|to| format!("- {{point: I4, to: {to}, because: nobody stops the clocks}}\n")).collect();
    fs::write(folder.path().join("reasons.yaml"), reasons).expect("a file");
    let (exit, said) = flips(&["--reasons", "reasons.yaml"]);
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains(&format!("{} with a reason, 0 survived", survivors.len())), "{said}");

    let parts: Vec<(i32, String)> = ["1/2", "2/2"].map(|part| flips(&["--shard", part])).to_vec();
    let count =
        |said: &str| said.lines().last().and_then(|line| line.split(' ').next()).and_then(|n| n.parse::<usize>().ok());
    let sum: usize = parts.iter().filter_map(|(_, said)| count(said)).sum();
    assert_eq!(Some(sum), count(&flips(&[]).1), "the parts are the whole: {parts:?}");
    fs::write(folder.path().join("reasons.yaml"), "- {point: I4}\n").expect("a file");
    assert_eq!(flips(&["--reasons", "reasons.yaml"]).0, 2);
}
