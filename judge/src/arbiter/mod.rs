//! What a rulebook makes of the facts: a state machine that takes one fact after the other and rules.
//!
//! Read FIDE Laws article 6 and the rulebook's own articles first. One file for each letter of the catalogue:
//! `move_completion`, `press` and `handling` (B), `time_control` and `dial` (C), `start` and `placement` (D), `flag_fall`, `claimant` and
//! `proof` (E), `time_lost` and `end_first` (F), `indication`, `complaint` and `replacement` (G), `both_flags` (H),
//! `stopping` and `penalty` (I). A rulebook brings values ([`crate::value`]), never code.
//!
//! The arbiter knows what the hall can know: who moved, pressed, came, looked, claimed, and what the clock shows when
//! somebody looks at it. That a flag has fallen is nothing to him before it is observed or claimed, whatever the
//! rulebook then makes of the instant of the fall; and which of two unseen flags fell first he knows only from the
//! clock's sign or from a witness. A witness whom the clock contradicts is none.
//!
//! A ruling is no firmer than what it rests on: where its outcome would be another if one more point were answered
//! otherwise, it takes the weakest strength among them.
//!
//! What a flag costs is ruled when the inquiry into it is over: a finding about the clock that comes before the next
//! move, press, claim or look still counts. After a final result every later ruling is void.
//!
//! ```
//! use flagfall_core::{BySide, Period, Bonus, Phase, Setup, Side, TickRate, TimeControl, TrueTime};
//! use flagfall_judge::arbiter;
//! use flagfall_judge::facts::{ClockFace, Fact, What};
//! use flagfall_judge::rulebook::{Entry, Rulebook};
//! use flagfall_judge::value::{FlagCounts, NotEnoughMoves, Value};
//! use flagfall_judge::{GameResult, Outcome, Strength};
//! use flagfall_trace::Plan;
//! use flagfall_trace::plan::{GameClass, Observation, Person, Regulations};
//!
//! let book = Rulebook::silent("club", "Club rules")
//!     .with(Entry::decided(Value::of(FlagCounts::WhenObservedOrClaimed), "3", Strength::Stated, "A flag counts when seen."))
//!     .with(Entry::decided(Value::of(NotEnoughMoves::Loses), "4", Strength::Stated, "Out of time is out of the game."));
//! let plan = Plan {
//!     scenario: "doc/flag".into(),
//!     seed: 0,
//!     tick_rate: TickRate::MHZ,
//!     setup: Setup::new(TimeControl::new(&[Period::all_moves(5_000, Bonus::None)])?),
//!     clock_kind: flagfall_trace::ClockKind::Digital,
//!     regulations: Regulations { class: Some(GameClass::Blitz), default_time_ms: None, supervised: true, ..Regulations::default() },
//!     position: "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1".into(),
//!     board: false,
//!     device_setup: None,
//!     oscillator: flagfall_trace::OscillatorSpec::default(),
//!     steps: Vec::new(),
//!     end: TrueTime::from_ns(9_000_000_000),
//! };
//! let face = ClockFace {
//!     phase: Phase::Frozen(Side::White),
//!     fallen: BySide::new(true, false),
//!     first_fallen: Some(Side::White),
//!     period: BySide::both(0),
//!     left_ms: BySide::new(0, 3_000),
//! };
//! let seen = Observation { by: Person::Arbiter, fallen: BySide::new(true, false), first: None };
//! let at = TrueTime::from_ns(6_000_000_000);
//! let facts = [Fact { at, planned: at, bound_ns: 0, what: What::Observed(seen), face: Some(face) }];
//!
//! let rulings = arbiter::rule_on(&book, &plan, &facts);
//! let lost = Outcome::Result(GameResult::BlackWins);
//! assert!(rulings.iter().any(|ruling| ruling.decision.outcome() == Some(lost)));
//! # Ok::<(), flagfall_core::control::ControlError>(())
//! ```

mod adjournment;
mod both_flags;
mod catching_up;
mod claimant;
mod complaint;
mod conduct;
mod dial;
mod draw_claim;
mod draw_request;
mod end_first;
mod flag_fall;
mod hall;
mod handling;
mod indication;
mod move_completion;
mod penalty;
mod placement;
mod press;
mod prompting;
mod proof;
mod prospects;
mod replacement;
mod scoresheet;
mod set_up;
mod start;
mod stopping;
mod time_control;
mod time_lost;

use flagfall_core::{BySide, Side, TrueTime};
use flagfall_trace::plan::{GameClass, StopReason};
use flagfall_trace::{Plan, Trace};

use crate::facts::{self, Fact, What};
use crate::point::Point;
use crate::rulebook::{Answer, Rulebook};
use crate::ruling::{Decision, Outcome, Ruling, Strength};
use crate::value::Domain;

use adjournment::Adjournment;
use catching_up::CatchingUp;
use complaint::Complaints;
use draw_claim::ClaimUnderway;
use draw_request::Request;
use flag_fall::Flags;
use indication::Complaint;
use move_completion::{Ending, Moves};
use press::Offences;
use proof::Proof;
use replacement::Examined;
use scoresheet::Scoresheets;
use start::Presence;
use time_control::Accounts;

