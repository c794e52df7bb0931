//! The target behind the probe: flashed, reset, run to a stop, read and written; every wait bounded in host time.
//!
//! With `virtual-board/probe` this is the only place that knows probe-rs.

mod flash;
mod stack;
mod watched;
mod watchpoint;

use std::time::{Duration, Instant};

use flagfall_core::contract::{self, ContractHeader, CrashRecord};
use flagfall_core::{DeviceTime, kept, record};
use probe_rs::rtt::{self, Rtt};
use probe_rs::{CoreStatus, MemoryInterface, Permissions, Session};

use super::description::{Counter, Description, RegisterWrite};
use super::driver::Driver;
use super::flashing::Flashing;
use super::image::{Firmware, Image};
use super::opening::{self, ProbeError};
use super::panel::Panel;
use super::port::PortError;
use crate::interrupt::Interrupt;

/// How long a target may take to its stop, or, where its time base can be watched, how long that may stand still. An
/// emulator does an hour in a fraction of a second, a board takes an hour: as long as its time goes on, the bench waits.
const STOP_BUDGET: Duration = Duration::from_secs(15);

/// How often a running time base is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How far a time base may be past the stop that was asked for before the bench gives the firmware up.
const RAN_PAST_MS: u64 = 1_000;

/// How long a halt or a reset may take.
const HALT_BUDGET: Duration = Duration::from_millis(500);

/// What went wrong between the bench and the target.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The probe, the link or the chip: look at cables, power and selector; for the emulator, at its last words.
    #[error("{doing}: {cause}; look at the probe, its cable and the power of the board")]
    Probe {
        /// What was being done.
        doing: &'static str,
        /// What probe-rs says.
        cause: String,
    },
    /// The probe cannot be had; its own text says what to do.
    #[error(transparent)]
    Open(#[from] ProbeError),
    /// It is another chip than the board file says: correct `chip`, or look which board is connected.
    #[error("wrong chip: {0}; correct `chip` in the board file, or look which board the probe is wired to")]
    Chip(String),
    /// The image is not what is in flash after programming: do not trust the board.
    #[error(
        "flash does not hold the image after programming: {0}; look at its write protection, or start the emulator \
         with this ELF"
    )]
    Flash(String),
    /// The buffers through which records and commands go are not where the ELF says.
    #[error(
        "no RTT control block at {address:#010x}: {cause}; flash the ELF anew, and look whether the firmware sets RTT up \
         before its first stop"
    )]
    Rtt {
        /// Where the ELF says that it is.
        address: u64,
        /// What probe-rs says.
        cause: String,
    },
    /// What runs is not what was flashed, or offers too little.
    #[error("handshake: {0}")]
    Handshake(String),
    /// One of the two counters cannot be what the board file says: correct its address.
    #[error("counters: {0}")]
    Counters(String),
    /// The firmware stopped nowhere and its time base stood still; the bench does not know why.
    #[error(
        "no stop, and no sign of a running time base, within {0} s of host time; look whether the chip is powered and \
         clocked, and whether `device_counter` is right"
    )]
    Budget(u64),
    /// The bench's own machine was too busy to stop the target in time: run the case again, with less beside it.
    #[error("the bench came {by_ms} ms too late to an instant: its machine was busy with other things")]
    Overslept {
        /// How late.
        by_ms: i64,
    },
    /// The display's lines make no sense: look at the port and at the firmware that writes to it.
    #[error("the panel: {0}")]
    Panel(String),
    /// Nothing can be read of the display: its own text says what to do.
    #[error("the panel: {0}")]
    Port(#[from] PortError),
    /// Somebody asked for an end while the target ran; nothing is known about the clock.
    #[error("interrupted")]
    Interrupted,
    /// The firmware crashed. This is the clock's fault.
    #[error("the firmware crashed: {0}; look there in its source")]
    Crashed(String),
    /// The core has stopped executing. This is the clock's fault.
    #[error("the core locked up: a fault inside a fault handler; look at the firmware's fault handlers and its stack")]
    LockedUp,
    /// The firmware went so many ticks past the time at which it was to stop. This is the clock's fault.
    #[error(
        "the firmware did not stop: its time base is {0} ticks past the stop that was asked for; look what keeps it from \
         its idle loop"
    )]
    RanPast(u64),
    /// The firmware stopped so many ticks before it was to. This is the clock's fault.
    #[error("the firmware stopped {0} ticks too early, its time further on than its counter; look how it follows that")]
    StoppedEarly(u64),
}

