//! What a trace says of its clock's time: rate, account, diagnosis, verdict of a mask, latencies on the device.
//!
//! All of it is reckoned once for each trace; pages, `report.json`, Markdown and lines print from here.

mod even;
mod on_device;
mod worst;

pub(crate) use even::{Even, POINTS_MIN};
pub(crate) use on_device::{Kind, OnDevice, TENTHS};
pub(crate) use worst::{WATCHED, diagnosis, incomplete, upper_first, worse, worst};

use flagfall_core::Side;
use flagfall_trace::{Act, Trace};

use crate::game::{Account, Cause, Diagnosis, Finding, NoAccount, Size};
use crate::quantity;
use crate::statistics::{Basis, Drift, ErrorReading, Mask, MaskVerdict, NoiseKind, RateChanged, Rates, Strip};
use crate::time_error::TimeError;

/// Most points between which the share of a mask is looked for.
const SHARE_POINTS_MAX: usize = 400;

/// What there is to say of the time of one trace.
pub(crate) struct Timing {
    pub(crate) error: TimeError,
    /// The rates that the stamps leave open, if the rate was constant; `None` under two stamps.
    pub(crate) rates: Option<Result<Rates, RateChanged>>,
    pub(crate) account: Result<Account, NoAccount>,
    /// Of what has an account.
    pub(crate) diagnosis: Option<Diagnosis>,
    /// The longest stretch of stamps at even distances.
    pub(crate) even: Option<Even>,
    pub(crate) mask: Option<MaskVerdict>,
    /// The largest part of what the mask allows that the error moved by, over any span.
    pub(crate) share: f64,
    /// Whether the scenario itself makes the clock wrong: a fault, or an oscillator that is off.
    pub(crate) on_purpose: bool,
}

impl Timing {
    pub(crate) fn of(trace: &Trace, mask: &Mask) -> Self {
        let error = TimeError::of(trace);
        let reads = error.reads();
        let mut strip = Strip::default();
        for read in &reads {
            // They are in order, as they were made.
            let _ = strip.push(*read);
        }
        let rates = (reads.len() > 1).then(|| strip.rates());
        let readings = error.readings();
        let account = Account::of(trace);
        let diagnosis = account.as_ref().ok().map(Diagnosis::of);
        let faults = trace.plan.steps.iter().any(|step| matches!(step.act, Act::Fault(_)));
        Self {
            mask: rates.map(|rates| mask.judge(&readings, rates)),
            share: share(mask, &readings),
            even: Even::of(&error),
            on_purpose: faults || !trace.plan.oscillator.is_exact(),
            rates,
            account,
            diagnosis,
            error,
        }
    }

    /// Whether nothing of it was measured, because the clock was only watched.
    pub(crate) fn is_watched(&self) -> bool {
        matches!(self.account, Err(NoAccount::Watched))
    }

    /// What is kept of it beyond its trace.
    pub(crate) fn row(&self) -> TimingRow {
        let drift = self.even.as_ref().and_then(|even| Some((even.drift()?, even)));
        let findings = self.diagnosis.iter().flat_map(|diagnosis| &diagnosis.findings);
        TimingRow {
            on_purpose: self.on_purpose,
            watched: self.is_watched(),
            points: self.error.points.len(),
            rates: self.rates.and_then(Result::ok).filter(|rates| rates.half_width().is_finite()),
            rate_changed: matches!(self.rates, Some(Err(_))),
            drift: drift.map(|(drift, even)| DriftRow {
                drift,
                noise: even.noise(),
                points: even.series.points(),
                tau0_ns: even.series.tau0(),
            }),
            game: self.account.as_ref().ok().map(GameRow::of),
            findings: findings
                .map(|finding| FindingRow {
                    words: finding.to_string(),
                    brief: brief(finding),
                    size: finding.size,
                    cause: finding.causes.first().copied(),
                    runner_up: finding.runner_up(),
                    is_named: finding.is_named,
                })
                .collect(),
            mask: self.mask,
            share: self.share,
        }
    }
}

/// The timing of a run as tables and files have it.
#[derive(Clone, Debug)]
pub(crate) struct TimingRow {
    pub(crate) on_purpose: bool,
    /// Whether the clock was only watched.
    pub(crate) watched: bool,
    /// Stamps.
    pub(crate) points: usize,
    /// Certain, if the rate was constant.
    pub(crate) rates: Option<Rates>,
    /// Whether it certainly was not.
    pub(crate) rate_changed: bool,
    pub(crate) drift: Option<DriftRow>,
    pub(crate) game: Option<GameRow>,
    pub(crate) findings: Vec<FindingRow>,
    pub(crate) mask: Option<MaskVerdict>,
    pub(crate) share: f64,
}

/// The drift with its interval of 95 %, from stamps at even distances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DriftRow {
    pub(crate) drift: Drift,
    pub(crate) noise: Option<NoiseKind>,
    pub(crate) points: usize,
    pub(crate) tau0_ns: u64,
}

