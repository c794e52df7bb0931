//! Rule points: the questions that a rulebook may answer, by letter and number of the catalogue.

use std::fmt;
use std::str::FromStr;

/// A question that a rulebook answers, leaves open, or does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// Does the press complete the move?
    B1,
    /// Is a move that ends the game complete without a press?
    B2,
    /// Does the next move complete a move that was not pressed?
    B3,
    /// What if the flag falls before the press of the last move of a period?
    B6,
    /// Is time saved in one period carried into the next?
    C3,
    /// How does a delay run, and what is left of it?
    C4,
    /// Who starts White's clock, and when?
    D1,
    /// What if a player arrives after the default time?
    D3,
    /// Who bears the time when both are absent at the start?
    D4,
    /// When does a flag count as fallen?
    E2,
    /// What if the moves were not made in time?
    F1,
    /// What if the opponent cannot mate?
    F3,
    /// Is the clock's indication conclusive?
    G1,
    /// Both flags down, order unknown, not the last period.
    H1,
    /// Both flags down, order unknown, last period.
    H2,
    /// What if a player stops the clocks without a valid reason?
    I4,
}

impl Point {
    /// All points, in the order of the catalogue.
    pub const ALL: [Self; 16] = [
        Self::B1,
        Self::B2,
        Self::B3,
        Self::B6,
        Self::C3,
        Self::C4,
        Self::D1,
        Self::D3,
        Self::D4,
        Self::E2,
        Self::F1,
        Self::F3,
        Self::G1,
        Self::H1,
        Self::H2,
        Self::I4,
    ];

    /// The letter and number: `H2`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::B1 => "B1",
            Self::B2 => "B2",
            Self::B3 => "B3",
            Self::B6 => "B6",
            Self::C3 => "C3",
            Self::C4 => "C4",
            Self::D1 => "D1",
            Self::D3 => "D3",
            Self::D4 => "D4",
            Self::E2 => "E2",
            Self::F1 => "F1",
            Self::F3 => "F3",
            Self::G1 => "G1",
            Self::H1 => "H1",
            Self::H2 => "H2",
            Self::I4 => "I4",
        }
    }

    /// The question in a few words, for reports.
    #[must_use]
    pub const fn question(self) -> &'static str {
        match self {
            Self::B1 => "the press completes the move",
            Self::B2 => "a move that ends the game needs no press",
            Self::B3 => "the next move completes an unpressed one",
            Self::B6 => "last move of a period unpressed when the flag falls",
            Self::C3 => "saved time carries over",
            Self::C4 => "delay runs first and is not saved",
            Self::D1 => "White's clock is started at the fixed time",
            Self::D3 => "arrival after the default time",
            Self::D4 => "both absent at the start",
            Self::E2 => "when a flag counts as fallen",
            Self::F1 => "not enough moves in time",
            Self::F3 => "the opponent cannot mate",
            Self::G1 => "the clock's indication is conclusive",
            Self::H1 => "both flags down, order unknown, not the last period",
            Self::H2 => "both flags down, order unknown, last period",
            Self::I4 => "clocks stopped without a valid reason",
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no rule point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such rule point")]
pub struct PointError;

impl FromStr for Point {
    type Err = PointError;

    fn from_str(text: &str) -> Result<Self, PointError> {
        Self::ALL.into_iter().find(|point| point.name() == text).ok_or(PointError)
    }
}
