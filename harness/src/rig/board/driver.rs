//! A second board, wired to the buttons of the one under test and driven through a probe of its own.

use std::time::Duration;

use probe_rs::{MemoryInterface, Permissions, Session};

use super::description::{self, Buttons, RegisterWrite};
use super::opening;
use super::stimulus::Contact;
use super::target::{TargetError, attach_failed, probe};

/// How long its core may take to halt.
const HALT_BUDGET: Duration = Duration::from_millis(500);

/// A driver board whose pins are outputs of open drain.
///
/// Its core is halted for as long as it drives: whatever program it has touches no pin meanwhile.
pub(super) struct Driver {
    session: Session,
    register: u64,
    /// Which of its pins is wired to which button.
    pins: Buttons,
    /// The buttons under test.
    buttons: Buttons,
}

impl Driver {
    /// Attaches through the probe with this selector, and lets all buttons go.
    pub(super) fn open(
        selector: &str,
        description: &description::Driver,
        buttons: Buttons,
    ) -> Result<Self, TargetError> {
        let session = opening::open(selector)?
            .attach(description.chip.as_str(), Permissions::default())
            .map_err(|error| attach_failed(&description.chip, error))?;
        let (register, pins) = (description.register, description.pins);
        let mut driver = Self { session, register, pins, buttons };
        let mut core = driver.session.core(0).map_err(probe("select the driver's core"))?;
        core.halt(HALT_BUDGET).map_err(probe("halt the driver board"))?;
        for write in &description.start {
            match *write {
                RegisterWrite::Write(address, value) => core.write_word_32(address, value),
                RegisterWrite::Set(address, bits) => {
                    core.read_word_32(address).and_then(|value| core.write_word_32(address, value | bits))
                }
            }
            .map_err(probe("make the driver's pins outputs"))?;
        }
        drop(core);
        for line in driver.buttons.all() {
            driver.set(line, Contact::Open)?;
        }
        Ok(driver)
    }

    /// Closes or opens the contact that is wired to this line of the board under test.
    pub(super) fn set(&mut self, line: u32, contact: Contact) -> Result<(), TargetError> {
        let wired = self.buttons.all().into_iter().zip(self.pins.all()).find(|(button, _)| *button == line);
        let Some((_, pin)) = wired else {
            return Err(TargetError::Handshake(format!("no pin of the driver board is wired to line {line}")));
        };
        let word = set_or_reset(pin, contact);
        self.session
            .core(0)
            .and_then(|mut core| core.write_word_32(self.register, word))
            .map_err(probe("move a pin of the driver board"))
    }
}

/// The word for the bit set/reset register: its upper half resets pins, its lower half sets them.
const fn set_or_reset(pin: u32, contact: Contact) -> u32 {
    match contact {
        Contact::Closed => 1 << (pin + 16),
        Contact::Open => 1 << pin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_contact_pulls_its_pin_low_and_an_open_one_lets_it_go() {
        assert_eq!(set_or_reset(0, Contact::Closed), 0x1_0000);
        assert_eq!(set_or_reset(15, Contact::Closed), 0x8000_0000);
        assert_eq!(set_or_reset(15, Contact::Open), 0x8000);
    }
}
