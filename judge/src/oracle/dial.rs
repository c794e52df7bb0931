//! Is an analogue clock right? Its hands against what was done, and its flags against its hands.
//!
//! Read CBX rules 62, 68 and 69 and the commentary on FIDE Laws 6.10a first. The two looks are kept apart so that a fault
//! is found where it is:
//! - **Hands** (`remaining`, `running`, `time-base`) must stand where the acts of the hall put them. A side that is not on
//!   move goes nowhere, one that is does, and what both have used adds up to what has passed.
//! - **Flags** (`flag`) must follow the hands, right or wrong: lifted shortly before an hour, dropped at it, a fall if a
//!   control ends there.
//! - **Buttons** (`press`, `running`): each press has its effect and nothing has one without.
//!
//! Only a plan whose instants are exact can be looked at so: an analogue clock stands in virtual time and on no board.

mod flags;
mod hands;

use flagfall_core::record::Kind;
use flagfall_core::{BySide, IgnoredBecause, Phase, Record, Side};
use flagfall_trace::plan::Act;
use flagfall_trace::{DialSetup, Stamped, Trace};

use super::reckoning::Doing;
use super::{Bound, Examination, Finding, seconds, sides};
use crate::expectation::Wrong;
use flags::Flag;
pub(super) use hands::Hands;

pub(super) fn examine(trace: &Trace, dial: &DialSetup, examination: &mut Examination) {
    let hands = Hands::new(&trace.plan.setup, dial, trace.plan.tick_rate);
    let flags = BySide::from_fn(|side| Flag::at_the_start(&hands, side));
    let seen = BySide::from_fn(|side| Seen { hands: hands.reading(side, flagfall_core::TrueTime::ZERO), exact: true });
    let mut look = Look {
        trace,
        examination,
        flags,
        seen,
        stray: BySide::both(false),
        used: 0,
        elapsed: 0,
        doubt: 0,
        hands,
        next_act: 0,
        awaited: Vec::new(),
    };
    for (index, stamped) in trace.records.iter().enumerate() {
        look.record(index, stamped);
    }
    look.unanswered();
    examination.bounds = vec![Bound::default(); trace.records.len()];
}

/// Where a record shows the hands of a side.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Ticks from six o'clock at the end of the first control.
    hands: i128,
    /// Known to the tick; beyond the end of the last control a dial is read in seconds only.
    exact: bool,
}

/// What must follow in the records: kind, side, detail.
type Awaited = (Kind, Option<Side>, u16);

struct Look<'t, 'e> {
    trace: &'t Trace,
    examination: &'e mut Examination,
    hands: Hands,
    flags: BySide<Flag>,
    /// Where the hands were seen last.
    seen: BySide<Seen>,
    /// Whether the hands of a side have been seen where they must not be since they were set.
    stray: BySide<bool>,
    /// Ticks that both sides' hands have gone, and ticks for which one of them was on move.
    used: i128,
    elapsed: i128,
    /// How much both may differ by: a tick for each time that the clock was started, stopped or set between two ticks,
    /// a second where a dial was read in seconds.
    doubt: i128,
    next_act: usize,
    awaited: Vec<Awaited>,
}

