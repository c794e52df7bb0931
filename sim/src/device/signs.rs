//! Flags and the first-fallen sign as they are seen: what is wrong with them changes nothing of what the device reckons.
//!
//! Every record tells what is seen. The record of a flag's fall stands where the flag is seen to fall.

use flagfall_core::{BySide, DeviceTime, Effect, Happening, Record, Side, State, TrueTime};

use super::works::Works;

/// What is wrong with the flag of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Flag {
    #[default]
    Right,
    /// It is shown down when so many ticks are left.
    Early { ticks: u64 },
    /// It is shown down so many nanoseconds late.
    Late { ns: i64 },
    /// It is never shown down.
    Sticky,
}

/// The signs of a device.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs {
    flags: BySide<Flag>,
    /// Flags that are shown down although time is left.
    early: BySide<bool>,
    /// The one of these that was shown down before any other, even if its time has been used up since.
    first_early: Option<Side>,
    /// When a flag that is down is going to be shown down.
    late: BySide<Option<TrueTime>>,
    pub(super) first_fallen_wrong: bool,
}

impl Signs {
    /// What is wrong with a flag from now on; an earlier fault of the same flag is over.
    pub(super) fn set(&mut self, side: Side, flag: Flag) {
        self.flags[side] = flag;
        if flag == Flag::Sticky {
            self.raise(side);
        }
    }

    /// Another clock, or the same one after a reset: what is shown is what it says.
    pub(super) fn forget(&mut self) {
        Side::ALL.into_iter().for_each(|side| self.raise(side));
    }

    fn raise(&mut self, side: Side) {
        self.early[side] = false;
        self.late[side] = None;
        self.first_early = self.first_early.filter(|first| *first != side);
    }

    /// Whether what happened at `now` is seen at once, as every record but that of a wrong flag's fall is.
    pub(super) fn shows(&mut self, happening: &Happening, now: TrueTime) -> bool {
        match happening.effect {
            Effect::FlagFell(side, _) => self.falls(side, now),
            Effect::TimeSet(side, _) => {
                self.raise(side);
                true
            }
            Effect::Swapped => {
                self.early = swapped(self.early);
                self.late = swapped(self.late);
                self.first_early = self.first_early.map(Side::other);
                true
            }
            _ => true,
        }
    }

    fn falls(&mut self, side: Side, now: TrueTime) -> bool {
        if self.early[side] {
            // Everybody has seen it. That it was the first stays shown with it.
            self.early[side] = false;
            return false;
        }
        match self.flags[side] {
            Flag::Right | Flag::Early { .. } => true,
            Flag::Late { ns } => {
                self.late[side] = Some(now.checked_add_ns(ns).unwrap_or(TrueTime::from_ns(i64::MAX)));
                false
            }
            Flag::Sticky => false,
        }
    }

    /// The flags that are seen to fall at `now`, when the device has reckoned up to this instant.
    pub(super) fn fall_now(&mut self, works: &Works, now: TrueTime) -> impl Iterator<Item = Side> {
        let seen =
            Side::ALL.map(|side| (self.falls_late(side, works, now) || self.falls_early(side, works)).then_some(side));
        seen.into_iter().flatten()
    }

    fn falls_late(&mut self, side: Side, works: &Works, now: TrueTime) -> bool {
        // A flag that has gone up again in between was never seen down.
        self.late[side].take_if(|due| *due <= now).is_some() && works.state().fallen[side]
    }

    fn falls_early(&mut self, side: Side, works: &Works) -> bool {
        let falls = self.early_fall(side, works).is_some_and(|at| at <= works.now());
        if falls {
            let nothing_down = !Side::ALL.into_iter().any(|side| self.is_down(side, works.state()));
            self.first_early = self.first_early.or(nothing_down.then_some(side));
            self.early[side] = true;
        }
        falls
    }

    /// When a flag that is shown early will be, if nothing happens before.
    fn early_fall(&self, side: Side, works: &Works) -> Option<DeviceTime> {
        let Flag::Early { ticks } = self.flags[side] else { return None };
        let zero = works.zeros_ahead()[side].filter(|zero| !self.early[side] && works.falls_at(side, *zero))?;
        Some(DeviceTime::from_ticks(zero.ticks().saturating_sub(ticks)))
    }

    /// The next tick at which a flag is shown early.
    pub(super) fn next_early(&self, works: &Works) -> Option<DeviceTime> {
        Side::ALL.into_iter().filter_map(|side| self.early_fall(side, works)).min()
    }

    /// The next instant at which a flag is shown late.
    pub(super) fn next_late(&self) -> Option<TrueTime> {
        Side::ALL.into_iter().filter_map(|side| self.late[side]).min()
    }

    fn is_hidden(&self, side: Side) -> bool {
        self.flags[side] == Flag::Sticky || self.late[side].is_some()
    }

    fn is_down(&self, side: Side, state: &State) -> bool {
        self.early[side] || (state.fallen[side] && !self.is_hidden(side))
    }

    /// Puts the signs as they are seen into a record of this state.
    pub(super) fn show(&self, record: &mut Record, state: &State, has_first_fallen_sign: bool) {
        record.fallen = BySide::from_fn(|side| self.is_down(side, state));
        let first = self.first_early.filter(|_| has_first_fallen_sign);
        let first = first.or(record.first_fallen.filter(|first| !self.is_hidden(*first)));
        record.first_fallen = if self.first_fallen_wrong { first.map(Side::other) } else { first };
    }
}

fn swapped<T: Copy>(pair: BySide<T>) -> BySide<T> {
    BySide::new(pair.black, pair.white)
}
