//! The wire form of what happened: fixed size, versioned, the same bytes in firmware, simulator and files.
//!
//! Version 2, 72 bytes, little endian:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 1 | version (2) |
//! | 1 | 1 | kind |
//! | 2 | 1 | side: 0 White, 1 Black, 255 none |
//! | 3 | 1 | phase: 0 ready, 1 running, 2 paused, 3 frozen |
//! | 4 | 2 | sequence number, wrapping: a gap is a lost record; of kind 24 that of the record that is shown |
//! | 6 | 2 | detail: period index, periods or moves of the overtime, reason, at boot what was kept, or zero |
//! | 8 | 8 | device time in ticks at which it took effect |
//! | 16 | 8 | value: ticks credited or set, moves or period set, ticks of late notice, of handling or until shown, tick rate at boot |
//! | 24 | 8 + 8 | main time left in ticks, White then Black |
//! | 40 | 8 | delay left in ticks for the side in the phase |
//! | 48 | 4 + 4 | faces, White then Black, see [`crate::Face::to_bits`] |
//! | 56 | 4 | delay shown apart, in seconds |
//! | 60 | 2 + 2 | counted moves, White then Black |
//! | 64 | 2 + 2 | byo-yomi periods left or moves of the Canadian stage, White then Black, zero in the main time |
//! | 68 | 1 + 1 | period index, White then Black |
//! | 70 | 1 | bit 0 White's flag down, bit 1 Black's, bits 2-3 first fallen sign (0 none, 1 White, 2 Black), bit 4 the side in the phase is Black, bit 5 battery sign |
//! | 71 | 1 | zero |
//!
//! A kind that this version does not know is kept as it is, so that old tools can carry new records.

use core::fmt;

use crate::clock::{Effect, Happening, Phase, State};
use crate::display::{DisplayFormat, Face};
use crate::kept::Kept;
use crate::setup::Setup;
use crate::side::{BySide, Side};
use crate::time::{DeviceTime, TickRate};

/// Bytes of a record.
pub const LEN: usize = 72;

/// The version written in every record.
pub const VERSION: u8 = 2;

const NO_SIDE: u8 = 0xff;

/// What a record is about; the numbers are wire form and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub u8);

impl Kind {
    /// The device booted; value: tick rate in hertz, detail: see [`boot_detail`].
    pub const BOOT: Self = Self(1);
    /// The device was set up; value: none.
    pub const CONFIGURED: Self = Self(2);
    /// A player's button; value: ticks from the edge of the contact to this record, zero in virtual time.
    pub const PRESSED: Self = Self(3);
    /// The arbiter's button.
    pub const ARBITER_PRESSED: Self = Self(4);
    /// The game began.
    pub const STARTED: Self = Self(5);
    /// The side named runs now; value: ticks from the edge of the contact that did it to this record, zero in virtual
    /// time.
    pub const SWITCHED: Self = Self(6);
    /// An increment; value: ticks.
    pub const CREDITED: Self = Self(7);
    /// A period began; detail: its index.
    pub const PERIOD_ENTERED: Self = Self(8);
    /// A flag fell; value: ticks between the fall and the notice.
    pub const FLAG_FELL: Self = Self(9);
    /// Paused.
    pub const PAUSED: Self = Self(10);
    /// Gone on.
    pub const RESUMED: Self = Self(11);
    /// Time corrected; value: ticks.
    pub const TIME_SET: Self = Self(12);
    /// Counter corrected; value: moves.
    pub const COUNTER_SET: Self = Self(13);
    /// The input before changed nothing; detail: the reason.
    pub const IGNORED: Self = Self(14);
    /// The faces were read.
    pub const READ: Self = Self(15);
    /// The step was dated before the last one; value: by how many ticks.
    pub const WENT_BACK: Self = Self(16);
    /// A command could not be understood; detail: why.
    pub const REFUSED: Self = Self(17);
    /// A press by the side that did not run counted as a move.
    pub const COUNTED: Self = Self(18);
    /// A byo-yomi period or a Canadian stage began; detail: periods left, this one included, or moves to make.
    pub const OVERTIME_ENTERED: Self = Self(19);
    /// Period to be corrected; value: its index.
    pub const PERIOD_SET: Self = Self(20);
    /// The colours were swapped.
    pub const SWAPPED: Self = Self(21);
    /// The last correction was to be taken back.
    pub const UNDONE: Self = Self(22);
    /// The battery sign was lit (value 1) or went out (0).
    pub const BATTERY: Self = Self(23);
    /// The line of the panel that shows what a press brought has gone out whole, its last stop bit included; value: ticks
    /// from the edge of the contact until then. It takes no number of its own: its sequence number is that of the last
    /// record of the press, and it says nothing of the clock that others do not say.
    pub const SHOWN: Self = Self(24);

