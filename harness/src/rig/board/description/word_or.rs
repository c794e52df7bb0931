//! `none`, or a mapping: what a board file may say is not there.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};

/// The word `none`, or something.
pub(super) struct NoneOr<T>(pub(super) Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for NoneOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NoneOrVisitor(PhantomData))
    }
}

struct NoneOrVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NoneOrVisitor<T> {
    type Value = NoneOr<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`none` or a mapping")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Self::Value, E> {
        if word == "none" { Ok(NoneOr(None)) } else { Err(E::invalid_value(de::Unexpected::Str(word), &self)) }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|value| NoneOr(Some(value)))
    }
}
