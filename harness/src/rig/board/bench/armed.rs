//! Trains of edges: armed while the target stands still, made by its firmware while it runs.

use flagfall_core::command::{ArmedEdge, Command};
use flagfall_core::record::Kind;
use flagfall_core::{DeviceTime, TrueTime};
use flagfall_trace::Achieved;
use flagfall_trace::plan::{Act, Plan};

use super::Bench;
use crate::rig::board::description::{Acting, Description};
use crate::rig::board::image::Firmware;
use crate::rig::board::target::{Target, TargetError};

/// Commands that are sent before the firmware is let to take them: its channel holds as many.
const COMMANDS_AT_A_TIME: usize = 7;

/// How edges are armed.
#[derive(Clone, Copy)]
pub(super) struct Arming {
    /// How long before its first edge a train is armed.
    lead_ns: i64,
    /// What two edges of a train are apart at least.
    gap_ticks: u64,
    /// How late one may be done: a stamp that is later than this speaks against the clock.
    late_ticks_max: u64,
}

impl Arming {
    /// How this bench arms; `None` for one that makes every edge itself.
    pub(super) fn of(description: &Description) -> Option<Self> {
        let Acting::Armed { gap_us, lead_us } = description.acting else { return None };
        let ticks = |us: u64| {
            let ticks = (u128::from(us) * u128::from(description.tick_rate.hz())).div_ceil(1_000_000);
            u64::try_from(ticks).unwrap_or(u64::MAX)
        };
        Some(Self {
            lead_ns: i64::try_from(lead_us.saturating_mul(1_000)).unwrap_or(i64::MAX),
            gap_ticks: ticks(gap_us),
            late_ticks_max: ticks(description.stamp_latency_max_us),
        })
    }
}

/// A train in device time.
struct Timetable {
    edges: Vec<ArmedEdge>,
    /// When each step is done.
    steps: Vec<(usize, DeviceTime)>,
}

/// The word in which the firmware says how late an armed edge was.
fn late_word(target: &Target) -> Result<u64, TargetError> {
    let word = match target.firmware() {
        Firmware::Contract(image) => image.armed_late,
        Firmware::Watched { .. } => None,
    };
    word.ok_or_else(|| TargetError::Handshake("this firmware moves no pin of its own: it cannot be armed".into()))
}

impl Bench<'_> {
    /// Has the firmware make the edges of these steps, and lets it run until it has.
    pub(super) fn make_train(&mut self, plan: &Plan, train: &[usize], arming: Arming) -> Result<(), TargetError> {
        let Some(first) = train.first().and_then(|step| plan.steps.get(*step)) else { return Ok(()) };
        self.wait_until(TrueTime::from_ns(first.at.ns().saturating_sub(arming.lead_ns)))?;
        let Timetable { edges, steps } = self.timetable(plan, train, arming.gap_ticks);
        let part = self.phases.draw();
        self.tell_phase(part)?;
        let late = late_word(self.target)?;
        self.target.set_word(late, 0)?;
        self.arm(&edges)?;
        let [Some(first), Some(last)] = [edges.first(), edges.last()] else { return Ok(()) };
        let (armed_at, due) = (self.hall.device().ticks(), first.at.ticks());
        if due <= armed_at {
            let text = format!(
                "edges were armed until tick {armed_at}, and the first was due at {due}; make stimulus.armed.lead_us larger"
            );
            return Err(TargetError::Handshake(text));
        }
        self.run_to(last.at.after(1), 0)?;
        let late_ticks = u64::from(self.target.word(late)?);
        if late_ticks > arming.late_ticks_max {
            let (late, may_be) = (late_ticks, arming.late_ticks_max);
            let text = format!(
                "an armed edge was made {late} ticks late, and a stamp may be {may_be}; make stimulus.armed.gap_us larger"
            );
            return Err(TargetError::Handshake(text));
        }
        for (step, tick) in steps {
            let (earliest, _) = self.hall.true_time_of(tick);
            // Up to the end of the tick in which it was done at the latest.
            let (latest, _) = self.hall.true_time_of(tick.after(late_ticks + 1));
            self.achieved.push(Achieved { step: step as u32, earliest, latest });
            if matches!(plan.steps.get(step).map(|step| &step.act), Some(Act::Press { .. })) {
                self.phases.came(step as u32);
            }
        }
        self.tell_phase(0)
    }

    fn timetable(&self, plan: &Plan, train: &[usize], gap_ticks: u64) -> Timetable {
        let mut table = Timetable { edges: Vec::new(), steps: Vec::new() };
        let mut free = DeviceTime::ZERO;
        for (index, step) in train.iter().filter_map(|index| plan.steps.get(*index).map(|step| (*index, step))) {
            let at = self.hall.device_at(step.at).max(free);
            free = at.after(gap_ticks);
            table.steps.push((index, at));
            let (side, closes, lets_go) = match step.act {
                Act::Contact { side, closes } => (Some(side), closes, false),
                Act::Press { side, .. } => (Some(side), true, true),
                _ => (None, true, true),
            };
            table.edges.push(ArmedEdge { side, closes, at });
            if lets_go {
                table.edges.push(ArmedEdge { side, closes: false, at: free });
            }
        }
        // A button that is let go may come after the next one is pressed.
        table.edges.sort_by_key(|edge| edge.at);
        table
    }

    fn arm(&mut self, edges: &[ArmedEdge]) -> Result<(), TargetError> {
        let before = self.written.records.len();
        for edges in edges.chunks(COMMANDS_AT_A_TIME) {
            for edge in edges {
                self.target.send(&Command::Arm(*edge).to_bytes())?;
            }
            // It takes every command before it stops.
            self.run_to(self.hall.device().after(1), 0)?;
        }
        match self.written.records[before..].iter().find(|record| record.kind == Kind::REFUSED) {
            None => Ok(()),
            Some(refused) => {
                let reason = refused.detail;
                let text = format!(
                    "the firmware refused an armed edge (reason {reason}): build it and flagfall from the same sources"
                );
                Err(TargetError::Handshake(text))
            }
        }
    }
}
