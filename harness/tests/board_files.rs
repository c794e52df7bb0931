//! Board files: the shipped one is right, and every mistake is named with its place or field.

use std::fs;
use std::path::{Path, PathBuf};

use flagfall::rig::board::description::{BenchNotes, Faults, Possible};
use flagfall::rig::board::{Acting, Description, DescriptionError, PanelAt, Probe, SerialLine, Stimulus};

fn boards() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards")
}

fn shipped() -> PathBuf {
    boards().join("virtual-f405.yaml")
}

fn changed(from: &str, to: &str) -> Result<Description, DescriptionError> {
    changed_in(&shipped(), from, to)
}

fn changed_in(file: &Path, from: &str, to: &str) -> Result<Description, DescriptionError> {
    let text = fs::read_to_string(file).expect("the board file");
    assert!(text.contains(from), "the board file has no {from:?} any more");
    written(&text.replacen(from, to, 1))
}

fn written(text: &str) -> Result<Description, DescriptionError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.yaml");
    fs::write(&path, text).expect("a file");
    Description::read(&path)
}

/// The board file with lines added at its end.
fn with(lines: &str) -> Result<Description, DescriptionError> {
    changed("buttons:", &format!("{lines}\nbuttons:"))
}

#[test]
fn every_shipped_board_can_be_read() {
    let mut emulated = 0;
    for entry in fs::read_dir(boards()).expect("the boards") {
        let path = entry.expect("a file").path();
        let description = Description::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        assert_eq!(description.board, stem, "a board is called like its file");
        assert!(description.firmware.starts_with(boards().join("../target/firmware")), "{stem}");
        let about = description.about.unwrap_or_default();
        match description.probe {
            Probe::Emulator { .. } => emulated += 1,
            Probe::Selector(_) => assert!(about.contains("Never seen on hardware"), "{stem}: {about}"),
        }
        assert_eq!(description.quarantine, None, "{stem}");
    }
    assert!(emulated > 0);
}

#[test]
fn the_shipped_board_is_the_emulated_one() {
    let description = Description::read(&shipped()).expect("it is right");
    assert!(
        matches!(&description.probe, Probe::Emulator { machine, icount_shift: 6, paced: false } if machine.name == "STM32F405")
    );
    assert_eq!(description.probe.rig_name(), "virtual-board");
    assert!(description.firmware.ends_with("boards/../target/firmware/flagfall-f405.elf"));
}

#[test]
fn the_two_boards_with_an_stm32l475_differ_in_probe_and_pins() {
    let read = |name: &str| Description::read(&boards().join(name)).unwrap_or_else(|error| panic!("{error}"));
    let (emulated, real) = (read("virtual-l475.yaml"), read("b-l475e-iot01a.yaml"));
    assert!(matches!(&emulated.probe, Probe::Emulator { machine, .. } if machine.name == "STM32L475"));
    assert_eq!((emulated.tick_rate.hz(), emulated.true_time.is_none(), emulated.device_counter), (1_000, true, None));
    let stuck = |board: &Description| board.faults.stuck.by().copied().expect("it can be stopped");
    assert_eq!((stuck(&emulated).longest_ms, stuck(&real).longest_ms), (None, Some(6_000)));
    // A port of a machine has a name of its own, which its owner writes into the file.
    assert_eq!((&emulated.panel, &real.panel), (&Some(PanelAt::Uart(1)), &None));
    let there = |board: Description| Description {
        board: String::new(),
        about: None,
        probe: Probe::Selector(String::new()),
        stimulus: Stimulus::Pulls { register: 0x4800_000C },
        panel: None,
        bench: BenchNotes::default(),
        faults: Faults { stuck: Possible::Not(String::new()), ..board.faults },
        ..board
    };
    assert_eq!(there(emulated), there(real));
}

#[test]
fn the_board_that_arms_its_firmware_differs_in_that_alone() {
    let read = |name: &str| Description::read(&boards().join(name)).unwrap_or_else(|error| panic!("{error}"));
    let (driven, armed) = (read("virtual-l475.yaml"), read("virtual-l475-armed.yaml"));
    assert_eq!(armed.stimulus, Stimulus::Pulls { register: 0x4800_000C });
    assert_eq!(armed.acting, Acting::Armed { gap_us: 1_000, lead_us: 8_000 });
    let (board, about) = (driven.board.clone(), driven.about.clone());
    let (stimulus, acting) = (driven.stimulus.clone(), driven.acting);
    assert_eq!(Description { board, about, stimulus, acting, ..armed }, driven);
}

