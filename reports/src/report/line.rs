//! One line for a log, with what stands behind each figure: `sim: drift -0.50 ± 0.20 ppm over 7200 s; ...`.

use super::timing::SamplesReport;
use super::{DriftReport, LatencyReport, Report, RigReport};
use crate::page::share;
use crate::quantity;
use crate::timing::incomplete;

impl Report {
    /// That the run is incomplete, if it is; which clock is bad, if one is, with what it may be off; and a line for each rig that measured anything, which in
    /// virtual time nothing is.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let incomplete = incomplete(self.runs.iter().map(|run| run.verdict)).is_some();
        let worst = self.worst.iter().filter(|worst| worst.is_bad || incomplete).map(|worst| {
            let of = worst.scenario.as_ref().filter(|_| worst.by.is_empty());
            let of = of.map_or(String::new(), |scenario| format!(" ({scenario})"));
            format!("{}{of}", worst.words)
        });
        worst.chain(self.rigs.iter().filter(|rig| rig.measured() || rig.jumped).filter_map(line)).collect()
    }
}

/// What is said of a rig in jumped time instead of a drift.
pub(super) const JUMPED: &str = "jumped time, no rate or drift measured";

fn line(rig: &RigReport) -> Option<String> {
    let mut parts = Vec::new();
    parts.extend(rig.jumped.then(|| JUMPED.to_owned()));
    parts.extend(rig.drift.as_ref().map(drift));
    parts.extend(rig.latency.as_ref().map(latency));
    parts.extend(rig.on_device.as_ref().and_then(|on_device| on_device.press_to_switch.as_ref()).and_then(switch));
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

/// `press to switch 87 ± 1 µs (p99 of 412)`, by the device itself; `None` where it takes no time.
fn switch(samples: &SamplesReport) -> Option<String> {
    let (value, name) = match (samples.p99_ns, samples.p95_ns) {
        (Some(ns), _) => (ns, "p99"),
        (None, Some(ns)) => (ns, "p95"),
        (None, None) => (samples.max_ns, "max"),
    };
    let (value, doubt) = (quantity::span(value.into()), quantity::span(samples.half_width_ns.into()));
    (samples.max_ns > 0).then(|| format!("press to switch {value} ± {doubt} ({name} of {})", samples.n))
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
