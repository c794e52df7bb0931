//! What a simulated time base is like: how far its rate is off, what changes it, and the widest that it can be off.
//!
//! Rates are parts per trillion (1e-12), positive is fast; a rate is held for a second of true time and then taken anew.
//! This file knows the laws (crystal parabola, ageing, levels and limits of noise); `flagfall_sim` draws the noise and
//! accumulates the phase. [`OscillatorSpec::envelope`] is what the oracle allows for, so that no tolerance is set by hand.
//!
//! Sources: the parabola and its turnover point are those of tuning-fork crystals (CTS TF20, Epson RTC-9701 data sheets:
//! -0.035 ppm/K^2, 25 C); noise levels are Allan deviations (IEEE Std 1139).

use std::fmt;
use std::num::NonZeroU32;

use flagfall_core::TrueTime;
use serde::{Deserialize, Serialize};

/// The rate that an oscillator can be off by before it is no oscillator any more: it would stand still or run back.
pub const PPT_MAX: i64 = 500_000_000_000;

/// For how long a rate is held before it is taken anew, in nanoseconds.
pub const HELD_NS: i64 = 1_000_000_000;

/// A simulated oscillator; [`OscillatorSpec::default`] is exact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OscillatorSpec {
    /// How fast it is from the beginning, in parts per trillion.
    #[serde(skip_serializing_if = "is_zero")]
    pub offset_ppt: i64,
    /// What warmth and cold do to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Temperature>,
    /// What age does to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ageing: Option<Ageing>,
    /// What nobody can foresee.
    #[serde(skip_serializing_if = "NoiseLevels::is_silent")]
    pub noise: NoiseLevels,
    /// The counter shows multiples of so many ticks only.
    #[serde(skip_serializing_if = "is_one")]
    pub quantum_ticks: NonZeroU32,
}

impl Default for OscillatorSpec {
    fn default() -> Self {
        Self {
            offset_ppt: 0,
            temperature: None,
            ageing: None,
            noise: NoiseLevels::default(),
            quantum_ticks: NonZeroU32::MIN,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_zero(ppt: &i64) -> bool {
    *ppt == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_one(ticks: &NonZeroU32) -> bool {
    ticks.get() == 1
}

/// The temperature of the crystal and what it does to the rate: `parabola * (temperature - turnover)^2`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Temperature {
    /// At which temperature the crystal is fastest (or, with a positive parabola, slowest), in thousandths of a degree.
    pub turnover_millicelsius: i32,
    /// Parts per trillion for each square kelvin away from the turnover point.
    pub parabola_ppt: i64,
    /// The temperature over the run.
    pub course: TemperatureCourse,
}

impl Temperature {
    /// The turnover point of a tuning-fork crystal.
    pub const TURNOVER_MILLICELSIUS: i32 = 25_000;

    /// The parabola of a tuning-fork crystal.
    pub const PARABOLA_PPT: i64 = -35_000;

    fn ppt_at(&self, at: TrueTime) -> i64 {
        self.ppt_of(self.course.microcelsius_at(at))
    }

    fn ppt_of(&self, microcelsius: i64) -> i64 {
        let away = i128::from(microcelsius - i64::from(self.turnover_millicelsius) * 1_000);
        rounded(i128::from(self.parabola_ppt) * away * away, 1_000_000_000_000)
    }

    /// The slowest and the fastest that the course makes it.
    fn envelope(&self) -> Envelope {
        let temperatures = self.course.0.iter().map(|point| point.millicelsius);
        let coldest = temperatures.clone().min().unwrap_or(self.turnover_millicelsius);
        let warmest = temperatures.max().unwrap_or(self.turnover_millicelsius);
        let ends = [coldest, warmest].map(|millicelsius| self.ppt_of(i64::from(millicelsius) * 1_000));
        // A course is continuous, so that it passes the turnover point if it lies between.
        let nearest = self.ppt_of(i64::from(self.turnover_millicelsius.clamp(coldest, warmest)) * 1_000);
        Envelope { slowest_ppt: ends[0].min(ends[1]).min(nearest), fastest_ppt: ends[0].max(ends[1]).max(nearest) }
    }
}

/// A temperature at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemperaturePoint {
    /// When.
    pub at: TrueTime,
    /// How warm, in thousandths of a degree Celsius.
    pub millicelsius: i32,
}

/// Points in order of time with straight lines between them; before the first and after the last it stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<TemperaturePoint>", into = "Vec<TemperaturePoint>")]
pub struct TemperatureCourse(Vec<TemperaturePoint>);

/// Points that are no course of a temperature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemperatureCourseError {
    /// No points: give at least one.
    #[error("a temperature has at least one point")]
    Empty,
    /// A point that is not after the one before it: sort them.
    #[error("point {number} of the temperature is not after the one before it")]
    Order {
        /// Which point, counted from one.
        number: usize,
    },
}

impl TemperatureCourse {
    /// A course through these points.
    ///
    /// # Errors
    /// [`TemperatureCourseError`] when there is none or one is not after the one before it.
    pub fn new(points: Vec<TemperaturePoint>) -> Result<Self, TemperatureCourseError> {
        if points.is_empty() {
            return Err(TemperatureCourseError::Empty);
        }
        match points.windows(2).position(|pair| pair[0].at >= pair[1].at) {
            Some(index) => Err(TemperatureCourseError::Order { number: index + 2 }),
            None => Ok(Self(points)),
        }
    }

