//! What happens on an analogue clock, in words for people.

use flagfall_core::{Record, TickRate};
use flagfall_trace::{DialFault, DialSetup};

use super::side;
use crate::quantity;

/// What is wrong with the mechanics from now on.
pub(super) fn fault(fault: DialFault) -> String {
    let whose = side(fault.side());
    let until =
        |what: &str| fault.for_ns().map_or(String::new(), |ns| format!(", {what} {}", quantity::span(ns.into())));
    match fault {
        DialFault::NotGoing { .. } => format!("fault: {whose}'s movement stands still{}", until("wound after")),
        DialFault::BothRunning { .. } => {
            format!("fault: {whose}'s movement goes while the other side runs{}", until("for"))
        }
        DialFault::JammedHands { .. } => {
            format!("fault: {whose}'s hands catch where they meet{}", until("freed after"))
        }
        DialFault::LooseMinuteHand { .. } => format!("fault: {whose}'s minute hand slips to the 6"),
        DialFault::SpringSpent { slow_ppb, stops_after_ns, .. } => format!(
            "fault: {whose}'s spring is spent, {} and {} to go",
            quantity::ppm(-i64::try_from(slow_ppb).unwrap_or(i64::MAX)),
            quantity::span(stops_after_ns.into())
        ),
        DialFault::FlagNotLifted { .. } => format!("fault: {whose}'s flag is not lifted{}", until("for")),
        DialFault::FlagStuck { .. } => format!("fault: {whose}'s flag sticks when it is up{}", until("for")),
        DialFault::FlagEarly { by_ms, .. } => {
            let by = quantity::span(i128::from(by_ms) * 1_000_000);
            format!("fault: {whose}'s flag drops {by} before the hour{}", until("for"))
        }
    }
}

/// A word for a picture.
pub(super) const fn label(fault: DialFault) -> &'static str {
    match fault {
        DialFault::NotGoing { .. } => "not going",
        DialFault::BothRunning { .. } => "both running",
        DialFault::JammedHands { .. } => "jammed hands",
        DialFault::LooseMinuteHand { .. } => "loose hand",
        DialFault::SpringSpent { .. } => "spring spent",
        DialFault::FlagNotLifted { .. } => "not lifted",
        DialFault::FlagStuck { .. } => "flag stuck",
        DialFault::FlagEarly { .. } => "flag early",
    }
}

/// A flag that drops where no control ends, and why that costs nothing.
pub(super) fn dropped(record: &Record) -> String {
    match record.detail {
        0 => "no fall: no control ends at this hour".to_owned(),
        1 => "no fall: it was still up from the setting".to_owned(),
        2 => "no fall: the hand slipped away from under it".to_owned(),
        reason => format!("no fall, reason {reason}"),
    }
}

/// The kind of clock, in front of its setup.
pub(super) fn setup(dial: &DialSetup, rate: TickRate) -> String {
    let lift = quantity::span(i128::from(dial.lift_ms) * 1_000_000);
    format!("analogue, first control ends at 6:00; flag lifted {lift} before the hour; {} ticks/s", rate.hz())
}

#[cfg(test)]
mod tests {
    use flagfall_core::Side;

    use super::*;

    #[test]
    fn a_fault_says_whose_and_how_long() {
        let side = Side::Black;
        for (dial, words) in [
            (
                DialFault::NotGoing { side, for_ns: Some(60_000_000_000) },
                "Black's movement stands still, wound after 1 min",
            ),
            (DialFault::BothRunning { side, for_ns: None }, "Black's movement goes while the other side runs"),
            (DialFault::JammedHands { side, for_ns: None }, "Black's hands catch where they meet"),
            (
                DialFault::SpringSpent { side, slow_ppb: 5_000_000, stops_after_ns: 1_200_000_000_000 },
                "Black's spring is spent, -5000 ppm and 20 min to go",
            ),
            (DialFault::FlagEarly { side, by_ms: 40_000, for_ns: None }, "Black's flag drops 40 s before the hour"),
        ] {
            assert_eq!(fault(dial), format!("fault: {words}"));
        }
    }
}
