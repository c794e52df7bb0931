//! G2 and G8: complaints about a flag, and what becomes of a wrong setting (FIDE Laws 6.10b, A.5.1; CBX 63 and 73; the
//! commentary on FIDE Laws 6.10a; US Chess 16G, 16O, 16P). When a complaint is heard at all is asked in `set_up`.
//!
//! A complaint is what a player says; that the clock is indeed wrong is for the arbiter to find. A wrong setting that he
//! finds before anybody complains is his own affair, of which CBX 63 does not speak.
//!
//! A complaint about a flag that has fallen stays open until the test of which the text speaks: the clock turned over,
//! or a look at the gap. A defect that anybody can see decides nothing before that test where the text has one.

use flagfall_core::Side;
use flagfall_trace::hall::{Complain, Grievance};
use flagfall_trace::plan::{DefectFinding, ScheduleFinding, SettingFinding, StopReason, TurnOver};

use super::{Arbiter, Evidence, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{Decision, GameResult, Outcome};
use crate::value::{FlagComplaint, NotEnoughMoves, WrongSetting};

/// What players have complained about, and what is known of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Complaints {
    /// The last complaint about the setting.
    setting: Option<AboutSetting>,
    /// The complaint about a flag that had fallen.
    flag: Option<AboutFlag>,
    /// Whether the schedule would suffer if a wrong setting stood.
    schedule: Option<ScheduleFinding>,
}

#[derive(Clone, Copy, Debug)]
struct AboutSetting {
    by: Side,
    agreed: bool,
    after_the_first_move: bool,
    of_the_increment: bool,
}

#[derive(Clone, Copy, Debug)]
struct AboutFlag {
    by: Side,
    tested: Option<TurnOver>,
    /// A defect was found evident before the test.
    evident: bool,
}

