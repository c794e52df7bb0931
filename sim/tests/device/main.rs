//! What is wrong with a device has exactly the effect that its description says, to the tick.

mod bonuses;
mod buttons;
mod display;
mod flags;
mod power;
mod running;
mod soundness;

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Opening, Period, Record, Setup, Side, TickRate, TimeControl, TrueTime};
use flagfall_sim::{Budget, run};
use flagfall_trace::Trace;
use flagfall_trace::plan::{Act, Fault, GameClass, Hand, Person, Plan, Regulations, Step, StopReason};

const S: i64 = 1_000_000_000;
const WHITE: Side = Side::White;
const BLACK: Side = Side::Black;

/// An instant in milliseconds.
const fn ms(ms: i64) -> TrueTime {
    TrueTime::from_ns(ms * 1_000_000)
}

/// A game under construction; its clock counts microseconds and is started at zero.
#[derive(Clone)]
struct Game(Plan);

impl Game {
    fn of(periods: &[Period]) -> Self {
        Self(Plan {
            scenario: "test/device".into(),
            seed: 0,
            tick_rate: TickRate::MHZ,
            setup: Setup::new(TimeControl::new(periods).expect("a control")),
            regulations: Regulations {
                class: Some(GameClass::Rapid),
                default_time_ms: None,
                supervised: true,
                ..Regulations::default()
            },
            position: "4k3/8/8/8/8/8/8/4K2R w - - 0 1".into(),
            board: false,
            device_setup: None,
            clock_kind: flagfall_trace::ClockKind::default(),
            oscillator: flagfall_trace::OscillatorSpec::default(),
            steps: vec![Step { at: TrueTime::ZERO, act: Act::Start }],
            end: TrueTime::ZERO,
        })
    }

    /// A game in which each side has so many milliseconds and this bonus.
    fn with(base_ms: u64, bonus: Bonus) -> Self {
        Self::of(&[Period::all_moves(base_ms, bonus)])
    }

    fn setup(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        change(&mut self.0.setup);
        self
    }

    /// What a side has left at the beginning, in milliseconds.
    fn left(self, side: Side, left_ms: u64) -> Self {
        self.setup(|setup| setup.opening[side] = Opening { left_ms: Some(left_ms), ..Opening::default() })
    }

    /// A step, after those at the same instant that are there already.
    fn at(mut self, at_ms: i64, act: Act) -> Self {
        let later = self.0.steps.partition_point(|step| step.at <= ms(at_ms));
        self.0.steps.insert(later, Step { at: ms(at_ms), act });
        self.0.end = self.0.end.max(ms(at_ms));
        self
    }

    fn fault(self, at_ms: i64, fault: Fault) -> Self {
        self.at(at_ms, Act::Fault(fault))
    }

    fn press(self, at_ms: i64, side: Side) -> Self {
        self.at(at_ms, Act::Press { side, hand: Hand::Same })
    }

    fn button(self, at_ms: i64) -> Self {
        self.at(at_ms, Act::pause(Person::Arbiter, StopReason::Clock))
    }

    fn read(self, at_ms: i64) -> Self {
        self.at(at_ms, Act::Read)
    }

    fn trace(self) -> Trace {
        run(&self.0, &Budget::default()).expect("within budget")
    }

    fn records(self) -> Vec<Record> {
        self.trace().records.into_iter().map(|stamped| stamped.record).collect()
    }

    /// The last record, which the last look at the faces left.
    fn last(self) -> Record {
        self.records().pop().expect("a record")
    }

    /// What both sides have left in the last record, in milliseconds.
    fn left_at_the_end(self) -> (u64, u64) {
        left_ms(&self.last())
    }
}

/// What both sides have left; every instant of these tests is a whole millisecond.
fn left_ms(record: &Record) -> (u64, u64) {
    let left = record.remaining_ticks.map(|ticks| {
        assert_eq!(ticks % 1_000, 0, "{record:?}");
        ticks / 1_000
    });
    (left.white, left.black)
}

/// The records of these kinds: when in milliseconds, which, and whose.
fn told(records: &[Record], kinds: &[Kind]) -> Vec<(u64, Kind, Option<Side>)> {
    let of_these = records.iter().filter(|record| kinds.contains(&record.kind));
    of_these.map(|record| (record.at.ticks() / 1_000, record.kind, record.side)).collect()
}

fn falls(records: &[Record]) -> Vec<(u64, Side)> {
    let falls = told(records, &[Kind::FLAG_FELL]);
    falls.into_iter().map(|(at, _, side)| (at, side.expect("a flag has a side"))).collect()
}
