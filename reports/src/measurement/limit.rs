//! Whether a limit is kept, on the whole interval.

use super::{Measurement, Reference};
use crate::statistics::{ErrorReading, Mask, MaskVerdict, Rates, Read};

/// In each of so many parts of the run the quickest reading speaks for the others: a slow one leaves so much open that
/// nobody could pass.
const PARTS: usize = 500;

/// What a measurement says of a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// It is kept, whatever readings and reference leave open.
    Pass,
    /// It is not, whatever they leave open.
    Fail(MaskVerdict),
    /// Both is possible.
    Inconclusive {
        /// A run of so many nanoseconds would decide, if the device goes on as it does; `None` if none would.
        needs_ns: Option<f64>,
    },
}

impl Measurement {
    /// Judges the readings so far.
    ///
    /// A reference that may be off by `u` can pass a device by a mask that is tighter by `u` only, and fail it by one that
    /// is wider by `u`.
    #[must_use]
    pub fn decide(&self, limit: &Mask, reference: &Reference) -> Decision {
        let (off_ppb, moved_ns) = reference.bounds();
        let rates = self.rates(0, moved_ns);
        let wider = Mask {
            step_ns: limit.step_ns.saturating_add(moved_ns),
            rate_ppb: limit.rate_ppb.saturating_add(off_ppb),
            ..limit.clone()
        };
        let all: Vec<ErrorReading> = self.reads.iter().map(reading).collect();
        match wider.judge(&all, rates) {
            MaskVerdict::Pass | MaskVerdict::Inconclusive { .. } => {}
            beyond => return Decision::Fail(beyond),
        }
        let tighter = limit
            .step_ns
            .checked_sub(moved_ns)
            .zip(limit.rate_ppb.checked_sub(off_ppb))
            .map(|(step_ns, rate_ppb)| Mask { step_ns, rate_ppb, ..limit.clone() });
        let parts = self.reads.len().div_ceil(PARTS).max(1);
        let quick: Vec<ErrorReading> = self
            .reads
            .chunks(parts)
            .filter_map(|part| part.iter().min_by_key(|read| read.round_trip_ns()))
            .map(reading)
            .collect();
        if let Some(tighter) = &tighter
            && tighter.judge(&quick, rates) == MaskVerdict::Pass
        {
            return Decision::Pass;
        }
        Decision::Inconclusive { needs_ns: self.needs_ns(&wider, tighter.as_ref(), rates.ok()) }
    }

    /// How long a run has to be: the interval shrinks as the run grows.
    fn needs_ns(&self, wider: &Mask, tighter: Option<&Mask>, rates: Option<Rates>) -> Option<f64> {
        let rates = rates.filter(|rates| rates.half_width().is_finite() && rates.half_width() > 0.0)?;
        let (rate, span) = (rates.centre().abs() * 1e9, self.span_ns() as f64);
        let above = rate - wider.rate_ppb as f64;
        let below = tighter.map_or(f64::NEG_INFINITY, |tighter| tighter.rate_ppb as f64 - rate);
        let away = f64::max(above, below);
        let needs = span * rates.half_width() * 1e9 / away;
        // One that would have been enough was not: what is open is not the rate.
        (away > 0.0 && needs > span).then_some(needs)
    }
}

/// What a reading leaves open of the time error.
fn reading(read: &Read) -> ErrorReading {
    let [before, after, low, high] = read.bounds_ns();
    ErrorReading { at_ns: i64::midpoint(before, after), least_ns: low - after, most_ns: high - before }
}
