//! The answers that a rulebook can give, point by point: the one place where they are declared.
//!
//! Each point has its own type, so that the arbiter cannot overlook a value, and each value has the name by which a
//! rulebook writes it. *Silent* and *not decidable* are no values: they stand beside them in [`crate::rulebook::Answer`].

use crate::point::Point;

/// The values of one point.
pub trait Domain: Copy + Eq + 'static {
    /// The point that they answer.
    const POINT: Point;
    /// Every value with its name, in the order in which a reader should meet them.
    const VALUES: &'static [(&'static str, Self)];
}

/// One value of one point, as a rulebook holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    point: Point,
    index: usize,
}

impl Value {
    /// The value with this name, if the point has it.
    #[must_use]
    pub fn named(point: Point, name: &str) -> Option<Self> {
        names(point).iter().position(|known| *known == name).map(|index| Self { point, index })
    }

    /// A typed value as a rulebook holds it.
    #[must_use]
    pub fn of<T: Domain>(value: T) -> Self {
        let index =
            T::VALUES.iter().position(|(_, known)| *known == value).expect("VALUES lists every value of the type");
        Self { point: T::POINT, index }
    }

    /// The point that it answers.
    #[must_use]
    pub const fn point(self) -> Point {
        self.point
    }

    /// The name by which rulebooks write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        names(self.point)[self.index]
    }

    /// The value as its own type; `None` when it answers another point.
    #[must_use]
    pub fn typed<T: Domain>(self) -> Option<T> {
        if self.point == T::POINT { T::VALUES.get(self.index).map(|(_, value)| *value) } else { None }
    }
}

/// The names of all values of a point, in the order of their declaration; none for one that is asked of the clock alone.
#[must_use]
pub fn names(point: Point) -> Vec<&'static str> {
    match point {
        Point::B1 => names_of::<PressCompletes>(),
        Point::B2 => names_of::<EndingMove>(),
        Point::B3 => names_of::<NextMove>(),
        Point::B6 => names_of::<ControlMove>(),
        Point::C3 => names_of::<SavedTime>(),
        Point::C4 => names_of::<DelayRule>(),
        Point::D1 => names_of::<StartOfGame>(),
        Point::D3 => names_of::<LateArrival>(),
        Point::D4 => names_of::<BothAbsent>(),
        Point::E2 => names_of::<FlagCounts>(),
        Point::F1 => names_of::<NotEnoughMoves>(),
        Point::F3 => names_of::<CannotMate>(),
        Point::G1 => names_of::<Indication>(),
        Point::H1 => names_of::<BothDown>(),
        Point::H2 => names_of::<BothDownLast>(),
        Point::I4 => names_of::<StopWithoutReason>(),
        Point::A1
        | Point::A2
        | Point::A3
        | Point::A4
        | Point::B4
        | Point::B5
        | Point::B7
        | Point::B9
        | Point::B16
        | Point::C1
        | Point::C2
        | Point::C5
        | Point::C6
        | Point::C7
        | Point::E7
        | Point::G3
        | Point::G6
        | Point::G7
        | Point::G8
        | Point::G9
        | Point::G10
        | Point::I1
        | Point::I3 => Vec::new(),
    }
}

fn names_of<T: Domain>() -> Vec<&'static str> {
    T::VALUES.iter().map(|(name, _)| *name).collect()
}

/// B1: what the press does for the move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressCompletes {
    /// Stopping one's own clock and starting the opponent's completes the move.
    Always,
    /// It does so only while one's own flag is up.
    BeforeTheFlag,
}

impl Domain for PressCompletes {
    const POINT: Point = Point::B1;
    const VALUES: &'static [(&'static str, Self)] =
        &[("completes", Self::Always), ("completes-before-the-flag", Self::BeforeTheFlag)];
}

/// B2: a move that ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingMove {
    /// It is complete when it is made, and the game is over.
    NeedsNoPress,
    /// It is complete when it is pressed, like any other.
    NeedsPress,
}

impl Domain for EndingMove {
    const POINT: Point = Point::B2;
    const VALUES: &'static [(&'static str, Self)] =
        &[("needs-no-press", Self::NeedsNoPress), ("needs-press", Self::NeedsPress)];
}

/// B3: what a player's next move does for his last one, which was not pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextMove {
    /// It completes it.
    Completes,
    /// It does nothing for it.
    DoesNotComplete,
}

impl Domain for NextMove {
    const POINT: Point = Point::B3;
    const VALUES: &'static [(&'static str, Self)] =
        &[("completes", Self::Completes), ("does-not-complete", Self::DoesNotComplete)];
}

/// B6: the last move of a period, made but not completed when the flag counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlMove {
    /// It does not help: the period has one completed move too few.
    NotCompleted,
}

