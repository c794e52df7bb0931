//! Turns: who gets the move, what a press brings, and the arbiter's button.

use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Bonus, Credit, IgnoredBecause, LateControlMove, SecondPress, Side};

use super::account::{Turn, before_move_ms};
use super::{Doing, Reckoning, Telling};

impl Reckoning {
    pub(super) fn press(&mut self, side: Side, told: &mut Telling) {
        told.tell(self, Kind::PRESSED, Some(side), 0, 0);
        match self.books.doing {
            Doing::Running(running) if running == side => self.complete(side, told),
            Doing::Running(_) if self.setup.second_press == SecondPress::Counted => self.make_up(side, told),
            Doing::Running(_) => told.ignored(self, Some(side), IgnoredBecause::NotOnMove),
            Doing::Waiting => told.ignored(self, Some(side), IgnoredBecause::NotStarted),
            Doing::Paused(_) => told.ignored(self, Some(side), IgnoredBecause::Paused),
            Doing::Frozen(_) => told.ignored(self, Some(side), IgnoredBecause::Frozen),
        }
    }

    /// The move of the side that has it.
    fn complete(&mut self, side: Side, told: &mut Telling) {
        self.books.book(told.now);
        let thought = self.books.turn.take().map_or(0, |turn| turn.on_move(told.now));
        self.count(side, thought, told);
        self.give_the_move(side.other(), told.now);
        told.tell(self, Kind::SWITCHED, Some(side.other()), 0, 0);
    }

    /// A move whose press was forgotten, while the other side has the move.
    fn make_up(&mut self, side: Side, told: &mut Telling) {
        self.books.book(told.now);
        let account = &mut self.books.accounts[side];
        account.presses = account.presses.saturating_add(1);
        told.tell(self, Kind::COUNTED, Some(side), 0, 0);
        self.bring(side, 0, told);
    }

    fn count(&mut self, side: Side, thought: u64, told: &mut Telling) {
        let account = &mut self.books.accounts[side];
        account.presses = account.presses.saturating_add(1);
        self.bring(side, thought, told);
    }

    /// All that a counted move brings after so many ticks of thought.
    fn bring(&mut self, side: Side, thought: u64, told: &mut Telling) {
        let account = &mut self.books.accounts[side];
        let (control, played_in) = (account.control, account.period);
        let reached = match control.is_driven_by_time() {
            true => played_in,
            false => control.period_after(account.presses),
        };
        let opens = reached > played_in;
        if account.fell_at.is_some() {
            if opens && self.setup.late_control_move == LateControlMove::NextBase {
                account.fell_at = None;
                self.open_period(side, reached, 0, told);
                self.lend(side, told);
            }
            return;
        }
        let earned = self.earns(side, thought);
        self.credit(side, earned, told);
        let account = &self.books.accounts[side];
        if opens {
            // What a Bronstein clock lent for the next move is for a move of the period that is over.
            let lent = match account.bonus() {
                bonus @ Bonus::Bronstein { .. } => self.ticks(before_move_ms(bonus, self.setup.credit)),
                _ => 0,
            };
            let saved = account.balance().saturating_sub(lent);
            self.open_period(side, reached, saved, told);
            self.lend(side, told);
        } else if let Bonus::Increment { .. } = account.bonus() {
            self.lend(side, told);
        }
    }

    /// What a move gives back or adds by itself, whatever comes next.
    fn earns(&mut self, side: Side, thought: u64) -> u64 {
        let account = &self.books.accounts[side];
        let stage = *account.stage();
        let up_to = |full: u64| full.saturating_sub(account.balance());
        match stage.bonus {
            Bonus::Increment { ms } if self.setup.credit == Credit::AfterMove => self.ticks(ms),
            Bonus::Bronstein { ms } => self.ticks(ms).min(thought),
            Bonus::PerMove => up_to(self.rate.ticks_from_ms(stage.base_ms)),
            Bonus::ByoYomi { ms, .. } if account.overtime > 0 => up_to(self.ticks(ms)),
            Bonus::Canadian { moves, ms } if account.overtime > 0 => {
                let (to_make, earned) = match account.overtime - 1 {
                    0 => (moves, up_to(self.ticks(ms))),
                    to_make => (to_make, 0),
                };
                self.books.accounts[side].overtime = to_make;
                earned
            }
            _ => 0,
        }
    }

    /// Enters a period with its base and with what was saved, if that is carried over.
    pub(super) fn open_period(&mut self, side: Side, index: u8, saved: u64, told: &mut Telling) {
        let base = self.rate.ticks_from_ms(self.books.accounts[side].control.period(index).base_ms);
        let account = &mut self.books.accounts[side];
        account.set_balance(base + if self.setup.carry_over { saved } else { 0 });
        self.show_period(side, index, told);
    }

    /// The indicator of the period, and what comes with it.
    pub(super) fn show_period(&mut self, side: Side, index: u8, told: &mut Telling) {
        let account = &mut self.books.accounts[side];
        account.period = index;
        account.overtime = 0;
        account.periods_entered.push((index, told.now));
        told.tell(self, Kind::PERIOD_ENTERED, Some(side), u16::from(index), 0);
    }

    /// Credits what the bonus of the side's period gives before a move.
    pub(super) fn lend(&mut self, side: Side, told: &mut Telling) {
        let ms = before_move_ms(self.books.accounts[side].bonus(), self.setup.credit);
        self.credit(side, self.ticks(ms), told);
    }

    fn credit(&mut self, side: Side, ticks: u64, told: &mut Telling) {
        if ticks > 0 {
            self.books.accounts[side].given += ticks;
            told.tell(self, Kind::CREDITED, Some(side), 0, ticks);
        }
    }

    fn give_the_move(&mut self, side: Side, now: u64) {
        let delay = match self.books.accounts[side].bonus() {
            Bonus::Delay { ms } => self.ticks(ms),
            _ => 0,
        };
        self.books.turn = Some(Turn::begin(side, delay, now));
        self.books.doing = Doing::Running(side);
    }

    pub(super) fn arbiter_button(&mut self, told: &mut Telling) {
        told.tell(self, Kind::ARBITER_PRESSED, None, 0, 0);
        let any_down = self.fallen(Side::White) || self.fallen(Side::Black);
        match self.books.doing {
            Doing::Waiting if any_down && self.setup.at_zero == AtZero::Freeze => {
                told.ignored(self, None, IgnoredBecause::Frozen);
            }
            Doing::Waiting => {
                self.give_the_move(self.setup.first, told.now);
                told.tell(self, Kind::STARTED, Some(self.setup.first), 0, 0);
            }
            Doing::Running(side) => {
                self.books.stop(told.now);
                self.books.doing = Doing::Paused(side);
                told.tell(self, Kind::PAUSED, Some(side), 0, 0);
            }
            Doing::Paused(side) => {
                if let Some(turn) = &mut self.books.turn {
                    turn.go_on(told.now);
                }
                self.books.doing = Doing::Running(side);
                told.tell(self, Kind::RESUMED, Some(side), 0, 0);
            }
            Doing::Frozen(_) => told.ignored(self, None, IgnoredBecause::Frozen),
        }
    }
}
