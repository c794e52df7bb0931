//! K: who has to write what, and when (FIDE Laws 8.1 and 8.4 of 2009 and 2023; CBX 75, 76; US Chess 15A to 15C).
//!
//! A log that has one `write` step of a player for his own moves, or for the opponent's, has all that follow; before
//! the first one nothing is known of his sheet and nothing is asked. What becomes of a sheet that is behind when a flag
//! has fallen is asked in `catching_up.rs`.

use flagfall_core::{Bonus, BySide, Side};
use flagfall_trace::hall::{Entry, Write};
use flagfall_trace::plan::GameClass;

use super::draw_claim::span;
use super::{Arbiter, Evidence, time, whose};
use crate::facts::{Fact, What};
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, Outcome};
use crate::value::{Conduct, FastGame, TimeTrouble, WritingAhead, WritingForThem};

/// What is known of the scoresheets.
#[derive(Clone, Debug, Default)]
pub(super) struct Scoresheets {
    /// Own moves written, once the log tells.
    own: BySide<Option<u16>>,
    /// Moves of the opponent written, once the log tells.
    opponents: BySide<Option<u16>>,
    /// Who has written anything.
    kept: BySide<bool>,
    /// Who does not write any more, and whether the text lets him.
    stopped: BySide<Option<bool>>,
    /// The least time that a side has had in its period, and the period.
    least: BySide<Option<(u8, i128)>>,
    /// Who has been exempt at some time since his sheet was up to date.
    exempt: BySide<bool>,
    /// A draw was offered: by whom, and who has it on his sheet.
    offer: Option<(Side, BySide<bool>)>,
    /// A move was written that was not made yet.
    ahead: Option<(Side, Fact)>,
}

impl Scoresheets {
    /// Whether this side does not write any more.
    pub(super) fn has_stopped(&self, side: Side) -> bool {
        self.stopped[side].is_some()
    }
}

