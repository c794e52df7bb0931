//! The debug port and its one access port, register by register (ARM Debug Interface v5.2, B2 and C2).
//!
//! Access port 0 is the AHB-AP of a Cortex-M4; all others are absent. Transfers are complete when a method returns:
//! there is no pipeline, no WAIT, and a failed access is an error and not a sticky flag. Packed transfers are not
//! implemented, as a write of CSW shows.

use crate::board::Board;
use crate::core_control::CoreControl;
use crate::gdb::{Gdb, GdbError};
use crate::link::REPLY_TIMEOUT;
use crate::qtest::{Qtest, QtestError, Width};
use crate::rom_table;
use crate::selector::Selector;
use crate::target::{AccessError, Target, is_memory};
use crate::wires::CableError;
use std::time::Duration;
use thiserror::Error;

/// TAR counts within blocks of this many bytes (Cortex-M4 TRM, AHB-AP).
pub(crate) const INCREMENT_BLOCK: u32 = 1024;

const CSW: u8 = 0x00;
const TAR: u8 = 0x04;
const DRW: u8 = 0x0c;
const BD0: u8 = 0x10;
const BD3: u8 = 0x1c;
const BASE: u8 = 0xf8;
const IDR: u8 = 0xfc;

const CSW_RESET: u32 = 0x2300_0042;
const CSW_SIZE: u32 = 7;
const CSW_INCREMENT: u32 = 3 << 4;
const CSW_INCREMENT_SINGLE: u32 = 1 << 4;
const CSW_DEVICE_ENABLED: u32 = 1 << 6;
const CSW_WRITABLE: u32 = 0xff00_0037;

/// CSYSPWRUPREQ and CDBGPWRUPREQ; the acknowledgement is the bit above each.
const POWER_UP: u32 = 1 << 30 | 1 << 28;
/// Power-up requests, transfer mode and masks, overrun detection.
const CTRL_WRITABLE: u32 = POWER_UP | 0x0000_0f0d;

/// Why a debug port could not be opened.
#[derive(Debug, Clone, Error)]
pub enum ConnectError {
    /// The gdb stub did not answer as expected.
    #[error("gdb stub: {0}")]
    Gdb(Box<GdbError>),
    /// The qtest socket did not answer.
    #[error("qtest socket: {0}")]
    Qtest(Box<QtestError>),
    /// The cable cannot be plugged in; its own text says what to do.
    #[error(transparent)]
    Cable(#[from] CableError),
}

/// The debug port of an emulated board.
#[derive(Debug)]
pub struct DebugPort {
    target: Target,
    dpidr: u32,
    access_port_idr: u32,
    select: u32,
    ctrl: u32,
    csw: u32,
    tar: u32,
    last_read: u32,
}

impl DebugPort {
    /// Connects to the emulator named by `selector`, which stops its core.
    pub fn connect(board: &Board, selector: &Selector) -> Result<DebugPort, ConnectError> {
        DebugPort::connect_within(board, selector, REPLY_TIMEOUT)
    }

    /// The same, with another time that QEMU may take for any one answer.
    pub fn connect_within(
        board: &Board,
        selector: &Selector,
        reply_timeout: Duration,
    ) -> Result<DebugPort, ConnectError> {
        let gdb = Gdb::connect(&selector.gdb, reply_timeout).map_err(|error| ConnectError::Gdb(Box::new(error)))?;
        let qtest =
            Qtest::connect(&selector.qtest, reply_timeout).map_err(|error| ConnectError::Qtest(Box::new(error)))?;
        let mut port = DebugPort::over(gdb, qtest, board);
        if let Some(cable) = &selector.cable {
            port.target.plug(cable, board)?;
        }
        Ok(port)
    }

    pub(crate) fn over(gdb: Gdb, qtest: Qtest, board: &Board) -> DebugPort {
        DebugPort {
            target: Target::new(CoreControl::new(gdb, qtest, board), board),
            dpidr: board.dpidr,
            access_port_idr: board.access_port_idr,
            select: 0,
            ctrl: 0,
            csw: CSW_RESET,
            tar: 0,
            last_read: 0,
        }
    }

