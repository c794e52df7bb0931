//! The first event in which two traces part, with what came before and after on either side; and where their plans do.
//!
//! What is compared is what the devices wrote. Achieved instants and estimates of true time belong to the bench that
//! made a trace, and two benches never have the same.

mod fields;
mod plans;

use std::fmt;

use flagfall_core::{Record, Side};

use crate::trace::Trace;

pub use fields::{FieldApart, apart};
pub use plans::{PlanDifference, plans};

/// How many records before the difference are shown.
const BEFORE: usize = 3;

/// How many records after it.
const AFTER: usize = 2;

/// How far two traces may be apart and still be alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tolerance {
    /// Ticks by which stamps, and times left, may differ; digits may then differ by one more of their last digit.
    pub ticks: u64,
    /// Whether it does not matter how late a flag was noticed and how long a press was handled: in virtual time neither
    /// takes any.
    pub any_notice: bool,
}

/// Where and how two traces differ first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Index of the record.
    pub index: usize,
    /// What differs.
    pub what: What,
    /// The records of the first trace around the place.
    pub left: Vec<Line>,
    /// Those of the second.
    pub right: Vec<Line>,
}

/// A record and when it took effect, counted from the beginning of its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its index among the records.
    pub index: usize,
    /// Ticks of device time since the beginning.
    pub ticks: i128,
    /// The record.
    pub record: Record,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The first trace ends here.
    LeftEnds,
    /// The second trace ends here.
    RightEnds,
    /// Another kind, side or detail: another event or another order.
    Event,
    /// The same event, further apart in device time than the bound.
    Time {
        /// Ticks of the second minus ticks of the first.
        by_ticks: i128,
        /// The bound that it exceeds, in ticks.
        bound_ticks: u64,
    },
    /// The same event at the same time, with other fields.
    Fields(Vec<FieldApart>),
}

impl What {
    /// A word for it, for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::LeftEnds => "left-ends",
            Self::RightEnds => "right-ends",
            Self::Event => "event",
            Self::Time { .. } => "time",
            Self::Fields(_) => "fields",
        }
    }
}

/// The first difference of two traces: the same events in the same order, alike within the tolerance.
///
/// Boot and set-up records are left out by the rigs, so that both begin with the first step of the plan.
#[must_use]
pub fn first(left: &Trace, right: &Trace, tolerance: &Tolerance) -> Option<Difference> {
    (0..left.records.len().max(right.records.len())).find_map(|index| {
        let what = at(left, right, index, tolerance)?;
        Some(Difference { index, what, left: around(left, index), right: around(right, index) })
    })
}

/// What differs at this record.
fn at(left: &Trace, right: &Trace, index: usize, tolerance: &Tolerance) -> Option<What> {
    let (l, r) = match (left.records.get(index), right.records.get(index)) {
        (None, _) => return Some(What::LeftEnds),
        (_, None) => return Some(What::RightEnds),
        (Some(left), Some(right)) => (&left.record, &right.record),
    };
    if (l.kind, l.side, l.event_detail()) != (r.kind, r.side, r.event_detail()) {
        return Some(What::Event);
    }
    let by_ticks = right.ticks_into_run(r) - left.ticks_into_run(l);
    let bound_ticks = tolerance.ticks;
    if by_ticks.unsigned_abs() > u128::from(bound_ticks) {
        return Some(What::Time { by_ticks, bound_ticks });
    }
    let fields = apart(l, r, left.plan.tick_rate, tolerance);
    (!fields.is_empty()).then_some(What::Fields(fields))
}

fn around(trace: &Trace, index: usize) -> Vec<Line> {
    let end = (index + 1 + AFTER).min(trace.records.len());
    let line = |index: usize| {
        let record = trace.records[index].record;
        Line { index, ticks: trace.ticks_into_run(&record), record }
    };
    (index.saturating_sub(BEFORE).min(end)..end).map(line).collect()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::LeftEnds => writeln!(f, "the first trace ends before record {}", self.index)?,
            What::RightEnds => writeln!(f, "the second trace ends before record {}", self.index)?,
            What::Event => writeln!(f, "another event at record {}", self.index)?,
            What::Time { by_ticks, bound_ticks } => {
                writeln!(f, "record {} is {by_ticks:+} ticks apart, bound {bound_ticks} ticks", self.index)?;
            }
            What::Fields(fields) => {
                let kind =
                    self.left.iter().find(|line| line.index == self.index).map_or("", |line| line.record.kind.name());
                let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
                writeln!(f, "record {}, {kind}: {}", self.index, fields.join(", "))?;
            }
        }
        for (name, lines) in [("first", &self.left), ("second", &self.right)] {
            writeln!(f, "  {name:<6} record       ticks  event             side     White    Black")?;
            for line in lines {
                writeln!(f, "       {}{line}", if line.index == self.index { ">" } else { " " })?;
            }
            if lines.last().is_none_or(|line| line.index < self.index) {
                writeln!(f, "       > no record {}", self.index)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, ticks, record } = self;
        let side = record.side.map_or("-", Side::name);
        let [white, black] = [record.shown.white, record.shown.black].map(|face| face.to_string());
        write!(f, "{index:>7} {ticks:>11}  {:<16}  {side:<5} {white:>8} {black:>8}", record.kind)
    }
}
