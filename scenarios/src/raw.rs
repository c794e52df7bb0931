//! The scenario file as serde reads it: every value as it is written, none of them understood yet.
//!
//! These structs and the table of keys ([`crate::language`]) say the same; a test holds them together.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use flagfall_core::Side;
use flagfall_trace::plan::{Basis, DefectFinding, GameClass, Person, StopFinding, StopReason};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawScenario {
    pub(crate) scenario: String,
    pub(crate) points: Vec<String>,
    pub(crate) purpose: Option<String>,
    #[serde(default)]
    pub(crate) sources: BTreeMap<String, String>,
    pub(crate) regulations: Option<RawRegulations>,
    pub(crate) seed: Option<u64>,
    pub(crate) tick_hz: Option<u32>,
    pub(crate) oscillator: Option<RawOscillator>,
    pub(crate) control: ScalarOr<RawControl>,
    pub(crate) opening: Option<RawOpening>,
    pub(crate) timeline: Vec<RawStep>,
    pub(crate) end: Option<String>,
    #[serde(default)]
    pub(crate) expect: Vec<RawFaces>,
    pub(crate) clock: Option<ScalarOr<RawClock>>,
    #[serde(default)]
    pub(crate) rulings: BTreeMap<String, OneOrMany<ScalarOr<RawRuling>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRegulations {
    pub(crate) class: Option<GameClass>,
    pub(crate) default_time: Option<String>,
    pub(crate) supervised: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOscillator {
    pub(crate) offset: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawControl {
    pub(crate) periods: String,
    pub(crate) increment: Option<RawCredit>,
    pub(crate) at_zero: Option<RawAtZero>,
    pub(crate) carry_over: Option<bool>,
    pub(crate) first_fallen_sign: Option<RawSign>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawCredit {
    BeforeMove,
    AfterMove,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawAtZero {
    Freeze,
    RunOn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawSign {
    Shown,
    None,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOpening {
    pub(crate) position: Option<String>,
    pub(crate) moves: Option<ScalarOr<RawBySide<u16>>>,
    pub(crate) left: Option<RawBySide<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawBySide<T> {
    pub(crate) white: Option<T>,
    pub(crate) black: Option<T>,
}

impl<T> RawBySide<T> {
    /// The values that are given, White's first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::White, self.white.as_ref()), (Side::Black, self.black.as_ref())]
            .into_iter()
            .filter_map(|(side, value)| value.map(|value| (side, value)))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawStep {
    pub(crate) at: String,
    pub(crate) start: Option<Side>,
    #[serde(rename = "move")]
    pub(crate) made: Option<RawMove>,
    pub(crate) press: Option<ScalarOr<RawPress>>,
    pub(crate) play: Option<RawPlay>,
    pub(crate) pause: Option<RawPause>,
    pub(crate) resume: Option<Person>,
    pub(crate) set: Option<RawSet>,
    pub(crate) arrive: Option<Side>,
    pub(crate) observe: Option<RawObserve>,
    pub(crate) claim: Option<RawClaim>,
    pub(crate) find: Option<RawFind>,
    pub(crate) fault: Option<RawFault>,
    pub(crate) read: Option<RawFaces>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawMove {
    pub(crate) side: Side,
    pub(crate) san: String,
    pub(crate) press: RawPressed,
    pub(crate) press_after: Option<String>,
}

/// Whether and how a move is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawPressed {
    SameHand,
    OtherHand,
    Yes,
    No,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPress {
    pub(crate) side: Side,
    pub(crate) hand: Option<RawHand>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawHand {
    SameHand,
    OtherHand,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPlay {
    pub(crate) moves: String,
    pub(crate) think: ScalarOr<RawRange>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRange {
    pub(crate) from: String,
    pub(crate) to: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPause {
    pub(crate) by: Person,
    pub(crate) reason: StopReason,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSet {
    pub(crate) left: Option<RawBySide<String>>,
    pub(crate) moves: Option<RawBySide<u16>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawObserve {
    pub(crate) by: Person,
    pub(crate) flags: RawFlags,
    pub(crate) first: Option<RawFirst>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawFlags {
    Both,
    White,
    Black,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawFirst {
    White,
    Black,
    Unknown,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawClaim {
    pub(crate) by: Side,
    pub(crate) flag: Side,
    pub(crate) basis: Option<Basis>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFind {
    pub(crate) defect: Option<DefectFinding>,
    pub(crate) stop: Option<StopFinding>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawFault {
    pub(crate) stuck: Option<RawStuck>,
    pub(crate) jump: Option<RawJump>,
    pub(crate) rate: Option<RawRate>,
    pub(crate) lost_press: Option<Side>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawStuck {
    #[serde(rename = "for")]
    pub(crate) duration: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawJump {
    pub(crate) by: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRate {
    pub(crate) offset: String,
    #[serde(rename = "for")]
    pub(crate) duration: String,
}

/// What the faces must show.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawFaces {
    pub(crate) flags: Option<RawBySide<RawFlag>>,
    pub(crate) shown: Option<RawShown>,
    pub(crate) left: Option<RawBySide<String>>,
    pub(crate) moves: Option<RawBySide<u16>>,
    pub(crate) period: Option<RawBySide<u8>>,
    pub(crate) running: Option<RawSideOrNone>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawFlag {
    Fallen,
    Up,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawShown {
    pub(crate) first_fallen: Option<RawSideOrNone>,
    pub(crate) white: Option<String>,
    pub(crate) black: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RawSideOrNone {
    White,
    Black,
    None,
}

impl RawSideOrNone {
    pub(crate) const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            Self::None => None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawClock {
    pub(crate) wrong: Vec<String>,
    pub(crate) from: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawRuling {
    pub(crate) result: Option<String>,
    pub(crate) play: Option<String>,
    pub(crate) completed: Option<RawBySide<u16>>,
    pub(crate) incomplete: Option<RawBySide<u16>>,
    pub(crate) flag_counts: Option<Side>,
    pub(crate) flag_does_not_count: Option<Side>,
    pub(crate) left: Option<RawBySide<String>>,
    pub(crate) bears: Option<RawBySide<String>>,
    pub(crate) runs: Option<Side>,
    pub(crate) reading: Option<String>,
    pub(crate) clock: Option<String>,
    pub(crate) penalty: Option<Side>,
    pub(crate) no_penalty: Option<Side>,
    pub(crate) ruling: Option<String>,
    pub(crate) discretion: Option<Vec<RawRuling>>,
    pub(crate) needs: Option<String>,
    #[serde(rename = "if")]
    pub(crate) answers: Option<BTreeMap<String, RawRuling>>,
    pub(crate) point: Option<String>,
    pub(crate) article: Option<String>,
    pub(crate) strength: Option<String>,
}

/// A scalar in its short form or a mapping in its long one.
#[derive(Debug)]
pub(crate) enum ScalarOr<T> {
    Scalar(String),
    Long(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ScalarOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Forms<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Forms<T> {
            type Value = ScalarOr<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word or a mapping")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
                Ok(ScalarOr::Scalar(value.to_string()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(ScalarOr::Scalar(value.to_string()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(ScalarOr::Scalar(value.to_string()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
                Ok(ScalarOr::Scalar(value.to_string()))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
                Ok(ScalarOr::Scalar(value.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(ScalarOr::Long)
            }
        }

        deserializer.deserialize_any(Forms(PhantomData))
    }
}

/// One value, or a list of them.
#[derive(Debug)]
pub(crate) struct OneOrMany<T> {
    pub(crate) items: Vec<T>,
    /// Whether they stood in a list.
    pub(crate) listed: bool,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Forms<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Forms<T> {
            type Value = OneOrMany<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value or a list of values")
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
                let item = T::deserialize(StrDeserializer::new(value))?;
                Ok(OneOrMany { items: vec![item], listed: false })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let item = T::deserialize(MapAccessDeserializer::new(map))?;
                Ok(OneOrMany { items: vec![item], listed: false })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                let items = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(OneOrMany { items, listed: true })
            }
        }

        deserializer.deserialize_any(Forms(PhantomData))
    }
}
