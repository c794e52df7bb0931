//! One plan on one target: wait for the instant, act while it is stopped, see what it wrote, go on.

mod armed;
mod jumped;
pub(super) mod phase;
mod supply;

use std::time::{Duration, Instant};

use flagfall_core::command::{self, Command};
use flagfall_core::contract::STOP_NEVER;
use flagfall_core::record::{Kind, Record};
use flagfall_core::{BySide, DeviceTime, Side, TrueTime};
use flagfall_trace::bench_record::StackUse;
use flagfall_trace::plan::{Act, Fault, Plan};
use flagfall_trace::{Achieved, Jump, Reset, Stamped, Trace};

use super::description::{BenchCounter, Counter, Description, Probe};
use super::fault;
use super::hall::{Hall, Pace};
use super::jump::{Calendar, Next};
use super::panel::Panel;
use super::stimulus::{self, Contact};
use super::target::{Target, TargetError};
use super::trains::Trains;
use super::written::{Written, decode};
use armed::Arming;
use phase::Phases;
use supply::Off;

/// The longest the target runs without a look at both counters: half of what a 32-bit counter at 1 MHz takes to wrap.
const LEG_NS: i64 = 30 * 60 * 1_000_000_000;

/// How long the bench waits for the record of something it did, in device time.
const ANSWER_MS: u64 = 10;

/// How far the counter of device time may be past the stamp of the setup: on a slow bench it counts on for a while.
const SETUP_MS: u64 = 1_000;

/// How long, in host time, an emulated firmware runs without a time base.
const EMULATED_STANDSTILL: Duration = Duration::from_millis(20);

/// The most that is made good of a late stop; one that is later than this is not the habit of the firmware's loop.
const LATE_NS_MAX: i64 = 100_000;

pub(super) const ARBITER_OR_PLAYER: u64 = Kind::PRESSED.mask() | Kind::ARBITER_PRESSED.mask();

/// Carries out a plan on a target that has just been opened or has run another plan; in jumped time by its calendar.
pub(super) fn carry_out(
    target: &mut Target,
    description: &Description,
    plan: &Plan,
    calendar: Option<Calendar>,
) -> Result<Trace, TargetError> {
    let mut bench = Bench { calendar, ..Bench::begin(target, description, plan)? };
    let (trains, arming) = (Trains::of(description, plan), Arming::of(description));
    for (index, step) in plan.steps.iter().enumerate().filter(|(_, step)| step.act.is_for_the_clock()) {
        if let (Some(train), Some(arming)) = (trains.with(index), arming) {
            if train.first() == Some(&index) {
                bench.make_train(plan, train, arming)?;
            }
            continue;
        }
        if bench.is_off(step.at) {
            bench.act_in_the_dark(index as u32, step)?;
            continue;
        }
        bench.come_back()?;
        bench.end_faults(step.at)?;
        bench.draw_phase(&step.act)?;
        bench.wait_until(step.at)?;
        if matches!(step.act, Act::Fault(_)) {
            bench.not_before(step.at)?;
        }
        bench.note_phase(index as u32, &step.act)?;
        bench.act(index as u32, &step.act)?;
    }
    bench.finish(plan)
}

/// What counts device time, and what counts true time.
#[derive(Clone, Copy)]
pub(super) struct Counters {
    pub(super) device: Counter,
    /// That of the device where a board has no other.
    pub(super) bench: Counter,
}

/// What counts device time: a register that the board file names, or a word of the firmware's own.
pub(super) fn device_counter(target: &Target, description: &Description) -> Result<Counter, TargetError> {
    if let Some(register) = description.device_counter {
        return Ok(register);
    }
    let address = target.ticks()?.ok_or_else(|| TargetError::Counters("nothing here counts device time".into()))?;
    Ok(Counter { address, hz: description.tick_rate.hz() })
}

/// Starts the counter that is true time.
fn start(target: &mut Target, true_time: &BenchCounter) -> Result<(), TargetError> {
    true_time.start.iter().try_for_each(|write| target.set_register(*write))
}

