//! The maximum time interval error over the observation time, and the mask that it must stay below.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{decades, of_decades};
use super::series::{Dot, clipped, within};
use super::{FIT, FONT, INK, Plot, SERIES};
use crate::error::ReportError;
use crate::statistics::Mask;

/// MTIE on logarithmic axes with a mask.
#[derive(Clone, Debug, PartialEq)]
pub struct MtiePlot {
    /// Observation time in seconds and MTIE in nanoseconds, by observation time.
    pub points: Vec<(f64, f64)>,
    /// The mask.
    pub mask: Mask,
}

const MASK_STEPS: usize = 60;

impl Plot for MtiePlot {
    fn height(&self) -> u32 {
        700
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let seconds = |ns: f64| ns * 1e-9;
        let along = decades(self.points.iter().map(|point| point.0)).unwrap_or(0.0..1.0);
        let limit = |exponent: f64| seconds(self.mask.allowed_ns(10_f64.powf(exponent + 9.0) as u64) as f64);
        let limits = [along.start, along.end].map(limit);
        let up = decades(self.points.iter().map(|point| seconds(point.1)).chain(limits)).unwrap_or(-6.0..0.0);
        let mut chart = of_decades(area, &along, &up, ("observation time (s)", "MTIE (s)"))?;
        let mask: Vec<Dot> = (0..=MASK_STEPS)
            .map(|step| along.start + (along.end - along.start) * step as f64 / MASK_STEPS as f64)
            .map(|exponent| (exponent, limit(exponent).log10()))
            .collect();
        for piece in clipped(&mask, &along, &up) {
            let end = piece.last().copied().unwrap_or_default();
            chart.draw_series(DashedLineSeries::new(piece, 18, 10, FIT.stroke_width(4)))?;
            let style = ("sans-serif", FONT).into_font().color(&INK).pos(Pos::new(HPos::Right, VPos::Bottom));
            chart.draw_series([Text::new(format!("mask {}", self.mask.name), (end.0 - 0.05, end.1 + 0.06), style)])?;
        }
        let dots: Vec<Dot> = self.points.iter().map(|(tau, ns)| (tau.log10(), seconds(*ns).log10())).collect();
        for piece in clipped(&dots, &along, &up) {
            chart.draw_series(LineSeries::new(piece, SERIES.stroke_width(4)))?;
        }
        let (kept, left_out) = within(&dots, &along, &up);
        chart.draw_series(kept.into_iter().map(|dot| Circle::new(dot, 8, SERIES.filled())))?;
        Ok(left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_is_named_and_what_has_no_logarithm_is_counted() {
        let mask = Mask::shipped("crystal").expect("it is shipped");
        let points = vec![(1.0, 0.0), (10.0, 3e6), (100.0, 4e6), (1_000.0, 60e6)];
        let drawn = MtiePlot { points, mask: mask.clone() }.svg().expect("a plot");
        assert!(drawn.svg.contains("mask crystal") && drawn.svg.contains("MTIE (s)") && drawn.svg.contains("\n0.1\n"));
        assert_eq!((drawn.left_out, drawn.svg.matches("<circle").count()), (1, 3));
        assert!(!drawn.svg.contains("NaN") && !drawn.svg.contains("inf"));
        assert!(MtiePlot { points: vec![], mask }.svg().is_ok());
    }
}
