//! The answers that a rulebook can give, point by point: the one place where they are declared.
//!
//! Each point has its own type, or shares one with other points, so that the arbiter cannot overlook a value, and each
//! value has the name by which a rulebook writes it. Where an answer turns on a figure, the figure is a *limit* with a
//! name of its own; whether it lies itself inside or outside is a matter of the value. *Silent* and *not decidable* are
//! no values: they stand beside them in [`crate::rulebook::Answer`].

mod adjournment;
mod both_flags;
mod clock;
mod conduct;
mod draw_request;
mod flag_fall;
mod handling;
mod indication;
mod move_completion;
mod scoresheet;
mod start;
mod stopping;
mod time_control;

pub use self::adjournment::*;
pub use self::both_flags::*;
pub use self::conduct::*;
pub use self::draw_request::*;
pub use self::flag_fall::*;
pub use self::handling::*;
pub use self::indication::*;
pub use self::move_completion::*;
pub use self::scoresheet::*;
pub use self::start::*;
pub use self::stopping::*;
pub use self::time_control::*;

use std::any::TypeId;

use crate::point::Point;

/// The values of a point, or of several that can be answered alike.
pub trait Domain: Copy + Eq + 'static {
    /// The points that only this type answers; the first is meant where none is named.
    ///
    /// Empty for a type that many points share: those are named at each question.
    const POINTS: &'static [Point];
    /// Every value with its name, in the order in which a reader should meet them.
    const VALUES: &'static [(&'static str, Self)];
}

/// What can be answered to a point.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    kind: fn() -> TypeId,
    names: fn() -> Vec<&'static str>,
    limits: &'static [Limit],
}

impl Declared {
    /// The values of `T` and these limits.
    const fn of<T: Domain>(limits: &'static [Limit]) -> Self {
        Self { kind: TypeId::of::<T>, names: names_of::<T>, limits }
    }
}

/// A figure on which an answer turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The name by which rulebooks write it: `remaining`.
    pub name: &'static str,
    /// What is counted.
    pub unit: Unit,
    /// The values that need it, by their names; with any other it must be left out.
    pub needed_by: &'static [&'static str],
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A time, in milliseconds.
    Span,
    /// Moves, pairs of moves and the like.
    Count,
}

impl Unit {
    /// A figure as rulebooks write it: `5m`, `1m30s`, `250ms`, `3`.
    #[must_use]
    pub fn written(self, figure: u64) -> String {
        match self {
            Self::Count => figure.to_string(),
            Self::Span if figure == 0 => "0s".to_owned(),
            Self::Span => [
                ("h", figure / 3_600_000),
                ("m", figure / 60_000 % 60),
                ("s", figure / 1_000 % 60),
                ("ms", figure % 1_000),
            ]
            .into_iter()
            .filter(|(_, part)| *part > 0)
            .map(|(unit, part)| format!("{part}{unit}"))
            .collect(),
        }
    }
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

    /// A typed value as a rulebook holds it, of a type that answers one point only.
    ///
    /// # Panics
    /// When many points share the type: [`Value::on`] says which is meant.
    #[must_use]
    pub fn of<T: Domain>(value: T) -> Self {
        Self::on(*T::POINTS.first().expect("a type that many points share is used with `on`"), value)
    }

    /// A typed value as a rulebook holds it for this point.
    #[must_use]
    pub fn on<T: Domain>(point: Point, value: T) -> Self {
        let index =
            T::VALUES.iter().position(|(_, known)| *known == value).expect("VALUES lists every value of the type");
        Self { point, index }
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

    /// The value as its own type; `None` when another type answers the point.
    #[must_use]
    pub fn typed<T: Domain>(self) -> Option<T> {
        let same = declared(self.point).is_some_and(|declared| (declared.kind)() == TypeId::of::<T>());
        if same { T::VALUES.get(self.index).map(|(_, value)| *value) } else { None }
    }
}

/// The names of all values of a point, in the order of their declaration; none where nothing can be decided.
#[must_use]
pub fn names(point: Point) -> Vec<&'static str> {
    declared(point).map(|declared| (declared.names)()).unwrap_or_default()
}

/// The limits that answers to a point can have.
#[must_use]
pub fn limits(point: Point) -> &'static [Limit] {
    declared(point).map_or(&[], |declared| declared.limits)
}

/// What can be answered to a point; `None` where nothing can be decided.
#[must_use]
pub fn declared(point: Point) -> Option<Declared> {
    match point.letter() {
        'A' => clock::declared(point),
        'B' => move_completion::declared(point),
        'C' => time_control::declared(point),
        'D' => start::declared(point),
        'E' | 'F' => flag_fall::declared(point),
        'G' => indication::declared(point),
        'H' => both_flags::declared(point),
        'I' => stopping::declared(point),
        'J' => draw_request::declared(point),
        'K' => scoresheet::declared(point),
        _ => adjournment::declared(point),
    }
}

fn names_of<T: Domain>() -> Vec<&'static str> {
    T::VALUES.iter().map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_a_point_have_different_names_and_its_limits_are_needed() {
        for point in Point::ALL {
            let mut names = names(point);
            for name in &names {
                let value = Value::named(point, name).expect("its own name");
                assert_eq!((value.point(), value.name()), (point, *name));
            }
            for limit in limits(point) {
                assert!(!limit.needed_by.is_empty(), "{point} {}", limit.name);
                assert!(limit.needed_by.iter().all(|value| names.contains(value)), "{point} {}", limit.name);
            }
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), super::names(point).len(), "{point}");
        }
    }

    #[test]
    fn figures_are_written_as_they_are_read() {
        for (figure, written) in [(0, "0s"), (90_000, "1m30s"), (3_600_000, "1h"), (1_500, "1s500ms")] {
            assert_eq!(Unit::Span.written(figure), written);
        }
        assert_eq!(Unit::Count.written(40), "40");
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
