//! The probes of a board, held for as long as a command uses them.

use std::time::Duration;

use crate::interrupt::Interrupt;
use crate::lease::{Lease, LeaseError, Leases};
use crate::rig::board::{Description, Probe, Stimulus, probe_serial};

/// Leases on every probe that a board needs; none for an emulated board, of which each run has its own.
#[derive(Debug)]
pub struct Held(Vec<Lease>);

impl Held {
    /// Takes the probes of a board, and waits so long for those that somebody has; `told` is told whom for.
    ///
    /// # Errors
    /// [`LeaseError`] with the holder.
    pub fn take(
        description: &Description,
        patience: Duration,
        interrupt: &Interrupt,
        told: impl FnMut(&LeaseError),
    ) -> Result<Self, LeaseError> {
        Self::take_of(&Leases::of_this_machine(), &probes(description), patience, interrupt, told)
    }

    fn take_of(
        leases: &Leases,
        probes: &[String],
        patience: Duration,
        interrupt: &Interrupt,
        mut told: impl FnMut(&LeaseError),
    ) -> Result<Self, LeaseError> {
        let purpose = purpose();
        let held = probes.iter().map(|probe| leases.wait(probe, &purpose, patience, interrupt, &mut told));
        Ok(Self(held.collect::<Result<_, _>>()?))
    }

    /// Says that the probes are still in use.
    ///
    /// # Errors
    /// [`LeaseError::Io`]; the probes are held all the same.
    pub fn renew(&mut self) -> Result<(), LeaseError> {
        self.0.iter_mut().try_for_each(Lease::renew)
    }
}

/// The serials of the probes that a board needs, in order: two commands that need the same two cannot wait for each other.
#[must_use]
pub fn probes(description: &Description) -> Vec<String> {
    let mut probes = Vec::new();
    if let Probe::Selector(selector) = &description.probe {
        probes.push(probe_serial(selector));
    }
    if let Stimulus::Driver(driver) = &description.stimulus
        && let Probe::Selector(selector) = &driver.probe
    {
        probes.push(probe_serial(selector));
    }
    probes.sort();
    probes.dedup();
    probes
}

/// The command line, without the folders of the program.
fn purpose() -> String {
    let mut words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(program) = words.first_mut() {
        *program = program.rsplit('/').next().unwrap_or_default().to_owned();
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_two_probes_that_is_taken_leaves_the_other_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let (ann, bob) = (Leases::in_folder(folder.path(), "ann"), Leases::in_folder(folder.path(), "bob"));
        let lease = ann.take("driver", "wiring").expect("free");
        let both = ["clock".to_owned(), "driver".to_owned()];
        let take = |told: &mut Vec<String>| {
            let patience = Duration::from_millis(50);
            Held::take_of(&bob, &both, patience, &Interrupt::default(), |error| told.push(error.to_string()))
        };
        let mut told = Vec::new();
        take(&mut told).expect_err("one is taken");
        assert!(told.len() == 1 && told[0].starts_with("probe driver is taken: ann, process"), "{told:?}");
        ann.take("clock", "the other").expect("it was let go");
        drop(lease);
        let mut held = take(&mut told).expect("both are free");
        held.renew().expect("written");
        assert!(ann.take("clock", "run").is_err() && ann.take("driver", "run").is_err());
    }
}
