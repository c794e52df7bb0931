//! Device time: TIM2 counting at 1 MHz, extended from 32 to 64 bits (RM0090 section 18).
//!
//! TIM2 is the only clock of the game; SysTick is nothing but an alarm. The auto-reload register keeps its reset value:
//! the counter wraps after 71.6 minutes, and in the emulator a write to it would start an alarm of its own. TIM5 is left
//! to the bench.

use core::cell::Cell;

use critical_section::Mutex;
use flagfall_core::{DeviceTime, TickRate};
use stm32f4::stm32f405::{RCC, TIM2};

/// Ticks of device time per second.
pub(crate) const RATE: TickRate = TickRate::MHZ;

/// The last instant that was read, of which the counter holds the lower half.
static LAST: Mutex<Cell<u64>> = Mutex::new(Cell::new(0));

/// Starts device time from a timer clock of `timer_hz`, a whole number of megahertz up to 65 536: at zero, or where it
/// stood before a reset. The counter always is the lower half of device time.
pub(crate) fn start(tim2: &TIM2, rcc: &RCC, timer_hz: u32, from: DeviceTime) {
    rcc.apb1enr().modify(|_, w| w.tim2en().enabled());
    tim2.psc().write(|w| w.psc().set(prescaler(timer_hz)));
    // The prescaler is buffered: an update event loads it and clears the counter.
    tim2.egr().write(|w| w.ug().update());
    critical_section::with(|section| LAST.borrow(section).set(from.ticks()));
    tim2.cnt().write(|w| w.cnt().set(from.ticks() as u32));
    tim2.cr1().write(|w| w.cen().enabled());
}

const fn prescaler(timer_hz: u32) -> u16 {
    (timer_hz / RATE.hz() - 1) as u16
}

/// The time now, which is back where its counter is: whoever reckons with it holds what it has. It must be read at least once
/// in 35 minutes, which the alarm sees to.
pub(crate) fn now() -> DeviceTime {
    critical_section::with(|section| {
        let last = LAST.borrow(section);
        let now = DeviceTime::from_ticks(last.get()).at_counter(counter());
        last.set(now.ticks());
        now
    })
}

/// Lets so many 65 536ths of a tick pass, in four steps: of 256 ns in the emulation, and on the chip of what a turn of the loop
/// takes at 16 MHz.
pub(crate) fn let_pass(part: u16) {
    cortex_m::asm::delay(u32::from(part) >> 13);
}

#[expect(unsafe_code, reason = "interrupt handlers need the time too and cannot own the timer")]
fn counter() -> u32 {
    // SAFETY: this is the only use of the timer after `start`, and it reads a register without side effects.
    unsafe { TIM2::steal() }.cnt().read().cnt().bits()
}
