//! What a firmware offers to the bench besides records and commands: where it stops, how fast it ticks, how it died.
//!
//! A bench finds everything by symbol in the ELF: [`SYMBOL_BLOCK`], [`SYMBOL_STOP`], [`SYMBOL_CRASH`],
//! [`SYMBOL_CRASHED`] and [`SYMBOL_RTT`]. Records travel on RTT up channel 0, commands on down channel 0. Firmware and
//! bench share the offsets below; nothing here is needed to keep time.
//!
//! The block, version 2, 88 bytes in RAM, little endian, aligned to 8; that of version 1 ends after 72:
//!
//! | offset | size | field | written by |
//! |---|---|---|---|
//! | 0 | 8 | magic `FLAGFALL` | firmware |
//! | 8 | 4 | contract version (2) | firmware |
//! | 12 | 4 | bytes of the block (88) | firmware |
//! | 16 | 8 | build id: the same for the same sources and compiler | firmware |
//! | 24 | 4 | tick rate in hertz | firmware |
//! | 28 | 4 | capabilities, see [`Capabilities`] | firmware |
//! | 32 | 4 | bytes of a record | firmware |
//! | 36 | 4 | bytes of a command | firmware |
//! | 40 | 4 | hertz of the clock that feeds the time base's prescaler, found at boot | firmware |
//! | 44 | 4 | hertz of the clock that feeds the alarm, found at boot | firmware |
//! | 48 | 8 | `stop_at`: stop once when device time reaches this tick; all ones: never | bench, firmware sets it to never at the stop |
//! | 56 | 8 | `stop_on`: stop after each record whose kind has its bit set | bench |
//! | 64 | 4 | records dropped because the up channel was full | firmware |
//! | 68 | 4 | button edges dropped because their queue was full | firmware |
//! | 72 | 4 | lines of the panel dropped because the serial port was behind, see [`crate::panel`] | firmware |
//! | 76 | 4 | bytes that the stack may use, zero for a stack that is not painted | firmware |
//! | 80 | 8 | address of the lowest of these bytes, upper half zero | firmware |
//!
//! A stop is a call of a function without effect, [`SYMBOL_STOP`]: a bench puts a breakpoint there. It is always entered from
//! the idle loop or right after a record, with no alarm armed, so that a stopped emulator has no reason to move its
//! time. The block starts with `stop_on` set for the boot record, so that a bench with a breakpoint in place stops
//! before anything else happens and can write its own wishes. `stop_at` and `stop_on` are two words each to the core:
//! they are written while it is halted.
//!
//! In that function the firmware also writes to a word that nobody reads, [`SYMBOL_STOPPED`], before it does nothing for some
//! instructions: a bench may watch this word instead. An emulator has less to do for it than for a breakpoint. A firmware
//! that has no such word is stopped by a breakpoint.
//!
//! A firmware with [`Capabilities::ARMED`] moves its own buttons' pins when a tick has come (kind 8 of
//! [`crate::command`]) and says in a word, [`SYMBOL_ARMED_LATE`], how many ticks late such an edge was done at the most since a
//! bench set this word to zero.
//!
//! In a word, [`SYMBOL_PHASE`], a bench says how much of a tick, in 65 536ths, the firmware lets pass before it stops for a time
//! and before it moves an armed pin: whatever it does at the beginning of a tick is seen by an act that always comes there,
//! and nothing else is. Zero, as after a reset, is none; the upper half of the word is zero.
//!
//! At boot the firmware fills the stack that it does not use yet with [`STACK_PAINT`]. What of it is left after a run
//! was never used: [`stack_depth`].

use core::fmt;

use crate::record::{u32_at, u64_at};

/// The block's symbol.
pub const SYMBOL_BLOCK: &str = "FLAGFALL";

/// The function that is called at a stop.
pub const SYMBOL_STOP: &str = "hil_stop";

/// The word to which a stop writes, for a bench that watches it; a firmware need not have it.
pub const SYMBOL_STOPPED: &str = "hil_stopped";

