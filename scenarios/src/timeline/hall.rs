//! What people do in the hall: acts that no clock notices.

use flagfall_core::{BySide, Side};
use flagfall_trace::hall::{CatchUp, Complain, Hall, Penalty, Restore, Sheet, Touch, Verify};
use flagfall_trace::plan::Finding;
use flagfall_trace::{Act, When};

use super::Timeline;
use crate::diagnostics::Complaint;
use crate::raw::{RawBySide, RawFind, RawPenalty, RawSheet, RawSideOrNone, RawStep};
use crate::spans::Node;
use crate::time::span_ms;

impl Timeline<'_, '_> {
    /// The entry, if its verb is one of the hall.
    pub(super) fn hall(&mut self, at: When, raw: &RawStep, node: &Node) {
        if let Some(hall) = self.at_the_clock(raw, node).or_else(|| self.with_pen_and_paper(raw, node)) {
            self.add(at, Act::Hall(hall));
        }
    }

    fn at_the_clock(&mut self, raw: &RawStep, node: &Node) -> Option<Hall> {
        let times = |this: &mut Self, raw: &RawBySide<String>, key| this.both_times(raw, node.at(key));
        let simple = [
            raw.handle.map(Hall::Handle),
            raw.adjust.map(Hall::Adjust),
            raw.assistant.map(Hall::Assistant),
            raw.prompt.map(Hall::Prompt),
            raw.resign.map(Hall::Resign),
            raw.agree.as_ref().map(|_| Hall::AgreeDraw),
            raw.place.map(Hall::Place),
            raw.open_round.as_ref().map(|_| Hall::OpenRound),
            raw.excuse.map(Hall::Excuse),
        ];
        if let Some(hall) = simple.into_iter().flatten().next() {
            return Some(hall);
        }
        if let Some(touch) = &raw.touch {
            let for_ms = self.span(&touch.duration, node.at("touch").at("for"));
            return Some(Hall::Touch(Touch { side: touch.side, how: touch.how, for_ms }));
        }
        if let Some(raw) = &raw.complain {
            let agreed = raw.agreed.unwrap_or(false);
            return Some(Hall::Complain(Complain { by: raw.by, about: raw.about, agreed }));
        }
        if let Some(raw) = &raw.allocate {
            return Some(Hall::Allocate(times(self, raw, "allocate")));
        }
        let raw = raw.replace.as_ref()?;
        Some(Hall::Replace(times(self, raw, "replace")))
    }

    fn with_pen_and_paper(&mut self, raw: &RawStep, node: &Node) -> Option<Hall> {
        let simple = [
            raw.write.map(Hall::Write),
            raw.stop_writing.map(Hall::StopWriting),
            raw.sheets.as_ref().map(|sheets| Hall::Sheets(both_sheets(sheets))),
            raw.put_off.as_ref().map(|_| Hall::PutOff),
            raw.offer_draw.map(Hall::OfferDraw),
            raw.record_by.map(Hall::RecordBy),
            raw.claim_draw.map(Hall::ClaimDraw),
            raw.request_draw.map(Hall::RequestDraw),
            raw.ask_increment.map(Hall::AskIncrement),
            raw.decide.map(Hall::Decide),
            raw.adjourn.as_ref().map(|_| Hall::Adjourn),
            raw.seal.map(Hall::Seal),
            raw.change_sealed.map(Hall::ChangeSealed),
            raw.resumption.map(Hall::Resumption),
        ];
        if let Some(hall) = simple.into_iter().flatten().next() {
            return Some(hall);
        }
        if let Some(raw) = &raw.catch_up {
            let for_ms = self.span(&raw.duration, node.at("catch_up").at("for"));
            let (with, objected) = (raw.with.unwrap_or_default(), raw.objected.unwrap_or(false));
            return Some(Hall::CatchUp(CatchUp { by: raw.by, for_ms, with, objected }));
        }
        if let Some(raw) = &raw.verify {
            let node = node.at("verify");
            let for_ms = self.span(&raw.duration, node.at("for"));
            let walk_ms = raw.walk.as_ref().map_or(0, |walk| self.span(walk, node.at("walk")));
            if walk_ms > for_ms {
                let complaint = Complaint::new("the way is longer than all of it");
                self.meaning.complain(node.at("walk"), complaint);
            }
            return Some(Hall::Verify(Verify { for_ms, walk_ms, at_fault: side_or_none(raw.at_fault) }));
        }
        if let Some(raw) = &raw.restore {
            let took_ms = self.span(&raw.took, node.at("restore").at("took"));
            return Some(Hall::Restore(Restore { offender: side_or_none(raw.offender), took_ms }));
        }
        let raw = raw.penalise.as_ref()?;
        Some(Hall::Penalise(self.penalty(raw, node.at("penalise"))))
    }

