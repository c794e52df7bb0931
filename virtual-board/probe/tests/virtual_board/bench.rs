//! A board with the test program on it and probe-rs attached, as a harness would have it.

use super::image;
use flagfall_vboard::{Emulator, EmulatorOptions, LaunchError};
use libtest_mimic::Failed;
use probe_rs::probe::{DebugProbeSelector, Probe, WireProtocol, list::Lister};
use probe_rs::{Core, MemoryInterface, Permissions, Session};
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const CHIP: &str = "STM32F405RG";
/// How long a halt may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// An emulated board and the session with it, which ends first.
pub(crate) struct Bench {
    pub(crate) session: Session,
    pub(crate) emulator: Emulator,
    pub(crate) _folder: TempDir,
}

/// An emulator that runs the test program, and the folder its kernel lies in.
pub(crate) fn launch() -> Result<(Emulator, TempDir), Failed> {
    let folder = TempDir::new()?;
    let kernel = folder.path().join("image.elf");
    fs::write(&kernel, image::elf())?;
    let options = EmulatorOptions { kernel: Some(kernel), ..EmulatorOptions::default() };
    let emulator = Emulator::launch(&options).map_err(|error: LaunchError| error.to_string())?;
    Ok((emulator, folder))
}

/// The probe of this emulator.
pub(crate) fn open(emulator: &Emulator) -> Result<Probe, Failed> {
    flagfall_vprobe::register();
    let selector: DebugProbeSelector = emulator.selector().to_string().parse()?;
    let mut probe = Lister::new().open(selector)?;
    probe.select_protocol(WireProtocol::Swd)?;
    Ok(probe)
}

impl Bench {
    /// A fresh board, attached, its core held at reset.
    pub(crate) fn attach() -> Result<Bench, Failed> {
        let (emulator, folder) = launch()?;
        let session = open(&emulator)?.attach(CHIP, Permissions::default())?;
        Ok(Bench { session, emulator, _folder: folder })
    }

    /// The core of the board.
    pub(crate) fn core(&mut self) -> Result<Core<'_>, Failed> {
        Ok(self.session.core(0)?)
    }

    /// A fresh board whose program has reached the empty function for the first time, with a breakpoint there.
    pub(crate) fn at_stop() -> Result<Bench, Failed> {
        let mut bench = Bench::attach()?;
        let mut core = bench.core()?;
        core.set_hw_breakpoint(image::HIL_STOP.into())?;
        run_to(&mut core, image::HIL_STOP)?;
        drop(core);
        Ok(bench)
    }
}

/// The program counter of a halted core.
pub(crate) fn pc(core: &mut Core<'_>) -> Result<u32, Failed> {
    Ok(core.read_core_reg(core.program_counter())?)
}

/// Waits for a halt without sleeping between looks.
pub(crate) fn wait_for_halt(core: &mut Core<'_>) -> Result<(), Failed> {
    let deadline = Instant::now() + PATIENCE;
    while !core.core_halted()? {
        if Instant::now() > deadline {
            return Err("the core did not halt".into());
        }
    }
    Ok(())
}

/// Lets the core run and checks that it halts at `address`.
pub(crate) fn run_to(core: &mut Core<'_>, address: u32) -> Result<(), Failed> {
    core.run()?;
    wait_for_halt(core)?;
    assert_eq!(pc(core)?, address, "halted elsewhere");
    Ok(())
}

/// Reads a word until it satisfies `enough`.
pub(crate) fn wait_for_word(core: &mut Core<'_>, address: u64, enough: impl Fn(u32) -> bool) -> Result<u32, Failed> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let word = core.read_word_32(address)?;
        if enough(word) {
            return Ok(word);
        }
        if Instant::now() > deadline {
            return Err(format!("{address:#x} stays {word}").into());
        }
    }
}

/// An error with all its causes, as one text.
pub(crate) fn whole(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
