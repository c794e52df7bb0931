//! How the firmware dies: it says why in memory that a reset does not clear, and stays where a debugger finds it.
//!
//! No breakpoint instruction and no semihosting: without a debugger both would only be a second fault.

use core::fmt::{self, Write};
use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use cortex_m::peripheral::{MPU, SCB};
use cortex_m_rt::{ExceptionFrame, exception};
use flagfall_core::contract::{CRASH_LEN, CRASH_TEXT_LEN, CrashKind, CrashRecord};

/// Aligned for a debugger that reads words.
#[repr(align(4))]
struct Grave(#[expect(dead_code, reason = "read by a debugger only")] [u8; CRASH_LEN]);

#[expect(unsafe_code, reason = "a bench finds the record by its symbol, and start-up code must not clear it")]
// SAFETY: nothing else in the image has this name, and the section holds data that nobody initialises.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".uninit.crash")]
static mut FLAGFALL_CRASH: MaybeUninit<Grave> = MaybeUninit::uninit();

/// Bit 7 of CFSR: MMFAR holds the address (ARMv7-M B3.2.15).
const CFSR_MMARVALID: u32 = 1 << 7;

/// Bit 15 of CFSR: BFAR holds the address (ARMv7-M B3.2.15).
const CFSR_BFARVALID: u32 = 1 << 15;

#[expect(unsafe_code, reason = "fault registers and the record belong to whoever dies first")]
fn die(kind: CrashKind, place: u32, lr: u32, text: [u8; CRASH_TEXT_LEN]) -> ! {
    cortex_m::interrupt::disable();
    // SAFETY: the System Control Block is always there; these registers are only read.
    let scb = unsafe { &*SCB::PTR };
    let cfsr = scb.cfsr.read();
    let address = match cfsr {
        valid if valid & CFSR_MMARVALID != 0 => scb.mmfar.read(),
        valid if valid & CFSR_BFARVALID != 0 => scb.bfar.read(),
        _ => 0,
    };
    let record = CrashRecord { kind, place, lr, cfsr, hfsr: scb.hfsr.read(), address, text };
    // SAFETY: interrupts are off and nothing else writes here; volatile, for only a debugger reads it.
    unsafe { (&raw mut FLAGFALL_CRASH).write_volatile(MaybeUninit::new(Grave(record.to_bytes()))) };
    crashed()
}

#[expect(unsafe_code, reason = "a bench recognises a dead firmware by this symbol")]
// SAFETY: nothing else in the image has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn crashed() -> ! {
    loop {
        cortex_m::asm::nop();
    }
}

/// A text cut to the room that a crash record has.
struct ShortText {
    bytes: [u8; CRASH_TEXT_LEN],
    len: usize,
}

impl Write for ShortText {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for byte in s.bytes().take(self.bytes.len() - self.len) {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
        Ok(())
    }
}

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    cortex_m::interrupt::disable();
    let mut text = ShortText { bytes: [0; CRASH_TEXT_LEN], len: 0 };
    let (file, line) = info.location().map_or(("unknown place", 0), |place| (place.file(), place.line()));
    // Neither writes to a file that could be full nor fails: what does not fit is cut.
    let _ = write!(text, "{file}: {}", info.message());
    die(CrashKind::Panic, line, 0, text.bytes)
}

// The attribute copies itself onto a second item without unsafe code, so that `expect` would not hold.
#[allow(unsafe_code, reason = "the runtime asks for an unsafe handler")]
#[exception(trampoline = true)]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    die(CrashKind::HardFault, frame.pc(), frame.lr(), [0; CRASH_TEXT_LEN])
}

#[allow(unsafe_code, reason = "the runtime asks for an unsafe handler")]
#[exception]
unsafe fn DefaultHandler(number: i16) -> ! {
    die(CrashKind::UnexpectedInterrupt, i32::from(number).cast_unsigned(), 0, [0; CRASH_TEXT_LEN])
}

/// Closes the KiB below the stack: an overflow becomes a hard fault instead of overwritten data.
///
/// The unit is off while a hard fault is handled (HFNMIENA is zero), so that its handler has this KiB as its stack.
#[expect(unsafe_code, reason = "the guard's address is a linker symbol, and MPU registers are raw words")]
pub(crate) fn guard_stack(mpu: &MPU) {
    /// ARMv7-M B3.5.9: execute never, no access, 2^(9+1) bytes, enabled.
    const RASR_CLOSED_1K: u32 = 1 << 28 | 9 << 1 | 1;
    /// ARMv7-M B3.5.5: enabled, with the default memory map for what no region covers.
    const CTRL_ENABLE_PRIVDEFENA: u32 = 0b101;
    unsafe extern "C" {
        static _guard_start: u32;
    }
    // SAFETY: nothing lives in the closed range (memory.x, and the runtime's linker script checks that data and stack
    // do not meet), so that no running code loses access to anything; only the address of the symbol is taken.
    unsafe {
        mpu.rnr.write(0);
        mpu.rbar.write((&raw const _guard_start).addr() as u32);
        mpu.rasr.write(RASR_CLOSED_1K);
        mpu.ctrl.write(CTRL_ENABLE_PRIVDEFENA);
    }
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
}
