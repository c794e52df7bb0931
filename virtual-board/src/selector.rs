//! The text by which a client finds an emulated board: `c0de:0405:<gdb socket>,<qtest socket>`, and behind another comma
//! the cable that is plugged into it, if there is one: `drives=<file>` or `driven=<file>`.
//!
//! It has the form of a USB probe's selector (vendor, product, serial number), so that a harness can take either.

use crate::board::Board;
use crate::link::{SocketPath, SocketPathError};
use crate::wires::Cable;
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
    /// What is plugged in.
    pub cable: Option<Cable>,
}

/// A serial number that does not name two sockets.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectorError {
    /// Write both sockets, the gdb one first, with a comma between them; a cable, if there is one, comes last.
    #[error("{0:?} is not <gdb socket>,<qtest socket> or <gdb socket>,<qtest socket>,{{drives|driven}}=<file>")]
    Form(String),
    /// One of the two paths cannot be used.
    #[error(transparent)]
    Socket(#[from] SocketPathError),
}

impl Selector {
    /// Reads the part of a selector after vendor and product.
    pub fn from_serial(product: u16, serial: &str) -> Result<Selector, SelectorError> {
        let form = || SelectorError::Form(serial.to_owned());
        let (gdb, rest) = serial.split_once(',').ok_or_else(form)?;
        let (qtest, cable) = match rest.split_once(',') {
            Some((qtest, cable)) => (qtest, Some(Cable::from_text(cable).ok_or_else(form)?)),
            None => (rest, None),
        };
        Ok(Selector { product, gdb: gdb.parse()?, qtest: qtest.parse()?, cable })
    }

    /// The same board with a cable plugged in.
    #[must_use]
    pub fn with(self, cable: Cable) -> Selector {
        Selector { cable: Some(cable), ..self }
    }

    pub(crate) fn new(board: &Board, gdb: SocketPath, qtest: SocketPath) -> Selector {
        Selector { product: board.product, gdb, qtest, cable: None }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PROBE_VENDOR:04x}:{:04x}:{},{}", self.product, self.gdb, self.qtest)?;
        self.cable.as_ref().map_or(Ok(()), |cable| write!(f, ",{}", cable.text()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_survives_the_round_trip() {
        let selector = Selector::from_serial(0x0405, "/tmp/b/gdb,/tmp/b/qtest").expect("two sockets");
        assert_eq!(selector.to_string(), "c0de:0405:/tmp/b/gdb,/tmp/b/qtest");
        let wired = selector.with(Cable::Driven("/tmp/b/wires".into()));
        assert_eq!(wired.to_string(), "c0de:0405:/tmp/b/gdb,/tmp/b/qtest,driven=/tmp/b/wires");
        assert_eq!(Selector::from_serial(0x0405, "/tmp/b/gdb,/tmp/b/qtest,driven=/tmp/b/wires"), Ok(wired));
    }

    #[test]
    fn half_a_selector_is_refused() {
        assert_eq!(Selector::from_serial(1, "/tmp/gdb"), Err(SelectorError::Form("/tmp/gdb".into())));
        let no_cable = "/tmp/gdb,/tmp/qtest,/tmp/wires";
        assert_eq!(Selector::from_serial(1, no_cable), Err(SelectorError::Form(no_cable.into())));
        assert_eq!(
            Selector::from_serial(1, "/tmp/gdb,qtest"),
            Err(SelectorError::Socket(SocketPathError::NotAbsolute("qtest".into())))
        );
    }
}
