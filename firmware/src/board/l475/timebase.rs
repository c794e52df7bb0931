//! Device time: the ticks of SysTick, one a millisecond, counted in 64 bits by its interrupt (ARMv7-M B3.3).
//!
//! A bench finds the count by its symbol. In a stop the counter behind it stands still and keeps what it has, so that no
//! part of a tick is lost. Nothing here switches the counter's interrupt on again: without it time stands still, which is
//! what a bench does to see what comes of that.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;
use flagfall_core::{DeviceTime, TickRate};

/// Ticks of device time per second.
pub(crate) const RATE: TickRate = match TickRate::new(1_000) {
    Ok(rate) => rate,
    Err(_) => panic!("a thousand ticks a second is a rate"),
};

/// Device time, low word first.
#[repr(C)]
struct Ticks {
    low: AtomicU32,
    high: AtomicU32,
}

// `flagfall_core::contract::SYMBOL_TICKS`.
#[expect(unsafe_code, reason = "a bench finds the count by its symbol")]
// SAFETY: nothing else in the image has this name.
#[unsafe(no_mangle)]
static FLAGFALL_TICKS: Ticks = Ticks { low: AtomicU32::new(0), high: AtomicU32::new(0) };

/// The counter behind the ticks.
pub(crate) struct TimeBase(SYST);

impl TimeBase {
    /// Starts device time from a core clock of `clock_hz`, a whole number of kilohertz up to 16 777: at zero, or where it
    /// stood before a reset.
    pub(crate) fn start(mut counter: SYST, clock_hz: u32, from: DeviceTime) -> Self {
        FLAGFALL_TICKS.low.store(from.ticks() as u32, Relaxed);
        FLAGFALL_TICKS.high.store((from.ticks() >> 32) as u32, Relaxed);
        counter.set_clock_source(SystClkSource::Core);
        counter.set_reload(clock_hz / RATE.hz() - 1);
        counter.clear_current();
        counter.enable_interrupt();
        counter.enable_counter();
        Self(counter)
    }

    /// Lets it stand still. A tick that has come is counted before this returns, unless interrupts are masked.
    pub(crate) fn pause(&mut self) {
        self.0.disable_counter();
        cortex_m::asm::dsb();
        cortex_m::asm::isb();
    }

    /// Lets it go on from where it stands.
    pub(crate) fn go_on(&mut self) {
        self.0.enable_counter();
    }
}

/// The time now; it never goes back.
pub(crate) fn now() -> DeviceTime {
    // Without a lock a carry could come between the two words.
    critical_section::with(|_| {
        let (low, high) = (FLAGFALL_TICKS.low.load(Relaxed), FLAGFALL_TICKS.high.load(Relaxed));
        DeviceTime::from_ticks(u64::from(low) | u64::from(high) << 32)
    })
}

/// Waits until so many 65 536ths of this tick have passed, or the tick is over.
pub(crate) fn let_pass(part: u16) {
    let reload = SYST::get_reload();
    let wanted = (reload + 1) * u32::from(part) >> 16;
    let mut passed = 0;
    while passed < wanted {
        let looked = reload - SYST::get_current().min(reload);
        if looked < passed {
            return;
        }
        passed = looked;
    }
}

/// One more millisecond. The buttons have the same priority and do not come in between.
#[exception]
fn SysTick() {
    let low = FLAGFALL_TICKS.low.load(Relaxed).wrapping_add(1);
    FLAGFALL_TICKS.low.store(low, Relaxed);
    if low == 0 {
        FLAGFALL_TICKS.high.store(FLAGFALL_TICKS.high.load(Relaxed).wrapping_add(1), Relaxed);
    }
}
