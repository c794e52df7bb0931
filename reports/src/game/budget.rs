//! What each cause did to a side by the end of a game.

use super::account::{Account, SideAccount};
use super::course::{self, Course};

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
    /// How far the time base's parts may be off: what its records leave open of the rate, and a step of the counter.
    pub time_base_unsure_ns: f64,
    /// How far latency may be off: the bench knows no better who was on move.
    pub latency_unsure_ns: f64,
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
        let unsure = match course {
            Course::Constant(rates) if rates.half_width().is_finite() => rates.half_width() * running,
            Course::Jump { rates, .. } => rates.half_width() * running,
            Course::Smooth { bent_ns, .. } => bent_ns.abs() * part * course::SMOOTH,
            _ => 0.0,
        };
        Self {
            time_base_unsure_ns: unsure + account.tick_ns,
            latency_unsure_ns: side.uncertainty_ns as f64,
            offset_ns: offset,
            temperature_ns: temperature,
            rounding_ns: side.reckoning_ns as f64,
            latency_ns: side.latency_ns as f64,
            unexplained_ns: time_base - offset - temperature,
        }
    }

    /// The parts with their names and by how much each may be off, in nanoseconds.
    #[must_use]
    pub const fn parts(&self) -> [(&'static str, f64, f64); 5] {
        [
            ("offset", self.offset_ns, self.time_base_unsure_ns),
            ("temperature", self.temperature_ns, self.time_base_unsure_ns),
            // Whole ticks, as the device reckoned them.
            ("rounding", self.rounding_ns, 0.0),
            ("latency", self.latency_ns, self.latency_unsure_ns),
            ("unexplained", self.unexplained_ns, self.time_base_unsure_ns),
        ]
    }

    /// The whole error of the side.
    #[must_use]
    pub fn total_ns(&self) -> f64 {
        self.offset_ns + self.temperature_ns + self.rounding_ns + self.latency_ns + self.unexplained_ns
    }
}
