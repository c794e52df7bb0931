//! From expressions to instants: every time in a plan, computed on an exact clock before the run.

use flagfall_core::{Side, TrueTime};
use flagfall_trace::plan::{Act, Anchor, Draft, Plan, Step, When};

use super::foreseen::Foreseen;
use super::reckoning::Doing;

/// A step whose instant cannot be computed, or that cannot happen there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct ResolveError {
    /// Index of the step; the number of steps for the end of the run.
    pub step: usize,
    /// Why.
    pub cause: ResolveCause,
}

/// Why a step has no instant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveCause {
    /// `flag(side)` while the side does not run and its flag is up: anchor at a step where it runs.
    #[error("{0} does not run here and its flag is up, so that no fall can be foreseen; use it where {0} runs")]
    NoFlag(Side),
    /// `zero(side)` while the side does not run, has lost its flag, or counts up: anchor at a step where its time runs
    /// off.
    #[error("{0} does not run off here, so that no zero can be foreseen; use it where {0} runs with its flag up")]
    NoZero(Side),
    /// `period(side n)` before the side has entered it: anchor at a later step.
    #[error("{0} has not entered period {n} before this step", n = .1 + 1)]
    NoPeriod(Side, u8),
    /// `delay-end(side)` while the side has no running delay.
    #[error("{0} has no delay running here")]
    NoDelay(Side),
    /// The instant lies before the step before it.
    #[error("this is at {at} s, before the step before it at {before} s")]
    GoesBack {
        /// The instant.
        at: TrueTime,
        /// That of the step before.
        before: TrueTime,
    },
    /// The instant lies before the beginning or beyond 292 years.
    #[error("this is no instant of the run: before its beginning, or beyond 292 years")]
    OutOfRange,
    /// A second start.
    #[error("the clock has been started already; use `resume` after a pause")]
    StartedAlready,
    /// A pause of a clock that does not run.
    #[error("the clock does not run here, so that nothing can be paused")]
    NothingToPause,
    /// A resume of a clock that is not paused.
    #[error("the clock is not paused here{}", if *.frozen { "; a flag has frozen it, so set its time first" } else { "" })]
    NothingToResume {
        /// Whether a fallen flag has frozen it.
        frozen: bool,
    },
}

/// Computes every instant of a draft on an exact clock.
///
/// A plan always ends with a look at the faces, which is added if it is not there. Faults are left out: an anchor means the instant at which a clock that is right would get there, on every rig.
///
/// # Errors
/// [`ResolveError`] with the first step that has no instant or cannot happen.
pub fn resolve(draft: Draft) -> Result<Plan, ResolveError> {
    let rate = draft.tick_rate;
    let mut clock = Foreseen::new(&draft);
    let mut steps = Vec::with_capacity(draft.steps.len());
    let mut previous = TrueTime::ZERO;
    for (index, step) in draft.steps.iter().enumerate() {
        let error = |cause| ResolveError { step: index, cause };
        let at = instant(&clock, step.at, previous, rate).map_err(error)?;
        let deed = clock.meet(&step.act, at);
        possible(&step.act, clock.doing()).map_err(error)?;
        clock.act(&step.act, deed, at);
        steps.push(Step { at, act: step.act.clone() });
        previous = at;
    }
    let end = instant(&clock, draft.end, previous, rate).map_err(|cause| ResolveError { step: steps.len(), cause })?;
    if !steps.last().is_some_and(|step: &Step| step.act == Act::Read && step.at == end) {
        steps.push(Step { at: end, act: Act::Read });
    }
    Ok(Plan {
        scenario: draft.scenario,
        seed: draft.seed,
        tick_rate: rate,
        setup: draft.setup,
        clock_kind: draft.clock_kind,
        regulations: draft.regulations,
        position: draft.position,
        board: draft.board,
        device_setup: draft.device_setup,
        oscillator: draft.oscillator,
        steps,
        end,
    })
}

fn instant(
    clock: &Foreseen,
    when: When,
    previous: TrueTime,
    rate: flagfall_core::TickRate,
) -> Result<TrueTime, ResolveCause> {
    let of_tick = |tick| rate.true_time_of(flagfall_core::DeviceTime::from_ticks(tick));
    let from = match when.from {
        Anchor::Start => TrueTime::ZERO,
        Anchor::Previous => previous,
        Anchor::Flag(side) => clock.flag(side, previous).ok_or(ResolveCause::NoFlag(side))?,
        Anchor::Zero(side) => clock.zero(side, previous).ok_or(ResolveCause::NoZero(side))?,
        Anchor::Period(side, index) => {
            clock.period(side, index, previous).ok_or(ResolveCause::NoPeriod(side, index))?
        }
        Anchor::DelayEnd(side) => clock.delay_end(side).ok_or(ResolveCause::NoDelay(side))?,
    };
    let mut at = from.checked_add_ns(when.plus_ns).filter(|at| at.ns() >= 0).ok_or(ResolveCause::OutOfRange)?;
    if when.plus_ticks != 0 {
        at = of_tick(rate.tick_at(at).ticks().checked_add_signed(when.plus_ticks).ok_or(ResolveCause::OutOfRange)?);
    }
    if at < previous { Err(ResolveCause::GoesBack { at, before: previous }) } else { Ok(at) }
}

fn possible(act: &Act, doing: Doing) -> Result<(), ResolveCause> {
    match (act, doing) {
        (Act::Start, Doing::Waiting) => Ok(()),
        (Act::Start, _) => Err(ResolveCause::StartedAlready),
        (Act::Pause { .. }, Doing::Waiting | Doing::Paused(_)) => Err(ResolveCause::NothingToPause),
        (Act::Resume { .. }, Doing::Paused(_)) => Ok(()),
        (Act::Resume { .. }, doing) => Err(ResolveCause::NothingToResume { frozen: matches!(doing, Doing::Frozen(_)) }),
        _ => Ok(()),
    }
}
