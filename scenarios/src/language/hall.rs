//! What people do in the hall: verbs of a step.

use flagfall_trace::hall::{
    Answer, DrawGround, Edge, Entry, Finger, Grievance, Handling, Help, Inability, Players, Presence, Recorder,
    RequestGround, Sanction, Speaker, Topic,
};

use super::forms::{MOVES, PERSON, SIDE, SIDE_OR_NONE, TEXT_BY_SIDE, by_side, plain};
use super::step::ARBITER;
use crate::names;
use crate::shape::{Choice, Key, Mapping, Shape, choice, may, must};

pub(super) const VERBS: [Key; 31] = [
    choice("touch", &Shape::Map(&TOUCH)),
    choice("handle", &Shape::Map(&HANDLE)),
    choice("adjust", &Shape::Map(&ADJUST)),
    choice("assistant", &Shape::Map(&ASSISTANT)),
    choice("prompt", &Shape::Map(&PROMPT)),
    choice("resign", &SIDE),
    choice("agree", &Shape::Word(|| &["draw"])),
    choice("complain", &Shape::Map(&COMPLAIN)),
    choice("place", &Shape::Map(&PLACE)),
    choice("open_round", &ARBITER),
    choice("excuse", &SIDE),
    choice("allocate", &Shape::Map(&TEXT_BY_SIDE)),
    choice("replace", &Shape::Map(&TEXT_BY_SIDE)),
    choice("write", &Shape::Map(&WRITE)),
    choice("stop_writing", &SIDE),
    choice("sheets", &Shape::Map(&SHEETS)),
    choice("catch_up", &Shape::Map(&CATCH_UP)),
    choice("put_off", &ARBITER),
    choice("offer_draw", &SIDE),
    choice("record_by", &Shape::Word(names::of::<Recorder>)),
    choice("verify", &Shape::Map(&VERIFY)),
    choice("restore", &Shape::Map(&RESTORE)),
    choice("claim_draw", &Shape::Map(&CLAIM_DRAW)),
    choice("request_draw", &Shape::Map(&REQUEST_DRAW)),
    choice("ask_increment", &SIDE),
    choice("decide", &Shape::Word(names::of::<Answer>)),
    choice("penalise", &Shape::Map(&PENALISE)),
    choice("adjourn", &ARBITER),
    choice("seal", &SIDE),
    choice("change_sealed", &SIDE),
    choice("resumption", &Shape::Word(names::of::<Presence>)),
];

const MUST_SIDE: Key = must("side", &SIDE, "side: white");

pub(super) const TOUCH: Mapping = plain(
    "`touch`",
    &[&[
        MUST_SIDE,
        must("how", &Shape::Word(names::of::<Finger>), "how: on-button"),
        must("for", &Shape::Text, "for: 3s"),
    ]],
);

pub(super) const HANDLE: Mapping =
    plain("`handle`", &[&[MUST_SIDE, must("how", &Shape::Word(names::of::<Handling>), "how: lift")]]);

pub(super) const ADJUST: Mapping =
    plain("`adjust`", &[&[MUST_SIDE, must("announced", &Shape::Truth, "announced: true")]]);

pub(super) const ASSISTANT: Mapping = plain(
    "`assistant`",
    &[&[
        MUST_SIDE,
        must("reason", &Shape::Word(names::of::<Inability>), "reason: disability"),
        must("accepted", &Shape::Truth, "accepted: true"),
    ]],
);

pub(super) const PROMPT: Mapping = plain(
    "`prompt`",
    &[&[
        must("by", &Shape::Word(names::of::<Speaker>), "by: bystander"),
        must("to", &SIDE, "to: white"),
        must("about", &Shape::Word(names::of::<Topic>), "about: press"),
    ]],
);

pub(super) const COMPLAIN: Mapping = plain(
    "`complain`",
    &[&[
        must("by", &SIDE, "by: white"),
        must("about", &Shape::Word(names::of::<Grievance>), "about: setting"),
        may("agreed", &Shape::Truth),
    ]],
);

pub(super) const PLACE: Mapping = plain(
    "`place`",
    &[&[must("by", &PERSON, "by: arbiter"), must("at", &Shape::Word(names::of::<Edge>), "at: whites-left")]],
);

pub(super) const WRITE: Mapping =
    plain("`write`", &[&[MUST_SIDE, must("what", &Shape::Word(names::of::<Entry>), "what: own-move")]]);

pub(super) const SHEETS: Mapping =
    by_side(&[&[choice("white", &Shape::Map(&SHEET)), choice("black", &Shape::Map(&SHEET))]]);

pub(super) const SHEET: Mapping = Mapping {
    what: "a scoresheet",
    keys: &[&[choice("shows", &MOVES), choice("missing", &MOVES)]],
    choice: Choice::Some,
};

pub(super) const CATCH_UP: Mapping = plain(
    "`catch_up`",
    &[&[
        must("by", &Shape::Word(names::of::<Players>), "by: both"),
        must("for", &Shape::Text, "for: 8m"),
        may("with", &Shape::Word(names::of::<Help>)),
        may("objected", &Shape::Truth),
    ]],
);

pub(super) const VERIFY: Mapping = plain(
    "`verify`",
    &[&[must("for", &Shape::Text, "for: 3m"), may("walk", &Shape::Text), may("at_fault", &SIDE_OR_NONE)]],
);

pub(super) const RESTORE: Mapping =
    plain("`restore`", &[&[may("offender", &SIDE_OR_NONE), must("took", &Shape::Text, "took: 4m")]]);

pub(super) const CLAIM_DRAW: Mapping = plain(
    "`claim_draw`",
    &[&[must("by", &SIDE, "by: white"), must("ground", &Shape::Word(names::of::<DrawGround>), "ground: threefold")]],
);

pub(super) const REQUEST_DRAW: Mapping = plain(
    "`request_draw`",
    &[&[
        must("by", &SIDE, "by: white"),
        must("ground", &Shape::Word(names::of::<RequestGround>), "ground: not-trying"),
    ]],
);

pub(super) const PENALISE: Mapping = plain(
    "`penalise`",
    &[&[MUST_SIDE, must("how", &Shape::Word(names::of::<Sanction>), "how: more-time"), may("by", &Shape::Text)]],
);
