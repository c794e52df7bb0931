//! Whether a document has the shape of the language: known keys, each once, none missing, words that exist.
//!
//! Everything found here is found at once and before serde reads a value: serde stops at its first error and does not
//! know where a missing key is missing.

use crate::diagnostics::{Complaint, PROBLEMS_SHOWN_MAX, Problem, quoted, suggestion};
use crate::spans::{Entry, Node, NodeKind};

/// What may stand at one place of a document.
pub(crate) enum Shape {
    /// Any scalar, read as it is written.
    Text,
    /// A whole number from zero to this.
    Whole(u64),
    /// `true` or `false`.
    Truth,
    /// One of these words.
    Word(fn() -> &'static [&'static str]),
    /// A list of at least one such item.
    List(&'static Self),
    /// A mapping with these keys.
    Map(&'static Mapping),
    /// A mapping whose keys the author chooses.
    Named(&'static Self),
    /// A scalar of the first shape, or else the second.
    ScalarOr(&'static Self, &'static Self),
    /// One of these, or a list of them.
    OneOrMany(&'static Self),
}

/// The keys of a mapping.
pub(crate) struct Mapping {
    /// What it is, for a message: `a step`.
    pub(crate) what: &'static str,
    pub(crate) keys: &'static [&'static [Key]],
    pub(crate) choice: Choice,
}

/// How many of the keys marked as choices a mapping has.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    /// It has no such keys.
    None,
    /// Exactly one, which is called so: `verb`.
    One(&'static str),
    /// At least one.
    Some,
}

pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) shape: &'static Shape,
    pub(crate) role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Always there; the text is an example to add.
    Must(&'static str),
    May,
    Choice,
}

pub(crate) const fn must(name: &'static str, shape: &'static Shape, example: &'static str) -> Key {
    Key { name, shape, role: Role::Must(example) }
}

pub(crate) const fn may(name: &'static str, shape: &'static Shape) -> Key {
    Key { name, shape, role: Role::May }
}

pub(crate) const fn choice(name: &'static str, shape: &'static Shape) -> Key {
    Key { name, shape, role: Role::Choice }
}

impl Mapping {
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().copied().flatten()
    }

    fn names(&self, wanted: impl Fn(Role) -> bool) -> Vec<&'static str> {
        self.keys().filter(|key| wanted(key.role)).map(|key| key.name).collect()
    }
}

/// Adds to `problems` everything that is not as `shape` says.
pub(crate) fn check(source: &str, node: &Node, shape: &Shape, problems: &mut Vec<Problem>) {
    Checker { source, problems }.check(node, shape);
}

struct Checker<'a> {
    source: &'a str,
    problems: &'a mut Vec<Problem>,
}

impl Checker<'_> {
    fn complain(&mut self, node: &Node, complaint: Complaint) {
        self.problems.push(Problem::at(node.place(self.source), complaint));
    }

    fn check(&mut self, node: &Node, shape: &Shape) {
        match (shape, &node.kind) {
            (Shape::ScalarOr(scalar, _), NodeKind::Scalar { .. }) => self.check(node, scalar),
            (Shape::ScalarOr(_, other), _) => self.check(node, other),
            (Shape::OneOrMany(one), NodeKind::List(items)) => self.check_items(node, items, one),
            (Shape::OneOrMany(one), _) => self.check(node, one),
            (_, NodeKind::Scalar { text, plain: true }) if is_null(text) => {
                self.complain(node, Complaint::new("a value is missing here").help("write one, or leave the key out"));
            }
            (Shape::List(item), NodeKind::List(items)) => self.check_items(node, items, item),
            (Shape::Map(mapping), NodeKind::Map(entries)) => self.check_map(node, entries, mapping),
            (Shape::Named(value), NodeKind::Map(entries)) => {
                for entry in entries {
                    self.check(&entry.value, value);
                }
            }
            (Shape::List(_), _) => self.complain(node, expected("a list", node)),
            (Shape::Map(mapping), _) => {
                let known = quoted(&mapping.names(|_| true));
                let complaint = expected("a mapping", node).help(format!("{} has the keys {known}", mapping.what));
                self.complain(node, complaint);
            }
            (Shape::Named(_), _) => self.complain(node, expected("a mapping", node)),
            (_, NodeKind::Scalar { text, plain }) => self.check_scalar(node, text, *plain, shape),
            (Shape::Whole(_), _) => self.complain(node, expected("a whole number", node)),
            _ => self.complain(node, expected("one word or text", node)),
        }
    }

    fn check_items(&mut self, node: &Node, items: &[Node], shape: &Shape) {
        if items.is_empty() {
            self.complain(
                node,
                Complaint::new("this list is empty").help("write at least one item, or leave the key out"),
            );
        }
        for item in items {
            self.check(item, shape);
        }
    }

    fn check_scalar(&mut self, node: &Node, text: &str, plain: bool, shape: &Shape) {
        match shape {
            Shape::Whole(max) => self.check_whole(node, text, plain, *max),
            Shape::Truth if !(plain && (text == "true" || text == "false")) => {
                self.complain(node, Complaint::new(format!("`{text}` is neither `true` nor `false`")));
            }
            Shape::Word(words) if !words().contains(&text) => {
                let complaint = Complaint::new(format!("`{text}` is not known here")).help(suggestion(text, words()));
                self.complain(node, complaint);
            }
            _ => {}
        }
    }

    fn check_whole(&mut self, node: &Node, text: &str, plain: bool, max: u64) {
        let digits = plain && text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        if !digits {
            self.complain(
                node,
                Complaint::new(format!("`{text}` is no whole number")).help("write digits, without quotes"),
            );
        } else if !text.parse::<u64>().is_ok_and(|number| number <= max) {
            self.complain(node, Complaint::new(format!("{text} is too large")).help(format!("the largest is {max}")));
        }
    }

    fn check_map(&mut self, node: &Node, entries: &[Entry], mapping: &Mapping) {
        let mut chosen: Vec<&Entry> = Vec::new();
        let mut unknown = Vec::new();
        for entry in entries {
            match mapping.keys().find(|key| key.name == entry.key) {
                Some(key) => {
                    self.check(&entry.value, key.shape);
                    if key.role == Role::Choice {
                        chosen.push(entry);
                    }
                }
                None => unknown.push(entry),
            }
        }
        for entry in &unknown {
            self.unknown_key(entry, mapping, chosen.is_empty());
        }
        for key in mapping.keys() {
            if let Role::Must(example) = key.role
                && node.entry(key.name).is_none()
            {
                let title = format!("{} has no `{}`", mapping.what, key.name);
                let label = format!("`{}` is missing", key.name);
                self.complain(node, Complaint::new(title).label(label).help(format!("add `{example}`")));
            }
        }
        self.check_choice(node, mapping, &chosen, !unknown.is_empty());
    }

    fn unknown_key(&mut self, entry: &Entry, mapping: &Mapping, no_choice_yet: bool) {
        let noun = match mapping.choice {
            Choice::One(noun) if no_choice_yet => noun,
            _ => "key",
        };
        let title = format!("unknown {noun} `{}`", entry.key);
        let mut complaint = Complaint::new(title);
        // Comparing words is slow, and nobody is shown more.
        if self.problems.len() < PROBLEMS_SHOWN_MAX {
            complaint = complaint.help(suggestion(&entry.key, &mapping.names(|_| true)));
        }
        self.problems.push(Problem::at(entry.key_bytes.clone(), complaint));
    }

    fn check_choice(&mut self, node: &Node, mapping: &Mapping, chosen: &[&Entry], has_unknown: bool) {
        let choices = || quoted(&mapping.names(|role| role == Role::Choice));
        match (mapping.choice, chosen) {
            (Choice::One(noun), []) if !has_unknown => {
                let title = format!("{} has exactly one {noun}, this one has none", mapping.what);
                self.complain(node, Complaint::new(title).help(format!("add one of {}", choices())));
            }
            (Choice::One(noun), [first, second, ..]) => {
                let title = format!("{} has exactly one {noun}, this one has {}", mapping.what, chosen.len());
                let complaint = Complaint::new(title)
                    .label(format!("a second {noun}"))
                    .help(format!("write `{}` in {} of its own", second.key, mapping.what));
                let problem = Problem::at(second.key_bytes.clone(), complaint);
                self.problems.push(problem.and_at(first.key_bytes.clone(), format!("the first {noun}")));
            }
            (Choice::Some, []) if !has_unknown => {
                let title = format!("{} says nothing", mapping.what);
                self.complain(node, Complaint::new(title).help(format!("add at least one of {}", choices())));
            }
            _ => {}
        }
    }
}

