//! Which record speaks of which act, and when an exact clock would have noticed that act.

use flagfall_core::record::Kind;
use flagfall_core::{Record, Setup, Side, TickRate, TrueTime};
use flagfall_trace::plan::{Act, Plan};
use flagfall_trace::{Achieved, Stamped, Trace};

use super::contacts::{Contacts, Leaves};
use super::reckoning::Deed;
use super::{Examination, Finding, Limits};
use crate::expectation::Wrong;

/// What a device says was done to it, in its order; a new setting is the next one of the plan.
pub(super) struct Deeds<'t> {
    set_ups: Vec<&'t Setup>,
}

impl<'t> Deeds<'t> {
    pub(super) fn of(trace: &'t Trace) -> Self {
        let achieved = trace.achieved.iter().map(|achieved| &trace.plan.steps[achieved.step as usize].act);
        let mut set_ups: Vec<&Setup> = achieved.filter_map(set_up_by).collect();
        set_ups.reverse();
        Self { set_ups }
    }

    /// What this record says was done; `None` for a consequence.
    pub(super) fn next(&mut self, record: &Record) -> Option<Deed<'t>> {
        match (record.kind, record.side) {
            (Kind::PRESSED, Some(side)) => Some(Deed::Press(side)),
            (Kind::ARBITER_PRESSED, _) => Some(Deed::ArbiterButton),
            (Kind::TIME_SET, Some(side)) => Some(Deed::SetTime(side, record.value)),
            (Kind::COUNTER_SET, Some(side)) => Some(Deed::SetCounter(side, record.value as u16)),
            (Kind::PERIOD_SET, Some(side)) => {
                Some(Deed::SetPeriod(side, u8::try_from(record.value).unwrap_or(u8::MAX)))
            }
            (Kind::SWAPPED, _) => Some(Deed::Swap),
            (Kind::UNDONE, _) => Some(Deed::Undo),
            (Kind::CONFIGURED, _) => self.set_ups.pop().map(Deed::SetUp),
            (Kind::BATTERY, _) => Some(Deed::Battery(record.value != 0)),
            (Kind::READ, _) => Some(Deed::Read),
            _ => None,
        }
    }
}

fn set_up_by(act: &Act) -> Option<&Setup> {
    match act {
        Act::SetUp(installed) => Some(&installed.0),
        _ => None,
    }
}

/// Whether a record says what was done to the device.
pub(super) fn is_deed(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::PRESSED
            | Kind::ARBITER_PRESSED
            | Kind::TIME_SET
            | Kind::COUNTER_SET
            | Kind::PERIOD_SET
            | Kind::SWAPPED
            | Kind::UNDONE
            | Kind::CONFIGURED
            | Kind::BATTERY
            | Kind::READ
    )
}

/// An act and the record that speaks of it.
pub(super) struct Pair {
    pub(super) achieved: Achieved,
    pub(super) record: usize,
}

/// Which record speaks of which act: in order, the same kind and side, and of what was really done.
pub(super) fn pair(trace: &Trace, limits: &Limits, examination: &mut Examination) -> Vec<Pair> {
    let deeds: Vec<usize> =
        (0..trace.records.len()).filter(|index| is_deed(trace.records[*index].record.kind)).collect();
    let rate = trace.plan.tick_rate;
    let mut contacts = Contacts::new(&trace.plan.setup, rate);
    let mut pairs = Vec::new();
    let mut next = 0;
    for achieved in &trace.achieved {
        let act = &trace.plan.steps[achieved.step as usize].act;
        let (kind, side, surely) = match contacts.leaves(act, rate.tick_at(achieved.earliest).ticks(), limits) {
            Leaves::Nothing => continue,
            Leaves::Surely(kind, side) => (kind, side, true),
            Leaves::Perhaps(kind, side) => (kind, side, false),
        };
        let spoken_of = |next: usize| deeds.get(next).map(|index| &trace.records[*index]);
        while let Some(extra) =
            spoken_of(next).filter(|stamped| !is(&stamped.record, kind, side) && is_before(stamped, achieved.earliest))
        {
            nobody_did(extra, examination);
            next += 1;
        }
        let may_be =
            |stamped: &Stamped| is(&stamped.record, kind, side) && (surely || !is_after(stamped, achieved.latest));
        match deeds.get(next).filter(|index| may_be(&trace.records[**index])) {
            None if !surely => {}
            Some(record) => {
                same_value(&trace.records[*record], act, rate, examination);
                pairs.push(Pair { achieved: *achieved, record: *record });
                next += 1;
            }
            None => examination.find(Finding {
                wrong: blame(kind, side),
                at: achieved.earliest,
                expected: format!("{} at {} s", words(kind, side), achieved.earliest),
                found: "the device says nothing of it".into(),
            }),
        }
    }
    if let Some(extra) = deeds.get(next).map(|index| &trace.records[*index]) {
        nobody_did(extra, examination);
    }
    pairs
}

