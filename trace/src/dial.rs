//! An analogue clock in a plan: how its hands and flags are set, what its mechanics can suffer, what it cannot do.
//!
//! Read CBX rules 62, 68 and 69 and the commentary on FIDE Laws 6.10a first. Two dials of twelve hours share a lever. The
//! hands are set so that the first control ends at six o'clock on each side's own dial, later ones whole hours after it.
//! The minute hand lifts a flag shortly before each full hour and drops it when it passes twelve. Such a clock counts no
//! presses, knows no periods and adds nothing: what its hands mean is known to those who set them.

use flagfall_core::{Bonus, BySide, Setup, Side};
use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::plan::Act;

/// One hour on the dial, in milliseconds.
const HOUR_MS: u64 = 3_600_000;

/// What kind of clock stands on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// An electronic clock with a display.
    #[default]
    Digital,
    /// Two dials with hands and flags, and a lever between them.
    Analogue(DialSetup),
}

/// How an analogue clock is set, beside its control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialSetup {
    /// How long before a full hour the minute hand lifts the flag, in milliseconds; at most [`Self::LIFT_MS_MAX`].
    pub lift_ms: u64,
    /// For a side whose flag is still up from the setting at the start (CBX 69): after how many milliseconds of its own
    /// time it drops.
    pub flag_up_ms: BySide<Option<u64>>,
}

impl Default for DialSetup {
    /// The flag is lifted three minutes before the hour, and hangs at the start.
    fn default() -> Self {
        Self { lift_ms: 180_000, flag_up_ms: BySide::both(None) }
    }
}

/// A setup that an analogue clock cannot show; an index counts periods from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DialMisfit {
    /// Time per move: leave it out, or play with an electronic clock (as the Russian text of FIDE Laws 6.2a says).
    #[error("an analogue clock gives no time per move: period {n} needs an electronic one", n = .0 + 1)]
    Bonus(usize),
    /// Periods driven by time, which the clock would have to begin by itself: name their moves.
    #[error("an analogue clock begins no period by itself: each but the last needs a number of moves")]
    ByTime,
    /// A later control that ends between two hours: choose whole hours.
    #[error("the flag drops at full hours only, and period {n} would end between two of them", n = .0 + 1)]
    BetweenHours(usize),
    /// A hand that lifts the flag too early or not at all: choose a second to ten minutes.
    #[error("a minute hand lifts the flag one second to ten minutes before the hour")]
    Lift,
    /// A flag that cannot still be up from the setting: it would be lifted for the hour before it drops, or drop at once.
    #[error("{0}'s flag must drop after the start and before the hand lifts it for the hour")]
    FlagUp(Side),
}

impl DialSetup {
    /// The longest time before the hour at which a flag can be lifted.
    pub const LIFT_MS_MAX: u64 = 600_000;

    /// Whether this clock can be set up for a game like this.
    ///
    /// # Errors
    /// [`DialMisfit`] with the first thing that hands and a flag cannot show.
    pub fn fits(&self, setup: &Setup) -> Result<(), DialMisfit> {
        self.misfits(setup).first().map_or(Ok(()), |misfit| Err(*misfit))
    }

    /// Everything in this setup that hands and a flag cannot show.
    #[must_use]
    pub fn misfits(&self, setup: &Setup) -> Vec<DialMisfit> {
        let mut misfits = Vec::new();
        for (_, control) in setup.control.iter() {
            if control.is_driven_by_time() {
                misfits.push(DialMisfit::ByTime);
            }
            for (index, period) in control.periods().iter().enumerate() {
                if period.bonus != Bonus::None {
                    misfits.push(DialMisfit::Bonus(index));
                }
                if index > 0 && !period.base_ms.is_multiple_of(HOUR_MS) {
                    misfits.push(DialMisfit::BetweenHours(index));
                }
            }
        }
        if !(1_000..=Self::LIFT_MS_MAX).contains(&self.lift_ms) {
            misfits.push(DialMisfit::Lift);
        }
        for side in Side::ALL {
            let opening = setup.opening[side];
            let base_ms = opening_period(setup, side).1;
            let to_the_hour_ms = match opening.left_ms.unwrap_or(base_ms) % HOUR_MS {
                0 => HOUR_MS,
                ms => ms,
            };
            let possible = |up_ms: u64| up_ms > 0 && up_ms.saturating_add(self.lift_ms) < to_the_hour_ms;
            if !self.flag_up_ms[side].is_none_or(possible) {
                misfits.push(DialMisfit::FlagUp(side));
            }
        }
        // With the same control on both sides each would be named twice.
        let mut seen = Vec::new();
        misfits.retain(|misfit| !seen.contains(misfit) && (seen.push(*misfit), true).1);
        misfits
    }
}

