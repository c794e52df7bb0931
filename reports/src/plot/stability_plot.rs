//! Allan deviations over averaging time, with their intervals, lines for comparison, and what quantisation alone makes.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{decades, of_decades};
use super::series::{Dot, clipped};
use super::{FAULT, FIT, FONT, GRID, INK, Plot, SERIES};
use crate::error::ReportError;

/// A deviation at an averaging time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviationPoint {
    /// The averaging time in seconds.
    pub tau_s: f64,
    /// The deviation, a pure number.
    pub deviation: f64,
    /// Its interval of 95 %, where the noise and its degrees of freedom are known.
    pub interval: Option<(f64, f64)>,
}

/// OADEV and MDEV on logarithmic axes.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityPlot {
    /// Overlapping Allan deviation, by averaging time.
    pub oadev: Vec<DeviationPoint>,
    /// Modified Allan deviation, by averaging time.
    pub mdev: Vec<DeviationPoint>,
    /// The step in which the device's time advances, in nanoseconds: read at random it alone makes `q / (2 tau)`.
    pub quantum_ns: f64,
}

impl StabilityPlot {
    fn floor(&self, tau_s: f64) -> f64 {
        self.quantum_ns * 1e-9 / (2.0 * tau_s)
    }
}

/// The point on logarithmic axes, if both can be had.
fn logarithmic(x: f64, y: f64) -> Option<Dot> {
    (x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite()).then(|| (x.log10(), y.log10()))
}

impl Plot for StabilityPlot {
    fn height(&self) -> u32 {
        820
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let all = || self.oadev.iter().chain(&self.mdev);
        let kept = |points: &[DeviationPoint]| -> Vec<(Dot, Option<(f64, f64)>)> {
            let kept = points.iter().filter_map(|point| {
                let dot = logarithmic(point.tau_s, point.deviation)?;
                let interval = point.interval.filter(|(low, high)| *low > 0.0 && high.is_finite());
                Some((dot, interval.map(|(low, high)| (low.log10(), high.log10()))))
            });
            kept.collect()
        };
        let (oadev, mdev) = (kept(&self.oadev), kept(&self.mdev));
        let along = decades(all().map(|point| point.tau_s)).unwrap_or(0.0..1.0);
        let bars = all().flat_map(|point| point.interval.into_iter().flat_map(|(low, high)| [low, high]));
        let up = decades(all().map(|point| point.deviation).chain(bars)).unwrap_or(-12.0..-3.0);
        let mut chart = of_decades(area, &along, &up, ("averaging time (s)", "deviation"))?;
        let font = || ("sans-serif", FONT).into_font().color(&INK);
        self.guides(&mut chart, &oadev)?;
        if let (Some(from), Some(to)) = (
            logarithmic(10_f64.powf(along.start), self.floor(10_f64.powf(along.start))),
            logarithmic(10_f64.powf(along.end), self.floor(10_f64.powf(along.end))),
        ) {
            for piece in clipped(&[from, to], &along, &up) {
                chart.draw_series(DashedLineSeries::new(piece.clone(), 6, 8, FAULT.stroke_width(4)))?;
                if let Some(at) = piece.last() {
                    // Beside its end: above the line it would stand on it, for the line comes from there.
                    let style = font().pos(Pos::new(HPos::Right, VPos::Bottom));
                    let beside = (at.0 - 0.12 * (along.end - along.start), at.1 + 0.01 * (up.end - up.start));
                    chart.draw_series([Text::new("quantisation", beside, style)])?;
                }
            }
        }
        let end = |points: &[(Dot, Option<(f64, f64)>)]| points.last().map_or(f64::NEG_INFINITY, |(dot, _)| dot.1);
        let above = if end(&oadev) < end(&mdev) { "MDEV" } else { "OADEV" };
        for (points, name, colour) in [(&oadev, "OADEV", SERIES), (&mdev, "MDEV", FIT)] {
            chart.draw_series(LineSeries::new(points.iter().map(|(dot, _)| *dot), colour.stroke_width(4)))?;
            let bars = points.iter().filter_map(|(dot, interval)| Some((dot.0, (*interval)?)));
            chart.draw_series(bars.map(|(x, (low, high))| {
                PathElement::new(vec![(x, low.max(up.start)), (x, high.min(up.end))], colour.stroke_width(3))
            }))?;
            if name == "OADEV" {
                chart.draw_series(points.iter().map(|(dot, _)| Circle::new(*dot, 8, colour.filled())))?;
            } else {
                chart.draw_series(points.iter().map(|(dot, _)| TriangleMarker::new(*dot, 11, colour.filled())))?;
            }
            // At their ends, where the two are furthest apart, each on the side away from the other.
            if let Some((dot, _)) = points.last() {
                let style = font().pos(Pos::new(HPos::Left, if name == above { VPos::Bottom } else { VPos::Top }));
                chart.draw_series([Text::new(name, (dot.0 + 0.06, dot.1), style)])?;
            }
        }
        Ok(self.oadev.len() + self.mdev.len() - oadev.len() - mdev.len())
    }
}

