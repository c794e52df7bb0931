//! Without a fault the device is the clock; with any faults a run ends, and is the same every time.

use flagfall_core::record::Kind;
use flagfall_core::{
    AtZero, Bonus, BySide, Clock, Credit, Debouncer, DeviceTime, Input, Period, Record, SameTick, SecondPress, Setup,
    Side, TimeControl, Zero,
};
use flagfall_sim::{Budget, run};
use flagfall_trace::Stamped;
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{Act, Fault, Hand, Installed, Plan, Retained, Step};

use super::{BLACK, Game, S, WHITE, ms};

const GAMES: u64 = 300;

fn side(stream: &mut Stream) -> Side {
    if stream.within(0, 1) == 0 { WHITE } else { BLACK }
}

fn one_of<T: Copy>(stream: &mut Stream, choice: &[T]) -> T {
    choice[stream.within(0, choice.len() as u64 - 1) as usize]
}

fn bonus(stream: &mut Stream) -> Bonus {
    one_of(
        stream,
        &[
            Bonus::None,
            Bonus::Increment { ms: 700 },
            Bonus::Delay { ms: 900 },
            Bonus::Bronstein { ms: 1_100 },
            Bonus::Hourglass,
            Bonus::ByoYomi { periods: 3, ms: 2_000 },
            Bonus::Canadian { moves: 2, ms: 5_000 },
            Bonus::PerMove,
            Bonus::CountUp,
        ],
    )
}

fn control(stream: &mut Stream) -> TimeControl {
    let last = Period::all_moves(stream.within(1, 20) * 1_000, bonus(stream));
    let short = |stream: &mut Stream| Period::all_moves(stream.within(1, 9) * 1_000, Bonus::Increment { ms: 300 });
    let drawn = match stream.within(0, 3) {
        0 => TimeControl::new(&[Period::of_moves(2, 8_000, Bonus::None), last]),
        1 => TimeControl::new(&[short(stream), short(stream), last]),
        _ => TimeControl::new(&[last]),
    };
    drawn.unwrap_or_else(|_| TimeControl::new(&[last]).expect("one period for the whole game"))
}

fn setup(stream: &mut Stream) -> Setup {
    let white = control(stream);
    let black = if stream.within(0, 2) == 0 { control(stream) } else { white };
    Setup {
        control: BySide::new(white, black),
        at_zero: one_of(stream, &[AtZero::Freeze, AtZero::RunOn]),
        credit: one_of(stream, &[Credit::BeforeMove, Credit::AfterMove]),
        second_press: one_of(stream, &[SecondPress::Ignored, SecondPress::Counted]),
        zero: one_of(stream, &[Zero::Fallen, Zero::Alive]),
        same_tick: one_of(stream, &[SameTick::FlagFirst, SameTick::PressFirst]),
        carry_over: stream.within(0, 1) == 0,
        ..Setup::new(white)
    }
}

fn act(stream: &mut Stream) -> Act {
    let who = side(stream);
    match stream.within(0, 19) {
        0 => Act::Start,
        1 => Act::SetTime { side: who, left_ms: stream.within(0, 9_000) },
        2 => Act::SetCounter { side: who, moves: stream.within(0, 5) as u16 },
        3 => Act::SetPeriod { side: who, period: stream.within(0, 3) as u8 },
        4 => Act::Swap,
        5 => Act::Undo,
        6 => Act::Battery { low: stream.within(0, 1) == 0 },
        7 if stream.within(0, 3) == 0 => Act::SetUp(Installed(Box::new(setup(stream)))),
        8 => Act::Contact { side: who, closes: stream.within(0, 1) == 0 },
        9..=11 => Act::Read,
        _ => Act::Press { side: who, hand: Hand::Same },
    }
}

fn fault(stream: &mut Stream) -> Fault {
    let side = side(stream);
    let for_ns = stream.within(0, 12).cast_signed() * S;
    let by_ns = stream.within(0, 5_000).cast_signed() * 1_000_000;
    match stream.within(0, 18) {
        0 => Fault::Stuck { for_ns },
        1 => Fault::Jump { by_ns: by_ns - 2 * S },
        2 => Fault::Rate { ppb: 300_000_000, for_ns },
        3 => Fault::Ticks { ticks: stream.within(0, 4_000).cast_signed() - 2_000, every_ns: 40_000_000, for_ns },
        4 => Fault::BothRun { for_ns },
        5 => Fault::NoneRuns { for_ns },
        6 => Fault::Reset { off_ns: for_ns, retained: Retained::Everything },
        7 => Fault::Reset { off_ns: for_ns, retained: Retained::Settings },
        8 => Fault::LostPress { side },
        9 => Fault::DoublePress { side },
        10 => Fault::LostBonus { side },
        11 => Fault::DoubleBonus { side },
        12 => Fault::RoundingAtSwitch { to_ns: by_ns },
        13 => Fault::FlagEarly { side, by_ns },
        14 => Fault::FlagLate { side, by_ns },
        15 => Fault::FlagSticky { side },
        16 => Fault::FirstFallenWrong,
        17 => Fault::DisplayFrozen { for_ns },
        _ => Fault::DisplayLate { by_ns, for_ns },
    }
}

