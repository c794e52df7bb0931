//! The independent watchdog (RM0351 section 36): a loop that stands still for some seconds ends in a reset.
//!
//! It counts an oscillator of its own, 32 kHz and between 29.5 and 34 kHz: 8.2 s, 7.7 s at the least. The loop goes round
//! once a tick, and a time base that stands still stops it. In a halt under a debugger it stands still. After its reset the
//! clock comes back paused with what it had, and the crash record, if there is one, is still there. The emulator has no such
//! timer: there these are writes to nowhere, and the wait for its registers ends because it is bounded.

use super::chip::{DBGMCU, IWDG};

/// Reads of the status until the registers have taken what was written: five counts of 29.5 kHz are 170 us.
const READS_MAX: u32 = 10_000;

/// The watchdog once it runs; nothing stops it.
pub(crate) struct Watchdog(IWDG);

impl Watchdog {
    /// Starts it.
    pub(crate) fn start(iwdg: IWDG, debug: &DBGMCU) -> Self {
        debug.apb1fzr1().modify(|_, w| w.dbg_iwdg_stop().set_bit());
        iwdg.kr().write(|w| w.key().start());
        iwdg.kr().write(|w| w.key().unlock());
        iwdg.pr().write(|w| w.pr().divide_by64());
        iwdg.rlr().write(|w| w.rl().set(0xfff));
        let _taken = (0..READS_MAX).any(|_| iwdg.sr().read().bits() == 0);
        let watchdog = Self(iwdg);
        watchdog.feed();
        watchdog
    }

    /// Says that the loop goes round.
    pub(crate) fn feed(&self) {
        self.0.kr().write(|w| w.key().feed());
    }
}