    /// The minute hand of a dial lifted a flag.
    pub const FLAG_LIFTED: Self = Self(30);
    /// The flag of a dial dropped where no control ends; detail: 0 at a full hour, 1 up from the setting until then,
    /// 2 because the hand slipped away from under it.
    pub const FLAG_DROPPED: Self = Self(31);
    /// Somebody tapped an analogue clock.
    pub const TAPPED: Self = Self(32);

    /// The bit of this kind in a mask such as the firmware's `stop_on`; zero for kinds above 63.
    #[must_use]
    pub const fn mask(self) -> u64 {
        if self.0 < 64 { 1 << self.0 } else { 0 }
    }

    /// Whether the value of such a record is how long a device took to handle what it tells of: a matter of the device,
    /// and not of what a clock reckons.
    #[must_use]
    pub const fn tells_handling(self) -> bool {
        matches!(self, Self::PRESSED | Self::SWITCHED)
    }

    /// Whether a record of this kind follows from the record before it, which says what was done to the clock.
    #[must_use]
    pub const fn is_consequence(self) -> bool {
        matches!(
            self,
            Self::STARTED
                | Self::SWITCHED
                | Self::CREDITED
                | Self::PERIOD_ENTERED
                | Self::PAUSED
                | Self::RESUMED
                | Self::IGNORED
                | Self::COUNTED
        )
    }

    /// The word for this kind, `unknown` for a kind of a later version.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BOOT => "boot",
            Self::CONFIGURED => "configured",
            Self::PRESSED => "pressed",
            Self::ARBITER_PRESSED => "arbiter-pressed",
            Self::STARTED => "started",
            Self::SWITCHED => "switched",
            Self::CREDITED => "credited",
            Self::PERIOD_ENTERED => "period-entered",
            Self::FLAG_FELL => "flag-fell",
            Self::PAUSED => "paused",
            Self::RESUMED => "resumed",
            Self::TIME_SET => "time-set",
            Self::COUNTER_SET => "counter-set",
            Self::IGNORED => "ignored",
            Self::READ => "read",
            Self::WENT_BACK => "went-back",
            Self::REFUSED => "refused",
            Self::COUNTED => "counted",
            Self::OVERTIME_ENTERED => "overtime-entered",
            Self::PERIOD_SET => "period-set",
            Self::SWAPPED => "swapped",
            Self::UNDONE => "undone",
            Self::BATTERY => "battery",
            Self::SHOWN => "shown",
            Self::FLAG_LIFTED => "flag-lifted",
            Self::FLAG_DROPPED => "flag-dropped",
            Self::TAPPED => "tapped",
            _ => "unknown",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One thing that the device says happened, with all that its faces showed right after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it is about.
    pub kind: Kind,
    /// Whose, if anybody's.
    pub side: Option<Side>,
    /// Number in the stream, wrapping.
    pub seq: u16,
    /// Period index, reason, or zero.
    pub detail: u16,
    /// When it took effect, in ticks of the device.
    pub at: DeviceTime,
    /// See the kind.
    pub value: u64,
    /// What the clock was doing right after.
    pub phase: Phase,
    /// Main time left, in ticks.
    pub remaining_ticks: BySide<u64>,
    /// Delay left for the side in the phase, in ticks.
    pub delay_ticks: u64,
    /// The displays.
    pub shown: BySide<Face>,
    /// The delay that is shown apart, in seconds, rounded as the displays are.
    pub shown_delay_seconds: u32,
    /// Counted moves.
    pub moves: BySide<u16>,
    /// Byo-yomi periods left or moves of the Canadian stage; zero in the main time.
    pub overtime: BySide<u16>,
    /// Period indices.
    pub period: BySide<u8>,
    /// Flags that are down.
    pub fallen: BySide<bool>,
    /// The first-fallen sign.
    pub first_fallen: Option<Side>,
    /// The battery sign.
    pub battery_low: bool,
}

