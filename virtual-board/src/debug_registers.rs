//! The debug registers of an ARMv7-M core (architecture reference manual, C1.6) and of the STM32 (RM0090, 38.16).

use crate::board::Board;
use crate::core_control::{CoreControl, Halt};
use crate::dwt::Dwt;
use crate::fpb::Fpb;
use crate::qtest::Width;
use crate::register_map::Register;
use crate::rom_table;
use crate::target::AccessError;
use crate::traps::Wanted;
use std::collections::BTreeSet;
use std::time::Duration;

const AIRCR: u32 = 0xE000_ED0C;
const DFSR: u32 = 0xE000_ED30;
const DHCSR: u32 = 0xE000_EDF0;
const DCRSR: u32 = 0xE000_EDF4;
const DCRDR: u32 = 0xE000_EDF8;
const DEMCR: u32 = 0xE000_EDFC;
const DWT: u32 = 0xE000_1000;
const DWT_END: u32 = DWT + 0xFD0;
const FPB: u32 = 0xE000_2000;
const FPB_END: u32 = FPB + 0xFD0;
const DBGMCU_IDCODE: u32 = 0xE004_2000;
const DBGMCU_CR: u32 = 0xE004_2004;
const DBGMCU_END: u32 = 0xE004_2010;

const C_DEBUGEN: u32 = 1 << 0;
const C_HALT: u32 = 1 << 1;
const C_STEP: u32 = 1 << 2;
const DHCSR_CONTROL: u32 = 0xf;
const DHCSR_KEY: u32 = 0xA05F;
const S_REGRDY: u32 = 1 << 16;
const S_HALT: u32 = 1 << 17;
const S_LOCKUP: u32 = 1 << 19;
const S_RESET_ST: u32 = 1 << 25;

const DFSR_HALTED: u32 = 1 << 0;
const DFSR_BKPT: u32 = 1 << 1;
const DFSR_DWTTRAP: u32 = 1 << 2;
const DFSR_VCATCH: u32 = 1 << 3;

const VC_CORERESET: u32 = 1 << 0;
/// Without it the watchpoint unit is off.
const TRCENA: u32 = 1 << 24;
/// Catch bits of DEMCR and the exception each one stops at: memory, the three of usage, bus, hard fault.
const CAUGHT: [(u32, u32); 4] = [(1 << 4, 4), (7 << 5, 6), (1 << 8, 5), (1 << 10, 3)];

const AIRCR_KEY: u32 = 0x05FA;
/// SYSRESETREQ and VECTRESET: both reset the whole emulated machine.
const AIRCR_RESET: u32 = 1 << 2 | 1 << 0;

/// How long a read of DHCSR waits for a running core to stop. Whoever reads it in a loop waits for just that, and a
/// reader that sleeps leaves its processor to QEMU. The system may round it up to some milliseconds.
const STOP_MOMENT: Duration = Duration::from_millis(1);

const DCRSR_WRITE: u32 = 1 << 16;

/// The debug registers of the core, which they control.
#[derive(Debug)]
pub(crate) struct DebugRegisters {
    core: CoreControl,
    fpb: Fpb,
    dwt: Dwt,
    /// C_DEBUGEN, C_HALT, C_STEP, C_MASKINTS as last written.
    control: u32,
    dfsr: u32,
    demcr: u32,
    dcrdr: u32,
    reset_seen: bool,
    /// The core locked up, of which the emulator has died: all that is left of the board is DHCSR, which says so.
    locked_up: bool,
    /// nRST is held low.
    reset_held: bool,
    idcode: u32,
    /// DBGMCU_CR and the two freeze registers. They hold what is written: virtual time stands still in a halt anyway.
    dbgmcu: [u32; 3],
}

impl DebugRegisters {
    /// The registers of a core that is held since the connection was made, until the debugger lets it run.
    pub(crate) fn new(core: CoreControl, board: &Board) -> DebugRegisters {
        DebugRegisters {
            core,
            fpb: Fpb::new(board.breakpoint_units),
            dwt: Dwt::default(),
            control: 0,
            dfsr: 0,
            demcr: 0,
            dcrdr: 0,
            reset_seen: false,
            locked_up: false,
            reset_held: false,
            idcode: board.idcode,
            dbgmcu: [0; 3],
        }
    }

    /// The core behind the registers.
    pub(crate) fn core(&mut self) -> &mut CoreControl {
        &mut self.core
    }

