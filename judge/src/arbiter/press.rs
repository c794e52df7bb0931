//! B7 and B8: a press that should not have been made, or not in this way (FIDE Laws 6.2, 7.5 of 2023; CBX 69, 70).
//!
//! A press before the move is one by the player who is on move, whose time runs and who has made no move since his last
//! press. It is in question only in a log that tells of the board: in one that has no move, gives no position, has no
//! word about a hand and is not about such presses, presses stand for moves that are made.
//!
//! FIDE Laws 7.5.5 of 2023 give the opponent time for the first such press, and the game for the second one, unless he
//! cannot mate. That the other hand pressed on purpose is for the arbiter to find.

use flagfall_core::Side;
use flagfall_trace::plan::{Finding, GameClass, Hand};
use flagfall_trace::{Hall, Plan};

use super::prospects::Prospect;
use super::{Arbiter, Evidence, time, whose};
use crate::facts::{Fact, What};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{Conduct, PressBeforeMoving};

/// The position in which every game begins that is told to begin in no other.
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const DELIBERATE: &str = "deliberate";

/// What players have done at the clock so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offences {
    /// Presses that count as illegal moves.
    pub(super) illegal_moves: u8,
    /// Presses with the other hand.
    other_hand: u8,
    /// A press with the other hand whose purpose will be found out.
    awaits_purpose: bool,
    /// Milliseconds that the text gives the opponent.
    pub(super) owed_ms: Option<u64>,
}

/// Whether the arbiter or the opponent takes a press without a move up before the opponent makes his next move.
fn is_acted_upon(side: Side, still_to_come: &[Fact]) -> bool {
    still_to_come
        .iter()
        .take_while(|later| !matches!(&later.what, What::Moved { made, .. } if made.side == side.other()))
        .any(|later| match &later.what {
            What::Stopped { by, .. } => by.side() != Some(side),
            What::Hall(Hall::Penalise(penalty)) => penalty.side == side,
            _ => false,
        })
}

/// Whether a log says anything of the board, so that a press without a move in it is one.
pub(super) fn tells_of_the_board(plan: &Plan, facts: &[Fact]) -> bool {
    plan.board
        || !plan.position.starts_with(INITIAL)
        || facts.iter().any(|fact| match fact.what {
            What::Moved { .. } => true,
            What::Pressed { hand, .. } => hand != Hand::Unsaid,
            _ => false,
        })
}

