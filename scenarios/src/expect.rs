//! What a scenario expects of the clock: the faces at a reading, and what the oracle must find.

use flagfall_core::display::Digits;
use flagfall_core::{BySide, Face, Side};
use flagfall_judge::{ClockExpectation, Expected, Wrong};

use crate::diagnostics::Complaint;
use crate::raw::{RawBattery, RawClock, RawFaces, RawFlag, RawShown, ScalarOr};
use crate::scenario::Meaning;
use crate::spans::Node;
use crate::time::span_ns;

/// Everything that can be wrong with a clock, as scenarios write it.
pub(crate) const WRONG_WORDS: [&str; 15] = [
    "remaining(white)",
    "remaining(black)",
    "arithmetic(white)",
    "arithmetic(black)",
    "flag(white)",
    "flag(black)",
    "press(white)",
    "press(black)",
    "counter(white)",
    "counter(black)",
    "running",
    "time-base",
    "display(white)",
    "display(black)",
    "battery",
];

/// The meaning of [`WRONG_WORDS`], in the same order.
const WRONG: [Wrong; WRONG_WORDS.len()] = [
    Wrong::Remaining(Side::White),
    Wrong::Remaining(Side::Black),
    Wrong::Arithmetic(Side::White),
    Wrong::Arithmetic(Side::Black),
    Wrong::Flag(Side::White),
    Wrong::Flag(Side::Black),
    Wrong::Press(Side::White),
    Wrong::Press(Side::Black),
    Wrong::Counter(Side::White),
    Wrong::Counter(Side::Black),
    Wrong::Running,
    Wrong::TimeBase,
    Wrong::Display(Side::White),
    Wrong::Display(Side::Black),
    Wrong::Battery,
];

/// The things expected of one reading, each with its line.
pub(crate) fn faces(
    meaning: &mut Meaning<'_>,
    raw: &RawFaces,
    node: &Node,
    periods: BySide<usize>,
) -> Vec<(Expected, u32)> {
    let mut found = Vec::new();
    let mut add = |expected, node: &Node| found.push((expected, node.line));
    if let Some(flags) = &raw.flags {
        for (side, flag) in flags.iter() {
            add(Expected::Flag(side, *flag == RawFlag::Fallen), node.at("flags").at(side.name()));
        }
    }
    if let Some(shown) = &raw.shown {
        for (expected, place) in shown_faces(meaning, shown, node.at("shown")) {
            add(expected, place);
        }
    }
    if let Some(left) = &raw.left {
        for (side, span) in left.iter() {
            let place = node.at("left").at(side.name());
            if let Some(ns) = meaning.take(place, span_ns(span)) {
                add(Expected::Left(side, ns.unsigned_abs()), place);
            }
        }
    }
    if let Some(moves) = &raw.moves {
        for (side, moves) in moves.iter() {
            add(Expected::Moves(side, *moves), node.at("moves").at(side.name()));
        }
    }
    if let Some(period) = &raw.period {
        for (side, number) in period.iter() {
            let place = node.at("period").at(side.name());
            if let Some(index) = meaning.take(place, period_index(*number, periods[side])) {
                add(Expected::Period(side, index), place);
            }
        }
    }
    for (side, left) in raw.overtime.iter().flat_map(|overtime| overtime.iter()) {
        add(Expected::Overtime(side, *left), node.at("overtime").at(side.name()));
    }
    if let Some(running) = raw.running {
        add(Expected::Running(running.side()), node.at("running"));
    }
    found
}

fn shown_faces<'n>(meaning: &mut Meaning<'_>, raw: &RawShown, node: &'n Node) -> Vec<(Expected, &'n Node)> {
    let mut found = Vec::new();
    if let Some(first) = raw.first_fallen {
        found.push((Expected::FirstFallen(first.side()), node.at("first_fallen")));
    }
    for (side, digits) in [(Side::White, &raw.white), (Side::Black, &raw.black)] {
        let Some(digits) = digits else { continue };
        let place = node.at(side.name());
        if let Some(face) = meaning.take(place, face(digits)) {
            found.push((Expected::Face(side, face), place));
        }
    }
    if let Some(delay) = &raw.delay {
        let place = node.at("delay");
        if let Some(seconds) = meaning.take(place, whole_seconds(delay)) {
            found.push((Expected::ShownDelay(seconds), place));
        }
    }
    if let Some(battery) = raw.battery {
        found.push((Expected::Battery(battery == RawBattery::Low), node.at("battery")));
    }
    found
}

/// Seconds of a delay that is shown apart.
fn whole_seconds(text: &str) -> Result<u32, Complaint> {
    let ns = span_ns(text)?;
    let seconds = if ns % 1_000_000_000 == 0 { u32::try_from(ns / 1_000_000_000).ok() } else { None };
    seconds.ok_or_else(|| Complaint::new("a delay is shown in whole seconds").help("write it like `4s`"))
}

/// The index of a period that scenarios count from one.
pub(crate) fn period_index(number: u8, periods: usize) -> Result<u8, Complaint> {
    match number.checked_sub(1) {
        Some(index) if usize::from(index) < periods => Ok(index),
        _ => Err(Complaint::new(format!("there is no period {number}"))
            .help(format!("the control has {periods} of them, counted from 1"))),
    }
}

