//! One run with an analogue clock: the plan's steps meet lever, hands and flags, and everything seen on them is kept.
//!
//! A clock of this kind writes nothing. The records are those of somebody who looks at it whenever something happens, in
//! ticks of an exact time base: what the hands have left to the end of the control, what the dials read, which flags fell.

use flagfall_core::record::Kind;
use flagfall_core::{BySide, Face, IgnoredBecause, Phase, Record, Side, TrueTime};
use flagfall_trace::plan::{Act, Fault, Plan};
use flagfall_trace::{Achieved, DialSetup, Stamped, Trace};

use super::dial::{Dial, FlagMoved, Lever};
use crate::queue::Queue;
use crate::world::{Budget, RunError};

/// The declared order at one instant: what a fault ends ends first, then hands and flags, then the hall.
mod priority {
    pub(super) const FAULT_ENDS: u8 = 0;
    pub(super) const HANDS: u8 = 1;
    pub(super) const STEP: u8 = 2;
}

enum Event {
    Step(u32),
    /// The hands come to where something happens, unless something else has happened since this was foreseen.
    Hands(u64),
    /// The fault of this side is over that began with this step.
    FaultEnds(Side, u32),
}

struct Table<'a> {
    plan: &'a Plan,
    queue: Queue<Event>,
    phase: Phase,
    dials: BySide<Dial>,
    /// How often it was foreseen when the hands do something next.
    foreseen: u64,
    achieved: Vec<Achieved>,
    records: Vec<Stamped>,
}

/// Carries out a plan for an analogue clock that is set up like this.
pub(crate) fn run(plan: &Plan, setup: &DialSetup, budget: &Budget) -> Result<Trace, RunError> {
    setup.fits(&plan.setup)?;
    let for_the_clock = plan.steps.iter().enumerate().filter(|(_, step)| step.act.is_for_the_clock());
    let mut table = Table {
        plan,
        queue: Queue::planned(for_the_clock.map(|(index, step)| (step.at, priority::STEP, Event::Step(index as u32)))),
        phase: Phase::Ready,
        dials: BySide::from_fn(|side| Dial::new(&plan.setup, setup, plan.tick_rate, side)),
        foreseen: 0,
        achieved: Vec::new(),
        records: Vec::new(),
    };
    table.run_to_the_end(budget)?;
    Ok(Trace::new(plan.clone(), 0, table.achieved, table.records))
}