#[test]
fn what_is_armed_has_a_gap_and_a_lead_and_nothing_beside_it() {
    let line = "  line: {window: 0xF0000000}";
    for (armed, says) in [
        ("armed: {pulls: {register: 0x4002000C}, gap_us: 0, lead_us: 1}", "stimulus.armed.gap_us"),
        ("armed: {pulls: {register: 0x4002000C}, gap_us: 1, lead_us: 1000001}", "stimulus.armed.lead_us"),
        ("armed: {pulls: {register: 0x4002000D}, gap_us: 1, lead_us: 1}", "stimulus.armed.pulls.register"),
        (
            "armed: {pulls: {register: 0x4002000C}, gap_us: 1, lead_us: 1}\n  line: {window: 0xF0000000}",
            "exactly one of",
        ),
    ] {
        let error = changed(line, &format!("  {armed}")).expect_err(armed).to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn how_long_a_time_base_may_stand_still_belongs_to_how_it_is_stopped() {
    let stuck = "{not_possible: the emulated timer counts on when it is disabled}";
    let error = changed(stuck, "{not_possible: no, longest_ms: 5}").expect_err("either or").to_string();
    assert!(error.contains("faults.stuck"), "{error}");
    let by = changed(stuck, "{control: 0x40000000, enable: 0x1, longest_ms: 5}").expect("how it is done").faults.stuck;
    assert_eq!(by.by().map(|stuck| stuck.longest_ms), Ok(Some(5)));
}

#[test]
fn a_probe_is_named_by_its_serial_number() {
    let emulator = "emulator: {machine: stm32f405, icount_shift: 6}";
    let rig = |selector: &str| {
        let description = changed(emulator, &format!("selector: \"{selector}\"")).expect("a selector");
        description.probe.rig_name().to_owned()
    };
    assert_eq!(rig("0483:374b:066BFF303435554157"), "066BFF303435554157");
    assert_eq!(rig("0483:374b"), "0483:374b");
}

#[test]
fn each_way_to_move_a_pin_can_be_said() {
    let line = "line: {window: 0xF0000000}";
    let described = |to: &str| changed(line, to).unwrap_or_else(|error| panic!("{error}"));
    let stimulus = |to: &str| described(to).stimulus;
    assert_eq!(stimulus("pulls: {register: 0x4002000C}"), Stimulus::Pulls { register: 0x4002_000C });
    let live = described("live: {pulls: {register: 0x4002000C}}");
    assert_eq!((live.stimulus, live.acting), (Stimulus::Pulls { register: 0x4002_000C }, Acting::Live));
    assert_eq!(described(line).acting, Acting::AtStops);
    let driver = "driver: {probe: {emulator: {machine: stm32l475, icount_shift: 6}}, chip: STM32L475VGTx, \
                  start: [{address: 0x48000000, write: 0x5400}], register: 0x48000018, \
                  pins: {white: 5, black: 6, arbiter: 7}}";
    let Stimulus::Driver(parsed) = stimulus(driver) else { panic!("a driver") };
    assert_eq!((parsed.register, parsed.pins.all()), (0x4800_0018, [5, 6, 7]));
    let real = driver.replace("emulator: {machine: stm32l475, icount_shift: 6}", "selector: \"0483:3748\"");
    let error = changed(line, &real).expect_err("no cable reaches out of the emulator").to_string();
    assert!(error.contains("stimulus.driver.probe") && error.contains("or neither"), "{error}");
}

#[test]
fn a_board_without_true_time_says_so() {
    let text = fs::read_to_string(shipped()).expect("the board file");
    let start = text.find("true_time:").expect("the counter");
    let counter = &text[start..start + text[start..].find("faults:").expect("the faults")];
    let description = changed(counter, "true_time: none\n").expect("it is right");
    assert_eq!(description.true_time, None);
    let error = changed(counter, "").expect_err("nothing is said").to_string();
    assert!(error.contains("missing field `true_time`"), "{error}");
}

#[test]
fn the_steps_of_faults_are_computed_from_what_feeds_the_time_base() {
    let step = |file: &str| {
        let description = Description::read(&boards().join(file)).expect("it is right");
        description.faults.rate.by().expect("it has a prescaler").step_ppm()
    };
    assert_eq!(step("virtual-f405.yaml"), 1_000);
    assert_eq!(step("olimex-h405.yaml"), 62_500);
}

#[test]
fn a_quarantine_has_reason_date_owner_and_expiry() {
    let all = "quarantine: {reason: loses its probe, date: 2026-11-01, owner: bench, expires: 2026-12-01}";
    let quarantine = with(all).expect("it is right").quarantine.expect("there is one");
    assert_eq!(quarantine.to_string(), "loses its probe (since 2026-11-01, owner bench, expires 2026-12-01)");
    for (from, to, said) in [
        ("owner: bench, ", "", "missing field `owner`"),
        ("owner: bench", "owner: \"\"", "quarantine.owner: somebody must be able to ask"),
        ("2026-12-01", "2026-11-31", "quarantine.expires: `2026-11-31`: no such day"),
        ("2026-12-01", "soon", "quarantine.expires: `soon`: a date is YYYY-MM-DD"),
        ("2026-12-01", "2026-11-01", "quarantine.expires: 2026-11-01: after quarantine.date"),
    ] {
        let error = with(&all.replace(from, to)).expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn each_mistake_is_named() {
    for (from, to, said) in [
        ("chip: STM32F405RGTx", "cihp: STM32F405RGTx", "did you mean `chip`?"),
        ("chip: STM32F405RGTx", "", "missing field `chip`"),
        ("tick_hz: 1000000", "tick_hz: fast", "line "),
        ("tick_hz: 1000000", "tick_hz: 0", "tick_hz: a tick rate is 1 Hz to 1 GHz"),
        ("icount_shift: 6}", "icount_shift: 11}", "probe.emulator.icount_shift: 0 to 10"),
        (
            "stm32f405, ",
            "stm32f504, ",
            "probe.emulator.machine: no board `stm32f504` is emulated: did you mean `stm32f405`?",
        ),
        ("emulator: {machine: stm32f405, icount_shift: 6}", "{}", "probe"),
        ("emulator: {machine: stm32f405, icount_shift: 6}", "selector: stlink", "probe.selector: `stlink`: VID:PID"),
        ("white: 0", "white: 16", "buttons: a line is 0 to 15"),
        ("white: 0", "white: 1", "buttons: three buttons are on three lines"),
        ("bits: 32, hz: 1000000}", "bits: 32, hz: 999999}", "device_counter: it counts device time"),
        ("0x40000C24", "0x40000024", "true_time: true time needs a counter of its own"),
        ("bits: 32, hz: 1000000}", "bits: 16, hz: 1000000}", "device_counter.bits: 16 bits"),
        ("limit_ppb: 0", "limit_ppb: 100000001", "oscillator_limit_ppb: 0 to 100000000"),
        ("latency_max_us: 5", "latency_max_us: 1000001", "stamp_latency_max_us: 0 to 1000000"),
        ("notice_max_us: 20", "notice_max_us: 1000001", "flag_notice_max_us: 0 to 1000000"),
        ("gap_us: 500", "gap_us: 1000001", "smallest_gap_us: 0 to 1000000"),
        (
            "0x40000024, bits",
            "0x40000026, bits",
            "device_counter.address: 0x40000026: a word of 32 bits is at a multiple",
        ),
        ("0x40000024, bits", "0x8000000, bits", "device_counter.address: 0x8000000: a word is at"),
        ("0x40000024, bits", "0x100000000, bits", "device_counter.address: 0x100000000: a word is at"),
        (
            "tick_hz: 1000000",
            "tick_hz: 1000000\nwithin_tick: {counter: 0x20000000, reload: 0xE000E014}",
            "within_tick.counter: 0x20000000: a register is at",
        ),
        (
            "tick_hz: 1000000",
            "tick_hz: 1000000\nwithin_tick: {counter: 0xE000E018, reload: 0xE000E016}",
            "within_tick.reload: 0xe000e016: a word of 32 bits is at a multiple",
        ),
        ("0x40023840", "0x20000000", "true_time.start: 0x20000000: a register is at"),
        ("0xF0000000", "0x60000000", "stimulus.line.window: 0x60000000: a register is at"),
        ("line: {window: 0xF0000000}", "lines: {window: 0xF0000000}", "did you mean `line`?"),
        ("line: {window: 0xF0000000}", "{}", "stimulus: exactly one of"),
        (
            "line: {window: 0xF0000000}",
            "{line: {window: 0xF0000000}, pulls: {register: 0x4002000C}}",
            "stimulus: exactly one of",
        ),
        ("clock_hz: 1000000000", "clock_hz: 999999999", "faults.rate.clock_hz: 999999999 Hz: 2 to 65536 times tick_hz"),
        ("clock_hz: 1000000000", "clock_hz: 1000000", "faults.rate.clock_hz: 1000000 Hz: 2 to 65536 times tick_hz"),
        (", clock_hz: 1000000000", "", "faults.rate: `clock_hz` is missing"),
        ("jump: {", "jump: {not_possible: why, ", "faults.jump: either `not_possible` with a reason, or how"),
        (", lost_ms_max: 1001", "", "faults.brown_out: either `not_possible` with a reason, or `by` and `lost_ms_max`"),
        ("lost_ms_max: 1001", "lost_ms_max: 60001", "faults.brown_out.lost_ms_max: 0 to 60000"),
        ("by: system_reset", "by: sytem_reset", "did you mean `system_reset`?"),
        ("{uart: 2}", "{uart: 3}", "panel.uart: 3: the emulated STM32F405 keeps what comes out of 2"),
        ("{uart: 2}", "{uart: 2, baud: 9600}", "panel.baud: an emulated port has no rate"),
        ("{uart: 2}", "{}", "panel: either `uart`, of an emulated board, or `serial`"),
        ("{uart: 2}", "{serial: /dev/ttyUSB0}", "panel.serial: an emulated board keeps what its port sends"),
        ("write: 999", "", "true_time.start: register 0x40000c28"),
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

#[test]
fn a_panel_behind_a_probe_is_a_serial_port_of_this_machine() {
    let emulator = "emulator: {machine: stm32f405, icount_shift: 6}";
    let text = fs::read_to_string(boards().join("virtual-f405.yaml")).expect("the board file");
    let real = |panel: &str| written(&text.replace(emulator, "selector: \"0483:3748\"").replace("{uart: 2}", panel));
    let line = |port: &str, baud| Some(PanelAt::Serial(SerialLine { port: port.into(), baud }));
    assert_eq!(real("{serial: /dev/ttyUSB0}").expect("right").panel, line("/dev/ttyUSB0", 115_200));
    assert_eq!(real("{serial: /dev/ttyS1, baud: 9600}").expect("right").panel, line("/dev/ttyS1", 9_600));
    assert_eq!(real("{uart: 2}").expect("right").panel, None, "where its wire comes out, nobody has said");
    for (panel, said) in [
        ("{serial: ttyUSB0}", "panel.serial: `ttyUSB0`: the device file of a serial port, from the root"),
        ("{serial: /dev/ttyUSB0, baud: 300}", "panel.baud: 300: 1200 to 12000000 baud"),
        ("{serial: /dev/ttyUSB0, uart: 2}", "panel: either `uart`"),
        ("{baud: 9600}", "panel: either `uart`"),
        ("{serial: /dev/ttyUSB0, buad: 9600}", "did you mean `baud`?"),
    ] {
        let error = real(panel).expect_err(said).to_string();
        assert!(error.contains(said), "{panel}: {error}");
    }
}

#[test]
fn each_mistake_in_a_map_of_symbols_is_named_with_its_place() {
    let foreign = boards().join("virtual-foreign.yaml");
    for (from, to, line, said) in [
        ("at: GAME, bits: 32", "at: GAME, bits: 24", "white: {", "symbols.left.white.bits: 24 bits"),
        ("at: GAME + 4", "at: GAME + four", "black: {", "symbols.left.black.at: `GAME + four`: a symbol, or"),
        ("at: GAME + 4", "at: + 4", "black: {", "symbols.left.black.at: `+ 4`"),
        ("unit_us: 10000", "unit_us: 0", "unit_us: 0", "symbols.unit_us: 1 us to a second"),
        ("press_ms: 20", "press_ms: 1001", "press_ms", "symbols.press_ms: 0 us to a second"),
        (
            "white: 1, black: 2",
            "white: 1, black: 1",
            "running:",
            "symbols.running: White and Black have values of their own",
        ),
        ("mask: 0x2", "mask: 0x100", "mask: 0x100", "symbols.flags.black.mask: 0x100: some of its 8 bits"),
        ("words:", "control: 5m+3s\n    words:", "control:", "symbols.game: either `control`"),
        ("    words:", "    at_zero: freeze\n    words:", "at_zero: freeze", "symbols.game.at_zero: a word sets it"),
        ("    words:", "    increment: after-move\n    words:", "increment:", "symbols.game.increment: with `words`"),
        ("stop: idle", "stopp: idle", "line ", "unknown field `stopp`"),
    ] {
        let error = changed_in(&foreign, from, to).expect_err(to).to_string();
        assert!(error.contains(said), "{to:?}: {error}");
        assert!(error.contains(line) && error.contains("board.yaml"), "{to:?}: {error}");
    }
    let built_in = changed_in(&foreign, "  game:\n", "  game: {control: 5m+3s, at_zero: run-on}\n  xgame:\n");
    assert!(built_in.expect_err("xgame").to_string().contains("unknown field `xgame`"));
}
