//! A board as its YAML file describes it: raw first, then checked once and trusted.

mod bench_notes;
mod buttons;
mod counter;
mod faults;
mod field;
mod game;
mod panel;
mod probe;
mod quarantine;
mod stimulus;
mod symbols;
mod word_or;

use std::path::{Path, PathBuf};

use flagfall_core::TickRate;
use flagfall_scenarios::{BoardText, Diagnostics, FileError, nearest, read_text};
use serde::Deserialize;

pub use bench_notes::BenchNotes;
pub use buttons::Buttons;
pub use counter::{BenchCounter, Counter, RegisterWrite, WithinTick};
pub use faults::{
    BrownOut, BrownOutBy, DisplayFault, Faults, JumpFault, LostPressFault, Possible, RateFault, StuckFault,
};
pub use game::{Game, Zero};
pub use panel::{PanelAt, SerialLine};
pub use probe::Probe;
pub use quarantine::{Quarantine, today};
pub use stimulus::{Acting, Driver, Stimulus};
pub use symbols::{Sign, Symbols, Word};

use bench_notes::RawBenchNotes;
use buttons::RawButtons;
use counter::{RawCounter, RawTrueCounter, RawWithinTick};
use faults::RawFaults;
use field::Misfit;
use panel::RawPanel;
use probe::RawProbe;
use quarantine::RawQuarantine;
use stimulus::RawStimulus;
use symbols::RawSymbols;
use word_or::NoneOr;

/// Furthest that an oscillator may be from its rate, in ppb: a tenth. Those of a chip without a crystal keep within a few
/// percent.
const OSCILLATOR_PPB_MAX: u64 = 100_000_000;

/// Longest latency, notice and gap, in microseconds.
const SPAN_US_MAX: u64 = 1_000_000;

/// A checked description of a board and its bench.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The board's name.
    pub board: String,
    /// What it is, in a sentence or two.
    pub about: Option<String>,
    /// How the debug probe is found.
    pub probe: Probe,
    /// The chip as probe-rs names it.
    pub chip: String,
    /// The ELF to flash; in the file its path is relative to the file's folder.
    pub firmware: PathBuf,
    /// Ticks per second of the firmware's device time.
    pub tick_rate: TickRate,
    /// How fast or slow its oscillator may be.
    pub oscillator_limit_ppb: u64,
    /// Longest time from an act of the bench to its stamp in the firmware.
    pub stamp_latency_max_us: u64,
    /// Longest time from the fall of a flag to the firmware's notice of it.
    pub flag_notice_max_us: u64,
    /// Acts of the bench and flags closer than this may change places.
    pub smallest_gap_us: u64,
    /// Input line of each button.
    pub buttons: Buttons,
    /// How their pins are moved.
    pub stimulus: Stimulus,
    /// Whether it is stopped for that.
    pub acting: Acting,
    /// The counter of the firmware's time base, where it is one.
    pub device_counter: Option<Counter>,
    /// What counts within a tick of it, where that can be read.
    pub within_tick: Option<WithinTick>,
    /// The counter that is true time; without one only order, pins and milliseconds are tested.
    pub true_time: Option<BenchCounter>,
    /// Where what the display shows can be read; `None` if it is not watched.
    pub panel: Option<PanelAt>,
    /// What the probe can make go wrong.
    pub faults: Faults,
    /// Why it is not to be trusted for now.
    pub quarantine: Option<Quarantine>,
    /// What the bench says about itself, for the protocol of a run.
    pub bench: BenchNotes,
    /// Where its clock is, if the firmware offers a bench nothing; then it is watched.
    pub symbols: Option<Symbols>,
}

/// A board file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DescriptionError {
    /// The file cannot be read.
    #[error("cannot read board file {path}: {cause}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: FileError,
    },
    /// It is no YAML, or more than is read (nested too deep, with aliases, with a key given twice), or a value cannot be;
    /// the place is named.
    #[error("a board file cannot be used\n{0}")]
    Wrong(#[from] Diagnostics),
    /// It is no board description; the cause has line and column.
    #[error("{path}: {cause}{}", meant(.cause))]
    Form {
        /// Which.
        path: PathBuf,
        /// Where and why.
        cause: serde_yaml::Error,
    },
}

