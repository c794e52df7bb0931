//! Run control of the emulated core: halt, resume, step, reset, core registers, and what QEMU's breakpoints stand for.

use crate::gdb::{Gdb, GdbError, Stop};
use crate::qtest::{Qtest, Width};
use crate::register_map::Register;
use crate::target::AccessError;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Vector table offset register.
const VTOR: u32 = 0xE000_ED08;
/// How long QEMU's main loop may take to perform a reset it has been asked for.
const RESET_TIMEOUT: Duration = Duration::from_secs(5);

/// Why the core has halted, in the words of the debug fault status register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Asked for, or after a single step.
    Request,
    /// A breakpoint.
    Breakpoint,
    /// The entry of an exception that was to be caught.
    VectorCatch,
}

/// What the debugger wants the core to stop at.
#[derive(Debug, Default, Clone)]
pub(crate) struct Traps {
    /// Instructions with a breakpoint.
    pub(crate) breakpoints: BTreeSet<u32>,
    /// Numbers of the exceptions whose entry is caught.
    pub(crate) exceptions: BTreeSet<u32>,
}

/// The core, halted or running.
#[derive(Debug)]
pub(crate) struct CoreControl {
    gdb: Gdb,
    qtest: Qtest,
    ram: Range<u32>,
    running: bool,
    /// Stopped by request with a wait-for-interrupt just behind it: QEMU's core is asleep.
    asleep: bool,
    traps: Traps,
    /// Handlers of the caught exceptions, by address.
    handlers: BTreeMap<u32, BTreeSet<u32>>,
    /// A `BKPT` in RAM to which the running function returns.
    return_trap: Option<u32>,
    /// The breakpoints QEMU has.
    installed: BTreeSet<u32>,
}

impl CoreControl {
    /// The core behind two fresh connections; the gdb one has halted it.
    pub(crate) fn new(gdb: Gdb, qtest: Qtest, ram: Range<u32>) -> CoreControl {
        CoreControl {
            gdb,
            qtest,
            ram,
            running: false,
            asleep: false,
            traps: Traps::default(),
            handlers: BTreeMap::new(),
            return_trap: None,
            installed: BTreeSet::new(),
        }
    }

    /// The bus, usable whether the core runs or not.
    pub(crate) fn bus(&mut self) -> &mut Qtest {
        &mut self.qtest
    }

    /// Whether the core runs, as of the last [`CoreControl::poll`].
    pub(crate) fn is_running(&self) -> bool {
        self.running
    }

    /// Notices a stop that has come since the last look.
    pub(crate) fn poll(&mut self) -> Result<Option<Halt>, AccessError> {
        if !self.running {
            return Ok(None);
        }
        match self.gdb.stop_within(Duration::ZERO)? {
            Some(stop) => self.stopped(stop),
            None => Ok(None),
        }
    }

    /// Halts a running core. A breakpoint that came first is the reason that is reported.
    pub(crate) fn halt(&mut self) -> Result<Option<Halt>, AccessError> {
        while self.running {
            let stop = self.gdb.interrupt()?;
            if let Some(halt) = self.stopped(stop)? {
                return Ok(Some(halt));
            }
        }
        Ok(None)
    }

    /// Lets a halted core run until one of the traps.
    pub(crate) fn resume(&mut self) -> Result<(), AccessError> {
        self.return_trap = self.find_return_trap()?;
        self.install_traps()?;
        self.gdb.resume()?;
        self.running = true;
        self.asleep = false;
        Ok(())
    }

    /// Executes one instruction of a halted core, breakpoints or not, with interrupts held off.
    ///
    /// QEMU never reports the end of a step onto or inside a wait for an interrupt. The architecture lets such a wait end at any
    /// time, so the first is skipped, and a core that is asleep stays where it is.
    pub(crate) fn step(&mut self) -> Result<(), AccessError> {
        let pc = self.program_counter()?;
        match self.length_of_wait_at(pc)? {
            Some(length) => self.write_register(Register::Pc, u64::from(pc.wrapping_add(length)))?,
            None if self.asleep => {}
            None => self.gdb.step()?,
        }
        Ok(())
    }

    /// Resets the machine and leaves the core halted at its reset vector.
    pub(crate) fn reset(&mut self) -> Result<(), AccessError> {
        self.halt()?;
        self.gdb.monitor("system_reset")?;
        // The main loop performs the reset after it has answered; a reset machine is in the state before its launch.
        let deadline = Instant::now() + RESET_TIMEOUT;
        while !self.gdb.monitor("info status")?.contains("prelaunch") {
            if Instant::now() > deadline {
                return Err(AccessError::ResetTimeout(RESET_TIMEOUT));
            }
            sleep(Duration::from_millis(1));
        }
        self.asleep = false;
        self.return_trap = None;
        Ok(())
    }

    /// Makes the core stop at `traps` from now on; a running core is stopped for a moment if QEMU must be told.
    pub(crate) fn set_traps(&mut self, traps: Traps) -> Result<Option<Halt>, AccessError> {
        self.traps = traps;
        if !self.running {
            return Ok(None);
        }
        if let Some(halt) = self.poll()? {
            return Ok(Some(halt));
        }
        self.find_handlers()?;
        if self.wanted() == self.installed {
            return Ok(None);
        }
        let halt = loop {
            match self.gdb.interrupt()? {
                // Stopped for this change alone.
                Stop::Request => break None,
                Stop::Trap => {
                    // A trap of no interest lets the core run on, so ask again.
                    if let Some(halt) = self.stopped(Stop::Trap)? {
                        break Some(halt);
                    }
                }
            }
        };
        self.install_traps()?;
        if halt.is_none() {
            self.gdb.resume()?;
        }
        Ok(halt)
    }

