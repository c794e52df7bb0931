//! What was measured: latency by rig, time error by run.

use std::collections::BTreeMap;

use super::html::{Text, count, figure, put};
use super::{Rig, timing};
use crate::error::ReportError;
use crate::latency::Latencies;
use crate::plot::{ErrorPlot, HistogramPlot, Plot};
use crate::quantity;
use crate::statistics::{Percentile, Summary};
use crate::time_error::{Drift, POINTS_MIN, TimeError};
use crate::timing::{Kind, OnDevice, TENTHS};

/// The drift of a run as it stands in the table.
pub(crate) struct DriftRow {
    points: usize,
    drift: Option<Drift>,
    is_fault: bool,
}

impl DriftRow {
    /// The drift, unless a fault of the time base is what there is to see, or too little.
    pub(crate) fn drift(&self) -> Option<Drift> {
        self.drift.filter(|_| !self.is_fault && self.points >= POINTS_MIN)
    }
}

pub(super) fn drift_of(error: &TimeError) -> DriftRow {
    DriftRow { points: error.points.len(), drift: error.drift(), is_fault: !error.faults_ns.is_empty() }
}

pub(super) fn write(page: &mut String, rigs: &BTreeMap<String, Rig>) -> Result<(), ReportError> {
    if rigs.values().all(|rig| rig.traces == 0) {
        return Ok(());
    }
    page.push_str("<section aria-labelledby=\"latency\">\n<h2 id=\"latency\">From press to stamp</h2>\n");
    page.push_str(
        "<p class=\"note\">How late the clock stamps a press at most: the stamp, mapped to true time, minus ",
    );
    page.push_str("the last instant at which the bench had certainly not made the press.</p>\n");
    for (name, rig) in rigs {
        put(page, format_args!("<h3>{}</h3>\n", Text(name)));
        if rig.is_watched() {
            timing::not_measured(page);
            continue;
        }
        write_latency(page, name, &rig.latencies)?;
    }
    page.push_str("</section>\n");
    write_on_device(page, rigs)
}

/// Latencies of which both ends are ticks of the device.
fn write_on_device(page: &mut String, rigs: &BTreeMap<String, Rig>) -> Result<(), ReportError> {
    page.push_str("<section aria-labelledby=\"on-device\">\n<h2 id=\"on-device\">Latencies on the device</h2>\n");
    page.push_str("<p class=\"note\">As the device stamps them itself: from the contact of a button to the record of the press, to ");
    page.push_str(
        "the switch, and until the line that shows it has gone out to the panel; from nothing left to the flag. ",
    );
    page.push_str(
        "Percentiles by nearest rank, each from as many samples as it takes for the largest to lie above it with ",
    );
    page.push_str("95 %. An emulated serial port takes no time for a byte, a real one 87 µs at 115 200 baud.</p>\n");
    for (name, rig) in rigs {
        put(page, format_args!("<h3>{}</h3>\n", Text(name)));
        if rig.is_watched() {
            timing::not_measured(page);
            continue;
        }
        if rig.on_device.all_zero() {
            page.push_str("<p>Everything was noticed in the tick in which it happened, as in virtual time, where there is no panel ");
            page.push_str("and no record says when a display changed.</p>\n");
            continue;
        }
        for kind in [Kind::PressToSwitch, Kind::PressToDisplay] {
            let Some((histogram, summary)) = rig.on_device.histogram(kind) else { continue };
            let of = kind.words();
            let label = format!(
                "Latency from {of} on {name}: {} presses, at most {}",
                summary.n,
                quantity::span(summary.max.into())
            );
            let caption = format!(
                "From {of}, in bins of {}. {}",
                quantity::span(histogram.width_ns.into()),
                phases(&rig.on_device)
            );
            let plot = HistogramPlot { histogram, summary, of };
            figure(page, &plot.svg()?.svg, &label, &caption);
        }
        let row = |kind: Kind| Row {
            name: kind.words(),
            summary: rig.on_device.summary(kind),
            mean: rig.on_device.mean(kind),
        };
        write_summaries(page, &Kind::ALL.map(row));
        let tick = quantity::span(rig.on_device.tick_ns().into());
        let left_out = match rig.on_device.faulty() {
            0 => String::new(),
            n => format!(" Left out: {} that make something wrong.", count(n, "scenario", "scenarios")),
        };
        put(page, format_args!("<p class=\"note\">A sample is whole ticks of {tick}.{left_out}</p>\n"));
    }
    page.push_str("</section>\n");
    Ok(())
}

/// Where in a tick presses came: percentiles are of these phases.
fn phases(on_device: &OnDevice) -> String {
    let placed = on_device.placed();
    let (n, fewest, most): (usize, _, _) = (placed.iter().sum(), placed.iter().min(), placed.iter().max());
    match (on_device.tenths(), fewest.zip(most)) {
        (0, _) | (_, None) => {
            "Nobody put the presses anywhere in a tick: the percentiles are of the phase at which this bench acts."
                .to_owned()
        }
        (TENTHS, Some((fewest, most))) => {
            format!("{n} presses were put anywhere in a tick, at random, {fewest} to {most} into each tenth of it.")
        }
        (tenths, _) => {
            let presses = count(n, "press was", "presses were");
            format!(
                "{presses} put into {tenths} of {TENTHS} tenths of a tick: the percentiles are of those phases alone."
            )
        }
    }
}

