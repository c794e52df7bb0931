//! The device under test: the core's clock, with power, buttons and faces, and with what is wrong with each.
//!
//! Without a fault a device is the clock: it steps it and writes what happened. Faults wrap it, they do not rewrite it:
//! `works` reckons wrong, `signs` and `digits` show wrong what is reckoned right, and here presses are lost or doubled
//! and the supply fails. What is wrong with the time base is no matter of the device, which knows no other time.
//!
//! What a fault of [`flagfall_trace::Fault`] does, where its own words leave it open:
//!
//! | fault | decision |
//! |---|---|
//! | both run | the idle side has no delay; at zero it does what the running side would do there; two hourglasses stand |
//! | none runs | stamps go on, and time on move does not count for a bonus either; both run and none runs: none runs |
//! | reset | the time base is on the backup supply: device time goes on. Nothing is noticed, no time runs off; the clock comes back paused where it stood (or ready, as it was last set up) with a boot record, and debounces anew. Two resets that overlap are one |
//! | double press | the second closing comes in the same tick: what it does is a matter of the setting for a press of the side that does not run |
//! | lost, double bonus | about the next credit of that side, whatever brings it; a double one is recorded twice |
//! | rounding | after the bonus of the move; the last unit given holds |
//! | early flag | only a flag that is going to fall for good; it stays down until the time is corrected |
//! | late flag | not shown at all if it has gone up again by then, as a flag that opens a period does |
//! | sticky flag | neither is it named first |
//! | frozen, late display | the digits alone, not flags, counters and signs |

mod digits;
mod signs;
mod works;

use flagfall_core::kept::Kept;
use flagfall_core::record::{self, Kind};
use flagfall_core::{
    BySide, Clock, Debouncer, DeviceTime, Effect, Effects, Happening, Input, Phase, Record, SameTick, Setup, Side,
    State, TickRate, TrueTime,
};
use flagfall_trace::Stamped;
use flagfall_trace::plan::{Act, Fault, Plan, Retained};

use crate::oscillator::Oscillator;
use digits::Digits;
use signs::{Flag, Signs};
use works::Works;

/// An instant of the hall, and the tick that the time base shows then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) now: TrueTime,
    pub(crate) tick: DeviceTime,
}

/// The end of a fault that lasts for some time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending {
    BothRun,
    NoneRuns,
    Reset,
    DisplayFrozen,
    /// Of the fault that was the so-manieth to make the display late.
    DisplayLate(u64),
}

/// A clock on the table.
#[derive(Debug)]
pub(crate) struct Device {
    works: Works,
    signs: Signs,
    digits: Digits,
    contacts: BySide<Debouncer>,
    lost_presses: BySide<u32>,
    double_presses: BySide<u32>,
    /// As it was last set up.
    installed: Setup,
    supply_is_low: bool,
    /// What is kept while the supply has failed, and how many faults keep it down.
    off: Option<Retained>,
    failures: u32,
    /// Nothing has been wrong so far.
    is_sound: bool,
    /// What the last step of a sound clock brought.
    effects: Box<Effects>,
    records: Vec<Stamped>,
}

impl Device {
    /// A device set up as the plan has it, with as much memory of its past as the plan's faults need.
    pub(crate) fn new(plan: &Plan) -> Self {
        let setup = plan.device_setup.as_ref().unwrap_or(&plan.setup);
        let late = plan.steps.iter().filter_map(|step| match step.act {
            Act::Fault(Fault::DisplayLate { by_ns, .. }) => Some(by_ns),
            _ => None,
        });
        Self {
            works: Works::new(setup, plan.tick_rate),
            signs: Signs::default(),
            digits: Digits::new(late.max()),
            contacts: contacts(setup, plan.tick_rate),
            lost_presses: BySide::both(0),
            double_presses: BySide::both(0),
            installed: *setup,
            supply_is_low: false,
            off: None,
            failures: 0,
            is_sound: true,
            effects: Box::default(),
            records: Vec::new(),
        }
    }

    /// What it has written so far.
    pub(crate) const fn records(&self) -> &Vec<Stamped> {
        &self.records
    }

    /// What it has written.
    pub(crate) fn into_records(self) -> Vec<Stamped> {
        self.records
    }

    /// Whether anything can be read off it or keyed into it.
    pub(crate) const fn is_on(&self) -> bool {
        self.off.is_none()
    }

