//! A rulebook with one answer changed: `H2=silent`, `K5=below`, `K5.remaining=6m`.

use std::str::FromStr;

use flagfall_judge::rulebook::{Answer, Entry, Rulebook};
use flagfall_judge::value::{self, Unit, Value};
use flagfall_judge::{Point, Strength};
use flagfall_scenarios::nearest;
use flagfall_scenarios::rulebook::figure;

/// One thing that is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Of this point.
    pub point: Point,
    /// What.
    pub to: To,
}

/// What is changed of the answer to a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// The text says nothing.
    Silent,
    /// It says this.
    Value(Value),
    /// It says what it says, with another figure, in milliseconds where it is a time.
    Limit(&'static str, u64),
}

/// A text that is no change of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// It has another form: write `H2=silent`, or `K5.remaining=6m`.
    #[error("`{0}` is no change of a rulebook: write POINT=VALUE, POINT=silent or POINT.LIMIT=FIGURE")]
    Form(String),
    /// The catalogue has no such point: `flagfall rules explain` knows them.
    #[error("there is no rule point `{0}`")]
    Point(String),
    /// The point has no such answer.
    #[error("`{word}` is no answer to {point} ({}): {}", .point.question(), known(.names, .word))]
    Value {
        /// The point.
        point: Point,
        /// What was given.
        word: String,
        /// What it can be.
        names: Vec<&'static str>,
    },
    /// The answers to the point do not turn on such a figure.
    #[error("{point} has no limit `{word}`: {}", known(.names, .word))]
    Limit {
        /// The point.
        point: Point,
        /// What was given.
        word: String,
        /// What there is.
        names: Vec<&'static str>,
    },
    /// The figure cannot be read.
    #[error("{point}.{limit}: {cause}")]
    Figure {
        /// The point.
        point: Point,
        /// The limit.
        limit: &'static str,
        /// Why not.
        cause: String,
    },
    /// The answer turns on a figure that the rulebook does not have: add it.
    #[error("{point}={value} needs a figure: add --set {point}.{limit}=…")]
    NeedsLimit {
        /// The point.
        point: Point,
        /// The answer.
        value: &'static str,
        /// The figure's name.
        limit: &'static str,
    },
    /// A figure for an answer that turns on none: leave it out, or change the answer too.
    #[error("{key} answers {point} by `{value}`, which does not turn on `{limit}`")]
    NoUse {
        /// The rulebook.
        key: String,
        /// The point.
        point: Point,
        /// Its answer.
        value: String,
        /// The figure's name.
        limit: &'static str,
    },
}

fn known(names: &[&'static str], word: &str) -> String {
    match (nearest(word, names.iter().copied()), names) {
        (_, []) => "it has none".to_owned(),
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, _) => format!("there are {}", names.join(", ")),
    }
}

impl FromStr for Change {
    type Err = ChangeError;

    fn from_str(text: &str) -> Result<Self, ChangeError> {
        let (place, word) = text.split_once('=').ok_or_else(|| ChangeError::Form(text.to_owned()))?;
        let (name, limit) = place.split_once('.').map_or((place, None), |(name, limit)| (name, Some(limit)));
        let point: Point = name.parse().map_err(|_| ChangeError::Point(name.to_owned()))?;
        let to = match limit {
            Some(limit) => limit_of(point, limit, word)?,
            None if word == "silent" => To::Silent,
            None => To::Value(Value::named(point, word).ok_or_else(|| ChangeError::Value {
                point,
                word: word.to_owned(),
                names: value::names(point),
            })?),
        };
        Ok(Self { point, to })
    }
}

fn limit_of(point: Point, name: &str, word: &str) -> Result<To, ChangeError> {
    let declared = value::limits(point);
    let limit = declared.iter().find(|limit| limit.name == name).ok_or_else(|| ChangeError::Limit {
        point,
        word: name.to_owned(),
        names: declared.iter().map(|limit| limit.name).collect(),
    })?;
    match figure(limit.unit, word) {
        Ok(figure) => Ok(To::Limit(limit.name, figure)),
        Err(cause) => Err(ChangeError::Figure { point, limit: limit.name, cause: cause.to_string() }),
    }
}

/// The same rulebook with these changes, in any order.
///
/// # Errors
/// [`ChangeError::NeedsLimit`] and [`ChangeError::NoUse`] when figures and answers do not go together.
pub fn changed(book: &Rulebook, changes: &[Change]) -> Result<Rulebook, ChangeError> {
    let mut book = book.clone();
    for change in changes.iter().filter(|change| !matches!(change.to, To::Limit(..))) {
        let entry = book.entry(change.point).clone();
        book = book.with(answered(entry, &change.to));
    }
    for change in changes {
        if let To::Limit(limit, figure) = change.to {
            let entry = book.entry(change.point);
            if !turns_on(entry, limit) {
                let (key, point) = (book.key.clone(), change.point);
                return Err(ChangeError::NoUse { key, point, value: answer_name(entry).to_owned(), limit });
            }
            let entry = Entry { article: Some(CHANGED.to_owned()), ..entry.clone() }.with_limit(limit, figure);
            book = book.with(entry);
        }
    }
    for change in changes {
        let entry = book.entry(change.point);
        let Answer::Value(value) = entry.answer else { continue };
        let lacks = |limit: &&value::Limit| turns_on(entry, limit.name) && !entry.limits.contains_key(limit.name);
        if let Some(limit) = value::limits(change.point).iter().find(lacks) {
            return Err(ChangeError::NeedsLimit { point: change.point, value: value.name(), limit: limit.name });
        }
    }
    Ok(book)
}

/// What stands in the place of the article of an answer that no text gives.
const CHANGED: &str = "what if";

/// The entry with another answer; of its figures those stay that the answer turns on.
fn answered(entry: Entry, to: &To) -> Entry {
    match to {
        To::Value(value) => {
            let sentence = format!("What if it were `{}`?", value.name());
            let mut changed = Entry::decided(*value, CHANGED, Strength::Stated, &sentence);
            for (limit, figure) in &entry.limits {
                if turns_on(&changed, limit) {
                    changed.limits.insert(limit, *figure);
                }
            }
            changed
        }
        To::Silent => Entry::silent(entry.point),
        To::Limit(..) => entry,
    }
}

/// Whether the answer turns on a figure.
pub(crate) fn turns_on(entry: &Entry, limit: &str) -> bool {
    let Answer::Value(value) = entry.answer else { return false };
    let declared = value::limits(entry.point).iter().find(|declared| declared.name == limit);
    declared.is_some_and(|declared| declared.needed_by.contains(&value.name()))
}

/// The name of an answer, `silent` or `not-decidable`.
#[must_use]
pub fn answer_name(entry: &Entry) -> &'static str {
    match entry.answer {
        Answer::Value(value) => value.name(),
        Answer::Silent => "silent",
        Answer::NotDecidable { .. } => "not-decidable",
    }
}

/// An answer with its figures: `below, remaining 5m`.
#[must_use]
pub fn answer_words(entry: &Entry) -> String {
    let mut text = answer_name(entry).to_owned();
    for (name, figure) in &entry.limits {
        let unit = value::limits(entry.point).iter().find(|limit| limit.name == *name).map(|limit| limit.unit);
        text += &format!(", {name} {}", unit.unwrap_or(Unit::Count).written(*figure));
    }
    text
}
