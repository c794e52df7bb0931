//! The STM32L475: clock tree, tick, sleep.
//!
//! The chip has timers like those of an STM32F405, and its emulation has none: what both have is SysTick. Its tick of a
//! millisecond is the time base ([`timebase`]), and there is no alarm: the loop looks at everything once a tick.

pub(crate) mod detector;
pub(crate) mod timebase;
pub(crate) mod uart;
pub(crate) mod watchdog;

use cortex_m::peripheral::SYST;
use flagfall_core::DeviceTime;
pub(crate) use stm32l4::stm32l4x5 as chip;

use self::chip::{Peripherals, RCC};
use self::timebase::TimeBase;
use crate::buttons;

/// What feeds what; the same on a board and in its emulation, which models the clock tree.
#[derive(Clone, Copy)]
pub(crate) struct ClockTree {
    /// What feeds SysTick.
    pub(crate) timer_hz: u32,
    /// The same: there is no other alarm.
    pub(crate) alarm_hz: u32,
}

/// The internal oscillator HSI16, which feeds the core and all buses.
pub(crate) const BUS_HZ: u32 = 16_000_000;

/// The oscillator is ready within some microseconds; a wait for it has an end all the same.
const READY_READS_MAX: u32 = 10_000;

/// `SW` and `SWS` of RCC_CFGR for HSI16 (RM0351 section 6.4.3).
const HSI16: u8 = 0b01;

/// Proof that the time base stands still, as a stop demands: time goes on when this is gone.
///
/// A chip does not count SysTick in a halt either. An emulator that has just stopped moves its time on to the next tick,
/// and a counter that stands still has none.
pub(crate) struct Disarmed<'a>(&'a mut TimeBase);

impl Drop for Disarmed<'_> {
    fn drop(&mut self) {
        self.0.go_on();
    }
}

/// The board once it runs.
pub(crate) struct Board {
    /// The clock tree.
    pub(crate) tree: ClockTree,
    time_base: TimeBase,
}

impl Board {
    /// Starts device time from this instant and opens the buttons, whose contacts must be quiet for so long before a
    /// press.
    pub(crate) fn start(chip: &Peripherals, counter: SYST, from: DeviceTime, debounce_ms: u8) -> Self {
        run_from_hsi16(&chip.RCC);
        let tree = ClockTree { timer_hz: BUS_HZ, alarm_hz: BUS_HZ };
        let time_base = TimeBase::start(counter, tree.timer_hz, from);
        buttons::start(chip, debounce_ms);
        Self { tree, time_base }
    }

    /// Sleeps until something comes, the next tick at the latest: the caller looks at everything again. Returns at once if
    /// there is something to do already.
    pub(crate) fn sleep_until(&mut self, wake: DeviceTime) {
        // With interrupts masked a button or a tick that comes between the look and the sleep still ends the sleep.
        critical_section::with(|_| {
            if wake <= timebase::now() || buttons::waiting() {
                return;
            }
            cortex_m::asm::dsb();
            cortex_m::asm::wfi();
        });
    }

    /// Lets time stand still.
    pub(crate) fn disarm(&mut self) -> Disarmed<'_> {
        self.time_base.pause();
        Disarmed(&mut self.time_base)
    }
}

/// Leaves the oscillator of 4 MHz on which the chip comes out of a reset (RM0351 section 6.2). Flash needs no wait states
/// up to 16 MHz in voltage range 1 (section 3.3.3), in which the chip is.
#[expect(unsafe_code, reason = "the register's field takes any number")]
fn run_from_hsi16(rcc: &RCC) {
    rcc.cr().modify(|_, w| w.hsion().set_bit());
    let ready = (0..READY_READS_MAX).any(|_| rcc.cr().read().hsirdy().bit_is_set());
    assert!(ready, "the internal oscillator does not start");
    // SAFETY: it is one of the four clocks that there are, and it is ready.
    rcc.cfgr().modify(|_, w| unsafe { w.sw().bits(HSI16) });
    let switched = (0..READY_READS_MAX).any(|_| rcc.cfgr().read().sws().bits() == HSI16);
    assert!(switched, "the core does not change over to the internal oscillator");
}