/// What YAML reads as nothing at all.
fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn expected(what: &str, node: &Node) -> Complaint {
    Complaint::new(format!("expected {what}, found {}", node.describe()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> &'static [&'static str] {
        &["white", "black"]
    }

    const STEP: Mapping = Mapping {
        what: "a step",
        keys: &[
            &[must("at", &Shape::Text, "at: +6s")],
            &[choice("press", &Shape::Word(words)), choice("set", &Shape::Whole(9)), choice("on", &Shape::Truth)],
        ],
        choice: Choice::One("verb"),
    };

    fn titles(text: &str) -> Vec<String> {
        let node = crate::spans::tree(text, crate::spans::Holds::Scenario).expect("it is YAML");
        let mut problems = Vec::new();
        check(text, &node, &Shape::List(&Shape::Map(&STEP)), &mut problems);
        let source = std::sync::Arc::new(crate::diagnostics::SourceText { name: "t".into(), text: text.into() });
        crate::diagnostics::Diagnostics::new(source, problems).titles().map(str::to_owned).collect()
    }

    #[test]
    fn a_document_of_the_shape_passes() {
        assert!(titles("[{at: 1s, press: white}, {at: 2, set: 9}, {at: x, on: true}]").is_empty());
    }

    #[test]
    fn every_departure_is_named() {
        for (text, title) in [
            ("[{at: 1s, prss: white}]", "unknown verb `prss`"),
            ("[{at: 1s, press: white, x: 1}]", "unknown key `x`"),
            ("[{press: white}]", "a step has no `at`"),
            ("[{at: 1s}]", "a step has exactly one verb, this one has none"),
            ("[{at: 1s, press: white, set: 1}]", "a step has exactly one verb, this one has 2"),
            ("[{at: 1s, press: whit}]", "`whit` is not known here"),
            ("[{at: 1s, press: [white]}]", "expected one word or text, found a list"),
            ("[{at: 1s, press: }]", "a value is missing here"),
            ("[{at: 1s, set: 10}]", "10 is too large"),
            ("[{at: 1s, set: \"1\"}]", "`1` is no whole number"),
            ("[{at: 1s, set: 0x1}]", "`0x1` is no whole number"),
            ("[{at: 1s, on: yes}]", "`yes` is neither `true` nor `false`"),
            ("[]", "this list is empty"),
            ("{at: 1s}", "expected a list, found a mapping"),
            ("[press]", "expected a mapping, found `press`"),
        ] {
            assert_eq!(titles(text), [title], "{text}");
        }
    }

    #[test]
    fn all_departures_are_reported_at_once() {
        assert_eq!(titles("[{a: 1}, {at: 1s, set: -1}, {at: 1s, b: 1, c: 1}]").len(), 5);
    }
}
