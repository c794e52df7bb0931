//! The digits as they are seen: frozen, or those of some time ago.

use std::collections::VecDeque;

use flagfall_core::record::Kind;
use flagfall_core::{BySide, Face, Input, Record, TrueTime};

use super::works::Works;
use crate::oscillator::Oscillator;

/// What is wrong with the digits of a device.
#[derive(Clone, Debug, Default)]
pub(super) struct Digits {
    frozen: Option<Shown>,
    /// How many faults keep them frozen at this moment.
    freezes: u32,
    late_by_ns: Option<i64>,
    /// How many faults have made them late; the latest decides.
    lates: u64,
    past: Option<Past>,
}

/// The faces and the delay that is shown apart.
#[derive(Clone, Copy, Debug)]
struct Shown {
    faces: BySide<Face>,
    delay_seconds: u32,
}

impl Shown {
    fn of(works: &Works) -> Self {
        let (at, rate) = (works.now(), works.rate());
        let record = Record::of_state(Kind::READ, 0, at, works.state(), works.setup(), rate);
        Self { faces: record.shown, delay_seconds: record.shown_delay_seconds }
    }
}

/// What a device was like, for as long back as its digits may be late.
#[derive(Clone, Debug)]
struct Past {
    reach_ns: i64,
    /// In order of time; the first may be older than the reach.
    instants: VecDeque<(TrueTime, Works, Oscillator)>,
}

impl Digits {
    /// Digits that may be late by so much; `None` when they never will be.
    pub(super) fn new(reach_ns: Option<i64>) -> Self {
        let past = reach_ns.map(|reach_ns| Past { reach_ns, instants: VecDeque::new() });
        Self { past, ..Self::default() }
    }

    pub(super) fn freeze(&mut self, works: &Works, now: TrueTime) {
        self.freezes += 1;
        self.frozen = self.frozen.or_else(|| Some(self.late(now).unwrap_or_else(|| Shown::of(works))));
    }

    pub(super) fn thaw(&mut self) {
        self.freezes -= 1;
        if self.freezes == 0 {
            self.frozen = None;
        }
    }

    /// The number of this fault among those that make them late.
    pub(super) fn be_late(&mut self, by_ns: i64) -> u64 {
        self.lates += 1;
        self.late_by_ns = Some(by_ns);
        self.lates
    }

    /// The end of the fault that was the so-manieth to make them late.
    pub(super) fn catch_up(&mut self, number: u64) {
        if number == self.lates {
            self.late_by_ns = None;
        }
    }

    /// Keeps what the device is like at `now`, if that may be needed.
    pub(super) fn remember(&mut self, works: &Works, oscillator: &Oscillator, now: TrueTime) {
        let Some(past) = &mut self.past else { return };
        past.instants.push_back((now, works.clone(), oscillator.clone()));
        let oldest = now.checked_add_ns(-past.reach_ns).unwrap_or(TrueTime::ZERO);
        while past.instants.get(1).is_some_and(|(from, ..)| *from <= oldest) {
            past.instants.pop_front();
        }
    }

    /// A reset leaves nothing to be shown late.
    pub(super) fn forget(&mut self) {
        if let Some(past) = &mut self.past {
            past.instants.clear();
        }
    }

    fn late(&self, now: TrueTime) -> Option<Shown> {
        let then = now.checked_add_ns(-self.late_by_ns.filter(|by_ns| *by_ns > 0)?)?;
        let instants = &self.past.as_ref()?.instants;
        let after = instants.partition_point(|(from, ..)| *from <= then);
        let (from, works, oscillator) = instants.get(after.saturating_sub(1))?;
        let mut works = works.clone();
        works.step(oscillator.tick_at(then.max(*from)), Input::Wake);
        Some(Shown::of(&works))
    }

    /// Puts the digits as they are seen at `now` into a record.
    pub(super) fn show(&self, record: &mut Record, now: TrueTime) {
        if let Some(shown) = self.frozen.or_else(|| self.late(now)) {
            record.shown = shown.faces;
            record.shown_delay_seconds = shown.delay_seconds;
        }
    }
}
