//! The wire form of what a bench tells the firmware: fixed size, versioned.
//!
//! Version 2, 248 bytes, little endian. Byte 0 version, byte 1 kind, byte 2 side (0, 1 or 255), bytes 3-7 zero, payload
//! from byte 8:
//!
//! | kind | payload |
//! |---|---|
//! | 1 configure | 8 credit (0 before, 1 after), 9 at zero (0 freeze, 1 run on), 10 exactly zero (0 fallen, 1 alive), 11 same tick (0 flag first, 1 press first), 12 late control move (0 nothing, 1 next base), 13 second press (0 ignored, 1 counted), 14 carry-over, 15 first-fallen sign, 16 first side, 17 rounding (0 up, 1 down), 18 tenths below so many seconds, 19 debounce ms, 20-21 seconds below so many minutes, 22 and 23 number of White's and Black's periods; 24 White's four periods and 120 Black's, of 24 bytes each: moves u16 (0 all), moves or periods of the bonus u16, bonus kind u8 (0 none, 1 increment, 2 delay, 3 Bronstein, 4 hourglass, 5 byo-yomi, 6 Canadian, 7 per move, 8 count up), three zero, base ms u64, bonus ms u32, four zero; 216 two openings of 16 bytes: left ms u64 (all ones: not given), moves u16, period u8 (255: not given), five zero |
//! | 2 set time | 8 left ms u64 |
//! | 3 set counter | 8 moves u16 |
//! | 4 read | none |
//! | 5 set period | 8 index u8 |
//! | 6 swap | none |
//! | 7 undo | none |
//! | 8 arm | side 255: the arbiter's button; 8 tick u64, 16 edge (0 opens, 1 closes) |
//!
//! A kind that is added leaves the bytes of the others alone and is no new version: a firmware that does not know it refuses
//! it, and [`crate::contract::Capabilities`] says beforehand which has kind 8.

use core::fmt;

use crate::clock::Input;
use crate::control::{ControlError, PERIODS_MAX, TimeControl};
use crate::display::{DisplayFormat, Rounding};
use crate::period::{Bonus, Period, TIME_MS_MAX};
use crate::record::{u16_at, u32_at, u64_at};
use crate::setup::{AtZero, Credit, LateControlMove, Opening, SameTick, SecondPress, Setup, Zero};
use crate::side::{BySide, Side};
use crate::time::DeviceTime;

/// Bytes of a command.
pub const LEN: usize = 248;

/// The version written in every command.
pub const VERSION: u8 = 2;

const CONFIGURE: u8 = 1;
const PERIOD_LEN: usize = 24;
const PERIODS_AT: BySide<usize> = BySide::new(24, 24 + PERIODS_MAX * PERIOD_LEN);
/// Where both sides' controls stand in a configure command: the numbers of their periods, and these.
pub(crate) const CONTROLS: core::ops::Range<usize> = 22..24 + 2 * PERIODS_MAX * PERIOD_LEN;
const OPENINGS_AT: BySide<usize> = BySide::new(216, 232);
const NO_SIDE: u8 = 0xff;
const NO_PERIOD: u8 = 0xff;

/// What a bench can tell a device; buttons go through pins.
#[expect(clippy::large_enum_variant, reason = "there is no heap to put a setup on")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Forget everything and be set up like this.
    Configure(Setup),
    /// Correct a side's time.
    SetTime {
        /// Whose time.
        side: Side,
        /// Milliseconds left.
        left_ms: u64,
    },
    /// Correct a side's counter.
    SetCounter {
        /// Whose counter.
        side: Side,
        /// Completed moves.
        moves: u16,
    },
    /// Say what the faces show.
    Read,
    /// Correct a side's period.
    SetPeriod {
        /// Whose period.
        side: Side,
        /// Its index.
        period: u8,
    },
    /// Swap the colours.
    Swap,
    /// Take the last correction back.
    Undo,
    /// Move a button's own pin when a tick has come, as its contact would.
    Arm(ArmedEdge),
}

/// An edge of a button's contact that a firmware makes at its own pin, by turning the pin's pull resistor round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArmedEdge {
    /// Whose button; `None`: the arbiter's.
    pub side: Option<Side>,
    /// Whether the contact closes.
    pub closes: bool,
    /// The tick in which it does.
    pub at: DeviceTime,
}

