//! When something happens: `12s` after the start, `+6s` after the step before, `flag(black) + 2s - 1 tick`.
//!
//! Authors never compute an instant by hand: one that hangs on the clock is named by its anchor and computed before the
//! run. Only here can ticks be counted, since only here is it clear whose they are (those of an exact clock).

use std::ops::Range;

use flagfall_core::Side;
use flagfall_trace::{Anchor, When};

use crate::diagnostics::{Complaint, suggestion};
use crate::time::{SpanError, span_ns};

/// The anchors that can be named.
const ANCHORS: [&str; 4] = ["flag", "zero", "period", "delay-end"];

/// Why a text is no instant; the bytes are those of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InstantError {
    /// Nothing there: write an instant.
    #[error("an instant is missing")]
    Empty,
    /// A step before the step before: write `+`, or put the step where it belongs.
    #[error("a step cannot happen before the one before it")]
    Backwards { at: Range<usize> },
    /// An anchor that does not exist: use `flag`, `zero`, `period` or `delay-end`.
    #[error("`{name}` is nothing that an instant can be counted from")]
    Anchor { name: String, at: Range<usize> },
    /// An anchor without its parentheses, or with too much in them.
    #[error("`{anchor}` needs {needs}")]
    Argument { anchor: &'static str, needs: &'static str, at: Range<usize> },
    /// Neither side: write `white` or `black`.
    #[error("`{found}` is no side")]
    Side { found: String, at: Range<usize> },
    /// A period that does not exist or that every side is in from the start.
    #[error("a side enters period 2 or a later one, not period {number}")]
    Period { number: String, at: Range<usize> },
    /// Something after the anchor that is neither `+` nor `-`.
    #[error("`{found}` cannot stand here")]
    Trailing { found: String, at: Range<usize> },
    /// A number of ticks that is none, or too many.
    #[error("`{found}` is no number of ticks")]
    Ticks { found: String, at: Range<usize> },
    /// A term that is no span of time.
    #[error(transparent)]
    Span(#[from] SpanError),
    /// The terms add up to more than 292 years.
    #[error("this instant is more than 292 years away")]
    TooFar,
}

impl From<InstantError> for Complaint {
    fn from(error: InstantError) -> Self {
        if let InstantError::Span(span) = error {
            return span.into();
        }
        let complaint = Self::new(error.to_string());
        match error {
            InstantError::Empty => complaint.help("write `12s`, `+6s` or `flag(white) + 2s`"),
            InstantError::Backwards { at } => {
                complaint.help("steps are written in the order of time: move the step up, or count with `+`").within(at)
            }
            InstantError::Anchor { name, at } => complaint.help(suggestion(&name, &ANCHORS)).within(at),
            InstantError::Argument { anchor, at, .. } => {
                let example = if anchor == "period" { "period(black 2)".into() } else { format!("{anchor}(white)") };
                complaint.help(format!("write it like `{example}`")).within(at)
            }
            InstantError::Side { found, at } => complaint.help(suggestion(&found, &SIDES)).within(at),
            InstantError::Period { at, .. } => complaint.within(at),
            InstantError::Trailing { at, .. } => {
                complaint.help("after an anchor comes `+` or `-` and a span, as in `flag(white) - 3s`").within(at)
            }
            InstantError::Ticks { at, .. } => complaint.help("write it like `1 tick` or `3 ticks`").within(at),
            InstantError::TooFar => complaint,
            InstantError::Span(_) => complaint,
        }
    }
}

/// The two sides as words.
pub(crate) const SIDES: [&str; 2] = [Side::White.name(), Side::Black.name()];

/// An instant from its text.
pub(crate) fn parse(text: &str) -> Result<When, InstantError> {
    let body = text.trim_end();
    let start = body.len() - body.trim_start().len();
    let first = body[start..].chars().next().ok_or(InstantError::Empty)?;
    let (from, mut at) = match first {
        '+' => (Anchor::Previous, start),
        '-' => return Err(InstantError::Backwards { at: start..body.len() }),
        c if c.is_ascii_digit() => (Anchor::Start, start),
        _ => anchor(body, start)?,
    };
    let mut when = When { from, plus_ns: 0, plus_ticks: 0 };
    let mut bare_term_may_follow = from == Anchor::Start;
    while at < body.len() {
        let sign_len = body[at..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
        let sign_at = at + sign_len;
        let negative = match body[sign_at..].chars().next() {
            Some('+') => false,
            Some('-') => true,
            _ if bare_term_may_follow => {
                at = add_term(&mut when, body, sign_at, false)?;
                bare_term_may_follow = false;
                continue;
            }
            _ => return Err(InstantError::Trailing { found: body[sign_at..].into(), at: sign_at..body.len() }),
        };
        bare_term_may_follow = false;
        at = add_term(&mut when, body, sign_at + 1, negative)?;
    }
    Ok(when)
}

/// Reads an anchor at `start` and gives it with the byte after it.
fn anchor(body: &str, start: usize) -> Result<(Anchor, usize), InstantError> {
    let name_len = body[start..].find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(body.len() - start);
    let name_end = start + name_len;
    let name = body[start..name_end].trim_end_matches('-');
    let Some(known) = ANCHORS.iter().find(|anchor| **anchor == name) else {
        let shown = if name.is_empty() { &body[start..] } else { name };
        return Err(InstantError::Anchor { name: shown.into(), at: start..start + shown.len() });
    };
    let needs = if *known == "period" { "a side and the number of a period" } else { "a side" };
    let argument_error = |at: Range<usize>| InstantError::Argument { anchor: known, needs, at };
    let open = body[name_end..].strip_prefix('(').map(|_| name_end + 1).ok_or(argument_error(start..name_end))?;
    let close = body[open..].find(')').map(|len| open + len).ok_or(argument_error(start..body.len()))?;
    let whole = start..close + 1;
    let mut words = words_of(body, open..close);
    let (side_text, side_at) = words.next().ok_or(argument_error(whole.clone()))?;
    let side: Side = side_text.parse().map_err(|_| InstantError::Side { found: side_text.into(), at: side_at })?;
    let found = match *known {
        "flag" => Anchor::Flag(side),
        "zero" => Anchor::Zero(side),
        "delay-end" => Anchor::DelayEnd(side),
        _ => {
            let (number, number_at) = words.next().ok_or(argument_error(whole.clone()))?;
            let index = number
                .parse::<u8>()
                .ok()
                .filter(|number| *number >= 2)
                .ok_or(InstantError::Period { number: number.into(), at: number_at })?;
            Anchor::Period(side, index - 1)
        }
    };
    if words.next().is_some() {
        return Err(argument_error(whole));
    }
    Ok((found, close + 1))
}

/// The words of a part of `body`, apart by spaces or commas, with their bytes.
fn words_of(body: &str, part: Range<usize>) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut next = part.start;
    body[part].split([' ', ',']).filter_map(move |word| {
        let at = next..next + word.len();
        next = at.end + 1;
        (!word.is_empty()).then_some((word, at))
    })
}

