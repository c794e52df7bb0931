//! Where everything stands in a scenario file: the YAML document as a tree of places.
//!
//! The values themselves are read by serde; this tree knows line and bytes of every key and value, so that an error of
//! meaning can point at its word. It also draws the border of the YAML that scenarios may use: one document of limited
//! size and depth, plain keys, no aliases and no tags. Without aliases a small file cannot grow while it is read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use crate::diagnostics::{Complaint, Problem};
use crate::printable::is_hidden;

/// Largest scenario file, in bytes.
pub(crate) const FILE_BYTES_MAX: usize = 1 << 20;

/// Deepest nesting of lists and mappings.
const DEPTH_MAX: usize = 64;

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// The bytes from the first to the last of its characters.
    pub(crate) bytes: Range<usize>,
    /// The line on which it begins, counted from one.
    pub(crate) line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Scalar {
        text: String,
        /// Written without quotes, so that `6` is a number.
        plain: bool,
    },
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// One key of a mapping and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_bytes: Range<usize>,
    pub(crate) value: Node,
}

impl Node {
    /// The entry with this key, if this is a mapping that has it.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.kind {
            NodeKind::Map(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// The value of this key, or this node itself: an error then points at the nearest thing that exists.
    pub(crate) fn at(&self, key: &str) -> &Self {
        self.entry(key).map_or(self, |entry| &entry.value)
    }

    /// The item with this index, or this node itself.
    pub(crate) fn item(&self, index: usize) -> &Self {
        match &self.kind {
            NodeKind::List(items) => items.get(index).unwrap_or(self),
            _ => self,
        }
    }

    /// The text of a scalar; nothing for a list or a mapping, which a check of shape has refused.
    pub(crate) fn scalar(&self) -> &str {
        match &self.kind {
            NodeKind::Scalar { text, .. } => text,
            NodeKind::List(_) | NodeKind::Map(_) => "",
        }
    }

    /// The bytes to point at when the whole value is meant: for a mapping over several lines, its first key.
    pub(crate) fn place(&self, text: &str) -> Range<usize> {
        let on_one_line = text.get(self.bytes.clone()).is_some_and(|part| !part.contains('\n'));
        match &self.kind {
            NodeKind::Map(entries) if !on_one_line => {
                entries.first().map_or(self.bytes.clone(), |entry| entry.key_bytes.clone())
            }
            NodeKind::List(items) if !on_one_line => items.first().map_or(self.bytes.clone(), |item| item.place(text)),
            _ => self.bytes.clone(),
        }
    }

    /// The bytes of a part of a text value; the whole value where escapes or line breaks hide the part.
    pub(crate) fn part(&self, source: &str, within: Range<usize>) -> Range<usize> {
        let NodeKind::Scalar { text, .. } = &self.kind else { return self.place(source) };
        let written = source.get(self.bytes.clone()).unwrap_or_default();
        match written.find(text.as_str()) {
            Some(at) if within.end <= text.len() && !text.is_empty() => {
                let start = self.bytes.start + at;
                start + within.start..start + within.end
            }
            _ => self.bytes.clone(),
        }
    }

    /// `a list`, `a mapping` or `` `6s` ``, for a message.
    pub(crate) fn describe(&self) -> Cow<'_, str> {
        match &self.kind {
            NodeKind::Scalar { text, .. } if text.is_empty() => "nothing".into(),
            NodeKind::Scalar { text, .. } => format!("`{text}`").into(),
            NodeKind::List(_) => "a list".into(),
            NodeKind::Map(_) => "a mapping".into(),
        }
    }
}

/// What a file is to hold, for messages that speak of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Scenario,
    Rulebook,
    Requirements,
    Board,
}

impl Holds {
    const fn noun(self) -> &'static str {
        match self {
            Self::Scenario => "scenario",
            Self::Rulebook => "rulebook",
            Self::Requirements => "list",
            Self::Board => "board",
        }
    }

    /// What has no aliases and no tags.
    const fn language(self) -> &'static str {
        match self {
            Self::Scenario => "the scenario language",
            Self::Rulebook => "a rulebook file",
            Self::Requirements => "a list of requirements",
            Self::Board => "a board file",
        }
    }

    const fn least(self) -> &'static str {
        match self {
            Self::Scenario => "a scenario has at least `scenario`, `points`, `control` and `timeline`",
            Self::Rulebook => "a rulebook begins with its key, as in `rulebook: my-club`",
            Self::Requirements => "a list begins with its key, as in `requirements: my-club`",
            Self::Board => "a board file begins with the board's name, as in `board: my-board`",
        }
    }
}

