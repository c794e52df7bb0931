//! What the probe costs in virtual time: nothing, where a harness relies on it.

use super::bench::{Bench, pc, run_to, wait_for_halt, wait_for_word};
use super::image;
use flagfall_vboard::STIMULUS_BASE;
use libtest_mimic::Failed;
use probe_rs::{Core, MemoryInterface};
use std::time::{Duration, Instant};

/// Virtual time of one instruction with the default `icount_shift`.
const INSTRUCTION_NS: u32 = 64;

fn now_ns(core: &mut Core<'_>) -> Result<u32, Failed> {
    Ok(core.read_word_32(image::TIM5_CNT)?)
}

pub(crate) fn a_stop_at_a_breakpoint_costs_no_virtual_time() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    let start = now_ns(&mut core)?;
    let cycles = 300;
    let clock = Instant::now();
    for _ in 0..cycles {
        run_to(&mut core, image::HIL_STOP)?;
    }
    let per_cycle = clock.elapsed() / cycles;
    let spent = now_ns(&mut core)? - start;
    assert_eq!(spent, cycles * image::ROUND_INSTRUCTIONS * INSTRUCTION_NS);
    println!("{cycles} stops: {} ns of virtual time each, {per_cycle:?} of host time", spent / cycles);
    Ok(())
}

pub(crate) fn a_step_costs_one_instruction() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    for _ in 0..20 {
        let before = now_ns(&mut core)?;
        core.step()?;
        let place = pc(&mut core)?;
        assert_eq!(now_ns(&mut core)? - before, INSTRUCTION_NS, "step to {place:#x}");
    }
    Ok(())
}

pub(crate) fn virtual_time_stands_still_in_a_halt() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    let before = now_ns(&mut core)?;
    std::thread::sleep(Duration::from_millis(50));
    let mut memory = [0; 256];
    for index in 0..50 {
        core.read_32(image::SCRATCH, &mut memory)?;
        core.write_word_32(image::SCRATCH, index)?;
        core.write_word_32(u64::from(STIMULUS_BASE) + 4, index & 1)?;
        core.status()?;
    }
    assert_eq!(now_ns(&mut core)?, before);
    Ok(())
}

pub(crate) fn the_counter_is_read_while_the_core_runs() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.clear_all_hw_breakpoints()?;
    core.run()?;
    let mut last = now_ns(&mut core)?;
    for _ in 0..100 {
        let now = now_ns(&mut core)?;
        assert!(now.wrapping_sub(last) < 1 << 31, "the counter went back from {last} to {now}");
        last = now;
    }
    core.halt(Duration::from_secs(5))?;
    assert_ne!(now_ns(&mut core)?, 0);
    Ok(())
}

pub(crate) fn a_sleeping_core_costs_next_to_no_host_time() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.clear_all_hw_breakpoints()?;
    core.write_word_32(image::COMMAND, image::SLEEP)?;
    // SysTick every 2^24 cycles of 168 MHz, that is 99.9 ms.
    core.write_32(0xE000_E014, &[0xff_ffff, 0])?;
    core.write_word_32(0xE000_E010, 7)?;
    let ticks = 100;
    let clock = Instant::now();
    core.run()?;
    wait_for_word(&mut core, image::SYSTICKS, |now| now >= ticks)?;
    let (spent, virtual_time) = (clock.elapsed(), Duration::from_millis(99) * ticks);
    println!("{virtual_time:?} of virtual time asleep in {spent:?}");
    assert!(spent < virtual_time / 2, "{virtual_time:?} took {spent:?}");
    Ok(())
}

/// Every stop of a run in which a pin is moved at each: time, rounds and the handler's stamp.
fn run_with_presses() -> Result<Vec<[u32; 4]>, Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    let mut stops = Vec::new();
    for stop in 0..100_u32 {
        core.write_word_32(STIMULUS_BASE.into(), (stop & 1) ^ 1)?;
        core.run()?;
        if stop % 3 == 0 {
            // Looks at the running core must not matter.
            while !core.core_halted()? {
                core.read_word_32(image::ROUNDS)?;
            }
        }
        wait_for_halt(&mut core)?;
        let words = [image::TIM5_CNT, image::ROUNDS, image::EDGES, image::STAMP];
        let mut read = [0; 4];
        for (value, address) in read.iter_mut().zip(words) {
            *value = core.read_word_32(address)?;
        }
        stops.push(read);
    }
    Ok(stops)
}

pub(crate) fn a_run_repeats_to_the_nanosecond() -> Result<(), Failed> {
    let first = run_with_presses()?;
    assert_eq!(first.last().map(|stop| stop[2]), Some(50), "every second stop is a press");
    for _ in 0..2 {
        assert_eq!(run_with_presses()?, first);
    }
    Ok(())
}

pub(crate) fn a_press_at_a_stop_is_stamped_at_once() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    for _ in 0..5 {
        let pressed = now_ns(&mut core)?;
        core.write_word_32(STIMULUS_BASE.into(), 1)?;
        core.write_word_32(STIMULUS_BASE.into(), 0)?;
        run_to(&mut core, image::HIL_STOP)?;
        // The return from the empty function, which the probe steps, and the load of the counter.
        let latency = core.read_word_32(image::STAMP)? - pressed;
        assert!(latency <= 3 * INSTRUCTION_NS, "stamped {latency} ns later");
        println!("stamped {latency} ns later");
    }
    Ok(())
}
