//! The keys of the scenario language, and what may stand behind each.

use flagfall_core::Side;
use flagfall_judge::{GameResult, Point, Strength};
use flagfall_trace::plan::{Basis, DefectFinding, GameClass, Person, StopFinding, StopReason};

use crate::expect::WRONG_WORDS;
use crate::names;
use crate::raw;
use crate::shape::{Choice, Key, Mapping, Shape, choice, may, must};

/// A whole scenario file.
pub(crate) const SCENARIO: Shape = Shape::Map(&ROOT);

const SIDE: Shape = Shape::Word(names::of::<Side>);
const PERSON: Shape = Shape::Word(names::of::<Person>);
const SIDE_OR_NONE: Shape = Shape::Word(names::of::<raw::RawSideOrNone>);
const POINT: Shape = Shape::Word(points);
const MOVES: Shape = Shape::Whole(u16::MAX as u64);

/// The names of all rule points.
pub(crate) fn points() -> &'static [&'static str] {
    const NAMES: [&str; Point::ALL.len()] = {
        let mut names = [""; Point::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Point::ALL[index].name();
            index += 1;
        }
        names
    };
    &NAMES
}

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

pub(crate) fn strengths() -> &'static [&'static str] {
    const NAMES: [&str; 2] = [Strength::Stated.name(), Strength::Literal.name()];
    &NAMES
}

/// A mapping without choices.
const fn plain(what: &'static str, keys: &'static [&'static [Key]]) -> Mapping {
    Mapping { what, keys, choice: Choice::None }
}

const ROOT: Mapping = plain(
    "a scenario",
    &[&[
        must("scenario", &Shape::Text, "scenario: what the case is about"),
        must("points", &Shape::List(&POINT), "points: [B1]"),
        may("purpose", &Shape::Text),
        may("sources", &Shape::Named(&Shape::Text)),
        may("regulations", &Shape::Map(&REGULATIONS)),
        may("seed", &Shape::Whole(u64::MAX)),
        may("tick_hz", &Shape::Whole(u32::MAX as u64)),
        may("oscillator", &Shape::Map(&OSCILLATOR)),
        must("control", &Shape::ScalarOr(&Shape::Text, &Shape::Map(&CONTROL)), "control: \"40/2h, 1h\""),
        may("opening", &Shape::Map(&OPENING)),
        must("timeline", &Shape::List(&Shape::Map(&STEP)), "timeline: [{at: 0s, start: white}]"),
        may("end", &Shape::Text),
        may("expect", &Shape::List(&Shape::Map(&FACES))),
        may("clock", &Shape::ScalarOr(&Shape::Word(|| &["right"]), &Shape::Map(&CLOCK))),
        may("rulings", &Shape::Named(&Shape::OneOrMany(&RULING_OR_WORD))),
    ]],
);

const REGULATIONS: Mapping = plain(
    "`regulations`",
    &[&[
        may("class", &Shape::Word(names::of::<GameClass>)),
        may("default_time", &Shape::Text),
        may("supervised", &Shape::Truth),
    ]],
);

const OSCILLATOR: Mapping = plain("`oscillator`", &[&[must("offset", &Shape::Text, "offset: +20ppm")]]);

const CONTROL: Mapping = plain(
    "a control",
    &[&[
        must("periods", &Shape::Text, "periods: \"40/2h, 1h\""),
        may("increment", &Shape::Word(names::of::<raw::RawCredit>)),
        may("at_zero", &Shape::Word(names::of::<raw::RawAtZero>)),
        may("carry_over", &Shape::Truth),
        may("first_fallen_sign", &Shape::Word(names::of::<raw::RawSign>)),
    ]],
);

const OPENING: Mapping = plain(
    "an opening",
    &[&[
        may("position", &Shape::Text),
        may("moves", &Shape::ScalarOr(&MOVES, &Shape::Map(&MOVES_BY_SIDE))),
        may("left", &Shape::Map(&TEXT_BY_SIDE)),
    ]],
);

const MOVES_BY_SIDE: Mapping = by_side(&[&[choice("white", &MOVES), choice("black", &MOVES)]]);
const TEXT_BY_SIDE: Mapping = by_side(&[&[choice("white", &Shape::Text), choice("black", &Shape::Text)]]);
const PERIOD_BY_SIDE: Mapping = by_side(&[&[choice("white", &PERIOD), choice("black", &PERIOD)]]);
const PERIOD: Shape = Shape::Whole(u8::MAX as u64);
const FLAG_BY_SIDE: Mapping = by_side(&[&[choice("white", &FLAG), choice("black", &FLAG)]]);
const FLAG: Shape = Shape::Word(names::of::<raw::RawFlag>);

const fn by_side(keys: &'static [&'static [Key]]) -> Mapping {
    Mapping { what: "this pair", keys, choice: Choice::Some }
}

