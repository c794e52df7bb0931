//! Where what the display shows can be read.

use std::path::PathBuf;

use flagfall_core::panel;
use serde::Deserialize;

use super::field::Misfit;
use super::probe::Probe;

/// Rates at which a serial port can be read, in baud: up to what adapters for USB do.
const BAUD: std::ops::RangeInclusive<u32> = 1_200..=12_000_000;

/// Bits that a byte takes on the wire: eight, one before them and one behind.
const BITS_A_BYTE: u64 = 10;

/// Where what the display shows can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanelAt {
    /// The serial port of an emulated chip with this number, whose output the emulator keeps.
    Uart(usize),
    /// A serial port of this machine, to which that of the chip is wired.
    Serial(SerialLine),
}

/// A serial port of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerialLine {
    /// Its device file.
    pub port: PathBuf,
    /// Bits per second, eight to a byte, no parity, one stop bit.
    pub baud: u32,
}

impl SerialLine {
    /// How long a line may take after its record, in milliseconds of the device, rounded up: for as many bytes as a
    /// firmware may have waiting ([`panel::QUEUED_MAX`]).
    #[must_use]
    pub const fn lag_ms(&self) -> u64 {
        (panel::QUEUED_MAX as u64 * BITS_A_BYTE * 1_000).div_ceil(self.baud as u64)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPanel {
    uart: Option<usize>,
    serial: Option<PathBuf>,
    baud: Option<u32>,
}

impl RawPanel {
    /// For an emulated chip the port whose output the emulator keeps; that of a chip behind a probe is read where its wire
    /// comes out, and its number alone says nothing.
    pub(super) fn checked(self, probe: &Probe) -> Result<Option<PanelAt>, Misfit> {
        let emulated = match probe {
            Probe::Emulator { machine, .. } => Some(machine),
            Probe::Selector(_) => None,
        };
        match (self.uart, self.serial, emulated) {
            (Some(uart), None, Some(machine)) => {
                let kept = machine.serial + 1;
                if uart != kept {
                    let why = format!("{uart}: the emulated {} keeps what comes out of {kept}", machine.name);
                    return Err(Misfit::new("panel.uart", why));
                }
                no_baud(self.baud).map(|()| Some(PanelAt::Uart(uart)))
            }
            (Some(_), None, None) => no_baud(self.baud).map(|()| None),
            (None, Some(_), Some(_)) => {
                let why = "an emulated board keeps what its port sends: say `uart` and its number";
                Err(Misfit::new("panel.serial", why))
            }
            (None, Some(port), None) => {
                if !port.is_absolute() {
                    let why =
                        format!("`{}`: the device file of a serial port, from the root: /dev/...", port.display());
                    return Err(Misfit::new("panel.serial", why));
                }
                let baud = self.baud.unwrap_or(panel::BAUD);
                if !BAUD.contains(&baud) {
                    let why = format!("{baud}: {} to {} baud", BAUD.start(), BAUD.end());
                    return Err(Misfit::new("panel.baud", why));
                }
                Ok(Some(PanelAt::Serial(SerialLine { port, baud })))
            }
            _ => Err(Misfit::new("panel", "either `uart`, of an emulated board, or `serial`, a port of this machine")),
        }
    }
}

fn no_baud(baud: Option<u32>) -> Result<(), Misfit> {
    let why = "an emulated port has no rate: it belongs to `serial`";
    baud.map_or(Ok(()), |_| Err(Misfit::new("panel.baud", why)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_as_long_as_its_bytes_and_those_before_it() {
        let lag = |baud| SerialLine { port: "/dev/ttyUSB0".into(), baud }.lag_ms();
        assert_eq!((lag(115_200), lag(9_600), lag(12_000_000)), (23, 267, 1));
    }
}