/// The tree of a document.
///
/// # Errors
/// All problems found before the parser had to stop: syntax, size, depth, aliases, tags, duplicate or complex keys.
pub(crate) fn tree(text: &str, holds: Holds) -> Result<Node, Vec<Problem>> {
    if text.len() > FILE_BYTES_MAX {
        let title = format!("a {} file has at most {FILE_BYTES_MAX} bytes, this one has {}", holds.noun(), text.len());
        return Err(vec![Problem::at(0..0, Complaint::new(title))]);
    }
    let mut builder =
        Builder { text, holds, offsets: Offsets::new(text), open: Vec::new(), root: None, problems: Vec::new() };
    for event in Parser::new_from_str(text) {
        let step = match event {
            Ok((event, span)) => builder.take(event, span),
            Err(error) => {
                // What is missing at the end is missing behind the last word, not below it.
                let end = text.trim_end().len();
                let start = builder.offsets.byte(error.marker().index());
                let label = if start >= end { "the file ends here" } else { "" };
                let place = start.min(end);
                let complaint = Complaint::new(format!("this is no YAML: {}", error.info())).label(label);
                Err(Problem::at(place..place, complaint))
            }
        };
        if let Err(fatal) = step {
            builder.problems.push(fatal);
            return Err(builder.problems);
        }
    }
    match builder.root {
        Some(root) if builder.problems.is_empty() => Ok(root),
        None if builder.problems.is_empty() => {
            let complaint = Complaint::new("the file is empty").help(holds.least());
            Err(vec![Problem::at(0..0, complaint)])
        }
        _ => Err(builder.problems),
    }
}

/// From characters, which the parser counts, to bytes.
struct Offsets {
    /// Byte of every character, empty when all are one byte long.
    bytes: Vec<usize>,
    len: usize,
}

impl Offsets {
    fn new(text: &str) -> Self {
        let bytes = if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(byte, _)| byte).collect() };
        Self { bytes, len: text.len() }
    }

    fn byte(&self, character: usize) -> usize {
        if self.bytes.is_empty() {
            character.min(self.len)
        } else {
            self.bytes.get(character).copied().unwrap_or(self.len)
        }
    }
}

/// A list or mapping whose end has not been seen yet.
struct Open {
    node: Node,
    /// A key that waits for its value.
    key: Option<(String, Range<usize>)>,
    /// The keys of a mapping so far and where each was first given.
    keys: BTreeMap<String, Range<usize>>,
}