    fn microcelsius_at(&self, at: TrueTime) -> i64 {
        let micro = |point: &TemperaturePoint| i64::from(point.millicelsius) * 1_000;
        let next = self.0.partition_point(|point| point.at <= at);
        let (Some(before), Some(after)) = (next.checked_sub(1).and_then(|index| self.0.get(index)), self.0.get(next))
        else {
            return micro(self.0.get(next).unwrap_or(&self.0[self.0.len() - 1]));
        };
        let rise = i128::from(micro(after) - micro(before)) * i128::from(at.ns() - before.at.ns());
        micro(before) + rounded(rise, i128::from(after.at.ns()) - i128::from(before.at.ns()))
    }

    fn varies(&self) -> bool {
        self.0.iter().any(|point| point.millicelsius != self.0[0].millicelsius)
    }
}

impl TryFrom<Vec<TemperaturePoint>> for TemperatureCourse {
    type Error = TemperatureCourseError;

    fn try_from(points: Vec<TemperaturePoint>) -> Result<Self, TemperatureCourseError> {
        Self::new(points)
    }
}

impl From<TemperatureCourse> for Vec<TemperaturePoint> {
    fn from(course: TemperatureCourse) -> Self {
        course.0
    }
}

/// A rate that changes evenly from the beginning of the run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ageing {
    /// By how many parts per trillion.
    pub ppt: i64,
    /// In which time.
    pub per: AgeingSpan,
}

impl Ageing {
    fn ppt_at(self, at: TrueTime) -> i64 {
        rounded(i128::from(self.ppt) * i128::from(at.ns()), i128::from(self.per.ns()))
    }
}

/// In which time ageing is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgeingSpan {
    /// 24 hours.
    Day,
    /// 365.25 days.
    Year,
}

impl AgeingSpan {
    const fn ns(self) -> i64 {
        match self {
            Self::Day => 86_400 * HELD_NS,
            Self::Year => 31_557_600 * HELD_NS,
        }
    }
}

/// How much an oscillator wanders; each level is the Allan deviation at one second, in parts per trillion.
///
/// Noise is limited, so that a widest deviation exists: real noise of this size would pass these limits about once in a
/// hundred thousand hours (white, flicker), or after some days (random walk).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NoiseLevels {
    /// White frequency noise: each second for itself. The deviation falls with the root of the time.
    #[serde(skip_serializing_if = "is_silent")]
    pub white_ppt: u32,
    /// Flicker frequency noise: the deviation stays the same up to some hours.
    #[serde(skip_serializing_if = "is_silent")]
    pub flicker_ppt: u32,
    /// A rate that walks at random: the deviation grows with the root of the time.
    #[serde(skip_serializing_if = "is_silent")]
    pub random_walk_ppt: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_silent(ppt: &u32) -> bool {
    *ppt == 0
}

impl NoiseLevels {
    /// White noise is never more than so many times its level.
    pub const WHITE_LIMIT: i64 = 6;

    /// Flicker noise is never more than so many times its level: six standard deviations of its seventeen sources.
    pub const FLICKER_LIMIT: i64 = 18;

    /// A random walk turns back here, so many times its level away: nine standard deviations after seven hours.
    pub const RANDOM_WALK_LIMIT: i64 = 2_000;

    /// Whether there is none.
    #[must_use]
    pub const fn is_silent(&self) -> bool {
        self.white_ppt == 0 && self.flicker_ppt == 0 && self.random_walk_ppt == 0
    }

    /// The most that all of it together can change the rate, in parts per trillion.
    #[must_use]
    pub fn limit_ppt(&self) -> i64 {
        i64::from(self.white_ppt) * Self::WHITE_LIMIT
            + i64::from(self.flicker_ppt) * Self::FLICKER_LIMIT
            + i64::from(self.random_walk_ppt) * Self::RANDOM_WALK_LIMIT
    }
}

