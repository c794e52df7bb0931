//! Logarithmic axes: decades as powers of ten, ranges that hold what is drawn.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::frame::{Plane, in_style, plane};
use crate::error::ReportError;

/// A plane of exponents of ten, with a label at each decade.
pub(super) fn of_decades<'a, B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    along: &Range<f64>,
    up: &Range<f64>,
    (x_desc, y_desc): (&str, &str),
) -> Result<Plane<'a, B>, ReportError>
where
    B::ErrorType: 'static,
{
    let mut chart = plane(area, (170, 84), along.clone(), up.clone())?;
    let whole = |range: &Range<f64>| (range.end - range.start).round() as usize + 1;
    in_style(&mut chart.configure_mesh())
        .x_desc(x_desc)
        .y_desc(y_desc)
        .x_labels(whole(along))
        .y_labels(whole(up))
        .x_label_formatter(&|exponent| decade(*exponent))
        .y_label_formatter(&|exponent| decade(*exponent))
        .draw()?;
    Ok(chart)
}

/// The exponents of ten between which these values lie, whole decades; `None` if there is nothing above zero.
pub(super) fn decades(values: impl Iterator<Item = f64>) -> Option<Range<f64>> {
    let (low, high) = values
        .filter(|value| *value > 0.0 && value.is_finite())
        .fold((f64::INFINITY, 0.0), |(low, high), value| (f64::min(low, value), f64::max(high, value)));
    if low > high {
        return None;
    }
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    Some(low..if high > low { high } else { low + 1.0 })
}

/// A label of a decade: `1`, `100`, `1e-9`.
fn decade(exponent: f64) -> String {
    let whole = exponent.round();
    if (exponent - whole).abs() > 1e-6 {
        return String::new();
    }
    match whole as i32 {
        exponent @ 0..=4 => 10_u32.pow(exponent.unsigned_abs()).to_string(),
        exponent @ -2..0 => format!("{:.*}", exponent.unsigned_abs() as usize, 10_f64.powi(exponent)),
        exponent => format!("1e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_holds_whole_decades_of_what_is_above_zero() {
        assert_eq!(decades([3.0, 250.0].into_iter()), Some(0.0..3.0));
        assert_eq!(decades([1.0].into_iter()), Some(0.0..1.0));
        assert_eq!(decades([0.0, -1.0, f64::NAN, f64::INFINITY].into_iter()), None);
        assert_eq!(decades([0.0, 2e-9].into_iter()), Some(-9.0..-8.0));
    }

    #[test]
    fn decades_read_as_numbers() {
        let labels = [-9.0, -2.0, -1.0, 0.0, 3.0, 5.0, 0.5].map(decade);
        assert_eq!(labels, ["1e-9", "0.01", "0.1", "1", "1000", "1e5", ""]);
    }
}