impl TargetError {
    /// Whether this speaks against the clock under test rather than against the bench.
    #[must_use]
    pub const fn blames_the_clock(&self) -> bool {
        matches!(self, Self::Crashed(_) | Self::LockedUp | Self::RanPast(_) | Self::StoppedEarly(_))
    }
}

pub(super) fn probe(doing: &'static str) -> impl FnOnce(probe_rs::Error) -> TargetError {
    move |error| TargetError::Probe { doing, cause: chain(&error) }
}

/// An error and everything that caused it, in one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text += ": ";
            text += &more;
        }
        cause = error.source();
    }
    text
}

pub(super) fn attach_failed(chip: &str, error: probe_rs::Error) -> TargetError {
    match error {
        probe_rs::Error::ChipNotFound(_) => TargetError::Chip(format!("probe-rs knows none that is called {chip}")),
        error => probe("attach")(error),
    }
}

/// A contract block that cannot be used.
fn misunderstood(error: &contract::ContractError) -> TargetError {
    TargetError::Handshake(format!("{error}; build firmware and flagfall from the same sources"))
}

/// A time base on its way to a stop.
struct Watch {
    counter: Counter,
    stop_at: u32,
    last: Option<u32>,
}

impl Watch {
    const fn new(counter: Counter, stop_at: u32) -> Self {
        Self { counter, stop_at, last: None }
    }

    /// Whether the time base has moved since the last look.
    fn goes_on(&mut self, raw: u32) -> Result<bool, TargetError> {
        let past = raw.wrapping_sub(self.stop_at);
        let allowed = RAN_PAST_MS * u64::from(self.counter.hz) / 1_000;
        // The upper half of the difference is a stop that is still to come.
        if past < u32::MAX / 2 && u64::from(past) > allowed {
            return Err(TargetError::RanPast(past.into()));
        }
        Ok(self.last.replace(raw).is_none_or(|last| last != raw))
    }
}

/// A session with a target that runs our image.
pub(super) struct Target {
    session: Session,
    firmware: Firmware,
    rtt: Option<Rtt>,
    pending: Vec<u8>,
    interrupt: Interrupt,
    driver: Option<Driver>,
    /// Its display, if that is watched.
    pub(super) panel: Option<Panel>,
}

impl Target {
    /// Attaches through the probe with this selector and flashes the image, with verify; a run on it is given up when
    /// somebody interrupts.
    pub(super) fn open(
        selector: &str,
        description: &Description,
        firmware: Firmware,
        interrupt: &Interrupt,
        tell: &dyn Fn(Flashing),
    ) -> Result<Self, TargetError> {
        let session = opening::open(selector)?
            .attach(description.chip.as_str(), Permissions::default())
            .map_err(|error| attach_failed(&description.chip, error))?;
        let mut target = Self {
            session,
            firmware,
            rtt: None,
            pending: Vec::new(),
            interrupt: interrupt.clone(),
            driver: None,
            panel: None,
        };
        target.identify(&description.chip)?;
        target.flash(tell)?;
        Ok(target)
    }

    /// The same target with its buttons wired to a driver board.
    pub(super) fn with_driver(self, driver: Driver) -> Self {
        Self { driver: Some(driver), ..self }
    }

    /// From here on its display is watched.
    pub(super) fn watch_panel(&mut self, panel: Panel) {
        self.panel = Some(panel);
    }