/// Between which rates an oscillator stays, in parts per trillion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The slowest rate.
    pub slowest_ppt: i64,
    /// The fastest rate.
    pub fastest_ppt: i64,
}

impl Envelope {
    /// The farthest from an exact clock.
    #[must_use]
    pub const fn widest_ppt(&self) -> u64 {
        let (slow, fast) = (self.slowest_ppt.unsigned_abs(), self.fastest_ppt.unsigned_abs());
        if slow > fast { slow } else { fast }
    }

    const fn and(self, other: Self) -> Self {
        Self {
            slowest_ppt: self.slowest_ppt.saturating_add(other.slowest_ppt),
            fastest_ppt: self.fastest_ppt.saturating_add(other.fastest_ppt),
        }
    }
}

impl OscillatorSpec {
    /// An oscillator that is fast by so many parts per billion, and always by the same.
    #[must_use]
    pub fn with_offset_ppb(ppb: i64) -> Self {
        Self { offset_ppt: ppb.saturating_mul(1_000), ..Self::default() }
    }

    /// Whether it is an exact clock in all respects.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        *self == Self::default()
    }

    /// Whether its rate changes over a run.
    #[must_use]
    pub fn varies(&self) -> bool {
        let temperature = self.temperature.as_ref().is_some_and(|temperature| temperature.course.varies());
        temperature || self.ageing.is_some_and(|ageing| ageing.ppt != 0) || !self.noise.is_silent()
    }

    /// The rate without its noise that is held from `from` on, in parts per trillion: that in the middle of the time for
    /// which it is held, which follows a parabola to within 1e-13 of a second for each second.
    #[must_use]
    pub fn steady_ppt(&self, from: TrueTime) -> i64 {
        let middle = TrueTime::from_ns(from.ns().saturating_add(HELD_NS / 2));
        let temperature = self.temperature.as_ref().map_or(0, |temperature| temperature.ppt_at(middle));
        let ageing = self.ageing.map_or(0, |ageing| ageing.ppt_at(middle));
        self.offset_ppt.saturating_add(temperature).saturating_add(ageing)
    }

    /// The rates between which it stays from the beginning of a run until `until`.
    #[must_use]
    pub fn envelope(&self, until: TrueTime) -> Envelope {
        let always = Envelope { slowest_ppt: self.offset_ppt, fastest_ppt: self.offset_ppt };
        let still = Envelope { slowest_ppt: 0, fastest_ppt: 0 };
        let temperature = self.temperature.as_ref().map_or(still, Temperature::envelope);
        // A rate may be held a little beyond the end.
        let last = TrueTime::from_ns(until.ns().saturating_add(HELD_NS));
        let aged = self.ageing.map_or(0, |ageing| ageing.ppt_at(last));
        let limit = self.noise.limit_ppt();
        always
            .and(temperature)
            .and(Envelope { slowest_ppt: aged.min(0), fastest_ppt: aged.max(0) })
            .and(Envelope { slowest_ppt: -limit, fastest_ppt: limit })
    }
}

/// `value / unit` to the nearest whole number, halves up.
fn rounded(value: i128, unit: i128) -> i64 {
    let nearest = (value + unit / 2).div_euclid(unit);
    i64::try_from(nearest).unwrap_or(if nearest < 0 { i64::MIN } else { i64::MAX })
}

impl fmt::Display for OscillatorSpec {
    /// In the words of a scenario: `+20 ppm, ageing +3 ppm/year, white noise 1 ppb`; `exact` if it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.offset_ppt != 0 {
            parts.push(signed(self.offset_ppt));
        }
        if let Some(Temperature { turnover_millicelsius, parabola_ppt, course }) = &self.temperature {
            let temperatures: Vec<String> = course.0.iter().map(|point| celsius(point.millicelsius)).collect();
            let turnover = celsius(*turnover_millicelsius);
            let parabola = signed(*parabola_ppt);
            parts.push(format!("{} ({parabola}/K2 around {turnover})", temperatures.join(" to ")));
        }
        if let Some(Ageing { ppt, per }) = self.ageing {
            let per = match per {
                AgeingSpan::Day => "day",
                AgeingSpan::Year => "year",
            };
            parts.push(format!("ageing {}/{per}", signed(ppt)));
        }
        let NoiseLevels { white_ppt, flicker_ppt, random_walk_ppt } = self.noise;
        for (name, ppt) in [("white", white_ppt), ("flicker", flicker_ppt), ("random walk", random_walk_ppt)] {
            if ppt != 0 {
                parts.push(format!("{name} noise {}", magnitude(u64::from(ppt))));
            }
        }
        if self.quantum_ticks.get() != 1 {
            parts.push(format!("steps of {} ticks", self.quantum_ticks));
        }
        if parts.is_empty() { f.write_str("exact") } else { f.write_str(&parts.join(", ")) }
    }
}

