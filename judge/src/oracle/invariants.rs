//! What holds for every right clock under every control, checked on the records alone.
//!
//! - At most one side runs: from one record to the next only the running side's time changes, and that of the other by
//!   what an hourglass hands over.
//! - Per side, what was charged plus what a delay took is the time on move; a clock that counts up counts it.
//! - Both sides, pauses and waiting add up to what has passed, since each stretch between two records is one of them.
//! - A flag is down only if nothing is left, and down if the running side has nothing left.
//! - Nothing is credited to a side whose flag is down.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Phase, Record, SameTick, Setup, Side, Zero};
use flagfall_trace::{Stamped, Trace};

use super::stamps::setups;
use super::{Examination, Finding, sides};
use crate::expectation::Wrong;

pub(super) fn examine(trace: &Trace, examination: &mut Examination) {
    let setups: Vec<&Setup> = setups(&trace.plan, trace).collect();
    let mut colours = Colours { swapped: false, last_swapped: false };
    let mut on_move = OnMove { side: None, spent: 0, charged: 0, delay: 0 };
    for (index, stamped) in trace.records.iter().enumerate() {
        let setting = |swapped| Setting { trace, setup: setups[index], swapped };
        if let Some(from) = index.checked_sub(1).map(|before| &trace.records[before]) {
            let stretch = Stretch { from, to: stamped, setting: setting(colours.swapped) };
            stretch.check(&mut on_move, examination);
        }
        colours.follow(&stamped.record, trace.records.get(index + 1).map(|next| &next.record));
        flag_and_zero(&setting(colours.swapped), stamped, examination);
    }
}

/// Which control is on which side.
struct Colours {
    swapped: bool,
    /// Whether the last correction was a swap, which an undoing takes back.
    last_swapped: bool,
}

impl Colours {
    fn follow(&mut self, record: &Record, next: Option<&Record>) {
        match record.kind {
            Kind::SWAPPED => (self.swapped, self.last_swapped) = (!self.swapped, true),
            Kind::UNDONE if self.last_swapped && next.is_none_or(|next| next.kind != Kind::IGNORED) => {
                (self.swapped, self.last_swapped) = (!self.swapped, false);
            }
            Kind::TIME_SET | Kind::COUNTER_SET | Kind::PERIOD_SET => self.last_swapped = false,
            Kind::CONFIGURED => (self.swapped, self.last_swapped) = (false, false),
            _ => {}
        }
    }
}

/// What the clock is set to.
struct Setting<'t> {
    trace: &'t Trace,
    setup: &'t Setup,
    swapped: bool,
}

impl Setting<'_> {
    fn bonus(&self, side: Side, record: &Record) -> Bonus {
        let control = if self.swapped { side.other() } else { side };
        self.setup.control[control].period(record.period[side]).bonus
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
    fn begin_turn_of(&mut self, side: Side, setting: &Setting<'_>, from: &Record) {
        if matches!(from.kind, Kind::SWITCHED | Kind::STARTED) || self.side != Some(side) {
            let delay = match setting.bonus(side, from) {
                Bonus::Delay { ms } => setting.trace.plan.tick_rate.ticks_from_ms(u64::from(ms)),
                _ => 0,
            };
            *self = Self { side: Some(side), spent: 0, charged: 0, delay };
        }
    }

    /// A stretch that ends with a gift or a correction: what it was charged cannot be seen and is taken as right.
    fn pass_unseen(&mut self, to: &Record, passed: u64) {
        self.spent += passed;
        // A delay ends early only with a flag that the arbiter lets fall, and may come back when he takes that back.
        self.delay = if to.delay_ticks > 0 { self.spent + to.delay_ticks } else { self.delay.min(self.spent) };
        self.charged = self.spent - self.delay.min(self.spent);
    }
}

/// What passed from one record to the next.
struct Stretch<'t> {
    from: &'t Stamped,
    to: &'t Stamped,
    setting: Setting<'t>,
}

