//! What is wrong with a clock, named only where nothing else is left.
//!
//! Each finding is a size with its interval and the causes that it leaves open, the likeliest first. One is named when the
//! interval leaves no other; what comes next is given along with it. A size that fits several causes names none.

use std::fmt;

use super::account::{Account, Stretch};
use super::cause::Cause;
use super::course::Course;
use crate::statistics::Rates;

/// A rate is told from a coincidence when its interval is this part of it.
const COINCIDENCE: f64 = 0.01;

/// Rates are given to a part per trillion, by whoever divides a clock as well.
const ROUNDING: f64 = 1e-12;

/// A lost time is told from a coincidence when its interval is this part of a wrap.
const WRAP_COINCIDENCE: f64 = 1e-3;

/// Switches from which it is seen that all of them round.
const SWITCHES_MIN: usize = 8;

/// Units to which firmware rounds, in nanoseconds.
const UNITS_NS: [u64; 7] = [1_000_000_000, 500_000_000, 100_000_000, 50_000_000, 10_000_000, 1_000_000, 100_000];

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How much of it there is.
    pub size: Size,
    /// What it can be, the likeliest first; empty when nothing that is known explains it.
    pub causes: Vec<Cause>,
    /// Whether the first is the only one that the interval leaves open; the second is then the runner-up.
    pub is_named: bool,
}

/// An interval that holds the size of what was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// A rate, a pure number about zero.
    Rate {
        /// At least.
        least: f64,
        /// At most.
        most: f64,
    },
    /// A time in nanoseconds; below zero it was lost.
    Time {
        /// At least.
        least_ns: f64,
        /// At most.
        most_ns: f64,
    },
}

/// What is wrong with a clock, by one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// What was found; empty for a clock within what its crystal may be off.
    pub findings: Vec<Finding>,
    /// What the time base did.
    pub course: Course,
}

impl Diagnosis {
    /// The diagnosis of an account.
    #[must_use]
    pub fn of(account: &Account) -> Self {
        let course = Course::of(&account.reads);
        let mut findings = of_the_time_base(&course);
        findings.extend(of_the_reckoning(account));
        Self { findings, course }
    }

    /// The causes that are named.
    pub fn named(&self) -> impl Iterator<Item = Cause> + '_ {
        self.findings.iter().filter(|finding| finding.is_named).filter_map(|finding| finding.causes.first().copied())
    }
}

impl Finding {
    fn named(size: Size, causes: Vec<Cause>) -> Self {
        Self { size, causes, is_named: true }
    }

    fn open(size: Size, causes: Vec<Cause>) -> Self {
        Self { size, causes, is_named: false }
    }

    /// What comes next after the cause that is named.
    #[must_use]
    pub fn runner_up(&self) -> Option<Cause> {
        if self.is_named { self.causes.get(1).copied() } else { None }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_named, &self.causes[..]) {
            (_, []) => f.write_str("unexplained")?,
            (true, [cause, ..]) => write!(f, "{cause}")?,
            (false, causes) => {
                f.write_str("not told apart: ")?;
                for (at, cause) in causes.iter().enumerate() {
                    write!(f, "{}{cause}", if at == 0 { "" } else { "; " })?;
                }
            }
        }
        write!(f, "{}", self.size)?;
        self.runner_up().map_or(Ok(()), |next| write!(f, " (less likely: {next})"))
    }
}

impl fmt::Display for Size {
    /// `, +20.0000 ± 0.0400 ppm`, or nothing where nothing is known of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate { least, most } if !(most - least).is_finite() => Ok(()),
            Self::Rate { least, most } => {
                write!(f, ", {:+.4} ± {:.4} ppm", 5e5 * (least + most), 5e5 * (most - least))
            }
            Self::Time { least_ns, most_ns } => {
                write!(f, ", {:+.6} ± {:.6} s", 5e-10 * (least_ns + most_ns), 5e-10 * (most_ns - least_ns))
            }
        }
    }
}

