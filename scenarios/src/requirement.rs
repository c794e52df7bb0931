//! What a federation asks of a clock before it may be used: the shipped list, and a reader for such lists.
//!
//! A scenario names the requirements that it is a proof of (`requirements: [E-d]`). A requirement that no scenario of a
//! simulator or a bench can prove says why.
//!
//! ```
//! let list = flagfall_scenarios::requirement::read_str("club.yaml", r#"
//! requirements: club
//! title: What our club asks of a clock
//! list:
//!   C-1: {title: loud, source: house rules 4, text: The fall of a flag can be heard., no_case: It takes an ear.}
//! "#)?;
//! assert_eq!(list.requirements[0].id, "C-1");
//! # Ok::<(), flagfall_scenarios::Diagnostics>(())
//! ```

use std::sync::{Arc, LazyLock};

pub use flagfall_trace::requirement::{Proof, RequirementRow};

use crate::diagnostics::{Complaint, Diagnostics, Problem, SourceText};
use crate::file;
use crate::shape::{self, Choice, Mapping, Shape, choice, must};
use crate::spans::{self, Node, NodeKind};

const FIDE_CLOCK: (&str, &str) = ("fide-clock.yaml", include_str!("../requirements/fide-clock.yaml"));

static SHIPPED: LazyLock<Requirements> =
    LazyLock::new(|| read_str(FIDE_CLOCK.0, FIDE_CLOCK.1).expect("a test reads the shipped requirements"));

static IDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| SHIPPED.requirements.iter().map(|requirement| requirement.id.as_str()).collect());

/// A list of requirements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// What the list is called: small letters, digits and hyphens.
    pub key: String,
    /// What it is, in a few words.
    pub title: String,
    /// Its requirements in the order of the file; at least one.
    pub requirements: Vec<RequirementRow>,
}

/// The requirements of FIDE for electronic clocks.
#[must_use]
pub fn fide_clock() -> &'static Requirements {
    &SHIPPED
}

/// The ids of the shipped requirements.
pub(crate) fn ids() -> &'static [&'static str] {
    &IDS
}

/// Reads a list of requirements that is called `name` in messages.
///
/// # Errors
/// [`Diagnostics`] with everything that is wrong with the text and its places.
pub fn read_str(name: &str, text: &str) -> Result<Requirements, Diagnostics> {
    let source = Arc::new(SourceText::new(name, text));
    let text = file::without_mark(text);
    let wrong = |problems| Diagnostics::new(Arc::clone(&source), problems);
    let root = spans::tree(text, spans::Holds::Requirements).map_err(wrong)?;
    let mut problems = Vec::new();
    shape::check(text, &root, &Shape::Map(&REQUIREMENTS), &mut problems);
    let mut requirements = Vec::new();
    if problems.is_empty() {
        if !is_key(root.at("requirements").scalar()) {
            let complaint = Complaint::new(format!("`{}` is no key of a list", root.at("requirements").scalar()))
                .help("a key has small letters, digits and hyphens: `my-club`");
            problems.push(Problem::at(root.at("requirements").place(text), complaint));
        }
        requirements = list(root.at("list"), text, &mut problems);
    }
    if !problems.is_empty() {
        return Err(wrong(problems));
    }
    let text_of = |key: &str| root.at(key).scalar().to_owned();
    Ok(Requirements { key: text_of("requirements"), title: text_of("title"), requirements })
}

const REQUIREMENTS: Mapping = Mapping {
    what: "a list of requirements",
    keys: &[&[
        must("requirements", &Shape::Text, "requirements: my-club"),
        must("title", &Shape::Text, "title: What my club asks of a clock"),
        must("list", &Shape::Named(&Shape::Map(&REQUIREMENT)), "list: {C-1: {...}}"),
    ]],
    choice: Choice::None,
};

const REQUIREMENT: Mapping = Mapping {
    what: "a requirement",
    keys: &[
        &[
            must("title", &Shape::Text, "title: which flag fell first"),
            must("source", &Shape::Text, "source: \"Standards of Chess Equipment (e)\""),
            must("text", &Shape::Text, "text: what it asks, in your own words"),
        ],
        &[choice("cases", &Shape::Text), choice("every_case", &Shape::Text), choice("no_case", &Shape::Text)],
    ],
    choice: Choice::One("proof"),
};

