//! C: periods, extra time, saved time and delays (FIDE Laws 6.2a and 6.3, 8.6; the commentary on 6.11a; US Chess 5).
//!
//! What a text leaves a player is reckoned here from the instants of the presses that the clock took, in nanoseconds of
//! true time, and from nothing that the clock shows. A question of saved time arises when a press ends a period, one of
//! extra time with every press that ends a turn under an increment, and one of delay under a delay. Where a text says
//! nothing the account goes on as the clock was set up.
//!
//! What the next period asks for (C5) is in question when the last one ended without its moves: because both flags were
//! down, or because nobody can tell how many were made. Where the next move then counts as the first of the next period
//! the moves of both sides are taken to be those of the period that ended.

use flagfall_core::{Bonus, BySide, Credit, Setup, Side, TrueTime};

use flagfall_trace::plan::Installed;

use super::flag_fall::Inquiry;
use super::{Arbiter, Evidence, milliseconds, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::{Answer, Rulebook};
use crate::ruling::Outcome;
use crate::value::{Announcement, DelayRule, ExtraTime, NextTarget, PressCompletes, SavedTime};

const NS_PER_MS: i128 = 1_000_000;

/// What each side has left, and the turn that is going on.
#[derive(Clone, Debug)]
pub(super) struct Accounts {
    left_ns: BySide<i128>,
    period: BySide<u8>,
    /// How far the instants behind each account may be off, added up.
    bound_ns: BySide<u64>,
    turn: Option<Turn>,
    /// When an increment is credited: as the text has it, else as the clock is set up.
    credit: Credit,
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
    pub(super) fn at_the_opening(setup: &Setup, book: &Rulebook) -> Self {
        let credit = match book.answer::<ExtraTime>() {
            Answer::Value(ExtraTime::BeforeEachMove) => Credit::BeforeMove,
            _ => setup.credit,
        };
        let period = BySide::from_fn(|side| setup.control[side].period_after(setup.opening[side].moves));
        let left_ns = BySide::from_fn(|side| {
            let base_ms = setup.control[side].period(period[side]).base_ms;
            let first_ms = if credit == Credit::BeforeMove { before_a_move_ms(setup, side, period[side]) } else { 0 };
            i128::from(setup.opening[side].left_ms.unwrap_or(base_ms + first_ms)) * NS_PER_MS
        });
        Self { left_ns, period, bound_ns: BySide::both(0), turn: None, credit }
    }

    /// What a side has used of the turn that is going on, in nanoseconds; zero for the other one.
    pub(super) fn used_ns(&self, side: Side) -> i128 {
        self.turn.filter(|turn| turn.side == side).map_or(0, |turn| turn.used_ns)
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

    /// Whether this side's time runs.
    pub(super) fn runs(&self, side: Side) -> bool {
        self.turn.is_some_and(|turn| turn.side == side && turn.since.is_some())
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
            .map_or(0, |turn| charged_ns(&turn, delay_ns(setup, side, self.period[side])));
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

    /// Whether this side has time left on a clock set as it was to be, as far as the texts know such a setting.
    pub(super) fn has_time_by_the_right_setting(&self, side: Side) -> bool {
        let period = self.plan.setup.control[side].period(self.accounts.period[side]);
        is_known_to_the_texts(period.bonus) && self.left_ns(side) > i128::from(self.accounts.bound_ns[side])
    }

    /// C1: another control is installed while the game lasts.
    pub(super) fn control_is_installed(&mut self, fact: &Fact, installed: &Installed) {
        if !self.has_started() {
            return;
        }
        let announced = installed.0.control == self.plan.setup.control;
        let which = if announced { "the announced control" } else { "a control that was not announced" };
        let evidence = Evidence::used(format!("the arbiter installed {which} at {}", time(fact.at)));
        let outcome = match self.ask::<Announcement>(fact.at, &evidence) {
            None => return,
            Some(Announcement::FixedInAdvance) if announced => Outcome::ActAdmissible,
            Some(Announcement::FixedInAdvance) => Outcome::ActNotAdmissible,
        };
        self.decide(Point::C1, fact.at, outcome, evidence);
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
        accounts.left_ns[side] = (accounts.left_ns[side] - charged_ns(&turn, delay_ns)).max(0);
        accounts.bound_ns[side] = accounts.bound_ns[side].saturating_add(fact.bound_ns);
        if accounts.left_ns[side] == 0 {
            return;
        }
        accounts.left_ns[side] += turn.used_ns.min(given_back_ns(setup, side, period));
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
        // Where a text does not say what completes a move the clock goes by the presses.
        let by_presses = !matches!(self.book.answer::<PressCompletes>(), Answer::Value(_));
        let counts = &self.moves[side];
        let (moves, word) = if by_presses { (counts.pressed, "pressed") } else { (counts.completed, "completed") };
        let next = setup.control[side].period_after(moves);
        if next > period {
            let evidence = self.counting(side, evidence.clone().and(format!("{moves} moves were {word}")));
            self.period_ends(fact, side, next, evidence);
        } else {
            self.credit(side, period, Credit::BeforeMove);
        }
        if increment_ms(setup, side, period) > 0 {
            self.extra_time_has_come(fact, side, evidence);
        }
    }

    fn extra_time_has_come(&mut self, fact: &Fact, side: Side, evidence: Evidence) {
        match self.ask::<ExtraTime>(fact.at, &evidence) {
            None => {}
            Some(ExtraTime::EachMove | ExtraTime::BeforeEachMove) => {
                self.decide_left(Point::C2, fact, side, evidence);
            }
        }
    }

    fn delay_has_run(&mut self, fact: &Fact, side: Side, evidence: Evidence) {
        match self.ask::<DelayRule>(fact.at, &evidence) {
            None => {}
            Some(DelayRule::RunsFirst) => self.decide_left(Point::C4, fact, side, evidence),
        }
    }

    fn period_ends(&mut self, fact: &Fact, side: Side, next: u8, mut evidence: Evidence) {
        let setup = &self.plan.setup;
        let rule = self.ask::<SavedTime>(fact.at, &evidence);
        let period = self.accounts.period[side];
        let gives_back = given_back_ns(setup, side, period) > 0;
        let carried = match rule {
            Some(SavedTime::Carried) => true,
            Some(SavedTime::NotCarriedWithDelay) if gives_back => {
                evidence = evidence.and("Bronstein's control gives back what a delay would not have taken").inferred();
                false
            }
            Some(SavedTime::NotCarriedWithDelay) => delay_ns(setup, side, period) == 0,
            Some(SavedTime::CarriedWhereApplicable) | None => setup.carry_over,
        };
        let is_lent = gives_back && self.accounts.credit == Credit::BeforeMove;
        let lent_ns = if is_lent { given_back_ns(setup, side, period) } else { 0 };
        let saved_ns = if carried { (self.accounts.left_ns[side] - lent_ns).max(0) } else { 0 };
        self.accounts.left_ns[side] = saved_ns + i128::from(setup.control[side].period(next).base_ms) * NS_PER_MS;
        self.accounts.period[side] = next;
        if self.accounts.credit == Credit::BeforeMove {
            self.accounts.left_ns[side] += i128::from(before_a_move_ms(setup, side, next)) * NS_PER_MS;
        }
        if rule.is_some() {
            self.decide_left(Point::C3, fact, side, evidence);
        }
    }

    fn credit(&mut self, side: Side, period: u8, when: Credit) {
        if self.accounts.credit == when {
            self.accounts.left_ns[side] += i128::from(increment_ms(&self.plan.setup, side, period)) * NS_PER_MS;
        }
    }

    /// C5 after both flags were down and play goes on.
    pub(super) fn next_period_asks(&mut self, inquiry: &Inquiry, evidence: &Evidence) {
        let at = inquiry.at;
        // That the next move opens the period is said of moves which nobody can reconstruct, not of these.
        if self.book.answer() == Answer::Value(NextTarget::NextMoveOpensIt)
            || self.ask::<NextTarget>(at, evidence).is_none()
        {
            return;
        }
        for side in Side::ALL {
            let next = self.period_of(side, inquiry).saturating_add(1);
            if let Some(target) = self.plan.setup.control[side].target(next) {
                self.decide(Point::C5, at, Outcome::Target(side, target), evidence.clone());
            }
        }
    }

    /// C5 when the arbiter finds that the moves cannot be proved.
    pub(super) fn moves_are_unproven(&mut self, fact: &Fact, side: Side) {
        let evidence = Evidence::used(format!("found at {}: {} moves cannot be proved", time(fact.at), whose(side)));
        match self.ask::<NextTarget>(fact.at, &evidence) {
            // Counted from move 1, which needs a count.
            None | Some(NextTarget::Cumulative) => {}
            Some(NextTarget::NextMoveOpensIt) => {
                for side in Side::ALL {
                    let target = self.plan.setup.control[side].target(self.accounts.period[side]);
                    let Some(target) = target.filter(|target| self.moves[side].completed < *target) else { continue };
                    self.counter_set(side, target);
                    self.decide(Point::C5, fact.at, Outcome::Completed(side, target), evidence.clone());
                }
            }
        }
    }

    fn decide_left(&mut self, point: Point, fact: &Fact, side: Side, evidence: Evidence) {
        let left = Outcome::Left(side, milliseconds(self.accounts.left_ns[side]));
        let bound_ns = self.accounts.bound_ns[side];
        self.decide_within(point, fact.at, left, evidence, bound_ns);
    }
}

/// What a turn costs of the main time, in nanoseconds.
fn charged_ns(turn: &Turn, delay_ns: i128) -> i128 {
    (turn.used_ns - delay_ns).max(0) - turn.forgiven_ns
}

/// Whether the texts speak of such a bonus: they know extra time for each move, before it or first in it. What
/// Bronstein's control gives back after a move comes to the same as what runs first in it.
const fn is_known_to_the_texts(bonus: Bonus) -> bool {
    matches!(bonus, Bonus::None | Bonus::Increment { .. } | Bonus::Delay { .. } | Bonus::Bronstein { .. })
}

/// What is credited before a move where a control credits it then, in milliseconds.
fn before_a_move_ms(setup: &Setup, side: Side, period: u8) -> u64 {
    match setup.control[side].period(period).bonus {
        Bonus::Increment { ms } | Bonus::Bronstein { ms } => u64::from(ms),
        _ => 0,
    }
}

/// The most that Bronstein's control gives back after a move, in nanoseconds.
fn given_back_ns(setup: &Setup, side: Side, period: u8) -> i128 {
    match setup.control[side].period(period).bonus {
        Bonus::Bronstein { ms } => i128::from(ms) * NS_PER_MS,
        _ => 0,
    }
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
