//! Two distributions of one measure: the share of values that are not above, before and now.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::frame::{in_style, plane};
use super::{FIT, FONT, INK, Plot, SERIES, Unit, label, roomy};
use crate::error::ReportError;

/// Percentiles of a measure, before and now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeforeAfterPlot {
    /// What is measured.
    pub title: &'static str,
    /// `ns` or `ppb`.
    pub unit: &'static str,
    /// What 0 %, 1 % ... of the earlier values do not exceed.
    pub before: Vec<i64>,
    /// The same now.
    pub now: Vec<i64>,
}

impl Plot for BeforeAfterPlot {
    fn height(&self) -> u32 {
        600
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let all = || self.before.iter().chain(&self.now).copied();
        let size = all().map(i64::unsigned_abs).max().unwrap_or(0) as f64;
        let unit = if self.unit == "ppb" { Unit { name: "ppb", ns: 1.0 } } else { Unit::small(size) };
        let at = |value: i64| value as f64 / unit.ns;
        let (low, high) = (all().min().map_or(0.0, at), all().max().map_or(0.0, at));
        let along = roomy(low, high);
        let up = -4.0..104.0;
        let mut chart = plane(area, (130, 84), along.clone(), up)?;
        in_style(&mut chart.configure_mesh())
            .x_desc(format!("{} ({})", self.title, unit.name))
            .y_desc("values that are not above (%)")
            .x_labels(9)
            .y_labels(6)
            .x_label_formatter(&label(&along))
            .y_label_formatter(&|percent| {
                if (0.0..=100.0).contains(percent) { format!("{percent:.0}") } else { String::new() }
            })
            .draw()?;
        let now = stairs(&self.now, &along, at);
        chart.draw_series([PathElement::new(now, SERIES.stroke_width(7))])?;
        let before = stairs(&self.before, &along, at);
        chart.draw_series(DashedLineSeries::new(before, 18, 12, FIT.stroke_width(4)))?;
        let style = || ("sans-serif", FONT).into_font();
        // A distribution that rises at the right has its room at the left.
        let far = along.start + 0.65 * (along.end - along.start);
        let rises = |values: &[i64]| values.get(values.len() / 3).copied().map_or(along.start, at);
        let (side, x) = if rises(&self.before).max(rises(&self.now)) > far {
            (HPos::Left, 160)
        } else {
            (HPos::Right, area.dim_in_pixel().0 as i32 - 60)
        };
        let place = |row: i32| (x, 330 + 44 * row);
        let names = [("before (dashed)", FIT), ("now", SERIES)];
        for (row, (name, colour)) in names.into_iter().enumerate() {
            let beside = style().color(&colour).pos(Pos::new(side, VPos::Top));
            area.draw_text(name, &beside, place(row as i32))?;
        }
        if all().next().is_none() {
            let middle = style().color(&INK).pos(Pos::new(HPos::Center, VPos::Center));
            area.draw_text("no values", &middle, (area.dim_in_pixel().0 as i32 / 2, 200))?;
        }
        Ok(0)
    }
}

/// The steps of a distribution from one end of the axis to the other.
fn stairs(percentiles: &[i64], along: &std::ops::Range<f64>, at: impl Fn(i64) -> f64) -> Vec<(f64, f64)> {
    let Some(steps) = percentiles.len().checked_sub(1).filter(|steps| *steps > 0) else { return Vec::new() };
    let mut points = vec![(along.start, 0.0)];
    let mut height = 0.0;
    for (rank, value) in percentiles.iter().enumerate() {
        points.push((at(*value), height));
        height = 100.0 * rank as f64 / steps as f64;
        points.push((at(*value), height));
    }
    points.push((along.end, 100.0));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_drawn_and_nothing_is_no_error() {
        let plot =
            |before: Vec<i64>, now: Vec<i64>| BeforeAfterPlot { title: "press to stamp", unit: "ns", before, now };
        let drawn = plot((0..=100).map(|n| 2_000 + n).collect(), vec![5_000; 101]).svg().expect("a plot");
        assert!(drawn.svg.contains("press to stamp (µs)") && drawn.svg.contains("before (dashed)"), "{}", drawn.svg);
        for odd in [plot(vec![], vec![]), plot(vec![0; 101], vec![0; 101]), plot(vec![i64::MIN, i64::MAX], vec![1])] {
            let drawn = odd.svg().expect("a plot");
            assert!(!drawn.svg.contains("NaN") && !drawn.svg.contains("inf"), "{}", drawn.svg);
        }
    }
}