/// Whether a record was certainly written before an instant.
fn is_before(stamped: &Stamped, at: TrueTime) -> bool {
    let latest = i128::from(stamped.true_time.ns()) + i128::from(stamped.uncertainty_ns);
    latest < i128::from(at.ns())
}

/// Whether a record was certainly written after an instant.
fn is_after(stamped: &Stamped, at: TrueTime) -> bool {
    let earliest = i128::from(stamped.true_time.ns()) - i128::from(stamped.uncertainty_ns);
    earliest > i128::from(at.ns())
}

/// The device tells of something that was not done.
fn nobody_did(extra: &Stamped, examination: &mut Examination) {
    let (kind, side) = (extra.record.kind, extra.record.side);
    let expected = "nobody did anything".into();
    examination.find(Finding { wrong: blame(kind, side), at: extra.true_time, expected, found: words(kind, side) });
}

/// A correction must be taken as it was given.
fn same_value(stamped: &Stamped, act: &Act, rate: TickRate, examination: &mut Examination) {
    let given = match act {
        Act::SetTime { left_ms, .. } => rate.ticks_from_ms(*left_ms),
        Act::SetCounter { moves, .. } => u64::from(*moves),
        Act::SetPeriod { period, .. } => u64::from(*period),
        Act::Battery { low } => u64::from(*low),
        _ => return,
    };
    if stamped.record.value != given {
        let (kind, side) = (stamped.record.kind, stamped.record.side);
        let wrong = match (kind, side) {
            (Kind::TIME_SET, Some(side)) => Wrong::Arithmetic(side),
            (_, Some(side)) => Wrong::Counter(side),
            (_, None) => Wrong::Battery,
        };
        let words = |value: u64| format!("{} to {value}", words(kind, side));
        let (expected, found) = (words(given), words(stamped.record.value));
        examination.find(Finding { wrong, at: stamped.true_time, expected, found });
    }
}

fn blame(kind: Kind, side: Option<Side>) -> Wrong {
    match (kind, side) {
        (Kind::BATTERY, _) => Wrong::Battery,
        (_, Some(side)) => Wrong::Press(side),
        (_, None) => Wrong::Running,
    }
}

fn is(record: &Record, kind: Kind, side: Option<Side>) -> bool {
    record.kind == kind && (side.is_none() || record.side == side)
}

/// A record in a few words: `pressed(white)`.
pub(super) fn words(kind: Kind, side: Option<Side>) -> String {
    side.map_or(kind.to_string(), |side| format!("{kind}({side})"))
}

/// The instants between which an act must have been noticed, in ticks of an exact clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) from: i128,
    pub(super) to: i128,
}

impl Window {
    /// From the earliest instant of the act to the latest, but no longer than the rig declares, one stamp off.
    pub(super) fn of(achieved: &Achieved, limits: &Limits, rate: TickRate) -> Self {
        let tick_at = |at: TrueTime| i128::from(rate.tick_at(at).ticks());
        let (earliest, latest) = (tick_at(achieved.earliest), tick_at(achieved.latest));
        let stamp = i128::from(limits.stamp_ticks);
        let latency = i128::from(limits.latency_ticks(rate));
        Self { from: earliest - stamp, to: latest.min(earliest + latency) + stamp }
    }
}

/// How far the device's ticks are behind those of an exact clock, followed from act to act.
///
/// It moves no further than it must to put each stamp into its window. A right clock's true offset lies in every window
/// as well, and each step made here is a step towards it: all steps together are therefore no longer than the first
/// distance (a stamp) and the way of the true offset itself (the oscillator's limit over the time that has passed),
/// however many acts there are. What that leaves out is judged act by act: no stamp may lie outside its window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offset {
    ticks: i128,
}

impl Offset {
    /// The tick of an exact clock at which the act behind a stamp was noticed.
    pub(super) fn follow(&mut self, stamp: i128, window: Window) -> u64 {
        let noticed = (stamp + self.ticks).clamp(window.from, window.to);
        self.ticks = noticed - stamp;
        u64::try_from(noticed).unwrap_or(0)
    }
}

/// The display format at each record, as the plan's settings have it.
pub(super) fn setups<'t>(plan: &'t Plan, trace: &'t Trace) -> impl Iterator<Item = &'t Setup> {
    let mut deeds = Deeds::of(trace);
    trace.records.iter().scan(&plan.setup, move |setup, stamped| {
        if stamped.record.kind == Kind::CONFIGURED
            && let Some(Deed::SetUp(next)) = deeds.next(&stamped.record)
        {
            *setup = next;
        }
        Some(*setup)
    })
}
