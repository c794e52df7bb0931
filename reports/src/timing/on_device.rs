//! Latencies that a device stamps itself: from the contact of a button to its record, to the switch and to the digits, from
//! zero to the flag.
//!
//! Both ends are ticks of one counter, so that no bench stands between them; in virtual time they are one.

use flagfall_core::record;
use flagfall_trace::{Act, Trace};

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
    /// How many presses came in each tenth of a tick, of those of which a bench says where it put them.
    placed: [usize; TENTHS],
    /// Scenarios that make something wrong: what a frozen display takes is no latency of the clock.
    faulty: usize,
}

/// In how many parts a tick is cut.
pub(crate) const TENTHS: usize = 10;

impl OnDevice {
    pub(crate) fn add(&mut self, trace: &Trace) {
        if trace.watched {
            return;
        }
        if trace.plan.steps.iter().any(|step| matches!(step.act, Act::Fault(_))) {
            self.faulty += 1;
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
        for placed in &trace.placed {
            self.placed[usize::from(placed.part) * TENTHS / 65_536] += 1;
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

    /// In how many tenths of a tick presses were put; none where nobody put them anywhere.
    pub(crate) fn tenths(&self) -> usize {
        self.placed.iter().filter(|presses| **presses > 0).count()
    }

    /// How many presses were put into each tenth of a tick.
    pub(crate) const fn placed(&self) -> [usize; TENTHS] {
        self.placed
    }

    /// How many scenarios are left out, because they make something wrong.
    pub(crate) const fn faulty(&self) -> usize {
        self.faulty
    }

    /// The mean of a latency that begins with a press, and half of its interval of 95 %, if presses came anywhere in a tick.
    pub(crate) fn mean(&self, kind: Kind) -> Option<(f64, f64)> {
        let from_a_press = kind != Kind::ZeroToFlag;
        if from_a_press && self.tenths() == TENTHS { self.samples(kind).mean() } else { None }
    }

    /// Whether everything was noticed in the tick in which it was, as in virtual time.
    pub(crate) fn all_zero(&self) -> bool {
        self.samples_ns.iter().flat_map(Samples::values).all(|(sample, _)| sample == 0)
    }
}

#[cfg(test)]
mod tests {
    use flagfall_trace::plan::{Fault, Plan, Step};
    use flagfall_trace::{Displayed, Placed};

    use super::*;
    use crate::bench::{self, Bench};

    /// A game in which nothing is made wrong.
    fn right() -> Plan {
        let mut plan = bench::both_flags();
        plan.steps.retain(|step| !matches!(step.act, Act::Fault(_)));
        plan
    }

    #[test]
    fn samples_are_what_the_device_says_in_nanoseconds() {
        let mut trace = Bench::EXACT.run(&right());
        let mut on_device = OnDevice::default();
        on_device.add(&trace);
        assert!(on_device.all_zero() && on_device.samples(Kind::PressToSwitch).len() > 1);
        assert_eq!((on_device.tenths(), on_device.mean(Kind::PressToSwitch)), (0, None), "nobody put them anywhere");
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

    #[test]
    fn presses_anywhere_in_a_tick_have_a_mean() {
        let mut trace = Bench::EXACT.run(&right());
        let switched = |record: &record::Record| record.kind == record::Kind::SWITCHED;
        let index = trace.records.iter().position(|stamped| switched(&stamped.record)).expect("White presses");
        let placed = |part: u32| Placed { step: 2, part: part.div_ceil(40) as u16, read: true };
        let mut on_device = OnDevice::default();
        for part in 0..40 {
            // A tenth of a tick: it shows where a tick ends in the meantime.
            trace.records[index].record.value = u64::from(part % 10 == 9);
            trace.placed = vec![placed(part * 65_536)];
            if part == 36 {
                assert_eq!((on_device.tenths(), on_device.mean(Kind::PressToSwitch)), (9, None), "the last is missing");
            }
            on_device.add(&trace);
        }
        let switches = trace.records.iter().filter(|stamped| switched(&stamped.record)).count();
        assert_eq!((on_device.placed(), on_device.samples(Kind::PressToSwitch).len()), ([4; 10], 40 * switches));
        let (mean, _) = on_device.mean(Kind::PressToSwitch).expect("there are enough");
        assert!((mean * switches as f64 - 100.0).abs() < 1e-6, "a tenth of a microsecond: {mean}");
        assert_eq!(on_device.mean(Kind::ZeroToFlag), None, "nobody presses a zero");
    }

    #[test]
    fn what_a_scenario_makes_wrong_is_no_latency() {
        let mut trace = Bench::EXACT.run(&right());
        let at = trace.plan.steps[0].at;
        trace.plan.steps.push(Step { at, act: Act::Fault(Fault::DisplayFrozen { for_ns: 1 }) });
        let mut on_device = OnDevice::default();
        on_device.add(&trace);
        assert_eq!((on_device.faulty(), on_device.samples(Kind::PressToSwitch).len()), (1, 0));
    }
}
