//! An analogue clock in a scenario: its dial in `control`, what its mechanics suffer, and what a dial cannot show.

use std::ops::Range;

use flagfall_core::{AtZero, Setup, Side};
use flagfall_trace::dial::DialMisfit;
use flagfall_trace::{ClockKind, DialFault, DialSetup};
use serde::Deserialize;

use crate::diagnostics::Complaint;
use crate::names;
use crate::raw::{RawBySide, RawControl, RawFaces, RawSideOrNone, RawSign, ScalarOr};
use crate::scenario::Meaning;
use crate::shape::{Choice, Mapping, Shape, choice, may, must};
use crate::spans::Node;
use crate::time::{rate_ppb, span_ms, span_ns};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDial {
    pub(crate) lift: Option<String>,
    pub(crate) flag_up: Option<RawBySide<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawDialFault {
    pub(crate) not_going: Option<ScalarOr<RawLasting>>,
    pub(crate) both_running: Option<ScalarOr<RawLasting>>,
    pub(crate) jammed_hands: Option<ScalarOr<RawLasting>>,
    pub(crate) loose_minute_hand: Option<Side>,
    pub(crate) spring_spent: Option<RawSpringSpent>,
    pub(crate) flag_not_lifted: Option<ScalarOr<RawLasting>>,
    pub(crate) flag_stuck: Option<ScalarOr<RawLasting>>,
    pub(crate) flag_early: Option<RawFlagEarly>,
}

/// A fault of one side that may end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawLasting {
    pub(crate) side: Side,
    #[serde(rename = "for")]
    pub(crate) duration: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSpringSpent {
    pub(crate) side: Side,
    pub(crate) slower: String,
    pub(crate) stops_after: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFlagEarly {
    pub(crate) side: Side,
    pub(crate) by: String,
    #[serde(rename = "for")]
    pub(crate) duration: Option<String>,
}

const SIDE: Shape = Shape::Word(names::of::<Side>);
const SIDE_OR_LASTING: Shape = Shape::ScalarOr(&SIDE, &Shape::Map(&LASTING));

/// What stands behind `dial` in a control: nothing special, or what is.
pub(crate) const DIAL_OR_PLAIN: Shape = Shape::ScalarOr(&Shape::Word(|| &["plain"]), &Shape::Map(&DIAL));

const DIAL: Mapping = Mapping {
    what: "a dial",
    keys: &[&[choice("lift", &Shape::Text), choice("flag_up", &Shape::Map(&UP_BY_SIDE))]],
    choice: Choice::Some,
};

const UP_BY_SIDE: Mapping = Mapping {
    what: "this pair",
    keys: &[&[choice("white", &Shape::Text), choice("black", &Shape::Text)]],
    choice: Choice::Some,
};

/// What stands behind `dial` in a fault.
pub(crate) const DIAL_FAULT: Mapping = Mapping {
    what: "a fault of a dial",
    keys: &[&[
        choice("not-going", &SIDE_OR_LASTING),
        choice("both-running", &SIDE_OR_LASTING),
        choice("jammed-hands", &SIDE_OR_LASTING),
        choice("loose-minute-hand", &SIDE),
        choice("spring-spent", &Shape::Map(&SPRING_SPENT)),
        choice("flag-not-lifted", &SIDE_OR_LASTING),
        choice("flag-stuck", &SIDE_OR_LASTING),
        choice("flag-early", &Shape::Map(&FLAG_EARLY)),
    ]],
    choice: Choice::One("kind"),
};

const LASTING: Mapping = Mapping {
    what: "this fault",
    keys: &[&[must("side", &SIDE, "side: white"), may("for", &Shape::Text)]],
    choice: Choice::None,
};

const SPRING_SPENT: Mapping = Mapping {
    what: "`spring-spent`",
    keys: &[&[
        must("side", &SIDE, "side: white"),
        must("slower", &Shape::Text, "slower: 5000ppm"),
        must("stops_after", &Shape::Text, "stops_after: 20m"),
    ]],
    choice: Choice::None,
};

const FLAG_EARLY: Mapping = Mapping {
    what: "`flag-early`",
    keys: &[&[must("side", &SIDE, "side: white"), must("by", &Shape::Text, "by: 40s"), may("for", &Shape::Text)]],
    choice: Choice::None,
};

/// The kind of clock that a control speaks of.
pub(crate) fn kind(meaning: &mut Meaning<'_>, raw: &ScalarOr<RawControl>, node: &Node) -> ClockKind {
    let ScalarOr::Long(control) = raw else { return ClockKind::Digital };
    let Some(raw) = &control.dial else { return ClockKind::Digital };
    let mut dial = DialSetup::default();
    if let ScalarOr::Long(raw) = raw {
        let node = node.at("dial");
        let lift_ms = raw.lift.as_ref().and_then(|text| meaning.take(node.at("lift"), span_ms(text)));
        dial.lift_ms = lift_ms.unwrap_or(dial.lift_ms);
        for (side, text) in raw.flag_up.iter().flat_map(RawBySide::iter) {
            dial.flag_up_ms[side] = meaning.take(node.at("flag_up").at(side.name()), span_ms(text));
        }
    }
    without_electronics(meaning, control, node);
    ClockKind::Analogue(dial)
}

/// The setup that hands have: they go on at twelve, keep what was saved and leave no sign of who was first.
pub(crate) const fn mechanical(setup: &mut Setup) {
    setup.at_zero = AtZero::RunOn;
    setup.carry_over = true;
    setup.first_fallen_sign = false;
}

/// Settings of an electronic clock that a dial does not have.
fn without_electronics(meaning: &mut Meaning<'_>, control: &RawControl, node: &Node) {
    let mut refuse = |key: &str, refused: bool, title: &str| {
        if refused {
            meaning.complain(node.at(key), Complaint::new(title).help(format!("leave `{key}` out")));
        }
    };
    refuse("increment", control.increment.is_some(), "an analogue clock gives no time per move");
    refuse("at_zero", matches!(control.at_zero, Some(AtZero::Freeze)), "an analogue clock does not stop at twelve");
    refuse("carry_over", control.carry_over == Some(false), "the hands of an analogue clock keep what was saved");
    let sign = matches!(control.first_fallen_sign, Some(RawSign::Shown));
    refuse("first_fallen_sign", sign, "an analogue clock has no sign of the flag that fell first");
}

/// Complains of everything in a setup that hands and a flag cannot show.
pub(crate) fn fits(
    meaning: &mut Meaning<'_>,
    kind: &ClockKind,
    setup: &Setup,
    raw: &ScalarOr<RawControl>,
    node: &Node,
) {
    let (Some(dial), ScalarOr::Long(control)) = (kind.dial(), raw) else { return };
    // Odds and tags have no single notation to point into.
    let periods = match &control.periods {
        Some(ScalarOr::Scalar(text)) => text.as_str(),
        _ => "",
    };
    for misfit in dial.misfits(setup) {
        let complaint = Complaint::new(misfit.to_string());
        let (place, complaint) = match misfit {
            DialMisfit::Bonus(index) => {
                let help = "leave the increment or delay out, or the dial";
                (node.at("periods"), complaint.help(help).within(part(periods, index)))
            }
            DialMisfit::BetweenHours(index) => {
                let help = "write a whole number of hours";
                (node.at("periods"), complaint.help(help).within(part(periods, index)))
            }
            DialMisfit::ByTime => (node.at("periods"), complaint.help("write it like `40/2h, 1h`")),
            DialMisfit::Lift => (node.at("dial").at("lift"), complaint.help("write it like `3m`")),
            DialMisfit::FlagUp(side) => (node.at("dial").at("flag_up").at(side.name()), complaint),
        };
        meaning.complain(place, complaint);
    }
}

/// The bytes of a period in the notation of a control.
fn part(periods: &str, index: usize) -> Range<usize> {
    let start = periods.split(',').take(index).map(|part| part.len() + 1).sum::<usize>();
    let part = periods.split(',').nth(index).unwrap_or_default();
    let lead = part.len() - part.trim_start().len();
    start + lead..start + part.trim_end().len().max(lead)
}

/// Complains of expectations that no dial can meet.
pub(crate) fn check_faces(meaning: &mut Meaning<'_>, raw: &RawFaces, node: &Node) {
    if raw.moves.is_some() {
        meaning.complain(node.at("moves"), Complaint::new("an analogue clock has no move counter to be read"));
    }
    let sign = raw.shown.as_ref().and_then(|shown| shown.first_fallen);
    if matches!(sign, Some(RawSideOrNone::White | RawSideOrNone::Black)) {
        let complaint = Complaint::new("an analogue clock has no sign of the flag that fell first");
        meaning.complain(node.at("shown").at("first_fallen"), complaint);
    }
}

/// A fault of the mechanics.
pub(crate) fn fault(meaning: &mut Meaning<'_>, raw: &RawDialFault, node: &Node) -> Option<DialFault> {
    type Make = fn(Side, Option<i64>) -> DialFault;
    let lasting: [(&str, &Option<ScalarOr<RawLasting>>, Make); 5] = [
        ("not-going", &raw.not_going, |side, for_ns| DialFault::NotGoing { side, for_ns }),
        ("both-running", &raw.both_running, |side, for_ns| DialFault::BothRunning { side, for_ns }),
        ("jammed-hands", &raw.jammed_hands, |side, for_ns| DialFault::JammedHands { side, for_ns }),
        ("flag-not-lifted", &raw.flag_not_lifted, |side, for_ns| DialFault::FlagNotLifted { side, for_ns }),
        ("flag-stuck", &raw.flag_stuck, |side, for_ns| DialFault::FlagStuck { side, for_ns }),
    ];
    for (key, raw, make) in lasting {
        match raw {
            None => {}
            Some(ScalarOr::Scalar(word)) => return word.parse().ok().map(|side| make(side, None)),
            Some(ScalarOr::Long(raw)) => {
                return Some(make(raw.side, duration(meaning, raw.duration.as_deref(), node.at(key))));
            }
        }
    }
    if let Some(side) = raw.loose_minute_hand {
        return Some(DialFault::LooseMinuteHand { side });
    }
    if let Some(raw) = &raw.spring_spent {
        let node = node.at("spring-spent");
        let slower = meaning.take(node.at("slower"), rate_ppb(&raw.slower)).unwrap_or(1);
        if slower <= 0 {
            let complaint = Complaint::new("a spent spring drives the hands slower").help("write it like `5000ppm`");
            meaning.complain(node.at("slower"), complaint);
        }
        let stops_after_ns = meaning.take(node.at("stops_after"), span_ns(&raw.stops_after)).unwrap_or(0);
        return Some(DialFault::SpringSpent { side: raw.side, slow_ppb: slower.unsigned_abs(), stops_after_ns });
    }
    let raw = raw.flag_early.as_ref()?;
    let node = node.at("flag-early");
    let by_ms = meaning.take(node.at("by"), span_ms(&raw.by)).unwrap_or(1);
    if by_ms == 0 {
        meaning.complain(node.at("by"), Complaint::new("this fault changes nothing").help("write more than no time"));
    }
    let for_ns = duration(meaning, raw.duration.as_deref(), node);
    Some(DialFault::FlagEarly { side: raw.side, by_ms, for_ns })
}

fn duration(meaning: &mut Meaning<'_>, raw: Option<&str>, node: &Node) -> Option<i64> {
    let place = node.at("for");
    let ns = raw.and_then(|text| meaning.take(place, span_ns(text)))?;
    if ns == 0 {
        meaning.complain(place, Complaint::new("a fault lasts longer than no time at all"));
    }
    Some(ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_and_the_structs_have_the_same_keys() {
        for (mapping, fields) in [
            (&DIAL, names::of::<RawDial>()),
            (&UP_BY_SIDE, names::of::<RawBySide<String>>()),
            (&DIAL_FAULT, names::of::<RawDialFault>()),
            (&LASTING, names::of::<RawLasting>()),
            (&SPRING_SPENT, names::of::<RawSpringSpent>()),
            (&FLAG_EARLY, names::of::<RawFlagEarly>()),
        ] {
            assert_eq!(mapping.keys().map(|key| key.name).collect::<Vec<_>>(), fields, "{}", mapping.what);
        }
    }

    #[test]
    fn a_period_is_found_in_its_notation() {
        let text = "40/2h , 20/1h,1h";
        let parts = [0, 1, 2].map(|index| &text[part(text, index)]);
        assert_eq!(parts, ["40/2h", "20/1h", "1h"]);
    }
}
