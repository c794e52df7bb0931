//! One plan on one target that is never stopped: real time passes, and each act lies between two readings of true time.

use std::time::{Duration, Instant};

use flagfall_core::command::Command;
use flagfall_core::contract::STOP_NEVER;
use flagfall_core::record::{Kind, Record};
use flagfall_core::{DeviceTime, TrueTime};
use flagfall_trace::plan::{Act, Plan, Step};
use flagfall_trace::{Achieved, Jump, Stamped, Trace};

use super::bench::phase::Phases;
use super::bench::{ARBITER_OR_PLAYER, Bench, Counters};
use super::description::{Counter, Description};
use super::hall::Hall;
use super::jump::{self, BEFORE_NS, Calendar, Next};
use super::stimulus::{self, Contact};
use super::target::{Target, TargetError};
use super::written::Written;

/// How often what the firmware has written is fetched: long before its buffer could be full.
const FETCH_EVERY: Duration = Duration::from_millis(20);

/// From here on to an instant the clock is read again and again, instead of sleeping.
const NEAR: Duration = Duration::from_millis(2);

/// How long a firmware may take to write of a press, and to see a command: its loop wakes at least once a second.
const PRESS_PATIENCE: Duration = Duration::from_millis(200);
const COMMAND_PATIENCE: Duration = Duration::from_secs(3);

/// How many pairs of readings the first is chosen from.
const PAIRS_AT_FIRST: u32 = 20;

/// Why an act cannot be done without a stop.
pub(super) fn obstacle(act: &Act) -> Option<String> {
    match act {
        Act::Fault(_) => Some("a fault: this bench acts without a stop, and faults are caused at stops".into()),
        Act::SetTime { .. }
        | Act::SetCounter { .. }
        | Act::SetPeriod { .. }
        | Act::Swap
        | Act::Undo
        | Act::SetUp(_) => {
            Some("a correction: this bench acts without a stop, and does not know when a command is carried out".into())
        }
        _ => None,
    }
}

/// Carries out a plan in real time on a target that has just been opened or has run another plan.
///
/// In jumped time it stands still for each jump, and for nothing else.
pub(super) fn carry_out(
    target: &mut Target,
    description: &Description,
    plan: &Plan,
    calendar: Option<Calendar>,
) -> Result<Trace, TargetError> {
    let mut bench = Unstopped { calendar, ..Unstopped::begin(target, description, plan)? };
    for (index, step) in plan.steps.iter().enumerate().filter(|(_, step)| step.act.is_for_the_clock()) {
        let due = bench.placed_at(step);
        bench.wait_until(due)?;
        bench.act(index as u32, &step.act)?;
    }
    bench.finish(plan)
}

/// What true time is read from.
enum Reference {
    /// A counter of the board.
    Counter(Counter),
    /// The host's clock, in microseconds.
    Host(Instant),
}

impl Reference {
    /// The counter that it is or stands for.
    const fn counter(&self) -> Counter {
        match *self {
            Self::Counter(counter) => counter,
            Self::Host(_) => Counter { address: 0, hz: 1_000_000 },
        }
    }

    fn read(&self, target: &mut Target) -> Result<u32, TargetError> {
        match self {
            Self::Counter(counter) => target.word(counter.address),
            Self::Host(began) => Ok(began.elapsed().as_micros() as u32),
        }
    }
}

/// The device's counter between two readings of true time.
fn pair(reference: &Reference, device: Counter, target: &mut Target) -> Result<[u32; 3], TargetError> {
    Ok([reference.read(target)?, target.word(device.address)?, reference.read(target)?])
}

/// The pair whose readings lie closest together of some: everything in a run is reckoned from it.
fn closest(reference: &Reference, device: Counter, target: &mut Target) -> Result<[u32; 3], TargetError> {
    let mut closest = pair(reference, device, target)?;
    let apart = |[before, _, after]: [u32; 3]| after.wrapping_sub(before);
    for _ in 0..PAIRS_AT_FIRST {
        let next = pair(reference, device, target)?;
        if apart(next) <= apart(closest) {
            closest = next;
        }
    }
    Ok(closest)
}

