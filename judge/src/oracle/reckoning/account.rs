//! What each side was given and charged, and the turn that is going on.

use flagfall_core::{Bonus, BySide, Credit, Period, Setup, Side, TickRate, TimeControl, Zero};

use super::Doing;

/// A side's account; all in ticks.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) control: TimeControl,
    pub(super) given: u64,
    /// For all that has been booked; never more than was given.
    pub(super) charged: u64,
    pub(super) presses: u16,
    pub(super) period: u8,
    /// Byo-yomi periods or moves of a Canadian stage left, zero in the main time.
    pub(super) overtime: u16,
    pub(super) periods_entered: Vec<(u8, u64)>,
    pub(super) fell_at: Option<u64>,
}

impl Account {
    pub(super) fn stage(&self) -> &Period {
        self.control.period(self.period)
    }

    pub(super) fn bonus(&self) -> Bonus {
        self.stage().bonus
    }

    /// What is left by the books.
    pub(super) fn balance(&self) -> u64 {
        self.given - self.charged
    }

    /// Begins a new page.
    pub(super) fn set_balance(&mut self, ticks: u64) {
        self.given = ticks;
        self.charged = 0;
    }
}

/// The turn of the side that has the move.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) side: Side,
    pub(super) delay: u64,
    /// Ticks on move before the clock last went on.
    before: u64,
    /// Since when it runs; `None` while stopped.
    since: Option<u64>,
    /// How much of the time beyond the delay is in the books.
    booked: u64,
}

impl Turn {
    pub(super) const fn begin(side: Side, delay: u64, now: u64) -> Self {
        Self { side, delay, before: 0, since: Some(now), booked: 0 }
    }

    /// Ticks on move, pauses left out.
    pub(super) fn on_move(&self, now: u64) -> u64 {
        self.before + self.since.map_or(0, |since| now.saturating_sub(since))
    }

    /// Time beyond the delay that is not in the books yet.
    fn due(&self, now: u64) -> u64 {
        self.on_move(now).saturating_sub(self.delay).saturating_sub(self.booked)
    }

    pub(super) fn delay_left(&self, now: u64) -> u64 {
        self.delay.saturating_sub(self.on_move(now))
    }

    pub(super) fn delay_end_tick(&self) -> Option<u64> {
        let since = self.since.filter(|_| self.delay > 0)?;
        Some(since + self.delay.saturating_sub(self.before))
    }

    /// The tick at which `balance` is used up.
    fn used_up_tick(&self, balance: u64) -> Option<u64> {
        let needs = self.delay.saturating_add(self.booked).saturating_add(balance);
        Some(self.since?.saturating_add(needs.saturating_sub(self.before)))
    }

    pub(super) fn stop(&mut self, now: u64) {
        self.before = self.on_move(now);
        self.since = None;
    }

    pub(super) fn go_on(&mut self, now: u64) {
        self.since = Some(now);
    }
}

/// Both accounts, whose turn it is, and what fell first: all that a correction changes and its undoing brings back.
#[derive(Clone, Debug)]
pub(super) struct Books {
    pub(super) accounts: BySide<Account>,
    pub(super) turn: Option<Turn>,
    pub(super) doing: Doing,
    pub(super) first_to_fall: Option<Side>,
}

impl Books {
    pub(super) fn open(setup: &Setup, rate: TickRate) -> Self {
        let accounts = BySide::from_fn(|side| {
            let (opening, control) = (setup.opening[side], setup.control[side]);
            let period = opening.period.unwrap_or_else(|| control.period_after(opening.moves)).min(control.last());
            let stage = control.period(period);
            let given = match opening.left_ms {
                Some(ms) => rate.ticks_from_ms(ms),
                None => {
                    let before_move = before_move_ms(stage.bonus, setup.credit);
                    rate.ticks_from_ms(stage.base_ms) + rate.ticks_from_ms(u64::from(before_move))
                }
            };
            Account {
                control,
                given,
                charged: 0,
                presses: opening.moves,
                period,
                overtime: 0,
                periods_entered: Vec::new(),
                fell_at: None,
            }
        });
        Self { accounts, turn: None, doing: Doing::Waiting, first_to_fall: None }
    }

    pub(super) fn left(&self, side: Side, now: u64) -> u64 {
        let account = &self.accounts[side];
        let Some(turn) = &self.turn else { return account.balance() };
        let due = turn.due(now);
        let on_move = &self.accounts[turn.side];
        match on_move.bonus() {
            Bonus::CountUp if turn.side == side => account.balance() + due,
            _ if turn.side == side => account.balance().saturating_sub(due),
            Bonus::Hourglass if account.fell_at.is_none() => account.balance() + due.min(on_move.balance()),
            _ => account.balance(),
        }
    }

    /// Puts into the books what the turn has been charged so far.
    pub(super) fn book(&mut self, now: u64) {
        let left = BySide::from_fn(|side| self.left(side, now));
        let Some(turn) = &mut self.turn else { return };
        turn.booked += turn.due(now);
        for side in Side::ALL {
            let account = &mut self.accounts[side];
            match left[side].checked_sub(account.balance()) {
                Some(gained) => account.given += gained,
                None => account.charged = account.given - left[side],
            }
        }
    }

    /// The running side and when it has used up what it has.
    pub(super) fn zero_ahead(&self, zero: Zero) -> Option<(Side, u64)> {
        let Doing::Running(side) = self.doing else { return None };
        let turn = self.turn.as_ref().filter(|turn| turn.side == side)?;
        let account = &self.accounts[side];
        if account.fell_at.is_some() || account.bonus() == Bonus::CountUp {
            return None;
        }
        let used_up = turn.used_up_tick(account.balance())?;
        match zero {
            Zero::Fallen => Some((side, used_up)),
            Zero::Alive => Some((side, used_up.saturating_add(1))),
        }
    }

    pub(super) fn stop(&mut self, now: u64) {
        if let Some(turn) = &mut self.turn {
            turn.stop(now);
        }
    }
}

/// What a bonus gives before the move for which it is, in milliseconds.
pub(super) const fn before_move_ms(bonus: Bonus, credit: Credit) -> u32 {
    match (credit, bonus) {
        (Credit::BeforeMove, Bonus::Increment { ms } | Bonus::Bronstein { ms }) => ms,
        _ => 0,
    }
}
