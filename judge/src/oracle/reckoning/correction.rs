//! What only the arbiter does: times, counters, periods and colours corrected, and a correction taken back.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, BySide, IgnoredBecause, Side, Zero};

use super::account::Books;
use super::{Doing, Reckoning, Telling};

/// The books before the last correction, if it can still be taken back.
#[derive(Clone, Debug)]
pub(super) struct Correction {
    before: Box<Books>,
    at: u64,
    /// Whether a side ran right after it, so that taking it back later would take back time as well.
    runs: bool,
}

impl Correction {
    pub(super) fn new(before: Books, at: u64, doing: Doing) -> Self {
        Self { before: Box::new(before), at, runs: matches!(doing, Doing::Running(_)) }
    }

    fn is_fresh(&self, now: u64) -> bool {
        !self.runs || self.at == now
    }
}

fn swapped<T: Clone>(pair: &BySide<T>) -> BySide<T> {
    BySide::new(pair.black.clone(), pair.white.clone())
}

impl Reckoning {
    pub(super) fn set_time(&mut self, side: Side, ticks: u64, told: &mut Telling) {
        self.books.book(told.now);
        let account = &mut self.books.accounts[side];
        account.set_balance(ticks);
        account.fell_at = None;
        let counts_up = account.bonus() == Bonus::CountUp;
        let other_down = self.fallen(side.other());
        if self.books.first_to_fall == Some(side) {
            self.books.first_to_fall = other_down.then_some(side.other());
        }
        if let (false, Doing::Frozen(ran)) = (other_down, self.books.doing) {
            self.books.doing = Doing::Paused(ran);
        }
        told.tell(self, Kind::TIME_SET, Some(side), 0, ticks);
        if ticks == 0 && self.setup.zero == Zero::Fallen && !counts_up {
            // A delay that has not run off does not keep a flag up that the arbiter has let fall.
            if let Some(turn) = self.books.turn.as_mut().filter(|turn| turn.side == side) {
                turn.delay = turn.on_move(told.now).min(turn.delay);
            }
            self.fall(side, told);
        }
    }

    pub(super) fn set_counter(&mut self, side: Side, moves: u16, told: &mut Telling) {
        self.books.book(told.now);
        self.books.accounts[side].presses = moves;
        told.tell(self, Kind::COUNTER_SET, Some(side), 0, u64::from(moves));
        let account = &self.books.accounts[side];
        let period = account.control.period_after(moves);
        if !account.control.is_driven_by_time() && period != account.period {
            self.show_period(side, period, told);
        }
    }

    pub(super) fn set_period(&mut self, side: Side, period: u8, told: &mut Telling) {
        self.books.book(told.now);
        told.tell(self, Kind::PERIOD_SET, Some(side), 0, u64::from(period));
        let account = &self.books.accounts[side];
        if period > account.control.last() {
            told.ignored(self, Some(side), IgnoredBecause::NoSuchPeriod);
        } else if period != account.period {
            self.show_period(side, period, told);
        }
    }

    pub(super) fn swap(&mut self, told: &mut Telling) {
        let books = &mut self.books;
        books.accounts = swapped(&books.accounts);
        books.doing = books.doing.swapped();
        books.first_to_fall = books.first_to_fall.map(Side::other);
        if let Some(turn) = &mut books.turn {
            turn.side = turn.side.other();
        }
        told.tell(self, Kind::SWAPPED, None, 0, 0);
    }

    pub(super) fn undo(&mut self, told: &mut Telling) {
        let fresh = self.correction.as_ref().is_some_and(|correction| correction.is_fresh(told.now));
        if fresh {
            self.take_back(told.now);
        }
        self.correction = None;
        told.tell(self, Kind::UNDONE, None, 0, 0);
        if !fresh {
            told.ignored(self, None, IgnoredBecause::NothingToUndo);
        }
    }

    /// Takes the last correction back, if there is one, whatever has run since.
    pub(crate) fn take_back(&mut self, now: u64) {
        let Some(Correction { before, at, .. }) = self.correction.take() else { return };
        self.books = *before;
        if let (Doing::Running(_), Some(turn)) = (self.books.doing, &mut self.books.turn) {
            // A correction may have stopped the clock; what passed until now was nobody's time.
            turn.stop(at);
            turn.go_on(now);
        }
    }
}