    /// Whether the word at `address` is a debug register and not the emulated machine's.
    pub(crate) fn own(&self, address: u32) -> bool {
        matches!(address, AIRCR | DFSR | DHCSR | DCRSR | DCRDR | DEMCR)
            || (DWT..DWT_END).contains(&address)
            || (FPB..FPB_END).contains(&address)
            || (DBGMCU_IDCODE..DBGMCU_END).contains(&address)
            || rom_table::read(address, self.part()).is_some()
    }

    /// Reads the debug register at `address`.
    pub(crate) fn read(&mut self, address: u32) -> Result<u32, AccessError> {
        match address {
            DHCSR => self.read_dhcsr(),
            DFSR => {
                self.notice()?;
                Ok(self.dfsr)
            }
            DCRSR => Ok(0),
            DCRDR => Ok(self.dcrdr),
            DEMCR => Ok(self.demcr),
            AIRCR => Ok(self.core.bus().read(address, Width::Word)?),
            DBGMCU_IDCODE => Ok(self.idcode),
            DBGMCU_CR..DBGMCU_END => Ok(self.dbgmcu[(address - DBGMCU_CR) as usize / 4]),
            DWT..DWT_END => {
                self.notice()?;
                Ok(self.dwt.read(address - DWT))
            }
            FPB..FPB_END => Ok(self.fpb.read(address - FPB)),
            _ => Ok(rom_table::read(address, self.part()).unwrap_or(0)),
        }
    }

