//! What goes wrong with the clock under test; on a board only what the bench can cause.
//!
//! A fault begins with its step. One with `for_ns` ends by itself; the others last to the end of the run, or are about
//! one thing that happens once.

use flagfall_core::Side;
use serde::{Deserialize, Serialize};

use crate::dial::DialFault;

/// One way to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The time base stands still; where several of these overlap, until the last one ends.
    Stuck {
        /// For how many nanoseconds of true time.
        for_ns: i64,
    },
    /// The time base jumps.
    Jump {
        /// By how many nanoseconds; forward takes time from the side that runs.
        by_ns: i64,
    },
    /// The time base runs at another rate; a later one takes the place of an earlier one for good.
    Rate {
        /// Parts per billion fast (or, negative, slow).
        ppb: i64,
        /// For how many nanoseconds of true time.
        for_ns: i64,
    },
    /// The time base loses ticks, or counts some twice.
    Ticks {
        /// How many at a time: negative are lost, positive are counted twice.
        ticks: i64,
        /// Every so many nanoseconds of true time, first after one such span.
        every_ns: i64,
        /// For how many nanoseconds of true time.
        for_ns: i64,
    },
    /// Both sides' times run off together.
    BothRun {
        /// For how many nanoseconds of true time.
        for_ns: i64,
    },
    /// Neither side's time runs off, though the time base goes on.
    NoneRuns {
        /// For how many nanoseconds of true time.
        for_ns: i64,
    },
    /// The supply breaks down: nothing is noticed or shown until the clock comes back with what it has kept.
    Reset {
        /// For how many nanoseconds of true time it is off.
        off_ns: i64,
        /// What it has kept.
        retained: Retained,
    },
    /// The next press of this side is not noticed.
    LostPress {
        /// Whose.
        side: Side,
    },
    /// The next press of this side is taken for two.
    DoublePress {
        /// Whose.
        side: Side,
    },
    /// The next bonus of this side is not credited.
    LostBonus {
        /// Whose.
        side: Side,
    },
    /// The next bonus of this side is credited twice.
    DoubleBonus {
        /// Whose.
        side: Side,
    },
    /// With every switch the side that stops loses what its time has beyond a whole unit.
    RoundingAtSwitch {
        /// The unit in nanoseconds.
        to_ns: i64,
    },
    /// The flag of this side is shown down before its time is used up.
    FlagEarly {
        /// Whose.
        side: Side,
        /// How many nanoseconds of its time are left then.
        by_ns: i64,
    },
    /// The flag of this side is shown down later than its time is used up.
    FlagLate {
        /// Whose.
        side: Side,
        /// How many nanoseconds of true time later.
        by_ns: i64,
    },
    /// The flag of this side is never shown down.
    FlagSticky {
        /// Whose.
        side: Side,
    },
    /// The first-fallen sign names the wrong side.
    FirstFallenWrong,
    /// The displays keep showing what they show.
    DisplayFrozen {
        /// For how many nanoseconds of true time.
        for_ns: i64,
    },
    /// The displays show what they should have shown some time ago.
    DisplayLate {
        /// How many nanoseconds ago.
        by_ns: i64,
        /// For how many nanoseconds of true time.
        for_ns: i64,
    },
    /// Something is wrong with the mechanics of an analogue clock.
    Dial(DialFault),
}

/// What a clock still has when it comes back from a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Retained {
    /// Everything: it stands paused where it was.
    Everything,
    /// Its settings: it waits for its start as it was set up before the game.
    Settings,
}
