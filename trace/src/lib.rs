//! What was to happen and what did.
//!
//! A [`Plan`] is a scenario with every instant known; a rig carries it out and gives back a [`Trace`]: when each step
//! was achieved in true time, and the [`flagfall_core::Record`]s that the device wrote. A trace is hashed
//! ([`Trace::hash`]), written to a file whole or not at all, and compared with another ([`difference::first`]). The
//! last word on a scenario is a [`RunRecord`], one line of `results.jsonl`.
//!
//! Only facts stand here. What a rulebook makes of them is the judge's.

pub mod bench_record;
pub mod dial;
pub mod difference;
pub mod draw;
mod fault;
pub mod hall;
pub mod oscillator;
mod panel;
mod placed;
pub mod plan;
mod regular;
pub mod requirement;
pub mod rulebook_row;
pub mod run_record;
pub mod trace;
mod wire;

pub use bench_record::BenchRecord;
pub use dial::{ClockKind, DialFault, DialSetup};
pub use hall::Hall;
pub use oscillator::OscillatorSpec;
pub use panel::{Displayed, Misshown};
pub use placed::Placed;
pub use plan::{Act, Anchor, Draft, Fault, Plan, Retained, Step, When};
pub use regular::open_regular;
pub use requirement::RequirementRow;
pub use rulebook_row::{EntryRow, RulebookRow};
pub use run_record::{Check, Margin, Retried, RulingRow, RunRecord, Subject, Verdict};
pub use trace::{Achieved, Jump, Reset, SetHash, Stamped, Trace, TraceFileError, TraceHash};
