//! An analogue clock in virtual time: two movements, two dials with flags, a lever between them.
//!
//! Read CBX rules 61, 62, 68 and 69 and the commentary on FIDE Laws 6.10a first. What is modelled is where the hands
//! stand and what they do to the flags; what is not: friction, the force of a press, the sound of a drop. Hands stand on
//! a dial of twelve hours, but are followed beyond them, in ticks from six o'clock at the end of the first control.
//!
//! Decisions at the edges:
//! - the flag drops in the tick in which the hand reaches twelve, and a press at that instant comes after it;
//! - a button that is down already moves nothing; any other press starts the opponent, even on a stopped clock, because
//!   that is what a lever does;
//! - the clock knows of no moves: the control that its hands are taken for is the one that they were set for, and the
//!   next one once they have passed its end. A flag that falls at the end of one is down until it is lifted again;
//! - a correction gives time to the end of that control, but of the one before if its end is passed and the side has not
//!   pressed since.

mod dial;
mod movement;
mod table;

pub(crate) use table::run;
