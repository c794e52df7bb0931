//! Pictures of numbers as SVG and PNG: axes with units, a font that is compiled in, colours that the page may exchange.
//!
//! The SVG back end knows whole pixels only, so everything is drawn at twice its size and shown at half. Colours are
//! few and each stands for a part; the page's style sheet replaces them by attribute, which is how a plot follows dark
//! mode. Points outside the axes would be drawn on the frame, as if they were there: lines are cut where they leave, and
//! points that leave or that an axis cannot hold are counted ([`Drawn::left_out`]).
//!
//! Plots are of numbers alone, and know no traces:
//!
//! ```
//! use flagfall_reports::plot::{BudgetPlot, Plot, Term};
//!
//! let offset = Term { name: "offset".to_owned(), ns: 504_000_000.0, half_width_ns: 2_000_000.0 };
//! let drawn = BudgetPlot { terms: vec![offset] }.svg()?;
//! assert!(drawn.svg.starts_with("<svg") && drawn.left_out == 0);
//! # Ok::<(), flagfall_reports::ReportError>(())
//! ```

mod axis;
mod before_after_plot;
mod budget_plot;
mod error_plot;
mod fairness_plot;
mod font;
mod frame;
mod histogram_plot;
mod jitter_plot;
mod mtie_plot;
mod png;
mod round_trip_plot;
mod series;
mod stability_plot;
mod strip_plot;

pub use before_after_plot::BeforeAfterPlot;
pub use budget_plot::{BudgetPlot, Term};
pub(crate) use error_plot::ErrorPlot;
pub use fairness_plot::{FairnessPlot, MoveError};
pub(crate) use histogram_plot::HistogramPlot;
pub use jitter_plot::JitterPlot;
pub use mtie_plot::MtiePlot;
pub use round_trip_plot::{Line, RoundTrip, RoundTripPlot};
pub use stability_plot::{DeviationPoint, StabilityPlot};
pub use strip_plot::{StripPlot, StripPoint};

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::error::ReportError;

/// A plot as SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The element, for a page whose style sheet gives it size and font.
    pub svg: String,
    /// How many points are not to be seen: beyond the axes, or on a logarithmic one not above zero.
    pub left_out: usize,
}

impl Drawn {
    /// The same as a file of its own: with namespace, size and font, on white.
    #[must_use]
    pub fn file(&self) -> String {
        let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" font-family=\"sans-serif\" style=\"background:#fff\"";
        format!("{head}{}", self.svg.strip_prefix("<svg").unwrap_or(&self.svg))
    }
}

/// What can be drawn on any back end.
pub trait Plot {
    /// Drawn pixels from top to bottom; shown at half.
    fn height(&self) -> u32;

    /// Draws and says how many points were left out.
    ///
    /// # Errors
    /// [`ReportError::Plot`] when the back end refuses.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static;

    /// The plot as SVG.
    ///
    /// # Errors
    /// [`ReportError::Plot`] when the back end refuses.
    fn svg(&self) -> Result<Drawn, ReportError> {
        font::ready()?;
        let mut svg = String::new();
        let left_out = {
            let area = SVGBackend::with_string(&mut svg, (WIDTH, self.height())).into_drawing_area();
            let left_out = self.draw(&area)?;
            area.present()?;
            left_out
        };
        Ok(Drawn { svg: inline(&svg, self.height()), left_out })
    }

    /// The plot as a PNG file, black on white, twice as large as the page shows it.
    ///
    /// # Errors
    /// [`ReportError::Plot`] when the back end refuses.
    fn png(&self) -> Result<Vec<u8>, ReportError> {
        font::ready()?;
        let height = self.height();
        let mut pixels = vec![0; WIDTH as usize * height as usize * 3];
        {
            let area = BitMapBackend::with_buffer(&mut pixels, (WIDTH, height)).into_drawing_area();
            area.fill(&WHITE)?;
            self.draw(&area)?;
            area.present()?;
        }
        Ok(png::encode(WIDTH, height, &pixels))
    }
}

