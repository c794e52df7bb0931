//! probe-rs's view of the emulated debug port.

use flagfall_vboard::{AccessError, DebugPort};
use probe_rs::CoreStatus;
use probe_rs::architecture::arm::sequences::ArmDebugSequence;
use probe_rs::architecture::arm::{
    ArmCommunicationInterface, ArmDebugInterface, ArmError, DapProbe, RawDapAccess, RegisterAddress,
};
use probe_rs::probe::{DebugProbe, DebugProbeError, WireProtocol};
use std::fmt;
use std::sync::Arc;

/// The clock speed reported until another is set, in kHz. There is no wire, so it means nothing.
const SPEED_KHZ: u32 = 4000;
/// nRESET among the pins of `swj_pins`, low when pulled.
const PIN_RESET: u32 = 1 << 7;

/// A probe wired to an emulated board.
#[derive(Debug)]
pub struct VirtualProbe {
    port: DebugPort,
    speed_khz: u32,
}

impl VirtualProbe {
    /// A probe on this debug port.
    pub fn new(port: DebugPort) -> VirtualProbe {
        VirtualProbe { port, speed_khz: SPEED_KHZ }
    }

    fn drive_reset(&mut self, low: bool) -> Result<(), DebugProbeError> {
        self.port.drive_reset(low).map_err(failed)
    }
}

/// A failure with its cause, in probe-rs's terms.
pub(crate) fn failed(error: impl fmt::Display) -> DebugProbeError {
    DebugProbeError::Other(format!("virtual board: {error}"))
}

fn access_failed(error: AccessError) -> ArmError {
    ArmError::Probe(failed(error))
}

impl DebugProbe for VirtualProbe {
    fn get_name(&self) -> &str {
        "flagfall virtual board"
    }

    fn speed_khz(&self) -> u32 {
        self.speed_khz
    }

    fn set_speed(&mut self, speed_khz: u32) -> Result<u32, DebugProbeError> {
        self.speed_khz = speed_khz;
        Ok(speed_khz)
    }

    fn attach(&mut self) -> Result<(), DebugProbeError> {
        Ok(())
    }

    fn detach(&mut self) -> Result<(), probe_rs::Error> {
        Ok(())
    }

    fn target_reset(&mut self) -> Result<(), DebugProbeError> {
        self.drive_reset(true)?;
        self.drive_reset(false)
    }

    fn target_reset_assert(&mut self) -> Result<(), DebugProbeError> {
        self.drive_reset(true)
    }

    fn target_reset_deassert(&mut self) -> Result<(), DebugProbeError> {
        self.drive_reset(false)
    }

    fn select_protocol(&mut self, protocol: WireProtocol) -> Result<(), DebugProbeError> {
        match protocol {
            WireProtocol::Swd => Ok(()),
            WireProtocol::Jtag => Err(DebugProbeError::UnsupportedProtocol(protocol)),
        }
    }

    fn active_protocol(&self) -> Option<WireProtocol> {
        Some(WireProtocol::Swd)
    }

    fn has_arm_interface(&self) -> bool {
        true
    }

    fn try_get_arm_debug_interface<'probe>(
        self: Box<Self>,
        sequence: Arc<dyn ArmDebugSequence>,
    ) -> Result<Box<dyn ArmDebugInterface + 'probe>, (Box<dyn DebugProbe>, ArmError)> {
        Ok(ArmCommunicationInterface::create(self, sequence, false))
    }

    fn into_probe(self: Box<Self>) -> Box<dyn DebugProbe> {
        self
    }

    fn try_as_dap_probe(&mut self) -> Option<&mut dyn DapProbe> {
        Some(self)
    }
}

impl DapProbe for VirtualProbe {}

impl RawDapAccess for VirtualProbe {
    fn raw_read_register(&mut self, address: RegisterAddress) -> Result<u32, ArmError> {
        if address.is_ap() {
            self.port.read_ap(address.lsb()).map_err(access_failed)
        } else {
            Ok(self.port.read_dp(address.lsb()))
        }
    }

    fn raw_read_block(&mut self, address: RegisterAddress, values: &mut [u32]) -> Result<(), ArmError> {
        if address.is_ap() {
            return self.port.read_ap_block(address.lsb(), values).map_err(access_failed);
        }
        values.fill_with(|| self.port.read_dp(address.lsb()));
        Ok(())
    }

    fn raw_write_register(&mut self, address: RegisterAddress, value: u32) -> Result<(), ArmError> {
        if address.is_ap() {
            return self.port.write_ap(address.lsb(), value).map_err(access_failed);
        }
        self.port.write_dp(address.lsb(), value);
        Ok(())
    }

    fn raw_write_block(&mut self, address: RegisterAddress, values: &[u32]) -> Result<(), ArmError> {
        if address.is_ap() {
            return self.port.write_ap_block(address.lsb(), values).map_err(access_failed);
        }
        for value in values {
            self.port.write_dp(address.lsb(), *value);
        }
        Ok(())
    }

    fn jtag_sequence(&mut self, _cycles: u8, _tms: bool, _tdi: u64) -> Result<(), DebugProbeError> {
        Err(DebugProbeError::UnsupportedProtocol(WireProtocol::Jtag))
    }

    /// Line resets and protocol switches are bits on a wire that is not there; the port is always in SWD.
    fn swj_sequence(&mut self, _bit_len: u8, _bits: u64) -> Result<(), DebugProbeError> {
        Ok(())
    }

    fn swj_pins(&mut self, pin_out: u32, pin_select: u32, _pin_wait: u32) -> Result<u32, DebugProbeError> {
        if pin_select & PIN_RESET != 0 {
            self.drive_reset(pin_out & PIN_RESET == 0)?;
        }
        Ok(pin_out)
    }

    fn into_probe(self: Box<Self>) -> Box<dyn DebugProbe> {
        self
    }

    fn core_status_notification(&mut self, _state: CoreStatus) -> Result<(), DebugProbeError> {
        Ok(())
    }
}
