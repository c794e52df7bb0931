//! How a clock is set up.

use flagfall_core::{AtZero, Credit, LateControlMove, Rounding, SameTick, SecondPress, Zero};

use super::forms::{MOVES, MOVES_BY_SIDE, PERIOD_BY_SIDE, TEXT_BY_SIDE, plain};
use crate::dial::DIAL_OR_PLAIN;
use crate::names;
use crate::raw;
use crate::shape::{Choice, Mapping, Shape, choice, may, must};

/// A control in its short form or its long one.
pub(super) const CONTROL_OR_TEXT: Shape = Shape::ScalarOr(&Shape::Text, &Shape::Map(&CONTROL));

pub(super) const CONTROL: Mapping = Mapping {
    what: "a control",
    keys: &[&[
        choice("periods", &Shape::ScalarOr(&Shape::Text, &Shape::Map(&ODDS))),
        choice("pgn", &Shape::Text),
        may("increment", &Shape::Word(names::of::<Credit>)),
        may("at_zero", &Shape::Word(names::of::<AtZero>)),
        may("zero", &Shape::Word(names::of::<Zero>)),
        may("same_tick", &Shape::Word(names::of::<SameTick>)),
        may("late_control_move", &Shape::Word(names::of::<LateControlMove>)),
        may("second_press", &Shape::Word(names::of::<SecondPress>)),
        may("carry_over", &Shape::Truth),
        may("first_fallen_sign", &Shape::Word(names::of::<raw::RawSign>)),
        may("rounding", &Shape::Word(names::of::<Rounding>)),
        may("tenths_below", &Shape::Text),
        may("seconds_below", &Shape::Text),
        may("debounce", &Shape::Text),
        may("dial", &DIAL_OR_PLAIN),
    ]],
    choice: Choice::One("notation"),
};

pub(super) const ODDS: Mapping = plain(
    "a control with odds",
    &[&[must("white", &Shape::Text, "white: 5m"), must("black", &Shape::Text, "black: 3m")]],
);

const MOVES_OF_BOTH: Shape = Shape::ScalarOr(&MOVES, &Shape::Map(&MOVES_BY_SIDE));

pub(super) const OPENING: Mapping = plain(
    "an opening",
    &[&[
        may("position", &Shape::Text),
        may("moves", &MOVES_OF_BOTH),
        may("left", &Shape::Map(&TEXT_BY_SIDE)),
        may("period", &Shape::Map(&PERIOD_BY_SIDE)),
    ]],
);

/// An opening of the clock alone.
pub(super) const STANDING: Mapping = Mapping {
    what: "the opening of a clock",
    keys: &[&[
        choice("moves", &MOVES_OF_BOTH),
        choice("left", &Shape::Map(&TEXT_BY_SIDE)),
        choice("period", &Shape::Map(&PERIOD_BY_SIDE)),
    ]],
    choice: Choice::Some,
};

pub(super) const INSTALLED: Mapping = plain(
    "`set_up`",
    &[&[must("control", &CONTROL_OR_TEXT, "control: \"40/2h, 1h\""), may("opening", &Shape::Map(&STANDING))]],
);

pub(super) const WRONG_SETTING: Mapping = Mapping {
    what: "`wrong_setting`",
    keys: &[&[choice("control", &CONTROL_OR_TEXT), choice("opening", &Shape::Map(&STANDING))]],
    choice: Choice::Some,
};
