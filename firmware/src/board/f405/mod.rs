//! The STM32F405: clock tree, alarm, sleep.

pub(crate) mod detector;
pub(crate) mod timebase;
pub(crate) mod uart;
pub(crate) mod watchdog;

use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{SCB, SYST};
use cortex_m_rt::exception;
use flagfall_core::{DeviceTime, TickRate};
pub(crate) use stm32f4::stm32f405 as chip;

use self::chip::{Peripherals, RCC};
use crate::buttons;

/// The two frequencies in which a board and its emulation differ; nothing else does.
#[derive(Clone, Copy)]
pub(crate) struct ClockTree {
    /// What feeds the prescaler of TIM2.
    pub(crate) timer_hz: u32,
    /// What feeds SysTick when it counts the external clock.
    pub(crate) alarm_hz: u32,
}

/// What feeds the serial port: the internal oscillator. The emulator has no wire, on which this would matter.
pub(crate) const BUS_HZ: u32 = 16_000_000;

impl ClockTree {
    /// After reset the chip runs from its 16 MHz oscillator, and SysTick's external clock is an eighth of that (RM0090
    /// section 7.2).
    const SILICON: Self = Self { timer_hz: 16_000_000, alarm_hz: 2_000_000 };

    /// The emulated STM32F405 feeds its timers with 1 GHz and SysTick with 168 MHz / 8, whatever the registers say.
    const EMULATED: Self = Self { timer_hz: 1_000_000_000, alarm_hz: 21_000_000 };

    /// Tells the two apart: a chip that runs from its internal oscillator says that this oscillator is ready (RM0090
    /// section 7.3.1), an emulation without a clock tree never does. The same image therefore runs on both.
    fn find(rcc: &RCC) -> Self {
        let ready = (0..READY_READS_MAX).any(|_| rcc.cr().read().hsirdy().is_ready());
        if ready { Self::SILICON } else { Self::EMULATED }
    }

    const fn alarm_counts(self, ticks: u32) -> u32 {
        ticks * (self.alarm_hz / timebase::RATE.hz())
    }
}

/// The oscillator is ready at the first read on a chip; a wait for it has an end all the same.
const READY_READS_MAX: u32 = 100;

/// Longest time to the alarm, in ticks of device time: SysTick has 24 bits. The loop arms again for what is later.
const ALARM_TICKS_MAX: u32 = 790_000;

const _: () = {
    assert!(timebase::RATE.hz() == TickRate::MHZ.hz(), "ALARM_TICKS_MAX is 0.79 s at 1 MHz");
    assert!(ClockTree::EMULATED.alarm_counts(ALARM_TICKS_MAX) < 1 << 24, "the alarm has 24 bits");
    assert!(ClockTree::SILICON.alarm_counts(ALARM_TICKS_MAX) < 1 << 24, "the alarm has 24 bits");
};

/// Proof that no alarm is armed or pending, as a stop demands.
pub(crate) struct Disarmed(());

/// The board once it runs.
pub(crate) struct Board {
    /// The clock tree that was found.
    pub(crate) tree: ClockTree,
    alarm: SYST,
}

impl Board {
    /// Starts device time from this instant and opens the buttons, whose contacts must be quiet for so long before a
    /// press.
    pub(crate) fn start(chip: &Peripherals, mut alarm: SYST, from: DeviceTime, debounce_ms: u8) -> Self {
        let tree = ClockTree::find(&chip.RCC);
        timebase::start(&chip.TIM2, &chip.RCC, tree.timer_hz, from);
        alarm.set_clock_source(SystClkSource::External);
        alarm.enable_interrupt();
        buttons::start(chip, debounce_ms);
        Self { tree, alarm }
    }

    /// Sleeps until a button is pressed or device time reaches `wake`, but not for longer than the alarm can count:
    /// the caller looks at everything again. Returns at once if there is something to do already.
    pub(crate) fn sleep_until(&mut self, wake: DeviceTime) {
        // With interrupts masked a button that comes between the look and the sleep still ends the sleep.
        critical_section::with(|_| {
            let ahead = wake.ticks_since(timebase::now());
            if ahead == 0 || buttons::waiting() {
                return;
            }
            self.arm(u32::try_from(ahead).unwrap_or(u32::MAX).min(ALARM_TICKS_MAX));
            cortex_m::asm::dsb();
            cortex_m::asm::wfi();
        });
    }

    fn arm(&mut self, ticks: u32) {
        self.alarm.disable_counter();
        self.alarm.set_reload(self.tree.alarm_counts(ticks));
        self.alarm.clear_current();
        self.alarm.enable_counter();
    }

    /// Takes the alarm back, a pending one too.
    pub(crate) fn disarm(&mut self) -> Disarmed {
        self.alarm.disable_counter();
        SCB::clear_pendst();
        Disarmed(())
    }
}

/// The alarm: waking up was all it had to do. It stays counting until the loop arms or disarms it.
#[exception]
fn SysTick() {}
