//! How the fixed byte forms of the core stand in files: as hexadecimal text.

use flagfall_core::command::{self, Command};
use flagfall_core::{Record, record};
use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// A clock's setup as the bytes of its configure command.
pub(crate) mod setup {
    use super::*;
    use flagfall_core::Setup;

    pub(crate) fn serialize<S: Serializer>(setup: &Setup, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_hex(&Command::Configure(*setup).to_bytes()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Setup, D::Error> {
        let bytes = from_hex::<{ command::LEN }>(&String::deserialize(deserializer)?).map_err(D::Error::custom)?;
        match Command::from_bytes(&bytes).map_err(D::Error::custom)? {
            Command::Configure(setup) => Ok(setup),
            other => Err(D::Error::custom(format!("expected a configure command, found {other:?}"))),
        }
    }
}

/// The same for a setup that may be missing.
pub(crate) mod maybe_setup {
    use super::*;
    use flagfall_core::Setup;

    pub(crate) fn serialize<S: Serializer>(setup: &Option<Setup>, serializer: S) -> Result<S::Ok, S::Error> {
        match setup {
            Some(setup) => super::setup::serialize(setup, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Setup>, D::Error> {
        #[derive(Deserialize)]
        #[serde(transparent)]
        struct Written(#[serde(with = "super::setup")] Setup);
        Ok(Option::<Written>::deserialize(deserializer)?.map(|written| written.0))
    }
}

/// The same for a setup in a box.
pub(crate) mod boxed_setup {
    use super::*;
    use flagfall_core::Setup;

    pub(crate) fn serialize<S: Serializer>(setup: &Setup, serializer: S) -> Result<S::Ok, S::Error> {
        super::setup::serialize(setup, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Setup>, D::Error> {
        super::setup::deserialize(deserializer).map(Box::new)
    }
}

/// A record as its bytes.
pub(crate) mod record_hex {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(record: &Record, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_hex(&record.to_bytes()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Record, D::Error> {
        let bytes = from_hex::<{ record::LEN }>(&String::deserialize(deserializer)?).map_err(D::Error::custom)?;
        Record::from_bytes(&bytes).map_err(D::Error::custom)
    }
}

/// Lower-case hexadecimal.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]).map(|half| char::from(DIGITS[usize::from(half)])).collect()
}

fn from_hex<const N: usize>(text: &str) -> Result<[u8; N], String> {
    if text.len() != 2 * N || !text.is_ascii() {
        return Err(format!("expected {} hexadecimal digits, found {} bytes", 2 * N, text.len()));
    }
    let mut bytes = [0; N];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16)
            .map_err(|_| format!("no hexadecimal byte at digit {}", 2 * index))?;
    }
    Ok(bytes)
}
