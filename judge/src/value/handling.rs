//! B9 to B16: hands at the clock and at the pieces, helpers, and words about a press (FIDE Laws 6.2; CBX 65, 66, 71).

use super::{Conduct, Declared, Domain};
use crate::point::Point;

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::B9 => Some(Declared::of::<FingerAtTheButton>(&[])),
        Point::B10 | Point::B11 => Some(Declared::of::<Conduct>(&[])),
        Point::B12 => Some(Declared::of::<Knocking>(&[])),
        Point::B13 => Some(Declared::of::<Adjusting>(&[])),
        Point::B14 => Some(Declared::of::<AssistantsPress>(&[])),
        Point::B15 => Some(Declared::of::<Prompting>(&[])),
        Point::B16 => Some(Declared::of::<HeldButton>(&[])),
        _ => None,
    }
}

/// B9: a player's finger is at his own button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FingerAtTheButton {
    /// It may neither rest on it nor hover above it.
    Forbidden,
    /// It may do neither while the opponent is on move.
    ForbiddenOnTheOpponentsTurn,
    /// It may not cover it; of a finger above it nothing is said.
    CoveringForbidden,
}

impl Domain for FingerAtTheButton {
    const POINTS: &'static [Point] = &[Point::B9];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("forbidden", Self::Forbidden),
        ("forbidden-on-the-opponents-turn", Self::ForbiddenOnTheOpponentsTurn),
        ("covering-forbidden", Self::CoveringForbidden),
    ];
}

/// B16: a player holds his own button down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldButton {
    /// He may not.
    Forbidden,
    /// He may not while the opponent is on move.
    ForbiddenOnTheOpponentsTurn,
}

impl Domain for HeldButton {
    const POINTS: &'static [Point] = &[Point::B16];
    const VALUES: &'static [(&'static str, Self)] =
        &[("forbidden", Self::Forbidden), ("forbidden-on-the-opponents-turn", Self::ForbiddenOnTheOpponentsTurn)];
}

/// B12: what the text names beside improper handling in general; either is penalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knocking {
    /// The clock is knocked over.
    Over,
    /// Somebody raps on the clock.
    Rapping,
}

impl Domain for Knocking {
    const POINTS: &'static [Point] = &[Point::B12];
    const VALUES: &'static [(&'static str, Self)] = &[("knocking-over", Self::Over), ("rapping", Self::Rapping)];
}

/// B13: who may adjust pieces on their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjusting {
    /// The player whose clock runs.
    OwnClockRunning,
    /// The player who has the move, after saying so; he has it as soon as the opponent has moved.
    HavingTheMove,
    /// The player whose clock runs and who has the move, after saying so.
    Both,
    /// The player who is on move, after saying so; he is once the opponent's move has been pressed.
    OnMoveOncePressed,
}

impl Domain for Adjusting {
    const POINTS: &'static [Point] = &[Point::B13];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("own-clock-running", Self::OwnClockRunning),
        ("having-the-move", Self::HavingTheMove),
        ("both", Self::Both),
        ("on-move-once-pressed", Self::OnMoveOncePressed),
    ];
}

/// B14: whether the clock of a player is adjusted for whom an assistant presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssistantsPress {
    /// It is.
    Adjusted,
    /// It is, but not for a disability.
    AdjustedUnlessDisabled,
    /// It may be, by little or nothing, but not for a disability.
    MayBeAdjustedUnlessDisabled,
    /// It may be.
    MayBeAdjusted,
}

impl Domain for AssistantsPress {
    const POINTS: &'static [Point] = &[Point::B14];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("adjusted", Self::Adjusted),
        ("adjusted-unless-disabled", Self::AdjustedUnlessDisabled),
        ("may-be-adjusted-unless-disabled", Self::MayBeAdjustedUnlessDisabled),
        ("may-be-adjusted", Self::MayBeAdjusted),
    ];
}

/// B15: who may tell a player that he has not pressed, that a flag is down, or how many moves have been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompting {
    /// Of a press his opponent, and nobody else; of flags and counts nothing is said.
    OnlyTheOpponent,
    /// Of a press and of a flag his opponent, and nobody else; of counts nothing is said.
    OnlyTheOpponentAlsoOfAFlag,
    /// Of presses and counts neither the arbiter nor anybody outside the game, who may not speak of a flag either; the
    /// arbiter tells the count when a flag is down and somebody need not write. Of the opponent nothing is said.
    NeitherArbiterNorOthers,
    /// Of the count nobody outside the game; of anything else nothing is said.
    NoCountFromOutside,
}

impl Domain for Prompting {
    const POINTS: &'static [Point] = &[Point::B15];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("only-the-opponent", Self::OnlyTheOpponent),
        ("only-the-opponent-also-of-a-flag", Self::OnlyTheOpponentAlsoOfAFlag),
        ("neither-arbiter-nor-others", Self::NeitherArbiterNorOthers),
        ("no-count-from-outside", Self::NoCountFromOutside),
    ];
}