    /// A core register of a halted core.
    pub(crate) fn read_register(&mut self, register: Register) -> Result<u64, AccessError> {
        self.gdb.read_register(register)?.ok_or(AccessError::RegisterUnknown)
    }

    /// Sets a core register of a halted core.
    pub(crate) fn write_register(&mut self, register: Register, value: u64) -> Result<(), AccessError> {
        if register == Register::Pc {
            self.asleep = false;
        }
        match self.gdb.write_register(register, value)? {
            true => Ok(()),
            false => Err(AccessError::RegisterUnknown),
        }
    }

    /// Writes flash past its controller; the core must be halted.
    pub(crate) fn write_flash(&mut self, address: u32, bytes: &[u8]) -> Result<(), AccessError> {
        self.poll()?;
        if self.running {
            return Err(AccessError::FlashWhileRunning { address });
        }
        Ok(self.gdb.write_memory(address, bytes)?)
    }

    /// Finds out why QEMU stopped the core; `None` if it was for nothing and the core runs on.
    fn stopped(&mut self, stop: Stop) -> Result<Option<Halt>, AccessError> {
        self.running = false;
        let pc = self.program_counter()?;
        if stop == Stop::Request {
            self.asleep = self.is_wait_before(pc)?;
            return Ok(Some(Halt::Request));
        }
        if self.return_trap == Some(pc) || self.traps.breakpoints.contains(&pc) {
            return Ok(Some(Halt::Breakpoint));
        }
        let Some(exceptions) = self.handlers.get(&pc).cloned() else { return Ok(Some(Halt::Request)) };
        let exception = self.read_register(Register::Xpsr)? as u32 & 0x1ff;
        if exceptions.contains(&exception) {
            return Ok(Some(Halt::VectorCatch));
        }
        // A handler shared with an exception that is not caught.
        self.gdb.step()?;
        self.gdb.resume()?;
        self.running = true;
        Ok(None)
    }

    fn wanted(&self) -> BTreeSet<u32> {
        let handlers = self.handlers.keys().copied();
        self.traps.breakpoints.iter().copied().chain(handlers).chain(self.return_trap).collect()
    }

    /// Tells QEMU of the changes; the core must be stopped.
    fn install_traps(&mut self) -> Result<(), AccessError> {
        self.find_handlers()?;
        let wanted = self.wanted();
        for address in self.installed.difference(&wanted) {
            self.gdb.clear_breakpoint(*address)?;
        }
        for address in wanted.difference(&self.installed) {
            self.gdb.set_breakpoint(*address)?;
        }
        self.installed = wanted;
        Ok(())
    }

    /// Looks up the handlers of the caught exceptions, which the program may have moved.
    fn find_handlers(&mut self) -> Result<(), AccessError> {
        self.handlers.clear();
        if self.traps.exceptions.is_empty() {
            return Ok(());
        }
        let table = self.qtest.read(VTOR, Width::Word)?;
        for exception in &self.traps.exceptions {
            let handler = self.qtest.read(table.wrapping_add(4 * exception), Width::Word)? & !1;
            self.handlers.entry(handler).or_default().insert(*exception);
        }
        Ok(())
    }

    /// Where the current function returns to, if that is a `BKPT` in RAM: a flash algorithm ends so, and QEMU does not halt there.
    fn find_return_trap(&mut self) -> Result<Option<u32>, AccessError> {
        let target = self.read_register(Register::Lr)? as u32 & !1;
        if !self.ram.contains(&target) {
            return Ok(None);
        }
        let instruction = self.qtest.read(target, Width::Half)?;
        Ok((instruction >> 8 == 0xBE).then_some(target))
    }

    fn program_counter(&mut self) -> Result<u32, AccessError> {
        Ok(self.read_register(Register::Pc)? as u32 & !1)
    }

    /// The length of the WFI or WFE at `pc`, if there is one (ARMv7-M, A7.7.261 and A7.7.262).
    fn length_of_wait_at(&mut self, pc: u32) -> Result<Option<u32>, AccessError> {
        match self.qtest.read(pc, Width::Half)? {
            0xBF20 | 0xBF30 => Ok(Some(2)),
            0xF3AF => {
                let second = self.qtest.read(pc.wrapping_add(2), Width::Half)?;
                Ok(matches!(second, 0x8002 | 0x8003).then_some(4))
            }
            _ => Ok(None),
        }
    }

    fn is_wait_before(&mut self, pc: u32) -> Result<bool, AccessError> {
        Ok(self.length_of_wait_at(pc.wrapping_sub(2))? == Some(2)
            || self.length_of_wait_at(pc.wrapping_sub(4))? == Some(4))
    }
}

impl From<GdbError> for AccessError {
    fn from(error: GdbError) -> AccessError {
        AccessError::Gdb(Box::new(error))
    }
}
