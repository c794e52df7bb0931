//! What differs from chip to chip: clock tree, time base, sleep, edge detector, serial port, watchdog.
//!
//! A build is for one chip, chosen by a feature, and has that chip's module here. Everything above it is the same.

#[cfg(feature = "f405")]
mod f405;
#[cfg(feature = "l475")]
mod l475;

#[cfg(feature = "f405")]
pub(crate) use f405::{BUS_HZ, Board, ClockTree, Disarmed, chip, detector, timebase, uart, watchdog};
#[cfg(feature = "l475")]
pub(crate) use l475::{BUS_HZ, Board, ClockTree, Disarmed, chip, detector, timebase, uart, watchdog};

#[cfg(all(feature = "f405", feature = "l475"))]
compile_error!("an image is for one chip: choose one of the features f405 and l475");