impl Record {
    /// The record of a happening on a clock that is set up like this and whose time base runs at `rate`.
    #[must_use]
    pub fn new(seq: u16, happening: &Happening, setup: &Setup, rate: TickRate) -> Self {
        let (kind, side, detail, value) = match happening.effect {
            Effect::Pressed(side) => (Kind::PRESSED, Some(side), 0, 0),
            Effect::ArbiterPressed => (Kind::ARBITER_PRESSED, None, 0, 0),
            Effect::Started(side) => (Kind::STARTED, Some(side), 0, 0),
            Effect::Switched(side) => (Kind::SWITCHED, Some(side), 0, 0),
            Effect::Counted(side) => (Kind::COUNTED, Some(side), 0, 0),
            Effect::Credited(side, ticks) => (Kind::CREDITED, Some(side), 0, ticks),
            Effect::PeriodEntered(side, index) => (Kind::PERIOD_ENTERED, Some(side), u16::from(index), 0),
            Effect::OvertimeEntered(side, left) => (Kind::OVERTIME_ENTERED, Some(side), left, 0),
            Effect::FlagFell(side, late) => (Kind::FLAG_FELL, Some(side), 0, late),
            Effect::Paused(side) => (Kind::PAUSED, Some(side), 0, 0),
            Effect::Resumed(side) => (Kind::RESUMED, Some(side), 0, 0),
            Effect::TimeSet(side, ticks) => (Kind::TIME_SET, Some(side), 0, ticks),
            Effect::CounterSet(side, moves) => (Kind::COUNTER_SET, Some(side), 0, u64::from(moves)),
            Effect::PeriodSet(side, index) => (Kind::PERIOD_SET, Some(side), 0, u64::from(index)),
            Effect::Swapped => (Kind::SWAPPED, None, 0, 0),
            Effect::Undone => (Kind::UNDONE, None, 0, 0),
            Effect::Battery(low) => (Kind::BATTERY, None, 0, u64::from(low)),
            Effect::Ignored(side, because) => (Kind::IGNORED, side, because as u16, 0),
            Effect::Read => (Kind::READ, None, 0, 0),
            Effect::WentBack(ticks) => (Kind::WENT_BACK, None, 0, ticks),
        };
        let standing = Self::of_state(kind, seq, happening.at, &happening.state, setup, rate);
        Self { side, detail, value, ..standing }
    }

    /// A record that says nothing but where the clock stands: for boot, set-up, refused commands.
    #[must_use]
    pub fn of_state(kind: Kind, seq: u16, at: DeviceTime, state: &State, setup: &Setup, rate: TickRate) -> Self {
        let delay_ticks = state.phase.side().map_or(0, |side| state.delay_ticks[side]);
        let seconds = DisplayFormat { rounding: setup.display.rounding, ..DisplayFormat::default() };
        Self {
            kind,
            side: None,
            seq,
            detail: 0,
            at,
            value: 0,
            phase: state.phase,
            remaining_ticks: state.remaining_ticks,
            delay_ticks,
            shown: state.remaining_ticks.map(|ticks| Face::of(ticks, rate, setup.display)),
            shown_delay_seconds: Face::of(delay_ticks, rate, seconds).tenths() / 10,
            moves: state.moves,
            overtime: state.overtime,
            period: state.period,
            fallen: state.fallen,
            first_fallen: state.first_fallen.filter(|_| setup.first_fallen_sign),
            battery_low: state.battery_low,
        }
    }

    /// The detail without what is a matter of the device: how fast the clock is that feeds its time base.
    #[must_use]
    pub const fn event_detail(&self) -> u16 {
        if self.kind.0 == Kind::BOOT.0 { self.detail & 3 << 14 } else { self.detail }
    }

    /// The side that runs, if one does.
    #[must_use]
    pub const fn running(&self) -> Option<Side> {
        match self.phase {
            Phase::Running(side) => Some(side),
            _ => None,
        }
    }

