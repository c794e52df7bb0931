//! A trace told line by line: who did what, what the clock did, when by both clocks, and what the faces showed.

mod text;

use flagfall_core::record::Kind;
use flagfall_core::{BySide, DeviceTime, Face, Side, TickRate, TrueTime};
use flagfall_trace::plan::Person;
use flagfall_trace::{Achieved, Act, Stamped, Trace};

use crate::answer::{self, Answers};
use crate::course::Course;
use crate::quantity;
use crate::words;

pub use text::render;

/// What a line is about; pictures have a mark for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A player's button.
    Press,
    /// A flag fell.
    Flag,
    /// A move on the chessboard.
    Move,
    /// A player came, looked or claimed, or the arbiter found something out.
    Hall,
    /// The arbiter did something to the clock.
    Arbiter,
    /// The faces were read.
    Read,
    /// The clock began to misbehave, on purpose.
    Fault,
    /// The clock wrote something that answers nothing.
    Device,
    /// The run was over.
    End,
}

/// What the device says about the instant of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceStamp {
    /// Device time of the record.
    pub at: DeviceTime,
    /// The same in nanoseconds of the device's nominal time since the run began, rounded up.
    pub ns_into_run: i128,
    /// The bench's estimate of that instant in true time.
    pub true_time: TrueTime,
    /// How far off the estimate may be, in nanoseconds.
    pub uncertainty_ns: u64,
}

/// What the displays show on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The digits.
    pub faces: BySide<Face>,
    /// Whether the device wrote them; otherwise they are computed from the record before and the one after.
    pub written: bool,
}

/// One line of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineLine {
    /// What it is about.
    pub mark: Mark,
    /// Who acts, or whose flag falls; `None` for the bench and the clock itself.
    pub who: Option<Person>,
    /// Where it stands in true time: the earliest instant of a step, the estimate for a record of its own.
    pub true_time: TrueTime,
    /// When a step for the clock was carried out; `None` for what only happens in the hall or in the clock.
    pub achieved: Option<Achieved>,
    /// The device's own stamp, if it wrote a record.
    pub device: Option<DeviceStamp>,
    /// How many records the device had written by then.
    pub records: usize,
    /// What the displays show right after.
    pub shown: Shown,
    /// A word for pictures, `Kd2`, empty where the mark says enough.
    pub label: String,
    /// What happened, a sentence: `White presses (same hand)`.
    pub event: String,
    /// What the clock did about it: `Black runs`; empty for what does not concern it.
    pub effect: String,
}

/// The lines of a trace in order of time; what the clock wrote keeps the clock's order.
#[must_use]
pub fn lines(trace: &Trace) -> Vec<TimelineLine> {
    let teller = Teller { trace, course: Course::of(trace), rate: trace.plan.tick_rate };
    let answers = Answers::of(trace);
    let mut lines = teller.merged(teller.told_by_the_clock(&answers), teller.untold(&answers));
    let end = trace.plan.end.max(lines.last().map_or(TrueTime::ZERO, |line| line.true_time));
    lines.push(TimelineLine {
        mark: Mark::End,
        who: None,
        true_time: end,
        achieved: None,
        device: None,
        records: trace.records.len(),
        shown: Shown { faces: teller.course.faces(trace.records.len(), end), written: false },
        label: String::new(),
        event: "the run ends".to_owned(),
        effect: String::new(),
    });
    lines
}

/// A line and what its place among others depends on.
struct Placed {
    line: TimelineLine,
    /// Index of its step in the plan, if it has one.
    step: Option<usize>,
}

struct Teller<'a> {
    trace: &'a Trace,
    course: Course,
    rate: TickRate,
}

