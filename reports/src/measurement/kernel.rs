//! What a host's kernel knows of its own clock, as programs print it.

use super::HOST_PPB;
use super::reference::Reference;
use crate::quantity::span;

/// `STA_UNSYNC` and `STA_CLOCKERR` of `timex.h`.
const STATUS_BAD: u64 = 0x0040 | 0x1000;

/// `TIME_ERROR`, what adjtimex(2) returns of a clock that nobody keeps.
const TIME_ERROR: u64 = 5;

/// From here on the kernel takes its clock for unsynchronised (`NTP_PHASE_LIMIT`), in microseconds.
const PHASE_LIMIT_US: u64 = 16_000_000;

/// How far the kernel's clock is off at most, by the reckoning of whoever keeps it (adjtimex(2), RFC 5905 section 11.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelClock {
    maxerror_ns: u64,
    esterror_ns: u64,
}

/// Why the kernel's word bounds nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// The program prints something else than it should: say `--host-off` instead.
    #[error("it prints no {0} that can be read")]
    Form(&'static str),
    /// Nobody keeps the clock: start a time service that does, chrony is best, or say `--host-off`.
    #[error("the kernel's clock is not synchronised")]
    NotSynchronised,
    /// A leap second is due or under way, in which the kernel's clock is not to be compared: measure later.
    #[error("the kernel has a leap second to do")]
    Leap,
    /// Whoever keeps the clock writes zeros, as systemd-timesyncd does: keep it with chrony or ntpd, or say `--host-off`.
    #[error("whoever keeps the clock does not tell the kernel how far it may be off")]
    Untold,
    /// No clock is expected to be off by more than it is at most: something is wrong with whoever keeps it.
    #[error("an estimated error of {esterror_us} µs beyond the maximum of {maxerror_us} µs makes no sense")]
    Disorder {
        /// The estimate.
        esterror_us: u64,
        /// The maximum.
        maxerror_us: u64,
    },
    /// Over so short a run the rate may be off by more than that of a host of which nothing is known: measure longer.
    #[error("maxerror leaves {} open, which is less than {} ppm only in a run of {needs_s} s or more", span((*moved_ns).into()), HOST_PPB / 1_000)]
    Wide {
        /// What is left open, both ends together.
        moved_ns: u64,
        /// From here on it would count.
        needs_s: u64,
    },
}

impl KernelClock {
    /// Reads what `adjtimex --print`, `busybox adjtimex` or `ntptime` print.
    ///
    /// # Errors
    /// [`KernelError`], but for [`KernelError::Wide`].
    pub fn read(text: &str) -> Result<Self, KernelError> {
        // ntptime prints the maximum twice; what counts is what stands beside the status.
        let is_ntptime = text.contains("ntp_adjtime()");
        let of = |name, ntptime| if is_ntptime { ntptime_number(text, ntptime) } else { adjtimex_number(text, name) };
        let number = |name, ntptime| of(name, ntptime).ok_or(KernelError::Form(name));
        let code = number("return value", "returns code")?;
        let status = number("status", "status")?;
        let maxerror_us = number("maxerror", "maximum error")?;
        let esterror_us = number("esterror", "estimated error")?;
        if code == TIME_ERROR || status & STATUS_BAD != 0 || maxerror_us >= PHASE_LIMIT_US {
            return Err(KernelError::NotSynchronised);
        }
        if code != 0 {
            return Err(if code < TIME_ERROR { KernelError::Leap } else { KernelError::Form("return value") });
        }
        if maxerror_us == 0 || esterror_us == 0 {
            return Err(KernelError::Untold);
        }
        if esterror_us > maxerror_us {
            return Err(KernelError::Disorder { esterror_us, maxerror_us });
        }
        Ok(Self { maxerror_ns: 1_000 * maxerror_us, esterror_ns: 1_000 * esterror_us })
    }
}

