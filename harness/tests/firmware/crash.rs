//! How the firmware dies: by a panic, by a fault, by a stack that is too deep.

use flagfall_core::contract::{CrashKind, CrashRecord};

use crate::bench::{Bench, Result};

const R0: u32 = 0;
const SP: u32 = 13;
const PC: u32 = 15;

/// Memory that the firmware does not use, far below its stack, on either chip.
const FREE: u32 = 0x2001_0000;

/// Lets the core run from here; it must crash.
fn dies_from(bench: &mut Bench, pc: u32) -> Result<CrashRecord> {
    bench.set_register(PC, pc)?;
    let end = bench.go_on().err().ok_or("it goes on")?.to_string();
    let crash = bench.crash()?.ok_or("no crash record")?;
    assert_eq!(end, crash.to_string());
    Ok(crash)
}

pub(crate) fn a_panic_leaves_its_text_over_a_reset(mut bench: Bench) -> Result<()> {
    // What a sum that overflows calls, with its place in the source.
    let panic = bench.function("panic_const_add_overflow")?;
    let name = *b"somewhere.rs";
    let words: Vec<u32> = name.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    bench.set_words(FREE, &words)?;
    bench.set_words(FREE + 16, &[FREE, name.len() as u32, 77, 5])?;
    bench.set_register(R0, FREE + 16)?;
    let crash = dies_from(&mut bench, panic)?;
    assert_eq!((crash.kind, crash.place), (CrashKind::Panic, 77));
    assert_eq!(crash.text(), "somewhere.rs: attempt to add with overflow");
    bench.reset()?;
    assert_eq!(bench.crash()?, Some(crash), "a reset does not clear it");
    Ok(())
}

pub(crate) fn a_fault_leaves_its_registers(mut bench: Bench) -> Result<()> {
    // An undefined instruction.
    bench.set(FREE, 0xde00_de00)?;
    let crash = dies_from(&mut bench, FREE)?;
    assert_eq!((crash.kind, crash.place), (CrashKind::HardFault, FREE));
    assert_eq!((crash.cfsr, crash.hfsr & 1 << 30), (1 << 16, 1 << 30), "{crash}");
    Ok(())
}

pub(crate) fn a_stack_overflow_ends_at_the_guard(mut bench: Bench) -> Result<()> {
    let (limit, guard) = (bench.symbol("_stack_limit")?, bench.symbol("_guard_start")?);
    // push {r0-r7, lr}, for ever.
    bench.set(FREE, 0xe7fd_b5ff)?;
    bench.set_register(SP, limit + 256)?;
    let crash = dies_from(&mut bench, FREE)?;
    assert_eq!(crash.kind, CrashKind::HardFault);
    // A data access that the memory protection unit refused, and its address; MSTKERR as well, for the frame.
    assert_eq!(crash.cfsr & 0x82, 0x82, "{crash}");
    assert!((guard..limit).contains(&crash.address), "{crash}");
    Ok(())
}
