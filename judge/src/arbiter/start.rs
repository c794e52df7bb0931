//! D: the start of the game (FIDE Laws 6.6; CBX 69) and late players (FIDE Laws 6.7; US Chess 13D, 13F, 16K).
//!
//! Presence is in question only for a player who has an arrival among the facts; of any other it is taken that he was
//! there from the start. Who moves or presses is there, so such a player comes with his first move or press if that is
//! before his arrival.
//!
//! Lateness is counted from the starting signal of the game, or from the start of the round where the text says so and
//! that is known to have been another instant. A player who comes exactly at the default time is not after it.
//! *Unless the arbiter decides otherwise* leaves two outcomes for one late player and is ruled as a discretion, until
//! the arbiter excuses him. For the time that nobody was there (D4) the same words leave anything, so the text's own
//! answer is ruled, and another division by the arbiter is admissible.

use flagfall_core::{BySide, Side, TrueTime};
use flagfall_trace::Hall;
use flagfall_trace::plan::GameClass;

use super::{Arbiter, Evidence, milliseconds, time};
use crate::facts::{Fact, What};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{BothAbsent, BothLate, DefaultTime, LateArrival, StartOfGame};

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
    /// Whom the arbiter excused.
    excused: BySide<bool>,
    /// It has been ruled what becomes of two late players.
    both_ruled: bool,
    /// When the round began, if that was told.
    opened: Option<TrueTime>,
    started: Option<TrueTime>,
}

impl Presence {
    /// A player who shows himself first after the starting signal was not there when it was given; one who never arrives
    /// was.
    pub(super) fn at_the_start(facts: &[Fact]) -> Self {
        let instant = |what: What| facts.iter().find(|fact| fact.what == what).map(|fact| fact.planned);
        let started = instant(What::Started);
        let opened = instant(What::Hall(Hall::OpenRound));
        let comes_after = |side, from: Option<TrueTime>| {
            let first = facts.iter().find(|fact| shows_himself(&fact.what, side)).map(|fact| fact.planned);
            let arrives = facts.iter().any(|fact| fact.what == What::Arrived(side));
            arrives && from.zip(first).is_some_and(|(from, first)| first > from)
        };
        Self {
            absent_at_start: BySide::from_fn(|side| comes_after(side, started)),
            absent: BySide::from_fn(|side| comes_after(side, opened.or(started))),
            ..Self::default()
        }
    }

    /// Whether this player was not there when the game was started, and is not there now.
    pub(super) fn is_late(&self, side: Side) -> bool {
        self.started.is_some() && self.absent[side]
    }
}

/// Whether this happens only when the player is at the board.
fn shows_himself(what: &What, side: Side) -> bool {
    match what {
        What::Arrived(who) => *who == side,
        What::Moved { made, .. } => made.side == side,
        What::Pressed { side: who, .. } => *who == side,
        _ => false,
    }
}

