//! The closed form: what an exact clock has left, from turns and corrections, without stepping through time.
//!
//! Read FIDE Laws 6.1 to 6.3 first. A side's time is what it was given minus what its turns were charged; a turn is
//! charged its time on move beyond the delay, and never more than there was. Nothing here is taken from the clock's
//! own code: the two may agree only because both are right.
//!
//! [`Reckoning::deed`] and [`Reckoning::reach_zero`] answer with everything that a clock must tell of what happened, in
//! order, each with where the clock stands right after.

mod account;
mod correction;
mod turn;
mod zero;

use flagfall_core::record::Kind;
use flagfall_core::{BySide, IgnoredBecause, Setup, Side, TickRate};

use account::Books;
use correction::Correction;
pub(crate) use zero::Zero;

/// What is done to a clock, as the oracle sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed<'a> {
    Press(Side),
    ArbiterButton,
    SetTime(Side, u64),
    SetCounter(Side, u16),
    SetPeriod(Side, u8),
    Swap,
    Undo,
    SetUp(&'a Setup),
    Battery(bool),
    Read,
}

/// What the clock is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    Waiting,
    Running(Side),
    Paused(Side),
    Frozen(Side),
}

impl Doing {
    /// The side that runs or ran.
    pub(crate) const fn side(self) -> Option<Side> {
        match self {
            Self::Waiting => None,
            Self::Running(side) | Self::Paused(side) | Self::Frozen(side) => Some(side),
        }
    }

    const fn swapped(self) -> Self {
        match self {
            Self::Waiting => Self::Waiting,
            Self::Running(side) => Self::Running(side.other()),
            Self::Paused(side) => Self::Paused(side.other()),
            Self::Frozen(side) => Self::Frozen(side.other()),
        }
    }
}

/// One thing that a clock must tell, in the words of a record, and where it stands then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) kind: Kind,
    pub(crate) side: Option<Side>,
    pub(crate) detail: u16,
    /// `None` where it is the clock's own affair: how late it noticed a fall.
    pub(crate) value: Option<u64>,
    pub(crate) standing: Standing,
}

/// All that can be read off a clock at one tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) doing: Doing,
    pub(crate) left: BySide<u64>,
    /// Delay left for the side that runs or ran.
    pub(crate) delay: u64,
    pub(crate) presses: BySide<u16>,
    pub(crate) period: BySide<u8>,
    pub(crate) overtime: BySide<u16>,
    pub(crate) fallen: BySide<bool>,
    pub(crate) first_fallen_sign: Option<Side>,
    pub(crate) battery_low: bool,
}

/// A clock reckoned from what was done to it.
#[derive(Clone, Debug)]
pub(crate) struct Reckoning {
    setup: Setup,
    rate: TickRate,
    books: Books,
    battery_low: bool,
    correction: Option<Correction>,
}

impl Reckoning {
    pub(crate) fn new(setup: &Setup, rate: TickRate) -> Self {
        Self { setup: *setup, rate, books: Books::open(setup, rate), battery_low: false, correction: None }
    }

    pub(crate) fn doing(&self) -> Doing {
        self.books.doing
    }

    pub(crate) fn fallen(&self, side: Side) -> bool {
        self.fell_at(side).is_some()
    }

    /// The tick at which a side's flag fell, if it is down.
    pub(crate) fn fell_at(&self, side: Side) -> Option<u64> {
        self.books.accounts[side].fell_at
    }

    /// Main time left on a side at a tick not before the last deed; time used on one that counts up.
    pub(crate) fn left(&self, side: Side, now: u64) -> u64 {
        self.books.left(side, now)
    }

    /// The tick at which a side's flag falls for good if nobody does anything, or fell; `None` if that cannot be known.
    pub(crate) fn flag_tick(&self, side: Side) -> Option<u64> {
        if let Some(fell_at) = self.books.accounts[side].fell_at {
            return Some(fell_at);
        }
        let mut ahead = self.clone();
        while let Some(zero) = ahead.reach_zero(u64::MAX, None).filter(|zero| zero.side == side) {
            if ahead.fallen(side) {
                return Some(zero.tick);
            }
        }
        None
    }

    /// The running side and the tick at which it has used up what it has now, if it can.
    pub(crate) fn zero_ahead(&self) -> Option<(Side, u64)> {
        self.books.zero_ahead(self.setup.zero)
    }