fn of_the_time_base(course: &Course) -> Vec<Finding> {
    match course {
        Course::Constant(rates) => of_a_rate(*rates).into_iter().collect(),
        Course::Jump { rates, least_ns, most_ns, .. } => {
            let mut findings: Vec<Finding> = of_a_rate(*rates).into_iter().collect();
            findings.push(of_a_jump(*least_ns, *most_ns));
            findings
        }
        Course::Smooth { changed_by, or_two_rates, .. } => {
            let size = Size::Rate { least: *changed_by, most: *changed_by };
            let causes = vec![Cause::Temperature, Cause::RateChanged];
            vec![if *or_two_rates { Finding::open(size, causes) } else { Finding::named(size, causes) }]
        }
        Course::TwoRates([before, after]) => {
            let size = Size::Rate { least: after.slowest - before.fastest, most: after.fastest - before.slowest };
            vec![Finding::named(size, vec![Cause::RateChanged, Cause::Temperature])]
        }
        Course::Other => vec![Finding::open(Size::Rate { least: f64::NEG_INFINITY, most: f64::INFINITY }, Vec::new())],
    }
}

/// What a constant rate says; nothing when it is one that crystals have and no other cause makes.
fn of_a_rate(rates: Rates) -> Option<Finding> {
    let size = Size::Rate { least: rates.slowest, most: rates.fastest };
    let crystal = Cause::CRYSTAL_PPM * 1e-6;
    let distance = |cause: &Cause| cause.rate().map_or(f64::INFINITY, |rate| (rate - rates.centre()).abs());
    let mut signatures: Vec<Cause> = Cause::with_a_rate().collect();
    signatures.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    let inside = |cause: &Cause| {
        cause.rate().is_some_and(|rate| rates.slowest - ROUNDING <= rate && rate <= rates.fastest + ROUNDING)
    };
    let fitting: Vec<Cause> = signatures.iter().copied().filter(inside).collect();
    let within = rates.slowest >= -crystal && rates.fastest <= crystal;
    let beyond = rates.slowest > crystal || rates.fastest < -crystal;
    if within && fitting.is_empty() {
        return None;
    }
    if !beyond {
        // A crystal explains it as well as whatever has this rate exactly.
        let mut causes = vec![Cause::Crystal];
        causes.extend(fitting);
        if !within {
            causes.push(Cause::OtherRate);
        }
        return Some(Finding::open(size, causes));
    }
    Some(match fitting[..] {
        [] => Finding::named(size, vec![Cause::OtherRate, signatures[0]]),
        [only] if rates.half_width() <= COINCIDENCE * rates.centre().abs() => {
            Finding::named(size, vec![only, Cause::OtherRate])
        }
        _ => {
            let mut causes = fitting;
            causes.push(Cause::OtherRate);
            Finding::open(size, causes)
        }
    })
}

/// What a leap of the time base says.
fn of_a_jump(least_ns: f64, most_ns: f64) -> Finding {
    let size = Size::Time { least_ns, most_ns };
    if least_ns > 0.0 {
        return Finding::named(size, vec![Cause::TimeGained]);
    }
    if most_ns >= 0.0 {
        return Finding::open(size, vec![Cause::TimeGained, Cause::TimeLost]);
    }
    let fits = |cause: &Cause| cause.wrap_ns().is_some_and(|wrap| least_ns <= -wrap && -wrap <= most_ns);
    let told = |cause: &Cause| cause.wrap_ns().is_some_and(|wrap| most_ns - least_ns <= WRAP_COINCIDENCE * wrap);
    let fitting: Vec<Cause> = Cause::wraps().filter(fits).collect();
    match fitting[..] {
        [] => Finding::named(size, vec![Cause::TimeLost]),
        [only] if told(&only) => Finding::named(size, vec![only, Cause::TimeLost]),
        _ => {
            let mut causes = fitting;
            causes.push(Cause::TimeLost);
            Finding::open(size, causes)
        }
    }
}

