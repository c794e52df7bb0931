//! Run control of the emulated core: halt, resume, step, reset, core registers.

use crate::board::Board;
use crate::gdb::{Gdb, GdbError, Stop};
use crate::qtest::{Qtest, QtestError, Width};
use crate::register_map::Register;
use crate::target::AccessError;
use crate::traps::{Trap, Traps, Wanted};
use std::collections::BTreeMap;
use std::ops::Range;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long QEMU's main loop may take to perform a reset it has been asked for.
const RESET_TIMEOUT: Duration = Duration::from_secs(5);

/// ARMv7-M, A7.7.88.
const NOP: u32 = 0xBF00;

/// Interrupt control and state register: setting and clearing of a pending PendSV.
const ICSR: u32 = 0xE000_ED04;
const PENDSVSET: u32 = 1 << 28;
const PENDSVCLR: u32 = 1 << 27;

/// Why the core has halted, in the words of the debug fault status register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Asked for, or after a single step.
    Request,
    /// A breakpoint.
    Breakpoint,
    /// The entry of an exception that was to be caught.
    VectorCatch,
    /// An access to this address, which was watched.
    Watchpoint(u32),
}

/// Whether the core executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Halted,
    /// Halted in a wait for an interrupt: QEMU's core sleeps, its program counter behind the wait.
    Asleep,
    /// Asleep, with a new program counter: the core must be woken before it can execute.
    Moved,
}

/// The core, halted or running.
#[derive(Debug)]
pub(crate) struct CoreControl {
    gdb: Gdb,
    qtest: Qtest,
    traps: Traps,
    state: State,
    flash: Range<u32>,
    ram: Range<u32>,
    /// The program counter of a halted core, once it is known.
    pc: Option<u32>,
    /// Instructions of the program looked at before.
    instructions: BTreeMap<u32, u32>,
}

impl CoreControl {
    /// The core behind two fresh connections; the gdb one has halted it.
    pub(crate) fn new(gdb: Gdb, qtest: Qtest, board: &Board) -> CoreControl {
        CoreControl {
            gdb,
            qtest,
            traps: Traps::default(),
            state: State::Halted,
            flash: board.flash.clone(),
            ram: board.ram.clone(),
            pc: None,
            instructions: BTreeMap::new(),
        }
    }

    /// The bus, usable whether the core runs or not.
    pub(crate) fn bus(&mut self) -> &mut Qtest {
        &mut self.qtest
    }

    /// Whether the core runs, as of the last [`CoreControl::poll`].
    pub(crate) fn is_running(&self) -> bool {
        self.state == State::Running
    }

    /// Notices a stop that has come since the last look, or comes within `moment`.
    pub(crate) fn poll(&mut self, moment: Duration) -> Result<Option<Halt>, AccessError> {
        if !self.is_running() {
            return Ok(None);
        }
        match self.gdb.poll_stop(moment)? {
            Some(stop) => self.stopped(stop),
            None => Ok(None),
        }
    }

    /// Halts a running core. A breakpoint that came first is the reason that is reported.
    pub(crate) fn halt(&mut self) -> Result<Option<Halt>, AccessError> {
        while self.is_running() {
            let stop = self.gdb.interrupt()?;
            if let Some(halt) = self.stopped(stop)? {
                return Ok(Some(halt));
            }
        }
        Ok(None)
    }

    /// Lets a halted core run until one of the traps.
    pub(crate) fn resume(&mut self) -> Result<(), AccessError> {
        if self.state == State::Moved {
            self.step()?;
        }
        let trap = self.find_return_trap()?;
        self.traps.set_return(trap);
        self.traps.find_handlers(&mut self.qtest)?;
        self.traps.install(&mut self.gdb)?;
        self.gdb.resume()?;
        self.state = State::Running;
        Ok(())
    }

    /// Executes one instruction of a halted core, breakpoints or not, with interrupts held off.
    ///
    /// QEMU never reports the end of a step onto or inside a wait for an interrupt. The architecture lets such a wait
    /// end at any time, so the first is skipped, and a core that is asleep stays where it is.
    pub(crate) fn step(&mut self) -> Result<(), AccessError> {
        let pc = self.program_counter()?;
        match (self.wait_at(pc)?, self.state) {
            (Some(length), _) => self.write_register(Register::Pc, u64::from(pc.wrapping_add(length))),
            (None, State::Asleep) => Ok(()),
            (None, State::Moved) => self.wake(),
            // A step in QEMU ends like a breakpoint, after which it translates the program anew.
            (None, _) if self.instruction(pc)? == NOP && self.is_outside_it_block()? => {
                self.write_register(Register::Pc, u64::from(pc.wrapping_add(2)))
            }
            (None, _) => self.execute_one(),
        }
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
        self.state = State::Halted;
        self.pc = None;
        Ok(())
    }