/// Every ruling that arises from a trace under a rulebook, in order of time.
#[must_use]
pub fn rule(book: &Rulebook, trace: &Trace) -> Vec<Ruling> {
    rule_on(book, &trace.plan, &facts::assemble(trace))
}

/// Every ruling that arises from these facts under a rulebook, in order of time.
///
/// Of the plan only what was settled before the game is used: setup, regulations, position.
#[must_use]
pub fn rule_on(book: &Rulebook, plan: &Plan, facts: &[Fact]) -> Vec<Ruling> {
    let mut arbiter = Arbiter {
        book,
        plan,
        rulings: Vec::new(),
        decided: false,
        over: false,
        position: plan.position.clone(),
        moves: Moves::at_the_opening(&plan.setup),
        accounts: Accounts::at_the_opening(&plan.setup, book),
        presence: Presence::at_the_start(facts),
        flags: Flags::default(),
        proof: Proof::default(),
        complaint: Complaint::default(),
        complaints: Complaints::default(),
        examined: Examined::default(),
        last_stop: None,
        stopped_by: None,
        claim_underway: None,
        request: None,
        sheets: Scoresheets::default(),
        catching_up: CatchingUp::default(),
        adjournment: Adjournment::default(),
        tells_of_the_board: press::tells_of_the_board(plan, facts),
        offences: BySide::default(),
        held_until: BySide::default(),
    };
    for (index, fact) in facts.iter().enumerate() {
        arbiter.take(fact, &facts[index + 1..]);
    }
    arbiter.end_of_the_log(facts.last());
    arbiter.rulings.sort_by_key(|ruling| ruling.at);
    arbiter.rulings
}

struct Arbiter<'a> {
    book: &'a Rulebook,
    plan: &'a Plan,
    rulings: Vec<Ruling>,
    /// A result has been ruled; the rulings that belong to it may still follow.
    decided: bool,
    /// The game was over before what is ruled now.
    over: bool,
    /// The position on the board in Forsyth-Edwards notation.
    position: String,
    moves: BySide<Moves>,
    accounts: Accounts,
    presence: Presence,
    flags: Flags,
    proof: Proof,
    complaint: Complaint,
    complaints: Complaints,
    examined: Examined,
    /// The player who stopped the clocks last, until the arbiter has looked into it.
    stopped_by: Option<Side>,
    claim_underway: Option<ClaimUnderway>,
    /// A request for a draw, or for an increment instead.
    request: Option<Request>,
    sheets: Scoresheets,
    catching_up: CatchingUp,
    adjournment: Adjournment,
    /// What the clocks were stopped for last.
    last_stop: Option<StopReason>,
    /// Whether a press without a move in the log is one.
    tells_of_the_board: bool,
    offences: BySide<Offences>,
    /// Until when each player's finger holds his button down.
    held_until: BySide<Option<TrueTime>>,
}

/// What a ruling rests on, and what it may not rest on.
#[derive(Clone, Debug, Default)]
struct Evidence {
    used: Vec<String>,
    refused: Vec<String>,
    /// Points whose answers the ruling hangs on beside its own.
    rests_on: Vec<Point>,
    /// It hangs on something that no text says in so many words.
    inferred: bool,
}

impl Evidence {
    fn used(text: impl Into<String>) -> Self {
        Self { used: vec![text.into()], ..Self::default() }
    }

    fn and(mut self, text: impl Into<String>) -> Self {
        self.used.push(text.into());
        self
    }

    fn but_not(mut self, text: impl Into<String>) -> Self {
        self.refused.push(text.into());
        self
    }

    fn on_a_count(mut self, side: Side, corrected: Option<u16>) -> Self {
        let Some(moves) = corrected else { return self };
        self.inferred = true;
        self.and(format!("the arbiter had set {} completed moves to {moves}", whose(side)))
    }

    /// The ruling follows from the words and stands nowhere.
    const fn inferred(mut self) -> Self {
        self.inferred = true;
        self
    }

    fn resting_on(mut self, points: impl IntoIterator<Item = Point>) -> Self {
        self.rests_on.extend(points);
        self
    }
}