/// The index of the period that a side's hands are set for, and its base in milliseconds.
#[must_use]
pub fn opening_period(setup: &Setup, side: Side) -> (u8, u64) {
    let (control, opening) = (&setup.control[side], setup.opening[side]);
    let index = opening.period.unwrap_or(control.period_after(opening.moves)).min(control.last());
    (index, control.period(index).base_ms)
}

/// What goes wrong with the mechanics of one side of an analogue clock (the faults named at FIDE Laws 6.10a).
///
/// Where a duration may be left out (`None`) the fault lasts to the end of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DialFault {
    /// Its movement stands still, as a clock does that nobody has wound.
    NotGoing {
        /// Whose.
        side: Side,
        /// After how many nanoseconds of true time it is wound.
        for_ns: Option<i64>,
    },
    /// Its movement goes on while the other side runs.
    BothRunning {
        /// Whose goes although its button is down.
        side: Side,
        /// For how many nanoseconds of true time.
        for_ns: Option<i64>,
    },
    /// The minute hand catches on the hour hand when it meets it next, and both stand.
    JammedHands {
        /// Whose.
        side: Side,
        /// After how many nanoseconds of true time, from the beginning of the fault, the hands are free again.
        for_ns: Option<i64>,
    },
    /// The minute hand is loose and slips to the six at once; a flag that it held hangs again.
    LooseMinuteHand {
        /// Whose.
        side: Side,
    },
    /// The spring is spent: the movement goes slower and then stops for good.
    SpringSpent {
        /// Whose.
        side: Side,
        /// How much slower, in parts per billion.
        slow_ppb: u64,
        /// How many nanoseconds of going are left in the spring.
        stops_after_ns: i64,
    },
    /// The minute hand passes under the flag without lifting it.
    FlagNotLifted {
        /// Whose.
        side: Side,
        /// For how many nanoseconds of true time.
        for_ns: Option<i64>,
    },
    /// The flag stays up past twelve until somebody taps the clock.
    FlagStuck {
        /// Whose.
        side: Side,
        /// After how many nanoseconds of true time it is free without a tap.
        for_ns: Option<i64>,
    },
    /// The flag drops while the minute hand is still short of twelve.
    FlagEarly {
        /// Whose.
        side: Side,
        /// By how many milliseconds of the hand's way; less than the flag is lifted before the hour.
        by_ms: u64,
        /// For how many nanoseconds of true time.
        for_ns: Option<i64>,
    },
}

impl DialFault {
    /// The side whose mechanics suffer.
    #[must_use]
    pub const fn side(&self) -> Side {
        match *self {
            Self::NotGoing { side, .. }
            | Self::BothRunning { side, .. }
            | Self::JammedHands { side, .. }
            | Self::LooseMinuteHand { side }
            | Self::SpringSpent { side, .. }
            | Self::FlagNotLifted { side, .. }
            | Self::FlagStuck { side, .. }
            | Self::FlagEarly { side, .. } => side,
        }
    }

    /// After how long the fault is over by itself, in nanoseconds of true time; `None` for one that stays.
    #[must_use]
    pub const fn for_ns(&self) -> Option<i64> {
        match *self {
            Self::NotGoing { for_ns, .. }
            | Self::BothRunning { for_ns, .. }
            | Self::JammedHands { for_ns, .. }
            | Self::FlagNotLifted { for_ns, .. }
            | Self::FlagStuck { for_ns, .. }
            | Self::FlagEarly { for_ns, .. } => for_ns,
            Self::LooseMinuteHand { .. } | Self::SpringSpent { .. } => None,
        }
    }
}

/// An act that the clock of a plan does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForeignAct {
    /// A tap on an electronic clock: leave it out, or play with an analogue one.
    #[error("tapping frees the flag of an analogue clock, and this one is electronic")]
    Tap,
    /// A fault of hands and flags on a clock that has none.
    #[error("this is a fault of an analogue clock, and this one is electronic")]
    DialFault,
    /// A correction of a counter that is not there.
    #[error("an analogue clock has no move counter to be set")]
    Counter,
    /// A setting, a contact or a supply that only electronics have.
    #[error("only an electronic clock can have this done to it, and this one is analogue")]
    Electronics,
    /// A fault of a time base or a display on a clock that has neither.
    #[error("this is a fault of an electronic clock, and this one is analogue")]
    DigitalFault,
    /// A flag that drops before it is lifted.
    #[error("the flag cannot drop before it is lifted, {lift_s} s before the hour", lift_s = .0 / 1_000)]
    EarlierThanLifted(u64),
}

impl ClockKind {
    /// Whether this is the default, which a file leaves out.
    #[must_use]
    pub const fn is_digital(&self) -> bool {
        matches!(self, Self::Digital)
    }

    /// How the dial is set, if there is one.
    #[must_use]
    pub const fn dial(&self) -> Option<&DialSetup> {
        match self {
            Self::Digital => None,
            Self::Analogue(dial) => Some(dial),
        }
    }

