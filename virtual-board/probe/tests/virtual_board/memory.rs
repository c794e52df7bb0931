//! Memory through the access port, in every width, beside a halted and a running core.

use super::bench::{Bench, wait_for_word};
use super::image;
use libtest_mimic::Failed;
use probe_rs::MemoryInterface;

/// Crosses two of the 1024-byte blocks in which the access port counts up.
const LENGTH: usize = 3000;

fn pattern() -> Vec<u8> {
    (0..LENGTH).map(|index| (index * 7 + index / 256) as u8).collect()
}

pub(crate) fn bytes_at_any_address() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    for offset in 0..4 {
        let mut read = vec![0; LENGTH];
        core.write_8(image::SCRATCH + offset, &pattern())?;
        core.read_8(image::SCRATCH + offset, &mut read)?;
        assert_eq!(read, pattern(), "8 bits at +{offset}");
        core.write(image::SCRATCH + offset, &vec![0; LENGTH])?;
        core.write(image::SCRATCH + offset, &pattern())?;
        core.read(image::SCRATCH + offset, &mut read)?;
        assert_eq!(read, pattern(), "mixed widths at +{offset}");
    }
    Ok(())
}

pub(crate) fn halves_and_words_in_long_blocks() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    let halves: Vec<u16> = (0..1500_u16).map(|index| index.wrapping_mul(0x9e37)).collect();
    let mut read = vec![0; halves.len()];
    core.write_16(image::SCRATCH + 2, &halves)?;
    core.read_16(image::SCRATCH + 2, &mut read)?;
    assert_eq!(read, halves);
    let words: Vec<u32> = (0..2000_u32).map(|index| index.wrapping_mul(0x9e37_79b9)).collect();
    let mut read = vec![0; words.len()];
    core.write_32(image::SCRATCH + 4, &words)?;
    core.read_32(image::SCRATCH + 4, &mut read)?;
    assert_eq!(read, words);
    Ok(())
}

pub(crate) fn one_byte_or_half_leaves_its_neighbours_alone() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    core.write_word_32(image::SCRATCH, 0x4433_2211)?;
    core.write_word_8(image::SCRATCH + 2, 0xaa)?;
    assert_eq!(core.read_word_32(image::SCRATCH)?, 0x44aa_2211);
    core.write_word_16(image::SCRATCH, 0xbbcc)?;
    assert_eq!(core.read_word_32(image::SCRATCH)?, 0x44aa_bbcc);
    assert_eq!(core.read_word_16(image::SCRATCH + 2)?, 0x44aa);
    assert_eq!(core.read_word_8(image::SCRATCH + 3)?, 0x44);
    assert!(core.read_word_32(image::SCRATCH + 2).is_err(), "unaligned");
    Ok(())
}

pub(crate) fn the_program_sees_what_was_written_and_the_probe_what_it_wrote() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    let mut flash = vec![0; image::bytes().len()];
    core.read(image::FLASH.into(), &mut flash)?;
    assert_eq!(flash, image::bytes(), "flash holds the kernel");
    core.run()?;
    let rounds = wait_for_word(&mut core, image::ROUNDS, |rounds| rounds > 0)?;
    wait_for_word(&mut core, image::ROUNDS, |now| now > rounds)?;
    core.write_word_32(image::COMMAND, image::SLEEP)?;
    // The loop obeys within a round: it falls asleep and the count stands still.
    std::thread::sleep(std::time::Duration::from_millis(20));
    let asleep = core.read_word_32(image::ROUNDS)?;
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(core.read_word_32(image::ROUNDS)?, asleep);
    Ok(())
}

pub(crate) fn peripherals_and_system_registers_take_their_own_widths() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    assert_eq!(core.read_word_32(0xE000_ED00)?, 0x410f_c240, "CPUID: Cortex-M4");
    // Interrupt priorities are bytes among which a word is no substitute.
    core.write_word_8(0xE000_E400 + 7, 0x50)?;
    assert_eq!(core.read_word_32(0xE000_E400 + 4)?, 0x5000_0000);
    let mut masks = [0; 4];
    core.write_32(0x4001_3c00, &[1, 2, 4, 8])?;
    core.read_32(0x4001_3c00, &mut masks)?;
    assert_eq!(masks, [1, 2, 4, 8], "EXTI's masks and edges in one block");
    assert!(core.read_word_8(0xE000_EDF0).is_err(), "DHCSR is a word");
    Ok(())
}
