//! How close the acts of a plan come to a zero: what a bench must be able to tell apart.

use flagfall_core::{DeviceTime, TrueTime};
use flagfall_trace::plan::Plan;

use super::contacts::Contacts;
use super::reckoning::Reckoning;
use super::time_base::TimeBase;

/// The smallest time, in nanoseconds, between an act for the clock and a zero that is reached, was, or would have been
/// but for that act: a flag, the end of a byo-yomi period, the end of a period driven by time. `None` when no side is
/// ever running at an act.
#[must_use]
pub fn smallest_gap_to_a_flag_ns(plan: &Plan) -> Option<u64> {
    let rate = plan.tick_rate;
    let base = TimeBase::planned(plan);
    let mut reckoning = Reckoning::new(&plan.setup, rate);
    let mut contacts = Contacts::new(&plan.setup, rate);
    let mut reached: Option<u64> = None;
    let mut smallest: Option<u64> = None;
    for step in plan.steps.iter().filter(|step| step.act.is_for_the_clock()) {
        let tick = base.tick_at(step.at);
        // By the clock's own time, where that is not the hall's.
        let at = if base.is_sound() { step.at } else { rate.true_time_of(DeviceTime::from_ticks(tick)) };
        let deed = contacts.deed(&step.act, tick);
        reached = reckoning.pass(tick, deed).last().map(|zero| zero.tick).or(reached);
        let ahead = reckoning.zero_ahead().map(|(_, zero)| zero);
        for zero in reached.into_iter().chain(ahead) {
            let zero: TrueTime = rate.true_time_of(DeviceTime::from_ticks(zero));
            let gap = at.ns().abs_diff(zero.ns());
            smallest = Some(smallest.map_or(gap, |smallest| smallest.min(gap)));
        }
        if let Some(deed) = deed {
            reckoning.deed(deed, tick);
        }
    }
    smallest
}
