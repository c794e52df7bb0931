//! K: scoresheets that are behind when a flag has fallen (FIDE Laws 8.4 and 8.5 of 2009, 8.5 of 2023, commentary on 6.4
//! of 2014; CBX 76 to 80; US Chess 15D, 15F).
//!
//! A sheet is due once somebody has seen that moves are missing on it after the fall of a flag, or after a period that
//! ended without one; it is due until it has been brought up to date or left to the end of the game.
//!
//! Most texts treat two sheets together only if neither player had to write (K5). If one had to, he has broken his duty
//! (K11), and the other one's sheet is the only one that is behind by right (K7).

use flagfall_core::{BySide, Side, TrueTime};
use flagfall_trace::hall::{CatchUp, Help, Players, Sheet, Verify};

use super::draw_claim::span;
use super::{Arbiter, Evidence, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, Outcome};
use crate::value::{BothSheetsBehind, OneSheetBehind, PuttingOff, Verification, WhoseSheet};

/// What is known of sheets that are behind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CatchingUp {
    /// Whose sheet has to be completed.
    due: BySide<bool>,
    /// Both were due at once, and the text treats them together.
    together: bool,
    /// Who had to write and did not.
    unlawful: BySide<bool>,
    /// Who began to complete it last, and when.
    begun: Option<(Players, TrueTime)>,
}

