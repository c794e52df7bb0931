//! Spans of time and rates as scenarios write them: `1h30m`, `2.5s`, `900us`; `+20ppm`, `-300ppb`.
//!
//! A number without a unit is refused: nobody guesses whether `6` is seconds or minutes. Everything becomes whole
//! nanoseconds or whole parts per billion or trillion, or is refused.

use std::ops::Range;

use flagfall_trace::oscillator::PPT_MAX;

use crate::diagnostics::{Complaint, nearest};

/// The units of a span, longest first, in nanoseconds.
const UNITS: [(&str, u64); 6] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Other words for the units, to say what is meant.
const OTHER_WORDS: [(&str, &str); 14] = [
    ("hour", "h"),
    ("hours", "h"),
    ("hr", "h"),
    ("min", "m"),
    ("mins", "m"),
    ("minute", "m"),
    ("minutes", "m"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("msec", "ms"),
    ("usec", "us"),
    ("µs", "us"),
];

/// Why a text is no span of time; the bytes are those of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// Nothing there: write a span.
    #[error("a span of time is missing")]
    Empty,
    /// A number alone: add a unit.
    #[error("`{number}` has no unit")]
    NoUnit {
        /// The number.
        number: String,
        /// Its place.
        at: Range<usize>,
    },
    /// A unit that does not exist: use one of h, m, s, ms, us, ns.
    #[error("`{unit}` is no unit of time")]
    Unit {
        /// What stands there.
        unit: String,
        /// Its place.
        at: Range<usize>,
    },
    /// Ticks outside a time expression: write a span, or use an instant.
    #[error("ticks can only be used in the time of a step")]
    Ticks {
        /// Their place.
        at: Range<usize>,
    },
    /// A unit that is not shorter than the one before: sort them, longest first.
    #[error("the units of a span go from long to short, each once")]
    Order {
        /// The place of the second.
        at: Range<usize>,
    },
    /// No number where one should be: write digits.
    #[error("`{found}` is no span of time")]
    Number {
        /// What stands there.
        found: String,
        /// Its place.
        at: Range<usize>,
    },
    /// Finer than a nanosecond: drop digits.
    #[error("a span is a whole number of nanoseconds")]
    TooFine {
        /// Its place.
        at: Range<usize>,
    },
    /// Finer than a clock can be set: drop digits.
    #[error("a clock is set in whole milliseconds")]
    NotMilliseconds {
        /// Its place.
        at: Range<usize>,
    },
    /// Longer than 292 years: write less.
    #[error("this span is longer than 292 years")]
    TooLong {
        /// Its place.
        at: Range<usize>,
    },
}

impl SpanError {
    /// The same error with its bytes counted from a place that lies `by` bytes before the text.
    pub(crate) fn shifted(mut self, by: usize) -> Self {
        match &mut self {
            Self::Empty => {}
            Self::NoUnit { at, .. }
            | Self::Unit { at, .. }
            | Self::Ticks { at }
            | Self::Order { at }
            | Self::Number { at, .. }
            | Self::TooFine { at }
            | Self::NotMilliseconds { at }
            | Self::TooLong { at } => *at = at.start + by..at.end + by,
        }
        self
    }
}

impl From<SpanError> for Complaint {
    fn from(error: SpanError) -> Self {
        let complaint = Self::new(error.to_string());
        match error {
            SpanError::Empty => complaint.help("write a number and a unit, like `6s`"),
            SpanError::NoUnit { number, at } => complaint
                .label("which unit?")
                .help(format!("write `{number}s`, `{number}m` or `{number}ms`"))
                .within(at),
            SpanError::Unit { unit, at } => {
                let meant = OTHER_WORDS.iter().find(|(word, _)| *word == unit.to_lowercase()).map(|(_, unit)| *unit);
                let help = match meant {
                    Some(meant) => format!("write `{meant}`"),
                    None => "the units are `h`, `m`, `s`, `ms`, `us` and `ns`".into(),
                };
                complaint.help(help).within(at)
            }
            SpanError::Ticks { at } => {
                complaint.help("write a span, or count ticks in `at:`, as in `flag(white) + 1 tick`").within(at)
            }
            SpanError::Order { at } => complaint.help("write it like `1h30m` or `2.5s`").within(at),
            SpanError::Number { at, .. } => {
                complaint.help("write a number and a unit, like `6s` or `1h30m`").within(at)
            }
            SpanError::NotMilliseconds { at } => complaint.help("round the span to milliseconds").within(at),
            SpanError::TooFine { at } | SpanError::TooLong { at } => complaint.within(at),
        }
    }
}

