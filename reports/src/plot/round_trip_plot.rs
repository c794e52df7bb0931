//! Device against host: how long each reading took, what it leaves open, and the lines that meet all readings.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::frame::{in_style, plane};
use super::{FIT, Plot, SERIES, Unit, label, roomy};
use crate::error::ReportError;

/// One reading of the device's time between two instants of the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundTrip {
    /// The middle of both instants, in seconds since the first reading.
    pub at_s: f64,
    /// The time between them, in nanoseconds.
    pub round_trip_ns: f64,
    /// Device time minus host time at the middle, in nanoseconds; it may be off by half the round trip.
    pub offset_ns: f64,
}

/// A straight line of device minus host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// At the first reading, in nanoseconds.
    pub offset_ns: f64,
    /// How it grows, in parts per million.
    pub rate_ppm: f64,
}

impl Line {
    fn at(self, at_s: f64) -> f64 {
        self.offset_ns + self.rate_ppm * 1e3 * at_s
    }
}

/// Offsets beside the middle of the feasible strip, above the round trips.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundTripPlot {
    /// In order of time.
    pub readings: Vec<RoundTrip>,
    /// The slowest and the fastest line that meet all readings; `None` proves that the rate was not constant.
    pub feasible: Option<(Line, Line)>,
}

/// Drawn pixels of the upper panel.
const UPPER: u32 = 480;

/// Most readings that are drawn; of more, those with the shortest round trips, which say the most.
const READINGS_MAX: usize = 1_500;

impl Plot for RoundTripPlot {
    fn height(&self) -> u32 {
        900
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let mut readings: Vec<RoundTrip> = self
            .readings
            .iter()
            .filter(|at| at.at_s.is_finite() && at.round_trip_ns.is_finite() && at.offset_ns.is_finite())
            .copied()
            .collect();
        readings.sort_by(|a, b| a.round_trip_ns.total_cmp(&b.round_trip_ns));
        readings.truncate(READINGS_MAX);
        // The few longest round trips would squeeze all others into a line.
        let longest = readings.get(readings.len().saturating_sub(1) * 19 / 20).map_or(1.0, |at| at.round_trip_ns);
        let shown: Vec<RoundTrip> = readings.into_iter().filter(|at| at.round_trip_ns <= longest).collect();
        let end = shown.iter().fold(0.0, |end, at| f64::max(end, at.at_s)).max(1e-9);
        let along = roomy(0.0, end);
        let (upper, lower) = area.split_vertically(UPPER);
        self.offsets(&upper, &shown, end, &along)?;
        trips(&lower, &shown, longest, &along)?;
        Ok(self.readings.len() - shown.len())
    }
}

impl RoundTripPlot {
    /// The middle of the strip; without one, the offset of the reading that says the most.
    fn middle(&self, shown: &[RoundTrip]) -> Line {
        match (self.feasible, shown.first()) {
            (Some((slow, fast)), _) => Line {
                offset_ns: (slow.offset_ns + fast.offset_ns) / 2.0,
                rate_ppm: (slow.rate_ppm + fast.rate_ppm) / 2.0,
            },
            (None, Some(best)) => Line { offset_ns: best.offset_ns, rate_ppm: 0.0 },
            (None, None) => Line { offset_ns: 0.0, rate_ppm: 0.0 },
        }
    }

    fn offsets<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        shown: &[RoundTrip],
        end: f64,
        along: &std::ops::Range<f64>,
    ) -> Result<(), ReportError>
    where
        B::ErrorType: 'static,
    {
        let middle = self.middle(shown);
        let beside = |at: &RoundTrip| at.offset_ns - middle.at(at.at_s);
        let ends =
            shown.iter().flat_map(|at| [beside(at) - at.round_trip_ns / 2.0, beside(at) + at.round_trip_ns / 2.0]);
        let (low, high) = ends.fold((0.0, 0.0), |(low, high), end| (f64::min(low, end), f64::max(high, end)));
        let unit = Unit::small(f64::max(-low, high));
        let up = roomy(low / unit.ns, high / unit.ns);
        let mut chart = plane(area, (160, 50), along.clone(), up.clone())?;
        in_style(&mut chart.configure_mesh())
            .y_desc(format!("beside the middle ({})", unit.name))
            .x_labels(9)
            .y_labels(6)
            .x_label_formatter(&label(along))
            .y_label_formatter(&label(&up))
            .draw()?;
        chart.draw_series(shown.iter().map(|at| {
            let (value, half) = (beside(at) / unit.ns, at.round_trip_ns / 2.0 / unit.ns);
            PathElement::new(vec![(at.at_s, value - half), (at.at_s, value + half)], SERIES.stroke_width(2))
        }))?;
        let lines = self.feasible.into_iter().flat_map(|(slow, fast)| [slow, fast]);
        for line in lines {
            let at = |at_s: f64| (at_s, (line.at(at_s) - middle.at(at_s)) / unit.ns);
            for piece in super::series::clipped(&[at(0.0), at(end)], along, &up) {
                chart.draw_series(DashedLineSeries::new(piece, 18, 10, FIT.stroke_width(4)))?;
            }
        }
        Ok(())
    }
}

fn trips<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    shown: &[RoundTrip],
    longest: f64,
    along: &std::ops::Range<f64>,
) -> Result<(), ReportError>
where
    B::ErrorType: 'static,
{
    let unit = Unit::small(longest);
    let up = 0.0..(longest / unit.ns * 1.06).max(1e-9);
    let mut chart = plane(area, (160, 84), along.clone(), up.clone())?;
    in_style(&mut chart.configure_mesh())
        .x_desc("reference time since the first reading (s)")
        .y_desc(format!("round trip ({})", unit.name))
        .x_labels(9)
        .y_labels(5)
        .x_label_formatter(&label(along))
        .y_label_formatter(&label(&up))
        .draw()?;
    chart.draw_series(shown.iter().map(|at| Circle::new((at.at_s, at.round_trip_ns / unit.ns), 4, SERIES.filled())))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_and_strip_are_drawn_and_the_longest_are_counted() {
        let reading = |n: u32| RoundTrip {
            at_s: f64::from(n) * 0.1,
            round_trip_ns: 120e3 + f64::from(n * 7_919 % 97) * 2e3 + if n.is_multiple_of(50) { 30e6 } else { 0.0 },
            offset_ns: 20e3 * f64::from(n) * 0.1,
        };
        let lines = (Line { offset_ns: 60e3, rate_ppm: 18.0 }, Line { offset_ns: -60e3, rate_ppm: 22.0 });
        let plot = RoundTripPlot { readings: (0..400).map(reading).collect(), feasible: Some(lines) };
        let drawn = plot.svg().expect("a plot");
        assert!(drawn.svg.contains("round trip (µs)") && drawn.svg.contains("beside the middle (µs)"), "{}", drawn.svg);
        assert!((8..=20).contains(&drawn.left_out), "{} left out, 8 of them far off", drawn.left_out);
        assert_eq!(drawn.svg.matches("<circle").count() + drawn.left_out, 400);
        let nothing = RoundTripPlot { readings: vec![], feasible: None }.svg().expect("a plot");
        assert!(!nothing.svg.contains("NaN") && !nothing.svg.contains("inf"));
    }
}
