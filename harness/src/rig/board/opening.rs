//! From a selector to an open probe, and to the chip behind it: what may be wrong before anything runs.

use std::error::Error;
use std::io;

use probe_rs::probe::list::{Accessibility, Lister};
use probe_rs::probe::{DebugProbeError, DebugProbeSelector, Probe, ProbeCreationError, WireProtocol};

use super::probes::{RULES_FILE, udev_rule};
use super::target::chain;

/// Why a probe cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// No selector at all: correct it in the board file.
    #[error("{selector:?} is no selector: {cause}; write VID:PID or VID:PID:SERIAL, as `flagfall probes` prints it")]
    Selector {
        /// The text.
        selector: String,
        /// What is wrong with it.
        cause: String,
    },
    /// Nothing answers to the selector: plug the probe in, or correct the selector.
    #[error(
        "no probe answers to {0}: plug it in, or start what serves it, or correct `probe.selector` \
         (`flagfall probes` lists those that are there)"
    )]
    None(String),
    /// The selector does not say which: add the serial number.
    #[error("{selector} fits {} probes ({}): add the serial number to `probe.selector`", serials.len(), serials.join(", "))]
    Several {
        /// The selector.
        selector: String,
        /// The serial numbers of those that fit.
        serials: Vec<String>,
    },
    /// The user may not open it: install a udev rule.
    #[error(
        "this user may not open the probe {selector}: put `{rule}` into {RULES_FILE}, run `udevadm control --reload` as \
         root, and plug the probe in again"
    )]
    Permission {
        /// The selector.
        selector: String,
        /// The rule.
        rule: String,
    },
    /// It is there, and somebody else has it, or it is stuck.
    #[error("the probe {selector} is there and cannot be opened: {cause}; end what uses it, or plug it in again")]
    Busy {
        /// The selector.
        selector: String,
        /// What probe-rs says.
        cause: String,
    },
}

/// Opens the one probe with this selector, for SWD.
pub(super) fn open(text: &str) -> Result<Probe, ProbeError> {
    let named = || text.to_owned();
    let selector: DebugProbeSelector =
        text.parse().map_err(|error| ProbeError::Selector { selector: named(), cause: chain(&error) })?;
    let lister = Lister::new();
    let fitting = lister.list_with_access(Some(&selector));
    if fitting.len() > 1 {
        let serial = |probe: &probe_rs::probe::DebugProbeInfo| probe.serial_number.clone();
        let serials = fitting.iter().map(|item| serial(&item.info).unwrap_or_else(|| "no serial".into()));
        return Err(ProbeError::Several { selector: named(), serials: serials.collect() });
    }
    if fitting.iter().any(|item| item.accessibility == Accessibility::PermissionDenied) {
        return Err(forbidden(&selector));
    }
    // A driver that reaches a probe over TCP lists it unseen.
    let is_seen = !fitting.is_empty() && selector.serial_number.as_ref().is_none_or(|serial| !serial.contains(':'));
    let refused = |error| refused(&selector, is_seen, &error);
    let mut probe = lister.open(selector.clone()).map_err(refused)?;
    probe.select_protocol(WireProtocol::Swd).map_err(refused)?;
    Ok(probe)
}

fn forbidden(selector: &DebugProbeSelector) -> ProbeError {
    let rule = udev_rule(selector.vendor_id, selector.product_id);
    ProbeError::Permission { selector: selector.to_string(), rule }
}

fn refused(selector: &DebugProbeSelector, is_seen: bool, error: &DebugProbeError) -> ProbeError {
    if is_a_matter_of_permission(error) {
        return forbidden(selector);
    }
    let selector = selector.to_string();
    match error {
        DebugProbeError::ProbeCouldNotBeCreated(ProbeCreationError::NotFound) => ProbeError::None(selector),
        // Drivers that were asked as well: of a machine without USB they say that they cannot look.
        DebugProbeError::ProbeCouldNotBeCreated(ProbeCreationError::Usb(_)) if !is_seen => ProbeError::None(selector),
        error => ProbeError::Busy { selector, cause: chain(error) },
    }
}

/// Whether the system refused, somewhere down the chain of causes.
fn is_a_matter_of_permission(error: &DebugProbeError) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::PermissionDenied) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// A chip that boards of ours have.
struct Device {
    name: &'static str,
    /// Its number in DBGMCU_IDCODE (RM0090 section 38.6.1, RM0351 section 48.6.1).
    number: u32,
    /// All that have this number.
    family: &'static str,
    /// Where each has its own (RM0090 section 39.1, RM0351 section 49.1).
    unique_id: u64,
}

const F405: Device =
    Device { name: "STM32F405", number: 0x413, family: "STM32F405, F407, F415 or F417", unique_id: 0x1fff_7a10 };
const DEVICES: [Device; 3] = [
    F405,
    Device { name: "STM32F407", ..F405 },
    Device { name: "STM32L475", number: 0x415, family: "STM32L475, L476 or L486", unique_id: 0x1fff_7590 },
];

/// Where the number of a chip of the family of `chip` is read; `None` for a chip whose number is not known here.
pub(super) fn identity_register(chip: &str) -> Option<u64> {
    DEVICES.iter().any(|device| chip.starts_with(device.name)).then_some(0xE004_2000)
}

/// Where the number is that each device of the family of `chip` has of its own, three words; `None` where it is not known.
pub(super) fn unique_id_at(chip: &str) -> Option<u64> {
    DEVICES.iter().find(|device| chip.starts_with(device.name)).map(|device| device.unique_id)
}

/// What is wrong with a chip that says this of itself.
pub(super) fn misidentified(chip: &str, idcode: u32) -> Option<String> {
    let wanted = DEVICES.iter().find(|device| chip.starts_with(device.name))?.number;
    let found = idcode & 0xfff;
    if found == wanted {
        return None;
    }
    let family = DEVICES.iter().find(|device| device.number == found).map(|device| format!(", {}", device.family));
    Some(format!("device {found:#05x}{} where {chip} has {wanted:#05x}", family.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_is_known_by_its_number() {
        assert_eq!((identity_register("nRF51822_xxAA"), unique_id_at("nRF51822_xxAA")), (None, None));
        assert_eq!(misidentified("STM32F405RGTx", 0x1007_6413), None);
        assert_eq!(misidentified("nRF51822_xxAA", 0), None);
        assert_eq!(
            misidentified("STM32F405RGTx", 0x1007_6415).as_deref(),
            Some("device 0x415, STM32L475, L476 or L486 where STM32F405RGTx has 0x413")
        );
    }
}
