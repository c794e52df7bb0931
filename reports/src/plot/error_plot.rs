//! Time error over true time, and what is left of it beside the line between its ends.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::frame::{in_style, plane};
use super::{FAULT, FIT, INK, Plot, SERIES, Unit, label, roomy};
use crate::error::ReportError;
use crate::time_error::{ErrorPoint, TimeError};

/// Drawn pixels of the upper panel from top to bottom.
const UPPER: u32 = 520;

/// Drawn pixels of both panels.
const HEIGHT: u32 = 900;

/// Columns in which a long run keeps only its lowest and highest point.
const COLUMNS: usize = 700;

/// Most points that are drawn one by one.
const MARKED_MAX: usize = 150;

/// A point in nanoseconds: true time, value, uncertainty.
type Dot = (f64, f64, f64);

/// The time error of a run; the caller has made sure that there are points.
pub(crate) struct ErrorPlot<'a> {
    pub(crate) error: &'a TimeError,
}

impl Plot for ErrorPlot<'_> {
    fn height(&self) -> u32 {
        HEIGHT
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let error = self.error;
        let points = decimated(&error.points);
        let dots: Vec<Dot> = points
            .iter()
            .map(|point| (point.true_ns as f64, point.error_ns as f64, point.uncertainty_ns as f64))
            .collect();
        let first = dots.first().copied().unwrap_or_default();
        let last = dots.last().copied().unwrap_or_default();
        let slope = if last.0 > first.0 { (last.1 - first.1) / (last.0 - first.0) } else { 0.0 };
        let line = |at: f64| first.1 + slope * (at - first.0);
        let beside: Vec<Dot> = dots.iter().map(|(at, value, doubt)| (*at, value - line(*at), *doubt)).collect();
        let unit = Unit::long(last.0 - first.0.min(0.0));
        let end = roomy(first.0.min(0.0) / unit.ns, last.0 / unit.ns).end;
        let shared = Shared {
            along: first.0.min(0.0) / unit.ns..end,
            unit,
            faults_ns: error.faults_ns.iter().map(|ns| *ns as f64).collect(),
            marked: dots.len() <= MARKED_MAX,
            events: error
                .events
                .iter()
                .filter(|(_, flag)| *flag || error.events.len() <= MARKED_MAX)
                .copied()
                .collect(),
        };

        let (upper, lower) = area.split_vertically(UPPER);
        let ends = [(first.0, first.1), (last.0, last.1)];
        shared.panel(&upper, &dots, "device - true time", &[ends], true)?;
        let tick = error.tick_ns as f64;
        let band = [[(first.0, tick), (last.0, tick)], [(first.0, -tick), (last.0, -tick)]];
        shared.panel(&lower, &beside, "beside the line", &band, false)?;
        Ok(0)
    }
}

/// What both panels have in common.
struct Shared {
    /// Range of the axis of time, in its unit.
    along: Range<f64>,
    unit: Unit,
    faults_ns: Vec<f64>,
    /// Presses and flags; of a long game flags alone.
    events: Vec<(i64, bool)>,
    /// Whether each dot is drawn, besides the line that joins them.
    marked: bool,
}

impl Shared {
    /// One panel: the dots, joined, with dashed lines for comparison.
    fn panel<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        dots: &[Dot],
        name: &str,
        dashed: &[[(f64, f64); 2]],
        upper: bool,
    ) -> Result<(), ReportError>
    where
        B::ErrorType: 'static,
    {
        let ends = dots.iter().flat_map(|(_, value, doubt)| [value - doubt, value + doubt]);
        let compared = dashed.iter().flatten().map(|(_, value)| *value);
        let (low, high) = ends.chain(compared).fold((0.0, 0.0), |(low, high), v| (f64::min(low, v), f64::max(high, v)));
        let up = Unit::small(f64::max(-low, high));
        let y_axis = roomy(low / up.ns, high / up.ns);
        let place = |at: f64, value: f64| (at / self.unit.ns, value / up.ns);
        let mut chart = plane(area, (160, if upper { 50 } else { 84 }), self.along.clone(), y_axis.clone())?;
        let mut mesh = chart.configure_mesh();
        if !upper {
            mesh.x_desc(format!("true time since the run began ({})", self.unit.name));
        }
        in_style(&mut mesh)
            .y_desc(format!("{name} ({})", up.name))
            .x_labels(9)
            .y_labels(if upper { 7 } else { 4 })
            .x_label_formatter(&label(&self.along))
            .y_label_formatter(&label(&y_axis))
            .draw()?;
        let faults = self.faults_ns.iter().map(|ns| ns / self.unit.ns).filter(|at| self.along.contains(at));
        let upright = |at| PathElement::new(vec![(at, y_axis.start), (at, y_axis.end)], FAULT.stroke_width(4));
        chart.draw_series(faults.map(upright))?;
        if upper {
            let height = y_axis.end - y_axis.start;
            let ticks = self.events.iter().map(|(ns, flag)| (*ns as f64 / self.unit.ns, *flag));
            chart.draw_series(ticks.filter(|(at, _)| self.along.contains(at)).map(|(at, flag)| {
                let (share, colour) = if flag { (0.09, FIT) } else { (0.04, INK) };
                PathElement::new(vec![(at, y_axis.start), (at, y_axis.start + share * height)], colour.stroke_width(3))
            }))?;
        }
        // What is shorter than the dot itself would only make the page heavier.
        let pixel = (y_axis.end - y_axis.start) / f64::from(HEIGHT);
        chart.draw_series(dots.iter().filter(|(_, _, doubt)| doubt / up.ns > 2.0 * pixel).map(
            |(at, value, doubt)| {
                PathElement::new(vec![place(*at, value - doubt), place(*at, value + doubt)], SERIES.stroke_width(2))
            },
        ))?;
        chart.draw_series(LineSeries::new(
            dots.iter().map(|(at, value, _)| place(*at, *value)),
            SERIES.stroke_width(2),
        ))?;
        if self.marked {
            chart.draw_series(dots.iter().map(|(at, value, _)| Circle::new(place(*at, *value), 7, SERIES.filled())))?;
        }
        for ends in dashed {
            let ends = ends.map(|(at, value)| place(at, value));
            chart.draw_series(DashedLineSeries::new(ends, 18, 12, FIT.stroke_width(4)))?;
        }
        Ok(())
    }
}

