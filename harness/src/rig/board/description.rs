//! A board as its YAML file describes it: raw first, then checked once and trusted.

use std::path::{Path, PathBuf};

use flagfall_core::{BySide, TickRate};
use flagfall_scenarios::{BoardText, Diagnostics, FileError, read_text};
use serde::Deserialize;

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
    /// Input line of each player's button.
    pub buttons: BySide<u32>,
    /// Input line of the arbiter's button.
    pub arbiter_button: u32,
    /// Where a word written moves a pin.
    pub stimulus_window: u64,
    /// The counter of the firmware's time base.
    pub device_counter: Counter,
    /// The counter that is true time.
    pub bench_counter: Counter,
    /// What starts the bench counter, in order.
    pub bench_counter_start: Vec<RegisterWrite>,
}

/// How a debug probe is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The emulator is started and its own selector taken.
    Emulator {
        /// Virtual time per instruction, 2^n ns.
        icount_shift: u8,
    },
    /// `VID:PID` or `VID:PID:SERIAL`, as probe-rs reads it.
    Selector(String),
}

impl Probe {
    /// The rig's name in results and last lines: `virtual-board`, or the probe's serial number.
    #[must_use]
    pub fn rig_name(&self) -> &str {
        match self {
            Self::Emulator { .. } => "virtual-board",
            Self::Selector(selector) => selector.splitn(3, ':').nth(2).unwrap_or(selector),
        }
    }
}

/// A free-running counter in the target's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Where its value is read.
    pub address: u64,
    /// Counts per second.
    pub hz: u32,
}

/// One write to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterWrite {
    /// The whole register.
    Write(u64, u32),
    /// Only these bits are set.
    Set(u64, u32),
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
    #[error("{path}: {cause}")]
    Form {
        /// Which.
        path: PathBuf,
        /// Where and why.
        cause: serde_yaml::Error,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDescription {
    board: String,
    #[serde(rename = "about")]
    _about: Option<String>,
    probe: RawProbe,
    chip: String,
    firmware: PathBuf,
    tick_hz: u32,
    oscillator_limit_ppb: u64,
    stamp_latency_max_us: u64,
    flag_notice_max_us: u64,
    smallest_gap_us: u64,
    buttons: RawButtons,
    stimulus_window: u64,
    device_counter: RawCounter,
    bench_counter: RawCounter,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProbe {
    emulator: Option<RawEmulator>,
    selector: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEmulator {
    icount_shift: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawButtons {
    white: u32,
    black: u32,
    arbiter: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCounter {
    address: u64,
    bits: u8,
    hz: u32,
    #[serde(default)]
    start: Vec<RawWrite>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWrite {
    address: u64,
    write: Option<u32>,
    set: Option<u32>,
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
        let mut description = Self::checked(raw).map_err(|(field, why)| written.wrong(field, &why))?;
        // Paths in a file are meant from where the file is, whatever folder the command is given in.
        description.firmware = path.parent().unwrap_or(Path::new("")).join(&description.firmware);
        Ok(description)
    }

    fn checked(raw: RawDescription) -> Result<Self, (&'static str, String)> {
        let probe = match (raw.probe.emulator, raw.probe.selector) {
            (Some(emulator), None) if emulator.icount_shift <= 10 => {
                Probe::Emulator { icount_shift: emulator.icount_shift }
            }
            (Some(_), None) => return Err(("probe.emulator.icount_shift", "0 to 10".into())),
            (None, Some(selector)) => Probe::Selector(selector),
            _ => return Err(("probe", "either `emulator` or `selector`".into())),
        };
        let lines = [raw.buttons.white, raw.buttons.black, raw.buttons.arbiter];
        if lines.iter().any(|line| *line > 15) {
            return Err(("buttons", "a line is 0 to 15".into()));
        }
        if lines[0] == lines[1] || lines[0] == lines[2] || lines[1] == lines[2] {
            return Err(("buttons", "three buttons are on three lines".into()));
        }
        if raw.oscillator_limit_ppb > OSCILLATOR_PPB_MAX {
            let why = format!("0 to {OSCILLATOR_PPB_MAX}: one that may be off by more than a tenth keeps no time");
            return Err(("oscillator_limit_ppb", why));
        }
        for (field, us) in [
            ("stamp_latency_max_us", raw.stamp_latency_max_us),
            ("flag_notice_max_us", raw.flag_notice_max_us),
            ("smallest_gap_us", raw.smallest_gap_us),
        ] {
            if us > SPAN_US_MAX {
                return Err((field, format!("0 to {SPAN_US_MAX}: a clock that is a second late shows another second")));
            }
        }
        let bench_counter = raw.bench_counter.checked().map_err(|why| ("bench_counter", why))?;
        let tick_rate = TickRate::new(raw.tick_hz).map_err(|error| ("tick_hz", error.to_string()))?;
        if raw.device_counter.hz != raw.tick_hz {
            return Err(("device_counter", format!("it counts device time, so its hz is tick_hz, {}", raw.tick_hz)));
        }
        if raw.device_counter.address == raw.bench_counter.address {
            let why = "true time needs a counter of its own, not the one that is under test".into();
            return Err(("bench_counter", why));
        }
        let writes = raw.bench_counter.start.iter().map(RawWrite::checked).collect::<Result<_, _>>();
        Ok(Self {
            board: raw.board,
            probe,
            chip: raw.chip,
            firmware: raw.firmware,
            tick_rate,
            oscillator_limit_ppb: raw.oscillator_limit_ppb,
            stamp_latency_max_us: raw.stamp_latency_max_us,
            flag_notice_max_us: raw.flag_notice_max_us,
            smallest_gap_us: raw.smallest_gap_us,
            buttons: BySide::new(raw.buttons.white, raw.buttons.black),
            arbiter_button: raw.buttons.arbiter,
            stimulus_window: raw.stimulus_window,
            device_counter: raw.device_counter.checked().map_err(|why| ("device_counter", why))?,
            bench_counter,
            bench_counter_start: writes.map_err(|why| ("bench_counter.start", why))?,
        })
    }
}

impl RawCounter {
    fn checked(&self) -> Result<Counter, String> {
        if self.bits != 32 {
            return Err(format!("{} bits: a counter has 32", self.bits));
        }
        if self.hz == 0 || self.hz > 1_000_000_000 {
            return Err(format!("{} Hz: a counter runs at 1 Hz to 1 GHz", self.hz));
        }
        Ok(Counter { address: self.address, hz: self.hz })
    }
}

impl RawWrite {
    fn checked(&self) -> Result<RegisterWrite, String> {
        match (self.write, self.set) {
            (Some(value), None) => Ok(RegisterWrite::Write(self.address, value)),
            (None, Some(bits)) => Ok(RegisterWrite::Set(self.address, bits)),
            _ => Err(format!("register {:#x}: either `write` or `set`", self.address)),
        }
    }
}
