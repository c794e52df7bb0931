//! What all plots have in common around what they show: margins, grid, axes, font.

use std::ops::Range;

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::{FONT, GRID, INK};
use crate::error::ReportError;

/// A plane to draw on.
pub(super) type Plane<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The plane of an area that keeps so many drawn pixels on the left and below for labels.
pub(super) fn plane<'a, B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    (left, below): (u32, u32),
    along: Range<f64>,
    up: Range<f64>,
) -> Result<Plane<'a, B>, ReportError>
where
    B::ErrorType: 'static,
{
    let mut margins = ChartBuilder::on(area);
    margins.margin(16).margin_right(40).x_label_area_size(below).y_label_area_size(left);
    Ok(margins.build_cartesian_2d(along, up)?)
}

/// Grid and labels in the colours of the page; what differs from plot to plot comes after.
pub(super) fn in_style<'m, 'a, 'b, B: DrawingBackend>(
    mesh: &'m mut MeshStyle<'a, 'b, RangedCoordf64, RangedCoordf64, B>,
) -> &'m mut MeshStyle<'a, 'b, RangedCoordf64, RangedCoordf64, B> {
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(("sans-serif", FONT).into_font().color(&INK))
}
