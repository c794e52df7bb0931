//! The fields of two records of one event, compared by name.

use std::fmt;

use flagfall_core::display::Digits;
use flagfall_core::record::Kind;
use flagfall_core::{BySide, Face, Phase, Record, Side, TickRate};

use super::Tolerance;

/// A field that two records have and in which they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldApart {
    /// Its name, in words.
    pub name: &'static str,
    /// What the first record has, both sides' as `white / black`.
    pub left: String,
    /// What the second has.
    pub right: String,
}

impl fmt::Display for FieldApart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} -> {}", self.name, self.left, self.right)
    }
}

/// The fields in which two records of the same event differ, beside kind, side, detail, tick and number in the stream.
///
/// `rate` is that of the ticks of both.
#[must_use]
pub fn apart(left: &Record, right: &Record, rate: TickRate, tolerance: &Tolerance) -> Vec<FieldApart> {
    let pairs = fields(left, tolerance).into_iter().zip(fields(right, tolerance));
    let apart = pairs.filter(|((_, left), (_, right))| !left.is_like(right, rate, tolerance.ticks));
    apart
        .map(|((name, left), (_, right))| FieldApart { name, left: left.to_string(), right: right.to_string() })
        .collect()
}

/// What a field holds, as far as two of them are compared.
enum Value {
    /// Something that is the same or not.
    Said(String),
    /// Times in ticks.
    Ticks(Vec<u64>),
    /// Digits, which show such times.
    Shown(BySide<Face>),
    /// Digits of one such time, in seconds.
    Seconds(Face),
}

impl Value {
    fn both<T: fmt::Display>(of: BySide<T>) -> Self {
        Self::Said(format!("{} / {}", of.white, of.black))
    }

    fn is_like(&self, other: &Self, rate: TickRate, ticks: u64) -> bool {
        match (self, other) {
            (Self::Said(one), Self::Said(other)) => one == other,
            (Self::Ticks(one), Self::Ticks(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.abs_diff(*other) <= ticks)
            }
            (Self::Shown(one), Self::Shown(other)) => {
                Side::ALL.into_iter().all(|side| shows_like(one[side], other[side], rate, ticks))
            }
            (Self::Seconds(one), Self::Seconds(other)) => shows_like(*one, *other, rate, ticks),
            _ => false,
        }
    }
}

/// Whether two faces can show times that are so many ticks apart.
fn shows_like(one: Face, other: Face, rate: TickRate, ticks: u64) -> bool {
    if one == other || ticks == 0 {
        return one == other;
    }
    let digit = [one, other].map(|face| match face.digits() {
        Digits::Tenths => 1,
        Digits::Seconds => 10,
        Digits::Minutes => 600,
    });
    let tenths = u128::from(ticks) * 10 / u128::from(rate.hz());
    u128::from(one.tenths().abs_diff(other.tenths())) <= tenths + digit[0].max(digit[1])
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(text) => f.write_str(text),
            Self::Ticks(ticks) => {
                let ticks: Vec<String> = ticks.iter().map(u64::to_string).collect();
                f.write_str(&ticks.join(" / "))
            }
            Self::Shown(faces) => write!(f, "{} / {}", faces.white, faces.black),
            Self::Seconds(face) => write!(f, "{} s", face.tenths() / 10),
        }
    }
}

/// What a record says besides kind, side, detail and tick. Each field is named, so that a new one is not forgotten.
fn fields(record: &Record, tolerance: &Tolerance) -> [(&'static str, Value); 12] {
    #[rustfmt::skip]
    let Record {
        kind, side: _, seq: _, detail: _, at: _, value, phase, remaining_ticks, delay_ticks, shown,
        shown_delay_seconds, moves, overtime, period, fallen, first_fallen, battery_low,
    } = record;
    let value = match *kind {
        Kind::FLAG_FELL if tolerance.any_notice => Value::Ticks(Vec::new()),
        kind if kind.tells_handling() && tolerance.any_notice => Value::Ticks(Vec::new()),
        Kind::FLAG_FELL | Kind::WENT_BACK => Value::Ticks(vec![*value]),
        _ => Value::Said(value.to_string()),
    };
    [
        ("value", value),
        ("phase", Value::Said(words(*phase))),
        ("time left", Value::Ticks(vec![remaining_ticks.white, remaining_ticks.black])),
        ("delay left", Value::Ticks(vec![*delay_ticks])),
        ("digits", Value::Shown(*shown)),
        ("delay digits", Value::Seconds(Face::from_seconds(*shown_delay_seconds))),
        ("moves", Value::both(*moves)),
        ("overtime", Value::both(*overtime)),
        ("period", Value::both(*period)),
        ("flag down", Value::both(*fallen)),
        ("first fallen", Value::Said(first_fallen.map_or("none", Side::name).to_owned())),
        ("battery low", Value::Said(battery_low.to_string())),
    ]
}

/// What the clock is doing.
fn words(phase: Phase) -> String {
    match phase {
        Phase::Ready => "ready".to_owned(),
        Phase::Running(side) => format!("{side} runs"),
        Phase::Paused(side) => format!("paused on {side}"),
        Phase::Frozen(side) => format!("frozen on {side}"),
    }
}
