//! Is a clock right that says nothing itself? What its memory shows, against what was done to it.
//!
//! Such a clock stamps nothing and tells of no press: a bench looks at the words that hold what each side has left, whose
//! time runs and which flags are down, before and after everything it does. The closed form is reckoned at the instants
//! at which the bench acted. What is seen may differ from it
//!
//! - in the **time left** by the bound that [`Limits::bound_of_looks`] computes, and no more;
//! - in a **flag** and in what a flag stops, while what is left, or what the side has been down for, is within that bound;
//! - in **what runs** and in the **counters** not at all: a look comes after the clock has had the time that it is
//!   declared to need.

use flagfall_core::{BySide, Side};
use flagfall_trace::plan::{Act, Fault};
use flagfall_trace::{Achieved, Stamped, Trace};

use super::bound::{Bound, Limits, Watched};
use super::contacts::Contacts;
use super::reckoning::{Deed, Doing, Reckoning};
use super::{Examination, Finding, Noticed, seconds, sides};
use crate::expectation::Wrong;

pub(super) fn examine(trace: &Trace, limits: &Limits, seen: &Watched, examination: &mut Examination) {
    let rate = trace.plan.tick_rate;
    let mut watch = Watch {
        trace,
        limits,
        seen,
        examination,
        reckoning: Reckoning::new(&trace.plan.setup, rate),
        contacts: Contacts::new(&trace.plan.setup, rate),
        lost_presses: BySide::both(0),
        turns: BySide::both(0),
        pressed: None,
        lost: None,
    };
    let mut acts = trace.achieved.iter().peekable();
    for stamped in &trace.records {
        // What is done at the instant of a look is done after it.
        while let Some(achieved) = acts.next_if(|achieved| achieved.earliest < stamped.true_time) {
            watch.act(achieved);
        }
        watch.look(stamped);
    }
    for achieved in acts {
        watch.act(achieved);
    }
}

struct Watch<'t, 'e> {
    trace: &'t Trace,
    limits: &'e Limits,
    seen: &'e Watched,
    examination: &'e mut Examination,
    reckoning: Reckoning,
    contacts: Contacts,
    lost_presses: BySide<u32>,
    /// How often each side's time has begun to run.
    turns: BySide<u32>,
    /// Who pressed since the last look.
    pressed: Option<Side>,
    /// Whose press was lost since then, because the plan wants it lost: what is reckoned goes on without it.
    lost: Option<Side>,
}

impl Watch<'_, '_> {
    fn act(&mut self, achieved: &Achieved) {
        let act = &self.trace.plan.steps[achieved.step as usize].act;
        let tick = self.trace.plan.tick_rate.tick_at(achieved.earliest).ticks();
        self.examination.noticed.push(Noticed { step: achieved.step, tick, stamp: tick, late_ticks: 0 });
        if let Act::Fault(Fault::LostPress { side }) = act {
            self.lost_presses[*side] += 1;
        }
        let Some(deed) = self.contacts.deed(act, tick) else { return };
        if let Deed::Press(side) = deed {
            if let Some(left) = self.lost_presses[side].checked_sub(1) {
                self.lost_presses[side] = left;
                self.lost = Some(side);
                return;
            }
            self.pressed = Some(side);
        }
        self.reckoning.pass(tick, Some(deed));
        let before = self.reckoning.doing();
        self.reckoning.deed(deed, tick);
        if let Doing::Running(side) = self.reckoning.doing()
            && self.reckoning.doing() != before
        {
            self.turns[side] += 1;
        }
    }

    fn look(&mut self, stamped: &Stamped) {
        let tick = self.trace.plan.tick_rate.tick_at(stamped.true_time).ticks();
        self.reckoning.pass(tick, None);
        let bounds = BySide::from_fn(|side| self.bound(self.turns[side], tick));
        self.examination.bounds.push(if bounds.black.ticks() > bounds.white.ticks() {
            bounds.black
        } else {
            bounds.white
        });
        let mut near_zero = false;
        for side in sides() {
            self.left(stamped, side, tick, &bounds[side]);
            near_zero |= self.is_near_zero(side, tick, &bounds[side]);
            if self.seen.flags {
                self.flag(stamped, side, tick, &bounds[side]);
            }
            if self.seen.moves {
                self.moves(stamped, side, tick);
            }
        }
        if !near_zero {
            self.running(stamped);
        }
        if let Some(side) = self.lost.take() {
            self.lost_press(stamped, side);
        }
        self.pressed = None;
    }

    /// A press that the plan lets get lost is a finding like any other, if the words show that it is missing.
    fn lost_press(&mut self, stamped: &Stamped, side: Side) {
        if stamped.record.running() == Some(side) {
            let (expected, found) = (format!("{} runs", side.other()), format!("{side} runs by its words"));
            self.find(stamped, Wrong::Press(side), expected, found);
        }
    }

    fn bound(&self, turns: u32, tick: u64) -> Bound {
        self.limits.bound_of_looks(self.seen, self.trace.plan.tick_rate, turns, tick)
    }

    fn find(&mut self, stamped: &Stamped, wrong: Wrong, expected: String, found: String) {
        self.examination.find(Finding { wrong, at: stamped.true_time, expected, found });
    }

    fn left(&mut self, stamped: &Stamped, side: Side, tick: u64, bound: &Bound) {
        let (left, has) = (self.reckoning.left(side, tick), stamped.record.remaining_ticks[side]);
        if left.abs_diff(has) > bound.ticks() {
            let expected = format!("{} left, within {bound}", seconds(left.into(), self.trace));
            let found = format!("{} in its word", seconds(has.into(), self.trace));
            self.find(stamped, Wrong::Remaining(side), expected, found);
        }
    }

    /// Whether a side comes to its zero, or came to it, within the bound around now.
    fn is_near_zero(&self, side: Side, tick: u64, bound: &Bound) -> bool {
        let near = |zero: u64| zero.abs_diff(tick) <= bound.ticks();
        let ahead = self.reckoning.zero_ahead().filter(|(ahead, _)| *ahead == side);
        ahead.map(|(_, zero)| zero).or_else(|| self.reckoning.fell_at(side)).is_some_and(near)
    }

    fn flag(&mut self, stamped: &Stamped, side: Side, tick: u64, bound: &Bound) {
        let (down, shown) = (self.reckoning.fallen(side), stamped.record.fallen[side]);
        if down != shown && !self.is_near_zero(side, tick, bound) {
            let word = |down| if down { "down" } else { "up" };
            self.find(stamped, Wrong::Flag(side), word(down).into(), format!("{} in its word", word(shown)));
        }
    }

    fn moves(&mut self, stamped: &Stamped, side: Side, tick: u64) {
        let (counted, shown) = (self.reckoning.standing(tick).presses[side], stamped.record.moves[side]);
        if counted != shown {
            self.find(stamped, Wrong::Counter(side), format!("{counted} moves"), format!("{shown} in its word"));
        }
    }

    fn running(&mut self, stamped: &Stamped) {
        let runs = match self.reckoning.doing() {
            Doing::Running(side) => Some(side),
            _ => None,
        };
        let shown = stamped.record.running();
        if runs != shown {
            let word = |side: Option<Side>| side.map_or("nobody's time runs".to_owned(), |side| format!("{side} runs"));
            // The side that pressed runs still, and should not: nobody has noticed the press.
            let missed = self.pressed.filter(|side| shown == Some(*side));
            let wrong = missed.map_or(Wrong::Running, Wrong::Press);
            self.find(stamped, wrong, word(runs), format!("{} by its words", word(shown)));
        }
    }
}
