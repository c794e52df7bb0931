//! What the faces must show and what the oracle must find.

use super::forms::{FLAG_BY_SIDE, MOVES_BY_SIDE, PERIOD_BY_SIDE, SIDE_OR_NONE, TEXT_BY_SIDE, plain};
use crate::expect::WRONG_WORDS;
use crate::names;
use crate::raw;
use crate::shape::{Choice, Mapping, Shape, choice, may, must};

pub(super) const FACES: Mapping = Mapping {
    what: "an expectation",
    keys: &[&[
        choice("flags", &Shape::Map(&FLAG_BY_SIDE)),
        choice("shown", &Shape::Map(&SHOWN)),
        choice("left", &Shape::Map(&TEXT_BY_SIDE)),
        choice("moves", &Shape::Map(&MOVES_BY_SIDE)),
        choice("period", &Shape::Map(&PERIOD_BY_SIDE)),
        choice("overtime", &Shape::Map(&MOVES_BY_SIDE)),
        choice("running", &SIDE_OR_NONE),
    ]],
    choice: Choice::Some,
};

pub(super) const SHOWN: Mapping = Mapping {
    what: "`shown`",
    keys: &[&[
        choice("first_fallen", &SIDE_OR_NONE),
        choice("white", &Shape::Text),
        choice("black", &Shape::Text),
        choice("delay", &Shape::Text),
        choice("battery", &Shape::Word(names::of::<raw::RawBattery>)),
    ]],
    choice: Choice::Some,
};

pub(super) const CLOCK: Mapping = plain(
    "`clock`",
    &[&[
        must("wrong", &Shape::List(&Shape::Word(|| &WRONG_WORDS)), "wrong: [remaining(white)]"),
        may("from", &Shape::Word(|| &["fault"])),
    ]],
);
