//! One dial: hands, a flag that the minute hand lifts and drops, and what can be wrong with both.

use flagfall_core::record::Kind;
use flagfall_core::{Setup, Side, TickRate, TrueTime};
use flagfall_trace::dial::opening_period;
use flagfall_trace::{DialFault, DialSetup};

use super::movement::{Movement, PER_TICK};

/// What the flag did, and how the dial stood in that instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlagMoved {
    pub(super) kind: Kind,
    pub(super) detail: u16,
    /// The control that the dial is read for in the record of it.
    pub(super) control: u8,
}

/// What a flag that is up waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Up {
    /// The minute hand holds it until this full hour, which ends the control with this index, if it ends any.
    ForTheHour { hour: i128, ends: Option<u8> },
    /// It has been up since the hands were set, and drops when they stand here.
    FromTheSetting { until: i128 },
}

/// A dial with its movement.
#[derive(Clone, Debug)]
pub(super) struct Dial {
    rate: TickRate,
    movement: Movement,
    /// Where each control ends, in ticks from six o'clock.
    ends: Vec<i128>,
    /// How far before the hour the flag is lifted.
    lift: i128,
    /// The control that the hands were set for or have come into since.
    control: u8,
    /// What holds the flag up; `None` while it hangs.
    up: Option<Up>,
    /// The control at whose end the flag fell, until it is lifted again.
    fell_at_the_end_of: Option<u8>,
    /// The control whose end the hands have passed, until this side presses again.
    ended: Option<u8>,
    /// Where the flag is lifted next.
    lift_at: i128,
    /// The full hour that the hand has not passed yet.
    hour_at: i128,
    /// What is wrong at the moment, by the number under which it began.
    faults: Vec<(u32, DialFault)>,
}

/// Details of [`Kind::FLAG_DROPPED`].
const AT_THE_HOUR: u16 = 0;
const UP_FROM_THE_SETTING: u16 = 1;
const HAND_SLIPPED_AWAY: u16 = 2;

impl Dial {
    /// A dial set up for a game.
    pub(super) fn new(setup: &Setup, dial: &DialSetup, rate: TickRate, side: Side) -> Self {
        let mut ends = vec![0];
        for period in &setup.control[side].periods()[1..] {
            ends.push(ends[ends.len() - 1] + i128::from(rate.ticks_from_ms(period.base_ms)));
        }
        let opening = setup.opening[side];
        let (control, base_ms) = opening_period(setup, side);
        let left_ms = opening.left_ms.unwrap_or(base_ms);
        let mut new = Self {
            rate,
            movement: Movement::new(rate, 0),
            ends,
            lift: i128::from(rate.ticks_from_ms(dial.lift_ms)) * PER_TICK,
            control,
            up: None,
            fell_at_the_end_of: None,
            ended: None,
            lift_at: 0,
            hour_at: 0,
            faults: Vec::new(),
        };
        new.set_hands(rate.ticks_from_ms(left_ms));
        if let Some(up_ms) = dial.flag_up_ms[side] {
            let until = new.movement.hands() + i128::from(rate.ticks_from_ms(up_ms)) * PER_TICK;
            new.up = Some(Up::FromTheSetting { until });
        }
        new
    }

    /// The control that the hands are read for.
    pub(super) const fn control(&self) -> u8 {
        self.control
    }

    /// Whether the flag has fallen at the end of a control and has not been lifted since.
    pub(super) const fn fallen(&self) -> bool {
        self.fell_at_the_end_of.is_some()
    }

    /// Ticks from the hands to the end of a control, zero beyond it.
    pub(super) fn left_ticks(&self, control: u8) -> u64 {
        let hands = self.movement.hands().div_euclid(PER_TICK);
        u64::try_from(self.ends[usize::from(control)] - hands).unwrap_or(0)
    }

