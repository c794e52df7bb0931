//! The font of all plots: DejaVu Sans, compiled in, so that a picture is the same on a machine without fonts.
//!
//! SVG needs it too, to know how much room a label takes; what a browser then draws is its own.

use std::sync::OnceLock;

use plotters::style::{FontStyle, register_font};

use crate::error::ReportError;

/// Makes the font known; to be called before anything is drawn, as often as one likes.
pub(super) fn ready() -> Result<(), ReportError> {
    static READY: OnceLock<bool> = OnceLock::new();
    let known = READY.get_or_init(|| register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular()).is_ok());
    if *known { Ok(()) } else { Err(ReportError::Plot("the font that is compiled in is none".to_owned())) }
}