    /// Something is done to it, or its alarm rings.
    pub(crate) fn step(&mut self, moment: Moment, input: Input) {
        if let Input::Battery { low } = input {
            self.supply_is_low = low;
        }
        if !self.is_on() {
            return;
        }
        if self.is_sound {
            let Self { works, effects, records, .. } = self;
            works.step_soundly(moment.tick, input, effects);
            for happening in effects.iter() {
                let record = Record::new(records.len() as u16, happening, works.setup(), works.rate());
                records.push(Stamped { true_time: moment.now, uncertainty_ns: 0, record });
            }
            return;
        }
        for happening in self.works.step(moment.tick, input) {
            if self.signs.shows(&happening, moment.now) {
                self.tell(moment.now, &happening);
            }
        }
        let seen_to_fall: Vec<Side> = self.signs.fall_now(&self.works, moment.now).collect();
        for side in seen_to_fall {
            let (at, state) = (self.works.now(), *self.works.state());
            self.tell(moment.now, &Happening { at, effect: Effect::FlagFell(side, 0), state });
        }
    }

    /// A button is pressed, bounces and all.
    pub(crate) fn press(&mut self, moment: Moment, side: Side) {
        if !self.is_on() || take_one(&mut self.lost_presses[side]) {
            return;
        }
        self.step(moment, Input::Press(side));
        if take_one(&mut self.double_presses[side]) {
            self.step(moment, Input::Press(side));
        }
    }

    /// A button's contact closes or opens.
    pub(crate) fn contact(&mut self, moment: Moment, side: Side, closes: bool) {
        if self.contacts[side].edge(moment.tick, closes) {
            self.press(moment, side);
        }
    }

    /// It is set up anew and waits for its start: it knows nothing of what was before.
    pub(crate) fn set_up(&mut self, moment: Moment, setup: &Setup) {
        self.step(moment, Input::Wake);
        self.installed = *setup;
        self.restart(moment, setup, Clock::new(setup, self.works.rate()).state());
        let configured = self.standing(moment, Kind::CONFIGURED);
        self.write(moment.now, configured);
    }

    fn restart(&mut self, moment: Moment, setup: &Setup, state: &State) {
        self.works.restart(setup, moment.tick, state);
        self.signs.forget();
        self.contacts = contacts(setup, self.works.rate());
    }

    fn standing(&self, moment: Moment, kind: Kind) -> Record {
        let (state, setup) = (self.works.state(), self.works.setup());
        let mut record = Record::of_state(kind, self.seq(), moment.tick, state, setup, self.works.rate());
        self.show(moment.now, state, &mut record);
        record
    }

    /// A fault begins; how it ends, if it lasts for some time.
    ///
    /// `None` as well for what is wrong with the time base.
    pub(crate) fn begin(&mut self, moment: Moment, fault: Fault) -> Option<(i64, Ending)> {
        self.settle(moment);
        self.is_sound = false;
        match fault {
            Fault::BothRun { for_ns } => {
                self.works.both_run += 1;
                return Some((for_ns, Ending::BothRun));
            }
            Fault::NoneRuns { for_ns } => {
                self.works.none_runs += 1;
                return Some((for_ns, Ending::NoneRuns));
            }
            Fault::Reset { off_ns, retained } => {
                self.fail(retained);
                return Some((off_ns, Ending::Reset));
            }
            Fault::DisplayFrozen { for_ns } => {
                self.digits.freeze(&self.works, moment.now);
                return Some((for_ns, Ending::DisplayFrozen));
            }
            Fault::DisplayLate { by_ns, for_ns } => {
                return Some((for_ns, Ending::DisplayLate(self.digits.be_late(by_ns))));
            }
            Fault::LostPress { side } => self.lost_presses[side] += 1,
            Fault::DoublePress { side } => self.double_presses[side] += 1,
            Fault::LostBonus { side } => self.works.lost_bonuses[side] += 1,
            Fault::DoubleBonus { side } => self.works.double_bonuses[side] += 1,
            Fault::RoundingAtSwitch { to_ns } => self.works.round_to(to_ns),
            Fault::FlagEarly { side, by_ns } => {
                let ticks = self.works.rate().tick_at(TrueTime::from_ns(by_ns)).ticks();
                self.signs.set(side, Flag::Early { ticks });
            }
            Fault::FlagLate { side, by_ns } => self.signs.set(side, Flag::Late { ns: by_ns }),
            Fault::FlagSticky { side } => self.signs.set(side, Flag::Sticky),
            Fault::FirstFallenWrong => self.signs.first_fallen_wrong = true,
            // Faults of the time base are the world's, and those of a dial were refused before the run began.
            Fault::Dial(_) | Fault::Stuck { .. } | Fault::Jump { .. } | Fault::Rate { .. } | Fault::Ticks { .. } => {}
        }
        None
    }