    fn penalty(&mut self, raw: &RawPenalty, node: &Node) -> Penalty {
        use flagfall_trace::hall::Sanction;
        let is_time = matches!(raw.how, Sanction::LessTime | Sanction::MoreTime);
        match &raw.by {
            None if is_time => {
                let complaint = Complaint::new("this penalty is a time").help("add `by: 2m`");
                self.meaning.complain(node, complaint);
            }
            Some(_) if !is_time => {
                let complaint = Complaint::new("this penalty is no time").help("leave `by` out");
                self.meaning.complain(node.at("by"), complaint);
            }
            _ => {}
        }
        let by_ms = raw.by.as_ref().map_or(0, |by| self.span(by, node.at("by")));
        Penalty { side: raw.side, how: raw.how, by_ms }
    }

    fn span(&mut self, text: &str, node: &Node) -> u64 {
        self.meaning.take(node, span_ms(text)).unwrap_or(0)
    }

    /// Times of both sides, each of which must be there.
    fn both_times(&mut self, raw: &RawBySide<String>, node: &Node) -> BySide<u64> {
        for (side, time) in [(Side::White, &raw.white), (Side::Black, &raw.black)] {
            if time.is_none() {
                let complaint = Complaint::new(format!("{side}'s time is missing"));
                self.meaning.complain(node, complaint.help(format!("add `{side}: 5m`")));
            }
        }
        let mut ms = BySide::both(0);
        for (side, text) in raw.iter() {
            ms[side] = self.span(text, node.at(side.name()));
        }
        ms
    }

    pub(super) fn find(&mut self, at: When, raw: &RawFind) {
        let one = [
            raw.defect.map(Finding::Defect),
            raw.stop.map(Finding::Stop),
            raw.setting.map(Finding::Setting),
            raw.turn_over.map(Finding::TurnOver),
            raw.unproven.map(Finding::Unproven),
            raw.draw_claim.map(Finding::DrawClaim),
            raw.schedule.map(Finding::Schedule),
            raw.deliberate.map(Finding::Deliberate),
            raw.position.map(Finding::Position),
        ];
        let counts = raw.count.iter().flat_map(RawBySide::iter).map(|(side, moves)| Finding::Count(side, *moves));
        for (index, finding) in one.into_iter().flatten().chain(counts).enumerate() {
            self.add(if index == 0 { at } else { super::after(0) }, Act::Find(finding));
        }
    }
}

fn both_sheets(raw: &RawBySide<RawSheet>) -> BySide<Sheet> {
    let one = |raw: &Option<RawSheet>| {
        raw.as_ref().map_or(Sheet::default(), |raw| Sheet { shows: raw.shows, missing: raw.missing.unwrap_or(0) })
    };
    BySide::new(one(&raw.white), one(&raw.black))
}

const fn side_or_none(raw: Option<RawSideOrNone>) -> Option<Side> {
    match raw {
        Some(RawSideOrNone::White) => Some(Side::White),
        Some(RawSideOrNone::Black) => Some(Side::Black),
        Some(RawSideOrNone::None) | None => None,
    }
}