impl Arbiter<'_> {
    /// Whether the starting signal has been given.
    pub(super) fn has_started(&self) -> bool {
        self.presence.started.is_some()
    }

    pub(super) fn round_opened(&mut self, fact: &Fact) {
        self.presence.opened.get_or_insert(fact.planned);
    }

    pub(super) fn started(&mut self, fact: &Fact) {
        self.presence.started = Some(fact.planned);
        let opening = self.plan.setup.opening;
        if opening.white.moves > 0 || opening.black.moves > 0 {
            return;
        }
        let evidence = Evidence::used(format!("the game was started at {}", time(fact.planned)));
        self.dial_is_set(fact);
        match self.ask::<StartOfGame>(fact.at, &evidence) {
            None => {}
            Some(StartOfGame::WhiteRuns) => self.decide(Point::D1, fact.at, Outcome::Runs(Side::White), evidence),
        }
    }

    pub(super) fn arrived(&mut self, fact: &Fact, side: Side) {
        if !self.presence.absent[side] {
            return;
        }
        let first = self.presence.absent[side.other()];
        self.comes_late(fact, side);
        if let Some(started) = self.presence.started
            && self.presence.absent_at_start.white
            && self.presence.absent_at_start.black
        {
            self.nobody_was_there(fact, side, first, fact.planned.ns() - started.ns());
        }
        self.presence.absent[side] = false;
    }

    /// How late he is by the rulebook's reckoning, and in words; `None` while nothing has begun for it.
    fn lateness(&self, fact: &Fact, side: Side, rule: Option<LateArrival>) -> Option<(i64, Evidence)> {
        let from_the_round = rule.is_some_and(LateArrival::counts_from_the_round);
        let (from, what) = match self.presence.opened.filter(|_| from_the_round) {
            Some(opened) => (opened, "the round began"),
            None => (self.presence.started?, "the start"),
        };
        let late_ns = fact.planned.ns() - from.ns();
        let late = time(TrueTime::from_ns(late_ns));
        Some((late_ns, Evidence::used(format!("{side} came at {}, {late} after {what}", time(fact.planned)))))
    }

    fn comes_late(&mut self, fact: &Fact, side: Side) {
        let rule = match self.book.answer::<LateArrival>() {
            Answer::Value(rule) => Some(rule),
            Answer::Silent | Answer::NotDecidable { .. } => None,
        };
        let Some((late_ns, evidence)) = self.lateness(fact, side, rule) else { return };
        let named = self.plan.regulations.default_time_ms;
        let default_ms = named.or_else(|| self.default_time(fact, &evidence));
        let Some(rule) = self.ask::<LateArrival>(fact.at, &evidence) else { return };
        let loss = Outcome::Result(GameResult::lost_by(side));
        let Some(default_ms) = default_ms else {
            let answers = vec![("exceeded".to_owned(), loss), ("not-exceeded".to_owned(), Outcome::PlayContinues)];
            let needs = Decision::Needs { fact: DEFAULT_TIME.to_owned(), answers };
            return self.record(Point::D3, fact.at, needs, evidence, 0);
        };
        let mut evidence = evidence.and(format!("the default time is {default_ms} ms"));
        if named.is_none() {
            evidence = evidence.resting_on([Point::D2]);
        }
        if i128::from(late_ns) <= i128::from(default_ms) * 1_000_000 {
            return self.decide(Point::D3, fact.at, Outcome::PlayContinues, evidence);
        }
        self.is_too_late(fact, side, rule, evidence);
    }

    fn is_too_late(&mut self, fact: &Fact, side: Side, rule: LateArrival, evidence: Evidence) {
        if self.presence.excused[side] {
            let evidence = evidence.and("the arbiter had excused him");
            return self.decide(Point::D3, fact.at, Outcome::PlayContinues, evidence);
        }
        self.presence.came_late[side] = true;
        // A player who is still not there when the other comes too late will come too late as well.
        let other = side.other();
        let other_too = self.presence.absent[other] || self.presence.came_late[other];
        let both = other_too && !self.presence.excused[other];
        let loss = Outcome::Result(GameResult::lost_by(side));
        let both_lose = Outcome::Result(GameResult::BothLose);
        if both {
            self.both_are_late(fact, side, &evidence);
        }
        if !rule.leaves_it_to_the_arbiter() {
            return self.decide(Point::D3, fact.at, if both { both_lose } else { loss }, evidence);
        }
        let outcomes = if both { all_of_both_late(side) } else { vec![loss, Outcome::PlayContinues] };
        self.record(Point::D3, fact.at, Decision::Discretion(outcomes), evidence, 0);
    }

    fn both_are_late(&mut self, fact: &Fact, side: Side, evidence: &Evidence) {
        if self.presence.both_ruled {
            return;
        }
        self.presence.both_ruled = true;
        let evidence = evidence.clone().and("the other player is too late as well");
        let both_lose = Outcome::Result(GameResult::BothLose);
        let outcomes = match self.ask::<BothLate>(fact.at, &evidence) {
            None => return,
            Some(BothLate::BothLose) => return self.decide(Point::D5, fact.at, both_lose, evidence),
            Some(BothLate::BothLoseUnlessArbiterDecides) => all_of_both_late(side),
            Some(BothLate::MayBothLose) => vec![both_lose, Outcome::PlayContinues],
        };
        self.record(Point::D5, fact.at, Decision::Discretion(outcomes), evidence, 0);
    }

    /// D2: the default time where the regulations name none, if the text has one for such a game.
    fn default_time(&mut self, fact: &Fact, evidence: &Evidence) -> Option<u64> {
        let evidence = evidence.clone().and("the regulations name no default time");
        let rule = self.ask::<DefaultTime>(fact.at, &evidence)?;
        let Some(default_ms) = self.default_of(rule) else {
            let evidence = evidence.and("the text names no default time for a game of this class");
            self.record(Point::D2, fact.at, Decision::Silent, evidence, 0);
            return None;
        };
        self.decide(Point::D2, fact.at, Outcome::DefaultTime(default_ms), evidence);
        Some(default_ms)
    }

    fn default_of(&self, rule: DefaultTime) -> Option<u64> {
        match rule {
            DefaultTime::Zero => Some(0),
            DefaultTime::ByClass => match self.class()? {
                GameClass::Standard => Some(self.limit(Point::D2, "standard")),
                GameClass::Rapid => Some(self.limit(Point::D2, "rapid")),
                GameClass::Blitz => None,
            },
            DefaultTime::UntilTheFirstControl => {
                let first_ms = self.plan.setup.control.white.period(0).base_ms;
                Some(self.limit(Point::D2, "at_most").min(first_ms))
            }
        }
    }

    /// The default time of this game, whoever names it.
    fn default_ms(&self) -> Option<u64> {
        self.plan.regulations.default_time_ms.or_else(|| match self.book.answer::<DefaultTime>() {
            Answer::Value(rule) => self.default_of(rule),
            Answer::Silent | Answer::NotDecidable { .. } => None,
        })
    }

    /// The arbiter excuses a player who comes late or will.
    pub(super) fn excused(&mut self, fact: &Fact, side: Side) {
        let evidence = Evidence::used(format!("the arbiter excused {side} at {}", time(fact.at)));
        let Some(rule) = self.ask::<LateArrival>(fact.at, &evidence) else { return };
        if !rule.leaves_it_to_the_arbiter() {
            let evidence = evidence.but_not("a decision of the arbiter: the text leaves him none");
            return self.decide(Point::D3, fact.at, Outcome::ActNotAdmissible, evidence);
        }
        self.presence.excused[side] = true;
        self.decide(Point::D3, fact.at, Outcome::ActAdmissible, evidence.clone());
        if self.presence.came_late[side] {
            self.presence.came_late[side] = false;
            self.decide(Point::D3, fact.at, Outcome::PlayContinues, evidence);
        }
    }

    /// The arbiter says who bears the time for which nobody was there.
    pub(super) fn allocated(&mut self, fact: &Fact, shares_ms: BySide<u64>) {
        let evidence = Evidence::used(format!(
            "the arbiter gave White {} ms and Black {} ms of the time for which nobody was there",
            shares_ms.white, shares_ms.black
        ));
        let outcome = match self.ask::<BothAbsent>(fact.at, &evidence) {
            None => return,
            Some(BothAbsent::Split) if shares_ms.white != shares_ms.black => Outcome::ActNotAdmissible,
            Some(BothAbsent::WhiteBears | BothAbsent::Split) => Outcome::ActAdmissible,
        };
        self.decide(Point::D4, fact.at, outcome, evidence);
    }

    /// Both were absent at the start, and this player comes now.
    fn nobody_was_there(&mut self, fact: &Fact, side: Side, first: bool, late_ns: i64) {
        let default_ms = self.default_ms();
        let arises = match self.book.answer::<BothAbsent>() {
            Answer::Value(BothAbsent::Split) => first,
            _ => side == Side::White,
        };
        if default_ms == Some(0) || !arises {
            return;
        }
        let late = time(TrueTime::from_ns(late_ns));
        let evidence = Evidence::used(format!("{side} came at {}, {late} after the start", time(fact.planned)))
            .and("neither player was there at the start");
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

/// What the arbiter may decide of two late players, the first of whom is this one.
fn all_of_both_late(side: Side) -> Vec<Outcome> {
    [GameResult::BothLose, GameResult::lost_by(side), GameResult::lost_by(side.other())]
        .into_iter()
        .map(Outcome::Result)
        .chain([Outcome::PlayContinues])
        .collect()
}
