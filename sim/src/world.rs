//! One run: the plan's steps meet the clock under test, and everything the clock says is kept.

use flagfall_core::record::Kind;
use flagfall_core::{BySide, Clock, Debouncer, Input, Record, Setup, Side, TickRate, TrueTime};
use flagfall_trace::oscillator::HELD_NS;
use flagfall_trace::plan::{Act, Fault, Plan};
use flagfall_trace::{Achieved, Stamped, Trace};

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
    /// A fault that a simulated clock cannot have: leave it out.
    #[error("a simulated clock cannot have the fault {fault:?} of {at} s")]
    Fault {
        /// Which.
        fault: Fault,
        /// When it was to begin.
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
}

/// The declared order at one instant: the oscillator's own rate, then what a fault ends, then the clock's own alarm,
/// then the hall.
mod priority {
    pub(super) const RATE: u8 = 0;
    pub(super) const FAULT_ENDS: u8 = 1;
    pub(super) const ALARM: u8 = 2;
    pub(super) const STEP: u8 = 3;
}

enum Event {
    Step(u32),
    Alarm,
    StuckEnds,
    /// The end of the rate that was the so-manieth to begin.
    RateEnds(u64),
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
    clock: Clock,
    contacts: BySide<Debouncer>,
    /// When the clock wants to be woken; an alarm takes the place of the one before.
    alarm: Option<TrueTime>,
    lost_presses: BySide<u32>,
    /// How many faults hold the time base at this moment.
    held: u32,
    /// How many faults have changed its rate; the latest decides, while it lasts.
    rates: u64,
    has_own_rate: bool,
    achieved: Vec<Achieved>,
    records: Vec<Stamped>,
}

/// Carries the plan out in virtual time, to its end.
///
/// # Errors
/// [`RunError`] when the plan exhausts the budget.
pub fn run(plan: &Plan, budget: &Budget) -> Result<Trace, RunError> {
    let for_the_clock = plan.steps.iter().enumerate().filter(|(_, step)| step.act.is_for_the_clock());
    let horizon = Oscillator::horizon(plan.tick_rate);
    if plan.end > horizon {
        return Err(RunError::Horizon { end: plan.end, horizon });
    }
    let mut wander = Wander::new(&plan.oscillator, plan.seed);
    let own_ppt = wander.next_ppt();
    let setup = plan.device_setup.as_ref().unwrap_or(&plan.setup);
    let mut world = World {
        plan,
        budget,
        queue: Queue::planned(for_the_clock.map(|(index, step)| (step.at, priority::STEP, Event::Step(index as u32)))),
        oscillator: Oscillator::new(plan.tick_rate, own_ppt, plan.oscillator.quantum_ticks),
        wander,
        own_ppt,
        clock: Clock::new(setup, plan.tick_rate),
        contacts: contacts(setup, plan.tick_rate),
        alarm: None,
        lost_presses: BySide::both(0),
        held: 0,
        rates: 0,
        has_own_rate: true,
        achieved: Vec::new(),
        records: Vec::new(),
    };
    if plan.oscillator.varies() {
        world.queue.push(TrueTime::from_ns(HELD_NS), priority::RATE, Event::Wanders);
    }
    world.run_to_the_end()?;
    Ok(Trace::new(plan.clone(), 0, world.achieved, world.records))
}

fn contacts(setup: &Setup, rate: TickRate) -> BySide<Debouncer> {
    BySide::both(Debouncer::new(setup.debounce_ms, rate))
}

