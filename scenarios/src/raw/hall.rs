//! What people do in the hall, where a value has a unit or is left out; the rest is read as it is traced.

use flagfall_core::Side;
use flagfall_trace::hall::{Finger, Grievance, Help, Players, Sanction};
use serde::Deserialize;

use super::RawSideOrNone;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTouch {
    pub(crate) side: Side,
    pub(crate) how: Finger,
    #[serde(rename = "for")]
    pub(crate) duration: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawComplain {
    pub(crate) by: Side,
    pub(crate) about: Grievance,
    pub(crate) agreed: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSheet {
    pub(crate) shows: Option<u16>,
    pub(crate) missing: Option<u16>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCatchUp {
    pub(crate) by: Players,
    #[serde(rename = "for")]
    pub(crate) duration: String,
    pub(crate) with: Option<Help>,
    pub(crate) objected: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawVerify {
    #[serde(rename = "for")]
    pub(crate) duration: String,
    pub(crate) walk: Option<String>,
    pub(crate) at_fault: Option<RawSideOrNone>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRestore {
    pub(crate) offender: Option<RawSideOrNone>,
    pub(crate) took: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPenalty {
    pub(crate) side: Side,
    pub(crate) how: Sanction,
    pub(crate) by: Option<String>,
}
