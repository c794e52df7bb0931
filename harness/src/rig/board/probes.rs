//! The debug probes that this machine has, found without opening any.

use probe_rs::probe::list::{Accessibility, Lister, ProbeListItem};
use serde::Serialize;

/// Where users put udev rules of their own for probes.
pub const RULES_FILE: &str = "/etc/udev/rules.d/69-probes.rules";

/// A probe that answers on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundProbe {
    /// What it calls itself.
    pub name: String,
    /// What a board file has as `probe.selector`; with a serial number it means this probe and no other.
    pub selector: String,
    /// Its serial number, if it has one.
    pub serial: Option<String>,
    /// Whether this user may open it.
    pub accessible: bool,
    /// The udev rule that would allow it, for a probe that may not be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub udev_rule: Option<String>,
}

/// The probes that probe-rs finds, sorted by their selectors. Emulated ones are named by board files and not found.
#[must_use]
pub fn found() -> Vec<FoundProbe> {
    let mut probes: Vec<FoundProbe> = Lister::new().list_all_with_access().iter().map(FoundProbe::of).collect();
    probes.sort_by(|one, other| one.selector.cmp(&other.selector));
    probes.dedup();
    probes
}

impl FoundProbe {
    fn of(item: &ProbeListItem) -> Self {
        let info = &item.info;
        Self::new(
            info.identifier.clone(),
            (info.vendor_id, info.product_id),
            info.serial_number.clone(),
            item.accessibility == Accessibility::Accessible,
        )
    }

    fn new(name: String, (vendor, product): (u16, u16), serial: Option<String>, accessible: bool) -> Self {
        let ids = format!("{vendor:04x}:{product:04x}");
        let selector = serial.as_ref().map_or_else(|| ids.clone(), |serial| format!("{ids}:{serial}"));
        let udev_rule = (!accessible).then(|| udev_rule(vendor, product));
        Self { name, selector, serial, accessible, udev_rule }
    }
}

/// The rule that gives a probe to whoever sits at the machine (systemd's `uaccess`).
#[must_use]
pub fn udev_rule(vendor: u16, product: u16) -> String {
    format!(
        r#"SUBSYSTEM=="usb", ATTRS{{idVendor}}=="{vendor:04x}", ATTRS{{idProduct}}=="{product:04x}", TAG+="uaccess""#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_that_may_not_be_opened_comes_with_the_rule_that_allows_it() {
        let ids = (0x0483, 0x374b);
        let free = FoundProbe::new("STLink V2-1".into(), ids, Some("066EFF".into()), true);
        assert_eq!((free.selector.as_str(), &free.udev_rule), ("0483:374b:066EFF", &None));
        let shut = FoundProbe::new("STLink V2-1".into(), ids, None, false);
        assert_eq!(shut.selector, "0483:374b");
        assert_eq!(
            shut.udev_rule.as_deref(),
            Some(r#"SUBSYSTEM=="usb", ATTRS{idVendor}=="0483", ATTRS{idProduct}=="374b", TAG+="uaccess""#)
        );
    }
}