impl Stretch<'_> {
    fn check(&self, on_move: &mut OnMove, examination: &mut Examination) {
        let (from, to) = (&self.from.record, &self.to.record);
        let passed = to.at.ticks_since(from.at);
        if let Some(running) = from.running() {
            on_move.begin_turn_of(running, &self.setting, from);
        }
        if matches!(to.kind, Kind::SWAPPED | Kind::UNDONE | Kind::CONFIGURED) {
            on_move.side = to.phase.side();
            on_move.pass_unseen(to, passed);
            return;
        }
        for side in sides() {
            if from.fallen[side] && to.kind == Kind::CREDITED && to.side == Some(side) {
                let found = format!("{} ticks credited", to.value);
                self.find(Wrong::Arithmetic(side), "nothing is credited to a fallen side".into(), found, examination);
            }
            match from.running() {
                Some(running) if running == side => self.runs(side, passed, on_move, examination),
                _ if gains(to, side) && on_move.side == Some(side) => on_move.pass_unseen(to, 0),
                running => self.does_not_run(side, running, examination),
            }
        }
        if to.kind == Kind::FLAG_FELL && to.side == on_move.side {
            // Nothing is left of a delay once the flag is down, even if the arbiter let it fall.
            on_move.delay = on_move.delay.min(on_move.spent);
        }
    }

    fn find(&self, wrong: Wrong, expected: String, found: String, examination: &mut Examination) {
        examination.find(Finding { wrong, at: self.to.true_time, expected, found });
    }

    fn change(&self, side: Side) -> i128 {
        i128::from(self.to.record.remaining_ticks[side]) - i128::from(self.from.record.remaining_ticks[side])
    }

    fn does_not_run(&self, side: Side, running: Option<Side>, examination: &mut Examination) {
        let (from, to) = (&self.from.record, &self.to.record);
        if gains(to, side) {
            return;
        }
        let handed_over = match running {
            Some(running) if self.setting.bonus(running, from) == Bonus::Hourglass && !from.fallen[side] => {
                if gains(to, running) {
                    return;
                }
                -self.change(running)
            }
            _ => 0,
        };
        if self.change(side) != handed_over {
            let expected = match handed_over {
                0 => format!("{side} does not run and keeps its time"),
                ticks => format!("{side} is handed {ticks} ticks"),
            };
            let found = format!("{:+} ticks between two records", self.change(side));
            self.find(Wrong::Running, expected, found, examination);
        }
    }

    fn runs(&self, side: Side, passed: u64, on_move: &mut OnMove, examination: &mut Examination) {
        let (from, to) = (&self.from.record, &self.to.record);
        if gains(to, side) {
            return on_move.pass_unseen(to, passed);
        }
        on_move.spent += passed;
        if self.setting.bonus(side, from) == Bonus::CountUp {
            if self.change(side) != i128::from(passed) {
                let found = format!("{:+} ticks in {passed}", self.change(side));
                self.find(Wrong::Arithmetic(side), "time on move is counted".into(), found, examination);
            }
            return;
        }
        let Ok(charged) = u64::try_from(-self.change(side)) else {
            let found = format!("{} ticks gained without a credit", self.change(side));
            return self.find(Wrong::Arithmetic(side), "time on move is charged".into(), found, examination);
        };
        on_move.charged += charged;
        if from.fallen[side] {
            // A fallen side has nothing left to be charged; what comes after a correction is counted from there.
            on_move.charged = on_move.spent.saturating_sub(on_move.delay);
            return;
        }
        // What a side has not cannot be charged; whether its flag must be down by then is asked for itself.
        let grace = if to.remaining_ticks[side] == 0 { on_move.spent } else { 0 };
        let by_delay = on_move.spent.checked_sub(on_move.charged);
        let right = by_delay.is_some_and(|ticks| {
            ticks <= on_move.delay.saturating_add(grace) && (ticks >= on_move.delay || on_move.charged == 0)
        });
        if !right {
            let expected =
                format!("charged + delay used = time on move, {} ticks with {} of delay", on_move.spent, on_move.delay);
            let found = format!("{} ticks charged", on_move.charged);
            self.find(Wrong::Arithmetic(side), expected, found, examination);
        } else if grace > 0 {
            on_move.charged = on_move.spent.saturating_sub(on_move.delay);
        }
    }
}

/// Whether a record is one that gives or sets a side's time.
fn gains(record: &Record, side: Side) -> bool {
    record.side == Some(side)
        && matches!(record.kind, Kind::CREDITED | Kind::PERIOD_ENTERED | Kind::OVERTIME_ENTERED | Kind::TIME_SET)
}

fn flag_and_zero(setting: &Setting<'_>, stamped: &Stamped, examination: &mut Examination) {
    let record = &stamped.record;
    for side in sides() {
        let (left, down) = (record.remaining_ticks[side], record.fallen[side]);
        let wrong = if down { left != 0 } else { left == 0 && must_be_down(setting, record, side) };
        if wrong {
            let expected = "the flag is down if and only if nothing is left".into();
            let found = format!("{left} ticks left, flag {}", if down { "down" } else { "up" });
            examination.find(Finding { wrong: Wrong::Flag(side), at: stamped.true_time, expected, found });
        }
    }
}

/// Whether a side with nothing left must have lost its flag by now.
fn must_be_down(setting: &Setting<'_>, record: &Record, side: Side) -> bool {
    let none_down = !record.fallen.white && !record.fallen.black;
    let runs = match record.phase {
        Phase::Running(running) => running == side,
        Phase::Frozen(ran) => ran == side && none_down,
        Phase::Ready | Phase::Paused(_) => false,
    };
    // A turn may begin with nothing left, and a gift may follow in the same tick.
    let at_once = matches!(
        record.kind,
        Kind::STARTED | Kind::SWITCHED | Kind::RESUMED | Kind::CREDITED | Kind::PERIOD_ENTERED | Kind::TIME_SET
    );
    let pressed_first =
        setting.setup.same_tick == SameTick::PressFirst && record.kind == Kind::PRESSED && record.side == Some(side);
    let may_be_zero = setting.setup.zero == Zero::Alive || setting.bonus(side, record) == Bonus::CountUp;
    runs && record.delay_ticks == 0 && !at_once && !pressed_first && !may_be_zero
}
