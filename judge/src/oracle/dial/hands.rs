//! The closed form of an analogue clock: where the hands must be, from what was done to lever and hands.
//!
//! A side's hands stand where they were set and as much further as the side has been on move since. Nothing here is
//! taken from the code of the simulated clock, and nothing from what it says.

use flagfall_core::{BySide, Setup, Side, TickRate, TrueTime};
use flagfall_trace::DialSetup;
use flagfall_trace::dial::opening_period;
use flagfall_trace::plan::Act;

use crate::oracle::reckoning::Doing;

/// What a dial is measured by.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct Scale {
    rate: TickRate,
    /// Where each control ends, in ticks from six o'clock at the end of the first.
    pub(super) ends: Vec<i128>,
    /// Ticks from the lift of a flag to the hour.
    pub(super) lift: i128,
}

impl Scale {
    fn new(setup: &Setup, side: Side, dial: &DialSetup, rate: TickRate) -> Self {
        let mut end = 0;
        let later = setup.control[side].periods().iter().skip(1).map(|period| {
            end += i128::from(rate.ticks_from_ms(period.base_ms));
            end
        });
        let ends = std::iter::once(0).chain(later).collect();
        Self { rate, ends, lift: i128::from(rate.ticks_from_ms(dial.lift_ms)) }
    }

    pub(super) fn hour(&self) -> i128 {
        3_600 * i128::from(self.rate.hz())
    }

    /// The first full hour after a position of the hands.
    pub(super) fn next_hour(&self, hands: i128) -> i128 {
        (hands.div_euclid(self.hour()) + 1) * self.hour()
    }

    /// Whether a minute hand here holds the flag up.
    pub(super) fn holds_the_flag(&self, hands: i128) -> bool {
        self.next_hour(hands) - hands <= self.lift
    }

    /// The control that hands here are in, if they were set for this one.
    pub(super) fn control(&self, set_for: u8, hands: i128) -> u8 {
        let passed = self.ends[usize::from(set_for)..self.ends.len() - 1].iter().filter(|end| **end <= hands).count();
        set_for + passed as u8
    }

    /// The last control that hands here have come to the end of, if they were set for this one or an earlier one.
    pub(super) fn ended(&self, set_for: u8, hands: i128) -> Option<u8> {
        (set_for..self.ends.len() as u8).rev().find(|control| self.ends[usize::from(*control)] <= hands)
    }

    /// Whether a flag is down for good, or until it is lifted again, when the hands have come as far as this.
    pub(super) fn fallen(&self, set_for: u8, furthest: i128) -> bool {
        self.ended(set_for, furthest).is_some_and(|control| {
            let end = self.ends[usize::from(control)];
            usize::from(control) + 1 == self.ends.len() || furthest < end + self.hour() - self.lift
        })
    }

    /// The seconds that a dial reads, between one o'clock and 12:59:59, with the hands here.
    pub(super) fn reads(&self, hands: i128) -> u32 {
        let seconds = (hands.div_euclid(i128::from(self.rate.hz())) + 6 * 3_600).rem_euclid(12 * 3_600);
        u32::try_from(if seconds < 3_600 { seconds + 12 * 3_600 } else { seconds }).unwrap_or(0)
    }
}

/// One side since its hands were last set.
#[derive(Clone, Debug)]
struct Account {
    set_to: i128,
    set_for: u8,
    used_ns: i128,
    /// When it began to run, each time, and what it had used before.
    stretches: Vec<(TrueTime, i128)>,
    /// Where the hands were when this side pressed last.
    pressed_at: i128,
    /// Up to where a flag is up from the setting.
    up_until: Option<i128>,
}

/// Both sides, reckoned from what was done.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct Hands {
    scales: BySide<Scale>,
    rate: TickRate,
    first: Side,
    accounts: BySide<Account>,
    doing: Doing,
    since: TrueTime,
}

impl Hands {
    pub(in crate::oracle) fn new(setup: &Setup, dial: &DialSetup, rate: TickRate) -> Self {
        let scales = BySide::from_fn(|side| Scale::new(setup, side, dial, rate));
        let accounts = BySide::from_fn(|side| {
            let opening = setup.opening[side];
            let (set_for, base_ms) = opening_period(setup, side);
            let left_ms = opening.left_ms.unwrap_or(base_ms);
            let set_to = scales[side].ends[usize::from(set_for)] - i128::from(rate.ticks_from_ms(left_ms));
            let up_until = dial.flag_up_ms[side].map(|ms| set_to + i128::from(rate.ticks_from_ms(ms)));
            Account { set_to, set_for, used_ns: 0, stretches: Vec::new(), pressed_at: i128::MIN, up_until }
        });
        Self { scales, rate, first: setup.first, accounts, doing: Doing::Waiting, since: TrueTime::ZERO }
    }

    pub(in crate::oracle) const fn doing(&self) -> Doing {
        self.doing
    }

    pub(super) fn scale(&self, side: Side) -> &Scale {
        &self.scales[side]
    }

