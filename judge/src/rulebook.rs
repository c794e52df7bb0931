//! A rulebook as data: what one text, in one edition, answers to each rule point.
//!
//! Nothing here is the wording of a text: sentences are our own, in English and in the language of the text, and the
//! article says where to read on. Files are read in `flagfall-scenarios`; code can build a rulebook too:
//!
//! ```
//! use flagfall_judge::rulebook::{Answer, Entry, Rulebook};
//! use flagfall_judge::value::{FlagCounts, Value};
//! use flagfall_judge::{Point, Strength};
//!
//! let club = Rulebook::silent("club", "Club rules")
//!     .with(Entry::decided(Value::of(FlagCounts::OnlyAPlayersClaim), "3", Strength::Stated, "Players call flags."));
//! assert_eq!(club.answer(), Answer::Value(FlagCounts::OnlyAPlayersClaim));
//! assert_eq!(club.entry(Point::H2).answer, Answer::Silent);
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::point::Point;
use crate::ruling::Strength;
use crate::value::{self, Domain, Value};
use flagfall_core::TimeControl;
use flagfall_trace::plan::GameClass;

/// One text in one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    /// The name by which scenarios and commands call it: `fide-2014`.
    pub key: String,
    /// What the text is called.
    pub title: String,
    /// The language of the text as a two-letter code: `en`, `pt`.
    pub language: String,
    /// How to recognise the edition.
    pub edition: String,
    /// From when to when it was in force.
    pub in_force: InForce,
    /// The rulebook that it builds upon.
    pub extends: Option<String>,
    /// Where it draws the lines between classes of games, if it does.
    pub classes: Option<Classes>,
    entries: BTreeMap<Point, Entry>,
}

/// The days between which a text was in force, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InForce {
    /// The first day, `None` when it is not known.
    pub from: Option<Day>,
    /// The last day, `None` when it is not known or still to come.
    pub to: Option<Day>,
}

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

/// What a rulebook answers to one point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The point.
    pub point: Point,
    /// The answer.
    pub answer: Answer<Value>,
    /// Articles as the text numbers them, several parted by commas; `None` where the text says nothing.
    pub article: Option<String>,
    /// How firmly it is written.
    pub strength: Strength,
    /// The answer as an English sentence of ours; empty where the text says nothing.
    pub sentence: String,
    /// The same in the language of the text, `None` when that is English or the text says nothing.
    pub sentence_own: Option<String>,
    /// The figures on which the answer turns, by the names that [`crate::value::limits`] declares.
    pub limits: BTreeMap<&'static str, u64>,
    /// Nobody has seen the text itself: the answer is known from those who quote it.
    pub unverified: bool,
    /// The rulebook that the entry was taken from by `extends`.
    pub taken_from: Option<String>,
}

/// An answer with its value, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// The text decides in this way.
    Value(T),
    /// The text does not say.
    Silent,
    /// The text speaks of it but what follows cannot be decided.
    NotDecidable {
        /// Why not.
        reason: String,
    },
}

/// Points that a rulebook does not answer: answer each, with `silent` where the text says nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no entry for {}", .0.iter().map(Point::to_string).collect::<Vec<_>>().join(", "))]
pub struct MissingPoints(pub Vec<Point>);

impl Rulebook {
    /// A rulebook that is silent on every point.
    #[must_use]
    pub fn silent(key: &str, title: &str) -> Self {
        Self {
            key: key.to_owned(),
            title: title.to_owned(),
            language: "en".to_owned(),
            edition: String::new(),
            in_force: InForce::default(),
            extends: None,
            classes: None,
            entries: Point::ALL.into_iter().map(|point| (point, Entry::silent(point))).collect(),
        }
    }

    /// The same rulebook with these entries instead of its own.
    ///
    /// # Errors
    /// [`MissingPoints`] when a point has no entry.
    pub fn with_all(mut self, entries: impl IntoIterator<Item = Entry>) -> Result<Self, MissingPoints> {
        self.entries = entries.into_iter().map(|entry| (entry.point, entry)).collect();
        let missing: Vec<Point> = Point::ALL.into_iter().filter(|point| !self.entries.contains_key(point)).collect();
        if missing.is_empty() { Ok(self) } else { Err(MissingPoints(missing)) }
    }

    /// The same rulebook with this entry instead of the one it had.
    #[must_use]
    pub fn with(mut self, entry: Entry) -> Self {
        self.entries.insert(entry.point, entry);
        self
    }

    /// What it says to a point.
    #[must_use]
    pub fn entry(&self, point: Point) -> &Entry {
        self.entries.get(&point).expect("every constructor gives every point an entry")
    }

    /// All entries in the order of the catalogue.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// What it says to the point that `T` answers, with the value as its own type.
    ///
    /// # Panics
    /// When many points share the type: [`Self::answer_on`] says which is meant.
    #[must_use]
    pub fn answer<T: Domain>(&self) -> Answer<T> {
        self.answer_on(*T::POINTS.first().expect("a type that many points share is asked for with a point"))
    }

    /// What it says to a point that `T` answers.
    ///
    /// # Panics
    /// When another type answers the point.
    #[must_use]
    pub fn answer_on<T: Domain>(&self, point: Point) -> Answer<T> {
        match &self.entry(point).answer {
            Answer::Value(value) => Answer::Value(value.typed().expect("an entry's value answers the entry's point")),
            Answer::Silent => Answer::Silent,
            Answer::NotDecidable { reason } => Answer::NotDecidable { reason: reason.clone() },
        }
    }

