//! Rule points: the questions of the catalogue, by letter and number.
//!
//! A rulebook answers each, leaves it open, or says why nothing can be decided. What can be answered is declared in
//! [`crate::value`]; some points only say what a word means or are asked of the clock alone.

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
    /// Must the hand that moved press?
    B8,
    /// What does a finger on the button do?
    B9,
    /// What if the button is hit with force?
    B10,
    /// What if the clock is picked up?
    B11,
    /// What if the clock is knocked over, or knocked on?
    B12,
    /// Who may adjust pieces on their squares?
    B13,
    /// What if an assistant presses for a player?
    B14,
    /// May anybody tell a player that he has not pressed, that a flag is down, or how many moves were made?
    B15,
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
    /// How late may a player come?
    D2,
    /// What if a player arrives after the default time?
    D3,
    /// Who bears the time when both are absent at the start?
    D4,
    /// What if both are absent and the default time is zero?
    D5,
    /// Who decides at which side of the board the clock stands?
    D6,
    /// Is a complaint heard that could have been made before the first move?
    D7,
    /// Are the moves counted at once when a flag falls?
    E1,
    /// When does a flag count as fallen?
    E2,
    /// Who may call a flag in a fast game that no arbiter watches?
    E3,
    /// Must the player who claims a flag have time left?
    E4,
    /// Who has to prove how many moves were made?
    E5,
    /// Is a claim heard that rests on a screen or a counter alone?
    E6,
    /// What of a counter that missed a press?
    E7,
    /// Should the arbiter be there when a flag falls?
    E8,
    /// What if the moves were not made in time?
    F1,
    /// What if the game was over before the flag counted?
    F2,
    /// What if the opponent cannot mate?
    F3,
    /// What if nobody can tell whether mate or the flag came first?
    F4,
    /// What if the flag falls in the instant of the press?
    F5,
    /// Is the clock's indication conclusive?
    G1,
    /// Is a complaint about the flag heard after it has fallen?
    G2,
    /// How does a clock take the times that the arbiter finds right?
    G3,
    /// How little time may the arbiter leave a player?
    G4,
    /// What may the arbiter go by when the clock shows nothing?
    G5,
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
    /// Does more used time prove whose flag fell first?
    H3,
    /// Does an interruption stop both sides, and keep everything?
    I1,
    /// For what may a player stop the clocks?
    I2,
    /// Does play go on only when the arbiter says so?
    I3,
    /// What if a player stops the clocks without a valid reason?
    I4,
    /// May the clocks be stopped by starting the opponent's side?
    I5,
    /// Which penalties may the arbiter impose?
    I6,
    /// May a player short of time ask for a draw because nobody plays to win?
    J1,
    /// What if the arbiter accepts the request?
    J2,
    /// What if the arbiter puts his decision off?
    J3,
    /// What if the arbiter rejects the request?
    J4,
    /// May the request be made in blitz?
    J5,
    /// May a player ask for an increment instead?
    J6,
    /// Does the claimant's clock run while his claim of a draw is checked?
    J7,
    /// Must a player write his move before he makes the next?
    K1,
    /// May a move be written before it is made?
    K2,
    /// May a player reply before he writes the opponent's move?
    K3,
    /// Are draw offers and the result written down?
    K4,
    /// When need a player not write any more?
    K5,
    /// Who writes when neither player does?
    K6,
    /// On whose time is one scoresheet brought up to date?
    K7,
    /// On whose time are both scoresheets brought up to date?
    K8,
    /// Who bears the time of a verification?
    K9,
    /// Is there a duty to write in rapid and blitz games?
    K10,
    /// Must the moves be written down?
    K11,
    /// Whose scoresheet may be used to catch up?
    K12,
    /// May catching up be put off to the end of the game?
    K13,
    /// Who stops the clock after a move is sealed, and can it still be changed?
    L1,
    /// Who opens the envelope, and whose clock runs then?
    L2,
    /// What if the player who must reply is absent at the resumption?
    L3,
}

