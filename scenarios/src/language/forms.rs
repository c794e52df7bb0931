//! Shapes that stand at many places.

use flagfall_core::Side;
use flagfall_trace::plan::Person;

use super::points;
use crate::names;
use crate::raw;
use crate::shape::{Choice, Key, Mapping, Shape, choice, may, must};

pub(super) const SIDE: Shape = Shape::Word(names::of::<Side>);
pub(super) const PERSON: Shape = Shape::Word(names::of::<Person>);
pub(super) const SIDE_OR_NONE: Shape = Shape::Word(names::of::<raw::RawSideOrNone>);
pub(super) const POINT: Shape = Shape::Word(points);
pub(super) const MOVES: Shape = Shape::Whole(u16::MAX as u64);

/// A mapping without choices.
pub(super) const fn plain(what: &'static str, keys: &'static [&'static [Key]]) -> Mapping {
    Mapping { what, keys, choice: Choice::None }
}

pub(super) const MOVES_BY_SIDE: Mapping = by_side(&[&[choice("white", &MOVES), choice("black", &MOVES)]]);
pub(super) const TEXT_BY_SIDE: Mapping = by_side(&[&[choice("white", &Shape::Text), choice("black", &Shape::Text)]]);
pub(super) const PERIOD_BY_SIDE: Mapping = by_side(&[&[choice("white", &PERIOD), choice("black", &PERIOD)]]);
pub(super) const PERIOD: Shape = Shape::Whole(u8::MAX as u64);
pub(super) const FLAG_BY_SIDE: Mapping = by_side(&[&[choice("white", &FLAG), choice("black", &FLAG)]]);
pub(super) const FLAG: Shape = Shape::Word(names::of::<raw::RawFlag>);

pub(super) const fn by_side(keys: &'static [&'static [Key]]) -> Mapping {
    Mapping { what: "this pair", keys, choice: Choice::Some }
}

pub(super) const RANGE: Mapping = plain(
    "a range",
    &[&[
        must("from", &Shape::Text, "from: 2s"),
        must("to", &Shape::Text, "to: 8s"),
        may("shape", &Shape::Word(names::of::<raw::RawThinkShape>)),
    ]],
);
