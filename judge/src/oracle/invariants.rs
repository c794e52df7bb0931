//! What holds for every right clock under every control, checked on the records alone.
//!
//! - At most one side runs: from one record to the next only the running side's time goes down.
//! - Per side, what was charged plus what a delay took is the time on move.
//! - Both sides, pauses and waiting add up to what has passed, since each stretch between two records is one of them.
//! - A flag is down if and only if nothing is left.
//! - Nothing is credited to a side whose flag is down.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Record, Side};
use flagfall_trace::{Stamped, Trace};

use super::{Examination, Finding, sides};
use crate::expectation::Wrong;

pub(super) fn examine(trace: &Trace, examination: &mut Examination) {
    let mut on_move = OnMove { side: None, spent: 0, charged: 0, delay: 0 };
    for pair in trace.records.windows(2) {
        stretch(trace, &pair[0], &pair[1], &mut on_move, examination);
    }
    for stamped in &trace.records {
        flag_if_and_only_if_zero(trace, stamped, examination);
    }
}

/// The turn that is going on, as the records show it.
struct OnMove {
    side: Option<Side>,
    spent: u64,
    charged: u64,
    delay: u64,
}

impl OnMove {
    fn begin_turn_of(&mut self, side: Side, trace: &Trace, from: &Stamped) {
        if matches!(from.record.kind, Kind::SWITCHED | Kind::STARTED) || self.side != Some(side) {
            let delay = match trace.plan.setup.control[side].period(from.record.period[side]).bonus {
                Bonus::Delay { ms } => trace.plan.tick_rate.ticks_from_ms(u64::from(ms)),
                _ => 0,
            };
            *self = Self { side: Some(side), spent: 0, charged: 0, delay };
        }
    }

    /// A stretch that ends with a gift or a correction: what it was charged cannot be seen and is taken as right.
    fn pass_unseen(&mut self, side: Side, passed: u64) {
        if self.side == Some(side) {
            self.spent += passed;
            self.charged = self.spent.saturating_sub(self.delay);
        }
    }
}

fn stretch(trace: &Trace, from: &Stamped, to: &Stamped, on_move: &mut OnMove, examination: &mut Examination) {
    let passed = to.record.at.ticks_since(from.record.at);
    if let Some(running) = from.record.running() {
        on_move.begin_turn_of(running, trace, from);
    }
    for side in sides() {
        let change = i128::from(to.record.remaining_ticks[side]) - i128::from(from.record.remaining_ticks[side]);
        if from.record.fallen[side] && to.record.kind == Kind::CREDITED && to.record.side == Some(side) {
            let expected = "nothing is credited to a fallen side".into();
            let found = format!("{} ticks credited", to.record.value);
            examination.find(Finding { wrong: Wrong::Arithmetic(side), at: to.true_time, expected, found });
        }
        if gains(&to.record, side) {
            if from.record.running() == Some(side) {
                on_move.pass_unseen(side, passed);
            }
            continue;
        }
        if from.record.running() == Some(side) {
            charge(from, to, side, -change, passed, on_move, examination);
        } else if change != 0 {
            let expected = format!("{side} does not run and keeps its time");
            let found = format!("{change:+} ticks between two records");
            examination.find(Finding { wrong: Wrong::Running, at: to.true_time, expected, found });
        }
    }
    if to.record.kind == Kind::FLAG_FELL && to.record.side == on_move.side {
        // Nothing is left of a delay once the flag is down, even if the arbiter let it fall.
        on_move.delay = on_move.delay.min(on_move.spent);
    }
}

/// Whether the second record is one that gives or sets a side's time.
fn gains(record: &Record, side: Side) -> bool {
    record.side == Some(side) && matches!(record.kind, Kind::CREDITED | Kind::PERIOD_ENTERED | Kind::TIME_SET)
}

fn charge(
    from: &Stamped,
    to: &Stamped,
    side: Side,
    charged: i128,
    passed: u64,
    on_move: &mut OnMove,
    examination: &mut Examination,
) {
    on_move.spent += passed;
    let Ok(charged) = u64::try_from(charged) else {
        let found = format!("{} ticks gained without a credit", -charged);
        return examination.find(Finding {
            wrong: Wrong::Arithmetic(side),
            at: to.true_time,
            expected: "time on move is charged".into(),
            found,
        });
    };
    on_move.charged += charged;
    if from.record.fallen[side] {
        // A fallen side has nothing left to be charged; what comes after a correction is counted from there.
        on_move.charged = on_move.spent.saturating_sub(on_move.delay);
        return;
    }
    let by_delay = on_move.spent.checked_sub(on_move.charged);
    let right =
        by_delay.is_some_and(|ticks| ticks <= on_move.delay && (ticks == on_move.delay || on_move.charged == 0));
    if !right {
        let expected =
            format!("charged + delay used = time on move, {} ticks with {} of delay", on_move.spent, on_move.delay);
        let found = format!("{} ticks charged", on_move.charged);
        examination.find(Finding { wrong: Wrong::Arithmetic(side), at: to.true_time, expected, found });
    }
}

fn flag_if_and_only_if_zero(trace: &Trace, stamped: &Stamped, examination: &mut Examination) {
    let record = &stamped.record;
    for side in sides() {
        let (left, down) = (record.remaining_ticks[side], record.fallen[side]);
        // Main time may be zero with the flag up while a delay still runs, and before the clock is started.
        let delay = matches!(trace.plan.setup.control[side].period(record.period[side]).bonus, Bonus::Delay { .. });
        let about_to_fall = record.kind == Kind::TIME_SET || matches!(record.phase, flagfall_core::Phase::Ready);
        let wrong = if down { left != 0 } else { left == 0 && !delay && !about_to_fall };
        if wrong {
            let expected = "the flag is down if and only if nothing is left".into();
            let found = format!("{left} ticks left, flag {}", if down { "down" } else { "up" });
            examination.find(Finding { wrong: Wrong::Flag(side), at: stamped.true_time, expected, found });
        }
    }
}
