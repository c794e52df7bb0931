//! Buttons: contacts to ground on PA0 (White), PA1 (Black) and PA4 (arbiter), debounced.
//!
//! The interrupt takes the time of an edge before anything else. What makes an edge a press is
//! [`flagfall_core::Debouncer`], which the simulator's buttons use too; it wants every edge of a contact, with its
//! direction, and gets them from [`Contact`]. A press goes into a queue with the time of its edge, and the loop takes
//! presses from there: however late it is handled, a press is dated by its contact. A contact that bounces for ever
//! fills no queue and holds up no other button.

use core::cell::RefCell;

use critical_section::Mutex;
use flagfall_core::{Debouncer, DeviceTime, Input, Side};
use heapless::Deque;

use crate::board::chip::{Interrupt, NVIC, Peripherals, interrupt};
use crate::board::{detector, timebase};
use crate::contact::{Contact, Edge};
use crate::contract_block;

/// Presses between two turns of the loop; a turn takes well under a millisecond.
const QUEUE_LEN: usize = 32;

static BUTTONS: Mutex<RefCell<Buttons>> =
    Mutex::new(RefCell::new(Buttons { presses: Deque::new(), debouncers: quiet_for(0) }));

struct Buttons {
    presses: Deque<Press, QUEUE_LEN>,
    /// In the order of [`Button::ALL`].
    debouncers: [Debouncer; Button::ALL.len()],
}

/// Contacts that have been open for ever. Without a quiet time they are nothing but zeros, so that the queue beside them
/// takes no room in flash.
const fn quiet_for(ms: u8) -> [Debouncer; Button::ALL.len()] {
    [Debouncer::new(ms, timebase::RATE); Button::ALL.len()]
}

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

#[derive(Clone, Copy)]
enum Button {
    White,
    Black,
    Arbiter,
}

impl Button {
    const ALL: [Self; 3] = [Self::White, Self::Black, Self::Arbiter];
    const WHITE_LINE: u8 = 0;
    const BLACK_LINE: u8 = 1;
    const ARBITER_LINE: u8 = 4;

    const fn contact(self) -> Contact {
        match self {
            Self::White => Contact::at_pin(Self::WHITE_LINE),
            Self::Black => Contact::at_pin(Self::BLACK_LINE),
            Self::Arbiter => Contact::at_pin(Self::ARBITER_LINE),
        }
    }

    const fn interrupt(self) -> Interrupt {
        match self {
            Self::White => Interrupt::EXTI0,
            Self::Black => Interrupt::EXTI1,
            Self::Arbiter => Interrupt::EXTI4,
        }
    }
}

/// Opens the buttons: contacts that must be quiet for so long before a press.
pub(crate) fn start(chip: &Peripherals, debounce_ms: u8) {
    set_quiet_time(debounce_ms);
    detector::start(chip);
    for button in Button::ALL {
        button.contact().open(chip);
        unmask(button.interrupt());
    }
}

/// From here on the contacts must be quiet for so long, and are taken to have been.
pub(crate) fn set_quiet_time(debounce_ms: u8) {
    let debouncers = quiet_for(debounce_ms);
    critical_section::with(|section| BUTTONS.borrow_ref_mut(section).debouncers = debouncers);
}

#[expect(unsafe_code, reason = "unmasking could break a critical section that masks single interrupts")]
fn unmask(interrupt: Interrupt) {
    // SAFETY: critical sections here mask all interrupts at once, never single ones.
    unsafe { NVIC::unmask(interrupt) };
}

/// The line of somebody's button, or of the arbiter's.
pub(crate) const fn line_of(side: Option<Side>) -> u8 {
    match side {
        Some(Side::White) => Button::WHITE_LINE,
        Some(Side::Black) => Button::BLACK_LINE,
        None => Button::ARBITER_LINE,
    }
}

/// The oldest press not yet handled.
pub(crate) fn next() -> Option<Press> {
    critical_section::with(|section| BUTTONS.borrow_ref_mut(section).presses.pop_front())
}

/// Whether a press waits.
pub(crate) fn waiting() -> bool {
    critical_section::with(|section| !BUTTONS.borrow_ref(section).presses.is_empty())
}

/// The time now, if no press from before it waits: what is done at this time comes in order.
pub(crate) fn now_unless_waiting() -> Option<DeviceTime> {
    critical_section::with(|_| if waiting() { None } else { Some(timebase::now()) })
}

#[interrupt]
fn EXTI0() {
    handle(Button::White);
}

#[interrupt]
fn EXTI1() {
    handle(Button::Black);
}

#[interrupt]
fn EXTI4() {
    handle(Button::Arbiter);
}

fn handle(button: Button) {
    let at = timebase::now();
    let contact = button.contact();
    if let Some(edge) = contact.take() {
        note(button, edge, at);
        while let Some(edge) = contact.take_unseen() {
            note(button, edge, timebase::now());
        }
    }
}

/// Makes of an edge what the debouncer makes of it.
fn note(button: Button, edge: Edge, at: DeviceTime) {
    critical_section::with(|section| {
        let mut buttons = BUTTONS.borrow_ref_mut(section);
        let is_press = buttons.debouncers[button as usize].edge(at, edge == Edge::Closing);
        if is_press && buttons.presses.push_back(Press { at, button }).is_err() {
            contract_block::count_dropped_edge();
        }
    });
}
