//! Runs of button edges that a firmware makes by itself, without a stop in between: which steps of a plan are armed together.

use flagfall_core::TrueTime;
use flagfall_trace::plan::{Act, Plan};

use super::description::{Acting, Description};

/// Acts farther apart than this are armed apart.
const APART_NS: i64 = 100_000_000;

/// The most edges that are armed together, as many as the firmware keeps.
const EDGES_MAX: usize = 16;

/// The trains of a plan; none on a bench that makes every edge itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trains {
    /// Indices of the steps of each, in order.
    trains: Vec<Vec<usize>>,
    /// How far apart its edges must be.
    gap_ns: i64,
}

impl Trains {
    /// What of this plan is armed.
    ///
    /// Before the first edge of a train the bench needs time to arm it. Where it has none, and in a plan with a fault, for
    /// which the target must be stopped, it acts at stops.
    pub(super) fn of(description: &Description, plan: &Plan) -> Self {
        let Acting::Armed { gap_us, lead_us } = description.acting else { return Self::default() };
        if plan.steps.iter().any(|step| matches!(step.act, Act::Fault(_))) {
            return Self::default();
        }
        let ns = |us: u64| i64::try_from(us.saturating_mul(1_000)).unwrap_or(i64::MAX);
        let (lead_ns, after_ns) = (ns(lead_us), ns(description.smallest_gap_us));
        Self { trains: grouped(plan, lead_ns, after_ns), gap_ns: ns(gap_us) }
    }

    #[cfg(test)]
    pub(super) const fn new(trains: Vec<Vec<usize>>, gap_ns: i64) -> Self {
        Self { trains, gap_ns }
    }

    /// The train that this step belongs to.
    pub(super) fn with(&self, step: usize) -> Option<&[usize]> {
        self.trains.iter().find(|train| train.contains(&step)).map(Vec::as_slice)
    }

    /// How far apart the edges of a train must be.
    pub(super) const fn gap_ns(&self) -> i64 {
        self.gap_ns
    }
}

/// How many edges an act takes.
const fn edges(act: &Act) -> usize {
    match act {
        Act::Start | Act::Pause { .. } | Act::Resume { .. } | Act::Press { .. } => 2,
        Act::Contact { .. } => 1,
        _ => 0,
    }
}

/// Steps that are armed together, by a bench that arms `lead_ns` ahead and is ready again `after_ns` after an act.
fn grouped(plan: &Plan, lead_ns: i64, after_ns: i64) -> Vec<Vec<usize>> {
    let mut trains: Vec<Vec<usize>> = Vec::new();
    // The edges of the train that may still grow, and when the last act was.
    let mut open: Option<usize> = None;
    let mut last: Option<TrueTime> = None;
    for (index, step) in plan.steps.iter().enumerate().filter(|(_, step)| step.act.is_for_the_clock()) {
        let more = edges(&step.act);
        let since_ns = last.map_or(i64::MAX, |last| step.at.ns().saturating_sub(last.ns()));
        // The bench is ready when the run begins, and a while after each act.
        let free_ns = last.map_or(step.at.ns(), |_| since_ns.saturating_sub(after_ns));
        open = match (open, trains.last_mut()) {
            (Some(has), Some(train)) if more > 0 && since_ns <= APART_NS && has + more <= EDGES_MAX => {
                train.push(index);
                Some(has + more)
            }
            _ if more > 0 && free_ns >= lead_ns => {
                trains.push(vec![index]);
                Some(more)
            }
            _ => None,
        };
        last = Some(step.at);
    }
    trains
}

#[cfg(test)]
mod tests {
    use flagfall_core::Side;
    use flagfall_scenarios::read_str;
    use flagfall_trace::plan::Step;

    use super::*;
    use crate::case::Case;

    const EDGE: Act = Act::Contact { side: Side::White, closes: true };

    /// Trains of a bench that arms 8 ms ahead and needs 3 ms for an act, with these acts at these milliseconds.
    fn trains(acts: &[(i64, Act)]) -> Vec<Vec<usize>> {
        let text = "scenario: a test\npoints: [B5]\ncontrol: 5m\ntimeline:\n  - {at: 0s, start: white}\nexpect:\n  - running: white\n";
        let scenario = read_str("test", "test", text).expect("a scenario");
        let mut plan = Case::prepare(scenario).expect("a case").plan;
        plan.steps =
            acts.iter().map(|(ms, act)| Step { at: TrueTime::from_ns(ms * 1_000_000), act: act.clone() }).collect();
        grouped(&plan, 8_000_000, 3_000_000)
    }

    #[test]
    fn edges_within_a_tenth_of_a_second_are_one_train() {
        assert_eq!(trains(&[(8, EDGE), (9, EDGE), (109, EDGE), (210, EDGE)]), [vec![0, 1, 2], vec![3]]);
    }

    #[test]
    fn what_is_no_edge_ends_a_train_and_takes_the_benchs_time() {
        let read = |ms| (ms, Act::Read);
        assert_eq!(trains(&[(20, EDGE), read(25), (30, EDGE)]), [vec![0]], "there is no time to arm the second");
        assert_eq!(trains(&[(20, EDGE), read(25), (36, EDGE)]), [vec![0], vec![2]]);
    }

    #[test]
    fn what_comes_too_early_to_be_armed_is_done_at_a_stop() {
        assert_eq!(trains(&[(0, Act::Start), (5, EDGE), (16, EDGE)]), [vec![2]]);
        assert_eq!(trains(&[(7, EDGE)]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn no_train_has_more_edges_than_the_firmware_keeps() {
        let acts: Vec<(i64, Act)> = (0..9).map(|number| (20 + 20 * number, Act::Start)).collect();
        assert_eq!(trains(&acts), [vec![0, 1, 2, 3, 4, 5, 6, 7], vec![8]], "a press is two edges");
    }
}
