//! Latencies in bins, with lines where the percentiles stand and the share of presses that are no longer.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::frame::{in_style, plane};
use super::{FAULT, FIT, FONT, INK, Plot, SERIES, Unit, label};
use crate::error::ReportError;
use crate::latency::Histogram;
use crate::statistics::{Percentile, Summary};

/// Latencies in bins.
pub(crate) struct HistogramPlot {
    pub(crate) histogram: Histogram,
    pub(crate) summary: Summary,
    /// From what to what.
    pub(crate) of: &'static str,
}

impl Plot for HistogramPlot {
    fn height(&self) -> u32 {
        600
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let Self { histogram, summary, of } = self;
        let edge_ns = |bin: usize| histogram.from_ns as f64 + bin as f64 * histogram.width_ns as f64;
        let bins = histogram.counts.len();
        // One more place for what lies beyond, and one empty bin on both sides.
        let places = bins + if histogram.beyond > 0 { 2 } else { 0 };
        let unit = Unit::small(edge_ns(0).abs().max(edge_ns(bins).abs()));
        let at = |ns: f64| ns / unit.ns;
        let width = histogram.width_ns as f64;
        let x_axis = at(edge_ns(0) - width)..at(edge_ns(places) + width);
        let most = histogram.counts.iter().copied().chain([histogram.beyond, 1]).max().unwrap_or(1);
        let y_axis = 0.0..most as f64 * 1.3;
        let mut chart = plane(area, (130, 84), x_axis.clone(), y_axis.clone())?;
        in_style(&mut chart.configure_mesh())
            .disable_x_mesh()
            .x_desc(format!("{of} ({})", unit.name))
            .y_desc("presses")
            .x_labels(10)
            .y_labels(most.min(6))
            .x_label_formatter(&label(&x_axis))
            .y_label_formatter(&|count| format!("{count:.0}"))
            .draw()?;
        chart.draw_series(histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(
            |(bin, count)| {
                let corners = [(at(edge_ns(bin)), 0.0), (at(edge_ns(bin + 1)), *count as f64)];
                Rectangle::new(corners, SERIES.filled())
            },
        ))?;
        let all = histogram.counts.iter().sum::<usize>() + histogram.beyond;
        let mut below = 0;
        let mut stairs = vec![(at(edge_ns(0)), 0.0)];
        for (bin, count) in histogram.counts.iter().enumerate() {
            below += count;
            stairs.push((at(edge_ns(bin + 1)), most as f64 * below as f64 / all.max(1) as f64));
        }
        let reached = format!("CDF {:.0} %", 100.0 * below as f64 / all.max(1) as f64);
        let end = stairs.last().copied().unwrap_or_default();
        chart.draw_series(DashedLineSeries::new(stairs, 10, 6, INK.stroke_width(3)))?;
        let style = ("sans-serif", FONT).into_font().color(&INK).pos(Pos::new(HPos::Right, VPos::Bottom));
        chart.draw_series([Text::new(reached, (end.0, end.1 + most as f64 * 0.01), style)])?;
        // A bar that is too low to be seen gets its number.
        let low = histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0 && **count * 16 < most);
        chart.draw_series(low.map(|(bin, count)| {
            let style = ("sans-serif", FONT).into_font().color(&INK).pos(Pos::new(HPos::Center, VPos::Bottom));
            let above = (at(edge_ns(bin) + width / 2.0), *count as f64 + most as f64 * 0.02);
            Text::new(count.to_string(), above, style)
        }))?;
        if histogram.beyond > 0 {
            let corners = [(at(edge_ns(places - 1)), 0.0), (at(edge_ns(places)), histogram.beyond as f64)];
            chart.draw_series([Rectangle::new(corners, FAULT.filled())])?;
            let text = format!("{} beyond", histogram.beyond);
            let style = ("sans-serif", FONT).into_font().color(&INK).pos(Pos::new(HPos::Right, VPos::Bottom));
            let above = (at(edge_ns(places)), histogram.beyond as f64 + most as f64 * 0.02);
            chart.draw_series([Text::new(text, above, style)])?;
        }
        for (row, (name, value)) in marks(summary).into_iter().enumerate() {
            let x = at(value as f64);
            if !(x_axis.start..=x_axis.end).contains(&x) {
                continue;
            }
            // Each percentile has its own height, so that names do not meet when values do.
            let height = most as f64 * (1.27 - 0.09 * row as f64);
            chart.draw_series([PathElement::new(vec![(x, 0.0), (x, height)], FIT.stroke_width(4))])?;
            let side = if x > (x_axis.start + x_axis.end) / 2.0 { HPos::Right } else { HPos::Left };
            let style = ("sans-serif", FONT).into_font().color(&INK).pos(Pos::new(side, VPos::Center));
            let gap = (x_axis.end - x_axis.start) * 0.006;
            let beside = if matches!(side, HPos::Right) { x - gap } else { x + gap };
            chart.draw_series([Text::new(name, (beside, height), style)])?;
        }
        // What lies beyond has a bar of its own.
        Ok(0)
    }
}

fn marks(summary: &Summary) -> Vec<(&'static str, i64)> {
    let mut marks = vec![("p50", summary.p50)];
    for (name, percentile) in [("p95", summary.p95), ("p99", summary.p99)] {
        if let Percentile::Value(value) = percentile {
            marks.push((name, value));
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(sorted: &[i64], resolution_ns: i64) -> String {
        let histogram = Histogram::of(&sorted.iter().copied().collect(), resolution_ns).expect("samples");
        let summary = Summary::of(sorted).expect("samples");
        HistogramPlot { histogram, summary, of: "press to stamp" }.svg().expect("a plot").svg
    }

    #[test]
    fn no_samples_give_a_picture_of_nonsense() {
        let far: Vec<i64> = (0..99).chain([10_000_000]).collect();
        for samples in [&[0][..], &[-3; 5], &[i64::MIN, 0, i64::MAX], &far] {
            let svg = plot(samples, 1);
            assert!(svg.contains("presses"), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{samples:?}: {svg}");
        }
        assert!(plot(&far, 1).contains("1 beyond"));
    }

    #[test]
    fn the_share_of_samples_ends_at_what_lies_within_the_axis() {
        let far: Vec<i64> = (0..99).chain([10_000_000]).collect();
        assert!(plot(&far, 1).contains("CDF 99 %") && plot(&far[..99], 1).contains("CDF 100 %"));
    }

    #[test]
    fn a_percentile_without_its_samples_is_not_drawn() {
        let samples: Vec<i64> = (0..300).collect();
        let names = |svg: &str| ["p50", "p95", "p99"].map(|name| svg.contains(name));
        assert_eq!(names(&plot(&samples[..58], 1)), [true, false, false]);
        assert_eq!(names(&plot(&samples[..59], 1)), [true, true, false]);
        assert_eq!(names(&plot(&samples, 1)), [true, true, true]);
    }
}