fn write_latency(page: &mut String, rig: &str, latencies: &Latencies) -> Result<(), ReportError> {
    let missed = match latencies.unanswered() {
        0 => String::new(),
        n => format!(" {} the clock did not notice.", count(n, "press", "presses")),
    };
    let (Some(summary), Some(histogram)) = (latencies.summary(), latencies.histogram()) else {
        put(page, format_args!("<p>No press was stamped.{missed}</p>\n"));
        return Ok(());
    };
    if latencies.all_zero() {
        put(
            page,
            format_args!(
                "<p>{} stamped at the very instant of the press: in virtual time there is no latency to show.{missed}</p>\n",
                count(summary.n, "press was", "presses were")
            ),
        );
        return Ok(());
    }
    let label = format!(
        "Latency from press to stamp on {rig}: {} presses, at most {}",
        summary.n,
        quantity::span(summary.max.into())
    );
    let caption = format!(
        "Bins of {}. A stamp is a whole tick and known to ±{}. The bench knows the instant of a press to {}: a latency \
             may be less by so much, not more.{}{missed}",
        quantity::span(histogram.width_ns.into()),
        quantity::span(latencies.uncertainty_ns().into()),
        quantity::span(latencies.bracket_ns().into()),
        match histogram.beyond {
            0 => String::new(),
            n => format!(" {n} beyond the axis, up to {}.", quantity::span(summary.max.into())),
        }
    );
    let plot = HistogramPlot { histogram, summary, of: "press to stamp" };
    figure(page, &plot.svg()?.svg, &label, &caption);
    write_summaries(page, &[Row { name: "press to stamp", summary: Some(summary), mean: None }]);
    page.push_str("<p class=\"note\">Percentiles by nearest rank.</p>\n");
    Ok(())
}

/// A kind of latency.
struct Row {
    name: &'static str,
    summary: Option<Summary>,
    mean: Option<(f64, f64)>,
}

/// A row for each kind of latency; of what no record says anything, that. A column of means only where there is one.
fn write_summaries(page: &mut String, rows: &[Row]) {
    let span = |ns: i64| quantity::span(ns.into());
    let percentile = |percentile| match percentile {
        Percentile::Value(ns) => span(ns),
        Percentile::TooFew(needed) => format!("n too small (needs {needed})"),
    };
    let means = rows.iter().any(|row| row.mean.is_some());
    let mut names = vec!["n", "min", "p50", "p95", "p99", "max"];
    names.extend(means.then_some("mean, 95 %"));
    page.push_str("<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">from what to what</th>");
    for name in &names {
        put(page, format_args!("<th scope=\"col\" class=\"n\">{name}</th>"));
    }
    page.push_str("</tr></thead>\n<tbody>");
    for Row { name, summary, mean } in rows {
        put(page, format_args!("<tr><th scope=\"row\">{name}</th>"));
        let Some(summary) = summary else {
            put(
                page,
                format_args!("<td class=\"n\">0</td><td colspan=\"{}\">no record says</td></tr>\n", names.len() - 1),
            );
            continue;
        };
        let mut cells = vec![
            summary.n.to_string(),
            span(summary.min),
            span(summary.p50),
            percentile(summary.p95),
            percentile(summary.p99),
            span(summary.max),
        ];
        let around = |(mean, half_width)| format!("{} ± {}", quantity::short(mean), quantity::short(half_width));
        cells.extend(means.then(|| mean.map_or_else(String::new, around)));
        for cell in cells {
            put(page, format_args!("<td class=\"n\">{cell}</td>"));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

fn span(drift: &Drift) -> String {
    let seconds = drift.over_ns as f64 / 1e9;
    if seconds >= 100.0 { format!("{seconds:.0} s") } else { format!("{seconds:.3} s") }
}

fn interval(drift: &Drift) -> String {
    quantity::interval_ppm(drift.ppm, drift.half_width_ppm)
}

/// The time error of one run: a plot when there is something to see, a sentence otherwise.
pub(super) fn write_time_error(page: &mut String, error: &TimeError) -> Result<(), ReportError> {
    page.push_str("<h3>Time error</h3>\n");
    let Some(drift) = error.drift().filter(|_| error.points.len() >= POINTS_MIN) else {
        put(
            page,
            format_args!(
                "<p>{}: fewer than {POINTS_MIN}, or all at one instant, show no drift.</p>\n",
                count(error.points.len(), "stamped point", "stamped points")
            ),
        );
        return Ok(());
    };
    let tick = quantity::span(error.tick_ns.into());
    if !error.is_worth_a_picture() {
        put(
            page,
            format_args!(
                "<p>Over {} the device stays within one tick ({tick}) of true time at all {} stamped points: what is left is \
                 quantisation. Drift {}.</p>\n",
                span(&drift),
                error.points.len(),
                interval(&drift)
            ),
        );
        return Ok(());
    }
    let doubt = if error.is_exact() { "" } else { " and the uncertainty of both stamps" };
    let quantised = if error.is_quantisation() { " No point leaves what tick and stamps leave open." } else { "" };
    let said = if error.faults_ns.is_empty() {
        format!("<b>{}</b>, the half-width being one tick of {tick}{doubt} over the run", interval(&drift))
    } else {
        format!(
            "{:+.0} ppm, which no oscillator makes: upright lines show where a fault of the time base begins",
            drift.ppm
        )
    };
    let caption = format!(
        "{} stamped points over {}. Above zero the device is ahead. The dashed line joins the first \
         and the last point: {said}. Ticks at the foot are presses, of long games flags alone; taller ones are flags. Below, \
         what is left beside that line, with one tick on either side.{quantised}",
        error.points.len(),
        span(&drift),
    );
    figure(
        page,
        &ErrorPlot { error }.svg()?.svg,
        "Time error over true time, and what is left beside a line",
        &caption,
    );
    Ok(())
}