/// Nanoseconds of a span such as `1h30m`, never negative.
pub(crate) fn span_ns(text: &str) -> Result<i64, SpanError> {
    let mut rest = text.trim_start();
    if rest.is_empty() {
        return Err(SpanError::Empty);
    }
    let offset = |rest: &str| text.len() - rest.len();
    let mut total: u64 = 0;
    let mut shortest = u64::MAX;
    while !rest.trim_end().is_empty() {
        let start = offset(rest);
        let number_len = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(number_len);
        if number.is_empty() {
            return Err(SpanError::Number { found: text.trim().into(), at: start..text.trim_end().len() });
        }
        let after = after.trim_start();
        let unit_len = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (unit, after_unit) = after.split_at(unit_len);
        let whole = start..offset(after_unit);
        let Some((_, unit_ns)) = UNITS.iter().find(|(name, _)| *name == unit) else {
            let unit_at = offset(after)..offset(after_unit);
            return Err(match unit {
                "" => SpanError::NoUnit { number: number.into(), at: start..start + number_len },
                "tick" | "ticks" => SpanError::Ticks { at: unit_at },
                _ => SpanError::Unit { unit: unit.into(), at: unit_at },
            });
        };
        if *unit_ns >= shortest {
            return Err(SpanError::Order { at: whole });
        }
        shortest = *unit_ns;
        let part = scaled(number, *unit_ns).map_err(|error| match error {
            ScaleError::NoNumber => SpanError::Number { found: number.into(), at: whole.clone() },
            ScaleError::TooFine => SpanError::TooFine { at: whole.clone() },
            ScaleError::TooLarge => SpanError::TooLong { at: whole.clone() },
        })?;
        total = total
            .checked_add(part)
            .filter(|sum| *sum <= i64::MAX.unsigned_abs())
            .ok_or(SpanError::TooLong { at: whole })?;
        rest = after_unit.trim_start();
    }
    i64::try_from(total).map_err(|_| SpanError::TooLong { at: 0..text.len() })
}

/// Nanoseconds of a span that may have a sign: `-3s`.
pub(crate) fn signed_span_ns(text: &str) -> Result<i64, SpanError> {
    let trimmed = text.trim_start();
    let Some(rest) = trimmed.strip_prefix(['+', '-']) else { return span_ns(text) };
    let ns = span_ns(rest).map_err(|error| error.shifted(text.len() - rest.len()))?;
    Ok(if trimmed.starts_with('-') { -ns } else { ns })
}

/// Milliseconds of a span that a clock can be set to.
pub(crate) fn span_ms(text: &str) -> Result<u64, SpanError> {
    let ns = span_ns(text)?;
    if ns % 1_000_000 != 0 {
        let start = text.len() - text.trim_start().len();
        return Err(SpanError::NotMilliseconds { at: start..text.trim_end().len() });
    }
    Ok(ns.unsigned_abs() / 1_000_000)
}

/// Parts per billion of a rate such as `+20ppm` or `-300ppb`; positive is fast.
pub(crate) fn rate_ppb(text: &str) -> Result<i64, Complaint> {
    match rate_ppt(text)? {
        ppt if ppt % 1_000 == 0 => Ok(ppt / 1_000),
        _ => Err(Complaint::new("a rate is a whole number of parts per billion")),
    }
}

/// Parts per trillion of a rate such as `+20ppm` or `-0.3ppb`; positive is fast.
pub(crate) fn rate_ppt(text: &str) -> Result<i64, Complaint> {
    let trimmed = text.trim();
    let (negative, unsigned) = match trimmed.strip_prefix(['+', '-']) {
        Some(rest) => (trimmed.starts_with('-'), rest),
        None => (false, trimmed),
    };
    let number_len = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (number, unit) = unsigned.split_at(number_len);
    let ppt_per_unit = match unit.trim() {
        "ppm" => 1_000_000,
        "ppb" => 1_000,
        "" if !number.is_empty() => {
            return Err(Complaint::new(format!("`{trimmed}` has no unit"))
                .label("which unit?")
                .help(format!("write `{trimmed}ppm` or `{trimmed}ppb`")));
        }
        other => {
            let help = match nearest(&other.to_lowercase(), ["ppm", "ppb"]) {
                Some(near) if !number.is_empty() => format!("did you mean `{number}{near}`?"),
                _ => "write a rate like `+20ppm` or `-300ppb`".into(),
            };
            return Err(Complaint::new(format!("`{trimmed}` is no rate")).help(help));
        }
    };
    let ppt = scaled(number, ppt_per_unit).map_err(|error| match error {
        ScaleError::NoNumber => {
            Complaint::new(format!("`{trimmed}` is no rate")).help("write a rate like `+20ppm` or `-300ppb`")
        }
        ScaleError::TooFine => Complaint::new("a rate is a whole number of thousandths of a part per billion"),
        ScaleError::TooLarge => too_fast(),
    })?;
    let ppt = i64::try_from(ppt).ok().filter(|ppt| *ppt <= PPT_MAX).ok_or_else(too_fast)?;
    Ok(if negative { -ppt } else { ppt })
}

fn too_fast() -> Complaint {
    Complaint::new("a rate is at most 500000 ppm fast or slow")
}

