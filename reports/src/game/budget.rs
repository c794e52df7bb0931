//! What each cause did to a side by the end of a game.

use super::account::{Account, SideAccount};
use super::course::Course;

/// The error of a side at the end, split by cause, in nanoseconds; the parts add up to the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// A constant rate that is off.
    pub offset_ns: f64,
    /// A rate that changes smoothly, as warmth makes it.
    pub temperature_ns: f64,
    /// What was charged besides the device's own time: rounding at switches, both or none running.
    pub rounding_ns: f64,
    /// Presses that were noticed late.
    pub latency_ns: f64,
    /// What the time base did besides: jumps, lost ticks, noise, and what nobody knows.
    pub unexplained_ns: f64,
}

impl Budget {
    /// The budget of one side of an account whose time base took this course.
    #[must_use]
    pub fn of(account: &Account, side: &SideAccount, course: &Course) -> Self {
        let time_base = side.time_base_ns as f64;
        let running = (side.on_move_ns + side.latency_ns) as f64;
        let part = running / account.duration_ns.max(1) as f64;
        let (offset, temperature) = match course {
            Course::Constant(rates) if rates.half_width().is_finite() => (rates.centre() * running, 0.0),
            Course::Jump { rates, .. } => (rates.centre() * running, 0.0),
            // What a side has of a smooth change is taken as its share of the game.
            Course::Smooth { first_rate, bent_ns, .. } => (first_rate * running, bent_ns * part),
            _ => (0.0, 0.0),
        };
        Self {
            offset_ns: offset,
            temperature_ns: temperature,
            rounding_ns: side.reckoning_ns as f64,
            latency_ns: side.latency_ns as f64,
            unexplained_ns: time_base - offset - temperature,
        }
    }

    /// The whole error of the side.
    #[must_use]
    pub fn total_ns(&self) -> f64 {
        self.offset_ns + self.temperature_ns + self.rounding_ns + self.latency_ns + self.unexplained_ns
    }
}