/// The digits on a display: `0:01`, `1:00:00`, with tenths `9.8`, without seconds `1h02`.
fn face(text: &str) -> Result<Face, Complaint> {
    read_face(text.trim()).ok_or_else(|| {
        Complaint::new(format!("`{text}` is nothing that a display shows"))
            .help("write it like `0:01`, `59:59` or `1:00:00`, with tenths `9.8`, without seconds `1h02`")
    })
}

fn read_face(text: &str) -> Option<Face> {
    let number = |part: &str, digits: std::ops::RangeInclusive<usize>| {
        let fits = digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if fits { part.parse::<u32>().ok() } else { None }
    };
    let sixty = |part: &str, digits| number(part, digits).filter(|value| *value < 60);
    // A leading zero stands only where digits must be.
    let leading = |part: &str| number(part, 1..=4).filter(|_| part == "0" || !part.starts_with('0'));
    if let Some((seconds, tenth)) = text.split_once('.') {
        let tenths = leading(seconds)? * 10 + number(tenth, 1..=1)?;
        return Some(Face::new(tenths, Digits::Tenths));
    }
    if let Some((hours, minutes)) = text.split_once('h') {
        let minutes = leading(hours)? * 60 + sixty(minutes, 2..=2)?;
        return Some(Face::new(minutes * 600, Digits::Minutes));
    }
    let parts: Vec<&str> = text.split(':').collect();
    match parts.as_slice() {
        [minutes, seconds] => Some(Face::from_seconds(sixty(minutes, 1..=2)? * 60 + sixty(seconds, 2..=2)?)),
        [hours, minutes, seconds] => {
            let hours = leading(hours).filter(|hours| *hours > 0)?;
            Some(Face::from_seconds(hours * 3_600 + sixty(minutes, 2..=2)? * 60 + sixty(seconds, 2..=2)?))
        }
        _ => None,
    }
}

/// What the oracle must find; `has_fault` says whether the timeline has a fault for `from: fault` to refer to.
pub(crate) fn clock(
    meaning: &mut Meaning<'_>,
    raw: Option<&ScalarOr<RawClock>>,
    node: &Node,
    has_fault: bool,
) -> ClockExpectation {
    let Some(ScalarOr::Long(raw)) = raw else { return ClockExpectation::Right };
    if raw.from.is_some() && !has_fault {
        let complaint = Complaint::new("the timeline has no fault").help("add a `fault` step, or leave `from` out");
        meaning.complain(node.at("from"), complaint);
    }
    let mut wrong: Vec<Wrong> = Vec::new();
    for (index, word) in raw.wrong.iter().enumerate() {
        let Some(position) = WRONG_WORDS.iter().position(|known| known == word) else { continue };
        if wrong.contains(&WRONG[position]) {
            meaning.complain(node.at("wrong").item(index), Complaint::new(format!("`{word}` is listed twice")));
        } else {
            wrong.push(WRONG[position]);
        }
    }
    wrong.sort_unstable();
    ClockExpectation::Wrong(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_are_read() {
        for (text, seconds) in [("0:00", 0), ("0:01", 1), ("59:59", 3_599), ("1:00:00", 3_600), ("10:01:01", 36_061)] {
            assert_eq!(face(text), Ok(Face::from_seconds(seconds)));
        }
        for (text, tenths, digits) in [
            ("9.8", 98, Digits::Tenths),
            ("0.0", 0, Digits::Tenths),
            ("254.9", 2_549, Digits::Tenths),
            ("1h02", 37_200, Digits::Minutes),
            ("0h20", 12_000, Digits::Minutes),
            ("99h59", 3_599_400, Digits::Minutes),
        ] {
            assert_eq!(face(text), Ok(Face::new(tenths, digits)), "{text}");
        }
        for bad in [
            "",
            "1",
            "1:1",
            "60:00",
            "0:60",
            "0:01:00",
            "1:0:00",
            "-1:00",
            "1:00:00:00",
            "a:00",
            "9.",
            ".8",
            "9.85",
            "09.8",
            "1h2",
            "1h60",
            "h02",
            "01h02",
            "1h02m",
        ] {
            assert!(face(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_display_is_read_back() {
        for seconds in [0, 59, 60, 3_599, 3_600, 35_999, 36_000, 359_999] {
            for digits in [Digits::Seconds, Digits::Tenths, Digits::Minutes] {
                let unit = if digits == Digits::Minutes { 60 } else { 1 };
                let shown = Face::new(seconds / unit * unit * 10, digits);
                if digits != Digits::Tenths || seconds < 10_000 {
                    assert_eq!(face(&shown.to_string()), Ok(shown), "{shown}");
                }
            }
        }
    }

    #[test]
    fn a_delay_is_shown_in_seconds() {
        assert_eq!(whole_seconds("4s"), Ok(4));
        assert!(whole_seconds("4.5s").is_err() && whole_seconds("4").is_err());
    }

    #[test]
    fn periods_are_counted_from_one() {
        assert_eq!(period_index(1, 2), Ok(0));
        assert_eq!(period_index(2, 2), Ok(1));
        assert!(period_index(0, 2).is_err() && period_index(3, 2).is_err());
    }
}
