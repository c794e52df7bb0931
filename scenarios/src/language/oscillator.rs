//! The keys of the oscillator of a simulated clock.

use super::forms::plain;
use crate::shape::{Choice, Mapping, Shape, choice, may, must};

pub(super) const OSCILLATOR: Mapping = Mapping {
    what: "`oscillator`",
    keys: &[&[
        choice("offset", &Shape::Text),
        choice("temperature", &Shape::Map(&TEMPERATURE)),
        choice("ageing", &Shape::Text),
        choice("noise", &Shape::Map(&NOISE)),
        choice("quantum", &Shape::Text),
    ]],
    choice: Choice::Some,
};

pub(super) const TEMPERATURE: Mapping = plain(
    "`temperature`",
    &[&[
        must("course", &Shape::List(&Shape::Map(&TEMPERATURE_POINT)), "course: [{at: 0s, is: 25C}]"),
        may("turnover", &Shape::Text),
        may("parabola", &Shape::Text),
    ]],
);

pub(super) const TEMPERATURE_POINT: Mapping =
    plain("a point of a temperature", &[&[must("at", &Shape::Text, "at: 2h"), must("is", &Shape::Text, "is: 5C")]]);

pub(super) const NOISE: Mapping = Mapping {
    what: "`noise`",
    keys: &[&[choice("white", &Shape::Text), choice("flicker", &Shape::Text), choice("random-walk", &Shape::Text)]],
    choice: Choice::Some,
};
