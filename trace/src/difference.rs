//! The first place where two traces of one plan part, with what came before.

use std::fmt;

use flagfall_core::{Record, Side};

use crate::trace::{Stamped, Trace};

/// How many records before the difference are shown.
const CONTEXT: usize = 3;

/// Where and how two traces differ first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Index of the record.
    pub index: usize,
    /// What differs.
    pub what: What,
    /// The records of the first trace up to and including the place.
    pub left: Vec<Line>,
    /// Those of the second.
    pub right: Vec<Line>,
}

/// A record and when it took effect, counted from the beginning of its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Ticks of device time since the beginning.
    pub ticks: i128,
    /// The record.
    pub record: Record,
}

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

/// The first difference of two traces: the same events in the same order, each within `bound_ticks(index)` of device time.
///
/// Boot and set-up records are left out by the rigs, so that both begin with the first step of the plan.
#[must_use]
pub fn first(left: &Trace, right: &Trace, bound_ticks: impl Fn(usize) -> u64) -> Option<Difference> {
    for index in 0..left.records.len().max(right.records.len()) {
        let what = match (left.records.get(index), right.records.get(index)) {
            (None, _) => What::LeftEnds,
            (_, None) => What::RightEnds,
            (Some(l), Some(r)) => {
                let (l, r) = (&l.record, &r.record);
                let by_ticks = right.ticks_into_run(r) - left.ticks_into_run(l);
                let bound_ticks = bound_ticks(index);
                if (l.kind, l.side, l.detail) != (r.kind, r.side, r.detail) {
                    What::Event
                } else if by_ticks.unsigned_abs() > u128::from(bound_ticks) {
                    What::Time { by_ticks, bound_ticks }
                } else {
                    continue;
                }
            }
        };
        let context = |trace: &Trace| {
            let end = (index + 1).min(trace.records.len());
            let shown = &trace.records[index.saturating_sub(CONTEXT).min(end)..end];
            let line =
                |stamped: &Stamped| Line { ticks: trace.ticks_into_run(&stamped.record), record: stamped.record };
            shown.iter().map(line).collect()
        };
        return Some(Difference { index, what, left: context(left), right: context(right) });
    }
    None
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            What::LeftEnds => writeln!(f, "the first trace ends before record {}", self.index)?,
            What::RightEnds => writeln!(f, "the second trace ends before record {}", self.index)?,
            What::Event => writeln!(f, "another event at record {}", self.index)?,
            What::Time { by_ticks, bound_ticks } => {
                writeln!(f, "record {} is {by_ticks:+} ticks apart, bound {bound_ticks} ticks", self.index)?;
            }
        }
        for (name, lines) in [("first", &self.left), ("second", &self.right)] {
            for Line { ticks, record } in lines {
                let side = record.side.map_or("-", Side::name);
                writeln!(f, "  {name:<6} {ticks:>16} {:<15} {side}", record.kind)?;
            }
        }
        Ok(())
    }
}
