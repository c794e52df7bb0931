//! What can be done to a clock, what happens then, and what can be read off it.

use crate::period::BYO_YOMI_MAX;
use crate::side::{BySide, Side};
use crate::time::DeviceTime;

/// What can be done to a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A player presses his button.
    Press(Side),
    /// The arbiter's button: starts a clock that is ready, pauses one that runs, resumes one that is paused.
    ArbiterButton,
    /// The arbiter corrects what a side has left.
    SetTime {
        /// Whose time.
        side: Side,
        /// Milliseconds left from now on, used on a clock that counts up; the delay of the current move stays what it
        /// is.
        left_ms: u64,
    },
    /// The arbiter corrects a side's move counter; the period indicator follows where moves drive it, times do not.
    SetCounter {
        /// Whose counter.
        side: Side,
        /// Completed moves from now on.
        moves: u16,
    },
    /// The arbiter corrects a side's period; neither its time nor its counter changes.
    SetPeriod {
        /// Whose period.
        side: Side,
        /// Its index.
        period: u8,
    },
    /// The arbiter swaps the colours: times, counters, periods and controls change sides, and so does the running side.
    Swap,
    /// The arbiter takes the last correction back, as long as no time has run off and nobody has pressed since.
    Undo,
    /// The supply is found to be low, or not to be low any more.
    Battery {
        /// Whether it is low.
        low: bool,
    },
    /// Someone looks at the faces.
    Read,
    /// Nothing but time passing: the alarm of [`crate::Clock::next_deadline`].
    Wake,
}

/// Why something that was done to the clock changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum IgnoredBecause {
    /// The clock has not been started.
    NotStarted = 1,
    /// The other side is running: this side has already been pressed.
    NotOnMove = 2,
    /// The clock is paused.
    Paused = 3,
    /// A flag has fallen and the clock is set to freeze.
    Frozen = 4,
    /// The control has no such period.
    NoSuchPeriod = 5,
    /// There is no correction, or something has happened since.
    NothingToUndo = 6,
}

impl IgnoredBecause {
    /// The reason with this number, if there is one.
    #[must_use]
    pub const fn from_code(code: u16) -> Option<Self> {
        match code {
            1 => Some(Self::NotStarted),
            2 => Some(Self::NotOnMove),
            3 => Some(Self::Paused),
            4 => Some(Self::Frozen),
            5 => Some(Self::NoSuchPeriod),
            6 => Some(Self::NothingToUndo),
            _ => None,
        }
    }

    /// The reason in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotStarted => "not started",
            Self::NotOnMove => "not on move",
            Self::Paused => "paused",
            Self::Frozen => "frozen",
            Self::NoSuchPeriod => "no such period",
            Self::NothingToUndo => "nothing to undo",
        }
    }
}

/// One thing that happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A player's button was pressed; what it did follows.
    Pressed(Side),
    /// The arbiter's button was pressed; what it did follows.
    ArbiterPressed,
    /// The game began and this side runs.
    Started(Side),
    /// This side runs now, the other has stopped.
    Switched(Side),
    /// A press counted as a move of this side, which did not run.
    Counted(Side),
    /// So many ticks were added to this side.
    Credited(Side, u64),
    /// This side entered the period with this index; its base was added unless a correction did it.
    PeriodEntered(Side, u8),
    /// This side entered a byo-yomi period or a Canadian stage by using up what it had; the number is how many periods
    /// are left, this one included, or how many moves must be made.
    OvertimeEntered(Side, u16),
    /// This side's flag fell; the number is how many ticks later the clock noticed.
    FlagFell(Side, u64),
    /// The clock was paused while this side ran.
    Paused(Side),
    /// The clock goes on with this side.
    Resumed(Side),
    /// This side's time was set to so many ticks.
    TimeSet(Side, u64),
    /// This side's counter was set.
    CounterSet(Side, u16),
    /// This side's period was to be set to the one with this index; whether it changed follows.
    PeriodSet(Side, u8),
    /// The colours were swapped.
    Swapped,
    /// The last correction was to be taken back; if it was not, that follows.
    Undone,
    /// The battery sign was lit, or went out.
    Battery(bool),
    /// The input before this changed nothing.
    Ignored(Option<Side>, IgnoredBecause),
    /// The faces were read.
    Read,
    /// The step was dated so many ticks before the last one, and was taken at the time of the last one.
    WentBack(u64),
}

/// What the clock is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Set up, waiting for the start.
    Ready,
    /// This side's time runs.
    Running(Side),
    /// Stopped by the arbiter's button while this side ran.
    Paused(Side),
    /// Stopped for good by a fallen flag while this side ran; only a correction of the time leads out.
    Frozen(Side),
}