    /// The board that drives its buttons.
    pub(super) fn driver(&mut self) -> Result<&mut Driver, TargetError> {
        self.driver.as_mut().ok_or_else(|| TargetError::Handshake("no driver board is wired to its buttons".into()))
    }

    /// Looks whether it is the chip that the board file names, where its number is known.
    fn identify(&mut self, chip: &str) -> Result<(), TargetError> {
        let Some(register) = opening::identity_register(chip) else { return Ok(()) };
        let idcode = self.word(register)?;
        opening::misidentified(chip, idcode).map_or(Ok(()), |wrong| Err(TargetError::Chip(wrong)))
    }

    /// Resets the target and runs it to its first stop, with the breakpoints of a run in place.
    pub(super) fn boot(&mut self) -> Result<ContractHeader, TargetError> {
        self.hold_in_reset()?;
        let image = self.contract()?.clone();
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        // A record of an earlier crash must not be taken for one of this run.
        core.write_word_32(image.crash, 0).map_err(probe("clear crash record"))?;
        if let Some(kept) = image.kept {
            // Nor what was kept of an earlier game.
            core.write_32(kept, &[0; kept::WORDS]).map_err(probe("clear what is kept"))?;
        }
        drop(core);
        self.start()
    }

    /// Resets the target and leaves it at its first instruction, with what it keeps, and with the breakpoints of a run in
    /// place.
    pub(super) fn hold_in_reset(&mut self) -> Result<(), TargetError> {
        let Image { stop, stopped, crashed, .. } = *self.contract()?;
        self.rtt = None;
        self.pending.clear();
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        core.reset_and_halt(HALT_BUDGET).map_err(probe("reset"))?;
        // Not before: what the device sent last is on its way until it stands still.
        self.panel.as_mut().map_or(Ok(()), Panel::forget)?;
        let is_watched = match stopped {
            Some(word) => watchpoint::watch(&mut core, word).map_err(probe("watch for stops"))?,
            None => false,
        };
        if !is_watched {
            core.set_hw_breakpoint(stop).map_err(probe("set breakpoint"))?;
        }
        core.set_hw_breakpoint(crashed).map_err(probe("set breakpoint"))
    }

    /// Device time at which what a reset would bring back was true.
    pub(super) fn kept_at(&mut self) -> Result<DeviceTime, TargetError> {
        let nothing = || TargetError::Handshake("the firmware keeps nothing over a reset".into());
        let mut words = [0; kept::WORDS];
        let address = self.contract()?.kept.ok_or_else(nothing)?;
        self.session
            .core(0)
            .and_then(|mut core| core.read_32(address, &mut words))
            .map_err(probe("read what is kept"))?;
        let memory = kept::Memory::of_words(words);
        kept::Keeper::open(&memory).standing().map(|standing| standing.at).ok_or_else(nothing)
    }

    /// Runs a target that is held in reset to its first stop, and shakes hands.
    pub(super) fn start(&mut self) -> Result<ContractHeader, TargetError> {
        let image = self.contract()?.clone();
        self.run_to_stop(None)?;
        let mut bytes = [0; contract::LEN];
        self.read(image.block, &mut bytes)?;
        let header = ContractHeader::parse(&bytes).map_err(|error| misunderstood(&error))?;
        let wrong = |what: &str, has: u64, wanted: u64| {
            TargetError::Handshake(format!(
                "{what} {has:#x} where the ELF or the contract has {wanted:#x}; build the firmware anew and look whether \
                 it is what the board boots"
            ))
        };
        if header.build_id != image.build_id {
            return Err(wrong("build id", header.build_id, image.build_id));
        }
        if header.record_len as usize != record::LEN {
            return Err(wrong("record size", header.record_len.into(), record::LEN as u64));
        }
        if header.command_len as usize != flagfall_core::command::LEN {
            return Err(wrong("command size", header.command_len.into(), flagfall_core::command::LEN as u64));
        }
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        let rtt = Rtt::attach_at(&mut core, image.rtt).map_err(|error| match error {
            rtt::Error::Probe(error) => probe("attach to RTT")(error),
            error => TargetError::Rtt {
                address: image.rtt,
                cause: error.to_string().lines().next().unwrap_or_default().trim_end_matches('.').to_owned(),
            },
        })?;
        self.rtt = Some(rtt);
        Ok(header)
    }

