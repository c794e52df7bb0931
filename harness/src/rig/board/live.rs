//! A board that somebody plays on: nothing is planned, each act comes when it comes.

use flagfall_core::{DeviceTime, Record, TrueTime};
use flagfall_trace::bench_record::StackUse;
use flagfall_trace::plan::{Act, Plan};
use flagfall_trace::{Achieved, Stamped, Trace};

use super::bench::Bench;
use super::target::TargetError;
use super::{Board, OpenError};

/// A board whose clock has been set up, and what has been done with it since.
///
/// The board stands still between two calls, as it does between two steps of a plan.
pub struct Live<'a> {
    bench: Bench<'a>,
}

impl Board {
    /// Opens the board, if it is not open, and sets its clock up as a plan has it; steps of the plan are not carried out.
    ///
    /// # Errors
    /// [`OpenError`] with what to do about it.
    pub fn live(&mut self, plan: &Plan) -> Result<Live<'_>, OpenError> {
        if self.target.is_none() {
            self.open()?;
        }
        let Some(target) = &mut self.target else { return Err(OpenError::Target(TargetError::Interrupted)) };
        Ok(Live { bench: Bench::begin(target, &self.description, plan)? })
    }
}

impl Live<'_> {
    /// True time since the clock was set up, at the latest stop.
    #[must_use]
    pub fn now(&self) -> TrueTime {
        self.bench.now()
    }

    /// Lets the board run until then, as nearly as it can be stopped.
    ///
    /// # Errors
    /// [`TargetError`]; the board has to be opened anew after it.
    pub fn run_until(&mut self, at: TrueTime) -> Result<(), TargetError> {
        self.bench.wait_until(at)
    }

    /// Does one thing now, and says when it was done. `step` is the place of the act among all that were done.
    ///
    /// # Errors
    /// [`TargetError`]; the board has to be opened anew after it.
    pub fn act(&mut self, step: u32, act: &Act) -> Result<Achieved, TargetError> {
        self.bench.wait_until(self.bench.now())?;
        self.bench.act(step, act)
    }

    /// The faces as they are now; the trace does not tell of this look.
    ///
    /// # Errors
    /// [`TargetError`]; the board has to be opened anew after it.
    pub fn look(&mut self) -> Result<Record, TargetError> {
        self.bench.look()
    }

    /// What the device's clock and true time said at the latest stop.
    pub(super) fn clocks(&self) -> (DeviceTime, TrueTime) {
        self.bench.clocks()
    }

    /// What the device has written since it was set up.
    pub(super) fn records(&self) -> Vec<Stamped> {
        self.bench.stamped()
    }

    /// How many bytes of its stack the firmware has ever used, of how many; `None` if it does not paint it.
    ///
    /// # Errors
    /// [`TargetError`]; the board has to be opened anew after it.
    pub(super) fn stack(&mut self) -> Result<Option<StackUse>, TargetError> {
        self.bench.stack()
    }

    /// What has come of all that was done so far, if the plan is what was done.
    #[must_use]
    pub fn trace(&self, plan: &Plan) -> Trace {
        self.bench.trace(plan)
    }
}
