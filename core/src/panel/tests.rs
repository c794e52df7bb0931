//! Lines of the panel, written and read back.

extern crate std;

use std::string::{String, ToString};
use std::vec::Vec;

use super::*;
use crate::record::{Kind, Record};
use crate::{Input, Period, Rounding, Setup, TickRate, TimeControl};

fn written(frame: &Frame) -> String {
    written_after(None, frame)
}

fn written_after(before: Option<&Frame>, frame: &Frame) -> String {
    String::from_utf8(frame.to_line(before).as_bytes().to_vec()).expect("ASCII")
}

fn parse(line: &[u8]) -> Result<Frame, FrameError> {
    Frame::parse(line, None)
}

fn plain() -> Frame {
    Frame {
        seq: 42,
        at: DeviceTime::from_ticks(7_000_012),
        faces: Faces {
            shown: BySide::new(Face::from_seconds(293), Face::from_seconds(300)),
            delay_seconds: 0,
            phase: Phase::Running(Side::Black),
            moves: BySide::new(1, 0),
            period: BySide::both(0),
            overtime: BySide::both(0),
            fallen: BySide::both(false),
            first_fallen: None,
            battery_low: false,
        },
    }
}

fn full() -> Frame {
    let at = DeviceTime::from_ticks(u64::MAX);
    let last = Face::new(268_435_450, Digits::Seconds);
    let faces = Faces {
        shown: BySide::both(last),
        delay_seconds: u32::MAX,
        phase: Phase::Frozen(Side::White),
        moves: BySide::both(u16::MAX),
        period: BySide::both(u8::MAX),
        overtime: BySide::both(u16::MAX),
        fallen: BySide::both(true),
        first_fallen: Some(Side::White),
        battery_low: true,
    };
    Frame { seq: u16::MAX, at, faces }
}

#[test]
fn a_line_reads_as_documented() {
    assert_eq!(written(&plain()), "#42 @7000012 4:53 5:00 run-b m1/0 *13\n");
    let longest = written(&full());
    assert!(longest.len() < LINE_MAX, "{} bytes: {longest}", longest.len());
    assert!(
        longest.starts_with(
            "#65535 @18446744073709551615 7456:32:25 7456:32:25 freeze-w +4294967295 fWB 1W p255/255 o65535/65535 low m65535/65535 *"
        ),
        "{longest}"
    );
}

#[test]
fn digits_that_run_off_are_a_short_line() {
    let before = plain();
    let mut next = Frame { at: before.at.after(1_000_003), ..before };
    next.faces.shown.black = Face::from_seconds(299);
    let line = written_after(Some(&before), &next);
    assert_eq!(line, "b4:59 +1000003 *59\n");
    assert_eq!(Frame::parse(line.as_bytes(), Some(&before)), Ok(next));
    assert_eq!(parse(line.as_bytes()), Err(FrameError::Before));
    let later = Frame { at: before.at.after(9), ..before };
    let read = Frame::parse(line.as_bytes(), Some(&later)).expect("it follows this one as well");
    assert_eq!(read.at, later.at.after(1_000_003));
    assert_ne!(written_after(Some(&next), &next), line, "what has not changed is no run-off");
    for place in 0..line.len() - 1 {
        let mut bytes = line.clone().into_bytes();
        bytes[place] ^= 4;
        assert!(Frame::parse(&bytes, Some(&before)).is_err(), "a changed byte at {place} goes through");
        bytes.remove(place);
        assert!(Frame::parse(&bytes, Some(&before)).is_err(), "a lost byte at {place} goes through");
    }
    for (text, error) in [
        ("b4:59", FrameError::Time),
        ("b4:59 +", FrameError::Time),
        ("b459 +7", FrameError::Face(Side::Black)),
        ("b4:59 +07", FrameError::Form),
        ("b5:00 +7", FrameError::Form),
        ("b4:59 +7 m1/0", FrameError::Time),
    ] {
        assert_eq!(Frame::parse(with_sum(text).as_bytes(), Some(&before)), Err(error), "{text}");
    }
}

#[test]
fn whatever_else_changes_is_a_long_line() {
    let before = plain();
    let mut run_off = before;
    run_off.at = before.at.after(7);
    run_off.faces.shown.white = Face::from_seconds(292);
    assert!(written_after(Some(&before), &run_off).starts_with('w'));
    type Change = fn(&mut Frame);
    let changes: [Change; 7] = [
        |frame| frame.seq += 1,
        |frame| frame.at = DeviceTime::from_ticks(7_000_011),
        |frame| frame.at = frame.at.after(1 << 32),
        |frame| frame.faces.shown.black = Face::from_seconds(299),
        |frame| frame.faces.moves.white += 1,
        |frame| frame.faces.phase = Phase::Paused(Side::Black),
        |frame| frame.faces.delay_seconds = 1,
    ];
    for change in changes {
        let mut frame = run_off;
        change(&mut frame);
        let line = written_after(Some(&before), &frame);
        assert!(line.starts_with('#'), "{line}");
        assert_eq!(Frame::parse(line.as_bytes(), Some(&before)), Ok(frame));
        assert_eq!(parse(line.as_bytes()), Ok(frame));
    }
}

#[test]
fn digits_are_those_of_the_face() {
    for (tenths, digits) in (0..100_000)
        .step_by(77)
        .flat_map(|t| [(t, Digits::Tenths), (t / 10 * 10, Digits::Seconds), (t / 600 * 600, Digits::Minutes)])
    {
        let mut frame = plain();
        frame.faces.shown.white = Face::new(tenths, digits);
        let line = written(&frame);
        assert_eq!(line.split(' ').nth(2), Some(frame.faces.shown.white.to_string().as_str()), "{line}");
        assert_eq!(parse(line.as_bytes()), Ok(frame));
    }
}

