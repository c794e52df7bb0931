//! Where a plan is carried out: in virtual time, or on a board behind a debug probe.

pub mod board;
pub mod sim;

use flagfall_judge::oracle::Limits;
use flagfall_trace::Trace;

/// What came of carrying out a plan.
#[derive(Debug)]
pub enum Outcome {
    /// The plan was carried out; judge it.
    Ran {
        /// What the rig saw.
        trace: Box<Trace>,
        /// What the rig declares about itself.
        limits: Limits,
        /// Whether the simulator must reproduce it.
        compare: bool,
    },
    /// The clock did something that leaves nothing to judge: it did not stop, crashed, or locked up.
    Broke(String),
    /// The bench failed; nothing is known about the clock.
    Infra(String),
    /// The rig lacks what the plan needs.
    NotApplicable(String),
    /// The end was asked for before the plan was carried out.
    Interrupted,
}
