//! The edge detector and the pins of port A (RM0351 sections 8, 9.2 and 14). In the emulation, too, a pin has a level.

use super::chip::{EXTI, GPIOA, Peripherals};
use crate::contact::Edge;

/// Leads the buttons' pins, PA0, PA1 and PA4, to their lines. After a reset every line belongs to port A.
pub(crate) fn start(chip: &Peripherals) {
    chip.RCC.ahb2enr().modify(|_, w| w.gpioaen().set_bit());
    chip.RCC.apb2enr().modify(|_, w| w.syscfgen().set_bit());
}

/// Makes an input of the pin, which is an analogue one after a reset, and lets its own resistor pull it up.
pub(crate) fn pull_up(chip: &Peripherals, line: u8) {
    chip.GPIOA.pupdr().modify(|_, w| w.pupdr(line).pull_up());
    chip.GPIOA.moder().modify(|_, w| w.moder(line).input());
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
#[expect(unsafe_code, reason = "the register is written as a whole")]
pub(crate) fn unmask(line: u8) {
    // SAFETY: one line of sixteen, all of which there are.
    exti().imr1().modify(|r, w| unsafe { w.bits(r.bits() | 1 << line) });
}

/// Whether the edge that is armed has come.
pub(crate) fn is_pending(line: u8) -> bool {
    exti().pr1().read().bits() & 1 << line != 0
}

/// The edge that is armed.
pub(crate) fn armed(line: u8) -> Edge {
    if exti().ftsr1().read().bits() & 1 << line != 0 { Edge::Closing } else { Edge::Opening }
}

/// Waits for this edge, and forgets what is pending.
#[expect(unsafe_code, reason = "the registers are written as a whole")]
pub(crate) fn arm(line: u8, edge: Edge) {
    let bit = 1_u32 << line;
    let with = |bits: u32, armed: bool| if armed { bits | bit } else { bits & !bit };
    // SAFETY: one line of sixteen, all of which there are; of what is pending, writing zeros changes no other line.
    unsafe {
        exti().ftsr1().modify(|r, w| w.bits(with(r.bits(), edge == Edge::Closing)));
        exti().rtsr1().modify(|r, w| w.bits(with(r.bits(), edge == Edge::Opening)));
        exti().pr1().write(|w| w.bits(bit));
    }
}

/// Whether the pin is low, which can be seen here.
#[expect(unsafe_code, reason = "three handlers share the port and none can own it")]
pub(crate) fn is_low(line: u8) -> Option<bool> {
    // SAFETY: the port is only read.
    let port = unsafe { GPIOA::steal() };
    Some(port.idr().read().idr(line).is_low())
}

#[expect(unsafe_code, reason = "three handlers share the peripheral and none can own it")]
fn exti() -> EXTI {
    // SAFETY: nothing but this module touches it; the handlers have one priority and do not interrupt each other, and until
    // the first of them can run there is only the start.
    unsafe { EXTI::steal() }
}
