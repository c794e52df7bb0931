//! Options about the bench that a command works on.

use std::time::Duration;

use clap::Args;
use jiff::SignedDuration;

use crate::protocol::Said;

/// What is known of the bench.
#[derive(Clone, Debug, Args)]
pub struct OnBench {
    /// Wait so long for a probe that somebody else has: 10m, 1h30m [default: not at all].
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "board")]
    pub wait: Option<Duration>,
    /// The number of the device under test, for the protocol.
    #[arg(long, value_name = "SERIAL", requires = "board")]
    pub dut: Option<String>,
    /// Who makes the run, for the protocol.
    #[arg(long, value_name = "NAME", requires = "board")]
    pub operator: Option<String>,
    /// The temperature of the device in degrees Celsius, for the protocol: 23.5.
    #[arg(long, value_name = "CELSIUS", value_parser = temperature, allow_hyphen_values = true, requires = "board")]
    pub temperature: Option<String>,
}

impl OnBench {
    /// How long to wait for a probe.
    #[must_use]
    pub fn patience(&self) -> Duration {
        self.wait.unwrap_or_default()
    }

    /// What goes into the protocol.
    #[must_use]
    pub fn said(&self) -> Said {
        let (dut_serial, operator) = (self.dut.clone(), self.operator.clone());
        Said { dut_serial, chip_serial: None, operator, temperature_c: self.temperature.clone() }
    }
}

/// A time as people write it: `10m`, `1h30m`.
///
/// # Errors
/// What is wrong with it.
pub fn duration(text: &str) -> Result<Duration, String> {
    let parsed: SignedDuration = text.parse().map_err(|_| "a time with its unit: 90s, 10m, 1h30m".to_owned())?;
    Duration::try_from(parsed).map_err(|_| "a time that is not negative".to_owned())
}

/// A temperature as a thermometer shows it, kept with the digits that it was given.
fn temperature(text: &str) -> Result<String, String> {
    let wrong = || "degrees Celsius from -60 to 200, such as 23.5".to_owned();
    let (whole, tenths) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(tenths) || !digits(whole.trim_start_matches('-')) {
        return Err(wrong());
    }
    match whole.parse::<i32>() {
        Ok(-60..=200) => Ok(text.to_owned()),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit() {
        assert_eq!(duration("1h30m"), Ok(Duration::from_secs(5_400)));
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        for text in ["", "10", "ten minutes", "-5m"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_temperature_keeps_its_digits() {
        for text in ["23.5", "-10", "0.0", "-0.5", "23.50"] {
            assert_eq!(temperature(text).as_deref(), Ok(text));
        }
        for text in ["", "23,5", "warm", "1e3", "999", "23.", "--1", "-"] {
            assert!(temperature(text).is_err(), "{text}");
        }
    }
}
