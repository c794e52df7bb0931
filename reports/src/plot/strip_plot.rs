//! All scenarios against their limits: a dot for each, a strip for each rig, and the line that none may pass.

use std::collections::BTreeSet;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::frame::{in_style, plane};
use super::{FAULT, FIT, FONT, INK, Plot, SERIES};
use crate::error::ReportError;

/// A scenario on its strip.
#[derive(Clone, Debug, PartialEq)]
pub struct StripPoint {
    /// The name of the strip: a rig.
    pub strip: String,
    /// How much of its bound was used: 1 is all of it.
    pub share: f64,
    /// Whether it passed all the same; a fault that was to be found uses more than its bound.
    pub passed: bool,
}

/// Shares of bounds by rig.
#[derive(Clone, Debug, PartialEq)]
pub struct StripPlot {
    /// In any order.
    pub points: Vec<StripPoint>,
    /// What the shares are of: the name of the axis.
    pub of: String,
}

/// Drawn pixels of a strip.
const STRIP: u32 = 150;

/// The share up to which is drawn: more is counted, so that one clock that is far off does not hide the others.
const SHARE_MAX: f64 = 1.6;

impl StripPlot {
    fn strips(&self) -> Vec<&str> {
        let mut strips: Vec<&str> = self.points.iter().map(|point| point.strip.as_str()).collect();
        strips.sort_unstable();
        strips.dedup();
        strips
    }
}

impl Plot for StripPlot {
    fn height(&self) -> u32 {
        110 + STRIP * self.strips().len().max(1) as u32
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let strips = self.strips();
        let rows = strips.len().max(1) as f64;
        let shown = |point: &&StripPoint| (0.0..=SHARE_MAX).contains(&point.share);
        let most = self.points.iter().filter(shown).fold(1.0, |most, point| f64::max(most, point.share));
        let far = |strip: &str| {
            let of_strip = self.points.iter().filter(|point| point.strip == strip);
            of_strip.filter(|point| point.share.is_finite() && point.share > SHARE_MAX).count()
        };
        // Room behind the line for the number of those that are far beyond it.
        let most = if strips.iter().any(|strip| far(strip) > 0) { f64::max(most, SHARE_MAX) } else { most };
        let along = -2.0..100.0 * most + 6.0;
        let mut chart = plane(area, (260, 84), along.clone(), rows..0.0)?;
        in_style(&mut chart.configure_mesh())
            .disable_y_mesh()
            .disable_y_axis()
            .x_desc(&self.of)
            .x_labels(8)
            .x_label_formatter(&|percent| if *percent < 0.0 { String::new() } else { format!("{percent:.0}") })
            .draw()?;
        let font = || ("sans-serif", FONT).into_font().color(&INK);
        for (row, strip) in strips.iter().enumerate() {
            let place = chart.backend_coord(&(along.start, row as f64 + 0.5));
            let (left, top) = (area.get_pixel_range().0.start, area.get_pixel_range().1.start);
            let name = font().pos(Pos::new(HPos::Right, VPos::Center));
            area.draw_text(strip, &name, (place.0 - 16 - left, place.1 - top))?;
            if far(strip) > 0 {
                let style = font().pos(Pos::new(HPos::Right, VPos::Center));
                let beyond = (along.end - 1.0, row as f64 + 0.5);
                chart.draw_series([Text::new(format!("{} far beyond", far(strip)), beyond, style)])?;
            }
            // What would stand on another mark is that mark: a page may have hundreds at nothing.
            let mut drawn = BTreeSet::new();
            let of_strip = self.points.iter().filter(|point| point.strip == *strip).filter(shown);
            for (index, point) in of_strip.enumerate() {
                // Dots at one place stand above each other, always in the same way.
                let height = row as f64 + 0.2 + 0.6 * (index * 7 % 13) as f64 / 12.0;
                let dot = (100.0 * point.share, height);
                if !drawn.insert((chart.backend_coord(&dot), point.passed)) {
                    continue;
                }
                if point.passed {
                    chart.draw_series([Circle::new(dot, 7, SERIES.filled())])?;
                } else {
                    chart.draw_series([Cross::new(dot, 9, FAULT.stroke_width(4))])?;
                }
            }
        }
        chart.draw_series([PathElement::new(vec![(100.0, 0.0), (100.0, rows)], FIT.stroke_width(5))])?;
        Ok(self.points.len() - self.points.iter().filter(shown).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rig_has_its_strip_and_what_is_far_off_is_counted() {
        let point = |strip: &str, share: f64| StripPoint { strip: strip.to_owned(), share, passed: share <= 1.0 };
        let mut points: Vec<StripPoint> = (0..40).map(|n| point("virtual-board", f64::from(n) * 0.02)).collect();
        points.extend([point("066BFF", 1.2), point("066BFF", 40.0), point("066BFF", f64::NAN)]);
        let plot = StripPlot { points, of: "share of the bound (%)".to_owned() };
        assert_eq!(plot.height(), 410);
        let drawn = plot.svg().expect("a plot");
        assert!(drawn.svg.contains("virtual-board") && drawn.svg.contains("066BFF"));
        assert_eq!((drawn.left_out, drawn.svg.matches("<circle").count()), (2, 40));
        assert!(drawn.svg.contains("1 far beyond"), "{}", drawn.svg);
        assert!(drawn.svg.contains("#CC79A7"), "what did not pass has another shape and colour");
        assert!(!drawn.svg.contains("NaN") && StripPlot { points: vec![], of: String::new() }.svg().is_ok());
    }
}
