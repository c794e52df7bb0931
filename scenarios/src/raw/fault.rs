//! What goes wrong with the clock under test.

use flagfall_core::Side;
use flagfall_trace::plan::Retained;
use serde::Deserialize;

use super::ScalarOr;
use crate::dial::RawDialFault;

/// One word, or a kind with what it needs.
pub(crate) type RawFault = ScalarOr<RawFaultMap>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawFaultMap {
    pub(crate) stuck: Option<RawLasting>,
    pub(crate) jump: Option<RawJump>,
    pub(crate) rate: Option<RawRate>,
    pub(crate) ticks: Option<RawTicks>,
    pub(crate) both_run: Option<RawLasting>,
    pub(crate) none_runs: Option<RawLasting>,
    pub(crate) reset: Option<RawReset>,
    pub(crate) lost_press: Option<Side>,
    pub(crate) double_press: Option<Side>,
    pub(crate) lost_bonus: Option<Side>,
    pub(crate) double_bonus: Option<Side>,
    pub(crate) rounding: Option<RawRounding>,
    pub(crate) flag_early: Option<RawFlagMoved>,
    pub(crate) flag_late: Option<RawFlagMoved>,
    pub(crate) flag_sticky: Option<Side>,
    pub(crate) display_frozen: Option<RawLasting>,
    pub(crate) display_late: Option<RawDisplayLate>,
    pub(crate) dial: Option<RawDialFault>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawLasting {
    #[serde(rename = "for")]
    pub(crate) duration: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawJump {
    pub(crate) by: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRate {
    pub(crate) offset: String,
    #[serde(rename = "for")]
    pub(crate) duration: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTicks {
    pub(crate) lost: Option<u32>,
    pub(crate) doubled: Option<u32>,
    pub(crate) every: String,
    #[serde(rename = "for")]
    pub(crate) duration: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawReset {
    pub(crate) off: String,
    pub(crate) retained: Retained,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRounding {
    pub(crate) to: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFlagMoved {
    pub(crate) side: Side,
    pub(crate) by: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDisplayLate {
    pub(crate) by: String,
    #[serde(rename = "for")]
    pub(crate) duration: String,
}
