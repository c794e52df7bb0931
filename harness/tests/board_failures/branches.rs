//! Every way in which a probe, a board or a firmware fails, with the message that it gives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use flagfall::rig::board::{Description, Image, Probe};
use flagfall_core::contract;
use flagfall_trace::Verdict;
use libtest_mimic::Failed;
use object::{Object, ObjectSection};
use tempfile::TempDir;

use crate::stored::{compare, compare_record};
use crate::wire::{self, Mischief, Wire};
use crate::{Run, Wired, run};

pub(crate) const ALL: &[(&str, Run)] = &[
    ("no_probe", no_probe),
    ("two_probes_match", two_probes_match),
    ("permission_denied", permission_denied),
    ("permission_denied_when_opened", permission_denied_when_opened),
    ("a_probe_that_somebody_has", a_probe_that_somebody_has),
    ("no_selector", no_selector),
    ("no_such_chip", no_such_chip),
    ("wrong_chip", wrong_chip),
    ("unplugged", unplugged),
    ("verify_mismatch", verify_mismatch),
    ("rtt_block_missing", rtt_block_missing),
    ("contract_too_old", contract_too_old),
    ("wrong_build_id", wrong_build_id),
    ("record_dropped", record_dropped),
    ("device_crash", device_crash),
    ("device_hang", device_hang),
    ("lock_up", lock_up),
    ("lock_up_of_a_chip", lock_up_of_a_chip),
    ("qemu_killed", qemu_killed),
    ("qemu_missing", qemu_missing),
    ("qemu_too_old", qemu_too_old),
];

const IDCODE: u32 = 0xE004_2000;
const DHCSR: u32 = 0xE000_EDF0;
const ICSR: u32 = 0xE000_ED04;
const VTOR: u32 = 0xE000_ED08;
const NMIPENDSET: u32 = 1 << 31;
/// Memory that the firmware does not use.
const SPARE: u32 = 0x2001_0000;

/// A probe with this selector, whoever answers to it.
fn selected(board: Description, selector: &str) -> Result<flagfall_trace::RunRecord, Failed> {
    let _wire = Wire::take();
    Ok(run(Description { probe: Probe::Selector(selector.to_owned()), ..board }))
}

fn no_probe(board: Description) -> Result<(), Failed> {
    compare_record("no_probe", &selected(board, "fa17:0001:0001")?)
}

fn two_probes_match(board: Description) -> Result<(), Failed> {
    compare_record("two_probes_match", &selected(board, wire::TWO)?)
}

fn permission_denied(board: Description) -> Result<(), Failed> {
    compare_record("permission_denied", &selected(board, wire::FORBIDDEN_BY_UDEV)?)
}

fn permission_denied_when_opened(board: Description) -> Result<(), Failed> {
    compare_record("permission_denied_when_opened", &selected(board, wire::REFUSED_BY_THE_SYSTEM)?)
}

fn a_probe_that_somebody_has(board: Description) -> Result<(), Failed> {
    compare_record("a_probe_that_somebody_has", &selected(board, wire::USED_BY_ANOTHER)?)
}

fn no_selector(board: Description) -> Result<(), Failed> {
    compare_record("no_selector", &selected(board, "stlink:one")?)
}

fn no_such_chip(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(Description { chip: "STM32F999".into(), ..board })?;
    compare_record("no_such_chip", &run(wired.description))
}

/// From the moment at which the board is open: before, the flash algorithm has the same memory.
fn lied_to(board: Description, name: &str, address: u32, word: u32) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let opened = wired.accesses_of_opening()?;
    wired.wire.set(opened, Mischief::Lie(address, word));
    compare_record(name, &run(wired.description))
}

/// From the middle of a run.
fn disturbed(board: Description, name: &str, mischief: Mischief) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let middle = wired.middle_of_a_run()?;
    wired.wire.set(middle, mischief);
    compare_record(name, &run(wired.description))
}

fn wrong_chip(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    wired.wire.set(0, Mischief::Lie(IDCODE, 0x1007_6415));
    compare_record("wrong_chip", &run(wired.description))
}

fn unplugged(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let middle = wired.middle_of_a_run()?;
    wired.wire.set(middle, Mischief::Unplugged);
    let mut record = run(wired.description);
    // How often a halt is asked for is chance, and so is what was being done in the middle.
    for check in &mut record.checks {
        let at = check.found.find("The debug probe").ok_or_else(|| format!("another cause: {}", check.found))?;
        check.found.replace_range(..at, "... ");
    }
    compare_record("unplugged", &record)
}

/// The image of a board with one bit changed, and the folder that it is in.
pub(crate) fn other_image(board: &Description) -> Result<(TempDir, PathBuf), Failed> {
    let mut bytes = fs::read(&board.firmware)?;
    let text = object::File::parse(bytes.as_slice())?.section_by_name(".text").ok_or("no code")?.file_range();
    let (at, length) = text.ok_or("no code in the file")?;
    bytes[(at + length / 2) as usize] ^= 1;
    let folder = tempfile::tempdir()?;
    let other = folder.path().join("other.elf");
    fs::write(&other, bytes)?;
    Ok((folder, other))
}

