//! What a clock's errors did to a game: how much each side was charged too much, what of it, and what is wrong.
//!
//! For each side the error is what the device charged it less the true time that it was on move. Their sum is the error of
//! the time base, for which side is on move does not matter; half of their difference is what one side lost to the other.
//! [`Account`] reckons both from a trace, [`Budget`] splits them into what each cause did, and [`Diagnosis`] names causes
//! that have a signature, where the intervals allow no other.
//!
//! A hall does not know the true instant of a press better than the bench does; an account carries that along.

mod account;
mod budget;
mod cause;
mod course;
mod diagnosis;
mod hall;

pub use account::{Account, AfterMove, NoAccount, SideAccount};
pub use budget::Budget;
pub use cause::Cause;
pub use course::Course;
pub use diagnosis::{Diagnosis, Finding, Size};
