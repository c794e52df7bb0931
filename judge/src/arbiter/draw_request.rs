//! J1 to J6: a player short of time asks for a draw because the game is not played for a win (FIDE Laws 10.2 of 2009,
//! guideline III of 2023; US Chess Variation 14H), or for an increment instead (guideline III.4).
//!
//! Whether the request is looked into is one question, what each answer of the arbiter brings another. A decision that
//! was put off keeps what a flag costs open until it comes, where the text lets it come after the flag.

use flagfall_core::{Bonus, Side};
use flagfall_trace::hall::{Answer as Reply, DrawRequest};
use flagfall_trace::plan::GameClass;

use super::draw_claim::span;
use super::{Arbiter, Evidence, milliseconds, time};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{
    IncrementInstead, RequestAccepted, RequestInBlitz, RequestPostponed, RequestRejected, WhoMayRequest,
};

/// A request that the arbiter has not answered for good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    by: Side,
    for_increment: bool,
    /// Whether the rulebook has it looked into; `None` where it does not say.
    considered: Option<bool>,
    postponed: bool,
}

impl Arbiter<'_> {
    pub(super) fn draw_requested(&mut self, fact: &Fact, request: DrawRequest) {
        let side = request.by;
        let evidence = self.request_evidence(fact, side, "a draw");
        let considered = self.draw_is_considered(fact, side, evidence);
        self.request = Some(Request { by: side, for_increment: false, considered, postponed: false });
    }

    pub(super) fn increment_asked(&mut self, fact: &Fact, side: Side) {
        let evidence = self.request_evidence(fact, side, "an increment");
        let considered = match self.ask::<IncrementInstead>(fact.at, &evidence) {
            None => None,
            Some(IncrementInstead::BelowOnMove) => {
                let limit_ms = self.limit(Point::J6, "remaining");
                let mut obstacles = self.obstacles(fact, side, limit_ms, WhoMayRequest::BelowOnMoveIfAnnounced);
                if self.class() == Some(GameClass::Blitz) {
                    obstacles.push("it is a blitz game");
                }
                self.consider(Point::J6, fact, side, &obstacles, evidence)
            }
        };
        self.request = Some(Request { by: side, for_increment: true, considered, postponed: false });
    }

    fn request_evidence(&self, fact: &Fact, side: Side, what: &str) -> Evidence {
        Evidence::used(format!("{side} asked for {what} at {}", time(fact.at)))
            .and(format!("{side} had {} left", span(self.left_ns(side))))
    }

    fn draw_is_considered(&mut self, fact: &Fact, side: Side, mut evidence: Evidence) -> Option<bool> {
        if self.class() == Some(GameClass::Blitz) {
            let excluded = match self.ask::<RequestInBlitz>(fact.at, &evidence) {
                None => false,
                Some(RequestInBlitz::Never) => true,
                Some(RequestInBlitz::NotUnsupervised) => !self.plan.regulations.supervised,
            };
            if excluded {
                return self.consider(Point::J5, fact, side, &["it is a blitz game"], evidence);
            }
        }
        let rule = self.ask::<WhoMayRequest>(fact.at, &evidence)?;
        let limit_ms = self.limit(Point::J1, "remaining");
        let obstacles = self.obstacles(fact, side, limit_ms, rule);
        if obstacles.is_empty() && self.bonus_of(side) != Bonus::None {
            // What these texts call a limited time is not said to be without extra time for moves.
            evidence.inferred = true;
        }
        self.consider(Point::J1, fact, side, &obstacles, evidence)
    }

    /// What stands against a request under this rule.
    fn obstacles(&self, fact: &Fact, side: Side, limit_ms: u64, rule: WhoMayRequest) -> Vec<&'static str> {
        let left_ms = milliseconds(self.left_ns(side));
        let little = match rule {
            WhoMayRequest::AtOrBelowOnMoveIfAnnounced => left_ms <= limit_ms,
            _ => left_ms < limit_ms,
        };
        let bonus = rule.has_to_be_announced() && self.bonus_of(side) != Bonus::None;
        let announced = !rule.has_to_be_announced() || self.plan.regulations.draw_request != Some(false);
        let on_move = rule == WhoMayRequest::Below || self.on_move() == Some(side);
        let flag_up = !fact.face.is_some_and(|face| face.fallen[side]);
        [
            (self.is_in_the_last_period(side), "it is not the last period"),
            (little, "the time left is not little enough"),
            (flag_up, "the flag had fallen"),
            (on_move, "the opponent was on the move"),
            (announced, "the procedure was not announced"),
            (!bonus, "moves bring extra time"),
        ]
        .into_iter()
        .filter_map(|(fits, obstacle)| (!fits).then_some(obstacle))
        .collect()
    }

    fn consider(
        &mut self,
        point: Point,
        fact: &Fact,
        side: Side,
        obstacles: &[&str],
        evidence: Evidence,
    ) -> Option<bool> {
        let evidence = obstacles.iter().fold(evidence, |evidence, obstacle| evidence.and(*obstacle));
        let considered = obstacles.is_empty();
        if considered && self.announcement_is_unknown(point) {
            let answers = vec![
                ("announced".to_owned(), Outcome::Considered(side)),
                ("not-announced".to_owned(), Outcome::NotConsidered(side)),
            ];
            self.record(point, fact.at, Decision::Needs { fact: "draw-request".to_owned(), answers }, evidence, 0);
            return None;
        }
        let outcome = if considered { Outcome::Considered(side) } else { Outcome::NotConsidered(side) };
        self.decide(point, fact.at, outcome, evidence);
        Some(considered)
    }

    /// Whether an answer turns on an announcement of which the regulations tell nothing.
    fn announcement_is_unknown(&self, point: Point) -> bool {
        let matters = match point {
            Point::J1 => {
                matches!(self.book.answer::<WhoMayRequest>(), Answer::Value(rule) if rule.has_to_be_announced())
            }
            _ => point == Point::J6,
        };
        matters && self.plan.regulations.draw_request.is_none()
    }

    pub(super) fn request_was_answered(&mut self, fact: &Fact, reply: Reply) {
        let Some(request) = self.request else { return };
        let evidence = Evidence::used(format!("the arbiter's answer to {} at {}", request.by, time(fact.at)))
            .resting_on(if request.for_increment { [Point::J6] } else { [Point::J1] });
        if request.for_increment {
            return self.increment_was_answered(fact, request, reply, evidence);
        }
        match reply {
            Reply::Accept => self.request_accepted(fact, request, evidence),
            Reply::Postpone => self.request_postponed(fact, request, evidence),
            Reply::Reject => self.request_rejected(fact, request, evidence),
            Reply::Draw | Reply::PlayOn => self.postponed_request_decided(fact, request, reply, evidence),
        }
    }

    /// Whether the act is admissible at all, and says so; nothing is said where the request itself is an open question.
    fn act_is_admissible(&mut self, point: Point, fact: &Fact, admissible: Option<bool>, evidence: &Evidence) -> bool {
        let Some(admissible) = admissible else {
            self.record(point, fact.at, Decision::Silent, evidence.clone(), 0);
            return false;
        };
        let outcome = if admissible { Outcome::ActAdmissible } else { Outcome::ActNotAdmissible };
        let evidence =
            if admissible { evidence.clone() } else { evidence.clone().and("there was no request to be answered so") };
        self.decide(point, fact.at, outcome, evidence);
        admissible
    }

    fn request_accepted(&mut self, fact: &Fact, request: Request, evidence: Evidence) {
        let Some(RequestAccepted::Draw) = self.ask::<RequestAccepted>(fact.at, &evidence) else { return };
        if self.act_is_admissible(Point::J2, fact, request.considered, &evidence) {
            self.request = None;
            self.decide(Point::J2, fact.at, Outcome::Result(GameResult::Draw), evidence);
        }
    }

    fn request_postponed(&mut self, fact: &Fact, request: Request, evidence: Evidence) {
        let Some(rule) = self.ask::<RequestPostponed>(fact.at, &evidence) else { return };
        if !self.act_is_admissible(Point::J3, fact, request.considered, &evidence) {
            return;
        }
        self.request = Some(Request { postponed: true, ..request });
        let may = match rule {
            RequestPostponed::OpponentMayGain => Outcome::Gains(request.by.other(), self.limit(Point::J3, "opponent")),
            RequestPostponed::DelayClockOrBeforeTheFlag => {
                let half_seconds = milliseconds(self.left_ns(request.by) / 2).saturating_add(500) / 1_000;
                Outcome::Left(request.by, half_seconds * 1_000)
            }
        };
        self.record(Point::J3, fact.at, Decision::Discretion(vec![may, Outcome::PlayContinues]), evidence, 0);
    }

    fn request_rejected(&mut self, fact: &Fact, request: Request, evidence: Evidence) {
        let Some(rule) = self.ask::<RequestRejected>(fact.at, &evidence) else { return };
        self.request = None;
        self.decide(Point::J4, fact.at, Outcome::ActAdmissible, evidence.clone());
        if request.considered != Some(true) {
            return;
        }
        match rule {
            RequestRejected::OpponentGains => {
                let gains = Outcome::Gains(request.by.other(), self.limit(Point::J4, "opponent"));
                self.decide(Point::J4, fact.at, gains, evidence);
            }
            RequestRejected::RequesterMayLose => {
                let charged = Outcome::Charged(request.by, self.limit(Point::J4, "requester"));
                let either = Decision::Discretion(vec![charged, Outcome::PlayContinues]);
                self.record(Point::J4, fact.at, either, evidence, 0);
            }
        }
    }

    fn postponed_request_decided(&mut self, fact: &Fact, request: Request, reply: Reply, evidence: Evidence) {
        let Some(rule) = self.ask::<RequestPostponed>(fact.at, &evidence) else { return };
        let flag_down = fact.face.is_some_and(|face| face.fallen.white || face.fallen.black);
        let in_time = rule == RequestPostponed::OpponentMayGain || !flag_down;
        if !self.act_is_admissible(Point::J3, fact, Some(request.postponed && in_time), &evidence) {
            return;
        }
        self.request = None;
        if reply == Reply::Draw {
            self.flags.inquiry = None;
            self.decide(Point::J3, fact.at, Outcome::Result(GameResult::Draw), evidence);
        }
    }

    fn increment_was_answered(&mut self, fact: &Fact, request: Request, reply: Reply, evidence: Evidence) {
        let Some(IncrementInstead::BelowOnMove) = self.ask::<IncrementInstead>(fact.at, &evidence) else { return };
        match reply {
            Reply::Accept => {
                if self.act_is_admissible(Point::J6, fact, request.considered, &evidence) {
                    self.request = None;
                    let gains = Outcome::Gains(request.by.other(), self.limit(Point::J6, "opponent"));
                    self.decide(Point::J6, fact.at, gains, evidence.clone());
                    let increment = Outcome::Increment(self.limit(Point::J6, "increment"));
                    self.decide(Point::J6, fact.at, increment, evidence);
                }
            }
            Reply::Reject => {
                self.request = None;
                self.decide(Point::J6, fact.at, Outcome::PlayContinues, evidence);
            }
            Reply::Postpone | Reply::Draw | Reply::PlayOn => {}
        }
    }

    /// Whether what a flag costs waits for a decision that the arbiter has put off.
    pub(super) fn flag_waits_for_a_request(&self) -> bool {
        self.request.is_some_and(|request| request.postponed)
            && self.book.answer() == Answer::Value(RequestPostponed::OpponentMayGain)
    }

    /// The log is at its end and a flag still waits for the arbiter's decision.
    pub(super) fn request_was_never_decided(&mut self) {
        let Some(inquiry) = self.flags.inquiry.as_ref().filter(|_| self.flag_waits_for_a_request()) else { return };
        let (at, evidence) = (inquiry.at, inquiry.evidence.clone());
        let Some(request) = self.request.take() else { return };
        let answers = vec![
            ("draw".to_owned(), Outcome::Result(GameResult::Draw)),
            ("play-on".to_owned(), Outcome::Result(GameResult::lost_by(request.by))),
        ];
        self.flags.inquiry = None;
        self.record(Point::J3, at, Decision::Needs { fact: "decision".to_owned(), answers }, evidence, 0);
    }

    /// The side that has the move on the board.
    pub(super) fn on_move(&self) -> Option<Side> {
        match self.position.split_ascii_whitespace().nth(1) {
            Some("w") => Some(Side::White),
            Some("b") => Some(Side::Black),
            _ => None,
        }
    }

    fn is_in_the_last_period(&self, side: Side) -> bool {
        self.accounts.period(side) >= self.plan.setup.control[side].last()
    }

    /// What a move brings this side in its period.
    pub(super) fn bonus_of(&self, side: Side) -> Bonus {
        self.plan.setup.control[side].period(self.accounts.period(side)).bonus
    }
}
