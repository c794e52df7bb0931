//! A firmware that offers a bench nothing: pressed through its pins, watched in its memory.
//!
//! The bench stops it at a function that it runs anyway, reads the words that hold its state, moves a pin, and looks again
//! when it has had the time that it needs. What it sees becomes the records of the trace, one for each look, whose time
//! is true time: there is no other.
//!
//! In the emulator a stop moves virtual time on to the next deadline of a timer, as a sleep would. A function that the
//! firmware calls before it sleeps is therefore the place to stop: the deadline is the one that it would have slept to,
//! and the tick that is due then comes first when it goes on. Stopped in the handler of that tick it would find the next
//! one due at once, every time, and never come to anything of a lower priority.

mod applicable;
mod map;
mod memory;

use flagfall_core::record::Kind;
use flagfall_core::{BySide, DeviceTime, Face, Phase, Record, Side, TrueTime};
use flagfall_judge::oracle::{Limits, Watched};
use flagfall_trace::plan::{Act, Fault, Plan};
use flagfall_trace::{Achieved, Stamped, Trace};

use super::description::{BenchCounter, Counter, Description, Probe, Symbols};
use super::stimulus::{self, Contact};
use super::target::{Target, TargetError};

pub(super) use applicable::{obstacle, unseen};
pub(super) use map::Map;

/// A wait that is longer than this is begun without stops, which each cost host time.
const STOPS_NS: i64 = 20_000_000_000;

/// The longest that the target runs without a stop: half of what a 32-bit counter at 1 MHz takes to wrap.
const LEG_NS: i64 = 30 * 60 * 1_000_000_000;

/// How much later than it should the bench may act, beyond what the act before took it.
const LATE_NS_MAX: i64 = 100_000_000;

/// Stops in a row without a count of true time after which there is none.
const STANDING_STOPS_MAX: u32 = 100;

/// What a rig that watches a clock declares about itself.
pub(super) fn limits(description: &Description, symbols: &Symbols) -> Limits {
    let rate = description.tick_rate;
    let ticks =
        |us: u64| u64::try_from((u128::from(us) * u128::from(rate.hz())).div_ceil(1_000_000)).unwrap_or(u64::MAX);
    let count = description.true_time.as_ref().map_or(0, |true_time| rate.hz().div_ceil(true_time.counter.hz));
    Limits {
        oscillator_ppt: description.oscillator_limit_ppb.saturating_mul(1_000),
        stamp_ticks: u64::from(count),
        stamp_latency_max_ns: description.stamp_latency_max_us.saturating_mul(1_000),
        flag_notice_max_ns: None,
        watched: Some(Watched {
            unit_ticks: ticks(symbols.unit_us),
            age_ticks: ticks(symbols.age_max_us),
            flags: symbols.flags.is_some(),
            moves: symbols.moves.is_some(),
        }),
    }
}

/// How long after an act the clock has had the time that it needs, in nanoseconds.
fn settling_ns(description: &Description, symbols: &Symbols) -> i64 {
    let shown_us = description.stamp_latency_max_us.saturating_add(symbols.age_max_us);
    i64::try_from(shown_us.max(symbols.press_us).saturating_mul(1_000)).unwrap_or(i64::MAX)
}

/// Carries out a plan on a target that runs a firmware with this map.
pub(super) fn carry_out(
    target: &mut Target,
    description: &Description,
    symbols: &Symbols,
    map: &Map,
    plan: &Plan,
) -> Result<Trace, TargetError> {
    let Some(BenchCounter { counter, start }) = &description.true_time else {
        return Err(TargetError::Counters("this board has no true time".into()));
    };
    target.restart()?;
    if matches!(description.probe, Probe::Emulator { .. }) && target.is_in_a_handler()? {
        return Err(TargetError::Handshake(format!(
            "`{}` is or is called by an interrupt handler, where each stop in the emulator brings the next tick at once and \
             nothing else gets a turn: `symbols.stop` must name a function that the firmware calls outside, before it sleeps",
            symbols.stop
        )));
    }
    start.iter().try_for_each(|write| target.set_register(*write))?;
    for line in description.buttons.all() {
        stimulus::set(target, &description.stimulus, line, Contact::Open)?;
    }
    memory::set_up(target, symbols, map, plan)?;
    let raw = target.word(counter.address)?;
    let mut watch = Watch {
        target,
        description,
        symbols,
        map,
        rate: plan.tick_rate,
        time: Time { counter: *counter, raw, counts: 0 },
        lost_presses: BySide::both(0),
        ran: None,
        achieved: Vec::new(),
        looks: Vec::new(),
    };
    for (index, step) in plan.steps.iter().enumerate() {
        watch.wait_until(step.at)?;
        watch.look()?;
        watch.act(index as u32, &step.act)?;
    }
    Ok(Trace::of_looks(plan.clone(), watch.achieved, watch.looks))
}

/// True time since the beginning of the run.
struct Time {
    counter: Counter,
    raw: u32,
    counts: u64,
}

impl Time {
    fn observe(&mut self, raw: u32) {
        self.counts += u64::from(raw.wrapping_sub(self.raw));
        self.raw = raw;
    }

    fn ns(&self) -> i64 {
        let ns = u128::from(self.counts) * 1_000_000_000 / u128::from(self.counter.hz);
        i64::try_from(ns).unwrap_or(i64::MAX)
    }