/// What a game's account comes to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameRow {
    pub(crate) switches: usize,
    pub(crate) duration_ns: i64,
    /// Of White and Black.
    pub(crate) charged_ns: [i128; 2],
    /// Of White and Black.
    pub(crate) on_move_ns: [i128; 2],
    /// S, what both sides were charged too much together.
    pub(crate) sum_ns: i128,
    /// D, half of what White was charged too much more than Black.
    pub(crate) difference_ns: f64,
    /// How far either may be off: steps of the counter, and what the bench does not know.
    pub(crate) unsure_ns: i128,
}

impl GameRow {
    pub(crate) fn of(account: &Account) -> Self {
        let unsure = account.sides.iter().map(|(_, side)| side.uncertainty_ns).max().unwrap_or(0);
        Self {
            switches: account.switches,
            duration_ns: account.duration_ns,
            charged_ns: Side::ALL.map(|side| account.sides[side].charged_ns),
            on_move_ns: Side::ALL.map(|side| account.sides[side].on_move_ns),
            sum_ns: account.sum_ns(),
            difference_ns: account.difference_ns(),
            unsure_ns: unsure + 2 * account.tick_ns.ceil() as i128,
        }
    }
}

/// Something that is wrong, in words and figures.
#[derive(Clone, Debug)]
pub(crate) struct FindingRow {
    pub(crate) words: String,
    /// The same for a cell of a table; `None` where nothing need be wrong.
    pub(crate) brief: Option<String>,
    pub(crate) size: Size,
    pub(crate) cause: Option<Cause>,
    pub(crate) runner_up: Option<Cause>,
    pub(crate) is_named: bool,
}

/// A finding in a few words: of causes that are not told apart the first and how many others; nothing of an interval that
/// holds zero, which is too short to tell.
fn brief(finding: &Finding) -> Option<String> {
    let holds_zero = match finding.size {
        Size::Rate { least, most } => least <= 0.0 && most >= 0.0,
        Size::Time { least_ns, most_ns } => least_ns <= 0.0 && most_ns >= 0.0,
    };
    match finding.causes[..] {
        [first, ..] if !finding.is_named && !holds_zero => {
            let others = match finding.causes.len() - 1 {
                0 => String::new(),
                1 => ", or one other".to_owned(),
                n => format!(", or {n} others"),
            };
            Some(format!("not told apart: {first}{others}{}", finding.size))
        }
        [_, ..] if !finding.is_named => None,
        // What is named, and what nothing explains.
        _ => Some(finding.to_string()),
    }
}

/// What an interval of a drift rests on, in words.
pub(crate) const fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Resolution => "ends, each known to a step",
        Basis::WhitePm => "least squares, white PM",
        Basis::WhiteFm => "end points, white FM",
        Basis::FlickerPm => "least squares, flicker PM",
        Basis::FlickerFm => "end points, flicker FM",
        Basis::RandomWalkFm => "end points, random walk FM",
        Basis::Unknown => "end points, no single kind of noise",
    }
}

/// The verdict of a mask as a word.
pub(crate) const fn verdict_word(verdict: &MaskVerdict) -> &'static str {
    match verdict {
        MaskVerdict::Pass => "pass",
        MaskVerdict::Breach { .. } | MaskVerdict::Rate(_) => "fail",
        MaskVerdict::Inconclusive { .. } => "inconclusive",
    }
}

/// Why a mask says what it says, with the run that would decide where it does not.
pub(crate) fn verdict_reason(verdict: &MaskVerdict) -> String {
    match verdict {
        MaskVerdict::Pass => "nothing that the stamps leave open is beyond it".to_owned(),
        MaskVerdict::Breach { from_ns, to_ns, moved_ns, allowed_ns } => format!(
            "the error moved by at least {} between {} and {}, of which {} is allowed",
            quantity::short(*moved_ns as f64),
            quantity::instant(*from_ns),
            quantity::instant(*to_ns),
            quantity::short(*allowed_ns as f64)
        ),
        MaskVerdict::Rate(rates) => format!(
            "a rate of {} leaves it in any run that is long enough",
            quantity::interval_ppm(1e6 * rates.centre(), 1e6 * rates.half_width())
        ),
        MaskVerdict::Inconclusive { needs_ns: Some(needs_ns) } => {
            format!("the stamps allow both; a run of {} would decide", quantity::about(*needs_ns))
        }
        MaskVerdict::Inconclusive { needs_ns: None } => {
            "the stamps allow both, and no longer run of this kind would decide".to_owned()
        }
    }
}

/// A mask with what it allows: `crystal (20 ms + 50 ppm)`.
pub(crate) fn mask_words(mask: &Mask) -> String {
    let rate = mask.rate_ppb as f64 / 1e3;
    format!("{} ({} + {rate} ppm)", mask.name, quantity::span(mask.step_ns.into()))
}