    /// The wire form.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; LEN] {
        let (phase, phase_side) = match self.phase {
            Phase::Ready => (0, Side::White),
            Phase::Running(side) => (1, side),
            Phase::Paused(side) => (2, side),
            Phase::Frozen(side) => (3, side),
        };
        let first = match self.first_fallen {
            None => 0,
            Some(Side::White) => 1,
            Some(Side::Black) => 2,
        };
        let mut b = [0; LEN];
        b[0] = VERSION;
        b[1] = self.kind.0;
        b[2] = self.side.map_or(NO_SIDE, Side::index);
        b[3] = phase;
        b[4..6].copy_from_slice(&self.seq.to_le_bytes());
        b[6..8].copy_from_slice(&self.detail.to_le_bytes());
        b[8..16].copy_from_slice(&self.at.ticks().to_le_bytes());
        b[16..24].copy_from_slice(&self.value.to_le_bytes());
        b[24..32].copy_from_slice(&self.remaining_ticks.white.to_le_bytes());
        b[32..40].copy_from_slice(&self.remaining_ticks.black.to_le_bytes());
        b[40..48].copy_from_slice(&self.delay_ticks.to_le_bytes());
        b[48..52].copy_from_slice(&self.shown.white.to_bits().to_le_bytes());
        b[52..56].copy_from_slice(&self.shown.black.to_bits().to_le_bytes());
        b[56..60].copy_from_slice(&self.shown_delay_seconds.to_le_bytes());
        b[60..62].copy_from_slice(&self.moves.white.to_le_bytes());
        b[62..64].copy_from_slice(&self.moves.black.to_le_bytes());
        b[64..66].copy_from_slice(&self.overtime.white.to_le_bytes());
        b[66..68].copy_from_slice(&self.overtime.black.to_le_bytes());
        b[68] = self.period.white;
        b[69] = self.period.black;
        b[70] = u8::from(self.fallen.white)
            | u8::from(self.fallen.black) << 1
            | first << 2
            | phase_side.index() << 4
            | u8::from(self.battery_low) << 5;
        b
    }

    /// Reads the wire form back.
    ///
    /// # Errors
    /// [`RecordError`] names the field that no version-2 device can have written: the stream is out of step or corrupt.
    pub fn from_bytes(b: &[u8; LEN]) -> Result<Self, RecordError> {
        if b[0] != VERSION {
            return Err(RecordError::Version(b[0]));
        }
        let side = match b[2] {
            NO_SIDE => None,
            index => Some(Side::from_index(index).ok_or(RecordError::Side(index))?),
        };
        let signs = b[70];
        let phase_side = if signs & 0x10 == 0 { Side::White } else { Side::Black };
        let phase = match b[3] {
            0 => Phase::Ready,
            1 => Phase::Running(phase_side),
            2 => Phase::Paused(phase_side),
            3 => Phase::Frozen(phase_side),
            other => return Err(RecordError::Phase(other)),
        };
        let first_fallen = match signs >> 2 & 3 {
            0 => None,
            1 => Some(Side::White),
            2 => Some(Side::Black),
            _ => return Err(RecordError::Signs(signs)),
        };
        if signs & 0xc0 != 0 || b[71] != 0 || (phase == Phase::Ready && signs & 0x10 != 0) {
            return Err(RecordError::Signs(signs));
        }
        let face = |at: usize| Face::from_bits(u32_at(b, at)).ok_or(RecordError::Face(b[at + 3]));
        Ok(Self {
            kind: Kind(b[1]),
            side,
            seq: u16_at(b, 4),
            detail: u16_at(b, 6),
            at: DeviceTime::from_ticks(u64_at(b, 8)),
            value: u64_at(b, 16),
            phase,
            remaining_ticks: BySide::new(u64_at(b, 24), u64_at(b, 32)),
            delay_ticks: u64_at(b, 40),
            shown: BySide::new(face(48)?, face(52)?),
            shown_delay_seconds: u32_at(b, 56),
            moves: BySide::new(u16_at(b, 60), u16_at(b, 62)),
            overtime: BySide::new(u16_at(b, 64), u16_at(b, 66)),
            period: BySide::new(b[68], b[69]),
            fallen: BySide::new(signs & 1 != 0, signs & 2 != 0),
            first_fallen,
            battery_low: signs & 0x20 != 0,
        })
    }
}

/// The detail of a boot record: bits 14-15 tell what was kept over the reset, see [`Kept`], and the others the megahertz
/// of the clock before the time base's prescaler, where there is one.
#[must_use]
pub const fn boot_detail(kept: Kept, timer_mhz: u16) -> u16 {
    (kept as u16) << 14 | (timer_mhz & 0x3fff)
}

/// What the detail of a boot record says of what was kept; `None` for a number of a later version.
#[must_use]
pub const fn kept_in(boot_detail: u16) -> Option<Kept> {
    match boot_detail >> 14 {
        0 => Some(Kept::Nothing),
        1 => Some(Kept::Settings),
        2 => Some(Kept::Everything),
        _ => None,
    }
}

/// Bytes that are no version-2 record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// Another version: use tools of that version.
    Version(u8),
    /// A side that is neither.
    Side(u8),
    /// A phase that does not exist.
    Phase(u8),
    /// A face with digits that do not exist; the byte that names them.
    Face(u8),
    /// Sign bits that cannot be set together or at all.
    Signs(u8),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(v) => write!(f, "record version {v}, this tool reads version {VERSION}"),
            Self::Side(v) => write!(f, "side byte {v}: the record stream is out of step or corrupt"),
            Self::Phase(v) => write!(f, "phase byte {v}: the record stream is out of step or corrupt"),
            Self::Face(v) => write!(f, "face byte {v:#04x}: the record stream is out of step or corrupt"),
            Self::Signs(v) => write!(f, "sign byte {v:#04x}: the record stream is out of step or corrupt"),
        }
    }
}

impl core::error::Error for RecordError {}

pub(crate) fn u16_at(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}

pub(crate) fn u32_at(b: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]])
}

pub(crate) fn u64_at(b: &[u8], at: usize) -> u64 {
    u64::from(u32_at(b, at)) | u64::from(u32_at(b, at + 4)) << 32
}

#[cfg(test)]
mod tests;
