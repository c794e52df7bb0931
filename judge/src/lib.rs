//! Who is right: an oracle for the clock, an arbiter for the game.
//!
//! The [`oracle`] computes what an exact clock would have shown at the instants that were achieved and says where the
//! clock under test was wrong, and by how much more than the bench can explain. It never looks at
//! `flagfall_core::clock`. The arbiter takes the facts of a plan and its trace and rules under a rulebook: with article,
//! strength, and the evidence used and refused. A wrong ruling never paints the clock red.

pub mod arbiter;
mod counts;
pub mod expectation;
pub mod facts;
pub mod forced_win;
pub mod mate;
pub mod oracle;
pub mod point;
pub mod rulebook;
pub mod ruling;
pub mod ruling_check;
pub mod ruling_rows;
pub mod value;

pub use expectation::{ClockExpectation, Expectation, Expected, Wrong};
pub use point::Point;
pub use rulebook::Rulebook;
pub use ruling::{Decision, ExpectedDecision, ExpectedRuling, GameResult, Outcome, Placer, Ruling, Strength};