fn of_the_reckoning(account: &Account) -> Vec<Finding> {
    let mut sums = Beyond::default();
    account.stretches.iter().for_each(|stretch| sums.add(stretch));
    let ns = |ticks: i128| ticks as f64 * account.tick_ns;
    let size = |ticks: i128| Size::Time { least_ns: ns(ticks), most_ns: ns(ticks) };
    let mut findings = Vec::new();
    if sums.idle > 0 {
        findings.push(Finding::named(size(sums.idle), vec![Cause::BothRan]));
    }
    if !sums.uncharged.is_empty() {
        let whole = sums.uncharged.iter().sum();
        findings.push(of_the_uncharged(size(whole), &sums.uncharged, account.tick_ns));
    }
    if sums.at_switches > 0 {
        let unit = (sums.switches >= SWITCHES_MIN && !sums.is_given_back).then(|| unit_of(account)).flatten();
        findings.push(match unit {
            Some(unit_ns) => Finding::named(size(sums.at_switches), vec![Cause::RoundedAtSwitch { unit_ns }]),
            None => Finding::open(size(sums.at_switches), Vec::new()),
        });
    }
    if sums.other != 0 {
        findings.push(Finding::open(size(sums.other), Vec::new()));
    }
    findings
}

/// What was charged beyond the device's time, in ticks, by where.
#[derive(Default)]
struct Beyond {
    /// To a side that did not run, while time passed.
    idle: i128,
    /// Less than passed, to the side that ran, each for itself.
    uncharged: Vec<i128>,
    /// To the side that stopped, in the very instant.
    at_switches: i128,
    /// Whether something was given back there.
    is_given_back: bool,
    switches: usize,
    other: i128,
}

impl Beyond {
    fn add(&mut self, stretch: &Stretch) {
        self.switches += usize::from(stretch.stopped.is_some());
        for (side, ticks) in stretch.beyond.iter().map(|(side, ticks)| (side, *ticks)).filter(|(_, ticks)| *ticks != 0)
        {
            let runs = stretch.running == Some(side);
            match stretch.stopped {
                Some((stopped, _)) if stopped == side && stretch.ticks == 0 => {
                    self.at_switches += ticks;
                    self.is_given_back |= ticks < 0;
                }
                _ if !runs && ticks > 0 && stretch.ticks > 0 => self.idle += ticks,
                _ if runs && ticks < 0 && stretch.ticks > 0 => self.uncharged.push(ticks),
                _ => self.other += ticks,
            }
        }
    }
}

/// Whether what was not charged is a counter that wrapped, or just nothing that ran.
fn of_the_uncharged(size: Size, uncharged: &[i128], tick_ns: f64) -> Finding {
    let unsure = 2.0 * tick_ns;
    let is_multiple = |wrap: f64| {
        uncharged.iter().all(|ticks| {
            let lost = -(*ticks as f64) * tick_ns;
            lost > wrap / 2.0 && (lost - (lost / wrap).round() * wrap).abs() <= unsure
        })
    };
    let told = |wrap: f64| 2.0 * unsure <= WRAP_COINCIDENCE * wrap;
    let mut fitting: Vec<(Cause, f64)> = Cause::wraps()
        .filter_map(|cause| Some((cause, cause.wrap_ns()?)))
        .filter(|(_, wrap)| is_multiple(*wrap))
        .collect();
    // What loses whole wraps of a short counter may be one that wraps later; the longest loses the fewest.
    fitting.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    match fitting[..] {
        [] => Finding::named(size, vec![Cause::NoneRan]),
        [(cause, wrap), ..] if told(wrap) => Finding::named(size, vec![cause, Cause::NoneRan]),
        _ => {
            let mut causes: Vec<Cause> = fitting.into_iter().map(|(cause, _)| cause).collect();
            causes.push(Cause::NoneRan);
            Finding::open(size, causes)
        }
    }
}

/// The largest unit of which every side had a whole number left when it stopped.
fn unit_of(account: &Account) -> Option<u64> {
    let is_whole = |unit_ns: u64| {
        let left = account.stretches.iter().filter_map(|stretch| stretch.stopped);
        left.map(|(_, ticks)| ticks as f64 * account.tick_ns).all(|left_ns| {
            let unit = unit_ns as f64;
            (left_ns - (left_ns / unit).round() * unit).abs() <= account.tick_ns
        })
    };
    UNITS_NS.into_iter().filter(|unit_ns| *unit_ns as f64 > 3.0 * account.tick_ns).find(|unit_ns| is_whole(*unit_ns))
}
