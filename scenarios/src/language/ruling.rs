//! What a rulebook must rule.

use flagfall_judge::{GameResult, Placer, Strength};

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

fn placers() -> &'static [&'static str] {
    const NAMES: [&str; Placer::ALL.len()] = {
        let mut names = [""; Placer::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Placer::ALL[index].name();
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

const OUTCOME_KEYS: [Key; 46] = [
    choice("result", &Shape::Word(results)),
    choice("game", &Shape::Word(|| &["cancelled"])),
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
    choice("allowed", &SIDE),
    choice("forbidden", &SIDE),
    choice("warning", &SIDE),
    choice("illegal-move", &SIDE),
    choice("honoured", &SIDE),
    choice("not-honoured", &SIDE),
    choice("gains", &Shape::Map(&TEXT_BY_SIDE)),
    choice("charged", &Shape::Map(&TEXT_BY_SIDE)),
    choice("claim-holds", &SIDE),
    choice("claim-fails", &SIDE),
    choice("complaint-heard", &SIDE),
    choice("complaint-void", &SIDE),
    choice("check-due", &SIDE),
    choice("setting", &Shape::Word(|| &["corrected", "stands"])),
    choice("placed-by", &Shape::Word(placers)),
    choice("exempt", &SIDE),
    choice("not-exempt", &SIDE),
    choice("clocks", &Shape::Word(|| &["stopped", "running"])),
    choice("act", &Shape::Word(|| &["admissible", "not-admissible"])),
    choice("considered", &SIDE),
    choice("not-considered", &SIDE),
    choice("may-change", &SIDE),
    choice("may-not-change", &SIDE),
    choice("envelope", &Shape::Word(|| &["opened", "shut"])),
    choice("evidence", &Shape::Word(|| &["admitted", "refused"])),
    choice("default-time", &Shape::Text),
    choice("target", &Shape::Map(&MOVES_BY_SIDE)),
    choice("increment", &Shape::Text),
    choice("sheet-due", &SIDE),
    choice("check-not-due", &SIDE),
    choice("prompt", &Shape::Word(|| &["allowed", "forbidden"])),
    choice("ends-at", &Shape::Map(&TEXT_BY_SIDE)),
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
