//! What was measured: latency by rig, time error by run.

use std::collections::BTreeMap;

use flagfall_trace::Trace;

use super::html::{Text, count, put};
use super::{Rig, Shown};
use crate::error::ReportError;
use crate::latency::Latencies;
use crate::plot::{error_plot, histogram_plot};
use crate::quantity;
use crate::statistics::{Percentile, Summary};
use crate::time_error::{Drift, POINTS_MIN, TimeError};

/// The drift of a run as it stands in the table.
pub(crate) struct DriftRow {
    points: usize,
    drift: Option<Drift>,
    remark: &'static str,
}

impl DriftRow {
    /// The drift, unless a fault of the time base is what there is to see, or too little.
    pub(crate) fn drift(&self) -> Option<Drift> {
        self.drift.filter(|_| self.remark != FAULT && self.points >= POINTS_MIN)
    }
}

/// What is said of a run in which the time base was made to misbehave.
const FAULT: &str = "a fault of the time base";

pub(super) fn drift_of(trace: &Trace) -> DriftRow {
    let error = TimeError::of(trace);
    DriftRow { points: error.points.len(), drift: error.drift(), remark: remark(&error) }
}

pub(super) fn write(page: &mut String, runs: &[Shown], rigs: &BTreeMap<String, Rig>) -> Result<(), ReportError> {
    if rigs.values().all(|rig| rig.traces == 0) {
        return Ok(());
    }
    page.push_str("<section aria-labelledby=\"latency\">\n<h2 id=\"latency\">From press to stamp</h2>\n");
    page.push_str(
        "<p class=\"note\">How late the clock stamps a press at most: the stamp, mapped to true time, minus ",
    );
    page.push_str("the last instant at which the bench had certainly not made the press.</p>\n");
    for (name, rig) in rigs {
        write_latency(page, name, &rig.latencies)?;
    }
    page.push_str("</section>\n");
    write_drifts(page, runs);
    Ok(())
}

fn write_latency(page: &mut String, rig: &str, latencies: &Latencies) -> Result<(), ReportError> {
    put(page, format_args!("<h3>{}</h3>\n", Text(rig)));
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
    page.push_str("<figure>\n<div class=\"wide\">");
    page.push_str(&histogram_plot::draw(&histogram, &summary)?);
    page.push_str("</div>\n<figcaption>");
    put(
        page,
        format_args!(
            "Bins of {}. A stamp is a whole tick and known to ±{}. The bench knows the instant of a press to {}: a latency \
             may be less by so much, not more.{}{missed}",
            quantity::span(histogram.width_ns.into()),
            quantity::span(latencies.uncertainty_ns().into()),
            quantity::span(latencies.bracket_ns().into()),
            match histogram.beyond {
                0 => String::new(),
                n => format!(" {n} beyond the axis, up to {}.", quantity::span(summary.max.into())),
            }
        ),
    );
    page.push_str("</figcaption>\n</figure>\n");
    write_summary(page, &summary);
    Ok(())
}

fn write_summary(page: &mut String, summary: &Summary) {
    let span = |ns: i64| quantity::span(ns.into());
    let percentile = |percentile| match percentile {
        Percentile::Value(ns) => span(ns),
        Percentile::TooFew(needed) => format!("n too small (needs {needed})"),
    };
    page.push_str("<div class=\"wide\"><table>\n<thead><tr>");
    for name in ["n", "min", "p50", "p95", "p99", "max"] {
        put(page, format_args!("<th scope=\"col\" class=\"n\">{name}</th>"));
    }
    page.push_str("</tr></thead>\n<tbody><tr>");
    let cells = [
        summary.n.to_string(),
        span(summary.min),
        span(summary.p50),
        percentile(summary.p95),
        percentile(summary.p99),
        span(summary.max),
    ];
    for cell in cells {
        put(page, format_args!("<td class=\"n\">{cell}</td>"));
    }
    page.push_str("</tr></tbody></table></div>\n<p class=\"note\">Percentiles by nearest rank.</p>\n");
}

/// All drifts in a table, for those who compare runs.
fn write_drifts(page: &mut String, runs: &[Shown]) {
    page.push_str(
        "<section aria-labelledby=\"drift\">\n<h2 id=\"drift\">Time error</h2>\n<p class=\"note\">x(t) is device ",
    );
    page.push_str(
        "time minus true time, both since the run began: above zero the device is ahead, and a running side ",
    );
    page.push_str(
        "loses time too soon. The drift is the slope between the first and the last record, with the guaranteed ",
    );
    page.push_str("half-width: one tick and the uncertainty of both stamps, over the time between them.</p>\n");
    page.push_str(
        "<details class=\"plain\"><summary>Drift of every run</summary>\n<div class=\"wide\"><table>\n<thead><tr>",
    );
    page.push_str("<th scope=\"col\">scenario</th><th scope=\"col\">rig</th><th scope=\"col\" class=\"n\">points</th>");
    page.push_str("<th scope=\"col\" class=\"n\">over</th><th scope=\"col\" class=\"n\">drift</th>");
    page.push_str("<th scope=\"col\">remark</th></tr></thead>\n<tbody>\n");
    for shown in runs {
        let Some(drift) = &shown.drift else { continue };
        put(
            page,
            format_args!(
                "<tr><td><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
                 <td class=\"n\">{}</td><td>{}</td></tr>\n",
                shown.id,
                Text(&shown.scenario),
                Text(&shown.rig),
                drift.points,
                drift.drift.map_or(String::new(), |drift| span(&drift)),
                drift.drift.map_or_else(|| "not known".to_owned(), |drift| interval(&drift)),
                drift.remark,
            ),
        );
    }
    page.push_str("</tbody></table></div></details>\n</section>\n");
}

fn remark(error: &TimeError) -> &'static str {
    match (error.faults_ns.is_empty(), error.is_quantisation()) {
        (false, _) => FAULT,
        (true, true) => "quantisation only",
        (true, false) => "",
    }
}

fn span(drift: &Drift) -> String {
    let seconds = drift.over_ns as f64 / 1e9;
    if seconds >= 100.0 { format!("{seconds:.0} s") } else { format!("{seconds:.3} s") }
}

fn interval(drift: &Drift) -> String {
    quantity::interval_ppm(drift.ppm, drift.half_width_ppm)
}

/// The time error of one run: a plot when there is something to see, a sentence otherwise.
pub(super) fn write_time_error(page: &mut String, trace: &Trace) -> Result<(), ReportError> {
    page.push_str("<h3>Time error</h3>\n");
    let error = TimeError::of(trace);
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
    if error.faults_ns.is_empty() && error.is_exact() && error.is_quantisation() {
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
    page.push_str("<figure>\n<div class=\"wide\">");
    page.push_str(&error_plot::draw(&error)?);
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
    put(
        page,
        format_args!(
            "</div>\n<figcaption>{} stamped points over {}. Above zero the device is ahead. The dashed line joins the first \
             and the last point: {said}. Ticks at the foot are presses, of long games flags alone; taller ones are flags. Below, what is left beside that line, with one tick on either side.{quantised}</figcaption>\n\
             </figure>\n",
            error.points.len(),
            span(&drift),
        ),
    );
    Ok(())
}
