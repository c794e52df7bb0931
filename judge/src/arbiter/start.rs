//! D: the start of the game and late players (FIDE Laws 6.6 and 6.7; CBX 69).
//!
//! Presence is in question only for a player who has an arrival among the facts; of any other it is taken that he was
//! there from the start. Who moves or presses is there, so such a player comes with his first move or press if that is
//! before his arrival.
//!
//! Lateness is counted from the starting signal, and a player who comes exactly at the default time is not after it.
//! *Unless the arbiter decides otherwise* leaves two outcomes for one late player and is ruled as a discretion. For the
//! time that nobody was there (D4) the same words leave anything, so the text's own answer is ruled.

use flagfall_core::{BySide, Side, TrueTime};

use super::{Arbiter, Evidence, milliseconds, time};
use crate::facts::{Fact, What};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{BothAbsent, LateArrival, StartOfGame};

const DEFAULT_TIME: &str = "default-time";

/// Who was there when.
#[derive(Clone, Debug, Default)]
pub(super) struct Presence {
    /// Who was not there when the game was started.
    absent_at_start: BySide<bool>,
    /// Who is not there now.
    absent: BySide<bool>,
    /// Who came after the default time.
    came_late: BySide<bool>,
    started: Option<TrueTime>,
}

impl Presence {
    /// A player who shows himself first after the starting signal was not there when it was given; one who never arrives
    /// was.
    pub(super) fn at_the_start(facts: &[Fact]) -> Self {
        let started = facts.iter().find(|fact| fact.what == What::Started).map(|fact| fact.planned);
        let absent = BySide::from_fn(|side| {
            let first = facts.iter().find(|fact| shows_himself(&fact.what, side)).map(|fact| fact.planned);
            let arrives = facts.iter().any(|fact| fact.what == What::Arrived(side));
            arrives && started.zip(first).is_some_and(|(started, first)| first > started)
        });
        Self { absent_at_start: absent, absent, came_late: BySide::both(false), started: None }
    }
}

/// Whether this happens only when the player is at the board.
fn shows_himself(what: &What, side: Side) -> bool {
    match what {
        What::Arrived(who) => *who == side,
        What::Moved(made) => made.side == side,
        What::Pressed { side: who, .. } => *who == side,
        _ => false,
    }
}

impl Arbiter<'_> {
    pub(super) fn started(&mut self, fact: &Fact) {
        self.presence.started = Some(fact.planned);
        let opening = self.plan.setup.opening;
        if opening.white.moves > 0 || opening.black.moves > 0 {
            return;
        }
        let evidence = Evidence::used(format!("the game was started at {}", time(fact.planned)));
        match self.ask::<StartOfGame>(fact.at, &evidence) {
            None => {}
            Some(StartOfGame::WhiteRuns) => self.decide(Point::D1, fact.at, Outcome::Runs(Side::White), evidence),
        }
    }

    pub(super) fn arrived(&mut self, fact: &Fact, side: Side) {
        let Some(started) = self.presence.started.filter(|_| self.presence.absent[side]) else { return };
        let late_ns = fact.planned.ns() - started.ns();
        let first = self.presence.absent[side.other()];
        let evidence = Evidence::used(format!(
            "{side} came at {}, {} after the start",
            time(fact.planned),
            time(TrueTime::from_ns(late_ns))
        ));
        self.comes_late(fact, side, late_ns, evidence.clone());
        if self.presence.absent_at_start.white && self.presence.absent_at_start.black {
            self.nobody_was_there(fact, side, first, late_ns, evidence);
        }
        self.presence.absent[side] = false;
    }

    fn comes_late(&mut self, fact: &Fact, side: Side, late_ns: i64, evidence: Evidence) {
        let Some(rule) = self.ask::<LateArrival>(fact.at, &evidence) else { return };
        let loss = Outcome::Result(GameResult::lost_by(side));
        let Some(default_ms) = self.plan.regulations.default_time_ms else {
            let answers = vec![("exceeded".to_owned(), loss), ("not-exceeded".to_owned(), Outcome::PlayContinues)];
            let needs = Decision::Needs { fact: DEFAULT_TIME.to_owned(), answers };
            return self.record(Point::D3, fact.at, needs, evidence, 0);
        };
        let evidence = evidence.and(format!("the default time is {default_ms} ms"));
        if i128::from(late_ns) <= i128::from(default_ms) * 1_000_000 {
            return self.decide(Point::D3, fact.at, Outcome::PlayContinues, evidence);
        }
        self.presence.came_late[side] = true;
        // A player who is still not there when the other comes too late will come too late as well.
        let both = self.presence.absent[side.other()] || self.presence.came_late[side.other()];
        let both_lose = Outcome::Result(GameResult::BothLose);
        match rule {
            LateArrival::Loses => {
                self.decide(Point::D3, fact.at, if both { both_lose } else { loss }, evidence);
            }
            LateArrival::LosesUnlessArbiterDecides => {
                let excused = Outcome::Result(GameResult::lost_by(side.other()));
                let outcomes = if both {
                    vec![both_lose, loss, excused, Outcome::PlayContinues]
                } else {
                    vec![loss, Outcome::PlayContinues]
                };
                self.record(Point::D3, fact.at, Decision::Discretion(outcomes), evidence, 0);
            }
        }
    }

    /// Both were absent at the start, and this player comes now.
    fn nobody_was_there(&mut self, fact: &Fact, side: Side, first: bool, late_ns: i64, evidence: Evidence) {
        let default_ms = self.plan.regulations.default_time_ms;
        if default_ms == Some(0) {
            return;
        }
        let evidence = evidence.and("neither player was there at the start");
        let arises = match self.book.answer::<BothAbsent>() {
            Answer::Value(BothAbsent::Split) => first,
            _ => side == Side::White,
        };
        if !arises {
            return;
        }
        let bears = match self.ask::<BothAbsent>(fact.at, &evidence) {
            None => return,
            Some(BothAbsent::WhiteBears) => vec![Outcome::Bears(Side::White, milliseconds(i128::from(late_ns)))],
            Some(BothAbsent::Split) => Side::ALL
                .into_iter()
                .map(|side| Outcome::Bears(side, milliseconds(i128::from(late_ns).div_euclid(2))))
                .collect(),
        };
        for outcome in bears {
            if default_ms.is_some() {
                self.decide(Point::D4, fact.at, outcome, evidence.clone());
                continue;
            }
            let both_lose = Outcome::Result(GameResult::BothLose);
            let answers = vec![("zero".to_owned(), both_lose), ("not-zero".to_owned(), outcome)];
            let needs = Decision::Needs { fact: DEFAULT_TIME.to_owned(), answers };
            self.record(Point::D4, fact.at, needs, evidence.clone(), 0);
        }
    }
}
