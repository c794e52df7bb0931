//! The firmware on an STM32L475: ticks of a millisecond, and pins that have a level.

use std::time::Duration;

use flagfall_core::command::{ArmedEdge, Command, CommandError};
use flagfall_core::contract::{Capabilities, SYMBOL_ARMED_LATE, stack_depth};
use flagfall_core::kept::Kept;
use flagfall_core::record::{Kind, kept_in};
use flagfall_core::{Bonus, DeviceTime, Phase, Record, Setup, Side};

use crate::bench::{ARBITER, BLACK, Bench, Result, WHITE, five_minutes};

/// GPIOA_PUPDR and GPIOA_IDR (RM0351 section 8.5).
const PULLS: u32 = 0x4800_000C;
const LEVELS: u32 = 0x4800_0010;

/// SYST_CSR and its bit TICKINT (ARMv7-M B3.3.3).
const TICK: u32 = 0xE000_E010;
const TICK_INTERRUPT: u32 = 1 << 1;

/// Up for all three buttons, down for White's.
const ALL_UP: u32 = 0x105;
const WHITE_DOWN: u32 = 0x106;

/// Bytes of the stack that must never have been used.
const SPARE: usize = 512;

/// Presses and lets go at this tick.
fn push(bench: &mut Bench, line: u32, tick: u64) -> Result<()> {
    bench.run_to(tick)?;
    bench.press(line)?;
    bench.run_to(tick + 2)?;
    bench.release(line)
}

/// Kinds and ticks.
fn told(records: &[Record]) -> Vec<(Kind, u64)> {
    records.iter().map(|record| (record.kind, record.at.ticks())).collect()
}

/// A game in which White has moved and Black's time runs since this tick.
fn game(bench: &mut Bench) -> Result<u64> {
    let zero = bench.set_up(&five_minutes(Bonus::Increment { ms: 3_000 }))?;
    push(bench, ARBITER, zero + 100)?;
    push(bench, WHITE, zero + 1_300)?;
    Ok(zero + 1_300)
}

pub(crate) fn a_press_is_stamped_in_its_millisecond(mut bench: Bench) -> Result<()> {
    let zero = bench.set_up(&five_minutes(Bonus::Increment { ms: 3_000 }))?;
    push(&mut bench, ARBITER, zero + 100)?;
    for (number, line) in [WHITE, BLACK, WHITE, BLACK].into_iter().enumerate() {
        push(&mut bench, line, zero + 1_100 + 731 * number as u64)?;
    }
    let (records, frames) = (bench.records()?, bench.frames()?);
    let pressed: Vec<u64> =
        records.iter().filter(|record| record.kind == Kind::PRESSED).map(|record| record.at.ticks() - zero).collect();
    assert_eq!(pressed, [1_100, 1_831, 2_562, 3_293]);
    let last = records.last().ok_or("no record")?;
    assert_eq!(last.remaining_ticks.white, 303_000 + 2 * 3_000 - 1_000 - 731);
    assert_eq!(last.remaining_ticks.black, 303_000 + 2 * 3_000 - 731 - 731);
    let shown = frames.last().ok_or("nothing was shown")?;
    assert_eq!((shown.seq, shown.faces.moves[Side::Black]), (last.seq, 2), "USART1 carries the panel");
    Ok(())
}

/// Each stop comes at its tick, for a time base that goes on behind a stop would be a tick further at the next one.
pub(crate) fn a_stop_costs_no_time(mut bench: Bench) -> Result<()> {
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    let ticks = bench.symbol("FLAGFALL_TICKS")?;
    for tick in zero + 10..zero + 210 {
        bench.run_to(tick)?;
        let stopped = bench.word(ticks)?;
        assert_eq!(u64::from(stopped), tick);
        assert_eq!(u64::from(bench.word(ticks)?), tick, "it stands still in a halt");
    }
    Ok(())
}

/// Nothing is driven: what turns round is the pull resistor of the pin itself.
pub(crate) fn a_pull_that_is_turned_round_is_a_press(mut bench: Bench) -> Result<()> {
    // What was driven is not, from a reset on.
    bench.reset_untouched()?;
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    push(&mut bench, ARBITER, zero + 100)?;
    bench.run_to(zero + 1_000)?;
    assert_eq!((bench.word(PULLS)? & 0x3ff, bench.word(LEVELS)? & 1), (ALL_UP, 1), "the firmware pulls them up");
    let pulls = bench.word(PULLS)?;
    bench.set(PULLS, pulls & !3 | WHITE_DOWN & 3)?;
    assert_eq!(bench.word(LEVELS)? & 1, 0);
    bench.run_to(zero + 1_010)?;
    bench.set(PULLS, pulls)?;
    bench.run_to(zero + 1_020)?;
    let records = bench.records()?;
    let presses: Vec<_> = told(&records).into_iter().filter(|(kind, _)| *kind == Kind::PRESSED).collect();
    assert_eq!(presses, [(Kind::PRESSED, zero + 1_000)], "{records:?}");
    Ok(())
}

/// Has the firmware move a pin itself.
fn arm(bench: &mut Bench, side: Option<Side>, tick: u64, closes: bool) -> Result<()> {
    bench.send(&Command::Arm(ArmedEdge { side, closes, at: DeviceTime::from_ticks(tick) }))
}

