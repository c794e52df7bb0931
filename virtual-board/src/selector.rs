//! The text by which a client finds an emulated board: `c0de:0405:<gdb socket>,<qtest socket>`.
//!
//! It has the form of a USB probe's selector (vendor, product, serial number), so that a harness can take either.

use crate::board::Board;
use crate::link::{SocketPath, SocketPathError};
use std::fmt;
use thiserror::Error;

/// The vendor number in the selector; no USB vendor has it.
pub const PROBE_VENDOR: u16 = 0xc0de;

/// Where an emulated board answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// The product number: which board it is.
    pub product: u16,
    /// The gdb stub's socket.
    pub gdb: SocketPath,
    /// The qtest socket.
    pub qtest: SocketPath,
}

/// A serial number that does not name two sockets.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectorError {
    /// Write both sockets, the gdb one first, with a comma between them.
    #[error("{0:?} is not <gdb socket>,<qtest socket>")]
    Form(String),
    /// One of the two paths cannot be used.
    #[error(transparent)]
    Socket(#[from] SocketPathError),
}

impl Selector {
    /// Reads the part of a selector after vendor and product.
    pub fn from_serial(product: u16, serial: &str) -> Result<Selector, SelectorError> {
        let (gdb, qtest) = serial.split_once(',').ok_or_else(|| SelectorError::Form(serial.to_owned()))?;
        Ok(Selector { product, gdb: gdb.parse()?, qtest: qtest.parse()? })
    }

    pub(crate) fn new(board: &Board, gdb: SocketPath, qtest: SocketPath) -> Selector {
        Selector { product: board.product, gdb, qtest }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PROBE_VENDOR:04x}:{:04x}:{},{}", self.product, self.gdb, self.qtest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_survives_the_round_trip() {
        let selector = Selector::from_serial(0x0405, "/tmp/b/gdb,/tmp/b/qtest").expect("two sockets");
        assert_eq!(selector.to_string(), "c0de:0405:/tmp/b/gdb,/tmp/b/qtest");
    }

    #[test]
    fn half_a_selector_is_refused() {
        assert_eq!(Selector::from_serial(1, "/tmp/gdb"), Err(SelectorError::Form("/tmp/gdb".into())));
        assert_eq!(
            Selector::from_serial(1, "/tmp/gdb,qtest"),
            Err(SelectorError::Socket(SocketPathError::NotAbsolute("qtest".into())))
        );
    }
}
