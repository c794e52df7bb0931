//! The closed form: what an exact clock has left, from turns and corrections, without stepping through time.
//!
//! Read FIDE Laws 6.1 to 6.3 first. A side's time is what it was given minus what its turns were charged; a turn is
//! charged its time on move beyond the delay, and never more than there was. Nothing here is taken from the clock's
//! own code: the two may agree only because both are right.

use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Bonus, BySide, Credit, IgnoredBecause, Setup, Side, TickRate};

/// What is done to a clock, as the oracle sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Press(Side),
    ArbiterButton,
    SetTime(Side, u64),
    SetCounter(Side, u16),
    Read,
}

/// What must follow from a deed, in the words of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Consequence {
    pub(crate) kind: Kind,
    pub(crate) side: Option<Side>,
    pub(crate) detail: u16,
    pub(crate) value: u64,
}

/// What the clock is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    Waiting,
    Running(Side),
    Paused(Side),
    Frozen(Side),
}

/// A side's account since its last correction; all in ticks.
#[derive(Clone, Debug, Default)]
struct Account {
    given: u64,
    charged_for_past_turns: u64,
    presses: u16,
    period: u8,
    periods_entered: Vec<(u8, u64)>,
    fell_at: Option<u64>,
}

/// The turn of the side that has the move.
#[derive(Clone, Debug)]
struct Turn {
    side: Side,
    delay: u64,
    /// Ticks on move before the clock last went on.
    before: u64,
    /// Since when it runs; `None` while paused.
    since: Option<u64>,
    /// Main time of this turn that a correction has wiped out.
    forgiven: u64,
}

impl Turn {
    fn on_move(&self, now: u64) -> u64 {
        self.before + self.since.map_or(0, |since| now.saturating_sub(since))
    }

    fn charge(&self, now: u64) -> u64 {
        self.on_move(now).saturating_sub(self.delay) - self.forgiven
    }
}

/// A clock reckoned from what was done to it.
#[derive(Clone, Debug)]
pub(crate) struct Reckoning<'a> {
    setup: &'a Setup,
    rate: TickRate,
    accounts: BySide<Account>,
    turn: Option<Turn>,
    doing: Doing,
    first_to_fall: Option<Side>,
}

impl<'a> Reckoning<'a> {
    pub(crate) fn new(setup: &'a Setup, rate: TickRate) -> Self {
        let accounts = BySide::from_fn(|side| {
            let opening = setup.opening[side];
            let period = setup.control[side].period_after(opening.moves);
            let stage = setup.control[side].period(period);
            let ms = match (opening.left_ms, stage.bonus, setup.credit) {
                (Some(ms), ..) => ms,
                (None, Bonus::Increment { ms }, Credit::BeforeMove) => {
                    return Account {
                        given: rate.ticks_from_ms(stage.base_ms) + rate.ticks_from_ms(u64::from(ms)),
                        presses: opening.moves,
                        period,
                        ..Account::default()
                    };
                }
                (None, ..) => stage.base_ms,
            };
            Account { given: rate.ticks_from_ms(ms), presses: opening.moves, period, ..Account::default() }
        });
        Self { setup, rate, accounts, turn: None, doing: Doing::Waiting, first_to_fall: None }
    }

    pub(crate) fn doing(&self) -> Doing {
        self.doing
    }

    pub(crate) fn presses(&self, side: Side) -> u16 {
        self.accounts[side].presses
    }

    pub(crate) fn period(&self, side: Side) -> u8 {
        self.accounts[side].period
    }

    pub(crate) fn fallen(&self, side: Side) -> bool {
        self.accounts[side].fell_at.is_some()
    }

    pub(crate) fn first_fallen_sign(&self) -> Option<Side> {
        self.first_to_fall.filter(|_| self.setup.first_fallen_sign)
    }

    /// Main time left on a side at a tick not before the last deed.
    pub(crate) fn left(&self, side: Side, now: u64) -> u64 {
        let account = &self.accounts[side];
        let this_turn = self.turn.as_ref().filter(|turn| turn.side == side).map_or(0, |turn| turn.charge(now));
        account.given.saturating_sub(account.charged_for_past_turns + this_turn)
    }