    /// Whether this can be done to such a clock.
    ///
    /// # Errors
    /// [`ForeignAct`] for an act that only another kind of clock knows.
    pub const fn knows(&self, act: &Act) -> Result<(), ForeignAct> {
        match (self, act) {
            (Self::Digital, Act::Tap { .. }) => Err(ForeignAct::Tap),
            (Self::Digital, Act::Fault(Fault::Dial(_))) => Err(ForeignAct::DialFault),
            (Self::Analogue(_), Act::SetCounter { .. }) => Err(ForeignAct::Counter),
            (
                Self::Analogue(_),
                Act::SetPeriod { .. }
                | Act::Swap
                | Act::Undo
                | Act::SetUp(_)
                | Act::Contact { .. }
                | Act::Battery { .. },
            ) => Err(ForeignAct::Electronics),
            (Self::Analogue(dial), Act::Fault(Fault::Dial(DialFault::FlagEarly { by_ms, .. })))
                if *by_ms >= dial.lift_ms =>
            {
                Err(ForeignAct::EarlierThanLifted(dial.lift_ms))
            }
            (Self::Analogue(_), Act::Fault(Fault::Dial(_))) => Ok(()),
            (Self::Analogue(_), Act::Fault(_)) => Err(ForeignAct::DigitalFault),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use flagfall_core::{Opening, Period, TimeControl};

    use super::*;

    fn setup(periods: &[Period]) -> Setup {
        Setup::new(TimeControl::new(periods).expect("a control"))
    }

    #[test]
    fn what_hands_cannot_show_is_named() {
        let dial = DialSetup::default();
        let none = Bonus::None;
        let last = Period::all_moves(HOUR_MS, none);
        assert_eq!(dial.fits(&setup(&[Period::of_moves(40, 5_400_000, none), last])), Ok(()));
        let increment = Period::all_moves(HOUR_MS, Bonus::Increment { ms: 1 });
        assert_eq!(dial.fits(&setup(&[increment])), Err(DialMisfit::Bonus(0)));
        let half = Period::all_moves(HOUR_MS / 2, none);
        assert_eq!(dial.fits(&setup(&[half])), Ok(()), "the first control is set by the hands");
        assert_eq!(dial.fits(&setup(&[Period::of_moves(40, 1, none), half])), Err(DialMisfit::BetweenHours(1)));
        for lift_ms in [0, 999, DialSetup::LIFT_MS_MAX + 1] {
            assert_eq!(DialSetup { lift_ms, ..dial }.fits(&setup(&[last])), Err(DialMisfit::Lift));
        }
    }

    #[test]
    fn a_flag_still_up_drops_before_it_is_lifted_again() {
        let up = |ms| DialSetup { flag_up_ms: BySide::new(None, Some(ms)), ..DialSetup::default() };
        let mut two_hours = setup(&[Period::all_moves(2 * HOUR_MS, Bonus::None)]);
        assert_eq!(up(1).fits(&two_hours), Ok(()));
        assert_eq!(up(0).fits(&two_hours), Err(DialMisfit::FlagUp(Side::Black)));
        assert_eq!(up(HOUR_MS - 180_001).fits(&two_hours), Ok(()));
        assert_eq!(up(HOUR_MS - 180_000).fits(&two_hours), Err(DialMisfit::FlagUp(Side::Black)));
        two_hours.opening.black = Opening { left_ms: Some(HOUR_MS + 181_000), ..Opening::default() };
        assert_eq!(up(999).fits(&two_hours), Ok(()));
        assert_eq!(up(1_000).fits(&two_hours), Err(DialMisfit::FlagUp(Side::Black)));
    }

    #[test]
    fn each_kind_of_clock_knows_its_own_acts() {
        use crate::plan::Person;
        let analogue = ClockKind::Analogue(DialSetup::default());
        let early = |by_ms| Act::Fault(Fault::Dial(DialFault::FlagEarly { side: Side::White, by_ms, for_ns: None }));
        let tap = Act::Tap { by: Person::Arbiter };
        let counter = Act::SetCounter { side: Side::White, moves: 1 };
        let stuck = Act::Fault(Fault::Stuck { for_ns: 1 });
        for (act, digital, dial) in [
            (Act::Start, Ok(()), Ok(())),
            (tap, Err(ForeignAct::Tap), Ok(())),
            (counter, Ok(()), Err(ForeignAct::Counter)),
            (stuck, Ok(()), Err(ForeignAct::DigitalFault)),
            (early(179_999), Err(ForeignAct::DialFault), Ok(())),
            (early(180_000), Err(ForeignAct::DialFault), Err(ForeignAct::EarlierThanLifted(180_000))),
        ] {
            assert_eq!((ClockKind::Digital.knows(&act), analogue.knows(&act)), (digital, dial), "{act:?}");
        }
    }
}
