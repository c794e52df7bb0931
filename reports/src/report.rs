//! The same report for programs and for pull requests: `report.json`, a Markdown summary, one line for a log.
//!
//! `report.schema.json` says what stands in the JSON; its version grows with every change that a reader could stumble over.

mod line;
mod markdown;
mod timing;

use timing::{MaskReport, OnDeviceReport, TimingReport, WorstReport};

use std::collections::BTreeMap;

use flagfall_trace::{BenchRecord, Margin, Verdict};
use serde::Serialize;

use crate::coverage::{Coverage, CoverageRow};
use crate::page::{Rig, Shown, share};
use crate::statistics::{Mask, Percentile};
use crate::time_error::Drift;

/// What all runs of some folders come to.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this form: [`Report::SCHEMA`].
    pub schema: u32,
    /// The limit that time errors were held to.
    pub mask: MaskReport,
    /// Which clock is worst; `None` where nothing was timed.
    pub worst: Option<WorstReport>,
    /// Each rig, by name.
    pub rigs: Vec<RigReport>,
    /// On what the runs on boards were made, a folder each.
    pub benches: Vec<BenchRecord>,
    /// Each run, by scenario and rig.
    pub runs: Vec<RunReport>,
    /// What was asked of the clock and what the runs show of it; `None` where nothing was.
    pub requirements: Option<Vec<CoverageRow>>,
}

/// What the runs of a rig come to.
#[derive(Clone, Debug, Serialize)]
pub struct RigReport {
    /// The rig.
    pub rig: String,
    /// How many runs came out how; verdicts that there are none of are left out.
    pub verdicts: BTreeMap<&'static str, usize>,
    /// The hash of all traces.
    pub trace_set: Option<String>,
    /// From press to stamp, over all runs.
    pub latency: Option<LatencyReport>,
    /// Latencies of which the device stamps both ends, over all runs.
    pub on_device: Option<OnDeviceReport>,
    /// Whether its time was jumped: then no drift and no timing is told of it.
    pub jumped: bool,
    /// Of the run over which the drift is known best.
    pub drift: Option<DriftReport>,
    /// The largest share of a bound that a run used which passed.
    pub smallest_margin: Option<MarginReport>,
}

/// How late a clock stamps a press at most, in nanoseconds.
#[derive(Clone, Debug, Serialize)]
pub struct LatencyReport {
    /// How many presses were stamped.
    pub n: usize,
    /// How many were not noticed.
    pub unanswered: usize,
    /// The shortest.
    pub min_ns: i64,
    /// Half are no longer, by nearest rank.
    pub p50_ns: i64,
    /// 95 % are no longer; `None` under 59 samples.
    pub p95_ns: Option<i64>,
    /// 99 % are no longer; `None` under 299 samples.
    pub p99_ns: Option<i64>,
    /// The longest.
    pub max_ns: i64,
    /// How far a stamp may be off.
    pub uncertainty_ns: i64,
    /// By how much a latency may be shorter, because the bench knows the instant of a press no better.
    pub bracket_ns: i64,
}

/// The slope of the time error between the ends of a run.
#[derive(Clone, Debug, Serialize)]
pub struct DriftReport {
    /// The scenario.
    pub scenario: String,
    /// Parts per million, above zero for a fast device.
    pub ppm: f64,
    /// Guaranteed half-width in parts per million.
    pub half_width_ppm: f64,
    /// True time between both ends, in nanoseconds.
    pub over_ns: i64,
}

/// How much of a bound was used.
#[derive(Clone, Debug, Serialize)]
pub struct MarginReport {
    /// The scenario.
    pub scenario: String,
    /// Where it came nearest.
    #[serde(flatten)]
    pub margin: Margin,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// `family/file-stem`.
    pub scenario: String,
    /// The rig.
    pub rig: String,
    /// What the scenario is about.
    pub title: String,
    /// Rule points that it is a case for.
    pub points: Vec<String>,
    /// How it came out.
    pub verdict: Verdict,
    /// Why it is not as it should be, in a line.
    pub reason: Option<String>,
    /// Checks that passed.
    pub checks_passed: usize,
    /// All checks.
    pub checks: usize,
    /// Hash of the trace.
    pub trace_hash: Option<String>,
    /// Where it came nearest to a bound.
    pub margin: Option<Margin>,
    /// The drift of the device, where its points span any time.
    pub drift: Option<DriftReport>,
    /// Rate, errors and verdict of the mask, where there is a trace.
    pub timing: Option<TimingReport>,
    /// Where it parts from the run on another rig.
    pub parts: Option<String>,
}

