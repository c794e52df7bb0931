//! The harness: scenarios in, verdicts out, on any rig.
//!
//! `main.rs` is the command line; everything that it does is here, so that tests can do it too. One case goes
//! [`case::Case::read`] -> [`rig`] -> [`case::Case::judge`]; [`set`] does that for a whole set, of which never more than
//! a few are in memory, [`results`] puts what comes of it on disk, whole or not at all, and [`summary`] counts.

pub mod agreement;
pub mod attach;
pub mod case;
pub mod cli;
pub mod command;
pub mod divergence;
pub mod exit;
pub mod flash_teller;
pub mod flips;
pub mod games;
pub mod held;
pub mod host_clock;
pub mod inputs;
pub mod interrupt;
pub mod lease;
pub mod limit;
pub mod overwrite;
pub mod processor;
pub mod progress;
pub mod protocol;
pub mod requirement;
pub mod results;
pub mod rig;
pub mod selection;
pub mod set;
pub mod summary;
pub mod teller;
pub mod telling;
pub mod terminal;
pub mod what_if;
pub mod whole_folder;
pub mod work;
pub mod written;
