//! A device's counter against a reference: how fast it is, how sure that is, and whether a limit is kept.
//!
//! Somebody reads the counter again and again and hands each reading over as a [`Read`]; nothing is read here. What comes of
//! it is a rate with two intervals: the one that is certain, as long as the rate is constant ([`Strip`]), and the one that is
//! likely ([`TwoWayFit`]). How far the reference itself may be off ([`Reference`]) is added to both, as a bound to a bound
//! and not in quadrature: nobody knows that the two are independent. A limit is a
//! [`Mask`](crate::statistics::Mask), and it is decided on the whole interval.
//!
//! ```
//! use flagfall_reports::measurement::{Decision, Measurement, Reference};
//! use flagfall_reports::statistics::{Mask, Read};
//!
//! // A microsecond counter that is 20 ppm fast, each tenth of a second; a read takes 200 us.
//! let mut measurement = Measurement::default();
//! for at in (0..600).map(|number| 100_000_000 * number) {
//!     let shown = (at + 100_000) * 1_000_020 / 1_000_000 / 1_000 * 1_000;
//!     measurement.push(Read::new(at, at + 200_000, shown, shown + 1_000)?)?;
//! }
//! let host = Reference::Host { said_by: "chrony".to_owned(), off_ppb: 100, moved_ns: 0 };
//! let crystal = Mask::shipped("crystal").expect("it is");
//! assert_eq!(measurement.decide(&crystal, &host), Decision::Pass);
//! let text = measurement.finding(&host, Some(&crystal)).text();
//! assert!(text.contains("20.0 ± 3.5 ppm"), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod finding;
mod kernel;
mod limit;
mod reference;

use crate::plot::{Line, RoundTrip, RoundTripPlot};
use crate::statistics::{RateChanged, Rates, Read, ReadError, Slope, Strip, TwoWayFit};

pub use finding::{Changed, Finding, FitFound, LimitFound, RateFound, SCHEMA};
pub use kernel::{KernelClock, KernelError};
pub use limit::Decision;
pub use reference::{ChronyError, HOST_PPB, Reference};

/// The readings so far.
#[derive(Clone, Debug, Default)]
pub struct Measurement {
    reads: Vec<Read>,
    strip: Strip,
}

impl Measurement {
    /// Takes the next reading.
    ///
    /// # Errors
    /// [`ReadError`] when it does not follow the one before.
    pub fn push(&mut self, read: Read) -> Result<(), ReadError> {
        self.strip.push(read)?;
        self.reads.push(read);
        Ok(())
    }

    /// All readings, in their order.
    #[must_use]
    pub fn reads(&self) -> &[Read] {
        &self.reads
    }

    /// From the beginning of the first reading to the end of the last, in nanoseconds of the reference.
    #[must_use]
    pub fn span_ns(&self) -> i64 {
        self.reads.first().zip(self.reads.last()).map_or(0, |(first, last)| first.span_to(last))
    }

    /// What the readings say, and what they say of a limit.
    #[must_use]
    pub fn finding(&self, reference: &Reference, limit: Option<&crate::statistics::Mask>) -> Finding {
        Finding::of(self, reference, limit)
    }

    /// The rates that the readings leave open when the reference's rate may be this far off, in parts per billion, and it may
    /// have been moved by so many nanoseconds while it was read, at whatever instants.
    ///
    /// One that was moved is no proof that the device changed its rate.
    fn rates(&self, off_ppb: u64, moved_ns: u64) -> Result<Rates, RateChanged> {
        let Rates { slowest, fastest } =
            if moved_ns == 0 { self.strip.rates()? } else { self.loosened(moved_ns).rates()? };
        let off = off_ppb as f64 * 1e-9;
        Ok(Rates { slowest: slowest - off, fastest: fastest + off })
    }

    /// The strip of readings each of which is half as far off to either side.
    fn loosened(&self, moved_ns: u64) -> Strip {
        let mut strip = Strip::default();
        for read in &self.reads {
            strip.push(read.loosened(moved_ns.div_ceil(2))).expect("they followed each other before");
        }
        strip
    }

    fn fit(&self) -> Option<TwoWayFit> {
        TwoWayFit::of(&self.reads)
    }

    /// The readings with their round trips, and the lines that meet them all.
    #[must_use]
    pub fn plot(&self) -> RoundTripPlot {
        let points: Vec<(f64, f64)> = self.reads.iter().map(Read::error_point).collect();
        let began = points.first().map_or(0.0, |(at, _)| *at);
        let readings = self.reads.iter().zip(&points).map(|(read, (at, offset))| RoundTrip {
            at_s: (at - began) / 1e9,
            round_trip_ns: 2.0 * read.unsure_ns() as f64,
            offset_ns: *offset,
        });
        let feasible = self.strip.slopes().map(|(slow, fast)| (self.line(slow, began), self.line(fast, began)));
        RoundTripPlot { readings: readings.collect(), feasible }
    }

