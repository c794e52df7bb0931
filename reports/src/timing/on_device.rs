//! Latencies that a device stamps itself: from the contact of a button to its record, to the switch and to the digits, from
//! zero to the flag.
//!
//! Both ends are ticks of one counter, so that no bench stands between them; in virtual time they are one.

use flagfall_core::record;
use flagfall_trace::{Act, Trace};

use crate::answer;
use crate::latency::Histogram;
use crate::quantity;
use crate::statistics::{Samples, Summary};

/// From what to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// From the edge of the contact to the record of the press.
    PressToRecord,
    /// From the edge of the contact to the record that the other side runs.
    PressToSwitch,
    /// From the edge of the contact until the line that shows it has gone out to the panel; there is none in virtual time.
    PressToDisplay,
    /// From the instant at which a side has nothing left to the notice.
    ZeroToFlag,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] =
        [Self::PressToRecord, Self::PressToSwitch, Self::PressToDisplay, Self::ZeroToFlag];

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::PressToRecord => "press to record",
            Self::PressToSwitch => "press to switch",
            Self::PressToDisplay => "press to display",
            Self::ZeroToFlag => "zero to flag",
        }
    }
}

/// The samples of a rig.
#[derive(Clone, Debug, Default)]
pub(crate) struct OnDevice {
    samples_ns: [Samples; Kind::ALL.len()],
    tick_ns: i64,
    /// In which tenths of a tick the presses were made, in the middle of their brackets.
    phases: [bool; 10],
}

impl OnDevice {
    pub(crate) fn add(&mut self, trace: &Trace) {
        if trace.watched {
            return;
        }
        let rate = trace.plan.tick_rate;
        let ns = |ticks: i128| i64::try_from(quantity::ns_of_ticks(ticks, rate)).unwrap_or(i64::MAX);
        self.tick_ns = self.tick_ns.max(ns(1));
        for stamped in &trace.records {
            let kind = match stamped.record.kind {
                record::Kind::PRESSED => Kind::PressToRecord,
                record::Kind::SWITCHED => Kind::PressToSwitch,
                record::Kind::FLAG_FELL => Kind::ZeroToFlag,
                _ => continue,
            };
            self.samples_ns[kind as usize].add(ns(stamped.record.value.into()));
        }
        for displayed in &trace.displayed {
            self.samples_ns[Kind::PressToDisplay as usize].add(ns(displayed.ticks.into()));
        }
        let hz = i128::from(rate.hz());
        for achieved in &trace.achieved {
            if matches!(answer::act(trace, achieved), Some(Act::Press { .. })) {
                let twice = i128::from(achieved.earliest.ns()) + i128::from(achieved.latest.ns());
                let tenth = (twice * hz).rem_euclid(2_000_000_000) * 10 / 2_000_000_000;
                self.phases[usize::try_from(tenth).unwrap_or(0).min(9)] = true;
            }
        }
    }

    pub(crate) const fn samples(&self, kind: Kind) -> &Samples {
        &self.samples_ns[kind as usize]
    }

    pub(crate) fn summary(&self, kind: Kind) -> Option<Summary> {
        self.samples(kind).summary()
    }

    /// What there is to draw; `None` of what takes no time, as in virtual time.
    pub(crate) fn histogram(&self, kind: Kind) -> Option<(Histogram, Summary)> {
        let samples = self.samples(kind);
        samples.max().filter(|longest| *longest > 0)?;
        Some((Histogram::of(samples, self.tick_ns)?, self.summary(kind)?))
    }

    /// A tick, in nanoseconds: what a sample resolves.
    pub(crate) const fn tick_ns(&self) -> i64 {
        self.tick_ns
    }

    /// In how many tenths of a tick presses were made.
    pub(crate) fn tenths(&self) -> usize {
        self.phases.iter().filter(|hit| **hit).count()
    }

    /// Whether everything was noticed in the tick in which it was, as in virtual time.
    pub(crate) fn all_zero(&self) -> bool {
        self.samples_ns.iter().flat_map(Samples::values).all(|(sample, _)| sample == 0)
    }
}

#[cfg(test)]
mod tests {
    use flagfall_trace::Displayed;

    use super::*;
    use crate::bench::{self, Bench};

    #[test]
    fn samples_are_what_the_device_says_in_nanoseconds() {
        let mut trace = Bench::EXACT.run(&bench::both_flags());
        let mut on_device = OnDevice::default();
        on_device.add(&trace);
        assert!(on_device.all_zero() && on_device.samples(Kind::PressToSwitch).len() > 1);
        assert_eq!(on_device.tenths(), 1, "whole milliseconds are always at the beginning of a tick");
        for stamped in &mut trace.records {
            match stamped.record.kind {
                record::Kind::SWITCHED => stamped.record.value = 7,
                record::Kind::FLAG_FELL => stamped.record.value = 1_200,
                _ => {}
            }
        }
        on_device.add(&trace);
        assert_eq!(on_device.summary(Kind::PressToSwitch).map(|summary| (summary.min, summary.max)), Some((0, 7_000)));
        assert_eq!(*on_device.samples(Kind::ZeroToFlag), Samples::from_iter([0, 1_200_000]));
        assert!(on_device.summary(Kind::PressToDisplay).is_none());
        trace.displayed = [1_100, 900].map(|ticks| Displayed { record: 0, ticks }).to_vec();
        on_device.add(&trace);
        assert_eq!(*on_device.samples(Kind::PressToDisplay), Samples::from_iter([900_000, 1_100_000]));
    }
}