/// Sets the clock up; the run begins at the stop after it.
fn configure(target: &mut Target, counters: Counters, plan: &Plan) -> Result<(Hall, u16), TargetError> {
    target.set_stops(STOP_NEVER, Kind::CONFIGURED.mask() | Kind::REFUSED.mask())?;
    target.send(&Command::Configure(plan.device_setup.unwrap_or(plan.setup)).to_bytes())?;
    target.run_to_stop(None)?;
    let records = target.records()?.iter().map(decode).collect::<Result<Vec<_>, _>>()?;
    let Some(last) = records.last().filter(|record| record.kind == Kind::CONFIGURED) else {
        let kinds: Vec<&str> = records.iter().map(|record| record.kind.name()).collect();
        return Err(TargetError::Handshake(format!("the clock was not set up: it answered {kinds:?}")));
    };
    // From there to its idle loop: it has yet to show how it is set up.
    target.set_stops(last.at.after(1).ticks(), 0)?;
    target.run_to_stop(None)?;
    let bench_raw = target.word(counters.bench.address)?;
    let device_raw = target.word(counters.device.address)?;
    let since = device_raw.wrapping_sub(last.at.ticks() as u32);
    if u64::from(since) > plan.tick_rate.ticks_from_ms(SETUP_MS) {
        let (address, stamp) = (counters.device.address, last.at.ticks());
        let text =
            format!("the device counter at {address:#x} reads {device_raw} right after a stamp of {stamp} ticks");
        return Err(TargetError::Counters(text));
    }
    let device = last.at.after(u64::from(since));
    let hall = Hall::begin(plan.tick_rate, counters.bench, bench_raw, device_raw, device);
    Ok((hall, last.seq.wrapping_add(1)))
}

/// What the rig said of a fault before the run began.
fn possible<T>(by: Result<T, &str>) -> Result<T, TargetError> {
    by.map_err(refused)
}

fn refused(what: &str) -> TargetError {
    TargetError::Handshake(format!("the plan should have been refused: {what}"))
}

/// A target that has been set up, and what has come of it since.
pub(super) struct Bench<'a> {
    target: &'a mut Target,
    description: &'a Description,
    counters: Counters,
    hall: Hall,
    /// Device time at the beginning of the run.
    zero: DeviceTime,
    /// Whether the target stopped in its idle loop, and not in the middle of what it was writing.
    idle: bool,
    /// How much later than asked for the target stopped last time: so much earlier it is asked next time.
    late_ns: i64,
    /// When something is due, where time is jumped in between.
    calendar: Option<Calendar>,
    phases: Phases,
    lost_presses: BySide<u32>,
    /// The step of the fault that has changed the rate last, and when that one ends.
    rate_ends: Option<(u32, TrueTime)>,
    /// The step of the fault that has stopped the time base, for how long, and its control register as it was.
    stands_still: Option<(u32, i64, u32)>,
    /// The step of the fault that has frozen the display last, and when it shows something again.
    display_ends: Option<(u32, TrueTime)>,
    achieved: Vec<Achieved>,
    ends: Vec<Achieved>,
    off: Option<Off>,
    resets: Vec<Reset>,
    jumps: Vec<Jump>,
    written: Written,
}