impl Reference {
    /// A host of which its kernel tells how far it was off at most, before and after a run of so many nanoseconds, and whose
    /// wall clock was stepped meanwhile by so many.
    ///
    /// The kernel steers the wall clock and the monotonic clock alike and steps the wall clock alone. What the wall clock was
    /// off before and after, and the steps, are therefore all by which the monotonic clock may have gone wrong over the run.
    /// The kernel's bound holds instants and no rates: it says something of long runs only.
    ///
    /// # Errors
    /// [`KernelError::Wide`] where nothing known says as much.
    pub fn kept_by_kernel(
        [before, after]: [KernelClock; 2],
        stepped_ns: u64,
        span_ns: i64,
        program: &str,
    ) -> Result<Self, KernelError> {
        let moved_ns = before.maxerror_ns.saturating_add(after.maxerror_ns).saturating_add(stepped_ns);
        let needs_s = moved_ns.div_ceil(HOST_PPB);
        if u128::from(span_ns.max(0).unsigned_abs()) * u128::from(HOST_PPB) <= u128::from(moved_ns) * 1_000_000_000 {
            return Err(KernelError::Wide { moved_ns, needs_s });
        }
        let [first, last] = [before, after].map(|clock| span(clock.maxerror_ns.into()));
        let likely = span(before.esterror_ns.max(after.esterror_ns).into());
        let said_by = format!("the kernel, by {program}: maxerror {first} before, {last} after, esterror {likely}");
        Ok(Self::Host { said_by, off_ppb: 0, moved_ns })
    }
}

/// The number behind `name:` or `name =`, which may have an option's letter before it.
fn adjtimex_number(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| {
        let (key, value) = line.split_once([':', '='])?;
        (key.trim() == name).then_some(value)
    })?;
    value.split_whitespace().next()?.parse().ok()
}

