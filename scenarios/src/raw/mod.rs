//! The scenario file as serde reads it: every value as it is written, none of them understood yet.
//!
//! These structs and the table of keys ([`crate::language`]) say the same; a test holds them together.

mod faces;
mod fault;
mod forms;
mod hall;
mod ruling;
mod setup;
mod step;

use std::collections::BTreeMap;

use flagfall_trace::plan::GameClass;
use serde::Deserialize;

use crate::oscillator::RawOscillator;

pub(crate) use self::faces::*;
pub(crate) use self::fault::*;
pub(crate) use self::forms::*;
pub(crate) use self::hall::*;
pub(crate) use self::ruling::*;
pub(crate) use self::setup::*;
pub(crate) use self::step::*;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawScenario {
    pub(crate) scenario: String,
    pub(crate) points: Vec<String>,
    pub(crate) purpose: Option<String>,
    #[serde(default)]
    pub(crate) requirements: Vec<String>,
    #[serde(default)]
    pub(crate) sources: BTreeMap<String, String>,
    pub(crate) regulations: Option<RawRegulations>,
    pub(crate) seed: Option<u64>,
    pub(crate) tick_hz: Option<u32>,
    pub(crate) oscillator: Option<RawOscillator>,
    pub(crate) control: ScalarOr<RawControl>,
    pub(crate) opening: Option<RawOpening>,
    pub(crate) wrong_setting: Option<RawWrongSetting>,
    pub(crate) timeline: Vec<RawStep>,
    pub(crate) end: Option<String>,
    #[serde(default)]
    pub(crate) expect: Vec<RawFaces>,
    pub(crate) clock: Option<ScalarOr<RawClock>>,
    #[serde(default)]
    pub(crate) rulings: BTreeMap<String, OneOrMany<ScalarOr<RawRuling>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRegulations {
    pub(crate) class: Option<GameClass>,
    pub(crate) default_time: Option<String>,
    pub(crate) supervised: Option<bool>,
    pub(crate) draw_request: Option<bool>,
}
