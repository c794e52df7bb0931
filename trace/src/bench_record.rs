//! On what a run on a board was made, as `bench.json` has it beside the results: what a laboratory writes at the head of a
//! protocol, so that a figure can be traced to a device, an image and a reference.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of the file in a folder of results.
pub const FILE: &str = "bench.json";

/// On what a run was made. What nobody said is absent, never guessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchRecord {
    /// The version of the form: 1.
    pub schema: u32,
    /// `virtual-board`, or the serial of the probe.
    pub rig: String,
    /// The board's name, from its file.
    pub board: String,
    /// The chip, as probe-rs names it.
    pub chip: String,
    /// How the probe was found: a selector, or the emulator and how it was started.
    pub probe: String,
    /// The device under test: the number on its label, or what the chip says.
    pub dut_serial: Option<String>,
    /// What ran on it.
    pub firmware: Firmware,
    /// What kept true time.
    pub reference: Option<Reference>,
    /// The temperature of the device in degrees Celsius, as it was written down: `23.5`.
    pub temperature_c: Option<String>,
    /// Who made the run.
    pub operator: Option<String>,
    /// How time passed.
    pub technique: Technique,
    /// How deep the firmware's stack has been in the run; absent before its end, and where the firmware does not paint it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<StackUse>,
    /// The version of the program that made the run.
    pub flagfall: String,
}

/// How much of its stack a firmware has used, of how much there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StackUse {
    /// From its top to the deepest word that was ever written.
    pub used_bytes: u64,
    /// All of it.
    pub of_bytes: u64,
}

impl fmt::Display for StackUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "deepest stack {} of {} bytes", self.used_bytes, self.of_bytes)
    }
}

/// An image in flash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Firmware {
    /// The name of its file.
    pub file: String,
    /// SHA-256 of the file, 64 digits.
    pub sha256: String,
    /// What the image says of itself; absent on firmware without a contract.
    pub build_id: Option<String>,
}

/// What kept true time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Which clock: `TIM5 of the emulator`, `GPSDO 7`.
    pub clock: String,
    /// When it was last compared with a better one: `2026-05-01`.
    pub calibrated: Option<String>,
}

/// How time passed in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Technique {
    /// In an emulator: every instruction runs, and time is what the emulator says. Nothing is learnt of an oscillator.
    Virtual,
    /// As it passes.
    Real,
    /// The counters of device time and of true time were moved on while nothing was due. Nothing is learnt of an oscillator.
    Jumped,
}

impl Technique {
    /// Whether a rate that was found this way is the rate of the device's oscillator.
    #[must_use]
    pub const fn tests_the_rate(self) -> bool {
        matches!(self, Self::Real)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Virtual => "virtual time: no test of the rate",
            Self::Real => "real time",
            Self::Jumped => "jumped time: no test of the rate",
        })
    }
}

impl BenchRecord {
    /// The version of the form.
    pub const SCHEMA: u32 = 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_this_one() {
        let text = r#"{"schema":1,"rig":"0669FF","board":"bench 3","chip":"STM32F405RGTx","probe":"0483:374b:0669FF","dut_serial":"17","firmware":{"file":"clock.elf","sha256":"00","build_id":"8d5f"},"reference":{"clock":"GPSDO 7","calibrated":"2026-05-01"},"temperature_c":"23.5","operator":"ann","technique":"jumped","flagfall":"0.1.0"}"#;
        let record: BenchRecord = serde_json::from_str(text).expect("a record");
        assert_eq!(serde_json::to_string(&record).expect("JSON"), text);
        assert!(!record.technique.tests_the_rate());
        let deep = text
            .replace(r#""technique":"jumped""#, r#""technique":"jumped","stack":{"used_bytes":964,"of_bytes":4096}"#);
        let record: BenchRecord = serde_json::from_str(&deep).expect("a record");
        assert_eq!(serde_json::to_string(&record).expect("JSON"), deep);
        assert_eq!(record.stack.expect("it is there").to_string(), "deepest stack 964 of 4096 bytes");
    }

    #[test]
    fn only_a_run_in_real_time_tests_a_rate() {
        let all = [Technique::Virtual, Technique::Real, Technique::Jumped];
        for technique in all {
            assert_eq!(technique.to_string().contains("no test of the rate"), !technique.tests_the_rate());
        }
        assert_eq!(all.iter().filter(|technique| technique.tests_the_rate()).count(), 1);
    }
}