/// How far off the stamps of a trace may be by what their readings were apart, in ticks.
pub(super) fn apart_ticks(trace: &Trace) -> u64 {
    let apart_ns = trace.records.iter().map(|stamped| stamped.uncertainty_ns).max().unwrap_or(0);
    u64::try_from(u128::from(apart_ns) * u128::from(trace.plan.tick_rate.hz()) / 1_000_000_000 + 1).unwrap_or(u64::MAX)
}

struct Unstopped<'a> {
    target: &'a mut Target,
    description: &'a Description,
    reference: Reference,
    device: Counter,
    hall: Hall,
    zero: DeviceTime,
    achieved: Vec<Achieved>,
    written: Written,
    /// When something is due, where time is jumped in between.
    calendar: Option<Calendar>,
    /// Until when it is not: the firmware has yet to see the last jump.
    counts_until: i64,
    jumps: Vec<Jump>,
    phases: Phases,
}

impl<'a> Unstopped<'a> {
    /// Sets the clock up at stops, and lets it run; the run begins with the first reading after that.
    fn begin(target: &'a mut Target, description: &'a Description, plan: &Plan) -> Result<Self, TargetError> {
        let (next_seq, stopped_at, stopped_raw, device) = Bench::begin(target, description, plan)?.let_go()?;
        let reference = match &description.true_time {
            Some(true_time) => Reference::Counter(true_time.counter),
            None => Reference::Host(Instant::now()),
        };
        target.set_stops(STOP_NEVER, 0)?;
        target.resume()?;
        let [before, device_raw, after] = closest(&reference, device, target)?;
        let zero = stopped_at.after(device_raw.wrapping_sub(stopped_raw).into());
        let hall = Hall::begin_between(plan.tick_rate, reference.counter(), [before, after], device_raw, zero);
        let (achieved, written) = (Vec::new(), Written::from(next_seq));
        let (calendar, counts_until, jumps) = (None, 0, Vec::new());
        let mut bench = Self {
            target,
            description,
            reference,
            device,
            hall,
            zero,
            achieved,
            written,
            calendar,
            counts_until,
            jumps,
            phases: Phases::of(plan),
        };
        bench.observe()?;
        Ok(bench)
    }

    /// A pair of readings.
    fn observe(&mut self) -> Result<(), TargetError> {
        let [before, device_raw, after] = pair(&self.reference, self.device, self.target)?;
        self.hall.observe_between(before, device_raw, after);
        Ok(())
    }

    fn now(&mut self) -> Result<TrueTime, TargetError> {
        let raw = self.reference.read(self.target)?;
        Ok(self.hall.at(raw))
    }

    /// When a step is due here: a press some part of a tick later than the plan has it, or all of them would come at one place.
    fn placed_at(&mut self, step: &Step) -> TrueTime {
        if !matches!(step.act, Act::Press { .. }) {
            return step.at;
        }
        let part = i64::from(self.phases.draw());
        let ns = part * 1_000_000_000 / (i64::from(self.description.tick_rate.hz()) << 16);
        step.at.checked_add_ns(ns).unwrap_or(step.at)
    }

    /// Lets real time pass until the hall's time has come.
    fn wait_until(&mut self, at: TrueTime) -> Result<(), TargetError> {
        loop {
            self.target.runs_on()?;
            self.observe()?;
            self.take_records()?;
            if let Some(until) = self.jumps_to(at) {
                self.jump(until)?;
                continue;
            }
            let left = Duration::from_nanos(at.ns().saturating_sub(self.now()?.ns()).max(0).unsigned_abs());
            if left <= NEAR {
                break;
            }
            std::thread::sleep((left - NEAR).min(FETCH_EVERY));
        }
        while self.now()? < at {}
        let late_ns = self.now()?.ns().saturating_sub(at.ns());
        // Later than this an act may have changed places with another, or with a flag.
        let allowed_us = i64::try_from(self.description.smallest_gap_us).unwrap_or(i64::MAX);
        if late_ns / 1_000 > allowed_us {
            return Err(TargetError::Overslept { by_ms: late_ns / 1_000_000 });
        }
        Ok(())
    }

    /// How far time may be jumped on the way to an instant, if that is anywhere.
    fn jumps_to(&self, at: TrueTime) -> Option<i64> {
        let calendar = self.calendar.as_ref()?;
        let deadline = jump::deadline(self.written.records.last(), &self.hall, self.description.tick_rate);
        let now = self.hall.now().ns();
        match calendar.next(now, at.ns(), deadline) {
            Next::Jump(until) if now >= self.counts_until => Some(until),
            _ => None,
        }
    }