    /// The tick at which a side reaches zero, or did, if that can be known: it runs, or its flag is down.
    pub(crate) fn flag_tick(&self, side: Side) -> Option<u64> {
        if let Some(fell_at) = self.accounts[side].fell_at {
            return Some(fell_at);
        }
        let turn = self.turn.as_ref().filter(|turn| turn.side == side)?;
        let since = turn.since?;
        let account = &self.accounts[side];
        let main = account.given.saturating_sub(account.charged_for_past_turns) + turn.forgiven;
        Some(since + (turn.delay + main).saturating_sub(turn.before))
    }

    /// The tick at which the delay of a side's running turn is used up.
    pub(crate) fn delay_end_tick(&self, side: Side) -> Option<u64> {
        let turn = self.turn.as_ref().filter(|turn| turn.side == side && turn.delay > 0)?;
        Some(turn.since? + turn.delay.saturating_sub(turn.before))
    }

    /// The tick at which a side entered a period during the run.
    pub(crate) fn period_tick(&self, side: Side, index: u8) -> Option<u64> {
        self.accounts[side].periods_entered.iter().rev().find(|(period, _)| *period == index).map(|(_, tick)| *tick)
    }

    /// Lets time pass; the fall of a flag not after `now`, with its tick.
    pub(crate) fn pass(&mut self, now: u64) -> Option<(Side, u64)> {
        let Doing::Running(side) = self.doing else { return None };
        if self.fallen(side) {
            return None;
        }
        let tick = self.flag_tick(side).filter(|tick| *tick <= now)?;
        self.fall(side, tick);
        Some((side, tick))
    }

    /// Does a deed at `now`, after [`Self::pass`]; what must follow, in order.
    pub(crate) fn deed(&mut self, deed: Deed, now: u64) -> Vec<Consequence> {
        match deed {
            Deed::Press(side) => self.press(side, now),
            Deed::ArbiterButton => vec![self.arbiter_button(now)],
            Deed::SetTime(side, ticks) => {
                self.set_time(side, ticks, now);
                Vec::new()
            }
            Deed::SetCounter(side, moves) => self.set_counter(side, moves, now),
            Deed::Read => Vec::new(),
        }
    }

    fn fall(&mut self, side: Side, tick: u64) {
        self.accounts[side].fell_at = Some(tick);
        self.first_to_fall.get_or_insert(side);
        if let (AtZero::Freeze, Doing::Running(side) | Doing::Paused(side)) = (self.setup.at_zero, self.doing) {
            self.stop(tick);
            self.doing = Doing::Frozen(side);
        }
    }

    fn stop(&mut self, now: u64) {
        if let Some(turn) = &mut self.turn {
            turn.before = turn.on_move(now);
            turn.since = None;
        }
    }

    fn press(&mut self, side: Side, now: u64) -> Vec<Consequence> {
        let because = match self.doing {
            Doing::Running(running) if running == side => return self.complete(side, now),
            Doing::Running(_) => IgnoredBecause::NotOnMove,
            Doing::Waiting => IgnoredBecause::NotStarted,
            Doing::Paused(_) => IgnoredBecause::Paused,
            Doing::Frozen(_) => IgnoredBecause::Frozen,
        };
        vec![Consequence { kind: Kind::IGNORED, side: Some(side), detail: because as u16, value: 0 }]
    }

