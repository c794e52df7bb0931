//! Rulebook files: the shipped ones say what their texts say, and every mistake in one of a user's is named and placed.

use std::io::Write;

use flagfall_judge::rulebook::{Answer, Entry};
use flagfall_judge::{Point, Rulebook, Strength};
use flagfall_scenarios::rulebook::{builtin, keys, read_file, read_str};

fn shipped(key: &str) -> Rulebook {
    builtin(key).unwrap_or_else(|| panic!("{key} is shipped"))
}

/// Point, value, article, strength: one line for each, written from the texts.
const FIDE_2014: [(&str, &str, &str, &str); 16] = [
    ("B1", "completes", "6.2", "stated"),
    ("B2", "needs-no-press-nor-after-a-count", "6.2", "stated"),
    ("B3", "completes", "6.2", "stated"),
    ("B6", "not-completed", "6.2, 6.9", "literal"),
    ("C3", "carried-where-applicable", "6.3b", "stated"),
    ("C4", "runs-first", "6.3b", "stated"),
    ("D1", "white-runs", "6.6", "stated"),
    ("D3", "loses-unless-arbiter-decides", "6.7a", "stated"),
    ("D4", "white-bears", "6.7b", "stated"),
    ("E2", "when-observed-or-claimed", "6.8", "stated"),
    ("F1", "loses", "6.9", "stated"),
    ("F3", "draw", "6.9", "stated"),
    ("G1", "conclusive-unless-evident-defect", "6.10a", "stated"),
    ("H1", "continues-if-order-unknown", "6.11a", "stated"),
    ("H2", "draw-if-order-unknown", "6.11b", "stated"),
    ("I4", "penalty", "6.12d", "stated"),
];

const CBX: [(&str, &str, &str, &str); 16] = [
    ("B1", "completes-before-the-flag", "70, 74", "stated"),
    ("B2", "needs-press", "70, 74", "literal"),
    ("B3", "later-press-completes", "70, 74", "literal"),
    ("B6", "not-completed", "74", "stated"),
    ("C3", "silent", "", "stated"),
    ("C4", "silent", "", "stated"),
    ("D1", "white-runs", "69", "stated"),
    ("D3", "silent", "", "stated"),
    ("D4", "silent", "", "stated"),
    ("E2", "the-fall-itself", "74", "stated"),
    ("F1", "loses", "74", "stated"),
    ("F3", "loses", "74", "stated"),
    ("G1", "final-once-fallen", "72, 73", "stated"),
    ("H1", "silent", "", "stated"),
    ("H2", "silent", "", "stated"),
    ("I4", "silent", "", "stated"),
];

fn line(entry: &Entry) -> (String, String, String, String) {
    let value = match &entry.answer {
        Answer::Value(value) => value.name().to_owned(),
        Answer::Silent => "silent".to_owned(),
        Answer::NotDecidable { reason } => format!("not-decidable: {reason}"),
    };
    let article = entry.article.clone().unwrap_or_default();
    (entry.point.to_string(), value, article, entry.strength.name().to_owned())
}

#[test]
fn the_shipped_rulebooks_say_what_their_texts_say() {
    let keys_in_order = [
        "ua",
        "fide-2009-ru",
        "fide-2009",
        "fide-2014",
        "fide-2014-commentary",
        "ru-practice",
        "cbx",
        "fide-2023",
        "us-chess",
    ];
    assert_eq!(keys(), keys_in_order);
    for (key, lines) in [("fide-2014", FIDE_2014), ("cbx", CBX)] {
        let book = shipped(key);
        let asked = |entry: &&Entry| lines.iter().any(|(point, ..)| *point == entry.point.name());
        let read: Vec<_> = book.entries().filter(asked).map(line).collect();
        let expected = lines.map(|(a, b, c, d)| (a.to_owned(), b.to_owned(), c.to_owned(), d.to_owned()));
        assert_eq!(read, expected, "{key}");
    }
}

