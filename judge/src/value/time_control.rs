//! C: periods, extra time, saved time and delay (FIDE Laws 6.2a and 6.3; CBX 68 and 69).

use super::{Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::C1 => Some(Declared::of::<Announcement>(&[])),
        Point::C2 => Some(Declared::of::<ExtraTime>(&[])),
        Point::C3 => Some(Declared::of::<SavedTime>(&[])),
        Point::C4 => Some(Declared::of::<DelayRule>(&[])),
        Point::C5 => Some(Declared::of::<NextTarget>(&[])),
        Point::C6 => Some(Declared::of::<DialHour>(&[])),
        Point::C7 => Some(Declared::of::<FlagFromSetting>(&[])),
        _ => None,
    }
}

/// C1: when the control of a game is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// Before the game, so that no other can be installed while it lasts.
    FixedInAdvance,
}

impl Domain for Announcement {
    const POINTS: &'static [Point] = &[Point::C1];
    const VALUES: &'static [(&'static str, Self)] = &[("fixed-in-advance", Self::FixedInAdvance)];
}

/// C2: extra time for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraTime {
    /// It comes with each move; when it is credited is left to the control.
    EachMove,
    /// It is there before each move, the first one included.
    BeforeEachMove,
}

impl Domain for ExtraTime {
    const POINTS: &'static [Point] = &[Point::C2];
    const VALUES: &'static [(&'static str, Self)] =
        &[("each-move", Self::EachMove), ("before-each-move", Self::BeforeEachMove)];
}

/// C3: time saved in one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedTime {
    /// It is added to the next one.
    Carried,
    /// It is added where the control of the game provides it.
    CarriedWhereApplicable,
    /// It is added, but not in a period with a delay.
    NotCarriedWithDelay,
}

impl Domain for SavedTime {
    const POINTS: &'static [Point] = &[Point::C3];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("carried", Self::Carried),
        ("carried-where-applicable", Self::CarriedWhereApplicable),
        ("not-carried-with-delay", Self::NotCarriedWithDelay),
    ];
}

/// C4: fixed extra time with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayRule {
    /// It runs off before the main time does; what is left of it is lost.
    RunsFirst,
}

impl Domain for DelayRule {
    const POINTS: &'static [Point] = &[Point::C4];
    const VALUES: &'static [(&'static str, Self)] = &[("runs-first", Self::RunsFirst)];
}

/// C5: what the next period asks for when the moves of the last one were not made, or cannot be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextTarget {
    /// Its moves are counted from move 1 all the same.
    Cumulative,
    /// Where the moves cannot be reconstructed the next one is its first.
    NextMoveOpensIt,
}

impl Domain for NextTarget {
    const POINTS: &'static [Point] = &[Point::C5];
    const VALUES: &'static [(&'static str, Self)] =
        &[("cumulative", Self::Cumulative), ("next-move-opens-it", Self::NextMoveOpensIt)];
}

/// C6: the hour of a dial at which the first control ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialHour {
    /// Six o'clock.
    AtSix,
}

impl Domain for DialHour {
    const POINTS: &'static [Point] = &[Point::C6];
    const VALUES: &'static [(&'static str, Self)] = &[("at-six", Self::AtSix)];
}

/// C7: a flag of a dial that is still up from the setting when its side makes its first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagFromSetting {
    /// Its drop is no fall, and nobody has to wait for it.
    NoFlagFall,
    /// The player waits for it to drop before he presses.
    WaitForTheDrop,
}

impl Domain for FlagFromSetting {
    const POINTS: &'static [Point] = &[Point::C7];
    const VALUES: &'static [(&'static str, Self)] =
        &[("no-flag-fall", Self::NoFlagFall), ("wait-for-the-drop", Self::WaitForTheDrop)];
}
