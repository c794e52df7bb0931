//! Random games, aimed at the edges: whatever is done to a right clock, the oracle agrees with it to the tick.

use std::num::NonZeroU32;

use flagfall_core::record::Kind;
use flagfall_core::{
    AtZero, Bonus, BySide, Clock, Credit, DisplayFormat, Input, LateControlMove, Opening, Period, Record, Rounding,
    SameTick, SecondPress, Setup, Side, TickRate, TimeControl, Zero,
};
use flagfall_judge::oracle::{self, Limits};
use flagfall_trace::OscillatorSpec;
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{Act, Anchor, Draft, Installed, Person, Plan, When};
use flagfall_trace::{Achieved, Stamped, Trace};

use super::{after, draft, pause, press};

const GAMES: u64 = 6_000;

fn coin(draw: &mut Stream) -> bool {
    draw.within(0, 1) == 0
}

fn one_in(draw: &mut Stream, n: u64) -> bool {
    draw.within(1, n) == 1
}

fn either<T>(draw: &mut Stream, default: T, other: T) -> T {
    if coin(draw) { default } else { other }
}

fn side(draw: &mut Stream) -> Side {
    either(draw, Side::White, Side::Black)
}

/// Milliseconds of a base or bonus: often a few, so that zeros come in one tick after the other.
fn span(draw: &mut Stream) -> u64 {
    if one_in(draw, 4) { draw.within(1, 3) } else { draw.within(1, 12_000) }
}

fn bonus(draw: &mut Stream) -> Bonus {
    let ms = span(draw).min(4_000) as u32;
    match draw.within(0, 4) {
        0 => Bonus::None,
        1 => Bonus::Increment { ms },
        2 => Bonus::Delay { ms },
        _ => Bonus::Bronstein { ms },
    }
}

fn last_bonus(draw: &mut Stream) -> Bonus {
    let ms = span(draw).min(4_000) as u32;
    match draw.within(0, 5) {
        0 | 1 => Bonus::ByoYomi { periods: draw.within(1, 4) as u8, ms },
        2 | 3 => Bonus::Canadian { moves: draw.within(1, 3) as u16, ms },
        4 => Bonus::PerMove,
        _ => bonus(draw),
    }
}

fn control(draw: &mut Stream) -> TimeControl {
    let mut periods = Vec::new();
    match draw.within(0, 9) {
        0 => periods.push(Period::all_moves(span(draw), Bonus::Hourglass)),
        1 => periods.push(Period::all_moves(if coin(draw) { 0 } else { span(draw) }, Bonus::CountUp)),
        kind => {
            for _ in 0..draw.within(0, 3) {
                let base = if one_in(draw, 6) { 0 } else { span(draw) };
                let bonus = if base == 0 { Bonus::Increment { ms: 700 } } else { bonus(draw) };
                periods.push(match kind {
                    2..=4 => Period::all_moves(base, bonus),
                    _ => Period::of_moves(draw.within(1, 3) as u16, base, bonus),
                });
            }
            let base = if one_in(draw, 6) { 0 } else { span(draw) };
            let bonus = match last_bonus(draw) {
                Bonus::None | Bonus::PerMove if base == 0 => Bonus::Delay { ms: 900 },
                bonus => bonus,
            };
            periods.push(Period::all_moves(base, bonus));
        }
    }
    TimeControl::new(&periods).expect("drawn within limits")
}

fn opening(draw: &mut Stream, control: &TimeControl) -> Opening {
    Opening {
        left_ms: one_in(draw, 3).then(|| if one_in(draw, 4) { 0 } else { span(draw) }),
        moves: if coin(draw) { 0 } else { draw.within(0, 4) as u16 },
        period: one_in(draw, 6).then(|| draw.within(0, u64::from(control.last())) as u8),
    }
}

fn setup(draw: &mut Stream) -> Setup {
    let white = control(draw);
    let control = BySide::new(white, if one_in(draw, 3) { control(draw) } else { white });
    Setup {
        control,
        credit: either(draw, Credit::BeforeMove, Credit::AfterMove),
        at_zero: either(draw, AtZero::Freeze, AtZero::RunOn),
        zero: either(draw, Zero::Fallen, Zero::Alive),
        same_tick: either(draw, SameTick::FlagFirst, SameTick::PressFirst),
        late_control_move: either(draw, LateControlMove::Nothing, LateControlMove::NextBase),
        second_press: either(draw, SecondPress::Ignored, SecondPress::Counted),
        carry_over: coin(draw),
        first_fallen_sign: coin(draw),
        display: DisplayFormat {
            rounding: either(draw, Rounding::Up, Rounding::Down),
            tenths_below_s: draw.within(0, 20) as u8,
            seconds_below_min: if coin(draw) { 0 } else { 1 },
        },
        debounce_ms: 20,
        first: side(draw),
        opening: BySide::from_fn(|side| opening(draw, &control[side])),
    }
}

