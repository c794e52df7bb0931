//! Who was really on move.

use flagfall_core::{BySide, Debouncer, Side, TickRate, TrueTime};
use flagfall_trace::{Achieved, Act, Trace};

use crate::answer;

/// Who was really on move, by what was done and not by what the device made of it; asked for ever later instants.
pub(super) struct Hall {
    /// In order, the next one last.
    turns: Vec<Turn>,
    /// Twice the instant from which on it is not known who is on move, if there is one.
    unclear_from: Option<i128>,
    sums: Sums,
}

/// From one act on a side is on move, or nobody: twice the middle of the act's bracket, and its width.
struct Turn {
    side: Option<Side>,
    from: i128,
    width: i128,
}

/// Twice the time that each side was on move, and twice what is not known of it.
#[derive(Clone)]
pub(super) struct Sums {
    running: Option<(Side, i128, i128)>,
    on_move: BySide<i128>,
    unsure: BySide<i128>,
    /// Whether it is not known who was on move.
    pub(super) is_unclear: bool,
}

impl Hall {
    pub(super) fn of(trace: &Trace) -> Self {
        let mut turns = Vec::new();
        let mut next = trace.plan.setup.first;
        let mut is_on = false;
        let mut unclear_from = None;
        let mut contacts = BySide::from_fn(|_| Contact::of(trace));
        for achieved in &trace.achieved {
            let from = i128::from(achieved.earliest.ns()) + i128::from(achieved.latest.ns());
            match answer::act(trace, achieved) {
                Some(Act::Start) => is_on = true,
                Some(Act::Press { side, .. }) if is_on && *side == next => next = side.other(),
                Some(Act::Contact { side, closes }) => match contacts[*side].edge(achieved, *closes) {
                    Edge::Press if is_on && *side == next => next = side.other(),
                    Edge::Perhaps if is_on && *side == next => unclear_from = unclear_from.or(Some(from)),
                    _ => continue,
                },
                Some(Act::Pause { .. }) => is_on = false,
                Some(Act::Resume { .. }) => is_on = true,
                _ => continue,
            }
            let width = i128::from(achieved.latest.ns()) - i128::from(achieved.earliest.ns());
            turns.push(Turn { side: is_on.then_some(next), from, width });
        }
        turns.reverse();
        let sums = Sums { running: None, on_move: BySide::both(0), unsure: BySide::both(0), is_unclear: false };
        Self { turns, unclear_from, sums }
    }

    /// What it came to by an instant that is not before the one asked for last.
    pub(super) fn until(&mut self, ns: i64) -> Sums {
        while let Some(turn) = self.turns.pop_if(|turn| turn.from <= 2 * i128::from(ns)) {
            self.sums.end(turn.from, turn.width);
            self.sums.running = turn.side.map(|side| (side, turn.from, turn.width));
        }
        let mut sums = self.sums.clone();
        sums.end(2 * i128::from(ns), 0);
        sums.is_unclear = self.unclear_from.is_some_and(|from| from <= 2 * i128::from(ns));
        sums
    }
}

impl Sums {
    fn end(&mut self, at: i128, width: i128) {
        if let Some((side, from, unsure)) = self.running.take() {
            self.on_move[side] += at - from;
            self.unsure[side] += unsure + width;
        }
    }

    pub(super) fn on_move_ns(&self) -> BySide<i128> {
        self.on_move.map(|twice| twice.div_euclid(2))
    }

    pub(super) fn uncertainty_ns(&self) -> BySide<i128> {
        self.unsure.map(|twice| (twice + 1).div_euclid(2))
    }
}

/// What an edge of a contact is to a clock that counts right.
enum Edge {
    Press,
    Nothing,
    /// A press or nothing: the bench does not know the instants well enough.
    Perhaps,
}

/// The contact of one button, as the hall knows its edges.
struct Contact {
    debouncer: Debouncer,
    rate: TickRate,
    quiet_ns: i64,
    /// By how much a right clock may count the quiet time otherwise, however well the bench knows the instants.
    step_ns: i64,
    last: Option<Achieved>,
}

impl Contact {
    fn of(trace: &Trace) -> Self {
        let (rate, ms) = (trace.plan.tick_rate, trace.plan.setup.debounce_ms);
        let tick_ns = 1_000_000_000 / i64::from(rate.hz()) + 1;
        let quantum = i64::from(trace.plan.oscillator.quantum_ticks.get());
        let is_exact = trace.plan.oscillator.is_exact();
        let step_ns = if is_exact { tick_ns } else { tick_ns.saturating_mul(quantum) };
        let is_virtual = trace.achieved.iter().all(|achieved| achieved.earliest == achieved.latest);
        Self {
            debouncer: Debouncer::new(ms, rate),
            rate,
            quiet_ns: i64::from(ms) * 1_000_000,
            step_ns: if is_exact && is_virtual { 0 } else { step_ns },
            last: None,
        }
    }

    fn edge(&mut self, at: &Achieved, closes: bool) -> Edge {
        let last = self.last.replace(*at);
        let perhaps = closes && last.is_some_and(|last| self.is_unclear(&last, at));
        let middle = TrueTime::from_ns(at.earliest.ns().midpoint(at.latest.ns()));
        match (self.debouncer.edge(self.rate.tick_at(middle), closes), perhaps) {
            (_, true) => Edge::Perhaps,
            (true, false) => Edge::Press,
            (false, false) => Edge::Nothing,
        }
    }

    /// Whether the quiet between two edges may have been too short or long enough.
    fn is_unclear(&self, last: &Achieved, at: &Achieved) -> bool {
        let least = at.earliest.ns().saturating_sub(last.latest.ns()).saturating_sub(self.step_ns);
        let most = at.latest.ns().saturating_sub(last.earliest.ns()).saturating_add(self.step_ns);
        self.quiet_ns > 0 && least < most && (least..=most).contains(&self.quiet_ns)
    }
}
