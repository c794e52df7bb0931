//! Where two traces part, as objects for programs and as lines for people.

use std::path::Path;

use flagfall_core::{BySide, Record, Side};
use flagfall_reports::timeline::{instant, sentence};
use flagfall_trace::difference::{Difference, Line, PlanDifference, What};
use flagfall_trace::{Step, Trace};
use serde::Serialize;

use crate::terminal::count;

/// A trace that is compared.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The file; none for what was made for the comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The scenario that it is of.
    pub scenario: String,
    /// Its hash.
    pub trace_hash: String,
    /// How many events it has.
    pub events: usize,
}

impl Compared {
    /// A trace and where it comes from.
    #[must_use]
    pub fn of(trace: &Trace, file: Option<&Path>) -> Self {
        Self {
            file: file.map(|file| file.display().to_string()),
            scenario: trace.plan.scenario.clone(),
            trace_hash: trace.hash().to_string(),
            events: trace.records.len(),
        }
    }

    /// `both-flags/x, trace 0123456789abcdef, 9 events`, after the file.
    #[must_use]
    pub fn line(&self) -> String {
        let file = self.file.as_ref().map_or(String::new(), |file| format!("{file}: "));
        format!("{file}{}, trace {}, {}", self.scenario, self.trace_hash, count(self.events, "event"))
    }
}

/// The first event that differs.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    index: usize,
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_ticks: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_ticks: Option<u64>,
    fields: Vec<Field>,
    first: Vec<Written>,
    second: Vec<Written>,
}

#[derive(Clone, Debug, Serialize)]
struct Field {
    name: &'static str,
    first: String,
    second: String,
}

/// A record of either side.
#[derive(Clone, Debug, Serialize)]
struct Written {
    index: usize,
    ticks: i64,
    kind: &'static str,
    side: Option<Side>,
    detail: u16,
    value: u64,
    running: Option<Side>,
    left_ticks: BySide<u64>,
    delay_ticks: u64,
    shown: BySide<String>,
    moves: BySide<u16>,
    fallen: BySide<bool>,
}

impl From<&Difference> for Event {
    fn from(difference: &Difference) -> Self {
        let (by_ticks, bound_ticks) = match difference.what {
            What::Time { by_ticks, bound_ticks } => (Some(held(by_ticks)), Some(bound_ticks)),
            _ => (None, None),
        };
        let fields = match &difference.what {
            What::Fields(fields) => fields.as_slice(),
            _ => &[],
        };
        let field =
            fields.iter().map(|one| Field { name: one.name, first: one.left.clone(), second: one.right.clone() });
        Self {
            index: difference.index,
            what: difference.what.name(),
            by_ticks,
            bound_ticks,
            fields: field.collect(),
            first: difference.left.iter().map(Written::from).collect(),
            second: difference.right.iter().map(Written::from).collect(),
        }
    }
}

impl From<&Line> for Written {
    fn from(line: &Line) -> Self {
        let Record { kind, side, detail, value, delay_ticks, moves, fallen, .. } = line.record;
        Self {
            index: line.index,
            ticks: held(line.ticks),
            kind: kind.name(),
            side,
            detail,
            value,
            running: line.record.running(),
            left_ticks: line.record.remaining_ticks,
            delay_ticks,
            shown: line.record.shown.map(|face| face.to_string()),
            moves,
            fallen,
        }
    }
}

/// Ticks of a run as a number that JSON readers take; a time base far beyond that stays at the end.
fn held(ticks: i128) -> i64 {
    i64::try_from(ticks).unwrap_or(if ticks < 0 { i64::MIN } else { i64::MAX })
}

/// A part in which two plans differ.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PlanPart {
    /// A value, by its path.
    Value {
        /// The way to it, with dots.
        path: String,
        /// What the first plan has.
        first: String,
        /// What the second has.
        second: String,
    },
    /// A step.
    Step {
        /// Its index.
        step: usize,
        /// The first plan's.
        first: Option<Step>,
        /// The second plan's.
        second: Option<Step>,
    },
}

impl From<PlanDifference> for PlanPart {
    fn from(difference: PlanDifference) -> Self {
        match difference {
            PlanDifference::Value { path, left, right } => Self::Value { path, first: left, second: right },
            PlanDifference::Step { index, left, right } => Self::Step { step: index, first: left, second: right },
        }
    }
}

impl PlanPart {
    /// A line for people, not ended.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Value { path, first, second } => {
                format!("{path}: {} -> {}", at_end(path, first), at_end(path, second))
            }
            Self::Step { step, first, second } => {
                format!("step {step}: {} -> {}", step_words(first.as_ref()), step_words(second.as_ref()))
            }
        }
    }
}

/// The end of a plan is an instant; everything else stands as it is.
fn at_end(path: &str, text: &str) -> String {
    match text.parse::<i64>() {
        Ok(ns) if path == "end" => instant(ns),
        _ => text.to_owned(),
    }
}

fn step_words(step: Option<&Step>) -> String {
    step.map_or("no more steps".to_owned(), |Step { at, act }| format!("{} at {}", sentence(act), instant(at.ns())))
}
