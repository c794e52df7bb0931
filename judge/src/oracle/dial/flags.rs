//! The flag of a dial, judged by the hands that are seen, wherever they should be.

use flagfall_core::record::Kind;
use flagfall_core::{Face, Record, Side, TrueTime};

use super::hands::{Hands, Scale};

/// What is known of a flag from the hands and from what it did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag {
    side: Side,
    up: bool,
    /// Up to where it is up from the setting.
    up_until: Option<i128>,
    /// The furthest that the hands have been since they were set.
    furthest: i128,
    /// The hands were set to twelve just now, and the next that is seen of the flag is its fall.
    falls_next: bool,
}

/// What should have been and what was, where they differ.
type Found = Option<(String, String)>;

impl Flag {
    /// The flag before the game: up if the hand holds it or if it is up from the setting.
    pub(super) fn at_the_start(hands: &Hands, side: Side) -> Self {
        let reading = hands.reading(side, TrueTime::ZERO);
        let up_until = hands.up_until(side);
        let up = up_until.is_some() || hands.scale(side).holds_the_flag(reading);
        Self { side, up, up_until, furthest: reading, falls_next: false }
    }

    /// The flag after the hands were set: one that was set to zero ticks falls at once.
    pub(super) fn after_a_setting(hands: &Hands, side: Side, reading: i128, left_ticks: u64) -> Self {
        let falls_next = left_ticks == 0;
        let up = falls_next || hands.scale(side).holds_the_flag(reading);
        Self { side, up, up_until: None, furthest: reading, falls_next }
    }

    /// A flag that moved with the hand at `hands`: was it the place to?
    pub(super) fn moves(&mut self, record: &Record, hands: i128, set_for: u8, scale: &Scale) -> Found {
        self.furthest = self.furthest.max(hands);
        self.falls_next = false;
        let before = std::mem::replace(&mut self.up, record.kind == Kind::FLAG_LIFTED);
        let until = if self.up { None } else { self.up_until.take() };
        let at_an_hour = hands.rem_euclid(scale.hour()) == 0;
        let ends = scale.ended(set_for, hands).filter(|control| scale.ends[usize::from(*control)] == hands);
        let (expected, right) = match (record.kind, record.detail) {
            (Kind::FLAG_LIFTED, _) => {
                let to_go = scale.next_hour(hands) - hands;
                ("a flag is lifted as long before the hour as the clock is built", !before && to_go == scale.lift)
            }
            (Kind::FLAG_FELL, _) => {
                let is_this = ends == Some(record.period[self.side]) && record.fallen[self.side];
                ("a flag falls when the hand comes to the end of a control", before && is_this)
            }
            (Kind::FLAG_DROPPED, 1) => {
                ("a flag up from the setting drops where it was set to", before && until == Some(hands))
            }
            (Kind::FLAG_DROPPED, 2) => {
                let held = scale.holds_the_flag(hands) || at_an_hour;
                ("a flag hangs when the hand has slipped away from it", before && !held)
            }
            _ => ("a flag drops at a full hour", before && at_an_hour && ends.is_none()),
        };
        (!right).then(|| {
            let did = match record.kind {
                Kind::FLAG_LIFTED => "was lifted",
                Kind::FLAG_FELL => "fell",
                _ => "dropped",
            };
            let found = format!("it {did} with the hand at {}", reads(hands, scale));
            (expected.to_owned(), if before == self.up { format!("{found}, and was there before") } else { found })
        })
    }

    /// A flag at rest: is it where the hand has left it?
    pub(super) fn stands(&mut self, fallen: bool, hands: i128, set_for: u8, scale: &Scale) -> Found {
        self.furthest = self.furthest.max(hands);
        if std::mem::take(&mut self.falls_next) {
            return None;
        }
        let from_the_setting = self.up_until.is_some_and(|until| hands < until);
        let up = from_the_setting || scale.holds_the_flag(hands);
        let down = scale.fallen(set_for, self.furthest);
        if (up, down) == (self.up, fallen) {
            return None;
        }
        let words = |up: bool, fallen: bool| match (up, fallen) {
            (true, false) => "is held up",
            (false, true) => "has fallen",
            (false, false) => "hangs",
            (true, true) => "has fallen and is held up again",
        };
        let expected = format!("with the hand at {} the flag {}", reads(hands, scale), words(up, down));
        Some((expected, format!("it {}", words(self.up, fallen))))
    }
}

fn reads(hands: i128, scale: &Scale) -> Face {
    Face::from_seconds(scale.reads(hands))
}