/// The word that has by how many ticks an armed edge was done late at the most; a firmware need not have it.
pub const SYMBOL_ARMED_LATE: &str = "FLAGFALL_ARMED_LATE";

/// The word that has how much of a tick passes before a stop for a time, in 65 536ths; a firmware need not have it.
pub const SYMBOL_PHASE: &str = "FLAGFALL_PHASE";

/// The crash record's symbol.
pub const SYMBOL_CRASH: &str = "FLAGFALL_CRASH";

/// The function in which a crashed firmware spins.
pub const SYMBOL_CRASHED: &str = "crashed";

/// The symbol of what the firmware keeps over a reset, see [`crate::kept`]: a bench that wants a cold start clears it.
pub const SYMBOL_KEPT: &str = "FLAGFALL_KEPT";

/// The symbol of device time as two words, low first, where the time base is counted in memory: a firmware whose time base
/// is a register that a bench can read needs none.
pub const SYMBOL_TICKS: &str = "FLAGFALL_TICKS";

/// The RTT control block's symbol.
pub const SYMBOL_RTT: &str = "_SEGGER_RTT";

/// First bytes of the block.
pub const MAGIC: [u8; 8] = *b"FLAGFALL";

/// The version of block and stops.
pub const VERSION: u32 = 2;

/// Bytes of the block.
pub const LEN: usize = 88;

/// Bytes of the block of version 1.
pub const LEN_1: usize = 72;

/// Offset of `stop_at` in the block.
pub const STOP_AT: usize = 48;

/// Offset of `stop_on` in the block.
pub const STOP_ON: usize = 56;

/// Offset of the count of dropped records in the block.
pub const DROPPED_RECORDS: usize = 64;

/// Offset of the count of dropped button edges in the block.
pub const DROPPED_EDGES: usize = 68;

/// Offset of the count of dropped lines of the panel in the block.
pub const DROPPED_FRAMES: usize = 72;

/// What every word of the stack holds until it is used.
pub const STACK_PAINT: u32 = 0x5AFE_57AC;

/// The value of `stop_at` that stops never.
pub const STOP_NEVER: u64 = u64::MAX;

/// What a firmware can do for a bench; unknown bits are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(pub u32);

impl Capabilities {
    /// Stops at a device time.
    pub const STOP_AT: Self = Self(1);
    /// Stops after records of chosen kinds.
    pub const STOP_ON: Self = Self(1 << 1);
    /// Takes commands.
    pub const COMMANDS: Self = Self(1 << 2);
    /// Leaves a crash record that survives a reset.
    pub const CRASH_RECORD: Self = Self(1 << 3);
    /// A stack overflow ends in a crash record instead of overwritten data.
    pub const STACK_GUARD: Self = Self(1 << 4);
    /// Writes what the faces show on a serial port.
    pub const PANEL: Self = Self(1 << 5);
    /// Keeps settings and game over a reset.
    pub const KEPT: Self = Self(1 << 6);
    /// Resets itself if its loop stands still.
    pub const WATCHDOG: Self = Self(1 << 7);
    /// Moves its buttons' pins when a tick has come.
    pub const ARMED: Self = Self(1 << 8);
    /// Says when the line of the panel that shows a press has gone out ([`crate::record::Kind::SHOWN`]).
    pub const SHOWN: Self = Self(1 << 9);

    /// These and those.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `wanted` are there.
    #[must_use]
    pub const fn have(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }
}

/// The block as a bench reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractHeader {
    /// The version of block and stops that the firmware speaks.
    pub version: u32,
    /// The same for the same sources and compiler.
    pub build_id: u64,
    /// Ticks per second of device time.
    pub tick_hz: u32,
    /// What the firmware can do.
    pub capabilities: Capabilities,
    /// Bytes of a record on up channel 0.
    pub record_len: u32,
    /// Bytes of a command on down channel 0.
    pub command_len: u32,
    /// Hertz of the clock before the time base's prescaler.
    pub timer_hz: u32,
    /// Hertz of the clock that feeds the alarm.
    pub alarm_hz: u32,
    /// Tick of the next stop, [`STOP_NEVER`] for none.
    pub stop_at: u64,
    /// Kinds of records to stop after, as [`crate::record::Kind::mask`].
    pub stop_on: u64,
    /// Records that did not fit into the up channel.
    pub dropped_records: u32,
    /// Button edges that did not fit into their queue.
    pub dropped_edges: u32,
    /// Lines of the panel for which the serial port had no room; none in version 1.
    pub dropped_frames: u32,
    /// The stack, if the firmware has painted it.
    pub stack: Option<Stack>,
}

