//! The bytes of records are golden, and every effect has one.

extern crate std;
use super::*;
use crate::clock::{Clock, IgnoredBecause};
use crate::control::TimeControl;
use crate::display::Digits;
use crate::period::{Bonus, Period};
use std::collections::BTreeSet;
use std::string::ToString;

const RECORD: Record = Record {
    kind: Kind::FLAG_FELL,
    side: Some(Side::Black),
    seq: 0x0201,
    detail: 0x0403,
    at: DeviceTime::from_ticks(0x0c0b_0a09_0807_0605),
    value: 0x1413_1211_100f_0e0d,
    phase: Phase::Frozen(Side::Black),
    remaining_ticks: BySide::new(0x1c1b_1a19_1817_1615, 0),
    delay_ticks: 0x2423_2221_201f_1e1d,
    shown: BySide::new(Face::new(0x0827_2625, Digits::Minutes), Face::new(98, Digits::Tenths)),
    shown_delay_seconds: 0x2c2b_2a29,
    moves: BySide::new(0x2e2d, 0x302f),
    overtime: BySide::new(0x3231, 0x3433),
    period: BySide::new(1, 0),
    fallen: BySide::new(false, true),
    first_fallen: Some(Side::Black),
    battery_low: true,
};

/// The golden bytes of version 2: a change here is a new version.
const BYTES: [u8; LEN] = [
    2, 9, 1, 3, 0x01, 0x02, 0x03, 0x04, //
    0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, //
    0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, //
    0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, //
    0, 0, 0, 0, 0, 0, 0, 0, //
    0x1d, 0x1e, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x24, //
    0x25, 0x26, 0x27, 0x28, 98, 0, 0, 0x10, //
    0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x30, //
    0x31, 0x32, 0x33, 0x34, 1, 0, 0b11_1010, 0,
];

#[test]
fn the_bytes_are_golden() {
    assert_eq!(RECORD.to_bytes(), BYTES);
    assert_eq!(Record::from_bytes(&BYTES), Ok(RECORD));
}

#[test]
fn each_effect_has_its_record() {
    let control = TimeControl::new(&[Period::all_moves(60_000, Bonus::None)]).expect("a control");
    let clock = Clock::new(&Setup::new(control), TickRate::MHZ);
    let (white, black) = (Some(Side::White), Some(Side::Black));
    let cases = [
        (Effect::Pressed(Side::White), Kind::PRESSED, white, 0, 0),
        (Effect::ArbiterPressed, Kind::ARBITER_PRESSED, None, 0, 0),
        (Effect::Started(Side::Black), Kind::STARTED, black, 0, 0),
        (Effect::Switched(Side::Black), Kind::SWITCHED, black, 0, 0),
        (Effect::Counted(Side::White), Kind::COUNTED, white, 0, 0),
        (Effect::Credited(Side::White, 7), Kind::CREDITED, white, 0, 7),
        (Effect::PeriodEntered(Side::Black, 2), Kind::PERIOD_ENTERED, black, 2, 0),
        (Effect::OvertimeEntered(Side::White, 5), Kind::OVERTIME_ENTERED, white, 5, 0),
        (Effect::FlagFell(Side::Black, 9), Kind::FLAG_FELL, black, 0, 9),
        (Effect::Paused(Side::White), Kind::PAUSED, white, 0, 0),
        (Effect::Resumed(Side::White), Kind::RESUMED, white, 0, 0),
        (Effect::TimeSet(Side::Black, 8), Kind::TIME_SET, black, 0, 8),
        (Effect::CounterSet(Side::White, 41), Kind::COUNTER_SET, white, 0, 41),
        (Effect::PeriodSet(Side::White, 1), Kind::PERIOD_SET, white, 0, 1),
        (Effect::Swapped, Kind::SWAPPED, None, 0, 0),
        (Effect::Undone, Kind::UNDONE, None, 0, 0),
        (Effect::Battery(true), Kind::BATTERY, None, 0, 1),
        (Effect::Ignored(white, IgnoredBecause::Frozen), Kind::IGNORED, white, 4, 0),
        (Effect::Read, Kind::READ, None, 0, 0),
        (Effect::WentBack(3), Kind::WENT_BACK, None, 0, 3),
    ];
    for (effect, kind, side, detail, value) in cases {
        let happening = Happening { at: DeviceTime::from_ticks(11), effect, state: *clock.state() };
        let record = Record::new(12, &happening, clock.setup(), clock.rate());
        assert_eq!((record.kind, record.side, record.detail, record.value), (kind, side, detail, value));
        assert_eq!((record.seq, record.at, record.moves), (12, happening.at, BySide::both(0)));
    }
}