/// Each point with its name and its question in a few words, in the order of the catalogue.
const TABLE: [(Point, &str, &str); 89] = [
    (Point::A1, "A1", "at most one side runs"),
    (Point::A2, "A2", "each side's display shows its own time"),
    (Point::A3, "A3", "a flag falls when its time is used up"),
    (Point::A4, "A4", "digits and hands keep the same time"),
    (Point::B1, "B1", "the press completes the move"),
    (Point::B2, "B2", "a move that ends the game needs no press"),
    (Point::B3, "B3", "the next move completes an unpressed one"),
    (Point::B4, "B4", "a press after the reply is honoured"),
    (Point::B5, "B5", "the time between move and press is the mover's"),
    (Point::B6, "B6", "last move of a period unpressed when the flag falls"),
    (Point::B7, "B7", "a press before the move"),
    (Point::B8, "B8", "the hand that presses"),
    (Point::B9, "B9", "a finger on the button"),
    (Point::B10, "B10", "force at the clock"),
    (Point::B11, "B11", "the clock is picked up"),
    (Point::B12, "B12", "the clock is knocked"),
    (Point::B13, "B13", "who adjusts the pieces"),
    (Point::B14, "B14", "an assistant presses"),
    (Point::B15, "B15", "a player is told of a press, a flag or the count"),
    (Point::B16, "B16", "a held button and the press of the other side"),
    (Point::C1, "C1", "what ends a period"),
    (Point::C2, "C2", "extra time per move"),
    (Point::C3, "C3", "saved time carries over"),
    (Point::C4, "C4", "delay runs first and is not saved"),
    (Point::C5, "C5", "targets add up"),
    (Point::C6, "C6", "the first control of a dial ends at six"),
    (Point::C7, "C7", "a flag still up from the setting of a dial"),
    (Point::D1, "D1", "White's clock is started at the fixed time"),
    (Point::D2, "D2", "the default time"),
    (Point::D3, "D3", "arrival after the default time"),
    (Point::D4, "D4", "both absent at the start"),
    (Point::D5, "D5", "both absent, and none may be late"),
    (Point::D6, "D6", "where the clock stands"),
    (Point::D7, "D7", "complaints after the game has begun"),
    (Point::E1, "E1", "the moves are counted when a flag falls"),
    (Point::E2, "E2", "when a flag counts as fallen"),
    (Point::E3, "E3", "who may call a flag where nobody watches"),
    (Point::E4, "E4", "the claimant's own time"),
    (Point::E5, "E5", "who proves the moves"),
    (Point::E6, "E6", "claims on screens and counters"),
    (Point::E7, "E7", "the counter may have missed a press"),
    (Point::E8, "E8", "the arbiter watches the flags"),
    (Point::F1, "F1", "not enough moves in time"),
    (Point::F2, "F2", "a result before the flag"),
    (Point::F3, "F3", "the opponent cannot mate"),
    (Point::F4, "F4", "mate or flag first"),
    (Point::F5, "F5", "press and flag at one instant"),
    (Point::G1, "G1", "the clock's indication is conclusive"),
    (Point::G2, "G2", "a complaint about the flag after its fall"),
    (Point::G3, "G3", "times set after a defect"),
    (Point::G4, "G4", "the least time that is set"),
    (Point::G5, "G5", "times written on the scoresheets"),
    (Point::G6, "G6", "used times add up"),
    (Point::G7, "G7", "faults of a dial"),
    (Point::G8, "G8", "a wrong setting found in mid-game"),
    (Point::G9, "G9", "a position is restored"),
    (Point::G10, "G10", "corrections are quick and can be taken back"),
    (Point::H1, "H1", "both flags down, order unknown, not the last period"),
    (Point::H2, "H2", "both flags down, order unknown, last period"),
    (Point::H3, "H3", "more used time as proof of the order"),
    (Point::I1, "I1", "an interruption stops both clocks"),
    (Point::I2, "I2", "a player stops the clocks for the arbiter"),
    (Point::I3, "I3", "only the arbiter restarts play"),
    (Point::I4, "I4", "clocks stopped without a valid reason"),
    (Point::I5, "I5", "stopping by starting the opponent's side"),
    (Point::I6, "I6", "what penalties there are"),
    (Point::J1, "J1", "a draw asked for in the last minutes"),
    (Point::J2, "J2", "the request is accepted"),
    (Point::J3, "J3", "the decision is put off"),
    (Point::J4, "J4", "the request is rejected"),
    (Point::J5, "J5", "no such request in blitz"),
    (Point::J6, "J6", "an increment asked for instead"),
    (Point::J7, "J7", "the claimant's clock while a draw claim is checked"),
    (Point::K1, "K1", "the own move is written before the next"),
    (Point::K2, "K2", "no move is written ahead"),
    (Point::K3, "K3", "a reply before the opponent's move is written"),
    (Point::K4, "K4", "draw offers and results are written"),
    (Point::K5, "K5", "no writing in time trouble"),
    (Point::K6, "K6", "who writes when neither player does"),
    (Point::K7, "K7", "one sheet behind when the flag falls"),
    (Point::K8, "K8", "both sheets behind when the flag falls"),
    (Point::K9, "K9", "time for a verification"),
    (Point::K10, "K10", "no writing in fast games"),
    (Point::K11, "K11", "the moves are written"),
    (Point::K12, "K12", "whose sheet helps to catch up"),
    (Point::K13, "K13", "catching up after the game"),
    (Point::L1, "L1", "a sealed move"),
    (Point::L2, "L2", "the game is resumed"),
    (Point::L3, "L3", "the player who must reply is absent"),
];

impl Point {
    /// All points, in the order of the catalogue.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::A1; TABLE.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = TABLE[index].0;
            index += 1;
        }
        all
    };

    /// The letter of the catalogue under which it stands: `H`.
    #[must_use]
    pub fn letter(self) -> char {
        char::from(self.name().as_bytes()[0])
    }

    /// The letter and number: `H2`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The question in a few words, for reports.
    #[must_use]
    pub const fn question(self) -> &'static str {
        TABLE[self as usize].2
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
        assert!(Point::ALL.is_sorted());
        for (index, point) in Point::ALL.into_iter().enumerate() {
            assert_eq!(point as usize, index);
            assert_eq!(point.name(), format!("{point:?}"));
            assert_eq!(point.name().parse(), Ok(point));
        }
    }
}
