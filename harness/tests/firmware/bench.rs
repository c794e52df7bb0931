//! The firmware on an emulated chip, at the level of debug registers: what is asked of it here goes past rigs and plans.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use flagfall::rig::board::Image;
use flagfall_core::command::Command;
use flagfall_core::contract::{self, ContractHeader, CrashRecord, STOP_NEVER};
use flagfall_core::panel::Frame;
use flagfall_core::record::{self, Kind};
use flagfall_core::{Bonus, Period, Record, Setup, TimeControl, kept};
use flagfall_vboard::{Board, DebugPort, Emulator, EmulatorOptions, STIMULUS_BASE, SerialOutput, SerialUse};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Lines of the stimulus window.
pub(crate) const WHITE: u32 = 0;
pub(crate) const BLACK: u32 = 1;
pub(crate) const ARBITER: u32 = 4;

const TAR: u8 = 0x4;
const DRW: u8 = 0xc;
/// Words, with the address counting up.
const CSW_WORDS: u32 = 0x2300_0052;

const CSW_BYTES: u32 = 0x2300_0050;

const AIRCR: u32 = 0xE000_ED0C;
const DHCSR: u32 = 0xE000_EDF0;
const DCRSR: u32 = 0xE000_EDF4;
const DCRDR: u32 = 0xE000_EDF8;
const DEMCR: u32 = 0xE000_EDFC;
const FP_CTRL: u32 = 0xE000_2000;
const FP_COMP: u32 = 0xE000_2008;
const S_HALT: u32 = 1 << 17;
const PC: u32 = 15;

/// How long the core may take to its next stop, in host time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A chip with the firmware on it, halted whenever a method returns.
pub(crate) struct Bench {
    pub(crate) image: Image,
    port: DebugPort,
    serial: SerialOutput,
    /// What the panel has shown last.
    last_frame: Option<Frame>,
    symbols: BTreeMap<String, u32>,
    partial_line: Vec<u8>,
    /// What has been said to be shown.
    shown: Vec<Record>,
    // Ends after the port does.
    _emulator: Emulator,
}

impl Bench {
    /// A chip that has just got power, stopped after its boot record.
    pub(crate) fn power_on(board: &'static Board, elf: &str) -> Result<Bench> {
        let image = Image::read(elf.as_ref())?;
        let symbols = symbols(elf)?;
        let kernel = Some(elf.into());
        let options = EmulatorOptions { board, kernel, serial: SerialUse::Kept, ..EmulatorOptions::default() };
        let emulator = Emulator::launch(&options)?;
        let serial = emulator.serial()?;
        let port = DebugPort::connect(board, emulator.selector())?;
        let (partial_line, shown) = (Vec::new(), Vec::new());
        let mut bench =
            Bench { image, port, serial, symbols, last_frame: None, partial_line, shown, _emulator: emulator };
        bench.port.write_ap(0x0, CSW_WORDS)?;
        bench.set(DHCSR, 0xA05F_0003)?;
        bench.set(FP_CTRL, 3)?;
        for (index, address) in [bench.image.stop, bench.image.crashed].into_iter().enumerate() {
            let half = if address & 2 == 0 { 1 << 30 } else { 1 << 31 };
            bench.set(FP_COMP + 4 * index as u32, address as u32 & 0x1fff_fffc | half | 1)?;
        }
        for line in [WHITE, BLACK, ARBITER] {
            bench.release(line)?;
        }
        bench.go_on()?;
        Ok(bench)
    }

    pub(crate) fn word(&mut self, address: u32) -> Result<u32> {
        self.port.write_ap(TAR, address)?;
        Ok(self.port.read_ap(DRW)?)
    }

    pub(crate) fn set(&mut self, address: u32, value: u32) -> Result<()> {
        self.port.write_ap(TAR, address)?;
        Ok(self.port.write_ap(DRW, value)?)
    }

    pub(crate) fn words(&mut self, address: u32, count: usize) -> Result<Vec<u32>> {
        (0..count).map(|index| self.word(address + 4 * index as u32)).collect()
    }

    pub(crate) fn set_words(&mut self, address: u32, words: &[u32]) -> Result<()> {
        words.iter().enumerate().try_for_each(|(index, word)| self.set(address + 4 * index as u32, *word))
    }

    fn bytes(&mut self, address: u32, len: usize) -> Result<Vec<u8>> {
        Ok(self.words(address, len / 4)?.into_iter().flat_map(u32::to_le_bytes).collect())
    }

    pub(crate) fn register(&mut self, number: u32) -> Result<u32> {
        self.set(DCRSR, number)?;
        self.word(DCRDR)
    }

    pub(crate) fn set_register(&mut self, number: u32, value: u32) -> Result<()> {
        self.set(DCRDR, value)?;
        self.set(DCRSR, 1 << 16 | number)
    }