    fn complete(&mut self, side: Side, now: u64) -> Vec<Consequence> {
        let mut follows = Vec::new();
        let left = self.left(side, now);
        let account = &mut self.accounts[side];
        account.charged_for_past_turns = account.given - left;
        account.presses = account.presses.saturating_add(1);
        if account.fell_at.is_none() {
            let played_in = account.period;
            let next_in = self.setup.control[side].period_after(account.presses);
            let (rewarded, after_the_base) = match self.setup.credit {
                Credit::BeforeMove => (next_in, true),
                Credit::AfterMove => (played_in, false),
            };
            let bonus = self.increment(side, rewarded);
            let credit = Consequence { kind: Kind::CREDITED, side: Some(side), detail: 0, value: bonus };
            let account = &mut self.accounts[side];
            if bonus > 0 && !after_the_base {
                account.given += bonus;
                follows.push(credit);
            }
            if next_in > played_in {
                let base = self.rate.ticks_from_ms(self.setup.control[side].period(next_in).base_ms);
                let saved = account.given - account.charged_for_past_turns;
                account.given = base + if self.setup.carry_over { saved } else { 0 };
                account.charged_for_past_turns = 0;
                account.period = next_in;
                account.periods_entered.push((next_in, now));
                let detail = u16::from(next_in);
                follows.push(Consequence { kind: Kind::PERIOD_ENTERED, side: Some(side), detail, value: 0 });
            }
            if bonus > 0 && after_the_base {
                account.given += bonus;
                follows.push(credit);
            }
        }
        self.give_the_move(side.other(), now);
        follows.push(Consequence { kind: Kind::SWITCHED, side: Some(side.other()), detail: 0, value: 0 });
        follows
    }

    fn increment(&self, side: Side, period: u8) -> u64 {
        match self.setup.control[side].period(period).bonus {
            Bonus::Increment { ms } => self.rate.ticks_from_ms(u64::from(ms)),
            _ => 0,
        }
    }

    fn give_the_move(&mut self, side: Side, now: u64) {
        let delay = match self.setup.control[side].period(self.accounts[side].period).bonus {
            Bonus::Delay { ms } => self.rate.ticks_from_ms(u64::from(ms)),
            _ => 0,
        };
        self.turn = Some(Turn { side, delay, before: 0, since: Some(now), forgiven: 0 });
        self.doing = Doing::Running(side);
    }

    fn arbiter_button(&mut self, now: u64) -> Consequence {
        let any_down = self.fallen(Side::White) || self.fallen(Side::Black);
        let (kind, side, detail) = match self.doing {
            Doing::Waiting if any_down && self.setup.at_zero == AtZero::Freeze => {
                (Kind::IGNORED, None, IgnoredBecause::Frozen as u16)
            }
            Doing::Waiting => {
                self.give_the_move(self.setup.first, now);
                (Kind::STARTED, Some(self.setup.first), 0)
            }
            Doing::Running(side) => {
                self.stop(now);
                self.doing = Doing::Paused(side);
                (Kind::PAUSED, Some(side), 0)
            }
            Doing::Paused(side) => {
                if let Some(turn) = &mut self.turn {
                    turn.since = Some(now);
                }
                self.doing = Doing::Running(side);
                (Kind::RESUMED, Some(side), 0)
            }
            Doing::Frozen(_) => (Kind::IGNORED, None, IgnoredBecause::Frozen as u16),
        };
        Consequence { kind, side, detail, value: 0 }
    }

    fn set_time(&mut self, side: Side, ticks: u64, now: u64) {
        if let Some(turn) = self.turn.as_mut().filter(|turn| turn.side == side) {
            turn.forgiven += turn.charge(now);
        }
        let account = &mut self.accounts[side];
        account.given = ticks;
        account.charged_for_past_turns = 0;
        account.fell_at = None;
        if self.first_to_fall == Some(side) {
            self.first_to_fall = self.fallen(side.other()).then_some(side.other());
        }
        if !self.fallen(Side::White)
            && !self.fallen(Side::Black)
            && let Doing::Frozen(running) = self.doing
        {
            self.doing = Doing::Paused(running);
        }
        if ticks == 0 {
            // A delay that has not run off does not keep a flag up that the arbiter has let fall.
            if let Some(turn) = self.turn.as_mut().filter(|turn| turn.side == side) {
                turn.delay = turn.on_move(now).min(turn.delay);
            }
            self.fall(side, now);
        }
    }

    fn set_counter(&mut self, side: Side, moves: u16, now: u64) -> Vec<Consequence> {
        let account = &mut self.accounts[side];
        account.presses = moves;
        let period = self.setup.control[side].period_after(moves);
        if period == account.period {
            return Vec::new();
        }
        account.period = period;
        account.periods_entered.push((period, now));
        vec![Consequence { kind: Kind::PERIOD_ENTERED, side: Some(side), detail: u16::from(period), value: 0 }]
    }
}
