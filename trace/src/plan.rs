//! What is to happen: the clock's setup, the regulations, and steps in true time.
//!
//! A step is one act: something done to the clock, on the board, or in the hall. Only facts stand in a plan: that a
//! move is *completed* or that a flag *counts as fallen* is a ruling and depends on the rulebook.

use std::fmt;

use flagfall_core::record::Kind;
use flagfall_core::{BySide, Setup, Side, TickRate, TrueTime};
use serde::{Deserialize, Serialize};

use crate::dial::ClockKind;
pub use crate::fault::{Fault, Retained};
use crate::hall::Hall;
use crate::oscillator::OscillatorSpec;
use crate::wire;

/// A scenario made ready to be carried out; `T` is how its instants are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan<T = TrueTime> {
    /// `family/file-stem`, unique and free of the working directory.
    pub scenario: String,
    /// The seed of everything drawn; zero when nothing is.
    pub seed: u64,
    /// Ticks per second of the clock under test, the same for every rig.
    pub tick_rate: TickRate,
    /// How the clock is to be set up.
    #[serde(with = "wire::setup")]
    pub setup: Setup,
    /// How it is really set up, where that is something else; the judges know only what it was to be.
    #[serde(with = "wire::maybe_setup")]
    pub device_setup: Option<Setup>,
    /// What kind of clock it is.
    #[serde(default, skip_serializing_if = "ClockKind::is_digital")]
    pub clock_kind: ClockKind,
    /// What the competition's regulations say.
    pub regulations: Regulations,
    /// The position at the start in Forsyth-Edwards notation.
    pub position: String,
    /// Whether a press without a move is one even where the steps tell of no move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub board: bool,
    /// What the simulated oscillator is like; a board has its own.
    #[serde(default, skip_serializing_if = "OscillatorSpec::is_exact")]
    pub oscillator: OscillatorSpec,
    /// The steps in order of time; steps at one instant happen in this order.
    pub steps: Vec<Step<T>>,
    /// When the run is over.
    pub end: T,
}

/// A plan whose instants are still expressions; `flagfall_judge::oracle::resolve` makes it a [`Plan`].
pub type Draft = Plan<When>;

/// One act and its instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step<T = TrueTime> {
    /// When it happens.
    pub at: T,
    /// What happens.
    pub act: Act,
}

/// An instant before it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// What it is counted from.
    pub from: Anchor,
    /// Nanoseconds after (or, negative, before) it.
    pub plus_ns: i64,
    /// Ticks of an exact clock after (or before) it, in addition.
    pub plus_ticks: i64,
}

/// What an instant is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning of the run.
    Start,
    /// The step before, or the beginning for the first step.
    Previous,
    /// The instant at which, after an exact clock in the state of this step, the flag of this side falls for good if
    /// nobody does anything, or fell.
    Flag(Side),
    /// The instant at which an exact clock in the state of this step has used up what this side has now: its flag
    /// falls then, or its next byo-yomi period or Canadian stage begins, or the next period of both.
    Zero(Side),
    /// The instant at which this side entered the period with this index.
    Period(Side, u8),
    /// The instant at which the delay of this side's current move is used up.
    DelayEnd(Side),
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("the start"),
            Self::Previous => f.write_str("the step before"),
            Self::Flag(side) => write!(f, "flag({side})"),
            Self::Zero(side) => write!(f, "zero({side})"),
            Self::Period(side, index) => write!(f, "period({side} {})", index + 1),
            Self::DelayEnd(side) => write!(f, "delay-end({side})"),
        }
    }
}

/// What the regulations of the competition say, as far as rulings depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regulations {
    /// Standard, rapid or blitz, where the regulations say so; if not each rulebook tells it from the control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<GameClass>,
    /// How late a player may come, in milliseconds from the start; `None` when the regulations do not say.
    pub default_time_ms: Option<u64>,
    /// Whether an arbiter watches the game.
    pub supervised: bool,
    /// Whether the guidelines for games without increment were announced, by which a player short of time may ask for a
    /// draw because nobody plays to win; `None` when the regulations do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_request: Option<bool>,
}

impl Default for Regulations {
    /// Regulations that say nothing; an arbiter watches.
    fn default() -> Self {
        Self { class: None, default_time_ms: None, supervised: true, draw_request: None }
    }
}

/// The class of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameClass {
    /// More than an hour for all moves, give or take the rulebook.
    Standard,
    /// Ten or fifteen minutes up to an hour.
    Rapid,
    /// Less than that.
    Blitz,
}

/// Somebody in the hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Person {
    /// The arbiter.
    Arbiter,
    /// The player with the white pieces.
    White,
    /// The player with the black pieces.
    Black,
}