    pub(super) fn set_for(&self, side: Side) -> u8 {
        self.accounts[side].set_for
    }

    pub(super) fn up_until(&self, side: Side) -> Option<i128> {
        self.accounts[side].up_until
    }

    fn used_ns(&self, side: Side, now: TrueTime) -> i128 {
        let running = match self.doing {
            Doing::Running(running) if running == side => i128::from(now.ns()) - i128::from(self.since.ns()),
            _ => 0,
        };
        self.accounts[side].used_ns + running.max(0)
    }

    /// Where the hands must be, in ticks from six o'clock at the end of the first control.
    pub(super) fn reading(&self, side: Side, now: TrueTime) -> i128 {
        let ticks = self.used_ns(side, now) * i128::from(self.rate.hz()) / 1_000_000_000;
        self.accounts[side].set_to + ticks
    }

    /// When the hands of a side came to a position, or will come to it if the side runs on.
    fn instant_of(&self, side: Side, position: i128) -> Option<TrueTime> {
        let account = &self.accounts[side];
        let hz = i128::from(self.rate.hz());
        let wanted_ns = ((position - account.set_to) * 1_000_000_000 + hz - 1).div_euclid(hz);
        let (began, used_ns) = account.stretches.iter().rev().find(|(_, used_ns)| *used_ns < wanted_ns)?;
        if wanted_ns > account.used_ns && self.doing != Doing::Running(side) {
            return None;
        }
        i64::try_from(i128::from(began.ns()) + wanted_ns - used_ns).ok().map(TrueTime::from_ns)
    }

    /// When the hands of a side reach the end of the control that they are in, if it runs; or when they came to the end
    /// of the one that its flag fell for and is down.
    pub(in crate::oracle) fn flag_at(&self, side: Side, now: TrueTime) -> Option<TrueTime> {
        let (hands, set_for) = (self.reading(side, now), self.set_for(side));
        let control = match self.scales[side].ended(set_for, hands).filter(|_| self.scales[side].fallen(set_for, hands))
        {
            Some(ended) => ended,
            None => self.scales[side].control(set_for, hands),
        };
        self.instant_of(side, self.scales[side].ends[usize::from(control)])
    }

    /// When the hands of a side came into a later control.
    pub(in crate::oracle) fn period_at(&self, side: Side, control: u8, now: TrueTime) -> Option<TrueTime> {
        let before = control.checked_sub(1).filter(|before| *before >= self.set_for(side))?;
        let end = *self.scales[side].ends.get(usize::from(before))?;
        self.instant_of(side, end).filter(|at| *at <= now)
    }

    /// Does an act; what is not done to lever or hands changes nothing.
    pub(in crate::oracle) fn act(&mut self, act: &Act, now: TrueTime) {
        if !act.is_for_the_clock() {
            return;
        }
        match act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => {
                let doing = match self.doing {
                    Doing::Waiting => Doing::Running(self.first),
                    Doing::Running(side) => Doing::Paused(side),
                    Doing::Paused(side) | Doing::Frozen(side) => Doing::Running(side),
                };
                self.go_on_with(doing, now);
            }
            Act::Press { side, .. } if self.doing != Doing::Running(side.other()) => {
                self.accounts[*side].pressed_at = self.reading(*side, now);
                self.go_on_with(Doing::Running(side.other()), now);
            }
            Act::SetTime { side, left_ms } => {
                let set_for = self.meant_by_a_correction(*side, now);
                self.set(*side, set_for, self.rate.ticks_from_ms(*left_ms), now);
            }
            _ => {}
        }
    }

    /// The control that a correction is about: the one that has ended, as long as its side has not gone on since.
    pub(super) fn meant_by_a_correction(&self, side: Side, now: TrueTime) -> u8 {
        let (account, hands) = (&self.accounts[side], self.reading(side, now));
        let open = |control: &u8| self.scales[side].ends[usize::from(*control)] > account.pressed_at;
        let ended = self.scales[side].ended(account.set_for, hands).filter(open);
        ended.unwrap_or(self.scales[side].control(account.set_for, hands))
    }

    /// Sets the hands of a side to so many ticks before the end of a control.
    pub(super) fn set(&mut self, side: Side, set_for: u8, left_ticks: u64, now: TrueTime) {
        self.go_on_with(self.doing, now);
        let set_to = self.scales[side].ends[usize::from(set_for)] - i128::from(left_ticks);
        let stretches = if self.doing == Doing::Running(side) { vec![(now, 0)] } else { Vec::new() };
        self.accounts[side] = Account { set_to, set_for, used_ns: 0, stretches, pressed_at: i128::MIN, up_until: None };
    }

    fn go_on_with(&mut self, doing: Doing, now: TrueTime) {
        for side in Side::ALL {
            self.accounts[side].used_ns = self.used_ns(side, now);
        }
        self.since = now;
        self.doing = doing;
        if let Doing::Running(side) = doing {
            let used_ns = self.accounts[side].used_ns;
            self.accounts[side].stretches.push((now, used_ns));
        }
    }
}
