//! One scenario of a run on its way from its file to its verdict; its trace goes to disk and out of memory.

use std::path::Path;
use std::time::Instant;

use flagfall_core::TrueTime;
use flagfall_judge::rulebook::Rulebook;
use flagfall_reports::timeline;
use flagfall_scenarios::{Diagnostics, Source};
use flagfall_trace::bench_record::StackUse;
use flagfall_trace::{Trace, TraceFileError};

use crate::case::{Case, Judged};
use crate::rig::board::Attempted;

/// What is left of a scenario when it is done.
#[derive(Debug)]
pub struct Finished {
    /// Without its trace.
    pub judged: Judged,
    /// Each press of the trace in a line, where they are wanted.
    pub presses: Vec<String>,
    /// What is wrong with the file, if it is no scenario.
    pub unreadable: Option<Diagnostics>,
    /// How deep the firmware's stack was, on a board that says so.
    pub stack: Option<StackUse>,
    /// Whether the trace is on disk.
    pub kept: Result<(), TraceFileError>,
}

/// What all scenarios of a run have in common.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// The rig's name.
    pub rig: &'a str,
    /// Those that rule.
    pub rulebooks: &'a [Rulebook],
    /// The folder that is being filled.
    pub results: &'a Path,
    /// Whether each press is to be told.
    pub presses: bool,
}

impl Bench<'_> {
    /// Reads, carries out, judges and keeps one scenario.
    pub fn work(&self, source: &Source, mut carry_out: impl FnMut(&Case) -> Attempted) -> Finished {
        let begun = Instant::now();
        let mut done = match Case::read(source, self.rulebooks) {
            Ok(case) => {
                let Attempted { outcome, retried, stack } = carry_out(&case);
                let mut judged = case.judge(self.rig, outcome, self.rulebooks);
                judged.record.retried = retried;
                Finished { stack, ..self.kept(judged) }
            }
            Err(diagnostics) => Finished {
                judged: Judged::unreadable(source, self.rig, &diagnostics),
                presses: Vec::new(),
                unreadable: Some(diagnostics),
                stack: None,
                kept: Ok(()),
            },
        };
        done.judged.took = begun.elapsed();
        done
    }

    fn kept(&self, mut judged: Judged) -> Finished {
        let trace = judged.trace.take();
        let presses = trace.as_ref().filter(|_| self.presses).map(presses_of).unwrap_or_default();
        let kept = match (&trace, &judged.record.trace_file) {
            (Some(trace), Some(file)) => trace.write(&self.results.join(file)),
            _ => Ok(()),
        };
        Finished { judged, presses, unreadable: None, stack: None, kept }
    }
}

/// Each press with its instant in the hall, on the bench counter, and the device's own stamp.
fn presses_of(trace: &Trace) -> Vec<String> {
    // An edge of a contact that bounces is no press that somebody missed, and nothing is said of it.
    let told = |line: &timeline::TimelineLine| line.device.is_some() || trace.watched || !line.effect.is_empty();
    let lines = timeline::lines(trace).into_iter().filter(|line| line.mark == timeline::Mark::Press && told(line));
    lines
        .map(|line| {
            let who = line.who.map_or(String::new(), |who| who.to_string());
            let stamp = match line.device {
                Some(stamp) => format!(
                    "device {} s, {:+} us",
                    TrueTime::from_ns(i64::try_from(stamp.ns_into_run).unwrap_or(i64::MAX)),
                    (stamp.ns_into_run - i128::from(line.true_time.ns())) / 1_000
                ),
                None if trace.watched => "watched: its effect is in what the memory shows".to_owned(),
                None => "device: not noticed".to_owned(),
            };
            format!("press {who}: true {} s, {stamp}", line.true_time)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use flagfall_scenarios::read_str;

    use super::*;
    use crate::rig::{Outcome, sim};

    #[test]
    fn an_edge_that_is_no_press_is_no_press_that_was_missed() {
        let text = "scenario: a test\npoints: [B5]\ncontrol: 5m\ntimeline:\n  - {at: 0s, start: white}\n  \
                    - {at: +1s, press: {side: white, wave: [0us, 900us off, 1400us on, 3ms off]}}\n";
        let case = Case::prepare(read_str("test", "test", text).expect("a scenario")).expect("a case");
        let Outcome::Ran { trace, .. } = sim::run(&case.plan) else { panic!("it runs") };
        let presses = presses_of(&trace);
        assert_eq!(presses.len(), 1, "{presses:?}");
        assert!(presses[0].starts_with("press white: true 1.000000000 s, device "), "{presses:?}");
    }
}
