//! Programming: probe-rs's own STM32F4 algorithm runs in the emulated core. Its stores do not change the emulated
//! flash, so the image has to be there already, and verification tells whether it is.

use super::bench::{Bench, PATIENCE, run_to};
use super::image;
use libtest_mimic::Failed;
use probe_rs::MemoryInterface;
use probe_rs::flashing::{DownloadOptions, ElfLoader, ElfOptions, FileDownloadError, FlashError, build_loader};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn program(bench: &mut Bench, elf: &Path) -> Result<(), FileDownloadError> {
    let loader = build_loader(&mut bench.session, elf, ElfLoader(ElfOptions::default()), None)?;
    let mut options = DownloadOptions::default();
    options.verify = true;
    Ok(loader.commit(&mut bench.session, options)?)
}

fn write(folder: &TempDir, elf: &[u8]) -> Result<PathBuf, Failed> {
    let path = folder.path().join("image.elf");
    fs::write(&path, elf)?;
    Ok(path)
}

pub(crate) fn the_image_that_is_there_is_programmed_and_verified() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let folder = TempDir::new()?;
    let elf = write(&folder, &image::elf())?;
    // Twice: a board that has run is programmed again.
    for _ in 0..2 {
        bench.core()?.reset_and_halt(PATIENCE)?;
        program(&mut bench, &elf)?;
        let mut core = bench.core()?;
        core.reset_and_halt(PATIENCE)?;
        core.set_hw_breakpoint(image::HIL_STOP.into())?;
        run_to(&mut core, image::HIL_STOP)?;
        assert_eq!(core.read_word_32(image::ROUNDS)?, 1);
        core.clear_hw_breakpoint(image::HIL_STOP.into())?;
    }
    Ok(())
}

pub(crate) fn another_image_fails_verification() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let folder = TempDir::new()?;
    let elf = write(&folder, &image::other_elf())?;
    bench.core()?.reset_and_halt(PATIENCE)?;
    match program(&mut bench, &elf) {
        Err(FileDownloadError::Flash(FlashError::Verify)) => Ok(()),
        other => Err(format!("one byte differs, but programming it gave {other:?}").into()),
    }
}

pub(crate) fn the_debugger_writes_flash_in_a_halt_only() -> Result<(), Failed> {
    let mut bench = Bench::attach()?;
    let mut core = bench.core()?;
    let far = u64::from(image::FLASH) + 0x1_0000;
    core.write_32(far, &[0x1111_1111, 0x2222_2222])?;
    core.write_word_16(far + 2, 0xabcd)?;
    let mut read = [0; 2];
    core.read_32(far, &mut read)?;
    assert_eq!(read, [0xabcd_1111, 0x2222_2222]);
    core.run()?;
    let error = core.write_word_32(far, 0).expect_err("flash is being executed");
    assert!(super::bench::whole(&error).contains("while the core runs"), "{error:?}");
    Ok(())
}
