//! How a clock is set up.

use flagfall_core::{AtZero, Credit, LateControlMove, Rounding, SameTick, SecondPress, Zero};
use serde::Deserialize;

use super::{RawBySide, ScalarOr};
use crate::dial::RawDial;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawControl {
    pub(crate) periods: Option<ScalarOr<RawBySide<String>>>,
    pub(crate) pgn: Option<String>,
    pub(crate) increment: Option<Credit>,
    pub(crate) at_zero: Option<AtZero>,
    pub(crate) zero: Option<Zero>,
    pub(crate) same_tick: Option<SameTick>,
    pub(crate) late_control_move: Option<LateControlMove>,
    pub(crate) second_press: Option<SecondPress>,
    pub(crate) carry_over: Option<bool>,
    pub(crate) first_fallen_sign: Option<RawSign>,
    pub(crate) rounding: Option<Rounding>,
    pub(crate) tenths_below: Option<String>,
    pub(crate) seconds_below: Option<String>,
    pub(crate) debounce: Option<String>,
    pub(crate) dial: Option<ScalarOr<RawDial>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawSign {
    Shown,
    None,
}

/// Where a game begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOpening {
    pub(crate) position: Option<String>,
    pub(crate) moves: Option<ScalarOr<RawBySide<u16>>>,
    pub(crate) left: Option<RawBySide<String>>,
    pub(crate) period: Option<RawBySide<u8>>,
}

/// Where the two sides of a clock stand, wherever the game is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawStanding {
    pub(crate) moves: Option<ScalarOr<RawBySide<u16>>>,
    pub(crate) left: Option<RawBySide<String>>,
    pub(crate) period: Option<RawBySide<u8>>,
}

/// A setting that is installed in the middle of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawInstalled {
    pub(crate) control: ScalarOr<RawControl>,
    pub(crate) opening: Option<RawStanding>,
}

/// What the clock is really set to; what is not given is as it should be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawWrongSetting {
    pub(crate) control: Option<ScalarOr<RawControl>>,
    pub(crate) opening: Option<RawStanding>,
}
