//! What the host knows of its own clock: chrony is asked before and after.

use std::process::{Command, Stdio};

use flagfall_reports::measurement::Reference;

/// The host's clock, as it was before a measurement.
#[derive(Debug)]
pub struct HostClock {
    before: Result<String, String>,
    /// What somebody vouches for, in parts per billion.
    vouched_ppb: Option<u64>,
}

impl HostClock {
    /// Asks chrony, if nobody vouches for the clock.
    #[must_use]
    pub fn ask(vouched_ppb: Option<u64>) -> Self {
        let before = match vouched_ppb {
            Some(_) => Err("not asked".to_owned()),
            None => tracking(),
        };
        Self { before, vouched_ppb }
    }

    /// What was known of it before: enough for a look on the way.
    #[must_use]
    pub fn so_far(&self) -> Reference {
        self.known(|| self.before.clone())
    }

    /// What is known of it before and after; asks again.
    #[must_use]
    pub fn reference(&self) -> Reference {
        self.known(tracking)
    }

    fn known(&self, after: impl FnOnce() -> Result<String, String>) -> Reference {
        if let Some(off_ppb) = self.vouched_ppb {
            return Reference::Host { said_by: "--host-off".to_owned(), off_ppb, moved_ns: 0 };
        }
        let known = self
            .before
            .clone()
            .and_then(|before| Reference::kept_by_chrony(&before, &after()?).map_err(|error| error.to_string()));
        known.unwrap_or_else(|why| Reference::unknown_host(&why))
    }
}

/// The line of `chronyc -c tracking`; why there is none.
fn tracking() -> Result<String, String> {
    let output = Command::new("chronyc").args(["-c", "tracking"]).stdin(Stdio::null()).output();
    let output = output.map_err(|_| "there is no chronyc to ask".to_owned())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let line = said.lines().chain(["nothing"]).next().unwrap_or_default().to_owned();
    Err(format!("chronyc says {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_who_vouches_is_believed_and_named() {
        let vouched = HostClock::ask(Some(100)).reference();
        assert_eq!(vouched.to_string(), "±0.1 ppm host (--host-off)");
    }

    #[test]
    fn a_host_that_says_nothing_is_fifty_ppm() {
        let silent = HostClock { before: Err("nobody there".to_owned()), vouched_ppb: None };
        assert_eq!(silent.reference(), Reference::unknown_host("nobody there"));
    }
}
