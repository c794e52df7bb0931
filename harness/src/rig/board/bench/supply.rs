//! A supply that breaks down and comes back.

use std::time::{Duration, Instant};

use flagfall_core::record::Kind;
use flagfall_core::{DeviceTime, TrueTime};
use flagfall_trace::plan::{Act, Step};
use flagfall_trace::{Achieved, Reset};

use super::{Bench, possible, refused, start};
use crate::rig::board::description::Probe;
use crate::rig::board::stimulus::Contact;
use crate::rig::board::target::TargetError;
use crate::rig::board::written::decode;

/// The supply is down.
pub(super) struct Off {
    step: u32,
    until: TrueTime,
    /// Device time at the reset.
    at: DeviceTime,
    kept: DeviceTime,
    off_ns: i64,
    uncertainty_ns: u64,
}

impl Bench<'_> {
    /// Lets the supply break down.
    ///
    /// A chip without supply counts nothing. Emulated time does not pass while it is held in reset, and the bench adds
    /// what the plan asks for; beside a real one the host's clock measures it.
    pub(super) fn fail(&mut self, step: u32, asked_ns: i64) -> Result<(), TargetError> {
        let true_time = self.description.true_time.as_ref().ok_or_else(|| refused("a reset without true time"))?;
        let until = self.hall.now().checked_add_ns(asked_ns).unwrap_or(TrueTime::from_ns(i64::MAX));
        let (at, kept) = (self.hall.device(), self.target.kept_at()?);
        let began = Instant::now();
        self.target.hold_in_reset()?;
        start(self.target, true_time)?;
        let (off_ns, uncertainty_ns) = match self.description.probe {
            Probe::Emulator { .. } => (asked_ns, 0),
            Probe::Selector(_) => {
                let by_the_bench = began.elapsed();
                std::thread::sleep(Duration::from_nanos(asked_ns.unsigned_abs()).saturating_sub(by_the_bench));
                let ns = |took: Duration| u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
                (i64::try_from(ns(began.elapsed())).unwrap_or(i64::MAX), ns(by_the_bench))
            }
        };
        self.hall.fail(self.target.word(self.counters.bench.address)?, off_ns);
        self.off = Some(Off { step, until, at, kept, off_ns, uncertainty_ns });
        Ok(())
    }

    /// Whether the supply is still down then.
    pub(super) fn is_off(&self, at: TrueTime) -> bool {
        self.off.as_ref().is_some_and(|off| at < off.until)
    }

    /// What is done to a clock without supply: its buttons move, and its faces are dark.
    pub(super) fn act_in_the_dark(&mut self, index: u32, step: &Step) -> Result<(), TargetError> {
        let buttons = self.description.buttons;
        let line = match step.act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => buttons.arbiter,
            Act::Press { side, .. } => buttons.players[side],
            _ => return Ok(()),
        };
        self.set(line, Contact::Closed)?;
        self.set(line, Contact::Open)?;
        self.achieved.push(Achieved { step: index, earliest: step.at, latest: step.at });
        Ok(())
    }

    /// Lets the target boot once its supply is back, up to the stop after its boot record.
    pub(super) fn come_back(&mut self) -> Result<(), TargetError> {
        let Some(off) = self.off.take() else { return Ok(()) };
        self.target.start()?;
        let records = self.target.records()?.iter().map(decode).collect::<Result<Vec<_>, _>>()?;
        let Some(boot) = records.first().filter(|record| record.kind == Kind::BOOT) else {
            return Err(TargetError::Handshake("it came back without a boot record".into()));
        };
        let bench_raw = self.target.word(self.counters.bench.address)?;
        let device_raw = self.target.word(self.counters.device.address)?;
        let device = boot.at.after(u64::from(device_raw.wrapping_sub(boot.at.ticks() as u32)));
        let missing_ticks = self.hall.come_back(bench_raw, device_raw, device, off.kept);
        let brown_out = possible(self.description.faults.brown_out.by())?;
        self.resets.push(Reset {
            step: off.step,
            kept_ticks: off.kept.ticks(),
            missing_ticks,
            at_ticks: off.at.ticks(),
            lost_ticks_max: self.description.tick_rate.ticks_from_ms(brown_out.lost_ms_max.into()),
            off_ns: off.off_ns,
            uncertainty_ns: off.uncertainty_ns,
        });
        self.idle = false;
        self.phases.begin_anew();
        self.written.begin_anew(records);
        Ok(())
    }
}