    /// Makes the core stop at what is wanted from now on; a running core is stopped for a moment if QEMU must be told.
    pub(crate) fn set_traps(&mut self, wanted: Wanted) -> Result<Option<Halt>, AccessError> {
        self.traps.set(wanted);
        if let halt @ Some(_) = self.poll(Duration::ZERO)? {
            return Ok(halt);
        }
        if !self.is_running() {
            return Ok(None);
        }
        self.traps.find_handlers(&mut self.qtest)?;
        if self.traps.are_installed() {
            return Ok(None);
        }
        let halt = self.pause()?;
        self.traps.install(&mut self.gdb)?;
        if halt.is_none() {
            self.gdb.resume()?;
        }
        Ok(halt)
    }

    /// A core register of a halted core.
    pub(crate) fn read_register(&mut self, register: Register) -> Result<u64, AccessError> {
        match (register, self.pc) {
            (Register::Pc, Some(pc)) => Ok(u64::from(pc)),
            _ => self.gdb.read_register(register)?.ok_or(AccessError::RegisterUnknown),
        }
    }

    /// Sets a core register of a halted core.
    pub(crate) fn write_register(&mut self, register: Register, value: u64) -> Result<(), AccessError> {
        if register == Register::Pc {
            self.pc = None;
            if self.state == State::Asleep {
                self.state = State::Moved;
            }
        }
        match self.gdb.write_register(register, value)? {
            true => Ok(()),
            false => Err(AccessError::RegisterUnknown),
        }
    }

    /// Writes flash past its controller; the core must be halted.
    pub(crate) fn write_flash(&mut self, address: u32, bytes: &[u8]) -> Result<(), AccessError> {
        if self.is_running() {
            return Err(AccessError::FlashWhileRunning { address });
        }
        self.instructions.clear();
        Ok(self.gdb.write_memory(address, bytes)?)
    }

    /// Stops a running core for a moment: `None` if for that alone, and [`CoreControl::is_running`] goes on being true.
    fn pause(&mut self) -> Result<Option<Halt>, AccessError> {
        loop {
            match self.gdb.interrupt()? {
                Stop::Request => return Ok(None),
                // A trap that came first, or one of no interest, after which the core runs on.
                stop @ (Stop::Trap | Stop::Access(_)) => {
                    if let halt @ Some(_) = self.stopped(stop)? {
                        return Ok(halt);
                    }
                }
            }
        }
    }

    /// Finds out why QEMU stopped the core; `None` if it was for nothing and the core runs on.
    fn stopped(&mut self, stop: Stop) -> Result<Option<Halt>, AccessError> {
        self.state = State::Halted;
        self.pc = None;
        let pc = self.program_counter()?;
        match stop {
            Stop::Request => {
                if self.wait_at(pc.wrapping_sub(2))? == Some(2) || self.wait_at(pc.wrapping_sub(4))? == Some(4) {
                    self.state = State::Asleep;
                }
                return Ok(Some(Halt::Request));
            }
            Stop::Access(address) => {
                self.complete_access(pc, address)?;
                return Ok(Some(Halt::Watchpoint(address)));
            }
            Stop::Trap => {}
        }
        let caught = match self.traps.at(pc) {
            Trap::Breakpoint => return Ok(Some(Halt::Breakpoint)),
            Trap::None => return Ok(Some(Halt::Request)),
            Trap::Handler(exceptions) => exceptions.clone(),
        };
        let exception = self.read_register(Register::Xpsr)? as u32 & 0x1ff;
        if caught.contains(&exception) {
            return Ok(Some(Halt::VectorCatch));
        }
        // The handler is shared with an exception that is not caught.
        self.execute_one()?;
        self.gdb.resume()?;
        self.state = State::Running;
        Ok(None)
    }