impl World<'_> {
    fn run_to_the_end(&mut self) -> Result<(), RunError> {
        let mut events = 0;
        while let Some((now, event)) = self.next() {
            if now > self.plan.end {
                break;
            }
            events += 1;
            if events > self.budget.events_max {
                return Err(RunError::Events { limit: self.budget.events_max, at: now });
            }
            match event {
                Event::Step(index) => self.carry_out(index, now)?,
                Event::Alarm => self.step_clock(now, Input::Wake),
                Event::StuckEnds => {
                    self.held -= 1;
                    self.oscillator.set_stopped(now, self.held > 0);
                }
                Event::RateEnds(number) if number == self.rates => {
                    self.has_own_rate = true;
                    self.oscillator.set_ppt(now, self.own_ppt);
                }
                Event::RateEnds(_) => continue,
                Event::Wanders => self.wander_on(now),
            }
            if self.records.len() > self.budget.records_max {
                return Err(RunError::Records { limit: self.budget.records_max, at: now });
            }
            self.set_alarm(now);
        }
        Ok(())
    }

    fn next(&mut self) -> Option<(TrueTime, Event)> {
        let due = self.queue.next_due();
        match self.alarm.filter(|at| due.is_none_or(|due| (*at, priority::ALARM) < due)) {
            Some(at) => Some((at, Event::Alarm)),
            None => self.queue.pop(),
        }
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

    fn carry_out(&mut self, index: u32, now: TrueTime) -> Result<(), RunError> {
        let plan = self.plan;
        match &plan.steps[index as usize].act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => self.step_clock(now, Input::ArbiterButton),
            Act::Press { side, .. } => self.press(*side, now),
            Act::SetTime { side, left_ms } => self.step_clock(now, Input::SetTime { side: *side, left_ms: *left_ms }),
            Act::SetCounter { side, moves } => self.step_clock(now, Input::SetCounter { side: *side, moves: *moves }),
            Act::SetPeriod { side, period } => self.step_clock(now, Input::SetPeriod { side: *side, period: *period }),
            Act::Swap => self.step_clock(now, Input::Swap),
            Act::Undo => self.step_clock(now, Input::Undo),
            Act::SetUp(installed) => self.set_up(&installed.0, now),
            Act::Contact { side, closes } => self.contact(*side, *closes, now),
            Act::Battery { low } => self.step_clock(now, Input::Battery { low: *low }),
            Act::Read => self.step_clock(now, Input::Read),
            Act::Fault(fault) => self.begin(*fault, now)?,
            Act::Move(_) | Act::Arrive { .. } | Act::Observe(_) | Act::Claim(_) | Act::Find(_) => return Ok(()),
        }
        self.achieved.push(Achieved { step: index, earliest: now, latest: now });
        Ok(())
    }

    /// Another clock, in effect: it knows nothing of what was before.
    fn set_up(&mut self, setup: &Setup, now: TrueTime) {
        let at = self.oscillator.tick_at(now);
        self.step_clock(now, Input::Wake);
        self.clock = Clock::restore(setup, self.plan.tick_rate, at, Clock::new(setup, self.plan.tick_rate).state());
        self.contacts = contacts(setup, self.plan.tick_rate);
        let (seq, state) = (self.records.len() as u16, self.clock.state());
        let record = Record::of_state(Kind::CONFIGURED, seq, at, state, setup, self.plan.tick_rate);
        self.records.push(Stamped { true_time: now, uncertainty_ns: 0, record });
    }

    fn contact(&mut self, side: Side, closes: bool, now: TrueTime) {
        if self.contacts[side].edge(self.oscillator.tick_at(now), closes) {
            self.press(side, now);
        }
    }

    fn press(&mut self, side: Side, now: TrueTime) {
        match self.lost_presses[side].checked_sub(1) {
            Some(left) => self.lost_presses[side] = left,
            None => self.step_clock(now, Input::Press(side)),
        }
    }

    fn begin(&mut self, fault: Fault, now: TrueTime) -> Result<(), RunError> {
        let end = |for_ns| now.checked_add_ns(for_ns).unwrap_or(TrueTime::from_ns(i64::MAX));
        match fault {
            Fault::Stuck { for_ns } => {
                self.held += 1;
                self.oscillator.set_stopped(now, true);
                self.queue.push(end(for_ns), priority::FAULT_ENDS, Event::StuckEnds);
            }
            Fault::Jump { by_ns } => self.oscillator.jump(now, by_ns),
            Fault::Rate { ppb, for_ns } => {
                self.rates += 1;
                self.has_own_rate = false;
                self.oscillator.set_ppt(now, ppb.saturating_mul(1_000));
                self.queue.push(end(for_ns), priority::FAULT_ENDS, Event::RateEnds(self.rates));
            }
            Fault::LostPress { side } => self.lost_presses[side] += 1,
            other => return Err(RunError::Fault { fault: other, at: now }),
        }
        Ok(())
    }

    fn step_clock(&mut self, now: TrueTime, input: Input) {
        for happening in self.clock.step(self.oscillator.tick_at(now), input).iter() {
            let record = Record::new(self.records.len() as u16, happening, self.clock.setup(), self.plan.tick_rate);
            self.records.push(Stamped { true_time: now, uncertainty_ns: 0, record });
        }
    }

    fn set_alarm(&mut self, now: TrueTime) {
        let deadline = self.clock.next_deadline();
        self.alarm = deadline.and_then(|deadline| self.oscillator.first_at(deadline, now));
    }
}
