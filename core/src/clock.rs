//! The sans-IO clock: `step(at, input)` lets time pass up to `at`, applies the input and returns what happened.
//!
//! Read FIDE Laws 6.1 (one side runs at most), 6.2 (press), 6.3 (periods, delay), 6.10 and 6.12 (corrections, stopping)
//! and the requirements (a) to (l) for electronic clocks first.
//!
//! Decisions at the edges, all visible to players:
//! - exactly zero is fallen: a press in the tick of the flag comes after the flag;
//! - the flag falls at its deadline however late the clock is stepped;
//! - a fallen side is credited nothing by its presses (requirement (i)), until the arbiter corrects its time;
//! - the delay left when the clock is paused is what is left when it goes on;
//! - time that goes back is held: nothing is undone, and the step says so.

use crate::control::{AtZero, Bonus, Credit, Setup};
use crate::side::{BySide, Side};
use crate::time::{DeviceTime, TickRate};

/// What can be done to a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A player presses his button.
    Press(Side),
    /// The arbiter's button: starts a clock that is ready, pauses one that runs, resumes one that is paused.
    ArbiterButton,
    /// The arbiter corrects what a side has left.
    SetTime {
        /// Whose time.
        side: Side,
        /// Milliseconds left from now on; the delay of the current move stays what it is.
        left_ms: u64,
    },
    /// The arbiter corrects a side's move counter; the period indicator follows, times do not.
    SetCounter {
        /// Whose counter.
        side: Side,
        /// Completed moves from now on.
        moves: u16,
    },
    /// Someone looks at the faces.
    Read,
    /// Nothing but time passing: the alarm of [`Clock::next_deadline`].
    Wake,
}

/// Why a press or an arbiter's button changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum IgnoredBecause {
    /// The clock has not been started.
    NotStarted = 1,
    /// The other side is running: this side has already been pressed.
    NotOnMove = 2,
    /// The clock is paused.
    Paused = 3,
    /// The clock is frozen by a fallen flag.
    Frozen = 4,
}

impl IgnoredBecause {
    /// All reasons, in the order of their wire numbers.
    pub const ALL: [Self; 4] = [Self::NotStarted, Self::NotOnMove, Self::Paused, Self::Frozen];

    /// The words for a reader: `not started`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotStarted => "not started",
            Self::NotOnMove => "not on move",
            Self::Paused => "paused",
            Self::Frozen => "frozen",
        }
    }
}

/// One thing that happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A player's button was pressed; what it did follows.
    Pressed(Side),
    /// The arbiter's button was pressed; what it did follows.
    ArbiterPressed,
    /// The game began and this side runs.
    Started(Side),
    /// This side runs now, the other has stopped.
    Switched(Side),
    /// An increment was added to this side.
    Credited(Side, u64),
    /// This side entered the period with this index; its base was added if a press did it.
    PeriodEntered(Side, u8),
    /// This side's flag fell; the number is how many ticks later the clock noticed.
    FlagFell(Side, u64),
    /// The clock was paused while this side ran.
    Paused(Side),
    /// The clock goes on with this side.
    Resumed(Side),
    /// This side's time was set to so many ticks.
    TimeSet(Side, u64),
    /// This side's counter was set.
    CounterSet(Side, u16),
    /// The input before this changed nothing.
    Ignored(Option<Side>, IgnoredBecause),
    /// The faces were read.
    Read,
    /// The step was dated so many ticks before the last one, and was taken at the time of the last one.
    WentBack(u64),
}

/// What the clock is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Set up, waiting for the start.
    Ready,
    /// This side runs.
    Running(Side),
    /// Stopped by the arbiter; this side will go on.
    Paused(Side),
    /// Stopped by a fallen flag; this side was running.
    Frozen(Side),
}

/// What can be read off a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// What it is doing.
    pub phase: Phase,
    /// Main time left, in ticks.
    pub remaining_ticks: BySide<u64>,
    /// Delay left for the current move, in ticks.
    pub delay_ticks: BySide<u64>,
    /// Counted presses, which is what the clock knows of completed moves.
    pub moves: BySide<u16>,
    /// Index of each side's period.
    pub period: BySide<u8>,
    /// Whether each side's flag is down.
    pub fallen: BySide<bool>,
    /// Which flag fell first, while any is down and the clock has such a sign.
    pub first_fallen: Option<Side>,
}

/// An effect, the tick in which it took effect, and the clock right after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happening {
    /// When it took effect.
    pub at: DeviceTime,
    /// What happened.
    pub effect: Effect,
    /// The clock right after.
    pub state: State,
}

/// A step makes at most this many effects: went back, flag, press, credit, period, switch.
const EFFECTS_MAX: usize = 6;

/// The effects of one step, in order.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    list: [Option<Happening>; EFFECTS_MAX],
    count: usize,
}

