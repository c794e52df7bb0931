//! Rulebooks: the shipped ones, compiled in, and a user's own, read from a file in the same way.
//!
//! A rulebook answers every rule point. It may take the answers of a shipped one (`extends: fide-2014`) and change
//! some, or answer a few and leave the others open (`rest: silent`):
//!
//! ```
//! let club = flagfall_scenarios::rulebook::read_str("club.yaml", r#"
//! rulebook: club
//! title: Club rules
//! language: en
//! rest: silent
//! points:
//!   E2: {value: only-a-players-claim, article: "3", strength: stated, en: Only the players call a flag.}
//! "#)?;
//! assert_eq!(club.entry("E2".parse()?).article.as_deref(), Some("3"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use flagfall_judge::rulebook::{Answer, Classes, Day, Entry, InForce};
use flagfall_judge::value::{self, Unit, Value};
use flagfall_judge::{Point, Rulebook, Strength};

use crate::diagnostics::{Complaint, Diagnostics, Problem, SourceText, quoted, suggestion};
use crate::file;
use crate::language::{points, strengths};
use crate::shape::{self, Choice, Mapping, Shape, choice, may, must};
use crate::spans::{self, Node, NodeKind};
use crate::time::span_ms;

/// The keys of the shipped rulebooks, in the order in which reports list them; one may extend those before it.
const KEYS: [&str; 9] = [
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

const FILES: [(&str, &str); KEYS.len()] = [
    ("ua.yaml", include_str!("../rulebooks/ua.yaml")),
    ("fide-2009-ru.yaml", include_str!("../rulebooks/fide-2009-ru.yaml")),
    ("fide-2009.yaml", include_str!("../rulebooks/fide-2009.yaml")),
    ("fide-2014.yaml", include_str!("../rulebooks/fide-2014.yaml")),
    ("fide-2014-commentary.yaml", include_str!("../rulebooks/fide-2014-commentary.yaml")),
    ("ru-practice.yaml", include_str!("../rulebooks/ru-practice.yaml")),
    ("cbx.yaml", include_str!("../rulebooks/cbx.yaml")),
    ("fide-2023.yaml", include_str!("../rulebooks/fide-2023.yaml")),
    ("us-chess.yaml", include_str!("../rulebooks/us-chess.yaml")),
];

static SHIPPED: LazyLock<Vec<Rulebook>> = LazyLock::new(|| {
    let mut shipped = Vec::new();
    for (name, text) in FILES {
        let rulebook = Reader::read(name, text, &shipped).expect("a test reads every shipped rulebook");
        shipped.push(rulebook);
    }
    shipped
});

/// The keys of the shipped rulebooks.
#[must_use]
pub fn keys() -> &'static [&'static str] {
    &KEYS
}

/// The shipped rulebook with this key.
#[must_use]
pub fn builtin(key: &str) -> Option<Rulebook> {
    SHIPPED.iter().find(|rulebook| rulebook.key == key).cloned()
}

/// Reads a user's rulebook from a file.
///
/// # Errors
/// [`Diagnostics`] with everything that is wrong with the file and its places, or why it cannot be had.
pub fn read_file(path: &Path) -> Result<Rulebook, Diagnostics> {
    let name = path.display().to_string();
    let text = file::read_text(path).map_err(|error| {
        let title = format!("cannot read the rulebook: {error}");
        Diagnostics::of_file(name.clone(), title, error.help().map(str::to_owned))
    })?;
    read_str(&name, &text)
}

/// Reads a user's rulebook that is called `name` in messages.
///
/// # Errors
/// [`Diagnostics`] with everything that is wrong with the text and its places.
pub fn read_str(name: &str, text: &str) -> Result<Rulebook, Diagnostics> {
    let rulebook = Reader::read(name, text, &SHIPPED)?;
    if keys().contains(&rulebook.key.as_str()) {
        let title = format!("`{}` is the key of a shipped rulebook", rulebook.key);
        let help = format!("choose another key; to change some of its answers add `extends: {}`", rulebook.key);
        return Err(Diagnostics::of_file(name.to_owned(), title, Some(help)));
    }
    Ok(rulebook)
}

/// Points that a message names before it only counts them.
const MISSING_NAMED_MAX: usize = 6;

