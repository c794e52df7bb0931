//! What comes out of the serial port, against the records.

use flagfall_core::panel::{Faces, Frame};
use flagfall_core::record::Kind;
use flagfall_core::{Bonus, DisplayFormat, Record, Setup, Side};

use crate::bench::{ARBITER, BLACK, Bench, Result, WHITE, five_minutes};

/// The bit of USART2 in the second word of the NVIC's enable registers: interrupt 38.
const USART2_BIT: u32 = 1 << (38 - 32);
const NVIC_ISER1: u32 = 0xE000_E104;
const NVIC_ICER1: u32 = 0xE000_E184;

/// After the last record of each event the panel shows what the record says.
fn agree(records: &[Record], frames: &[Frame]) -> Result<()> {
    let next = records.iter().skip(1).map(Some).chain([None]);
    for (record, next) in records.iter().zip(next) {
        if next.is_some_and(|next| next.at == record.at) {
            continue;
        }
        let before = |frame: &&Frame| (frame.seq, frame.at) <= (record.seq, record.at);
        let shown = frames.iter().rfind(before).ok_or("nothing was shown yet")?;
        if shown.faces != Faces::of(record) {
            return Err(format!("{record:?}\nis shown as\n{shown:?}").into());
        }
    }
    Ok(())
}

pub(crate) fn every_record_is_shown_and_digits_run_off(mut bench: Bench) -> Result<()> {
    let setup = Setup {
        display: DisplayFormat { tenths_below_s: 20, ..DisplayFormat::default() },
        ..five_minutes(Bonus::Delay { ms: 3_000 })
    };
    let zero = bench.set_up(&setup)?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.push(WHITE, zero + 11_500_000)?;
    bench.push(BLACK, zero + 12_000_000)?;
    bench.push(BLACK, zero + 13_000_000)?;
    bench.push(ARBITER, zero + 20_250_000)?;
    bench.run_to(zero + 40_000_000)?;
    let (records, frames) = (bench.records()?, bench.frames()?);
    agree(&records, &frames)?;
    assert_eq!(records.len(), 10, "{records:?}");
    let started = frames.iter().position(|frame| frame.faces.phase.side().is_some()).ok_or("nobody ran")?;
    // White's delay is shown from three seconds down, then his time from five minutes down, each second once.
    let seconds: Vec<(u32, u32)> = frames[started..]
        .iter()
        .take_while(|frame| frame.faces.moves[Side::White] == 0)
        .map(|frame| (frame.faces.delay_seconds, frame.faces.shown[Side::White].tenths() / 10))
        .collect();
    let expected =
        [(3, 300), (2, 300), (1, 300), (0, 300), (0, 299), (0, 298), (0, 297), (0, 296), (0, 295), (0, 294), (0, 293)];
    assert_eq!(seconds, expected);
    for frame in &frames[started + 1..started + 10] {
        let late = (frame.at.ticks() - records[0].at.ticks()) % 1_000_000;
        assert!(late < 20, "a second is shown {late} us late");
    }
    assert_eq!(
        frames.last().map(|frame| frame.seq),
        records.last().map(|record| record.seq),
        "a paused clock shows nothing new"
    );
    assert_eq!(bench.header()?.dropped_frames, 0);
    Ok(())
}

pub(crate) fn tenths_run_off_in_tenths(mut bench: Bench) -> Result<()> {
    let mut setup =
        Setup { display: DisplayFormat { tenths_below_s: 5, ..DisplayFormat::default() }, ..five_minutes(Bonus::None) };
    setup.opening[Side::White].left_ms = Some(7_000);
    let zero = bench.set_up(&setup)?;
    bench.frames()?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.run_to(zero + 10_000_000)?;
    let (records, frames) = (bench.records()?, bench.frames()?);
    agree(&records, &frames)?;
    let shown: Vec<String> = frames.iter().map(|frame| frame.faces.shown[Side::White].to_string()).collect();
    let tenths = (0..50).rev().map(|tenths| format!("{}.{}", tenths / 10, tenths % 10));
    let expected: Vec<String> = ["0:07", "0:07", "0:06", "5.0"].map(str::to_owned).into_iter().chain(tenths).collect();
    assert_eq!(shown, expected);
    Ok(())
}

pub(crate) fn a_panel_that_cannot_send_holds_nothing_up(mut bench: Bench) -> Result<()> {
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    bench.frames()?;
    bench.set(NVIC_ICER1, USART2_BIT)?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.run_to(zero + 60_000_000)?;
    bench.push(WHITE, zero + 61_300_000)?;
    let dropped = bench.header()?.dropped_frames;
    assert!((30..61).contains(&dropped), "{dropped} lines were lost");
    assert_eq!(bench.frames()?, []);
    let records = bench.records()?;
    let handled: Vec<u64> =
        records.iter().filter(|record| record.kind.tells_handling()).map(|record| record.value).collect();
    assert!(handled.len() == 2 && handled.iter().all(|ticks| *ticks < 500), "{handled:?} us");
    // It goes on where it is: the lines that were queued first, then what is shown now.
    bench.set(NVIC_ISER1, USART2_BIT)?;
    bench.run_to(zero + 63_000_000)?;
    let frames = bench.frames()?;
    let last = frames.last().ok_or("no line")?;
    assert_eq!(last.faces.shown[Side::Black].to_string(), "4:59", "{frames:?}");
    assert_eq!(bench.header()?.dropped_frames, dropped);
    Ok(())
}

/// Each press has one stamp of its display, under the number of its last record, later than its switch.
pub(crate) fn a_press_says_when_its_line_has_gone_out(mut bench: Bench) -> Result<()> {
    let zero = bench.set_up(&five_minutes(Bonus::Increment { ms: 3_000 }))?;
    let second = u64::from(bench.header()?.tick_hz);
    bench.push(ARBITER, zero + second)?;
    bench.push(WHITE, zero + 5 * second / 2)?;
    bench.push(BLACK, zero + 4 * second)?;
    // A press that changes nothing is not shown.
    bench.push(BLACK, zero + 6 * second)?;
    bench.run_to(zero + 10 * second)?;
    let (records, frames) = (bench.records()?, bench.frames()?);
    let shown = bench.shown();
    assert_eq!(shown.len(), 2, "{shown:?}");
    for (shown, switched) in shown.iter().zip(records.iter().filter(|record| record.kind == Kind::SWITCHED)) {
        assert_eq!(shown.seq, switched.seq, "{shown:?}\nshows\n{switched:?}");
        assert_eq!(shown.at.ticks(), switched.at.ticks() + shown.value);
        assert!((switched.value..second / 500).contains(&shown.value), "{shown:?}");
        assert!(frames.iter().any(|frame| (frame.seq, frame.at) == (switched.seq, switched.at)), "{frames:?}");
    }
    Ok(())
}

pub(crate) fn a_press_that_is_shown_late_says_so(mut bench: Bench) -> Result<()> {
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.run_to(zero + 2_400_000)?;
    bench.set(NVIC_ICER1, USART2_BIT)?;
    bench.push(WHITE, zero + 2_500_000)?;
    bench.run_to(zero + 4_000_000)?;
    bench.records()?;
    assert_eq!(bench.shown(), [], "its line has not gone out");
    bench.set(NVIC_ISER1, USART2_BIT)?;
    bench.run_to(zero + 6_000_000)?;
    bench.records()?;
    let late: Vec<u64> = bench.shown().iter().map(|record| record.value).collect();
    assert!(late.len() == 1 && (1_499_000..1_502_000).contains(&late[0]), "{late:?} us");
    Ok(())
}