impl Effects {
    /// The happenings in order.
    pub fn iter(&self) -> impl Iterator<Item = &Happening> {
        self.list[..self.count].iter().flatten()
    }

    fn push(&mut self, happening: Happening) {
        self.list[self.count] = Some(happening);
        self.count += 1;
    }
}

/// A chess clock with two sides.
#[derive(Clone, Debug)]
pub struct Clock {
    setup: Setup,
    rate: TickRate,
    now: DeviceTime,
    state: State,
    first_fallen: Option<Side>,
}

impl Clock {
    /// A clock set up and waiting, at device time zero.
    #[must_use]
    pub fn new(setup: &Setup, rate: TickRate) -> Self {
        let moves = BySide::from_fn(|side| setup.opening[side].moves);
        let period = moves.map(|moves| setup.control.period_after(moves));
        let mut clock = Self {
            setup: *setup,
            rate,
            now: DeviceTime::ZERO,
            state: State {
                phase: Phase::Ready,
                remaining_ticks: BySide::both(0),
                delay_ticks: BySide::both(0),
                moves,
                period,
                fallen: BySide::both(false),
                first_fallen: None,
            },
            first_fallen: None,
        };
        for side in Side::ALL {
            let first_increment = if setup.credit == Credit::BeforeMove { clock.increment_ticks(side) } else { 0 };
            clock.state.remaining_ticks[side] = match setup.opening[side].left_ms {
                Some(ms) => rate.ticks_from_ms(ms),
                None => rate.ticks_from_ms(setup.control.period(period[side]).base_ms) + first_increment,
            };
        }
        clock
    }

    /// What can be read off the clock as of the last step.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The rate of its time base.
    #[must_use]
    pub const fn rate(&self) -> TickRate {
        self.rate
    }

    /// When the running side's flag will fall if nothing happens before.
    #[must_use]
    pub fn next_deadline(&self) -> Option<DeviceTime> {
        let Phase::Running(side) = self.state.phase else { return None };
        if self.state.fallen[side] {
            return None;
        }
        Some(self.now.after(self.state.delay_ticks[side].saturating_add(self.state.remaining_ticks[side])))
    }

    /// Lets time pass up to `at`, then applies `input`.
    ///
    /// A flag whose deadline is not after `at` falls first, dated at its deadline. If `at` lies before the last step it
    /// is taken at the time of that step and [`Effect::WentBack`] comes first.
    pub fn step(&mut self, at: DeviceTime, input: Input) -> Effects {
        let mut effects = Effects::default();
        if at < self.now {
            self.note(&mut effects, Effect::WentBack(self.now.ticks_since(at)));
        }
        self.advance(at.max(self.now), &mut effects);
        match input {
            Input::Press(side) => self.press(side, &mut effects),
            Input::ArbiterButton => self.arbiter_button(&mut effects),
            Input::SetTime { side, left_ms } => self.set_time(side, left_ms, &mut effects),
            Input::SetCounter { side, moves } => self.set_counter(side, moves, &mut effects),
            Input::Read => self.note(&mut effects, Effect::Read),
            Input::Wake => {}
        }
        effects
    }

    fn note(&self, effects: &mut Effects, effect: Effect) {
        effects.push(Happening { at: self.now, effect, state: self.state });
    }

    fn advance(&mut self, at: DeviceTime, effects: &mut Effects) {
        if let Some(deadline) = self.next_deadline().filter(|deadline| *deadline <= at)
            && let Phase::Running(side) = self.state.phase
        {
            self.now = deadline;
            self.state.delay_ticks[side] = 0;
            self.state.remaining_ticks[side] = 0;
            self.fall(side, at.ticks_since(deadline), effects);
        }
        if let Phase::Running(side) = self.state.phase {
            let passed = at.ticks_since(self.now);
            let from_delay = passed.min(self.state.delay_ticks[side]);
            self.state.delay_ticks[side] -= from_delay;
            let main = &mut self.state.remaining_ticks[side];
            *main = main.saturating_sub(passed - from_delay);
        }
        self.now = at;
    }

    fn fall(&mut self, side: Side, noticed_late: u64, effects: &mut Effects) {
        self.state.fallen[side] = true;
        self.first_fallen = self.first_fallen.or(Some(side));
        self.show_first_fallen();
        if self.setup.at_zero == AtZero::Freeze
            && let Phase::Running(side) | Phase::Paused(side) = self.state.phase
        {
            self.state.phase = Phase::Frozen(side);
        }
        self.note(effects, Effect::FlagFell(side, noticed_late));
    }

    fn press(&mut self, side: Side, effects: &mut Effects) {
        self.note(effects, Effect::Pressed(side));
        let because = match self.state.phase {
            Phase::Running(running) if running == side => return self.complete_move(side, effects),
            Phase::Running(_) => IgnoredBecause::NotOnMove,
            Phase::Ready => IgnoredBecause::NotStarted,
            Phase::Paused(_) => IgnoredBecause::Paused,
            Phase::Frozen(_) => IgnoredBecause::Frozen,
        };
        self.note(effects, Effect::Ignored(Some(side), because));
    }

