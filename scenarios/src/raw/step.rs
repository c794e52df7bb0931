//! The entries of a timeline but for faults.

use flagfall_core::Side;
use flagfall_trace::hall::{
    Adjust, Answer, Assistant, DrawClaim, DrawRequest, Handle, Place, Presence, Prompt, Recorder, Write,
};
use flagfall_trace::plan::{
    Basis, ClaimFinding, DefectFinding, Person, ScheduleFinding, SettingFinding, StopFinding, StopMeans, StopReason,
    TurnOver,
};
use serde::Deserialize;

use super::{
    RawBySide, RawCatchUp, RawComplain, RawFaces, RawFault, RawInstalled, RawPenalty, RawRestore, RawSheet, RawTouch,
    RawVerify, ScalarOr,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawStep {
    pub(crate) at: String,
    pub(crate) start: Option<Side>,
    #[serde(rename = "move")]
    pub(crate) made: Option<RawMove>,
    pub(crate) press: Option<ScalarOr<RawPress>>,
    pub(crate) play: Option<RawPlay>,
    pub(crate) pause: Option<RawPause>,
    pub(crate) resume: Option<Person>,
    pub(crate) set: Option<RawSet>,
    pub(crate) swap: Option<String>,
    pub(crate) undo: Option<String>,
    pub(crate) set_up: Option<RawInstalled>,
    pub(crate) battery: Option<RawBattery>,
    pub(crate) arrive: Option<Side>,
    pub(crate) observe: Option<RawObserve>,
    pub(crate) claim: Option<RawClaim>,
    pub(crate) find: Option<RawFind>,
    pub(crate) fault: Option<RawFault>,
    pub(crate) tap: Option<Person>,
    pub(crate) read: Option<RawFaces>,
    pub(crate) touch: Option<RawTouch>,
    pub(crate) handle: Option<Handle>,
    pub(crate) adjust: Option<Adjust>,
    pub(crate) assistant: Option<Assistant>,
    pub(crate) prompt: Option<Prompt>,
    pub(crate) resign: Option<Side>,
    pub(crate) agree: Option<String>,
    pub(crate) complain: Option<RawComplain>,
    pub(crate) place: Option<Place>,
    pub(crate) open_round: Option<String>,
    pub(crate) excuse: Option<Side>,
    pub(crate) allocate: Option<RawBySide<String>>,
    pub(crate) replace: Option<RawBySide<String>>,
    pub(crate) write: Option<Write>,
    pub(crate) stop_writing: Option<Side>,
    pub(crate) sheets: Option<RawBySide<RawSheet>>,
    pub(crate) catch_up: Option<RawCatchUp>,
    pub(crate) put_off: Option<String>,
    pub(crate) offer_draw: Option<Side>,
    pub(crate) record_by: Option<Recorder>,
    pub(crate) verify: Option<RawVerify>,
    pub(crate) restore: Option<RawRestore>,
    pub(crate) claim_draw: Option<DrawClaim>,
    pub(crate) request_draw: Option<DrawRequest>,
    pub(crate) ask_increment: Option<Side>,
    pub(crate) decide: Option<Answer>,
    pub(crate) penalise: Option<RawPenalty>,
    pub(crate) adjourn: Option<String>,
    pub(crate) seal: Option<Side>,
    pub(crate) change_sealed: Option<Side>,
    pub(crate) resumption: Option<Presence>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawMove {
    pub(crate) side: Side,
    pub(crate) san: String,
    pub(crate) press: RawPressed,
    pub(crate) press_after: Option<String>,
}

/// Whether and how a move is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawPressed {
    SameHand,
    OtherHand,
    Yes,
    No,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPress {
    pub(crate) side: Side,
    pub(crate) hand: Option<RawHand>,
    pub(crate) wave: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawHand {
    SameHand,
    OtherHand,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPlay {
    pub(crate) moves: String,
    pub(crate) think: ScalarOr<RawRange>,
    pub(crate) times: Option<u16>,
    pub(crate) forget_press: Option<RawForgetPress>,
    pub(crate) pause: Option<RawPlayPause>,
}

/// Presses that players forget until they notice.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawForgetPress {
    pub(crate) one_in: u32,
    pub(crate) notice_after: ScalarOr<RawRange>,
}

/// Stops of the clocks while somebody thinks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPlayPause {
    pub(crate) by: Person,
    pub(crate) one_in: u32,
    #[serde(rename = "for")]
    pub(crate) duration: ScalarOr<RawRange>,
    pub(crate) reason: Option<StopReason>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRange {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) shape: Option<RawThinkShape>,
}

/// How thinking times are spread over their range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawThinkShape {
    #[default]
    Even,
    MostlyShort,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPause {
    pub(crate) by: Person,
    pub(crate) reason: StopReason,
    pub(crate) how: Option<StopMeans>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSet {
    pub(crate) left: Option<RawBySide<String>>,
    pub(crate) moves: Option<RawBySide<u16>>,
    pub(crate) period: Option<RawBySide<u8>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawObserve {
    pub(crate) by: Person,
    pub(crate) flags: RawFlags,
    pub(crate) first: Option<RawFirst>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawFlags {
    Both,
    White,
    Black,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawFirst {
    White,
    Black,
    Unknown,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawClaim {
    pub(crate) by: Side,
    pub(crate) flag: Side,
    pub(crate) basis: Option<Basis>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFind {
    pub(crate) defect: Option<DefectFinding>,
    pub(crate) stop: Option<StopFinding>,
    pub(crate) setting: Option<SettingFinding>,
    pub(crate) turn_over: Option<TurnOver>,
    pub(crate) count: Option<RawBySide<u16>>,
    pub(crate) unproven: Option<Side>,
    pub(crate) draw_claim: Option<ClaimFinding>,
    pub(crate) schedule: Option<ScheduleFinding>,
    pub(crate) deliberate: Option<Side>,
    pub(crate) position: Option<SettingFinding>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawBattery {
    Low,
    Good,
}
