//! The edge detector and the pins of port A (RM0090 sections 8, 9.2 and 12).
//!
//! The emulated STM32F405 has an edge detector and no pins: nothing can be looked at there. Two manners of its detector do
//! not matter to a contact, because only the edge that is armed sets the pending bit: it takes a write of the level that a
//! line already has for an edge, and raises the interrupt for an edge that is not armed.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use stm32f4::stm32f405::{EXTI, GPIOA, Peripherals};

use crate::contact::Edge;

/// Whether this chip has pins that can be looked at.
static PINS: AtomicBool = AtomicBool::new(false);

/// Leads the buttons' pins, PA0, PA1 and PA4, to their lines.
pub(crate) fn start(chip: &Peripherals) {
    chip.RCC.ahb1enr().modify(|_, w| w.gpioaen().enabled());
    chip.RCC.apb2enr().modify(|_, w| w.syscfgen().enabled());
    chip.SYSCFG.exticr1().modify(|_, w| w.exti0().pa().exti1().pa());
    chip.SYSCFG.exticr2().modify(|_, w| w.exti4().pa());
}

/// Lets the pin's own resistor pull it up.
pub(crate) fn pull_up(chip: &Peripherals, line: u8) {
    chip.GPIOA.pupdr().modify(|_, w| w.pupdr(line).pull_up());
    // What is written to a port that is not there does not read back.
    PINS.store(chip.GPIOA.pupdr().read().pupdr(line).is_pull_up(), Relaxed);
}

/// Lets the pin's own resistor pull it down, as the contact does when it closes, or up again.
#[expect(unsafe_code, reason = "the handlers share the port and none can own it")]
pub(crate) fn pull(line: u8, down: bool) {
    let at_line = |bits: u32| bits.wrapping_shl(u32::from(line) << 1);
    let (pin, pull) = (at_line(0b11), at_line(if down { 0b10 } else { 0b01 }));
    // SAFETY: after the start nothing but the loop, which calls this, writes to the port, and these two bits are one pin's.
    unsafe {
        let port = GPIOA::steal();
        port.pupdr().modify(|r, w| w.bits(r.bits() & !pin | pull));
    }
}

/// Lets the line's interrupt through.
pub(crate) fn unmask(line: u8) {
    exti().imr().modify(|_, w| w.mr(line).unmasked());
}

/// Whether the edge that is armed has come.
pub(crate) fn is_pending(line: u8) -> bool {
    exti().pr().read().pr(line).is_pending()
}

/// The edge that is armed.
pub(crate) fn armed(line: u8) -> Edge {
    if exti().ftsr().read().tr(line).is_enabled() { Edge::Closing } else { Edge::Opening }
}

/// Waits for this edge, and forgets what is pending.
pub(crate) fn arm(line: u8, edge: Edge) {
    exti().ftsr().modify(|_, w| w.tr(line).bit(edge == Edge::Closing));
    exti().rtsr().modify(|_, w| w.tr(line).bit(edge == Edge::Opening));
    // Writing zeros changes no other line.
    exti().pr().write(|w| w.pr(line).clear());
}

/// Whether the pin is low, if that can be seen.
#[expect(unsafe_code, reason = "three handlers share the port and none can own it")]
pub(crate) fn is_low(line: u8) -> Option<bool> {
    // SAFETY: the port is only read.
    let port = unsafe { GPIOA::steal() };
    PINS.load(Relaxed).then(|| port.idr().read().idr(line).is_low())
}

#[expect(unsafe_code, reason = "three handlers share the peripheral and none can own it")]
fn exti() -> EXTI {
    // SAFETY: nothing but this module touches it; the handlers have one priority and do not interrupt each other, and until
    // the first of them can run there is only the start.
    unsafe { EXTI::steal() }
}
