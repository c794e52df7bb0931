//! The emulated microcontroller as the access port's bus sees it: which address belongs to whom.

use crate::board::{Board, InputLines, OutputPort, UniqueId};
use crate::core_control::CoreControl;
use crate::debug_registers::DebugRegisters;
use crate::gdb::GdbError;
use crate::link::LinkError;
use crate::qtest::{QtestError, Width};
use crate::wires::{Cable, CableError, Plugged, WIRES};
use std::ops::Range;
use std::time::Duration;
use thiserror::Error;

/// Where the stimulus window lies.
///
/// A word written to `STIMULUS_BASE + 4 * n` sets input line n low (0) or high (1), a word read gives its level. A line
/// is low when the port is opened, as far as the window knows: a pin is not driven yet and has the level that its pull
/// resistor gives it, which the port's own input register shows. Setting a line to the level it has does nothing. No
/// register of the real chip lies here.
pub const STIMULUS_BASE: u32 = 0xF000_0000;

const STIMULUS: Range<u32> = STIMULUS_BASE..STIMULUS_BASE + 0x400;
/// The private peripheral bus, in which the debug registers lie among the machine's own.
const PRIVATE_BUS: Range<u32> = 0xE000_0000..0xE010_0000;

/// Why an access through the debug port has failed.
#[derive(Debug, Clone, Error)]
pub enum AccessError {
    /// Run control failed; its own text says what to do.
    #[error(transparent)]
    Gdb(Box<GdbError>),
    /// Memory access failed; its own text says what to do.
    #[error(transparent)]
    Qtest(Box<QtestError>),
    /// The board has no such input line. Correct the pin number.
    #[error("there is no input line {line}: this board has lines 0 to {}", lines - 1)]
    NoSuchLine {
        /// The line asked for.
        line: u32,
        /// How many there are.
        lines: u32,
    },
    /// A line is either low (0) or high (1).
    #[error("input line {line} cannot be set to {value:#x}, only to 0 or 1")]
    NoSuchLevel {
        /// The line.
        line: u32,
        /// The value written.
        value: u32,
    },
    /// Debug registers and the stimulus window are made of words. Use 32-bit accesses.
    #[error("{address:#010x} can only be accessed as a word")]
    WordsOnly {
        /// The address.
        address: u32,
    },
    /// An access must be aligned to its width.
    #[error("{address:#010x} is not a multiple of the access width {width}")]
    Unaligned {
        /// The address.
        address: u32,
        /// The width in bytes.
        width: usize,
    },
    /// Flash cannot be written past its controller while the core may be executing it. Halt it first.
    #[error("flash at {address:#010x} was written while the core runs")]
    FlashWhileRunning {
        /// The address.
        address: u32,
    },
    /// Core registers can be transferred only in a halt. Halt the core first.
    #[error("a core register was accessed while the core runs")]
    CoreRunning,
    /// The core has no register with this number.
    #[error("the core has no register {0}")]
    NoSuchRegister(u32),
    /// This QEMU does not show the register; versions from 8 on do.
    #[error("this QEMU does not show the register")]
    RegisterUnknown,
    /// The cable to another board; its own text says what to do.
    #[error(transparent)]
    Cable(#[from] CableError),
    /// QEMU did not perform a reset. Start the board anew.
    #[error("QEMU did not reset the machine within {} ms", .0.as_millis())]
    ResetTimeout(Duration),
}

impl AccessError {
    /// Whether nothing can be done with the board any more before it is started anew: its emulator has ended, or request
    /// and answer no longer match.
    pub fn loses_the_board(&self) -> bool {
        match self {
            AccessError::Gdb(error) => matches!(**error, GdbError::Link(_) | GdbError::Frame(_)),
            AccessError::Qtest(error) => matches!(**error, QtestError::Link(_)),
            _ => false,
        }
    }

    /// Whether the emulator has ended because its core locked up.
    pub(crate) fn is_lockup(&self) -> bool {
        matches!(self, AccessError::Gdb(error) if matches!(**error, GdbError::Link(LinkError::LockedUp { .. })))
    }
}

/// The microcontroller behind the access port.
#[derive(Debug)]
pub(crate) struct Target {
    registers: DebugRegisters,
    flash: Range<u32>,
    unique_id: UniqueId,
    input_lines: InputLines,
    levels: Vec<u32>,
    /// A cable that this board's pins drive, with their port.
    drives: Option<(OutputPort, Plugged)>,
    /// A cable that drives this board's lines.
    driven: Option<Plugged>,
}

impl Target {
    pub(crate) fn new(core: CoreControl, board: &Board) -> Target {
        Target {
            registers: DebugRegisters::new(core, board),
            flash: board.flash.clone(),
            unique_id: board.unique_id.clone(),
            input_lines: board.input_lines.clone(),
            levels: vec![0; board.input_lines.count as usize],
            drives: None,
            driven: None,
        }
    }

    /// Plugs a cable in; its wires are followed from the first access on.
    pub(crate) fn plug(&mut self, cable: &Cable, board: &Board) -> Result<(), CableError> {
        match cable {
            Cable::Drives(file) => {
                let port = board.output_port.clone().ok_or(CableError::NoPins { board: board.name })?;
                self.drives = Some((port, Plugged::plug(file)?));
            }
            Cable::Driven(file) => self.driven = Some(Plugged::plug(file)?),
        }
        Ok(())
    }

