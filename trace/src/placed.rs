//! Where in a tick of the device a press came.

use serde::{Deserialize, Serialize};

/// A press that was put anywhere in a tick of the device.
///
/// A press that always comes at the same place of a tick always takes the same number of ticks, however long it really takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// Index into the plan's steps.
    pub step: u32,
    /// Its part of a tick, in 65 536ths from the beginning.
    pub part: u16,
    /// Whether that was read from the device. Otherwise it was drawn, and added to what nobody knows and is always the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read: bool,
}
