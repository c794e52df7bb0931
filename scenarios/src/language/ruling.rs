//! What a rulebook must rule.

use flagfall_judge::{GameResult, Strength};

use super::forms::{MOVES_BY_SIDE, POINT, SIDE, TEXT_BY_SIDE};
use crate::shape::{Choice, Key, Mapping, Shape, choice, may};

fn results() -> &'static [&'static str] {
    const NAMES: [&str; GameResult::ALL.len()] = {
        let mut names = [""; GameResult::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = GameResult::ALL[index].name();
            index += 1;
        }
        names
    };
    &NAMES
}

/// How firmly a rulebook decides.
pub(crate) fn strengths() -> &'static [&'static str] {
    const NAMES: [&str; 2] = [Strength::Stated.name(), Strength::Literal.name()];
    &NAMES
}

pub(super) const RULING_OR_WORD: Shape = Shape::ScalarOr(&RULING_WORD, &Shape::Map(&RULING));
const RULING_WORD: Shape = Shape::Word(|| &["silent", "void"]);

const OUTCOME_KEYS: [Key; 13] = [
    choice("result", &Shape::Word(results)),
    choice("play", &Shape::Word(|| &["continues"])),
    choice("completed", &Shape::Map(&MOVES_BY_SIDE)),
    choice("incomplete", &Shape::Map(&MOVES_BY_SIDE)),
    choice("flag-counts", &SIDE),
    choice("flag-does-not-count", &SIDE),
    choice("left", &Shape::Map(&TEXT_BY_SIDE)),
    choice("bears", &Shape::Map(&TEXT_BY_SIDE)),
    choice("runs", &SIDE),
    choice("reading", &Shape::Word(|| &["stands"])),
    choice("clock", &Shape::Word(|| &["replaced"])),
    choice("penalty", &SIDE),
    choice("no-penalty", &SIDE),
];

const OUTCOME: Mapping = Mapping { what: "an outcome", keys: &[&OUTCOME_KEYS], choice: Choice::One("outcome") };

pub(super) const RULING: Mapping = Mapping {
    what: "a ruling",
    keys: &[
        &OUTCOME_KEYS,
        &[
            choice("ruling", &RULING_WORD),
            choice("discretion", &Shape::List(&Shape::Map(&OUTCOME))),
            choice("needs", &Shape::Text),
            may("if", &Shape::Named(&Shape::Map(&OUTCOME))),
            may("point", &POINT),
            may("article", &Shape::Text),
            may("strength", &Shape::Word(strengths)),
        ],
    ],
    choice: Choice::One("outcome"),
};
