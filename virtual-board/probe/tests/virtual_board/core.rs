//! Run control and core registers.

use super::bench::{Bench, CHIP, PATIENCE, launch, open, pc, run_to, wait_for_halt, wait_for_word};
use super::image;
use libtest_mimic::Failed;
use probe_rs::config::Registry;
use probe_rs::{BreakpointCause, Core, CoreStatus, HaltReason, MemoryInterface, Permissions, VectorCatchCondition};
use std::time::{Duration, Instant};

const BREAKPOINT: CoreStatus = CoreStatus::Halted(HaltReason::Breakpoint(BreakpointCause::Unknown));

pub(crate) fn attach_finds_the_core_held_at_reset() -> Result<(), Failed> {
    let (emulator, _folder) = launch()?;
    let start = Instant::now();
    // probe-rs reads its list of all chips anew at each plain attach, which takes longer than the attach itself.
    let registry = Registry::from_builtin_families();
    println!("chip list read in {:?}", start.elapsed());
    let start = Instant::now();
    let mut session = open(&emulator)?.attach_with_registry(CHIP, Permissions::default(), &registry)?;
    let mut core = session.core(0)?;
    assert!(core.core_halted()?);
    assert_eq!(pc(&mut core)?, image::RESET);
    println!("attached in {:?}", start.elapsed());
    assert_eq!(core.read_word_32(0xE004_2000)?, 0x1007_6413, "DBGMCU_IDCODE");
    assert_eq!(core.available_breakpoint_units()?, 6);
    Ok(())
}

pub(crate) fn attach_under_reset_stops_at_the_first_instruction() -> Result<(), Failed> {
    let (emulator, _folder) = launch()?;
    for _ in 0..2 {
        let mut session = open(&emulator)?.attach_under_reset(CHIP, Permissions::default())?;
        let mut core = session.core(0)?;
        assert_eq!(pc(&mut core)?, image::RESET);
        // Leave it running, so that the second time a reset is needed.
        core.run()?;
        wait_for_word(&mut core, image::ROUNDS, |rounds| rounds > 100)?;
    }
    Ok(())
}

pub(crate) fn halt_and_run() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    core.run()?;
    assert_eq!(core.status()?, CoreStatus::Running);
    wait_for_word(&mut core, image::ROUNDS, |rounds| rounds > 10)?;
    let halted = core.halt(PATIENCE)?;
    assert_eq!(core.status()?, CoreStatus::Halted(HaltReason::Request));
    assert!((u64::from(image::LOOP)..u64::from(image::EXTI0)).contains(&halted.pc), "{:#x}", halted.pc);
    let rounds = core.read_word_32(image::ROUNDS)?;
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(core.read_word_32(image::ROUNDS)?, rounds, "a halted core makes no rounds");
    core.run()?;
    wait_for_word(&mut core, image::ROUNDS, |now| now != rounds)?;
    Ok(())
}

pub(crate) fn a_second_session_finds_the_board_as_the_first_left_it() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let rounds = bench.core()?.read_word_32(image::ROUNDS)?;
    let Bench { session, emulator, _folder } = bench;
    drop(session);
    let mut session = open(&emulator)?.attach(CHIP, Permissions::default())?;
    let mut core = session.core(0)?;
    assert_eq!((pc(&mut core)?, core.read_word_32(image::ROUNDS)?), (image::HIL_STOP, rounds));
    // The first session's breakpoint is gone.
    core.run()?;
    wait_for_word(&mut core, image::ROUNDS, |now| now > rounds + 10)?;
    Ok(())
}

pub(crate) fn a_halt_may_race_with_a_breakpoint() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    let mut rounds = core.read_word_32(image::ROUNDS)?;
    for _ in 0..100 {
        // The breakpoint is 640 ns away: mostly it is hit before the halt arrives, and its report crosses the request.
        core.run()?;
        core.halt(PATIENCE)?;
        let now = core.read_word_32(image::ROUNDS)?;
        assert!(now - rounds <= 1, "the core ran past its breakpoint, from round {rounds} to {now}");
        rounds = now;
    }
    run_to(&mut core, image::HIL_STOP)?;
    Ok(())
}