/// Bytes that are no version-2 command; the number is what [`crate::record::Kind::REFUSED`] carries as detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// Another version.
    Version(u8),
    /// No such kind.
    Kind(u8),
    /// A side that is neither, or none where one is needed.
    Side(u8),
    /// A byte of a set-up that has no meaning, at this offset.
    Setup(u8),
    /// The periods are no time control.
    Control(ControlError),
    /// A time above the limit of a clock.
    TooLong(u64),
    /// A byte that is no edge of a contact.
    Edge(u8),
    /// No more edges can be armed before those that are armed have been made.
    ArmedFull,
    /// An edge before one that is armed already.
    ArmedOrder,
}

impl CommandError {
    /// The number that stands for this error in a record.
    #[must_use]
    pub const fn code(self) -> u16 {
        match self {
            Self::Version(_) => 1,
            Self::Kind(_) => 2,
            Self::Side(_) => 3,
            Self::Setup(_) => 4,
            Self::Control(_) => 5,
            Self::TooLong(_) => 6,
            Self::Edge(_) => 7,
            Self::ArmedFull => 8,
            Self::ArmedOrder => 9,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(v) => write!(f, "command version {v}, this device reads version {VERSION}"),
            Self::Kind(v) => write!(f, "no command has the number {v}"),
            Self::Side(v) => write!(f, "side byte {v} names no side"),
            Self::Setup(at) => write!(f, "byte {at} of the set-up has no meaning"),
            Self::Control(error) => write!(f, "the periods are no time control: {error}"),
            Self::TooLong(ms) => write!(f, "{ms} ms is above the limit of 100 h"),
            Self::Edge(v) => write!(f, "edge byte {v} neither opens nor closes a contact"),
            Self::ArmedFull => write!(f, "as many edges are armed as this device can keep"),
            Self::ArmedOrder => write!(f, "the edge comes before one that is armed already"),
        }
    }
}

impl core::error::Error for CommandError {}

impl Command {
    /// The input that this command is for a running clock; `None` for [`Command::Configure`], which makes a new one, and
    /// for [`Command::Arm`], which is for its buttons.
    #[must_use]
    pub const fn input(self) -> Option<Input> {
        match self {
            Self::Configure(_) | Self::Arm(_) => None,
            Self::SetTime { side, left_ms } => Some(Input::SetTime { side, left_ms }),
            Self::SetCounter { side, moves } => Some(Input::SetCounter { side, moves }),
            Self::Read => Some(Input::Read),
            Self::SetPeriod { side, period } => Some(Input::SetPeriod { side, period }),
            Self::Swap => Some(Input::Swap),
            Self::Undo => Some(Input::Undo),
        }
    }

    /// The wire form.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; LEN] {
        let mut b = [0; LEN];
        b[0] = VERSION;
        b[2] = NO_SIDE;
        match self {
            Self::Configure(setup) => return configure_to_bytes(setup),
            Self::SetTime { side, left_ms } => {
                b[1] = 2;
                b[2] = side.index();
                b[8..16].copy_from_slice(&left_ms.to_le_bytes());
            }
            Self::SetCounter { side, moves } => {
                b[1] = 3;
                b[2] = side.index();
                b[8..10].copy_from_slice(&moves.to_le_bytes());
            }
            Self::Read => b[1] = 4,
            Self::SetPeriod { side, period } => {
                b[1] = 5;
                b[2] = side.index();
                b[8] = *period;
            }
            Self::Swap => b[1] = 6,
            Self::Undo => b[1] = 7,
            Self::Arm(edge) => {
                b[1] = 8;
                b[2] = edge.side.map_or(NO_SIDE, Side::index);
                b[8..16].copy_from_slice(&edge.at.ticks().to_le_bytes());
                b[16] = u8::from(edge.closes);
            }
        }
        b
    }

    /// Reads the wire form back.
    ///
    /// # Errors
    /// [`CommandError`]: the device answers with a refused record and changes nothing.
    pub fn from_bytes(b: &[u8; LEN]) -> Result<Self, CommandError> {
        if b[0] != VERSION {
            return Err(CommandError::Version(b[0]));
        }
        let side = || Side::from_index(b[2]).ok_or(CommandError::Side(b[2]));
        match b[1] {
            CONFIGURE => read_setup(b).map(Self::Configure),
            2 => Ok(Self::SetTime { side: side()?, left_ms: time_ms(u64_at(b, 8))? }),
            3 => Ok(Self::SetCounter { side: side()?, moves: u16_at(b, 8) }),
            4 => Ok(Self::Read),
            5 => Ok(Self::SetPeriod { side: side()?, period: b[8] }),
            6 => Ok(Self::Swap),
            7 => Ok(Self::Undo),
            8 => Ok(Self::Arm(ArmedEdge {
                side: if b[2] == NO_SIDE { None } else { Some(side()?) },
                closes: match b[16] {
                    0 => false,
                    1 => true,
                    other => return Err(CommandError::Edge(other)),
                },
                at: DeviceTime::from_ticks(u64_at(b, 8)),
            })),
            kind => Err(CommandError::Kind(kind)),
        }
    }
}

