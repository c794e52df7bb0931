//! Buttons: a falling edge on PA0 (White), PA1 (Black) or PA4 (arbiter) is a press (RM0090 section 12, EXTI).
//!
//! The interrupt takes the time before anything else and queues it with the button; the loop takes presses from the
//! queue. A press therefore carries the time of the edge, however late it is handled. There is no debouncing: every
//! edge counts, and a bouncing contact shows as presses that the clock ignores.

use core::cell::RefCell;

use critical_section::Mutex;
use flagfall_core::{DeviceTime, Input, Side};
use heapless::Deque;
use stm32f4::stm32f405::{EXTI, Interrupt, NVIC, Peripherals, interrupt};

use crate::{contract_block, timebase};

/// Presses between two turns of the loop; a turn takes well under a millisecond.
const QUEUE_LEN: usize = 32;

static QUEUE: Mutex<RefCell<Deque<Press, QUEUE_LEN>>> = Mutex::new(RefCell::new(Deque::new()));

/// A button and the device time of its edge.
#[derive(Clone, Copy)]
pub(crate) struct Press {
    /// When.
    pub(crate) at: DeviceTime,
    button: Button,
}

impl Press {
    /// What it means to the clock.
    pub(crate) const fn input(self) -> Input {
        match self.button {
            Button::White => Input::Press(Side::White),
            Button::Black => Input::Press(Side::Black),
            Button::Arbiter => Input::ArbiterButton,
        }
    }
}

/// The buttons; the number is the pin of port A and the line of EXTI.
#[derive(Clone, Copy)]
enum Button {
    White = 0,
    Black = 1,
    Arbiter = 4,
}

impl Button {
    const ALL: [Self; 3] = [Self::White, Self::Black, Self::Arbiter];

    const fn interrupt(self) -> Interrupt {
        match self {
            Self::White => Interrupt::EXTI0,
            Self::Black => Interrupt::EXTI1,
            Self::Arbiter => Interrupt::EXTI4,
        }
    }
}

/// Opens the buttons: pull-ups on, falling edges to the interrupt controller.
pub(crate) fn start(chip: &Peripherals) {
    chip.RCC.ahb1enr().modify(|_, w| w.gpioaen().enabled());
    chip.RCC.apb2enr().modify(|_, w| w.syscfgen().enabled());
    chip.SYSCFG.exticr1().modify(|_, w| w.exti0().pa().exti1().pa());
    chip.SYSCFG.exticr2().modify(|_, w| w.exti4().pa());
    for button in Button::ALL {
        let line = button as u8;
        chip.GPIOA.pupdr().modify(|_, w| w.pupdr(line).pull_up());
        chip.EXTI.ftsr().modify(|_, w| w.tr(line).enabled());
        chip.EXTI.imr().modify(|_, w| w.mr(line).unmasked());
    }
    for button in Button::ALL {
        unmask(button.interrupt());
    }
}

#[expect(unsafe_code, reason = "unmasking could break a critical section that masks single interrupts")]
fn unmask(interrupt: Interrupt) {
    // SAFETY: critical sections here mask all interrupts at once, never single ones.
    unsafe { NVIC::unmask(interrupt) };
}

/// The oldest press not yet handled.
pub(crate) fn next() -> Option<Press> {
    critical_section::with(|section| QUEUE.borrow_ref_mut(section).pop_front())
}

/// Whether a press waits.
pub(crate) fn waiting() -> bool {
    critical_section::with(|section| !QUEUE.borrow_ref(section).is_empty())
}

/// The time now, if no press from before it waits: what is done at this time comes in order.
pub(crate) fn now_unless_waiting() -> Option<DeviceTime> {
    critical_section::with(|_| if waiting() { None } else { Some(timebase::now()) })
}

#[interrupt]
fn EXTI0() {
    edge(Button::White);
}

#[interrupt]
fn EXTI1() {
    edge(Button::Black);
}

#[interrupt]
fn EXTI4() {
    edge(Button::Arbiter);
}

fn edge(button: Button) {
    let at = timebase::now();
    // The emulator raises the interrupt for rising edges too, and a bench may raise it to wake the loop: the pending
    // bit alone says that there was a falling edge.
    if take_pending(button as u8) {
        let queued = critical_section::with(|section| QUEUE.borrow_ref_mut(section).push_back(Press { at, button }));
        if queued.is_err() {
            contract_block::count_dropped_edge();
        }
    }
}

#[expect(unsafe_code, reason = "three handlers share the peripheral and none can own it")]
fn take_pending(line: u8) -> bool {
    // SAFETY: a handler reads and clears the pending bit of its own line only, and writing zeros changes no other line.
    let exti = unsafe { EXTI::steal() };
    let pending = exti.pr().read().pr(line).is_pending();
    exti.pr().write(|w| w.pr(line).clear());
    pending
}
