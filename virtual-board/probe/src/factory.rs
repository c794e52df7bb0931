//! Opening an emulated board by its selector.

use crate::driver::{VirtualProbe, failed};
use flagfall_vboard::{BOARDS, DebugPort, PROBE_VENDOR, Selector};
use probe_rs::probe::list::ProbeListItem;
use probe_rs::probe::{DebugProbe, DebugProbeError, DebugProbeSelector, ProbeCreationError, ProbeFactory};
use std::fmt;

#[derive(Debug)]
pub(crate) struct VirtualProbeFactory;

impl fmt::Display for VirtualProbeFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("flagfall virtual board")
    }
}

impl ProbeFactory for VirtualProbeFactory {
    /// probe-rs asks every driver in turn; a selector that is not ours is "not found", one that is and does not work is
    /// an error.
    fn open(&self, selector: &DebugProbeSelector) -> Result<Box<dyn DebugProbe>, DebugProbeError> {
        let board = BOARDS
            .iter()
            .find(|board| selector.vendor_id == PROBE_VENDOR && selector.product_id == board.product)
            .ok_or(DebugProbeError::ProbeCouldNotBeCreated(ProbeCreationError::NotFound))?;
        let serial = selector.serial_number.as_deref().unwrap_or_default();
        let address = Selector::from_serial(board.product, serial).map_err(failed)?;
        Ok(Box::new(VirtualProbe::new(DebugPort::connect(board, &address).map_err(failed)?)))
    }

    /// Emulated boards are named, not discovered.
    fn list_probes(&self) -> Vec<ProbeListItem> {
        Vec::new()
    }
}