/// The wire form of the configure command for this setup, of which a small stack has no room for a copy.
pub(crate) fn configure_to_bytes(setup: &Setup) -> [u8; LEN] {
    let mut b = [0; LEN];
    b[0] = VERSION;
    b[1] = CONFIGURE;
    b[2] = NO_SIDE;
    write_setup(setup, &mut b);
    b
}

/// The setup in a configure command; `None` for another command, and for one that makes no sense.
pub(crate) fn configure_from_bytes(b: &[u8; LEN]) -> Option<Setup> {
    if b[0] == VERSION && b[1] == CONFIGURE { read_setup(b).ok() } else { None }
}

fn write_setup(setup: &Setup, b: &mut [u8; LEN]) {
    b[8] = u8::from(setup.credit == Credit::AfterMove);
    b[9] = u8::from(setup.at_zero == AtZero::RunOn);
    b[10] = u8::from(setup.zero == Zero::Alive);
    b[11] = u8::from(setup.same_tick == SameTick::PressFirst);
    b[12] = u8::from(setup.late_control_move == LateControlMove::NextBase);
    b[13] = u8::from(setup.second_press == SecondPress::Counted);
    b[14] = u8::from(setup.carry_over);
    b[15] = u8::from(setup.first_fallen_sign);
    b[16] = setup.first.index();
    b[17] = u8::from(setup.display.rounding == Rounding::Down);
    b[18] = setup.display.tenths_below_s;
    b[19] = setup.debounce_ms;
    b[20..22].copy_from_slice(&setup.display.seconds_below_min.to_le_bytes());
    for side in Side::ALL {
        let periods = setup.control[side].periods();
        b[22 + usize::from(side.index())] = periods.len() as u8;
        let slots = b[PERIODS_AT[side]..][..PERIODS_MAX * PERIOD_LEN].chunks_exact_mut(PERIOD_LEN);
        for (period, slot) in periods.iter().zip(slots) {
            write_period(period, slot);
        }
        let (opening, slot) = (setup.opening[side], &mut b[OPENINGS_AT[side]..][..16]);
        slot[0..8].copy_from_slice(&opening.left_ms.unwrap_or(u64::MAX).to_le_bytes());
        slot[8..10].copy_from_slice(&opening.moves.to_le_bytes());
        slot[10] = opening.period.unwrap_or(NO_PERIOD);
    }
}

fn write_period(period: &Period, b: &mut [u8]) {
    let (kind, count) = match period.bonus {
        Bonus::None => (0, 0),
        Bonus::Increment { .. } => (1, 0),
        Bonus::Delay { .. } => (2, 0),
        Bonus::Bronstein { .. } => (3, 0),
        Bonus::Hourglass => (4, 0),
        Bonus::ByoYomi { periods, .. } => (5, u16::from(periods)),
        Bonus::Canadian { moves, .. } => (6, moves),
        Bonus::PerMove => (7, 0),
        Bonus::CountUp => (8, 0),
    };
    b[0..2].copy_from_slice(&period.moves.unwrap_or(0).to_le_bytes());
    b[2..4].copy_from_slice(&count.to_le_bytes());
    b[4] = kind;
    b[8..16].copy_from_slice(&period.base_ms.to_le_bytes());
    b[16..20].copy_from_slice(&period.bonus.ms().to_le_bytes());
}

