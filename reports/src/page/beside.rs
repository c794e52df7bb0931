//! The runs of one scenario on several rigs, side by side: where do they part first?
//!
//! Compared is what does not hang on the bench: which events, in which order, and what they make of moves, periods and
//! flags. Ticks are not: a bench presses some microseconds beside the plan.

use std::path::PathBuf;

use flagfall_trace::{RunRecord, Stamped, Trace};

use super::Shown;
use crate::error::ReportError;
use crate::results::{Records, trace_of};
use crate::words;

/// A run with its record and its trace.
pub(super) struct Told {
    pub(super) record: RunRecord,
    pub(super) trace: Option<Trace>,
    /// The name of its place on the page.
    pub(super) id: String,
}

/// Where a run parts from another.
pub(super) struct Parts {
    /// The number of its record.
    pub(super) record: usize,
    pub(super) words: String,
}

/// Reads the runs of one scenario.
pub(super) fn read(folders: &[PathBuf], records: &mut [Records], runs: &[Shown]) -> Result<Vec<Told>, ReportError> {
    let told = runs.iter().map(|run| {
        let mut record = records[run.folder].at(run.at)?;
        let trace = trace_of(&folders[run.folder], &record)?;
        record.rig.clone_from(&run.rig);
        Ok(Told { record, trace, id: run.id.clone() })
    });
    told.collect()
}

/// The run that the others are compared with: that in virtual time, if there is one, else the first with a trace.
fn reference(told: &[Told]) -> Option<usize> {
    let with_trace = |told: &Told| told.trace.is_some();
    let virtual_time = told.iter().position(|told| with_trace(told) && told.record.rig == "sim");
    virtual_time.or_else(|| told.iter().position(with_trace))
}

/// Where this run parts from the reference first, if it does; of the reference, where the first other one does.
pub(super) fn parting(told: &[Told], index: usize) -> Option<Parts> {
    let reference = reference(told)?;
    if index != reference {
        return part(told, reference, index);
    }
    (0..told.len()).filter(|other| *other != reference).find_map(|other| part(told, other, index))
}

fn part(told: &[Told], from: usize, index: usize) -> Option<Parts> {
    let (other, own) = (told[from].trace.as_ref()?, told[index].trace.as_ref()?);
    let rig = told[from].record.rig.as_str();
    let record = first(other, own)?;
    let say =
        |trace: &Trace| trace.records.get(record).map_or("nothing more".to_owned(), |stamped| said(trace, stamped));
    let words = format!("parts from {rig} at record {record}: there {}, here {}", say(other), say(own));
    Some(Parts { record, words })
}

/// The first record in which two traces differ, whatever their ticks.
fn first(left: &Trace, right: &Trace) -> Option<usize> {
    let told = |stamped: &Stamped| {
        let record = &stamped.record;
        let state = (record.phase, record.moves, record.period, record.fallen, record.first_fallen);
        (record.kind, record.side, record.detail, state)
    };
    let pairs = left.records.iter().zip(&right.records);
    let other = pairs.clone().position(|(left, right)| told(left) != told(right));
    other.or_else(|| (left.records.len() != right.records.len()).then(|| pairs.count()))
}

fn said(trace: &Trace, stamped: &Stamped) -> String {
    let event = words::event(&stamped.record);
    match words::effect(&stamped.record, trace.plan.tick_rate) {
        Some(effect) if effect != event => format!("\u{201c}{event}: {effect}\u{201d}"),
        _ => format!("\u{201c}{event}\u{201d}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{self, Bench};

    #[test]
    fn two_rigs_part_where_something_else_happened_and_not_where_it_happened_later() {
        let exact = Bench::EXACT.run(&bench::both_flags());
        let late = Bench { ppb: 30_000, bracket_ns: 400, latency_ns: |_| 2_000, ..Bench::EXACT };
        let late = late.run(&bench::both_flags());
        assert_eq!(first(&exact, &late), None);
        let mut other = exact.clone();
        other.records[5].record.moves.white += 1;
        assert_eq!(first(&exact, &other), Some(5));
        other.records.remove(3);
        assert_eq!(first(&exact, &other), Some(3));
        other.records.truncate(2);
        assert_eq!(first(&exact, &other), Some(2));
    }
}
