//! The serial port of the panel: USART2, transmit on PA2 (RM0090 section 30).
//!
//! A line is queued whole or not at all, and nobody waits for the wire: the interrupt takes byte after byte from the
//! queue. It stands below the buttons' interrupts, which may interrupt it, and it masks none of them but for the look at the
//! time at the end of a line: the queue has one writer and one reader and needs no lock.

use core::cell::RefCell;

use cortex_m::peripheral::NVIC;
use critical_section::Mutex;
use flagfall_core::panel;
use heapless::spsc::{Consumer, Producer, Queue};
use stm32f4::stm32f405::{Interrupt, Peripherals, USART2, interrupt};

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
        chip.RCC.ahb1enr().modify(|_, w| w.gpioaen().enabled());
        chip.RCC.apb1enr().modify(|_, w| w.usart2en().enabled());
        chip.GPIOA.afrl().modify(|_, w| w.afrl2().af7());
        chip.GPIOA.moder().modify(|_, w| w.moder2().alternate());
        let sixteenths = (clock_hz + panel::BAUD / 2) / panel::BAUD;
        chip.USART2
            .brr()
            .write(|w| w.div_mantissa().set((sixteenths >> 4) as u16).div_fraction().set((sixteenths & 0xf) as u8));
        chip.USART2.cr1().write(|w| w.ue().enabled().te().enabled());
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
    #[expect(unsafe_code, reason = "the handler changes the register too")]
    pub(crate) fn send(&self) {
        critical_section::with(|_| {
            // SAFETY: the handler, which changes the register too, does not come in between. While it waits for the end of a
            // line it is left waiting: it goes on with the next one by itself.
            unsafe { USART2::steal() }.cr1().modify(|r, w| w.txeie().bit(r.tcie().bit_is_clear()));
        });
    }
}

#[expect(unsafe_code, reason = "priorities and unmasking could break a critical section that relies on them")]
fn unmask(nvic: &mut NVIC) {
    // SAFETY: critical sections here mask all interrupts at once, whatever their priorities.
    unsafe {
        nvic.set_priority(Interrupt::USART2, PRIORITY);
        NVIC::unmask(Interrupt::USART2);
    }
}

// The attribute copies itself onto a second item without unsafe code, so that `expect` would not hold.
#[allow(unsafe_code, reason = "the handler cannot own the port")]
#[interrupt]
fn USART2() {
    static mut QUEUE: Option<Consumer<'static, u8>> = None;
    static mut IS_ENDING: bool = false;

    // SAFETY: after the start nothing touches the port but this handler and `send`, which only switches its interrupt on.
    let port = unsafe { USART2::steal() };
    if QUEUE.is_none() {
        *QUEUE = critical_section::with(|section| READER.borrow_ref_mut(section).take());
    }
    let Some(queue) = QUEUE else { return };
    // Only an empty data register raises this interrupt, or at the end of a line a transmitter that is done. It is not asked
    // for in the status: a look there costs the emulator more than all the rest.
    if core::mem::take(IS_ENDING) {
        port.cr1().modify(|_, w| w.tcie().disabled().txeie().enabled());
        lines::gone();
        return;
    }
    match queue.dequeue() {
        Some(LINE_END) => {
            // It has been done before, and says so until it is told to forget it.
            port.sr().write(|w| w.tc().clear_bit());
            port.dr().write(|w| w.dr().set(LINE_END.into()));
            *IS_ENDING = true;
            port.cr1().modify(|_, w| w.txeie().disabled().tcie().enabled());
        }
        Some(byte) => _ = port.dr().write(|w| w.dr().set(byte.into())),
        None => _ = port.cr1().modify(|_, w| w.txeie().disabled()),
    }
}
