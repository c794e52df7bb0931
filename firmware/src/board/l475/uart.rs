//! The serial port of the panel: USART1, transmit on PB6 (RM0351 section 40), which the probe of a B-L475E-IOT01A passes on.
//!
//! A line is queued whole or not at all, and nobody waits for the wire: the interrupt takes byte after byte from the
//! queue. It stands below the buttons' interrupts, which may interrupt it, and it masks none of them but for the look at the
//! time at the end of a line: the queue has one writer and one reader and needs no lock.

use core::cell::RefCell;

use cortex_m::peripheral::NVIC;
use critical_section::Mutex;
use flagfall_core::panel;
use heapless::spsc::{Consumer, Producer, Queue};

use super::chip::{Interrupt, Peripherals, USART1, interrupt};
use crate::lines;

/// Bytes on their way: two of the longest lines, six of those of a usual game.
const QUEUE_LEN: usize = panel::QUEUED_MAX;

/// Below the buttons, which keep the highest priority; a Cortex-M4 of this family has the upper four bits.
const PRIORITY: u8 = 0x80;

/// The last byte of a line: when it has gone out, the line has, see [`lines`].
const LINE_END: u8 = b'\n';

/// The queue's reader on its way from the start to the interrupt.
static READER: Mutex<RefCell<Option<Consumer<'static, u8>>>> = Mutex::new(RefCell::new(None));

/// The writing end of the port.
pub(crate) struct Uart {
    queue: Producer<'static, u8>,
    /// Lines that were queued.
    lines: u32,
}

impl Uart {
    /// Opens the port on a bus clock of `clock_hz`.
    pub(crate) fn open(chip: &Peripherals, nvic: &mut NVIC, clock_hz: u32) -> Self {
        chip.RCC.ahb2enr().modify(|_, w| w.gpioben().set_bit());
        chip.RCC.apb2enr().modify(|_, w| w.usart1en().enabled());
        chip.GPIOB.afrl().modify(|_, w| w.afrl6().af7());
        chip.GPIOB.moder().modify(|_, w| w.moder6().alternate());
        let divider = (clock_hz + panel::BAUD / 2) / panel::BAUD;
        chip.USART1.brr().write(|w| w.brr().set(divider as u16));
        chip.USART1.cr1().write(|w| w.ue().enabled().te().enabled());
        let queue = cortex_m::singleton!(: Queue<u8, QUEUE_LEN> = Queue::new());
        let (queue, reader) = queue.expect("this is the only place that asks for it").split();
        critical_section::with(|section| READER.borrow_ref_mut(section).replace(reader));
        unmask(nvic);
        Self { queue, lines: 0 }
    }

    /// Queues a line if all of it fits; whether it did.
    pub(crate) fn queue(&mut self, line: &[u8]) -> bool {
        let fits = self.queue.capacity() - self.queue.len() >= line.len();
        if fits {
            // The reader only makes more room.
            line.iter().for_each(|byte| _ = self.queue.enqueue(*byte));
            self.lines = self.lines.wrapping_add(1);
        }
        fits
    }

    /// How many lines were queued so far.
    pub(crate) const fn lines(&self) -> u32 {
        self.lines
    }

    /// Lets go what is queued.
    pub(crate) fn send(&self) {
        NVIC::pend(Interrupt::USART1);
    }
}

#[expect(unsafe_code, reason = "priorities and unmasking could break a critical section that relies on them")]
fn unmask(nvic: &mut NVIC) {
    // SAFETY: critical sections here mask all interrupts at once, whatever their priorities.
    unsafe {
        nvic.set_priority(Interrupt::USART1, PRIORITY);
        NVIC::unmask(Interrupt::USART1);
    }
}

// The attribute copies itself onto a second item without unsafe code, so that `expect` would not hold.
#[allow(unsafe_code, reason = "the handler cannot own the port")]
#[interrupt]
fn USART1() {
    static mut QUEUE: Option<Consumer<'static, u8>> = None;

    // SAFETY: after the start nothing but this handler touches the port.
    let port = unsafe { USART1::steal() };
    if QUEUE.is_none() {
        *QUEUE = critical_section::with(|section| READER.borrow_ref_mut(section).take());
    }
    let Some(queue) = QUEUE else { return };
    if port.cr1().read().tcie().is_enabled() {
        if port.isr().read().tc().bit_is_clear() {
            return;
        }
        port.cr1().modify(|_, w| w.tcie().disabled());
        lines::gone();
    }
    while port.isr().read().txe().bit_is_set() {
        let Some(byte) = queue.dequeue() else {
            port.cr1().modify(|_, w| w.txeie().disabled());
            return;
        };
        // A write makes the transmitter forget that it has been done before.
        port.tdr().write(|w| w.tdr().set(byte.into()));
        if byte == LINE_END {
            port.cr1().modify(|_, w| w.txeie().disabled().tcie().enabled());
            return;
        }
    }
    port.cr1().modify(|_, w| w.txeie().enabled());
}
