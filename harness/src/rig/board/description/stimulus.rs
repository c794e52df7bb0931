//! How a bench moves the pins of the buttons.

use serde::Deserialize;

use super::buttons::{Buttons, RawButtons};
use super::counter::{RawWrite, RegisterWrite};
use super::field::{self, Misfit};
use super::probe::{Probe, RawProbe};

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
}

/// Whether the core stands still while its buttons are pressed, and who presses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acting {
    /// It is stopped for each act, and the act is done at one instant of its time.
    AtStops,
    /// It is never stopped, and each act lies between two readings of true time; of the host's clock where the board has no
    /// counter for it.
    Live,
    /// It is stopped before a train of edges and told of them; its firmware makes them at its own pins. What cannot be told
    /// beforehand is done at stops.
    Armed {
        /// What two edges of a train are apart at least.
        gap_us: u64,
        /// How long before its first edge a train is armed.
        lead_us: u64,
    },
}

/// A board that drives the buttons of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// How its probe is found. An emulated driver is wired to an emulated clock by a cable that connects pin n to line n.
    pub probe: Probe,
    /// Its chip as probe-rs names it.
    pub chip: String,
    /// What makes its pins outputs of open drain, let go, in order.
    pub start: Vec<RegisterWrite>,
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
    armed: Option<RawArmed>,
}

/// What a firmware does itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArmed {
    pulls: RawPulls,
    gap_us: u64,
    lead_us: u64,
}

/// The longest gap and lead: a plan has acts in each second.
const ARMED_US_MAX: u64 = 1_000_000;

impl RawArmed {
    fn checked(self) -> Result<(Stimulus, Acting), Misfit> {
        for (key, us) in [("gap_us", self.gap_us), ("lead_us", self.lead_us)] {
            if !(1..=ARMED_US_MAX).contains(&us) {
                return Err(Misfit::new(format!("stimulus.armed.{key}"), format!("1 to {ARMED_US_MAX} us")));
            }
        }
        let register = field::register("stimulus.armed.pulls.register", self.pulls.register)?;
        Ok((Stimulus::Pulls { register }, Acting::Armed { gap_us: self.gap_us, lead_us: self.lead_us }))
    }
}

/// What can be done without a stop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLive {
    line: Option<RawLine>,
    pulls: Option<RawPulls>,
    driver: Option<RawDriver>,
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
struct RawDriver {
    probe: RawProbe,
    chip: String,
    start: Vec<RawWrite>,
    register: u64,
    pins: RawButtons,
}

impl RawStimulus {
    pub(super) fn checked(self) -> Result<(Stimulus, Acting), Misfit> {
        let Self { line, pulls, driver, live, armed } = self;
        let some = usize::from(line.is_some()) + usize::from(pulls.is_some()) + usize::from(driver.is_some());
        match (live, armed) {
            (None, None) if some == 1 => Ok((of(line, pulls, driver, "stimulus")?, Acting::AtStops)),
            (None, Some(armed)) if some == 0 => armed.checked(),
            (Some(RawLive { line, pulls, driver }), None) if some == 0 => {
                Ok((of(line, pulls, driver, "stimulus.live")?, Acting::Live))
            }
            _ => Err(Misfit::new("stimulus", "exactly one of `line`, `pulls`, `driver`, `live` and `armed`")),
        }
    }
}

fn of(
    line: Option<RawLine>,
    pulls: Option<RawPulls>,
    driver: Option<RawDriver>,
    field: &str,
) -> Result<Stimulus, Misfit> {
    match (line, pulls, driver) {
        (Some(line), None, None) => {
            Ok(Stimulus::Line { window: field::register(&format!("{field}.line.window"), line.window)? })
        }
        (None, Some(pulls), None) => {
            Ok(Stimulus::Pulls { register: field::register(&format!("{field}.pulls.register"), pulls.register)? })
        }
        (None, None, Some(driver)) => driver.checked(&format!("{field}.driver")).map(Stimulus::Driver),
        _ => Err(Misfit::new(field, "exactly one of `line`, `pulls` and `driver`")),
    }
}

impl RawDriver {
    fn checked(self, field: &str) -> Result<Driver, Misfit> {
        let at = |key: &str| format!("{field}.{key}");
        let start = self.start.iter().map(|write| write.checked(&at("start")));
        Ok(Driver {
            probe: self.probe.checked_at(&at("probe"))?,
            chip: self.chip,
            start: start.collect::<Result<_, _>>()?,
            register: field::register(&at("register"), self.register)?,
            pins: self.pins.checked(&at("pins"))?,
        })
    }
}
