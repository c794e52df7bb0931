//! Rule points: the questions of the catalogue, by letter and number.
//!
//! Some are asked of a rulebook, which answers them, leaves them open or does not know them. The others are asked of
//! the clock alone: what a case about one of them expects stands in the case, and no rulebook has an entry for it.

use std::fmt;
use std::str::FromStr;

/// A question that a case can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// Does at most one side run?
    A1,
    /// Does each side's display show that side's time?
    A2,
    /// Does a flag fall when the allotted time is used up?
    A3,
    /// Which kind of clock is it, with digits or with hands?
    A4,
    /// Does the press complete the move?
    B1,
    /// Is a move that ends the game complete without a press?
    B2,
    /// Does the next move complete a move that was not pressed?
    B3,
    /// What does a press do after the opponent has replied?
    B4,
    /// Who bears the time between the move and the press?
    B5,
    /// What if the flag falls before the press of the last move of a period?
    B6,
    /// What does a press do before the move?
    B7,
    /// What does a finger on the button do?
    B9,
    /// What does a button do that is held down?
    B16,
    /// How many moves belong to a period, and what begins the next?
    C1,
    /// What time does a move bring?
    C2,
    /// Is time saved in one period carried into the next?
    C3,
    /// How does a delay run, and what is left of it?
    C4,
    /// Are the targets of periods counted from move 1?
    C5,
    /// At what hour does the first control end on a dial?
    C6,
    /// What of the flag that is still up from the setting of a dial?
    C7,
    /// Who starts White's clock, and when?
    D1,
    /// What if a player arrives after the default time?
    D3,
    /// Who bears the time when both are absent at the start?
    D4,
    /// When does a flag count as fallen?
    E2,
    /// What of a counter that missed a press?
    E7,
    /// What if the moves were not made in time?
    F1,
    /// What if the opponent cannot mate?
    F3,
    /// Is the clock's indication conclusive?
    G1,
    /// How does a clock take the times that the arbiter finds right?
    G3,
    /// Do the times used add up to the time that has passed?
    G6,
    /// What goes wrong with a dial?
    G7,
    /// What of a wrong setting that is found in mid-game?
    G8,
    /// How do times and counters follow a position that is restored?
    G9,
    /// Can times and counters be corrected without delay?
    G10,
    /// Both flags down, order unknown, not the last period.
    H1,
    /// Both flags down, order unknown, last period.
    H2,
    /// Does an interruption stop both sides, and keep everything?
    I1,
    /// Does play go on only when the arbiter says so?
    I3,
    /// What if a player stops the clocks without a valid reason?
    I4,
}

impl Point {
    /// All points, in the order of the catalogue.
    pub const ALL: [Self; 39] = [
        Self::A1,
        Self::A2,
        Self::A3,
        Self::A4,
        Self::B1,
        Self::B2,
        Self::B3,
        Self::B4,
        Self::B5,
        Self::B6,
        Self::B7,
        Self::B9,
        Self::B16,
        Self::C1,
        Self::C2,
        Self::C3,
        Self::C4,
        Self::C5,
        Self::C6,
        Self::C7,
        Self::D1,
        Self::D3,
        Self::D4,
        Self::E2,
        Self::E7,
        Self::F1,
        Self::F3,
        Self::G1,
        Self::G3,
        Self::G6,
        Self::G7,
        Self::G8,
        Self::G9,
        Self::G10,
        Self::H1,
        Self::H2,
        Self::I1,
        Self::I3,
        Self::I4,
    ];

    /// The points that are asked of a rulebook, in the same order.
    pub const RULED: [Self; 16] = [
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

    /// Whether rulebooks have an entry for it.
    #[must_use]
    pub fn is_ruled(self) -> bool {
        Self::RULED.contains(&self)
    }

    /// The letter and number: `H2`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A1 => "A1",
            Self::A2 => "A2",
            Self::A3 => "A3",
            Self::A4 => "A4",
            Self::B1 => "B1",
            Self::B2 => "B2",
            Self::B3 => "B3",
            Self::B4 => "B4",
            Self::B5 => "B5",
            Self::B6 => "B6",
            Self::B7 => "B7",
            Self::B9 => "B9",
            Self::B16 => "B16",
            Self::C1 => "C1",
            Self::C2 => "C2",
            Self::C3 => "C3",
            Self::C4 => "C4",
            Self::C5 => "C5",
            Self::C6 => "C6",
            Self::C7 => "C7",
            Self::D1 => "D1",
            Self::D3 => "D3",
            Self::D4 => "D4",
            Self::E2 => "E2",
            Self::E7 => "E7",
            Self::F1 => "F1",
            Self::F3 => "F3",
            Self::G1 => "G1",
            Self::G3 => "G3",
            Self::G6 => "G6",
            Self::G7 => "G7",
            Self::G8 => "G8",
            Self::G9 => "G9",
            Self::G10 => "G10",
            Self::H1 => "H1",
            Self::H2 => "H2",
            Self::I1 => "I1",
            Self::I3 => "I3",
            Self::I4 => "I4",
        }
    }

    /// The question in a few words, for reports.
    #[must_use]
    pub const fn question(self) -> &'static str {
        match self {
            Self::A1 => "at most one side runs",
            Self::A2 => "each side's display shows its own time",
            Self::A3 => "a flag falls when its time is used up",
            Self::A4 => "digits and hands keep the same time",
            Self::B1 => "the press completes the move",
            Self::B2 => "a move that ends the game needs no press",
            Self::B3 => "the next move completes an unpressed one",
            Self::B4 => "a press after the reply is honoured",
            Self::B5 => "the time between move and press is the mover's",
            Self::B6 => "last move of a period unpressed when the flag falls",
            Self::B7 => "a press before the move",
            Self::B9 => "a finger on the button",
            Self::B16 => "a held button and the press of the other side",
            Self::C1 => "what ends a period",
            Self::C2 => "extra time per move",
            Self::C3 => "saved time carries over",
            Self::C4 => "delay runs first and is not saved",
            Self::C5 => "targets add up",
            Self::C6 => "the first control of a dial ends at six",
            Self::C7 => "a flag still up from the setting of a dial",
            Self::D1 => "White's clock is started at the fixed time",
            Self::D3 => "arrival after the default time",
            Self::D4 => "both absent at the start",
            Self::E2 => "when a flag counts as fallen",
            Self::E7 => "the counter may have missed a press",
            Self::F1 => "not enough moves in time",
            Self::F3 => "the opponent cannot mate",
            Self::G1 => "the clock's indication is conclusive",
            Self::G3 => "times set after a defect",
            Self::G6 => "used times add up",
            Self::G7 => "faults of a dial",
            Self::G8 => "a wrong setting found in mid-game",
            Self::G9 => "a position is restored",
            Self::G10 => "corrections are quick and can be taken back",
            Self::H1 => "both flags down, order unknown, not the last period",
            Self::H2 => "both flags down, order unknown, last period",
            Self::I1 => "an interruption stops both clocks",
            Self::I3 => "only the arbiter restarts play",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_in_the_order_of_the_catalogue_and_have_their_names() {
        assert!(Point::ALL.is_sorted() && Point::RULED.is_sorted());
        for point in Point::ALL {
            assert_eq!(point.name(), format!("{point:?}"));
            assert_eq!(point.name().parse(), Ok(point));
        }
        assert_eq!(Point::ALL.iter().filter(|point| point.is_ruled()).count(), Point::RULED.len());
    }
}
