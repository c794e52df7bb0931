//! What a diagnosis says of clocks whose faults are known: nothing may be named that is not there.
//!
//! The games are drawn from a hash that nobody chose: that of the commit that froze the code. Another is taken from
//! `FLAGFALL_FREEZE`. The matrix is printed as Markdown, and stands in docs/measurement.md:
//! `cargo test -p flagfall-reports --test confusion -- --nocapture`.

#[path = "bench/mod.rs"]
mod bench;

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use flagfall_core::{Bonus, TickRate, TrueTime};
use flagfall_reports::game::{Account, Cause, Diagnosis};
use flagfall_trace::draw::Stream;
use flagfall_trace::oscillator::{Temperature, TemperatureCourse, TemperaturePoint};
use flagfall_trace::plan::{Act, Fault, Plan, Step};
use flagfall_trace::{OscillatorSpec, Trace};
use sha2::{Digest, Sha256};

/// The commit after which nothing but words was changed in the diagnosis before it was tried on these games, and nothing in
/// the account but who is on move where a contact bounces, which it does in none of them.
const FREEZE: &str = "06d9a7bac3899b6f2d828135a80c47c8a44a2537";

/// Games of each class.
const GAMES: u64 = 40;

const SECOND_NS: i64 = 1_000_000_000;

/// What is done to a clock, in the words of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Sound,
    Reload,
    WrongCrystal,
    Temperature,
    TimeLost,
    TimeGained,
    Wrapped,
    BothRan,
    NoneRan,
    Rounded,
    TwoAtOnce,
}

impl Class {
    const ALL: [Self; 11] = [
        Self::Sound,
        Self::Reload,
        Self::WrongCrystal,
        Self::Temperature,
        Self::TimeLost,
        Self::TimeGained,
        Self::Wrapped,
        Self::BothRan,
        Self::NoneRan,
        Self::Rounded,
        Self::TwoAtOnce,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Sound => "nothing wrong",
            Self::Reload => "reload off by one",
            Self::WrongCrystal => "wrong crystal",
            Self::Temperature => "temperature",
            Self::TimeLost => "time base stood",
            Self::TimeGained => "time base leapt",
            Self::Wrapped => "counter wrapped",
            Self::BothRan => "both sides ran",
            Self::NoneRan => "neither side ran",
            Self::Rounded => "rounding at switches",
            Self::TwoAtOnce => "two of these at once",
        }
    }
}

/// A game, and the causes that are there.
struct Drawn {
    plan: Plan,
    causes: Vec<Cause>,
    /// The true end of the game, in nanoseconds.
    end_ns: i64,
}

impl Drawn {
    fn game(draw: &mut Stream) -> Self {
        let moves = draw.within(40, 60);
        let thinks: Vec<i64> = (0..2 * moves).map(|_| draw.within(5_000, 100_000).cast_signed()).collect();
        let total_ms: i64 = thinks.iter().sum();
        let end_ns = (total_ms + 1_000) * 1_000_000;
        let base = bench::whole(7_200_000, Bonus::Increment { ms: 30_000 });
        let mut plan = bench::plan("confusion/game", &[base], TrueTime::from_ns(end_ns));
        let moves = u32::try_from(moves).expect("few moves");
        bench::game(&mut plan, moves, |half| thinks[half as usize]);
        let rates = [1_000_000, 32_768, 10_000];
        plan.tick_rate = TickRate::new(rates[draw.within(0, 2) as usize]).expect("in range");
        plan.seed = draw.within(0, u64::MAX);
        let crystal_ppt = draw.within(0, 180_000_000).cast_signed() - 90_000_000;
        plan.oscillator = OscillatorSpec { offset_ppt: crystal_ppt, ..OscillatorSpec::default() };
        assert_eq!(plan.oscillator.quantum_ticks, NonZeroU32::MIN);
        Self { plan, causes: Vec::new(), end_ns }
    }