    fn contract(&self) -> Result<&Image, TargetError> {
        match &self.firmware {
            Firmware::Contract(image) => Ok(image),
            Firmware::Watched { .. } => Err(TargetError::Handshake("this firmware offers no contract".into())),
        }
    }

    /// What runs on it.
    pub(super) const fn firmware(&self) -> &Firmware {
        &self.firmware
    }

    /// Lets the target run, and does not wait for it.
    pub(super) fn run_on(&mut self) -> Result<(), TargetError> {
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        if let Firmware::Watched { stop, .. } = self.firmware {
            // Such a firmware comes by all the time.
            core.clear_hw_breakpoint(stop).map_err(probe("clear breakpoint"))?;
        }
        core.run().map_err(probe("run"))
    }

    /// Looks whether a target that was let run still does; what stopped it otherwise.
    pub(super) fn still_runs(&mut self) -> Result<(), TargetError> {
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        match core.status().map_err(probe("look whether the core has halted"))? {
            CoreStatus::Halted(_) => {}
            CoreStatus::LockedUp => return Err(TargetError::LockedUp),
            _ => return Ok(()),
        }
        drop(core);
        // A firmware that was not asked to stop and is at its stop all the same goes on from there.
        self.wait_for_stop(None)?;
        self.run_on()
    }

    /// Where the firmware counts device time in memory, if it does.
    pub(super) fn ticks(&self) -> Result<Option<u64>, TargetError> {
        Ok(self.contract()?.ticks)
    }