impl<'t> Look<'t, '_> {
    fn find(&mut self, stamped: &Stamped, wrong: Wrong, expected: String, found: String) {
        self.examination.find(Finding { wrong, at: stamped.true_time, expected, found });
    }

    fn record(&mut self, index: usize, stamped: &'t Stamped) {
        let record = &stamped.record;
        let tick = self.trace.plan.tick_rate.tick_at(stamped.true_time);
        if record.at != tick {
            let expected = format!("a stamp at tick {}", tick.ticks());
            self.find(stamped, Wrong::TimeBase, expected, format!("tick {}", record.at.ticks()));
        }
        let since = index.checked_sub(1).map_or(0, |before| self.trace.records[before].record.at.ticks());
        let passed = i128::from(record.at.ticks()) - i128::from(since);
        let set = if record.kind == Kind::TIME_SET { record.side } else { None };
        for side in sides().into_iter().filter(|side| Some(*side) != set) {
            self.went(stamped, side, passed);
        }
        if let Doing::Running(side) = self.hands.doing()
            && set != Some(side)
        {
            self.elapsed += passed;
        }
        match record.kind {
            Kind::FLAG_LIFTED | Kind::FLAG_DROPPED | Kind::FLAG_FELL => {}
            _ => self.button(stamped),
        }
        self.faces(stamped);
        self.flags_of(stamped);
        self.sum(stamped);
    }

    /// Lets a record that speaks of an act meet that act, and one that follows from it meet what must follow.
    fn button(&mut self, stamped: &'t Stamped) {
        let record = &stamped.record;
        if let Some(awaited) = (!self.awaited.is_empty()).then(|| self.awaited.remove(0)) {
            if (record.kind, record.side, record.detail) != awaited {
                self.awaited.clear();
                self.find(stamped, Wrong::Running, words(awaited.0, awaited.1), words(record.kind, record.side));
            }
            return;
        }
        while let Some((act, at)) = self.act() {
            self.next_act += 1;
            let Some(leaves) = act.leaves() else { continue };
            let is_it = leaves == (record.kind, record.side) && at == stamped.true_time;
            if !is_it {
                let expected = format!("{} at {at} s", words(leaves.0, leaves.1));
                let wrong = leaves.1.map_or(Wrong::Running, Wrong::Press);
                self.find(stamped, wrong, expected, "nobody saw any of it".into());
            }
            self.do_act(act, stamped, is_it);
            if is_it {
                return;
            }
        }
        let wrong = record.side.map_or(Wrong::Running, Wrong::Press);
        self.find(stamped, wrong, "nobody did anything".into(), words(record.kind, record.side));
    }

    fn act(&self) -> Option<(&'t Act, flagfall_core::TrueTime)> {
        let achieved = self.trace.achieved.get(self.next_act)?;
        Some((&self.trace.plan.steps[achieved.step as usize].act, achieved.earliest))
    }

    fn do_act(&mut self, act: &Act, stamped: &Stamped, noted: bool) {
        if noted {
            self.awaited = self.follows(act);
        }
        let ran = matches!(self.hands.doing(), Doing::Running(_));
        match act {
            Act::SetTime { side, left_ms } => self.set(*side, *left_ms, stamped),
            _ => self.hands.act(act, stamped.true_time),
        }
        if ran != matches!(self.hands.doing(), Doing::Running(_)) || matches!(act, Act::SetTime { .. }) {
            self.doubt += 1;
        }
    }

    /// What must follow from an act, as the lever stands.
    fn follows(&self, act: &Act) -> Vec<Awaited> {
        let first = self.trace.plan.setup.first;
        let follows = match (act, self.hands.doing()) {
            (Act::Press { side, .. }, Doing::Running(running)) if running != *side => {
                (Kind::IGNORED, Some(*side), IgnoredBecause::NotOnMove as u16)
            }
            (Act::Press { side, .. }, Doing::Waiting) => (Kind::STARTED, Some(side.other()), 0),
            (Act::Press { side, .. }, Doing::Paused(paused)) if paused != *side => (Kind::RESUMED, Some(paused), 0),
            (Act::Press { side, .. }, _) => (Kind::SWITCHED, Some(side.other()), 0),
            (Act::Start | Act::Pause { .. } | Act::Resume { .. }, doing) => match doing {
                Doing::Waiting => (Kind::STARTED, Some(first), 0),
                Doing::Running(side) => (Kind::PAUSED, Some(side), 0),
                Doing::Paused(side) | Doing::Frozen(side) => (Kind::RESUMED, Some(side), 0),
            },
            _ => return Vec::new(),
        };
        vec![follows]
    }

    /// Hands that were astray are read for the control that whoever set them saw them in.
    fn set(&mut self, side: Side, left_ms: u64, stamped: &Stamped) {
        let now = stamped.true_time;
        let ticks = self.trace.plan.tick_rate.ticks_from_ms(left_ms);
        let meant = self.hands.meant_by_a_correction(side, now);
        let last = self.trace.plan.setup.control[side].last();
        let set_for = if self.stray[side] { stamped.record.period[side].min(last) } else { meant };
        self.hands.set(side, set_for, ticks, now);
        self.stray[side] = false;
        let hands = self.hands.reading(side, now);
        self.seen[side] = Seen { hands, exact: true };
        self.flags[side] = Flag::after_a_setting(&self.hands, side, hands, ticks);
        if stamped.record.kind == Kind::TIME_SET && stamped.record.value != ticks {
            let found = format!("set to {} ticks", stamped.record.value);
            self.find(stamped, Wrong::Remaining(side), format!("set to {ticks} ticks"), found);
        }
    }

    /// How far the hands of a side went since the record before.
    fn went(&mut self, stamped: &Stamped, side: Side, passed: i128) {
        let (before, now) = (self.seen[side], self.read_off(stamped, side));
        self.seen[side] = now;
        let went = now.hands - before.hands;
        self.used += went;
        if !(before.exact && now.exact) {
            self.doubt += i128::from(self.trace.plan.tick_rate.hz());
            return;
        }
        let on_move = self.hands.doing() == Doing::Running(side);
        if !on_move && went > 0 && went <= passed {
            let found = format!("its hands went {}", seconds(went, self.trace));
            self.find(stamped, Wrong::Running, format!("{side} is not on move and stands"), found);
        }
        if on_move && went == 0 && passed > 1 {
            let expected = format!("{side} is on move and its hands go");
            self.find(stamped, Wrong::Running, expected, format!("they stood for {}", seconds(passed, self.trace)));
        }
    }

    /// Where a record shows the hands.
    fn read_off(&self, stamped: &Stamped, side: Side) -> Seen {
        let record = &stamped.record;
        let must = self.hands.reading(side, stamped.true_time);
        let end = self.hands.scale(side).ends.get(usize::from(record.period[side])).copied().unwrap_or(0);
        match i128::from(record.remaining_ticks[side]) {
            0 => {
                // Seconds on a dial of twelve hours: the place nearest to where the hands must be.
                let hz = i128::from(self.trace.plan.tick_rate.hz());
                let dial = 12 * self.hands.scale(side).hour();
                let shown = (i128::from(record.shown[side].tenths() / 10) - 6 * 3_600) * hz;
                let turns = (must - shown + dial / 2).div_euclid(dial);
                let hands = shown + turns * dial;
                let is_must = (hands..hands + hz).contains(&must);
                Seen { hands: if is_must { must } else { hands }, exact: is_must }
            }
            left => Seen { hands: end - left, exact: true },
        }
    }

    /// Compares what a record shows of hands, lever and counters with what must be.
    fn faces(&mut self, stamped: &Stamped) {
        let record = &stamped.record;
        for side in sides() {
            let (must, seen) = (self.hands.reading(side, stamped.true_time), self.seen[side]);
            let reads = self.hands.scale(side).reads(seen.hands);
            if seen.hands != must || flagfall_core::Face::from_seconds(reads) != record.shown[side] {
                let face = |seconds| flagfall_core::Face::from_seconds(seconds).to_string();
                self.stray[side] = true;
                let gap = seen.hands - must;
                let way = if gap < 0 { "behind" } else { "ahead" };
                let expected = format!("hands at {}", face(self.hands.scale(side).reads(must)));
                let found = format!(
                    "{}, {} {way}, at {}",
                    record.shown[side],
                    seconds(gap.abs(), self.trace),
                    describe(record)
                );
                self.find(stamped, Wrong::Remaining(side), expected, found);
            }
            // Hands set to twelve are shown in the control that ends there, as is the fall that follows.
            let set_to_twelve = record.kind == Kind::TIME_SET && record.value == 0;
            let falls = (record.kind == Kind::FLAG_FELL || set_to_twelve) && record.side == Some(side);
            let control = self.hands.scale(side).control(self.hands.set_for(side), seen.hands);
            if record.moves[side] != 0 || (control != record.period[side] && !falls) {
                let found = format!("{} moves, control {}", record.moves[side], record.period[side] + 1);
                self.find(stamped, Wrong::Counter(side), format!("no counter, control {}", control + 1), found);
            }
        }
        let doing = match record.phase {
            Phase::Ready => Doing::Waiting,
            Phase::Running(side) => Doing::Running(side),
            Phase::Paused(side) => Doing::Paused(side),
            Phase::Frozen(side) => Doing::Frozen(side),
        };
        // The record of a press shows the lever before it moves.
        if doing != self.hands.doing() && self.awaited.is_empty() {
            let expected = format!("{:?}", self.hands.doing()).to_lowercase();
            self.find(stamped, Wrong::Running, expected, format!("{doing:?} at {}", describe(record)).to_lowercase());
        }
        if let Some(side) = record.first_fallen {
            self.find(stamped, Wrong::Flag(side), "no sign of a first fall".into(), format!("{side} fell first"));
        }
    }

    fn flags_of(&mut self, stamped: &Stamped) {
        let record = &stamped.record;
        let moved = matches!(record.kind, Kind::FLAG_LIFTED | Kind::FLAG_DROPPED | Kind::FLAG_FELL);
        for side in sides() {
            let hands = self.seen[side].hands;
            if moved && record.side != Some(side) {
                continue;
            }
            let set_for = self.hands.set_for(side);
            let wrong = if moved {
                self.flags[side].moves(record, hands, set_for, self.hands.scale(side))
            } else {
                self.flags[side].stands(record.fallen[side], hands, set_for, self.hands.scale(side))
            };
            if let Some((expected, found)) = wrong {
                self.find(stamped, Wrong::Flag(side), expected, format!("{found} at {}", describe(record)));
            }
        }
    }

    /// Used times add up to the time that has passed with a side on move.
    fn sum(&mut self, stamped: &Stamped) {
        // Each dial and the time that has passed are rounded down to a tick.
        let bound = 2 + self.doubt;
        let gap = self.used - self.elapsed;
        if gap.abs() > bound {
            let (used, elapsed) = (seconds(self.used, self.trace), seconds(self.elapsed, self.trace));
            let expected = format!("both sides have used what has passed, {elapsed}, within {bound} ticks");
            self.find(stamped, Wrong::TimeBase, expected, format!("they have used {used}"));
        }
    }

    /// Acts after the last record.
    fn unanswered(&mut self) {
        while let Some((act, at)) = self.act() {
            self.next_act += 1;
            let Some((kind, side)) = act.leaves() else { continue };
            let wrong = side.map_or(Wrong::Running, Wrong::Press);
            let found = "nobody saw any of it".into();
            self.examination.find(Finding { wrong, at, expected: words(kind, side), found });
        }
    }
}

fn words(kind: Kind, side: Option<Side>) -> String {
    side.map_or(kind.to_string(), |side| format!("{kind}({side})"))
}

fn describe(record: &Record) -> String {
    words(record.kind, record.side)
}