impl Domain for ControlMove {
    const POINT: Point = Point::B6;
    const VALUES: &'static [(&'static str, Self)] = &[("not-completed", Self::NotCompleted)];
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
    const POINT: Point = Point::C3;
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
    const POINT: Point = Point::C4;
    const VALUES: &'static [(&'static str, Self)] = &[("runs-first", Self::RunsFirst)];
}

/// D1: whose clock runs from the time fixed for the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartOfGame {
    /// White's, whoever is there.
    WhiteRuns,
}

impl Domain for StartOfGame {
    const POINT: Point = Point::D1;
    const VALUES: &'static [(&'static str, Self)] = &[("white-runs", Self::WhiteRuns)];
}

/// D3: a player who comes after the default time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateArrival {
    /// He loses unless the arbiter decides otherwise.
    LosesUnlessArbiterDecides,
    /// He loses.
    Loses,
}

impl Domain for LateArrival {
    const POINT: Point = Point::D3;
    const VALUES: &'static [(&'static str, Self)] =
        &[("loses-unless-arbiter-decides", Self::LosesUnlessArbiterDecides), ("loses", Self::Loses)];
}

/// D4: the time that passes while neither player is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothAbsent {
    /// White bears all of it until he arrives.
    WhiteBears,
    /// Each bears half of it until the first of them arrives.
    Split,
}

impl Domain for BothAbsent {
    const POINT: Point = Point::D4;
    const VALUES: &'static [(&'static str, Self)] = &[("white-bears", Self::WhiteBears), ("split", Self::Split)];
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
    const POINT: Point = Point::E2;
    const VALUES: &'static [(&'static str, Self)] = &[
        ("when-observed-or-claimed", Self::WhenObservedOrClaimed),
        ("the-fall-itself", Self::TheFallItself),
        ("only-a-players-claim", Self::OnlyAPlayersClaim),
    ];
}

/// F1: a flag counts and its side has not completed the moves of the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotEnoughMoves {
    /// That side loses, as far as F3 does not say otherwise.
    Loses,
}

impl Domain for NotEnoughMoves {
    const POINT: Point = Point::F1;
    const VALUES: &'static [(&'static str, Self)] = &[("loses", Self::Loses)];
}

/// F3: the same when the opponent cannot mate any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotMate {
    /// A draw if no series of legal moves mates.
    Draw,
    /// A loss all the same.
    Loses,
}

impl Domain for CannotMate {
    const POINT: Point = Point::F3;
    const VALUES: &'static [(&'static str, Self)] = &[("draw", Self::Draw), ("loses", Self::Loses)];
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
    const POINT: Point = Point::G1;
    const VALUES: &'static [(&'static str, Self)] = &[
        ("conclusive-unless-evident-defect", Self::ConclusiveUnlessEvidentDefect),
        ("final-once-fallen", Self::FinalOnceFallen),
    ];
}

/// H1: both flags down in a period that is not the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothDown {
    /// The game goes on if nobody can tell which fell first.
    ContinuesIfOrderUnknown,
    /// The game goes on, whichever fell first.
    Continues,
}

impl Domain for BothDown {
    const POINT: Point = Point::H1;
    const VALUES: &'static [(&'static str, Self)] =
        &[("continues-if-order-unknown", Self::ContinuesIfOrderUnknown), ("continues", Self::Continues)];
}

/// H2: both flags down in the last period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothDownLast {
    /// A draw if nobody can tell which fell first.
    DrawIfOrderUnknown,
    /// A draw, whichever fell first.
    Draw,
}

impl Domain for BothDownLast {
    const POINT: Point = Point::H2;
    const VALUES: &'static [(&'static str, Self)] =
        &[("draw-if-order-unknown", Self::DrawIfOrderUnknown), ("draw", Self::Draw)];
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
    const POINT: Point = Point::I4;
    const VALUES: &'static [(&'static str, Self)] = &[
        ("penalty", Self::Penalty),
        ("penalty-if-clear", Self::PenaltyIfClear),
        ("may-be-penalised-if-clear", Self::MayBePenalisedIfClear),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_that_is_ruled_has_values_with_different_names() {
        for point in Point::ALL {
            let mut names = names(point);
            assert_eq!(!names.is_empty(), point.is_ruled(), "{point}");
            for name in &names {
                let value = Value::named(point, name).expect("its own name");
                assert_eq!((value.point(), value.name()), (point, *name));
            }
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), super::names(point).len(), "{point}");
        }
    }

    #[test]
    fn a_value_is_typed_only_as_its_own_point() {
        let value = Value::of(NextMove::DoesNotComplete);
        assert_eq!(value.typed(), Some(NextMove::DoesNotComplete));
        assert_eq!(value.typed::<EndingMove>(), None);
        assert_eq!(Value::named(Point::B3, "completes").and_then(Value::typed), Some(NextMove::Completes));
        assert_eq!(Value::named(Point::B2, "completes"), None);
    }
}
