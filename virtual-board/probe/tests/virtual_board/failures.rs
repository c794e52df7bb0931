//! Everything that can go wrong with the emulator itself: the client is told what and why, in bounded time, and nothing
//! is left behind.

use super::bench::{Bench, launch, open, wait_for_word, whole};
use super::image;
use flagfall_vboard::{ConnectError, DebugPort, Emulator, EmulatorOptions, Exit, LaunchError, STM32F405};
use libtest_mimic::Failed;
use probe_rs::probe::{DebugProbeSelector, list::Lister};
use probe_rs::{CoreStatus, MemoryInterface};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Set for a copy of this test program that only launches an emulator.
pub(crate) const LAUNCHER_ROLE: &str = "FLAGFALL_TEST_LAUNCHER";

/// The process number of the QEMU that serves this socket.
fn qemu_of(socket: &Path) -> Result<u32, Failed> {
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let name = fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        let command_line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if name.starts_with("qemu") && String::from_utf8_lossy(&command_line).contains(&*socket.to_string_lossy()) {
            return Ok(pid);
        }
    }
    Err(format!("no QEMU serves {}", socket.display()).into())
}

fn signal(pid: u32, name: &str) -> Result<(), Failed> {
    match Command::new("kill").args([name, &pid.to_string()]).status()?.success() {
        true => Ok(()),
        false => Err(format!("kill {name} {pid} failed").into()),
    }
}

fn soon(mut seen: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(10);
    while Instant::now() < deadline {
        if seen() {
            return true;
        }
        sleep(Duration::from_millis(5));
    }
    seen()
}

fn is_alive(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

pub(crate) fn a_lock_up_is_told_as_what_it_is() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.clear_all_hw_breakpoints()?;
    core.write_word_32(image::COMMAND, image::LOCK_UP)?;
    core.run()?;
    let deadline = Instant::now() + Duration::from_secs(10);
    while core.status()? != CoreStatus::LockedUp {
        assert!(Instant::now() < deadline, "nothing happened");
    }
    assert_eq!(core.status()?, CoreStatus::LockedUp, "and it stays so");
    let error = core.read_word_32(image::ROUNDS).expect_err("nothing else is left of it");
    assert!(whole(&error).contains("the emulated core locked up"), "{error:?}");
    drop(core);
    assert_eq!(bench.emulator.exit_status(), Some(Exit::Signal(6)));
    assert!(bench.emulator.obituary().is_lockup());
    assert!(bench.emulator.stderr().contains("Lockup"));
    Ok(())
}

pub(crate) fn a_dead_emulator_is_told_with_its_end() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    signal(qemu_of(bench.emulator.selector().gdb.as_path())?, "-KILL")?;
    assert!(soon(|| bench.emulator.exit_status() == Some(Exit::Signal(9))));
    let error = bench.core()?.read_word_32(image::ROUNDS).expect_err("nobody there");
    assert!(whole(&error).contains("ended by signal 9"), "{error:?}");
    let start = Instant::now();
    let again = bench.core()?.read_word_32(image::ROUNDS).expect_err("still nobody there");
    assert!(whole(&again).contains("earlier failure"), "{again:?}");
    assert!(start.elapsed() < Duration::from_secs(1), "the second error comes at once");
    Ok(())
}

pub(crate) fn a_stalled_emulator_cannot_hang_the_client() -> Result<(), Failed> {
    let (emulator, _folder) = launch()?;
    let patience = Duration::from_millis(200);
    let mut port = DebugPort::connect_within(&STM32F405, emulator.selector(), patience)?;
    let qemu = qemu_of(emulator.selector().gdb.as_path())?;
    signal(qemu, "-STOP")?;
    let start = Instant::now();
    port.write_dp(0x8, 0);
    port.write_ap(0x4, image::ROUNDS as u32)?;
    let error = port.read_ap(0xc).expect_err("no answer");
    assert!(error.to_string().contains("did not answer"), "{error}");
    assert!(start.elapsed() >= patience);
    // The gdb link is another one, and waits for itself, once.
    port.write_ap(0x4, 0xE000_EDF0)?;
    port.write_ap(0xc, 0xA05F_0001)?;
    let error = port.write_ap(0xc, 0xA05F_0001).expect_err("no answer to a resume");
    assert!(error.to_string().contains("did not answer"), "{error}");
    let refused = port.write_ap(0xc, 0xA05F_0001).expect_err("closed");
    assert!(refused.to_string().contains("earlier failure"), "{refused}");
    assert!(start.elapsed() < Duration::from_secs(5));
    // A connection is accepted by the system, but the greeting is not answered.
    drop(port);
    let error = DebugPort::connect_within(&STM32F405, emulator.selector(), patience).expect_err("no greeting");
    assert!(matches!(error, ConnectError::Gdb(_)), "{error}");
    drop(emulator);
    assert!(soon(|| !is_alive(qemu)), "even a stalled one is ended");
    Ok(())
}