/// Adds the span or ticks at `start` and gives the byte after them.
fn add_term(when: &mut When, body: &str, start: usize, negative: bool) -> Result<usize, InstantError> {
    let end = body[start..].find(['+', '-']).map_or(body.len(), |len| start + len);
    let term = &body[start..end];
    let trimmed = term.trim();
    let counted = trimmed.strip_suffix("ticks").or_else(|| trimmed.strip_suffix("tick"));
    let (sum, value) = match counted {
        Some(number) => {
            let lead = term.len() - term.trim_start().len();
            let at = start + lead..start + lead + trimmed.len();
            let number = number.trim_end();
            let ticks: i64 = if number.bytes().all(|byte| byte.is_ascii_digit()) { number.parse().ok() } else { None }
                .ok_or(InstantError::Ticks { found: trimmed.into(), at })?;
            (&mut when.plus_ticks, ticks)
        }
        None => (&mut when.plus_ns, span_ns(term).map_err(|error| error.shifted(start))?),
    };
    let signed = if negative { -value } else { value };
    *sum = sum.checked_add(signed).ok_or(InstantError::TooFar)?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn when(from: Anchor, plus_ns: i64, plus_ticks: i64) -> Result<When, InstantError> {
        Ok(When { from, plus_ns, plus_ticks })
    }

    #[test]
    fn instants_are_read() {
        use Anchor::{DelayEnd, Flag, Period, Previous, Start, Zero};
        const S: i64 = 1_000_000_000;
        for (text, expected) in [
            ("12s", when(Start, 12 * S, 0)),
            ("0s", when(Start, 0, 0)),
            ("3 ticks", when(Start, 0, 3)),
            ("12s + 1 tick", when(Start, 12 * S, 1)),
            ("+6s", when(Previous, 6 * S, 0)),
            ("+ 6s - 1 tick", when(Previous, 6 * S, -1)),
            ("+1m30s", when(Previous, 90 * S, 0)),
            ("+1 tick", when(Previous, 0, 1)),
            ("flag(white)", when(Flag(Side::White), 0, 0)),
            ("flag(black) + 2s", when(Flag(Side::Black), 2 * S, 0)),
            ("flag( black )-3s+500ms", when(Flag(Side::Black), -2_500_000_000, 0)),
            ("zero(black) + 1ms", when(Zero(Side::Black), 1_000_000, 0)),
            ("flag(white) - 1 tick", when(Flag(Side::White), 0, -1)),
            ("period(black 2)", when(Period(Side::Black, 1), 0, 0)),
            ("period(black, 3) + 1s", when(Period(Side::Black, 2), S, 0)),
            ("delay-end(white) + 1 tick", when(DelayEnd(Side::White), 0, 1)),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn each_bad_instant_is_named_with_its_bytes() {
        let side = |found: &str, at| InstantError::Side { found: found.into(), at };
        for (text, error) in [
            ("", InstantError::Empty),
            ("  ", InstantError::Empty),
            ("-3s", InstantError::Backwards { at: 0..3 }),
            ("flg(white)", InstantError::Anchor { name: "flg".into(), at: 0..3 }),
            ("(white)", InstantError::Anchor { name: "(white)".into(), at: 0..7 }),
            ("flag(whit) + 1s", side("whit", 5..9)),
            ("period(2 black)", side("2", 7..8)),
            ("period(black 1)", InstantError::Period { number: "1".into(), at: 13..14 }),
            ("flag(white) 3s", InstantError::Trailing { found: "3s".into(), at: 12..14 }),
            ("flag(white) + two ticks", InstantError::Ticks { found: "two ticks".into(), at: 14..23 }),
            ("flag(white) + 3", InstantError::Span(SpanError::NoUnit { number: "3".into(), at: 14..15 })),
            ("+6", InstantError::Span(SpanError::NoUnit { number: "6".into(), at: 1..2 })),
            ("flag(white) +", InstantError::Span(SpanError::Empty)),
            ("+9223372036854775807ns + 1ns", InstantError::TooFar),
        ] {
            assert_eq!(parse(text), Err(error), "{text}");
        }
        for text in ["flag", "flag(", "flag()", "flag(white black)", "period(black)", "period(black 2 3)"] {
            assert!(matches!(parse(text), Err(InstantError::Argument { .. })), "{text}");
        }
    }
}
