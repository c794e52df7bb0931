//! A clock of either kind as far as it can be foreseen, before a run.

use flagfall_core::{DeviceTime, Side, TickRate, TrueTime};
use flagfall_trace::plan::{Act, Draft};

use super::contacts::Contacts;
use super::dial::Hands;
use super::reckoning::{Deed, Doing, Reckoning};

/// What an exact clock of the draft's kind does.
pub(super) struct Foreseen {
    rate: TickRate,
    clock: Exact,
}

enum Exact {
    Digital(Box<(Reckoning, Contacts)>),
    Dial(Box<Hands>),
}

impl Foreseen {
    pub(super) fn new(draft: &Draft) -> Self {
        let rate = draft.tick_rate;
        let clock = match draft.clock_kind.dial() {
            None => {
                let contacts = Contacts::new(&draft.setup, rate);
                Exact::Digital(Box::new((Reckoning::new(&draft.setup, rate), contacts)))
            }
            Some(dial) => Exact::Dial(Box::new(Hands::new(&draft.setup, dial, rate))),
        };
        Self { rate, clock }
    }

    /// Lets time pass up to an act; what it does to an electronic clock.
    pub(super) fn meet<'a>(&mut self, act: &'a Act, at: TrueTime) -> Option<Deed<'a>> {
        let Exact::Digital(digital) = &mut self.clock else { return None };
        let (reckoning, contacts) = digital.as_mut();
        let tick = self.rate.tick_at(at).ticks();
        let deed = contacts.deed(act, tick);
        reckoning.pass(tick, deed);
        deed
    }

    pub(super) fn doing(&self) -> Doing {
        match &self.clock {
            Exact::Digital(digital) => digital.0.doing(),
            Exact::Dial(hands) => hands.doing(),
        }
    }

    /// Does an act that was met with [`Self::meet`].
    pub(super) fn act(&mut self, act: &Act, deed: Option<Deed<'_>>, at: TrueTime) {
        match (&mut self.clock, deed) {
            (Exact::Digital(digital), Some(deed)) => drop(digital.0.deed(deed, self.rate.tick_at(at).ticks())),
            (Exact::Digital(_), None) => {}
            (Exact::Dial(hands), _) => hands.act(act, at),
        }
    }

    /// When the time of a side that runs is used up; on a dial that is its flag.
    pub(super) fn zero(&self, side: Side, now: TrueTime) -> Option<TrueTime> {
        match &self.clock {
            Exact::Digital(digital) => {
                let ahead = digital.0.zero_ahead().filter(|(ahead, _)| *ahead == side);
                ahead.map(|(_, zero)| self.of_tick(zero))
            }
            Exact::Dial(hands) => hands.flag_at(side, now).filter(|at| *at > now),
        }
    }

    /// When a side's flag falls if nothing happens after `now`, or fell.
    pub(super) fn flag(&self, side: Side, now: TrueTime) -> Option<TrueTime> {
        match &self.clock {
            Exact::Digital(digital) => digital.0.flag_tick(side).map(|tick| self.of_tick(tick)),
            Exact::Dial(hands) => hands.flag_at(side, now),
        }
    }

    /// When a side entered a period.
    pub(super) fn period(&self, side: Side, index: u8, now: TrueTime) -> Option<TrueTime> {
        match &self.clock {
            Exact::Digital(digital) => digital.0.period_tick(side, index).map(|tick| self.of_tick(tick)),
            Exact::Dial(hands) => hands.period_at(side, index, now),
        }
    }

    /// When the delay of a side's running turn is used up; a dial knows none.
    pub(super) fn delay_end(&self, side: Side) -> Option<TrueTime> {
        match &self.clock {
            Exact::Digital(digital) => digital.0.delay_end_tick(side).map(|tick| self.of_tick(tick)),
            Exact::Dial(_) => None,
        }
    }

    fn of_tick(&self, tick: u64) -> TrueTime {
        self.rate.true_time_of(DeviceTime::from_ticks(tick))
    }
}
