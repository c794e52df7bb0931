//! Is the clock fair? The error of both sides together and their difference, move after move.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::frame::{in_style, plane};
use super::series::{Dot, decimated};
use super::{FIT, FONT, INK, Plot, SERIES, Unit, label, roomy};
use crate::error::ReportError;

/// The errors after a move, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveError {
    /// The number of the half-move.
    pub half_move: u32,
    /// `S = e_W + e_B`: what both sides were charged too much together.
    pub time_base_ns: f64,
    /// `D = (e_W - e_B) / 2`: what White was charged more than Black.
    pub unfairness_ns: f64,
}

/// `S` and `D` over the moves of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct FairnessPlot {
    /// In order of moves.
    pub moves: Vec<MoveError>,
}

impl Plot for FairnessPlot {
    fn height(&self) -> u32 {
        560
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let known: Vec<&MoveError> =
            self.moves.iter().filter(|at| at.time_base_ns.is_finite() && at.unfairness_ns.is_finite()).collect();
        let values = known.iter().flat_map(|at| [at.time_base_ns, at.unfairness_ns]);
        let (low, high) = values.fold((0.0, 0.0), |(low, high), value| (f64::min(low, value), f64::max(high, value)));
        let unit = Unit::small(f64::max(-low, high));
        let up = roomy(low / unit.ns, high / unit.ns);
        let last = known.last().map_or(1.0, |at| f64::from(at.half_move).max(1.0));
        // Room for the names behind the ends of the lines.
        let along = 0.0..last * 1.14;
        let mut chart = plane(area, (160, 84), along.clone(), up.clone())?;
        in_style(&mut chart.configure_mesh())
            .x_desc("half-move")
            .y_desc(format!("charged too much ({})", unit.name))
            .x_labels(9)
            .y_labels(7)
            .x_label_formatter(&|half_move| if *half_move > last { String::new() } else { format!("{half_move:.0}") })
            .y_label_formatter(&label(&up))
            .draw()?;
        chart.draw_series([PathElement::new(vec![(0.0, 0.0), (along.end, 0.0)], INK.stroke_width(1))])?;
        let dots = |of: fn(&MoveError) -> f64| -> Vec<Dot> {
            let dots: Vec<Dot> = known.iter().map(|at| (f64::from(at.half_move), of(at) / unit.ns)).collect();
            decimated(&dots, 700)
        };
        let both = [(dots(|at| at.time_base_ns), "S, both", SERIES), (dots(|at| at.unfairness_ns), "D, unfair", FIT)];
        let ends = both.each_ref().map(|(dots, ..)| dots.last().map_or(0.0, |dot| dot.1));
        for (place, (dots, name, colour)) in both.iter().enumerate() {
            if place == 0 {
                chart.draw_series(LineSeries::new(dots.iter().copied(), colour.stroke_width(4)))?;
            } else {
                chart.draw_series(DashedLineSeries::new(dots.iter().copied(), 14, 8, colour.stroke_width(4)))?;
            }
            // Names of lines that end at one height stand above each other.
            let upper = ends[place] > ends[1 - place] || ends[0] == ends[1] && place == 0;
            let anchor = Pos::new(HPos::Left, if upper { VPos::Bottom } else { VPos::Top });
            let style = ("sans-serif", FONT).into_font().color(&INK).pos(anchor);
            chart.draw_series([Text::new(*name, (last * 1.012, ends[place]), style)])?;
        }
        Ok(self.moves.len() - known.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_are_named_and_long_games_stay_small() {
        let at = |half_move: u32| MoveError {
            half_move,
            time_base_ns: 1e6 * f64::from(half_move),
            unfairness_ns: -5e5 * f64::from(half_move % 3),
        };
        let drawn = FairnessPlot { moves: (0..50_000).map(at).collect() }.svg().expect("a plot");
        assert!(drawn.svg.contains("S, both") && drawn.svg.contains("D, unfair") && drawn.svg.contains("half-move"));
        assert!(drawn.svg.contains("charged too much (s)"), "{}", drawn.svg);
        assert!(drawn.svg.len() < 150_000, "{}", drawn.svg.len());
        let lost = MoveError { half_move: 1, time_base_ns: f64::INFINITY, unfairness_ns: 0.0 };
        let drawn = FairnessPlot { moves: vec![lost] }.svg().expect("a plot");
        assert!(drawn.left_out == 1 && !drawn.svg.contains("inf") && !drawn.svg.contains("NaN"));
    }
}