/// The number behind the last `name`, which stands at the beginning of a line or behind a comma, or within its first line.
fn ntptime_number(text: &str, name: &str) -> Option<u64> {
    let (_, text) = text.split_once("ntp_adjtime()")?;
    let value = text.split(['\n', ',']).find_map(|part| part.trim().strip_prefix(name))?;
    let number = value.split_whitespace().next()?;
    match number.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the programs printed of a host that nobody keeps.
    const ADJTIMEX: &str = "         mode: 0\n       offset: 0\n    frequency: 0\n     maxerror: 16000000\n     esterror: 16000000\n       status: 64\ntime_constant: 2\n    precision: 1\n    tolerance: 32768000\n         tick: 10000\n     raw time:  1796062374s 226867us = 1796062374.226867\n return value = 5\n";
    const BUSYBOX: &str = "    mode:         0\n-o  offset:       0 us\n-f  freq.adjust:  0 (65536 = 1ppm)\n    maxerror:     16000000\n    esterror:     16000000\n    status:       64 (UNSYNC)\n-p  timeconstant: 2\n    precision:    1 us\n    tolerance:    32768000\n-t  tick:         10000 us\n    time.tv_sec:  1796062374\n    time.tv_usec: 236097\n    return value: 5 (clock not synchronized)\n";
    const NTPTIME: &str = "ntp_gettime() returns code 5 (ERROR)\n  time eeb83b26.44c8b000 2026-11-30T18:12:54.268Z, (.268687),\n  maximum error 16000000 us, estimated error 16000000 us, TAI offset 0\nntp_adjtime() returns code 5 (ERROR)\n  modes 0x0 (),\n  offset 0.000 us, frequency 0.000 ppm, interval 1 s,\n  maximum error 16000000 us, estimated error 16000000 us,\n  status 0x40 (UNSYNC),\n  time constant 2, precision 1.000 us, tolerance 500 ppm,\n";

    /// The same of one that is kept: status PLL and NANO, 12.8 ms at most, 412 microseconds likely.
    fn kept() -> [String; 3] {
        let adjtimex = ADJTIMEX.replace("maxerror: 16000000", "maxerror: 12800").replace("status: 64", "status: 8193");
        let adjtimex = adjtimex.replace("esterror: 16000000", "esterror: 412").replace("value = 5", "value = 0");
        let busybox = BUSYBOX
            .replace("maxerror:     16000000", "maxerror:     12800")
            .replace("64 (UNSYNC)", "8193 (PLL | NANO)");
        let busybox = busybox.replace("esterror:     16000000", "esterror:     412");
        let busybox = busybox.replace("5 (clock not synchronized)", "0 (clock synchronized)");
        let ntptime = NTPTIME
            .replace("maximum error 16000000", "maximum error 12800")
            .replace("0x40 (UNSYNC)", "0x2001 (PLL,NANO)");
        let ntptime =
            ntptime.replace("estimated error 16000000", "estimated error 412").replace("code 5 (ERROR)", "code 0 (OK)");
        [adjtimex, busybox, ntptime]
    }

    #[test]
    fn three_programs_print_the_same_clock() {
        for text in kept() {
            let read = KernelClock::read(&text);
            assert_eq!(read, Ok(KernelClock { maxerror_ns: 12_800_000, esterror_ns: 412_000 }), "{text}");
        }
        for text in [ADJTIMEX, BUSYBOX, NTPTIME] {
            assert_eq!(KernelClock::read(text), Err(KernelError::NotSynchronised), "{text}");
        }
    }

    #[test]
    fn a_state_that_bounds_nothing_is_refused_with_its_reason() {
        let [good, _, ntptime] = kept();
        let with = |old: &str, new: &str| {
            assert!(good.contains(old), "{old}");
            KernelClock::read(&good.replace(old, new))
        };
        // Any one of the three signs is enough.
        assert_eq!(with("value = 0", "value = 5"), Err(KernelError::NotSynchronised));
        assert_eq!(with("status: 8193", "status: 8257"), Err(KernelError::NotSynchronised));
        assert_eq!(with("status: 8193", "status: 12289"), Err(KernelError::NotSynchronised));
        assert_eq!(with("maxerror: 12800", "maxerror: 16000000"), Err(KernelError::NotSynchronised));
        assert_eq!(with("value = 0", "value = 1"), Err(KernelError::Leap));
        assert_eq!(with("value = 0", "value = 9"), Err(KernelError::Form("return value")));
        // systemd-timesyncd writes zeros, to which the kernel adds 500 ppm.
        assert_eq!(with("esterror: 412", "esterror: 0"), Err(KernelError::Untold));
        assert_eq!(with("maxerror: 12800", "maxerror: 0"), Err(KernelError::Untold));
        let disorder = KernelError::Disorder { esterror_us: 12_801, maxerror_us: 12_800 };
        assert_eq!(with("esterror: 412", "esterror: 12801"), Err(disorder));
        assert_eq!(with("maxerror: 12800", "maxerror: -12800"), Err(KernelError::Form("maxerror")));
        assert_eq!(with("     maxerror: 12800\n", ""), Err(KernelError::Form("maxerror")));
        assert_eq!(KernelClock::read("adjtimex: invalid option\n"), Err(KernelError::Form("return value")));
        let no_status = ntptime.replace("status 0x2001", "condition 0x2001");
        assert_eq!(KernelClock::read(&no_status), Err(KernelError::Form("status")));
    }

    #[test]
    fn the_kernel_bounds_instants_and_so_only_long_runs() {
        let clock = |maxerror_us: u64| KernelClock { maxerror_ns: 1_000 * maxerror_us, esterror_ns: 412_000 };
        let both = [clock(12_800), clock(13_100)];
        let short = Reference::kept_by_kernel(both, 0, 518_000_000_000, "adjtimex");
        assert_eq!(short, Err(KernelError::Wide { moved_ns: 25_900_000, needs_s: 518 }));
        let text = short.expect_err("too short").to_string();
        assert_eq!(text, "maxerror leaves 25.9 ms open, which is less than 50 ppm only in a run of 518 s or more");
        let long = Reference::kept_by_kernel(both, 100_000, 3_600_000_000_000, "adjtimex").expect("an hour");
        assert!((long.off(3_600_000_000_000) - 26e-3 / 3600.0).abs() < 1e-12, "{long}");
        assert_eq!(
            long.to_string(),
            "host within 26 ms over the run (the kernel, by adjtimex: maxerror 12.8 ms before, 13.1 ms after, esterror 412 µs)"
        );
    }
}
