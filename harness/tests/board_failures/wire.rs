//! A driver that fails on purpose: the emulated board's own, with one thing wrong from the n-th access on.
//!
//! It stands where the driver of a real probe does, so that probe-rs and everything above it see what they would see of a
//! cable that was pulled out, a chip of another kind, or a firmware that says something else.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use flagfall_vboard::{DebugPort, Emulator, STM32F405, Selector};
use flagfall_vprobe::VirtualProbe;
use probe_rs::CoreStatus;
use probe_rs::architecture::arm::dp::DpRegisterAddress;
use probe_rs::architecture::arm::sequences::ArmDebugSequence;
use probe_rs::architecture::arm::{
    ArmCommunicationInterface, ArmDebugInterface, ArmError, DapProbe, RawDapAccess, RegisterAddress,
};
use probe_rs::plugin::{Plugin, register_plugin};
use probe_rs::probe::list::{Accessibility, ProbeListItem};
use probe_rs::probe::{
    DebugProbe, DebugProbeError, DebugProbeInfo, DebugProbeSelector, ProbeCreationError, ProbeFactory, WireProtocol,
};

/// No USB vendor has it.
const VENDOR: u16 = 0xfa17;
const TWICE_THERE: u16 = 0x0002;
const FORBIDDEN: u16 = 0x0003;
const REFUSED: u16 = 0x0004;
const IN_USE: u16 = 0x0005;
const WIRED: u16 = 0x0405;

pub(crate) const TWO: &str = "fa17:0002";
pub(crate) const FORBIDDEN_BY_UDEV: &str = "fa17:0003:0001";
pub(crate) const REFUSED_BY_THE_SYSTEM: &str = "fa17:0004:0001";
pub(crate) const USED_BY_ANOTHER: &str = "fa17:0005:0001";

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mischief {
    /// Nothing.
    None,
    /// Every access fails: the cable is out.
    Unplugged,
    /// One access fails.
    Hiccup,
    /// A word of memory reads like this, whatever it is.
    Lie(u32, u32),
    /// These words are written once, behind the back of everybody.
    Write(Vec<(u32, u32)>),
}

struct State {
    accesses: u64,
    from: u64,
    mischief: Mischief,
    done: bool,
}

static STATE: Mutex<State> = Mutex::new(State { accesses: 0, from: 0, mischief: Mischief::None, done: false });
static TURN: Mutex<()> = Mutex::new(());

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The driver, as long as somebody has it: there is one for all trials of a process.
pub(crate) struct Wire(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

impl Wire {
    pub(crate) fn take() -> Wire {
        static REGISTERED: Once = Once::new();
        REGISTERED.call_once(|| {
            register_plugin(Plugin { probe_drivers: &[&FaultyFactory], ..Plugin::default() });
        });
        let wire = Wire(TURN.lock().unwrap_or_else(PoisonError::into_inner));
        wire.set(0, Mischief::None);
        wire
    }

    /// From the access with this number on, counted from now.
    pub(crate) fn set(&self, from: u64, mischief: Mischief) {
        *state() = State { accesses: 0, from, mischief, done: false };
    }

    /// How many accesses there have been since then.
    pub(crate) fn accesses(&self) -> u64 {
        state().accesses
    }

    /// The selector of a board behind this driver.
    pub(crate) fn selector(&self, emulator: &Emulator) -> String {
        let Selector { gdb, qtest, .. } = emulator.selector();
        format!("{VENDOR:04x}:{WIRED:04x}:{gdb},{qtest}")
    }
}

fn lost() -> DebugProbeError {
    DebugProbeError::Usb(io::Error::from_raw_os_error(19))
}

#[derive(Debug)]
struct FaultyFactory;

impl fmt::Display for FaultyFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failing on purpose")
    }
}

fn listed(product_id: u16, serial: &str, accessibility: Accessibility) -> ProbeListItem {
    let info = DebugProbeInfo::new("failing", VENDOR, product_id, Some(serial.into()), &FaultyFactory, None, false);
    ProbeListItem { info, accessibility }
}

