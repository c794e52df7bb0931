//! What a measurement found, for people and for programs.

use serde::Serialize;

use super::{Decision, Measurement, Reference};
use crate::quantity::{interval_ppm, short};
use crate::statistics::{Mask, MaskVerdict, RateChanged};

/// The version of what is written; a reader refuses others.
pub const SCHEMA: u32 = 1;

/// What is off by less is told in parts per million alone.
const NOTICED_PPM: f64 = 1.0;

/// What a measurement found. Rates are in parts per million about zero, above zero fast.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What the device was compared with.
    pub reference: Reference,
    /// How many readings there are.
    pub reads: usize,
    /// From the first to the end of the last, in seconds of the reference.
    pub span_s: f64,
    /// The shortest of them took so long, in microseconds.
    pub round_trip_min_us: f64,
    /// The rate with its certain interval, the reference's part in it; absent where too little is known or no rate explains
    /// the readings.
    pub rate: Option<RateFound>,
    /// The likely rate, 95 %, the reference's part in it; beside a host's clock only.
    pub fit: Option<FitFound>,
    /// Proof that the rate changed.
    pub changed: Option<Changed>,
    /// What is to be kept, and whether it is.
    pub limit: Option<LimitFound>,
}

/// A rate and the interval that certainly holds it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RateFound {
    /// The middle of the interval.
    pub middle_ppm: f64,
    /// Half of its width.
    pub half_width_ppm: f64,
    /// Not below.
    pub from_ppm: f64,
    /// Not above.
    pub to_ppm: f64,
    /// What of the half-width is the reference's.
    pub reference_ppm: f64,
}

impl RateFound {
    /// What it makes of an hour, where it is certain that the device is slow, or fast; a line for a terminal.
    fn hour(&self) -> String {
        let (least, most) = (f64::max(self.from_ppm, -self.to_ppm), f64::max(self.to_ppm, -self.from_ppm));
        if least < NOTICED_PPM {
            return String::new();
        }
        let [least, most] = [least, most].map(|ppm| short(3.6e6 * ppm));
        let is = if self.middle_ppm < 0.0 {
            "few: slow, and players get too much time"
        } else {
            "many: fast, and players get too little time"
        };
        format!("  an hour    counts {least} to {most} too {is}\n")
    }

    /// Whether a counter that is fed through a prescaler of `count` where `of` would be right is within.
    #[must_use]
    pub fn holds_ratio(&self, of: u32, count: u32) -> bool {
        let ppm = (f64::from(of) - f64::from(count)) / f64::from(count) * 1e6;
        (self.from_ppm..=self.to_ppm).contains(&ppm)
    }
}

/// A rate and the interval of 95 % about it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FitFound {
    /// The rate.
    pub rate_ppm: f64,
    /// Half of the width of its interval.
    pub half_width_ppm: f64,
}

/// Two parts of the run between which the rate changed, in seconds since it began.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Changed {
    /// Here it was at least
    pub fast_from_s: f64,
    /// up to here
    pub fast_to_s: f64,
    /// this.
    pub at_least_ppm: f64,
    /// And here at most
    pub slow_from_s: f64,
    /// up to here
    pub slow_to_s: f64,
    /// this, which is less.
    pub at_most_ppm: f64,
}

/// A limit and what was decided of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitFound {
    /// What it is called.
    pub name: String,
    /// What an error may move by within no time, in milliseconds.
    pub step_ms: f64,
    /// And per span, in parts per million.
    pub rate_ppm: f64,
    /// `pass`, `fail` or `inconclusive`.
    pub verdict: &'static str,
    /// A run of so many seconds would decide; absent where it is decided, or no run would.
    pub needs_s: Option<f64>,
    /// Why it was decided like that.
    pub because: String,
    /// The same as a type.
    #[serde(skip)]
    pub decision: Decision,
}

impl Finding {
    pub(super) fn of(measurement: &Measurement, reference: &Reference, limit: Option<&Mask>) -> Self {
        let span_ns = measurement.span_ns();
        let off = reference.off(span_ns);
        let (off_ppb, moved_ns) = reference.bounds();
        let (rate, changed) = match measurement.rates(off_ppb, moved_ns) {
            Ok(rates) if rates.half_width().is_finite() => {
                let found = RateFound {
                    middle_ppm: rates.centre() * 1e6,
                    half_width_ppm: rates.half_width() * 1e6,
                    from_ppm: rates.slowest * 1e6,
                    to_ppm: rates.fastest * 1e6,
                    reference_ppm: off * 1e6,
                };
                (Some(found), None)
            }
            Ok(_) => (None, None),
            Err(changed) => (None, Some(Changed::of(&changed))),
        };
        // Readings at one phase of the counter are no sample of it: an emulator's likely interval would be nothing.
        let samples = matches!(reference, Reference::Host { .. }) && changed.is_none();
        let fit = measurement
            .fit()
            .filter(|_| samples)
            .map(|fit| FitFound { rate_ppm: fit.rate * 1e6, half_width_ppm: (fit.half_width + off) * 1e6 });
        let shortest = measurement.reads().iter().map(crate::statistics::Read::round_trip_ns).min().unwrap_or(0);
        Self {
            schema: SCHEMA,
            reference: reference.clone(),
            reads: measurement.reads().len(),
            span_s: span_ns as f64 / 1e9,
            round_trip_min_us: shortest as f64 / 1e3,
            rate,
            fit,
            changed,
            limit: limit.map(|limit| LimitFound::of(measurement, reference, limit)),
        }
    }

