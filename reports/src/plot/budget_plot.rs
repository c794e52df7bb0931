//! What a time error at the end of a game is made of, as bars.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::frame::{in_style, plane};
use super::{FIT, FONT, INK, Plot, SERIES, Unit, label, roomy};
use crate::error::ReportError;

/// One part of an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Where it comes from: `offset`, `temperature`, `rounding`, `latency`, `unexplained`.
    pub name: String,
    /// How much, in nanoseconds, with its sign.
    pub ns: f64,
    /// Half the width of its interval of 95 %, in nanoseconds.
    pub half_width_ns: f64,
}

/// The budget of an error: a bar for each term, with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetPlot {
    /// From top to bottom.
    pub terms: Vec<Term>,
}

/// Drawn pixels of a bar with its room.
const ROW: u32 = 76;

impl Plot for BudgetPlot {
    fn height(&self) -> u32 {
        110 + ROW * self.terms.len().max(1) as u32
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<usize, ReportError>
    where
        B::ErrorType: 'static,
    {
        let known: Vec<&Term> =
            self.terms.iter().filter(|term| term.ns.is_finite() && term.half_width_ns.is_finite()).collect();
        let ends = known.iter().flat_map(|term| [term.ns - term.half_width_ns, term.ns + term.half_width_ns]);
        let (low, high) = ends.fold((0.0, 0.0), |(low, high), end| (f64::min(low, end), f64::max(high, end)));
        let unit = Unit::small(f64::max(-low, high));
        let along = roomy(low / unit.ns, high / unit.ns);
        // Room for the figure behind the longest bar.
        let along = along.start..along.end + (along.end - along.start) * 0.28;
        let rows = known.len().max(1) as f64;
        let mut chart = plane(area, (340, 84), along.clone(), rows..0.0)?;
        in_style(&mut chart.configure_mesh())
            .disable_y_mesh()
            .disable_y_axis()
            .x_desc(format!("error at the end ({})", unit.name))
            .x_labels(8)
            .x_label_formatter(&label(&along))
            .draw()?;
        let font = || ("sans-serif", FONT).into_font().color(&INK);
        for (row, term) in known.iter().enumerate() {
            let (middle, value, doubt) = (row as f64 + 0.5, term.ns / unit.ns, term.half_width_ns / unit.ns);
            chart.draw_series([Rectangle::new([(0.0, middle - 0.28), (value, middle + 0.28)], SERIES.filled())])?;
            let whisker =
                |at: f64| PathElement::new(vec![(at, middle - 0.14), (at, middle + 0.14)], FIT.stroke_width(4));
            let bar = PathElement::new(vec![(value - doubt, middle), (value + doubt, middle)], FIT.stroke_width(4));
            chart.draw_series([bar, whisker(value - doubt), whisker(value + doubt)])?;
            let figure = format!("{:+.3} ± {:.3} {}", value, doubt, unit.name);
            let beside = (f64::max(value, 0.0) + doubt + (along.end - along.start) * 0.01, middle);
            chart.draw_series([Text::new(figure, beside, font().pos(Pos::new(HPos::Left, VPos::Center)))])?;
            let name = font().pos(Pos::new(HPos::Right, VPos::Center));
            let place = chart.backend_coord(&(along.start, middle));
            area.draw_text(
                &term.name,
                &name,
                (place.0 - 16 - area.get_pixel_range().0.start, place.1 - area.get_pixel_range().1.start),
            )?;
        }
        chart.draw_series([PathElement::new(vec![(0.0, 0.0), (0.0, rows)], INK.stroke_width(2))])?;
        Ok(self.terms.len() - known.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(name: &str, ns: f64) -> Term {
        Term { name: name.to_owned(), ns, half_width_ns: 1e6 }
    }

    #[test]
    fn each_term_has_its_name_its_bar_and_its_figure() {
        let terms = vec![term("offset", 504e6), term("rounding", -30e6), term("latency", f64::NAN)];
        let drawn = BudgetPlot { terms }.svg().expect("a plot");
        for text in ["offset", "rounding", "+504.000 ± 1.000 ms", "-30.000 ± 1.000 ms", "error at the end (ms)"] {
            assert!(drawn.svg.contains(text), "{text}: {}", drawn.svg);
        }
        assert_eq!(drawn.svg.matches("fill=\"#0072B2\"").count(), 2);
        assert_eq!(drawn.left_out, 1);
        assert!(!drawn.svg.contains("NaN"));
        assert!(BudgetPlot { terms: vec![] }.svg().is_ok());
    }
}
