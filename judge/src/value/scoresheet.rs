//! K: scoresheets (FIDE Laws 8 of 2009 and 2023, commentary on 6.4 of 2014; CBX 75 to 80).
//!
//! For K1, K4 and K11 the answer says what an omission is, for K3 what a reply before the record is.

use super::{Conduct, Declared, Domain, Limit, Unit};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::K1 | Point::K3 | Point::K4 | Point::K11 => Some(Declared::of::<Conduct>(&[])),
        Point::K2 => Some(Declared::of::<WritingAhead>(&[])),
        Point::K5 => Some(Declared::of::<TimeTrouble>(&[
            Limit {
                name: "remaining",
                unit: Unit::Span,
                needed_by: &["below", "below-without-increment", "at-or-below", "below-frees-both"],
            },
            Limit { name: "increment", unit: Unit::Span, needed_by: &["below", "below-frees-both"] },
        ])),
        Point::K6 => Some(Declared::of::<WritingForThem>(&[])),
        Point::K7 => Some(Declared::of::<OneSheetBehind>(&[])),
        Point::K8 => Some(Declared::of::<BothSheetsBehind>(&[])),
        Point::K9 => Some(Declared::of::<Verification>(&[])),
        Point::K10 => Some(Declared::of::<FastGame>(&[])),
        Point::K12 => Some(Declared::of::<WhoseSheet>(&[Limit {
            name: "remaining",
            unit: Unit::Span,
            needed_by: &["opponents-while-both-have-time"],
        }])),
        Point::K13 => {
            Some(Declared::of::<PuttingOff>(&[Limit { name: "each", unit: Unit::Span, needed_by: &["after-a-time"] }]))
        }
        _ => None,
    }
}

/// K2: a move that is written before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WritingAhead {
    /// It may not be, whatever for.
    Forbidden,
    /// It may not be, except to claim a draw or to seal it.
    ForbiddenExceptForClaims,
}

impl Domain for WritingAhead {
    const POINTS: &'static [Point] = &[Point::K2];
    const VALUES: &'static [(&'static str, Self)] =
        &[("forbidden", Self::Forbidden), ("forbidden-except-for-claims", Self::ForbiddenExceptForClaims)];
}

/// K5: who need not write any more because the time is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeTrouble {
    /// A player below the limit at some stage of the period, unless each move brings him the increment or more.
    Below,
    /// A player below the limit, if moves bring him nothing.
    BelowWithoutIncrement,
    /// A player at the limit or below it, whatever moves bring.
    AtOrBelow,
    /// Both, when one of them is below the limit and moves do not bring the increment or more.
    BelowFreesBoth,
}

impl Domain for TimeTrouble {
    const POINTS: &'static [Point] = &[Point::K5];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("below", Self::Below),
        ("below-without-increment", Self::BelowWithoutIncrement),
        ("at-or-below", Self::AtOrBelow),
        ("below-frees-both", Self::BelowFreesBoth),
    ];
}

/// K6: the arbiter or an assistant writes while neither player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WritingForThem {
    /// He should.
    Should,
    /// He may not.
    MayNot,
}

impl Domain for WritingForThem {
    const POINTS: &'static [Point] = &[Point::K6];
    const VALUES: &'static [(&'static str, Self)] = &[("should", Self::Should), ("may-not", Self::MayNot)];
}

/// K7: one scoresheet is behind when a flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneSheetBehind {
    /// It is completed before its owner's next move; at whose cost is not said.
    BeforeMoving,
    /// The same, and nothing stops the owner's clock when it runs.
    BeforeMovingOnOwnTime,
    /// At once, and the time is the owner's, whoever is on the move.
    OwnTime,
}

impl Domain for OneSheetBehind {
    const POINTS: &'static [Point] = &[Point::K7];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("before-moving", Self::BeforeMoving),
        ("before-moving-on-own-time", Self::BeforeMovingOnOwnTime),
        ("own-time", Self::OwnTime),
    ];
}

/// K8: both scoresheets are behind when a flag has fallen.
///
/// All but one are for two players who did not have to write (K5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothSheetsBehind {
    /// They are completed before the next move; at whose cost is not said.
    BeforeMoving,
    /// The clocks are stopped until they are, whatever the reason is that they are behind.
    ClocksStopped,
    /// The clocks are stopped until they are.
    ClocksStoppedIfExempt,
    /// The time is shared between the players.
    Shared,
}

impl BothSheetsBehind {
    /// Whether it is for two players only who did not have to write.
    #[must_use]
    pub const fn is_for_the_exempt(self) -> bool {
        !matches!(self, Self::ClocksStopped)
    }
}

impl Domain for BothSheetsBehind {
    const POINTS: &'static [Point] = &[Point::K8];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("before-moving", Self::BeforeMoving),
        ("clocks-stopped", Self::ClocksStopped),
        ("clocks-stopped-if-exempt", Self::ClocksStoppedIfExempt),
        ("shared", Self::Shared),
    ];
}

/// K9: the time of a verification that somebody has made necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    /// It is charged to him, without the way to another room.
    ChargedWithoutTheWay,
    /// It is charged to him, and the way too.
    ChargedWithTheWay,
}

impl Domain for Verification {
    const POINTS: &'static [Point] = &[Point::K9];
    const VALUES: &'static [(&'static str, Self)] =
        &[("charged-without-the-way", Self::ChargedWithoutTheWay), ("charged-with-the-way", Self::ChargedWithTheWay)];
}

/// K10: scoresheets in rapid and blitz games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastGame {
    /// Nobody need write.
    NotRequired,
    /// Nobody need write in what the text itself calls such a game, whatever the regulations call it.
    NotRequiredByTheControl,
    /// They are kept as in any other game.
    Required,
}

impl Domain for FastGame {
    const POINTS: &'static [Point] = &[Point::K10];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("not-required", Self::NotRequired),
        ("not-required-by-the-control", Self::NotRequiredByTheControl),
        ("required", Self::Required),
    ];
}

/// K12: whose writing may be used to complete a scoresheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhoseSheet {
    /// The opponent's, on one's own move, or by both while the clocks stand.
    OpponentsOnOwnMove,
    /// The opponent's or the arbiter's; the opponent may object on his own move.
    OpponentsUnlessHeObjects,
    /// The opponent's or the arbiter's.
    OpponentsOrArbiters,
    /// The arbiter helps; the opponent's sheet is not spoken of.
    WithTheArbitersHelp,
    /// The opponent's, while one's own clock runs and both have the limit left.
    OpponentsWhileBothHaveTime,
}

impl Domain for WhoseSheet {
    const POINTS: &'static [Point] = &[Point::K12];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("opponents-on-own-move", Self::OpponentsOnOwnMove),
        ("opponents-unless-he-objects", Self::OpponentsUnlessHeObjects),
        ("opponents-or-arbiters", Self::OpponentsOrArbiters),
        ("with-the-arbiters-help", Self::WithTheArbitersHelp),
        ("opponents-while-both-have-time", Self::OpponentsWhileBothHaveTime),
    ];
}

/// K13: the arbiter leaves the completing to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuttingOff {
    /// He may not.
    Never,
    /// He may when it has taken more than the limit for each player who is at it.
    AfterATime,
    /// He may when the next period is the last.
    BeforeTheLastPeriod,
}

impl Domain for PuttingOff {
    const POINTS: &'static [Point] = &[Point::K13];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("never", Self::Never),
        ("after-a-time", Self::AfterATime),
        ("before-the-last-period", Self::BeforeTheLastPeriod),
    ];
}