    fn complete_move(&mut self, side: Side, effects: &mut Effects) {
        self.state.moves[side] = self.state.moves[side].saturating_add(1);
        self.state.delay_ticks[side] = 0;
        if !self.state.fallen[side] {
            self.reward(side, effects);
        }
        self.run(side.other());
        self.note(effects, Effect::Switched(side.other()));
    }

    /// Credits what a completed move brings: the increment, and the base of a period that it opens.
    fn reward(&mut self, side: Side, effects: &mut Effects) {
        let played_in = self.state.period[side];
        let next = self.setup.control.period_after(self.state.moves[side]);
        if self.setup.credit == Credit::AfterMove {
            self.credit(side, effects);
        }
        if next > played_in {
            self.state.period[side] = next;
            let saved = if self.setup.carry_over { self.state.remaining_ticks[side] } else { 0 };
            self.state.remaining_ticks[side] = saved + self.rate.ticks_from_ms(self.setup.control.period(next).base_ms);
            self.note(effects, Effect::PeriodEntered(side, next));
        }
        if self.setup.credit == Credit::BeforeMove {
            self.credit(side, effects);
        }
    }

    fn credit(&mut self, side: Side, effects: &mut Effects) {
        let ticks = self.increment_ticks(side);
        if ticks > 0 {
            self.state.remaining_ticks[side] += ticks;
            self.note(effects, Effect::Credited(side, ticks));
        }
    }

    fn increment_ticks(&self, side: Side) -> u64 {
        match self.setup.control.period(self.state.period[side]).bonus {
            Bonus::Increment { ms } => self.rate.ticks_from_ms(u64::from(ms)),
            Bonus::None | Bonus::Delay { .. } => 0,
        }
    }

    fn run(&mut self, side: Side) {
        self.state.phase = Phase::Running(side);
        self.state.delay_ticks[side] = match self.setup.control.period(self.state.period[side]).bonus {
            Bonus::Delay { ms } => self.rate.ticks_from_ms(u64::from(ms)),
            Bonus::None | Bonus::Increment { .. } => 0,
        };
    }

    fn arbiter_button(&mut self, effects: &mut Effects) {
        self.note(effects, Effect::ArbiterPressed);
        let flag_down = self.state.fallen.white || self.state.fallen.black;
        let effect = match self.state.phase {
            // A clock that freezes at zero does not start with a flag that the arbiter has let fall.
            Phase::Ready if flag_down && self.setup.at_zero == AtZero::Freeze => {
                Effect::Ignored(None, IgnoredBecause::Frozen)
            }
            Phase::Ready => {
                self.run(self.setup.first);
                Effect::Started(self.setup.first)
            }
            Phase::Running(side) => {
                self.state.phase = Phase::Paused(side);
                Effect::Paused(side)
            }
            Phase::Paused(side) => {
                self.state.phase = Phase::Running(side);
                Effect::Resumed(side)
            }
            Phase::Frozen(_) => Effect::Ignored(None, IgnoredBecause::Frozen),
        };
        self.note(effects, effect);
    }

    fn set_time(&mut self, side: Side, left_ms: u64, effects: &mut Effects) {
        let ticks = self.rate.ticks_from_ms(left_ms);
        self.state.remaining_ticks[side] = ticks;
        self.state.fallen[side] = false;
        if self.first_fallen == Some(side) {
            // Of the flags that are down, the other's is now the first.
            self.first_fallen = Some(side.other()).filter(|other| self.state.fallen[*other]);
        }
        if !(self.state.fallen.white || self.state.fallen.black) {
            // A corrected clock waits for the arbiter's restart (FIDE Laws 6.12c), it does not run off by itself.
            if let Phase::Frozen(running) = self.state.phase {
                self.state.phase = Phase::Paused(running);
            }
        }
        self.show_first_fallen();
        self.note(effects, Effect::TimeSet(side, ticks));
        if ticks == 0 {
            self.state.delay_ticks[side] = 0;
            self.fall(side, 0, effects);
        }
    }

    fn set_counter(&mut self, side: Side, moves: u16, effects: &mut Effects) {
        self.state.moves[side] = moves;
        let period = self.setup.control.period_after(moves);
        let changed = period != self.state.period[side];
        self.state.period[side] = period;
        self.note(effects, Effect::CounterSet(side, moves));
        if changed {
            self.note(effects, Effect::PeriodEntered(side, period));
        }
    }

    fn show_first_fallen(&mut self) {
        self.state.first_fallen = self.first_fallen.filter(|_| self.setup.first_fallen_sign);
    }
}
