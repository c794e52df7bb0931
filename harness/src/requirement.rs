//! Which requirements a scenario is a proof of.

use flagfall_judge::ClockExpectation;
use flagfall_scenarios::Scenario;
use flagfall_scenarios::requirement::{Proof, RequirementRow, fide_clock};

/// The ids of the requirements that the scenario is a proof of, sorted: those that it names, and those that every case
/// proves.
///
/// A case proves the latter if its clock is electronic and is expected to be right. One that expects a clock to be wrong
/// shows what the bench finds, and one with dials is about another device.
#[must_use]
pub fn proved_by(scenario: &Scenario) -> Vec<String> {
    let mut ids = scenario.requirements.clone();
    if scenario.clock == ClockExpectation::Right && scenario.draft.clock_kind.is_digital() {
        let every = |requirement: &&RequirementRow| matches!(requirement.proof, Proof::EveryCase(_));
        ids.extend(fide_clock().requirements.iter().filter(every).map(|requirement| requirement.id.clone()));
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}
