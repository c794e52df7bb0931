//! One scenario from file to verdict.

use std::path::PathBuf;
use std::time::Duration;

use flagfall_judge::oracle::{self, Limits};
use flagfall_judge::rulebook::Rulebook;
use flagfall_judge::{ClockExpectation, arbiter, facts, ruling_check, ruling_rows};
use flagfall_scenarios::{Diagnostics, DiscoverError, Scenario, Source, rulebook};
use flagfall_trace::plan::Plan;
use flagfall_trace::{Check, RunRecord, Subject, Trace, TraceHash, Verdict};

use crate::agreement;
use crate::requirement;
use crate::rig::{Outcome, sim};

/// A scenario that can be run on any rig.
#[derive(Debug)]
pub struct Case {
    /// What the file says.
    pub scenario: Scenario,
    /// With every instant known.
    pub plan: Plan,
}

impl Case {
    /// Reads a scenario, checks that what it expects of rulebooks is expected of some that exist (built in, or among
    /// those given), and computes its instants.
    ///
    /// # Errors
    /// [`Diagnostics`] with every problem and its place.
    pub fn read(source: &Source, rulebooks: &[Rulebook]) -> Result<Self, Diagnostics> {
        let scenario = source.read()?;
        let own = rulebooks.iter().map(|rulebook| rulebook.key.as_str());
        let mut known: Vec<&str> = rulebook::keys().to_vec();
        known.extend(own.filter(|key| !rulebook::keys().contains(key)));
        scenario.check_rulebooks(&known)?;
        Self::prepare(scenario)
    }

    /// Computes the instants of a scenario.
    ///
    /// # Errors
    /// [`Diagnostics`] with the place of the step that has no instant or cannot happen.
    pub fn prepare(scenario: Scenario) -> Result<Self, Diagnostics> {
        match oracle::resolve(scenario.draft.clone()) {
            Ok(plan) => Ok(Self { scenario, plan }),
            Err(error) => Err(scenario.diagnose_step(error.step, &error.cause.to_string())),
        }
    }

    /// Where the trace of the scenario with this id on this rig stands below the folder of the results.
    #[must_use]
    pub fn trace_file_of(id: &str, rig: &str) -> PathBuf {
        PathBuf::from("traces").join(rig).join(format!("{id}.json"))
    }

    /// The scenario's points as texts.
    fn points(&self) -> Vec<String> {
        self.scenario.points.iter().map(ToString::to_string).collect()
    }

    /// Judges what came of this case on a rig, under these rulebooks.
    #[must_use]
    pub fn judge(&self, rig: &str, outcome: Outcome, rulebooks: &[Rulebook]) -> Judged {
        let path = self.scenario.path.display().to_string();
        let mut record = RunRecord {
            points: self.points(),
            requirements: requirement::proved_by(&self.scenario),
            ..record(&self.scenario.id, self.scenario.title.clone(), rig, Verdict::Infra, None)
        };
        let (verdict, subject, reason) = match outcome {
            Outcome::Ran { trace, limits, compare } => {
                self.judge_trace(&trace, &limits, compare, rulebooks, &mut record);
                if let Some(reason) = self.turns_on_less_than_the_bench_hits(&record, compare, rulebooks) {
                    record.checks.clear();
                    record.margins.clear();
                    record.rulings.clear();
                    return Self::not_carried_out(record, path, Verdict::NotApplicable, Subject::Bench, reason);
                }
                let hash = trace.hash();
                record.verdict = RunRecord::worst(&record.checks);
                record.trace_hash = Some(hash.to_string());
                record.trace_file = Some(Self::trace_file_of(&self.scenario.id, rig).display().to_string());
                return Judged { record, path, trace: Some(*trace), hash: Some(hash), took: Duration::ZERO };
            }
            Outcome::Broke(reason) => (Verdict::Fail, Subject::Clock, reason),
            Outcome::Infra(reason) => (Verdict::Infra, Subject::Bench, reason),
            Outcome::NotApplicable(reason) => (Verdict::NotApplicable, Subject::Bench, reason),
            Outcome::Interrupted => (Verdict::NotRun, Subject::Bench, INTERRUPTED.to_owned()),
        };
        Self::not_carried_out(record, path, verdict, subject, reason)
    }

