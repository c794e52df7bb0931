//! D: the start of the game, late players and what can be complained about afterwards (FIDE Laws 6.5 to 6.7; CBX 63, 64, 69).

use super::{Declared, Domain, Limit, Unit};
use crate::point::Point;

const DEFAULT_TIMES: &[Limit] = &[
    Limit { name: "standard", unit: Unit::Span, needed_by: &["by-class"] },
    Limit { name: "rapid", unit: Unit::Span, needed_by: &["by-class"] },
    Limit { name: "at_most", unit: Unit::Span, needed_by: &["until-the-first-control"] },
];
const MOVES: &[Limit] =
    &[Limit { name: "moves", unit: Unit::Count, needed_by: &["before-so-many-moves", "as-soon-as-aware"] }];

/// What a rulebook can answer to a point of this file.
pub(super) fn declared(point: Point) -> Option<Declared> {
    match point {
        Point::D1 => Some(Declared::of::<StartOfGame>(&[])),
        Point::D2 => Some(Declared::of::<DefaultTime>(DEFAULT_TIMES)),
        Point::D3 => Some(Declared::of::<LateArrival>(&[])),
        Point::D4 => Some(Declared::of::<BothAbsent>(&[])),
        Point::D5 => Some(Declared::of::<BothLate>(&[])),
        Point::D6 => Some(Declared::of::<ClockPlace>(&[])),
        Point::D7 => Some(Declared::of::<LateComplaint>(MOVES)),
        _ => None,
    }
}

/// D1: whose clock runs from the time fixed for the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartOfGame {
    /// White's, whoever is there.
    WhiteRuns,
}

impl Domain for StartOfGame {
    const POINTS: &'static [Point] = &[Point::D1];
    const VALUES: &'static [(&'static str, Self)] = &[("white-runs", Self::WhiteRuns)];
}

/// D2: how late a player may come where the regulations do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultTime {
    /// Not at all.
    Zero,
    /// By the class of the game: limits `standard` and `rapid`.
    ByClass,
    /// Until the first control has run out on his clock, and no later than the limit `at_most`.
    UntilTheFirstControl,
}

impl Domain for DefaultTime {
    const POINTS: &'static [Point] = &[Point::D2];
    const VALUES: &'static [(&'static str, Self)] =
        &[("zero", Self::Zero), ("by-class", Self::ByClass), ("until-the-first-control", Self::UntilTheFirstControl)];
}

/// D3: a player who comes after the default time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateArrival {
    /// He loses unless the arbiter decides otherwise; counted from the start of the game.
    LosesUnlessArbiterDecides,
    /// He loses; counted from the start of the game.
    Loses,
    /// He loses unless the arbiter decides otherwise; counted from the start of the round.
    LosesFromTheRoundUnlessArbiterDecides,
    /// He loses; counted from the start of the round.
    LosesFromTheRound,
}

impl LateArrival {
    /// Whether the arbiter has a say.
    pub(crate) const fn leaves_it_to_the_arbiter(self) -> bool {
        matches!(self, Self::LosesUnlessArbiterDecides | Self::LosesFromTheRoundUnlessArbiterDecides)
    }

    /// Whether lateness is counted from the start of the round.
    pub(crate) const fn counts_from_the_round(self) -> bool {
        matches!(self, Self::LosesFromTheRound | Self::LosesFromTheRoundUnlessArbiterDecides)
    }
}

impl Domain for LateArrival {
    const POINTS: &'static [Point] = &[Point::D3];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("loses-unless-arbiter-decides", Self::LosesUnlessArbiterDecides),
        ("loses", Self::Loses),
        ("loses-from-the-round-unless-arbiter-decides", Self::LosesFromTheRoundUnlessArbiterDecides),
        ("loses-from-the-round", Self::LosesFromTheRound),
    ];
}

/// D4: the time that passes while neither player is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothAbsent {
    /// White bears all of it until he arrives, unless the arbiter divides it otherwise.
    WhiteBears,
    /// Each bears half of it until the first of them arrives.
    Split,
}

impl Domain for BothAbsent {
    const POINTS: &'static [Point] = &[Point::D4];
    const VALUES: &'static [(&'static str, Self)] = &[("white-bears", Self::WhiteBears), ("split", Self::Split)];
}

/// D5: both players were absent and come after the default time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothLate {
    /// Both lose.
    BothLose,
    /// Both lose unless the arbiter decides otherwise, of one or of both.
    BothLoseUnlessArbiterDecides,
    /// The arbiter may declare the game lost by both.
    MayBothLose,
}

impl Domain for BothLate {
    const POINTS: &'static [Point] = &[Point::D5];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("both-lose", Self::BothLose),
        ("both-lose-unless-arbiter-decides", Self::BothLoseUnlessArbiterDecides),
        ("may-both-lose", Self::MayBothLose),
    ];
}

/// D6: at which side of the board the clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockPlace {
    /// Where the arbiter decides.
    ArbiterDecides,
    /// Where the arbiter decides, who may let Black choose in blitz.
    ArbiterDecidesAndMayLetBlackInBlitz,
    /// At White's left; the arbiter alone may put it elsewhere.
    WhitesLeft,
    /// Where Black chooses, unless he is late or the arbiter requires a side.
    BlackChooses,
}

impl Domain for ClockPlace {
    const POINTS: &'static [Point] = &[Point::D6];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("arbiter-decides", Self::ArbiterDecides),
        ("arbiter-decides-and-may-let-black-in-blitz", Self::ArbiterDecidesAndMayLetBlackInBlitz),
        ("whites-left", Self::WhitesLeft),
        ("black-chooses", Self::BlackChooses),
    ];
}

/// D7: until when a player can complain about the setting of the clock or of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateComplaint {
    /// Before the first move; later only if both agree.
    BeforeTheFirstMove,
    /// In a fast game that no arbiter watches, until both have completed as many moves as the limit `moves` says. A game
    /// whose pieces are found to have been set up wrongly is cancelled, in such a game until then, in any other always.
    BeforeSoManyMoves,
    /// About the clock as soon as he is aware of it. A game whose pieces are found to have been set up wrongly is cancelled
    /// until Black has completed as many moves as the limit `moves` says, and goes on afterwards.
    AsSoonAsAware,
}

impl Domain for LateComplaint {
    const POINTS: &'static [Point] = &[Point::D7];
    const VALUES: &'static [(&'static str, Self)] = &[
        ("before-the-first-move", Self::BeforeTheFirstMove),
        ("before-so-many-moves", Self::BeforeSoManyMoves),
        ("as-soon-as-aware", Self::AsSoonAsAware),
    ];
}
