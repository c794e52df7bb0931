//! How close the acts of a plan come to a flag: what a bench must be able to tell apart.

use flagfall_core::{DeviceTime, Side, TrueTime};
use flagfall_trace::plan::Plan;

use super::reckoning::{Doing, Reckoning};
use super::resolve::deed;

/// The smallest time, in nanoseconds, between an act for the clock and a flag that falls, fell, or would have fallen
/// but for that act; `None` when no side is ever running at an act.
#[must_use]
pub fn smallest_gap_to_a_flag_ns(plan: &Plan) -> Option<u64> {
    let rate = plan.tick_rate;
    let mut reckoning = Reckoning::new(&plan.setup, rate);
    let mut smallest: Option<u64> = None;
    for step in plan.steps.iter().filter(|step| step.act.is_for_the_clock()) {
        let tick = rate.tick_at(step.at).ticks();
        let running = match reckoning.doing() {
            Doing::Running(side) => reckoning.flag_tick(side),
            Doing::Waiting | Doing::Paused(_) | Doing::Frozen(_) => None,
        };
        reckoning.pass(tick);
        let fallen =
            Side::ALL.into_iter().filter(|side| reckoning.fallen(*side)).filter_map(|side| reckoning.flag_tick(side));
        for flag in fallen.chain(running) {
            let flag: TrueTime = rate.true_time_of(DeviceTime::from_ticks(flag));
            let gap = step.at.ns().abs_diff(flag.ns());
            smallest = Some(smallest.map_or(gap, |smallest| smallest.min(gap)));
        }
        if let Some(deed) = deed(&step.act, rate) {
            reckoning.deed(deed, tick);
        }
    }
    smallest
}