impl Arbiter<'_> {
    pub(super) fn complained_of(&mut self, fact: &Fact, complaint: Complain, still_to_come: &[Fact]) {
        match complaint.about {
            Grievance::Setting | Grievance::Increment => {
                self.complaints.setting = Some(AboutSetting {
                    by: complaint.by,
                    agreed: complaint.agreed,
                    after_the_first_move: self.a_move_was_made(),
                    of_the_increment: complaint.about == Grievance::Increment,
                });
                self.complaint_is_timely(fact, complaint);
            }
            Grievance::Position => self.complained_of_the_pieces(fact, complaint, still_to_come),
            Grievance::Clock => self.complained(StopReason::Clock),
            Grievance::Flag => {
                self.complained(StopReason::Clock);
                self.flag_is_disputed(fact, complaint.by);
            }
            Grievance::Placement => {}
        }
    }

    pub(super) fn a_move_was_made(&self) -> bool {
        self.moves.white.made > 0 || self.moves.black.made > 0
    }

    /// The moves that both have completed.
    pub(super) fn completed_by_both(&self) -> u64 {
        u64::from(self.moves.white.completed.min(self.moves.black.completed))
    }

    pub(super) fn so_many(&self, point: Point) -> bool {
        self.completed_by_both() >= self.limit(point, "moves")
    }

    pub(super) fn schedule_was_weighed(&mut self, finding: ScheduleFinding) {
        self.complaints.schedule = Some(finding);
    }

    /// G8: the arbiter has found how the clock was set.
    pub(super) fn setting_was_examined(&mut self, fact: &Fact, finding: SettingFinding) {
        let complaint = self.complaints.setting.take();
        if finding == SettingFinding::Right {
            return;
        }
        let mut evidence = Evidence::used(format!("found at {}: the clock was set wrongly", time(fact.at)));
        evidence = match complaint {
            Some(complaint) if complaint.agreed => evidence.and(format!("{} complained and both agree", complaint.by)),
            Some(complaint) => evidence.and(format!("{} complained", complaint.by)),
            None => evidence.and("nobody had complained"),
        };
        let corrected = match self.ask::<WrongSetting>(fact.at, &evidence) {
            None => return,
            Some(WrongSetting::Corrected) => true,
            Some(WrongSetting::CorrectedExceptWhenFast) => {
                !(complaint.is_some() && self.is_fast_and_unsupervised() && self.so_many(Point::G8))
            }
            Some(WrongSetting::CorrectedExceptWhenFastUnlessTheScheduleSuffers) => {
                let stands = self.is_fast_and_unsupervised() && self.so_many(Point::G8);
                match self.complaints.schedule.filter(|_| stands) {
                    None if stands => return self.setting_needs_the_schedule(fact, evidence),
                    schedule => schedule.is_none_or(|schedule| schedule == ScheduleFinding::Suffers),
                }
            }
            Some(WrongSetting::StandsAfterTheFirstMove) => match complaint {
                None => return self.record(Point::G8, fact.at, Decision::Silent, evidence, 0),
                Some(complaint) => {
                    evidence.inferred |= complaint.of_the_increment;
                    complaint.agreed || !complaint.after_the_first_move
                }
            },
        };
        if corrected {
            self.flags_fell_by_the_wrong_setting(fact, &evidence);
        }
        if self.flags.inquiry.is_some() {
            self.close_inquiry();
            self.over = self.decided;
        }
        if self.over {
            return self.record(Point::G8, fact.at, Decision::Void, evidence, 0);
        }
        let outcome = if corrected { Outcome::SettingCorrected } else { Outcome::SettingStands };
        self.decide(Point::G8, fact.at, outcome, evidence);
    }

    /// F1: a flag tells that the time allotted is over, and one that fell because the clock was set short tells nothing.
    ///
    /// No text names the case; that a player loses who has not made his moves in the time *allotted* does not make him
    /// lose before.
    fn flags_fell_by_the_wrong_setting(&mut self, fact: &Fact, evidence: &Evidence) {
        for side in Side::ALL {
            let down = fact.face.is_some_and(|face| face.fallen[side]);
            if !down || !self.flags.has_fallen(side) || !self.has_time_by_the_right_setting(side) {
                continue;
            }
            let called = self.flags.inquiry.as_ref().filter(|inquiry| inquiry.sides.contains(&side));
            let called = called.map(|inquiry| (inquiry.at, inquiry.evidence.clone()));
            self.flags.fell_by_a_wrong_setting(side);
            let Some((at, call)) = called else { continue };
            let evidence = Evidence { used: [call.used, evidence.used.clone()].concat(), ..call }
                .and(format!("{} time was not over by the right setting", whose(side)))
                .resting_on([Point::G8])
                .inferred();
            if self.ask::<NotEnoughMoves>(at, &evidence).is_some() {
                self.decide(Point::F1, at, Outcome::PlayContinues, evidence);
            }
        }
    }

    fn setting_needs_the_schedule(&mut self, fact: &Fact, evidence: Evidence) {
        let answers =
            vec![("suffers".to_owned(), Outcome::SettingCorrected), ("unharmed".to_owned(), Outcome::SettingStands)];
        let needs = Decision::Needs { fact: "schedule".to_owned(), answers };
        self.record(Point::G8, fact.at, needs, evidence, 0);
    }

    /// G2: a player says that a flag does not work as it should.
    fn flag_is_disputed(&mut self, fact: &Fact, by: Side) {
        let fallen = self.flags.has_fallen(by);
        let state = if fallen { "after it had fallen" } else { "while it was up" };
        let evidence =
            Evidence::used(format!("{by} complained about {} flag at {}, {state}", whose(by), time(fact.at)));
        let outcome = match self.ask::<FlagComplaint>(fact.at, &evidence) {
            None => return,
            Some(FlagComplaint::BeforeTheFall) if fallen => Outcome::ComplaintVoid(by),
            Some(FlagComplaint::BeforeTheFall) => Outcome::ComplaintHeard(by),
            Some(FlagComplaint::ByTurningItOver | FlagComplaint::ByTheGap) => {
                if fallen {
                    self.complaints.flag = Some(AboutFlag { by, tested: None, evident: false });
                }
                Outcome::ComplaintHeard(by)
            }
        };
        self.decide(Point::G2, fact.at, outcome, evidence);
    }

    /// The clock was turned over.
    pub(super) fn clock_was_turned_over(&mut self, fact: &Fact, turned: TurnOver) {
        if self.book.answer() != Answer::Value(FlagComplaint::ByTurningItOver) {
            return;
        }
        let Some(dispute) = &mut self.complaints.flag else { return };
        dispute.tested = Some(turned);
        let by = dispute.by;
        let evidence = Evidence::used(format!("{} complained about his flag, which had fallen", by));
        match turned {
            TurnOver::Catches => {
                let evidence = evidence.and("on the clock turned over it catches on the minute hand");
                self.flags.discredit(fact.face);
                self.decide(Point::G2, fact.at, Outcome::PlayContinues, evidence);
            }
            TurnOver::SwingsFree => {
                let evidence = evidence.and("on the clock turned over it swings free");
                self.decide(Point::G2, fact.at, Outcome::ReadingStands, evidence);
            }
        }
    }

    /// A defect was looked for while a fallen flag was disputed; whether that is all to be said of it now.
    pub(super) fn dispute_goes_first(&mut self, fact: &Fact, defect: DefectFinding, evidence: &Evidence) -> bool {
        let Some(mut dispute) = self.complaints.flag else { return false };
        let evident = matches!(defect, DefectFinding::Evident | DefectFinding::Total);
        match self.book.answer() {
            Answer::Value(FlagComplaint::ByTheGap) => {
                self.complaints.flag = None;
                if self.over {
                    return false;
                }
                let outcome = if evident { Outcome::PlayContinues } else { Outcome::ReadingStands };
                self.decide(Point::G2, fact.at, outcome, evidence.clone());
                false
            }
            Answer::Value(FlagComplaint::ByTurningItOver) => {
                dispute.evident |= evident;
                self.complaints.flag = Some(dispute);
                evident && dispute.tested != Some(TurnOver::Catches)
            }
            _ => false,
        }
    }

    /// Whether what a flag costs waits for a test that nobody made; then that is ruled.
    pub(super) fn flag_waits_for_its_test(&mut self, at: flagfall_core::TrueTime, evidence: &Evidence) -> bool {
        let Some(dispute) = self.complaints.flag.filter(|dispute| dispute.evident && dispute.tested.is_none()) else {
            return false;
        };
        self.complaints.flag = None;
        let answers = vec![
            ("catches".to_owned(), Outcome::PlayContinues),
            ("swings-free".to_owned(), Outcome::Result(GameResult::lost_by(dispute.by))),
        ];
        let needs = Decision::Needs { fact: "turn-over".to_owned(), answers };
        self.record(Point::G2, at, needs, evidence.clone(), 0);
        true
    }
}