struct Builder<'t> {
    text: &'t str,
    holds: Holds,
    offsets: Offsets,
    open: Vec<Open>,
    root: Option<Node>,
    problems: Vec<Problem>,
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
        let bytes = self.offsets.byte(span.start.index())..self.offsets.byte(span.end.index());
        let line = u32::try_from(span.start.line()).unwrap_or(u32::MAX);
        let node = |kind| Node { kind, bytes: bytes.clone(), line };
        let refuse = |title: &str, help: &str| Problem::at(bytes.clone(), Complaint::new(title).help(help));
        if let Event::Scalar(_, _, _, Some(_)) | Event::SequenceStart(_, Some(_)) | Event::MappingStart(_, Some(_)) =
            &event
        {
            return Err(refuse(&format!("tags are not part of {}", self.holds.language()), "leave the tag out"));
        }
        if let Event::Scalar(text, ..) = &event
            && text.contains(|character| is_hidden(character) && !matches!(character, '\n' | '\t'))
        {
            return Err(refuse("a text cannot have control characters", "leave them out"));
        }
        match event {
            Event::Alias(_) => Err(refuse(
                &format!("aliases are not part of {}", self.holds.language()),
                "write the value out where it is used",
            )),
            Event::DocumentStart(_) if self.root.is_some() => {
                let noun = self.holds.noun();
                Err(refuse(
                    &format!("a {noun} file holds one document"),
                    &format!("put the second {noun} into its own file"),
                ))
            }
            Event::Scalar(text, style, ..) => {
                let plain = style == ScalarStyle::Plain;
                self.value(node(NodeKind::Scalar { text: text.into_owned(), plain }))
            }
            Event::SequenceStart(..) => self.begin(node(NodeKind::List(Vec::new()))),
            Event::MappingStart(..) => self.begin(node(NodeKind::Map(Vec::new()))),
            Event::SequenceEnd | Event::MappingEnd => self.end(bytes.end),
            _ => Ok(()),
        }
    }

    fn begin(&mut self, node: Node) -> Result<(), Problem> {
        if self.open.len() >= DEPTH_MAX {
            let title = format!("lists and mappings are nested more than {DEPTH_MAX} deep");
            return Err(Problem::at(node.bytes, Complaint::new(title)));
        }
        self.open.push(Open { node, key: None, keys: BTreeMap::new() });
        Ok(())
    }

    fn end(&mut self, at: usize) -> Result<(), Problem> {
        let Some(Open { mut node, .. }) = self.open.pop() else { return Ok(()) };
        // The parser ends a block where the next thing begins; its last value ends it better.
        let last = match &node.kind {
            NodeKind::Map(entries) => entries.last().map(|entry| entry.value.bytes.end),
            NodeKind::List(items) => items.last().map(|item| item.bytes.end),
            NodeKind::Scalar { .. } => None,
        };
        let in_brackets = self.text[node.bytes.start..].starts_with(['{', '[']);
        node.bytes.end = last.filter(|_| !in_brackets).unwrap_or(at).max(node.bytes.end);
        self.value(node)
    }

    fn value(&mut self, node: Node) -> Result<(), Problem> {
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match (&mut parent.node.kind, parent.key.take()) {
            (NodeKind::List(items), _) => items.push(node),
            (NodeKind::Map(entries), Some((key, key_bytes))) => {
                if let Some(first) = parent.keys.get(&key) {
                    let complaint = Complaint::new(format!("`{key}` is given twice")).label("again here");
                    self.problems.push(Problem::at(key_bytes, complaint).and_at(first.clone(), "first given here"));
                } else {
                    parent.keys.insert(key.clone(), key_bytes.clone());
                    entries.push(Entry { key, key_bytes, value: node });
                }
            }
            (NodeKind::Map(_), None) => match node.kind {
                NodeKind::Scalar { text, .. } => parent.key = Some((text, node.bytes)),
                _ => return Err(Problem::at(node.bytes, Complaint::new("a key is a word, not a list or a mapping"))),
            },
            (NodeKind::Scalar { .. }, _) => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title: Дві\nlist:\n  - {a: 1, b: \"x y\"}\n  - c:\n      d: e\n";

    #[test]
    fn every_value_knows_its_bytes_and_line() {
        let root = tree(TEXT, Holds::Scenario).expect("it is YAML");
        let place = |node: &Node| TEXT[node.bytes.clone()].to_owned();
        assert_eq!(place(root.at("title")), "Дві");
        let first = root.at("list").item(0);
        assert_eq!((place(first).as_str(), first.line), ("{a: 1, b: \"x y\"}", 3));
        assert_eq!(place(first.at("b")), "\"x y\"");
        assert_eq!(&TEXT[first.at("b").part(TEXT, 2..3)], "y");
        let second = root.at("list").item(1);
        assert_eq!((&TEXT[second.place(TEXT)], second.line), ("c", 4));
        assert_eq!(place(second.at("c").at("d")), "e");
    }

    #[test]
    fn what_does_not_exist_is_placed_at_its_nearest_parent() {
        let root = tree(TEXT, Holds::Scenario).expect("it is YAML");
        assert_eq!(root.at("list").item(7).at("x").line, root.at("list").line);
    }

    fn titles(text: &str) -> Vec<String> {
        let problems = tree(text, Holds::Scenario).expect_err("it is refused");
        let source = std::sync::Arc::new(crate::diagnostics::SourceText { name: "t".into(), text: text.into() });
        crate::diagnostics::Diagnostics::new(source, problems).titles().map(str::to_owned).collect()
    }

    #[test]
    fn the_border_of_the_yaml_that_is_read() {
        let deep = format!("a: {}{}", "[".repeat(65), "]".repeat(65));
        let long = format!("a: \"{}\"", "x".repeat(FILE_BYTES_MAX));
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
        for (text, word) in [
            (deep.as_str(), "64 deep"),
            (&long, "1048576 bytes"),
            (bomb, "aliases"),
            ("a: !x b", "tags"),
            ("a: 1\n---\nb: 2\n", "one document"),
            ("? [a]\n: b\n", "a key is a word"),
            ("", "empty"),
            ("# nothing\n", "empty"),
            ("a: [1, 2", "no YAML"),
            ("a: b: c", "no YAML"),
        ] {
            let titles = titles(text);
            assert!(titles.len() == 1 && titles[0].contains(word), "{word}: {titles:?}");
        }
        let depth = |levels: usize| format!("a: {}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(tree(&depth(DEPTH_MAX - 1), Holds::Scenario).is_ok());
        assert!(tree(&depth(100_000), Holds::Scenario).is_err());
    }

    #[test]
    fn all_duplicate_keys_are_found() {
        assert_eq!(titles("a: 1\na: 2\nb: {c: 1, c: 2}\n"), ["`a` is given twice", "`c` is given twice"]);
    }
}
