//! The pins of the buttons, moved while the target stands still.

use super::description::Stimulus;
use super::target::{Target, TargetError};

/// What a contact makes of its pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contact {
    /// It pulls the pin low.
    Closed,
    /// The pin's own resistor pulls it high.
    Open,
}

/// Moves the contact on this input line.
pub(super) fn set(target: &mut Target, stimulus: &Stimulus, line: u32, contact: Contact) -> Result<(), TargetError> {
    match stimulus {
        Stimulus::Line { window } => {
            let level = match contact {
                Contact::Closed => 0,
                Contact::Open => 1,
            };
            target.set_word(window + 4 * u64::from(line), level)
        }
        Stimulus::Pulls { register } => {
            let pulls = target.word(*register)?;
            target.set_word(*register, pulled(pulls, line, contact))
        }
        Stimulus::Driver(_) => target.driver()?.set(line, contact),
    }
}

/// The pull-up/pull-down register with this line's two bits as a contact has them: 1 is up, 2 is down.
const fn pulled(pulls: u32, line: u32, contact: Contact) -> u32 {
    let direction = match contact {
        Contact::Closed => 2,
        Contact::Open => 1,
    };
    pulls & !(3 << (2 * line)) | direction << (2 * line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lines_pull_is_turned_round_and_no_other() {
        let up = 0b01_01_01_01;
        assert_eq!(pulled(up, 1, Contact::Closed), 0b01_01_10_01);
        assert_eq!(pulled(0b01_01_10_01, 1, Contact::Open), up);
        assert_eq!(pulled(0, 15, Contact::Closed), 0x8000_0000);
    }
}
