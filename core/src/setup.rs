//! Everything a clock is told before a game, with the defaults that FIDE's requirements ask for.
//!
//! Read FIDE Laws 6.3 and 6.8 and the requirements (a) to (l) for electronic clocks first. Each setting beside the
//! control names a point in which clocks differ; the default is the behaviour an arbiter may rely on.

use crate::control::TimeControl;
use crate::display::DisplayFormat;
use crate::side::{BySide, Side};

/// When a bonus is credited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Credit {
    /// Before each move, the first included (FIDE's glossary and requirement E-l): a 3 min + 2 s game starts at 3:02,
    /// and a Bronstein clock shows base and bonus, which makes it equal to a delay.
    #[default]
    BeforeMove,
    /// After each move: a 3 min + 2 s game starts at 3:00, and a Bronstein clock loses on time where a delay would not.
    AfterMove,
}

/// What the clock does when a side reaches zero for good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum AtZero {
    /// Both sides stop and keep what they show (FIDE requirement 5.4.1 for increment modes).
    #[default]
    Freeze,
    /// The game clock goes on: presses still switch, the fallen side stays at zero, the other can fall as well.
    RunOn,
}

/// Whether a side with exactly nothing left has lost its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Zero {
    /// It has: the flag falls in the tick in which nothing is left (allotted time used up, FIDE Laws 6.1).
    #[default]
    Fallen,
    /// Not yet: the flag falls one tick later, as in clocks that ask for less than zero.
    Alive,
}

/// What comes first when the running side presses in the very tick in which its flag falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum SameTick {
    /// The flag: the press must come before the fall.
    #[default]
    FlagFirst,
    /// The press.
    PressFirst,
}

/// What the last move of a period brings when it is pressed after zero, on a clock that runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum LateControlMove {
    /// Nothing: the flag stays down and no time is added.
    #[default]
    Nothing,
    /// The base of the next period, in full; the flag goes up again.
    NextBase,
}

/// What a press does whose side does not run while the other does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum SecondPress {
    /// Nothing; it is recorded.
    #[default]
    Ignored,
    /// It counts as a move, with the bonus and the period that a move brings, and switches nothing: a player makes up
    /// for a press that he forgot.
    Counted,
}

/// Where one side stands when the clock is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Milliseconds left, bonus included; `None` for the base of its period (and what is credited before the first
    /// move).
    pub left_ms: Option<u64>,
    /// Moves already completed.
    pub moves: u16,
    /// Index of its period; `None` for the one in which the move after those is played.
    pub period: Option<u8>,
}

/// Everything a clock is told before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The periods of each side; they differ when odds are given.
    pub control: BySide<TimeControl>,
    /// When a bonus is credited.
    pub credit: Credit,
    /// What happens at zero.
    pub at_zero: AtZero,
    /// Whether exactly zero is fallen.
    pub zero: Zero,
    /// What comes first in the tick of the flag.
    pub same_tick: SameTick,
    /// What a control move pressed too late brings.
    pub late_control_move: LateControlMove,
    /// What a press by the side that does not run does.
    pub second_press: SecondPress,
    /// Whether time saved in one period is added to the next (FIDE Laws 6.3b "where applicable").
    pub carry_over: bool,
    /// Whether the clock shows which flag fell first (FIDE requirement (e)).
    pub first_fallen_sign: bool,
    /// How the faces show what is left.
    pub display: DisplayFormat,
    /// For how many milliseconds a contact must have been quiet before it closes for that to be a press.
    pub debounce_ms: u8,
    /// Which side the starting signal sets running.
    pub first: Side,
    /// Where each side stands.
    pub opening: BySide<Opening>,
}

impl Setup {
    /// Contacts of push buttons bounce for 6 ms at most but for rare outliers; nobody presses twice within 20 ms.
    pub const DEBOUNCE_MS: u8 = 20;

    /// The same control for both sides and the default of every setting, White first.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self {
            control: BySide::both(control),
            credit: Credit::BeforeMove,
            at_zero: AtZero::Freeze,
            zero: Zero::Fallen,
            same_tick: SameTick::FlagFirst,
            late_control_move: LateControlMove::Nothing,
            second_press: SecondPress::Ignored,
            carry_over: true,
            first_fallen_sign: true,
            display: DisplayFormat::default(),
            debounce_ms: Self::DEBOUNCE_MS,
            first: Side::White,
            opening: BySide::both(Opening::default()),
        }
    }
}
