//! B: moves and presses (FIDE Laws 6.2; CBX 70, 74).

use super::{Conduct, Declared, Domain, Limit, Unit, handling};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::B1 => Some(Declared::of::<PressCompletes>(&[])),
        Point::B2 => Some(Declared::of::<EndingMove>(&[])),
        Point::B3 => Some(Declared::of::<NextMove>(&[])),
        Point::B4 => Some(Declared::of::<PressAfterTheReply>(&[])),
        Point::B5 => Some(Declared::of::<TimeUntilThePress>(&[])),
        Point::B6 => Some(Declared::of::<ControlMove>(&[])),
        Point::B7 => Some(Declared::of::<PressBeforeMoving>(&GAINS)),
        Point::B8 => Some(Declared::of::<Conduct>(&[])),
        Point::B9 | Point::B10 | Point::B11 | Point::B12 | Point::B13 | Point::B14 | Point::B15 | Point::B16 => {
            handling::declared(point)
        }
        _ => None,
    }
}

const ILLEGAL: [&str; 2] = ["illegal-move", "illegal-move-unless-it-stands-in-a-fast-game"];

/// What the opponent gains by a press that counts as an illegal move.
const GAINS: [Limit; 2] = [
    Limit { name: "gain", unit: Unit::Span, needed_by: &ILLEGAL },
    Limit { name: "gain-in-fast-games", unit: Unit::Span, needed_by: &ILLEGAL },
];

/// B1: what the press does for the move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressCompletes {
    /// Stopping one's own clock and starting the opponent's completes the move.
    Always,
    /// It does so only while one's own flag is up.
    BeforeTheFlag,
    /// It does so, but the last move of a period must be pressed while one's own flag is up.
    LastOfAPeriodBeforeTheFlag,
}

impl Domain for PressCompletes {
    const POINTS: &'static [Point] = &[Point::B1];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("completes", Self::Always),
        ("completes-before-the-flag", Self::BeforeTheFlag),
        ("last-of-a-period-before-the-flag", Self::LastOfAPeriodBeforeTheFlag),
    ];
}

/// B2: a move that ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingMove {
    /// It is complete when it is made, and the game is over.
    NeedsNoPress,
    /// The same, also where it brings a position for the fifth time, or the 75th move of each player without a capture or
    /// a pawn move.
    NeedsNoPressNorAfterACount,
    /// It is complete when it is pressed, like any other.
    NeedsPress,
}

impl Domain for EndingMove {
    const POINTS: &'static [Point] = &[Point::B2];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("needs-no-press", Self::NeedsNoPress),
        ("needs-no-press-nor-after-a-count", Self::NeedsNoPressNorAfterACount),
        ("needs-press", Self::NeedsPress),
    ];
}

/// B3: what a player's next move does for his last one, which was not pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextMove {
    /// It completes it.
    Completes,
    /// It does nothing for it.
    DoesNotComplete,
    /// It does nothing for it; the next press, of a later move, completes all before it.
    LaterPressCompletes,
    /// It does nothing for it; what the press of a later move does for it can be read both ways.
    LaterPressLeavesItOpen,
}

impl Domain for NextMove {
    const POINTS: &'static [Point] = &[Point::B3];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("completes", Self::Completes),
        ("does-not-complete", Self::DoesNotComplete),
        ("later-press-completes", Self::LaterPressCompletes),
        ("later-press-leaves-it-open", Self::LaterPressLeavesItOpen),
    ];
}

/// B4: a press for a move that the opponent has replied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressAfterTheReply {
    /// It counts like any other.
    Honoured,
    /// It comes too late and completes nothing.
    NotHonoured,
}

impl Domain for PressAfterTheReply {
    const POINTS: &'static [Point] = &[Point::B4];
    const VALUES: &'static [(&'static str, Self)] =
        &[("honoured", Self::Honoured), ("not-honoured", Self::NotHonoured)];
}

/// B5: the time between a move and its press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUntilThePress {
    /// It is the time of the player who moved.
    Movers,
}

impl Domain for TimeUntilThePress {
    const POINTS: &'static [Point] = &[Point::B5];
    const VALUES: &'static [(&'static str, Self)] = &[("movers", Self::Movers)];
}

/// B7: a player on move presses before he has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressBeforeMoving {
    /// It may not be done, and the text names no sanction.
    Forbidden,
    /// It may not be done, and the arbiter penalises it.
    Penalised,
    /// The arbiter may penalise it where it is the first thing done in the game; of later presses the text does not
    /// speak.
    MayBePenalisedAtTheStart,
    /// It counts as an illegal move.
    IllegalMove,
    /// It counts as one; in a fast game that nobody watches it stands unless the arbiter or the opponent acts before
    /// the opponent's next move.
    IllegalMoveUnlessItStandsInAFastGame,
}

impl Domain for PressBeforeMoving {
    const POINTS: &'static [Point] = &[Point::B7];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("forbidden", Self::Forbidden),
        ("penalised", Self::Penalised),
        ("may-be-penalised-at-the-start", Self::MayBePenalisedAtTheStart),
        ("illegal-move", Self::IllegalMove),
        ("illegal-move-unless-it-stands-in-a-fast-game", Self::IllegalMoveUnlessItStandsInAFastGame),
    ];
}

/// B6: the last move of a period, made but not completed when the flag counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlMove {
    /// It does not help: the period has one completed move too few.
    NotCompleted,
}

impl Domain for ControlMove {
    const POINTS: &'static [Point] = &[Point::B6];
    const VALUES: &'static [(&'static str, Self)] = &[("not-completed", Self::NotCompleted)];
}
