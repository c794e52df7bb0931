//! One clock, live: time passes when it is told to, acts come when they come.

use flagfall_core::{Phase, Record, Setup, Side, TickRate, TimeControl, TrueTime};
use flagfall_trace::plan::{Act, Hand, Person, Plan, Regulations, Step, StopReason};
use flagfall_trace::{ClockKind, OscillatorSpec, Trace};

use crate::rig::board::{Live, TargetError};
use crate::rig::{Outcome, sim};

/// Where a game begins.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The most steps that are kept; somebody who presses that often presses with something.
const STEPS_MAX: usize = 10_000;

/// Why a clock cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The board or its bench failed: what was done until then can still be saved.
    #[error(transparent)]
    Board(#[from] TargetError),
    /// The simulator cannot carry this out.
    #[error("the simulator: {0}")]
    Simulator(String),
}

impl SessionError {
    /// Whether this speaks against the clock rather than against the bench.
    #[must_use]
    pub const fn blames_the_clock(&self) -> bool {
        matches!(self, Self::Board(error) if error.blames_the_clock())
    }
}

/// Where the clock is.
enum Rig<'a> {
    /// In virtual time: what was done is done anew whenever somebody looks, so that nothing can be shown that a replay of
    /// it does not.
    Simulator,
    /// On a board.
    Board(Box<Live<'a>>),
}

/// A clock that was set up, and what has been done with it since.
pub struct Session<'a> {
    rig: Rig<'a>,
    plan: Plan,
    now: TrueTime,
    face: Record,
    trace: Trace,
}

/// What is done with a clock that is set up like this, before anything was.
#[must_use]
pub fn nothing_done(control: TimeControl, tick_rate: TickRate) -> Plan {
    Plan {
        scenario: "attach/played".into(),
        seed: 0,
        tick_rate,
        setup: Setup::new(control),
        device_setup: None,
        clock_kind: ClockKind::Digital,
        regulations: Regulations::default(),
        position: START.into(),
        board: false,
        oscillator: OscillatorSpec::default(),
        steps: Vec::new(),
        end: TrueTime::ZERO,
    }
}

impl<'a> Session<'a> {
    /// A clock in virtual time.
    ///
    /// # Errors
    /// [`SessionError::Simulator`] if it cannot be set up.
    pub fn on_the_simulator(plan: Plan) -> Result<Self, SessionError> {
        let (trace, face) = replayed(&plan, TrueTime::ZERO)?;
        Ok(Self { rig: Rig::Simulator, plan, now: TrueTime::ZERO, face, trace })
    }

    /// The clock of a board that has been set up as the plan has it.
    ///
    /// # Errors
    /// [`SessionError::Board`] if it does not show its faces.
    pub fn on_a_board(mut live: Live<'a>, plan: Plan) -> Result<Self, SessionError> {
        let face = live.look()?;
        let (now, trace) = (live.now(), live.trace(&plan));
        Ok(Self { rig: Rig::Board(Box::new(live)), plan, now, face, trace })
    }

    /// True time since the clock was set up.
    #[must_use]
    pub const fn now(&self) -> TrueTime {
        self.now
    }

    /// What the faces showed at the latest look.
    #[must_use]
    pub const fn face(&self) -> &Record {
        &self.face
    }

    /// What was done so far, and what the clock wrote of it.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Whether the clock is on a board, whose time is not the hall's.
    #[must_use]
    pub const fn is_on_a_board(&self) -> bool {
        matches!(self.rig, Rig::Board(_))
    }

    /// Lets time pass, and looks.
    ///
    /// # Errors
    /// [`SessionError`]; the session cannot go on after it, and keeps what was done.
    pub fn advance(&mut self, to: TrueTime) -> Result<(), SessionError> {
        if let Rig::Board(live) = &mut self.rig {
            live.run_until(to)?;
            self.now = live.now();
        } else {
            self.now = to.max(self.now);
        }
        self.look()
    }

    fn look(&mut self) -> Result<(), SessionError> {
        self.plan.end = self.now;
        match &mut self.rig {
            Rig::Simulator => (self.trace, self.face) = replayed(&self.plan, self.now)?,
            Rig::Board(live) => {
                self.face = live.look()?;
                self.trace = live.trace(&self.plan);
            }
        }
        Ok(())
    }

    /// Does something at the clock now.
    ///
    /// # Errors
    /// As [`Session::advance`].
    pub fn act(&mut self, act: Act) -> Result<(), SessionError> {
        if self.plan.steps.len() >= STEPS_MAX {
            return Ok(());
        }
        let mut at = self.now;
        if let Rig::Board(live) = &mut self.rig {
            let step = u32::try_from(self.plan.steps.len()).unwrap_or(u32::MAX);
            at = live.act(step, &act)?.earliest;
            self.now = live.now();
        }
        self.plan.steps.push(Step { at, act });
        self.look()
    }

    /// A player's button.
    ///
    /// # Errors
    /// As [`Session::advance`].
    pub fn press(&mut self, side: Side) -> Result<(), SessionError> {
        self.act(Act::Press { side, hand: Hand::Unsaid })
    }

    /// The arbiter's button, which starts, stops and lets go on; `false` where it would do nothing.
    ///
    /// # Errors
    /// As [`Session::advance`].
    pub fn arbiter_button(&mut self) -> Result<bool, SessionError> {
        let act = match self.face.phase {
            Phase::Ready => Act::Start,
            Phase::Running(_) => Act::pause(Person::Arbiter, StopReason::None),
            Phase::Paused(_) => Act::Resume { by: Person::Arbiter },
            Phase::Frozen(_) => return Ok(false),
        };
        self.act(act)?;
        Ok(true)
    }
}

/// What the simulator makes of a plan, and what its faces show at its end.
fn replayed(plan: &Plan, now: TrueTime) -> Result<(Trace, Record), SessionError> {
    let mut looked = plan.clone();
    looked.steps.push(Step { at: now, act: Act::Read });
    looked.end = now;
    let mut trace = match sim::run(&looked) {
        Outcome::Ran { trace, .. } => *trace,
        Outcome::Broke(reason) | Outcome::Infra(reason) | Outcome::NotApplicable(reason) => {
            return Err(SessionError::Simulator(reason));
        }
        Outcome::Interrupted => return Err(SessionError::Simulator("interrupted".into())),
    };
    trace.plan.steps.pop();
    trace.achieved.pop();
    match trace.records.pop() {
        Some(look) => Ok((trace, look.record)),
        None => Err(SessionError::Simulator("it wrote nothing".into())),
    }
}
