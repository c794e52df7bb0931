//! Time controls as people write them: `40/2h, 20/1h, 15m+30s`; in game files see [`pgn`].
//!
//! What [`TimeControl`] prints reads back as the same control:
//!
//! ```
//! use flagfall_scenarios::control;
//! let control = control::parse("40/2h, 1h;d5s")?;
//! assert_eq!(control.to_string(), "40/2h, 1h;d5s");
//! assert!(control::parse("40/2h, 90").is_err()); // a number without a unit
//! # Ok::<(), control::NotationError>(())
//! ```
//!
//! | written | meaning |
//! |---|---|
//! | `40/2h, 1h` | 40 moves in 2 h, then all others in 1 h |
//! | `2h, 1h` | when the first side has used its 2 h, both go on with 1 h more |
//! | `90m+30s` | 30 s more for each move |
//! | `25m;d5s`, `25m;b5s` | a delay of 5 s; the same as Bronstein shows it |
//! | `1m;hourglass` | what runs off one side runs on to the other |
//! | `1h;byo-yomi 5x30s` | then five times 30 s, each kept by a move within it |
//! | `1h;canadian 20/10m` | then 20 moves in each 10 min |
//! | `30s;per-move` | 30 s for each move |
//! | `0s;count-up` | counts upwards, without a flag |

pub mod pgn;

use std::ops::Range;

use flagfall_core::control::ControlError;
use flagfall_core::period::BONUS_MS_MAX;
use flagfall_core::{Bonus, Period, TimeControl};

use crate::diagnostics::{Complaint, suggestion};
use crate::time::{SpanError, span_ms};

/// What may follow a semicolon, by its first word.
const FORMS: [&str; 7] = ["d5s", "b5s", "hourglass", "byo-yomi", "canadian", "per-move", "count-up"];

/// Why a text is no time control; the bytes are those of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// Nothing stands between two commas, or at all: write a period.
    #[error("a period is missing")]
    Missing {
        /// The place where it is missing.
        at: Range<usize>,
    },
    /// Moves, byo-yomi periods or their signs are not what they should be: write digits.
    #[error("`{found}` is no number of {what}")]
    Count {
        /// What stands there.
        found: String,
        /// What is counted.
        what: &'static str,
        /// Its place.
        at: Range<usize>,
    },
    /// What follows a semicolon is no way to treat the time of a move: use one of those listed.
    #[error("`{found}` is nothing that a move can bring")]
    Form {
        /// What stands there.
        found: String,
        /// Its place.
        at: Range<usize>,
    },
    /// A time is no span of whole milliseconds.
    #[error(transparent)]
    Span(#[from] SpanError),
    /// More than an hour per move: give less.
    #[error("a bonus is at most 1 h per move")]
    BonusTooLong {
        /// Its place.
        at: Range<usize>,
    },
    /// Each period can be read, and together they are no control.
    #[error("{cause}")]
    Control {
        /// What is wrong.
        cause: ControlError,
        /// The period that is to blame, or the whole text.
        at: Range<usize>,
    },
}

impl From<NotationError> for Complaint {
    fn from(error: NotationError) -> Self {
        const EXAMPLES: &str = "write a control like `40/2h, 1h`, `90m+30s` or `25m;d5s`";
        let complaint = Self::new(error.to_string());
        match error {
            NotationError::Span(span) => span.into(),
            NotationError::Missing { at } => complaint.help(EXAMPLES).within(at),
            NotationError::Count { at, what, .. } => {
                let example = match what {
                    "byo-yomi periods" => "write it like `1h;byo-yomi 5x30s`",
                    "moves of a stage" => "write it like `1h;canadian 20/10m`",
                    _ => EXAMPLES,
                };
                complaint.help(example).within(at)
            }
            NotationError::Form { found, at } => complaint.help(suggestion(&found, &FORMS)).within(at),
            NotationError::BonusTooLong { at } => complaint.within(at),
            NotationError::Control { cause, at } => match cause {
                ControlError::Mixed(_) => complaint.help("write the number of moves before it, like `40/2h`"),
                ControlError::LastCounts(_) => complaint.help("leave the number out, or write a last period after it"),
                _ => complaint,
            }
            .within(at),
        }
    }
}