/// The largest part of what the mask allows by which the error moved; of a long run the extremes are looked at.
fn share(mask: &Mask, readings: &[ErrorReading]) -> f64 {
    let chunk = readings.len().div_ceil(SHARE_POINTS_MAX / 2).max(1);
    let kept: Vec<(i64, f64)> = readings
        .chunks(chunk)
        .flat_map(|chunk| {
            let ends = [chunk.iter().min_by_key(|at| at.least_ns), chunk.iter().max_by_key(|at| at.least_ns)];
            ends.into_iter().flatten().map(|at| (at.at_ns, at.least_ns as f64)).collect::<Vec<_>>()
        })
        .collect();
    let mut largest = 0.0_f64;
    for (index, (at, error)) in kept.iter().enumerate() {
        for (from, before) in &kept[..index] {
            let allowed = mask.allowed_ns(at.abs_diff(*from)).max(1) as f64;
            largest = largest.max((error - before).abs() / allowed);
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use flagfall_core::Bonus;
    use flagfall_trace::plan::{Fault, Plan, Step};

    use super::*;
    use crate::bench::{self, Bench};

    fn crystal() -> Mask {
        Mask::shipped("crystal").expect("it is shipped")
    }

    /// Forty moves of each side, ten seconds each.
    pub(super) fn game() -> Plan {
        let base = bench::whole(3_600_000, Bonus::Increment { ms: 2_000 });
        let mut plan = bench::plan("timing/game", &[base], bench::ms(801_000));
        bench::game(&mut plan, 40, |_| 10_000);
        plan
    }

    #[test]
    fn a_fast_clock_has_a_rate_a_cause_and_a_verdict() {
        let trace = Bench { ppb: 1_001_001, zero_ticks: 3, ..Bench::EXACT }.run(&game());
        let row = Timing::of(&trace, &crystal()).row();
        let rates = row.rates.expect("a constant rate");
        assert!(rates.slowest <= 1_001.001e-6 && 1_001.001e-6 <= rates.fastest, "{rates:?}");
        assert!(matches!(row.mask, Some(MaskVerdict::Breach { .. })), "{:?}", row.mask);
        assert!(row.share > 10.0, "{}", row.share);
        let finding = &row.findings[0];
        assert!(finding.is_named && finding.words.starts_with("timer reload off by one: 999 counts for 1000, "));
        let drift = row.drift.expect("even distances");
        assert_eq!((drift.points, drift.drift.basis), (81, Basis::Resolution));
        assert!((drift.drift.rate - 1_001.001e-6).abs() <= drift.drift.half_width, "{drift:?}");
        let game = row.game.expect("an account");
        assert!((game.sum_ns - 800_800_800).abs() <= game.unsure_ns, "{game:?}");
        assert!(!row.on_purpose);
    }

    #[test]
    fn an_exact_clock_has_nothing_to_be_said_against_it() {
        let row = Timing::of(&Bench::EXACT.run(&game()), &crystal()).row();
        assert_eq!((row.mask, row.findings.len(), row.share), (Some(MaskVerdict::Pass), 0, 0.0));
        assert_eq!(row.game.map(|game| (game.sum_ns, game.switches)), Some((0, 80)));
    }

    #[test]
    fn what_the_scenario_makes_wrong_is_no_fault_of_the_clock() {
        let mut plan = game();
        plan.steps.insert(9, Step { at: bench::ms(75_000), act: Act::Fault(Fault::Jump { by_ns: 3_000_000_000 }) });
        let row = Timing::of(&Bench::EXACT.run(&plan), &crystal()).row();
        assert!(row.on_purpose && row.rate_changed && row.rates.is_none());
        assert_eq!(row.mask.as_ref().map(verdict_word), Some("fail"));
    }

    #[test]
    fn two_stamps_within_a_second_decide_nothing_and_say_what_would() {
        let mut plan = bench::plan("timing/short", &[bench::whole(60_000, Bonus::None)], bench::ms(20));
        bench::game(&mut plan, 1, |_| 10);
        let row = Timing::of(&Bench { ppb: 45_000, ..Bench::EXACT }.run(&plan), &crystal()).row();
        let verdict = row.mask.expect("two stamps");
        assert!(matches!(verdict, MaskVerdict::Inconclusive { needs_ns: Some(_) }), "{verdict:?}");
        assert!(verdict_reason(&verdict).contains("would decide"));
    }

    #[test]
    fn a_mask_is_used_in_part() {
        let reading = |at_ns, least_ns| ErrorReading { at_ns, least_ns, most_ns: least_ns };
        assert_eq!(share(&crystal(), &[reading(0, 0), reading(1, 10_000_000)]), 0.5);
        assert_eq!(share(&crystal(), &[]), 0.0);
        let mut long: Vec<ErrorReading> = (0..10_000).map(|at| reading(at, 0)).collect();
        long[7_777].least_ns = -20_000_000;
        assert_eq!(share(&crystal(), &long), 1.0);
    }
}
