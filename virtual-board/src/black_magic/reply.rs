//! What the probe answers: `&`, a letter for how it went, what came of it, `#`.

use crate::hex;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Done, and this came of it; 0 where nothing does.
    Done(u32),
    /// Done, and these bytes came of it.
    Bytes(Vec<u8>),
    /// Done, and this text came of it.
    Text(&'static str),
    /// Bits came in whose parity is wrong.
    Parity(u32),
    /// The command has a parameter that cannot be.
    Parameter,
    /// There is no such command in a family that there is.
    Unknown,
    /// The command has too few digits, or too many.
    Length,
    /// The target did not do it.
    Fault,
    /// The probe serves somebody else.
    Busy,
    /// This probe cannot do it.
    Unsupported,
}

impl Reply {
    /// The answer of a register: its bytes as they lie in memory.
    pub(crate) fn word(value: u32) -> Reply {
        Reply::Bytes(value.to_le_bytes().to_vec())
    }

    /// The bytes on the wire.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let text = match self {
            Reply::Done(value) => format!("K{value:x}"),
            Reply::Bytes(bytes) => format!("K{}", hex::encode(bytes)),
            Reply::Text(text) => format!("K{text}"),
            Reply::Parity(value) => format!("P{value:x}"),
            Reply::Parameter => "P0".to_owned(),
            Reply::Unknown => "E1".to_owned(),
            Reply::Length => "E2".to_owned(),
            Reply::Fault => "E3".to_owned(),
            // The probe's own number for what it did not foresee.
            Reply::Busy => "E4".to_owned(),
            Reply::Unsupported => "N0".to_owned(),
        };
        format!("&{text}#").into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_the_probe() {
        for (reply, bytes) in [
            (Reply::Done(0), "&K0#"),
            (Reply::Done(0xabc), "&Kabc#"),
            (Reply::word(0x2BA0_1477), "&K7714a02b#"),
            (Reply::Bytes(vec![]), "&K#"),
            (Reply::Text("Unknown"), "&KUnknown#"),
            (Reply::Parity(5), "&P5#"),
            (Reply::Unsupported, "&N0#"),
            (Reply::Fault, "&E3#"),
        ] {
            assert_eq!(reply.encode(), bytes.as_bytes());
        }
    }
}