    /// Reads the debug port register at `address` (0x0, 0x4, 0x8 or 0xc) of the selected bank.
    pub fn read_dp(&mut self, address: u8) -> u32 {
        match (address & 0xc, self.select & 0xf) {
            (0x0, _) => self.dpidr,
            (0x4, 0) => self.ctrl | (self.ctrl & POWER_UP) << 1,
            (0x4, _) => 0,
            // RESEND and RDBUFF
            _ => self.last_read,
        }
    }

    /// Writes the debug port register at `address` of the selected bank.
    pub fn write_dp(&mut self, address: u8, value: u32) {
        match (address & 0xc, self.select & 0xf) {
            (0x4, 0) => self.ctrl = value & CTRL_WRITABLE,
            (0x8, _) => self.select = value,
            // ABORT: nothing is ever under way or sticky.
            _ => {}
        }
    }

    /// Selects an access port and the bank in which `register` lies, as a write of SELECT does; the bank of the debug
    /// port stays.
    pub fn select_access_port(&mut self, access_port: u8, register: u8) {
        self.select = u32::from(access_port) << 24 | u32::from(register & 0xf0) | self.select & 0xf;
    }

    /// Reads the register of the selected access port whose address has bits 3 and 2 of `address` and the selected bank
    /// above.
    pub fn read_ap(&mut self, address: u8) -> Result<u32, AccessError> {
        let value = match self.selected(address) {
            Some(CSW) => self.csw | CSW_DEVICE_ENABLED,
            Some(TAR) => self.tar,
            Some(DRW) => {
                let address = self.tar;
                let value = self.target.read(address, self.width())? << lane(address);
                self.advance();
                value
            }
            Some(register @ BD0..=BD3) => self.target.read(self.banked(register), Width::Word)?,
            Some(BASE) => rom_table::BASE | 3,
            Some(IDR) => self.access_port_idr,
            _ => 0,
        };
        self.last_read = value;
        Ok(value)
    }

    /// Writes the register of the selected access port, addressed as in [`DebugPort::read_ap`].
    pub fn write_ap(&mut self, address: u8, value: u32) -> Result<(), AccessError> {
        match self.selected(address) {
            Some(CSW) => self.write_csw(value),
            Some(TAR) => self.tar = value,
            Some(DRW) => {
                let address = self.tar;
                let width = self.width();
                self.target.write(address, width, value >> lane(address) & mask(width))?;
                self.advance();
            }
            Some(register @ BD0..=BD3) => self.target.write(self.banked(register), Width::Word, value)?,
            _ => {}
        }
        Ok(())
    }

    /// Reads one access port register many times, in as few exchanges with QEMU as possible.
    pub fn read_ap_block(&mut self, address: u8, values: &mut [u32]) -> Result<(), AccessError> {
        let Some(count) = self.block_length(address, values.len()) else {
            for value in values {
                *value = self.read_ap(address)?;
            }
            return Ok(());
        };
        let (at, width) = (self.tar, self.width().bytes());
        let mut bytes = vec![0; count * width];
        self.target.read_memory(at, &mut bytes)?;
        for (index, (value, read)) in values.iter_mut().zip(bytes.chunks(width)).enumerate() {
            let mut word = [0; 4];
            word[..width].copy_from_slice(read);
            *value = u32::from_le_bytes(word) << lane(at + (index * width) as u32);
        }
        self.advance_by((count * width) as u32);
        self.read_ap_block(address, &mut values[count..])
    }

    /// Writes one access port register many times, in as few exchanges with QEMU as possible.
    pub fn write_ap_block(&mut self, address: u8, values: &[u32]) -> Result<(), AccessError> {
        let Some(count) = self.block_length(address, values.len()) else {
            for value in values {
                self.write_ap(address, *value)?;
            }
            return Ok(());
        };
        let (at, width) = (self.tar, self.width().bytes());
        let mut bytes = Vec::with_capacity(count * width);
        for (index, value) in values[..count].iter().enumerate() {
            let word = (value >> lane(at + (index * width) as u32)).to_le_bytes();
            bytes.extend_from_slice(&word[..width]);
        }
        self.target.write_memory(at, &bytes)?;
        self.advance_by((count * width) as u32);
        self.write_ap_block(address, &values[count..])
    }

    /// Pulls the reset pin (`true`) or lets it go.
    pub fn drive_reset(&mut self, low: bool) -> Result<(), AccessError> {
        self.target.drive_reset(low)
    }

    /// The register of access port 0 that is selected; `None` if another, absent port is.
    fn selected(&self, address: u8) -> Option<u8> {
        (self.select >> 24 == 0).then_some((self.select as u8 & 0xf0) | (address & 0xc))
    }

