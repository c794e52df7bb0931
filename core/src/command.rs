//! The wire form of what a bench tells the firmware: fixed size, versioned.
//!
//! Version 1, 112 bytes, little endian. Byte 0 version, byte 1 kind, byte 2 side (0, 1 or 255), bytes 3-7 zero, payload
//! from byte 8:
//!
//! | kind | payload |
//! |---|---|
//! | 1 configure | 8 credit (0 before, 1 after), 9 at zero (0 freeze, 1 run on), 10 carry-over, 11 first-fallen sign, 12 first side, 13 number of periods, 14-15 zero; 16 four periods of 16 bytes: moves u16 (0 all), bonus kind u8 (0 none, 1 increment, 2 delay), zero, bonus ms u32, base ms u64; 80 two openings of 16 bytes: left ms u64 (all ones: not given), moves u16, six zero |
//! | 2 set time | 8 left ms u64 |
//! | 3 set counter | 8 moves u16 |
//! | 4 read | none |

use core::fmt;

use crate::clock::Input;
use crate::control::{
    AtZero, Bonus, ControlError, Credit, Opening, PERIODS_MAX, Period, Setup, TIME_MS_MAX, TimeControl,
};
use crate::record::{u16_at, u32_at, u64_at};
use crate::side::{BySide, Side};

/// Bytes of a command.
pub const LEN: usize = 112;

/// The version written in every command.
pub const VERSION: u8 = 1;

const PERIODS_AT: usize = 16;
const OPENINGS_AT: usize = 80;
const NO_SIDE: u8 = 0xff;

/// What a bench can tell a device; buttons go through pins.
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
}

/// Bytes that are no version-1 command; the number is what [`crate::record::Kind::REFUSED`] carries as detail.
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
        }
    }
}

impl core::error::Error for CommandError {}

impl Command {
    /// The input that this command is for a running clock; `None` for [`Command::Configure`], which makes a new one.
    #[must_use]
    pub const fn input(self) -> Option<Input> {
        match self {
            Self::Configure(_) => None,
            Self::SetTime { side, left_ms } => Some(Input::SetTime { side, left_ms }),
            Self::SetCounter { side, moves } => Some(Input::SetCounter { side, moves }),
            Self::Read => Some(Input::Read),
        }
    }

    /// The wire form.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; LEN] {
        let mut b = [0; LEN];
        b[0] = VERSION;
        b[2] = NO_SIDE;
        match self {
            Self::Configure(setup) => {
                b[1] = 1;
                write_setup(setup, &mut b);
            }
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
            1 => read_setup(b).map(Self::Configure),
            2 => Ok(Self::SetTime { side: side()?, left_ms: time_ms(u64_at(b, 8))? }),
            3 => Ok(Self::SetCounter { side: side()?, moves: u16_at(b, 8) }),
            4 => Ok(Self::Read),
            kind => Err(CommandError::Kind(kind)),
        }
    }
}

fn write_setup(setup: &Setup, b: &mut [u8; LEN]) {
    b[8] = u8::from(setup.credit == Credit::AfterMove);
    b[9] = u8::from(setup.at_zero == AtZero::RunOn);
    b[10] = u8::from(setup.carry_over);
    b[11] = u8::from(setup.first_fallen_sign);
    b[12] = setup.first.index();
    b[13] = setup.control.periods().len() as u8;
    for (period, b) in setup.control.periods().iter().zip(b[PERIODS_AT..OPENINGS_AT].chunks_exact_mut(16)) {
        let (kind, bonus_ms) = match period.bonus {
            Bonus::None => (0, 0),
            Bonus::Increment { ms } => (1, ms),
            Bonus::Delay { ms } => (2, ms),
        };
        b[0..2].copy_from_slice(&period.moves.unwrap_or(0).to_le_bytes());
        b[2] = kind;
        b[4..8].copy_from_slice(&bonus_ms.to_le_bytes());
        b[8..16].copy_from_slice(&period.base_ms.to_le_bytes());
    }
    for ((_, opening), b) in setup.opening.iter().zip(b[OPENINGS_AT..].chunks_exact_mut(16)) {
        b[0..8].copy_from_slice(&opening.left_ms.unwrap_or(u64::MAX).to_le_bytes());
        b[8..10].copy_from_slice(&opening.moves.to_le_bytes());
    }
}