    /// An instant in the middle of the game.
    fn onset(&self, draw: &mut Stream) -> i64 {
        let fifth = self.end_ns.unsigned_abs() / 5;
        draw.within(2 * fifth, 3 * fifth).cast_signed()
    }

    fn fault(&mut self, at_ns: i64, fault: Fault) {
        self.plan.steps.push(Step { at: TrueTime::from_ns(at_ns), act: Act::Fault(fault) });
        self.plan.steps.sort_by_key(|step| step.at);
    }

    fn rate(&mut self, cause: Cause) {
        let rate = cause.rate().expect("a cause with a rate");
        self.plan.oscillator.offset_ppt = (rate * 1e12).round() as i64;
        self.causes.push(cause);
    }

    fn add(&mut self, class: Class, draw: &mut Stream) {
        let one_of = |draw: &mut Stream, count: usize| draw.within(0, count as u64 - 1) as usize;
        let span = |draw: &mut Stream, least_s: u64, most_s: u64| {
            draw.within(least_s * 1_000_000_000, most_s * 1_000_000_000).cast_signed()
        };
        let at = self.onset(draw);
        match class {
            Class::Sound | Class::TwoAtOnce => {}
            Class::Reload => {
                let counts = [16, 64, 168, 1_000, 8_000, 32_768][one_of(draw, 6)];
                self.rate(Cause::ReloadOffByOne { counts, one_more: draw.within(0, 1) == 1 });
            }
            Class::WrongCrystal => {
                let (fitted_hz, assumed_hz) = [(32_000, 32_768), (32_768, 32_000), (32_768, 33_000)][one_of(draw, 3)];
                self.rate(Cause::WrongCrystal { fitted_hz, assumed_hz });
            }
            Class::Temperature => {
                let away = draw.within(12_000, 20_000) as i32 * if draw.within(0, 1) == 1 { 1 } else { -1 };
                let point = |at, millicelsius| TemperaturePoint { at: TrueTime::from_ns(at), millicelsius };
                let course = TemperatureCourse::new(vec![point(0, 25_000), point(self.end_ns, 25_000 + away)]);
                self.plan.oscillator.temperature = Some(Temperature {
                    turnover_millicelsius: Temperature::TURNOVER_MILLICELSIUS,
                    parabola_ppt: Temperature::PARABOLA_PPT,
                    course: course.expect("in order"),
                });
                self.causes.push(Cause::Temperature);
            }
            Class::TimeLost => {
                let for_ns = span(draw, 1, 60);
                self.fault(at, Fault::Stuck { for_ns });
                self.causes.push(Cause::TimeLost);
            }
            Class::TimeGained => {
                let by_ns = span(draw, 1, 60);
                self.fault(at, Fault::Jump { by_ns });
                self.causes.push(Cause::TimeGained);
            }
            Class::Wrapped => {
                let (bits, hz) = [(16, 1_000), (32, 64_000_000), (32, 72_000_000), (32, 16_000_000)][one_of(draw, 4)];
                let cause = Cause::Wrapped { bits, hz };
                let wrap_ns = cause.wrap_ns().expect("a wrap").round() as i64;
                self.fault(at, Fault::Jump { by_ns: -wrap_ns });
                self.causes.push(cause);
            }
            Class::BothRan => {
                let for_ns = span(draw, 10, 300);
                self.fault(at, Fault::BothRun { for_ns });
                self.causes.push(Cause::BothRan);
            }
            Class::NoneRan => {
                let for_ns = span(draw, 10, 300);
                self.fault(at, Fault::NoneRuns { for_ns });
                self.causes.push(Cause::NoneRan);
            }
            Class::Rounded => {
                let unit_ns = [SECOND_NS, SECOND_NS / 10, SECOND_NS / 100, SECOND_NS / 1_000][one_of(draw, 4)];
                self.fault(0, Fault::RoundingAtSwitch { to_ns: unit_ns });
                self.causes.push(Cause::RoundedAtSwitch { unit_ns: unit_ns.unsigned_abs() });
            }
        }
    }
}

