//! Flips: rulebooks with one answer changed, and whether any game tells them from what they were.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use flagfall_judge::rulebook::{Answer, Entry, Rulebook};
use flagfall_judge::value::{self, Limit, Unit, Value};
use flagfall_judge::{Decision, Point, Ruling};
use serde::Deserialize;

use crate::games::Game;
use crate::what_if::{Change, To, changed, turns_on};

/// A figure that no rulebook has is flipped to where an answer needs one: a minute, or one.
const MINUTE_MS: u64 = 60_000;

/// What is one more or less of a time: texts and clocks count in seconds.
const SECOND_MS: u64 = 1_000;

/// One answer of one rulebook changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    /// Of this point.
    pub point: Point,
    /// To what, by the name that reasons use: `silent`, `draw`, `remaining 6m`.
    pub to: String,
    changes: Vec<Change>,
}

impl fmt::Display for Flip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.point, self.to)
    }
}

/// Every flip of a rulebook; figures are taken from these others.
#[must_use]
pub fn of(book: &Rulebook, others: &[Rulebook]) -> Vec<Flip> {
    book.entries().flat_map(|entry| values(entry, others).into_iter().chain(figures(entry, others))).collect()
}

/// The other values of the point, and silence where the text answers.
fn values(entry: &Entry, others: &[Rulebook]) -> Vec<Flip> {
    let point = entry.point;
    let now = match entry.answer {
        Answer::Value(value) => Some(value.name()),
        Answer::Silent | Answer::NotDecidable { .. } => None,
    };
    let mut flips = Vec::new();
    for name in value::names(point).into_iter().filter(|name| Some(*name) != now) {
        let value = Value::named(point, name).expect("a point has the values that it names");
        let mut changes = vec![Change { point, to: To::Value(value) }];
        for limit in value::limits(point).iter().filter(|limit| limit.needed_by.contains(&name)) {
            let figure = entry.limits.get(limit.name).copied().unwrap_or_else(|| usual(point, limit, others));
            changes.push(Change { point, to: To::Limit(limit.name, figure) });
        }
        flips.push(Flip { point, to: name.to_owned(), changes });
    }
    if now.is_some() {
        flips.push(Flip { point, to: "silent".to_owned(), changes: vec![Change { point, to: To::Silent }] });
    }
    flips
}

/// The figure of the first other rulebook that has one.
fn usual(point: Point, limit: &Limit, others: &[Rulebook]) -> u64 {
    let found = others.iter().find_map(|book| book.limit(point, limit.name));
    found.unwrap_or(match limit.unit {
        Unit::Span => MINUTE_MS,
        Unit::Count => 1,
    })
}

/// Each figure of the answer as others have it, and one more and one less.
fn figures(entry: &Entry, others: &[Rulebook]) -> Vec<Flip> {
    let point = entry.point;
    let mut flips = Vec::new();
    for limit in value::limits(point).iter().filter(|limit| turns_on(entry, limit.name)) {
        let Some(now) = entry.limits.get(limit.name).copied() else { continue };
        let one = match limit.unit {
            Unit::Span => SECOND_MS,
            Unit::Count => 1,
        };
        let mut wanted: BTreeSet<u64> = others.iter().filter_map(|book| book.limit(point, limit.name)).collect();
        wanted.extend([now.saturating_sub(one), now.saturating_add(one)]);
        wanted.remove(&now);
        for figure in wanted {
            let to = format!("{} {}", limit.name, limit.unit.written(figure));
            flips.push(Flip { point, to, changes: vec![Change { point, to: To::Limit(limit.name, figure) }] });
        }
    }
    flips
}

/// A rulebook with what it rules in every game.
pub struct Suspect<'a> {
    book: &'a Rulebook,
    games: &'a [Game],
    /// What is ruled in each game, and the points that it is about.
    ruled: Vec<Vec<Said>>,
}

/// A ruling without article, sentence and evidence.
type Said = (Point, i64, Decision);

fn said(rulings: Vec<Ruling>) -> Vec<Said> {
    rulings.into_iter().map(|ruling| (ruling.point, ruling.at.ns(), ruling.decision)).collect()
}

impl<'a> Suspect<'a> {
    /// Asks the rulebook about every game.
    #[must_use]
    pub fn of(book: &'a Rulebook, games: &'a [Game]) -> Self {
        Self { book, games, ruled: games.iter().map(|game| said(game.rule(book))).collect() }
    }

    /// Whether some game is ruled otherwise after this flip; those in which the point is ruled come first.
    #[must_use]
    pub fn is_unlike(&self, flip: &Flip) -> bool {
        let Ok(other) = changed(self.book, &flip.changes) else { return false };
        let asks = |index: &usize| self.ruled[*index].iter().any(|(point, ..)| *point == flip.point);
        let (first, then): (Vec<usize>, Vec<usize>) = (0..self.games.len()).partition(asks);
        let unlike = |index: usize| said(self.games[index].rule(&other)) != self.ruled[index];
        first.into_iter().chain(then).any(unlike)
    }
}

/// Why no game can tell a flip.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The rulebooks that it is about; all when none is named.
    #[serde(default)]
    pub rulebooks: Vec<String>,
    /// The point.
    pub point: String,
    /// To what it is flipped; to anything when nothing is named.
    #[serde(default)]
    pub to: Option<String>,
    /// Why that changes no ruling.
    pub because: String,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = if self.rulebooks.is_empty() { "all".to_owned() } else { self.rulebooks.join(", ") };
        let to = self.to.as_deref().unwrap_or("anything");
        write!(f, "{} to {to} of {of}: {}", self.point, self.because)
    }
}

/// All reasons of a file.
#[derive(Clone, Debug, Default)]
pub struct Reasons(Vec<Reason>);

/// Reasons that cannot be read: correct the file.
#[derive(Debug, thiserror::Error)]
pub enum ReasonsError {
    /// The file system refused.
    #[error("cannot read {path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: flagfall_scenarios::FileError,
    },
    /// It is no list of reasons.
    #[error("{path} is no list of reasons: {cause}")]
    Form {
        /// The file.
        path: PathBuf,
        /// Where and why.
        cause: serde_yaml::Error,
    },
}

impl Reasons {
    /// Reads a file of reasons, a list of `{rulebooks, point, to, because}`.
    ///
    /// # Errors
    /// [`ReasonsError`] with the file and what is wrong with it.
    pub fn read(path: &Path) -> Result<Self, ReasonsError> {
        let text =
            flagfall_scenarios::read_text(path).map_err(|cause| ReasonsError::Io { path: path.to_owned(), cause })?;
        let reasons = serde_yaml::from_str(&text);
        reasons.map(Self).map_err(|cause| ReasonsError::Form { path: path.to_owned(), cause })
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Reason> {
        self.0.iter()
    }

    /// Why this flip of this rulebook survives.
    #[must_use]
    pub fn of(&self, key: &str, flip: &Flip) -> Option<&Reason> {
        self.0.iter().find(|reason| {
            reason.point == flip.point.name()
                && reason.to.as_ref().is_none_or(|to| *to == flip.to)
                && (reason.rulebooks.is_empty() || reason.rulebooks.iter().any(|book| book == key))
        })
    }
}
