//! C: periods, saved time and delays (FIDE Laws 6.3).
//!
//! What a text leaves a player is reckoned here from the instants of the presses that the clock took, in nanoseconds of
//! true time, and from nothing that the clock shows. A question of saved time arises when a press ends a period, one of
//! delay with every press that ends a turn under a delay. Where a text says nothing the account goes on as the clock
//! was set up.

use flagfall_core::{Bonus, BySide, Credit, Setup, Side, TrueTime};

use super::{Arbiter, Evidence, milliseconds, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::Outcome;
use crate::value::{DelayRule, PressCompletes, SavedTime};

const NS_PER_MS: i128 = 1_000_000;

/// What each side has left, and the turn that is going on.
#[derive(Clone, Debug)]
pub(super) struct Accounts {
    left_ns: BySide<i128>,
    period: BySide<u8>,
    /// How far the instants behind each account may be off, added up.
    bound_ns: BySide<u64>,
    turn: Option<Turn>,
}

/// One side on move.
#[derive(Clone, Copy, Debug)]
struct Turn {
    side: Side,
    used_ns: i128,
    /// What of its main time a correction has wiped out.
    forgiven_ns: i128,
    /// Since when its time runs; `None` while the clocks are stopped.
    since: Option<TrueTime>,
}

impl Accounts {
    pub(super) fn at_the_opening(setup: &Setup) -> Self {
        let period = BySide::from_fn(|side| setup.control[side].period_after(setup.opening[side].moves));
        let left_ns = BySide::from_fn(|side| {
            let base_ms = setup.control[side].period(period[side]).base_ms;
            let first_ms = if setup.credit == Credit::BeforeMove { increment_ms(setup, side, period[side]) } else { 0 };
            i128::from(setup.opening[side].left_ms.unwrap_or(base_ms + first_ms)) * NS_PER_MS
        });
        Self { left_ns, period, bound_ns: BySide::both(0), turn: None }
    }

    /// Lets time pass up to a fact.
    pub(super) fn pass(&mut self, fact: &Fact) {
        if let Some(turn) = &mut self.turn
            && let Some(since) = turn.since
        {
            turn.used_ns += i128::from(fact.at.ns()) - i128::from(since.ns());
            turn.since = Some(fact.at);
        }
    }

    /// Sees whose time runs after a fact.
    pub(super) fn follow(&mut self, fact: &Fact) {
        let Some(face) = fact.face else { return };
        match (face.running(), &mut self.turn) {
            (None, None) => {}
            (None, Some(turn)) => {
                if turn.since.take().is_some() {
                    self.bound_ns[turn.side] = self.bound_ns[turn.side].saturating_add(fact.bound_ns);
                }
            }
            (Some(side), Some(turn)) if turn.side == side => {
                if turn.since.is_none() {
                    self.bound_ns[side] = self.bound_ns[side].saturating_add(fact.bound_ns);
                    turn.since = Some(fact.at);
                }
            }
            (Some(side), _) => {
                self.bound_ns[side] = self.bound_ns[side].saturating_add(fact.bound_ns);
                self.turn = Some(Turn { side, used_ns: 0, forgiven_ns: 0, since: Some(fact.at) });
            }
        }
    }

    /// The arbiter has set the counter: the period follows it, and the time stays what it is.
    pub(super) fn counted(&mut self, setup: &Setup, side: Side, moves: u16) {
        self.period[side] = setup.control[side].period_after(moves);
    }

    /// What this side has left now, in nanoseconds; nothing less than nothing.
    fn left_ns(&self, setup: &Setup, side: Side) -> i128 {
        let running_ns = self
            .turn
            .filter(|turn| turn.side == side)
            .map_or(0, |turn| (turn.used_ns - delay_ns(setup, side, self.period[side])).max(0) - turn.forgiven_ns);
        (self.left_ns[side] - running_ns).max(0)
    }

    /// The period that this side is in, an index.
    pub(super) fn period(&self, side: Side) -> u8 {
        self.period[side]
    }

    /// How far what this side has left may be off, in nanoseconds.
    pub(super) fn bound_ns(&self, side: Side) -> u64 {
        self.bound_ns[side]
    }

    /// Takes a time from this side.
    pub(super) fn charge(&mut self, side: Side, ms: u64) {
        self.left_ns[side] -= i128::from(ms) * NS_PER_MS;
    }

    fn set(&mut self, setup: &Setup, side: Side, left_ms: u64) {
        self.left_ns[side] = i128::from(left_ms) * NS_PER_MS;
        self.bound_ns[side] = 0;
        let delay_ns = delay_ns(setup, side, self.period[side]);
        if let Some(turn) = &mut self.turn
            && turn.side == side
        {
            turn.forgiven_ns = (turn.used_ns - delay_ns).max(0);
        }
    }
}

impl Arbiter<'_> {
    /// What this side has left now under this rulebook, in nanoseconds.
    pub(super) fn left_ns(&self, side: Side) -> i128 {
        self.accounts.left_ns(&self.plan.setup, side)
    }

    pub(super) fn time_set(&mut self, side: Side, left_ms: u64) {
        self.accounts.set(&self.plan.setup, side, left_ms);
        if left_ms > 0 {
            self.flags.lift(side);
        }
    }

    /// A press has ended the turn of this side: charge it and ask what the text leaves.
    pub(super) fn turn_ends(&mut self, fact: &Fact, side: Side) {
        let setup = &self.plan.setup;
        let Some(turn) = self.accounts.turn.filter(|turn| turn.side == side) else { return };
        if !is_known_to_the_texts(setup.control[side].period(self.accounts.period[side]).bonus) {
            return;
        }
        let accounts = &mut self.accounts;
        let period = accounts.period[side];
        let delay_ns = delay_ns(setup, side, period);
        let charged_ns = (turn.used_ns - delay_ns).max(0) - turn.forgiven_ns;
        accounts.left_ns[side] = (accounts.left_ns[side] - charged_ns).max(0);
        accounts.bound_ns[side] = accounts.bound_ns[side].saturating_add(fact.bound_ns);
        if accounts.left_ns[side] == 0 {
            return;
        }
        let evidence = Evidence::used(format!(
            "{} turn until {} took {}",
            whose(side),
            time(fact.at),
            time(TrueTime::from_ns(i64::try_from(turn.used_ns).unwrap_or(i64::MAX)))
        ));
        if delay_ns > 0 {
            self.delay_has_run(fact, side, evidence.clone());
        }
        self.credit(side, period, Credit::AfterMove);
        // A text that does not say what completes a move leaves its periods to the clock, which counts presses.
        let completes = matches!(self.book.answer::<PressCompletes>(), Answer::Value(_));
        let moves = if completes { self.moves[side].completed } else { self.moves[side].pressed };
        let next = setup.control[side].period_after(moves);
        if next > period {
            let evidence = self.counting(side, evidence.and(format!("{moves} moves were completed")));
            self.period_ends(fact, side, next, evidence);
        } else {
            self.credit(side, period, Credit::BeforeMove);
        }
    }

    fn delay_has_run(&mut self, fact: &Fact, side: Side, evidence: Evidence) {
        match self.ask::<DelayRule>(fact.at, &evidence) {
            None => {}
            Some(DelayRule::RunsFirst) => self.decide_left(Point::C4, fact, side, evidence),
        }
    }

    fn period_ends(&mut self, fact: &Fact, side: Side, next: u8, evidence: Evidence) {
        let setup = &self.plan.setup;
        let rule = self.ask::<SavedTime>(fact.at, &evidence);
        let carried = match rule {
            Some(SavedTime::Carried) => true,
            Some(SavedTime::NotCarriedWithDelay) => delay_ns(setup, side, self.accounts.period[side]) == 0,
            Some(SavedTime::CarriedWhereApplicable) | None => setup.carry_over,
        };
        let saved_ns = if carried { self.accounts.left_ns[side] } else { 0 };
        self.accounts.left_ns[side] = saved_ns + i128::from(setup.control[side].period(next).base_ms) * NS_PER_MS;
        self.accounts.period[side] = next;
        self.credit(side, next, Credit::BeforeMove);
        if rule.is_some() {
            self.decide_left(Point::C3, fact, side, evidence);
        }
    }

    fn credit(&mut self, side: Side, period: u8, when: Credit) {
        if self.plan.setup.credit == when {
            self.accounts.left_ns[side] += i128::from(increment_ms(&self.plan.setup, side, period)) * NS_PER_MS;
        }
    }

    fn decide_left(&mut self, point: Point, fact: &Fact, side: Side, evidence: Evidence) {
        let left = Outcome::Left(side, milliseconds(self.accounts.left_ns[side]));
        let bound_ns = self.accounts.bound_ns[side];
        self.decide_within(point, fact.at, left, evidence, bound_ns);
    }
}

/// Whether the texts speak of such a bonus: they know extra time for each move, before it or first in it.
const fn is_known_to_the_texts(bonus: Bonus) -> bool {
    matches!(bonus, Bonus::None | Bonus::Increment { .. } | Bonus::Delay { .. })
}

fn increment_ms(setup: &Setup, side: Side, period: u8) -> u64 {
    match setup.control[side].period(period).bonus {
        Bonus::Increment { ms } => u64::from(ms),
        _ => 0,
    }
}

fn delay_ns(setup: &Setup, side: Side, period: u8) -> i128 {
    match setup.control[side].period(period).bonus {
        Bonus::Delay { ms } => i128::from(ms) * NS_PER_MS,
        _ => 0,
    }
}
