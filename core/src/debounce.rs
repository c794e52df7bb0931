//! Which closing of a contact is a press: the same code for the simulated button and the one on a board.

use crate::time::{DeviceTime, TickRate};

/// The contact of one button.
///
/// A press is a closing after which nothing has to be waited for: it counts at once, if the contact had been quiet for
/// long enough before. A contact that bounces, when it closes or when it is let go, is not quiet.
#[derive(Clone, Copy, Debug)]
pub struct Debouncer {
    quiet_ticks: u64,
    last_edge: Option<DeviceTime>,
}

impl Debouncer {
    /// A contact that has been open for ever and must be quiet for `quiet_ms` milliseconds between presses; with zero
    /// every closing is one.
    #[must_use]
    pub const fn new(quiet_ms: u8, rate: TickRate) -> Self {
        Self { quiet_ticks: rate.ticks_from_ms(quiet_ms as u64), last_edge: None }
    }

    /// Whether this edge is a press. Edges come in order; one that is dated before the last counts as simultaneous.
    pub fn edge(&mut self, at: DeviceTime, closes: bool) -> bool {
        let quiet = self.last_edge.is_none_or(|last| at.ticks_since(last) >= self.quiet_ticks);
        self.last_edge = Some(self.last_edge.map_or(at, |last| at.max(last)));
        closes && quiet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presses<const N: usize>(quiet_ms: u8, edges_us: [(u64, bool); N]) -> [bool; N] {
        let mut contact = Debouncer::new(quiet_ms, TickRate::MHZ);
        edges_us.map(|(us, closes)| contact.edge(DeviceTime::from_ticks(us), closes))
    }

    #[test]
    fn the_first_closing_counts_at_once_and_its_bounces_do_not() {
        let wave = [(0, true), (900, false), (1_400, true), (6_000, false), (6_200, true)];
        assert_eq!(presses(20, wave), [true, false, false, false, false]);
    }

    #[test]
    fn a_contact_that_bounces_when_it_is_let_go_is_no_press() {
        let wave = [(0, true), (2_000_000, false), (2_000_700, true), (2_001_000, false)];
        assert_eq!(presses(20, wave), [true, false, false, false]);
    }

    #[test]
    fn the_next_press_counts_when_the_contact_has_been_quiet_for_long_enough() {
        let wave = |gap: u64| [(0, true), (1_000, false), (1_000 + gap, true)];
        assert_eq!(presses(20, wave(19_999)), [true, false, false]);
        assert_eq!(presses(20, wave(20_000)), [true, false, true]);
    }

    #[test]
    fn without_a_quiet_time_every_closing_is_a_press() {
        assert_eq!(presses(0, [(0, true), (0, false), (0, true)]), [true, false, true]);
    }
}
