//! What the faces must show and what the oracle must find.

use flagfall_core::Side;
use serde::Deserialize;

use super::{RawBattery, RawBySide};

/// What the faces must show.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFaces {
    pub(crate) flags: Option<RawBySide<RawFlag>>,
    pub(crate) shown: Option<RawShown>,
    pub(crate) left: Option<RawBySide<String>>,
    pub(crate) moves: Option<RawBySide<u16>>,
    pub(crate) period: Option<RawBySide<u8>>,
    pub(crate) overtime: Option<RawBySide<u16>>,
    pub(crate) running: Option<RawSideOrNone>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawFlag {
    Fallen,
    Up,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawShown {
    pub(crate) first_fallen: Option<RawSideOrNone>,
    pub(crate) white: Option<String>,
    pub(crate) black: Option<String>,
    pub(crate) delay: Option<String>,
    pub(crate) battery: Option<RawBattery>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawSideOrNone {
    White,
    Black,
    None,
}

impl RawSideOrNone {
    pub(crate) const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            Self::None => None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawClock {
    pub(crate) wrong: Vec<String>,
    pub(crate) from: Option<String>,
}
