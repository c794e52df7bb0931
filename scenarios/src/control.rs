//! Time controls as people write them: `40/2h, 20/1h, 15m+30s`; a delay is `25m;d5s`.

use std::ops::Range;

use flagfall_core::control::ControlError;
use flagfall_core::{Bonus, Period, TimeControl};

use crate::diagnostics::Complaint;
use crate::time::span_ms;

/// A control from its notation.
pub(crate) fn parse(text: &str) -> Result<TimeControl, Complaint> {
    let mut periods = Vec::new();
    let mut places = Vec::new();
    let mut start = 0;
    for part in text.split(',') {
        let lead = part.len() - part.trim_start().len();
        let place = start + lead..start + part.trim_end().len().max(lead);
        periods.push(period(text, place.clone())?);
        places.push(place);
        start += part.len() + 1;
    }
    TimeControl::new(&periods).map_err(|error| refused(error, &places))
}

/// One period at these bytes of the notation.
fn period(text: &str, place: Range<usize>) -> Result<Period, Complaint> {
    let part = &text[place.clone()];
    if part.is_empty() {
        return Err(example("a period is missing").within(0..text.len()));
    }
    let (moves, rest_at) = match part.split_once('/') {
        None => (None, place.start),
        Some((number, _)) => {
            let number_at = place.start..place.start + number.len();
            let moves = number
                .trim()
                .parse::<u16>()
                .map_err(|_| example(format!("`{}` is no number of moves", number.trim())).within(number_at.clone()))?;
            (Some(moves), number_at.end + 1)
        }
    };
    let rest = &text[rest_at..place.end];
    let (base, bonus) = match rest.find(['+', ';']) {
        None => (rest, None),
        Some(at) => (&rest[..at], Some(at)),
    };
    let base_ms = set_time(base, rest_at)?;
    let bonus = match bonus {
        None => Bonus::None,
        Some(at) if rest[at..].starts_with('+') => {
            Bonus::Increment { ms: bonus_ms(&rest[at + 1..], rest_at + at + 1)? }
        }
        Some(at) => {
            let after = &rest[at + 1..];
            let Some(delay) = after.trim_start().strip_prefix('d') else {
                return Err(example("after `;` comes a delay").within(rest_at + at..place.end));
            };
            Bonus::Delay { ms: bonus_ms(delay, place.end - delay.len())? }
        }
    };
    Ok(Period { moves, base_ms, bonus })
}

fn set_time(text: &str, at: usize) -> Result<u64, Complaint> {
    span_ms(text).map_err(|complaint| {
        let within = complaint.within.clone().unwrap_or(0..text.len());
        complaint.within(at + within.start..at + within.end)
    })
}

fn bonus_ms(text: &str, at: usize) -> Result<u32, Complaint> {
    u32::try_from(set_time(text, at)?)
        .map_err(|_| Complaint::new("a bonus is at most 1 h per move").within(at..at + text.len()))
}

fn example(title: impl Into<String>) -> Complaint {
    Complaint::new(title).help("write a control like `40/2h, 1h`, `90m+30s` or `25m;d5s`")
}

/// A control that the clock refuses, with the period that is to blame.
fn refused(error: ControlError, places: &[Range<usize>]) -> Complaint {
    let complaint = Complaint::new(error.to_string());
    let index = match error {
        ControlError::Empty | ControlError::TooMany => return complaint,
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
        | ControlError::TooManyMoves(index) => index,
    };
    let complaint = match error {
        ControlError::Mixed(_) => complaint.help("write the number of moves before it, like `40/2h`"),
        ControlError::LastCounts(_) => complaint.help("leave the number out, or write a last period after it"),
        _ => complaint,
    };
    match places.get(index) {
        Some(place) => complaint.within(place.clone()),
        None => complaint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_reads_back_as_it_is_written() {
        for text in ["5m", "40/2h, 1h", "2h, 1h", "40/2h, 20/1h, 15m+30s", "25m;d5s", "0s+2.5s", "3m+2s"] {
            assert_eq!(parse(text).map(|control| control.to_string()), Ok(text.into()));
        }
        assert_eq!(parse(" 40 / 2h ,1h ").map(|control| control.to_string()), Ok("40/2h, 1h".into()));
        assert_eq!(parse("25m; d5s").map(|control| control.to_string()), Ok("25m;d5s".into()));
    }

    #[test]
    fn a_bad_period_is_pointed_at() {
        for (text, at, word) in [
            ("40/2h", 0..5, "last"),
            ("2h, 20/1h, 30m", 0..2, "says nothing of its moves"),
            ("40/2h, 1h, 30m", 7..9, "says nothing of its moves"),
            ("40/2h, x/1h, 5m", 7..8, "no number of moves"),
            ("40/2h, 90", 7..9, "no unit"),
            ("40/2h,, 1h", 0..10, "missing"),
            ("25m;5s", 3..6, "delay"),
            ("25m;d5", 5..6, "no unit"),
            ("3m+2", 3..4, "no unit"),
            ("3m+2h", 0..5, "1 h per move"),
            ("5m, 0s", 4..6, "no time at all"),
            ("1.0001s", 0..7, "milliseconds"),
            ("3m+2000h", 3..8, "1 h per move"),
        ] {
            let complaint = parse(text).expect_err(text);
            assert_eq!(complaint.within, Some(at), "{text}: {}", complaint.title);
            assert!(complaint.title.contains(word), "{text}: {}", complaint.title);
        }
    }
}
