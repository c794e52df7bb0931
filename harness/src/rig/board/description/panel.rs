//! Where what the display shows can be read.

use serde::Deserialize;

use super::field::Misfit;
use super::probe::Probe;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPanel {
    uart: usize,
}

impl RawPanel {
    /// Which serial port of the chip it is: the one whose output the emulator keeps. That of a chip behind a probe is not
    /// read.
    pub(super) fn checked(&self, probe: &Probe) -> Result<Option<usize>, Misfit> {
        let Probe::Emulator { machine, .. } = probe else { return Ok(None) };
        let kept = machine.serial + 1;
        if self.uart != kept {
            let why = format!("{}: the emulated {} keeps what comes out of {kept}", self.uart, machine.name);
            return Err(Misfit::new("panel.uart", why));
        }
        Ok(Some(self.uart))
    }
}