/// A control from the notation that [`TimeControl`] prints.
///
/// # Errors
/// [`NotationError`] with the bytes of the part that cannot be.
pub fn parse(text: &str) -> Result<TimeControl, NotationError> {
    let mut periods = Vec::new();
    let mut places = Vec::new();
    for place in parts(text, ',') {
        if place.is_empty() {
            return Err(NotationError::Missing { at: 0..text.len() });
        }
        periods.push(period(text, place.clone())?);
        places.push(place);
    }
    TimeControl::new(&periods).map_err(|cause| NotationError::Control { at: blamed(cause, &places, text), cause })
}

/// The bytes of the parts of a text between separators, without the space around them.
fn parts(text: &str, separator: char) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split(separator).map(move |part| {
        let lead = part.len() - part.trim_start().len();
        let place = start + lead..start + part.trim_end().len().max(lead);
        start += part.len() + separator.len_utf8();
        place
    })
}

/// One period at these bytes of the notation.
fn period(text: &str, place: Range<usize>) -> Result<Period, NotationError> {
    let part = &text[place.clone()];
    let bonus_at = part.find(['+', ';']).map_or(place.end, |at| place.start + at);
    let (moves, base_at) = match text[place.start..bonus_at].find('/') {
        None => (None, place.start),
        Some(len) => {
            let slash = place.start + len;
            (Some(count(text, place.start..slash, "moves")?), slash + 1)
        }
    };
    let base_ms = time(text, base_at..bonus_at)?;
    let bonus = match text[bonus_at..place.end].chars().next() {
        None => Bonus::None,
        Some('+') => Bonus::Increment { ms: bonus_ms(text, bonus_at + 1..place.end)? },
        Some(_) => form(text, bonus_at + 1..place.end)?,
    };
    Ok(Period { moves, base_ms, bonus })
}

/// What follows a semicolon.
fn form(text: &str, place: Range<usize>) -> Result<Bonus, NotationError> {
    let place = trimmed(text, place);
    let after = |word: &str| {
        let rest = text[place.clone()].strip_prefix(word)?;
        rest.starts_with(|c: char| c.is_ascii_digit() || c.is_whitespace()).then_some(place.start + word.len())
    };
    let two = |start: usize, between: char, what: &'static str| {
        let Some(len) = text[start..place.end].find(between) else {
            let at = trimmed(text, start..place.end);
            return Err(NotationError::Count { found: text[at.clone()].into(), what, at });
        };
        Ok((start..start + len, start + len + between.len_utf8()..place.end))
    };
    match &text[place.clone()] {
        "hourglass" => return Ok(Bonus::Hourglass),
        "per-move" => return Ok(Bonus::PerMove),
        "count-up" => return Ok(Bonus::CountUp),
        _ => {}
    }
    if let Some(start) = after("byo-yomi") {
        let what = "byo-yomi periods";
        let (number, time) = two(start, 'x', what)?;
        Ok(Bonus::ByoYomi { periods: count(text, number, what)?, ms: bonus_ms(text, time)? })
    } else if let Some(start) = after("canadian") {
        let what = "moves of a stage";
        let (number, time) = two(start, '/', what)?;
        Ok(Bonus::Canadian { moves: count(text, number, what)?, ms: bonus_ms(text, time)? })
    } else if let Some(start) = after("d") {
        Ok(Bonus::Delay { ms: bonus_ms(text, start..place.end)? })
    } else if let Some(start) = after("b") {
        Ok(Bonus::Bronstein { ms: bonus_ms(text, start..place.end)? })
    } else {
        Err(NotationError::Form { found: text[place.clone()].into(), at: place })
    }
}

/// The same bytes without the space around them.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let part = &text[place.clone()];
    let lead = part.len() - part.trim_start().len();
    place.start + lead..place.start + part.trim_end().len().max(lead)
}

fn count<T: std::str::FromStr>(text: &str, place: Range<usize>, what: &'static str) -> Result<T, NotationError> {
    let at = trimmed(text, place);
    let found = &text[at.clone()];
    let digits = !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { found.parse().ok() } else { None };
    number.ok_or_else(|| NotationError::Count { found: found.into(), what, at })
}

fn time(text: &str, place: Range<usize>) -> Result<u64, NotationError> {
    Ok(span_ms(&text[place.clone()]).map_err(|error| error.shifted(place.start))?)
}