    /// Lets the core run to its next stop; the tick that the core was stopped at is not asked for here.
    pub(crate) fn go_on(&mut self) -> Result<()> {
        if u64::from(self.register(PC)?) == self.image.stop {
            // Behind the `nop` that carries the breakpoint.
            self.set_register(PC, self.image.stop as u32 + 2)?;
        }
        self.set(DHCSR, 0xA05F_0001)?;
        self.wait_for_stop()
    }

    /// Lets the core run, halted by nothing, for so long of host time, and leaves it running: what comes next must wait for
    /// a stop.
    pub(crate) fn let_run(&mut self, host: Duration) -> Result<()> {
        self.stops(STOP_NEVER, 0)?;
        self.set_register(PC, self.image.stop as u32 + 2)?;
        self.set(DHCSR, 0xA05F_0001)?;
        std::thread::sleep(host);
        Ok(())
    }

    /// Has a core that runs stop at this tick, and waits for it.
    pub(crate) fn wait_for_stop_at(&mut self, tick: u64) -> Result<()> {
        self.stops(tick, 0)?;
        self.wait_for_stop()
    }

    fn wait_for_stop(&mut self) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while self.word(DHCSR)? & S_HALT == 0 {
            if Instant::now() > deadline {
                return Err("no stop".into());
            }
        }
        let pc = self.register(PC)?;
        if u64::from(pc) == self.image.stop {
            return Ok(());
        }
        match self.crash()? {
            Some(crash) if u64::from(pc) == self.image.crashed => Err(crash.to_string().into()),
            _ => Err(format!("stopped at {pc:#010x}").into()),
        }
    }

    /// Runs on to this function.
    pub(crate) fn run_into(&mut self, function: u32) -> Result<()> {
        self.stops(STOP_NEVER, 0)?;
        let half = if function & 2 == 0 { 1 << 30 } else { 1 << 31 };
        self.set(FP_COMP + 8, function & 0x1fff_fffc | half | 1)?;
        let stopped = self.go_on().err().ok_or("it stopped by itself")?.to_string();
        self.set(FP_COMP + 8, 0)?;
        assert_eq!(stopped, format!("stopped at {:#010x}", function & !1));
        Ok(())
    }

    /// Executes so many instructions, during which no interrupt comes.
    pub(crate) fn step(&mut self, instructions: u32) -> Result<()> {
        if u64::from(self.register(PC)?) == self.image.stop {
            self.set_register(PC, self.image.stop as u32 + 2)?;
        }
        (0..instructions).try_for_each(|_| self.set(DHCSR, 0xA05F_0005))
    }

    /// Runs on until device time has come to this tick, in the idle loop.
    pub(crate) fn run_to(&mut self, tick: u64) -> Result<()> {
        self.stops(tick, 0)?;
        self.go_on()
    }

    /// Runs on until a record of this kind has been written.
    pub(crate) fn run_to_record(&mut self, kind: Kind) -> Result<()> {
        self.stops(STOP_NEVER, kind.mask())?;
        self.go_on()
    }

    fn stops(&mut self, at: u64, on: u64) -> Result<()> {
        let block = self.image.block as u32;
        for (offset, value) in [(contract::STOP_AT, at), (contract::STOP_ON, on)] {
            self.set_words(block + offset as u32, &[value as u32, (value >> 32) as u32])?;
        }
        Ok(())
    }

    /// A short gap of the supply: registers and core begin anew, memory keeps what it has. Stopped after the boot record.
    pub(crate) fn reset(&mut self) -> Result<()> {
        self.begin_anew()?;
        for line in [WHITE, BLACK, ARBITER] {
            self.press(line)?;
            self.release(line)?;
        }
        self.go_on()
    }

    /// The same with nobody at the buttons.
    pub(crate) fn reset_untouched(&mut self) -> Result<()> {
        self.begin_anew()?;
        self.go_on()
    }

    fn begin_anew(&mut self) -> Result<()> {
        self.set(DEMCR, 1)?;
        self.set(AIRCR, 0x05FA_0004)?;
        self.set(DEMCR, 0)
    }

    pub(crate) fn press(&mut self, line: u32) -> Result<()> {
        self.set(STIMULUS_BASE + 4 * line, 0)
    }

    pub(crate) fn release(&mut self, line: u32) -> Result<()> {
        self.set(STIMULUS_BASE + 4 * line, 1)
    }

    /// Presses and lets go at this tick, and runs on until the firmware has had a millisecond for it.
    pub(crate) fn push(&mut self, line: u32, tick: u64) -> Result<()> {
        self.run_to(tick)?;
        self.press(line)?;
        self.run_to(tick + 1_000)?;
        self.release(line)
    }

    pub(crate) fn header(&mut self) -> Result<ContractHeader> {
        let bytes = self.bytes(self.image.block as u32, contract::LEN)?;
        Ok(ContractHeader::parse(&bytes)?)
    }

    pub(crate) fn crash(&mut self) -> Result<Option<CrashRecord>> {
        let bytes = self.bytes(self.image.crash as u32, contract::CRASH_LEN)?;
        Ok(CrashRecord::from_bytes(bytes.as_slice().try_into()?))
    }

    /// What is kept over a reset, as words.
    pub(crate) fn kept(&mut self) -> Result<Vec<u32>> {
        let kept = self.image.kept.ok_or("the firmware keeps nothing")?;
        self.words(kept as u32, kept::WORDS)
    }

    pub(crate) fn set_kept(&mut self, words: &[u32]) -> Result<()> {
        let kept = self.image.kept.ok_or("the firmware keeps nothing")?;
        self.set_words(kept as u32, words)
    }

    /// The lowest address of a function whose mangled name has this part.
    pub(crate) fn function(&self, part: &str) -> Result<u32> {
        let found = self.symbols.iter().find(|(name, _)| name.contains(part)).map(|(_, address)| *address);
        found.ok_or_else(|| format!("no function with {part} in its name").into())
    }

    pub(crate) fn symbol(&self, name: &str) -> Result<u32> {
        self.symbols.get(name).copied().ok_or_else(|| format!("no symbol {name}").into())
    }

    /// The numbered records that have come up since the last call; what else has come is kept for [`Bench::shown`].
    pub(crate) fn records(&mut self) -> Result<Vec<Record>> {
        let (shown, numbered): (Vec<_>, Vec<_>) =
            self.all_records()?.into_iter().partition(|record| record.kind == Kind::SHOWN);
        self.shown.extend(shown);
        Ok(numbered)
    }

    /// What has been said to be shown, of all records that were taken so far.
    pub(crate) fn shown(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.shown)
    }

    /// The records that have come up since the last call (SEGGER RTT, up channel 0).
    fn all_records(&mut self) -> Result<Vec<Record>> {
        let channel = self.image.rtt as u32 + 24;
        let [buffer, size, write, read] = self.words(channel + 4, 4)?[..] else { return Err("four words".into()) };
        let mut bytes = Vec::new();
        let mut at = read;
        while at != write {
            let word = self.word((buffer + at) & !3)?;
            bytes.push(word.to_le_bytes()[(buffer + at) as usize % 4]);
            at = (at + 1) % size;
        }
        self.set(channel + 16, write)?;
        let records = bytes.chunks_exact(record::LEN).map(|bytes| Ok(Record::from_bytes(bytes.try_into()?)?));
        records.collect()
    }

    /// Sends a command and runs on until it has been answered.
    pub(crate) fn command(&mut self, command: &Command, answer: Kind) -> Result<()> {
        self.send(command)?;
        self.run_to_record(answer)
    }

    /// Sends a command, which the firmware has yet to see (SEGGER RTT, down channel 0).
    pub(crate) fn send(&mut self, command: &Command) -> Result<()> {
        let channel = self.image.rtt as u32 + 48;
        let [buffer, size, write, _] = self.words(channel + 4, 4)?[..] else { return Err("four words".into()) };
        let mut at = write;
        self.port.write_ap(0x0, CSW_BYTES)?;
        for byte in command.to_bytes() {
            self.set(buffer + at, u32::from(byte) << (8 * ((buffer + at) % 4)))?;
            at = (at + 1) % size;
        }
        self.port.write_ap(0x0, CSW_WORDS)?;
        self.set(channel + 12, at)
    }

    /// Sets the clock up, forgets all records so far, and returns the tick at which it was.
    pub(crate) fn set_up(&mut self, setup: &Setup) -> Result<u64> {
        self.command(&Command::Configure(*setup), Kind::CONFIGURED)?;
        let last = self.records()?.pop().ok_or("no answer")?;
        Ok(last.at.ticks())
    }

    /// The lines of the panel that have come out since the last call.
    pub(crate) fn frames(&mut self) -> Result<Vec<Frame>> {
        self.partial_line.extend(self.serial.read_new()?);
        let whole = self.partial_line.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let lines: Vec<u8> = self.partial_line.drain(..whole).collect();
        let mut frames = Vec::new();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let frame = Frame::parse(line, self.last_frame.as_ref())?;
            self.last_frame = Some(frame);
            frames.push(frame);
        }
        Ok(frames)
    }
}

/// Addresses of functions and data, by name.
fn symbols(elf: &str) -> Result<BTreeMap<String, u32>> {
    use object::{Object, ObjectSymbol};
    let bytes = std::fs::read(elf)?;
    let file = object::File::parse(bytes.as_slice())?;
    let named = file.symbols().filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address() as u32)));
    Ok(named.filter(|(name, _)| !name.starts_with('$')).collect())
}

/// Five minutes, and whatever bonus.
pub(crate) fn five_minutes(bonus: Bonus) -> Setup {
    Setup::new(TimeControl::new(&[Period::all_moves(300_000, bonus)]).expect("a control"))
}