impl StabilityPlot {
    /// Thin lines of slope -1, -1/2 and +1/2 through the middle of the picture: white phase, white frequency, random walk.
    fn guides<B: DrawingBackend>(
        &self,
        chart: &mut ChartContext<
            '_,
            B,
            Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
        >,
        points: &[(Dot, Option<(f64, f64)>)],
    ) -> Result<(), ReportError>
    where
        B::ErrorType: 'static,
    {
        let Some((middle, _)) = points.get(points.len() / 2) else { return Ok(()) };
        let (along, up) = (chart.x_range(), chart.y_range());
        for (slope, name) in [(-1.0, "-1"), (-0.5, "-1/2"), (0.5, "+1/2")] {
            let at = |x: f64| (x, middle.1 + slope * (x - middle.0));
            for piece in clipped(&[at(along.start), at(along.end)], &along, &up) {
                let Some(last) = piece.last().copied() else { continue };
                chart.draw_series([PathElement::new(piece, GRID.stroke_width(3))])?;
                let style = ("sans-serif", FONT).into_font().color(&INK).pos(Pos::new(HPos::Right, VPos::Bottom));
                chart.draw_series([Text::new(name, (last.0 - 0.02, last.1), style)])?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(slope: f64) -> Vec<DeviationPoint> {
        (0..8)
            .map(|octave| {
                let tau_s = f64::from(1 << octave);
                let deviation = 1e-7 * tau_s.powf(slope);
                DeviationPoint { tau_s, deviation, interval: Some((deviation * 0.9, deviation * 1.2)) }
            })
            .collect()
    }

    #[test]
    fn decades_are_labelled_bars_are_drawn_and_what_has_no_logarithm_is_counted() {
        let mut plot = StabilityPlot { oadev: points(-0.5), mdev: points(-1.0), quantum_ns: 100.0 };
        plot.oadev.push(DeviationPoint { tau_s: 256.0, deviation: 0.0, interval: None });
        plot.mdev.push(DeviationPoint { tau_s: 256.0, deviation: f64::NAN, interval: None });
        let drawn = plot.svg().expect("a plot");
        for text in
            ["OADEV", "MDEV", "quantisation", "averaging time (s)", "\n1e-8\n", "\n1e-7\n", "\n100\n", "\n-1/2\n"]
        {
            assert!(drawn.svg.contains(text), "{text}: {}", drawn.svg);
        }
        assert_eq!(drawn.left_out, 2);
        assert_eq!(drawn.svg.matches("<circle").count(), 8);
        assert!(!drawn.svg.contains("NaN") && !drawn.svg.contains("inf"));
        // The names keep away from each other, whichever line ends higher.
        let hangs = |svg: &str, name: &str| {
            let (before, _) = svg.split_once(&format!("\n{name}\n")).expect("it is named");
            before.rsplit("<text ").next().is_some_and(|text| text.contains("dy=\"0.76em\""))
        };
        let crossed =
            StabilityPlot { oadev: points(0.49), mdev: points(0.5), quantum_ns: 100.0 }.svg().expect("a plot");
        assert_eq!(["OADEV", "MDEV"].map(|name| hangs(&drawn.svg, name)), [false, true]);
        assert_eq!(["OADEV", "MDEV"].map(|name| hangs(&crossed.svg, name)), [true, false]);
        assert!(StabilityPlot { oadev: vec![], mdev: vec![], quantum_ns: 0.0 }.svg().is_ok());
    }
}
