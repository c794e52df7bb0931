//! What a bench knows about itself and no program can find out; it goes into the protocol of every run.

use flagfall_trace::bench_record::Reference;
use jiff::civil::Date;
use serde::Deserialize;

use super::field::Misfit;

/// What a bench says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchNotes {
    /// The device that is always on this bench.
    pub dut_serial: Option<String>,
    /// What keeps true time.
    pub reference: Option<Reference>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBenchNotes {
    dut_serial: Option<String>,
    reference: Option<RawReference>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawReference {
    clock: String,
    calibrated: Option<String>,
}

impl RawBenchNotes {
    pub(super) fn checked(self) -> Result<BenchNotes, Misfit> {
        let reference = self.reference.map(RawReference::checked).transpose()?;
        Ok(BenchNotes { dut_serial: self.dut_serial, reference })
    }
}

impl RawReference {
    fn checked(self) -> Result<Reference, Misfit> {
        let field = "bench.reference.calibrated";
        let calibrated = self.calibrated.map(|text| date(field, &text)).transpose()?;
        Ok(Reference { clock: self.clock, calibrated: calibrated.map(|date| date.to_string()) })
    }
}

/// A day as board files write it.
pub(super) fn date(field: &str, text: &str) -> Result<Date, Misfit> {
    let has_the_form = text.len() == 10
        && text.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    match text.parse() {
        Ok(date) if has_the_form => Ok(date),
        _ if has_the_form => Err(Misfit::new(field, format!("`{text}`: no such day"))),
        _ => Err(Misfit::new(field, format!("`{text}`: a date is YYYY-MM-DD, 2026-11-30"))),
    }
}