/// A step's instant: anywhere, at once, or in the tick before, at or after something that the clock is about to do.
fn instant(draw: &mut Stream) -> When {
    let from = match draw.within(0, 9) {
        0..=3 => return after(draw.within(0, 3_000_000_000) as i64),
        4 => return after(0),
        5 => Anchor::DelayEnd(side(draw)),
        6 => Anchor::Flag(side(draw)),
        _ => Anchor::Zero(side(draw)),
    };
    When { from, plus_ns: 0, plus_ticks: draw.within(0, 4) as i64 - 2 }
}

fn act(draw: &mut Stream) -> Act {
    let side = side(draw);
    match draw.within(0, 27) {
        0..=14 => press(side),
        15 => pause(),
        16 => Act::Resume { by: Person::Arbiter },
        17 if coin(draw) => Act::SetTime { side, left_ms: 0 },
        17 | 18 => Act::SetTime { side, left_ms: span(draw) },
        19 => Act::SetCounter { side, moves: draw.within(0, 6) as u16 },
        20 => Act::SetPeriod { side, period: draw.within(0, 4) as u8 },
        21 => Act::Swap,
        22 | 23 => Act::Undo,
        24 => Act::Battery { low: coin(draw) },
        25 => Act::Start,
        26 if one_in(draw, 4) => Act::SetUp(Installed(Box::new(setup(draw)))),
        _ => Act::Read,
    }
}

fn steps(draw: &mut Stream, contacts: bool) -> Vec<(When, Act)> {
    let mut steps = vec![(after(draw.within(0, 3) as i64), Act::Start)];
    for _ in 0..draw.within(1, 40) {
        let at = instant(draw);
        if contacts && one_in(draw, 10) {
            let side = side(draw);
            let mut gap = at;
            for edge in 0..draw.within(1, 6) {
                steps.push((gap, Act::Contact { side, closes: edge % 2 == 0 }));
                let near = 20_000_000 - 1_000 + draw.within(0, 2) as i64 * 1_000;
                let anywhere = draw.within(0, 30_000_000) as i64;
                gap = after(either(draw, near, anywhere));
            }
        } else {
            steps.push((at, act(draw)));
        }
    }
    steps
}

/// The plan of what can be done of these steps: what cannot happen where it stands is left out.
fn plan(mut draft: Draft) -> Plan {
    loop {
        match oracle::resolve(draft.clone()) {
            Ok(plan) => return plan,
            Err(error) => drop(draft.steps.remove(error.step)),
        }
    }
}

fn game(seed: u64, purpose: &str, contacts: bool) -> Draft {
    let draw = &mut Stream::named(seed, purpose);
    let setup = setup(draw);
    let mut draft = draft(setup, steps(draw, contacts));
    if coin(draw) {
        draft.tick_rate = TickRate::new(32_768).expect("in range");
    }
    draft
}

/// A run in short, for whoever has to find out why the oracle disagrees.
pub(super) fn story(trace: &Trace) -> String {
    let mut lines = vec![format!("{:?}", trace.plan.setup)];
    lines.extend(trace.plan.steps.iter().map(|step| format!("{} {:?}", step.at, step.act)));
    lines.extend(trace.records.iter().map(|stamped| {
        let r = &stamped.record;
        let (at, left) = (r.at.ticks(), r.remaining_ticks);
        let side = r.side.map_or("", Side::name);
        format!(
            "{at:>10} {} {side} {} {} {:?} {left:?} delay {} {:?} {:?} {:?} {:?}",
            r.kind, r.detail, r.value, r.phase, r.delay_ticks, r.moves, r.period, r.overtime, r.fallen
        )
    }));
    lines.join("\n")
}

/// A right trace of a random game.
pub(super) fn trace(seed: u64, purpose: &str) -> Trace {
    simulate(&plan(game(seed, purpose, true)))
}

/// A random game at 1 MHz in which every press is a clean one.
pub(super) fn plan_without_contacts(seed: u64, purpose: &str) -> Plan {
    let mut draft = game(seed, purpose, false);
    draft.tick_rate = TickRate::MHZ;
    plan(draft)
}

fn simulate(plan: &Plan) -> Trace {
    flagfall_sim::run(plan, &flagfall_sim::Budget::default()).expect("within budget")
}

