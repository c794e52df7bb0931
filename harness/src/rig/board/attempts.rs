//! What the bench breaks is tried again on a board that is opened anew; what the clock does wrong is not.

use std::thread::sleep;
use std::time::Duration;

use flagfall_scenarios::Scenario;
use flagfall_trace::Retried;
use flagfall_trace::bench_record::StackUse;
use flagfall_trace::plan::Plan;

use super::{Board, not_applicable_to};
use crate::rig::Outcome;

/// How long a probe that has just failed is left alone: one that was plugged in anew is known after a moment.
const PAUSE: Duration = Duration::from_millis(200);

/// How often a scenario is tried again, unless the caller says otherwise.
pub const RETRIES: u32 = 1;

/// A board that is tried again.
pub struct Attempts {
    board: Board,
    retries: u32,
    /// How often it could not be opened since it last could.
    unopened: u32,
    /// Why it is not tried any more.
    dead: Option<String>,
}

/// What came of a plan, and what came of it before.
#[derive(Debug)]
pub struct Attempted {
    /// The last.
    pub outcome: Outcome,
    /// Those before, if the bench failed in them.
    pub retried: Option<Retried>,
    /// How deep the firmware's stack was in it, where that is known.
    pub stack: Option<StackUse>,
}

impl From<Outcome> for Attempted {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, retried: None, stack: None }
    }
}

impl Attempts {
    /// So many more tries for each plan in which the bench fails.
    #[must_use]
    pub const fn new(board: Board, retries: u32) -> Self {
        Self { board, retries, unopened: 0, dead: None }
    }

    /// Opens the board, as often as it takes and is allowed.
    ///
    /// # Errors
    /// The last [`OpenError`](super::OpenError).
    pub fn open(&mut self, mut tell: impl FnMut(&super::OpenError)) -> Result<(), super::OpenError> {
        for _ in 0..self.retries {
            match self.board.open() {
                Ok(()) => return Ok(()),
                Err(error) if error.will_stay() => return Err(error),
                Err(error) => tell(&error),
            }
            sleep(PAUSE);
        }
        self.board.open()
    }

    /// The number that the chip of an open board has of its own.
    ///
    /// # Errors
    /// [`TargetError`](super::TargetError) of the probe.
    pub fn chip_serial(&mut self) -> Result<Option<String>, super::TargetError> {
        self.board.chip_serial()
    }

    /// Carries out the plan of a scenario, if what that expects can be seen here.
    pub fn run_scenario(&mut self, plan: &Plan, scenario: &Scenario) -> Attempted {
        match not_applicable_to(&self.board.description, plan, scenario) {
            Some(reason) => Outcome::NotApplicable(reason).into(),
            None => self.run(plan),
        }
    }

    /// Carries a plan out. Once the board could not be opened as often in a row as a plan may be tried, the rest is
    /// [`Outcome::Infra`] with that cause at once.
    pub fn run(&mut self, plan: &Plan) -> Attempted {
        let mut retried = None::<Retried>;
        loop {
            let outcome = self.once(plan);
            let stack = self.board.stack.take();
            let tried = retried.as_ref().map_or(0, |retried| retried.times);
            let Outcome::Infra(cause) = &outcome else { return Attempted { outcome, retried, stack } };
            if tried == self.retries || self.dead.is_some() {
                return Attempted { outcome, retried, stack };
            }
            retried.get_or_insert_with(|| Retried { times: 0, first_cause: cause.clone() }).times += 1;
            sleep(PAUSE);
        }
    }

    fn once(&mut self, plan: &Plan) -> Outcome {
        if let Some(cause) = &self.dead {
            let reason = self.board.lacks(plan);
            return reason.map_or_else(|| Outcome::Infra(cause.clone()), Outcome::NotApplicable);
        }
        match self.board.prepare(plan) {
            Some(Outcome::Infra(cause)) => {
                self.unopened += 1;
                if self.unopened > self.retries {
                    let times = if self.unopened == 1 { "once".into() } else { format!("{} times", self.unopened) };
                    self.dead = Some(format!("the board could not be opened {times} in a row: {cause}"));
                }
                Outcome::Infra(cause)
            }
            Some(outcome) => outcome,
            None => {
                self.unopened = 0;
                self.board.run(plan)
            }
        }
    }
}