    /// What the dial reads, in seconds from one o'clock (3600) to just before one (46 799): nobody reads 0:30 on a dial.
    pub(super) fn reads_seconds(&self) -> u32 {
        const HOUR_S: u32 = 3_600;
        let since_six = self.movement.hands().div_euclid(i128::from(self.rate.hz()) * PER_TICK);
        let since_twelve = (since_six + i128::from(6 * HOUR_S)).rem_euclid(i128::from(12 * HOUR_S));
        let seconds = u32::try_from(since_twelve).unwrap_or(0);
        if seconds < HOUR_S { seconds + 12 * HOUR_S } else { seconds }
    }

    /// Lets time pass; call [`Self::flag`] until it has nothing more to say.
    pub(super) fn pass(&mut self, now: TrueTime) {
        self.movement.pass(now);
    }

    /// Lets the lever release the movement or hold it.
    pub(super) fn release(&mut self, lever: Lever) {
        let wound = !self.suffers(|fault| matches!(fault, DialFault::NotGoing { .. }));
        let dragged = self.suffers(|fault| matches!(fault, DialFault::BothRunning { .. }));
        self.movement.set_going(match lever {
            Lever::Released => wound,
            Lever::HeldWhileTheOtherGoes => wound && dragged,
            Lever::Held => false,
        });
    }

    /// The next thing that the flag has done by now, if any.
    pub(super) fn flag(&mut self) -> Option<FlagMoved> {
        let hands = self.movement.hands();
        loop {
            if let Some(moved) = self.drop_flag(hands) {
                return Some(moved);
            }
            if hands >= self.lift_at {
                self.lift_at += self.hour();
                if let Some(moved) = self.lift_flag() {
                    return Some(moved);
                }
            } else if hands >= self.hour_at {
                if self.ended_by(self.hour_at).is_some() {
                    self.ended = Some(self.control);
                    self.control = (self.control + 1).min(self.last());
                }
                self.hour_at += self.hour();
            } else {
                return None;
            }
        }
    }

    /// When the flag will do something or the hands pass an hour, if nothing changes.
    pub(super) fn next_at(&self) -> Option<TrueTime> {
        let mut next = self.lift_at.min(self.hour_at);
        if !self.is_stuck()
            && let Some(drops_at) = self.drops_at()
        {
            next = next.min(drops_at);
        }
        self.movement.first_at(next)
    }

    /// The arbiter sets the hands to so many ticks before the end of the control.
    ///
    /// It is the one that the hands are in or, as long as this side has not pressed since, the one that has just ended:
    /// whoever corrects the time of a side before play goes on gives it back time in that control.
    pub(super) fn set_hands(&mut self, left_ticks: u64) {
        self.control = self.ended.take().unwrap_or(self.control);
        self.fell_at_the_end_of = None;
        let hands = (self.ends[usize::from(self.control)] - i128::from(left_ticks)) * PER_TICK;
        self.movement.set_hands(hands);
        self.hour_at = hands + (-hands).rem_euclid(self.hour());
        let to_go = self.hour_at - hands;
        let ends = self.ended_by(self.hour_at);
        let held = to_go <= self.lift && (to_go > 0 || left_ticks == 0);
        self.up = held.then_some(Up::ForTheHour { hour: self.hour_at, ends });
        self.lift_at = self.hour_at - self.lift;
        if self.lift_at <= hands {
            self.lift_at += self.hour();
        }
        self.set_catch();
    }

    /// This side has pressed: if a control of its has ended, play has gone on in the next one.
    pub(super) fn went_on(&mut self) {
        self.ended = None;
    }

    /// Something begins to be wrong; call [`Self::release`] and [`Self::flag`] afterwards.
    pub(super) fn suffer(&mut self, number: u32, fault: DialFault) -> Option<FlagMoved> {
        self.faults.push((number, fault));
        match fault {
            DialFault::SpringSpent { slow_ppb, stops_after_ns, .. } => self.movement.spend(slow_ppb, stops_after_ns),
            DialFault::JammedHands { .. } => self.movement.jam(),
            DialFault::LooseMinuteHand { .. } => return self.slip(),
            _ => {}
        }
        None
    }

    /// The fault that began under this number is over.
    pub(super) fn recover(&mut self, number: u32) {
        self.faults.retain(|(begun, _)| *begun != number);
        if !self.suffers(|fault| matches!(fault, DialFault::JammedHands { .. })) {
            self.movement.free();
        }
    }