/// The word that was probably meant, if the cause is one that nobody knows.
fn meant(cause: &serde_yaml::Error) -> String {
    let text = cause.to_string();
    if !text.contains("unknown field") && !text.contains("unknown variant") {
        return String::new();
    }
    let mut words = text.split('`').skip(1).step_by(2);
    let near = words.next().and_then(|word| nearest(word, words));
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDescription {
    board: String,
    about: Option<String>,
    probe: RawProbe,
    chip: String,
    firmware: PathBuf,
    tick_hz: u32,
    oscillator_limit_ppb: u64,
    stamp_latency_max_us: u64,
    flag_notice_max_us: u64,
    smallest_gap_us: u64,
    buttons: RawButtons,
    stimulus: RawStimulus,
    device_counter: Option<RawCounter>,
    within_tick: Option<RawWithinTick>,
    true_time: NoneOr<RawTrueCounter>,
    panel: Option<RawPanel>,
    #[serde(default)]
    faults: RawFaults,
    quarantine: Option<RawQuarantine>,
    #[serde(default)]
    bench: RawBenchNotes,
    symbols: Option<RawSymbols>,
}

impl Description {
    /// Reads and checks a board file.
    ///
    /// # Errors
    /// [`DescriptionError`] with the place or the field.
    pub fn read(path: &Path) -> Result<Self, DescriptionError> {
        let text = read_text(path).map_err(|cause| DescriptionError::Read { path: path.to_owned(), cause })?;
        let written = BoardText::read(&path.display().to_string(), &text)?;
        let raw: RawDescription =
            serde_yaml::from_str(&text).map_err(|cause| DescriptionError::Form { path: path.to_owned(), cause })?;
        let mut description =
            Self::checked(raw, &written).map_err(|Misfit { field, why }| written.wrong(&field, &why))?;
        // Paths in a file are meant from where the file is, whatever folder the command is given in.
        description.firmware = path.parent().unwrap_or(Path::new("")).join(&description.firmware);
        Ok(description)
    }

    /// How many ticks a stamp may be off by itself: one tick of the device, and one count of true time in ticks.
    #[must_use]
    pub fn stamp_ticks(&self) -> u64 {
        let count = self.true_time.as_ref().map(|true_time| self.tick_rate.hz().div_ceil(true_time.counter.hz));
        1 + u64::from(count.unwrap_or(0))
    }

    fn checked(raw: RawDescription, written: &BoardText) -> Result<Self, Misfit> {
        raw.limits()?;
        let tick_rate = TickRate::new(raw.tick_hz).map_err(|error| Misfit::new("tick_hz", error.to_string()))?;
        let device_counter = raw.device_counter.as_ref().map(|raw| raw.checked("device_counter")).transpose()?;
        let true_time = raw.true_time.0.as_ref().map(|raw| raw.checked("true_time")).transpose()?;
        match (&device_counter, &true_time) {
            (Some(device), _) if device.hz != raw.tick_hz => {
                let why = format!("it counts device time, so its hz is tick_hz, {}", raw.tick_hz);
                return Err(Misfit::new("device_counter", why));
            }
            (Some(device), Some(BenchCounter { counter, .. })) if device.address == counter.address => {
                let why = "true time needs a counter of its own, not the one that is under test";
                return Err(Misfit::new("true_time", why));
            }
            (None, Some(_)) if raw.symbols.is_none() => {
                let why = "it is compared with `device_counter`, which is missing; without one say `true_time: none`";
                return Err(Misfit::new("true_time", why));
            }
            _ => {}
        }
        let probe = raw.probe.checked_at("probe")?;
        let (stimulus, acting) = raw.stimulus.checked()?;
        if let Stimulus::Driver(driver) = &stimulus
            && matches!(driver.probe, Probe::Emulator { .. }) != matches!(probe, Probe::Emulator { .. })
        {
            let why = "an emulated board can only be wired to another: both have an `emulator`, or neither";
            return Err(Misfit::new("stimulus.driver.probe", why));
        }
        if matches!(acting, Acting::Armed { .. }) && raw.symbols.is_some() {
            let why = "a firmware that is only watched moves no pin: armed edges need one that offers the contract";
            return Err(Misfit::new("stimulus.armed", why));
        }
        if acting == Acting::Live && raw.symbols.is_some() {
            let why = "a firmware that is only watched is looked at while it stands still: acts without a stop need one \
                       that offers the contract";
            return Err(Misfit::new("stimulus.live", why));
        }
        let panel = raw.panel.map(|raw| raw.checked(&probe)).transpose()?.flatten();
        Ok(Self {
            board: raw.board,
            about: raw.about,
            probe,
            chip: raw.chip,
            firmware: raw.firmware,
            tick_rate,
            oscillator_limit_ppb: raw.oscillator_limit_ppb,
            stamp_latency_max_us: raw.stamp_latency_max_us,
            flag_notice_max_us: raw.flag_notice_max_us,
            smallest_gap_us: raw.smallest_gap_us,
            buttons: raw.buttons.checked("buttons")?,
            stimulus,
            acting,
            device_counter,
            within_tick: raw.within_tick.as_ref().map(RawWithinTick::checked).transpose()?,
            true_time,
            panel,
            faults: raw.faults.checked(tick_rate)?,
            quarantine: raw.quarantine.map(RawQuarantine::checked).transpose()?,
            bench: raw.bench.checked()?,
            symbols: raw.symbols.map(|symbols| symbols.checked(written)).transpose()?,
        })
    }
}

impl RawDescription {
    /// Whether the numbers that bound something are bounds.
    fn limits(&self) -> Result<(), Misfit> {
        if self.oscillator_limit_ppb > OSCILLATOR_PPB_MAX {
            let why = format!("0 to {OSCILLATOR_PPB_MAX}: one that may be off by more than a tenth keeps no time");
            return Err(Misfit::new("oscillator_limit_ppb", why));
        }
        for (field, us) in [
            ("stamp_latency_max_us", self.stamp_latency_max_us),
            ("flag_notice_max_us", self.flag_notice_max_us),
            ("smallest_gap_us", self.smallest_gap_us),
        ] {
            if us > SPAN_US_MAX {
                let why = format!("0 to {SPAN_US_MAX}: a clock that is a second late shows another second");
                return Err(Misfit::new(field, why));
            }
        }
        Ok(())
    }
}
