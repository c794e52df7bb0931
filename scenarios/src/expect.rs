//! What a scenario expects of the clock: the faces at a reading, and what the oracle must find.

use flagfall_core::{BySide, Face, Side};
use flagfall_judge::{ClockExpectation, Expected, Wrong};

use crate::diagnostics::Complaint;
use crate::raw::{RawClock, RawFaces, RawFlag, RawShown, ScalarOr};
use crate::scenario::Meaning;
use crate::spans::Node;
use crate::time::span_ns;

/// Everything that can be wrong with a clock, as scenarios write it.
pub(crate) const WRONG_WORDS: [&str; 12] = [
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
        if let Some(seconds) = meaning.take(place, face_seconds(digits)) {
            found.push((Expected::Face(side, Face::from_seconds(seconds)), place));
        }
    }
    found
}

/// The index of a period that scenarios count from one.
pub(crate) fn period_index(number: u8, periods: usize) -> Result<u8, Complaint> {
    match number.checked_sub(1) {
        Some(index) if usize::from(index) < periods => Ok(index),
        _ => Err(Complaint::new(format!("there is no period {number}"))
            .help(format!("the control has {periods} of them, counted from 1"))),
    }
}

/// Seconds of the digits on a display: `0:01`, `1:00:00`.
fn face_seconds(text: &str) -> Result<u32, Complaint> {
    let wrong = || {
        Complaint::new(format!("`{text}` is nothing that a display shows"))
            .help("write it like `0:01`, `59:59` or `1:00:00`")
    };
    let parts: Vec<&str> = text.trim().split(':').collect();
    let (hours, minutes, seconds) = match parts.as_slice() {
        [minutes, seconds] => (None, *minutes, *seconds),
        [hours, minutes, seconds] => (Some(*hours), *minutes, *seconds),
        _ => return Err(wrong()),
    };
    let number = |part: &str, digits: std::ops::RangeInclusive<usize>| {
        if !digits.contains(&part.len()) || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        part.parse::<u32>().map_err(|_| wrong())
    };
    let hours_shown = hours.map_or(Ok(0), |hours| number(hours, 1..=3))?;
    let minutes = number(minutes, if hours.is_some() { 2..=2 } else { 1..=2 })?;
    let seconds = number(seconds, 2..=2)?;
    if minutes > 59 || seconds > 59 || (hours.is_some() && hours_shown == 0) {
        return Err(wrong());
    }
    Ok(hours_shown * 3_600 + minutes * 60 + seconds)
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
            assert_eq!(face_seconds(text), Ok(seconds));
        }
        for bad in ["", "1", "1:1", "60:00", "0:60", "0:01:00", "1:0:00", "-1:00", "1:00:00:00", "a:00"] {
            assert!(face_seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_display_is_read_back() {
        use flagfall_core::Face;
        for seconds in [0, 59, 60, 3_599, 3_600, 35_999, 36_000] {
            assert_eq!(face_seconds(&Face::from_seconds(seconds).to_string()), Ok(seconds));
        }
    }

    #[test]
    fn periods_are_counted_from_one() {
        assert_eq!(period_index(1, 2), Ok(0));
        assert_eq!(period_index(2, 2), Ok(1));
        assert!(period_index(0, 2).is_err() && period_index(3, 2).is_err());
    }
}