impl Phase {
    /// The side that runs, or ran when the clock was stopped.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Ready => None,
            Self::Running(side) | Self::Paused(side) | Self::Frozen(side) => Some(side),
        }
    }

    /// The same with the colours swapped.
    pub(super) const fn swapped(self) -> Self {
        match self {
            Self::Ready => Self::Ready,
            Self::Running(side) => Self::Running(side.other()),
            Self::Paused(side) => Self::Paused(side.other()),
            Self::Frozen(side) => Self::Frozen(side.other()),
        }
    }
}

/// Everything that a clock must keep to go on from where it stands, and all that can be read off it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// What it is doing.
    pub phase: Phase,
    /// Main time left, in ticks; time used on a clock that counts up.
    pub remaining_ticks: BySide<u64>,
    /// Delay left for the current move, in ticks.
    pub delay_ticks: BySide<u64>,
    /// Ticks for which the current move has been running.
    pub turn_ticks: u64,
    /// Counted presses, which is what the clock knows of completed moves.
    pub moves: BySide<u16>,
    /// Index of each side's period.
    pub period: BySide<u8>,
    /// Byo-yomi periods left, the current one included, or moves to make in the Canadian stage; zero in the main time.
    pub overtime: BySide<u16>,
    /// Whether each side's flag is down.
    pub fallen: BySide<bool>,
    /// Which flag fell first, of those that are down or opened the latest period of a control driven by time. Whether
    /// the clock shows it is a matter of its setup.
    pub first_fallen: Option<Side>,
    /// Whether the battery sign is lit.
    pub battery_low: bool,
}

/// An effect, the tick in which it took effect, and the clock right after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happening {
    /// When it took effect.
    pub at: DeviceTime,
    /// What happened.
    pub effect: Effect,
    /// The clock right after.
    pub state: State,
}

impl Happening {
    /// What stands in a list where nothing has happened yet. Nobody reads it; it is nothing but zeros, so that a list
    /// takes no room in the flash of a small device.
    const NEVER: Self = Self {
        at: DeviceTime::ZERO,
        effect: Effect::Pressed(Side::White),
        state: State {
            phase: Phase::Ready,
            remaining_ticks: BySide::both(0),
            delay_ticks: BySide::both(0),
            turn_ticks: 0,
            moves: BySide::both(0),
            period: BySide::both(0),
            overtime: BySide::both(0),
            fallen: BySide::both(false),
            first_fallen: Some(Side::White),
            battery_low: false,
        },
    };
}

/// A step makes at most this many effects.
///
/// Most happens in a late step: three times a period driven by time runs off, with a flag, both sides' entry and the
/// credit of the idle one; ten byo-yomi periods are entered and the flag falls for good; then the idle side's press is
/// counted and credited. Where a press brings more (a period of moves, and what is credited before and after it), time
/// opens no period for that side; a step that went back finds no more than the zeros of one tick.
const EFFECTS_MAX: usize = 3 * 4 + (BYO_YOMI_MAX as usize + 1) + 3;

/// The effects of one step, in order.
#[derive(Clone, Debug)]
pub struct Effects {
    list: [Happening; EFFECTS_MAX],
    count: usize,
}

impl Default for Effects {
    fn default() -> Self {
        Self::NONE
    }
}

impl Effects {
    /// No effects, and room for those of a step.
    pub const NONE: Self = Self { list: [Happening::NEVER; EFFECTS_MAX], count: 0 };

    /// The happenings in order.
    pub fn iter(&self) -> impl Iterator<Item = &Happening> {
        self.list[..self.count].iter()
    }

    pub(super) const fn clear(&mut self) {
        self.count = 0;
    }

    /// There is room: [`EFFECTS_MAX`] bounds what a step can tell, of a restored clock as well.
    pub(super) fn push(&mut self, happening: Happening) {
        self.list[self.count] = happening;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_found_by_its_number_and_has_its_own_words() {
        let reasons = [
            (IgnoredBecause::NotStarted, "not started"),
            (IgnoredBecause::NotOnMove, "not on move"),
            (IgnoredBecause::Paused, "paused"),
            (IgnoredBecause::Frozen, "frozen"),
            (IgnoredBecause::NoSuchPeriod, "no such period"),
            (IgnoredBecause::NothingToUndo, "nothing to undo"),
        ];
        for (because, name) in reasons {
            assert_eq!(IgnoredBecause::from_code(because as u16), Some(because));
            assert_eq!(because.name(), name);
        }
        assert_eq!((IgnoredBecause::from_code(0), IgnoredBecause::from_code(7)), (None, None));
    }

    #[test]
    fn a_clock_that_is_ready_has_nobody_on_move() {
        assert_eq!(Phase::Ready.side(), None);
        for side in Side::ALL {
            let sides = [Phase::Running(side), Phase::Paused(side), Phase::Frozen(side)].map(Phase::side);
            assert_eq!(sides, [Some(side); 3]);
        }
    }
}