impl<'a> Bench<'a> {
    /// Resets the target and sets the clock up as the plan has it; the run begins there.
    pub(super) fn begin(
        target: &'a mut Target,
        description: &'a Description,
        plan: &Plan,
    ) -> Result<Self, TargetError> {
        let header = target.boot()?;
        if header.tick_hz != plan.tick_rate.hz() {
            let (ticks, wanted) = (header.tick_hz, plan.tick_rate.hz());
            return Err(TargetError::Handshake(format!("the firmware ticks at {ticks} Hz, not at {wanted} Hz")));
        }
        let device = device_counter(target, description)?;
        // Without true time the clock's own has to do: of what is wrong with that nothing is seen.
        let bench = description.true_time.as_ref().map_or(device, |true_time| true_time.counter);
        let counters = Counters { device, bench };
        description.true_time.as_ref().map_or(Ok(()), |true_time| start(target, true_time))?;
        for line in description.buttons.all() {
            stimulus::set(target, &description.stimulus, line, Contact::Open)?;
        }
        let (hall, next_seq) = configure(target, counters, plan)?;
        target.panel.as_mut().map_or(Ok(()), Panel::begin)?;
        let zero = hall.device();
        Ok(Self {
            target,
            description,
            counters,
            hall,
            zero,
            idle: true,
            late_ns: 0,
            calendar: None,
            phases: Phases::of(plan),
            lost_presses: BySide::both(0),
            rate_ends: None,
            stands_still: None,
            display_ends: None,
            achieved: Vec::new(),
            ends: Vec::new(),
            off: None,
            resets: Vec::new(),
            jumps: Vec::new(),
            written: Written::from(next_seq),
        })
    }

    /// The sequence number of the next record, and what the device's clock and its counter say, for a bench of another
    /// kind that goes on from here.
    pub(super) fn let_go(self) -> Result<(u16, DeviceTime, u32, Counter), TargetError> {
        let counter = self.counters.device;
        Ok((self.written.next_seq(), self.hall.device(), self.target.word(counter.address)?, counter))
    }

    /// Lets the target run until the hall's time has come, as nearly as it can be stopped.
    pub(super) fn wait_until(&mut self, at: TrueTime) -> Result<(), TargetError> {
        while self.hall.now().ns().saturating_add(self.late_ns) < at.ns() {
            let leg = match self.next(at) {
                Next::Jump(until) if self.idle => {
                    self.jump(until)?;
                    continue;
                }
                // First it has to come to its idle loop.
                Next::Jump(_) => self.hall.now().ns().saturating_add(self.late_ns),
                Next::Count(until) => until.min(self.hall.now().ns().saturating_add(LEG_NS)),
            };
            let stop_at = self.hall.device_at(TrueTime::from_ns(leg - self.late_ns));
            self.run_to(stop_at, 0)?;
            self.late_ns = self.hall.now().ns().saturating_sub(leg - self.late_ns).clamp(0, LATE_NS_MAX);
        }
        if self.idle { Ok(()) } else { self.run_to(self.hall.device().after(1), 0) }
    }

    /// Lets what is left pass of a wait that has ended a little early: what is found wrong before a fault was asked for is not
    /// excused by it.
    fn not_before(&mut self, at: TrueTime) -> Result<(), TargetError> {
        while self.hall.now() < at {
            self.run_to(self.hall.device_at(at).max(self.hall.device().after(1)), 0)?;
        }
        Ok(())
    }

    /// Lets the target run until a record of these kinds, or until `stop_at`.
    fn run_to(&mut self, stop_at: DeviceTime, stop_on: u64) -> Result<(), TargetError> {
        self.idle = stop_on == 0;
        self.target.set_stops(stop_at.ticks(), stop_on)?;
        self.target.run_to_stop(Some((self.counters.device, stop_at.ticks() as u32)))?;
        let (bench_before, device_before) = (self.hall.now(), self.hall.device());
        self.observe()?;
        let millisecond = self.description.tick_rate.ticks_from_ms(1);
        let early = stop_at.ticks_since(self.hall.device());
        if self.idle && early > millisecond {
            return Err(TargetError::StoppedEarly(early));
        }
        let passed = self.hall.device().ticks_since(device_before);
        if self.hall.now() == bench_before && passed > millisecond {
            let address = self.counters.bench.address;
            let text = format!("the counter of true time at {address:#x} stands still while {passed} ticks pass");
            return Err(TargetError::Counters(text));
        }
        self.written.take(&self.target.records()?)?;
        match &mut self.target.panel {
            // What it has to say of an event it has said when it is idle again.
            Some(panel) if self.idle => panel.look(&self.written.records, self.hall.device()),
            _ => Ok(()),
        }
    }

