//! Where in a tick the firmware stops for a bench that presses.

use flagfall_core::contract::SYMBOL_PHASE;
use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Record};

use crate::bench::{ARBITER, BLACK, Bench, Result, WHITE, five_minutes};

/// SYST_RVR and SYST_CVR, which counts down from it in each tick of the STM32L475 (ARMv7-M B3.3.4).
const RELOAD: u32 = 0xE000_E014;
const COUNTER: u32 = 0xE000_E018;

/// TIM5_CNT of the STM32F405 (RM0090 section 18.4), and what lets TIM5 count whatever feeds it.
const TIM5_CNT: u32 = 0x4000_0C24;
const NANOSECONDS: [(u32, u32); 4] = [(0x4002_3840, 0x2000_0009), (0x4000_0C28, 0), (0x4000_0C14, 1), (0x4000_0C00, 1)];

/// How many presses are put into a tick, one after the other and evenly.
const PRESSES: u64 = 32;

/// The records of the switches after presses that are put evenly into a tick, so many ticks apart.
fn switches(bench: &mut Bench, from: u64, apart: u64) -> Result<Vec<Record>> {
    let phase = bench.symbol(SYMBOL_PHASE)?;
    let mut records = Vec::new();
    for number in 0..PRESSES {
        bench.set(phase, (number * 65_536 / PRESSES) as u32)?;
        bench.run_to(from + apart * number)?;
        let line = if number % 2 == 0 { WHITE } else { BLACK };
        bench.press(line)?;
        bench.run_to(from + apart * number + apart / 2)?;
        bench.release(line)?;
        records.append(&mut bench.records()?);
    }
    records.retain(|record| record.kind == Kind::SWITCHED);
    assert_eq!(records.len() as u64, PRESSES);
    Ok(records)
}

/// An edge is stamped in its tick wherever it comes there. What is written of it is a tick further only where that tick ends
/// meanwhile: so many presses are then a tick late as the firmware needs parts of one.
pub(crate) fn a_latency_shorter_than_a_tick_shows_in_its_mean(mut bench: Bench) -> Result<()> {
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    bench.push(ARBITER, zero + 20)?;
    let switched = switches(&mut bench, zero + 2_000, 100)?;
    let late: Vec<u64> = switched.iter().map(|record| record.value).collect();
    let parts_late = late.iter().filter(|ticks| **ticks == 1).count();
    println!("{late:?}");
    for (number, record) in switched.iter().enumerate() {
        assert_eq!(record.at.ticks(), zero + 2_000 + 100 * number as u64, "stamped in its tick");
    }
    assert!(
        late.is_sorted() && late.iter().all(|ticks| *ticks <= 1),
        "the later in a tick the sooner it ends: {late:?}"
    );
    // The same code takes 173 us on the other chip, which counts them.
    assert!((4..=7).contains(&parts_late), "{parts_late} of {PRESSES}");
    Ok(())
}

pub(crate) fn a_stop_comes_in_the_part_of_a_tick_that_is_asked_for(mut bench: Bench) -> Result<()> {
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    let (phase, ticks) = (bench.symbol(SYMBOL_PHASE)?, bench.symbol("FLAGFALL_TICKS")?);
    for number in 0..PRESSES {
        let (asked, tick) = (number * 65_536 / PRESSES, zero + 10 * (number + 1));
        bench.set(phase, asked as u32)?;
        bench.run_to(tick)?;
        assert_eq!(u64::from(bench.word(ticks)?), tick);
        let (reload, left) = (u64::from(bench.word(RELOAD)?), u64::from(bench.word(COUNTER)?));
        let part = (reload - left) * 65_536 / (reload + 1);
        // A fiftieth of a tick is twenty microseconds: the loop comes there and stops the counter.
        assert!((asked..asked + 65_536 / 50).contains(&part), "asked for {asked}, stopped at {part}");
    }
    Ok(())
}

/// The emulator's TIM5 counts its nanoseconds. How late a stop is differs by what the alarm and the loop make of it, and in the
/// mean by what the firmware lets pass.
pub(crate) fn a_microsecond_has_parts_too(mut bench: Bench) -> Result<()> {
    const STOPS: u64 = 64;
    let phase = bench.symbol(SYMBOL_PHASE)?;
    let zero = bench.set_up(&five_minutes(Bonus::None))?;
    for (register, value) in NANOSECONDS {
        bench.set(register, value)?;
    }
    let mut means = Vec::new();
    for quarter in 0..4 {
        bench.set(phase, quarter * 65_536 / 4)?;
        let mut late = 0;
        for number in 0..STOPS {
            let at = zero + 100_000 * u64::from(quarter + 1) + 1_009 * number;
            bench.run_to(at)?;
            late += i64::from(bench.word(TIM5_CNT)?) - 1_000 * (at - zero) as i64;
        }
        means.push(late / STOPS as i64);
    }
    let since: Vec<i64> = means.iter().map(|mean| mean - means[0]).collect();
    println!("a stop is later by {since:?} ns");
    for (since, right) in since.into_iter().zip([0, 250, 500, 750]) {
        // Two instructions of 64 ns are a turn of its loop.
        assert!((since - right).abs() <= 128, "{since} ns later than at once, and not {right}");
    }
    Ok(())
}