pub(crate) fn core_registers_are_read_and_written() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    assert_eq!(core.read_core_reg::<u32>(core.return_address())? & !1, image::AFTER_CALL);
    assert_eq!(core.read_core_reg::<u32>(core.stack_pointer())?, 0x2002_0000);
    assert_eq!(register(&mut core, "XPSR")? >> 24 & 1, 1, "Thumb state");
    assert_eq!(register(&mut core, "MSP")?, 0x2002_0000);
    for (name, value) in
        [("R0", 0xdead_beef), ("R12", 0x1234_5678), ("R13", 0x2001_0000), ("S5", 0x3f80_0000), ("S4", 0x4000_0000)]
    {
        let id = id(&core, name)?;
        core.write_core_reg(id, value)?;
        assert_eq!(core.read_core_reg::<u32>(id)?, value, "{name}");
    }
    assert_eq!(register(&mut core, "S5")?, 0x3f80_0000, "the other half of the same double register");
    Ok(())
}

fn id(core: &Core<'_>, name: &str) -> Result<probe_rs::RegisterId, Failed> {
    let register = core.registers().all_registers().find(|register| register.name() == name);
    Ok(register.ok_or(format!("no register {name}"))?.id())
}

fn register(core: &mut Core<'_>, name: &str) -> Result<u32, Failed> {
    let id = id(core, name)?;
    Ok(core.read_core_reg(id)?)
}

pub(crate) fn a_step_executes_one_instruction() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    let places = [image::AFTER_CALL, image::LOOP, image::LOOP + 2, image::LOOP + 4];
    for place in places {
        assert_eq!(core.step()?.pc, u64::from(place));
    }
    Ok(())
}

pub(crate) fn steps_and_halts_come_through_a_wait_for_an_interrupt() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.write_word_32(image::COMMAND, image::SLEEP)?;
    core.set_hw_breakpoint(image::WAIT.into())?;
    run_to(&mut core, image::WAIT)?;
    assert_eq!(core.step()?.pc, u64::from(image::WAIT) + 2, "a step over the wait");
    core.clear_all_hw_breakpoints()?;
    // Now it goes to sleep, and sleeps on after a halt.
    core.run()?;
    wait_for_word(&mut core, image::ROUNDS, |rounds| rounds == 3)?;
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(core.halt(PATIENCE)?.pc, u64::from(image::WAIT) + 2);
    let rounds = core.read_word_32(image::ROUNDS)?;
    core.run()?;
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(core.read_word_32(image::ROUNDS)?, rounds, "it sleeps until it is woken");
    core.write_word_32(0xE000_E200, 1 << 6)?;
    wait_for_word(&mut core, image::ROUNDS, |now| now == rounds + 1)?;
    Ok(())
}

pub(crate) fn a_sleeping_core_can_be_sent_elsewhere() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.clear_all_hw_breakpoints()?;
    core.write_word_32(image::COMMAND, image::SLEEP)?;
    core.run()?;
    wait_for_word(&mut core, image::ROUNDS, |rounds| rounds == 2)?;
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(core.halt(PATIENCE)?.pc, u64::from(image::WAIT) + 2);
    core.write_word_32(image::COMMAND, 0)?;
    core.write_core_reg(core.program_counter(), image::LOOP)?;
    core.run()?;
    wait_for_word(&mut core, image::ROUNDS, |rounds| rounds > 10)?;
    assert_eq!(core.read_word_32(0xE000_ED04)? & 1 << 28, 0, "nothing is left pending");
    Ok(())
}

pub(crate) fn a_breakpoint_stops_before_its_instruction() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    core.set_hw_breakpoint(image::HIL_STOP.into())?;
    for round in 1..=3 {
        run_to(&mut core, image::HIL_STOP)?;
        assert_eq!(core.status()?, BREAKPOINT);
        assert_eq!(core.read_word_32(image::ROUNDS)?, round);
    }
    Ok(())
}

pub(crate) fn breakpoints_are_set_and_cleared_while_the_core_runs() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    core.run()?;
    for place in [image::HIL_STOP, image::LOOP + 2, image::AFTER_CALL] {
        wait_for_word(&mut core, image::ROUNDS, |rounds| rounds > 0)?;
        core.set_hw_breakpoint(place.into())?;
        wait_for_halt(&mut core)?;
        assert_eq!((pc(&mut core)?, core.status()?), (place, BREAKPOINT));
        core.clear_hw_breakpoint(place.into())?;
        core.run()?;
        // Far away from where the program goes: set and cleared without a stop.
        core.set_hw_breakpoint(image::HARD_FAULT.into())?;
        core.clear_hw_breakpoint(image::HARD_FAULT.into())?;
        assert_eq!(core.status()?, CoreStatus::Running);
    }
    Ok(())
}

pub(crate) fn all_breakpoint_units_work_and_there_is_no_seventh() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    let places = [0, 2, 4, 6, 8, 0x0c].map(|offset| image::LOOP + offset);
    for place in places {
        core.set_hw_breakpoint(place.into())?;
    }
    for place in places {
        run_to(&mut core, place)?;
    }
    assert!(core.set_hw_breakpoint(image::HIL_STOP.into()).is_err());
    Ok(())
}

