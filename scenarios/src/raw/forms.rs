//! Forms that values of several kinds have: one or many, short or long, one for each side.

use std::fmt;
use std::marker::PhantomData;

use flagfall_core::Side;
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

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