impl ProbeFactory for FaultyFactory {
    fn open(&self, selector: &DebugProbeSelector) -> Result<Box<dyn DebugProbe>, DebugProbeError> {
        let creation = DebugProbeError::ProbeCouldNotBeCreated;
        match (selector.vendor_id, selector.product_id) {
            (VENDOR, REFUSED) => Err(creation(ProbeCreationError::Usb(io::Error::from_raw_os_error(13)))),
            (VENDOR, IN_USE) => Err(creation(ProbeCreationError::Usb(io::Error::from_raw_os_error(16)))),
            (VENDOR, WIRED) => {
                let is_out = |state: &State| state.mischief == Mischief::Unplugged && state.accesses >= state.from;
                if is_out(&state()) {
                    return Err(creation(ProbeCreationError::NotFound));
                }
                let serial = selector.serial_number.as_deref().unwrap_or_default();
                let address = Selector::from_serial(WIRED, serial).map_err(told)?;
                let port = DebugPort::connect(&STM32F405, &address).map_err(told)?;
                Ok(Box::new(FaultyProbe { probe: VirtualProbe::new(port), csw: 0, tar: 0, select: 0 }))
            }
            _ => Err(creation(ProbeCreationError::NotFound)),
        }
    }

    fn list_probes(&self) -> Vec<ProbeListItem> {
        vec![
            listed(TWICE_THERE, "0001", Accessibility::Accessible),
            listed(TWICE_THERE, "0002", Accessibility::Accessible),
            listed(FORBIDDEN, "0001", Accessibility::PermissionDenied),
            listed(IN_USE, "0001", Accessibility::Accessible),
        ]
    }
}

fn told(error: impl fmt::Display) -> DebugProbeError {
    DebugProbeError::Other(error.to_string())
}

/// The emulated board's driver, with a hand on the wire. It follows CSW, TAR and SELECT, to know which word is read.
#[derive(Debug)]
struct FaultyProbe {
    probe: VirtualProbe,
    csw: u32,
    tar: u32,
    select: u32,
}

const DRW: u8 = 0xc;

impl FaultyProbe {
    /// One access more; fails if it is to fail.
    fn touch(&mut self) -> Result<(), ArmError> {
        let mut state = state();
        state.accesses += 1;
        if state.accesses < state.from {
            return Ok(());
        }
        match &state.mischief {
            Mischief::Unplugged => Err(ArmError::Probe(lost())),
            Mischief::Hiccup if !state.done => {
                state.done = true;
                Err(ArmError::Probe(lost()))
            }
            Mischief::Write(words) if !state.done => {
                let words = words.clone();
                state.done = true;
                drop(state);
                self.write_words(&words)
            }
            _ => Ok(()),
        }
    }

    fn write_words(&mut self, words: &[(u32, u32)]) -> Result<(), ArmError> {
        self.probe.raw_write_register(RegisterAddress::DpRegister(dp(8)), 0)?;
        let ap = |address| RegisterAddress::ApRegister(address);
        self.probe.raw_write_register(ap(0), 0x2300_0052)?;
        for (address, value) in words {
            self.probe.raw_write_register(ap(4), *address)?;
            self.probe.raw_write_register(ap(DRW), *value)?;
        }
        let (select, csw, tar) = (self.select, self.csw, self.tar);
        self.probe.raw_write_register(ap(0), csw)?;
        self.probe.raw_write_register(ap(4), tar)?;
        self.probe.raw_write_register(RegisterAddress::DpRegister(dp(8)), select)
    }

    fn is(&self, address: &RegisterAddress, register: u8) -> bool {
        address.is_ap() && self.select & 0xff00_00f0 == 0 && address.lsb() & 0xc == register
    }

    /// What one transfer through DRW reads, and where the next one goes.
    fn seen(&mut self, read: u32) -> u32 {
        let at = self.tar;
        self.advance();
        let state = state();
        match state.mischief {
            Mischief::Lie(address, value) if address == at & !3 && state.accesses >= state.from => value,
            _ => read,
        }
    }