const STEP: Mapping = Mapping {
    what: "a step",
    keys: &[
        &[must("at", &Shape::Text, "at: +6s")],
        &[
            choice("start", &SIDE),
            choice("move", &Shape::Map(&MOVE)),
            choice("press", &Shape::ScalarOr(&SIDE, &Shape::Map(&PRESS))),
            choice("play", &Shape::Map(&PLAY)),
            choice("pause", &Shape::Map(&PAUSE)),
            choice("resume", &PERSON),
            choice("set", &Shape::Map(&SET)),
            choice("arrive", &SIDE),
            choice("observe", &Shape::Map(&OBSERVE)),
            choice("claim", &Shape::Map(&CLAIM)),
            choice("find", &Shape::Map(&FIND)),
            choice("fault", &Shape::Map(&FAULT)),
            choice("read", &Shape::Map(&FACES)),
        ],
    ],
    choice: Choice::One("verb"),
};

const MOVE: Mapping = plain(
    "a move",
    &[&[
        must("side", &SIDE, "side: white"),
        must("san", &Shape::Text, "san: e4"),
        must("press", &Shape::Word(names::of::<raw::RawPressed>), "press: same-hand"),
        may("press_after", &Shape::Text),
    ]],
);

const PRESS: Mapping =
    plain("a press", &[&[must("side", &SIDE, "side: white"), may("hand", &Shape::Word(names::of::<raw::RawHand>))]]);

const PLAY: Mapping = plain(
    "`play`",
    &[&[
        must("moves", &Shape::Text, "moves: \"e4 e5 Nf3 Nc6\""),
        must("think", &Shape::ScalarOr(&Shape::Text, &Shape::Map(&RANGE)), "think: 3s"),
    ]],
);

const RANGE: Mapping =
    plain("a range", &[&[must("from", &Shape::Text, "from: 2s"), must("to", &Shape::Text, "to: 8s")]]);

const PAUSE: Mapping = plain(
    "a pause",
    &[&[
        must("by", &PERSON, "by: arbiter"),
        must("reason", &Shape::Word(names::of::<StopReason>), "reason: interruption"),
    ]],
);

const SET: Mapping = Mapping {
    what: "`set`",
    keys: &[&[choice("left", &Shape::Map(&TEXT_BY_SIDE)), choice("moves", &Shape::Map(&MOVES_BY_SIDE))]],
    choice: Choice::Some,
};

const OBSERVE: Mapping = plain(
    "an observation",
    &[&[
        must("by", &PERSON, "by: arbiter"),
        must("flags", &Shape::Word(names::of::<raw::RawFlags>), "flags: both"),
        may("first", &Shape::Word(names::of::<raw::RawFirst>)),
    ]],
);

const CLAIM: Mapping = plain(
    "a claim",
    &[&[
        must("by", &SIDE, "by: black"),
        must("flag", &SIDE, "flag: white"),
        may("basis", &Shape::Word(names::of::<Basis>)),
    ]],
);

const FIND: Mapping = Mapping {
    what: "a finding",
    keys: &[&[
        choice("defect", &Shape::Word(names::of::<DefectFinding>)),
        choice("stop", &Shape::Word(names::of::<StopFinding>)),
    ]],
    choice: Choice::One("subject"),
};

