//! Exact quantities as people read them: no digit that is not there, a unit that fits.

use flagfall_core::{Face, TickRate};

/// A span in the largest unit in which it has at most three digits before the point: `2 s`, `1.5 ms`, `12 µs`, `5 min`.
pub(crate) fn span(ns: i128) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let size = ns.unsigned_abs();
    let (unit_ns, unit) = match size {
        0 => return "0 s".to_owned(),
        1..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "µs"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ if size.is_multiple_of(3_600_000_000_000) => (3_600_000_000_000, "h"),
        _ if size.is_multiple_of(60_000_000_000) => (60_000_000_000, "min"),
        _ => (1_000_000_000, "s"),
    };
    format!("{sign}{} {unit}", decimal(size, unit_ns))
}

/// Nanoseconds as seconds without trailing zeros: `59.5 s`.
pub(crate) fn seconds(ns: i128) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    format!("{sign}{} s", decimal(ns.unsigned_abs(), 1_000_000_000))
}

/// Nanoseconds as seconds with nine digits, like the stamps of true time: `12.000000500`.
pub(crate) fn stamp(ns: i128) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let size = ns.unsigned_abs();
    format!("{sign}{}.{:09}", size / 1_000_000_000, size % 1_000_000_000)
}

/// The first nanosecond not before this many ticks of an exact clock.
pub(crate) fn ns_of_ticks(ticks: i128, rate: TickRate) -> i128 {
    let hz = i128::from(rate.hz());
    -((-ticks * 1_000_000_000).div_euclid(hz))
}

/// What a side has left, as a face with as many decimals as needed: `1:00`, `0:02.500`.
pub(crate) fn left(ms: u64) -> String {
    let face = Face::from_seconds(u32::try_from(ms / 1_000).unwrap_or(u32::MAX));
    if ms.is_multiple_of(1_000) { face.to_string() } else { format!("{face}.{:03}", ms % 1_000) }
}

/// Parts per billion in parts per million, signed: `+20 ppm`, `-0.5 ppm`.
pub(crate) fn ppm(ppb: i64) -> String {
    let sign = if ppb < 0 { '-' } else { '+' };
    format!("{sign}{} ppm", decimal(u128::from(ppb.unsigned_abs()), 1_000))
}

/// `+20.00 ± 0.04 ppm`: two digits of the half-width, and as many decimals of the value.
pub(crate) fn interval_ppm(ppm: f64, half_width_ppm: f64) -> String {
    let decimals = (1.0 - half_width_ppm.log10().floor()).clamp(0.0, 6.0) as usize;
    // The half-width is guaranteed, so it is rounded up.
    let scale = 10_f64.powi(decimals as i32);
    let half_width = (half_width_ppm * scale).ceil() / scale;
    // What rounds to nothing has no sign.
    let ppm = (ppm * scale).round() / scale + 0.0;
    format!("{ppm:+.decimals$} ± {half_width:.decimals$} ppm")
}

/// A time to four digits in the unit that fits: `2.502 ms`, `0 s`.
pub(crate) fn short(ns: f64) -> String {
    let size = ns.abs();
    let (unit_ns, unit) = match size {
        size if size < 1.0 => return "0 s".to_owned(),
        size if size < 999.95 => (1.0, "ns"),
        size if size < 999.95e3 => (1e3, "µs"),
        size if size < 999.95e6 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    let value = ns / unit_ns;
    let decimals = (3.0 - value.abs().log10().floor()).clamp(0.0, 3.0) as usize;
    let text = format!("{value:.decimals$}");
    let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {unit}")
}

/// The same with its sign, also of what is above zero: `+2.502 ms`.
pub(crate) fn signed(ns: f64) -> String {
    let text = short(ns);
    if ns >= 1.0 { format!("+{text}") } else { text }
}

/// How long something lasts, to two or three digits: `25 s`, `13 min`, `7.0 h`, `12 days`.
pub(crate) fn about(ns: f64) -> String {
    match ns * 1e-9 {
        s if s < 1.0 => short(ns),
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 600.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// An instant of true time to a millisecond: `61.25 s`.
pub(crate) fn instant(ns: i64) -> String {
    let ms = (i128::from(ns) + 500_000).div_euclid(1_000_000);
    seconds(ms * 1_000_000)
}

/// `value / unit` exactly, `unit` a power of ten or a whole divisor of `value`.
fn decimal(value: u128, unit: u128) -> String {
    let (whole, rest) = (value / unit, value % unit);
    if rest == 0 {
        return whole.to_string();
    }
    let digits = unit.ilog10() as usize;
    format!("{whole}.{rest:0digits$}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_the_unit_that_fits() {
        let cases = [
            (0, "0 s"),
            (999, "999 ns"),
            (1_500, "1.5 µs"),
            (2_000_000, "2 ms"),
            (-2_500_000_000, "-2.5 s"),
            (90_000_000_000, "90 s"),
            (300_000_000_000, "5 min"),
            (7_200_000_000_000, "2 h"),
            (1_000_000_001, "1.000000001 s"),
        ];
        for (ns, text) in cases {
            assert_eq!(span(ns), text);
        }
    }

    #[test]
    fn ticks_round_up_to_the_nanosecond_on_both_sides_of_zero() {
        let rate = TickRate::new(32_768).expect("in range");
        assert_eq!(ns_of_ticks(1, rate), 30_518);
        assert_eq!(ns_of_ticks(-1, rate), -30_517);
        assert_eq!(stamp(ns_of_ticks(-1, rate)), "-0.000030517");
    }

    #[test]
    fn an_interval_shows_the_digits_that_it_knows() {
        assert_eq!(interval_ppm(20.0, 0.0396825), "+20.000 ± 0.040 ppm");
        assert_eq!(interval_ppm(-0.5, 0.2), "-0.50 ± 0.20 ppm");
        assert_eq!(interval_ppm(-184_515.0, 12_345.6), "-184515 ± 12346 ppm");
        assert_eq!(interval_ppm(0.0, 1e-9), "+0.000000 ± 0.000001 ppm");
        assert_eq!(interval_ppm(-0.01, 2.4), "+0.0 ± 2.4 ppm");
    }

    #[test]
    fn what_is_measured_has_four_digits() {
        let shorts = [0.4, 7.0, 999.96, 1_234.56, -2_502_300.0, 250_000_000.0, 3.5e9, 12_345e9].map(short);
        assert_eq!(shorts, ["0 s", "7 ns", "1 µs", "1.235 µs", "-2.502 ms", "250 ms", "3.5 s", "12345 s"]);
        assert_eq!([signed(1.5e6), signed(-1.5e6), signed(0.0)], ["+1.5 ms", "-1.5 ms", "0 s"]);
        let abouts = [5e8, 2.04e9, 90e9, 800e9, 25_200e9, 1e15].map(about);
        assert_eq!(abouts, ["500 ms", "2.0 s", "90 s", "13 min", "7.0 h", "12 days"]);
        assert_eq!([instant(61_250_000_000), instant(0), instant(-500)], ["61.25 s", "0 s", "0 s"]);
    }

    #[test]
    fn small_words_for_small_numbers() {
        assert_eq!((left(60_000), left(2_500)), ("1:00".to_owned(), "0:02.500".to_owned()));
        assert_eq!(
            (ppm(20_000), ppm(-500), ppm(0)),
            ("+20 ppm".to_owned(), "-0.5 ppm".to_owned(), "+0 ppm".to_owned())
        );
        assert_eq!(seconds(59_500_000_000), "59.5 s");
    }
}