/// Memory that a stack may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Its lowest address.
    pub lowest: u64,
    /// Its bytes.
    pub len: u32,
}

/// Bytes of a painted stack that were ever used, of its words from the lowest address on.
#[must_use]
pub fn stack_depth(words: &[u32]) -> usize {
    let untouched = words.iter().take_while(|word| **word == STACK_PAINT).count();
    4 * (words.len() - untouched)
}

/// Bytes that are no block of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractError {
    /// Fewer bytes than the block has: read more.
    Short(usize),
    /// No magic: the firmware has not booted, or the ELF is not the one that runs.
    Magic([u8; 8]),
    /// Another version: use a bench of that version.
    Version(u32),
    /// A size that does not belong to the version: memory is corrupt.
    Size(u32),
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short(len) => write!(f, "{len} bytes are no contract block of {LEN} bytes"),
            Self::Magic(bytes) => {
                write!(
                    f,
                    "no {SYMBOL_BLOCK} magic but {bytes:02x?}: not booted yet, or the ELF is not the one that runs"
                )
            }
            Self::Version(v) => write!(f, "contract version {v}, this bench speaks versions 1 to {VERSION}"),
            Self::Size(len) => {
                write!(
                    f,
                    "the contract block says that it has {len} bytes, version 1 has {LEN_1}, version {VERSION} {LEN}"
                )
            }
        }
    }
}

impl core::error::Error for ContractError {}

impl ContractHeader {
    /// Reads the block from at least [`LEN`] bytes of target memory; [`LEN_1`] will do for one of version 1.
    ///
    /// # Errors
    /// [`ContractError`] says why these bytes are no block of a version that is known here.
    pub fn parse(b: &[u8]) -> Result<Self, ContractError> {
        if b.len() < LEN_1 {
            return Err(ContractError::Short(b.len()));
        }
        if b[..8] != MAGIC {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&b[..8]);
            return Err(ContractError::Magic(bytes));
        }
        let version = u32_at(b, 8);
        let of_version = match version {
            1 => LEN_1,
            VERSION => LEN,
            version => return Err(ContractError::Version(version)),
        };
        let len = u32_at(b, 12);
        if len != of_version as u32 {
            return Err(ContractError::Size(len));
        }
        let later = b.get(LEN_1..of_version).ok_or(ContractError::Short(b.len()))?;
        let stack = if later.is_empty() { 0 } else { u32_at(later, 4) };
        Ok(Self {
            version,
            build_id: u64_at(b, 16),
            tick_hz: u32_at(b, 24),
            capabilities: Capabilities(u32_at(b, 28)),
            record_len: u32_at(b, 32),
            command_len: u32_at(b, 36),
            timer_hz: u32_at(b, 40),
            alarm_hz: u32_at(b, 44),
            stop_at: u64_at(b, STOP_AT),
            stop_on: u64_at(b, STOP_ON),
            dropped_records: u32_at(b, DROPPED_RECORDS),
            dropped_edges: u32_at(b, DROPPED_EDGES),
            dropped_frames: if later.is_empty() { 0 } else { u32_at(later, 0) },
            stack: (stack > 0).then(|| Stack { lowest: u64_at(later, 8), len: stack }),
        })
    }
}

/// Bytes of the crash record.
pub const CRASH_LEN: usize = 92;

/// First word of a crash record; anything else means that nothing crashed.
pub const CRASH_MAGIC: u32 = 0xdead_f1a6;

