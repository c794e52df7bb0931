//! The chess clock itself: time and input come in as arguments, effects go out.
//!
//! `no_std`, no allocation, no floating point, no I/O and no clock of its own, so that the simulator in virtual time
//! and the firmware on a board run the same code. What a rulebook makes of a fallen flag is not decided here: a clock
//! knows presses and ticks, not moves and results.
//!
//! ```
//! use flagfall_core::{Bonus, Clock, DeviceTime, Input, Period, Setup, Side, TickRate, TimeControl};
//!
//! let control = TimeControl::new(&[Period::all_moves(60_000, Bonus::Increment { ms: 2_000 })])?;
//! let mut clock = Clock::new(&Setup::new(control), TickRate::new(1_000_000)?);
//! clock.step(DeviceTime::from_ticks(0), Input::ArbiterButton);
//! clock.step(DeviceTime::from_ticks(5_000_000), Input::Press(Side::White));
//! assert_eq!(clock.state().remaining_ticks[Side::White], 59_000_000); // 60 s + 2 s - 5 s + 2 s
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![no_std]

pub mod clock;
pub mod command;
pub mod contract;
pub mod control;
pub mod debounce;
pub mod display;
pub mod kept;
pub mod panel;
pub mod period;
pub mod record;
pub mod setup;
pub mod side;
pub mod time;

pub use clock::{Clock, Effect, Effects, Happening, IgnoredBecause, Input, Phase, State};
pub use control::TimeControl;
pub use debounce::Debouncer;
pub use display::{DisplayFormat, Face, Rounding};
pub use period::{Bonus, Period};
pub use record::Record;
pub use setup::{AtZero, Credit, LateControlMove, Opening, SameTick, SecondPress, Setup, Zero};
pub use side::{BySide, Side};
pub use time::{DeviceTime, TickRate, TrueTime};