    fn not_carried_out(
        mut record: RunRecord,
        path: String,
        verdict: Verdict,
        subject: Subject,
        reason: String,
    ) -> Judged {
        record.verdict = verdict;
        record.reason = Some(reason.clone());
        record.checks.push(Check {
            subject,
            rulebook: None,
            verdict,
            what: "run".into(),
            expected: "the plan is carried out to its end".into(),
            found: reason,
            line: None,
        });
        Judged { record, path, trace: None, hash: None, took: Duration::ZERO }
    }

    /// Why a run on a bench says nothing about this case: every look at the clock passes, a ruling is another than the
    /// case expects, and at the very instants of the plan it is the one expected. Then a limit of a rulebook lies nearer
    /// to an instant than the bench came to it, and neither the clock nor the rulebook is wrong.
    fn turns_on_less_than_the_bench_hits(
        &self,
        record: &RunRecord,
        on_a_bench: bool,
        rulebooks: &[Rulebook],
    ) -> Option<String> {
        let mut failed = record.checks.iter().filter(|check| check.verdict != Verdict::Pass).peekable();
        let first = failed.peek().filter(|_| on_a_bench)?.what.clone();
        if failed.any(|check| check.subject != Subject::Ruling) {
            return None;
        }
        let Outcome::Ran { trace, limits, .. } = sim::run(&self.plan) else { return None };
        let mut exact = RunRecord { checks: Vec::new(), rulings: Vec::new(), ..record.clone() };
        self.judge_trace(&trace, &limits, false, rulebooks, &mut exact);
        let only_the_instants = RunRecord::worst(&exact.checks) == Verdict::Pass;
        only_the_instants.then(|| format!("{first} {TOO_COARSE}"))
    }

    fn judge_trace(
        &self,
        trace: &Trace,
        limits: &Limits,
        compare: bool,
        rulebooks: &[Rulebook],
        record: &mut RunRecord,
    ) {
        let scenario = &self.scenario;
        let examination = oracle::examine(trace, limits);
        if compare && scenario.clock == ClockExpectation::Right {
            // In virtual time the bound is what the simulated oscillator does: all of it is used, and that says nothing.
            // Nor does a clock that was made to be wrong say how near a right one comes to its bound.
            record.margins = examination.used.iter().map(|used| used.margin(trace)).collect();
        }
        record.checks.push(oracle::check_clock(trace, &examination, &scenario.clock, None));
        // What a clock did of which only the memory is seen is in no records that could be compared.
        if compare && !trace.watched {
            record.checks.extend(oracle::check_time_base(trace, &examination, limits));
            record.checks.extend(oracle::check_kept(trace));
            record.checks.push(agreement::check(trace));
        }
        record.checks.extend(oracle::check_expectations(trace, &examination, &scenario.expectations));
        let facts = facts::assemble(trace);
        for rulebook in rulebooks {
            let rulings = arbiter::rule_on(rulebook, &trace.plan, &facts);
            let expected = scenario.rulings.get(&rulebook.key).map(Vec::as_slice).unwrap_or_default();
            record.checks.extend(ruling_check::check(&rulebook.key, &rulings, expected, &scenario.points));
            record.rulings.extend(ruling_rows::rows(&rulebook.key, &rulings, expected, &scenario.points));
        }
    }
}

/// A record with nothing in it yet.
fn record(id: &str, title: String, rig: &str, verdict: Verdict, reason: Option<String>) -> RunRecord {
    RunRecord {
        schema: RunRecord::SCHEMA,
        scenario: id.to_owned(),
        title,
        points: Vec::new(),
        requirements: Vec::new(),
        rig: rig.to_owned(),
        verdict,
        reason,
        checks: Vec::new(),
        margins: Vec::new(),
        rulings: Vec::new(),
        trace_hash: None,
        trace_file: None,
        retried: None,
    }
}