fn drawn(class: Class, draw: &mut Stream) -> Drawn {
    let mut game = Drawn::game(draw);
    if class != Class::TwoAtOnce {
        game.add(class, draw);
        return game;
    }
    // Two of the time base, or one of it and one of the reckoning.
    let rates = [Class::Reload, Class::WrongCrystal];
    let others = [Class::TimeLost, Class::TimeGained, Class::Wrapped, Class::Temperature];
    let reckoning = [Class::BothRan, Class::NoneRan, Class::Rounded];
    let any = |draw: &mut Stream, classes: &[Class]| classes[draw.within(0, classes.len() as u64 - 1) as usize];
    let pair = match draw.within(0, 2) {
        0 => [any(draw, &rates), any(draw, &others)],
        1 => [any(draw, &rates), any(draw, &reckoning)],
        _ => [any(draw, &others), any(draw, &reckoning)],
    };
    for class in pair {
        game.add(class, draw);
    }
    game
}

#[derive(Default)]
struct Row {
    named: u64,
    open: u64,
    wrong: u64,
}

fn judge(trace: &Trace, causes: &[Cause]) -> (Row, String) {
    let account = Account::of(trace).expect("a game with an account");
    let diagnosis = Diagnosis::of(&account);
    let found: Vec<Cause> = diagnosis.named().collect();
    let said = diagnosis.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    let is_wrong = found.iter().any(|cause| !causes.contains(cause));
    // A clock with nothing wrong is named by saying nothing at all.
    let is_named = causes.iter().all(|cause| found.contains(cause)) && diagnosis.findings.len() == causes.len();
    let row = match (is_wrong, is_named) {
        (true, _) => Row { wrong: 1, ..Row::default() },
        (false, true) => Row { named: 1, ..Row::default() },
        (false, false) => Row { open: 1, ..Row::default() },
    };
    (row, said)
}

#[test]
fn nothing_is_named_that_is_not_there() {
    let freeze = std::env::var("FLAGFALL_FREEZE").unwrap_or_else(|_| FREEZE.to_owned());
    let mut rows: BTreeMap<Class, Row> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut open = Vec::new();
    for class in Class::ALL {
        for game in 0..GAMES {
            let hash = Sha256::digest(format!("{freeze} {} {game}", class.name()));
            let mut seed = [0; 8];
            seed.copy_from_slice(&hash[..8]);
            let mut draw = Stream::named(u64::from_le_bytes(seed), "confusion");
            let drawn = drawn(class, &mut draw);
            let trace = flagfall_sim::run(&drawn.plan, &flagfall_sim::Budget::default()).expect("a run");
            let (one, said) = judge(&trace, &drawn.causes);
            let told = format!("{} {game}: {:?}: {said}", class.name(), drawn.causes);
            if one.wrong > 0 {
                wrong.push(told);
            } else if one.open > 0 {
                open.push(told);
            }
            let row = rows.entry(class).or_default();
            (row.named, row.open, row.wrong) = (row.named + one.named, row.open + one.open, row.wrong + one.wrong);
        }
    }
    println!("| what is wrong | games | named | not told apart | named wrongly |\n|---|---|---|---|---|");
    for (class, row) in &rows {
        println!("| {} | {GAMES} | {} | {} | {} |", class.name(), row.named, row.open, row.wrong);
    }
    let named: u64 = rows.values().map(|row| row.named).sum();
    let all = GAMES * Class::ALL.len() as u64;
    println!("\n{named} of {all} named, seeds from the hash of `{freeze}`");
    open.iter().for_each(|told| println!("not told apart: {told}"));
    assert!(wrong.is_empty(), "named wrongly:\n{}", wrong.join("\n"));
    assert!(5 * named >= 4 * all, "{named} of {all} named");
}
