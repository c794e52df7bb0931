//! The entries of a timeline but for faults.

use flagfall_trace::plan::{
    Basis, ClaimFinding, DefectFinding, ScheduleFinding, SettingFinding, StopFinding, StopMeans, StopReason, TurnOver,
};

use super::faces::FACES;
use super::fault::FAULT_OR_WORD;
use super::forms::{MOVES_BY_SIDE, PERIOD_BY_SIDE, PERSON, RANGE, SIDE, TEXT_BY_SIDE, plain};
use super::hall;
use super::setup::INSTALLED;
use crate::names;
use crate::raw;
use crate::shape::{Choice, Mapping, Shape, choice, may, must};

/// What only the arbiter does.
pub(super) const ARBITER: Shape = Shape::Word(|| &["arbiter"]);

pub(super) const STEP: Mapping = Mapping {
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
            choice("swap", &ARBITER),
            choice("undo", &ARBITER),
            choice("set_up", &Shape::Map(&INSTALLED)),
            choice("battery", &Shape::Word(names::of::<raw::RawBattery>)),
            choice("arrive", &SIDE),
            choice("observe", &Shape::Map(&OBSERVE)),
            choice("claim", &Shape::Map(&CLAIM)),
            choice("find", &Shape::Map(&FIND)),
            choice("fault", &FAULT_OR_WORD),
            choice("tap", &PERSON),
            choice("read", &Shape::Map(&FACES)),
        ],
        &hall::VERBS,
    ],
    choice: Choice::One("verb"),
};

pub(super) const MOVE: Mapping = plain(
    "a move",
    &[&[
        must("side", &SIDE, "side: white"),
        must("san", &Shape::Text, "san: e4"),
        must("press", &Shape::Word(names::of::<raw::RawPressed>), "press: same-hand"),
        may("press_after", &Shape::Text),
    ]],
);

pub(super) const PRESS: Mapping = plain(
    "a press",
    &[&[
        must("side", &SIDE, "side: white"),
        may("hand", &Shape::Word(names::of::<raw::RawHand>)),
        may("wave", &Shape::List(&Shape::Text)),
    ]],
);

pub(super) const PLAY: Mapping = plain(
    "`play`",
    &[&[
        must("moves", &Shape::Text, "moves: \"e4 e5 Nf3 Nc6\""),
        must("think", &SPAN_OR_RANGE, "think: 3s"),
        may("times", &Shape::Whole(TIMES_MAX)),
        may("forget_press", &Shape::Map(&FORGET_PRESS)),
        may("pause", &Shape::Map(&PLAY_PAUSE)),
    ]],
);

const SPAN_OR_RANGE: Shape = Shape::ScalarOr(&Shape::Text, &Shape::Map(&RANGE));

/// Most times that `play` repeats its moves.
const TIMES_MAX: u64 = 1_000;

const ONE_IN: Shape = Shape::Whole(u32::MAX as u64);

pub(super) const FORGET_PRESS: Mapping = plain(
    "`forget_press`",
    &[&[must("one_in", &ONE_IN, "one_in: 20"), must("notice_after", &SPAN_OR_RANGE, "notice_after: 10s")]],
);

pub(super) const PLAY_PAUSE: Mapping = plain(
    "`pause`",
    &[&[
        must("by", &PERSON, "by: white"),
        must("one_in", &ONE_IN, "one_in: 10"),
        must("for", &SPAN_OR_RANGE, "for: 20s"),
        may("reason", &Shape::Word(names::of::<StopReason>)),
    ]],
);

pub(super) const PAUSE: Mapping = plain(
    "a pause",
    &[&[
        must("by", &PERSON, "by: arbiter"),
        must("reason", &Shape::Word(names::of::<StopReason>), "reason: interruption"),
        may("how", &Shape::Word(names::of::<StopMeans>)),
    ]],
);

pub(super) const SET: Mapping = Mapping {
    what: "`set`",
    keys: &[&[
        choice("left", &Shape::Map(&TEXT_BY_SIDE)),
        choice("moves", &Shape::Map(&MOVES_BY_SIDE)),
        choice("period", &Shape::Map(&PERIOD_BY_SIDE)),
    ]],
    choice: Choice::Some,
};

pub(super) const OBSERVE: Mapping = plain(
    "an observation",
    &[&[
        must("by", &PERSON, "by: arbiter"),
        must("flags", &Shape::Word(names::of::<raw::RawFlags>), "flags: both"),
        may("first", &Shape::Word(names::of::<raw::RawFirst>)),
    ]],
);

pub(super) const CLAIM: Mapping = plain(
    "a claim",
    &[&[
        must("by", &SIDE, "by: black"),
        must("flag", &SIDE, "flag: white"),
        may("basis", &Shape::Word(names::of::<Basis>)),
    ]],
);

pub(super) const FIND: Mapping = Mapping {
    what: "a finding",
    keys: &[&[
        choice("defect", &Shape::Word(names::of::<DefectFinding>)),
        choice("stop", &Shape::Word(names::of::<StopFinding>)),
        choice("setting", &Shape::Word(names::of::<SettingFinding>)),
        choice("turn_over", &Shape::Word(names::of::<TurnOver>)),
        choice("count", &Shape::Map(&MOVES_BY_SIDE)),
        choice("unproven", &SIDE),
        choice("draw_claim", &Shape::Word(names::of::<ClaimFinding>)),
        choice("schedule", &Shape::Word(names::of::<ScheduleFinding>)),
        choice("deliberate", &SIDE),
        choice("position", &Shape::Word(names::of::<SettingFinding>)),
    ]],
    choice: Choice::One("subject"),
};