impl Arbiter<'_> {
    /// Notes how little time each side has had, before a fact is looked at.
    pub(super) fn watch_the_time(&mut self) {
        for side in Side::ALL {
            let now = (self.accounts.period(side), self.left_ns(side));
            let least = &mut self.sheets.least[side];
            *least = match *least {
                Some((period, least)) if period == now.0 => Some((period, least.min(now.1))),
                _ => Some(now),
            };
        }
        if let Answer::Value(rule) = self.book.answer::<TimeTrouble>() {
            for side in Side::ALL {
                self.sheets.exempt[side] |= self.is_exempt(side, rule);
            }
        }
    }

    /// Whether a player whose sheet is behind had to write all the time: he was not exempt when he stopped, or at
    /// no instant of a game that the log has seen since its first period.
    pub(super) fn had_to_write(&self, side: Side) -> bool {
        let is_fast = matches!(self.class(), Some(GameClass::Rapid | GameClass::Blitz));
        let opening = self.plan.setup.control[side].period_after(self.plan.setup.opening[side].moves);
        let stopped_exempt = self.sheets.stopped[side].unwrap_or(self.sheets.exempt[side]);
        !is_fast && opening == 0 && !stopped_exempt
    }

    /// A sheet is complete, and what its owner was exempt from before is past.
    pub(super) fn sheet_is_up_to_date(&mut self, side: Side) {
        self.sheets.exempt[side] = false;
        self.sheets.stopped[side] = None;
    }

    pub(super) fn wrote(&mut self, fact: &Fact, written: Write) {
        let Write { side, what } = written;
        self.sheets.kept[side] = true;
        match what {
            Entry::OwnMove => {
                let made = self.moves[side].made;
                let before = self.sheets.own[side].unwrap_or(made.saturating_sub(1));
                self.sheets.own[side] = Some(before.saturating_add(1).min(made));
            }
            Entry::OpponentsMove => {
                let made = self.moves[side.other()].made;
                let before = self.sheets.opponents[side].unwrap_or(made.saturating_sub(1));
                self.sheets.opponents[side] = Some(before.saturating_add(1).min(made));
            }
            Entry::Ahead => self.sheets.ahead = Some((side, fact.clone())),
            Entry::DrawOffer => self.offer_is_written(fact, side),
            Entry::Result | Entry::Times => {}
        }
    }

    /// K2: what came after a move that was written ahead tells what it was written for.
    pub(super) fn writing_ahead_is_explained(&mut self, what: Option<&What>) {
        use flagfall_trace::Hall;
        let Some((side, _)) = self.sheets.ahead else { return };
        let excused = match what {
            Some(What::Hall(Hall::ClaimDraw(claim))) => claim.by == side,
            Some(What::Hall(Hall::Seal(sealer))) => *sealer == side,
            Some(What::Moved { made, .. }) if made.side == side => false,
            None => false,
            Some(_) => return,
        };
        let Some((_, fact)) = self.sheets.ahead.take() else { return };
        let evidence =
            Evidence::used(format!("{side} wrote a move at {} before making it", time(fact.at))).and(if excused {
                "to claim a draw with it or to seal it"
            } else {
                "and not to claim a draw or to seal it"
            });
        let Some(rule) = self.ask::<WritingAhead>(fact.at, &evidence) else { return };
        let allowed = excused && rule == WritingAhead::ForbiddenExceptForClaims;
        let outcome = if allowed { Outcome::Allowed(side) } else { Outcome::Forbidden(side) };
        self.decide(Point::K2, fact.at, outcome, evidence);
    }

    /// K1, K3 and K4: a player makes a move; what he should have written before.
    pub(super) fn sheet_before_a_move(&mut self, fact: &Fact, side: Side) {
        if self.decided || self.sheets.stopped[side].is_some() {
            return;
        }
        let made = self.moves[side].made;
        if let Some(written) = self.sheets.own[side].filter(|written| *written < made) {
            let evidence = Evidence::used(format!("{side} moved at {}", time(fact.at)))
                .and(format!("of {} {made} moves {written} were written", whose(side)));
            self.conduct(Point::K1, fact, side, evidence);
        }
        let opponents = self.moves[side.other()].made;
        if let Some(written) = self.sheets.opponents[side].filter(|written| *written < opponents) {
            let evidence = Evidence::used(format!("{side} moved at {}", time(fact.at)))
                .and(format!("of the opponent's {opponents} moves {written} were written"));
            self.conduct(Point::K3, fact, side, evidence);
        }
        self.offer_should_be_written(fact, side);
    }

    pub(super) fn draw_offered(&mut self, side: Side) {
        self.sheets.offer = Some((side, BySide::both(false)));
    }

    fn offer_is_written(&mut self, fact: &Fact, side: Side) {
        let Some((by, written)) = &mut self.sheets.offer else { return };
        written[side] = true;
        let evidence =
            Evidence::used(format!("{by} had offered a draw")).and(format!("{side} wrote that at {}", time(fact.at)));
        if self.ask_on::<Conduct>(Point::K4, fact.at, &evidence).is_some() {
            self.decide(Point::K4, fact.at, Outcome::Allowed(side), evidence);
        }
    }

    fn offer_should_be_written(&mut self, fact: &Fact, side: Side) {
        let Some((by, written)) = self.sheets.offer.filter(|_| self.sheets.kept[side]) else { return };
        if written[side] {
            return;
        }
        self.sheets.offer = Some((by, BySide::from_fn(|other| other == side || written[other])));
        let evidence = Evidence::used(format!("{by} had offered a draw"))
            .and(format!("{side} moved at {} without having written that", time(fact.at)));
        self.conduct(Point::K4, fact, side, evidence);
    }

    /// K5, K10 and K11: a player does not write any more.
    pub(super) fn stopped_writing(&mut self, fact: &Fact, side: Side) {
        let evidence = Evidence::used(format!("{side} stopped writing at {}", time(fact.at)))
            .and(format!("{side} had {} left", span(self.left_ns(side))));
        self.sheets.stopped[side] = Some(false);
        if self.is_fast_for_scoresheets()
            && matches!(
                self.ask::<FastGame>(fact.at, &evidence),
                Some(FastGame::NotRequired | FastGame::NotRequiredByTheControl)
            )
        {
            self.sheets.stopped[side] = Some(true);
            return self.decide(Point::K10, fact.at, Outcome::Exempt(side), evidence);
        }
        let Some(rule) = self.ask::<TimeTrouble>(fact.at, &evidence) else { return };
        if self.is_exempt(side, rule) {
            let all_moves = self.plan.setup.control[side].target(self.accounts.period(side)).is_none();
            let evidence = if rule == TimeTrouble::AtOrBelow && all_moves {
                // Five minutes for the move of the control are said of a control that has one.
                evidence.and("the period asks for all moves").inferred()
            } else {
                evidence
            };
            self.sheets.stopped[side] = Some(true);
            self.decide(Point::K5, fact.at, Outcome::Exempt(side), evidence);
        } else {
            self.decide(Point::K5, fact.at, Outcome::NotExempt(side), evidence.clone());
            self.conduct(Point::K11, fact, side, evidence);
        }
    }

    /// Rapid or blitz, as the answer to K10 has it told.
    fn is_fast_for_scoresheets(&self) -> bool {
        let by_the_control = self.book.answer() == Answer::Value(FastGame::NotRequiredByTheControl);
        let told = self.book.class_of(&self.plan.setup.control.white).filter(|_| by_the_control);
        matches!(told.or_else(|| self.class()), Some(GameClass::Rapid | GameClass::Blitz))
    }

    fn is_exempt(&self, side: Side, rule: TimeTrouble) -> bool {
        let limit_ns = i128::from(self.limit(Point::K5, "remaining")) * 1_000_000;
        let least = |side: Side| self.sheets.least[side].map_or(i128::MAX, |(_, least)| least);
        let brings_little = || u64::from(self.bonus_of(side).ms()) < self.limit(Point::K5, "increment");
        match rule {
            TimeTrouble::Below => least(side) < limit_ns && brings_little(),
            TimeTrouble::BelowWithoutIncrement => self.left_ns(side) < limit_ns && self.bonus_of(side) == Bonus::None,
            TimeTrouble::AtOrBelow => self.left_ns(side) <= limit_ns,
            TimeTrouble::BelowFreesBoth => Side::ALL.into_iter().any(|one| least(one) < limit_ns) && brings_little(),
        }
    }

    /// K6: somebody writes for the players.
    pub(super) fn written_for_them(&mut self, fact: &Fact) {
        let nobody_writes = Side::ALL.into_iter().all(|side| self.sheets.stopped[side].is_some());
        let evidence = Evidence::used(format!("the arbiter or an assistant writes from {}", time(fact.at)))
            .and(if nobody_writes { "neither player writes any more" } else { "a player still writes" });
        match self.ask::<WritingForThem>(fact.at, &evidence) {
            None => {}
            Some(WritingForThem::Should) if nobody_writes => {
                self.decide(Point::K6, fact.at, Outcome::ActAdmissible, evidence);
            }
            Some(WritingForThem::MayNot) => self.decide(Point::K6, fact.at, Outcome::ActNotAdmissible, evidence),
            Some(WritingForThem::Should) => self.record(Point::K6, fact.at, Decision::Silent, evidence, 0),
        }
    }
}
