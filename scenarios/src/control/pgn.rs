//! The `TimeControl` tag of a game file (PGN standard, 9.6.1): `40/7200:20/3600:900+30`.
//!
//! Seconds, fields apart by colons. What the tag cannot say is refused with its reason when it is written, so that
//! what is written reads back as the same control:
//!
//! ```
//! use flagfall_scenarios::control::{parse, pgn};
//! let control = parse("40/2h, 20/1h, 15m+30s")?;
//! assert_eq!(pgn::write(&control).as_deref(), Ok("40/7200:20/3600:900+30"));
//! assert_eq!(pgn::parse("40/7200:20/3600:900+30"), Ok(control));
//! let delay = parse("25m;d5s")?;
//! assert_eq!(pgn::write(&delay).map_err(|error| error.to_string()), Err("a game file cannot say `25m;d5s`".into()));
//! # Ok::<(), flagfall_scenarios::control::NotationError>(())
//! ```

use std::ops::Range;

use flagfall_core::control::ControlError;
use flagfall_core::{Bonus, Period, TimeControl};

use super::{blamed, parts};
use crate::diagnostics::Complaint;

const MS_PER_S: u64 = 1_000;

/// Why a tag is no time control; the bytes are those of the tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// `?`: nobody knows under which control the game was played; ask somebody who does.
    #[error("`?` says that the control is not known")]
    Unknown,
    /// `-`: the game was played without a clock.
    #[error("`-` says that there was no control")]
    None,
    /// Nothing stands between two colons, or at all: write a field.
    #[error("a field is missing")]
    Missing {
        /// The place where it is missing.
        at: Range<usize>,
    },
    /// Something that should be a whole number of moves or seconds and is none.
    #[error("`{found}` is no number of {what}")]
    Number {
        /// What stands there.
        found: String,
        /// What is counted.
        what: &'static str,
        /// Its place.
        at: Range<usize>,
    },
    /// Each field can be read, and together they are no control.
    #[error("{cause}")]
    Control {
        /// What is wrong.
        cause: ControlError,
        /// The field that is to blame, or the whole tag.
        at: Range<usize>,
    },
}

impl From<PgnError> for Complaint {
    fn from(error: PgnError) -> Self {
        let complaint = Self::new(error.to_string());
        match error {
            PgnError::Unknown | PgnError::None => complaint.help("write the control that the clock is set to"),
            PgnError::Missing { at } | PgnError::Number { at, .. } => {
                complaint.help("write seconds, like `40/7200:3600`, `900+30` or `*180`").within(at)
            }
            PgnError::Control { cause: ControlError::LastCounts(_), at } => complaint
                .help("in a game file this repeats without end: write what comes last, like `40/7200:3600`")
                .within(at),
            PgnError::Control { at, .. } => complaint.within(at),
        }
    }
}

/// Why a control cannot be written into a game file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnWriteError {
    /// The tag knows moves, seconds, increments and hourglasses and nothing else: use the notation of scenarios.
    #[error("a game file cannot say `{period}`")]
    Bonus {
        /// The period as scenarios write it.
        period: String,
    },
    /// The tag counts whole seconds: round the control, or use the notation of scenarios.
    #[error("a game file counts whole seconds, and `{period}` has parts of one")]
    Fraction {
        /// The period as scenarios write it.
        period: String,
    },
}

/// A control from a tag of a game file.
///
/// `300+0`, as servers write it, is `300`.
///
/// # Errors
/// [`PgnError`] with the bytes of the part that cannot be.
pub fn parse(tag: &str) -> Result<TimeControl, PgnError> {
    match tag.trim() {
        "?" => return Err(PgnError::Unknown),
        "-" => return Err(PgnError::None),
        _ => {}
    }
    let mut periods = Vec::new();
    let places: Vec<Range<usize>> = parts(tag, ':').collect();
    for place in &places {
        if place.is_empty() {
            return Err(PgnError::Missing { at: 0..tag.len() });
        }
        periods.push(field(tag, place)?);
    }
    TimeControl::new(&periods).map_err(|cause| PgnError::Control { at: blamed(cause, &places, tag), cause })
}

/// One field at these bytes of a tag.
fn field(tag: &str, place: &Range<usize>) -> Result<Period, PgnError> {
    if let Some(seconds) = tag[place.clone()].strip_prefix('*') {
        let base_ms = ms(tag, place.end - seconds.len()..place.end)?;
        return Ok(Period::all_moves(base_ms, Bonus::Hourglass));
    }
    let base_end = tag[place.clone()].find('+').map_or(place.end, |len| place.start + len);
    let (moves, base_at) = match tag[place.start..base_end].find('/') {
        None => (None, place.start),
        Some(len) => {
            let slash = place.start + len;
            let moves = number(tag, place.start..slash, "moves", u64::from(u16::MAX))?;
            (u16::try_from(moves).ok(), slash + 1)
        }
    };
    let base_ms = ms(tag, base_at..base_end)?;
    let bonus = if base_end == place.end {
        Bonus::None
    } else {
        match u32::try_from(ms(tag, base_end + 1..place.end)?) {
            Ok(0) => Bonus::None,
            Ok(ms) => Bonus::Increment { ms },
            Err(_) => Bonus::Increment { ms: u32::MAX },
        }
    };
    Ok(Period { moves, base_ms, bonus })
}

