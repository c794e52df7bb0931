//! E: when a flag counts as fallen (FIDE Laws 6.8; CBX 74; US Chess 13C1), and who may say so.
//!
//! Read FIDE Laws 6.4, 6.8 and 6.13 first, of the rules for rapid games those on flags (A4d of 2009, A.5 of 2023), and
//! US Chess 13C. What a flag costs is ruled in `time_lost`.
//!
//! What the clock shows is conclusive (FIDE Laws 6.10a), also against somebody who says that he saw it otherwise: nobody
//! sees a flag down that it shows up, and an order of the falls that is not the clock's proves nothing. A look that
//! names no flag observes none, and one that finds one of two flags down finds both.

use flagfall_core::{BySide, Side, TrueTime};
use flagfall_trace::Hall;
use flagfall_trace::plan::{Basis, Claim, GameClass, Observation, Person};

use super::time_lost::Standing;
use super::{Arbiter, Evidence, time, whose};
use crate::facts::{ClockFace, Fact, What};
use crate::point::Point;
use crate::ruling::{Decision, Outcome};
use crate::value::{Devices, FlagCounts, MoveCheck, UsedTime, WhoCalls};

/// What is known of both flags.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    pub(super) of: BySide<Flag>,
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
pub(super) struct Flag {
    pub(super) fall: Option<Fall>,
    pub(super) counts: bool,
    /// It fell on a clock that was then found defective.
    discredited: bool,
    /// It counted, and it was ruled that it costs nothing in this period.
    pub(super) settled: bool,
    /// Somebody has seen it down.
    looked_at: bool,
    /// A player has claimed it.
    claimed: bool,
    /// The arbiter saw it down while the other one was up.
    pub(super) arbiter_saw_it_alone: bool,
}

/// That a flag fell, and how its side stood then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fall {
    /// Which fall of the game it is.
    number: u32,
    /// When.
    pub(super) at: TrueTime,
    /// How its side stood then.
    pub(super) then: Standing,
}

/// A flag, or both, that began to count at one instant.
#[derive(Clone, Debug)]
pub(super) struct Inquiry {
    pub(super) at: TrueTime,
    pub(super) face: Option<ClockFace>,
    pub(super) sides: Vec<Side>,
    /// The player who claimed his opponent's flag, if that is how it began.
    pub(super) claimant: Option<Side>,
    /// Both clocks have stood since.
    pub(super) clocks_stood: bool,
    /// How many pairs of moves had been begun by then; of the last one White's move may be the only one.
    pub(super) pairs_begun: u16,
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

