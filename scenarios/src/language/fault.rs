//! What goes wrong with the clock under test.

use flagfall_trace::plan::Retained;

use super::forms::{SIDE, plain};
use crate::dial::DIAL_FAULT;
use crate::names;
use crate::shape::{Choice, Mapping, Shape, choice, must};

/// The largest number of ticks that are lost or doubled at a time.
const TICKS: Shape = Shape::Whole(u32::MAX as u64);

/// A fault that needs nothing said, or a kind with what it needs.
pub(super) const FAULT_OR_WORD: Shape = Shape::ScalarOr(&Shape::Word(|| &["first-fallen-wrong"]), &Shape::Map(&FAULT));

pub(super) const FAULT: Mapping = Mapping {
    what: "a fault",
    keys: &[&[
        choice("stuck", &Shape::Map(&STUCK)),
        choice("jump", &Shape::Map(&JUMP)),
        choice("rate", &Shape::Map(&RATE)),
        choice("ticks", &Shape::Map(&TICKS_FAULT)),
        choice("both-run", &Shape::Map(&BOTH_RUN)),
        choice("none-runs", &Shape::Map(&NONE_RUNS)),
        choice("reset", &Shape::Map(&RESET)),
        choice("lost-press", &SIDE),
        choice("double-press", &SIDE),
        choice("lost-bonus", &SIDE),
        choice("double-bonus", &SIDE),
        choice("rounding", &Shape::Map(&ROUNDING)),
        choice("flag-early", &Shape::Map(&FLAG_EARLY)),
        choice("flag-late", &Shape::Map(&FLAG_LATE)),
        choice("flag-sticky", &SIDE),
        choice("display-frozen", &Shape::Map(&DISPLAY_FROZEN)),
        choice("display-late", &Shape::Map(&DISPLAY_LATE)),
        choice("dial", &Shape::Map(&DIAL_FAULT)),
    ]],
    choice: Choice::One("kind"),
};

pub(super) const STUCK: Mapping = plain("`stuck`", &[&[must("for", &Shape::Text, "for: 5s")]]);
pub(super) const JUMP: Mapping = plain("`jump`", &[&[must("by", &Shape::Text, "by: -3s")]]);
pub(super) const RATE: Mapping =
    plain("`rate`", &[&[must("offset", &Shape::Text, "offset: +500ppm"), must("for", &Shape::Text, "for: 10m")]]);

pub(super) const TICKS_FAULT: Mapping = Mapping {
    what: "`ticks`",
    keys: &[
        &[choice("lost", &TICKS), choice("doubled", &TICKS)],
        &[must("every", &Shape::Text, "every: 10ms"), must("for", &Shape::Text, "for: 5m")],
    ],
    choice: Choice::One("number"),
};

pub(super) const BOTH_RUN: Mapping = plain("`both-run`", &[&[must("for", &Shape::Text, "for: 5s")]]);
pub(super) const NONE_RUNS: Mapping = plain("`none-runs`", &[&[must("for", &Shape::Text, "for: 5s")]]);
pub(super) const RESET: Mapping = plain(
    "`reset`",
    &[&[
        must("off", &Shape::Text, "off: 2s"),
        must("retained", &Shape::Word(names::of::<Retained>), "retained: everything"),
    ]],
);
pub(super) const ROUNDING: Mapping = plain("`rounding`", &[&[must("to", &Shape::Text, "to: 1s")]]);
pub(super) const FLAG_EARLY: Mapping =
    plain("`flag-early`", &[&[must("side", &SIDE, "side: white"), must("by", &Shape::Text, "by: 2s")]]);
pub(super) const FLAG_LATE: Mapping =
    plain("`flag-late`", &[&[must("side", &SIDE, "side: white"), must("by", &Shape::Text, "by: 2s")]]);
pub(super) const DISPLAY_FROZEN: Mapping = plain("`display-frozen`", &[&[must("for", &Shape::Text, "for: 5s")]]);
pub(super) const DISPLAY_LATE: Mapping =
    plain("`display-late`", &[&[must("by", &Shape::Text, "by: 500ms"), must("for", &Shape::Text, "for: 5s")]]);