#[test]
fn the_shipped_rulebooks_have_sentences_in_both_languages() {
    for key in keys() {
        let book = shipped(key);
        assert_eq!(book.key, *key);
        for entry in book.entries() {
            let decided = matches!(entry.answer, Answer::Value(_));
            assert_eq!(!entry.sentence.is_empty(), decided, "{key} {}", entry.point);
            let needs_own = decided && book.language != "en";
            assert_eq!(entry.sentence_own.is_some(), needs_own, "{key} {}", entry.point);
        }
    }
    let in_force = shipped("fide-2014").in_force;
    let days = [in_force.from, in_force.to].map(|day| day.map(|day| day.to_string()));
    assert_eq!(days, [Some("2014-07-01".to_owned()), Some("2017-06-30".to_owned())]);
    assert_eq!(builtin("fide-2013"), None);
}

const HEAD: &str = "rulebook: club\ntitle: Club\nlanguage: en\n";
const CALLS: &str = "E2: {value: only-a-players-claim, article: \"3\", strength: literal, en: Players call flags.}";

#[test]
fn a_rulebook_may_extend_another_and_shows_what_it_took() {
    let book =
        read_str("club.yaml", &format!("{HEAD}extends: cbx\npoints:\n  {CALLS}\n  H2: silent\n")).expect("it is read");
    assert_eq!(book.extends.as_deref(), Some("cbx"));
    let taken = |point: Point| book.entry(point).taken_from.clone();
    assert_eq!([taken(Point::E2), taken(Point::H2), taken(Point::B1)], [None, None, Some("cbx".to_owned())]);
    assert_eq!(line(book.entry(Point::E2)).1, "only-a-players-claim");
    assert_eq!(book.entry(Point::E2).strength, Strength::Literal);
    assert_eq!(line(book.entry(Point::B1)), line(shipped("cbx").entry(Point::B1)));
}

#[test]
fn a_short_rulebook_leaves_the_rest_open() {
    let reason = "B1: {not-decidable: the two editions differ, article: \"5\"}";
    let book =
        read_str("club.yaml", &format!("{HEAD}rest: silent\npoints:\n  {CALLS}\n  {reason}\n")).expect("it is read");
    let silent = book.entries().filter(|entry| entry.answer == Answer::Silent).count();
    assert_eq!(silent, Point::ALL.len() - 2);
    assert_eq!(line(book.entry(Point::B1)).1, "not-decidable: the two editions differ");
    assert_eq!(book.entry(Point::B1).article.as_deref(), Some("5"));
}

fn complaint(text: &str) -> String {
    match read_str("club.yaml", text) {
        Ok(book) => panic!("it was read: {book:?}"),
        Err(diagnostics) => diagnostics.to_string(),
    }
}

