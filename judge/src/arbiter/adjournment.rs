//! L: adjourned games (FIDE guidelines on adjourned games 1 to 9 of 2009, I.1 to I.9 of 2023; US Chess 18 and 19).
//!
//! The hour, the envelope and the stop are facts. A stop that follows the sealing belongs to it and is no stop that a
//! player would have to give a reason for.

use flagfall_core::{Side, TrueTime};
use flagfall_trace::hall::Presence;
use flagfall_trace::plan::Person;

use super::{Arbiter, Evidence, milliseconds, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::ruling::{Decision, Outcome};
use crate::value::{ReplierAbsent, Resumption, Sealing};

/// How far the adjournment has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Adjournment {
    sealed: Option<Side>,
    /// When the clocks were stopped after the sealing.
    stopped: Option<TrueTime>,
    /// The player whose coming the envelope waits for.
    waits_for: Option<Side>,
}

impl Arbiter<'_> {
    pub(super) fn hour_of_adjournment(&mut self, fact: &Fact) {
        let (Some(side), Some(stopped)) = (self.adjournment.sealed, self.adjournment.stopped) else { return };
        let early_ns = i128::from(fact.at.ns()) - i128::from(stopped.ns());
        let evidence = Evidence::used(format!("{side} had sealed and stopped at {}", time(stopped)))
            .and(format!("the set hour came at {}", time(fact.at)));
        match self.ask::<Sealing>(fact.at, &evidence) {
            None => {}
            Some(Sealing::ArbiterStops) => self.record(Point::L1, fact.at, Decision::Silent, evidence, 0),
            Some(Sealing::PlayerStops) => {
                self.decide(Point::L1, fact.at, Outcome::Charged(side, milliseconds(early_ns)), evidence);
            }
        }
    }

    pub(super) fn sealed(&mut self, side: Side) {
        self.adjournment.sealed = Some(side);
    }

    /// Whether this stop is the one that follows a sealing; if so it is ruled on here.
    pub(super) fn stop_ends_the_session(&mut self, fact: &Fact, by: Person) -> bool {
        let Some(side) = self.adjournment.sealed.filter(|_| self.adjournment.stopped.is_none()) else { return false };
        self.adjournment.stopped = Some(fact.at);
        let mut evidence = Evidence::used(format!("{side} had sealed a move"))
            .and(format!("{by} stopped the clocks at {}", time(fact.at)));
        let by_the_player = by.side() == Some(side);
        match (self.ask::<Sealing>(fact.at, &evidence), by) {
            (None, _) => {}
            (Some(Sealing::ArbiterStops), Person::Arbiter) => {
                self.decide(Point::L1, fact.at, Outcome::ClocksStopped, evidence);
            }
            (Some(Sealing::PlayerStops), _) if by_the_player => {
                self.decide(Point::L1, fact.at, Outcome::ClocksStopped, evidence);
            }
            (Some(Sealing::ArbiterStops), _) if by_the_player => {
                evidence.inferred = true;
                self.decide(Point::L1, fact.at, Outcome::Forbidden(side), evidence);
            }
            (Some(_), _) => self.record(Point::L1, fact.at, Decision::Silent, evidence, 0),
        }
        true
    }

    pub(super) fn change_wanted(&mut self, fact: &Fact, side: Side) {
        if self.adjournment.sealed != Some(side) {
            return;
        }
        let stopped = self.adjournment.stopped;
        let evidence = Evidence::used(format!("{side} wanted to change the sealed move at {}", time(fact.at)))
            .and(if stopped.is_some() { "the clocks were stopped" } else { "the clocks were not stopped yet" });
        match self.ask::<Sealing>(fact.at, &evidence) {
            None => {}
            Some(Sealing::ArbiterStops) => self.record(Point::L1, fact.at, Decision::Silent, evidence, 0),
            Some(Sealing::PlayerStops) => {
                let outcome = if stopped.is_some() { Outcome::MayNotChange(side) } else { Outcome::MayChange(side) };
                self.decide(Point::L1, fact.at, outcome, evidence);
            }
        }
    }

    pub(super) fn game_is_resumed(&mut self, fact: &Fact, present: Presence) {
        let Some(sealer) = self.adjournment.sealed.or_else(|| self.on_move()) else { return };
        let replier = sealer.other();
        if present.has(replier) {
            let evidence = Evidence::used(format!("{replier}, who has to reply, is there at {}", time(fact.at)));
            if self.ask::<Resumption>(fact.at, &evidence).is_some() {
                self.envelope_opens(Point::L2, fact, replier, evidence);
            }
            return;
        }
        let mut evidence = Evidence::used(format!("{replier}, who has to reply, is not there at {}", time(fact.at)));
        let shut = self.ask::<ReplierAbsent>(fact.at, &evidence) == Some(ReplierAbsent::ShutAndHisClockRuns);
        if shut {
            self.adjournment.waits_for = Some(replier);
            self.decide(Point::L3, fact.at, Outcome::EnvelopeShut, evidence.clone());
            self.decide(Point::L3, fact.at, Outcome::Runs(replier), evidence.clone());
        }
        match self.ask::<Resumption>(fact.at, &evidence) {
            Some(Resumption::Opened) if !shut => {
                evidence.inferred = true;
                self.envelope_opens(Point::L2, fact, replier, evidence);
            }
            Some(Resumption::OpenedIfTheReplierIsThere) => {
                self.decide(Point::L2, fact.at, Outcome::EnvelopeShut, evidence);
            }
            Some(Resumption::Opened) | None => {}
        }
    }

    /// A player comes; the envelope may have waited for him.
    pub(super) fn envelope_waited_for(&mut self, fact: &Fact, side: Side) {
        if self.adjournment.waits_for == Some(side) {
            self.adjournment.waits_for = None;
            let evidence = Evidence::used(format!("{side}, who has to reply, came at {}", time(fact.at)));
            if self.ask::<ReplierAbsent>(fact.at, &evidence).is_some() {
                self.envelope_opens(Point::L3, fact, side, evidence);
            }
        }
    }

    fn envelope_opens(&mut self, point: Point, fact: &Fact, replier: Side, evidence: Evidence) {
        self.decide(point, fact.at, Outcome::EnvelopeOpened, evidence.clone());
        let evidence = evidence.and(format!("{} sealed move was made on the board", whose(replier.other())));
        self.decide(point, fact.at, Outcome::Runs(replier), evidence);
    }
}
