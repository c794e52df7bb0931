//! How much the periods of a tick differ from their mean, in bins.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::frame::{in_style, plane};
use super::{FIT, Plot, SERIES, Unit, label};
use crate::error::ReportError;
use crate::latency::Histogram;
use crate::statistics::Samples;

/// Periods as they differ from their mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JitterPlot {
    /// Periods in nanoseconds, in any order.
    pub periods_ns: Vec<i64>,
    /// What the readings resolve, in nanoseconds: bins are not finer.
    pub resolution_ns: i64,
}

impl Plot for JitterPlot {
    fn height(&self) -> u32 {
        560
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let sum: i128 = self.periods_ns.iter().map(|period| i128::from(*period)).sum();
        let mean = sum.checked_div(self.periods_ns.len() as i128).unwrap_or(0);
        let beside: Samples =
            self.periods_ns.iter().filter_map(|period| i64::try_from(i128::from(*period) - mean).ok()).collect();
        let histogram = Histogram::of(&beside, self.resolution_ns.max(1)).unwrap_or(Histogram {
            from_ns: 0,
            width_ns: 1,
            counts: vec![0],
            beyond: 0,
        });
        let edge_ns = |bin: usize| histogram.from_ns as f64 + bin as f64 * histogram.width_ns as f64;
        let bins = histogram.counts.len();
        let unit = Unit::small(edge_ns(0).abs().max(edge_ns(bins).abs()));
        let width = histogram.width_ns as f64;
        let along = (edge_ns(0) - width) / unit.ns..(edge_ns(bins) + width) / unit.ns;
        let most = histogram.counts.iter().copied().max().unwrap_or(1).max(1);
        let mut chart = plane(area, (150, 84), along.clone(), 0.0..most as f64 * 1.1)?;
        in_style(&mut chart.configure_mesh())
            .disable_x_mesh()
            .x_desc(format!("period - mean period ({})", unit.name))
            .y_desc("periods")
            .x_labels(10)
            .y_labels(most.min(6))
            .x_label_formatter(&label(&along))
            .y_label_formatter(&|count| format!("{count:.0}"))
            .draw()?;
        let bars = histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        chart.draw_series(bars.map(|(bin, count)| {
            let corners = [(edge_ns(bin) / unit.ns, 0.0), (edge_ns(bin + 1) / unit.ns, *count as f64)];
            Rectangle::new(corners, SERIES.filled())
        }))?;
        chart.draw_series([PathElement::new(vec![(0.0, 0.0), (0.0, most as f64 * 1.1)], FIT.stroke_width(3))])?;
        Ok(histogram.beyond + self.periods_ns.len() - beside.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_stand_beside_their_mean_and_those_far_off_are_counted() {
        let mut periods_ns: Vec<i64> = (0..200).map(|n| 1_000_000 + n % 9 * 100).collect();
        periods_ns.push(900_000_000);
        let drawn = JitterPlot { periods_ns, resolution_ns: 50 }.svg().expect("a plot");
        assert!(drawn.svg.contains("period - mean period (") && drawn.svg.contains("periods"));
        assert_eq!(drawn.left_out, 1);
        for periods_ns in [vec![], vec![5], vec![i64::MIN, i64::MAX]] {
            let drawn = JitterPlot { periods_ns, resolution_ns: 0 }.svg().expect("a plot");
            assert!(!drawn.svg.contains("NaN") && !drawn.svg.contains("inf"));
        }
    }
}