    /// One line that is true at any moment of a measurement: `+20.0 ± 2.1 ppm; 38 s more decide crystal (50 ppm)`.
    #[must_use]
    pub fn live(&self) -> String {
        let rate = match (&self.rate, &self.changed) {
            (Some(rate), _) => interval_ppm(rate.middle_ppm, rate.half_width_ppm),
            (None, Some(_)) => "no constant rate".to_owned(),
            (None, None) => "too few readings".to_owned(),
        };
        let Some(limit) = &self.limit else { return rate };
        let aim = format!("{} ({} ppm)", limit.name, limit.rate_ppm);
        match (limit.verdict, limit.needs_s) {
            ("inconclusive", Some(needs)) => {
                format!("{rate}; {:.0} s more decide {aim}", (needs - self.span_s).max(1.0).ceil())
            }
            ("inconclusive", None) => format!("{rate}; {aim} is open"),
            (verdict, _) => format!("{rate}; {aim}: {verdict}"),
        }
    }

    /// Lines for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("  reference  {}\n", self.reference);
        text += &format!(
            "  readings   {} in {:.3} s, the quickest in {:.1} µs\n",
            self.reads, self.span_s, self.round_trip_min_us
        );
        match (&self.rate, &self.changed) {
            (Some(rate), _) => {
                let shown = interval_ppm(rate.middle_ppm, rate.half_width_ppm);
                let own = match self.reference {
                    Reference::SameClock => String::new(),
                    Reference::Host { .. } => format!(", {:.3} ppm of it the host's", rate.reference_ppm),
                };
                text += &format!("  rate       {shown}, guaranteed for a constant rate{own}\n");
                text += &rate.hour();
            }
            (None, Some(changed)) => text += &changed.text(),
            (None, None) => text += "  rate       unknown: too few readings for an interval\n",
        }
        if let Some(fit) = &self.fit {
            let shown = interval_ppm(fit.rate_ppm, fit.half_width_ppm.max(1e-6));
            text += &format!("  likely     {shown}, 95 % of a weighted line\n");
        }
        if let Some(limit) = &self.limit {
            text += &format!(
                "  limit      {}: {} ms + {} ppm: {}, {}\n",
                limit.name, limit.step_ms, limit.rate_ppm, limit.verdict, limit.because
            );
        }
        text
    }
}

impl Changed {
    fn of(changed: &RateChanged) -> Self {
        let s = |ns: i64| ns as f64 / 1e9;
        Self {
            fast_from_s: s(changed.fast_ns.0),
            fast_to_s: s(changed.fast_ns.1),
            at_least_ppm: changed.at_least * 1e6,
            slow_from_s: s(changed.slow_ns.0),
            slow_to_s: s(changed.slow_ns.1),
            at_most_ppm: changed.at_most * 1e6,
        }
    }

    fn text(&self) -> String {
        format!(
            "  rate       no constant rate explains the readings: from {:.3} to {:.3} s it was at least {:+.3} ppm, from \
             {:.3} to {:.3} s at most {:+.3} ppm\n",
            self.fast_from_s, self.fast_to_s, self.at_least_ppm, self.slow_from_s, self.slow_to_s, self.at_most_ppm
        )
    }
}

impl LimitFound {
    fn of(measurement: &Measurement, reference: &Reference, limit: &Mask) -> Self {
        let decision = measurement.decide(limit, reference);
        let needs_s = match decision {
            Decision::Inconclusive { needs_ns } => needs_ns.map(|ns| ns / 1e9),
            _ => None,
        };
        let verdict = match decision {
            Decision::Pass => "pass",
            Decision::Fail(_) => "fail",
            Decision::Inconclusive { .. } => "inconclusive",
        };
        Self {
            name: limit.name.clone(),
            step_ms: limit.step_ns as f64 / 1e6,
            rate_ppm: limit.rate_ppb as f64 / 1e3,
            verdict,
            needs_s,
            because: because(decision, reference, limit),
            decision,
        }
    }
}

fn because(decision: Decision, reference: &Reference, limit: &Mask) -> String {
    let s = |ns: i64| ns as f64 / 1e9;
    match decision {
        Decision::Pass => "the whole interval is within".to_owned(),
        Decision::Fail(MaskVerdict::Breach { from_ns, to_ns, moved_ns, allowed_ns }) => format!(
            "between {:.3} and {:.3} s the error moved by at least {:.3} ms, of which {:.3} ms are allowed",
            s(from_ns),
            s(to_ns),
            moved_ns as f64 / 1e6,
            allowed_ns as f64 / 1e6
        ),
        Decision::Fail(_) => "the whole interval is beyond".to_owned(),
        Decision::Inconclusive { needs_ns: Some(needs_ns) } => {
            format!("the interval reaches over the limit; a run of {:.0} s would decide", (needs_ns / 1e9).ceil())
        }
        Decision::Inconclusive { needs_ns: None } if reference.bounds().0 >= limit.rate_ppb => {
            "the reference may be off by as much itself: discipline the host's clock, or say what it keeps with --host-off"
                .to_owned()
        }
        Decision::Inconclusive { needs_ns: None } => {
            "the interval reaches over the limit, and no longer run of this bench would decide".to_owned()
        }
    }
}