/// A train of edges without a stop in between: each press is stamped in the tick for which its edge was armed.
pub(crate) fn armed_edges_are_made_in_their_ticks(mut bench: Bench) -> Result<()> {
    assert!(bench.header()?.capabilities.have(Capabilities::ARMED));
    bench.reset_untouched()?;
    let zero = bench.set_up(&Setup { debounce_ms: 3, ..five_minutes(Bonus::None) })?;
    let late = bench.symbol(SYMBOL_ARMED_LATE)?;
    let (white, black) = (Some(Side::White), Some(Side::Black));
    let train =
        [(None, 100, true), (None, 104, false), (white, 1_000, true), (white, 1_001, false), (white, 1_003, true)];
    for (side, tick, closes) in train {
        arm(&mut bench, side, zero + tick, closes)?;
    }
    bench.run_to(zero + 1_010)?;
    for (side, tick, closes) in
        [(white, 1_020, false), (black, 1_021, true), (black, 1_022, false), (white, 1_023, true)]
    {
        arm(&mut bench, side, zero + tick, closes)?;
    }
    bench.run_to(zero + 1_021)?;
    assert_eq!(bench.word(LEVELS)? & 3, 1, "White's pin is up, and Black's has come down in this tick");
    bench.run_to(zero + 1_030)?;
    let records = bench.records()?;
    let told: Vec<_> = told(&records).into_iter().map(|(kind, tick)| (kind, tick - zero)).collect();
    assert!(told.contains(&(Kind::STARTED, 100)), "{told:?}");
    let presses: Vec<_> = told.iter().filter(|(kind, _)| *kind == Kind::PRESSED).map(|(_, tick)| *tick).collect();
    assert_eq!(presses, [1_000, 1_021, 1_023], "what bounces within three milliseconds is no press: {told:?}");
    assert_eq!(bench.word(late)?, 0, "none is late by a millisecond");
    Ok(())
}

pub(crate) fn what_cannot_be_armed_is_refused(mut bench: Bench) -> Result<()> {
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    let refused = |bench: &mut Bench| -> Result<Vec<u16>> {
        let records = bench.records()?;
        Ok(records.iter().filter(|record| record.kind == Kind::REFUSED).map(|record| record.detail).collect())
    };
    for number in 0..17 {
        arm(&mut bench, None, zero + 1_000 + number, number % 2 == 0)?;
        bench.run_to(zero + 10 * (number + 1))?;
    }
    assert_eq!(refused(&mut bench)?, [CommandError::ArmedFull.code()], "sixteen are as many as it keeps");
    // Another set-up forgets what is armed.
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    arm(&mut bench, None, zero + 50, true)?;
    arm(&mut bench, None, zero + 49, false)?;
    bench.run_to(zero + 40)?;
    assert_eq!(refused(&mut bench)?, [CommandError::ArmedOrder.code()]);
    Ok(())
}

/// What a bench does to see a time base that stands still: the counter goes on, and nobody hears of it.
pub(crate) fn without_its_interrupt_time_stands_still(mut bench: Bench) -> Result<()> {
    let since = game(&mut bench)?;
    let ticks = bench.symbol("FLAGFALL_TICKS")?;
    bench.run_to(since + 500)?;
    let control = bench.word(TICK)?;
    bench.set(TICK, control & !TICK_INTERRUPT)?;
    bench.let_run(Duration::from_millis(50))?;
    assert_eq!(u64::from(bench.word(ticks)?), since + 500, "the firmware does not help itself");
    bench.set(TICK, control | 1)?;
    bench.wait_for_stop_at(since + 700)?;
    push(&mut bench, BLACK, since + 1_000)?;
    let last = bench.records()?.pop().ok_or("no record")?;
    assert_eq!(last.remaining_ticks.black, 303_000 + 3_000 - 1_000, "charged is what the time base counted");
    Ok(())
}

pub(crate) fn a_short_gap_leaves_the_clock_paused(mut bench: Bench) -> Result<()> {
    let since = game(&mut bench)?;
    bench.run_to(since + 2_500)?;
    bench.reset()?;
    let records = bench.records()?;
    let boot = records.iter().find(|record| record.kind == Kind::BOOT).ok_or("it did not boot")?;
    assert_eq!((boot.value, kept_in(boot.detail)), (1_000, Some(Kept::Everything)));
    assert_eq!(boot.phase, Phase::Paused(Side::Black));
    let (used, lost) = (303_000 - boot.remaining_ticks.black, since + 2_500 - boot.at.ticks());
    assert!(used <= 2_500 && 2_500 - used == lost && lost < 1_000, "{used} ms were kept, {lost} ms are lost");
    push(&mut bench, ARBITER, boot.at.ticks() + 100)?;
    let last = bench.records()?.pop().ok_or("no record")?;
    assert_eq!((last.kind, last.at.ticks()), (Kind::RESUMED, boot.at.ticks() + 100), "device time goes on");
    Ok(())
}

pub(crate) fn the_stack_has_room_left(mut bench: Bench) -> Result<()> {
    game(&mut bench)?;
    bench.set_up(&five_minutes(Bonus::Hourglass))?;
    let stack = bench.header()?.stack.ok_or("the stack is not painted")?;
    let depth = stack_depth(&bench.words(stack.lowest as u32, stack.len as usize / 4)?);
    println!("{depth} of {} bytes of stack", stack.len);
    assert!(256 < depth && depth + SPARE <= stack.len as usize, "{depth} of {} bytes", stack.len);
    Ok(())
}
