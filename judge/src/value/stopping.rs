//! I: who stops the clocks, and why (FIDE Laws 6.12; CBX 67).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::I1 => Some(Declared::of::<Interruption>(&[])),
        Point::I2 => Some(Declared::of::<PlayersStop>(&[])),
        Point::I3 => Some(Declared::of::<Restart>(&[])),
        Point::I4 => Some(Declared::of::<StopWithoutReason>(&[])),
        Point::I5 => Some(Declared::of::<OpponentsClock>(&[])),
        Point::I6 => Some(Declared::of::<Penalties>(&[])),
        _ => None,
    }
}

/// I1: the game has to be interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The arbiter stops the clocks, in whatever way.
    ArbiterStops,
    /// The arbiter pauses the clocks, which is not to switch them off.
    ArbiterPauses,
}

impl Domain for Interruption {
    const POINTS: &'static [Point] = &[Point::I1];
    const VALUES: &'static [(&'static str, Self)] =
        &[("arbiter-stops", Self::ArbiterStops), ("arbiter-pauses", Self::ArbiterPauses)];
}

/// I2: what a player may stop the clocks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayersStop {
    /// To call the arbiter, and for nothing else.
    OnlyToCallTheArbiter,
    /// When he needs the arbiter; nothing is said of other stops.
    WhenTheArbiterIsNeeded,
    /// In a conflict; nothing is said of other stops.
    InAConflict,
}

impl Domain for PlayersStop {
    const POINTS: &'static [Point] = &[Point::I2];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("only-to-call-the-arbiter", Self::OnlyToCallTheArbiter),
        ("when-the-arbiter-is-needed", Self::WhenTheArbiterIsNeeded),
        ("in-a-conflict", Self::InAConflict),
    ];
}

/// I3: who starts the clocks again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// The arbiter decides when.
    OnlyTheArbiter,
    /// Either player, once the piece for a promotion is there; nothing is said of other stops.
    EitherPlayerAfterAPromotion,
}

impl Domain for Restart {
    const POINTS: &'static [Point] = &[Point::I3];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("only-the-arbiter", Self::OnlyTheArbiter),
        ("either-player-after-a-promotion", Self::EitherPlayerAfterAPromotion),
    ];
}

/// I4: a player stops the clocks and had no reason to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopWithoutReason {
    /// He is penalised if the reason was not valid.
    Penalty,
    /// He is penalised only if the stop was clearly unfounded.
    PenaltyIfClear,
    /// He may be penalised, and only if the stop was clearly unfounded.
    MayBePenalisedIfClear,
}

impl Domain for StopWithoutReason {
    const POINTS: &'static [Point] = &[Point::I4];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("penalty", Self::Penalty),
        ("penalty-if-clear", Self::PenaltyIfClear),
        ("may-be-penalised-if-clear", Self::MayBePenalisedIfClear),
    ];
}

/// I5: a player starts the opponent's clock to stop his own, and not to end his turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpponentsClock {
    /// It is not to be done with a digital clock, whose bonus and counter suffer.
    Discouraged,
}

impl Domain for OpponentsClock {
    const POINTS: &'static [Point] = &[Point::I5];
    const VALUES: &'static [(&'static str, Self)] = &[("discouraged", Self::Discouraged)];
}

/// I6: the penalties that the arbiter may choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalties {
    /// Less time for the player or more for his opponent.
    TimeOnly,
    /// Warning, time, points, loss and expulsion.
    WithoutFineOrExclusion,
    /// All of these, a fine and exclusion from rounds.
    Any,
}

impl Domain for Penalties {
    const POINTS: &'static [Point] = &[Point::I6];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("time-only", Self::TimeOnly),
        ("without-fine-or-exclusion", Self::WithoutFineOrExclusion),
        ("any", Self::Any),
    ];
}