    /// Brings the input lines to the level of their wires.
    fn follow_the_wires(&mut self) -> Result<(), AccessError> {
        let Some(cable) = &mut self.driven else { return Ok(()) };
        let Some(low) = cable.change()? else { return Ok(()) };
        (0..WIRES.min(self.input_lines.count)).try_for_each(|line| self.set_line(line, 1 & !(low >> line)))
    }

    /// Brings the wires to the level of the output pins: an output that is not high pulls its wire low, and every other
    /// pin leaves it alone.
    fn drive_the_wires(&mut self) -> Result<(), AccessError> {
        let Some((port, cable)) = &mut self.drives else { return Ok(()) };
        let bus = self.registers.core().bus();
        let (modes, data) = (bus.read(port.mode, Width::Word)?, bus.read(port.data, Width::Word)?);
        let is_output = |pin: &u32| modes >> (2 * pin) & 3 == 1;
        let outputs: u32 = (0..WIRES).filter(is_output).map(|pin| 1 << pin).sum();
        Ok(cable.pull(outputs & !data)?)
    }

    /// One access of the given width; the value stands in the low bits.
    pub(crate) fn read(&mut self, address: u32, width: Width) -> Result<u32, AccessError> {
        check_alignment(address, width)?;
        self.follow_the_wires()?;
        if STIMULUS.contains(&address) {
            check_word(address, width)?;
            return Ok(self.levels[self.line(address)? as usize]);
        }
        if PRIVATE_BUS.contains(&address) && self.registers.own(address & !3) {
            check_word(address, width)?;
            return self.registers.read(address);
        }
        let mut bytes = self.registers.core().bus().read(address, width)?.to_le_bytes();
        self.unique_id.lay_over(address, &mut bytes[..width.bytes()]);
        Ok(u32::from_le_bytes(bytes))
    }

    /// One access of the given width; the value stands in the low bits.
    pub(crate) fn write(&mut self, address: u32, width: Width, value: u32) -> Result<(), AccessError> {
        check_alignment(address, width)?;
        self.follow_the_wires()?;
        if STIMULUS.contains(&address) {
            check_word(address, width)?;
            return self.drive_line(address, value);
        }
        if PRIVATE_BUS.contains(&address) && self.registers.own(address & !3) {
            check_word(address, width)?;
            return self.registers.write(address, value);
        }
        if self.flash.contains(&address) {
            return self.registers.write_flash(address, &value.to_le_bytes()[..width.bytes()]);
        }
        self.registers.core().bus().write(address, width, value)?;
        self.drive_the_wires()
    }

    /// Reads plain memory.
    pub(crate) fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), AccessError> {
        self.registers.core().bus().read_block(address, bytes)?;
        self.unique_id.lay_over(address, bytes);
        Ok(())
    }

    /// Writes plain memory. A block does not cross the end of flash: the access port cuts it every 1024 bytes.
    pub(crate) fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), AccessError> {
        if self.flash.contains(&address) {
            return self.registers.write_flash(address, bytes);
        }
        Ok(self.registers.core().bus().write_block(address, bytes)?)
    }

    /// Pulls the reset pin or lets it go.
    pub(crate) fn drive_reset(&mut self, low: bool) -> Result<(), AccessError> {
        self.registers.drive_reset(low)
    }

    fn drive_line(&mut self, address: u32, value: u32) -> Result<(), AccessError> {
        let line = self.line(address)?;
        if value > 1 {
            return Err(AccessError::NoSuchLevel { line, value });
        }
        self.set_line(line, value)
    }

    fn set_line(&mut self, line: u32, value: u32) -> Result<(), AccessError> {
        let InputLines { path, name, repeats_are_edges, .. } = self.input_lines;
        if repeats_are_edges && self.levels[line as usize] == value {
            return Ok(());
        }
        self.registers.core().bus().drive_line(path, name, line, value == 1)?;
        self.levels[line as usize] = value;
        Ok(())
    }

    fn line(&self, address: u32) -> Result<u32, AccessError> {
        let (line, lines) = ((address - STIMULUS_BASE) / 4, self.input_lines.count);
        if line < lines { Ok(line) } else { Err(AccessError::NoSuchLine { line, lines }) }
    }
}

/// Whether `address` is plain memory, for which blocks may be used: code and SRAM, and nothing of the peripheral,
/// device and system regions (ARMv7-M, B3.1).
pub(crate) fn is_memory(address: u32) -> bool {
    address < 0x4000_0000
}

fn check_alignment(address: u32, width: Width) -> Result<(), AccessError> {
    match width.bytes() {
        bytes if (address as usize).is_multiple_of(bytes) => Ok(()),
        bytes => Err(AccessError::Unaligned { address, width: bytes }),
    }
}

fn check_word(address: u32, width: Width) -> Result<(), AccessError> {
    if width == Width::Word { Ok(()) } else { Err(AccessError::WordsOnly { address }) }
}