/// Reads a figure on which an answer turns: a time in milliseconds, or a count.
///
/// # Errors
/// What is wrong with the text.
pub fn figure(unit: Unit, text: &str) -> Result<u64, String> {
    read_figure(unit, text).map_err(|complaint| complaint.title)
}

fn read_figure(unit: Unit, text: &str) -> Result<u64, Complaint> {
    match unit {
        Unit::Span => span_ms(text).map_err(Complaint::from),
        Unit::Count => text.parse().map_err(|_| Complaint::new(format!("`{text}` is no whole number"))),
    }
}

const RULEBOOK: Mapping = Mapping {
    what: "a rulebook",
    keys: &[&[
        must("rulebook", &Shape::Text, "rulebook: my-club"),
        must("title", &Shape::Text, "title: Rules of my club"),
        must("language", &Shape::Text, "language: en"),
        may("edition", &Shape::Text),
        may("in_force", &Shape::Map(&IN_FORCE)),
        may("extends", &Shape::Text),
        may("classes", &Shape::Map(&CLASSES)),
        may("rest", &Shape::Word(|| &["silent"])),
        must("points", &Shape::Named(&ENTRY), "points: {H2: silent}"),
    ]],
    choice: Choice::None,
};

const IN_FORCE: Mapping = Mapping {
    what: "`in_force`",
    keys: &[&[choice("from", &Shape::Text), choice("to", &Shape::Text)]],
    choice: Choice::Some,
};

const CLASSES: Mapping = Mapping {
    what: "`classes`",
    keys: &[&[
        may("standard_from", &Shape::Text),
        choice("blitz_below", &Shape::Text),
        choice("blitz_up_to", &Shape::Text),
    ]],
    choice: Choice::One("limit"),
};

const ENTRY: Shape = Shape::ScalarOr(&Shape::Word(|| &["silent"]), &Shape::Map(&ENTRY_KEYS));

const ENTRY_KEYS: Mapping = Mapping {
    what: "an entry",
    keys: &[&[
        choice("value", &Shape::Text),
        choice("not-decidable", &Shape::Text),
        may("limits", &Shape::Named(&Shape::Text)),
        may("article", &Shape::Text),
        may("strength", &Shape::Word(strengths)),
        may("en", &Shape::Text),
        may("own", &Shape::Text),
        may("unverified", &Shape::Truth),
    ]],
    choice: Choice::One("answer"),
};

