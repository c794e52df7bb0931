//! E and F: when a flag counts and what it costs (FIDE Laws 6.4, 6.8 and 6.9; CBX 74, 78; US Chess 13C, 14E).

use super::{Declared, Domain, Limit, Unit};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::E1 => Some(Declared::of::<MoveCheck>(&[])),
        Point::E2 => Some(Declared::of::<FlagCounts>(&[])),
        Point::E3 => Some(Declared::of::<WhoCalls>(&[])),
        Point::E4 => Some(Declared::of::<ClaimantsFlag>(&[])),
        Point::E5 => Some(Declared::of::<ProofOfMoves>(SHEET)),
        Point::E6 => Some(Declared::of::<Devices>(&[])),
        Point::E7 => Some(Declared::of::<MissedPress>(&[])),
        Point::F1 => Some(Declared::of::<NotEnoughMoves>(&[])),
        Point::F2 => Some(Declared::of::<EndBeforeTheFlag>(&[])),
        Point::F3 => Some(Declared::of::<CannotMate>(&[])),
        Point::F4 => Some(Declared::of::<EndOrCall>(&[])),
        Point::F5 => Some(Declared::of::<PressWithTheFlag>(&[])),
        _ => None,
    }
}

const SHEET: &[Limit] = &[
    Limit { name: "missing", unit: Unit::Count, needed_by: &["claimants-sheet"] },
    Limit { name: "gain", unit: Unit::Span, needed_by: &["claimants-sheet"] },
];

/// E1: when the moves are counted after a flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveCheck {
    /// As soon as anybody sees the flag down.
    AtOnce,
    /// When a player claims it.
    OnClaim,
}

impl Domain for MoveCheck {
    const POINTS: &'static [Point] = &[Point::E1];
    const VALUES: &'static [(&'static str, Self)] = &[("at-once", Self::AtOnce), ("on-claim", Self::OnClaim)];
}

/// E2: when a flag counts as fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagCounts {
    /// When the arbiter observes it or a player makes a valid claim.
    WhenObservedOrClaimed,
    /// When it falls, whoever notices it later.
    TheFallItself,
    /// When a player claims it, and never by the arbiter.
    OnlyAPlayersClaim,
}

impl Domain for FlagCounts {
    const POINTS: &'static [Point] = &[Point::E2];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("when-observed-or-claimed", Self::WhenObservedOrClaimed),
        ("the-fall-itself", Self::TheFallItself),
        ("only-a-players-claim", Self::OnlyAPlayersClaim),
    ];
}

/// E3: whether the arbiter calls a flag in rapid and blitz games that are not adequately supervised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhoCalls {
    /// He never does.
    PlayersOnly,
    /// He does so only when both flags are down.
    PlayersUnlessBothDown,
    /// He does, as a player may.
    ArbiterCallsToo,
}

impl Domain for WhoCalls {
    const POINTS: &'static [Point] = &[Point::E3];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("players-only", Self::PlayersOnly),
        ("players-unless-both-down", Self::PlayersUnlessBothDown),
        ("arbiter-calls-too", Self::ArbiterCallsToo),
    ];
}

/// E4: a player claims his opponent's flag, and his own is down once the clocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimantsFlag {
    /// The claim fails, unless the arbiter had seen the other flag down while the claimant's was up.
    FlagUp,
    /// The claim fails in rapid and blitz games that are not adequately supervised.
    FlagUpWithoutSupervision,
    /// Nothing is asked of his flag in rapid and blitz games that are not adequately supervised.
    NotNeeded,
}

impl Domain for ClaimantsFlag {
    const POINTS: &'static [Point] = &[Point::E4];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("flag-up", Self::FlagUp),
        ("flag-up-without-supervision", Self::FlagUpWithoutSupervision),
        ("not-needed", Self::NotNeeded),
    ];
}

