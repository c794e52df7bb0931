//! How the debug probe of a board is found.

use flagfall_vboard::BOARDS;
use serde::Deserialize;

use super::field::Misfit;

/// How a debug probe is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The emulator is started and its own selector taken.
    Emulator {
        /// The emulated board.
        machine: &'static flagfall_vboard::Board,
        /// Virtual time per instruction, 2^n ns.
        icount_shift: u8,
        /// Whether virtual time passes as the host's does; then it is not counted in instructions.
        paced: bool,
    },
    /// `VID:PID` or `VID:PID:SERIAL`, as probe-rs reads it.
    Selector(String),
}

impl Probe {
    /// The rig's name in results and last lines: `virtual-board`, or the probe's serial number.
    #[must_use]
    pub fn rig_name(&self) -> &str {
        match self {
            Self::Emulator { .. } => "virtual-board",
            Self::Selector(selector) => selector.splitn(3, ':').nth(2).unwrap_or(selector),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawProbe {
    emulator: Option<RawEmulator>,
    selector: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEmulator {
    machine: String,
    icount_shift: u8,
    #[serde(default)]
    paced: bool,
}

impl RawProbe {
    /// How the probe is found, as `field` says.
    pub(super) fn checked_at(self, field: &str) -> Result<Probe, Misfit> {
        match (self.emulator, self.selector) {
            (Some(emulator), None) => emulator.checked(field),
            (None, Some(selector)) => {
                if selector.split(':').count() < 2 {
                    let why = format!("`{selector}`: VID:PID or VID:PID:SERIAL, as `flagfall probes` prints it");
                    return Err(Misfit::new(format!("{field}.selector"), why));
                }
                Ok(Probe::Selector(selector))
            }
            _ => Err(Misfit::new(field, "either `emulator` or `selector`")),
        }
    }
}

impl RawEmulator {
    fn checked(self, field: &str) -> Result<Probe, Misfit> {
        let icount_shift = self.icount_shift;
        if icount_shift > 10 {
            return Err(Misfit::new(format!("{field}.emulator.icount_shift"), "0 to 10"));
        }
        let name = |board: &flagfall_vboard::Board| board.name.to_lowercase();
        let Some(machine) = BOARDS.iter().copied().find(|board| name(board) == self.machine) else {
            let names: Vec<String> = BOARDS.iter().map(|board| name(board)).collect();
            let meant = flagfall_scenarios::nearest(&self.machine, names.iter().map(String::as_str))
                .map(|near| format!("did you mean `{near}`?"))
                .unwrap_or_else(|| format!("one of {}", names.join(", ")));
            let why = format!("no board `{}` is emulated: {meant}", self.machine);
            return Err(Misfit::new(format!("{field}.emulator.machine"), why));
        };
        Ok(Probe::Emulator { machine, icount_shift, paced: self.paced })
    }
}