impl Arbiter<'_> {
    /// Somebody looks at the sheets.
    pub(super) fn sheets_were_seen(&mut self, fact: &Fact, sheets: BySide<Sheet>) {
        let periods_ended = Side::ALL.into_iter().any(|side| self.accounts.period(side) > 0);
        if !self.flags.any_fallen() && !periods_ended {
            return;
        }
        let behind = BySide::from_fn(|side| sheets[side].missing > 0);
        let both = behind.white && behind.black;
        let had_to_write = BySide::from_fn(|side| both && self.both_have_to_be_exempt() && self.had_to_write(side));
        let together = both && !had_to_write.white && !had_to_write.black;
        let due = BySide::from_fn(|side| behind[side] && !had_to_write[side]);
        self.catching_up = CatchingUp { due, together, unlawful: had_to_write, begun: None };
        for side in Side::ALL.into_iter().filter(|side| behind[*side]) {
            let evidence = Evidence::used(format!(
                "a flag had fallen, and at {} {} pairs of moves were missing on {} sheet",
                time(fact.at),
                sheets[side].missing,
                whose(side)
            ));
            if had_to_write[side] {
                self.conduct(Point::K11, fact, side, evidence.and(format!("{side} had been exempt at no time")));
                continue;
            }
            let point = self.point_of_the_sheets();
            if self.ask_about_sheets(fact, &evidence) {
                self.decide(point, fact.at, Outcome::SheetDue(side), evidence);
            }
        }
    }

    /// Whether the text treats two sheets together only if neither player had to write.
    fn both_have_to_be_exempt(&self) -> bool {
        matches!(self.book.answer::<BothSheetsBehind>(), Answer::Value(rule) if rule.is_for_the_exempt())
    }

    const fn point_of_the_sheets(&self) -> Point {
        if self.catching_up.together { Point::K8 } else { Point::K7 }
    }

    fn ask_about_sheets(&mut self, fact: &Fact, evidence: &Evidence) -> bool {
        if self.catching_up.together {
            self.ask::<BothSheetsBehind>(fact.at, evidence).is_some()
        } else {
            self.ask::<OneSheetBehind>(fact.at, evidence).is_some()
        }
    }

    /// K7, K8: a player moves although his sheet is due.
    pub(super) fn moved_with_a_sheet_due(&mut self, fact: &Fact, side: Side) {
        if self.decided || !self.catching_up.due[side] {
            return;
        }
        let evidence = Evidence::used(format!("{side} moved at {}", time(fact.at)))
            .and(format!("{} sheet was still behind", whose(side)));
        let point = self.point_of_the_sheets();
        if self.ask_about_sheets(fact, &evidence) {
            self.decide(point, fact.at, Outcome::Forbidden(side), evidence);
        }
    }

    /// K7, K8, K12: a sheet is brought up to date.
    pub(super) fn catches_up(&mut self, fact: &Fact, how: CatchUp) {
        self.catching_up.begun = Some((how.by, fact.at));
        if how.with != Help::OwnMemory {
            for side in Side::ALL.into_iter().filter(|side| how.by.has(*side)) {
                self.sheet_is_used(fact, side, how);
            }
        }
        let took_ns = i128::from(how.for_ms) * 1_000_000;
        let evidence = Evidence::used(format!("{} from {} for {}", who(how.by), time(fact.at), span(took_ns)));
        match how.by {
            Players::Both if self.catching_up.unlawful == BySide::both(false) => {
                self.both_catch_up(fact, how.for_ms, evidence);
            }
            Players::Both => {
                // Nobody has told the time of the one from that of the other.
                for side in Side::ALL {
                    self.one_catches_up(fact, side, how.for_ms / 2, evidence.clone().inferred());
                }
            }
            Players::White => self.one_catches_up(fact, Side::White, how.for_ms, evidence),
            Players::Black => self.one_catches_up(fact, Side::Black, how.for_ms, evidence),
        }
        for side in Side::ALL.into_iter().filter(|side| how.by.has(*side)) {
            self.catching_up.due[side] = false;
            self.sheet_is_up_to_date(side);
        }
    }

    fn one_catches_up(&mut self, fact: &Fact, side: Side, for_ms: u64, evidence: Evidence) {
        if self.catching_up.together {
            return self.both_catch_up(fact, for_ms, evidence);
        }
        if self.catching_up.unlawful[side] {
            return;
        }
        let on_move = self.on_move() == Some(side);
        let evidence = evidence.and(if on_move { "it was his move" } else { "it was the opponent's move" });
        match self.ask::<OneSheetBehind>(fact.at, &evidence) {
            None => {}
            Some(OneSheetBehind::BeforeMoving) => self.record(Point::K7, fact.at, Decision::Silent, evidence, 0),
            Some(OneSheetBehind::BeforeMovingOnOwnTime) => {
                let ms = if on_move { for_ms } else { 0 };
                self.charge(Point::K7, fact, side, ms, evidence);
            }
            Some(OneSheetBehind::OwnTime) => self.charge(Point::K7, fact, side, for_ms, evidence),
        }
    }

    fn both_catch_up(&mut self, fact: &Fact, for_ms: u64, evidence: Evidence) {
        match self.ask::<BothSheetsBehind>(fact.at, &evidence) {
            None => {}
            Some(BothSheetsBehind::BeforeMoving) => self.record(Point::K8, fact.at, Decision::Silent, evidence, 0),
            Some(BothSheetsBehind::ClocksStopped | BothSheetsBehind::ClocksStoppedIfExempt) => {
                self.decide(Point::K8, fact.at, Outcome::ClocksStopped, evidence);
            }
            Some(BothSheetsBehind::Shared) => {
                // "Shared" is not said to be in equal parts.
                let evidence = Evidence { inferred: true, ..evidence };
                for side in Side::ALL {
                    self.charge(Point::K8, fact, side, for_ms / 2, evidence.clone());
                }
            }
        }
    }

    /// Charges a time to a side; on a clock that stands it comes off what the side has left.
    fn charge(&mut self, point: Point, fact: &Fact, side: Side, ms: u64, evidence: Evidence) {
        let runs = fact.face.is_some_and(|face| face.running() == Some(side));
        if !runs {
            self.accounts.charge(side, ms);
        }
        self.decide(point, fact.at, Outcome::Charged(side, ms), evidence);
    }

    /// K12: whose sheet is used.
    fn sheet_is_used(&mut self, fact: &Fact, side: Side, how: CatchUp) {
        let on_move = self.on_move() == Some(side);
        let opponents = how.with == Help::OpponentsSheet;
        let mut evidence = Evidence::used(format!(
            "{side} used {} at {}",
            if opponents { "the opponent's sheet" } else { "what the arbiter wrote" },
            time(fact.at)
        ))
        .and(if on_move { "it was his move" } else { "it was the opponent's move" });
        if how.objected {
            evidence = evidence.and("the opponent objected");
        }
        let Some(rule) = self.ask::<WhoseSheet>(fact.at, &evidence) else { return };
        let allowed = match rule {
            WhoseSheet::OpponentsOnOwnMove if how.by == Players::Both && self.catching_up.together => Some(true),
            WhoseSheet::OpponentsOnOwnMove => opponents.then_some(on_move),
            WhoseSheet::OpponentsUnlessHeObjects => Some(!opponents || on_move || !how.objected),
            WhoseSheet::OpponentsOrArbiters => Some(true),
            WhoseSheet::WithTheArbitersHelp => (!opponents).then_some(true),
            WhoseSheet::OpponentsWhileBothHaveTime => opponents.then(|| on_move && self.both_have_time()),
        };
        evidence.inferred |= how.objected && rule == WhoseSheet::OpponentsOrArbiters;
        match allowed {
            Some(true) => self.decide(Point::K12, fact.at, Outcome::Allowed(side), evidence),
            Some(false) => self.decide(Point::K12, fact.at, Outcome::Forbidden(side), evidence),
            None => self.record(Point::K12, fact.at, Decision::Silent, evidence, 0),
        }
    }

    fn both_have_time(&self) -> bool {
        let limit_ns = i128::from(self.limit(Point::K12, "remaining")) * 1_000_000;
        Side::ALL.into_iter().all(|side| self.left_ns(side) >= limit_ns)
    }

    /// K13: the arbiter leaves it to the end of the game.
    pub(super) fn catching_up_is_put_off(&mut self, fact: &Fact) {
        let (players, took_ns) = match self.catching_up.begun {
            Some((by, since)) => (if by == Players::Both { 2 } else { 1 }, i128::from(fact.at.ns() - since.ns())),
            None => (1, 0),
        };
        let evidence = Evidence::used(format!("at {} the arbiter left it to the end of the game", time(fact.at)))
            .and(format!("it had taken {} so far", span(took_ns)));
        let Some(rule) = self.ask::<PuttingOff>(fact.at, &evidence) else { return };
        let admissible = match rule {
            PuttingOff::Never => false,
            PuttingOff::AfterATime => took_ns > i128::from(self.limit(Point::K13, "each")) * 1_000_000 * players,
            PuttingOff::BeforeTheLastPeriod => {
                Side::ALL.into_iter().all(|side| self.accounts.period(side) >= self.plan.setup.control[side].last())
            }
        };
        if admissible {
            self.catching_up.due = BySide::both(false);
        }
        let outcome = if admissible { Outcome::ActAdmissible } else { Outcome::ActNotAdmissible };
        self.decide(Point::K13, fact.at, outcome, evidence);
    }

    /// K9: the arbiter verifies something.
    pub(super) fn verified(&mut self, fact: &Fact, verify: Verify) {
        let Some(side) = verify.at_fault else { return };
        let way_ms = verify.walk_ms.min(verify.for_ms);
        let evidence = Evidence::used(format!("a verification at {} that {side} had made necessary", time(fact.at)))
            .and(format!("it took {} ms, {way_ms} ms of it on the way", verify.for_ms));
        match self.ask::<Verification>(fact.at, &evidence) {
            None => {}
            Some(Verification::ChargedWithoutTheWay) => {
                self.charge(Point::K9, fact, side, verify.for_ms - way_ms, evidence.but_not("the way to another room"));
            }
            Some(Verification::ChargedWithTheWay) => self.charge(Point::K9, fact, side, verify.for_ms, evidence),
        }
    }
}

const fn who(by: Players) -> &'static str {
    match by {
        Players::White => "White brought the sheet up to date",
        Players::Black => "Black brought the sheet up to date",
        Players::Both => "both brought their sheets up to date",
    }
}