impl Teller<'_> {
    /// Lines that hold records, in the clock's order.
    fn told_by_the_clock(&self, answers: &Answers) -> Vec<Placed> {
        let mut told: Vec<Placed> = Vec::new();
        let mut group = 0;
        for (index, stamped) in self.trace.records.iter().enumerate() {
            let first = &self.trace.records[group].record;
            if index > group
                && follows(first.kind, stamped.record.kind)
                && first.at == stamped.record.at
                && let Some(placed) = told.last_mut()
            {
                self.add_effect(placed, stamped);
                placed.line.records = index + 1;
                continue;
            }
            group = index;
            told.push(self.begin(index, stamped, answers));
        }
        told
    }

    fn begin(&self, index: usize, stamped: &Stamped, answers: &Answers) -> Placed {
        let achieved = answers.achieved(index).map(|achieved| self.trace.achieved[achieved]);
        let act = achieved.as_ref().and_then(|achieved| answer::act(self.trace, achieved));
        let (mark, who, event) = match act {
            Some(act) => (mark_of(act), words::who(act), words::sentence(act)),
            None => {
                let kind = stamped.record.kind;
                (mark_of_record(kind), stamped.record.side.map(Person::from), words::event(&stamped.record))
            }
        };
        let device = DeviceStamp {
            at: stamped.record.at,
            ns_into_run: self.course.device_ns(self.trace.ticks_into_run(&stamped.record)),
            true_time: stamped.true_time,
            uncertainty_ns: stamped.uncertainty_ns,
        };
        let true_time = achieved.map_or(stamped.true_time, |achieved| achieved.earliest);
        // A look of the bench is no stamp of the device, and sees no digits.
        let watched = self.trace.watched;
        let reckoned = || Shown { faces: self.course.faces(index + 1, true_time), written: false };
        let line = TimelineLine {
            mark,
            who,
            true_time,
            achieved,
            device: (!watched).then_some(device),
            records: index + 1,
            shown: if watched { reckoned() } else { written(stamped) },
            label: act.map_or("", words::label).to_owned(),
            event,
            effect: words::effect(&stamped.record, self.rate).unwrap_or_default(),
        };
        Placed { line, step: achieved.map(|achieved| achieved.step as usize) }
    }

    fn add_effect(&self, placed: &mut Placed, stamped: &Stamped) {
        if let Some(words) = words::effect(&stamped.record, self.rate) {
            if !placed.line.effect.is_empty() {
                placed.line.effect.push_str("; ");
            }
            placed.line.effect.push_str(&words);
        }
        placed.line.shown = written(stamped);
    }

    /// Lines of steps that no record answers: the hall's, faults, presses that the clock did not notice.
    fn untold(&self, answers: &Answers) -> Vec<Placed> {
        let mut achieved_of = vec![None; self.trace.plan.steps.len()];
        for (index, achieved) in self.trace.achieved.iter().enumerate() {
            if let Some(place) = achieved_of.get_mut(achieved.step as usize) {
                *place = Some((index, *achieved));
            }
        }
        let mut untold = Vec::new();
        for (step, planned) in self.trace.plan.steps.iter().enumerate() {
            let achieved = achieved_of[step];
            if achieved.is_some_and(|(index, _)| answers.record(index).is_some()) {
                continue;
            }
            let effect = match (&planned.act, achieved) {
                (act, None) if act.is_for_the_clock() => "not carried out",
                (Act::Fault(_) | Act::Contact { .. }, _) => "",
                (act, _) if act.is_for_the_clock() && !self.trace.watched => "not noticed by the clock",
                _ => "",
            };
            let true_time = achieved.map_or(planned.at, |(_, achieved)| achieved.earliest);
            let line = TimelineLine {
                mark: mark_of(&planned.act),
                who: words::who(&planned.act),
                true_time,
                achieved: achieved.map(|(_, achieved)| achieved),
                device: None,
                records: 0,
                shown: Shown { faces: self.course.faces(0, true_time), written: false },
                label: words::label(&planned.act).to_owned(),
                event: words::sentence(&planned.act),
                effect: effect.to_owned(),
            };
            untold.push(Placed { line, step: Some(step) });
        }
        untold
    }

    /// Both lists as one. At the same instant the order of the plan decides; a record that no step caused comes first,
    /// because a flag that falls at an instant has fallen for all that is done at it.
    fn merged(&self, told: Vec<Placed>, untold: Vec<Placed>) -> Vec<TimelineLine> {
        let mut lines = Vec::with_capacity(told.len() + untold.len() + 1);
        let mut told = told.into_iter().peekable();
        let mut records = 0;
        for mut placed in untold {
            let before = |other: &Placed| {
                let (theirs, ours) = (other.line.true_time, placed.line.true_time);
                theirs < ours || theirs == ours && other.step < placed.step
            };
            while let Some(other) = told.next_if(before) {
                records = other.line.records;
                lines.push(other.line);
            }
            placed.line.records = records;
            placed.line.shown.faces = self.course.faces(records, placed.line.true_time);
            lines.push(placed.line);
        }
        lines.extend(told.map(|placed| placed.line));
        lines
    }
}

fn written(stamped: &Stamped) -> Shown {
    Shown { faces: stamped.record.shown, written: true }
}

/// Whether a record of kind `then` belongs to the line that a record of kind `first` began.
fn follows(first: Kind, then: Kind) -> bool {
    let causes = matches!(first, Kind::PRESSED | Kind::ARBITER_PRESSED | Kind::COUNTER_SET);
    causes && then.is_consequence()
}

const fn mark_of(act: &Act) -> Mark {
    match act {
        Act::Start
        | Act::Pause { .. }
        | Act::Resume { .. }
        | Act::SetTime { .. }
        | Act::SetCounter { .. }
        | Act::SetPeriod { .. }
        | Act::Swap
        | Act::Undo
        | Act::SetUp(_)
        | Act::Tap { .. } => Mark::Arbiter,
        Act::Press { .. } | Act::Contact { .. } => Mark::Press,
        Act::Read => Mark::Read,
        Act::Fault(_) => Mark::Fault,
        Act::Move(_) => Mark::Move,
        Act::Arrive { .. } | Act::Observe(_) | Act::Claim(_) | Act::Find(_) | Act::Hall(_) | Act::Battery { .. } => {
            Mark::Hall
        }
    }
}

const fn mark_of_record(kind: Kind) -> Mark {
    match kind {
        Kind::FLAG_FELL => Mark::Flag,
        Kind::PRESSED => Mark::Press,
        Kind::READ => Mark::Read,
        _ => Mark::Device,
    }
}

/// Seconds and, from a minute on, what a clock on the wall would show: `3600.000015 s, 1:00:00`.
#[must_use]
pub fn instant(at_ns: i64) -> String {
    let seconds = quantity::seconds(at_ns.into());
    match u32::try_from(at_ns / 1_000_000_000) {
        Ok(whole) if whole >= 60 => format!("{seconds}, {}", Face::from_seconds(whole)),
        _ => seconds,
    }
}

/// Who does what: `White presses (same hand)`.
#[must_use]
pub fn sentence(act: &Act) -> String {
    words::sentence(act)
}

/// The side whose lane a line belongs to, if it belongs to a side.
#[must_use]
pub fn lane(line: &TimelineLine) -> Option<Side> {
    line.who.and_then(Person::side)
}
