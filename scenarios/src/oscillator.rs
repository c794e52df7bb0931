//! The oscillator of a simulated clock as scenarios write it, every part of it with units:
//!
//! ```yaml
//! oscillator:
//!   offset: +20ppm
//!   temperature: {course: [{at: 0s, is: 25C}, {at: 2h, is: 5C}], turnover: 25C, parabola: -0.035ppm/K2}
//!   ageing: +3ppm/year
//!   noise: {white: 1ppb, flicker: 1ppb, random-walk: 0.1ppb}
//!   quantum: 1000 ticks
//! ```

use std::num::NonZeroU32;

use flagfall_core::{TickRate, TrueTime};
use flagfall_trace::oscillator::{
    Ageing, AgeingSpan, NoiseLevels, OscillatorSpec, PPT_MAX, Temperature, TemperatureCourse, TemperaturePoint,
};
use serde::Deserialize;

use crate::diagnostics::Complaint;
use crate::scenario::Meaning;
use crate::spans::Node;
use crate::time::{rate_ppt, scaled_signed, span_ns};

/// The coldest and the warmest that a crystal can be, in thousandths of a degree.
const MILLICELSIUS: std::ops::RangeInclusive<i64> = -100_000..=200_000;

/// The loudest noise: a part per million.
const NOISE_PPT_MAX: i64 = 1_000_000;

/// The fastest ageing, per day or year: a part per thousand.
const AGEING_PPT_MAX: u64 = 1_000_000_000;

/// The steepest parabola: a part per million for each square kelvin.
const PARABOLA_PPT_MAX: u64 = 1_000_000;