#[test]
fn each_kind_has_its_own_word_and_its_own_bit() {
    let (mut names, mut bits) = (BTreeSet::new(), 0);
    for number in 1..=23 {
        assert!(names.insert(Kind(number).name()), "{number}: {}", Kind(number));
        assert_ne!(Kind(number), Kind(0));
        assert_eq!(bits & Kind(number).mask(), 0);
        bits |= Kind(number).mask();
    }
    assert!(!names.contains("unknown"));
    assert_eq!(bits, 0xff_fffe);
    assert_eq!((Kind(63).mask(), Kind(64).mask()), (1 << 63, 0));
    assert_eq!(std::format!("{:>8}|", Kind::READ), "    read|");
}

#[test]
fn what_follows_from_the_record_before_is_no_input() {
    let consequences = (0..=u8::MAX).filter(|number| Kind(*number).is_consequence());
    assert!(consequences.eq([5, 6, 7, 8, 10, 11, 14, 18]));
}

#[test]
fn every_phase_and_sign_survives_the_wire() {
    let phases = [Phase::Running, Phase::Paused, Phase::Frozen];
    let of_side = |side| phases.map(|phase| phase(side));
    for phase in [of_side(Side::White), of_side(Side::Black), [Phase::Ready; 3]].into_iter().flatten() {
        for first_fallen in [None, Some(Side::White), Some(Side::Black)] {
            let fallen = BySide::new(first_fallen.is_some(), first_fallen == Some(Side::White));
            let side = first_fallen.map(Side::other);
            let record = Record { phase, first_fallen, fallen, side, battery_low: fallen.black, ..RECORD };
            assert_eq!(Record::from_bytes(&record.to_bytes()), Ok(record));
            let running = if let Phase::Running(side) = phase { Some(side) } else { None };
            assert_eq!(record.running(), running);
        }
    }
    let mut black_is_ready = RECORD.to_bytes();
    black_is_ready[3] = 0;
    assert_eq!(Record::from_bytes(&black_is_ready), Err(RecordError::Signs(0b11_1010)));
}

#[test]
fn an_error_says_which_byte_is_wrong() {
    let errors = [
        (RecordError::Version(9), "9"),
        (RecordError::Side(7), "side byte 7"),
        (RecordError::Phase(4), "phase byte 4"),
        (RecordError::Face(0x30), "face byte 0x30"),
        (RecordError::Signs(0x80), "sign byte 0x80"),
    ];
    for (error, words) in errors {
        let message = error.to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn an_unknown_kind_is_kept() {
    let mut bytes = BYTES;
    bytes[1] = 200;
    let record = Record::from_bytes(&bytes).expect("unknown kinds are carried");
    assert_eq!(record.kind.name(), "unknown");
    assert_eq!(record.to_bytes(), bytes);
}

#[test]
fn corrupt_bytes_are_named() {
    for (at, byte, error) in [
        (0, 1, RecordError::Version(1)),
        (2, 7, RecordError::Side(7)),
        (3, 4, RecordError::Phase(4)),
        (51, 0x30, RecordError::Face(0x30)),
        (70, 0b1100, RecordError::Signs(0b1100)),
        (70, 0x80, RecordError::Signs(0x80)),
        (71, 1, RecordError::Signs(0b11_1010)),
    ] {
        let mut bytes = BYTES;
        bytes[at] = byte;
        assert_eq!(Record::from_bytes(&bytes), Err(error));
    }
}