impl From<Side> for Person {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

impl Person {
    /// The side of a player, `None` for the arbiter.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Arbiter => None,
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
        }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.side().map_or("arbiter", Side::name))
    }
}

/// One thing that somebody does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// The starting signal: the setup's first side runs.
    Start,
    /// A player presses his button.
    Press {
        /// Who.
        side: Side,
        /// With which hand, compared with the hand that moved.
        hand: Hand,
    },
    /// Both sides are stopped.
    Pause {
        /// By whom.
        by: Person,
        /// What for.
        reason: StopReason,
        /// By what.
        #[serde(default, skip_serializing_if = "StopMeans::is_the_usual")]
        how: StopMeans,
    },
    /// The stopped clock goes on.
    Resume {
        /// By whom.
        by: Person,
    },
    /// The arbiter sets what a side has left.
    SetTime {
        /// Whose time.
        side: Side,
        /// Milliseconds left.
        left_ms: u64,
    },
    /// The arbiter sets a side's move counter.
    SetCounter {
        /// Whose counter.
        side: Side,
        /// Completed moves.
        moves: u16,
    },
    /// The arbiter sets a side's period.
    SetPeriod {
        /// Whose period.
        side: Side,
        /// Its index.
        period: u8,
    },
    /// The arbiter swaps the colours of the two sides of the clock.
    Swap,
    /// The arbiter takes his last correction back.
    Undo,
    /// The arbiter installs another setting; the clock waits for its start again.
    SetUp(Installed),
    /// The contact of a button closes or opens; a press is what the clock's debouncer makes of that.
    Contact {
        /// Whose button.
        side: Side,
        /// Whether it closes.
        closes: bool,
    },
    /// The supply voltage falls below what the clock calls low, or rises again.
    Battery {
        /// Whether it is low.
        low: bool,
    },
    /// Somebody taps an analogue clock, to free a flag.
    Tap {
        /// Who.
        by: Person,
    },
    /// The faces are read, because something is expected of them.
    Read,
    /// The clock under test begins to misbehave.
    Fault(Fault),
    /// A move is made on the chessboard.
    Move(MoveMade),
    /// A player comes to the chessboard.
    Arrive {
        /// Who.
        side: Side,
    },
    /// Somebody looks at the flags and notes what he sees.
    Observe(Observation),
    /// A player claims that a flag has fallen.
    Claim(Claim),
    /// The arbiter finds something out.
    Find(Finding),
    /// Anything else that happens in the hall.
    Hall(Hall),
}

impl Act {
    /// A stop of both sides by the button that is there for it.
    #[must_use]
    pub const fn pause(by: Person, reason: StopReason) -> Self {
        Self::Pause { by, reason, how: StopMeans::PauseButton }
    }

    /// The record that a clock writes first when this is done to it, and whose; `None` for an act that leaves none.
    #[must_use]
    pub const fn leaves(&self) -> Option<(Kind, Option<Side>)> {
        match self {
            // Whoever stops his own side by starting the other presses, which is an act of its own.
            Self::Pause { how: StopMeans::StartOpponent, .. } => None,
            Self::Start | Self::Pause { .. } | Self::Resume { .. } => Some((Kind::ARBITER_PRESSED, None)),
            Self::Press { side, .. } => Some((Kind::PRESSED, Some(*side))),
            Self::SetTime { side, .. } => Some((Kind::TIME_SET, Some(*side))),
            Self::SetCounter { side, .. } => Some((Kind::COUNTER_SET, Some(*side))),
            Self::SetPeriod { side, .. } => Some((Kind::PERIOD_SET, Some(*side))),
            Self::Swap => Some((Kind::SWAPPED, None)),
            Self::Undo => Some((Kind::UNDONE, None)),
            Self::SetUp(_) => Some((Kind::CONFIGURED, None)),
            Self::Battery { .. } => Some((Kind::BATTERY, None)),
            Self::Tap { .. } => Some((Kind::TAPPED, None)),
            Self::Read => Some((Kind::READ, None)),
            // Whether an edge is a press is for the debouncer to say.
            Self::Contact { .. }
            | Self::Fault(_)
            | Self::Move(_)
            | Self::Arrive { .. }
            | Self::Observe(_)
            | Self::Claim(_)
            | Self::Find(_)
            | Self::Hall(_) => None,
        }
    }

