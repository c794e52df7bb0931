//! The rig in virtual time.

use flagfall_judge::oracle::Limits;
use flagfall_sim::Budget;
use flagfall_trace::plan::Plan;

use super::Outcome;

/// The rig's name in results and last lines.
pub const NAME: &str = "sim";

/// Carries a plan out in virtual time.
#[must_use]
pub fn run(plan: &Plan) -> Outcome {
    match flagfall_sim::run(plan, &Budget::default()) {
        Ok(trace) => Outcome::Ran { trace: Box::new(trace), limits: Limits::virtual_time(plan), compare: false },
        Err(error) => Outcome::Infra(error.to_string()),
    }
}
