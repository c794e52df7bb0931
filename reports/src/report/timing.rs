//! The timing of runs and rigs, as `report.json` has it.

use serde::Serialize;

use crate::game::Size;
use crate::page::Shown;
use crate::statistics::{Mask, MaskVerdict, Percentile, Summary};
use crate::timing::{FindingRow, Kind, OnDevice, TimingRow, basis, verdict_reason, verdict_word, worst};

/// The limit that time errors were held to.
#[derive(Clone, Debug, Serialize)]
pub struct MaskReport {
    /// What it is called.
    pub name: String,
    /// What is allowed within no time, in nanoseconds.
    pub step_ns: u64,
    /// What is allowed besides for each span, in parts per billion of it.
    pub rate_ppb: u64,
}

impl MaskReport {
    pub(super) fn of(mask: &Mask) -> Self {
        Self { name: mask.name.clone(), step_ns: mask.step_ns, rate_ppb: mask.rate_ppb }
    }
}

/// Which clock is worst, in the words of the page.
#[derive(Clone, Debug, Serialize)]
pub struct WorstReport {
    /// Whether anything is wrong with a clock.
    pub is_bad: bool,
    /// The scenario that shows it.
    pub scenario: Option<String>,
    /// The rig of that run.
    pub rig: Option<String>,
    /// Cause, size ± what it may be off, and what the mask says.
    pub words: String,
    /// What the run has to do with that, before its name; nothing where it shows what is bad.
    #[serde(skip)]
    pub(super) by: &'static str,
}

impl WorstReport {
    pub(super) fn of(shown: &[Shown], mask: &Mask) -> Option<Self> {
        let worst = worst(shown, mask)?;
        Some(Self {
            is_bad: worst.is_bad,
            scenario: worst.run.map(|run| run.scenario.clone()),
            rig: worst.run.map(|run| run.rig.clone()),
            words: format!("{}. {}", worst.head, worst.words).trim_end().to_owned(),
            by: worst.by,
        })
    }
}

/// A rate and what it may be off, in parts per million; above zero the device is fast.
#[derive(Clone, Debug, Serialize)]
pub struct RateReport {
    /// The middle.
    pub ppm: f64,
    /// Half of the width.
    pub half_width_ppm: f64,
}

/// The drift with its interval of 95 %, from stamps at even distances.
#[derive(Clone, Debug, Serialize)]
pub struct EvenDriftReport {
    /// The estimate and half of its interval.
    #[serde(flatten)]
    pub rate: RateReport,
    /// What both rest on.
    pub basis: &'static str,
    /// The kind of noise; `None` where there is none beyond the steps of the counter.
    pub noise: Option<String>,
    /// Stamps at even distances.
    pub stamps: usize,
    /// Their distance in nanoseconds.
    pub tau0_ns: u64,
}

/// What was charged and what was due.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// How often the move passed.
    pub switches: usize,
    /// True time that the account covers, in nanoseconds.
    pub over_ns: i64,
    /// What the device took off White and off Black, delays included, in nanoseconds.
    pub charged_ns: [i64; 2],
    /// How long White and Black were really on move, in nanoseconds.
    pub on_move_ns: [i64; 2],
    /// What both sides were charged too much together, in nanoseconds.
    pub s_ns: i64,
    /// Half of what White was charged too much more than Black, in nanoseconds.
    pub d_ns: f64,
    /// How far either may be off, in nanoseconds.
    pub half_width_ns: i64,
}

/// Something that is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct FindingReport {
    /// Cause, runner-up and size in words.
    pub words: String,
    /// The same for a cell of a table; `None` where nothing need be wrong.
    #[serde(skip)]
    pub(super) brief: Option<String>,
    /// Whether the interval leaves one cause only.
    pub is_named: bool,
    /// The likeliest cause; `None` for what nobody knows.
    pub cause: Option<String>,
    /// What comes next, where one is named.
    pub runner_up: Option<String>,
    /// `ppm` or `ns`.
    pub unit: &'static str,
    /// At least; `None` where nothing is known.
    pub least: Option<f64>,
    /// At most; `None` where nothing is known.
    pub most: Option<f64>,
}

impl FindingReport {
    fn of(row: &FindingRow) -> Self {
        let (unit, least, most) = match row.size {
            Size::Rate { least, most } => ("ppm", 1e6 * least, 1e6 * most),
            Size::Time { least_ns, most_ns } => ("ns", least_ns, most_ns),
        };
        let known = |value: f64| value.is_finite().then_some(value);
        Self {
            words: row.words.clone(),
            brief: row.brief.clone(),
            is_named: row.is_named,
            cause: row.cause.map(|cause| cause.to_string()),
            runner_up: row.runner_up.map(|cause| cause.to_string()),
            unit,
            least: known(least),
            most: known(most),
        }
    }
}

/// What a mask says of a run.
#[derive(Clone, Debug, Serialize)]
pub struct MaskVerdictReport {
    /// `pass`, `fail` or `inconclusive`.
    pub verdict: &'static str,
    /// Why.
    pub reason: String,
    /// The largest part of what is allowed by which the error moved; 1 is all of it.
    pub share: f64,
    /// How long a run would decide, in nanoseconds, where this one does not and a longer one would.
    pub needs_ns: Option<f64>,
}

