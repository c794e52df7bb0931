//! Virtual time: a clock under test on a simulated oscillator, or an analogue one with hands and flags, pressed by a
//! plan, disturbed by faults.
//!
//! Everything is integer arithmetic and one queue with a total order; the same plan gives the same trace on every
//! machine. A two-hour game takes as long as its presses, not as its hours.
//!
//! ```
//! use flagfall_core::{Bonus, BySide, Period, Setup, Side, TickRate, TimeControl, TrueTime};
//! use flagfall_trace::OscillatorSpec;
//! use flagfall_trace::plan::{Act, GameClass, Hand, Plan, Regulations, Step};
//!
//! let at = |s: i64| TrueTime::from_ns(s * 1_000_000_000);
//! let plan = Plan {
//!     scenario: "doc/example".into(),
//!     seed: 0,
//!     tick_rate: TickRate::MHZ,
//!     setup: Setup::new(TimeControl::new(&[Period::all_moves(60_000, Bonus::None)])?),
//!     clock_kind: flagfall_trace::ClockKind::Digital,
//!     regulations: Regulations { class: Some(GameClass::Blitz), default_time_ms: None, supervised: true, ..Regulations::default() },
//!     position: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
//!     board: false,
//!     device_setup: None,
//!     oscillator: OscillatorSpec::default(),
//!     steps: vec![
//!         Step { at: at(0), act: Act::Start },
//!         Step { at: at(7), act: Act::Press { side: Side::White, hand: Hand::Same } },
//!     ],
//!     end: at(100),
//! };
//! let trace = flagfall_sim::run(&plan, &flagfall_sim::Budget::default())?;
//! let fall = trace.records.last().expect("Black's flag falls after 67 s");
//! assert_eq!((fall.true_time, fall.record.fallen), (at(67), BySide::new(false, true)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analogue;
mod device;
pub mod oscillator;
pub mod queue;
pub mod wander;
mod world;

pub use world::{Budget, RunError, run};
