//! What only the arbiter does: times, counters, periods and colours corrected, and a correction taken back.
//!
//! Read FIDE Laws 6.10 (defects, wrong settings), 6.12c (the arbiter decides when play restarts) and requirement (j) for
//! electronic clocks first.

use super::{Clock, Effect, Effects, IgnoredBecause, Phase, State};
use crate::period::Bonus;
use crate::setup::Zero;
use crate::side::Side;

/// The clock before its last correction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Correction {
    before: State,
    swapped: bool,
}

impl Clock {
    fn remember(&mut self, swapped: bool) {
        self.last_correction = Some(Correction { before: self.state, swapped });
    }

    pub(super) fn set_time(&mut self, side: Side, left_ms: u64, effects: &mut Effects) {
        self.remember(false);
        let ticks = self.rate.ticks_from_ms(left_ms);
        self.state.remaining_ticks[side] = ticks;
        self.state.fallen[side] = false;
        if self.state.first_fallen == Some(side) {
            // Of the flags that are down, the other's is now the first.
            self.state.first_fallen = Some(side.other()).filter(|other| self.state.fallen[*other]);
        }
        if !(self.state.fallen.white || self.state.fallen.black) {
            // A corrected clock waits for the arbiter's restart (FIDE Laws 6.12c), it does not run off by itself.
            if let Phase::Frozen(running) = self.state.phase {
                self.state.phase = Phase::Paused(running);
            }
        }
        self.note(effects, Effect::TimeSet(side, ticks));
        if ticks == 0 && self.setup.zero == Zero::Fallen && self.bonus(side) != Bonus::CountUp {
            self.state.delay_ticks[side] = 0;
            self.fall(side, 0, effects);
        }
    }

    pub(super) fn set_counter(&mut self, side: Side, moves: u16, effects: &mut Effects) {
        self.remember(false);
        self.state.moves[side] = moves;
        self.note(effects, Effect::CounterSet(side, moves));
        let control = &self.setup.control[side];
        if !control.is_driven_by_time() {
            self.show_period(side, control.period_after(moves), effects);
        }
    }

    pub(super) fn set_period(&mut self, side: Side, period: u8, effects: &mut Effects) {
        let exists = period <= self.setup.control[side].last();
        if exists {
            self.remember(false);
        }
        self.note(effects, Effect::PeriodSet(side, period));
        if exists {
            self.show_period(side, period, effects);
        } else {
            self.note(effects, Effect::Ignored(Some(side), IgnoredBecause::NoSuchPeriod));
        }
    }

    fn show_period(&mut self, side: Side, period: u8, effects: &mut Effects) {
        if period != self.state.period[side] {
            self.state.period[side] = period;
            self.state.overtime[side] = 0;
            self.note(effects, Effect::PeriodEntered(side, period));
        }
    }

    pub(super) fn swap(&mut self, effects: &mut Effects) {
        self.remember(true);
        self.setup.control = self.setup.control.swapped();
        let state = &mut self.state;
        state.phase = state.phase.swapped();
        state.remaining_ticks = state.remaining_ticks.swapped();
        state.delay_ticks = state.delay_ticks.swapped();
        state.moves = state.moves.swapped();
        state.period = state.period.swapped();
        state.overtime = state.overtime.swapped();
        state.fallen = state.fallen.swapped();
        state.first_fallen = state.first_fallen.map(Side::other);
        self.note(effects, Effect::Swapped);
    }

    pub(super) fn undo(&mut self, effects: &mut Effects) {
        let Some(correction) = self.last_correction.take() else {
            self.note(effects, Effect::Undone);
            return self.note(effects, Effect::Ignored(None, IgnoredBecause::NothingToUndo));
        };
        self.state = correction.before;
        if correction.swapped {
            self.setup.control = self.setup.control.swapped();
        }
        self.note(effects, Effect::Undone);
    }
}