fn read_setup(b: &[u8; LEN]) -> Result<Setup, CommandError> {
    let flag = |at: usize| match b[at] {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(CommandError::Setup(at as u8)),
    };
    let count = usize::from(b[13]);
    if count > PERIODS_MAX {
        return Err(CommandError::Setup(13));
    }
    let mut periods = [Period::all_moves(0, Bonus::None); PERIODS_MAX];
    for (index, period) in periods.iter_mut().enumerate().take(count) {
        *period = read_period(b, PERIODS_AT + 16 * index)?;
    }
    let opening = |side: Side| {
        let at = OPENINGS_AT + 16 * usize::from(side.index());
        let left_ms = match u64_at(b, at) {
            u64::MAX => None,
            ms => Some(time_ms(ms)?),
        };
        Ok(Opening { left_ms, moves: u16_at(b, at + 8) })
    };
    Ok(Setup {
        control: TimeControl::new(&periods[..count]).map_err(CommandError::Control)?,
        credit: if flag(8)? { Credit::AfterMove } else { Credit::BeforeMove },
        at_zero: if flag(9)? { AtZero::RunOn } else { AtZero::Freeze },
        carry_over: flag(10)?,
        first_fallen_sign: flag(11)?,
        first: Side::from_index(b[12]).ok_or(CommandError::Setup(12))?,
        opening: BySide::new(opening(Side::White)?, opening(Side::Black)?),
    })
}

fn read_period(b: &[u8; LEN], at: usize) -> Result<Period, CommandError> {
    let bonus_ms = u32_at(b, at + 4);
    let bonus = match b[at + 2] {
        0 => Bonus::None,
        1 => Bonus::Increment { ms: bonus_ms },
        2 => Bonus::Delay { ms: bonus_ms },
        _ => return Err(CommandError::Setup((at + 2) as u8)),
    };
    Ok(Period { moves: Some(u16_at(b, at)).filter(|moves| *moves > 0), base_ms: u64_at(b, at + 8), bonus })
}

fn time_ms(ms: u64) -> Result<u64, CommandError> {
    if ms > TIME_MS_MAX { Err(CommandError::TooLong(ms)) } else { Ok(ms) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> Setup {
        let control = TimeControl::new(&[
            Period::of_moves(40, 7_200_000, Bonus::Delay { ms: 5_000 }),
            Period::all_moves(900_000, Bonus::Increment { ms: 30_000 }),
        ])
        .expect("a control");
        Setup {
            at_zero: AtZero::RunOn,
            credit: Credit::AfterMove,
            carry_over: false,
            first: Side::Black,
            opening: BySide::new(Opening { left_ms: Some(10_000), moves: 39 }, Opening::default()),
            ..Setup::new(control)
        }
    }

    #[test]
    fn commands_survive_the_wire() {
        for command in [
            Command::Configure(setup()),
            Command::SetTime { side: Side::Black, left_ms: 60_000 },
            Command::SetCounter { side: Side::White, moves: 41 },
            Command::Read,
        ] {
            assert_eq!(Command::from_bytes(&command.to_bytes()), Ok(command));
        }
    }

    #[test]
    fn meaningless_bytes_are_refused() {
        let good = Command::Configure(setup()).to_bytes();
        for (at, byte, error) in [
            (0, 9, CommandError::Version(9)),
            (1, 77, CommandError::Kind(77)),
            (8, 2, CommandError::Setup(8)),
            (12, 3, CommandError::Setup(12)),
            (13, 5, CommandError::Setup(13)),
            (13, 0, CommandError::Control(ControlError::Empty)),
            (18, 3, CommandError::Setup(18)),
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