    /// Lets the access happen before which QEMU has stopped: a chip stops after it.
    ///
    /// A plain store is done from here. QEMU would have to step over it, and would forget what it has translated.
    fn complete_access(&mut self, pc: u32, address: u32) -> Result<(), AccessError> {
        let instruction = self.instruction(pc)?;
        // STR Rt, [Rn, #4 * imm5], encoding T1 (ARMv7-M, A7.7.161).
        if instruction >> 11 == 0b01100 && self.is_outside_it_block()? {
            let general = |number: u32| Register::General((number & 7) as u8);
            let base = self.read_register(general(instruction >> 3))? as u32;
            if base.wrapping_add((instruction >> 6 & 0x1f) * 4) == address {
                let value = self.read_register(general(instruction))? as u32;
                self.qtest.write(address, Width::Word, value)?;
                return self.write_register(Register::Pc, u64::from(pc.wrapping_add(2)));
            }
        }
        self.traps.unwatch(&mut self.gdb)?;
        self.execute_one()
    }

    /// Whether the next instruction is executed whatever the flags are; every instruction moves the state of an IT block on
    /// (ARMv7-M, A7.3.3).
    fn is_outside_it_block(&mut self) -> Result<bool, AccessError> {
        const IT_STATE: u64 = 0x0600_fc00;
        Ok(self.read_register(Register::Xpsr)? & IT_STATE == 0)
    }

    fn execute_one(&mut self) -> Result<(), AccessError> {
        self.pc = None;
        if matches!(self.gdb.step()?, Stop::Access(_)) {
            self.traps.unwatch(&mut self.gdb)?;
            self.gdb.step()?;
        }
        Ok(())
    }

    /// Wakes a sleeping core and lets it execute one instruction. QEMU wakes it only for an interrupt, so PendSV is
    /// made pending for the one instruction in which interrupts are held off.
    fn wake(&mut self) -> Result<(), AccessError> {
        let pending = self.qtest.read(ICSR, Width::Word)? & PENDSVSET != 0;
        if !pending {
            self.qtest.write(ICSR, Width::Word, PENDSVSET)?;
        }
        self.execute_one()?;
        if !pending {
            self.qtest.write(ICSR, Width::Word, PENDSVCLR)?;
        }
        self.state = State::Halted;
        Ok(())
    }

    /// Where a flash algorithm returns to: it runs in RAM, with a `BKPT` in RAM as return address, at which QEMU would
    /// not halt.
    fn find_return_trap(&mut self) -> Result<Option<u32>, AccessError> {
        let pc = self.program_counter()?;
        if !self.ram.contains(&pc) {
            return Ok(None);
        }
        let target = self.read_register(Register::Lr)? as u32 & !1;
        if !self.ram.contains(&target) {
            return Ok(None);
        }
        Ok((self.instruction(target)? >> 8 == 0xBE).then_some(target))
    }

    fn program_counter(&mut self) -> Result<u32, AccessError> {
        let pc = self.read_register(Register::Pc)? as u32 & !1;
        self.pc = Some(pc);
        Ok(pc)
    }

    /// The length of the WFI or WFE at `address`, if there is one (ARMv7-M, A7.7.261 and A7.7.262).
    fn wait_at(&mut self, address: u32) -> Result<Option<u32>, AccessError> {
        match self.instruction(address)? {
            0xBF20 | 0xBF30 => Ok(Some(2)),
            0xF3AF => {
                let second = self.instruction(address.wrapping_add(2))?;
                Ok(matches!(second, 0x8002 | 0x8003).then_some(4))
            }
            _ => Ok(None),
        }
    }

    /// The halfword at `address`. Flash changes only through [`CoreControl::write_flash`], so it is asked for once.
    fn instruction(&mut self, address: u32) -> Result<u32, AccessError> {
        if let Some(known) = self.instructions.get(&address) {
            return Ok(*known);
        }
        let instruction = self.qtest.read(address, Width::Half)?;
        if self.flash.contains(&address) {
            self.instructions.insert(address, instruction);
        }
        Ok(instruction)
    }
}

impl From<GdbError> for AccessError {
    fn from(error: GdbError) -> AccessError {
        AccessError::Gdb(Box::new(error))
    }
}

impl From<QtestError> for AccessError {
    fn from(error: QtestError) -> AccessError {
        AccessError::Qtest(Box::new(error))
    }
}