    /// Writes the debug register at `address`.
    pub(crate) fn write(&mut self, address: u32, value: u32) -> Result<(), AccessError> {
        match address {
            DHCSR if value >> 16 == DHCSR_KEY => self.write_dhcsr(value & DHCSR_CONTROL),
            DFSR => {
                self.dfsr &= !value;
                Ok(())
            }
            DCRSR => self.transfer(value & 0x7f, value & DCRSR_WRITE != 0),
            DCRDR => {
                self.dcrdr = value;
                Ok(())
            }
            DEMCR => {
                self.demcr = value;
                self.apply_traps()
            }
            AIRCR if value >> 16 == AIRCR_KEY && value & AIRCR_RESET != 0 => {
                self.reset()?;
                self.leave_reset()
            }
            AIRCR => Ok(self.core.bus().write(address, Width::Word, value)?),
            DWT..DWT_END => {
                self.dwt.write(address - DWT, value);
                self.apply_traps()
            }
            FPB..FPB_END => {
                self.fpb.write(address - FPB, value);
                self.apply_traps()
            }
            DBGMCU_CR..DBGMCU_END => {
                self.dbgmcu[(address - DBGMCU_CR) as usize / 4] = value;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Pulls the reset pin (`true`) or lets it go, whereupon the core runs unless its reset is to be caught.
    pub(crate) fn drive_reset(&mut self, low: bool) -> Result<(), AccessError> {
        match (self.reset_held, low) {
            (false, true) => self.reset()?,
            (true, false) => self.leave_reset()?,
            _ => {}
        }
        self.reset_held = low;
        Ok(())
    }

    /// Writes flash past its controller; the core must be halted.
    pub(crate) fn write_flash(&mut self, address: u32, bytes: &[u8]) -> Result<(), AccessError> {
        self.notice()?;
        self.core.write_flash(address, bytes)
    }

    fn part(&self) -> u32 {
        self.idcode & 0xfff
    }

    fn read_dhcsr(&mut self) -> Result<u32, AccessError> {
        if self.locked_up {
            return Ok(self.control | S_REGRDY | S_LOCKUP);
        }
        match self.core.poll(STOP_MOMENT) {
            Ok(halt) => self.record(halt),
            Err(end) if end.is_lockup() => {
                self.locked_up = true;
                return self.read_dhcsr();
            }
            Err(error) => return Err(error),
        }
        let mut value = self.control | S_REGRDY;
        if !self.core.is_running() {
            value |= S_HALT | C_HALT;
        }
        if std::mem::take(&mut self.reset_seen) {
            value |= S_RESET_ST;
        }
        Ok(value)
    }

    fn write_dhcsr(&mut self, control: u32) -> Result<(), AccessError> {
        self.notice()?;
        let debugging = self.control & C_DEBUGEN != 0;
        self.control = control;
        let halted = !self.core.is_running();
        if control & (C_DEBUGEN | C_HALT) == C_DEBUGEN | C_HALT {
            let halt = self.core.halt()?;
            self.record(halt);
        } else if halted && control & (C_DEBUGEN | C_STEP) == C_DEBUGEN | C_STEP {
            self.core.step()?;
            self.record(Some(Halt::Request));
        } else if halted && debugging && !self.reset_held {
            // Enabling debug alone does not let a board go that is held since power-on.
            self.core.resume()?;
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<(), AccessError> {
        self.core.reset()?;
        self.reset_seen = true;
        self.dfsr = 0;
        Ok(())
    }

    fn leave_reset(&mut self) -> Result<(), AccessError> {
        // probe-rs arms the catch under reset and enables debug afterwards, so C_DEBUGEN is not asked for.
        if self.demcr & VC_CORERESET != 0 {
            self.record(Some(Halt::VectorCatch));
            return Ok(());
        }
        self.core.resume()
    }

    fn apply_traps(&mut self) -> Result<(), AccessError> {
        let caught = CAUGHT.iter().filter(|(bits, _)| self.demcr & bits != 0);
        let watches = self.demcr & TRCENA != 0;
        let wanted = Wanted {
            breakpoints: self.fpb.breakpoints(),
            exceptions: caught.map(|(_, number)| *number).collect(),
            watchpoints: if watches { self.dwt.watchpoints() } else { BTreeSet::new() },
        };
        let halt = self.core.set_traps(wanted)?;
        self.record(halt);
        Ok(())
    }

    fn notice(&mut self) -> Result<(), AccessError> {
        let halt = self.core.poll(Duration::ZERO)?;
        self.record(halt);
        Ok(())
    }

    fn record(&mut self, halt: Option<Halt>) {
        self.dfsr |= match halt {
            Some(Halt::Request) => DFSR_HALTED,
            Some(Halt::Breakpoint) => DFSR_BKPT,
            Some(Halt::VectorCatch) => DFSR_VCATCH,
            Some(Halt::Watchpoint(address)) => {
                self.dwt.matched(address);
                DFSR_DWTTRAP
            }
            None => 0,
        };
    }

    /// Moves a core register to or from DCRDR (table C1-6 of the manual).
    fn transfer(&mut self, selected: u32, write: bool) -> Result<(), AccessError> {
        self.notice()?;
        if self.core.is_running() {
            return Err(AccessError::CoreRunning);
        }
        match selected {
            20 => self.transfer_masks(write),
            64..=95 => self.transfer_single(selected - 64, write),
            _ => {
                let register = core_register(selected).ok_or(AccessError::NoSuchRegister(selected))?;
                if write {
                    let keep = if register == Register::Pc { !1 } else { !0 };
                    self.core.write_register(register, u64::from(self.dcrdr & keep))
                } else {
                    self.dcrdr = self.core.read_register(register)? as u32;
                    Ok(())
                }
            }
        }
    }

    /// CONTROL, FAULTMASK, BASEPRI and PRIMASK share one transfer, a byte each.
    fn transfer_masks(&mut self, write: bool) -> Result<(), AccessError> {
        let parts = [Register::Primask, Register::Basepri, Register::Faultmask, Register::Control];
        let mut bytes = self.dcrdr.to_le_bytes();
        for (byte, register) in bytes.iter_mut().zip(parts) {
            let now = self.core.read_register(register)?.to_le_bytes()[0];
            if !write {
                *byte = now;
            } else if *byte != now {
                self.core.write_register(register, u64::from(*byte))?;
            }
        }
        self.dcrdr = u32::from_le_bytes(bytes);
        Ok(())
    }

    /// S0 to S31 are halves of the registers QEMU knows.
    fn transfer_single(&mut self, index: u32, write: bool) -> Result<(), AccessError> {
        let register = Register::Double((index / 2) as u8);
        let shift = 32 * (index & 1);
        let double = self.core.read_register(register)?;
        if write {
            let kept = double & !(0xffff_ffff << shift);
            return self.core.write_register(register, kept | u64::from(self.dcrdr) << shift);
        }
        self.dcrdr = (double >> shift) as u32;
        Ok(())
    }
}

fn core_register(selected: u32) -> Option<Register> {
    match selected {
        0..=12 => Some(Register::General(selected as u8)),
        13 => Some(Register::Sp),
        14 => Some(Register::Lr),
        15 => Some(Register::Pc),
        16 => Some(Register::Xpsr),
        17 => Some(Register::Msp),
        18 => Some(Register::Psp),
        33 => Some(Register::Fpscr),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