    /// The line of this slope that is in the middle of what all readings leave open.
    fn line(&self, slope: Slope, began: f64) -> Line {
        let rate = slope.rate();
        let (low, high) = self.reads.iter().fold((f64::NEG_INFINITY, f64::INFINITY), |(low, high), read| {
            let (at, offset) = read.error_point();
            // What the counter may have been is as uncertain as the instant at which it was read.
            let (middle, half) = (offset - rate * (at - began), read.unsure_ns() as f64);
            (f64::max(low, middle - half), f64::min(high, middle + half))
        });
        Line { offset_ns: f64::midpoint(low, high), rate_ppm: rate * 1e6 }
    }

    /// The readings as comma-separated values, all in nanoseconds.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("before_ns,after_ns,counter_from_ns,counter_below_ns\n");
        for read in &self.reads {
            let [before, after, low, high] = read.bounds_ns();
            text += &format!("{before},{after},{low},{high}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Plot;
    use crate::statistics::Mask;

    /// Reads of a microsecond counter that is `ppm` fast, each of them taking 200 us.
    fn measured(ppm: i64, seconds: i64, jump_ns: i64) -> Measurement {
        let mut measurement = Measurement::default();
        for number in 0..seconds * 10 {
            let before = 100_000_000 * number + number * 7_919 % 50_000;
            let trip = 200_000 + number * 104_729 % 300_000;
            let happens = before + trip * (number % 7) / 7;
            let jumped = if 2 * number > seconds * 10 { jump_ns } else { 0 };
            let shown = (happens + happens * ppm / 1_000_000 + jumped).div_euclid(1_000) * 1_000;
            let read = Read::new(before, before + trip, shown, shown + 1_000).expect("in order");
            measurement.push(read).expect("later");
        }
        measurement
    }

    fn host(off_ppb: u64) -> Reference {
        Reference::Host { said_by: "a test".to_owned(), off_ppb, moved_ns: 0 }
    }

    #[test]
    fn what_the_host_does_not_know_of_itself_is_added_and_decides_no_limit_that_is_tighter() {
        let (good, bad) = (measured(10, 60, 0), measured(300, 60, 0));
        let (strict, lenient) = (Mask::shipped("strict").expect("one"), Mask::shipped("lenient").expect("one"));
        assert_eq!(good.decide(&strict, &host(100)), Decision::Pass);
        // 10 +- 50 ppm: nothing is known of 20 ppm, and no longer run would help.
        assert_eq!(good.decide(&strict, &host(HOST_PPB)), Decision::Inconclusive { needs_ns: None });
        assert_eq!(good.decide(&lenient, &host(HOST_PPB)), Decision::Pass);
        assert!(matches!(bad.decide(&strict, &host(HOST_PPB)), Decision::Fail(_)));
        assert!(matches!(bad.decide(&lenient, &host(0)), Decision::Fail(_)));
        assert_eq!(bad.decide(&lenient, &host(HOST_PPB)), Decision::Inconclusive { needs_ns: None });
    }

    #[test]
    fn a_run_that_is_too_short_says_how_long_it_takes_and_that_is_enough() {
        let crystal = Mask::shipped("crystal").expect("one");
        let short = measured(20, 1, 0).finding(&host(100), Some(&crystal));
        let Some(Decision::Inconclusive { needs_ns: Some(needs_ns) }) =
            short.limit.as_ref().map(|limit| limit.decision)
        else {
            panic!("a second with reads of 200 us knows no 30 ppm: {short:?}")
        };
        assert!((1e9..60e9).contains(&needs_ns), "{needs_ns}");
        let enough = (needs_ns / 1e9).ceil() as i64 + 1;
        assert_eq!(measured(20, enough, 0).decide(&crystal, &host(100)), Decision::Pass);
    }

    #[test]
    fn what_is_certainly_slow_or_fast_is_told_in_hours_and_players() {
        let text = |ppm| measured(ppm, 60, 0).finding(&host(100), None).text();
        let hour = |text: &str| text.lines().find(|line| line.starts_with("  an hour")).map(str::to_owned);
        let slow = hour(&text(-1_000)).expect("a line");
        assert!(
            slow.starts_with("  an hour    counts 3.5")
                && slow.ends_with(" s too few: slow, and players get too much time"),
            "{slow}"
        );
        let fast = hour(&text(300)).expect("a line");
        assert!(
            fast.contains("counts 1.0") && fast.ends_with("too many: fast, and players get too little time"),
            "{fast}"
        );
        assert_eq!(hour(&text(1)), None, "neither is certain, or worth a line");
    }

    #[test]
    fn a_host_that_was_moved_proves_no_changed_rate_of_the_device() {
        // The host is set right by 5 ms in the middle of the run, which its clock shows as a leap of the device.
        let leapt = measured(20, 60, 5_000_000);
        let moved = |moved_ns| Reference::Host { said_by: "a test".to_owned(), off_ppb: 0, moved_ns };
        assert!(leapt.finding(&moved(0), None).changed.is_some());
        assert!(leapt.finding(&moved(4_000_000), None).changed.is_some());
        let finding = leapt.finding(&moved(6_000_000), None);
        let rate = finding.rate.expect("a constant rate explains it");
        assert!(finding.changed.is_none() && rate.from_ppm < 20.0 && 20.0 < rate.to_ppm, "{rate:?}");
        // About as wide as the movement over the length of the run.
        assert!(rate.half_width_ppm < 6e-3 / 60.0 * 1e6 * 1.1, "{rate:?}");
    }

    #[test]
    fn a_host_that_is_being_set_right_costs_what_it_may_have_moved() {
        let moved = |moved_ns| Reference::Host { said_by: "chrony".to_owned(), off_ppb: 0, moved_ns };
        let crystal = Mask::shipped("crystal").expect("one");
        assert_eq!(measured(20, 60, 0).decide(&crystal, &moved(0)), Decision::Pass);
        // 3 ms over 60 s are 50 ppm.
        let Decision::Inconclusive { needs_ns: Some(needs_ns) } =
            measured(20, 60, 0).decide(&crystal, &moved(3_000_000))
        else {
            panic!("50 ppm are not known")
        };
        assert!(needs_ns > 90e9, "{needs_ns}");
    }

    #[test]
    fn a_jump_leaves_no_rate_and_the_mask_says_whether_it_matters() {
        let jumped = measured(0, 60, 5_000_000);
        let finding = jumped.finding(&host(100), Some(&Mask::shipped("strict").expect("one")));
        assert!(finding.rate.is_none() && finding.changed.is_some(), "{finding:?}");
        assert!(finding.text().contains("no constant rate"), "{}", finding.text());
        assert!(matches!(jumped.decide(&Mask::shipped("strict").expect("one"), &host(100)), Decision::Fail(_)));
        assert_eq!(jumped.decide(&Mask::shipped("crystal").expect("one"), &host(100)), Decision::Pass);
    }

    #[test]
    fn no_rate_is_named_without_an_interval() {
        let nothing = Measurement::default();
        let finding = nothing.finding(&host(100), None);
        assert_eq!((finding.rate.is_none(), finding.fit.is_none(), finding.reads), (true, true, 0));
        assert!(finding.text().contains("too few"), "{}", finding.text());
        let drawn = nothing.plot().svg().expect("a plot");
        assert!(!drawn.svg.contains("NaN"), "{}", drawn.svg);
    }

    #[test]
    fn the_strip_is_drawn_through_what_the_readings_leave_open() {
        let measurement = measured(20, 30, 0);
        let plot = measurement.plot();
        let (slow, fast) = plot.feasible.expect("a strip");
        assert!(slow.rate_ppm < 20.0 && 20.0 < fast.rate_ppm, "{slow:?} {fast:?}");
        for line in [slow, fast] {
            for reading in &plot.readings {
                let beside = (reading.offset_ns - line.offset_ns - line.rate_ppm * 1e3 * reading.at_s).abs();
                assert!(beside <= reading.round_trip_ns / 2.0 + 10.0, "{line:?} misses {reading:?} by {beside}");
            }
        }
        assert_eq!(measurement.csv().lines().count(), 301);
    }

    #[test]
    fn what_is_written_has_a_version_and_no_number_without_its_interval() {
        let finding = measured(20, 60, 0).finding(&host(1_000), Mask::shipped("crystal").as_ref());
        let json = serde_json::to_value(&finding).expect("an object");
        assert_eq!(json["schema"], SCHEMA);
        let (from, to) = (json["rate"]["from_ppm"].as_f64(), json["rate"]["to_ppm"].as_f64());
        let (from, to) = from.zip(to).expect("an interval");
        assert!(from < 20.0 && 20.0 < to && to - from > 2.0, "{json}");
        assert_eq!(
            (json["limit"]["verdict"].as_str(), json["limit"]["name"].as_str()),
            (Some("pass"), Some("crystal"))
        );
        assert!(json["fit"]["half_width_ppm"].as_f64().is_some_and(|half| half >= 1.0), "{json}");
    }
}