    /// The tick at which the delay of a side's running turn is used up.
    pub(crate) fn delay_end_tick(&self, side: Side) -> Option<u64> {
        let turn = self.books.turn.as_ref().filter(|turn| turn.side == side)?;
        turn.delay_end_tick()
    }

    /// The tick at which a side entered a period during the run.
    pub(crate) fn period_tick(&self, side: Side, index: u8) -> Option<u64> {
        let entered = &self.books.accounts[side].periods_entered;
        entered.iter().rev().find(|(period, _)| *period == index).map(|(_, tick)| *tick)
    }

    /// Lets time pass: every zero not after `now` that the deed to come does not escape.
    pub(crate) fn pass(&mut self, now: u64, next: Option<Deed<'_>>) -> Vec<Zero> {
        std::iter::from_fn(|| self.reach_zero(now, next)).collect()
    }

    /// Does a deed at `now`, after [`Self::pass`]; what must be told of it, the deed itself first.
    pub(crate) fn deed(&mut self, deed: Deed<'_>, now: u64) -> Vec<Told> {
        let before = self.corrects(deed).then(|| self.books.clone());
        // What was corrected stays corrected once anything but a look has come after it.
        if !matches!(deed, Deed::Read | Deed::Undo) {
            self.correction = None;
        }
        let mut told = Telling { told: Vec::new(), now };
        match deed {
            Deed::Press(side) => self.press(side, &mut told),
            Deed::ArbiterButton => self.arbiter_button(&mut told),
            Deed::SetTime(side, ticks) => self.set_time(side, ticks, &mut told),
            Deed::SetCounter(side, moves) => self.set_counter(side, moves, &mut told),
            Deed::SetPeriod(side, period) => self.set_period(side, period, &mut told),
            Deed::Swap => self.swap(&mut told),
            Deed::Undo => self.undo(&mut told),
            Deed::SetUp(setup) => {
                *self = Self::new(setup, self.rate);
                told.tell(self, Kind::CONFIGURED, None, 0, 0);
            }
            Deed::Battery(low) => {
                self.battery_low = low;
                told.tell(self, Kind::BATTERY, None, 0, u64::from(low));
            }
            Deed::Read => told.tell(self, Kind::READ, None, 0, 0),
        }
        if let Some(before) = before {
            self.correction = Some(Correction::new(before, now, self.books.doing));
        }
        told.told
    }

    fn corrects(&self, deed: Deed<'_>) -> bool {
        match deed {
            Deed::SetTime(..) | Deed::SetCounter(..) | Deed::Swap => true,
            Deed::SetPeriod(side, period) => period <= self.books.accounts[side].control.last(),
            _ => false,
        }
    }

    /// Where the clock stands.
    pub(crate) fn standing(&self, now: u64) -> Standing {
        let accounts = &self.books.accounts;
        Standing {
            doing: self.books.doing,
            left: BySide::from_fn(|side| self.books.left(side, now)),
            delay: self.books.turn.as_ref().map_or(0, |turn| turn.delay_left(now)),
            presses: BySide::from_fn(|side| accounts[side].presses),
            period: BySide::from_fn(|side| accounts[side].period),
            overtime: BySide::from_fn(|side| accounts[side].overtime),
            fallen: BySide::from_fn(|side| self.fallen(side)),
            first_fallen_sign: self.books.first_to_fall.filter(|_| self.setup.first_fallen_sign),
            battery_low: self.battery_low,
        }
    }

    fn ticks(&self, ms: u32) -> u64 {
        self.rate.ticks_from_ms(u64::from(ms))
    }
}

/// What is being told of one deed or zero.
struct Telling {
    told: Vec<Told>,
    now: u64,
}

impl Telling {
    fn tell(&mut self, reckoning: &Reckoning, kind: Kind, side: Option<Side>, detail: u16, value: u64) {
        let standing = reckoning.standing(self.now);
        self.told.push(Told { kind, side, detail, value: Some(value), standing });
    }

    fn ignored(&mut self, reckoning: &Reckoning, side: Option<Side>, because: IgnoredBecause) {
        self.tell(reckoning, Kind::IGNORED, side, because as u16, 0);
    }

    fn flag_fell(&mut self, reckoning: &Reckoning, side: Side) {
        let standing = reckoning.standing(self.now);
        self.told.push(Told { kind: Kind::FLAG_FELL, side: Some(side), detail: 0, value: None, standing });
    }
}