/// A run as long as the longest control: what an oscillator may be like is looked at over this time.
const LONGEST_RUN: TrueTime = TrueTime::from_ns(360_000 * 1_000_000_000);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOscillator {
    pub(crate) offset: Option<String>,
    pub(crate) temperature: Option<RawTemperature>,
    pub(crate) ageing: Option<String>,
    pub(crate) noise: Option<RawNoise>,
    pub(crate) quantum: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTemperature {
    pub(crate) course: Vec<RawTemperaturePoint>,
    pub(crate) turnover: Option<String>,
    pub(crate) parabola: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTemperaturePoint {
    pub(crate) at: String,
    pub(crate) is: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawNoise {
    pub(crate) white: Option<String>,
    pub(crate) flicker: Option<String>,
    pub(crate) random_walk: Option<String>,
}

/// Understands an oscillator; what cannot be understood is complained of and left as an exact clock has it.
pub(crate) fn read(
    meaning: &mut Meaning<'_>,
    raw: Option<&RawOscillator>,
    node: &Node,
    tick_rate: TickRate,
    has_seed: bool,
) -> OscillatorSpec {
    let Some(raw) = raw else { return OscillatorSpec::default() };
    let offset = raw.offset.as_ref().and_then(|text| meaning.take(node.at("offset"), rate_ppt(text)));
    let temperature = raw.temperature.as_ref().and_then(|raw| temperature(meaning, raw, node.at("temperature")));
    let ageing = raw.ageing.as_ref().and_then(|text| meaning.take(node.at("ageing"), ageing(text)));
    let noise = raw.noise.as_ref().map(|raw| noise(meaning, raw, node.at("noise")));
    let quantum = raw.quantum.as_ref().and_then(|text| meaning.take(node.at("quantum"), quantum(text, tick_rate)));
    let spec = OscillatorSpec {
        offset_ppt: offset.unwrap_or(0),
        temperature,
        ageing,
        noise: noise.unwrap_or_default(),
        quantum_ticks: quantum.unwrap_or(NonZeroU32::MIN),
    };
    if spec.envelope(LONGEST_RUN).widest_ppt() > PPT_MAX.unsigned_abs() {
        let complaint = Complaint::new("this oscillator could be more than 500000 ppm fast or slow within 100 h")
            .help("an offset, a temperature, ageing and noise add up");
        meaning.complain(node, complaint);
    }
    if !has_seed && raw.noise.is_some() {
        let complaint = Complaint::new("noise is drawn, and this scenario has no `seed`")
            .help("add `seed: 1` to the scenario, or leave `noise` out");
        meaning.complain(node.at("noise"), complaint);
    }
    spec
}

fn temperature(meaning: &mut Meaning<'_>, raw: &RawTemperature, node: &Node) -> Option<Temperature> {
    let course = course(meaning, &raw.course, node.at("course"));
    let turnover = match &raw.turnover {
        None => Some(Temperature::TURNOVER_MILLICELSIUS),
        Some(text) => meaning.take(node.at("turnover"), millicelsius(text)),
    };
    let parabola = match &raw.parabola {
        None => Some(Temperature::PARABOLA_PPT),
        Some(text) => meaning.take(node.at("parabola"), parabola(text)),
    };
    Some(Temperature { turnover_millicelsius: turnover?, parabola_ppt: parabola?, course: course? })
}

fn course(meaning: &mut Meaning<'_>, raw: &[RawTemperaturePoint], node: &Node) -> Option<TemperatureCourse> {
    let mut points: Vec<TemperaturePoint> = Vec::new();
    for (index, point) in raw.iter().enumerate() {
        let place = node.item(index);
        let at = meaning.take(place.at("at"), span_ns(&point.at)).map(TrueTime::from_ns);
        let millicelsius = meaning.take(place.at("is"), millicelsius(&point.is));
        let (at, millicelsius) = (at?, millicelsius?);
        if points.last().is_some_and(|before| before.at >= at) {
            let complaint = Complaint::new("this point is not after the one before it")
                .help("the points of a temperature are written in the order of time, counted from the beginning");
            meaning.complain(place.at("at"), complaint);
            return None;
        }
        points.push(TemperaturePoint { at, millicelsius });
    }
    TemperatureCourse::new(points).ok()
}

/// Thousandths of a degree of a temperature such as `25C` or `-5.5C`.
fn millicelsius(text: &str) -> Result<i32, Complaint> {
    let trimmed = text.trim();
    let bad = || Complaint::new(format!("`{trimmed}` is no temperature")).help("write degrees Celsius, like `25C`");
    let number = trimmed.strip_suffix('C').map(|number| number.trim_end().trim_end_matches('°').trim_end());
    let Some(number) = number else {
        if !trimmed.is_empty() && trimmed.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte)) {
            return Err(Complaint::new(format!("`{trimmed}` has no unit"))
                .label("which unit?")
                .help(format!("write `{trimmed}C`")));
        }
        return Err(bad());
    };
    let value = scaled_signed(number, 1_000).ok_or_else(bad)?;
    if !MILLICELSIUS.contains(&value) {
        return Err(Complaint::new("a crystal is between -100 and 200 degrees Celsius"));
    }
    i32::try_from(value).map_err(|_| bad())
}

/// Parts per trillion for each square kelvin of `-0.035ppm/K2`.
fn parabola(text: &str) -> Result<i64, Complaint> {
    let help = "write it like `-0.035ppm/K2`";
    let (rate, per) = text.split_once('/').unwrap_or((text, ""));
    if !matches!(per.trim(), "K2" | "K²" | "K^2") {
        return Err(Complaint::new(format!("`{}` is no parabola: it has no `/K2`", text.trim())).help(help));
    }
    let ppt = rate_ppt(rate)?;
    if ppt.unsigned_abs() > PARABOLA_PPT_MAX {
        return Err(Complaint::new("a parabola is at most 1 ppm/K2").help(help));
    }
    Ok(ppt)
}

/// `+3ppm/year` or `-0.1ppm/day`.
fn ageing(text: &str) -> Result<Ageing, Complaint> {
    let (rate, per) = text.split_once('/').unwrap_or((text, ""));
    let per = match per.trim() {
        "day" => AgeingSpan::Day,
        "year" => AgeingSpan::Year,
        _ => {
            let complaint = Complaint::new(format!("`{}` does not say in which time", text.trim()));
            return Err(complaint.help("write ageing like `+3ppm/year` or `-0.1ppm/day`"));
        }
    };
    let ppt = rate_ppt(rate)?;
    if ppt.unsigned_abs() > AGEING_PPT_MAX {
        return Err(Complaint::new("ageing is at most 1000 ppm in its day or year"));
    }
    Ok(Ageing { ppt, per })
}

fn noise(meaning: &mut Meaning<'_>, raw: &RawNoise, node: &Node) -> NoiseLevels {
    let mut level = |text: Option<&String>, name: &str| {
        text.and_then(|text| meaning.take(node.at(name), noise_level(text))).unwrap_or(0)
    };
    NoiseLevels {
        white_ppt: level(raw.white.as_ref(), "white"),
        flicker_ppt: level(raw.flicker.as_ref(), "flicker"),
        random_walk_ppt: level(raw.random_walk.as_ref(), "random-walk"),
    }
}

/// An Allan deviation at one second, in parts per trillion.
fn noise_level(text: &str) -> Result<u32, Complaint> {
    let ppt = rate_ppt(text)?;
    if !(1..=NOISE_PPT_MAX).contains(&ppt) {
        let complaint = Complaint::new("a level of noise is more than zero and at most 1 ppm");
        return Err(complaint.help("it is the Allan deviation at one second, like `1ppb`"));
    }
    u32::try_from(ppt).map_err(|_| Complaint::new("a level of noise is more than zero"))
}

/// How many ticks the counter advances at once, of `1000 ticks`.
fn quantum(text: &str, tick_rate: TickRate) -> Result<NonZeroU32, Complaint> {
    let trimmed = text.trim();
    let help = "write it like `1000 ticks`";
    let number = trimmed.strip_suffix("ticks").or(trimmed.strip_suffix("tick")).map(str::trim_end);
    let Some(number) = number else {
        return Err(Complaint::new(format!("`{trimmed}` is no number of ticks")).help(help));
    };
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let ticks = number.parse::<u64>().ok().filter(|_| digits);
    match ticks.and_then(|ticks| u32::try_from(ticks).ok()).and_then(NonZeroU32::new) {
        Some(ticks) if ticks.get() <= tick_rate.hz() => Ok(ticks),
        _ if digits => {
            let hz = tick_rate.hz();
            Err(Complaint::new(format!("a counter advances by 1 to {hz} ticks: at most a second")).help(help))
        }
        _ => Err(Complaint::new(format!("`{trimmed}` is no number of ticks")).help(help)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperatures_have_degrees() {
        for (text, expected) in [
            ("25C", 25_000),
            ("-5.5C", -5_500),
            ("+0.001 C", 1),
            ("35 °C", 35_000),
            ("-100C", -100_000),
            ("200C", 200_000),
        ] {
            assert_eq!(millicelsius(text), Ok(expected), "{text}");
        }
        for bad in ["25", "C", "", "25F", "1e3C", "--5C", "0.0001C", "201C", "-100.001C", "99999999999999999999C"] {
            assert!(millicelsius(bad).is_err(), "{bad}");
        }
        assert_eq!(millicelsius("25").expect_err("no unit").help.as_deref(), Some("write `25C`"));
    }

    #[test]
    fn a_parabola_is_per_square_kelvin() {
        assert_eq!(parabola("-0.035ppm/K2"), Ok(-35_000));
        assert_eq!(parabola("-35ppb / K²"), Ok(-35_000));
        assert_eq!([parabola("1ppm/K2"), parabola("-1ppm/K^2")], [Ok(1_000_000), Ok(-1_000_000)]);
        for bad in ["-0.035ppm", "-0.035ppm/K", "-0.035/K2", "1.000001ppm/K2", "/K2", ""] {
            assert!(parabola(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ageing_is_per_day_or_year() {
        assert_eq!(ageing("+3ppm/year"), Ok(Ageing { ppt: 3_000_000, per: AgeingSpan::Year }));
        assert_eq!(ageing("-100ppb/ day"), Ok(Ageing { ppt: -100_000, per: AgeingSpan::Day }));
        assert_eq!(ageing("-1000ppm/day").map(|ageing| ageing.ppt), Ok(-1_000_000_000));
        for bad in ["+3ppm", "+3ppm/week", "3/year", "1001ppm/day", ""] {
            assert!(ageing(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn noise_is_louder_than_nothing() {
        assert_eq!(noise_level("0.1ppb"), Ok(100));
        assert_eq!(noise_level("1ppm"), Ok(1_000_000));
        assert_eq!(noise_level("0.001ppb"), Ok(1));
        for bad in ["0ppb", "-1ppb", "1.1ppm", "0.0001ppb", "1"] {
            assert!(noise_level(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_counter_advances_by_ticks_and_at_least_once_a_second() {
        let crystal = TickRate::new(32_768).expect("in range");
        assert_eq!(quantum("1000 ticks", crystal).map(NonZeroU32::get), Ok(1_000));
        assert_eq!(quantum("1tick", crystal).map(NonZeroU32::get), Ok(1));
        assert_eq!(quantum("32768 ticks", crystal).map(NonZeroU32::get), Ok(32_768));
        for bad in ["0 ticks", "32769 ticks", "1000", "ticks", "+5 ticks", "1.5 ticks", "99999999999999999999 ticks"] {
            assert!(quantum(bad, crystal).is_err(), "{bad}");
        }
    }
}