#[test]
fn each_mistake_has_its_place_and_a_word_of_help() {
    let points = |points: &str| format!("{HEAD}rest: silent\npoints:\n  {points}\n");
    for (text, place, title, help) in [
        (points("E9: silent"), "club.yaml:6:3", "unknown rule point `E9`", "did you mean"),
        (points("E2: silnt"), "club.yaml:6:7", "`silnt` is not known here", "did you mean `silent`?"),
        (
            points("E2: {value: the-fal-itself, article: x, strength: stated, en: x}"),
            "club.yaml:6:15",
            "`the-fal-itself` is no answer to E2 (when a flag counts as fallen)",
            "did you mean `the-fall-itself`?",
        ),
        (
            points("E2: {value: silent, article: x, strength: stated, en: x}"),
            "club.yaml:6:15",
            "`silent` is no answer to E2",
            "write `E2: silent`",
        ),
        (
            points("E2: {value: the-fall-itself, article: x, strength: sure, en: x}"),
            "club.yaml:6:54",
            "`sure` is not known here",
            "known here: `stated` and `literal`",
        ),
        (points("E2: {article: x}"), "club.yaml:6:7", "an entry has exactly one answer, this one has none", "`value`"),
        (
            points("E2: {value: the-fall-itself, strength: stated, en: x}"),
            "club.yaml:6:7",
            "the entry for E2 has no `article`",
            "add `article`: where the text says so",
        ),
        (points("E2: {valu: the-fall-itself}"), "club.yaml:6:8", "unknown answer `valu`", "did you mean `value`?"),
        (
            format!("{HEAD}points: {{H2: silent}}\n"),
            "club.yaml:4:9",
            "the rulebook does not answer `A1`, `A2`",
            "rest: silent",
        ),
        (
            format!("{HEAD}extends: fide-2041\npoints: {{H2: silent}}\n"),
            "club.yaml:4:10",
            "there is no rulebook `fide-2041` to extend",
            "did you mean `fide-2014`?",
        ),
        (
            format!("{HEAD}extends: cbx\nrest: silent\npoints: {{H2: silent}}\n"),
            "club.yaml:5:7",
            "`rest` finds nothing to fill",
            "`cbx` answers every point",
        ),
        (
            format!("{HEAD}extends: cbx\nin_force: {{from: 2014-02-30}}\npoints: {{H2: silent}}\n"),
            "club.yaml:5:18",
            "`2014-02-30` is no day",
            "a day is written as 2014-07-01",
        ),
        (
            format!("{HEAD}extends: cbx\nin_force: {{from: 2014-02-20, to: 2014-02-19}}\npoints: {{H2: silent}}\n"),
            "club.yaml:5:34",
            "the last day in force, 2014-02-19, lies before the first, 2014-02-20",
            "",
        ),
        (
            HEAD.replace("club", "Club") + "extends: cbx\npoints: {H2: silent}\n",
            "club.yaml:1:11",
            "`Club` is no key of a rulebook",
            "`my-club`",
        ),
        (
            HEAD.replace("en", "eng") + "extends: cbx\npoints: {H2: silent}\n",
            "club.yaml:3:11",
            "`eng` is no code of a language",
            "`pt`",
        ),
        (
            HEAD.replace("club", "cbx") + "extends: cbx\npoints: {H2: silent}\n",
            "club.yaml",
            "`cbx` is the key of a shipped rulebook",
            "extends: cbx",
        ),
        (
            HEAD.replace("title: Club\n", "") + "extends: cbx\npoints: {H2: silent}\n",
            "club.yaml:1:1",
            "a rulebook has no `title`",
            "title: Rules of my club",
        ),
        (format!("{HEAD}points: &a [*a]\n"), "club.yaml:4", "aliases", ""),
    ] {
        let complaint = complaint(&text);
        for part in [place, title, help] {
            assert!(complaint.contains(part), "no {part:?} in\n{complaint}");
        }
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = "rulebook: A\ntitle: A\nlanguage: uk\nextends: b\npoints:\n  X1: silent\n  E2: {value: no, article: x, strength: stated, en: x}\n";
    let diagnostics = read_str("a.yaml", text).expect_err("it is full of mistakes");
    let titles: Vec<&str> = diagnostics.titles().collect();
    assert_eq!(
        titles,
        [
            "`A` is no key of a rulebook",
            "there is no rulebook `b` to extend",
            "unknown rule point `X1`",
            "the rulebook does not answer `A1`, `A2`, `A3`, `A4`, `B1` and `B2` and 82 more",
            "the entry for E2 has no `own`",
            "`no` is no answer to E2 (when a flag counts as fallen)",
        ]
    );
}

#[test]
fn files_are_read_or_say_why_not() {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    write!(file, "{HEAD}rest: silent\npoints:\n  {CALLS}\n").expect("it is written");
    assert_eq!(read_file(file.path()).map(|book| book.key).ok(), Some("club".to_owned()));
    let missing = read_file(std::path::Path::new("no/such.yaml")).expect_err("it is missing");
    assert!(missing.to_string().contains("cannot read the rulebook"), "{missing}");
    let mut latin = tempfile::NamedTempFile::new().expect("a temporary file");
    latin.write_all(b"title: caf\xe9\n").expect("it is written");
    let latin = read_file(latin.path()).expect_err("it is not UTF-8");
    assert!(latin.to_string().contains("not UTF-8: byte 10 begins no character"), "{latin}");
}
