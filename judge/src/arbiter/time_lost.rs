//! F: what a flag that counts costs its side (FIDE Laws 6.9; CBX 74; US Chess 13C and 14E).
//!
//! The moves that decide are the *completed* ones, against the target of the period whose time ran out, which is the
//! one that the clock was in when the flag fell. Where the fall itself counts, the moves are those completed by then;
//! otherwise those completed when it was observed or claimed. A count that the arbiter finds proved stands in place of
//! both.
//!
//! On a clock that counts presses a flag falls in a period whose moves were made only because it missed some of them:
//! that is E7, and asked of no other clock.

use flagfall_core::{Side, TrueTime};
use flagfall_trace::ClockKind;

use super::flag_fall::{Fall, Inquiry};
use super::move_completion::Moves;
use super::proof::{Proof, Proved};
use super::prospects::Prospect;
use super::{Arbiter, Evidence};
use crate::forced_win::{self, Answer as Force, Meagre};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{CannotMate, ControlMove, FlagCounts, MissedPress, NextMove, NotEnoughMoves, PressAfterTheReply};

/// The counts of a side, and the period that its flag fell in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) made: u16,
    pub(super) completed: u16,
    /// The number of the last move completed.
    latest: u16,
    /// What `completed` is if the press of a later move completed those that were overtaken, where that is open.
    at_best: u16,
    /// The open move was to be pressed and the opponent's finger was on his button.
    barred: bool,
    /// What `completed` would be if the rulebook answered B3 the other way.
    otherwise: u16,
    /// What the arbiter has corrected `completed` to, before it went on.
    corrected: Option<u16>,
    /// A move by which the game would be over waits for its press.
    end_waits: bool,
    pub(super) period: Option<u8>,
}

