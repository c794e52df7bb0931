//! Pages, plots and text from run records and traces; the only room with floating-point numbers.
//!
//! Everything is read from a folder of results: `results.jsonl` with one [`flagfall_trace::RunRecord`] a line, and the
//! traces that the records name; beside them `requirements.json` says what was asked of the clock, and `rulebooks.json` what
//! the rulebooks say that ruled. Nothing is judged here and nothing is measured again: what a report says stands in those
//! files. Reports hold no dates, need no network and no fonts, and are the same bytes for the same files.
//!
//! [`statistics`] is about time errors and latencies alone and knows no files.
//!
//! [`write_page`] makes one `index.html` that works from a file and a stick; [`junit()`] makes the XML that continuous
//! integration reads; [`Coverage`] says which requirements are shown on which rig; [`timeline`] tells a trace line by line:
//!
//! ```
//! use flagfall_core::{Bonus, Period, Setup, TickRate, TimeControl, TrueTime};
//! use flagfall_trace::plan::{Act, GameClass, Plan, Regulations, Step};
//! use flagfall_trace::Trace;
//!
//! let plan = Plan {
//!     scenario: "doc/never-started".into(),
//!     seed: 0,
//!     tick_rate: TickRate::MHZ,
//!     setup: Setup::new(TimeControl::new(&[Period::all_moves(60_000, Bonus::None)])?),
//!     clock_kind: flagfall_trace::ClockKind::Digital,
//!     regulations: Regulations { class: Some(GameClass::Blitz), default_time_ms: None, supervised: true, ..Regulations::default() },
//!     position: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
//!     board: false,
//!     device_setup: None,
//!     oscillator: flagfall_trace::OscillatorSpec::default(),
//!     steps: vec![Step { at: TrueTime::ZERO, act: Act::Start }],
//!     end: TrueTime::from_ns(1_000_000_000),
//! };
//! let text = flagfall_reports::timeline::render(&Trace::new(plan, 0, vec![], vec![]), 100, false);
//! assert!(text.contains("Arbiter starts the clock  not carried out"));
//! # Ok::<(), flagfall_core::control::ControlError>(())
//! ```

mod answer;
pub mod baseline;
#[cfg(test)]
#[path = "../tests/bench/mod.rs"]
mod bench;
mod course;
mod coverage;
mod error;
pub mod game;
mod junit;
mod latency;
pub mod matrix;
pub mod measurement;
mod page;
mod pictures;
pub mod plot;
mod quantity;
pub mod questions;
mod report;
mod results;
pub mod statistics;
mod time_error;
pub mod timeline;
mod timing;
mod words;

pub use coverage::{Coverage, CoverageRow, OnRig, State, read_requirements};
pub use error::ReportError;
pub use junit::{junit, junit_of};
pub use page::{write_page, write_report, write_report_with_pictures};
pub use report::{Report, RigReport, RunReport};
pub use results::read_results;