    /// A tap frees a flag that is stuck.
    pub(super) fn tap(&mut self) {
        self.faults.retain(|(_, fault)| !matches!(fault, DialFault::FlagStuck { .. }));
    }

    /// The minute hand falls to the six; the flag that it held hangs again.
    fn slip(&mut self) -> Option<FlagMoved> {
        let hour = self.hour();
        let hands = self.movement.hands();
        self.movement.set_hands(hands - hands.rem_euclid(hour) + hour / 2);
        self.set_catch();
        self.lift_at = self.hour_at - self.lift;
        match self.up {
            Some(Up::ForTheHour { .. }) if !self.is_stuck() => {
                self.up = None;
                Some(self.moved(Kind::FLAG_DROPPED, HAND_SLIPPED_AWAY))
            }
            _ => None,
        }
    }

    /// Hands that were moved by hand catch again while they are bent.
    fn set_catch(&mut self) {
        if self.suffers(|fault| matches!(fault, DialFault::JammedHands { .. })) {
            self.movement.jam();
        }
    }

    fn lift_flag(&mut self) -> Option<FlagMoved> {
        if self.up.is_some() || self.suffers(|fault| matches!(fault, DialFault::FlagNotLifted { .. })) {
            return None;
        }
        self.up = Some(Up::ForTheHour { hour: self.hour_at, ends: self.ended_by(self.hour_at) });
        // After the last control nothing can be won back: its fall stays one.
        self.fell_at_the_end_of = self.fell_at_the_end_of.filter(|ended| *ended == self.last());
        Some(self.moved(Kind::FLAG_LIFTED, 0))
    }

    fn drop_flag(&mut self, hands: i128) -> Option<FlagMoved> {
        let up = self.up?;
        if self.is_stuck() || self.drops_at().is_none_or(|at| hands < at) {
            return None;
        }
        self.up = None;
        Some(match up {
            Up::FromTheSetting { .. } => self.moved(Kind::FLAG_DROPPED, UP_FROM_THE_SETTING),
            Up::ForTheHour { ends: None, .. } => self.moved(Kind::FLAG_DROPPED, AT_THE_HOUR),
            Up::ForTheHour { ends: Some(control), .. } => {
                self.fell_at_the_end_of = Some(control);
                FlagMoved { kind: Kind::FLAG_FELL, detail: 0, control }
            }
        })
    }

    /// Where the flag drops, if it is up.
    fn drops_at(&self) -> Option<i128> {
        let too_early = |(_, fault): &(u32, DialFault)| match fault {
            DialFault::FlagEarly { by_ms, .. } => Some(i128::from(self.rate.ticks_from_ms(*by_ms)) * PER_TICK),
            _ => None,
        };
        self.up.map(|up| match up {
            Up::ForTheHour { hour, .. } => hour - self.faults.iter().filter_map(too_early).max().unwrap_or(0),
            Up::FromTheSetting { until } => until,
        })
    }

    fn last(&self) -> u8 {
        (self.ends.len() - 1) as u8
    }

    /// The control, not yet over, that ends when the hands stand here.
    fn ended_by(&self, hour: i128) -> Option<u8> {
        let ends = self.ends[usize::from(self.control)] * PER_TICK;
        (ends == hour).then_some(self.control)
    }

    fn is_stuck(&self) -> bool {
        self.suffers(|fault| matches!(fault, DialFault::FlagStuck { .. }))
    }

    fn suffers(&self, is: impl Fn(&DialFault) -> bool) -> bool {
        self.faults.iter().any(|(_, fault)| is(fault))
    }

    const fn moved(&self, kind: Kind, detail: u16) -> FlagMoved {
        FlagMoved { kind, detail, control: self.control }
    }

    fn hour(&self) -> i128 {
        i128::from(self.rate.hz()) * 3_600 * PER_TICK
    }
}

/// What the lever does to a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lever {
    /// This side is on move.
    Released,
    /// The other side is.
    HeldWhileTheOtherGoes,
    /// Both buttons are half down, or nobody has started the clock.
    Held,
}