fn signed(ppt: i64) -> String {
    format!("{}{}", if ppt < 0 { '-' } else { '+' }, magnitude(ppt.unsigned_abs()))
}

/// `20 ppm`, `0.035 ppm`, `1 ppb`, `0.1 ppb`.
fn magnitude(ppt: u64) -> String {
    let (unit, name, digits) = if ppt >= 10_000 { (1_000_000, "ppm", 6) } else { (1_000, "ppb", 3) };
    format!("{} {name}", decimal(ppt / unit, ppt % unit, digits))
}

fn celsius(millicelsius: i32) -> String {
    let size = u64::from(millicelsius.unsigned_abs());
    let sign = if millicelsius < 0 { "-" } else { "" };
    format!("{sign}{} C", decimal(size / 1_000, size % 1_000, 3))
}

fn decimal(whole: u64, fraction: u64, digits: usize) -> String {
    if fraction == 0 {
        return whole.to_string();
    }
    format!("{whole}.{fraction:0digits$}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: i64) -> TrueTime {
        TrueTime::from_ns(seconds * 1_000_000_000)
    }

    fn crystal(points: &[(i64, i32)]) -> OscillatorSpec {
        let points = points.iter().map(|(at, celsius)| TemperaturePoint { at: s(*at), millicelsius: celsius * 1_000 });
        let temperature = Temperature {
            turnover_millicelsius: Temperature::TURNOVER_MILLICELSIUS,
            parabola_ppt: Temperature::PARABOLA_PPT,
            course: TemperatureCourse::new(points.collect()).expect("a course"),
        };
        OscillatorSpec { temperature: Some(temperature), ..OscillatorSpec::default() }
    }

    #[test]
    fn a_tuning_fork_is_slow_in_warmth_and_cold() {
        for (celsius, ppt) in [(25, 0), (35, -3_500_000), (5, -14_000_000), (60, -42_875_000), (-40, -147_875_000)] {
            assert_eq!(crystal(&[(0, celsius)]).steady_ppt(s(0)), ppt, "{celsius} C");
        }
    }

    #[test]
    fn a_temperature_is_a_line_between_its_points_and_stays_beyond_them() {
        let TemperatureCourse(points) = crystal(&[(10, 20), (20, 30), (21, -10)]).temperature.expect("one").course;
        let course = TemperatureCourse::new(points).expect("a course");
        let halves = [(0, 20_000), (20, 20_000), (25, 22_500), (30, 25_000), (40, 30_000), (41, 10_000), (99, -10_000)];
        for (half_seconds, millicelsius) in halves {
            let at = TrueTime::from_ns(half_seconds * 500_000_000);
            assert_eq!(course.microcelsius_at(at), millicelsius * 1_000, "{at}");
        }
        let point = |at, millicelsius| TemperaturePoint { at: s(at), millicelsius };
        assert_eq!(TemperatureCourse::new(Vec::new()), Err(TemperatureCourseError::Empty));
        let unsorted = vec![point(0, 1), point(2, 1), point(2, 2)];
        assert_eq!(TemperatureCourse::new(unsorted), Err(TemperatureCourseError::Order { number: 3 }));
    }

    #[test]
    fn ageing_is_proportional_to_time() {
        let aged = |ppt, per, at| Ageing { ppt, per }.ppt_at(at);
        assert_eq!(aged(5_000_000, AgeingSpan::Day, s(86_400)), 5_000_000);
        assert_eq!(aged(3_000_000, AgeingSpan::Year, s(25_200)), 2_396, "3 ppm a year are 0.0024 ppm in seven hours");
        assert_eq!(aged(-3_000_000, AgeingSpan::Year, s(31_557_600)), -3_000_000);
        let old = OscillatorSpec {
            offset_ppt: 7,
            ageing: Some(Ageing { ppt: 172_800, per: AgeingSpan::Day }),
            ..OscillatorSpec::default()
        };
        assert_eq!([old.steady_ppt(s(0)), old.steady_ppt(s(43_200))], [8, 86_408], "in the middle of the second");
    }

    #[test]
    fn the_envelope_is_the_sum_of_its_parts_on_both_sides() {
        let mut spec = crystal(&[(0, 20), (7_200, 35)]);
        assert_eq!(spec.envelope(s(7_200)), Envelope { slowest_ppt: -3_500_000, fastest_ppt: 0 });
        spec.offset_ppt = 2_000_000;
        spec.ageing = Some(Ageing { ppt: 864_000, per: AgeingSpan::Day });
        spec.noise = NoiseLevels { white_ppt: 1_000, flicker_ppt: 100, random_walk_ppt: 10 };
        let noise = 6_000 + 1_800 + 20_000;
        let fastest_ppt = 2_000_000 + 72_010 + noise;
        assert_eq!(spec.envelope(s(7_200)), Envelope { slowest_ppt: -1_500_000 - noise, fastest_ppt });
        assert_eq!(spec.envelope(s(7_200)).widest_ppt(), fastest_ppt.unsigned_abs());
        assert_eq!(OscillatorSpec::default().envelope(s(7_200)).widest_ppt(), 0);
        let mut fast_in_the_cold = crystal(&[(0, 20), (7_200, 35)]);
        fast_in_the_cold.temperature.as_mut().expect("it has one").parabola_ppt = 35_000;
        assert_eq!(fast_in_the_cold.envelope(s(7_200)), Envelope { slowest_ppt: 0, fastest_ppt: 3_500_000 });
        let slow = Envelope { slowest_ppt: -2, fastest_ppt: 1 };
        assert_eq!(slow.widest_ppt(), 2);
        let cold = crystal(&[(0, 0), (60, 10)]);
        assert_eq!(cold.envelope(s(60)), Envelope { slowest_ppt: -21_875_000, fastest_ppt: -7_875_000 });
    }

    #[test]
    fn it_describes_itself() {
        assert_eq!(OscillatorSpec::default().to_string(), "exact");
        let mut spec = crystal(&[(0, 25), (7_200, 5)]);
        spec.offset_ppt = -20_500_000;
        spec.ageing = Some(Ageing { ppt: 3_000_000, per: AgeingSpan::Year });
        spec.noise = NoiseLevels { white_ppt: 1_000, flicker_ppt: 0, random_walk_ppt: 100 };
        spec.quantum_ticks = NonZeroU32::new(1_000).expect("not zero");
        assert_eq!(
            spec.to_string(),
            "-20.5 ppm, 25 C to 5 C (-0.035 ppm/K2 around 25 C), ageing +3 ppm/year, white noise 1 ppb, \
             random walk noise 0.1 ppb, steps of 1000 ticks"
        );
    }

    #[test]
    fn each_of_its_words_is_its_own() {
        let exact = OscillatorSpec::default;
        let aged = OscillatorSpec { ageing: Some(Ageing { ppt: -10_000, per: AgeingSpan::Day }), ..exact() };
        assert_eq!(aged.to_string(), "ageing -0.01 ppm/day");
        assert_eq!(OscillatorSpec { offset_ppt: 9_999, ..exact() }.to_string(), "+9.999 ppb");
        assert_eq!(OscillatorSpec { offset_ppt: 1_000_001, ..exact() }.to_string(), "+1.000001 ppm");
        let mut noisy = exact();
        noisy.noise.flicker_ppt = 5;
        assert_eq!(noisy.to_string(), "flicker noise 0.005 ppb");
        let mut frozen = crystal(&[(0, -5)]);
        frozen.temperature.as_mut().expect("it has one").turnover_millicelsius = -12_500;
        assert_eq!(frozen.to_string(), "-5 C (-0.035 ppm/K2 around -12.5 C)");
    }

    #[test]
    fn what_is_too_large_stays_as_large_as_can_be() {
        assert_eq!([rounded(i128::MAX / 4, 2), rounded(i128::MIN / 4, 2)], [i64::MAX, i64::MIN]);
        assert_eq!([rounded(5, 2), rounded(-5, 2), rounded(-7, 4)], [3, -2, -2], "halves go up");
    }

    #[test]
    fn its_form_in_files_leaves_out_what_is_as_usual() {
        let json = |spec: &OscillatorSpec| serde_json::to_string(spec).expect("it has string keys only");
        assert_eq!(json(&OscillatorSpec::default()), "{}");
        let mut spec = crystal(&[(0, 25), (7_200, 5)]);
        spec.noise.flicker_ppt = 7;
        let read: OscillatorSpec = serde_json::from_str(&json(&spec)).expect("what was written can be read");
        assert_eq!(read, spec);
        let unsorted = json(&spec).replace("7200000000000", "0");
        assert!(serde_json::from_str::<OscillatorSpec>(&unsorted).is_err(), "{unsorted}");
    }
}
