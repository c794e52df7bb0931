//! Time over its wrap, and what the firmware takes: ticks for a press, bytes of stack.

use flagfall_core::command::Command;
use flagfall_core::contract::stack_depth;
use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Bonus, Period, Setup, Side, TimeControl};

use crate::bench::{ARBITER, BLACK, Bench, Result, WHITE, five_minutes};

/// The tick at which the 32 bits of the counter wrap: 71.6 minutes.
const WRAP: u64 = 1 << 32;

/// The longest time from an edge to the record of the switch: what half a thousandth of a second is to a player: nothing.
const HANDLED_WITHIN: u64 = 500;

/// Bytes of the stack that must never have been used.
const SPARE: usize = 512;

pub(crate) fn presses_on_both_sides_of_the_wrap(mut bench: Bench) -> Result<()> {
    let two_hours = TimeControl::new(&[Period::all_moves(7_200_000, Bonus::None)])?;
    let zero = bench.set_up(&Setup::new(two_hours))?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.push(WHITE, WRAP - 30_000)?;
    bench.push(BLACK, WRAP + 30_000)?;
    let records = bench.records()?;
    let pressed: Vec<u64> =
        records.iter().filter(|record| record.kind == Kind::PRESSED).map(|record| record.at.ticks()).collect();
    assert!(pressed[0].abs_diff(WRAP - 30_000) < 500 && pressed[1].abs_diff(WRAP + 30_000) < 500, "{pressed:?}");
    let left = records.last().ok_or("no record")?.remaining_ticks;
    assert_eq!(7_200_000_000 - left.black, pressed[1] - pressed[0], "to the tick");
    // And once more round, with nothing but digits to wake up for.
    bench.run_to(2 * WRAP + 10_000_000)?;
    Ok(())
}

/// Back by three seconds: told once, held until the counter has come there again, and a press meanwhile is none the less one.
pub(crate) fn a_counter_that_goes_back_is_told_and_held(mut bench: Bench) -> Result<()> {
    const TIM2_CNT: u32 = 0x4000_0024;
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.run_to(zero + 10_000_000)?;
    bench.records()?;
    let counter = bench.word(TIM2_CNT)?;
    bench.set(TIM2_CNT, counter - 3_000_000)?;
    bench.run_to(zero + 8_000_000)?;
    let told = bench.records()?;
    assert_eq!(told.iter().map(|record| record.kind).collect::<Vec<_>>(), [Kind::WENT_BACK]);
    assert!((2_999_000..=3_000_000).contains(&told[0].value), "{told:?}");
    let held = told[0].at;
    assert!(held.ticks().abs_diff(zero + 10_000_000) < 1_000, "{told:?}");
    bench.push(WHITE, zero + 8_500_000)?;
    bench.push(ARBITER, zero + 12_000_000)?;
    let records = bench.records()?;
    let pressed = records.iter().find(|record| record.kind == Kind::PRESSED).ok_or("the press was lost")?;
    assert_eq!((pressed.at, pressed.remaining_ticks), (held, told[0].remaining_ticks), "as long as it stands");
    let left = records.last().ok_or("no record")?.remaining_ticks;
    assert!((300_000_000 - left.white).abs_diff(9_000_000) < 1_000, "{left:?}");
    assert!((300_000_000 - left.black).abs_diff(2_000_000) < 1_000, "{left:?}");
    Ok(())
}

pub(crate) fn a_press_is_handled_within_its_bound(mut bench: Bench) -> Result<()> {
    // What takes longest: a period that ends, with credit before and after, and a display with tenths.
    let last = Period::all_moves(300_000, Bonus::Increment { ms: 2_000 });
    let control = TimeControl::new(&[Period::of_moves(2, 60_000, Bonus::Increment { ms: 2_000 }), last])?;
    let zero = bench.set_up(&Setup::new(control))?;
    bench.push(ARBITER, zero + 1_000_000)?;
    for number in 0..12 {
        bench.push(if number % 2 == 0 { WHITE } else { BLACK }, zero + 2_000_000 * (number + 1))?;
    }
    let records = bench.records()?;
    let ticks = |kind: Kind| records.iter().filter(move |record| record.kind == kind).map(|record| record.value);
    let (pressed, switched): (Vec<u64>, Vec<u64>) = (ticks(Kind::PRESSED).collect(), ticks(Kind::SWITCHED).collect());
    println!("ticks from the edge to the record of the press {pressed:?}, to that of the switch {switched:?}");
    assert_eq!((pressed.len(), switched.len()), (12, 12));
    assert!(pressed.iter().zip(&switched).all(|(pressed, switched)| 0 < *pressed && pressed < switched));
    assert!(switched.iter().all(|ticks| *ticks <= HANDLED_WITHIN), "{switched:?}");
    Ok(())
}

pub(crate) fn the_stack_is_measured_and_has_room_left(mut bench: Bench) -> Result<()> {
    // All that goes deep: a set-up, corrections, a swap and its undoing, byo-yomi periods that run off in one late step.
    let byo_yomi = Bonus::ByoYomi { periods: 3, ms: 1_000 };
    let control = TimeControl::new(&[Period::of_moves(1, 60_000, Bonus::None), Period::all_moves(2_000, byo_yomi)])?;
    let zero = bench.set_up(&Setup { at_zero: AtZero::RunOn, ..Setup::new(control) })?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.push(WHITE, zero + 2_000_000)?;
    bench.push(BLACK, zero + 3_000_000)?;
    bench.command(&Command::SetTime { side: Side::Black, left_ms: 5_000 }, Kind::TIME_SET)?;
    bench.command(&Command::Swap, Kind::SWAPPED)?;
    bench.command(&Command::Undo, Kind::UNDONE)?;
    bench.command(&Command::Read, Kind::READ)?;
    bench.run_to(zero + 90_000_000)?;
    bench.set_up(&five_minutes(Bonus::Hourglass))?;
    has_room_left(&mut bench, "a game")?;
    // What it kept over a reset is put together again before anything else.
    bench.reset()?;
    has_room_left(&mut bench, "a reset")
}

fn has_room_left(bench: &mut Bench, after: &str) -> Result<()> {
    let stack = bench.header()?.stack.ok_or("the stack is not painted")?;
    let words = bench.words(stack.lowest as u32, stack.len as usize / 4)?;
    let depth = stack_depth(&words);
    println!("{depth} of {} bytes of stack after {after}", stack.len);
    assert!(depth > 256, "{depth} bytes: the paint has been painted over");
    assert!(depth + SPARE <= stack.len as usize, "{depth} of {} bytes after {after}", stack.len);
    Ok(())
}