    /// Whether a flag is down that nobody has called yet and that nothing has settled.
    pub(super) fn any_open(&self) -> bool {
        let open = |flag: Flag| flag.fall.is_some() && !flag.counts && !flag.discredited && !flag.settled;
        open(self.of.white) || open(self.of.black)
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

    /// Sees whether both clocks stand after a fact.
    pub(super) fn clocks_stand(&mut self, fact: &Fact) {
        if let Some(inquiry) = &mut self.inquiry {
            inquiry.clocks_stood |= fact.face.is_some_and(|face| face.running().is_none());
        }
    }

    /// This side's flag fell on a clock that had been set wrongly: it proves nothing. The inquiry into it, if there is one
    /// and it was into nothing else, is over.
    pub(super) fn fell_by_a_wrong_setting(&mut self, side: Side) {
        self.of[side] = Flag { discredited: true, ..Flag::default() };
        if let Some(inquiry) = &mut self.inquiry {
            inquiry.sides.retain(|one| *one != side);
        }
        self.inquiry = self.inquiry.take().filter(|inquiry| !inquiry.sides.is_empty());
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

    /// Whether this side's flag has fallen and was not lifted since.
    pub(super) fn has_fallen(&self, side: Side) -> bool {
        self.of[side].fall.is_some()
    }

    /// The flag that fell first, once both have.
    fn first_of_both(&self) -> Option<Side> {
        let (white, black) = (self.of.white.fall?, self.of.black.fall?);
        Some(if white.number < black.number { Side::White } else { Side::Black })
    }
}

/// Whether what happened shows that nobody looks into a flag any more.
pub(super) const fn ends_the_inquiry(what: &What) -> bool {
    !matches!(
        what,
        What::FlagFell(_)
            | What::Stopped { .. }
            | What::Resumed { .. }
            | What::Found(_)
            | What::Hall(Hall::Sheets(_) | Hall::CatchUp(_) | Hall::Verify(_) | Hall::PutOff)
            | What::Hall(Hall::Complain(_) | Hall::Replace(_))
    )
}

impl Arbiter<'_> {
    /// A flag fell: a fact of the clock that nobody in the hall has noticed yet.
    pub(super) fn flag_fell(&mut self, fact: &Fact, side: Side) {
        let then = self.standing_now(side, fact.face.map(|face| face.period[side]));
        let number = self.flags.falls;
        self.flags.falls += 1;
        // A flag falls again where it has been lifted since: at the end of the next control on a dial.
        self.flags.of[side] = Flag { fall: Some(Fall { number, at: fact.at, then }), ..Flag::default() };
    }

    /// Whether this side's flag fell at the end of a control for which it had completed its moves by then.
    pub(super) fn fell_with_the_control_made(&self, side: Side) -> bool {
        self.flags.of[side].fall.is_some_and(|Fall { then: Standing { completed, period, .. }, .. }| {
            let target = period.and_then(|period| self.plan.setup.control[side].target(period));
            target.is_some_and(|target| completed >= target)
        })
    }

    /// Rapid or blitz, and nobody watches as the rules for such games have it.
    pub(super) fn is_fast_and_unsupervised(&self) -> bool {
        !self.plan.regulations.supervised && matches!(self.class(), Some(GameClass::Rapid | GameClass::Blitz))
    }

    /// The moves that the period asked for in which this side's flag fell, if it asked for a number.
    pub(super) fn control_of_the_fall(&self, side: Side) -> Option<u16> {
        let period = self.flags.of[side].fall.and_then(|fall| fall.then.period)?;
        self.plan.setup.control[side].target(period)
    }

    pub(super) fn observed(&mut self, fact: &Fact, seen: &Observation) {
        let down = fact.face.map_or(BySide::both(false), |face| face.fallen);
        let really = BySide::from_fn(|side| seen.fallen[side] && down[side]);
        self.flags.saw(really, down, seen.first);
        let by_the_arbiter = seen.by == Person::Arbiter;
        let who = if by_the_arbiter { "the arbiter".to_owned() } else { seen.by.to_string() };
        let by_itself = |rule| match rule {
            FlagCounts::WhenObservedOrClaimed => by_the_arbiter,
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
            self.flags.of[side].arbiter_saw_it_alone |= by_the_arbiter && !down[side.other()];
            evidence = evidence.and(saw.clone());
            self.moves_are_to_be_counted(fact, side, false, Evidence::used(saw.clone()));
            let counts = match self.arbiter_calls(fact, side, by_the_arbiter, down, &saw) {
                Some(counts) => counts,
                None => self.flag_is_noticed(fact, side, Evidence::used(saw), by_itself),
            };
            if counts {
                counting.push(side);
            }
        }
        if let [side] = counting[..] {
            self.other_is_seen_too(fact, side.other(), &mut counting, &mut evidence);
        }
        if counting.is_empty() && by_the_arbiter && really.white && really.black {
            self.both_are_down_and_nobody_calls(fact, evidence.clone());
        }
        self.look_into(fact, counting, None, evidence);
    }

    /// E1: a flag is seen down, or claimed.
    fn moves_are_to_be_counted(&mut self, fact: &Fact, side: Side, claimed: bool, evidence: Evidence) {
        let flag = &mut self.flags.of[side];
        let (looked_at_before, claimed_before) = (flag.looked_at, flag.claimed);
        flag.looked_at = true;
        flag.claimed |= claimed;
        if flag.counts || claimed_before || (looked_at_before && !claimed) {
            return;
        }
        let outcome = match self.ask::<MoveCheck>(fact.at, &evidence) {
            None => return,
            Some(MoveCheck::AtOnce) if looked_at_before => return,
            Some(MoveCheck::OnClaim) if !claimed => Outcome::CheckNotDue(side),
            Some(MoveCheck::AtOnce | MoveCheck::OnClaim) => Outcome::CheckDue(side),
        };
        self.decide(Point::E1, fact.at, outcome, evidence);
    }

    /// E3: the arbiter sees a flag down in a fast game without supervision; `None` where the question does not arise or
    /// has no answer of its own.
    fn arbiter_calls(
        &mut self,
        fact: &Fact,
        side: Side,
        by_the_arbiter: bool,
        down: BySide<bool>,
        saw: &str,
    ) -> Option<bool> {
        let flag = self.flags.of[side];
        if !by_the_arbiter || !self.is_fast_and_unsupervised() || flag.counts || flag.discredited || flag.settled {
            return None;
        }
        let evidence = Evidence::used(saw).and("nobody supervises the game as the rules for rapid and blitz ask");
        let counts = match self.ask::<WhoCalls>(fact.at, &evidence)? {
            WhoCalls::PlayersOnly => false,
            WhoCalls::PlayersUnlessBothDown => down.white && down.black,
            WhoCalls::ArbiterCallsToo => true,
        };
        self.flags.of[side].counts = counts;
        let outcome = if counts { Outcome::FlagCounts(side) } else { Outcome::FlagDoesNotCount(side) };
        self.decide(Point::E3, fact.at, outcome, evidence.clone());
        if !counts {
            self.flag_costs_nothing(fact, evidence.resting_on([Point::E3]));
        }
        Some(counts)
    }

    pub(super) fn claimed(&mut self, fact: &Fact, claim: &Claim) {
        let down = fact.face.map_or(BySide::both(false), |face| face.fallen);
        let side = claim.flag;
        let said = format!("{} claimed {} flag at {}", claim.by, whose(side), time(fact.at));
        let shown = format!("the clock shows it {}", if down[side] { "down" } else { "up" });
        let mut evidence = Evidence::used(said).and(shown);
        let claimant = Some(claim.by).filter(|by| *by != side);
        if down[side] {
            self.moves_are_to_be_counted(fact, side, true, evidence.clone());
            if self.claim_is_barred(fact, side, claimant, &evidence) {
                return;
            }
        }
        let admitted = self.admits(fact, claim, &evidence);
        if !admitted && let Some(refused) = refused(claim.basis) {
            evidence = evidence.but_not(refused);
        }
        let valid = |rule| admitted || rule == FlagCounts::TheFallItself;
        let mut counting = Vec::new();
        if self.flag_is_noticed(fact, side, evidence.clone(), |rule| down[side] && valid(rule)) {
            counting.push(side);
            self.other_is_seen_too(fact, side.other(), &mut counting, &mut evidence);
        }
        self.look_into(fact, counting, claimant, evidence);
    }

    /// E6 and H3: whether a claim may rest on what this one rests on.
    fn admits(&mut self, fact: &Fact, claim: &Claim, evidence: &Evidence) -> bool {
        match claim.basis {
            Basis::Flag => true,
            Basis::Counter | Basis::Screen => match self.ask::<Devices>(fact.at, evidence) {
                None => true,
                Some(Devices::NotOnACounterAlone) if claim.basis == Basis::Screen => {
                    self.record(Point::E6, fact.at, Decision::Silent, evidence.clone(), 0);
                    true
                }
                Some(Devices::NotOnTheseAlone | Devices::NotOnACounterAlone) => {
                    self.decide(Point::E6, fact.at, Outcome::EvidenceRefused, evidence.clone());
                    false
                }
            },
            Basis::UsedTime => match self.ask::<UsedTime>(fact.at, evidence) {
                None => false,
                Some(UsedTime::NoProof) => {
                    self.decide(Point::H3, fact.at, Outcome::EvidenceRefused, evidence.clone());
                    false
                }
                Some(UsedTime::Proof) => {
                    self.decide(Point::H3, fact.at, Outcome::EvidenceAdmitted, evidence.clone());
                    self.flags.witnessed_first = Some(claim.flag);
                    true
                }
            },
        }
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
        if self.flags.of[side].counts || self.flags.of[side].settled {
            return false;
        }
        let Some(rule) = self.ask::<FlagCounts>(fact.at, &evidence) else {
            self.flag_counts_nowhere(fact, side, evidence);
            return false;
        };
        let discredited = self.flags.of[side].discredited;
        if discredited {
            evidence = evidence.but_not("the flag fell on a clock that was found defective or wrongly set");
        }
        let counts = counts(rule) && !discredited;
        self.flags.of[side].counts = counts;
        let outcome = if counts { Outcome::FlagCounts(side) } else { Outcome::FlagDoesNotCount(side) };
        self.decide(Point::E2, fact.at, outcome, evidence.clone());
        if !counts && fact.face.is_some_and(|face| face.fallen[side]) {
            self.flag_costs_nothing(fact, evidence.resting_on([Point::E2]));
        }
        counts
    }

    /// F1: a flag that is down and does not count costs nothing, and play goes on. With both down in the last period that
    /// is another question (H2).
    fn flag_costs_nothing(&mut self, fact: &Fact, evidence: Evidence) {
        let is_of_both = |face: ClockFace| {
            let last = |side: Side| face.period[side] == self.plan.setup.control[side].last();
            Side::ALL.into_iter().all(|side| face.fallen[side] && last(side))
        };
        if !fact.face.is_some_and(is_of_both) {
            self.costs_nothing(fact.at, evidence);
        }
    }

    /// A text that does not say when a flag counts may still say that the last move is not complete.
    fn flag_counts_nowhere(&mut self, fact: &Fact, side: Side, evidence: Evidence) {
        if self.over || !fact.face.is_some_and(|face| face.fallen[side]) {
            return;
        }
        let inquiry = Inquiry { clocks_stood: true, ..self.inquiry_into(fact, vec![side], None, evidence) };
        if let Some(target) = self.target(side, &inquiry) {
            self.control_move_is_open(side, target, inquiry.at, inquiry.evidence);
        }
    }

    fn look_into(&mut self, fact: &Fact, sides: Vec<Side>, claimant: Option<Side>, evidence: Evidence) {
        if !sides.is_empty() {
            let evidence = evidence.resting_on([Point::E2]);
            self.flags.inquiry = Some(self.inquiry_into(fact, sides, claimant, evidence));
        }
    }

    /// Begins to look into flags; the clocks are not known to stand.
    pub(super) fn inquiry_into(
        &self,
        fact: &Fact,
        sides: Vec<Side>,
        claimant: Option<Side>,
        evidence: Evidence,
    ) -> Inquiry {
        let pairs_begun = self.moves.white.made.max(self.moves.black.made);
        Inquiry { at: fact.at, face: fact.face, sides, claimant, clocks_stood: false, pairs_begun, evidence }
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
