//! What is kept over a reset, and the stack: the memory that start-up code leaves alone.

use core::hint::black_box;
use core::mem::MaybeUninit;

use cortex_m::register::msp;
use flagfall_core::contract::{STACK_PAINT, Stack};
use flagfall_core::kept::Memory;

#[expect(unsafe_code, reason = "a bench finds it by its symbol, and start-up code must not clear it")]
// SAFETY: nothing else in the image has this name, and the section holds data that nobody initialises.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".uninit.kept")]
static mut FLAGFALL_KEPT: MaybeUninit<Memory> = MaybeUninit::uninit();

/// The memory that keeps settings and game; its bytes are those of before the reset, or garbage.
#[expect(unsafe_code, reason = "the compiler cannot know what a reset leaves in memory")]
pub(crate) fn kept() -> &'static Memory {
    let memory = black_box(&raw const FLAGFALL_KEPT).cast::<Memory>();
    // SAFETY: the memory is nothing but integers that may have any value, is only changed through a shared reference, and
    // the compiler, which does not see where the pointer comes from, cannot take it for unwritten.
    unsafe { &*memory }
}

/// Paints the stack below this function's frame, so that it can be seen later how deep it was used.
#[expect(unsafe_code, reason = "the bounds are linker symbols, and the stack is written past the compiler")]
#[inline(never)]
pub(crate) fn paint_stack() -> Stack {
    /// Bytes below the stack pointer that may be in use: nothing is called from here on.
    const MARGIN: usize = 64;
    unsafe extern "C" {
        static _stack_limit: u32;
        static _stack_start: u32;
    }
    let (lowest, top) = ((&raw const _stack_limit).addr(), (&raw const _stack_start).addr());
    let free = (msp::read() as usize).saturating_sub(MARGIN);
    for word in (lowest..free).step_by(4) {
        // SAFETY: between the limit and the stack pointer nothing lives (memory.x); no interrupt is unmasked yet, and one
        // that came would have put its frame back before the loop goes on.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(word).write_volatile(STACK_PAINT) };
    }
    Stack { lowest: lowest as u64, len: (top - lowest) as u32 }
}