/// Why a run on a bench says nothing, after the ruling that it is about.
pub const TOO_COARSE: &str = "turns on less than this bench hits an instant by";

/// Why a scenario was not run.
const INTERRUPTED: &str = "the run was interrupted";

/// A verdict and what it rests on.
#[derive(Debug)]
pub struct Judged {
    /// The line for `results.jsonl`.
    pub record: RunRecord,
    /// The scenario's file, to be looked at again.
    pub path: String,
    /// The trace, if there is one.
    pub trace: Option<Trace>,
    /// Its hash.
    pub hash: Option<TraceHash>,
    /// How long it took the host; no verdict depends on it.
    pub took: Duration,
}

impl Judged {
    /// Of a scenario whose turn did not come before the run was interrupted.
    #[must_use]
    pub fn not_run(source: &Source, rig: &str) -> Self {
        let path = source.path().display().to_string();
        Self::without_a_trace(source.id(), path, rig, Verdict::NotRun, INTERRUPTED.to_owned())
    }

    /// Of a file that is no scenario.
    #[must_use]
    pub fn unreadable(source: &Source, rig: &str, diagnostics: &Diagnostics) -> Self {
        let path = source.path().display().to_string();
        Self::without_a_trace(source.id(), path, rig, Verdict::Unreadable, diagnostics.render(false))
    }

    /// Of a file or folder that has no id because nothing was found in it.
    #[must_use]
    pub fn in_the_way(error: &DiscoverError, rig: &str) -> Self {
        let path = error.shown_path();
        Self::without_a_trace(&path.clone(), path, rig, Verdict::Unreadable, error.to_string())
    }

    fn without_a_trace(id: &str, path: String, rig: &str, verdict: Verdict, reason: String) -> Self {
        let record = record(id, path.clone(), rig, verdict, Some(reason));
        Self { record, path, trace: None, hash: None, took: Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use flagfall_core::TrueTime;
    use flagfall_scenarios::{read_str, rulebook};

    use super::*;

    const TWO_MINUTES: &str = "scenario: a test\npoints: [J1]\nregulations: {draw_request: true}\ncontrol: 2h\n\
        opening: {position: \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 30 60\", left: {white: 2m1s, black: 5m}}\ntimeline:\n  \
        - {at: 0s, start: white}\n  - {at: +1s, request_draw: {by: white, ground: cannot-win}}\n  \
        - {at: +1s, press: white}\nexpect:\n  - running: black\nrulings:\n  us-chess: {considered: white}\n";

    /// The verdict on a bench that started the clock 100 us late, and says so.
    fn on_a_bench(text: &str) -> Judged {
        let case = Case::prepare(read_str("test", "test", text).expect("a scenario")).expect("a case");
        let mut plan = case.plan.clone();
        plan.steps[0].at = TrueTime::from_ns(100_000);
        let Outcome::Ran { mut trace, limits, .. } = sim::run(&plan) else { panic!("it runs") };
        trace.plan = case.plan.clone();
        // Known to the nanosecond is only what happened in virtual time.
        trace.records.iter_mut().for_each(|stamped| stamped.uncertainty_ns = 1);
        let rulebooks = [rulebook::builtin("us-chess").expect("it is built in")];
        case.judge("bench", Outcome::Ran { trace, limits, compare: true }, &rulebooks)
    }

    #[test]
    fn a_ruling_that_turns_on_less_than_the_bench_hits_says_nothing_and_a_wrong_one_does() {
        let judged = on_a_bench(TWO_MINUTES);
        assert_eq!(judged.record.verdict, Verdict::NotApplicable, "{:?}", judged.record.checks);
        assert!(judged.record.reason.is_some_and(|reason| reason.starts_with("J1 under us-chess turns on less")));
        let wrong = on_a_bench(&TWO_MINUTES.replace("considered", "not-exempt"));
        assert_eq!(wrong.record.verdict, Verdict::Fail);
        let wrong_clock = on_a_bench(&TWO_MINUTES.replace("running: black", "running: white"));
        assert_eq!(wrong_clock.record.verdict, Verdict::Fail);
    }
}