/// Text, axes and frame.
const INK: RGBColor = RGBColor(0x22, 0x22, 0x21);
/// Grid lines.
const GRID: RGBColor = RGBColor(0xd9, 0xd9, 0xd8);
/// What was measured.
const SERIES: RGBColor = RGBColor(0x00, 0x72, 0xb2);
/// What was computed from it.
const FIT: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
/// A second series, or what disturbs.
const FAULT: RGBColor = RGBColor(0xcc, 0x79, 0xa7);

/// Drawn pixels across; shown at half the size.
const WIDTH: u32 = 1_520;

/// Font size that comes out at 12.5 px: the back end writes sizes divided by 1.24, and half is shown.
const FONT: i32 = 31;

/// A unit for an axis: its name and how many nanoseconds it has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Unit {
    name: &'static str,
    ns: f64,
}

impl Unit {
    /// The unit in which a value of this size reads best, from nanoseconds to seconds.
    fn small(size_ns: f64) -> Self {
        match size_ns {
            size if size < 1e3 => Self { name: "ns", ns: 1.0 },
            size if size < 1e6 => Self { name: "µs", ns: 1e3 },
            size if size < 1e9 => Self { name: "ms", ns: 1e6 },
            _ => Self { name: "s", ns: 1e9 },
        }
    }

    /// The unit in which a run of this length reads best, from milliseconds to hours.
    fn long(size_ns: f64) -> Self {
        match size_ns {
            size if size < 1e9 => Self::small(size),
            size if size < 600e9 => Self { name: "s", ns: 1e9 },
            size if size < 7_200e9 => Self { name: "min", ns: 60e9 },
            _ => Self { name: "h", ns: 3_600e9 },
        }
    }
}

/// A range with some room on both sides; a range of nothing gets room around it, so that no axis is empty.
fn roomy(low: f64, high: f64) -> Range<f64> {
    let room = if high > low { (high - low) * 0.06 } else { low.abs().max(1.0) * 0.5 };
    low - room..high + room
}

/// Writes the labels of an axis without zeros that say nothing.
fn label(range: &Range<f64>) -> impl Fn(&f64) -> String + use<> {
    let step = (range.end - range.start) / 10.0;
    let decimals = (2.0 - step.log10().ceil()).clamp(0.0, 9.0) as usize;
    move |value| {
        let text = format!("{value:.decimals$}");
        let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    }
}

/// The SVG without what a page does not need: its namespace, which HTML knows; its size and font, which the page sets.
fn inline(svg: &str, height: u32) -> String {
    let body = svg.split_once('>').map_or("", |(_, body)| body.trim_start());
    let body = body.replace(" opacity=\"1\"", "").replace(" font-family=\"sans-serif\"", "");
    format!("<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\">{body}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_the_decimals_that_they_need() {
        let labels = |low: f64, high: f64, value: f64| label(&(low..high))(&value);
        assert_eq!(labels(0.0, 8.0, 2.0), "2");
        assert_eq!(labels(0.0, 1.0, 0.25), "0.25");
        assert_eq!(labels(-1.0, 1.0, -0.0), "0");
        assert_eq!(labels(0.0, 500_000.0, 250_000.0), "250000");
        assert_eq!(labels(0.0, 1e-6, 5e-7), "0.0000005");
        assert_eq!(labels(1.0, 1.0, 1.0), "1");
    }

    #[test]
    fn no_axis_is_empty() {
        for (low, high) in [(0.0, 0.0), (5.0, 5.0), (-3.0, -3.0), (0.0, 1.0)] {
            let range = roomy(low, high);
            assert!(range.start < low && high < range.end && range.start.is_finite() && range.end.is_finite());
        }
    }

    #[test]
    fn units_fit() {
        let names = [0.0, 999.0, 1e3, 2e6, 3e9].map(|ns| Unit::small(ns).name);
        assert_eq!(names, ["ns", "ns", "µs", "ms", "s"]);
        let names = [1e6, 60e9, 600e9, 7_200e9].map(|ns| Unit::long(ns).name);
        assert_eq!(names, ["ms", "s", "min", "h"]);
    }
}
