//! E and F: when a flag counts as fallen (FIDE Laws 6.8; CBX 74) and what it costs (FIDE Laws 6.4 and 6.9; CBX 74).
//!
//! The moves that decide are the *completed* ones, against the target of the period whose time ran out, which is the
//! one that the clock was in when the flag fell. Where the fall itself counts, the moves are those completed by then;
//! otherwise those completed when it was observed or claimed.
//!
//! What the clock shows is conclusive (FIDE Laws 6.10a), also against somebody who says that he saw it otherwise: nobody
//! sees a flag down that it shows up, and an order of the falls that is not the clock's proves nothing. A look that
//! names no flag observes none, and one that finds one of two flags down finds both.

use flagfall_core::{BySide, Side, TrueTime};
use flagfall_trace::plan::{Basis, Claim, Observation, Person};

use super::move_completion::Moves;
use super::{Arbiter, Evidence, time, whose};
use crate::facts::{ClockFace, Fact, What};
use crate::mating_line::{self, Answer as Mate};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{CannotMate, ControlMove, FlagCounts, NextMove, NotEnoughMoves};

/// What is known of both flags.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    of: BySide<Flag>,
    /// Falls so far, by which they are put in order.
    falls: u32,
    /// The flag that somebody saw down first, or alone.
    pub(super) witnessed_first: Option<Side>,
    /// The flag that somebody says he saw down first, though the other one fell before it.
    pub(super) mistaken_first: Option<Side>,
    /// Flags that count and whose consequences are still open to findings.
    pub(super) inquiry: Option<Inquiry>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Flag {
    fall: Option<Fall>,
    counts: bool,
    /// It fell on a clock that was then found defective.
    discredited: bool,
}

/// That a flag fell, and how its side stood then.
#[derive(Clone, Copy, Debug)]
struct Fall {
    /// Which fall of the game it is.
    number: u32,
    then: Standing,
}

/// The counts of a side, and the period that its flag fell in.
#[derive(Clone, Copy, Debug)]
struct Standing {
    made: u16,
    completed: u16,
    /// The number of the last move completed.
    latest: u16,
    /// What `completed` would be if the rulebook answered B3 the other way.
    otherwise: u16,
    /// What the arbiter has corrected `completed` to, before it went on.
    corrected: Option<u16>,
    /// A move by which the game would be over waits for its press.
    end_waits: bool,
    period: Option<u8>,
}

/// A flag, or both, that began to count at one instant.
#[derive(Clone, Debug)]
pub(super) struct Inquiry {
    pub(super) at: TrueTime,
    pub(super) face: Option<ClockFace>,
    sides: Vec<Side>,
    pub(super) evidence: Evidence,
}

impl Flags {
    /// The arbiter has given this side time again: whatever its flag did is past.
    pub(super) fn lift(&mut self, side: Side) {
        self.of[side] = Flag::default();
        self.witnessed_first = self.witnessed_first.filter(|first| *first != side);
        self.mistaken_first = None;
    }

    /// Whether a flag has fallen and was not lifted since.
    pub(super) fn any_fallen(&self) -> bool {
        self.of.white.fall.is_some() || self.of.black.fall.is_some()
    }

    /// The clock was found defective: flags that are down on it prove nothing, and what they would have cost is off.
    pub(super) fn discredit(&mut self, face: Option<ClockFace>) -> bool {
        for side in Side::ALL {
            if self.of[side].counts || face.is_some_and(|face| face.fallen[side]) {
                self.of[side] = Flag { discredited: true, ..Flag::default() };
            }
        }
        self.inquiry.take().is_some()
    }

    /// Takes what somebody says of the order of the falls; `seen` are the flags that he saw, `down` those that are.
    fn saw(&mut self, seen: BySide<bool>, down: BySide<bool>, first: Option<Side>) {
        let alone = Side::ALL.into_iter().find(|side| seen[*side] && !down[side.other()]);
        let attested = first.filter(|side| seen[*side]);
        if attested.is_some() && attested.map(Side::other) == self.first_of_both() {
            self.mistaken_first = attested;
            return;
        }
        self.witnessed_first = self.witnessed_first.or(attested).or(alone);
    }

