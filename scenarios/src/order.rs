//! How far time has come, as far as that is known before the clock is computed.
//!
//! An instant that hangs on the clock tells nothing yet, so that what is kept is a lower bound: no later step may lie
//! before it.

use std::ops::Range;

use flagfall_core::TickRate;
use flagfall_core::time::NS_PER_S;
use flagfall_trace::{Anchor, When};

use crate::diagnostics::{Complaint, Problem};

/// A lower bound of the instant of the next step.
pub(crate) struct Order {
    tick_rate: TickRate,
    reached_ns: i128,
    /// The bytes of the instant that reached it.
    place: Option<Range<usize>>,
}

impl Order {
    pub(crate) const fn new(tick_rate: TickRate) -> Self {
        Self { tick_rate, reached_ns: 0, place: None }
    }

    /// Lets time pass inside an entry.
    pub(crate) fn pass(&mut self, ns: i64) {
        self.reached_ns += i128::from(ns);
    }

    /// Goes on to an instant written at `bytes`.
    ///
    /// # Errors
    /// The instant lies before what has been reached; both places are named.
    pub(crate) fn go_to(&mut self, when: &When, bytes: &Range<usize>) -> Result<(), Problem> {
        let known_ns = match when.from {
            Anchor::Start => self.offset_ns(when),
            Anchor::Previous => self.reached_ns + self.offset_ns(when),
            Anchor::Flag(_) | Anchor::Zero(_) | Anchor::Period(..) | Anchor::DelayEnd(_) => self.reached_ns,
        };
        if known_ns < self.reached_ns {
            return Err(self.goes_back(bytes));
        }
        // An anchored instant proves nothing new, so the place that does is kept.
        if known_ns > self.reached_ns || self.place.is_none() {
            self.place = Some(bytes.clone());
        }
        self.reached_ns = known_ns;
        Ok(())
    }

    fn goes_back(&self, bytes: &Range<usize>) -> Problem {
        let complaint = Complaint::new("time goes back here")
            .label("before the step above it")
            .help("steps are written in the order of time: move the step up, or count with `+`");
        let problem = Problem::at(bytes.clone(), complaint);
        match &self.place {
            Some(place) if place != bytes => problem.and_at(place.clone(), "time has come this far already"),
            _ => problem,
        }
    }

    /// The part of an instant that is known, its ticks rounded as those of an exact clock are.
    fn offset_ns(&self, when: &When) -> i128 {
        let hz = i128::from(self.tick_rate.hz());
        let ticks_ns = i128::from(when.plus_ticks) * i128::from(NS_PER_S);
        i128::from(when.plus_ns) + ticks_ns.div_euclid(hz) + i128::from(ticks_ns.rem_euclid(hz) > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instant::parse;

    fn goes(order: &mut Order, text: &str) -> bool {
        order.go_to(&parse(text).expect("an instant"), &(0..1)).is_ok()
    }

    #[test]
    fn known_times_go_forward() {
        let mut order = Order::new(TickRate::MHZ);
        for (text, forward) in [
            ("0s", true),
            ("12s", true),
            ("12s", true),
            ("+3s", true),
            ("14s", false),
            ("15s", true),
            ("flag(white) - 3s", true),
            ("+1s", true),
            ("15s", false),
            ("16s + 1 tick", true),
            ("16s", false),
            ("+ 1us - 1 tick", true),
            ("+ 1us - 2 ticks", false),
        ] {
            assert_eq!(goes(&mut order, text), forward, "{text}");
        }
    }

    #[test]
    fn time_that_passes_inside_an_entry_counts() {
        let mut order = Order::new(TickRate::MHZ);
        assert!(goes(&mut order, "5s"));
        order.pass(500_000_000);
        assert!(!goes(&mut order, "5.4s"));
        assert!(goes(&mut order, "5.5s"));
    }
}