    /// Reads both counters of a target that stands still.
    fn observe(&mut self) -> Result<(), TargetError> {
        let bench_raw = self.target.word(self.counters.bench.address)?;
        let device_raw = self.target.word(self.counters.device.address)?;
        self.hall.observe(bench_raw, device_raw);
        Ok(())
    }

    /// Does one thing while the target is stopped, and lets it run until it has written of it.
    pub(super) fn act(&mut self, step: u32, act: &Act) -> Result<Achieved, TargetError> {
        let earliest = self.hall.now();
        match act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => {
                self.push_button(self.description.buttons.arbiter)?
            }
            Act::Press { side, .. } => self.press(*side)?,
            Act::SetTime { side, left_ms } => {
                let command = Command::SetTime { side: *side, left_ms: *left_ms };
                self.command(command, Kind::TIME_SET)?;
            }
            Act::SetCounter { side, moves } => {
                let command = Command::SetCounter { side: *side, moves: *moves };
                self.command(command, Kind::COUNTER_SET)?;
            }
            Act::SetPeriod { side, period } => {
                let command = Command::SetPeriod { side: *side, period: *period };
                self.command(command, Kind::PERIOD_SET)?;
            }
            Act::Swap => self.command(Command::Swap, Kind::SWAPPED)?,
            Act::Undo => self.command(Command::Undo, Kind::UNDONE)?,
            Act::SetUp(installed) => self.command(Command::Configure(*installed.0), Kind::CONFIGURED)?,
            Act::Read => self.command(Command::Read, Kind::READ)?,
            Act::Fault(fault) => self.cause(step, fault)?,
            Act::Contact { side, closes } => self.move_contact(self.description.buttons.players[*side], *closes)?,
            // The rig refuses plans with another supply voltage; the rest only happens in the hall.
            Act::Battery { .. }
            | Act::Tap { .. }
            | Act::Move(_)
            | Act::Arrive { .. }
            | Act::Observe(_)
            | Act::Claim(_)
            | Act::Find(_)
            | Act::Hall(_) => {}
        }
        let achieved = Achieved { step, earliest, latest: self.hall.now() };
        self.achieved.push(achieved);
        Ok(achieved)
    }

    fn set(&mut self, line: u32, contact: Contact) -> Result<(), TargetError> {
        stimulus::set(self.target, &self.description.stimulus, line, contact)
    }

    fn press(&mut self, side: Side) -> Result<(), TargetError> {
        let line = self.description.buttons.players[side];
        let Some(left) = self.lost_presses[side].checked_sub(1) else { return self.push_button(line) };
        self.lost_presses[side] = left;
        let lost = *possible(self.description.faults.lost_press.by())?;
        // The pin moves, and the edge detector sees it: what is missing is the interrupt.
        let mask = fault::mask(self.target, &lost, line)?;
        self.move_unseen(line, Contact::Closed)?;
        self.move_unseen(line, Contact::Open)?;
        fault::unmask(self.target, &lost, line, mask)
    }

    /// Moves a contact of which the firmware knows nothing, and lets it run on to its idle loop.
    fn move_unseen(&mut self, line: u32, contact: Contact) -> Result<(), TargetError> {
        self.set(line, contact)?;
        self.run_to(self.hall.device().after(1), 0)
    }

    /// Lets something go wrong from here on.
    fn cause(&mut self, step: u32, fault: &Fault) -> Result<(), TargetError> {
        let faults = &self.description.faults;
        match *fault {
            Fault::LostPress { side } => self.lost_presses[side] += 1,
            Fault::Rate { ppb, for_ns } => {
                let rate = *possible(faults.rate.by())?;
                let count = rate.count_for(ppb).ok_or_else(|| refused("a rate between two steps"))?;
                self.set_rate(count)?;
                self.rate_ends = self.hall.now().checked_add_ns(for_ns).map(|at| (step, at));
            }
            Fault::Jump { by_ns } => {
                let ticks = i128::from(by_ns) * i128::from(self.description.tick_rate.hz()) / 1_000_000_000;
                let ticks = i32::try_from(ticks).map_err(|_| refused("a jump over more than half a counter"))?;
                fault::jump(self.target, possible(faults.jump.by())?, ticks)?;
                if ticks < 0 {
                    self.hall.go_back(ticks.unsigned_abs());
                }
                self.observe()?;
            }
            Fault::Stuck { for_ns } => {
                let control = fault::stop(self.target, possible(faults.stuck.by())?)?;
                self.stands_still = Some((step, for_ns, control));
            }
            Fault::DisplayFrozen { for_ns } => {
                self.let_the_wire_run_dry()?;
                fault::freeze(self.target, possible(faults.display_frozen.by())?, true)?;
                let ends = self.hall.now().checked_add_ns(for_ns).map(|at| (step, at));
                let before = self.display_ends.take();
                self.display_ends = before.into_iter().chain(ends).max_by_key(|(_, at)| *at);
            }
            Fault::Reset { off_ns, .. } => self.fail(step, off_ns)?,
            // The rig refuses plans with other faults.
            _ => return Err(refused("a fault that this bench cannot cause")),
        }
        Ok(())
    }

    fn set_rate(&mut self, count: u32) -> Result<(), TargetError> {
        let rate = *possible(self.description.faults.rate.by())?;
        fault::set_prescaler(self.target, &rate, count)?;
        self.hall.set_pace(Pace { ticks: rate.divides_by, of: count });
        self.observe()
    }

    /// Waits until a time base that was stopped goes on again, and lets it.
    ///
    /// The firmware runs meanwhile, without a time. Beside a real one the host's clock says for how long; emulated time says
    /// nothing of the host's, and the bench adds what the plan asks for.
    fn end_standstill(&mut self) -> Result<(), TargetError> {
        let Some((step, asked_ns, control)) = self.stands_still.take() else { return Ok(()) };
        let stuck = *possible(self.description.faults.stuck.by())?;
        self.target.set_stops(STOP_NEVER, 0)?;
        let began = Instant::now();
        let passed_ns = match self.description.probe {
            Probe::Emulator { .. } => {
                self.target.run_for(EMULATED_STANDSTILL)?;
                asked_ns
            }
            Probe::Selector(_) => {
                self.target.run_for(Duration::from_nanos(asked_ns.unsigned_abs()))?;
                i64::try_from(began.elapsed().as_nanos()).unwrap_or(i64::MAX)
            }
        };
        // It must not have gone on meanwhile; if it has, it is seen in what the clock says next.
        self.observe()?;
        self.hall.stand_still(passed_ns);
        self.ends.push(Achieved { step, earliest: self.hall.now(), latest: self.hall.now() });
        fault::go_on(self.target, &stuck, control)?;
        self.run_to(self.hall.device().after(1), 0)
    }

    /// Ends what ends by itself up to an instant.
    fn end_faults(&mut self, until: TrueTime) -> Result<(), TargetError> {
        self.end_standstill()?;
        let due = |ends: Option<(u32, TrueTime)>| ends.map(|(_, at)| at).filter(|at| *at <= until);
        while let Some(at) = [due(self.rate_ends), due(self.display_ends)].into_iter().flatten().min() {
            self.wait_until(at)?;
            let ended = |step| Achieved { step, earliest: self.hall.now(), latest: self.hall.now() };
            if let Some((step, _)) = self.rate_ends.take_if(|(_, ends)| *ends == at) {
                self.ends.push(ended(step));
                self.set_rate(possible(self.description.faults.rate.by())?.divides_by)?;
            } else if let Some((step, _)) = self.display_ends.take() {
                self.ends.push(ended(step));
                fault::freeze(self.target, possible(self.description.faults.display_frozen.by())?, false)?;
            }
        }
        Ok(())
    }

    fn push_button(&mut self, line: u32) -> Result<(), TargetError> {
        self.set(line, Contact::Closed)?;
        self.run_for_an_answer(ARBITER_OR_PLAYER)?;
        self.set(line, Contact::Open)
    }

    /// One edge of a contact, of which the firmware writes something if it takes it for a press.
    fn move_contact(&mut self, line: u32, closes: bool) -> Result<(), TargetError> {
        self.set(line, if closes { Contact::Closed } else { Contact::Open })?;
        // It is in its idle loop again once it has handled the edge.
        self.run_to(self.hall.device().after(1), Kind::PRESSED.mask())
    }

    fn command(&mut self, command: Command, answer: Kind) -> Result<(), TargetError> {
        let bytes: [u8; command::LEN] = command.to_bytes();
        self.target.send(&bytes)?;
        self.run_for_an_answer(answer.mask() | Kind::REFUSED.mask())
    }

    fn run_for_an_answer(&mut self, kinds: u64) -> Result<(), TargetError> {
        let patience = self.description.tick_rate.ticks_from_ms(ANSWER_MS);
        let stop_at = self.hall.device().after(patience);
        self.run_to(stop_at, kinds)
    }

    /// The hall's time at the latest look.
    pub(super) fn now(&self) -> TrueTime {
        self.hall.now()
    }

    /// The faces as they are now, without a trace of the question.
    pub(super) fn look(&mut self) -> Result<Record, TargetError> {
        self.wait_until(self.hall.now())?;
        let before = self.written.records.len();
        self.command(Command::Read, Kind::READ)?;
        match self.written.records[before..].iter().rposition(|record| record.kind == Kind::READ) {
            Some(index) => Ok(self.written.records.remove(before + index)),
            None => Err(TargetError::Handshake("the firmware was asked for its faces and wrote none".into())),
        }
    }

    /// Makes the trace. A plan ends with a look at the faces, so that nothing is left to be written.
    fn finish(mut self, plan: &Plan) -> Result<Trace, TargetError> {
        if self.target.panel.is_some() {
            // What the panel shows of the last record comes after it.
            self.wait_until(self.hall.now())?;
            self.let_the_wire_run_dry()?;
        }
        self.target.nothing_dropped()?;
        Ok(self.trace(plan))
    }

    /// Lets the device run until the lines of all records so far are through the wire, if there is one.
    fn let_the_wire_run_dry(&mut self) -> Result<(), TargetError> {
        let lag_ticks = self.target.panel.as_ref().and_then(|panel| panel.awaits(&self.written.records));
        lag_ticks.map_or(Ok(()), |ticks| self.run_to(self.hall.device().after(ticks), 0))
    }

    /// What has come of this plan so far.
    pub(super) fn trace(&self, plan: &Plan) -> Trace {
        let trace = Trace::new(plan.clone(), self.zero.ticks(), self.achieved.clone(), self.stamped());
        let panel = self.target.panel.as_ref().map(|panel| panel.misshown().to_vec());
        let (ends, resets, jumps) = (self.ends.clone(), self.resets.clone(), self.jumps.clone());
        let (displayed, placed) = (self.written.displayed.clone(), self.phases.placed.clone());
        Trace { ends, resets, jumps, panel, displayed, placed, ..trace }
    }

    /// What the device has written, with what the bench knows of its instants.
    pub(super) fn stamped(&self) -> Vec<Stamped> {
        let stamped = |record: &Record| {
            let (true_time, uncertainty_ns) = match record.kind {
                Kind::WENT_BACK => self.hall.true_time_of_notice(record.at),
                _ => self.hall.true_time_of(record.at),
            };
            Stamped { true_time, uncertainty_ns, record: *record }
        };
        self.written.records.iter().map(stamped).collect()
    }

    /// How much of its stack the firmware has used since its last reset.
    pub(super) fn stack(&mut self) -> Result<Option<StackUse>, TargetError> {
        self.target.stack()
    }

    /// Device time and true time at the latest stop.
    pub(super) fn clocks(&self) -> (DeviceTime, TrueTime) {
        (self.hall.device(), self.hall.now())
    }
}
