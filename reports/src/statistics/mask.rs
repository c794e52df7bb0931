//! How far a time error may move within a span, and whether a run shows that it does.
//!
//! A mask allows `MTIE(tau) <= step + rate * tau` for every span `tau`. A run is judged by all that its readings leave
//! open: it passes when nothing that they allow is beyond the mask, fails when nothing that they allow is within, and is
//! inconclusive otherwise, with the length of a run that would decide. The profiles are flagfall's own; no federation has
//! published numbers.

use serde::Deserialize;

use super::strip::{RateChanged, Rates};

/// A limit on the movement of a time error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// What it is called.
    pub name: String,
    /// What is allowed within no time, in nanoseconds.
    pub step_ns: u64,
    /// What is allowed besides for each span, in parts per billion of it.
    pub rate_ppb: u64,
}

/// A text that is no mask.
#[derive(Debug, thiserror::Error)]
pub enum MaskError {
    /// The file has another form: `mask: NAME`, `step: 20ms`, `rate: 50ppm`, and nothing else.
    #[error("no mask: {0}")]
    Form(#[from] serde_yaml::Error),
    /// Not a length of time: write a number with its unit, as `20ms`.
    #[error("`{0}` is no length of time; write a number with its unit: s, ms, us or ns")]
    Step(String),
    /// Not a rate: write a number with its unit, as `50ppm`.
    #[error("`{0}` is no rate; write a number with its unit: ppm or ppb")]
    Rate(String),
}

/// A time error at an instant, and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorReading {
    /// True time in nanoseconds.
    pub at_ns: i64,
    /// Least possible time error in nanoseconds.
    pub least_ns: i64,
    /// Greatest possible time error in nanoseconds.
    pub most_ns: i64,
}

/// What a run says about a mask.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaskVerdict {
    /// It is kept, whatever the readings leave open.
    Pass,
    /// Between these instants the error moved by more than the mask allows, for certain.
    Breach {
        /// From this instant of true time, in nanoseconds.
        from_ns: i64,
        /// To this one.
        to_ns: i64,
        /// By at least so much.
        moved_ns: u64,
        /// Of which so much is allowed.
        allowed_ns: u64,
    },
    /// The rate is beyond the mask's for certain: every span that is long enough will be, if none was yet.
    Rate(Rates),
    /// The readings allow both.
    Inconclusive {
        /// A run of so many nanoseconds would decide, if the clock goes on as it does; `None` if no run of this bench
        /// would.
        needs_ns: Option<f64>,
    },
}

impl Default for Mask {
    /// `crystal`, which a clock with a crystal keeps unless something is wrong with it.
    fn default() -> Self {
        Self { name: "crystal".to_owned(), step_ns: 20_000_000, rate_ppb: 50_000 }
    }
}

impl Mask {
    /// The names of the shipped masks.
    pub const SHIPPED: [&str; 3] = ["strict", "crystal", "lenient"];

    /// A shipped mask by its name: `strict` (2 ms + 20 ppm), `crystal` (20 ms + 50 ppm), `lenient` (100 ms + 278 ppm,
    /// which is a second in an hour).
    #[must_use]
    pub fn shipped(name: &str) -> Option<Self> {
        let (step_ns, rate_ppb) = match name {
            "strict" => (2_000_000, 20_000),
            "crystal" => return Some(Self::default()),
            "lenient" => (100_000_000, 278_000),
            _ => return None,
        };
        Some(Self { name: name.to_owned(), step_ns, rate_ppb })
    }

    /// A mask from YAML: `mask: club`, `step: 20ms`, `rate: 50ppm`.
    ///
    /// # Errors
    /// [`MaskError`] with the place, or with the text that has no unit.
    pub fn from_yaml(text: &str) -> Result<Self, MaskError> {
        let file: File = serde_yaml::from_str(text)?;
        let units = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
        let step_ns = with_unit(&file.step, &units).ok_or(MaskError::Step(file.step))?;
        let rate_ppb = with_unit(&file.rate, &[("ppm", 1_000), ("ppb", 1)]).ok_or(MaskError::Rate(file.rate))?;
        Ok(Self { name: file.mask, step_ns, rate_ppb })
    }

    /// What is allowed within a span, in nanoseconds, rounded down.
    #[must_use]
    pub fn allowed_ns(&self, span_ns: u64) -> u64 {
        let moving = u128::from(span_ns) * u128::from(self.rate_ppb) / 1_000_000_000;
        u64::try_from(moving + u128::from(self.step_ns)).unwrap_or(u64::MAX)
    }

