//! G: what the clock shows, and what is put right (FIDE Laws 6.10 and 6.13; CBX 63, 72, 73, 82).

use super::{Declared, Domain, Limit, Unit};
use crate::point::Point;

const FLOOR: &[Limit] = &[
    Limit { name: "per_move", unit: Unit::Span, needed_by: &["when-adding", "when-subtracting"] },
    Limit { name: "at_least", unit: Unit::Span, needed_by: &["when-subtracting"] },
];
const MOVES: &[Limit] = &[Limit {
    name: "moves",
    unit: Unit::Count,
    needed_by: &["corrected-except-when-fast", "corrected-except-when-fast-unless-the-schedule-suffers"],
}];

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::G1 => Some(Declared::of::<Indication>(&[])),
        Point::G2 => Some(Declared::of::<FlagComplaint>(&[])),
        Point::G3 => Some(Declared::of::<Replacement>(&[])),
        Point::G4 => Some(Declared::of::<Floor>(FLOOR)),
        Point::G5 => Some(Declared::of::<WrittenTimes>(&[])),
        Point::G8 => Some(Declared::of::<WrongSetting>(MOVES)),
        Point::G9 => Some(Declared::of::<Restored>(&[])),
        _ => None,
    }
}

/// G1: what the clock shows, against what is said about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indication {
    /// It is conclusive unless a defect is evident; an evidently defective clock is replaced.
    ConclusiveUnlessEvidentDefect,
    /// A clock under suspicion is replaced, but once a flag has fallen no complaint about it is heard.
    FinalOnceFallen,
}

impl Domain for Indication {
    const POINTS: &'static [Point] = &[Point::G1];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("conclusive-unless-evident-defect", Self::ConclusiveUnlessEvidentDefect),
        ("final-once-fallen", Self::FinalOnceFallen),
    ];
}

/// G2: a complaint about a flag, before and after its fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagComplaint {
    /// It is heard only before the fall.
    BeforeTheFall,
    /// It is heard afterwards too, and what the flag does on the clock turned over decides.
    ByTurningItOver,
    /// It is heard afterwards too, and the gap before twelve on the dial decides.
    ByTheGap,
}

impl Domain for FlagComplaint {
    const POINTS: &'static [Point] = &[Point::G2];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("before-the-fall", Self::BeforeTheFall),
        ("by-turning-it-over", Self::ByTurningItOver),
        ("by-the-gap", Self::ByTheGap),
    ];
}

/// G3: when the arbiter may bring another clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// For an evident defect.
    IfEvident,
    /// As soon as the clock is suspected.
    OnSuspicion,
}

impl Domain for Replacement {
    const POINTS: &'static [Point] = &[Point::G3];
    const VALUES: &'static [(&'static str, Self)] =
        &[("if-evident", Self::IfEvident), ("on-suspicion", Self::OnSuspicion)];
}

/// G4: how little the arbiter may leave a player on another clock; the limit itself is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// Where he adds time: the limit `per_move` for each move to the control.
    WhenAdding,
    /// Where he takes time away: the same, and never less than the limit `at_least`.
    WhenSubtracting,
}

impl Domain for Floor {
    const POINTS: &'static [Point] = &[Point::G4];
    const VALUES: &'static [(&'static str, Self)] =
        &[("when-adding", Self::WhenAdding), ("when-subtracting", Self::WhenSubtracting)];
}

/// G5: times that a player wrote on his scoresheet, where the clock shows nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenTimes {
    /// The arbiter may start from them.
    MayBeUsed,
}

impl Domain for WrittenTimes {
    const POINTS: &'static [Point] = &[Point::G5];
    const VALUES: &'static [(&'static str, Self)] = &[("may-be-used", Self::MayBeUsed)];
}

/// G8: a clock that is found to be set wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongSetting {
    /// It is put right at once.
    Corrected,
    /// It is put right, unless a player claims it in a fast game that no arbiter watches after both have completed as
    /// many moves as the limit `moves` says.
    CorrectedExceptWhenFast,
    /// It is put right, but not in such a game after so many moves, whoever finds it, unless the schedule would suffer.
    CorrectedExceptWhenFastUnlessTheScheduleSuffers,
    /// It stands after the first move, unless both agree.
    StandsAfterTheFirstMove,
}

impl Domain for WrongSetting {
    const POINTS: &'static [Point] = &[Point::G8];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("corrected", Self::Corrected),
        ("corrected-except-when-fast", Self::CorrectedExceptWhenFast),
        (
            "corrected-except-when-fast-unless-the-schedule-suffers",
            Self::CorrectedExceptWhenFastUnlessTheScheduleSuffers,
        ),
        ("stands-after-the-first-move", Self::StandsAfterTheFirstMove),
    ];
}

/// G9: the times after a position has been restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restored {
    /// The arbiter sets them as best he can judge, or leaves them.
    ArbitersJudgement,
    /// The time that it took is charged to the offender, whatever the consequences.
    ChargedToTheOffender,
}

impl Domain for Restored {
    const POINTS: &'static [Point] = &[Point::G9];
    const VALUES: &'static [(&'static str, Self)] =
        &[("arbiters-judgement", Self::ArbitersJudgement), ("charged-to-the-offender", Self::ChargedToTheOffender)];
}
