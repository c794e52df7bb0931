//! How a bench moves the pins of the buttons.

use serde::Deserialize;

use super::buttons::{Buttons, RawButtons};
use super::field::{self, Misfit};

/// How a bench moves the pins of the buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stimulus {
    /// A word written to `window + 4 * line` moves the pin of that line, 0 low and 1 high: the emulator's input lines, or
    /// the bit-band alias of a port's output register whose pins are wired to the buttons'.
    Line {
        /// Where the word of line 0 is.
        window: u64,
    },
    /// Nothing is wired: the probe turns the pull resistors of the buttons' own pins round while the core is halted.
    Pulls {
        /// The port's pull-up/pull-down register, two bits a line (RM0090 section 8.4.4: GPIOx_PUPDR).
        register: u64,
    },
    /// A second board, wired to the buttons, whose port is written through its own probe.
    Driver(Driver),
    /// As pulls, without a stop: host time brackets the act.
    Live {
        /// The port's pull-up/pull-down register.
        register: u64,
    },
}

/// A board that drives the buttons of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// The selector of its probe.
    pub selector: String,
    /// Its chip as probe-rs names it.
    pub chip: String,
    /// The bit set/reset register of its port: the lower half sets pins, the upper half resets them (RM0090 section
    /// 8.4.7: GPIOx_BSRR).
    pub register: u64,
    /// Which of its pins is wired to which button.
    pub pins: Buttons,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStimulus {
    line: Option<RawLine>,
    pulls: Option<RawPulls>,
    driver: Option<RawDriver>,
    live: Option<RawLive>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLine {
    window: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPulls {
    register: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLive {
    pulls: RawPulls,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDriver {
    selector: String,
    chip: String,
    register: u64,
    pins: RawButtons,
}

impl RawStimulus {
    pub(super) fn checked(self) -> Result<Stimulus, Misfit> {
        match (self.line, self.pulls, self.driver, self.live) {
            (Some(line), None, None, None) => {
                Ok(Stimulus::Line { window: field::register("stimulus.line.window", line.window)? })
            }
            (None, Some(pulls), None, None) => {
                Ok(Stimulus::Pulls { register: field::register("stimulus.pulls.register", pulls.register)? })
            }
            (None, None, Some(driver), None) => Ok(Stimulus::Driver(Driver {
                selector: driver.selector,
                chip: driver.chip,
                register: field::register("stimulus.driver.register", driver.register)?,
                pins: driver.pins.checked("stimulus.driver.pins")?,
            })),
            (None, None, None, Some(live)) => {
                Ok(Stimulus::Live { register: field::register("stimulus.live.pulls.register", live.pulls.register)? })
            }
            _ => Err(Misfit::new("stimulus", "exactly one of `line`, `pulls`, `driver` and `live`")),
        }
    }
}
