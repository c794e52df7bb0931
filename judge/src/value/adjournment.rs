//! L: adjourned games (FIDE guidelines on adjourned games of 2009, guideline I of 2023).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::L1 => Some(Declared::of::<Sealing>(&[])),
        Point::L2 => Some(Declared::of::<Resumption>(&[])),
        Point::L3 => Some(Declared::of::<ReplierAbsent>(&[])),
        _ => None,
    }
}

/// L1: who stops the clocks when a move has been sealed, and what that means for the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sealing {
    /// The arbiter, who has the envelope; nothing is said of a change.
    ArbiterStops,
    /// The player, who may change the move until then; who seals early bears the time to the set hour.
    PlayerStops,
}

impl Domain for Sealing {
    const POINTS: &'static [Point] = &[Point::L1];
    const VALUES: &'static [(&'static str, Self)] =
        &[("arbiter-stops", Self::ArbiterStops), ("player-stops", Self::PlayerStops)];
}

/// L2: how an adjourned game begins again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resumption {
    /// The arbiter opens the envelope, makes the move and starts the other player's clock.
    Opened,
    /// The same, when the player is there who has to reply.
    OpenedIfTheReplierIsThere,
}

impl Domain for Resumption {
    const POINTS: &'static [Point] = &[Point::L2];
    const VALUES: &'static [(&'static str, Self)] =
        &[("opened", Self::Opened), ("opened-if-the-replier-is-there", Self::OpenedIfTheReplierIsThere)];
}

/// L3: the player who has to reply is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplierAbsent {
    /// The envelope stays shut until he comes, and his clock runs.
    ShutAndHisClockRuns,
}

impl Domain for ReplierAbsent {
    const POINTS: &'static [Point] = &[Point::L3];
    const VALUES: &'static [(&'static str, Self)] = &[("shut-and-his-clock-runs", Self::ShutAndHisClockRuns)];
}
