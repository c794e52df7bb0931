//! The plots of a page as PNG, for documents that hold no SVG.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::ReportError;
use crate::page::html::plain_id;
use crate::page::{Rig, Shown, overview, timing as part};
use crate::plot::{ErrorPlot, HistogramPlot, Plot};
use crate::statistics::Mask;
use crate::timing::{GameRow, Kind, Timing};

/// The pictures of one run, where there is something to see.
pub(crate) fn of_run(folder: &Path, run: &Shown, timing: &Timing) -> Result<(), ReportError> {
    let name = run.id.strip_prefix("run-").unwrap_or(&run.id);
    if timing.error.is_worth_a_picture() {
        put(folder, &format!("{name}-time-error"), &ErrorPlot { error: &timing.error })?;
    }
    let (Ok(account), Some(diagnosis)) = (&timing.account, &timing.diagnosis) else { return Ok(()) };
    let game = GameRow::of(account);
    if let Some(plot) = part::fairness(account, &game) {
        put(folder, &format!("{name}-fairness"), &plot)?;
    }
    if let Some(plot) = part::budget(account, diagnosis, &game) {
        put(folder, &format!("{name}-budget"), &plot)?;
    }
    Ok(())
}

/// The pictures of all runs together, and of each rig.
pub(crate) fn of_all(
    folder: &Path,
    runs: &[Shown],
    rigs: &BTreeMap<String, Rig>,
    mask: &Mask,
) -> Result<(), ReportError> {
    if let Some(plot) = part::strip(runs, mask) {
        put(folder, "mask", &plot)?;
    }
    if let Some(plot) = overview::bounds(runs) {
        put(folder, "bounds", &plot)?;
    }
    for (rig, of) in rigs {
        let name = plain_id(rig);
        if let Some(longest) = of.longest.as_ref().filter(|longest| !longest.even.is_silent()) {
            put(folder, &format!("{name}-deviations"), &longest.deviations())?;
            put(folder, &format!("{name}-mtie"), &longest.excursions(mask))?;
            put(folder, &format!("{name}-jitter"), &longest.jitter())?;
        }
        if let Some((histogram, summary)) = of.on_device.histogram(Kind::PressToSwitch) {
            put(
                folder,
                &format!("{name}-press-to-switch"),
                &HistogramPlot { histogram, summary, of: "press to switch" },
            )?;
        }
        if let Some((histogram, summary)) = of.latencies.drawn() {
            put(
                folder,
                &format!("{name}-press-to-stamp"),
                &HistogramPlot { histogram, summary, of: "press to stamp" },
            )?;
        }
    }
    Ok(())
}

fn put(folder: &Path, name: &str, plot: &impl Plot) -> Result<(), ReportError> {
    let path = folder.join(format!("{name}.png"));
    let png = plot.png()?;
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, png));
    written.map_err(|cause| ReportError::Io { doing: "write", path, cause })
}
