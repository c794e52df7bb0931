//! J: draws that a player short of time asks for, and the clock while a claim of a draw is looked into (FIDE Laws 9.5
//! and 10 of 2009, guideline III of 2023; CBX 81).

use super::{Declared, Domain, Limit, Unit};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::J1 => Some(Declared::of::<WhoMayRequest>(&[Limit {
            name: "remaining",
            unit: Unit::Span,
            needed_by: &["below", "below-on-move", "below-on-move-if-announced", "at-or-below-on-move-if-announced"],
        }])),
        Point::J2 => Some(Declared::of::<RequestAccepted>(&[])),
        Point::J3 => Some(Declared::of::<RequestPostponed>(&[Limit {
            name: "opponent",
            unit: Unit::Span,
            needed_by: &["opponent-may-gain"],
        }])),
        Point::J4 => Some(Declared::of::<RequestRejected>(&[
            Limit { name: "opponent", unit: Unit::Span, needed_by: &["opponent-gains"] },
            Limit { name: "requester", unit: Unit::Span, needed_by: &["requester-may-lose"] },
        ])),
        Point::J5 => Some(Declared::of::<RequestInBlitz>(&[])),
        Point::J6 => Some(Declared::of::<IncrementInstead>(&[
            Limit { name: "remaining", unit: Unit::Span, needed_by: &["below-on-move"] },
            Limit { name: "increment", unit: Unit::Span, needed_by: &["below-on-move"] },
            Limit { name: "opponent", unit: Unit::Span, needed_by: &["below-on-move"] },
        ])),
        Point::J7 => Some(Declared::of::<ClaimClock>(&[
            Limit { name: "opponent", unit: Unit::Span, needed_by: COSTS },
            Limit { name: "opponent-fast", unit: Unit::Span, needed_by: COSTS },
        ])),
        _ => None,
    }
}

/// The values of J7 by which a wrong claim costs something.
const COSTS: &[&str] = &[
    "may-stop-and-a-wrong-claim-costs",
    "must-stop-and-a-wrong-claim-costs",
    "must-stop-and-a-wrong-claim-on-the-move-costs",
];

/// J1: who may ask for a draw because the game is not played for a win.
///
/// Each is about the last period and somebody whose time is below the limit, or also at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhoMayRequest {
    /// Either player, whoever is on the move.
    Below,
    /// The player on the move.
    BelowOnMove,
    /// The player on the move, in a game without extra time for moves, if it was announced.
    BelowOnMoveIfAnnounced,
    /// The same, and the limit itself is little enough.
    AtOrBelowOnMoveIfAnnounced,
}

impl WhoMayRequest {
    /// Whether it is only there where it was announced, and only without extra time for moves.
    #[must_use]
    pub const fn has_to_be_announced(self) -> bool {
        matches!(self, Self::BelowOnMoveIfAnnounced | Self::AtOrBelowOnMoveIfAnnounced)
    }
}

impl Domain for WhoMayRequest {
    const POINTS: &'static [Point] = &[Point::J1];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("below", Self::Below),
        ("below-on-move", Self::BelowOnMove),
        ("below-on-move-if-announced", Self::BelowOnMoveIfAnnounced),
        ("at-or-below-on-move-if-announced", Self::AtOrBelowOnMoveIfAnnounced),
    ];
}

/// J2: the arbiter agrees with such a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestAccepted {
    /// The game is drawn at once.
    Draw,
}

impl Domain for RequestAccepted {
    const POINTS: &'static [Point] = &[Point::J2];
    const VALUES: &'static [(&'static str, Self)] = &[("draw", Self::Draw)];
}

/// J3: the arbiter puts his decision off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestPostponed {
    /// The opponent may get time; the decision may come after a flag has fallen, and until then the flag costs nothing.
    OpponentMayGain,
    /// A clock with a delay and half of his time for the player who asked, or a decision before a flag falls.
    DelayClockOrBeforeTheFlag,
}

impl Domain for RequestPostponed {
    const POINTS: &'static [Point] = &[Point::J3];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("opponent-may-gain", Self::OpponentMayGain),
        ("delay-clock-or-before-the-flag", Self::DelayClockOrBeforeTheFlag),
    ];
}

/// J4: the arbiter rejects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestRejected {
    /// The opponent gets time.
    OpponentGains,
    /// The player who asked may lose time.
    RequesterMayLose,
}

impl Domain for RequestRejected {
    const POINTS: &'static [Point] = &[Point::J4];
    const VALUES: &'static [(&'static str, Self)] =
        &[("opponent-gains", Self::OpponentGains), ("requester-may-lose", Self::RequesterMayLose)];
}

/// J5: such a request in a blitz game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestInBlitz {
    /// There is none.
    Never,
    /// There is none where nobody watches the game.
    NotUnsupervised,
}

impl Domain for RequestInBlitz {
    const POINTS: &'static [Point] = &[Point::J5];
    const VALUES: &'static [(&'static str, Self)] =
        &[("never", Self::Never), ("not-unsupervised", Self::NotUnsupervised)];
}

/// J6: a player asks for an increment instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncrementInstead {
    /// The player on the move may, below the limit, where the procedure was announced; if the arbiter agrees both get
    /// the increment and the opponent some time.
    BelowOnMove,
}

impl Domain for IncrementInstead {
    const POINTS: &'static [Point] = &[Point::J6];
    const VALUES: &'static [(&'static str, Self)] = &[("below-on-move", Self::BelowOnMove)];
}

/// J7: the clock while a claim of a draw is looked into, and what the claim costs or brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimClock {
    /// The claimant may stop it; what becomes of the claim is said elsewhere.
    MayStop,
    /// The claimant may stop it, and a right claim is a draw.
    MayStopAndDraws,
    /// The same, and a wrong claim gives the opponent time, in a fast game perhaps less. Only who has the move can claim
    /// rightly.
    MayStopAndCosts,
    /// The same, but it has to be stopped.
    MustStopAndCosts,
    /// The same; a claim of a player who is not on the move is none and costs nothing. He is until he has pressed.
    MustStopAndCostsOnTheMove,
    /// It runs: a right claim is a draw even if the time is used up then, a wrong one loses if it is.
    Runs,
}

impl ClaimClock {
    /// Whether the clock stands while the claim is looked into, whoever stops it.
    #[must_use]
    pub const fn must_stop(self) -> bool {
        matches!(self, Self::MustStopAndCosts | Self::MustStopAndCostsOnTheMove)
    }

    /// Whether a wrong claim gives the opponent time.
    #[must_use]
    pub const fn costs(self) -> bool {
        matches!(self, Self::MayStopAndCosts) || self.must_stop()
    }
}

impl Domain for ClaimClock {
    const POINTS: &'static [Point] = &[Point::J7];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("may-stop", Self::MayStop),
        ("may-stop-and-a-right-claim-draws", Self::MayStopAndDraws),
        ("may-stop-and-a-wrong-claim-costs", Self::MayStopAndCosts),
        ("must-stop-and-a-wrong-claim-costs", Self::MustStopAndCosts),
        ("must-stop-and-a-wrong-claim-on-the-move-costs", Self::MustStopAndCostsOnTheMove),
        ("runs", Self::Runs),
    ];
}