fn random_plan(seed: u64, with_faults: bool) -> Plan {
    let mut stream = Stream::named(seed, "device test");
    let mut plan = Game::with(1_000, Bonus::None).0;
    plan.setup = setup(&mut stream);
    let mut now = 0;
    for _ in 0..40 {
        now += stream.within(0, 1_500).cast_signed();
        let wrong = with_faults && stream.within(0, 4) == 0;
        let act = if wrong { Act::Fault(fault(&mut stream)) } else { act(&mut stream) };
        plan.steps.push(Step { at: ms(now), act });
    }
    plan.end = ms(now + 30_000);
    plan.steps.push(Step { at: plan.end, act: Act::Read });
    plan
}

/// The records of a plain clock on an exact time base, to which everything is done in time.
fn plain_clock(plan: &Plan) -> Vec<Record> {
    let rate = plan.tick_rate;
    let mut clock = Clock::new(&plan.setup, rate);
    let mut records: Vec<Record> = Vec::new();
    let mut contacts = BySide::both(Debouncer::new(plan.setup.debounce_ms, rate));
    for step in &plan.steps {
        let at = rate.tick_at(step.at);
        let comes_first = |clock: &Clock, deadline: DeviceTime| match clock.setup().same_tick {
            SameTick::FlagFirst => deadline <= at,
            SameTick::PressFirst => deadline < at,
        };
        while let Some(deadline) = clock.next_deadline().filter(|deadline| comes_first(&clock, *deadline)) {
            write(&mut clock, deadline, Input::Wake, &mut records);
        }
        let input = match &step.act {
            Act::Start => Input::ArbiterButton,
            Act::Press { side, .. } => Input::Press(*side),
            Act::SetTime { side, left_ms } => Input::SetTime { side: *side, left_ms: *left_ms },
            Act::SetCounter { side, moves } => Input::SetCounter { side: *side, moves: *moves },
            Act::SetPeriod { side, period } => Input::SetPeriod { side: *side, period: *period },
            Act::Swap => Input::Swap,
            Act::Undo => Input::Undo,
            Act::Battery { low } => Input::Battery { low: *low },
            Act::Contact { side, closes } => {
                if !contacts[*side].edge(at, *closes) {
                    continue;
                }
                Input::Press(*side)
            }
            Act::SetUp(installed) => {
                let setup = &installed.0;
                clock = Clock::restore(setup, rate, at, Clock::new(setup, rate).state());
                contacts = BySide::both(Debouncer::new(setup.debounce_ms, rate));
                let (kind, seq) = (Kind::CONFIGURED, records.len() as u16);
                records.push(Record::of_state(kind, seq, at, clock.state(), setup, rate));
                continue;
            }
            Act::Read => Input::Read,
            other => panic!("a plain clock knows no {other:?}"),
        };
        write(&mut clock, at, input, &mut records);
    }
    records
}

fn write(clock: &mut Clock, at: DeviceTime, input: Input, records: &mut Vec<Record>) {
    for happening in clock.step(at, input).iter() {
        records.push(Record::new(records.len() as u16, happening, clock.setup(), clock.rate()));
    }
}

fn written(plan: &Plan) -> Vec<Record> {
    let trace = run(plan, &Budget::default()).unwrap_or_else(|error| panic!("{error}: {plan:?}"));
    trace.records.into_iter().map(|stamped: Stamped| stamped.record).collect()
}

fn same(ours: &[Record], plain: &[Record], seed: u64) {
    for (index, (ours, plain)) in ours.iter().zip(plain).enumerate() {
        assert_eq!(ours, plain, "seed {seed}, record {index}");
    }
    assert_eq!(ours.len(), plain.len(), "seed {seed}");
}

#[test]
fn a_device_without_a_fault_is_the_clock() {
    let mut records = 0;
    for seed in 0..GAMES {
        let plan = random_plan(seed, false);
        let plain = plain_clock(&plan);
        records += plain.len();
        same(&written(&plan), &plain, seed);
    }
    assert!(records > 50 * GAMES as usize, "{records} records: the games are too quiet to prove anything");
}

#[test]
fn a_fault_that_never_matters_changes_nothing() {
    for seed in 0..GAMES {
        let mut plan = random_plan(seed, false);
        let plain = plain_clock(&plan);
        // None of these does anything: they last for no time, or wait for what does not come.
        let nothings = [
            Fault::BothRun { for_ns: 0 },
            Fault::NoneRuns { for_ns: 0 },
            Fault::DisplayFrozen { for_ns: 0 },
            Fault::DisplayLate { by_ns: 0, for_ns: 1_000 * S },
            Fault::RoundingAtSwitch { to_ns: 1_000 },
            Fault::Ticks { ticks: 0, every_ns: S, for_ns: 100 * S },
        ];
        let first = plan.steps.remove(0);
        let faults = nothings.map(|fault| Step { at: first.at, act: Act::Fault(fault) });
        plan.steps.splice(0..0, faults.into_iter().chain([first]));
        same(&written(&plan), &plain, seed);
    }
}

#[test]
fn a_run_with_any_faults_ends_and_is_the_same_every_time() {
    for seed in 0..GAMES {
        let plan = random_plan(seed, true);
        let trace = run(&plan, &Budget::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let again = run(&plan, &Budget::default()).expect("it ended before");
        assert_eq!(trace.hash(), again.hash(), "seed {seed}");
        assert!(trace.records.is_sorted_by_key(|stamped| stamped.true_time), "seed {seed}");
        let faces = trace.records.iter().filter(|stamped| stamped.record.seq != 0);
        assert!(faces.count() > 0, "seed {seed}");
    }
}