    /// Moves device time and true time on together while the core stands still, up to an instant or some way towards it.
    fn jump(&mut self, until: i64) -> Result<(), TargetError> {
        self.target.halt()?;
        self.observe()?;
        let counters = Counters { device: self.device, bench: self.reference.counter() };
        let from = self.hall.now();
        counters.move_on(self.target, until.saturating_sub(from.ns()))?;
        self.observe()?;
        self.jumps.push(Jump { from, to: self.hall.now() });
        self.counts_until = self.hall.now().ns().saturating_add(BEFORE_NS);
        self.target.resume()
    }

    fn act(&mut self, step: u32, act: &Act) -> Result<(), TargetError> {
        let buttons = self.description.buttons;
        let (earliest, latest) = match act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => self.push_button(buttons.arbiter)?,
            Act::Press { side, .. } => {
                self.phases.came(step);
                self.push_button(buttons.players[*side])?
            }
            Act::Contact { side, closes } => {
                self.set(buttons.players[*side], if *closes { Contact::Closed } else { Contact::Open })?
            }
            Act::Read => self.read()?,
            // The rig refuses plans with what needs a stop; the rest only happens in the hall.
            _ => return Ok(()),
        };
        self.achieved.push(Achieved { step, earliest, latest });
        Ok(())
    }

    /// Moves a contact between two readings of true time.
    fn set(&mut self, line: u32, contact: Contact) -> Result<(TrueTime, TrueTime), TargetError> {
        let earliest = self.now()?;
        stimulus::set(self.target, &self.description.stimulus, line, contact)?;
        Ok((earliest, self.now()?))
    }

    fn push_button(&mut self, line: u32) -> Result<(TrueTime, TrueTime), TargetError> {
        let (earliest, closed) = self.set(line, Contact::Closed)?;
        // Of a press that is not written of the oracle speaks.
        let seen = self.wait_for_record(ARBITER_OR_PLAYER, PRESS_PATIENCE)?;
        self.set(line, Contact::Open)?;
        Ok((earliest, seen.map_or(closed, |(_, latest)| latest)))
    }

    fn read(&mut self) -> Result<(TrueTime, TrueTime), TargetError> {
        self.target.send(&Command::Read.to_bytes())?;
        self.wait_for_record(Kind::READ.mask(), COMMAND_PATIENCE)?
            .ok_or_else(|| TargetError::Handshake("the firmware was asked for its faces and wrote none".into()))
    }

    /// Between which instants a record of these kinds was written, if one comes in time: it was not there in one look, and
    /// was in the next.
    fn wait_for_record(&mut self, kinds: u64, patience: Duration) -> Result<Option<(TrueTime, TrueTime)>, TargetError> {
        let (asked, from) = (Instant::now(), self.written.records.len());
        let (mut before, mut last) = (self.now()?, self.now()?);
        loop {
            self.target.runs_on()?;
            self.observe()?;
            self.take_records()?;
            let now = self.now()?;
            if self.written.records[from..].iter().any(|record| record.kind.mask() & kinds != 0) {
                return Ok(Some((before, now)));
            }
            if asked.elapsed() > patience {
                return Ok(None);
            }
            // A stamp is somewhat older than the record that has it: the look before the last was surely too early.
            (before, last) = (last, now);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn take_records(&mut self) -> Result<(), TargetError> {
        self.written.take(&self.target.records()?)
    }

    fn finish(mut self, plan: &Plan) -> Result<Trace, TargetError> {
        self.observe()?;
        self.target.nothing_dropped()?;
        let stamped = |record: &Record| {
            let (true_time, uncertainty_ns) = self.hall.true_time_of(record.at);
            Stamped { true_time, uncertainty_ns, record: *record }
        };
        let stamped = self.written.records.iter().map(stamped).collect();
        let trace = Trace::new(plan.clone(), self.zero.ticks(), self.achieved, stamped);
        let (displayed, placed) = (self.written.displayed, self.phases.placed);
        Ok(Trace { jumps: self.jumps, displayed, placed, ..trace })
    }
}
