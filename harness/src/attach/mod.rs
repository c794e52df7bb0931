//! A clock in the terminal: both faces and what happens, live, and keys that press, stop and correct.
//!
//! A [`Session`] is one clock and what was done with it, on the simulator or on a board; the [`Desk`] makes wishes of keys;
//! [`view`] makes lines of both, which a [`Screen`] shows; [`save`] makes a scenario of what was done. Nothing is judged
//! here, and host time only paces what is looked at.

mod desk;
mod digits;
pub mod save;
mod screen;
mod session;
pub mod view;

pub use desk::{Desk, Wish};
pub use screen::{Heard, Screen};
pub use session::{Session, SessionError, nothing_done};
