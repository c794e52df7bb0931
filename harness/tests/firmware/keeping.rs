//! What is left of a clock after its supply has failed.

use flagfall_core::kept::{self, Kept};
use flagfall_core::record::{Kind, kept_in};
use flagfall_core::{Bonus, Phase, Record, Side};

use crate::bench::{ARBITER, BLACK, Bench, Result, WHITE, five_minutes};

/// The boot record after a reset, and what it says was kept.
fn booted(bench: &mut Bench) -> Result<(Record, Kept)> {
    bench.reset()?;
    let records = bench.records()?;
    let [boot] = records[..] else { return Err(format!("{records:?}").into()) };
    assert_eq!((boot.kind, boot.seq, boot.value), (Kind::BOOT, 0, 1_000_000));
    Ok((boot, kept_in(boot.detail).ok_or("an unknown number")?))
}

/// A game in which White has moved and Black's time runs.
fn game(bench: &mut Bench) -> Result<u64> {
    let zero = bench.set_up(&five_minutes(Bonus::Increment { ms: 3_000 }))?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.push(WHITE, zero + 8_000_000)?;
    Ok(zero)
}

pub(crate) fn a_short_gap_leaves_the_clock_paused(mut bench: Bench) -> Result<()> {
    let zero = game(&mut bench)?;
    bench.run_to(zero + 20_500_000)?;
    let last = bench.records()?.pop().ok_or("no record")?;
    let (boot, kept) = booted(&mut bench)?;
    assert_eq!(kept, Kept::Everything);
    assert_eq!(boot.phase, Phase::Paused(Side::Black));
    assert_eq!((boot.moves, boot.remaining_ticks.white), (last.moves, last.remaining_ticks.white));
    let used = last.remaining_ticks.black - boot.remaining_ticks.black;
    let passed = zero + 20_500_000 - last.at.ticks();
    assert!(used <= passed && passed - used < 1_000_000, "{used} of {passed} ticks were kept");
    // Device time goes on from what was kept, and the counter with it.
    let lost = zero + 20_500_000 - boot.at.ticks();
    assert!(lost < 1_000_000, "{lost} ticks of device time are lost");
    let counter = bench.word(0x4000_0024)?;
    assert!(counter.wrapping_sub(boot.at.ticks() as u32) < 100, "TIM2 is at {counter}");
    // The game goes on.
    let at = boot.at.ticks();
    bench.push(ARBITER, at + 2_000_000)?;
    bench.push(BLACK, at + 5_000_000)?;
    let records = bench.records()?;
    let kinds: Vec<Kind> = records.iter().map(|record| record.kind).collect();
    let expected = [Kind::ARBITER_PRESSED, Kind::RESUMED, Kind::PRESSED, Kind::CREDITED, Kind::SWITCHED];
    assert_eq!(kinds, expected, "{records:?}");
    let now = records.last().ok_or("no record")?.remaining_ticks.black;
    let spent = boot.remaining_ticks.black + 3_000_000 - now;
    assert!(spent.abs_diff(3_000_000) < 10, "{spent} ticks were spent");
    let frames = bench.frames()?;
    assert!(frames.iter().any(|frame| frame.seq == 0 && frame.faces.phase == Phase::Paused(Side::Black)), "{frames:?}");
    Ok(())
}

/// Resets at many instructions of what writes down where the clock stands after a press: the press counts or not.
pub(crate) fn a_reset_in_the_middle_of_a_press_loses_no_game(mut bench: Bench) -> Result<()> {
    let zero = game(&mut bench)?;
    let mut at = zero + 20_000_000;
    let (mut line, mut moves) = (BLACK, 1);
    let mut seen = [0, 0];
    let keep_game = bench.function("keep_game")?;
    for instructions in (0..600).step_by(17) {
        bench.run_to(at)?;
        bench.press(line)?;
        bench.run_into(keep_game)?;
        bench.step(instructions)?;
        bench.release(line)?;
        let (boot, kept) = booted(&mut bench)?;
        assert_eq!(kept, Kept::Everything, "after {instructions} instructions");
        let counted = boot.moves.white + boot.moves.black - moves;
        assert!(counted <= 1, "{boot:?}");
        let side = boot.phase.side().ok_or("nobody was on move")?;
        let on_move = if boot.moves.white > boot.moves.black { Side::Black } else { Side::White };
        assert_eq!((boot.phase, side), (Phase::Paused(side), on_move), "after {instructions} instructions");
        seen[usize::from(counted)] += 1;
        moves += counted;
        line = if side == Side::White { WHITE } else { BLACK };
        at = boot.at.ticks() + 1_000_000;
        bench.push(ARBITER, at)?;
        bench.records()?;
        at += 300_000;
    }
    assert!(seen[0] > 5 && seen[1] > 5, "presses that did not count and did: {seen:?}");
    Ok(())
}

pub(crate) fn without_power_everything_is_forgotten(mut bench: Bench) -> Result<()> {
    game(&mut bench)?;
    bench.records()?;
    bench.set_kept(&[0xdead_beef; kept::WORDS])?;
    let (boot, kept) = booted(&mut bench)?;
    assert_eq!(kept, Kept::Nothing);
    assert_eq!((boot.phase, boot.shown.map(|face| face.tenths()).white), (Phase::Ready, 3_030));
    assert!(boot.at.ticks() < 1_000, "device time begins anew");
    Ok(())
}

pub(crate) fn settings_outlive_a_game_that_is_lost(mut bench: Bench) -> Result<()> {
    let setup = five_minutes(Bonus::Delay { ms: 7_000 });
    let zero = bench.set_up(&setup)?;
    bench.push(ARBITER, zero + 1_000_000)?;
    bench.push(WHITE, zero + 8_000_000)?;
    bench.records()?;
    let mut words = bench.kept()?;
    // Both slots of the game, and nothing of the settings.
    let games = kept::WORDS - 2 * kept::GAME_SLOT / 4;
    words[games..].iter_mut().for_each(|word| *word ^= 0x100);
    bench.set_kept(&words)?;
    let (boot, kept) = booted(&mut bench)?;
    assert_eq!(kept, Kept::Settings);
    assert_eq!((boot.phase, boot.moves.white, boot.remaining_ticks.white), (Phase::Ready, 0, 300_000_000));
    bench.push(ARBITER, 1_000_000)?;
    let started = bench.records()?.pop().ok_or("no record")?;
    assert_eq!((started.kind, started.delay_ticks), (Kind::STARTED, 7_000_000), "with the delay that was set");
    Ok(())
}