    /// The flag that fell first, once both have.
    fn first_of_both(&self) -> Option<Side> {
        let (white, black) = (self.of.white.fall?, self.of.black.fall?);
        Some(if white.number < black.number { Side::White } else { Side::Black })
    }
}

/// Whether what happened shows that nobody looks into a flag any more.
pub(super) const fn ends_the_inquiry(what: &What) -> bool {
    !matches!(what, What::FlagFell(_) | What::Stopped { .. } | What::Resumed { .. } | What::Found(_))
}

impl Arbiter<'_> {
    /// A flag fell: a fact of the clock that nobody in the hall has noticed yet.
    pub(super) fn flag_fell(&mut self, fact: &Fact, side: Side) {
        let then = self.standing_now(side, fact.face.map(|face| face.period[side]));
        let number = self.flags.falls;
        self.flags.falls += 1;
        // A flag falls again where it has been lifted since: at the end of the next control on a dial.
        self.flags.of[side] = Flag { fall: Some(Fall { number, then }), ..Flag::default() };
    }

    /// Whether this side's flag fell at the end of a control for which it had completed its moves by then.
    pub(super) fn fell_with_the_control_made(&self, side: Side) -> bool {
        self.flags.of[side].fall.is_some_and(|Fall { then: Standing { completed, period, .. }, .. }| {
            let target = period.and_then(|period| self.plan.setup.control[side].target(period));
            target.is_some_and(|target| completed >= target)
        })
    }

    pub(super) fn observed(&mut self, fact: &Fact, seen: &Observation) {
        let down = fact.face.map_or(BySide::both(false), |face| face.fallen);
        let really = BySide::from_fn(|side| seen.fallen[side] && down[side]);
        self.flags.saw(really, down, seen.first);
        let who = if seen.by == Person::Arbiter { "the arbiter".to_owned() } else { seen.by.to_string() };
        let by_itself = |rule| match rule {
            FlagCounts::WhenObservedOrClaimed => seen.by == Person::Arbiter,
            FlagCounts::TheFallItself => true,
            FlagCounts::OnlyAPlayersClaim => false,
        };
        let mut counting = Vec::new();
        let mut evidence = Evidence::default();
        for side in Side::ALL.into_iter().filter(|side| seen.fallen[*side]) {
            let saw = format!("{who} saw {} flag down at {}", whose(side), time(fact.at));
            if !down[side] {
                let refused = format!("{saw}, but the clock shows it up");
                evidence = evidence.but_not(refused.clone());
                self.flag_is_noticed(fact, side, Evidence::default().but_not(refused), |_| false);
                continue;
            }
            evidence = evidence.and(saw.clone());
            if self.flag_is_noticed(fact, side, Evidence::used(saw), by_itself) {
                counting.push(side);
            }
        }
        if let [side] = counting[..] {
            self.other_is_seen_too(fact, side.other(), &mut counting, &mut evidence);
        }
        self.look_into(fact, counting, evidence);
    }

    pub(super) fn claimed(&mut self, fact: &Fact, claim: &Claim) {
        let down = fact.face.map_or(BySide::both(false), |face| face.fallen);
        let side = claim.flag;
        let said = format!("{} claimed {} flag at {}", claim.by, whose(side), time(fact.at));
        let shown = format!("the clock shows it {}", if down[side] { "down" } else { "up" });
        let mut evidence = Evidence::used(said).and(shown);
        if let Some(refused) = refused(claim.basis) {
            evidence = evidence.but_not(refused);
        }
        let admitted = |rule| claim.basis == Basis::Flag || rule == FlagCounts::TheFallItself;
        let mut counting = Vec::new();
        if self.flag_is_noticed(fact, side, evidence.clone(), |rule| down[side] && admitted(rule)) {
            counting.push(side);
            self.other_is_seen_too(fact, side.other(), &mut counting, &mut evidence);
        }
        self.look_into(fact, counting, evidence);
    }

    /// Who looks at one flag that is down does not miss the other one.
    fn other_is_seen_too(&mut self, fact: &Fact, other: Side, counting: &mut Vec<Side>, evidence: &mut Evidence) {
        if !fact.face.is_some_and(|face| face.fallen[other]) || self.flags.of[other].counts {
            return;
        }
        let too = evidence.clone().and(format!("the same look shows {} flag down", whose(other)));
        if self.flag_is_noticed(fact, other, too.clone(), |_| true) {
            counting.push(other);
            *evidence = too;
        }
    }

    /// E2: a flag was noticed; whether it counts from now on.
    fn flag_is_noticed(
        &mut self,
        fact: &Fact,
        side: Side,
        mut evidence: Evidence,
        counts: impl FnOnce(FlagCounts) -> bool,
    ) -> bool {
        if self.flags.of[side].counts {
            return false;
        }
        let Some(rule) = self.ask::<FlagCounts>(fact.at, &evidence) else { return false };
        let discredited = self.flags.of[side].discredited;
        if discredited {
            evidence = evidence.but_not("the flag fell on a clock that was found defective");
        }
        let counts = counts(rule) && !discredited;
        self.flags.of[side].counts = counts;
        let outcome = if counts { Outcome::FlagCounts(side) } else { Outcome::FlagDoesNotCount(side) };
        self.decide(Point::E2, fact.at, outcome, evidence);
        counts
    }

    fn look_into(&mut self, fact: &Fact, sides: Vec<Side>, evidence: Evidence) {
        if !sides.is_empty() {
            let evidence = evidence.resting_on([Point::E2]);
            self.flags.inquiry = Some(Inquiry { at: fact.at, face: fact.face, sides, evidence });
        }
    }

    /// Nothing more will be found out about the flags that count: rule what they cost.
    pub(super) fn close_inquiry(&mut self) {
        let Some(mut inquiry) = self.flags.inquiry.take() else { return };
        self.over = self.decided;
        for side in inquiry.sides.clone() {
            let Standing { made, completed, .. } = self.standing(side);
            let asked = match self.target(side, &inquiry) {
                Some(target) => format!("of the {target} that its period asks for"),
                None => "in the last period, which asks for all".to_owned(),
            };
            inquiry.evidence.used.push(format!("{side} had completed {completed} moves and made {made}, {asked}"));
        }
        let short: Vec<Side> =
            inquiry.sides.iter().copied().filter(|side| !self.has_made_the_control(*side, &inquiry)).collect();
        for side in inquiry.sides.clone() {
            let points = self.points(side, &inquiry);
            let corrected = self.standing(side).corrected.filter(|_| self.target(side, &inquiry).is_some());
            inquiry.evidence = inquiry.evidence.resting_on(points).on_a_count(side, corrected);
        }
        match short[..] {
            [] => {}
            [side] => self.time_is_lost(side, &inquiry, inquiry.evidence.clone()),
            _ => self.both_are_short(&inquiry),
        }
    }

    /// F1 for a side that has completed its moves; B6 for one whose last move is only made.
    fn has_made_the_control(&mut self, side: Side, inquiry: &Inquiry) -> bool {
        let Standing { made, completed, latest, corrected, .. } = self.standing(side);
        let Some(target) = self.target(side, inquiry) else { return false };
        let evidence = inquiry.evidence.clone().resting_on(self.points(side, inquiry)).on_a_count(side, corrected);
        if completed >= target {
            if self.ask::<NotEnoughMoves>(inquiry.at, &evidence).is_some() {
                self.decide(Point::F1, inquiry.at, Outcome::PlayContinues, evidence);
            }
            return true;
        }
        if made >= target && latest < target {
            match self.ask::<ControlMove>(inquiry.at, &evidence) {
                None => {}
                Some(ControlMove::NotCompleted) => {
                    self.decide(Point::B6, inquiry.at, Outcome::Incomplete(side, target), evidence);
                }
            }
        }
        false
    }

    /// The counts that a flag is held against: those at the fall where that counts, else those of now.
    fn standing(&self, side: Side) -> Standing {
        let fall = self.flags.of[side].fall.map(|fall| fall.then);
        let now = self.standing_now(side, fall.and_then(|fall| fall.period));
        match self.book.answer::<FlagCounts>() {
            Answer::Value(FlagCounts::TheFallItself) => fall.unwrap_or(now),
            _ => now,
        }
    }

    fn standing_now(&self, side: Side, period: Option<u8>) -> Standing {
        let moves = self.moves[side];
        let otherwise = match self.book.answer::<NextMove>() {
            Answer::Value(NextMove::Completes) => moves.completed.saturating_sub(moves.overtaken),
            _ => moves.completed.saturating_add(moves.overtaken),
        };
        let end_waits = self.moves.white.end_waits() || self.moves.black.end_waits();
        let Moves { made, completed, latest, corrected, .. } = moves;
        Standing { made, completed, latest, otherwise, corrected, end_waits, period }
    }

    /// The points beside F1 whose answers decide whether this side has made its moves.
    fn points(&self, side: Side, inquiry: &Inquiry) -> Vec<Point> {
        let Standing { made, completed, latest, otherwise, end_waits, .. } = self.standing(side);
        let mut points = Vec::new();
        if end_waits {
            points.push(Point::B2);
        }
        if let Some(target) = self.target(side, inquiry) {
            points.push(Point::B1);
            if (completed >= target) != (otherwise >= target) {
                points.push(Point::B3);
            }
            if made >= target && latest < target {
                points.push(Point::B6);
            }
        }
        points
    }

    /// The moves that the period asks for whose time ran out; `None` in the last one, and none at all in one that ends
    /// when its time does.
    pub(super) fn target(&self, side: Side, inquiry: &Inquiry) -> Option<u16> {
        let Standing { completed, period, .. } = self.standing(side);
        let shown = inquiry.face.map(|face| face.period[side]);
        let control = &self.plan.setup.control[side];
        let period = period.or(shown).unwrap_or(control.period_after(completed));
        if control.is_driven_by_time() && period < control.last() { Some(0) } else { control.target(period) }
    }

    /// F1 and F3: this side has too few moves. Both are ruled, with one result.
    pub(super) fn time_is_lost(&mut self, side: Side, inquiry: &Inquiry, evidence: Evidence) {
        let at = inquiry.at;
        if self.ask::<NotEnoughMoves>(at, &evidence).is_none() {
            return;
        }
        let evidence = evidence.resting_on([Point::F1]);
        let loss = Outcome::Result(GameResult::lost_by(side));
        match self.book.answer::<CannotMate>() {
            Answer::Value(CannotMate::Draw) => self.unless_nobody_can_mate(side, at, evidence),
            Answer::Value(CannotMate::Loses) => {
                self.decide(Point::F1, at, loss, evidence.clone());
                self.decide(Point::F3, at, loss, evidence);
            }
            Answer::Silent | Answer::NotDecidable { .. } => {
                self.decide(Point::F1, at, loss, evidence.clone());
                self.ask::<CannotMate>(at, &evidence);
            }
        }
    }

    fn unless_nobody_can_mate(&mut self, side: Side, at: TrueTime, evidence: Evidence) {
        let opponent = side.other();
        let loss = Outcome::Result(GameResult::lost_by(side));
        let draw = Outcome::Result(GameResult::Draw);
        let evidence = evidence.and(format!("the position is {}", self.position));
        let unknown = match mating_line::can_mate(&self.position, opponent) {
            Ok(Mate::Can(line)) => {
                let evidence = evidence.and(format!("{opponent} can still mate: {}", line.join(" ")));
                self.decide(Point::F1, at, loss, evidence.clone());
                return self.decide(Point::F3, at, loss, evidence);
            }
            Ok(Mate::Cannot(reason)) => {
                let evidence = evidence.and(format!("{opponent} cannot mate: {reason}"));
                return self.decide(Point::F3, at, draw, evidence);
            }
            Ok(Mate::Unknown(positions)) => format!("no mate by {opponent} was found in {positions} positions"),
            Err(error) => error.to_string(),
        };
        let answers = vec![("yes".to_owned(), loss), ("no".to_owned(), draw)];
        let needs = Decision::Needs { fact: format!("{opponent}-can-mate"), answers };
        self.record(Point::F3, at, needs, evidence.and(unknown), 0);
    }
}

/// Why a claim may not rest on this alone; `None` for the flag itself.
const fn refused(basis: Basis) -> Option<&'static str> {
    match basis {
        Basis::Flag => None,
        Basis::Counter => Some("a move counter alone: presses may have been left out"),
        Basis::UsedTime => Some("more used time: it does not tell whose ran out first"),
        Basis::Screen => Some("a screen alone: it shows what others saw"),
    }
}