/// Milliseconds of a number of seconds.
fn ms(tag: &str, place: Range<usize>) -> Result<u64, PgnError> {
    Ok(number(tag, place, "seconds", u64::MAX / MS_PER_S)? * MS_PER_S)
}

fn number(tag: &str, at: Range<usize>, what: &'static str, max: u64) -> Result<u64, PgnError> {
    let found = &tag[at.clone()];
    let digits = !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { found.parse().ok().filter(|number| *number <= max) } else { None };
    number.ok_or_else(|| PgnError::Number { found: found.into(), what, at })
}

/// The tag that says the same as a control.
///
/// # Errors
/// [`PgnWriteError`] when there is none, with the first period that is to blame.
pub fn write(control: &TimeControl) -> Result<String, PgnWriteError> {
    let fields: Result<Vec<String>, PgnWriteError> = control.periods().iter().map(written).collect();
    Ok(fields?.join(":"))
}

fn written(period: &Period) -> Result<String, PgnWriteError> {
    let bonus_ms = u64::from(period.bonus.ms());
    if !period.base_ms.is_multiple_of(MS_PER_S) || !bonus_ms.is_multiple_of(MS_PER_S) {
        return Err(PgnWriteError::Fraction { period: period.to_string() });
    }
    let base = period.base_ms / MS_PER_S;
    let moves = period.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    match period.bonus {
        Bonus::None => Ok(format!("{moves}{base}")),
        Bonus::Increment { .. } => Ok(format!("{moves}{base}+{}", bonus_ms / MS_PER_S)),
        Bonus::Hourglass => Ok(format!("*{base}")),
        Bonus::Delay { .. }
        | Bonus::Bronstein { .. }
        | Bonus::ByoYomi { .. }
        | Bonus::Canadian { .. }
        | Bonus::PerMove
        | Bonus::CountUp => Err(PgnWriteError::Bonus { period: period.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read() {
        for (tag, control) in [
            ("300", "5m"),
            ("300+0", "5m"),
            ("4500+60", "1h15m+1m"),
            ("40/9000", "last"),
            ("40/7200:3600", "40/2h, 1h"),
            ("40/7200:20/3600:900+30", "40/2h, 20/1h, 15m+30s"),
            ("40/5400+30:1800+30", "40/1h30m+30s, 30m+30s"),
            ("7200:3600", "2h, 1h"),
            ("*180", "3m;hourglass"),
        ] {
            match super::parse(tag) {
                Ok(found) => assert_eq!(found.to_string(), control, "{tag}"),
                Err(error) => assert!(error.to_string().contains(control), "{tag}: {error}"),
            }
        }
    }

    #[test]
    fn a_bad_tag_is_pointed_at() {
        for (tag, at, word) in [
            ("?", None, "not known"),
            ("-", None, "no control"),
            ("", Some(0..0), "missing"),
            ("40/7200::900", Some(0..12), "missing"),
            ("5m", Some(0..2), "no number of seconds"),
            ("300+2.5", Some(4..7), "no number of seconds"),
            ("x/300:5", Some(0..1), "no number of moves"),
            ("70000/300:5", Some(0..5), "no number of moves"),
            ("300+-1", Some(4..6), "no number of seconds"),
            ("300+", Some(4..4), "no number of seconds"),
            ("40/7200:*60", Some(8..11), "for a whole game"),
            ("300:400000000", Some(4..13), "100 h"),
            ("300+99999999", Some(0..12), "1 h per move"),
            ("99999999999999999999", Some(0..20), "no number of seconds"),
            ("1/259200", Some(0..8), "last"),
        ] {
            let complaint = Complaint::from(super::parse(tag).expect_err(tag));
            assert!(complaint.title.contains(word), "{tag}: {}", complaint.title);
            assert_eq!(complaint.within, at, "{tag}");
        }
    }

    #[test]
    fn what_a_tag_cannot_say_is_refused() {
        for (text, word) in [
            ("25m;d5s", "cannot say"),
            ("25m;b5s", "cannot say"),
            ("40/2h, 1h;byo-yomi 5x30s", "cannot say `1h;byo"),
            ("0s;canadian 20/10m", "cannot say"),
            ("30s;per-move", "cannot say"),
            ("0s;count-up", "cannot say"),
            ("0s+2.5s", "whole seconds"),
            ("40/1h0.5s, 1h", "whole seconds"),
        ] {
            let control = super::super::parse(text).expect(text);
            let error = write(&control).expect_err(text);
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
    }
}