pub(crate) fn a_board_that_is_gone_cannot_be_opened() -> Result<(), Failed> {
    let (emulator, _folder) = launch()?;
    let selector: DebugProbeSelector = emulator.selector().to_string().parse()?;
    signal(qemu_of(emulator.selector().gdb.as_path())?, "-KILL")?;
    assert!(soon(|| emulator.exit_status().is_some()));
    flagfall_vprobe::register();
    let start = Instant::now();
    let error = Lister::new().open(selector).err().ok_or("opened")?;
    assert!(whole(&error).contains("ended by signal 9"), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(2), "no waiting for a dead emulator");
    Ok(())
}

pub(crate) fn a_selector_of_ours_that_names_no_sockets_says_what_is_wrong() -> Result<(), Failed> {
    flagfall_vprobe::register();
    let selector: DebugProbeSelector = "c0de:0405:somewhere".parse()?;
    let error = Lister::new().open(selector).err().ok_or("opened")?;
    assert!(whole(&error).contains("<gdb socket>,<qtest socket>"), "{error:?}");
    Ok(())
}

pub(crate) fn what_qemu_refuses_is_told_at_launch() -> Result<(), Failed> {
    let options = EmulatorOptions { extra: vec!["-nonsense".into()], ..EmulatorOptions::default() };
    let error = Emulator::launch(&options).err().ok_or("launched")?;
    assert!(matches!(error, LaunchError::NotReady(_)), "{error}");
    assert!(error.to_string().contains("exit status 1") && error.to_string().contains("nonsense"), "{error}");
    Ok(())
}

pub(crate) fn an_emulator_ends_with_its_owner() -> Result<(), Failed> {
    let (emulator, _folder) = launch()?;
    let (qemu, folder) = (qemu_of(emulator.selector().gdb.as_path())?, emulator.selector().gdb.as_path().to_path_buf());
    let probe = open(&emulator)?;
    drop(emulator);
    assert!(!is_alive(qemu) && !folder.exists(), "ended when the drop returns");
    drop(probe);
    Ok(())
}

pub(crate) fn an_emulator_ends_with_a_launcher_that_is_killed() -> Result<(), Failed> {
    let mut launcher = Command::new(std::env::current_exe()?).env(LAUNCHER_ROLE, "1").stdout(Stdio::piped()).spawn()?;
    let output = launcher.stdout.take().ok_or("no output")?;
    let mut socket = String::new();
    BufReader::new(output).read_line(&mut socket)?;
    let socket = Path::new(socket.trim());
    let qemu = qemu_of(socket)?;
    launcher.kill()?;
    launcher.wait()?;
    assert!(soon(|| !is_alive(qemu)), "QEMU has outlived its launcher");
    assert!(soon(|| socket.parent().is_some_and(|folder| !folder.exists())), "the folder is left");
    Ok(())
}

/// What the copy of this program does: launch, say where, and wait to be killed.
pub(crate) fn be_the_launcher() -> Result<(), Failed> {
    let emulator = Emulator::launch(&EmulatorOptions::default())?;
    println!("{}", emulator.selector().gdb);
    sleep(Duration::from_secs(60));
    Ok(())
}

pub(crate) fn a_crash_of_the_program_leaves_the_board_alive() -> Result<(), Failed> {
    let mut bench = Bench::at_stop()?;
    let mut core = bench.core()?;
    core.clear_all_hw_breakpoints()?;
    core.write_word_32(image::COMMAND, image::FAULT)?;
    core.run()?;
    wait_for_word(&mut core, 0xE000_ED04, |icsr| icsr & 0x1ff == 3)?;
    assert_eq!(core.read_word_32(0xE000_ED28)?, 1 << 16, "CFSR: undefined instruction");
    core.reset()?;
    wait_for_word(&mut core, image::ROUNDS, |rounds| rounds > 10)?;
    Ok(())
}