    /// Lets the target, which is to stop nowhere, run for so long of the host's time, and halts it.
    pub(super) fn run_for(&mut self, host: Duration) -> Result<(), TargetError> {
        let until = Instant::now() + host;
        self.run_on()?;
        loop {
            self.still_runs()?;
            if self.interrupt.is_asked() {
                return Err(TargetError::Interrupted);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            std::thread::park_timeout(left.min(LOOK_EVERY));
        }
        self.halt()
    }

    /// Halts the target, wherever it is.
    pub(super) fn halt(&mut self) -> Result<(), TargetError> {
        let halted = self.session.core(0).and_then(|mut core| core.halt(HALT_BUDGET));
        halted.map(|_| ()).map_err(probe("halt"))
    }

    /// Lets the target run until it stops by itself; `watch` is the time base and the tick at which it is to stop.
    pub(super) fn run_to_stop(&mut self, watch: Option<(Counter, u32)>) -> Result<(), TargetError> {
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        if let Err(error) = core.run() {
            // It begins with a single step, which a core that locks up in it never ends.
            let locked_up = matches!(core.status(), Ok(CoreStatus::LockedUp));
            return Err(if locked_up { TargetError::LockedUp } else { probe("run")(error) });
        }
        drop(core);
        self.wait_for_stop(watch)
    }

    /// Lets the target run, to be left alone.
    pub(super) fn resume(&mut self) -> Result<(), TargetError> {
        self.session.core(0).and_then(|mut core| core.run()).map_err(probe("run"))
    }

    /// Whether a target that is left alone still runs, and nobody asks for an end.
    pub(super) fn runs_on(&mut self) -> Result<(), TargetError> {
        if self.interrupt.is_asked() {
            return Err(TargetError::Interrupted);
        }
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        match core.status().map_err(probe("look whether the core has halted"))? {
            CoreStatus::LockedUp => Err(TargetError::LockedUp),
            CoreStatus::Halted(_) => {
                let pc: u64 = core.read_core_reg(core.program_counter()).map_err(probe("read pc"))?;
                drop(core);
                self.stopped_at(pc & !1)?;
                Err(TargetError::Handshake("it stopped, which nobody had asked for".into()))
            }
            _ => Ok(()),
        }
    }

    /// Waits until the running target stops by itself.
    fn wait_for_stop(&mut self, watch: Option<(Counter, u32)>) -> Result<(), TargetError> {
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        let mut watch = watch.map(|(counter, stop_at)| Watch::new(counter, stop_at));
        let mut progress = Instant::now();
        let mut look_next = progress + LOOK_EVERY;
        let mut looks = 0_u32;
        loop {
            match core.status().map_err(probe("look whether the core has halted"))? {
                CoreStatus::Halted(_) => break,
                CoreStatus::LockedUp => return Err(TargetError::LockedUp),
                _ => {}
            }
            if let Some(watch) = watch.as_mut().filter(|_| Instant::now() > look_next) {
                look_next = Instant::now() + LOOK_EVERY;
                let raw = core.read_word_32(watch.counter.address).map_err(probe("read the time base"))?;
                if watch.goes_on(raw)? {
                    progress = Instant::now();
                }
            }
            if self.interrupt.is_asked() {
                return Err(TargetError::Interrupted);
            }
            if progress.elapsed() > STOP_BUDGET {
                return Err(TargetError::Budget(STOP_BUDGET.as_secs()));
            }
            looks += 1;
            if looks > 50 {
                // Long waits leave the processor to the emulator.
                std::thread::park_timeout(Duration::from_micros(200));
            }
        }
        let pc: u64 = core.read_core_reg(core.program_counter()).map_err(probe("read pc"))?;
        drop(core);
        self.stopped_at(pc & !1)
    }

    fn stopped_at(&mut self, pc: u64) -> Result<(), TargetError> {
        let is_a_stop = match &self.firmware {
            Firmware::Contract(image) => (image.stop..image.stop + image.stop_len).contains(&pc),
            Firmware::Watched { stop, .. } => pc == *stop,
        };
        if is_a_stop {
            return Ok(());
        }
        if let Firmware::Contract(Image { crash, crashed, .. }) = self.firmware
            && pc == crashed
        {
            let mut bytes = [0; contract::CRASH_LEN];
            self.read(crash, &mut bytes)?;
            let text = CrashRecord::from_bytes(&bytes).map_or("without a record".into(), |crash| crash.to_string());
            return Err(TargetError::Crashed(text));
        }
        Err(TargetError::Handshake(format!("halted at {pc:#010x}, which is no place to stop")))
    }

    /// Reads target memory.
    pub(super) fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), TargetError> {
        self.session.core(0).and_then(|mut core| core.read(address, bytes)).map_err(probe("read memory"))
    }

    /// Reads one word.
    pub(super) fn word(&mut self, address: u64) -> Result<u32, TargetError> {
        self.session.core(0).and_then(|mut core| core.read_word_32(address)).map_err(probe("read a word"))
    }

    /// Writes one word.
    pub(super) fn set_word(&mut self, address: u64, value: u32) -> Result<(), TargetError> {
        self.session.core(0).and_then(|mut core| core.write_word_32(address, value)).map_err(probe("write a word"))
    }

