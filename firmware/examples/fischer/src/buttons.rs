//! Buttons: contacts to ground at the edge detector, deaf for a while after each press.

use core::sync::atomic::AtomicU8;
use core::sync::atomic::Ordering::Relaxed;

use stm32f4::stm32f405::{EXTI, Interrupt, NVIC, Peripherals, interrupt};

use crate::game::{GAME, Player};

/// Lines of port A.
const WHITE: u8 = 0;
const BLACK: u8 = 1;
const ARBITER: u8 = 4;

/// Hundredths of a second for which a button is deaf after a press: contacts bounce.
const DEAF: u8 = 5;

/// For how long each button is still deaf, in the order of the lines.
static DEAF_FOR: [AtomicU8; 5] = [const { AtomicU8::new(0) }; 5];

/// Opens the buttons.
#[expect(unsafe_code, reason = "unmasking could break a critical section that masks single interrupts")]
pub(crate) fn start(chip: &Peripherals) {
    chip.RCC.ahb1enr().modify(|_, w| w.gpioaen().enabled());
    chip.RCC.apb2enr().modify(|_, w| w.syscfgen().enabled());
    chip.SYSCFG.exticr1().modify(|_, w| w.exti0().pa().exti1().pa());
    chip.SYSCFG.exticr2().modify(|_, w| w.exti4().pa());
    for line in [WHITE, BLACK, ARBITER] {
        chip.GPIOA.pupdr().modify(|_, w| w.pupdr(line).pull_up());
        chip.EXTI.ftsr().modify(|_, w| w.tr(line).enabled());
        chip.EXTI.imr().modify(|_, w| w.mr(line).unmasked());
    }
    for interrupt in [Interrupt::EXTI0, Interrupt::EXTI1, Interrupt::EXTI4] {
        // SAFETY: no critical section here masks single interrupts.
        unsafe { NVIC::unmask(interrupt) };
    }
}

/// A hundredth of a second has passed.
pub(crate) fn tick() {
    for deaf_for in &DEAF_FOR {
        deaf_for.store(deaf_for.load(Relaxed).saturating_sub(1), Relaxed);
    }
}

/// Whether the interrupt of a line tells of a press.
#[expect(unsafe_code, reason = "three handlers share the peripheral and none can own it")]
fn is_pressed(line: u8) -> bool {
    // SAFETY: the handlers have one priority, and nothing else touches EXTI once it is set up.
    let exti = unsafe { EXTI::steal() };
    if !exti.pr().read().pr(line).is_pending() {
        return false;
    }
    exti.pr().write(|w| w.pr(line).clear());
    DEAF_FOR[usize::from(line)].swap(DEAF, Relaxed) == 0
}

#[interrupt]
fn EXTI0() {
    if is_pressed(WHITE) {
        GAME.press(Player::White);
    }
}

#[interrupt]
fn EXTI1() {
    if is_pressed(BLACK) {
        GAME.press(Player::Black);
    }
}

#[interrupt]
fn EXTI4() {
    if is_pressed(ARBITER) {
        GAME.start_or_stop();
    }
}