fn read_setup(b: &[u8; LEN]) -> Result<Setup, CommandError> {
    let flag = |at: usize| match b[at] {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(CommandError::Setup(at as u8)),
    };
    Ok(Setup {
        control: BySide::new(read_control(b, Side::White)?, read_control(b, Side::Black)?),
        credit: if flag(8)? { Credit::AfterMove } else { Credit::BeforeMove },
        at_zero: if flag(9)? { AtZero::RunOn } else { AtZero::Freeze },
        zero: if flag(10)? { Zero::Alive } else { Zero::Fallen },
        same_tick: if flag(11)? { SameTick::PressFirst } else { SameTick::FlagFirst },
        late_control_move: if flag(12)? { LateControlMove::NextBase } else { LateControlMove::Nothing },
        second_press: if flag(13)? { SecondPress::Counted } else { SecondPress::Ignored },
        carry_over: flag(14)?,
        first_fallen_sign: flag(15)?,
        display: DisplayFormat {
            rounding: if flag(17)? { Rounding::Down } else { Rounding::Up },
            tenths_below_s: b[18],
            seconds_below_min: u16_at(b, 20),
        },
        debounce_ms: b[19],
        first: Side::from_index(b[16]).ok_or(CommandError::Setup(16))?,
        opening: BySide::new(read_opening(b, Side::White)?, read_opening(b, Side::Black)?),
    })
}

fn read_control(b: &[u8; LEN], side: Side) -> Result<TimeControl, CommandError> {
    let count_at = 22 + usize::from(side.index());
    let count = usize::from(b[count_at]);
    if count > PERIODS_MAX {
        return Err(CommandError::Setup(count_at as u8));
    }
    let mut periods = [Period::all_moves(0, Bonus::None); PERIODS_MAX];
    for (index, period) in periods.iter_mut().enumerate().take(count) {
        *period = read_period(b, PERIODS_AT[side] + PERIOD_LEN * index)?;
    }
    TimeControl::new(&periods[..count]).map_err(CommandError::Control)
}

fn read_period(b: &[u8; LEN], at: usize) -> Result<Period, CommandError> {
    let (count, ms) = (u16_at(b, at + 2), u32_at(b, at + 16));
    let bonus = match b[at + 4] {
        0 => Bonus::None,
        1 => Bonus::Increment { ms },
        2 => Bonus::Delay { ms },
        3 => Bonus::Bronstein { ms },
        4 => Bonus::Hourglass,
        5 => Bonus::ByoYomi { periods: u8::try_from(count).map_err(|_| CommandError::Setup((at + 2) as u8))?, ms },
        6 => Bonus::Canadian { moves: count, ms },
        7 => Bonus::PerMove,
        8 => Bonus::CountUp,
        _ => return Err(CommandError::Setup((at + 4) as u8)),
    };
    Ok(Period { moves: Some(u16_at(b, at)).filter(|moves| *moves > 0), base_ms: u64_at(b, at + 8), bonus })
}

fn read_opening(b: &[u8; LEN], side: Side) -> Result<Opening, CommandError> {
    let at = OPENINGS_AT[side];
    let left_ms = match u64_at(b, at) {
        u64::MAX => None,
        ms => Some(time_ms(ms)?),
    };
    let period = Some(b[at + 10]).filter(|period| *period != NO_PERIOD);
    Ok(Opening { left_ms, moves: u16_at(b, at + 8), period })
}