impl Report {
    /// The version of the form.
    pub const SCHEMA: u32 = 4;

    pub(crate) fn of(shown: Vec<Shown>, rigs: &BTreeMap<String, Rig>, coverage: Option<Coverage>, mask: &Mask) -> Self {
        let names: std::collections::BTreeSet<&str> = shown.iter().map(|run| run.rig.as_str()).collect();
        Self {
            schema: Self::SCHEMA,
            mask: MaskReport::of(mask),
            worst: WorstReport::of(&shown, mask),
            rigs: names.into_iter().map(|rig| rig_report(rig, &shown, rigs.get(rig))).collect(),
            benches: Vec::new(),
            runs: shown.into_iter().map(run_report).collect(),
            requirements: coverage.map(|coverage| coverage.rows),
        }
    }

    /// The JSON Schema of `report.json`.
    #[must_use]
    pub const fn json_schema() -> &'static str {
        include_str!("../report.schema.json")
    }

    /// Writes the report as `report.json` has it, run by run: of a large set the text is as large as the report.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_json(&self, to: &mut impl std::io::Write) -> std::io::Result<()> {
        serde_json::to_writer_pretty(&mut *to, self)?;
        to.write_all(b"\n")
    }

    /// The report as `report.json` has it.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has string keys only") + "\n"
    }
}

impl RigReport {
    /// Whether a bench looked, and not virtual time, where every stamp is that of its instant.
    fn measured(&self) -> bool {
        self.latency.as_ref().is_some_and(|latency| latency.max_ns > 0 || latency.uncertainty_ns > 0)
    }
}

fn rig_report(rig: &str, shown: &[Shown], traces: Option<&Rig>) -> RigReport {
    let runs = || shown.iter().filter(|run| run.rig == rig);
    let mut verdicts = BTreeMap::new();
    for run in runs() {
        *verdicts.entry(run.verdict.name()).or_default() += 1;
    }
    let drifts = runs().filter_map(drift_report);
    let passed = runs().filter(|run| run.verdict == Verdict::Pass);
    let margins = passed.filter_map(|run| Some((run, run.margin.clone()?)));
    RigReport {
        rig: rig.to_owned(),
        verdicts,
        trace_set: traces.and_then(Rig::hash),
        latency: traces.and_then(latency_report),
        on_device: traces.map(|rig| OnDeviceReport::of(&rig.on_device)),
        jumped: traces.is_some_and(|rig| rig.jumped),
        drift: drifts.min_by(|a, b| a.half_width_ppm.total_cmp(&b.half_width_ppm)),
        smallest_margin: margins
            .max_by(|a, b| share(&a.1).total_cmp(&share(&b.1)))
            .map(|(run, margin)| MarginReport { scenario: run.scenario.clone(), margin }),
    }
}

fn latency_report(traces: &Rig) -> Option<LatencyReport> {
    let latencies = &traces.latencies;
    let summary = latencies.summary()?;
    let known = |percentile| match percentile {
        Percentile::Value(ns) => Some(ns),
        Percentile::TooFew(_) => None,
    };
    Some(LatencyReport {
        n: summary.n,
        unanswered: latencies.unanswered(),
        min_ns: summary.min,
        p50_ns: summary.p50,
        p95_ns: known(summary.p95),
        p99_ns: known(summary.p99),
        max_ns: summary.max,
        uncertainty_ns: latencies.uncertainty_ns(),
        bracket_ns: latencies.bracket_ns(),
    })
}

fn drift_report(run: &Shown) -> Option<DriftReport> {
    let Drift { ppm, half_width_ppm, over_ns } = run.drift.as_ref()?.drift()?;
    Some(DriftReport { scenario: run.scenario.clone(), ppm, half_width_ppm, over_ns })
}

fn run_report(run: Shown) -> RunReport {
    let drift = drift_report(&run);
    let reason = run.reason.map(|reason| match reason.what {
        None => reason.found,
        Some(what) => format!("{what}: {}", reason.found),
    });
    RunReport {
        scenario: run.scenario,
        rig: run.rig,
        title: run.title,
        points: run.points,
        verdict: run.verdict,
        reason,
        checks_passed: run.passed,
        checks: run.checks,
        trace_hash: run.trace_hash,
        margin: run.margin,
        drift,
        timing: run.timing.as_ref().map(TimingReport::of),
        parts: run.parts,
    }
}
