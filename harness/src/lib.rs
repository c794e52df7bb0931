//! The harness: scenarios in, verdicts out, on any rig.
//!
//! `main.rs` is the command line; everything that it does is here, so that tests can do it too. One case goes
//! [`case::Case::read`] -> [`rig`] -> [`case::Case::judge`]; [`set`] does that for a whole set, writes the results whole
//! or not at all, and sums up.

pub mod agreement;
pub mod case;
pub mod cli;
pub mod command;
pub mod exit;
pub mod inputs;
pub mod results;
pub mod rig;
pub mod set;
pub mod summary;
pub mod terminal;
