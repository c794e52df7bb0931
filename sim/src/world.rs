//! One run: the plan's steps meet the clock under test, and everything the clock says is kept.

use flagfall_core::{DeviceTime, Input, TrueTime};
use flagfall_trace::dial::{DialMisfit, ForeignAct};
use flagfall_trace::oscillator::HELD_NS;
use flagfall_trace::plan::{Act, Fault, Plan, Step, StopMeans};
use flagfall_trace::{Achieved, Trace};

use crate::analogue;
use crate::device::{Device, Ending, Moment};
use crate::oscillator::Oscillator;
use crate::queue::Queue;
use crate::wander::Wander;

/// Where a run stops because it has become unreasonable.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most events.
    pub events_max: u64,
    /// Most records.
    pub records_max: usize,
}

impl Default for Budget {
    /// Ten million events and a million records: a thousand times the longest game.
    fn default() -> Self {
        Self { events_max: 10_000_000, records_max: 1_000_000 }
    }
}

/// A run that did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The plan causes more events than the budget allows: shorten it or raise the budget.
    #[error("more than {limit} events before {at} s of virtual time; shorten the scenario or raise the budget")]
    Events {
        /// The budget.
        limit: u64,
        /// How far the run came.
        at: TrueTime,
    },
    /// The clock writes more records than the budget allows.
    #[error("more than {limit} records before {at} s of virtual time; shorten the scenario or raise the budget")]
    Records {
        /// The budget.
        limit: usize,
        /// How far the run came.
        at: TrueTime,
    },
    /// The plan ends beyond what the oscillator can reckon: shorten it, or give the clock a lower tick rate.
    #[error("the plan ends at {end} s, and at this tick rate time can be reckoned up to {horizon} s; shorten it")]
    Horizon {
        /// The end of the plan.
        end: TrueTime,
        /// How far the arithmetic reaches.
        horizon: TrueTime,
    },
    /// An analogue clock cannot be set up for this game: the cause says what to leave out.
    #[error(transparent)]
    Dial(#[from] DialMisfit),
    /// A step that the clock of this plan does not know: leave it out, or choose the other kind of clock.
    #[error("step {step}: {cause}")]
    Foreign {
        /// Index of the step.
        step: usize,
        /// Why.
        cause: ForeignAct,
    },
}

/// The declared order at one instant: the oscillator's own rate, then what a fault ends or does again, then the clock's own
/// alarm, then the hall; the alarm of a clock that lets a press come before the flag is the last.
mod priority {
    pub(super) const RATE: u8 = 0;
    pub(super) const FAULT: u8 = 1;
    pub(super) const ALARM: u8 = 2;
    pub(super) const STEP: u8 = 3;
    pub(super) const PATIENT_ALARM: u8 = 4;
}

enum Event {
    Step(u32),
    Alarm,
    StuckEnds,
    /// The end of the rate that was the so-manieth to begin.
    RateEnds(u64),
    /// The time base miscounts again, as the fault of this step has it.
    Miscounts(u32),
    /// A fault of the device itself ends.
    Ends(Ending),
    /// The oscillator's own rate is taken anew.
    Wanders,
}

struct World<'a> {
    plan: &'a Plan,
    budget: &'a Budget,
    queue: Queue<Event>,
    oscillator: Oscillator,
    /// How the oscillator's own rate goes, and what it is at this moment.
    wander: Wander,
    own_ppt: i64,
    device: Device,
    /// When the clock wants to be woken, and the priority; an alarm takes the place of the one before.
    alarm: Option<(TrueTime, u8)>,
    /// How many faults hold the time base at this moment.
    held: u32,
    /// How many faults have changed its rate; the latest decides, while it lasts.
    rates: u64,
    has_own_rate: bool,
    achieved: Vec<Achieved>,
}