    fn banked(&self, register: u8) -> u32 {
        (self.tar & !0xf) | u32::from(register & 0xc)
    }

    fn write_csw(&mut self, value: u32) {
        let mut csw = value & CSW_WRITABLE;
        if csw & CSW_SIZE > 2 {
            csw = (csw & !CSW_SIZE) | (self.csw & CSW_SIZE);
        }
        if csw & CSW_INCREMENT > CSW_INCREMENT_SINGLE {
            csw = (csw & !CSW_INCREMENT) | CSW_INCREMENT_SINGLE;
        }
        self.csw = csw;
    }

    fn width(&self) -> Width {
        match self.csw & CSW_SIZE {
            0 => Width::Byte,
            1 => Width::Half,
            _ => Width::Word,
        }
    }

    fn advance(&mut self) {
        if self.csw & CSW_INCREMENT != 0 {
            self.advance_by(self.width().bytes() as u32);
        }
    }

    fn advance_by(&mut self, bytes: u32) {
        self.tar = (self.tar & !(INCREMENT_BLOCK - 1)) | (self.tar.wrapping_add(bytes) & (INCREMENT_BLOCK - 1));
    }

    /// How many of `wanted` transfers can be done as one block; `None` if none: one only, not counting up, or not plain
    /// memory.
    fn block_length(&self, address: u8, wanted: usize) -> Option<usize> {
        let width = self.width().bytes();
        let suited = self.selected(address) == Some(DRW)
            && self.csw & CSW_INCREMENT != 0
            && is_memory(self.tar)
            && (self.tar as usize).is_multiple_of(width);
        let left = (INCREMENT_BLOCK - self.tar % INCREMENT_BLOCK) as usize / width;
        (suited && wanted > 1).then_some(wanted.min(left))
    }
}

/// How far the byte at `address` stands from the low end of the data word (byte lanes, C2.2.6).
fn lane(address: u32) -> u32 {
    8 * (address & 3)
}

fn mask(width: Width) -> u32 {
    match width {
        Width::Byte => 0xff,
        Width::Half => 0xffff,
        Width::Word => !0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted::{framed, with_port};

    const SELECT: u8 = 0x8;
    const RDBUFF: u8 = 0xc;

    fn line(request: &'static str, reply: &str) -> (&'static str, String) {
        (request, format!("{reply}\n"))
    }

    fn set(port: &mut DebugPort, csw: u32, tar: u32) {
        port.write_ap(CSW, csw).expect("CSW");
        port.write_ap(TAR, tar).expect("TAR");
    }

    #[test]
    fn power_up_is_acknowledged_in_bank_0_only() {
        with_port(vec![], vec![], |port| {
            assert_eq!(port.read_dp(0x0), 0x2BA0_1477);
            assert_eq!(port.read_dp(0x4), 0);
            port.write_dp(0x4, 0x5000_0000);
            assert_eq!(port.read_dp(0x4), 0xf000_0000);
            port.write_dp(SELECT, 1);
            port.write_dp(0x4, 0);
            assert_eq!(port.read_dp(0x4), 0);
            port.write_dp(SELECT, 0);
            assert_eq!(port.read_dp(0x4), 0xf000_0000);
        });
    }

    #[test]
    fn only_access_port_0_is_there() {
        with_port(vec![], vec![], |port| {
            port.write_dp(SELECT, 0x0000_00f0);
            assert_eq!(port.read_ap(0xc).expect("IDR"), 0x2477_0011);
            assert_eq!(port.read_dp(RDBUFF), 0x2477_0011);
            assert_eq!(port.read_ap(0x8).expect("BASE"), 0xE00F_F003);
            port.write_dp(SELECT, 0x0100_00f0);
            assert_eq!(port.read_ap(0xc).expect("IDR"), 0);
            port.write_ap(0xc, 1).expect("writes to an absent port go nowhere");
        });
    }

    #[test]
    fn unsupported_sizes_and_packed_transfers_do_not_stick() {
        with_port(vec![], vec![], |port| {
            for (written, read) in
                [(0x10, 0x50), (0x11, 0x51), (0x12, 0x52), (0x03, 0x42), (0x21, 0x51), (0x2300_0012, 0x2300_0052)]
            {
                port.write_ap(CSW, written).expect("CSW");
                assert_eq!(port.read_ap(CSW).expect("CSW"), read, "{written:#x}");
            }
        });
    }

    #[test]
    fn narrow_accesses_use_the_lane_of_their_address() {
        let bus = vec![
            line("readb 0x20000001", "OK 0xab"),
            line("readw 0x20000002", "OK 0xcdef"),
            line("writeb 0x20000003 0x12", "OK"),
            line("writew 0x20000002 0x3456", "OK"),
        ];
        with_port(vec![], bus, |port| {
            set(port, 0x10, 0x2000_0001);
            assert_eq!(port.read_ap(DRW).expect("a byte"), 0x0000_ab00);
            set(port, 0x11, 0x2000_0002);
            assert_eq!(port.read_ap(DRW).expect("a half"), 0xcdef_0000);
            set(port, 0x10, 0x2000_0003);
            port.write_ap(DRW, 0x1299_9999).expect("a byte");
            set(port, 0x11, 0x2000_0002);
            port.write_ap(DRW, 0x3456_9999).expect("a half");
        });
    }

    #[test]
    fn the_address_counts_up_within_its_block_only() {
        let bus = vec![
            line("readl 0x200003fc", "OK 0x1"),
            line("readl 0x20000000", "OK 0x2"),
            line("readl 0x20000000", "OK 0x3"),
        ];
        with_port(vec![], bus, |port| {
            set(port, 0x12, 0x2000_03fc);
            assert_eq!(port.read_ap(DRW).expect("the last of the block"), 1);
            assert_eq!(port.read_ap(TAR).expect("TAR"), 0x2000_0000);
            port.write_ap(CSW, 0x02).expect("CSW");
            assert_eq!(port.read_ap(DRW).expect("no counting"), 2);
            assert_eq!(port.read_ap(DRW).expect("no counting"), 3);
        });
    }

    #[test]
    fn blocks_of_memory_are_one_exchange_and_wrap_like_single_accesses() {
        let bus = vec![
            line("read 0x200003f8 0x8", "OK 0x0100000002000000"),
            line("readl 0x20000000", "OK 0x3"),
            line("write 0x20000001 0x3 0x0a0b0c", "OK"),
            line("writeb 0x20000004 0xd", "OK"),
        ];
        with_port(vec![], bus, |port| {
            set(port, 0x12, 0x2000_03f8);
            let mut words = [0; 3];
            port.read_ap_block(DRW, &mut words).expect("three words");
            assert_eq!(words, [1, 2, 3]);
            set(port, 0x10, 0x2000_0001);
            port.write_ap_block(DRW, &[0x0a00, 0x0b_0000, 0x0c00_0000]).expect("three bytes in their lanes");
            assert_eq!(port.read_ap(TAR).expect("TAR"), 0x2000_0004);
            port.write_ap_block(DRW, &[0x0d]).expect("one byte");
        });
    }

    #[test]
    fn peripherals_are_accessed_one_by_one() {
        let bus = vec![
            line("readl 0x40000c24", "OK 0x5"),
            line("readl 0x40000c28", "OK 0x6"),
            line("writel 0x40000c24 0x7", "OK"),
        ];
        with_port(vec![], bus, |port| {
            set(port, 0x12, 0x4000_0c24);
            let mut words = [0; 2];
            port.read_ap_block(DRW, &mut words).expect("two registers");
            assert_eq!(words, [5, 6]);
            set(port, 0x12, 0x4000_0c28);
            port.write_dp(SELECT, 0x10);
            port.write_ap(0x4, 7).expect("the second word of the block, by BD1");
        });
    }

    #[test]
    fn an_unaligned_word_is_refused() {
        with_port(vec![], vec![], |port| {
            set(port, 0x12, 0x2000_0002);
            let error = port.read_ap(DRW).expect_err("unaligned");
            assert!(matches!(error, AccessError::Unaligned { address: 0x2000_0002, width: 4 }), "{error}");
            assert!(port.read_ap_block(DRW, &mut [0; 4]).is_err());
        });
    }

    #[test]
    fn flash_is_written_by_the_debugger() {
        with_port(vec![("M8000400,4:78563412", framed("OK"))], vec![], |port| {
            set(port, 0x12, 0x0800_0400);
            port.write_ap(DRW, 0x1234_5678).expect("written");
        });
    }
}