impl Table<'_> {
    fn run_to_the_end(&mut self, budget: &Budget) -> Result<(), RunError> {
        let mut events = 0;
        while let Some((now, event)) = self.queue.pop() {
            if now > self.plan.end {
                break;
            }
            events += 1;
            if events > budget.events_max {
                return Err(RunError::Events { limit: budget.events_max, at: now });
            }
            for side in Side::ALL {
                self.dials[side].pass(now);
            }
            match event {
                Event::Step(index) => self.carry_out(index, now),
                Event::Hands(number) if number == self.foreseen => {}
                Event::Hands(_) => continue,
                Event::FaultEnds(side, number) => self.dials[side].recover(number),
            }
            self.release();
            self.flags(now);
            if self.records.len() > budget.records_max {
                return Err(RunError::Records { limit: budget.records_max, at: now });
            }
            self.foresee();
        }
        Ok(())
    }

    fn carry_out(&mut self, index: u32, now: TrueTime) {
        match self.plan.steps[index as usize].act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => self.arbiter(now),
            Act::Press { side, .. } => self.press(side, now),
            Act::SetTime { side, left_ms } => {
                let ticks = self.plan.tick_rate.ticks_from_ms(left_ms);
                self.dials[side].set_hands(ticks);
                self.note(now, Kind::TIME_SET, Some(side), 0, ticks);
            }
            Act::Tap { .. } => {
                self.note(now, Kind::TAPPED, None, 0, 0);
                for side in Side::ALL {
                    self.dials[side].tap();
                }
            }
            Act::Read => self.note(now, Kind::READ, None, 0, 0),
            Act::Fault(Fault::Dial(fault)) => {
                let side = fault.side();
                if let Some(moved) = self.dials[side].suffer(index, fault) {
                    self.note_flag(now, side, moved);
                }
                if let Some(end) = fault.for_ns().and_then(|for_ns| now.checked_add_ns(for_ns)) {
                    self.queue.push(end, priority::FAULT_ENDS, Event::FaultEnds(side, index));
                }
            }
            _ => return,
        }
        self.achieved.push(Achieved { step: index, earliest: now, latest: now });
    }

    /// One button goes down and the other comes up, unless it was so before.
    fn press(&mut self, side: Side, now: TrueTime) {
        self.note(now, Kind::PRESSED, Some(side), 0, 0);
        let other = side.other();
        let kind = match self.phase {
            Phase::Running(running) if running == other => {
                return self.note(now, Kind::IGNORED, Some(side), IgnoredBecause::NotOnMove as u16, 0);
            }
            Phase::Ready => Kind::STARTED,
            Phase::Paused(on_move) if on_move == other => Kind::RESUMED,
            Phase::Running(_) | Phase::Paused(_) | Phase::Frozen(_) => Kind::SWITCHED,
        };
        self.phase = Phase::Running(other);
        self.dials[side].went_on();
        self.note(now, kind, Some(other), 0, 0);
    }

    /// Starts the clock, puts both buttons half down, or presses the one again that was down before.
    fn arbiter(&mut self, now: TrueTime) {
        self.note(now, Kind::ARBITER_PRESSED, None, 0, 0);
        let (phase, kind, side) = match self.phase {
            Phase::Ready => (Phase::Running(self.plan.setup.first), Kind::STARTED, self.plan.setup.first),
            Phase::Running(side) => (Phase::Paused(side), Kind::PAUSED, side),
            Phase::Paused(side) | Phase::Frozen(side) => (Phase::Running(side), Kind::RESUMED, side),
        };
        self.phase = phase;
        self.note(now, kind, Some(side), 0, 0);
    }

    fn release(&mut self) {
        for side in Side::ALL {
            self.dials[side].release(match self.phase {
                Phase::Running(running) if running == side => Lever::Released,
                Phase::Running(_) => Lever::HeldWhileTheOtherGoes,
                Phase::Ready | Phase::Paused(_) | Phase::Frozen(_) => Lever::Held,
            });
        }
    }

    fn flags(&mut self, now: TrueTime) {
        for side in Side::ALL {
            while let Some(moved) = self.dials[side].flag() {
                self.note_flag(now, side, moved);
            }
        }
    }

    fn note_flag(&mut self, now: TrueTime, side: Side, moved: FlagMoved) {
        self.note(now, moved.kind, Some(side), moved.detail, 0);
        let dial = &self.dials[side];
        if let Some(stamped) = self.records.last_mut() {
            // A flag that falls tells of the control that it ends, even if the hands have come into the next one.
            stamped.record.period[side] = moved.control;
            stamped.record.remaining_ticks[side] = dial.left_ticks(moved.control);
        }
    }

    fn note(&mut self, now: TrueTime, kind: Kind, side: Option<Side>, detail: u16, value: u64) {
        let dials = &self.dials;
        let record = Record {
            kind,
            side,
            seq: self.records.len() as u16,
            detail,
            at: self.plan.tick_rate.tick_at(now),
            value,
            phase: self.phase,
            remaining_ticks: BySide::from_fn(|side| dials[side].left_ticks(dials[side].control())),
            delay_ticks: 0,
            shown: BySide::from_fn(|side| Face::from_seconds(dials[side].reads_seconds())),
            shown_delay_seconds: 0,
            moves: BySide::both(0),
            overtime: BySide::both(0),
            period: BySide::from_fn(|side| dials[side].control()),
            fallen: BySide::from_fn(|side| dials[side].fallen()),
            first_fallen: None,
            battery_low: false,
        };
        self.records.push(Stamped { true_time: now, uncertainty_ns: 0, record });
    }

    fn foresee(&mut self) {
        self.foreseen += 1;
        if let Some(at) = Side::ALL.into_iter().filter_map(|side| self.dials[side].next_at()).min() {
            self.queue.push(at, priority::HANDS, Event::Hands(self.foreseen));
        }
    }
}