impl Arbiter<'_> {
    /// Nothing more will be found out about the flags that count: rule what they cost.
    pub(super) fn close_inquiry(&mut self) {
        let Some(inquiry) = &self.flags.inquiry else { return };
        if self.flag_waits_for_a_claim(&inquiry.sides) || self.flag_waits_for_a_request() {
            return;
        }
        let Some(mut inquiry) = self.flags.inquiry.take() else { return };
        self.over = self.decided;
        if !self.over && self.flag_waits_for_its_test(inquiry.at, &inquiry.evidence) {
            return;
        }
        let claim_fails = self.claim_is_not_secured(&mut inquiry);
        inquiry.sides.retain(|side| !self.fell_for_a_missed_press(*side, &inquiry.evidence, inquiry.at));
        for side in inquiry.sides.clone() {
            let Standing { made, completed, .. } = self.standing(side);
            let asked = match self.target(side, &inquiry) {
                Some(target) => format!("of the {target} that its period asks for"),
                None => "in the last period, which asks for all".to_owned(),
            };
            inquiry.evidence.used.push(format!("{side} had completed {completed} moves and made {made}, {asked}"));
        }
        let mut short = Vec::new();
        for side in inquiry.sides.clone() {
            match self.moves_are_proved(side, &inquiry) {
                Proved::AsCounted => {
                    if !self.has_made_the_control(side, &inquiry) {
                        short.push(side);
                    }
                }
                Proved::TooFew => short.push(side),
                Proved::Settled => {}
            }
        }
        for side in inquiry.sides.clone() {
            let points = self.points(side, &inquiry);
            let corrected = self.standing(side).corrected.filter(|_| self.target(side, &inquiry).is_some());
            inquiry.evidence = inquiry.evidence.resting_on(points).on_a_count(side, corrected);
        }
        match short[..] {
            [] => {}
            [side] if claim_fails && inquiry.claimant == Some(side.other()) => {
                self.play_goes_on_after_a_claim(&inquiry)
            }
            [side] => {
                self.time_is_lost(side, &inquiry, inquiry.evidence.clone());
            }
            _ => self.both_are_short(&inquiry, claim_fails),
        }
        self.proof = Proof::default();
    }

    /// E7: the flag fell although this side had made its moves, on a clock that counts presses. Whether it is out of
    /// the inquiry by that.
    fn fell_for_a_missed_press(&mut self, side: Side, evidence: &Evidence, at: TrueTime) -> bool {
        let counts_presses =
            self.plan.clock_kind == ClockKind::Digital && !self.plan.setup.control[side].is_driven_by_time();
        if !counts_presses || !self.fell_with_the_control_made(side) {
            return false;
        }
        let Some(Fall { then, .. }) = self.flags.of[side].fall else { return false };
        let evidence = evidence.clone().and(format!(
            "{side} had completed {} moves when the flag fell, and the clock was still in the period before",
            then.completed
        ));
        match self.ask::<MissedPress>(at, &evidence) {
            None => false,
            Some(MissedPress::MovesCount) => {
                self.decide(Point::E7, at, Outcome::PlayContinues, evidence);
                false
            }
            Some(MissedPress::FallIsPremature) => {
                self.decide(Point::E7, at, Outcome::FlagDoesNotCount(side), evidence.clone());
                self.costs_nothing(at, evidence.resting_on([Point::E7]));
                self.flags.of[side].settled = true;
                true
            }
        }
    }

    /// F1: play goes on.
    pub(super) fn costs_nothing(&mut self, at: TrueTime, evidence: Evidence) {
        if self.ask::<NotEnoughMoves>(at, &evidence).is_some() {
            self.decide(Point::F1, at, Outcome::PlayContinues, evidence);
        }
    }

    /// F1 for a side that has completed its moves; B6 for one whose last move is only made.
    fn has_made_the_control(&mut self, side: Side, inquiry: &Inquiry) -> bool {
        let Standing { completed, at_best, otherwise, corrected, .. } = self.standing(side);
        let Some(target) = self.target(side, inquiry) else { return false };
        let evidence = inquiry.evidence.clone().resting_on(self.points(side, inquiry)).on_a_count(side, corrected);
        if completed >= target {
            self.costs_nothing(inquiry.at, evidence);
            return true;
        }
        if otherwise >= target && !matches!(self.book.answer::<NextMove>(), Answer::Value(_)) {
            // The text does not say what the next move does for one that was not pressed, and all hangs on that.
            self.ask::<NextMove>(inquiry.at, &evidence);
            return true;
        }
        if at_best >= target {
            self.record(Point::B3, inquiry.at, Decision::Silent, evidence, 0);
            return true;
        }
        if self.press_was_barred(side, target, inquiry.at, &evidence) {
            return true;
        }
        self.control_move_is_open(side, target, inquiry.at, evidence);
        false
    }

    /// F1 where the opponent's finger kept the last move of the period from being pressed, and the text says that a
    /// player must be able to press: it says as well that who has too few completed moves loses.
    fn press_was_barred(&mut self, side: Side, target: u16, at: TrueTime, evidence: &Evidence) -> bool {
        let Standing { made, completed, barred, .. } = self.standing(side);
        let must_be_able = self.book.answer() == Answer::Value(PressAfterTheReply::Honoured);
        if !(barred && must_be_able && made >= target && completed + 1 >= target) {
            return false;
        }
        if self.ask::<NotEnoughMoves>(at, evidence).is_some() {
            let loss = Outcome::Result(GameResult::lost_by(side));
            let evidence = evidence.clone().and(format!("{} held his button down when {side} pressed", side.other()));
            self.record(Point::F1, at, Decision::Discretion(vec![Outcome::PlayContinues, loss]), evidence, 0);
        }
        true
    }

    /// B6, if the last move of the period has been made and not been completed.
    pub(super) fn control_move_is_open(&mut self, side: Side, target: u16, at: TrueTime, evidence: Evidence) {
        let Standing { made, completed, latest, .. } = self.standing(side);
        if completed >= target || made < target || latest >= target {
            return;
        }
        match self.ask::<ControlMove>(at, &evidence) {
            None => {}
            Some(ControlMove::NotCompleted) => {
                self.decide(Point::B6, at, Outcome::Incomplete(side, target), evidence);
            }
        }
    }

    /// The counts that a flag is held against: those at the fall where that counts, else those of now.
    pub(super) fn standing(&self, side: Side) -> Standing {
        let fall = self.flags.of[side].fall.map(|fall| fall.then);
        let now = self.standing_now(side, fall.and_then(|fall| fall.period));
        let standing = match self.book.answer::<FlagCounts>() {
            Answer::Value(FlagCounts::TheFallItself) => fall.unwrap_or(now),
            _ => now,
        };
        match self.proof.count[side] {
            Some(moves) => Standing {
                made: moves,
                completed: moves,
                latest: moves,
                at_best: moves,
                barred: false,
                otherwise: moves,
                ..standing
            },
            None => standing,
        }
    }

    pub(super) fn standing_now(&self, side: Side, period: Option<u8>) -> Standing {
        let moves = self.moves[side];
        let otherwise = match self.book.answer::<NextMove>() {
            Answer::Value(NextMove::Completes) => moves.completed.saturating_sub(moves.overtaken),
            Answer::Value(NextMove::LaterPressCompletes) if moves.made_up > 0 => {
                moves.completed.saturating_sub(moves.made_up)
            }
            _ => moves.completed.saturating_add(moves.overtaken),
        };
        let end_waits = self.moves.white.end_waits() || self.moves.black.end_waits();
        let Moves { made, completed, latest, corrected, .. } = moves;
        let open = self.book.answer() == Answer::Value(NextMove::LaterPressLeavesItOpen);
        let at_best = completed.saturating_add(if open { moves.made_up } else { 0 });
        let barred = moves.is_barred();
        Standing { made, completed, latest, at_best, barred, otherwise, corrected, end_waits, period }
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

    /// The period whose time ran out.
    pub(super) fn period_of(&self, side: Side, inquiry: &Inquiry) -> u8 {
        let Standing { completed, period, .. } = self.standing(side);
        let shown = inquiry.face.map(|face| face.period[side]);
        period.or(shown).unwrap_or_else(|| self.plan.setup.control[side].period_after(completed))
    }

    /// The moves that the period asks for whose time ran out; `None` in the last one, and none at all in one that ends
    /// when its time does.
    pub(super) fn target(&self, side: Side, inquiry: &Inquiry) -> Option<u16> {
        let control = &self.plan.setup.control[side];
        let period = self.period_of(side, inquiry);
        if control.is_driven_by_time() && period < control.last() { Some(0) } else { control.target(period) }
    }

    /// F1 and F3: this side has too few moves. Both are ruled, with one result, which is returned.
    pub(super) fn time_is_lost(&mut self, side: Side, inquiry: &Inquiry, evidence: Evidence) -> Option<Outcome> {
        let at = inquiry.at;
        self.ask::<NotEnoughMoves>(at, &evidence)?;
        let evidence = evidence.resting_on([Point::F1]);
        let loss = Outcome::Result(GameResult::lost_by(side));
        match self.book.answer::<CannotMate>() {
            Answer::Value(CannotMate::Draw) => self.unless_nobody_can_mate(side, at, evidence),
            Answer::Value(CannotMate::DrawWithoutMaterial) => self.unless_there_is_too_little(side, at, evidence),
            Answer::Value(CannotMate::Loses) => self.is_lost_whatever_is_left(side, at, evidence),
            Answer::Silent | Answer::NotDecidable { .. } => {
                self.decide(Point::F1, at, loss, evidence.clone());
                self.ask::<CannotMate>(at, &evidence);
                Some(loss)
            }
        }
    }

    fn is_lost(&mut self, side: Side, at: TrueTime, evidence: Evidence) -> Option<Outcome> {
        let loss = Outcome::Result(GameResult::lost_by(side));
        self.decide(Point::F1, at, loss, evidence.clone());
        self.decide(Point::F3, at, loss, evidence);
        Some(loss)
    }

    /// A text that has no exception for an opponent who cannot mate does not say that it means him too.
    fn is_lost_whatever_is_left(&mut self, side: Side, at: TrueTime, evidence: Evidence) -> Option<Outcome> {
        let loss = Outcome::Result(GameResult::lost_by(side));
        self.decide(Point::F1, at, loss, evidence.clone());
        let evidence = match self.prospect(side, evidence) {
            Prospect::Loss(evidence) => evidence,
            Prospect::Draw(evidence) | Prospect::Unknown(evidence) => evidence.inferred(),
        };
        self.decide(Point::F3, at, loss, evidence);
        Some(loss)
    }

    fn is_drawn(&mut self, at: TrueTime, evidence: Evidence) -> Option<Outcome> {
        let draw = Outcome::Result(GameResult::Draw);
        self.decide(Point::F3, at, draw, evidence);
        Some(draw)
    }

    fn unless_nobody_can_mate(&mut self, side: Side, at: TrueTime, evidence: Evidence) -> Option<Outcome> {
        match self.prospect(side, evidence) {
            Prospect::Loss(evidence) => self.is_lost(side, at, evidence),
            Prospect::Draw(evidence) => self.is_drawn(at, evidence),
            Prospect::Unknown(evidence) => {
                self.needs_the_prospect(Point::F3, side, at, evidence);
                None
            }
        }
    }

    /// US Chess 14E: with a minor piece, or with two knights against no pawn, nobody wins on time without a forced win.
    fn unless_there_is_too_little(&mut self, side: Side, at: TrueTime, evidence: Evidence) -> Option<Outcome> {
        let opponent = side.other();
        let has = match forced_win::meagre(&self.position, opponent) {
            None => return self.unless_nobody_can_mate(side, at, evidence),
            Some(Meagre::BareKing) => {
                return self.is_drawn(at, evidence.and(format!("{opponent} has a bare king")));
            }
            Some(Meagre::OneMinorPiece) => "one minor piece",
            Some(Meagre::TwoKnights) => "two knights against no pawn",
        };
        let mut evidence =
            evidence.and(format!("the position is {}", self.position)).and(format!("{opponent} has {has}"));
        match forced_win::forced_win(&self.position, opponent) {
            Some(Force::Forced) => self.is_lost(side, at, evidence.and(format!("{opponent} forces mate"))),
            Some(Force::NotForced) => self.is_drawn(at, evidence.and(format!("{opponent} cannot force mate"))),
            Some(Force::NotFound(positions)) => {
                evidence.inferred = true;
                self.is_drawn(at, evidence.and(format!("no forced mate was found in {positions} positions")))
            }
            None => self.unless_nobody_can_mate(side, at, evidence),
        }
    }
}