impl Arbiter<'_> {
    /// The side that is to move on the board.
    pub(super) fn to_move_on_the_board(&self) -> Side {
        if self.position.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White }
    }

    /// A player pressed: what is wrong with the press, and then what it does.
    pub(super) fn presses(&mut self, fact: &Fact, side: Side, hand: Hand, taken: bool, still_to_come: &[Fact]) {
        let on_move = self.tells_of_the_board && self.to_move_on_the_board() == side && self.accounts.runs(side);
        if hand == Hand::Other {
            self.pressed_with_the_other_hand(fact, side, still_to_come);
        }
        if taken && on_move && !self.moves[side].waits_for_its_press() {
            self.pressed_before_moving(fact, side, still_to_come);
        }
        if !taken && self.held_until[side.other()].is_some_and(|until| fact.at < until) {
            self.moves[side].press_is_barred();
        }
        self.pressed(fact, side, taken);
    }

    /// B7: the player on move pressed and has not moved.
    fn pressed_before_moving(&mut self, fact: &Fact, side: Side, still_to_come: &[Fact]) {
        let evidence = Evidence::used(format!("{side} was to move and pressed at {}", time(fact.at)));
        match self.ask::<PressBeforeMoving>(fact.at, &evidence) {
            None => {}
            Some(PressBeforeMoving::Forbidden) => {
                self.decide(Point::B7, fact.at, Outcome::Forbidden(side), evidence);
            }
            Some(PressBeforeMoving::Penalised) => self.decide(Point::B7, fact.at, Outcome::Penalty(side), evidence),
            Some(PressBeforeMoving::MayBePenalisedAtTheStart) => {
                let first = Side::ALL.into_iter().all(|one| self.moves[one].made == 0);
                let either = Decision::Discretion(vec![Outcome::Penalty(side), Outcome::NoPenalty(side)]);
                let decision = if first { either } else { Decision::Silent };
                self.record(Point::B7, fact.at, decision, evidence, 0);
            }
            Some(PressBeforeMoving::IllegalMoveUnlessItStandsInAFastGame)
                if self.is_fast_and_unsupervised() && !is_acted_upon(side, still_to_come) =>
            {
                let evidence = evidence.and("nobody acted before the opponent's next move");
                self.decide(Point::B7, fact.at, Outcome::PlayContinues, evidence);
            }
            Some(PressBeforeMoving::IllegalMove | PressBeforeMoving::IllegalMoveUnlessItStandsInAFastGame) => {
                self.press_is_an_illegal_move(fact, side, evidence);
            }
        }
    }

    fn press_is_an_illegal_move(&mut self, fact: &Fact, side: Side, evidence: Evidence) {
        let offences = &mut self.offences[side];
        offences.illegal_moves = offences.illegal_moves.saturating_add(1);
        let earlier = offences.illegal_moves - 1;
        self.decide(Point::B7, fact.at, Outcome::IllegalMove(side), evidence.clone());
        if earlier == 0 {
            let fast = matches!(self.class(), Some(GameClass::Rapid | GameClass::Blitz));
            let gain_ms = self.limit(Point::B7, if fast { "gain-in-fast-games" } else { "gain" });
            self.offences[side].owed_ms = Some(gain_ms);
            self.decide(Point::B7, fact.at, Outcome::Gains(side.other(), gain_ms), evidence);
        } else {
            let evidence = evidence.and(format!("it is {} illegal move number {}", whose(side), earlier + 1));
            self.game_is_lost_by_a_press(fact, side, evidence);
        }
    }

    /// The second illegal move loses, unless the opponent cannot mate.
    fn game_is_lost_by_a_press(&mut self, fact: &Fact, side: Side, evidence: Evidence) {
        match self.prospect(side, evidence) {
            Prospect::Loss(evidence) => {
                self.decide(Point::B7, fact.at, Outcome::Result(GameResult::lost_by(side)), evidence);
            }
            Prospect::Draw(evidence) => {
                self.decide(Point::B7, fact.at, Outcome::Result(GameResult::Draw), evidence);
            }
            Prospect::Unknown(evidence) => self.needs_the_prospect(Point::B7, side, fact.at, evidence),
        }
    }

    /// B8: a press with the other hand.
    fn pressed_with_the_other_hand(&mut self, fact: &Fact, side: Side, still_to_come: &[Fact]) {
        let evidence = Evidence::used(format!("{side} pressed with the other hand at {}", time(fact.at)));
        if !matches!(self.book.answer_on(Point::B8), Answer::Value(Conduct::WarnedFirst)) {
            return self.conduct(Point::B8, fact, side, evidence);
        }
        if self.ask_on::<Conduct>(Point::B8, fact.at, &evidence).is_none() {
            return;
        }
        let offences = &mut self.offences[side];
        offences.other_hand = offences.other_hand.saturating_add(1);
        let found = still_to_come
            .iter()
            .take_while(|later| !matches!(later.what, What::Pressed { side: who, .. } if who == side))
            .any(|later| later.what == What::Found(Finding::Deliberate(side)));
        offences.awaits_purpose = found;
        if found {
            return;
        }
        let sanction = self.sanction_of_the_other_hand(side);
        let answers = vec![("no".to_owned(), Outcome::Forbidden(side)), ("yes".to_owned(), sanction)];
        let needs = Decision::Needs { fact: DELIBERATE.to_owned(), answers };
        self.record(Point::B8, fact.at, needs, evidence, 0);
    }

    /// The arbiter finds that a player did something on purpose.
    pub(super) fn purpose_was_found(&mut self, fact: &Fact, side: Side) {
        if !std::mem::take(&mut self.offences[side].awaits_purpose) {
            return;
        }
        let evidence = Evidence::used(format!("{side} pressed with the other hand"))
            .and(format!("found at {}: he did so to gain time", time(fact.at)));
        let sanction = self.sanction_of_the_other_hand(side);
        self.decide(Point::B8, fact.at, sanction, evidence);
    }

    fn sanction_of_the_other_hand(&self, side: Side) -> Outcome {
        if self.offences[side].other_hand > 1 { Outcome::Penalty(side) } else { Outcome::Warning(side) }
    }
}
