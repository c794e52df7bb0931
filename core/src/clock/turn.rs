//! A press and what it brings: the move counted, the bonus, the next period, the other side running.
//!
//! Read FIDE Laws 6.2 (the press completes the move), 6.3 (periods, extra time) and the glossary entries "increment" and
//! "delay" first.

use super::{Clock, Effect, Effects, IgnoredBecause, Phase};
use crate::period::Bonus;
use crate::setup::{Credit, LateControlMove, SecondPress};
use crate::side::Side;

/// How a side comes to enter a period.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// With its own move.
    OwnMove,
    /// In the middle of its move, by using up its time.
    Running,
    /// While the other side runs, which has used up its time.
    Idle,
}

impl Clock {
    pub(super) fn press(&mut self, side: Side, effects: &mut Effects) {
        self.note(effects, Effect::Pressed(side));
        let because = match self.state.phase {
            Phase::Running(running) if running == side => return self.complete_move(side, effects),
            Phase::Running(_) if self.setup.second_press == SecondPress::Counted => {
                return self.make_up_for_a_press(side, effects);
            }
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
        self.reward(side, self.state.turn_ticks, effects);
        self.run(side.other());
        self.note(effects, Effect::Switched(side.other()));
    }

    fn make_up_for_a_press(&mut self, side: Side, effects: &mut Effects) {
        self.state.moves[side] = self.state.moves[side].saturating_add(1);
        self.note(effects, Effect::Counted(side));
        self.reward(side, 0, effects);
    }

    /// Gives a side the move.
    pub(super) fn run(&mut self, side: Side) {
        self.state.phase = Phase::Running(side);
        self.state.turn_ticks = 0;
        self.state.delay_ticks[side] = match self.bonus(side) {
            Bonus::Delay { ms } => self.ticks(ms),
            _ => 0,
        };
    }

    /// Credits what a counted move brings that took `used_ticks`: its bonus, and the period that it opens.
    fn reward(&mut self, side: Side, used_ticks: u64, effects: &mut Effects) {
        let control = &self.setup.control[side];
        let played_in = self.state.period[side];
        let moves = self.state.moves[side];
        let next = if control.is_driven_by_time() { played_in } else { control.period_after(moves) };
        if self.state.fallen[side] {
            if next > played_in && self.setup.late_control_move == LateControlMove::NextBase {
                self.state.fallen[side] = false;
                self.enter(side, next, Entry::OwnMove, effects);
            }
            return;
        }
        let earned_ticks = self.earned_ticks(side, used_ticks);
        self.credit(side, earned_ticks, effects);
        if next > played_in {
            self.enter(side, next, Entry::OwnMove, effects);
        } else if let (Bonus::Increment { ms }, Credit::BeforeMove) = (self.bonus(side), self.setup.credit) {
            self.credit(side, self.ticks(ms), effects);
        }
    }

    /// What a move brings of itself, whatever comes next.
    fn earned_ticks(&mut self, side: Side, used_ticks: u64) -> u64 {
        let left = self.state.remaining_ticks[side];
        let period = *self.setup.control[side].period(self.state.period[side]);
        match period.bonus {
            Bonus::Increment { ms } if self.setup.credit == Credit::AfterMove => self.ticks(ms),
            Bonus::Bronstein { ms } => used_ticks.min(self.ticks(ms)),
            Bonus::PerMove => self.rate.ticks_from_ms(period.base_ms).saturating_sub(left),
            Bonus::ByoYomi { ms, .. } if self.state.overtime[side] > 0 => self.ticks(ms).saturating_sub(left),
            Bonus::Canadian { moves, ms } if self.state.overtime[side] > 0 => {
                self.state.overtime[side] -= 1;
                if self.state.overtime[side] > 0 {
                    return 0;
                }
                self.state.overtime[side] = moves;
                self.ticks(ms).saturating_sub(left)
            }
            _ => 0,
        }
    }

    /// Opens a side's next period: what it saved, the base, and what is credited before its next move.
    pub(super) fn enter(&mut self, side: Side, next: u8, entry: Entry, effects: &mut Effects) {
        let old = self.bonus(side);
        let lent = match (entry, old) {
            (Entry::OwnMove, Bonus::Bronstein { .. }) | (Entry::Idle, _) => self.lent_ticks(old),
            _ => 0,
        };
        let saved = if self.setup.carry_over { self.state.remaining_ticks[side].saturating_sub(lent) } else { 0 };
        let period = *self.setup.control[side].period(next);
        self.state.period[side] = next;
        self.state.overtime[side] = 0;
        self.state.remaining_ticks[side] = saved.saturating_add(self.rate.ticks_from_ms(period.base_ms));
        self.note(effects, Effect::PeriodEntered(side, next));
        if entry != Entry::Running {
            self.credit(side, self.lent_ticks(period.bonus), effects);
        }
    }

    /// What a bonus adds before a move: it is lent until the move is made.
    pub(super) fn lent_ticks(&self, bonus: Bonus) -> u64 {
        match (self.setup.credit, bonus) {
            (Credit::BeforeMove, Bonus::Increment { ms } | Bonus::Bronstein { ms }) => self.ticks(ms),
            _ => 0,
        }
    }

    fn credit(&mut self, side: Side, ticks: u64, effects: &mut Effects) {
        if ticks > 0 {
            self.state.remaining_ticks[side] = self.state.remaining_ticks[side].saturating_add(ticks);
            self.note(effects, Effect::Credited(side, ticks));
        }
    }
}