/// Bytes of the text in a crash record.
pub const CRASH_TEXT_LEN: usize = 64;

/// How a firmware died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashKind {
    /// A Rust panic: the code found itself in a state that must not be.
    Panic,
    /// A hard fault: a bad access, an undefined instruction, a stack overflow.
    HardFault,
    /// An interrupt that nobody handles.
    UnexpectedInterrupt,
    /// A kind of a later version.
    Other(u32),
}

impl CrashKind {
    /// The wire number.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::Panic => 1,
            Self::HardFault => 2,
            Self::UnexpectedInterrupt => 3,
            Self::Other(code) => code,
        }
    }

    const fn from_code(code: u32) -> Self {
        match code {
            1 => Self::Panic,
            2 => Self::HardFault,
            3 => Self::UnexpectedInterrupt,
            other => Self::Other(other),
        }
    }
}

/// The last words of a firmware, kept in memory that a reset does not clear.
///
/// 92 bytes, little endian: magic, kind, place, link register, CFSR, HFSR, fault address (4 bytes each), then 64 bytes
/// of text ended by a zero. A bench clears the magic once it has read a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrashRecord {
    /// How.
    pub kind: CrashKind,
    /// Panic: line in the source. Hard fault: program counter. Unexpected interrupt: its number, two's complement.
    pub place: u32,
    /// Link register, for a hard fault.
    pub lr: u32,
    /// Configurable fault status register (ARMv7-M B3.2.15).
    pub cfsr: u32,
    /// Hard fault status register (ARMv7-M B3.2.16).
    pub hfsr: u32,
    /// The address whose access faulted, zero when the core did not keep one.
    pub address: u32,
    /// Up to [`CRASH_TEXT_LEN`] bytes of text, padded with zeros.
    pub text: [u8; CRASH_TEXT_LEN],
}

impl CrashRecord {
    /// The wire form.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; CRASH_LEN] {
        let mut b = [0; CRASH_LEN];
        let words = [CRASH_MAGIC, self.kind.code(), self.place, self.lr, self.cfsr, self.hfsr, self.address];
        for (word, b) in words.iter().zip(b.chunks_exact_mut(4)) {
            b.copy_from_slice(&word.to_le_bytes());
        }
        b[28..].copy_from_slice(&self.text);
        b
    }

    /// Reads a record; `None` when nothing crashed.
    #[must_use]
    pub fn from_bytes(b: &[u8; CRASH_LEN]) -> Option<Self> {
        if u32_at(b, 0) != CRASH_MAGIC {
            return None;
        }
        let mut text = [0; CRASH_TEXT_LEN];
        text.copy_from_slice(&b[28..]);
        Some(Self {
            kind: CrashKind::from_code(u32_at(b, 4)),
            place: u32_at(b, 8),
            lr: u32_at(b, 12),
            cfsr: u32_at(b, 16),
            hfsr: u32_at(b, 20),
            address: u32_at(b, 24),
            text,
        })
    }

    /// The text as far as it is one.
    #[must_use]
    pub fn text(&self) -> &str {
        let end = self.text.iter().position(|byte| *byte == 0).unwrap_or(self.text.len());
        let bytes = &self.text[..end];
        match core::str::from_utf8(bytes) {
            Ok(text) => text,
            // A text cut in the middle of a character: what stands before it is sound.
            Err(error) => core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        }
    }
}