    /// Writes target memory.
    pub(super) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), TargetError> {
        self.session.core(0).and_then(|mut core| core.write(address, bytes)).map_err(probe("write memory"))
    }

    /// Writes to a register as a board file says.
    pub(super) fn set_register(&mut self, write: RegisterWrite) -> Result<(), TargetError> {
        match write {
            RegisterWrite::Write(address, value) => self.set_word(address, value),
            RegisterWrite::Set(address, bits) => {
                let value = self.word(address)?;
                self.set_word(address, value | bits)
            }
        }
    }

    /// Says when and after which records the firmware shall stop next; it is halted now.
    pub(super) fn set_stops(&mut self, at: u64, on: u64) -> Result<(), TargetError> {
        let block = self.contract()?.block;
        let [at, on] = [(contract::STOP_AT, at), (contract::STOP_ON, on)]
            .map(|(offset, value)| [(offset, value as u32), (offset + 4, (value >> 32) as u32)]);
        for (offset, word) in at.into_iter().chain(on) {
            self.set_word(block + offset as u64, word)?;
        }
        Ok(())
    }

    /// Has the firmware let so many 65 536ths of a tick pass before it stops; whether it can be told.
    pub(super) fn set_phase(&mut self, part: u16) -> Result<bool, TargetError> {
        let Firmware::Contract(Image { phase: Some(word), .. }) = self.firmware else { return Ok(false) };
        self.set_word(word, part.into()).map(|()| true)
    }

    /// The whole records that have come up since the last call.
    pub(super) fn records(&mut self) -> Result<Vec<[u8; record::LEN]>, TargetError> {
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        let rtt = self.rtt.as_mut().ok_or_else(|| TargetError::Handshake("no RTT".into()))?;
        let channel = rtt.up_channel(0).ok_or_else(|| TargetError::Handshake("no RTT up channel 0".into()))?;
        let mut buffer = [0; 4096];
        loop {
            let read = channel
                .read(&mut core, &mut buffer)
                .map_err(|error| TargetError::Probe { doing: "read records", cause: chain(&error) })?;
            if read == 0 {
                break;
            }
            self.pending.extend_from_slice(&buffer[..read]);
        }
        let (whole, rest) = self.pending.as_chunks::<{ record::LEN }>();
        let (whole, rest) = (whole.to_vec(), rest.to_vec());
        self.pending = rest;
        Ok(whole)
    }

    /// Sends a command; the firmware finds it when it goes on.
    pub(super) fn send(&mut self, command: &[u8]) -> Result<(), TargetError> {
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        let rtt = self.rtt.as_mut().ok_or_else(|| TargetError::Handshake("no RTT".into()))?;
        let channel = rtt.down_channel(0).ok_or_else(|| TargetError::Handshake("no RTT down channel 0".into()))?;
        let sent = channel
            .write(&mut core, command)
            .map_err(|error| TargetError::Probe { doing: "send a command", cause: chain(&error) })?;
        if sent == command.len() {
            Ok(())
        } else {
            Err(TargetError::Handshake(format!("only {sent} of {} bytes of a command fit", command.len())))
        }
    }

    /// Whether all that the firmware had to say came through.
    pub(super) fn nothing_dropped(&mut self) -> Result<(), TargetError> {
        let ContractHeader { dropped_records: records, dropped_edges: edges, .. } = self.header()?;
        if records == 0 && edges == 0 {
            return Ok(());
        }
        let text = format!("the firmware dropped {records} records and {edges} edges; make its buffers larger");
        Err(TargetError::Handshake(text))
    }

    /// The contract block as it is now.
    pub(super) fn header(&mut self) -> Result<ContractHeader, TargetError> {
        let mut bytes = [0; contract::LEN];
        let block = self.contract()?.block;
        self.read(block, &mut bytes)?;
        ContractHeader::parse(&bytes).map_err(|error| misunderstood(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_base_past_its_stop_is_told_from_one_on_its_way() {
        let counter = Counter { address: 0, hz: 1_000_000 };
        let mut watch = Watch::new(counter, 5_000_000);
        assert!(watch.goes_on(4_000_000_000).expect("a stop after a wrap is still to come"));
        assert!(!watch.goes_on(4_000_000_000).expect("still to come"), "it stands still");
        assert!(watch.goes_on(5_900_000).expect("just past: the bench may have been slow to look"));
        assert!(matches!(watch.goes_on(6_100_000), Err(TargetError::RanPast(1_100_000))));
    }
}
