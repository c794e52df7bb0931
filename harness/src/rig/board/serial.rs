//! Which probe a selector means, however it is written.

use probe_rs::probe::{DebugProbeSelector, list::Lister};

/// The serial number of the probe that a selector leads to; the selector itself where that has none, or where none or
/// several are connected, which opening it will say.
#[must_use]
pub fn probe_serial(selector: &str) -> String {
    let Ok(parsed) = selector.parse::<DebugProbeSelector>() else { return selector.to_owned() };
    if let Some(serial) = parsed.serial_number.as_ref().filter(|serial| !serial.is_empty()) {
        return serial.clone();
    }
    match Lister::new().list(Some(&parsed)).as_slice() {
        [one] => one.serial_number.clone().filter(|serial| !serial.is_empty()).unwrap_or_else(|| selector.to_owned()),
        _ => selector.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serial_that_is_said_is_the_serial() {
        assert_eq!(probe_serial("0483:374b:0669FF"), "0669FF");
        assert_eq!(probe_serial("1d50:6018:127.0.0.1:4242"), "127.0.0.1:4242");
    }

    #[test]
    fn a_probe_that_is_not_there_is_known_by_its_selector() {
        assert_eq!(probe_serial("dead:beef"), "dead:beef");
        assert_eq!(probe_serial("no selector"), "no selector");
    }
}