    /// Judges a run by its readings in order of time and by the rates that they leave open.
    ///
    /// Every two readings are compared, in one pass: a mask that grows evenly is kept by all spans if and only if the error
    /// less the mask's rate never climbs by more than the step, and the error plus it never falls by more.
    #[must_use]
    pub fn judge(&self, readings: &[ErrorReading], rates: Result<Rates, RateChanged>) -> MaskVerdict {
        let certain = self.worst(readings, |reading| (reading.least_ns, reading.most_ns));
        if let Some((excess, from, to)) = certain
            && excess > 0
        {
            let allowed_ns = self.allowed_ns(to.abs_diff(from));
            let moved = i128::from(allowed_ns) + excess.div_euclid(PER_NS);
            return MaskVerdict::Breach {
                from_ns: from,
                to_ns: to,
                moved_ns: u64::try_from(moved).unwrap_or(u64::MAX),
                allowed_ns,
            };
        }
        let limit = self.rate_ppb as f64 * 1e-9;
        if let Ok(rates) = rates
            && (rates.slowest > limit || rates.fastest < -limit)
        {
            return MaskVerdict::Rate(rates);
        }
        let possible = self.worst(readings, |reading| (reading.most_ns, reading.least_ns));
        let kept = possible.is_some_and(|(excess, ..)| excess <= 0);
        let needs_ns = match rates {
            Ok(rates) if rates.slowest >= -limit && rates.fastest <= limit => {
                if kept {
                    return MaskVerdict::Pass;
                }
                None
            }
            Ok(rates) => {
                let run = readings.last().zip(readings.first()).map(|(last, first)| last.at_ns.abs_diff(first.at_ns));
                let away = (rates.centre().abs() - limit).abs();
                run.filter(|_| rates.half_width().is_finite() && away > 0.0)
                    .map(|run| run as f64 * rates.half_width() / away)
            }
            // No constant rate: the run is all there is.
            Err(_) if kept => return MaskVerdict::Pass,
            Err(_) => None,
        };
        MaskVerdict::Inconclusive { needs_ns }
    }

    /// The movement that is farthest beyond the mask, in parts of a nanosecond (below zero: within), and between which
    /// instants; `ends` are the error at the end and at the beginning of a climb.
    fn worst(&self, readings: &[ErrorReading], ends: fn(&ErrorReading) -> (i64, i64)) -> Option<(i128, i64, i64)> {
        let rate = i128::from(self.rate_ppb);
        let step = i128::from(self.step_ns) * PER_NS;
        // A climb, and a fall as the climb of the mirrored error.
        [1_i128, -1]
            .into_iter()
            .filter_map(|sign| {
                let mut lowest: Option<(i128, i64)> = None;
                let mut worst: Option<(i128, i64, i64)> = None;
                for reading in readings {
                    let (end, begin) = ends(reading);
                    let (end, begin) = if sign > 0 { (end, begin) } else { (begin, end) };
                    let moving = rate * i128::from(reading.at_ns);
                    let level = |error: i64| sign * i128::from(error) * PER_NS - moving;
                    if let Some((low, from)) = lowest {
                        let excess = level(end) - low - step;
                        if worst.is_none_or(|(worst, ..)| excess > worst) {
                            worst = Some((excess, from, reading.at_ns));
                        }
                    }
                    if lowest.is_none_or(|(low, _)| level(begin) < low) {
                        lowest = Some((level(begin), reading.at_ns));
                    }
                }
                worst
            })
            .max()
    }
}

/// Parts of a nanosecond in which a rate in parts per billion moves an error within a nanosecond.
const PER_NS: i128 = 1_000_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mask: String,
    step: String,
    rate: String,
}

