//! A target whose firmware offers nothing: run from stop to stop of a function that it runs anyway, or freely between.

use std::time::{Duration, Instant};

use probe_rs::{MemoryInterface, RegisterId};

use super::{Counter, HALT_BUDGET, STOP_BUDGET, Target, TargetError, probe};

/// How much of the target's time a bench that looks at it may miss because its own machine has other things to do.
const MISSED: Duration = Duration::from_millis(250);

/// How long between two looks at a target that runs freely.
const LOOK_EVERY: Duration = Duration::from_micros(200);

/// The program status registers, and in them the number of the exception that is handled (ARMv7-M C1.6.3, B1.4.2).
const XPSR: RegisterId = RegisterId(16);
const EXCEPTION: u32 = 0x1ff;

impl Target {
    /// Resets the target and runs it to its first stop.
    pub(in super::super) fn restart(&mut self) -> Result<(), TargetError> {
        let stop = self.firmware.stop();
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        core.reset_and_halt(HALT_BUDGET).map_err(probe("reset"))?;
        core.set_hw_breakpoint(stop).map_err(probe("set breakpoint"))?;
        drop(core);
        self.run_to_stop(None)
    }

    /// Whether the stopped core is in the middle of an interrupt.
    pub(in super::super) fn is_in_a_handler(&mut self) -> Result<bool, TargetError> {
        let xpsr: u32 =
            self.session.core(0).and_then(|mut core| core.read_core_reg(XPSR)).map_err(probe("read xpsr"))?;
        Ok(xpsr & EXCEPTION != 0)
    }

    /// Lets the target run without stops and then to the next one, such that `counts` of the counter have not passed by
    /// then if the bench keeps looking.
    ///
    /// A stop costs the host a fraction of a millisecond, and a firmware may come by a hundred times a second. How fast
    /// the target's time goes is measured on the way: an emulator's does not go with the host's.
    pub(in super::super) fn run_freely(&mut self, counter: Counter, counts: u64) -> Result<(), TargetError> {
        let stop = self.firmware.stop();
        let mut core = self.session.core(0).map_err(probe("select core"))?;
        core.clear_hw_breakpoint(stop).map_err(probe("clear breakpoint"))?;
        let look = |core: &mut probe_rs::Core<'_>| core.read_word_32(counter.address).map_err(probe("read true time"));
        let mut last = look(&mut core)?;
        core.run().map_err(probe("run"))?;
        let (begun, mut progress, mut passed) = (Instant::now(), Instant::now(), 0);
        while !is_near(passed, counts, begun.elapsed()) {
            std::thread::park_timeout(LOOK_EVERY);
            let raw = look(&mut core)?;
            if raw != last {
                progress = Instant::now();
            }
            passed += u64::from(raw.wrapping_sub(last));
            last = raw;
            if self.interrupt.is_asked() {
                return Err(TargetError::Interrupted);
            }
            if progress.elapsed() > STOP_BUDGET {
                return Err(TargetError::Budget(STOP_BUDGET.as_secs()));
            }
        }
        core.set_hw_breakpoint(stop).map_err(probe("set breakpoint"))?;
        drop(core);
        self.wait_for_stop(Some((counter, last)))
    }
}

/// Whether the rest of `counts` may pass in the time that a bench can miss, when so many took so long.
fn is_near(passed: u64, counts: u64, took: Duration) -> bool {
    let in_missed = u128::from(passed) * MISSED.as_nanos() / took.as_nanos().max(1);
    u128::from(counts.saturating_sub(passed)) <= in_missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_target_is_near_earlier() {
        let second = Duration::from_secs(1);
        assert!(!is_near(1_000_000, 1_250_001, second), "at the speed of the host a quarter of a second is left alone");
        assert!(is_near(1_000_000, 1_250_000, second));
        assert!(!is_near(100_000_000, 125_000_001, second), "a hundred times as fast, twenty-five seconds");
        assert!(is_near(100_000_000, 125_000_000, second));
        assert!(!is_near(0, 1, Duration::ZERO), "nothing is known yet");
    }
}
