//! What the faces show between the records.
//!
//! A record holds the faces right after something happened. From there on the running side's time runs off, after the
//! delay of its move if it has one, in proportion to the device time that passes until the next record.

mod dial;

use flagfall_core::{Bonus, BySide, Clock, Face, Phase, Record, Setup, Side, TickRate, TrueTime};
use flagfall_trace::Trace;

use crate::quantity;

/// Where the clock stood right after a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// True time of the record.
    pub(crate) true_time: TrueTime,
    /// Device time of the record in ticks since the run began.
    pub(crate) ticks: i128,
    pub(crate) phase: Phase,
    pub(crate) remaining_ticks: BySide<u64>,
    /// What the faces of a dial read, in seconds.
    shown: BySide<Face>,
    /// Delay left to the side that runs or will go on, in ticks.
    pub(crate) delay_ticks: u64,
    pub(crate) moves: BySide<u16>,
    pub(crate) period: BySide<u8>,
    pub(crate) fallen: BySide<bool>,
}

impl Point {
    /// Where the hands of a dial stand, in ticks from twelve.
    pub(crate) fn hands_ticks(&self, side: Side, setup: &Setup, rate: TickRate) -> i128 {
        dial::from_twelve(self, side, setup, rate)
    }
}

/// The points of a trace: the clock as it was set up, then one for each record.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    rate: TickRate,
    setup: Setup,
    /// Whether the clock is analogue, its faces dials.
    is_dial: bool,
    points: Vec<Point>,
}

impl Course {
    pub(crate) fn of(trace: &Trace) -> Self {
        let rate = trace.plan.tick_rate;
        let mut points = vec![ready(&trace.plan.setup, rate)];
        for stamped in &trace.records {
            let ticks = trace.ticks_into_run(&stamped.record);
            points.push(Point { true_time: stamped.true_time, ticks, ..of_record(&stamped.record) });
        }
        Self { rate, setup: trace.plan.setup, is_dial: !trace.plan.clock_kind.is_digital(), points }
    }

    /// The clock as it was set up, then one point for each record.
    pub(crate) fn points(&self) -> &[Point] {
        &self.points
    }

    /// The faces at `at`, when `records` records have been written and the next has not.
    pub(crate) fn faces(&self, records: usize, at: TrueTime) -> BySide<Face> {
        let records = records.min(self.points.len() - 1);
        let point = &self.points[records];
        let since_ns = i128::from(at.ns()) - i128::from(point.true_time.ns());
        let passed = match self.points.get(records + 1) {
            Some(next) if next.true_time > point.true_time => {
                let ns = i128::from(next.true_time.ns()) - i128::from(point.true_time.ns());
                since_ns * (next.ticks - point.ticks) / ns
            }
            _ => since_ns * i128::from(self.rate.hz()) / 1_000_000_000,
        };
        let passed = u64::try_from(passed.max(0)).unwrap_or(u64::MAX);
        let charged = passed.saturating_sub(point.delay_ticks);
        BySide::from_fn(|side| {
            if self.is_dial {
                let gone = if point.phase == Phase::Running(side) { charged } else { 0 };
                return dial::face(point, side, gone, &self.setup, self.rate);
            }
            let left = point.remaining_ticks[side];
            let ticks = match point.phase {
                Phase::Running(running) => match self.setup.control[running].period(point.period[running]).bonus {
                    Bonus::CountUp if running == side => left.saturating_add(charged),
                    Bonus::Hourglass if running != side && !point.fallen[side] => left.saturating_add(charged),
                    _ if running == side => left.saturating_sub(charged),
                    _ => left,
                },
                _ => left,
            };
            Face::of(ticks, self.rate, self.setup.display)
        })
    }

    /// Nanoseconds of device time since the run began, at the nominal rate.
    pub(crate) fn device_ns(&self, ticks: i128) -> i128 {
        quantity::ns_of_ticks(ticks, self.rate)
    }
}

fn ready(setup: &Setup, rate: TickRate) -> Point {
    let clock = Clock::new(setup, rate);
    let state = clock.state();
    Point {
        true_time: TrueTime::ZERO,
        ticks: 0,
        phase: state.phase,
        remaining_ticks: state.remaining_ticks,
        shown: BySide::from_fn(|side| {
            dial::at_the_opening(state.remaining_ticks[side], state.period[side], setup, side, rate)
        }),
        delay_ticks: 0,
        moves: state.moves,
        period: state.period,
        fallen: state.fallen,
    }
}

fn of_record(record: &Record) -> Point {
    Point {
        true_time: TrueTime::ZERO,
        ticks: 0,
        phase: record.phase,
        remaining_ticks: record.remaining_ticks,
        shown: record.shown,
        delay_ticks: record.delay_ticks,
        moves: record.moves,
        period: record.period,
        fallen: record.fallen,
    }
}

/// The side that a phase names.
pub(crate) const fn side_of(phase: Phase) -> Option<Side> {
    match phase {
        Phase::Ready => None,
        Phase::Running(side) | Phase::Paused(side) | Phase::Frozen(side) => Some(side),
    }
}