fn verify_mismatch(board: Description) -> Result<(), Failed> {
    let (_folder, other) = other_image(&board)?;
    let wired = Wired::with(board, &other)?;
    compare_record("verify_mismatch", &run(wired.description))
}

fn rtt_block_missing(board: Description) -> Result<(), Failed> {
    let block = Image::read(&board.firmware)?.rtt as u32;
    lied_to(board, "rtt_block_missing", block, 0)
}

/// The word at this offset of the block.
fn word_of_the_block(board: &Description, offset: u32) -> Result<u32, Failed> {
    Ok(Image::read(&board.firmware)?.block as u32 + offset)
}

fn contract_too_old(board: Description) -> Result<(), Failed> {
    let version = word_of_the_block(&board, 8)?;
    lied_to(board, "contract_too_old", version, 0)
}

fn wrong_build_id(board: Description) -> Result<(), Failed> {
    let build_id = word_of_the_block(&board, 16)?;
    lied_to(board, "wrong_build_id", build_id, 0x1234_5678)
}

fn record_dropped(board: Description) -> Result<(), Failed> {
    let dropped = word_of_the_block(&board, contract::DROPPED_RECORDS as u32)?;
    lied_to(board, "record_dropped", dropped, 3)
}

/// An interrupt that the firmware has no handler for.
fn device_crash(board: Description) -> Result<(), Failed> {
    disturbed(board, "device_crash", Mischief::Write(vec![(ICSR, NMIPENDSET)]))
}

/// All interrupts end in a loop; the time base goes on.
fn device_hang(board: Description) -> Result<(), Failed> {
    let vectors = (0..128).map(|vector| (SPARE + 4 * vector, SPARE + 0x201));
    let words = vectors.chain([(SPARE + 0x200, 0xE7FE_E7FE), (VTOR, SPARE)]).collect();
    disturbed(board, "device_hang", Mischief::Write(words))
}

/// An interrupt whose vector leads nowhere, and the fault that follows from it as well.
fn lock_up(board: Description) -> Result<(), Failed> {
    disturbed(board, "lock_up", Mischief::Write(vec![(VTOR, SPARE)]))
}

/// As a chip tells it, which lives on.
fn lock_up_of_a_chip(board: Description) -> Result<(), Failed> {
    disturbed(board, "lock_up_of_a_chip", Mischief::Lie(DHCSR, 1 << 19 | 1 << 16 | 1))
}

fn qemu_killed(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let middle = wired.middle_of_a_run()?;
    wired.wire.set(u64::MAX, Mischief::None);
    let qemu = qemu_of(&wired.emulator.selector().gdb.to_string())?;
    let record = std::thread::scope(|scope| {
        scope.spawn(|| {
            while wired.wire.accesses() < middle {
                sleep(Duration::from_millis(1));
            }
            Command::new("kill").args(["-KILL", &qemu]).status()
        });
        run(wired.description.clone())
    });
    // Where it was in its work is chance; what is told of the end is not.
    assert_eq!(record.verdict, Verdict::Infra, "{record:?}");
    let found = &record.checks[0].found;
    assert!(found.contains("(ended by signal 9"), "{found}");
    let (_, advice) = found.rsplit_once("; ").ok_or("no advice")?;
    compare("qemu_killed", &format!("infra (bench)\n{advice}\n"))
}

fn qemu_of(socket: &str) -> Result<String, Failed> {
    let ours = |process: &String| {
        let read = |file| fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
        read("comm").starts_with(b"qemu") && String::from_utf8_lossy(&read("cmdline")).contains(socket)
    };
    let entries = fs::read_dir("/proc")?.flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).find(ours).ok_or_else(|| "no QEMU".into())
}

/// A run of the program with QEMU from this folder alone.
fn with_qemu_from(folder: &Path, path: &str) -> Result<String, Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["run", "--retries", "0", "--board", "boards/virtual-f405.yaml", "scenarios/cases/late-arrival", "--out"])
        .arg(folder.join("out"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .env("PATH", path)
        .output()?;
    assert!(!folder.join("out").exists(), "nothing was run");
    let code = output.status.code().ok_or("ended by a signal")?;
    Ok(format!("exit {code}\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn qemu_missing(_: Description) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    compare("qemu_missing", &with_qemu_from(folder.path(), &folder.path().display().to_string())?)
}

fn qemu_too_old(_: Description) -> Result<(), Failed> {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir()?;
    let old = folder.path().join("qemu-system-arm");
    fs::write(&old, "#!/bin/sh\necho 'qemu-system-arm: unsupported machine type' >&2\nexit 1\n")?;
    fs::set_permissions(&old, fs::Permissions::from_mode(0o700))?;
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    compare("qemu_too_old", &with_qemu_from(folder.path(), &path)?)
}
