//! Which record of the clock answers which step of the bench.
//!
//! A clock may miss a press, or note one press twice, so the n-th press record need not answer the n-th press. An
//! effect never comes before its cause: from the last record back, each answers the last step that can have caused it
//! and is not answered yet; then each step takes the first record that it can have caused. A clock that misses one
//! press and notes the next one twice cannot be told from a slow one, and is taken for that.

use flagfall_core::record::Kind;
use flagfall_core::{Side, TrueTime};
use flagfall_trace::{Achieved, Act, Stamped, Trace};

/// The pairs of achieved steps and the records that answer them, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answers {
    record_of: Vec<Option<usize>>,
    achieved_of: Vec<Option<usize>>,
}

/// What a step makes the clock write first: a kind and whose.
type Answer = (Kind, Option<Side>);

/// The act of an achieved step, if the plan has it.
pub(crate) fn act<'a>(trace: &'a Trace, achieved: &Achieved) -> Option<&'a Act> {
    trace.plan.steps.get(achieved.step as usize).map(|step| &step.act)
}

impl Answers {
    pub(crate) fn of(trace: &Trace) -> Self {
        let wanted: Vec<Option<Answer>> =
            trace.achieved.iter().map(|achieved| act(trace, achieved).and_then(Act::leaves)).collect();
        let mut answers = Self { record_of: vec![None; wanted.len()], achieved_of: vec![None; trace.records.len()] };
        let mut kinds: Vec<Answer> = wanted.iter().flatten().copied().collect();
        kinds.sort();
        kinds.dedup();
        for kind in kinds {
            let steps: Vec<usize> = (0..wanted.len()).filter(|index| wanted[*index] == Some(kind)).collect();
            let records: Vec<usize> = (0..trace.records.len())
                .filter(|index| (trace.records[*index].record.kind, trace.records[*index].record.side) == kind)
                .collect();
            let causes: Vec<TrueTime> = steps.iter().map(|index| trace.achieved[*index].earliest).collect();
            let effects: Vec<&Stamped> = records.iter().map(|index| &trace.records[*index]).collect();
            for (step, effect) in pair(&causes, &effects).into_iter().enumerate() {
                let Some(effect) = effect else { continue };
                answers.record_of[steps[step]] = Some(records[effect]);
                answers.achieved_of[records[effect]] = Some(steps[step]);
            }
        }
        answers
    }

    /// The record that answers the achieved step with this index.
    pub(crate) fn record(&self, achieved: usize) -> Option<usize> {
        self.record_of.get(achieved).copied().flatten()
    }

    /// The achieved step that the record with this index answers.
    pub(crate) fn achieved(&self, record: usize) -> Option<usize> {
        self.achieved_of.get(record).copied().flatten()
    }
}

/// For each cause the index of its effect; both lists are in order.
fn pair(causes: &[TrueTime], effects: &[&Stamped]) -> Vec<Option<usize>> {
    let can_cause = |cause: TrueTime, effect: &Stamped| {
        i128::from(effect.true_time.ns()) + i128::from(effect.uncertainty_ns) >= i128::from(cause.ns())
    };
    let mut pairs = vec![None; causes.len()];
    let mut open = causes.len();
    for (index, effect) in effects.iter().enumerate().rev() {
        let Some(cause) = causes[..open].iter().rposition(|cause| can_cause(*cause, effect)) else { continue };
        pairs[cause] = Some(index);
        open = cause;
    }
    let mut free = 0;
    for (cause, pair) in pairs.iter_mut().enumerate() {
        let Some(last) = *pair else { continue };
        let first = (free..=last).find(|index| can_cause(causes[cause], effects[*index]));
        *pair = first.or(Some(last));
        free = pair.map_or(free, |index| index + 1);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use flagfall_core::{BySide, Phase, Record};

    use super::*;

    fn paired(causes: &[i64], effects: &[i64]) -> Vec<Option<usize>> {
        let record = Record {
            kind: Kind::PRESSED,
            side: Some(Side::White),
            seq: 0,
            detail: 0,
            at: flagfall_core::DeviceTime::ZERO,
            value: 0,
            phase: Phase::Ready,
            remaining_ticks: BySide::both(0),
            delay_ticks: 0,
            shown: BySide::both(flagfall_core::Face::from_seconds(0)),
            shown_delay_seconds: 0,
            overtime: BySide::both(0),
            moves: BySide::both(0),
            period: BySide::both(0),
            fallen: BySide::both(false),
            first_fallen: None,
            battery_low: false,
        };
        let stamped: Vec<Stamped> =
            effects.iter().map(|ns| Stamped { true_time: TrueTime::from_ns(*ns), uncertainty_ns: 2, record }).collect();
        let causes: Vec<TrueTime> = causes.iter().map(|ns| TrueTime::from_ns(*ns)).collect();
        pair(&causes, &stamped.iter().collect::<Vec<_>>())
    }

    #[test]
    fn each_press_has_its_record() {
        assert_eq!(paired(&[100, 200, 300], &[101, 201, 301]), [Some(0), Some(1), Some(2)]);
        assert_eq!(paired(&[], &[5]), []);
        assert_eq!(paired(&[5], &[]), [None]);
    }

    #[test]
    fn a_lost_press_has_none() {
        assert_eq!(paired(&[100, 200, 300], &[101, 301]), [Some(0), None, Some(1)]);
        assert_eq!(paired(&[100, 200, 300], &[201, 301]), [None, Some(0), Some(1)]);
    }

    #[test]
    fn a_press_noted_twice_is_answered_by_the_first() {
        assert_eq!(paired(&[100, 200], &[101, 102, 201]), [Some(0), Some(2)]);
    }

    #[test]
    fn presses_faster_than_the_clock_are_answered_in_order() {
        assert_eq!(paired(&[100, 101, 300], &[110, 111, 301]), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn an_effect_does_not_come_before_its_cause_beyond_the_uncertainty() {
        assert_eq!(paired(&[100], &[98]), [Some(0)]);
        assert_eq!(paired(&[100], &[97]), [None]);
    }
}
