//! A small bench for tests: the core's clock on a time base that is off, with presses that arrive late.
//!
//! It knows one device tick from the next by true time alone, as a real bench with a counter does, so that the traces
//! hold what a board's traces hold: brackets, stamps with uncertainty, a device that did not start at tick zero.
#![allow(dead_code, reason = "each test binary uses its own part of the bench")]

use flagfall_core::{
    Bonus, BySide, Clock, Credit, Debouncer, DeviceTime, Effects, Input, Opening, Period, Record, Setup, Side,
    TickRate, TimeControl, TrueTime,
};
use flagfall_trace::plan::{Act, Fault, GameClass, Hand, MoveMade, Plan, Regulations, Step};
use flagfall_trace::{Achieved, Stamped, Trace};

const NS_PER_S: i128 = 1_000_000_000;

/// An instant in milliseconds.
pub(crate) const fn ms(ms: i64) -> TrueTime {
    TrueTime::from_ns(ms * 1_000_000)
}

/// A plan with nothing in it but its name, its control and its end.
pub(crate) fn plan(scenario: &str, periods: &[Period], end: TrueTime) -> Plan {
    Plan {
        scenario: scenario.to_owned(),
        seed: 0,
        tick_rate: TickRate::MHZ,
        setup: Setup::new(TimeControl::new(periods).expect("a control")),
        clock_kind: flagfall_trace::ClockKind::Digital,
        regulations: Regulations {
            class: Some(GameClass::Standard),
            default_time_ms: None,
            supervised: true,
            ..Regulations::default()
        },
        position: "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 41".to_owned(),
        board: false,
        device_setup: None,
        oscillator: flagfall_trace::OscillatorSpec::default(),
        steps: Vec::new(),
        end,
    }
}

/// A period for the whole game.
pub(crate) const fn whole(base_ms: u64, bonus: Bonus) -> Period {
    Period::all_moves(base_ms, bonus)
}

pub(crate) fn opening(left_ms: u64, moves: u16) -> Opening {
    Opening { left_ms: Some(left_ms), moves, period: None }
}

pub(crate) fn press(side: Side) -> Act {
    Act::Press { side, hand: Hand::Same }
}

pub(crate) fn chess_move(side: Side, san: &str) -> Act {
    Act::Move(MoveMade { side, san: san.to_owned(), after: String::new(), ends: None })
}

/// How the bench and the device under it behave.
#[derive(Clone, Copy)]
pub(crate) struct Bench {
    /// Parts per billion that the device is fast.
    pub(crate) ppb: i64,
    /// Device time at the beginning of the run.
    pub(crate) zero_ticks: u64,
    /// How wide the bracket of a step is.
    pub(crate) bracket_ns: i64,
    /// Uncertainty of every stamp.
    pub(crate) uncertainty_ns: u64,
    /// Nanoseconds from a press to its stamp, by the number of the press.
    pub(crate) latency_ns: fn(u64) -> i64,
}

impl Bench {
    /// Virtual time: nothing is off and nothing is late.
    pub(crate) const EXACT: Self = Self { ppb: 0, zero_ticks: 0, bracket_ns: 0, uncertainty_ns: 0, latency_ns: |_| 0 };

    /// Carries a plan out.
    pub(crate) fn run(self, plan: &Plan) -> Trace {
        let mut run = Run {
            bench: self,
            rate: plan.tick_rate,
            jump_ticks: 0,
            clock: Clock::new(&plan.setup, plan.tick_rate),
            records: Vec::new(),
        };
        let mut achieved = Vec::new();
        let mut lost = [0; 2];
        let mut presses = 0;
        let mut contacts = BySide::both(Debouncer::new(plan.setup.debounce_ms, plan.tick_rate));
        for (index, step) in plan.steps.iter().enumerate().filter(|(_, step)| step.act.is_for_the_clock()) {
            let earliest = step.at;
            let latest = TrueTime::from_ns(earliest.ns() + self.bracket_ns);
            achieved.push(Achieved { step: index as u32, earliest, latest });
            let middle = earliest.ns() + self.bracket_ns / 2;
            match &step.act {
                Act::Press { side, .. } if lost[usize::from(side.index())] > 0 => {
                    lost[usize::from(side.index())] -= 1;
                }
                Act::Press { side, .. } => {
                    presses += 1;
                    run.step(middle + (self.latency_ns)(presses), Input::Press(*side));
                }
                Act::Contact { side, closes } => {
                    if contacts[*side].edge(run.tick_at(middle), *closes) {
                        run.step(middle, Input::Press(*side));
                    }
                }
                Act::Start | Act::Pause { .. } | Act::Resume { .. } => run.step(middle, Input::ArbiterButton),
                Act::SetTime { side, left_ms } => run.step(middle, Input::SetTime { side: *side, left_ms: *left_ms }),
                Act::SetCounter { side, moves } => run.step(middle, Input::SetCounter { side: *side, moves: *moves }),
                Act::Read => run.step(middle, Input::Read),
                Act::Fault(Fault::LostPress { side }) => lost[usize::from(side.index())] += 1,
                Act::Fault(Fault::Jump { by_ns }) => {
                    run.wake(middle);
                    run.jump_ticks += i128::from(*by_ns) * i128::from(run.rate.hz()) / NS_PER_S;
                }
                other => panic!("this bench has no {other:?}"),
            }
        }
        run.wake(plan.end.ns());
        Trace::new(plan.clone(), self.zero_ticks, achieved, run.records)
    }
}