    fn advance(&mut self) {
        if self.csw & 0x30 != 0 {
            let bytes = 1 << (self.csw & 3);
            self.tar = self.tar & !0x3ff | self.tar.wrapping_add(bytes) & 0x3ff;
        }
    }
}

fn dp(address: u8) -> DpRegisterAddress {
    DpRegisterAddress { address, bank: None }
}

impl RawDapAccess for FaultyProbe {
    fn raw_read_register(&mut self, address: RegisterAddress) -> Result<u32, ArmError> {
        self.touch()?;
        let value = self.probe.raw_read_register(address)?;
        Ok(if self.is(&address, DRW) { self.seen(value) } else { value })
    }

    fn raw_read_block(&mut self, address: RegisterAddress, values: &mut [u32]) -> Result<(), ArmError> {
        self.touch()?;
        self.probe.raw_read_block(address, values)?;
        if self.is(&address, DRW) {
            for value in values {
                *value = self.seen(*value);
            }
        }
        Ok(())
    }

    fn raw_write_register(&mut self, address: RegisterAddress, value: u32) -> Result<(), ArmError> {
        self.touch()?;
        self.probe.raw_write_register(address, value)?;
        match address {
            _ if self.is(&address, 0) => self.csw = value,
            _ if self.is(&address, 4) => self.tar = value,
            _ if self.is(&address, DRW) => self.advance(),
            RegisterAddress::DpRegister(register) if register.address == 8 => self.select = value,
            _ => {}
        }
        Ok(())
    }

    fn raw_write_block(&mut self, address: RegisterAddress, values: &[u32]) -> Result<(), ArmError> {
        self.touch()?;
        self.probe.raw_write_block(address, values)?;
        if self.is(&address, DRW) {
            for _ in values {
                self.advance();
            }
        }
        Ok(())
    }

    fn jtag_sequence(&mut self, cycles: u8, tms: bool, tdi: u64) -> Result<(), DebugProbeError> {
        self.probe.jtag_sequence(cycles, tms, tdi)
    }

    fn swj_sequence(&mut self, bit_len: u8, bits: u64) -> Result<(), DebugProbeError> {
        self.probe.swj_sequence(bit_len, bits)
    }

    fn swj_pins(&mut self, out: u32, select: u32, wait: u32) -> Result<u32, DebugProbeError> {
        self.probe.swj_pins(out, select, wait)
    }

    fn into_probe(self: Box<Self>) -> Box<dyn DebugProbe> {
        self
    }

    fn core_status_notification(&mut self, state: CoreStatus) -> Result<(), DebugProbeError> {
        self.probe.core_status_notification(state)
    }
}

impl DapProbe for FaultyProbe {}

impl DebugProbe for FaultyProbe {
    fn get_name(&self) -> &str {
        "failing on purpose"
    }

    fn speed_khz(&self) -> u32 {
        self.probe.speed_khz()
    }

    fn set_speed(&mut self, speed_khz: u32) -> Result<u32, DebugProbeError> {
        self.probe.set_speed(speed_khz)
    }

    fn attach(&mut self) -> Result<(), DebugProbeError> {
        DebugProbe::attach(&mut self.probe)
    }

    fn detach(&mut self) -> Result<(), probe_rs::Error> {
        self.probe.detach()
    }

    fn target_reset(&mut self) -> Result<(), DebugProbeError> {
        self.probe.target_reset()
    }

    fn target_reset_assert(&mut self) -> Result<(), DebugProbeError> {
        self.probe.target_reset_assert()
    }

    fn target_reset_deassert(&mut self) -> Result<(), DebugProbeError> {
        self.probe.target_reset_deassert()
    }

    fn select_protocol(&mut self, protocol: WireProtocol) -> Result<(), DebugProbeError> {
        self.probe.select_protocol(protocol)
    }

    fn active_protocol(&self) -> Option<WireProtocol> {
        self.probe.active_protocol()
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