impl Arbiter<'_> {
    /// Takes the next fact; what is `still_to_come` only tells whether a stop was ever looked into.
    fn take(&mut self, fact: &Fact, still_to_come: &[Fact]) {
        if !self.ends_as_the_flag_is_called(fact) {
            if flag_fall::ends_the_inquiry(&fact.what) {
                self.close_inquiry();
            }
            self.over = self.decided;
        }
        self.accounts.pass(fact);
        self.watch_the_time();
        self.writing_ahead_is_explained(Some(&fact.what));
        match &fact.what {
            What::Started => self.started(fact),
            What::Moved { made, dead, drawn } => {
                self.arrived(fact, made.side);
                self.moved_with_a_sheet_due(fact, made.side);
                self.sheet_before_a_move(fact, made.side);
                self.moved(fact, made, Ending::of(made, *dead, *drawn));
            }
            What::Pressed { side, hand, taken } => {
                self.arrived(fact, *side);
                self.presses(fact, *side, *hand, *taken, still_to_come);
            }
            What::Stopped { by, .. } if self.stop_ends_the_session(fact, *by) => {}
            What::Stopped { by, reason, how } => self.stops(fact, *by, *reason, *how, still_to_come),
            What::TimeSet { side, left_ms } => self.time_set(*side, *left_ms),
            What::CounterSet { side, moves } => self.counter_set(*side, *moves),
            What::Installed(installed) => self.control_is_installed(fact, installed),
            What::Resumed { by } => self.resumed(fact, *by),
            What::Arrived(side) => {
                self.arrived(fact, *side);
                self.envelope_waited_for(fact, *side);
            }
            What::Observed(observation) => self.observed(fact, observation),
            What::Claimed(claim) => self.claimed(fact, claim),
            What::Found(finding) => self.found(fact, *finding),
            What::Hall(hall) => self.hall(fact, hall, still_to_come),
            What::FlagFell(side) => self.flag_fell(fact, *side),
        }
        self.accounts.follow(fact);
        self.flags.clocks_stand(fact);
    }

    /// Nothing more will happen.
    fn end_of_the_log(&mut self, last: Option<&Fact>) {
        self.writing_ahead_is_explained(None);
        self.request_was_never_decided();
        self.draw_claim_was_never_examined(last);
        self.close_inquiry();
    }

    /// What the rulebook says to a question that has arisen; if it does not say, that is the ruling.
    fn ask<T: Domain>(&mut self, at: TrueTime, evidence: &Evidence) -> Option<T> {
        self.ask_on(*T::POINTS.first().expect("a type that many points share is asked with a point"), at, evidence)
    }

    /// The same for a point that shares its type of answer with others.
    fn ask_on<T: Domain>(&mut self, point: Point, at: TrueTime, evidence: &Evidence) -> Option<T> {
        if self.over {
            self.record(point, at, Decision::Void, evidence.clone(), 0);
            return None;
        }
        match self.book.answer_on(point) {
            Answer::Value(value) => Some(value),
            Answer::Silent | Answer::NotDecidable { .. } => {
                self.record(point, at, Decision::Silent, evidence.clone(), 0);
                None
            }
        }
    }

    /// Standard, rapid or blitz: as the regulations say, else as the rulebook tells it from White's control.
    fn class(&self) -> Option<GameClass> {
        self.plan.regulations.class.or_else(|| self.book.class_of(&self.plan.setup.control.white))
    }

    /// The figure on which the answer to a point turns.
    fn limit(&self, point: Point, name: &str) -> u64 {
        self.book.limit(point, name).expect("a rulebook has the limits that its answers need")
    }

    fn decide(&mut self, point: Point, at: TrueTime, outcome: Outcome, evidence: Evidence) {
        self.decide_within(point, at, outcome, evidence, 0);
    }

    /// Decides a figure that rests on instants which may be off by so much.
    fn decide_within(&mut self, point: Point, at: TrueTime, outcome: Outcome, evidence: Evidence, bound_ns: u64) {
        let strength = |point| self.book.entry(point).strength;
        let own = if evidence.inferred { Strength::Literal } else { strength(point) };
        let strength = evidence.rests_on.iter().map(|point| strength(*point)).fold(own, Strength::max);
        self.record(point, at, Decision::Decided { outcome, strength }, evidence, bound_ns);
    }

    fn record(&mut self, point: Point, at: TrueTime, decision: Decision, evidence: Evidence, bound_ns: u64) {
        let entry = self.book.entry(point);
        let (article, sentence) = match (&decision, &entry.answer) {
            (Decision::Void, _) => (None, "The game was over before.".to_owned()),
            (Decision::Silent, Answer::NotDecidable { reason }) => (entry.article.clone(), reason.clone()),
            (Decision::Silent, _) => (None, format!("{} does not say: {}.", self.book.title, point.question())),
            _ => (entry.article.clone(), entry.sentence.clone()),
        };
        self.decided |= decision.is_final();
        let Evidence { used, refused, .. } = evidence;
        self.rulings.push(Ruling { point, at, decision, article, sentence, used, refused, bound_ns });
    }
}

/// An instant for people: seconds with milliseconds.
fn time(at: TrueTime) -> String {
    let ms = at.ns().div_euclid(1_000_000);
    format!("{}.{:03} s", ms.div_euclid(1_000), ms.rem_euclid(1_000))
}

/// Nanoseconds as whole milliseconds, rounded up as a clock rounds in the player's favour; nothing below zero.
fn milliseconds(ns: i128) -> u64 {
    u64::try_from(ns.max(0).unsigned_abs().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

/// `White's`, for evidence.
fn whose(side: Side) -> &'static str {
    match side {
        Side::White => "White's",
        Side::Black => "Black's",
    }
}