struct Reader<'a> {
    text: &'a str,
    shipped: &'a [Rulebook],
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn read(name: &str, text: &'a str, shipped: &'a [Rulebook]) -> Result<Rulebook, Diagnostics> {
        let source = Arc::new(SourceText::new(name, text));
        let text = file::without_mark(text);
        let fail = |problems| Diagnostics::new(Arc::clone(&source), problems);
        let root = spans::tree(text, spans::Holds::Rulebook).map_err(fail)?;
        let mut reader = Self { text, shipped, problems: Vec::new() };
        shape::check(text, &root, &Shape::Map(&RULEBOOK), &mut reader.problems);
        if !reader.problems.is_empty() {
            return Err(fail(reader.problems));
        }
        let rulebook = reader.rulebook(&root);
        match rulebook {
            Some(rulebook) if reader.problems.is_empty() => Ok(rulebook),
            _ => Err(fail(reader.problems)),
        }
    }

    fn complain(&mut self, node: &Node, complaint: Complaint) {
        self.problems.push(Problem::at(node.place(self.text), complaint));
    }

    /// The rulebook, if it is complete; if not there is at least one problem.
    fn rulebook(&mut self, root: &Node) -> Option<Rulebook> {
        let key = self.key(root.at("rulebook"));
        let language = self.language(root.at("language"));
        let in_force = self.in_force(root);
        let base = self.base(root);
        let own = self.entries(root.at("points"), &language);
        let entries = self.complete(root, own, base);
        let mut rulebook = Rulebook::silent(&key, root.at("title").scalar());
        rulebook.language = language;
        rulebook.edition = root.entry("edition").map(|entry| entry.value.scalar().to_owned()).unwrap_or_default();
        rulebook.in_force = in_force;
        rulebook.classes = self.classes(root).or_else(|| base.and_then(|base| base.classes));
        rulebook.extends = base.map(|base| base.key.clone());
        match rulebook.with_all(entries.into_values()) {
            Ok(rulebook) => Some(rulebook),
            Err(missing) => {
                let names: Vec<&str> = missing.0.iter().map(|point| point.name()).collect();
                let (named, others) = names.split_at(names.len().min(MISSING_NAMED_MAX));
                let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
                let complaint = Complaint::new(format!("the rulebook does not answer {}{others}", quoted(named))).help(
                    "answer each (`H1: silent` where the text says nothing), or add `rest: silent` or `extends:`",
                );
                self.complain(root.at("points"), complaint);
                None
            }
        }
    }

    fn key(&mut self, node: &Node) -> String {
        let key = node.scalar();
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if key.is_empty() || !key.bytes().all(fits) {
            let complaint = Complaint::new(format!("`{key}` is no key of a rulebook"))
                .help("a key has small letters, digits and hyphens: `my-club`");
            self.complain(node, complaint);
        }
        key.to_owned()
    }

    fn language(&mut self, node: &Node) -> String {
        let code = node.scalar();
        if code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_lowercase()) {
            let complaint = Complaint::new(format!("`{code}` is no code of a language"))
                .help("a code has two small letters: `en`, `pt`, `uk`");
            self.complain(node, complaint);
        }
        code.to_owned()
    }

    fn in_force(&mut self, root: &Node) -> InForce {
        let Some(entry) = root.entry("in_force") else { return InForce::default() };
        let mut day = |key| -> Option<Day> {
            let node = &entry.value.entry(key)?.value;
            match node.scalar().parse() {
                Ok(day) => Some(day),
                Err(error) => {
                    let complaint = Complaint::new(format!("`{}` is no day", node.scalar())).help(error.to_string());
                    self.complain(node, complaint);
                    None
                }
            }
        };
        let in_force = InForce { from: day("from"), to: day("to") };
        if let (Some(from), Some(to)) = (in_force.from, in_force.to)
            && to < from
        {
            let complaint = Complaint::new(format!("the last day in force, {to}, lies before the first, {from}"));
            self.complain(entry.value.at("to"), complaint);
        }
        in_force
    }

    fn classes(&mut self, root: &Node) -> Option<Classes> {
        let node = &root.entry("classes")?.value;
        let mut span = |key| -> Option<u64> {
            let node = &node.entry(key)?.value;
            span_ms(node.scalar()).map_err(|error| self.complain(node, error.into())).ok()
        };
        let standard_from_ms = span("standard_from");
        let (below, up_to) = (span("blitz_below"), span("blitz_up_to"));
        Some(Classes { standard_from_ms, blitz_to_ms: below.or(up_to)?, blitz_includes_it: up_to.is_some() })
    }

    fn base(&mut self, root: &Node) -> Option<&'a Rulebook> {
        let node = &root.entry("extends")?.value;
        let key = node.scalar();
        let base = self.shipped.iter().find(|rulebook| rulebook.key == key);
        if base.is_none() {
            let known: Vec<&str> = self.shipped.iter().map(|rulebook| rulebook.key.as_str()).collect();
            let complaint =
                Complaint::new(format!("there is no rulebook `{key}` to extend")).help(suggestion(key, &known));
            self.complain(node, complaint);
        }
        base
    }

    fn entries(&mut self, node: &Node, language: &str) -> BTreeMap<Point, Entry> {
        let NodeKind::Map(entries) = &node.kind else { return BTreeMap::new() };
        let mut answered = BTreeMap::new();
        for entry in entries {
            let Ok(point) = entry.key.parse::<Point>() else {
                let complaint = Complaint::new(format!("unknown rule point `{}`", entry.key))
                    .help(suggestion(&entry.key, points()));
                self.problems.push(Problem::at(entry.key_bytes.clone(), complaint));
                continue;
            };
            answered.insert(point, self.entry(point, &entry.value, language));
        }
        answered
    }

    fn entry(&mut self, point: Point, node: &Node, language: &str) -> Entry {
        let mut entry = Entry::silent(point);
        let text = |key: &str| node.entry(key).map(|entry| entry.value.scalar().to_owned());
        entry.article = text("article");
        entry.sentence = text("en").unwrap_or_default();
        entry.sentence_own = text("own");
        if node.entry("strength").is_some_and(|strength| strength.value.scalar() == Strength::Literal.name()) {
            entry.strength = Strength::Literal;
        }
        entry.unverified = node.entry("unverified").is_some_and(|word| word.value.scalar() == "true");
        if let Some(reason) = text("not-decidable") {
            entry.answer = Answer::NotDecidable { reason };
            return entry;
        }
        let Some(value) = node.entry("value") else { return entry };
        match Value::named(point, value.value.scalar()) {
            Some(value) => entry.answer = Answer::Value(value),
            None => self.unknown_value(point, &value.value),
        }
        entry.limits = self.limits(point, value.value.scalar(), node);
        let own = if language == "en" { None } else { Some(("own", "the answer in the language of the text")) };
        let needed = [
            ("article", "where the text says so"),
            ("strength", "`stated` or `literal`"),
            ("en", "the answer in an English sentence"),
        ];
        for (key, what) in needed.into_iter().chain(own) {
            if node.entry(key).is_none() {
                let complaint = Complaint::new(format!("the entry for {point} has no `{key}`"))
                    .help(format!("add `{key}`: {what}"));
                self.complain(node, complaint);
            }
        }
        entry
    }

    /// The figures of an answer: those that its value needs, and no others.
    fn limits(&mut self, point: Point, value: &str, node: &Node) -> BTreeMap<&'static str, u64> {
        let needed: Vec<&value::Limit> =
            value::limits(point).iter().filter(|limit| limit.needed_by.contains(&value)).collect();
        let names: Vec<&str> = needed.iter().map(|limit| limit.name).collect();
        let place = node.entry("limits").map(|entry| &entry.value);
        let written = match place.map(|place| &place.kind) {
            Some(NodeKind::Map(entries)) => entries.as_slice(),
            _ => &[],
        };
        for entry in written.iter().filter(|entry| !names.contains(&entry.key.as_str())) {
            let complaint = Complaint::new(format!("`{value}` has no limit `{}`", entry.key));
            let help = if names.is_empty() { "leave it out".to_owned() } else { suggestion(&entry.key, &names) };
            self.problems.push(Problem::at(entry.key_bytes.clone(), complaint.help(help)));
        }
        let mut limits = BTreeMap::new();
        for limit in needed {
            let Some(entry) = written.iter().find(|entry| entry.key == limit.name) else {
                let example = match limit.unit {
                    Unit::Span => "5m",
                    Unit::Count => "3",
                };
                let complaint = Complaint::new(format!("`{value}` needs the limit `{}`", limit.name))
                    .help(format!("add `limits: {{{}: {example}}}`", limit.name));
                self.complain(place.unwrap_or(node), complaint);
                continue;
            };
            let text = entry.value.scalar();
            match read_figure(limit.unit, text) {
                Ok(figure) => {
                    limits.insert(limit.name, figure);
                }
                Err(complaint) => self.complain(&entry.value, complaint),
            }
        }
        limits
    }

    fn unknown_value(&mut self, point: Point, node: &Node) {
        let word = node.scalar();
        let complaint = Complaint::new(format!("`{word}` is no answer to {point} ({})", point.question()));
        let help =
            if word == "silent" { format!("write `{point}: silent`") } else { suggestion(word, &value::names(point)) };
        self.complain(node, complaint.help(help));
    }

    /// The entries of the file, then those of the rulebook that it extends, then silence if it asks for that.
    fn complete(
        &mut self,
        root: &Node,
        own: BTreeMap<Point, Entry>,
        base: Option<&Rulebook>,
    ) -> BTreeMap<Point, Entry> {
        let mut entries = own;
        if let Some(base) = base {
            for entry in base.entries() {
                let taken_from = entry.taken_from.clone().or_else(|| Some(base.key.clone()));
                entries.entry(entry.point).or_insert_with(|| Entry { taken_from, ..entry.clone() });
            }
        }
        if let Some(rest) = root.entry("rest") {
            if let Some(base) = base {
                let complaint = Complaint::new("`rest` finds nothing to fill")
                    .help(format!("`{}` answers every point: leave `rest` or `extends` out", base.key));
                self.complain(&rest.value, complaint);
            }
            for point in Point::ALL {
                entries.entry(point).or_insert_with(|| Entry::silent(point));
            }
        }
        entries
    }
}