#[test]
fn lines_survive_the_wire() {
    let mut frames: Vec<Frame> = [plain(), full()].into();
    for phase in [Phase::Ready, Phase::Paused(Side::White), Phase::Running(Side::White), Phase::Frozen(Side::Black)] {
        frames.push(Frame { faces: Faces { phase, ..plain().faces }, ..plain() });
    }
    for at in [0, 9, 10, 999_999_999, 1_000_000_000, 1_000_000_001, 4_294_967_296, 123_000_000_000_456] {
        frames.push(Frame { at: DeviceTime::from_ticks(at), ..plain() });
    }
    type Change = fn(&mut Faces);
    let changes: [Change; 8] = [
        |faces| faces.delay_seconds = 3,
        |faces| faces.fallen.white = true,
        |faces| faces.fallen.black = true,
        |faces| faces.first_fallen = Some(Side::Black),
        |faces| faces.period.black = 2,
        |faces| faces.overtime.white = 5,
        |faces| faces.battery_low = true,
        |faces| faces.moves = BySide::new(0, 80),
    ];
    for change in changes {
        let mut frame = plain();
        change(&mut frame.faces);
        frames.push(frame);
    }
    for frame in &frames {
        let line = frame.to_line(None);
        assert_eq!(parse(line.as_bytes()), Ok(*frame), "{}", written(frame));
        let others = frames.iter().filter(|other| written(other) == written(frame));
        assert_eq!(others.count(), 1, "{}", written(frame));
    }
}

fn with_sum(text: &str) -> String {
    std::format!("{text} *{:02x}", text.bytes().fold(0, |sum, byte| sum ^ byte))
}

#[test]
fn what_no_device_writes_is_refused_with_its_reason() {
    let line = written(&plain());
    for place in 0..line.len() - 1 {
        let mut bytes = line.clone().into_bytes();
        bytes[place] ^= 4;
        assert!(parse(&bytes).is_err(), "a changed byte at {place} goes through");
        bytes.remove(place);
        assert!(parse(&bytes).is_err(), "a lost byte at {place} goes through");
    }
    for (text, error) in [
        ("#4x @1 4:53 5:00 run-b m1/0", FrameError::Number),
        ("#42", FrameError::Time),
        ("#42 @1", FrameError::Face(Side::White)),
        ("#42 @1 4:53 500 run-b m1/0", FrameError::Face(Side::Black)),
        ("#42 @1 4:53 5:00 run-x m1/0", FrameError::Phase),
        ("#42 @1 4:53 5:00 run-b m1/0 q", FrameError::Sign),
        ("#42 @1 4:53 5:00 run-b", FrameError::Form),
        ("#42 @01 4:53 5:00 run-b m1/0", FrameError::Form),
        ("#42 @1 4:53 5:00 run-b m1/0 +3", FrameError::Form),
        ("#42 @1 4:73 5:00 run-b m1/0", FrameError::Form),
    ] {
        assert_eq!(parse(with_sum(text).as_bytes()), Err(error), "{text}");
    }
    assert_eq!(parse(b"#42 @1 4:53 5:00 run-b m1/0"), Err(FrameError::Checksum));
}

fn faces_of(clock: &Clock) -> Faces {
    Faces::of(&Record::of_state(Kind::READ, 0, DeviceTime::ZERO, clock.state(), clock.setup(), clock.rate()))
}

/// Steps clocks of every kind tick by tick: they show something else when it was foretold and never before.
#[test]
fn the_next_change_comes_when_it_is_foretold() {
    let bonuses = [
        Bonus::None,
        Bonus::Increment { ms: 2_000 },
        Bonus::Delay { ms: 2_300 },
        Bonus::Bronstein { ms: 2_300 },
        Bonus::Hourglass,
        Bonus::ByoYomi { periods: 2, ms: 3_000 },
        Bonus::Canadian { moves: 3, ms: 5_000 },
        Bonus::CountUp,
    ];
    let formats = [(Rounding::Up, 0), (Rounding::Down, 0), (Rounding::Up, 4), (Rounding::Down, 4)];
    for (bonus, (rounding, tenths_below_s)) in bonuses.into_iter().flat_map(|b| formats.map(|f| (b, f))) {
        let control = TimeControl::new(&[Period::all_moves(6_000, bonus)]).expect("a control");
        let mut setup = Setup::new(control);
        setup.display = DisplayFormat { rounding, tenths_below_s, seconds_below_min: 0 };
        let mut clock = Clock::new(&setup, TickRate::new(20).expect("in range"));
        clock.step(DeviceTime::ZERO, Input::ArbiterButton);
        let mut shown = faces_of(&clock);
        let mut due = ticks_to_next_change(&clock);
        for tick in 1..400 {
            let input = if tick % 90 == 0 { Input::Press(Side::White) } else { Input::Wake };
            let deadline = clock.next_deadline();
            let acts = input != Input::Wake || deadline.is_some_and(|deadline| deadline.ticks() <= tick);
            clock.step(DeviceTime::from_ticks(tick), input);
            let now = faces_of(&clock);
            if !acts {
                assert_eq!(now != shown, due == Some(tick), "{bonus:?} {rounding:?} at {tick}, due {due:?}");
            }
            if now != shown || acts {
                due = ticks_to_next_change(&clock).map(|ticks| tick + ticks);
            }
            shown = now;
        }
    }
}