fn list(node: &Node, text: &str, problems: &mut Vec<Problem>) -> Vec<RequirementRow> {
    let NodeKind::Map(entries) = &node.kind else { return Vec::new() };
    if entries.is_empty() {
        let complaint = Complaint::new("this list is empty").help("write at least one requirement");
        problems.push(Problem::at(node.place(text), complaint));
    }
    let mut requirements = Vec::new();
    for entry in entries {
        if !is_id(&entry.key) {
            let complaint = Complaint::new(format!("`{}` is no id of a requirement", entry.key))
                .help("an id has letters, digits and hyphens and begins with a capital: `E-d`");
            problems.push(Problem::at(entry.key_bytes.clone(), complaint));
        }
        let text_of = |key: &str| entry.value.entry(key).map(|entry| entry.value.scalar().to_owned());
        // That there is exactly one of them is a matter of shape.
        let proof = text_of("cases")
            .map(Proof::Cases)
            .or(text_of("every_case").map(Proof::EveryCase))
            .or(text_of("no_case").map(Proof::NoCase));
        let (Some(title), Some(source), Some(says), Some(proof)) =
            (text_of("title"), text_of("source"), text_of("text"), proof)
        else {
            continue;
        };
        requirements.push(RequirementRow { id: entry.key.clone(), title, source, text: says, proof });
    }
    requirements
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn is_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_uppercase())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_requirements_are_all_there() {
        let list = fide_clock();
        assert_eq!(list.key, "fide-clock");
        let expected: Vec<String> = ('a'..='n').map(|letter| format!("E-{letter}")).collect();
        assert_eq!(ids(), expected);
        for requirement in &list.requirements {
            let (Proof::Cases(how) | Proof::EveryCase(how) | Proof::NoCase(how)) = &requirement.proof;
            for text in [&requirement.title, &requirement.source, &requirement.text, how] {
                assert!(!text.is_empty(), "{}", requirement.id);
            }
        }
    }

    #[test]
    fn each_kind_of_proof_is_told_from_the_others() {
        const TEXT: &str = "requirements: club\ntitle: Club\nlist:\n\
                            \x20 C1: {title: t, source: s, text: x, cases: one}\n\
                            \x20 C2: {title: t, source: s, text: x, every_case: two}\n\
                            \x20 C3: {title: t, source: s, text: x, no_case: three}\n";
        let list = read_str("club.yaml", TEXT).expect("a list");
        let proofs: Vec<Proof> = list.requirements.into_iter().map(|requirement| requirement.proof).collect();
        let expected = [Proof::Cases("one".into()), Proof::EveryCase("two".into()), Proof::NoCase("three".into())];
        assert_eq!(proofs, expected);
    }

    #[test]
    fn each_text_stands_where_it_belongs() {
        const TEXT: &str = "requirements: club-2\ntitle: Our club\nlist:\n\
                            \x20 C-1: {title: loud, source: rule 4, text: It can be heard., no_case: An ear.}\n";
        let list = read_str("club.yaml", TEXT).expect("a list");
        assert_eq!((list.key.as_str(), list.title.as_str()), ("club-2", "Our club"));
        let [row] = list.requirements.as_slice() else { panic!("one requirement") };
        let texts = [&row.id, &row.title, &row.source, &row.text].map(String::as_str);
        assert_eq!(texts, ["C-1", "loud", "rule 4", "It can be heard."]);
    }

    #[test]
    fn each_mistake_is_named_and_placed() {
        const HEAD: &str = "requirements: club\ntitle: Club\nlist:\n";
        const WHOLE: &str = "title: t, source: s, text: x, no_case: n";
        for (text, place, title) in [
            (format!("{HEAD}  c1: {{{WHOLE}}}\n"), ":4:3", "`c1` is no id of a requirement"),
            (
                format!("{HEAD}  C1: {{{WHOLE}, cases: c}}\n"),
                ":4:",
                "a requirement has exactly one proof, this one has 2",
            ),
            (
                format!("{HEAD}  C1: {{{WHOLE}, every_case: c}}\n"),
                ":4:",
                "a requirement has exactly one proof, this one has 2",
            ),
            (format!("{HEAD}  C1: {{title: t, source: s, text: x}}\n"), ":4:7", "this one has none"),
            (format!("{HEAD}  C1: {{source: s, text: x, no_case: n}}\n"), ":4:7", "a requirement has no `title`"),
            (format!("{HEAD}  C1: {{{WHOLE}, en: x}}\n"), ":4:", "unknown key `en`"),
            (format!("{HEAD}  C1: {{{WHOLE}}}\n  C1: {{{WHOLE}}}\n"), ":5:3", "C1"),
            (format!("{HEAD}  \"C 1\": {{{WHOLE}}}\n"), ":4:3", "`C 1` is no id of a requirement"),
            ("requirements: \"\"\ntitle: t\nlist: {}\n".into(), ":1:15", "`` is no key of a list"),
            ("requirements: Club\ntitle: t\nlist: {}\n".into(), ":1:15", "`Club` is no key of a list"),
            ("requirements: club\ntitle: t\nlist: {}\n".into(), ":3:7", "this list is empty"),
        ] {
            let message = read_str("club.yaml", &text).expect_err(title).to_string();
            assert!(message.contains(title) && message.contains(&format!("club.yaml{place}")), "{message}");
        }
    }
}
