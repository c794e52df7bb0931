//! Habits of players in `play`: presses that are forgotten, clocks that are stopped; when, is drawn.

use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{Person, StopReason};
use flagfall_trace::{Act, When};

use super::play::{Think, ns_of_ms};
use super::{Timeline, after};
use crate::board::Position;
use crate::diagnostics::Complaint;
use crate::raw::{RawForgetPress, RawPlay, RawPlayPause};
use crate::spans::Node;

/// One stream for each habit, so that one does not change the other.
pub(super) struct Chance {
    forgets: Stream,
    pauses: Stream,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self { forgets: Stream::named(seed, "forgotten-press"), pauses: Stream::named(seed, "pause-while-thinking") }
    }
}

/// What the players of one `play` do beside playing.
#[derive(Clone, Copy, Default)]
pub(super) struct Habits {
    forgets: Option<Forgets>,
    pauses: Option<Pauses>,
}

/// One press in so many is made only after this time.
#[derive(Clone, Copy)]
struct Forgets {
    one_in: u64,
    notice_after: Think,
}

/// At one move in so many the clocks are stopped.
#[derive(Clone, Copy)]
struct Pauses {
    by: Person,
    one_in: u64,
    duration: Think,
    reason: StopReason,
}

impl Timeline<'_, '_> {
    /// The habits of a `play`; one that cannot be understood is complained of and left out.
    pub(super) fn habits(&mut self, raw: &RawPlay, node: &Node) -> Habits {
        let forgets = raw.forget_press.as_ref().and_then(|raw| self.forgets(raw, node.at("forget_press")));
        let pauses = raw.pause.as_ref().and_then(|raw| self.pauses(raw, node.at("pause")));
        Habits { forgets, pauses }
    }

    fn forgets(&mut self, raw: &RawForgetPress, node: &Node) -> Option<Forgets> {
        let one_in = self.one_in(raw.one_in, node)?;
        let notice_after = self.thinking(&raw.notice_after, node.at("notice_after"))?;
        Some(Forgets { one_in, notice_after })
    }

    fn pauses(&mut self, raw: &RawPlayPause, node: &Node) -> Option<Pauses> {
        let one_in = self.one_in(raw.one_in, node)?;
        let duration = self.thinking(&raw.duration, node.at("for"))?;
        Some(Pauses { by: raw.by, one_in, duration, reason: raw.reason.unwrap_or(StopReason::None) })
    }

    fn one_in(&mut self, one_in: u32, node: &Node) -> Option<u64> {
        let complaint = if one_in == 0 {
            Complaint::new("one in zero is nothing").help("write `one_in: 1` for always, or leave the habit out")
        } else if self.chance.is_none() {
            Complaint::new("a chance is drawn, and this scenario has no `seed`").help("add `seed: 1` to the scenario")
        } else {
            return Some(u64::from(one_in));
        };
        self.meaning.complain(node.at("one_in"), complaint);
        None
    }

    /// When the next move is made that is thought about for so many nanoseconds: the clocks may be stopped meanwhile.
    pub(super) fn thought(&mut self, think_ns: i64, habits: Habits) -> When {
        let mover = self.position.as_ref().map(Position::side);
        let (Some(pauses), Some(chance), Some(mover)) = (habits.pauses, &mut self.chance, mover) else {
            return after(think_ns);
        };
        let its_turn = pauses.by.side().is_none_or(|by| by == mover);
        if !its_turn || !happens(&mut chance.pauses, pauses.one_in) {
            return after(think_ns);
        }
        let think_ms = think_ns.unsigned_abs() / 1_000_000;
        let before_ns = ns_of_ms(chance.pauses.within(0, think_ms));
        let stopped_ns = pauses.duration.drawn(&mut chance.pauses);
        self.order.pass(stopped_ns);
        self.add(after(before_ns), Act::pause(pauses.by, pauses.reason));
        self.add(after(stopped_ns), Act::Resume { by: Person::Arbiter });
        after(think_ns - before_ns)
    }

    /// How many nanoseconds pass between a move and its press.
    pub(super) fn forgotten_ns(&mut self, habits: Habits) -> i64 {
        let (Some(forgets), Some(chance)) = (habits.forgets, &mut self.chance) else { return 0 };
        if !happens(&mut chance.forgets, forgets.one_in) {
            return 0;
        }
        let ns = forgets.notice_after.drawn(&mut chance.forgets);
        self.order.pass(ns);
        ns
    }
}

fn happens(stream: &mut Stream, one_in: u64) -> bool {
    stream.within(1, one_in) == 1
}
