//! Who is right: an oracle for the clock, an arbiter for the game.
//!
//! The [`oracle`] computes what an exact clock would have shown at the instants that were achieved and says where the
//! clock under test was wrong, and by how much more than the bench can explain. It never looks at
//! `flagfall_core::clock`. The arbiter takes the facts of a plan and its trace and rules under a rulebook: with article,
//! strength, and the evidence used and refused. A wrong ruling never paints the clock red.

pub mod expectation;
pub mod oracle;
pub mod point;
pub mod ruling;

pub use expectation::{ClockExpectation, Expectation, Expected, Wrong};
pub use point::Point;
pub use ruling::{Decision, ExpectedDecision, ExpectedRuling, GameResult, Outcome, Ruling, Strength};
