//! What happens when a running side has used up what it has: overtime, the next period for both, or its flag.

use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Bonus, SameTick, Side};

use super::account::before_move_ms;
use super::{Deed, Doing, Reckoning, Telling, Told};

/// A zero that was reached.
#[derive(Clone, Debug)]
pub(crate) struct Zero {
    pub(crate) side: Side,
    pub(crate) tick: u64,
    /// What must be told of it.
    pub(crate) told: Vec<Told>,
}

impl Reckoning {
    /// Reaches the next zero that is not after `now`, unless the deed that comes at `now` escapes it.
    pub(crate) fn reach_zero(&mut self, now: u64, next: Option<Deed<'_>>) -> Option<Zero> {
        let (side, tick) = self.zero_ahead().filter(|(_, tick)| *tick <= now)?;
        let escaped = tick == now && self.setup.same_tick == SameTick::PressFirst && next == Some(Deed::Press(side));
        (!escaped).then(|| self.reach_zero_at(side, tick))
    }

    /// Lets a side have used up what it has at `tick`.
    pub(crate) fn reach_zero_at(&mut self, side: Side, tick: u64) -> Zero {
        let mut told = Telling { told: Vec::new(), now: tick };
        self.books.book(tick);
        self.books.accounts[side].set_balance(0);
        if let Some((left, ms)) = self.overtime_after(side) {
            let account = &mut self.books.accounts[side];
            account.overtime = left;
            account.set_balance(self.rate.ticks_from_ms(u64::from(ms)));
            told.tell(self, Kind::OVERTIME_ENTERED, Some(side), left, 0);
        } else if self.ends_by_time(side) {
            self.open_the_next_period_for_both(side, &mut told);
        } else {
            self.fall(side, &mut told);
        }
        Zero { side, tick, told: told.told }
    }

    /// The byo-yomi period or Canadian stage that a zero opens: what the indicator shows then, and its milliseconds.
    fn overtime_after(&self, side: Side) -> Option<(u16, u32)> {
        let account = &self.books.accounts[side];
        match account.bonus() {
            Bonus::ByoYomi { periods, ms } if account.overtime == 0 => Some((u16::from(periods), ms)),
            Bonus::ByoYomi { ms, .. } if account.overtime > 1 => Some((account.overtime - 1, ms)),
            Bonus::Canadian { moves, ms } if account.overtime == 0 => Some((moves, ms)),
            _ => None,
        }
    }

    fn ends_by_time(&self, side: Side) -> bool {
        let account = &self.books.accounts[side];
        account.control.is_driven_by_time() && account.period < account.control.last()
    }

    fn open_the_next_period_for_both(&mut self, runner: Side, told: &mut Telling) {
        self.note_first(runner);
        // The flag drops, and goes up again with the new period.
        self.books.accounts[runner].fell_at = Some(told.now);
        told.flag_fell(self, runner);
        self.books.accounts[runner].fell_at = None;
        self.open_period(runner, self.books.accounts[runner].period + 1, 0, told);
        let idle = runner.other();
        // A side whose flag is down is given nothing until the arbiter corrects its time.
        if self.ends_by_time(idle) && !self.fallen(idle) {
            let account = &self.books.accounts[idle];
            // What was lent for its next move is for a move of the period that is over.
            let lent = self.ticks(before_move_ms(account.bonus(), self.setup.credit));
            let saved = account.balance().saturating_sub(lent);
            self.open_period(idle, account.period + 1, saved, told);
            self.lend(idle, told);
        }
    }

    fn note_first(&mut self, side: Side) {
        if !self.fallen(side.other()) {
            self.books.first_to_fall = Some(side);
        }
    }

    /// A flag falls, whatever is left.
    pub(super) fn fall(&mut self, side: Side, told: &mut Telling) {
        self.books.book(told.now);
        self.books.accounts[side].fell_at = Some(told.now);
        self.note_first(side);
        if let (AtZero::Freeze, Doing::Running(ran) | Doing::Paused(ran)) = (self.setup.at_zero, self.books.doing) {
            self.books.stop(told.now);
            self.books.doing = Doing::Frozen(ran);
        }
        told.flag_fell(self, side);
    }

    /// Takes a device's word for it that a flag fell at a tick at which there was no zero.
    pub(crate) fn fall_without_zero(&mut self, side: Side, tick: u64) {
        self.fall(side, &mut Telling { told: Vec::new(), now: tick });
    }
}
