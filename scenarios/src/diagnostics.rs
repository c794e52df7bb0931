//! What is wrong with a scenario file: each problem with its place, a caret and, where one is near, the word meant.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::file;
use crate::printable::escaped;

/// Most problems of one file that are printed; a file with more is better read from its first ones.
pub(crate) const PROBLEMS_SHOWN_MAX: usize = 40;

/// A file as it is named to the user, and its text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SourceText {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl SourceText {
    /// A text, a byte order mark at its beginning left out so that carets count what an editor shows.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: file::without_mark(text).to_owned() }
    }
}

/// What is wrong with one text value, before it is known where the value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// What is wrong, as a sentence without a full stop.
    pub(crate) title: String,
    /// What stands at the caret.
    pub(crate) label: String,
    /// What to do about it.
    pub(crate) help: Option<String>,
    /// The bytes of the value that it is about, if not all of it.
    pub(crate) within: Option<Range<usize>>,
}

impl Complaint {
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), label: String::new(), help: None, within: None }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn within(mut self, within: Range<usize>) -> Self {
        self.within = Some(within);
        self
    }
}

/// One problem and its place.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    title: String,
    help: Option<String>,
    /// The bytes of the file, each with what to say there; the first is the place of the problem, none is the file.
    places: Vec<(Range<usize>, String)>,
}

impl Problem {
    pub(crate) fn at(place: Range<usize>, complaint: Complaint) -> Self {
        Self { title: complaint.title, help: complaint.help, places: vec![(place, complaint.label)] }
    }

    /// The same problem with a second place that explains it.
    pub(crate) fn and_at(mut self, place: Range<usize>, label: impl Into<String>) -> Self {
        self.places.push((place, label.into()));
        self
    }

    fn start(&self) -> usize {
        self.places.first().map_or(0, |(place, _)| place.start)
    }

    /// The bytes of the whole lines that the places are on: a renderer need not see more of a large file.
    fn lines(&self, text: &str) -> Range<usize> {
        let start = self.places.iter().map(|(place, _)| place.start).min().unwrap_or(0);
        let end = self.places.iter().map(|(place, _)| place.end).max().unwrap_or(0);
        let start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[end..].find('\n').map_or(text.len(), |len| end + len);
        start..end
    }

    fn render(&self, source: &SourceText, renderer: &Renderer) -> String {
        let window = self.lines(&source.text);
        let first_line = source.text[..window.start].matches('\n').count() + 1;
        let (name, title) = (escaped(&source.name), escaped(&self.title));
        let mut snippet = Snippet::source(&source.text[window.clone()]).line_start(first_line).path(&*name);
        for (index, (place, label)) in self.places.iter().enumerate() {
            let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!label.is_empty()).then(|| escaped(label));
            let span = place.start - window.start..place.end - window.start;
            snippet = snippet.annotation(kind.span(span).label(label));
        }
        let mut group = if self.places.is_empty() {
            Level::ERROR.primary_title(&*title).element(annotate_snippets::Origin::path(&*name))
        } else {
            Level::ERROR.primary_title(&*title).element(snippet)
        };
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(escaped(help)));
        }
        let report: &[Group<'_>] = &[group];
        renderer.render(report)
    }
}

/// Everything that is wrong with one scenario file, in the order of the file.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    source: Arc<SourceText>,
    problems: Vec<Problem>,
}

impl Diagnostics {
    pub(crate) fn new(source: Arc<SourceText>, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(Problem::start);
        Self { source, problems }
    }

    /// A problem with a file whose text could not be had.
    pub(crate) fn of_file(name: String, title: String, help: Option<String>) -> Self {
        let source = Arc::new(SourceText { name, text: String::new() });
        Self { source, problems: vec![Problem { title, help, places: Vec::new() }] }
    }

    /// How many problems there are; at least one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// Always false: without a problem there are no diagnostics.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The file as it was named when it was read.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.source.name
    }

    /// What is wrong, one line for each problem, without places: for a run record.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.problems.iter().map(|problem| problem.title.as_str())
    }

    /// The whole report: file, line, column, the line, a caret, a suggestion; with colour for a terminal.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let shown: Vec<String> = self
            .problems
            .iter()
            .take(PROBLEMS_SHOWN_MAX)
            .map(|problem| problem.render(&self.source, &renderer))
            .collect();
        let mut text = shown.join("\n\n");
        if self.problems.len() > PROBLEMS_SHOWN_MAX {
            text.push_str(&format!("\n\n... and {} more problems", self.problems.len() - PROBLEMS_SHOWN_MAX));
        }
        text
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

/// Fewest letters that are taken for the beginning of a longer word.
const BEGINNING_MIN: usize = 3;

/// The word of `known` that is spelled most like `word` or begins with it, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let length = word.chars().count();
    // How far apart two words may be: a third of the longer one.
    let reach = |candidate: usize| (length.max(candidate) / 3).max(1);
    let begun = known.iter().copied().find(|candidate| length >= BEGINNING_MIN && candidate.starts_with(word));
    known
        .iter()
        .copied()
        // Lengths are compared first: comparing letters takes time with the product of both.
        .filter(|candidate| length.abs_diff(candidate.chars().count()) <= reach(candidate.chars().count()))
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= reach(candidate.chars().count()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
        .or(begun)
}

/// "did you mean `press`?", or all the words when none is near.
pub(crate) fn suggestion(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known here: {}", quoted(known)),
    }
}

/// `` `white` and `black` `` .
pub(crate) fn quoted(words: &[&str]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        let joint = match index {
            0 => "",
            _ if index + 1 == words.len() => " and ",
            _ => ", ",
        };
        text.push_str(&format!("{joint}`{word}`"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_near() {
        let words = ["press", "pause", "play", "resume"];
        assert_eq!(nearest("prss", words), Some("press"));
        assert_eq!(nearest("puase", words), Some("pause"));
        assert_eq!(nearest("res", words), Some("resume"));
        assert_eq!(nearest("teleport", words), None);
        assert_eq!(suggestion("x", &["white", "black"]), "known here: `white` and `black`");
    }

    #[test]
    fn a_file_without_text_is_named() {
        let diagnostics = Diagnostics::of_file("a/b.yaml".into(), "cannot read the file".into(), None);
        assert_eq!(diagnostics.to_string(), "error: cannot read the file\n--> a/b.yaml");
    }
}