/// E5: who has to prove how many moves were made, and what follows if nobody can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofOfMoves {
    /// The player whose flag is down proves his own moves, or loses.
    EachHisOwn,
    /// It has to be shown that the time was overstepped; if not, the game goes on in the next period.
    OversteppingIsShown,
    /// The claimant needs a scoresheet with no more pairs of moves missing than the limit `missing`; if not, the other
    /// player gets the limit `gain` and the game goes on.
    ClaimantsSheet,
}

impl Domain for ProofOfMoves {
    const POINTS: &'static [Point] = &[Point::E5];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("each-his-own", Self::EachHisOwn),
        ("overstepping-is-shown", Self::OversteppingIsShown),
        ("claimants-sheet", Self::ClaimantsSheet),
    ];
}

/// E6: what a claim may not rest on alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Devices {
    /// Screens, demonstration boards and move counters.
    NotOnTheseAlone,
    /// Move counters.
    NotOnACounterAlone,
}

impl Domain for Devices {
    const POINTS: &'static [Point] = &[Point::E6];
    const VALUES: &'static [(&'static str, Self)] =
        &[("not-on-these-alone", Self::NotOnTheseAlone), ("not-on-a-counter-alone", Self::NotOnACounterAlone)];
}

/// E7: a flag is down because the clock's counter missed a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissedPress {
    /// The moves that were made count, not the counter, and the game goes on.
    MovesCount,
    /// The flag has fallen prematurely and does not count.
    FallIsPremature,
}

impl Domain for MissedPress {
    const POINTS: &'static [Point] = &[Point::E7];
    const VALUES: &'static [(&'static str, Self)] =
        &[("moves-count", Self::MovesCount), ("fall-is-premature", Self::FallIsPremature)];
}

/// F1: a flag counts and its side has not completed the moves of the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotEnoughMoves {
    /// That side loses, as far as F3 does not say otherwise.
    Loses,
}

impl Domain for NotEnoughMoves {
    const POINTS: &'static [Point] = &[Point::F1];
    const VALUES: &'static [(&'static str, Self)] = &[("loses", Self::Loses)];
}

/// F2: the game ends on the board or by the players' words while no flag counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndBeforeTheFlag {
    /// That end stands; of one before any flag is down the text does not speak.
    Stands,
    /// It stands, and a resignation or an agreement ends the game with the flags up as well.
    EndsTheGame,
    /// The same, but a resignation draws where the opponent cannot mate.
    EndsTheGameAndMayDraw,
}

impl Domain for EndBeforeTheFlag {
    const POINTS: &'static [Point] = &[Point::F2];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("stands", Self::Stands),
        ("ends-the-game", Self::EndsTheGame),
        ("ends-the-game-and-may-draw", Self::EndsTheGameAndMayDraw),
    ];
}

/// F3: not enough moves in time when the opponent cannot mate any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotMate {
    /// A draw if no series of legal moves mates.
    Draw,
    /// A draw too if the opponent has no more than a minor piece, or two knights against no pawn, and no forced win.
    DrawWithoutMaterial,
    /// A loss all the same.
    Loses,
}

impl Domain for CannotMate {
    const POINTS: &'static [Point] = &[Point::F3];
    const VALUES: &'static [(&'static str, Self)] =
        &[("draw", Self::Draw), ("draw-without-material", Self::DrawWithoutMaterial), ("loses", Self::Loses)];
}

/// F4: a move ends the game at the instant at which a flag is called, and nobody can tell which came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndOrCall {
    /// The end of the game stands.
    EndStands,
    /// The call stands.
    CallStands,
}

impl Domain for EndOrCall {
    const POINTS: &'static [Point] = &[Point::F4];
    const VALUES: &'static [(&'static str, Self)] =
        &[("end-stands", Self::EndStands), ("call-stands", Self::CallStands)];
}

/// F5: the last move of a period is pressed at the instant at which the flag falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressWithTheFlag {
    /// Too late: the press has to come before the fall.
    TooLate,
    /// In time.
    InTime,
}

impl Domain for PressWithTheFlag {
    const POINTS: &'static [Point] = &[Point::F5];
    const VALUES: &'static [(&'static str, Self)] = &[("too-late", Self::TooLate), ("in-time", Self::InTime)];
}