impl fmt::Display for CrashRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            CrashKind::Panic => write!(f, "panic at line {} of {}", self.place, self.text()),
            CrashKind::HardFault => write!(
                f,
                "hard fault at {:#010x}, called from {:#010x}: CFSR {:#010x}, HFSR {:#010x}, address {:#010x}",
                self.place, self.lr, self.cfsr, self.hfsr, self.address
            ),
            CrashKind::UnexpectedInterrupt => write!(f, "interrupt {} has no handler", self.place.cast_signed()),
            CrashKind::Other(code) => {
                write!(f, "crash of unknown kind {code} at {:#010x}: {}", self.place, self.text())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    fn block() -> [u8; LEN] {
        let mut b = [0; LEN];
        b[..8].copy_from_slice(b"FLAGFALL");
        b[8] = 2;
        b[12] = 88;
        for (index, byte) in b.iter_mut().enumerate().skip(16) {
            *byte = index as u8;
        }
        b
    }

    #[test]
    fn every_field_stands_where_the_table_says() {
        let header = ContractHeader::parse(&block()).expect("a block");
        assert_eq!(
            header,
            ContractHeader {
                version: VERSION,
                build_id: 0x1716_1514_1312_1110,
                tick_hz: 0x1b1a_1918,
                capabilities: Capabilities(0x1f1e_1d1c),
                record_len: 0x2322_2120,
                command_len: 0x2726_2524,
                timer_hz: 0x2b2a_2928,
                alarm_hz: 0x2f2e_2d2c,
                stop_at: 0x3736_3534_3332_3130,
                stop_on: 0x3f3e_3d3c_3b3a_3938,
                dropped_records: 0x4342_4140,
                dropped_edges: 0x4746_4544,
                dropped_frames: 0x4b4a_4948,
                stack: Some(Stack { len: 0x4f4e_4d4c, lowest: 0x5756_5554_5352_5150 }),
            }
        );
    }

    #[test]
    fn a_block_of_version_1_has_no_panel_and_no_painted_stack() {
        let mut b = block();
        b[8] = 1;
        b[12] = 72;
        let header = ContractHeader::parse(&b[..LEN_1]).expect("72 bytes are enough");
        assert_eq!(Ok(header), ContractHeader::parse(&b), "and what follows them is something else");
        assert_eq!((header.version, header.dropped_frames, header.stack), (1, 0, None));
        assert_eq!(header.dropped_edges, 0x4746_4544);
    }

    #[test]
    fn a_stack_is_as_deep_as_its_lowest_word_without_paint() {
        let mut words = [STACK_PAINT; 8];
        assert_eq!(stack_depth(&words), 0);
        words[7] = 1;
        assert_eq!(stack_depth(&words), 4);
        words[3] = 0;
        assert_eq!(stack_depth(&words), 20, "words above may have been skipped");
        words[0] = !STACK_PAINT;
        assert_eq!(stack_depth(&words), 32);
    }

    #[test]
    fn what_is_no_block_is_refused_with_its_reason() {
        let good = block();
        assert_eq!(ContractHeader::parse(&good[..71]), Err(ContractError::Short(71)));
        assert_eq!(ContractHeader::parse(&good[..87]), Err(ContractError::Short(87)));
        for (at, byte, error) in [
            (0, 0, ContractError::Magic(*b"\0LAGFALL")),
            (8, 3, ContractError::Version(3)),
            (12, 72, ContractError::Size(72)),
        ] {
            let mut bad = good;
            bad[at] = byte;
            assert_eq!(ContractHeader::parse(&bad), Err(error));
        }
    }

    #[test]
    fn capabilities_are_had_all_or_not() {
        let some = Capabilities::STOP_AT.and(Capabilities::COMMANDS);
        assert!(some.have(Capabilities::STOP_AT));
        assert!(some.have(some));
        assert!(!some.have(Capabilities::STOP_AT.and(Capabilities::STOP_ON)));
    }

    #[test]
    fn a_crash_survives_the_wire_and_reads_as_a_sentence() {
        let mut text = [0; CRASH_TEXT_LEN];
        text[..9].copy_from_slice("clock.rs\u{e9}".as_bytes().first_chunk::<9>().expect("nine bytes"));
        let record =
            CrashRecord { kind: CrashKind::Panic, place: 77, lr: 0x0800_0123, cfsr: 1, hfsr: 2, address: 3, text };
        let bytes = record.to_bytes();
        assert_eq!(CrashRecord::from_bytes(&bytes), Some(record));
        assert_eq!(std::format!("{record}"), "panic at line 77 of clock.rs");
        let mut none = bytes;
        none[0] ^= 1;
        assert_eq!(CrashRecord::from_bytes(&none), None);
    }
}
