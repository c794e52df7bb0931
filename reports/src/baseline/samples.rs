//! The values of each measure in traces.

use std::collections::BTreeMap;

use flagfall_core::record::Kind;
use flagfall_trace::{Act, Trace};

use super::Measure;
use crate::answer::{self, Answers};
use crate::game::Account;
use crate::quantity::ns_of_ticks;
use crate::statistics::{Read, TwoWayFit};

/// A run that is shorter says nothing of a rate.
const SPAN_MIN_NS: i64 = 1_000_000_000;

/// Values by measure and scenario.
#[derive(Debug, Default)]
pub(super) struct Samples(pub(super) BTreeMap<Measure, BTreeMap<String, Vec<i64>>>);

impl Samples {
    /// Adds what a trace has; a clock that is only looked at has no stamps, and one with hands no ticks. Where time was jumped
    /// there is no rate.
    pub(super) fn add(&mut self, scenario: &str, trace: &Trace, jumped: bool) {
        if trace.watched || !trace.plan.clock_kind.is_digital() {
            return;
        }
        if let Ok(account) = Account::of(trace) {
            let counted = !jumped && trace.jumps.is_empty();
            if let Some((drift, jitter)) = rate_of(&account.reads).filter(|_| counted) {
                self.push(Measure::Drift, scenario, [drift]);
                self.push(Measure::Jitter, scenario, [jitter]);
            }
            self.push(Measure::Charge, scenario, account.turns_beyond_ns());
        }
        self.push(Measure::Press, scenario, presses(trace));
        let of_records = |kind: Kind| {
            let records = trace.records.iter().map(|stamped| stamped.record).filter(move |record| record.kind == kind);
            records.map(|record| clamp(ns_of_ticks(record.value.into(), trace.plan.tick_rate)))
        };
        self.push(Measure::Switch, scenario, of_records(Kind::SWITCHED));
        self.push(Measure::Flag, scenario, of_records(Kind::FLAG_FELL));
        let shown = trace.displayed.iter().map(|shown| clamp(ns_of_ticks(shown.ticks.into(), trace.plan.tick_rate)));
        self.push(Measure::Display, scenario, shown);
    }

    fn push(&mut self, measure: Measure, scenario: &str, values: impl IntoIterator<Item = i64>) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.0.entry(measure).or_default().entry(scenario.to_owned()).or_default().extend(values);
        }
    }
}

/// The rate of stamps in parts per billion, and how far they are from its line in nanoseconds, root mean square.
fn rate_of(reads: &[Read]) -> Option<(i64, i64)> {
    let (first, last) = (reads.first()?, reads.last()?);
    if first.span_to(last) < SPAN_MIN_NS {
        return None;
    }
    let rate = TwoWayFit::of(reads)?.rate;
    let points: Vec<(f64, f64)> = reads.iter().map(Read::error_point).collect();
    let began = points[0].0;
    let beside = |(at, error): &(f64, f64)| error - rate * (at - began);
    let mean = points.iter().map(beside).sum::<f64>() / points.len() as f64;
    let square = points.iter().map(|point| (beside(point) - mean).powi(2)).sum::<f64>() / points.len() as f64;
    // Whole numbers: what a file holds is compared, and not what a platform's last digit is.
    Some(((rate * 1e9).round() as i64, square.sqrt().round() as i64))
}

/// How late each press was stamped, at most.
fn presses(trace: &Trace) -> Vec<i64> {
    let answers = Answers::of(trace);
    let late = |(index, achieved): (usize, &flagfall_trace::Achieved)| {
        matches!(answer::act(trace, achieved), Some(Act::Press { .. })).then_some(())?;
        let stamp = trace.records[answers.record(index)?].true_time.ns();
        Some(stamp.saturating_sub(achieved.earliest.ns()))
    };
    trace.achieved.iter().enumerate().filter_map(late).collect()
}

fn clamp(ns: i128) -> i64 {
    i64::try_from(ns).unwrap_or(i64::MAX)
}
