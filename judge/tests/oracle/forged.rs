//! Right traces that were tampered with: whatever a record is made to say, the oracle says what is wrong with it.

use flagfall_core::display::Digits;
use flagfall_core::record::Kind;
use flagfall_core::{DeviceTime, Face, Phase, Record, Side};
use flagfall_judge::Wrong;
use flagfall_judge::oracle::{self, Limits};
use flagfall_trace::Trace;
use flagfall_trace::draw::Stream;

use super::random;

const GAMES: u64 = 1_500;

fn found(trace: &Trace) -> Vec<Wrong> {
    let limits = Limits::virtual_time(&trace.plan);
    oracle::examine(trace, &limits).findings.iter().map(|finding| finding.wrong).collect()
}

/// A forgery of one record, and what must be found at least.
type Forgery = fn(&mut Record, Side) -> Wrong;

const FORGERIES: [(&str, Forgery); 16] = [
    ("a tick more", |record, side| {
        record.remaining_ticks[side] += 1;
        Wrong::Arithmetic(side)
    }),
    ("a tick less or none", |record, side| {
        record.remaining_ticks[side] = record.remaining_ticks[side].checked_sub(1).unwrap_or(2);
        Wrong::Arithmetic(side)
    }),
    ("delay", |record, _| {
        record.delay_ticks += 1;
        Wrong::Arithmetic(record.phase.side().unwrap_or(Side::White))
    }),
    ("digits", |record, side| {
        record.shown[side] = Face::new(record.shown[side].tenths() + 1, record.shown[side].digits());
        Wrong::Display(side)
    }),
    ("kind of digits", |record, side| {
        let other = if record.shown[side].digits() == Digits::Tenths { Digits::Seconds } else { Digits::Tenths };
        record.shown[side] = Face::new(record.shown[side].tenths(), other);
        Wrong::Display(side)
    }),
    ("delay shown", |record, _| {
        record.shown_delay_seconds += 1;
        Wrong::Display(record.phase.side().unwrap_or(Side::White))
    }),
    ("moves", |record, side| {
        record.moves[side] += 1;
        Wrong::Counter(side)
    }),
    ("period", |record, side| {
        record.period[side] ^= 1;
        Wrong::Counter(side)
    }),
    ("overtime", |record, side| {
        record.overtime[side] += 1;
        Wrong::Counter(side)
    }),
    ("flag", |record, side| {
        record.fallen[side] = !record.fallen[side];
        Wrong::Flag(side)
    }),
    ("first-fallen sign", |record, side| {
        let forged = if record.first_fallen.is_none() { Some(side) } else { None };
        let wrong = Wrong::Flag(forged.or(record.first_fallen).unwrap_or(side));
        record.first_fallen = forged;
        wrong
    }),
    ("another side runs", |record, side| {
        record.phase = match record.phase {
            Phase::Running(running) => Phase::Running(running.other()),
            _ => Phase::Running(side),
        };
        Wrong::Running
    }),
    ("nobody runs", |record, side| {
        record.phase = match record.phase {
            Phase::Ready => Phase::Paused(side),
            Phase::Paused(ran) => Phase::Frozen(ran),
            Phase::Frozen(ran) | Phase::Running(ran) => Phase::Paused(ran),
        };
        Wrong::Running
    }),
    ("battery sign", |record, _| {
        record.battery_low = !record.battery_low;
        Wrong::Battery
    }),
    ("stamp", |record, _| {
        record.at = DeviceTime::from_ticks(record.at.ticks() + 1);
        // A zero is stamped by the clock alone, everything else by the hall as well.
        match (record.kind, record.side) {
            (Kind::FLAG_FELL | Kind::OVERTIME_ENTERED, Some(side)) => Wrong::Flag(side),
            _ => Wrong::TimeBase,
        }
    }),
    ("value of what was done", |record, _| {
        record.value += 1;
        match (record.kind, record.side) {
            (Kind::TIME_SET | Kind::CREDITED, Some(side)) => Wrong::Arithmetic(side),
            (Kind::COUNTER_SET | Kind::PERIOD_SET, Some(side)) => Wrong::Counter(side),
            _ => Wrong::Running,
        }
    }),
];

/// Records whose stamp or value is checked by itself; the others follow from one of these.
fn bites(name: &str, record: &Record) -> bool {
    match name {
        "stamp" => !record.kind.is_consequence(),
        "value of what was done" => {
            matches!(record.kind, Kind::TIME_SET | Kind::CREDITED | Kind::COUNTER_SET | Kind::PERIOD_SET)
        }
        _ => true,
    }
}

#[test]
fn any_change_of_any_record_is_found_for_what_it_is() {
    let mut tried = [0; FORGERIES.len()];
    for seed in 0..GAMES {
        let trace = random::trace(seed, "oracle-test-forged");
        let draw = &mut Stream::named(seed, "oracle-test-forgery");
        for (nth, (name, forge)) in FORGERIES.iter().enumerate() {
            let records = trace.records.iter().enumerate();
            let biting: Vec<usize> =
                records.filter(|(_, stamped)| bites(name, &stamped.record)).map(|(index, _)| index).collect();
            let Some(last) = biting.len().checked_sub(1) else { continue };
            let index = biting[draw.within(0, last as u64) as usize];
            tried[nth] += 1;
            let mut forged = trace.clone();
            let side = if draw.within(0, 1) == 0 { Side::White } else { Side::Black };
            let wrong = forge(&mut forged.records[index].record, side);
            let found = found(&forged);
            assert!(
                found.contains(&wrong),
                "seed {seed}, {name} of record {index}: {wrong} expected, {found:?} found\n{}",
                random::story(&forged)
            );
            if matches!(wrong, Wrong::Display(_)) {
                assert_eq!(found, [wrong], "seed {seed}, {name}: a display speaks against nothing else");
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried > GAMES / 4), "{tried:?}");
}

#[test]
fn a_record_that_is_missing_or_told_twice_is_found() {
    for seed in 0..GAMES {
        let trace = random::trace(seed, "oracle-test-forged");
        let draw = &mut Stream::named(seed, "oracle-test-missing");
        let index = draw.within(0, trace.records.len() as u64 - 1) as usize;
        let mut forged = trace.clone();
        forged.records.remove(index);
        assert_ne!(found(&forged), [], "seed {seed} without record {index}\n{}", random::story(&trace));
        let mut forged = trace.clone();
        forged.records.insert(index, trace.records[index]);
        assert_ne!(found(&forged), [], "seed {seed} with record {index} twice\n{}", random::story(&trace));
    }
}
