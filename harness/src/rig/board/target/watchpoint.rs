//! A watchpoint on the word to which a firmware writes at a stop (ARMv7-M architecture reference manual, C1.6.5 and C1.8).
//!
//! probe-rs has breakpoints and no watchpoints: these are the registers of the core.

use probe_rs::{Core, Error, MemoryInterface};

const DEMCR: u64 = 0xE000_EDFC;
const TRCENA: u32 = 1 << 24;
const DWT_CTRL: u64 = 0xE000_1000;
const DWT_COMP0: u64 = 0xE000_1020;
const DWT_MASK0: u64 = 0xE000_1024;
const DWT_FUNCTION0: u64 = 0xE000_1028;

/// The low bits of the address that are ignored: a word.
const WORD: u32 = 2;
/// DWT_FUNCTION: halt the core that has written.
const HALT_ON_WRITE: u32 = 0b0110;

/// Lets the core halt when it has written to this word; `false` for a core that has nothing to watch with.
pub(super) fn watch(core: &mut Core<'_>, word: u64) -> Result<bool, Error> {
    let demcr = core.read_word_32(DEMCR)?;
    core.write_word_32(DEMCR, demcr | TRCENA)?;
    let comparators = core.read_word_32(DWT_CTRL)? >> 28;
    if comparators == 0 {
        return Ok(false);
    }
    core.write_word_32(DWT_COMP0, word as u32)?;
    core.write_word_32(DWT_MASK0, WORD)?;
    core.write_word_32(DWT_FUNCTION0, HALT_ON_WRITE)?;
    Ok(true)
}