pub(crate) fn a_watchpoint_stops_after_the_access() -> Result<(), Failed> {
    const DWT_COMP0: u64 = 0xE000_1020;
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.clear_hw_breakpoint(image::HIL_STOP.into())?;
    assert_eq!(core.read_word_32(0xE000_1000)? >> 28, 4, "comparators");
    let demcr = core.read_word_32(0xE000_EDFC)?;
    core.write_word_32(0xE000_EDFC, demcr | 1 << 24)?;
    let watch = |core: &mut Core<'_>, address: u64, function: u32| -> Result<(), Failed> {
        core.write_32(DWT_COMP0, &[address as u32])?;
        core.write_32(DWT_COMP0 + 4, &[2])?;
        Ok(core.write_32(DWT_COMP0 + 8, &[function])?)
    };
    let clock = Instant::now();
    watch(&mut core, image::ROUNDS, 6)?;
    let rounds = core.read_word_32(image::ROUNDS)?;
    for round in 1..=50 {
        core.run()?;
        wait_for_halt(&mut core)?;
        assert_eq!(core.status()?, CoreStatus::Halted(HaltReason::Watchpoint));
        assert_eq!(pc(&mut core)?, image::LOOP + 4, "behind the store");
        assert_eq!(core.read_word_32(image::ROUNDS)?, rounds + round, "it has been done");
    }
    println!("{:?} a stop", clock.elapsed() / 50);
    watch(&mut core, image::COMMAND, 5)?;
    for round in 51..=55 {
        core.run()?;
        wait_for_halt(&mut core)?;
        assert_eq!(pc(&mut core)?, image::LOOP + 6, "behind the load");
        assert_eq!(core.read_word_32(image::ROUNDS)?, rounds + round, "a step out of the stop is none");
    }
    watch(&mut core, image::COMMAND, 0)?;
    core.run()?;
    wait_for_word(&mut core, image::ROUNDS, |now| now > rounds + 200)?;
    Ok(())
}

pub(crate) fn reset_starts_the_program_anew() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    for _ in 0..50 {
        run_to(&mut core, image::HIL_STOP)?;
    }
    core.write_word_32(image::SCRATCH, 0x5ca1_ab1e)?;
    let halted = core.reset_and_halt(PATIENCE)?;
    assert_eq!(halted.pc, u64::from(image::RESET));
    assert_eq!(core.read_word_32(0x4000_0c00)?, 0, "TIM5 is off");
    assert_eq!(core.read_word_32(image::SCRATCH)?, 0x5ca1_ab1e, "RAM survives a reset");
    core.set_hw_breakpoint(image::HIL_STOP.into())?;
    run_to(&mut core, image::HIL_STOP)?;
    assert_eq!(core.read_word_32(image::ROUNDS)?, 1);

    core.clear_all_hw_breakpoints()?;
    core.reset()?;
    assert_eq!(core.status()?, CoreStatus::Running, "a plain reset lets the core run");
    wait_for_word(&mut core, image::ROUNDS, |rounds| rounds > 1)?;
    Ok(())
}

pub(crate) fn a_fault_is_caught_at_its_vector() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.clear_all_hw_breakpoints()?;
    core.enable_vector_catch(VectorCatchCondition::HardFault)?;
    core.write_word_32(image::COMMAND, image::FAULT)?;
    core.run()?;
    wait_for_halt(&mut core)?;
    assert_eq!(core.status()?, CoreStatus::Halted(HaltReason::Exception));
    assert_eq!(pc(&mut core)?, image::HARD_FAULT);
    assert_eq!(core.read_word_32(0xE000_ED28)?, 1 << 16, "CFSR: undefined instruction");
    Ok(())
}

pub(crate) fn a_handler_shared_with_a_fault_is_not_taken_for_it() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.clear_all_hw_breakpoints()?;
    core.enable_vector_catch(VectorCatchCondition::HardFault)?;
    core.run()?;
    // Interrupt 5 has the same handler; the program stays in it.
    core.write_word_32(0xE000_E100, 1 << 5)?;
    core.write_word_32(0xE000_E200, 1 << 5)?;
    wait_for_word(&mut core, 0xE000_ED04, |icsr| icsr & 0x1ff == 16 + 5)?;
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(core.status()?, CoreStatus::Running);
    let halted = core.halt(PATIENCE)?;
    assert!((u64::from(image::HARD_FAULT)..u64::from(image::HARD_FAULT) + 6).contains(&halted.pc));
    Ok(())
}