/// Carries the plan out in virtual time, to its end.
///
/// # Errors
/// [`RunError`] when the plan exhausts the budget, or when it asks of the clock what only another kind can do.
pub fn run(plan: &Plan, budget: &Budget) -> Result<Trace, RunError> {
    for (index, step) in plan.steps.iter().enumerate() {
        plan.clock_kind.knows(&step.act).map_err(|cause| RunError::Foreign { step: index, cause })?;
    }
    if let Some(dial) = plan.clock_kind.dial() {
        return analogue::run(plan, dial, budget);
    }
    let for_the_clock = plan.steps.iter().enumerate().filter(|(_, step)| step.act.is_for_the_clock());
    let horizon = Oscillator::horizon(plan.tick_rate);
    if plan.end > horizon {
        return Err(RunError::Horizon { end: plan.end, horizon });
    }
    let mut wander = Wander::new(&plan.oscillator, plan.seed);
    let own_ppt = wander.next_ppt();
    let mut world = World {
        plan,
        budget,
        queue: Queue::planned(for_the_clock.map(|(index, step)| (step.at, priority::STEP, Event::Step(index as u32)))),
        oscillator: Oscillator::new(plan.tick_rate, own_ppt, plan.oscillator.quantum_ticks),
        wander,
        own_ppt,
        device: Device::new(plan),
        alarm: None,
        held: 0,
        rates: 0,
        has_own_rate: true,
        achieved: Vec::new(),
    };
    if plan.oscillator.varies() {
        world.queue.push(TrueTime::from_ns(HELD_NS), priority::RATE, Event::Wanders);
    }
    world.run_to_the_end()?;
    Ok(Trace::new(plan.clone(), 0, world.achieved, world.device.into_records()))
}

