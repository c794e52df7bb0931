//! The names that a type goes by in a file: the fields of its struct or the variants of its enum, as serde knows them.
//!
//! A type is asked to read itself from a deserializer that notes the names it is told and gives nothing, so that
//! messages list exactly what the reader accepts.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The fields or variants of `T`, in the order of their declaration; none for any other type.
pub(crate) fn of<T: Deserialize<'static>>() -> &'static [&'static str] {
    match T::deserialize(Probe) {
        Err(Names(names)) => names,
        Ok(_) => &[],
    }
}

struct Probe;

#[derive(Debug)]
struct Names(&'static [&'static str]);

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Names {}

impl de::Error for Names {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for Probe {
    type Error = Names;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Names> {
        Err(Names(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Names> {
        Err(Names(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Names> {
        Err(Names(variants))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_types() {
        assert_eq!(of::<flagfall_core::Side>(), ["white", "black"]);
        assert_eq!(of::<flagfall_trace::plan::Claim>(), ["by", "flag", "basis"]);
        assert!(of::<u32>().is_empty());
    }
}