#[test]
fn a_right_clock_is_right_under_random_controls_settings_and_deeds() {
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..GAMES {
        let plan = plan(game(seed, "oracle-test", true));
        let trace = simulate(&plan);
        let examination = oracle::examine(&trace, &Limits::virtual_time(&trace.plan));
        assert_eq!(examination.findings, [], "seed {seed}: {}", story(&trace));
        assert!(examination.bounds.iter().all(|bound| bound.ticks() == 0));
        kinds.extend(trace.records.iter().map(|stamped| stamped.record.kind.name()));
    }
    let all = [
        "pressed",
        "arbiter-pressed",
        "started",
        "switched",
        "credited",
        "period-entered",
        "flag-fell",
        "paused",
        "resumed",
        "time-set",
        "counter-set",
        "ignored",
        "read",
        "counted",
        "overtime-entered",
        "period-set",
        "swapped",
        "undone",
        "battery",
        "configured",
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), {
        let mut all = all;
        all.sort_unstable();
        all
    });
}

/// The same run of a clock that nobody wakes: it finds out about every zero when something is done to it.
fn simulate_asleep(plan: &Plan) -> Trace {
    let mut clock = Clock::new(&plan.setup, plan.tick_rate);
    let (mut achieved, mut records) = (Vec::new(), Vec::new());
    for (index, step) in plan.steps.iter().enumerate() {
        let input = match &step.act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => Input::ArbiterButton,
            Act::Press { side, .. } => Input::Press(*side),
            Act::SetTime { side, left_ms } => Input::SetTime { side: *side, left_ms: *left_ms },
            Act::SetCounter { side, moves } => Input::SetCounter { side: *side, moves: *moves },
            Act::SetPeriod { side, period } => Input::SetPeriod { side: *side, period: *period },
            Act::Swap => Input::Swap,
            Act::Undo => Input::Undo,
            Act::Battery { low } => Input::Battery { low: *low },
            Act::Read => Input::Read,
            other => panic!("{other:?} is for the simulator"),
        };
        for happening in clock.step(plan.tick_rate.tick_at(step.at), input).iter() {
            let record = Record::new(records.len() as u16, happening, clock.setup(), plan.tick_rate);
            records.push(Stamped { true_time: step.at, uncertainty_ns: 0, record });
        }
        achieved.push(Achieved { step: index as u32, earliest: step.at, latest: step.at });
    }
    Trace::new(plan.clone(), 0, achieved, records)
}

#[test]
fn zeros_that_are_noticed_late_and_together_are_right() {
    let mut late = 0;
    for seed in 0..GAMES / 2 {
        let mut draft = game(seed, "oracle-test-asleep", false);
        draft.steps.retain(|step| !matches!(step.act, Act::SetUp(_)));
        let trace = simulate_asleep(&plan(draft));
        let examination = oracle::examine(&trace, &Limits::virtual_time(&trace.plan));
        assert_eq!(examination.findings, [], "seed {seed}: {}", story(&trace));
        late += trace
            .records
            .iter()
            .filter(|stamped| stamped.record.kind == Kind::FLAG_FELL && stamped.record.value > 0)
            .count();
    }
    assert!(late > GAMES as usize / 10, "{late} flags were noticed late");
}

/// Whether somebody presses at the instant of an edge of the same button, so that of one press nobody knows what made it.
fn presses_a_button_as_its_contact_moves(plan: &Plan) -> bool {
    let edge_of = |act: &Act| if let Act::Contact { side, .. } = act { Some(*side) } else { None };
    let press_of = |act: &Act| if let Act::Press { side, .. } = act { Some(*side) } else { None };
    let edges = plan.steps.iter().filter_map(|step| Some((step.at, edge_of(&step.act)?)));
    let edges: Vec<_> = edges.collect();
    plan.steps.iter().any(|step| press_of(&step.act).is_some_and(|side| edges.contains(&(step.at, side))))
}

#[test]
fn a_clock_within_the_limit_of_its_oscillator_is_right_whatever_is_done_to_it() {
    for seed in 0..GAMES / 2 {
        let draw = &mut Stream::named(seed, "oracle-test-ppb");
        let mut plan = plan(game(seed, "oracle-test-drift", true));
        let widest_ppb = if coin(draw) { 1_000_000 } else { 400_000_000 };
        let offset_ppb = draw.within(0, 2 * widest_ppb) as i64 - widest_ppb as i64;
        plan.oscillator = OscillatorSpec::with_offset_ppb(offset_ppb);
        if presses_a_button_as_its_contact_moves(&plan) {
            continue;
        }
        if coin(draw) {
            plan.oscillator.quantum_ticks = NonZeroU32::new(draw.within(1, 2_000) as u32).expect("not zero");
        }
        let trace = simulate(&plan);
        let examination = oracle::examine(&trace, &Limits::virtual_time(&trace.plan));
        assert_eq!(examination.findings, [], "seed {seed}: {}", story(&trace));
    }
}