    /// A fault that lasted for some time is over.
    pub(crate) fn end(&mut self, moment: Moment, ending: Ending) {
        self.settle(moment);
        match ending {
            Ending::BothRun => self.works.both_run -= 1,
            Ending::NoneRuns => self.works.none_runs -= 1,
            Ending::Reset => self.recover(moment),
            Ending::DisplayFrozen => self.digits.thaw(),
            Ending::DisplayLate(number) => self.digits.catch_up(number),
        }
    }

    /// Lets time pass up to this moment in the way in which it has passed so far.
    fn settle(&mut self, moment: Moment) {
        if moment.tick > self.works.now() {
            self.step(moment, Input::Wake);
        }
    }

    fn fail(&mut self, retained: Retained) {
        self.failures += 1;
        self.off = match self.off {
            Some(Retained::Settings) => Some(Retained::Settings),
            _ => Some(retained),
        };
        self.digits.forget();
    }

    fn recover(&mut self, moment: Moment) {
        self.failures -= 1;
        let Some(retained) = self.off.take_if(|_| self.failures == 0) else { return };
        let (setup, kept, what) = match retained {
            Retained::Everything => (*self.works.setup(), *self.works.state(), Kept::Everything),
            Retained::Settings => {
                (self.installed, *Clock::new(&self.installed, self.works.rate()).state(), Kept::Settings)
            }
        };
        let phase = match kept.phase {
            Phase::Running(side) => Phase::Paused(side),
            stopped => stopped,
        };
        let state = State { phase, battery_low: self.supply_is_low, ..kept };
        self.restart(moment, &setup, &state);
        let value = u64::from(self.works.rate().hz());
        let booted = Record { detail: record::boot_detail(what, 0), value, ..self.standing(moment, Kind::BOOT) };
        self.write(moment.now, booted);
    }

    /// The next tick at which it wants to be woken.
    pub(crate) fn next_deadline(&self) -> Option<DeviceTime> {
        if self.is_sound {
            return self.works.next_deadline();
        }
        if !self.is_on() {
            return None;
        }
        let BySide { white, black } = self.works.zeros_ahead();
        [white, black, self.signs.next_early(&self.works)].into_iter().flatten().min()
    }

    /// Whether a press in the tick of the next deadline is to be noticed before it.
    pub(crate) fn waits_for_a_press(&self) -> bool {
        self.works.setup().same_tick == SameTick::PressFirst
    }

    /// The next instant at which it shows something on its own, whatever its time base does.
    pub(crate) fn next_sign(&self) -> Option<TrueTime> {
        if self.is_on() { self.signs.next_late() } else { None }
    }

    /// Keeps what it is like now, as far as its display may be late.
    pub(crate) fn remember(&mut self, oscillator: &Oscillator, now: TrueTime) {
        if self.is_on() {
            self.digits.remember(&self.works, oscillator, now);
        }
    }

    fn tell(&mut self, now: TrueTime, happening: &Happening) {
        let mut record = Record::new(self.seq(), happening, self.works.setup(), self.works.rate());
        self.show(now, &happening.state, &mut record);
        self.write(now, record);
    }

    /// Puts into a record of this state what is seen of it.
    fn show(&self, now: TrueTime, state: &State, record: &mut Record) {
        self.signs.show(record, state, self.works.setup().first_fallen_sign);
        self.digits.show(record, now);
    }

    const fn seq(&self) -> u16 {
        self.records.len() as u16
    }

    fn write(&mut self, now: TrueTime, record: Record) {
        self.records.push(Stamped { true_time: now, uncertainty_ns: 0, record });
    }
}

fn contacts(setup: &Setup, rate: TickRate) -> BySide<Debouncer> {
    BySide::both(Debouncer::new(setup.debounce_ms, rate))
}

fn take_one(count: &mut u32) -> bool {
    let some = *count > 0;
    *count = count.saturating_sub(1);
    some
}
