//! Input lines: from the stimulus window through SYSCFG, EXTI and NVIC to the handler.

use super::bench::{Bench, open, run_to, wait_for_word, whole};
use super::image;
use flagfall_vboard::{Emulator, EmulatorOptions, STIMULUS_BASE, STM32L475};
use libtest_mimic::Failed;
use probe_rs::{Core, MemoryInterface, Permissions};

const PENDING: u64 = 0x4001_3c14;
const ROUTE: u64 = 0x4001_3808;

fn line(number: u64) -> u64 {
    u64::from(STIMULUS_BASE) + 4 * number
}

/// Drives line 0, lets the program make one round and returns the rising edges it has counted.
fn drive(core: &mut Core<'_>, level: u32) -> Result<u32, Failed> {
    core.write_word_32(line(0), level)?;
    run_to(core, image::HIL_STOP)?;
    Ok(core.read_word_32(image::EDGES)?)
}

pub(crate) fn a_rising_edge_reaches_the_handler_once() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    let levels = [(1, 1), (1, 1), (0, 1), (0, 1), (1, 2), (0, 2), (1, 3)];
    for (place, (level, edges)) in levels.into_iter().enumerate() {
        assert_eq!(drive(&mut core, level)?, edges, "level {level} at place {place}");
        assert_eq!(core.read_word_32(line(0))?, level, "the window shows the level last set");
    }
    Ok(())
}

pub(crate) fn an_edge_while_the_core_runs_or_sleeps_wakes_it() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    core.run()?;
    wait_for_word(&mut core, image::ROUNDS, |rounds| rounds > 0)?;
    core.write_word_32(line(0), 1)?;
    wait_for_word(&mut core, image::EDGES, |edges| edges == 1)?;
    core.write_word_32(line(0), 0)?;
    core.write_word_32(image::COMMAND, image::SLEEP)?;
    std::thread::sleep(std::time::Duration::from_millis(20));
    core.write_word_32(line(0), 1)?;
    wait_for_word(&mut core, image::EDGES, |edges| edges == 2)?;
    Ok(())
}

pub(crate) fn mask_and_route_hold_an_edge_back() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.write_word_32(0x4001_3c00, 0)?;
    assert_eq!(drive(&mut core, 1)?, 0, "masked in EXTI");
    assert_eq!(core.read_word_32(PENDING)?, 1, "but remembered");
    core.write_word_32(PENDING, 1)?;
    drive(&mut core, 0)?;
    core.write_word_32(0x4001_3c00, 1)?;
    core.write_word_32(ROUTE, 1)?;
    assert_eq!(drive(&mut core, 1)?, 0, "line 0 belongs to port B in SYSCFG");
    Ok(())
}

pub(crate) fn there_are_sixteen_lines_with_two_levels() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.write_word_32(line(15), 1)?;
    for (address, value, complaint) in
        [(line(16), 1, "no input line 16"), (line(255), 0, "no input line 255"), (line(3), 2, "only to 0 or 1")]
    {
        let error = core.write_word_32(address, value).expect_err("refused");
        assert!(whole(&error).contains(complaint), "{error:?}");
    }
    assert!(core.write_word_8(line(0), 1).is_err(), "the window is made of words");
    drop(core);
    assert_eq!(bench.emulator.exit_status(), None, "the emulator has survived it");
    assert_eq!(drive(&mut bench.core()?, 1)?, 1, "and so has the session");
    Ok(())
}

/// GPIOA of an STM32L475 (RM0351 section 8.5), and EXTI (section 14.5).
mod l475 {
    pub(super) const MODER: u64 = 0x4800_0000;
    pub(super) const PUPDR: u64 = 0x4800_000c;
    pub(super) const IDR: u64 = 0x4800_0010;
    pub(super) const ODR: u64 = 0x4800_0014;
    pub(super) const IMR1: u64 = 0x4001_0400;
    pub(super) const RTSR1: u64 = 0x4001_0408;
    pub(super) const FTSR1: u64 = 0x4001_040c;
    pub(super) const PR1: u64 = 0x4001_0414;
}

/// Level of pin 0 and whether its edge is pending, which is forgotten.
fn pin(core: &mut Core<'_>) -> Result<(u32, u32), Failed> {
    let (level, pending) = (core.read_word_32(l475::IDR)? & 1, core.read_word_32(l475::PR1)? & 1);
    core.write_word_32(l475::PR1, 1)?;
    Ok((level, pending))
}

pub(crate) fn a_pin_has_the_level_of_its_pull_or_of_who_drives_it() -> Result<(), Failed> {
    let emulator = Emulator::launch(&EmulatorOptions { board: &STM32L475, ..EmulatorOptions::default() })
        .map_err(|error| error.to_string())?;
    let mut session = open(&emulator)?.attach(STM32L475.chip, Permissions::default())?;
    let mut core = session.core(0)?;
    core.write_word_32(l475::MODER, 0xabff_fcff)?;
    core.write_word_32(l475::PUPDR, 1)?;
    // QEMU keeps an edge only of a line that is not masked.
    core.write_word_32(l475::IMR1, 1)?;
    core.write_word_32(l475::FTSR1, 1)?;
    core.write_word_32(l475::RTSR1, 1)?;
    assert_eq!(pin(&mut core)?, (1, 0), "up, before anybody listened");
    for (pull, seen) in [(2, (0, 1)), (2, (0, 0)), (1, (1, 1)), (1, (1, 0)), (2, (0, 1))] {
        core.write_word_32(l475::PUPDR, pull)?;
        assert_eq!(pin(&mut core)?, seen, "pull {pull}");
    }
    for (level, seen) in [(0, (0, 0)), (1, (1, 1)), (1, (1, 0)), (0, (0, 1))] {
        core.write_word_32(line(0), level)?;
        assert_eq!(pin(&mut core)?, seen, "driven to {level}");
    }
    core.write_word_32(l475::PUPDR, 1)?;
    assert_eq!(pin(&mut core)?, (0, 0), "who drives a pin is stronger than a pull");
    core.write_word_32(l475::ODR, 1)?;
    assert_eq!(pin(&mut core)?, (0, 0), "an input drives nothing");
    core.reset_and_halt(super::bench::PATIENCE)?;
    core.write_word_32(l475::MODER, 0xabff_fcff)?;
    core.write_word_32(l475::PUPDR, 1)?;
    assert_eq!(pin(&mut core)?.0, 1, "a reset leaves the pin to its pull");
    core.write_word_32(line(0), 0)?;
    assert_eq!(pin(&mut core)?.0, 0, "and whoever drives it does so anew");
    Ok(())
}
