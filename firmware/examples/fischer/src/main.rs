//! A Fischer clock on an STM32F405: two buttons, an arbiter's button, two flags.
//!
//! Time is counted in hundredths of a second by the SysTick interrupt. The buttons are contacts to ground on PA0 (White),
//! PA1 (Black) and PA4 (arbiter), the flags are lamps on PC6 and PC7, the player on move has a lamp on PC8 or PC9.
//!
//! The boot loader leaves the core at 168 MHz.
#![no_std]
#![no_main]

mod buttons;
mod game;
mod lamps;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::{entry, exception};
use stm32f4::stm32f405::Peripherals;

use crate::game::GAME;

const CORE_HZ: u32 = 168_000_000;
const TICK_HZ: u32 = 100;

#[entry]
fn main() -> ! {
    let core = cortex_m::Peripherals::take().expect("nothing ran before");
    let chip = Peripherals::take().expect("nothing ran before");
    lamps::start(&chip);
    buttons::start(&chip);
    start_counting(core.SYST);
    loop {
        lamps::show(&chip.GPIOC, &GAME);
        idle();
    }
}

fn start_counting(mut ticks: SYST) {
    ticks.set_clock_source(SystClkSource::Core);
    ticks.set_reload(CORE_HZ / TICK_HZ - 1);
    ticks.clear_current();
    ticks.enable_interrupt();
    ticks.enable_counter();
}

/// Sleeps until something happens.
#[expect(unsafe_code, reason = "the energy measurement on the production line finds it by its plain name")]
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn idle() {
    cortex_m::asm::wfi();
}

#[exception]
fn SysTick() {
    buttons::tick();
    GAME.tick();
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    cortex_m::interrupt::disable();
    // The watchdog of the supply notices the silence.
    loop {
        cortex_m::asm::nop();
    }
}