    /// The figure on which its answer to a point turns, in the unit that [`crate::value::limits`] declares.
    #[must_use]
    pub fn limit(&self, point: Point, name: &str) -> Option<u64> {
        self.entry(point).limits.get(name).copied()
    }

    /// The class of a game with this control, as the text tells it; `None` where it does not.
    #[must_use]
    pub fn class_of(&self, control: &TimeControl) -> Option<GameClass> {
        self.classes?.class_of(control)
    }
}

/// Where a text draws the lines between standard, rapid and blitz games.
///
/// What is measured is the time of all periods and sixty times what one move brings (FIDE Laws, appendices A and B).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// A game of this or more is a standard game, in milliseconds; `None` where the text has no name for one that is
    /// no blitz game.
    pub standard_from_ms: Option<u64>,
    /// A game of more than this is no blitz game, in milliseconds.
    pub blitz_to_ms: u64,
    /// Whether a game of exactly that is one.
    pub blitz_includes_it: bool,
}

impl Classes {
    /// The class of a game; `None` for a control that gives no time.
    #[must_use]
    pub fn class_of(&self, control: &TimeControl) -> Option<GameClass> {
        let base_ms: u64 = control.periods().iter().map(|period| period.base_ms).sum();
        let bonus_ms = control.periods().iter().map(|period| u64::from(period.bonus.ms())).max().unwrap_or(0);
        let total_ms = base_ms.saturating_add(60 * bonus_ms);
        if total_ms == 0 {
            return None;
        }
        if total_ms < self.blitz_to_ms || (total_ms == self.blitz_to_ms && self.blitz_includes_it) {
            return Some(GameClass::Blitz);
        }
        let standard = total_ms >= self.standard_from_ms?;
        Some(if standard { GameClass::Standard } else { GameClass::Rapid })
    }
}

impl Entry {
    /// The entry of a text that says nothing.
    #[must_use]
    pub const fn silent(point: Point) -> Self {
        Self {
            point,
            answer: Answer::Silent,
            article: None,
            strength: Strength::Stated,
            sentence: String::new(),
            sentence_own: None,
            limits: BTreeMap::new(),
            unverified: false,
            taken_from: None,
        }
    }

    /// The entry of a text that decides in this way, with a sentence of ours in English.
    #[must_use]
    pub fn decided(value: Value, article: &str, strength: Strength, sentence: &str) -> Self {
        Self {
            point: value.point(),
            answer: Answer::Value(value),
            article: Some(article.to_owned()),
            strength,
            sentence: sentence.to_owned(),
            sentence_own: None,
            limits: BTreeMap::new(),
            unverified: false,
            taken_from: None,
        }
    }

    /// The same entry with this limit.
    ///
    /// # Panics
    /// When the point has no limit of this name.
    #[must_use]
    pub fn with_limit(mut self, name: &str, figure: u64) -> Self {
        let declared = value::limits(self.point).iter().find(|limit| limit.name == name);
        self.limits.insert(declared.expect("the point declares the limit").name, figure);
        self
    }

    /// The entry of a text that speaks of the point without deciding it.
    #[must_use]
    pub fn not_decidable(point: Point, reason: &str) -> Self {
        Self { answer: Answer::NotDecidable { reason: reason.to_owned() }, ..Self::silent(point) }
    }
}

/// The text is no day of the form `2014-07-01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a day is written as 2014-07-01")]
pub struct DayError;

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        let shape = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !shape {
            return Err(DayError);
        }
        let number = |range: std::ops::Range<usize>| text[range].parse::<u16>().map_err(|_| DayError);
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        if (1..=days).contains(&day) { Ok(Self { year, month: month as u8, day: day as u8 }) } else { Err(DayError) }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::NextMove;

    #[test]
    fn a_day_is_a_day_of_the_calendar() {
        for day in ["2014-07-01", "2000-02-29", "2012-02-29", "1999-12-31"] {
            assert_eq!(day.parse::<Day>().map(|day| day.to_string()), Ok(day.to_owned()));
        }
        for no_day in [
            "2014-7-1",
            "2014-02-29",
            "1900-02-29",
            "2014-04-31",
            "2014-13-01",
            "2014-00-10",
            "2014-07-00",
            "+014-07-01",
            "",
        ] {
            assert_eq!(no_day.parse::<Day>(), Err(DayError), "{no_day}");
        }
        let day = |text: &str| text.parse::<Day>().expect("a day");
        assert!(day("2014-07-01") < day("2017-06-30"));
    }

    #[test]
    fn a_rulebook_answers_every_point_or_is_none() {
        let entries = Point::ALL.into_iter().filter(|point| *point != Point::H1).map(Entry::silent);
        let missing = Rulebook::silent("x", "X").with_all(entries);
        assert_eq!(missing, Err(MissingPoints(vec![Point::H1])));
        let book = Rulebook::silent("x", "X")
            .with(Entry::decided(Value::of(NextMove::Completes), "1", Strength::Stated, "Yes."))
            .with(Entry::not_decidable(Point::H1, "two texts differ"));
        assert_eq!(book.answer(), Answer::Value(NextMove::Completes));
        assert_eq!(book.entry(Point::H1).answer, Answer::NotDecidable { reason: "two texts differ".to_owned() });
    }
}