fn time_ms(ms: u64) -> Result<u64, CommandError> {
    if ms > TIME_MS_MAX { Err(CommandError::TooLong(ms)) } else { Ok(ms) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(last: Bonus) -> TimeControl {
        let forty = Period::of_moves(40, 7_200_000, Bonus::Delay { ms: 5_000 });
        TimeControl::new(&[forty, Period::all_moves(900_000, last)]).expect("a control")
    }

    fn setup() -> Setup {
        Setup {
            control: BySide::new(control(Bonus::Increment { ms: 30_000 }), control(Bonus::None)),
            credit: Credit::AfterMove,
            at_zero: AtZero::RunOn,
            zero: Zero::Alive,
            same_tick: SameTick::PressFirst,
            late_control_move: LateControlMove::NextBase,
            second_press: SecondPress::Counted,
            carry_over: false,
            first_fallen_sign: false,
            display: DisplayFormat { rounding: Rounding::Down, tenths_below_s: 20, seconds_below_min: 300 },
            debounce_ms: 7,
            first: Side::Black,
            opening: BySide::new(Opening { left_ms: Some(10_000), moves: 39, period: Some(1) }, Opening::default()),
        }
    }

    #[test]
    fn commands_survive_the_wire() {
        let alone = |bonus| TimeControl::new(&[Period::all_moves(60_000, bonus)]).expect("a control");
        let setups = [
            setup(),
            Setup::new(control(Bonus::Bronstein { ms: 1 })),
            Setup::new(control(Bonus::ByoYomi { periods: 5, ms: 30_000 })),
            Setup::new(control(Bonus::Canadian { moves: 300, ms: 30_000 })),
            Setup::new(control(Bonus::PerMove)),
            Setup::new(alone(Bonus::Hourglass)),
            Setup::new(alone(Bonus::CountUp)),
        ];
        let others = [
            Command::SetTime { side: Side::Black, left_ms: 60_000 },
            Command::SetCounter { side: Side::White, moves: 41 },
            Command::Read,
            Command::SetPeriod { side: Side::White, period: 2 },
            Command::Swap,
            Command::Undo,
            Command::Arm(ArmedEdge { side: None, closes: false, at: DeviceTime::from_ticks(u64::MAX) }),
            Command::Arm(ArmedEdge { side: Some(Side::White), closes: true, at: DeviceTime::ZERO }),
        ];
        for command in setups.map(Command::Configure).into_iter().chain(others) {
            assert_eq!(Command::from_bytes(&command.to_bytes()), Ok(command));
        }
    }

    #[test]
    fn an_armed_edge_has_its_golden_bytes() {
        let at = DeviceTime::from_ticks(0x0807_0605_0403_0201);
        let edge = ArmedEdge { side: Some(Side::Black), closes: true, at };
        let bytes = Command::Arm(edge).to_bytes();
        assert_eq!(bytes[..17], [2, 8, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 1]);
        assert!(bytes[17..].iter().all(|byte| *byte == 0));
        let arbiter = Command::Arm(ArmedEdge { side: None, closes: false, ..edge }).to_bytes();
        assert_eq!((arbiter[2], arbiter[16]), (255, 0));
        let with = |at: usize, byte: u8| {
            let mut bytes = bytes;
            bytes[at] = byte;
            Command::from_bytes(&bytes)
        };
        assert_eq!(with(16, 2), Err(CommandError::Edge(2)));
        assert_eq!(with(2, 2), Err(CommandError::Side(2)));
    }

    #[test]
    fn each_setting_has_a_byte_of_its_own() {
        let (plain, all) = (Command::Configure(Setup::new(control(Bonus::None))), Command::Configure(setup()));
        let (plain, all) = (plain.to_bytes(), all.to_bytes());
        assert!((8..22).filter(|at| *at != 21).all(|at| plain[at] != all[at]), "{plain:?} {all:?}");
    }

    #[test]
    fn meaningless_bytes_are_refused() {
        let good = Command::Configure(setup()).to_bytes();
        for (at, byte, error) in [
            (0, 9, CommandError::Version(9)),
            (1, 77, CommandError::Kind(77)),
            (8, 2, CommandError::Setup(8)),
            (13, 2, CommandError::Setup(13)),
            (16, 3, CommandError::Setup(16)),
            (22, 5, CommandError::Setup(22)),
            (23, 0, CommandError::Control(ControlError::Empty)),
            (28, 9, CommandError::Setup(28)),
        ] {
            let mut bytes = good;
            bytes[at] = byte;
            assert_eq!(Command::from_bytes(&bytes), Err(error));
        }
        let mut bytes = Command::SetTime { side: Side::White, left_ms: 1 }.to_bytes();
        bytes[2] = NO_SIDE;
        assert_eq!(Command::from_bytes(&bytes), Err(CommandError::Side(NO_SIDE)));
        bytes[2] = 0;
        bytes[15] = 1;
        assert!(matches!(Command::from_bytes(&bytes), Err(CommandError::TooLong(_))));
    }
}