fn bonus_ms(text: &str, place: Range<usize>) -> Result<u32, NotationError> {
    let ms = time(text, place.clone())?;
    let fits = u32::try_from(ms).ok().filter(|ms| *ms <= BONUS_MS_MAX);
    fits.ok_or_else(|| NotationError::BonusTooLong { at: trimmed(text, place) })
}

/// The place of the period that a refused control is refused for.
fn blamed(cause: ControlError, places: &[Range<usize>], text: &str) -> Range<usize> {
    let index = match cause {
        ControlError::Empty | ControlError::TooMany => None,
        ControlError::Mixed(index)
        | ControlError::LastCounts(index)
        | ControlError::ZeroMoves(index)
        | ControlError::BaseTooLong(index)
        | ControlError::BonusTooLong(index)
        | ControlError::NoTime(index)
        | ControlError::EmptyBonus(index)
        | ControlError::TooManyByoYomi(index)
        | ControlError::NotLast(index)
        | ControlError::NotAlone(index)
        | ControlError::TooManyMoves(index) => Some(index),
    };
    index.and_then(|index| places.get(index).cloned()).unwrap_or(0..text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_reads_back_as_it_is_written() {
        for text in [
            "5m",
            "40/2h, 1h",
            "2h, 1h",
            "40/2h, 20/1h, 15m+30s",
            "25m;d5s",
            "25m;b5s",
            "0s+2.5s",
            "1m;hourglass",
            "1h;byo-yomi 5x30s",
            "40/2h, 0s;canadian 20/10m",
            "30s;per-move",
            "0s;count-up",
        ] {
            assert_eq!(parse(text).map(|control| control.to_string()), Ok(text.into()));
        }
        for (text, plain) in [
            (" 40 / 2h ,1h ", "40/2h, 1h"),
            ("25m; d5s", "25m;d5s"),
            ("25m;d 5s", "25m;d5s"),
            ("1h ; byo-yomi 5 x 30s", "1h;byo-yomi 5x30s"),
            ("1h;canadian 20 / 10m", "1h;canadian 20/10m"),
            ("90s", "1m30s"),
        ] {
            assert_eq!(parse(text).map(|control| control.to_string()), Ok(plain.into()));
        }
    }

    #[test]
    fn a_bad_period_is_pointed_at() {
        for (text, at, word) in [
            ("40/2h", 0..5, "last"),
            ("2h, 20/1h, 30m", 0..2, "says nothing of its moves"),
            ("40/2h, 1h, 30m", 7..9, "says nothing of its moves"),
            ("40/2h, x/1h, 5m", 7..8, "no number of moves"),
            ("+4/2h, 5m", 0..0, "missing"),
            ("40/2h, 90", 7..9, "no unit"),
            ("40/2h,, 1h", 0..10, "missing"),
            ("25m;5s", 4..6, "nothing that a move can bring"),
            ("25m;", 4..4, "nothing that a move can bring"),
            ("25m;d5", 5..6, "no unit"),
            ("25m;delay 5s", 4..12, "nothing that a move can bring"),
            ("3m+2", 3..4, "no unit"),
            ("3m+2h", 3..5, "1 h per move"),
            ("5m, 0s", 4..6, "no time at all"),
            ("1.0001s", 0..7, "milliseconds"),
            ("3m+2000h", 3..8, "1 h per move"),
            ("1h;byo-yomi 30s", 12..15, "no number of byo-yomi periods"),
            ("1h;byo-yomi vx30s", 12..13, "no number of byo-yomi periods"),
            ("1h;byo-yomi 300x30s", 12..15, "no number of byo-yomi periods"),
            ("1h;byo-yomi 20x30s", 0..18, "more than 10"),
            ("1h;canadian 10m", 12..15, "no number of moves"),
            ("1h;canadian 20/10", 15..17, "no unit"),
            ("1h;byo-yomi 5x30s, 1h", 0..17, "lasts to the end"),
            ("1m;hourglass, 5m", 0..12, "for a whole game"),
            ("1m;hourglas", 3..11, "nothing that a move can bring"),
        ] {
            let complaint = Complaint::from(parse(text).expect_err(text));
            assert!(complaint.title.contains(word), "{text}: {}", complaint.title);
            if complaint.within != Some(at.clone()) && !(at.is_empty() && complaint.within.is_none()) {
                panic!("{text}: {:?} and not {at:?}", complaint.within);
            }
        }
    }
}