struct Run {
    bench: Bench,
    rate: TickRate,
    jump_ticks: i128,
    clock: Clock,
    records: Vec<Stamped>,
}

impl Run {
    fn per_s(&self) -> i128 {
        i128::from(self.rate.hz()) * (NS_PER_S + i128::from(self.bench.ppb))
    }

    fn tick_at(&self, ns: i64) -> DeviceTime {
        let ticks = i128::from(ns) * self.per_s() / (NS_PER_S * NS_PER_S);
        let ticks = ticks + i128::from(self.bench.zero_ticks) + self.jump_ticks;
        DeviceTime::from_ticks(u64::try_from(ticks).expect("device time is not negative"))
    }

    fn true_time_of(&self, at: DeviceTime) -> TrueTime {
        let ticks = i128::from(at.ticks()) - i128::from(self.bench.zero_ticks) - self.jump_ticks;
        let ns = -((-ticks * NS_PER_S * NS_PER_S).div_euclid(self.per_s()));
        TrueTime::from_ns(i64::try_from(ns).expect("in range"))
    }

    fn wake(&mut self, ns: i64) {
        while let Some(deadline) = self.clock.next_deadline().filter(|deadline| *deadline <= self.tick_at(ns)) {
            let effects = self.clock.step(deadline, Input::Wake);
            self.keep(&effects);
        }
    }

    fn step(&mut self, ns: i64, input: Input) {
        self.wake(ns);
        let effects = self.clock.step(self.tick_at(ns), input);
        self.keep(&effects);
    }

    fn keep(&mut self, effects: &Effects) {
        for happening in effects.iter() {
            let record = Record::new(self.records.len() as u16, happening, self.clock.setup(), self.rate);
            let true_time = self.true_time_of(happening.at);
            self.records.push(Stamped { true_time, uncertainty_ns: self.bench.uncertainty_ns, record });
        }
    }
}

/// A game of `moves` moves each: each side thinks for `think(n)` milliseconds about its n-th half-move.
pub(crate) fn game(plan: &mut Plan, moves: u32, think: impl Fn(u32) -> i64) {
    let mut at = 0;
    plan.steps.push(Step { at: ms(at), act: Act::Start });
    for half in 0..2 * moves {
        let side = if half % 2 == 0 { Side::White } else { Side::Black };
        at += think(half);
        plan.steps.push(Step { at: ms(at), act: press(side) });
    }
}

/// Both flags fall and nobody sees which came first: a scenario with everything in it that a hall has.
pub(crate) fn both_flags() -> Plan {
    use flagfall_core::{AtZero, BySide};
    use flagfall_trace::plan::{Basis, Claim, Observation, Person, StopReason};
    let periods =
        [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::Increment { ms: 30_000 })];
    let mut plan = plan("both-flags/nobody-saw-which-first", &periods, ms(40_000));
    plan.setup.credit = Credit::BeforeMove;
    plan.setup.at_zero = AtZero::RunOn;
    plan.setup.first_fallen_sign = false;
    plan.setup.opening = BySide::new(opening(10_000, 39), opening(12_000, 38));
    let step = |at, act| Step { at: ms(at), act };
    plan.steps = vec![
        step(0, Act::Start),
        step(500, Act::Arrive { side: Side::Black }),
        step(6_000, chess_move(Side::White, "Kd2")),
        step(6_000, press(Side::White)),
        step(20_000, chess_move(Side::Black, "Kd7")),
        step(20_000, press(Side::Black)),
        step(22_000, press(Side::Black)),
        step(25_000, Act::Claim(Claim { by: Side::White, flag: Side::Black, basis: Basis::Flag })),
        step(26_500, Act::pause(Person::White, StopReason::DrawClaim)),
        step(31_000, Act::Observe(Observation { by: Person::Arbiter, fallen: BySide::new(false, true), first: None })),
        step(31_000, Act::Read),
        step(33_000, Act::SetTime { side: Side::Black, left_ms: 61_500 }),
        step(35_000, Act::Resume { by: Person::Arbiter }),
        step(36_000, Act::Fault(Fault::LostPress { side: Side::White })),
        step(37_250, press(Side::White)),
    ];
    plan
}
