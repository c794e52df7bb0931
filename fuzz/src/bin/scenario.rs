//! Any bytes as a scenario file: it is read up to the instants of its plan, or refused with a place for each problem.
//!
//! It deliberately does not run the plan: how long a game takes to play says nothing about the reader.
#![no_main]

use flagfall_judge::oracle;
use flagfall_scenarios::{Diagnostics, read_str, rulebook};
use libfuzzer_sys::fuzz_target;

/// The file as the reader is told that it is called.
const NAME: &str = "fuzzed.yaml";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    match read_str(NAME, "fuzz/fuzzed", &text) {
        Err(diagnostics) => explained(&diagnostics),
        Ok(scenario) => {
            if let Err(diagnostics) = scenario.check_rulebooks(rulebook::keys()) {
                explained(&diagnostics);
            }
            assert_eq!(scenario.step_lines.len(), scenario.draft.steps.len(), "a step has a line");
            match oracle::resolve(scenario.draft.clone()) {
                Err(error) => explained(&scenario.diagnose_step(error.step, &error.cause.to_string())),
                Ok(plan) => {
                    assert!(plan.steps.is_sorted_by_key(|step| step.at), "steps are in order");
                    assert_eq!(plan.steps.last().map(|step| step.at), Some(plan.end), "a plan ends with a look");
                }
            }
        }
    }
});

/// What is refused is explained, with a place in the file.
fn explained(diagnostics: &Diagnostics) {
    assert!(diagnostics.titles().all(|title| !title.is_empty()), "a problem has a title");
    assert!(diagnostics.render(false).contains(&format!("{NAME}:")), "a problem has a place: {diagnostics}");
    assert!(diagnostics.render(true).contains("error"), "colours leave the words as they are");
}
