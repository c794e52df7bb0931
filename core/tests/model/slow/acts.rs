//! What players and arbiters do to the slow clock.

use flagfall_core::{AtZero, Bonus, Credit, Effect, IgnoredBecause, LateControlMove, Phase, SecondPress, Side, Zero};

use super::{Before, SlowClock, period_of_move_after};

impl SlowClock {
    pub(super) fn press(&mut self, side: Side) {
        self.tell(Effect::Pressed(side));
        match self.phase {
            Phase::Running(running) if running == side => {
                self.player(side).delay = 0;
                self.count_move(side, self.turn);
                self.begin_turn(side.other());
                self.tell(Effect::Switched(side.other()));
            }
            Phase::Running(_) if self.setup.second_press == SecondPress::Counted => {
                // The counter is shown with the notice that it counted.
                let moves = &mut self.player(side).moves;
                *moves = moves.saturating_add(1);
                self.tell(Effect::Counted(side));
                self.pay(side, 0);
            }
            Phase::Running(_) => self.tell(Effect::Ignored(Some(side), IgnoredBecause::NotOnMove)),
            Phase::Ready => self.tell(Effect::Ignored(Some(side), IgnoredBecause::NotStarted)),
            Phase::Paused(_) => self.tell(Effect::Ignored(Some(side), IgnoredBecause::Paused)),
            Phase::Frozen(_) => self.tell(Effect::Ignored(Some(side), IgnoredBecause::Frozen)),
        }
    }

    fn begin_turn(&mut self, side: Side) {
        self.phase = Phase::Running(side);
        self.turn = 0;
        self.overdrawn = false;
        self.player(side).delay = match self.stage(side).bonus {
            Bonus::Delay { ms } => self.ticks(u64::from(ms)),
            _ => 0,
        };
    }

    fn count_move(&mut self, side: Side, used: u64) {
        let moves = &mut self.player(side).moves;
        *moves = moves.saturating_add(1);
        self.pay(side, used);
    }

    /// What a move that has just been counted is worth.
    fn pay(&mut self, side: Side, used: u64) {
        let stage = self.stage(side);
        let player = self.player(side).clone();
        let target = period_of_move_after(&player.control, player.moves);
        let enters = target > player.period;
        if player.down {
            if enters && self.setup.late_control_move == LateControlMove::NextBase {
                self.player(side).down = false;
                self.open(side, target, 0);
                self.give(side, self.ahead(self.stage(side).bonus));
            }
            return;
        }
        let full = |ticks: u64| ticks.saturating_sub(player.left);
        match stage.bonus {
            Bonus::Increment { ms } if self.setup.credit == Credit::AfterMove => self.give(side, self.ticks(ms.into())),
            Bonus::Bronstein { ms } => self.give(side, used.min(self.ticks(ms.into()))),
            Bonus::PerMove => self.give(side, full(self.ticks(stage.base_ms))),
            Bonus::ByoYomi { ms, .. } if player.overtime > 0 => self.give(side, full(self.ticks(ms.into()))),
            Bonus::Canadian { moves, ms } if player.overtime > 0 => {
                let last = player.overtime == 1;
                self.player(side).overtime = if last { moves } else { player.overtime - 1 };
                if last {
                    self.give(side, full(self.ticks(ms.into())));
                }
            }
            _ => {}
        }
        if enters {
            let lent = if matches!(stage.bonus, Bonus::Bronstein { .. }) { self.ahead(stage.bonus) } else { 0 };
            let saved = self.player(side).left.saturating_sub(lent);
            self.open(side, target, saved);
            self.give(side, self.ahead(self.stage(side).bonus));
        } else if matches!(stage.bonus, Bonus::Increment { .. }) {
            self.give(side, self.ahead(stage.bonus));
        }
    }

    pub(super) fn arbiter(&mut self) {
        self.tell(Effect::ArbiterPressed);
        let flag = self.players.iter().any(|player| player.down);
        match self.phase {
            Phase::Ready if !(flag && self.setup.at_zero == AtZero::Freeze) => {
                self.begin_turn(self.setup.first);
                self.tell(Effect::Started(self.setup.first));
            }
            Phase::Running(side) => {
                self.phase = Phase::Paused(side);
                self.tell(Effect::Paused(side));
            }
            Phase::Paused(side) => {
                self.phase = Phase::Running(side);
                self.tell(Effect::Resumed(side));
            }
            Phase::Ready | Phase::Frozen(_) => self.tell(Effect::Ignored(None, IgnoredBecause::Frozen)),
        }
    }

    fn remember(&mut self) {
        let (players, phase, first_down) = (self.players.clone(), self.phase, self.first_down);
        self.before = Some(Before { players, phase, first_down });
    }

    pub(super) fn set_time(&mut self, side: Side, ms: u64) {
        self.remember();
        let ticks = self.ticks(ms);
        let player = self.player(side);
        (player.left, player.down) = (ticks, false);
        let still_down = Side::ALL.into_iter().find(|side| self.players[side.index() as usize].down);
        if self.first_down == Some(side) {
            self.first_down = still_down;
        }
        if let (Phase::Frozen(running), None) = (self.phase, still_down) {
            self.phase = Phase::Paused(running);
        }
        self.tell(Effect::TimeSet(side, ticks));
        if ticks == 0 && self.setup.zero == Zero::Fallen && self.stage(side).bonus != Bonus::CountUp {
            self.player(side).delay = 0;
            self.fall(side, 0);
        }
    }

    pub(super) fn set_counter(&mut self, side: Side, moves: u16) {
        self.remember();
        self.player(side).moves = moves;
        self.tell(Effect::CounterSet(side, moves));
        let control = self.player(side).control;
        if control.periods().iter().any(|period| period.moves.is_some()) {
            self.show_period(side, period_of_move_after(&control, moves));
        }
    }

    pub(super) fn set_period(&mut self, side: Side, period: u8) {
        if usize::from(period) < self.player(side).control.periods().len() {
            self.remember();
            self.tell(Effect::PeriodSet(side, period));
            self.show_period(side, period);
        } else {
            self.tell(Effect::PeriodSet(side, period));
            self.tell(Effect::Ignored(Some(side), IgnoredBecause::NoSuchPeriod));
        }
    }

    fn show_period(&mut self, side: Side, period: u8) {
        let player = self.player(side);
        if player.period != period {
            (player.period, player.overtime) = (period, 0);
            self.tell(Effect::PeriodEntered(side, period));
        }
    }

    pub(super) fn swap(&mut self) {
        self.remember();
        self.players.swap(0, 1);
        self.first_down = self.first_down.map(|side| !side);
        self.phase = match self.phase {
            Phase::Ready => Phase::Ready,
            Phase::Running(side) => Phase::Running(!side),
            Phase::Paused(side) => Phase::Paused(!side),
            Phase::Frozen(side) => Phase::Frozen(!side),
        };
        self.tell(Effect::Swapped);
    }

    pub(super) fn undo(&mut self) {
        let Some(before) = self.before.take() else {
            self.tell(Effect::Undone);
            return self.tell(Effect::Ignored(None, IgnoredBecause::NothingToUndo));
        };
        (self.players, self.phase, self.first_down) = (before.players, before.phase, before.first_down);
        self.tell(Effect::Undone);
    }
}
