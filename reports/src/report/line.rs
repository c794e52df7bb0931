//! One line for a log, with what stands behind each figure: `sim: drift -0.50 ± 0.20 ppm over 7200 s; ...`.

use super::{DriftReport, LatencyReport, Report, RigReport};
use crate::page::share;
use crate::quantity;

impl Report {
    /// A line for each rig that measured anything; in virtual time nothing is.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.rigs.iter().filter(|rig| rig.measured()).filter_map(line).collect()
    }
}

fn line(rig: &RigReport) -> Option<String> {
    let mut parts = Vec::new();
    parts.extend(rig.drift.as_ref().map(drift));
    parts.extend(rig.latency.as_ref().map(latency));
    if let Some(smallest) = &rig.smallest_margin {
        parts.push(format!(
            "bounds used up to {:.0} % ({} of {}, {})",
            100.0 * share(&smallest.margin),
            quantity::span(smallest.margin.off_ns.into()),
            quantity::span(smallest.margin.bound_ns.into()),
            smallest.scenario
        ));
    }
    (!parts.is_empty()).then(|| format!("{}: {}", rig.rig, parts.join("; ")))
}

/// `drift +20.000 ± 0.040 ppm over 7200 s`.
pub(super) fn drift(drift: &DriftReport) -> String {
    let interval = quantity::interval_ppm(drift.ppm, drift.half_width_ppm);
    format!("drift {interval} over {:.0} s", drift.over_ns as f64 / 1e9)
}

/// `press to stamp at most 101 ± 1 µs (p95 of 412)`: the percentile that the samples are enough for, else the maximum.
pub(super) fn latency(latency: &LatencyReport) -> String {
    let (value, name) = match (latency.p99_ns, latency.p95_ns) {
        (Some(ns), _) => (ns, "p99"),
        (None, Some(ns)) => (ns, "p95"),
        (None, None) => (latency.max_ns, "max"),
    };
    let (value, doubt) = (quantity::span(value.into()), quantity::span(latency.uncertainty_ns.into()));
    format!("press to stamp at most {value} ± {doubt} ({name} of {})", latency.n)
}