/// A number with one of these units, exactly, in the smallest of them.
fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.find(|char: char| !char.is_ascii_digit() && char != '.')?;
    let (number, unit) = text.split_at(digits);
    let (_, size) = units.iter().find(|(name, _)| *name == unit)?;
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let mut value = whole.parse::<u64>().ok()?.checked_mul(*size)?;
    let mut worth = *size;
    for digit in part.chars() {
        if worth % 10 != 0 {
            return None;
        }
        worth /= 10;
        value = value.checked_add(u64::from(digit.to_digit(10)?) * worth)?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn mask(name: &str) -> Mask {
        Mask::shipped(name).expect("a shipped mask")
    }

    /// A reading each second, known to 1 µs.
    fn line(seconds: i64, ppm: i64) -> Vec<ErrorReading> {
        let reading =
            |at| ErrorReading { at_ns: at * SECOND, least_ns: at * ppm * 1_000, most_ns: at * ppm * 1_000 + 1_000 };
        (0..=seconds).map(reading).collect()
    }

    fn known(ppm: f64, half_width: f64) -> Result<Rates, RateChanged> {
        Ok(Rates { slowest: (ppm - half_width) * 1e-6, fastest: (ppm + half_width) * 1e-6 })
    }

    #[test]
    fn a_clock_within_passes_and_one_beyond_fails_before_the_mask_is_reached() {
        assert_eq!(mask("strict").judge(&line(100, 19), known(19.0, 0.5)), MaskVerdict::Pass);
        let fast = known(25.0, 0.5);
        assert_eq!(mask("strict").judge(&line(100, 25), fast), MaskVerdict::Rate(fast.expect("rates")));
        assert!(matches!(mask("strict").judge(&line(100, -25), known(-25.0, 0.5)), MaskVerdict::Rate(_)));
        // 5 ppm too fast: 2 ms are gone after 400 s.
        let long = mask("strict").judge(&line(500, 25), fast);
        let MaskVerdict::Breach { from_ns, to_ns, moved_ns, allowed_ns } = long else { panic!("{long:?}") };
        assert_eq!((from_ns, to_ns, moved_ns, allowed_ns), (0, 500 * SECOND, 12_499_000, 12_000_000));
    }

    #[test]
    fn an_interval_that_straddles_decides_nothing_and_says_when_it_will() {
        let found = mask("strict").judge(&line(100, 19), known(19.0, 2.0));
        let MaskVerdict::Inconclusive { needs_ns: Some(needs) } = found else { panic!("{found:?}") };
        assert!((needs / 200e9 - 1.0).abs() < 1e-9, "{needs}");
        let open = Ok(Rates { slowest: f64::NEG_INFINITY, fastest: f64::INFINITY });
        assert_eq!(mask("strict").judge(&[], open), MaskVerdict::Inconclusive { needs_ns: None });
        let at_the_limit = mask("strict").judge(&line(100, 20), known(20.0, 2.0));
        assert!(matches!(at_the_limit, MaskVerdict::Inconclusive { .. }), "{at_the_limit:?}");
    }

    #[test]
    fn a_jump_is_a_breach_in_either_direction_and_at_any_place() {
        let changed = RateChanged { read: 0, fast_ns: (0, 0), at_least: 0.0, slow_ns: (0, 0), at_most: 0.0 };
        for jump in [2_100_000, -2_100_000] {
            let mut readings = line(100, 0);
            for reading in &mut readings[60..] {
                reading.least_ns += jump;
                reading.most_ns += jump;
            }
            let found = mask("strict").judge(&readings, Err(changed));
            let MaskVerdict::Breach { from_ns, to_ns, .. } = found else { panic!("{jump}: {found:?}") };
            assert_eq!((from_ns, to_ns), (59 * SECOND, 60 * SECOND), "{jump}");
            assert_eq!(mask("crystal").judge(&readings, Err(changed)), MaskVerdict::Pass);
        }
    }

    #[test]
    fn what_readings_leave_open_at_the_step_is_inconclusive() {
        let vague = |at: i64| ErrorReading { at_ns: at * SECOND, least_ns: 0, most_ns: 3_000_000 };
        let readings: Vec<ErrorReading> = (0..10).map(vague).collect();
        let verdict = mask("strict").judge(&readings, known(0.0, 0.1));
        assert_eq!(verdict, MaskVerdict::Inconclusive { needs_ns: None });
    }

    #[test]
    fn a_mask_of_ones_own_has_units() {
        let club = Mask::from_yaml("mask: club\nstep: 2.5ms\nrate: 0.25ppm\n").expect("a mask");
        assert_eq!(club, Mask { name: "club".to_owned(), step_ns: 2_500_000, rate_ppb: 250 });
        assert_eq!(club.allowed_ns(1_000_000_000_000), 2_750_000);
        let error = |text: &str| Mask::from_yaml(text).expect_err("no mask").to_string();
        assert!(error("{mask: a, step: 2, rate: 1ppm}").starts_with("`2` is no length of time"));
        assert_eq!(
            error("{mask: a, step: 2m, rate: 1ppm}"),
            "`2m` is no length of time; write a number with its unit: s, ms, us or ns"
        );
        assert_eq!(
            error("{mask: a, step: 2s, rate: 1.0001ppm}"),
            "`1.0001ppm` is no rate; write a number with its unit: ppm or ppb"
        );
        assert!(error("{mask: a, step: 2s, rate: 1ppm, more: 1}").contains("more"));
        assert!(Mask::SHIPPED.iter().all(|name| Mask::shipped(name).is_some_and(|mask| mask.name == *name)));
        assert_eq!(Mask::shipped("club"), None);
    }
}