    /// Whether a rig carries this out; every other act only happens in the hall.
    #[must_use]
    pub const fn is_for_the_clock(&self) -> bool {
        match self {
            Self::Pause { how: StopMeans::StartOpponent, .. } => false,
            Self::Start
            | Self::Press { .. }
            | Self::Pause { .. }
            | Self::Resume { .. }
            | Self::SetTime { .. }
            | Self::SetCounter { .. }
            | Self::SetPeriod { .. }
            | Self::Swap
            | Self::Undo
            | Self::SetUp(_)
            | Self::Contact { .. }
            | Self::Battery { .. }
            | Self::Tap { .. }
            | Self::Read
            | Self::Fault(_) => true,
            Self::Move(_) | Self::Arrive { .. } | Self::Observe(_) | Self::Claim(_) | Self::Find(_) | Self::Hall(_) => {
                false
            }
        }
    }
}

/// A setting that the arbiter installs in the middle of a game, with the times and counters to go on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Installed(#[serde(with = "wire::boxed_setup")] pub Box<Setup>);

/// The hand that presses, compared with the hand that moved the piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hand {
    /// The same hand.
    Same,
    /// The other hand.
    Other,
    /// Nobody noticed.
    #[default]
    Unsaid,
}

/// Why the clocks are stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// The game has to be interrupted: alarm, light failure.
    Interruption,
    /// A piece for a promotion is not at hand.
    PromotionPiece,
    /// A piece has been displaced.
    DisplacedPiece,
    /// The clock seems defective or wrongly set.
    Clock,
    /// A draw is claimed.
    DrawClaim,
    /// The players are in conflict.
    Conflict,
    /// Something else that calls for the arbiter.
    Assistance,
    /// Nothing that anybody could name.
    None,
}

/// By what the clocks are stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopMeans {
    /// By what the clock has for it: a button that stops both sides.
    #[default]
    PauseButton,
    /// Both buttons of a mechanical clock half down.
    HalfPress,
    /// By starting the opponent's side, which stops only one's own.
    StartOpponent,
    /// By switching the clock off.
    SwitchOff,
}

impl StopMeans {
    const fn is_the_usual(&self) -> bool {
        matches!(self, Self::PauseButton)
    }
}

/// A legal move as it was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveMade {
    /// Who moved.
    pub side: Side,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The position after it in Forsyth-Edwards notation.
    pub after: String,
    /// How it ends the game, if it does.
    pub ends: Option<GameEnd>,
}

/// How a move ends the game by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameEnd {
    /// The king is mated.
    Checkmate,
    /// There is no legal move and no check.
    Stalemate,
}

/// What somebody sees when he looks at the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Who looks.
    pub by: Person,
    /// Which flags he sees down.
    pub fallen: BySide<bool>,
    /// Which of them he saw fall first, if he did.
    pub first: Option<Side>,
}

/// A player's claim that a flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Who claims.
    pub by: Side,
    /// Whose flag.
    pub flag: Side,
    /// What he relies on.
    pub basis: Basis,
}

/// What a claim relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The flag itself.
    Flag,
    /// The move counter of the clock alone.
    Counter,
    /// That one side has used more time than the other.
    UsedTime,
    /// A screen or demonstration board.
    Screen,
}

/// What the arbiter finds out when he looks into something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// About the clock.
    Defect(DefectFinding),
    /// About the reason for which a player stopped the clocks.
    Stop(StopFinding),
    /// About how the clock was set up.
    Setting(SettingFinding),
    /// What the flag of a dial does when the clock is turned upside down.
    TurnOver(TurnOver),
    /// So many moves of a side are proved.
    Count(Side, u16),
    /// The moves of a side cannot be proved.
    Unproven(Side),
    /// About a claim of a draw.
    DrawClaim(ClaimFinding),
    /// Whether the competition's schedule would suffer if this were not put right.
    Schedule(ScheduleFinding),
    /// About what a player did at the clock or the board: he meant to gain by it.
    Deliberate(Side),
    /// About how the pieces were set up at the beginning of the game.
    Position(SettingFinding),
}

/// Whether clock or pieces were set up as they should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SettingFinding {
    /// It was not.
    Wrong,
    /// It was.
    Right,
}

/// Whether the schedule suffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleFinding {
    /// It would suffer.
    Suffers,
    /// It would not.
    Unharmed,
}

/// What the flag does when the clock is turned upside down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnOver {
    /// It catches on the minute hand: it fell too soon.
    Catches,
    /// It swings freely: the hand had passed.
    SwingsFree,
}

/// Whether a claim was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimFinding {
    /// It was.
    Right,
    /// It was not, but could be argued for.
    Wrong,
    /// It was not, and clearly so.
    ClearlyUnfounded,
}

/// What is wrong with the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefectFinding {
    /// A defect that anybody can see.
    Evident,
    /// It shows nothing any more.
    Total,
    /// It may be defective.
    Suspected,
    /// Nothing.
    None,
}

/// Whether a player had a reason to stop the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopFinding {
    /// He had.
    Valid,
    /// He had not.
    NotValid,
    /// He had not, and knew it.
    ClearlyUnfounded,
}