/// A decimal number with or without a sign times `unit`, if that is a whole number.
pub(crate) fn scaled_signed(number: &str, unit: u64) -> Option<i64> {
    let unsigned = number.strip_prefix(['+', '-']).unwrap_or(number);
    let size = scaled(unsigned, unit).ok().and_then(|size| i64::try_from(size).ok())?;
    Some(if number.starts_with('-') { -size } else { size })
}

enum ScaleError {
    NoNumber,
    TooFine,
    TooLarge,
}

/// A decimal number times `unit`, if that is a whole number.
fn scaled(number: &str, unit: u64) -> Result<u64, ScaleError> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || (number.contains('.') && fraction.is_empty()) {
        return Err(ScaleError::NoNumber);
    }
    let fraction = fraction.trim_end_matches('0');
    let exponent = u32::try_from(fraction.len()).map_err(|_| ScaleError::TooFine)?;
    let scale = 10_u64.checked_pow(exponent).ok_or(ScaleError::TooFine)?;
    let whole: u64 = whole.parse().map_err(|_| ScaleError::TooLarge)?;
    let fraction: u64 = if fraction.is_empty() { 0 } else { fraction.parse().map_err(|_| ScaleError::TooFine)? };
    let fraction = u128::from(fraction) * u128::from(unit);
    if fraction % u128::from(scale) != 0 {
        return Err(ScaleError::TooFine);
    }
    let total = u128::from(whole) * u128::from(unit) + fraction / u128::from(scale);
    u64::try_from(total).map_err(|_| ScaleError::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_exact() {
        for (text, ns) in [
            ("0s", 0),
            ("1h30m", 5_400_000_000_000),
            ("1h 30m", 5_400_000_000_000),
            ("2.5s", 2_500_000_000),
            ("900us", 900_000),
            ("4m59s", 299_000_000_000),
            ("0.000000001s", 1),
            ("1m0.5s", 60_500_000_000),
            ("1.50s", 1_500_000_000),
            ("9223372036854775807ns", i64::MAX),
        ] {
            assert_eq!(span_ns(text), Ok(ns), "{text}");
        }
    }

    #[test]
    fn each_bad_span_is_named_with_its_bytes() {
        let at = |text: &str| Complaint::from(span_ns(text).expect_err(text)).within;
        for (text, error) in [
            ("", SpanError::Empty),
            ("6", SpanError::NoUnit { number: "6".into(), at: 0..1 }),
            ("1h30", SpanError::NoUnit { number: "30".into(), at: 2..4 }),
            ("5min", SpanError::Unit { unit: "min".into(), at: 1..4 }),
            ("3 ticks", SpanError::Ticks { at: 2..7 }),
            ("1s1m", SpanError::Order { at: 2..4 }),
            ("1s1s", SpanError::Order { at: 2..4 }),
            ("soon", SpanError::Number { found: "soon".into(), at: 0..4 }),
            ("1.2.3s", SpanError::Number { found: "1.2.3".into(), at: 0..6 }),
            ("1.s", SpanError::Number { found: "1.".into(), at: 0..3 }),
            ("0.5ns", SpanError::TooFine { at: 0..5 }),
            ("0.0000000001s", SpanError::TooFine { at: 0..13 }),
            ("9223372036854775808ns", SpanError::TooLong { at: 0..21 }),
            ("99999999999999999999h", SpanError::TooLong { at: 0..21 }),
            ("2562047h47m17s", SpanError::TooLong { at: 11..14 }),
        ] {
            assert_eq!(span_ns(text), Err(error), "{text}");
        }
        assert_eq!(at("1h30"), Some(2..4));
    }

    #[test]
    fn a_jump_has_a_sign() {
        assert_eq!(signed_span_ns("-3s"), Ok(-3_000_000_000));
        assert_eq!(signed_span_ns("+3s"), Ok(3_000_000_000));
        assert_eq!(signed_span_ns("3s"), Ok(3_000_000_000));
        assert_eq!(signed_span_ns(" -3"), Err(SpanError::NoUnit { number: "3".into(), at: 2..3 }));
    }

    #[test]
    fn a_clock_is_set_in_milliseconds() {
        assert_eq!(span_ms("1.5s"), Ok(1_500));
        assert!(span_ms("900us").is_err());
    }

    #[test]
    fn rates_have_units() {
        assert_eq!(rate_ppb("+20ppm"), Ok(20_000));
        assert_eq!(rate_ppb("-300ppb"), Ok(-300));
        assert_eq!(rate_ppb("0.5 ppm"), Ok(500));
        assert_eq!(rate_ppb("-500000ppm"), Ok(-500_000_000));
        for bad in ["20", "ppm", "+20%", "0.0001ppm", "500001ppm", "", "+-3ppm", "99999999999999999999ppm"] {
            assert!(rate_ppb(bad).is_err(), "{bad}");
        }
        let help = |text| rate_ppb(text).expect_err("no unit").help;
        assert_eq!(help("20").as_deref(), Some("write `20ppm` or `20ppb`"));
        assert_eq!(help("20pmm").as_deref(), Some("did you mean `20ppm`?"));
    }
}