const FAULT: Mapping = Mapping {
    what: "a fault",
    keys: &[&[
        choice("stuck", &Shape::Map(&STUCK)),
        choice("jump", &Shape::Map(&JUMP)),
        choice("rate", &Shape::Map(&RATE)),
        choice("lost-press", &SIDE),
    ]],
    choice: Choice::One("kind"),
};

const STUCK: Mapping = plain("`stuck`", &[&[must("for", &Shape::Text, "for: 5s")]]);
const JUMP: Mapping = plain("`jump`", &[&[must("by", &Shape::Text, "by: -3s")]]);
const RATE: Mapping =
    plain("`rate`", &[&[must("offset", &Shape::Text, "offset: +500ppm"), must("for", &Shape::Text, "for: 10m")]]);

const FACES: Mapping = Mapping {
    what: "an expectation",
    keys: &[&[
        choice("flags", &Shape::Map(&FLAG_BY_SIDE)),
        choice("shown", &Shape::Map(&SHOWN)),
        choice("left", &Shape::Map(&TEXT_BY_SIDE)),
        choice("moves", &Shape::Map(&MOVES_BY_SIDE)),
        choice("period", &Shape::Map(&PERIOD_BY_SIDE)),
        choice("running", &SIDE_OR_NONE),
    ]],
    choice: Choice::Some,
};

const SHOWN: Mapping =
    by_side(&[&[choice("first_fallen", &SIDE_OR_NONE), choice("white", &Shape::Text), choice("black", &Shape::Text)]]);

const CLOCK: Mapping = plain(
    "`clock`",
    &[&[
        must("wrong", &Shape::List(&Shape::Word(|| &WRONG_WORDS)), "wrong: [remaining(white)]"),
        may("from", &Shape::Word(|| &["fault"])),
    ]],
);

const RULING_OR_WORD: Shape = Shape::ScalarOr(&RULING_WORD, &Shape::Map(&RULING));
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

const RULING: Mapping = Mapping {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every table of keys and the struct that reads it.
    #[test]
    fn the_tables_and_the_structs_have_the_same_keys() {
        let pairs: [(&Mapping, &[&str]); 21] = [
            (&ROOT, names::of::<raw::RawScenario>()),
            (&REGULATIONS, names::of::<raw::RawRegulations>()),
            (&OSCILLATOR, names::of::<raw::RawOscillator>()),
            (&CONTROL, names::of::<raw::RawControl>()),
            (&OPENING, names::of::<raw::RawOpening>()),
            (&MOVES_BY_SIDE, names::of::<raw::RawBySide<u16>>()),
            (&STEP, names::of::<raw::RawStep>()),
            (&MOVE, names::of::<raw::RawMove>()),
            (&PRESS, names::of::<raw::RawPress>()),
            (&PLAY, names::of::<raw::RawPlay>()),
            (&RANGE, names::of::<raw::RawRange>()),
            (&PAUSE, names::of::<raw::RawPause>()),
            (&SET, names::of::<raw::RawSet>()),
            (&OBSERVE, names::of::<raw::RawObserve>()),
            (&CLAIM, names::of::<raw::RawClaim>()),
            (&FIND, names::of::<raw::RawFind>()),
            (&FAULT, names::of::<raw::RawFault>()),
            (&FACES, names::of::<raw::RawFaces>()),
            (&SHOWN, names::of::<raw::RawShown>()),
            (&CLOCK, names::of::<raw::RawClock>()),
            (&RULING, names::of::<raw::RawRuling>()),
        ];
        for (mapping, fields) in pairs {
            let keys: Vec<&str> = mapping.keys().map(|key| key.name).collect();
            assert_eq!(keys, fields, "{}", mapping.what);
        }
        for (mapping, fields) in [
            (&STUCK, names::of::<raw::RawStuck>()),
            (&JUMP, names::of::<raw::RawJump>()),
            (&RATE, names::of::<raw::RawRate>()),
        ] {
            assert_eq!(mapping.keys().map(|key| key.name).collect::<Vec<_>>(), fields, "{}", mapping.what);
        }
    }
}
