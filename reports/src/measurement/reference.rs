//! What a device is compared with, and how far that may be off itself.

use serde::Serialize;

/// How far the clock of a host may be off of which nobody knows more, in parts per billion: a crystal of the cheap kind.
pub const HOST_PPB: u64 = 50_000;

/// The clock that a device's counter is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "clock", rename_all = "kebab-case")]
pub enum Reference {
    /// The monotonic clock of the machine that the probe is plugged into.
    Host {
        /// Who says how far it may be off.
        said_by: String,
        /// Its rate may be off by so much, in parts per billion.
        off_ppb: u64,
        /// And while it was read somebody may have set it right by so much, in nanoseconds.
        moved_ns: u64,
    },
    /// A counter that runs from the same clock as the device's, as in an emulator: no physical time base, and whatever is
    /// found is arithmetic.
    SameClock,
}

/// A line that is none of `chronyc -c tracking`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChronyError {
    /// It has other fields than chrony 2.2 and later print: say `--host-off` instead.
    #[error("`{0}` is no line of `chronyc -c tracking`")]
    Form(String),
    /// Chrony runs and has nothing to go by: give it a server, or say `--host-off`.
    #[error("chrony is not synchronised")]
    NotSynchronised,
}

impl Reference {
    /// A host of which nobody knows more.
    #[must_use]
    pub fn unknown_host(why: &str) -> Self {
        Self::Host { said_by: format!("nobody knows better: {why}"), off_ppb: HOST_PPB, moved_ns: 0 }
    }

    /// A host whose clock chrony keeps, from the lines of `chronyc -c tracking` before and after.
    ///
    /// The kernel corrects the monotonic clock by chrony's frequency. What is left of it is the residual frequency and the
    /// skew, chrony's own bound of error on the frequency (chronyc(1), `tracking`). Besides, chrony slews away what it takes
    /// the system clock to be off: all of it, before and after, may have moved the clock while it was read. The worse of
    /// the two lines counts.
    ///
    /// # Errors
    /// [`ChronyError`].
    pub fn kept_by_chrony(before: &str, after: &str) -> Result<Self, ChronyError> {
        let (before, after) = (Tracking::read(before)?, Tracking::read(after)?);
        Ok(Self::Host {
            said_by: "chrony: residual frequency and skew".to_owned(),
            off_ppb: before.off_ppb.max(after.off_ppb),
            moved_ns: before.offset_ns.saturating_add(after.offset_ns),
        })
    }

    /// How far the rate may be off over so many nanoseconds, as a pure number.
    pub(super) fn off(&self, span_ns: i64) -> f64 {
        match self {
            Self::SameClock => 0.0,
            Self::Host { off_ppb, moved_ns, .. } => {
                let moved = if *moved_ns == 0 { 0.0 } else { *moved_ns as f64 / span_ns.max(1) as f64 };
                *off_ppb as f64 * 1e-9 + moved
            }
        }
    }

    /// How far the rate may be off whatever the length of the run, in parts per billion, and what may be moved once, in
    /// nanoseconds.
    pub(super) const fn bounds(&self) -> (u64, u64) {
        match self {
            Self::SameClock => (0, 0),
            Self::Host { off_ppb, moved_ns, .. } => (*off_ppb, *moved_ns),
        }
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SameClock => {
                write!(
                    formatter,
                    "no physical time base: both counters run from one clock, and what is checked is arithmetic"
                )
            }
            Self::Host { said_by, off_ppb: 0, moved_ns } if *moved_ns > 0 => {
                write!(formatter, "host within {} over the run ({said_by})", crate::quantity::span((*moved_ns).into()))
            }
            Self::Host { said_by, off_ppb, moved_ns } => {
                let ppm = crate::quantity::ppm(i64::try_from(*off_ppb).unwrap_or(i64::MAX));
                write!(formatter, "±{} host ({said_by})", ppm.trim_start_matches('+'))?;
                if *moved_ns > 0 {
                    write!(formatter, ", moved by at most {}", crate::quantity::span((*moved_ns).into()))?;
                }
                Ok(())
            }
        }
    }
}

/// What chrony says of the system clock.
struct Tracking {
    off_ppb: u64,
    offset_ns: u64,
}

impl Tracking {
    /// Fields of `chronyc -c tracking`: reference, its name, stratum, reference time, system time, last offset, RMS offset,
    /// frequency, residual frequency, skew, root delay, root dispersion, update interval, leap status.
    fn read(line: &str) -> Result<Self, ChronyError> {
        let form = || ChronyError::Form(line.trim().chars().take(200).collect());
        let fields: Vec<&str> = line.trim().split(',').collect();
        let [_, _, stratum, _, system, last, _, _, residual, skew, _, _, _, leap] = fields.as_slice() else {
            return Err(form());
        };
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(form);
        if leap.contains("Not sync") || *stratum == "0" {
            return Err(ChronyError::NotSynchronised);
        }
        let off_ppm = number(residual)?.abs() + number(skew)?.abs();
        let offset_s = number(system)?.abs().max(number(last)?.abs());
        Ok(Self { off_ppb: (off_ppm * 1e3).ceil() as u64, offset_ns: (offset_s * 1e9).ceil() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "C0A80001,ntp.example,2,1764500000.123456789,-0.000012500,0.000009000,0.000020000,-18.250,-0.004,\
                        0.031,0.012345678,0.000512345,64.2,Normal";

    #[test]
    fn what_chrony_has_not_corrected_is_what_is_left() {
        let later = LINE.replace("0.031", "0.059").replace("-0.000012500", "0.000001000");
        let kept = Reference::kept_by_chrony(LINE, &later).expect("two lines");
        let Reference::Host { off_ppb, moved_ns, .. } = kept else { panic!("{kept:?}") };
        assert_eq!((off_ppb, moved_ns), (63, 12_500 + 9_000));
        assert!(kept.to_string().starts_with("±0.063 ppm host (chrony"), "{kept}");
        assert!(kept.to_string().ends_with("moved by at most 21.5 µs"), "{kept}");
    }

    #[test]
    fn a_chrony_without_a_server_and_another_program_are_refused() {
        let read = |line: &str| Reference::kept_by_chrony(line, line);
        assert_eq!(read(&LINE.replace("Normal", "Not synchronised")), Err(ChronyError::NotSynchronised));
        assert_eq!(read(&LINE.replace(",2,", ",0,")), Err(ChronyError::NotSynchronised));
        assert!(matches!(read("506 Cannot talk to daemon"), Err(ChronyError::Form(_))));
        assert!(matches!(read(&LINE.replace("0.031", "nan")), Err(ChronyError::Form(_))));
    }

    #[test]
    fn a_host_of_which_nothing_is_known_is_fifty_ppm() {
        let unknown = Reference::unknown_host("no chronyc");
        assert_eq!(unknown.to_string(), "±50 ppm host (nobody knows better: no chronyc)");
        assert!((unknown.off(1) - 50e-6).abs() < 1e-12);
    }
}