    fn counts_in(&self, ns: i64) -> u64 {
        let counts = u128::from(ns.max(0).unsigned_abs()) * u128::from(self.counter.hz) / 1_000_000_000;
        u64::try_from(counts).unwrap_or(u64::MAX)
    }
}

struct Watch<'a> {
    target: &'a mut Target,
    description: &'a Description,
    symbols: &'a Symbols,
    map: &'a Map,
    rate: flagfall_core::TickRate,
    time: Time,
    lost_presses: BySide<u32>,
    /// Whose time was last seen to run.
    ran: Option<Side>,
    achieved: Vec<Achieved>,
    looks: Vec<Stamped>,
}

impl Watch<'_> {
    /// Lets the target run until the hall's time has come.
    fn wait_until(&mut self, at: TrueTime) -> Result<(), TargetError> {
        loop {
            let ahead = at.ns().saturating_sub(self.time.ns());
            if ahead <= 0 {
                let late = ahead.saturating_neg();
                let allowed = settling_ns(self.description, self.symbols).saturating_add(LATE_NS_MAX);
                return if late <= allowed { Ok(()) } else { Err(TargetError::Overslept { by_ms: late / 1_000_000 }) };
            }
            if ahead > STOPS_NS {
                let counts = self.time.counts_in(ahead.min(LEG_NS));
                self.target.run_freely(self.time.counter, counts)?;
                self.time.observe(self.target.word(self.time.counter.address)?);
            } else {
                self.run_to_next_stop()?;
            }
        }
    }

    fn run_to_next_stop(&mut self) -> Result<(), TargetError> {
        let before = self.time.counts;
        for _ in 0..STANDING_STOPS_MAX {
            self.target.run_to_stop(Some((self.time.counter, self.time.raw)))?;
            self.time.observe(self.target.word(self.time.counter.address)?);
            if self.time.counts != before {
                return Ok(());
            }
        }
        let address = self.time.counter.address;
        let text =
            format!("true time at {address:#x} stands still while the firmware stops {STANDING_STOPS_MAX} times");
        Err(TargetError::Counters(text))
    }

    fn act(&mut self, step: u32, act: &Act) -> Result<(), TargetError> {
        if !act.is_for_the_clock() {
            return Ok(());
        }
        let earliest = self.now();
        match act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => self.push(self.description.buttons.arbiter)?,
            Act::Press { side, .. } => match self.lost_presses[*side].checked_sub(1) {
                Some(left) => {
                    self.lost_presses[*side] = left;
                    self.settle()?;
                }
                None => self.push(self.description.buttons.players[*side])?,
            },
            Act::Fault(Fault::LostPress { side }) => self.lost_presses[*side] += 1,
            // The rest is not applicable, or done with the look before it.
            _ => {}
        }
        self.achieved.push(Achieved { step, earliest, latest: self.now() });
        Ok(())
    }

    /// Holds a button down for as long as the firmware needs, and sees what has come of it.
    fn push(&mut self, line: u32) -> Result<(), TargetError> {
        stimulus::set(self.target, &self.description.stimulus, line, Contact::Closed)?;
        let settled = self.settle();
        stimulus::set(self.target, &self.description.stimulus, line, Contact::Open)?;
        settled
    }

    /// Gives the firmware as long as it needs for a press, and looks.
    fn settle(&mut self) -> Result<(), TargetError> {
        let until = self.time.ns().saturating_add(settling_ns(self.description, self.symbols));
        while self.time.ns() < until {
            self.run_to_next_stop()?;
        }
        self.look()
    }

    fn now(&self) -> TrueTime {
        TrueTime::from_ns(self.time.ns())
    }

    /// What the memory shows now, if that has not been looked at.
    fn look(&mut self) -> Result<(), TargetError> {
        let now = self.now();
        if self.looks.last().is_some_and(|look| look.true_time == now) {
            return Ok(());
        }
        let seen = memory::read(self.target, self.symbols, self.map)?;
        self.ran = seen.running.or(self.ran);
        let phase = match (seen.running, self.ran) {
            (Some(side), _) => Phase::Running(side),
            (None, None) => Phase::Ready,
            (None, Some(ran)) if !seen.paused && (seen.fallen.white || seen.fallen.black) => Phase::Frozen(ran),
            (None, Some(ran)) => Phase::Paused(ran),
        };
        let ticks = |units: u64| {
            let us = u128::from(units) * u128::from(self.symbols.unit_us);
            u64::try_from(us * u128::from(self.rate.hz()) / 1_000_000).unwrap_or(u64::MAX)
        };
        let record = Record {
            kind: Kind::READ,
            side: None,
            seq: self.looks.len() as u16,
            detail: 0,
            at: DeviceTime::from_ticks(self.rate.tick_at(now).ticks()),
            value: 0,
            phase,
            remaining_ticks: seen.left.map(ticks),
            delay_ticks: 0,
            shown: BySide::both(Face::from_seconds(0)),
            shown_delay_seconds: 0,
            moves: seen.moves,
            overtime: BySide::both(0),
            period: BySide::both(0),
            fallen: seen.fallen,
            first_fallen: None,
            battery_low: false,
        };
        let uncertainty_ns = 1_000_000_000_u64.div_ceil(u64::from(self.time.counter.hz));
        self.looks.push(Stamped { true_time: now, uncertainty_ns, record });
        Ok(())
    }
}
