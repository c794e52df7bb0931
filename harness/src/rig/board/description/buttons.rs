//! The input lines of the buttons.

use flagfall_core::{BySide, Side};
use serde::Deserialize;

use super::field::Misfit;

/// The input line of each button, 0 to 15; a contact pulls its pin low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buttons {
    /// The players'.
    pub players: BySide<u32>,
    /// The arbiter's.
    pub arbiter: u32,
}

impl Buttons {
    /// All three.
    #[must_use]
    pub fn all(&self) -> [u32; 3] {
        [self.players[Side::White], self.players[Side::Black], self.arbiter]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawButtons {
    white: u32,
    black: u32,
    arbiter: u32,
}

impl RawButtons {
    /// The lines, which `field` holds.
    pub(super) fn checked(&self, field: &str) -> Result<Buttons, Misfit> {
        let Self { white, black, arbiter } = *self;
        if [white, black, arbiter].iter().any(|line| *line > 15) {
            return Err(Misfit::new(field, "a line is 0 to 15"));
        }
        if white == black || white == arbiter || black == arbiter {
            return Err(Misfit::new(field, "three buttons are on three lines"));
        }
        Ok(Buttons { players: BySide::new(white, black), arbiter })
    }
}