/// The timing of one run.
#[derive(Clone, Debug, Serialize)]
pub struct TimingReport {
    /// Whether the scenario makes its clock wrong itself.
    pub on_purpose: bool,
    /// Stamps of the device that say something of its time base.
    pub stamps: usize,
    /// The rate, guaranteed if it was constant; `None` under two stamps or if it certainly was not.
    pub rate: Option<RateReport>,
    /// Whether no constant rate explains the stamps.
    pub rate_changed: bool,
    /// The drift by the estimator that fits the noise, from enough stamps at even distances.
    pub drift_95: Option<EvenDriftReport>,
    /// The account of the game, where there is one.
    pub game: Option<GameReport>,
    /// What is wrong, by signature.
    pub findings: Vec<FindingReport>,
    /// What the mask says; `None` under two stamps.
    pub mask: Option<MaskVerdictReport>,
}

impl TimingReport {
    pub(super) fn of(row: &TimingRow) -> Self {
        let rate = |slowest: f64, fastest: f64| RateReport {
            ppm: 1e6 * f64::midpoint(slowest, fastest),
            half_width_ppm: 5e5 * (fastest - slowest),
        };
        let whole = |ns: i128| i64::try_from(ns).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX });
        Self {
            on_purpose: row.on_purpose,
            stamps: row.points,
            rate: row.rates.map(|rates| rate(rates.slowest, rates.fastest)),
            rate_changed: row.rate_changed,
            drift_95: row.drift.as_ref().map(|even| EvenDriftReport {
                rate: rate(even.drift.interval().0, even.drift.interval().1),
                basis: basis(even.drift.basis),
                noise: even.noise.map(|noise| noise.to_string()),
                stamps: even.points,
                tau0_ns: even.tau0_ns,
            }),
            game: row.game.map(|game| GameReport {
                switches: game.switches,
                over_ns: game.duration_ns,
                charged_ns: game.charged_ns.map(whole),
                on_move_ns: game.on_move_ns.map(whole),
                s_ns: whole(game.sum_ns),
                d_ns: game.difference_ns,
                half_width_ns: whole(game.unsure_ns),
            }),
            findings: row.findings.iter().map(FindingReport::of).collect(),
            mask: row.mask.as_ref().map(|verdict| MaskVerdictReport {
                verdict: verdict_word(verdict),
                reason: verdict_reason(verdict),
                share: row.share,
                needs_ns: match verdict {
                    MaskVerdict::Inconclusive { needs_ns } => *needs_ns,
                    _ => None,
                },
            }),
        }
    }
}

/// Latencies that the device stamps at both ends; `None` where no record says anything.
#[derive(Clone, Debug, Serialize)]
pub struct OnDeviceReport {
    /// From the contact of a button to the record of the press.
    pub press_to_record: Option<SamplesReport>,
    /// From the contact of a button to the record of the switch.
    pub press_to_switch: Option<SamplesReport>,
    /// From the contact of a button until the line that shows it has gone out; `None` in virtual time, where there is no panel.
    pub press_to_display: Option<SamplesReport>,
    /// From nothing left to the notice of it.
    pub zero_to_flag: Option<SamplesReport>,
    /// In how many tenths of a tick presses were put, at random: under ten, percentiles are of some phases alone, and with
    /// none, as in virtual time, nobody put them anywhere.
    pub tenths_of_a_tick: usize,
    /// How many presses were put somewhere in a tick.
    pub placed: usize,
    /// Scenarios that make something wrong, and are left out.
    pub left_out: usize,
}

impl OnDeviceReport {
    pub(super) fn of(on_device: &OnDevice) -> Self {
        let samples = |kind| {
            let summary = on_device.summary(kind)?;
            Some(SamplesReport::of(&summary, on_device.mean(kind), on_device.tick_ns()))
        };
        Self {
            press_to_record: samples(Kind::PressToRecord),
            press_to_switch: samples(Kind::PressToSwitch),
            press_to_display: samples(Kind::PressToDisplay),
            zero_to_flag: samples(Kind::ZeroToFlag),
            tenths_of_a_tick: on_device.tenths(),
            placed: on_device.placed().iter().sum(),
            left_out: on_device.faulty(),
        }
    }
}

/// Samples of a latency, in nanoseconds; percentiles by nearest rank, from as many samples as they take.
#[derive(Clone, Debug, Serialize)]
pub struct SamplesReport {
    /// How many.
    pub n: usize,
    /// The shortest.
    pub min_ns: i64,
    /// Half are no longer.
    pub p50_ns: i64,
    /// 95 % are no longer; `None` under 59 samples.
    pub p95_ns: Option<i64>,
    /// 99 % are no longer; `None` under 299 samples.
    pub p99_ns: Option<i64>,
    /// The longest.
    pub max_ns: i64,
    /// What a sample resolves: a tick.
    pub half_width_ns: i64,
    /// Their mean, from 30 presses at all phases of a tick; it resolves less than a tick.
    pub mean_ns: Option<i64>,
    /// Half of its interval of 95 %, rounded up.
    pub mean_half_width_ns: Option<i64>,
}

impl SamplesReport {
    fn of(summary: &Summary, mean: Option<(f64, f64)>, tick_ns: i64) -> Self {
        let known = |percentile| match percentile {
            Percentile::Value(ns) => Some(ns),
            Percentile::TooFew(_) => None,
        };
        Self {
            n: summary.n,
            min_ns: summary.min,
            p50_ns: summary.p50,
            p95_ns: known(summary.p95),
            p99_ns: known(summary.p99),
            max_ns: summary.max,
            half_width_ns: tick_ns,
            mean_ns: mean.map(|(mean, _)| mean.round() as i64),
            mean_half_width_ns: mean.map(|(_, half_width)| half_width.ceil() as i64),
        }
    }
}