impl World<'_> {
    fn run_to_the_end(&mut self) -> Result<(), RunError> {
        let mut events = 0;
        self.device.remember(&self.oscillator, TrueTime::ZERO);
        while let Some((now, event)) = self.next() {
            if now > self.plan.end {
                break;
            }
            events += 1;
            if events > self.budget.events_max {
                return Err(RunError::Events { limit: self.budget.events_max, at: now });
            }
            match event {
                Event::Step(index) => self.carry_out(index, now),
                Event::Alarm => self.do_to_clock(now, Input::Wake),
                Event::StuckEnds => {
                    self.held -= 1;
                    self.oscillator.set_stopped(now, self.held > 0);
                }
                Event::RateEnds(number) if number == self.rates => {
                    self.has_own_rate = true;
                    self.oscillator.set_ppt(now, self.own_ppt);
                }
                Event::RateEnds(_) => continue,
                Event::Miscounts(index) => self.miscount(index, now),
                Event::Ends(ending) => self.device.end(self.moment(now), ending),
                Event::Wanders => self.wander_on(now),
            }
            if self.device.records().len() > self.budget.records_max {
                return Err(RunError::Records { limit: self.budget.records_max, at: now });
            }
            self.device.remember(&self.oscillator, now);
            self.set_alarm(now);
        }
        Ok(())
    }

    fn next(&mut self) -> Option<(TrueTime, Event)> {
        let due = self.queue.next_due();
        match self.alarm.filter(|alarm| due.is_none_or(|due| *alarm < due)) {
            Some((at, _)) => Some((at, Event::Alarm)),
            None => self.queue.pop(),
        }
    }

    fn moment(&self, now: TrueTime) -> Moment {
        Moment { now, tick: self.oscillator.tick_at(now) }
    }

    fn wander_on(&mut self, now: TrueTime) {
        self.own_ppt = self.wander.next_ppt();
        if self.has_own_rate {
            self.oscillator.set_ppt(now, self.own_ppt);
        }
        if let Some(next) = now.checked_add_ns(HELD_NS) {
            self.queue.push(next, priority::RATE, Event::Wanders);
        }
    }

    fn carry_out(&mut self, index: u32, now: TrueTime) {
        let plan = self.plan;
        let act = &plan.steps[index as usize].act;
        if needs_a_live_clock(act) && !self.device.is_on() {
            // A dark face cannot be read, and nothing can be keyed in: this was not done.
            return;
        }
        match act {
            Act::Pause { how: StopMeans::StartOpponent, .. } => return,
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => self.do_to_clock(now, Input::ArbiterButton),
            Act::Press { side, .. } => self.device.press(self.moment(now), *side),
            Act::SetTime { side, left_ms } => self.do_to_clock(now, Input::SetTime { side: *side, left_ms: *left_ms }),
            Act::SetCounter { side, moves } => self.do_to_clock(now, Input::SetCounter { side: *side, moves: *moves }),
            Act::SetPeriod { side, period } => self.do_to_clock(now, Input::SetPeriod { side: *side, period: *period }),
            Act::Swap => self.do_to_clock(now, Input::Swap),
            Act::Undo => self.do_to_clock(now, Input::Undo),
            Act::SetUp(installed) => self.device.set_up(self.moment(now), &installed.0),
            Act::Contact { side, closes } => self.device.contact(self.moment(now), *side, *closes),
            Act::Battery { low } => self.do_to_clock(now, Input::Battery { low: *low }),
            Act::Read => self.do_to_clock(now, Input::Read),
            Act::Fault(fault) => self.begin(index, *fault, now),
            Act::Tap { .. }
            | Act::Move(_)
            | Act::Arrive { .. }
            | Act::Observe(_)
            | Act::Claim(_)
            | Act::Find(_)
            | Act::Hall(_) => return,
        }
        self.achieved.push(Achieved { step: index, earliest: now, latest: now });
    }

    fn do_to_clock(&mut self, now: TrueTime, input: Input) {
        self.device.step(self.moment(now), input);
    }

    fn begin(&mut self, index: u32, fault: Fault, now: TrueTime) {
        match fault {
            Fault::Stuck { for_ns } => {
                self.held += 1;
                self.oscillator.set_stopped(now, true);
                self.queue.push(after(now, for_ns), priority::FAULT, Event::StuckEnds);
            }
            Fault::Jump { by_ns } => self.oscillator.jump(now, by_ns),
            Fault::Rate { ppb, for_ns } => {
                self.rates += 1;
                self.has_own_rate = false;
                self.oscillator.set_ppt(now, ppb.saturating_mul(1_000));
                self.queue.push(after(now, for_ns), priority::FAULT, Event::RateEnds(self.rates));
            }
            Fault::Ticks { .. } => self.miscount_later(index, now),
            _ => {
                if let Some((for_ns, ending)) = self.device.begin(self.moment(now), fault) {
                    self.queue.push(after(now, for_ns), priority::FAULT, Event::Ends(ending));
                }
            }
        }
    }

    fn miscount(&mut self, index: u32, now: TrueTime) {
        if let Act::Fault(Fault::Ticks { ticks, .. }) = self.plan.steps[index as usize].act {
            self.oscillator.miscount(now, ticks);
            self.miscount_later(index, now);
        }
    }

    fn miscount_later(&mut self, index: u32, now: TrueTime) {
        let Step { at, act: Act::Fault(Fault::Ticks { every_ns, for_ns, .. }) } = &self.plan.steps[index as usize]
        else {
            return;
        };
        // Time that does not go on would be no span.
        let next = after(now, (*every_ns).max(1));
        if next <= after(*at, *for_ns) {
            self.queue.push(next, priority::FAULT, Event::Miscounts(index));
        }
    }

    fn set_alarm(&mut self, now: TrueTime) {
        let by_its_own_time = self.device.next_deadline().and_then(|deadline| self.alarm_of(deadline, now));
        let by_true_time = self.device.next_sign().map(|sign| (sign.max(now), priority::ALARM));
        self.alarm = match (by_its_own_time, by_true_time) {
            (Some(deadline), Some(sign)) => Some(deadline.min(sign)),
            (deadline, sign) => deadline.or(sign),
        };
    }

    fn alarm_of(&self, deadline: DeviceTime, now: TrueTime) -> Option<(TrueTime, u8)> {
        if self.device.waits_for_a_press() {
            // It waits to the last nanosecond of the tick, or for the step of a counter that passes the tick over.
            let over = self.oscillator.first_at(deadline.after(1), now)?;
            let reached = self.oscillator.first_at(deadline, now)?;
            return Some((TrueTime::from_ns(over.ns() - 1).max(reached), priority::PATIENT_ALARM));
        }
        Some((self.oscillator.first_at(deadline, now)?, priority::ALARM))
    }
}

/// Whether an act is done to a clock by looking at its faces or by its keys, so that it takes one that is on.
const fn needs_a_live_clock(act: &Act) -> bool {
    matches!(
        act,
        Act::Read
            | Act::SetTime { .. }
            | Act::SetCounter { .. }
            | Act::SetPeriod { .. }
            | Act::Swap
            | Act::Undo
            | Act::SetUp(_)
    )
}

fn after(now: TrueTime, ns: i64) -> TrueTime {
    now.checked_add_ns(ns).unwrap_or(TrueTime::from_ns(i64::MAX))
}
