//! Board files: the shipped one is right, and every mistake is named with its place or field.

use std::fs;
use std::path::{Path, PathBuf};

use flagfall::rig::board::{Description, DescriptionError, Probe};

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/virtual-f405.yaml")
}

fn changed(from: &str, to: &str) -> Result<Description, DescriptionError> {
    let text = fs::read_to_string(shipped()).expect("the board file");
    assert!(text.contains(from), "the board file has no {from:?} any more");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.yaml");
    fs::write(&path, text.replacen(from, to, 1)).expect("a file");
    Description::read(&path)
}

#[test]
fn the_shipped_board_is_the_emulated_one() {
    let description = Description::read(&shipped()).expect("it is right");
    assert_eq!(description.probe, Probe::Emulator { icount_shift: 6 });
    assert_eq!(description.probe.rig_name(), "virtual-board");
    assert!(description.firmware.ends_with("boards/../target/firmware/flagfall-f405.elf"));
}

#[test]
fn a_probe_is_named_by_its_serial_number() {
    let emulator = "emulator: {icount_shift: 6}";
    let rig = |selector: &str| {
        let description = changed(emulator, &format!("selector: \"{selector}\"")).expect("a selector");
        description.probe.rig_name().to_owned()
    };
    assert_eq!(rig("0483:374b:066BFF303435554157"), "066BFF303435554157");
    assert_eq!(rig("0483:374b"), "0483:374b");
}

#[test]
fn each_mistake_is_named() {
    for (from, to, said) in [
        ("chip: STM32F405RGTx", "cihp: STM32F405RGTx", "unknown field `cihp`"),
        ("chip: STM32F405RGTx", "", "missing field `chip`"),
        ("tick_hz: 1000000", "tick_hz: fast", "line "),
        ("tick_hz: 1000000", "tick_hz: 0", "tick_hz: a tick rate is 1 Hz to 1 GHz"),
        ("emulator: {icount_shift: 6}", "emulator: {icount_shift: 11}", "probe.emulator.icount_shift: 0 to 10"),
        ("emulator: {icount_shift: 6}", "{}", "probe"),
        ("white: 0", "white: 16", "buttons: a line is 0 to 15"),
        ("white: 0", "white: 1", "buttons: three buttons are on three lines"),
        ("bits: 32, hz: 1000000}", "bits: 32, hz: 999999}", "device_counter: it counts device time"),
        ("0x40000C24", "0x40000024", "bench_counter: true time needs a counter of its own"),
        ("bits: 32, hz: 1000000}", "bits: 16, hz: 1000000}", "device_counter: 16 bits"),
        ("limit_ppb: 0", "limit_ppb: 100000001", "oscillator_limit_ppb: 0 to 100000000"),
        ("latency_max_us: 5", "latency_max_us: 1000001", "stamp_latency_max_us: 0 to 1000000"),
        ("notice_max_us: 20", "notice_max_us: 1000001", "flag_notice_max_us: 0 to 1000000"),
        ("gap_us: 500", "gap_us: 1000001", "smallest_gap_us: 0 to 1000000"),
        ("write: 999", "", "bench_counter.start: register 0x40000c28"),
    ] {
        let error = changed(from, to).expect_err(to).to_string();
        assert!(error.contains(said), "{to:?}: {error}");
        assert!(error.contains("board.yaml"), "{error}");
    }
    let deep = "[".repeat(100_000);
    for (to, said) in
        [(deep.as_str(), "recursion limit"), ("{a: &x 1, b: *x}", "aliases"), ("{a: 1, a: 2}", "given twice")]
    {
        let error = changed("STM32F405RGTx", to).expect_err(said).to_string();
        assert!(error.contains(said) && error.contains("board.yaml"), "{error}");
    }
    let error = Description::read(Path::new("nowhere.yaml")).expect_err("no such file").to_string();
    assert!(error.contains("nowhere.yaml"), "{error}");
}