/// The first and last point and, of each column of time, the lowest and the highest, in order.
fn decimated(points: &[ErrorPoint]) -> Vec<ErrorPoint> {
    if points.len() <= 3 * COLUMNS {
        return points.to_vec();
    }
    let mut kept = Vec::with_capacity(2 * COLUMNS + 2);
    kept.extend(points.first());
    for column in points.chunks(points.len().div_ceil(COLUMNS)) {
        let lowest = (0..column.len()).min_by_key(|index| column[*index].error_ns);
        let highest = (0..column.len()).max_by_key(|index| column[*index].error_ns);
        let mut both: Vec<usize> = lowest.into_iter().chain(highest).collect();
        both.sort_unstable();
        both.dedup();
        kept.extend(both.into_iter().map(|index| column[index]));
    }
    kept.extend(points.last());
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(points: impl IntoIterator<Item = (i64, i64, u64)>) -> TimeError {
        let points = points
            .into_iter()
            .map(|(true_ns, error_ns, uncertainty_ns)| ErrorPoint { true_ns, error_ns, uncertainty_ns })
            .collect();
        TimeError {
            points,
            tick_ns: 1_000,
            step_ns: 1_000,
            events: vec![(250, false), (750, true)],
            faults_ns: vec![500, i64::MAX],
        }
    }

    #[test]
    fn no_points_give_a_picture_of_nonsense() {
        let all_equal = (0..5).map(|_| (7, 7, 0)).collect::<Vec<_>>();
        let spikes = vec![(0, i64::MIN, 0), (1, i64::MAX, u64::MAX)];
        for points in [vec![], vec![(0, 0, 0)], all_equal, spikes, vec![(-5, 3, 1), (0, 3, 1)]] {
            let svg = ErrorPlot { error: &error(points.clone()) }.svg().expect("a plot").svg;
            assert!(svg.starts_with("<svg class=\"plot\"") && svg.trim_end().ends_with("</svg>"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{points:?}: {svg}");
        }
    }

    #[test]
    fn presses_and_flags_stand_as_ticks_and_of_a_long_game_flags_alone() {
        let mut long = error((0..200).map(|n| (n, 0, 0)));
        let ticks = |error: &TimeError| {
            let svg = ErrorPlot { error }.svg().expect("a plot").svg;
            let flags = svg.matches("stroke=\"#D55E00\" stroke-width=\"3\"").count();
            (flags, svg.matches("stroke=\"#222221\" stroke-width=\"3\"").count())
        };
        long.events = (0..40).map(|n| (n * 5, n == 20)).collect();
        assert_eq!(ticks(&long), (1, 39));
        long.events = (0..199).map(|n| (n, n == 20)).collect();
        assert_eq!(ticks(&long), (1, 0));
    }

    #[test]
    fn a_long_run_keeps_its_ends_and_its_extremes() {
        let points: Vec<_> = (0..100_000).map(|n| (n, if n == 54_321 { 9_999 } else { n % 7 }, 0)).collect();
        let kept = decimated(&error(points.clone()).points);
        assert!(kept.len() <= 2 * COLUMNS + 2);
        assert_eq!((kept[0].true_ns, kept[kept.len() - 1].true_ns), (0, 99_999));
        assert!(kept.iter().any(|point| point.error_ns == 9_999));
        assert!(kept.is_sorted_by_key(|point| point.true_ns));
    }
}
