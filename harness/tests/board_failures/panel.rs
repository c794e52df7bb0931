//! The display of a board on a serial port of this machine, read as that of a real board is: the emulated chip's port on
//! one pseudo-terminal, the harness on another, and between them a wire that may be bad.

use std::fs;
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use flagfall::case::Case;
use flagfall::rig::board::{Board, Description, PanelAt, Probe, SerialLine};
use flagfall_core::panel;
use flagfall_trace::{RunRecord, Verdict};
use flagfall_vboard::SerialUse;
use libtest_mimic::Failed;
use nix::pty::openpty;
use nix::unistd::ttyname;
use serial2::SerialPort;
use tempfile::TempDir;

use crate::stored::{compare, compare_record};
use crate::{Run, SCENARIO, Wired, run};

pub(crate) const ALL: &[(&str, Run)] = &[
    ("a_panel_on_a_wire_agrees", a_panel_on_a_wire_agrees),
    ("a_frozen_panel_on_a_wire_is_found", a_frozen_panel_on_a_wire_is_found),
    ("what_a_wire_has_before_the_first_line_is_none", what_a_wire_has_before_the_first_line_is_none),
    ("a_slow_wire_is_waited_for", a_slow_wire_is_waited_for),
    ("panel_port_absent", panel_port_absent),
    ("panel_port_forbidden", panel_port_forbidden),
    ("panel_port_is_none", panel_port_is_none),
    ("panel_port_gone", panel_port_gone),
    ("panel_silent", panel_silent),
    ("panel_port_of_something_else", panel_port_of_something_else),
    ("panel_at_another_rate", panel_at_another_rate),
    ("panel_line_lost_in_part", panel_line_lost_in_part),
];

/// What the wire does to what goes through it.
#[derive(Clone, Copy)]
enum Fault {
    None,
    /// There are bytes before the first.
    Noise,
    /// Each line comes so much later, as packets of an adapter do.
    Late(Duration),
    /// It is pulled out after so many lines.
    Out(usize),
    /// Nothing comes through.
    Dead,
    /// It is another's, who never stops.
    Others,
    /// Both ends have another rate.
    Rate,
    /// After so many lines a byte is lost.
    Lost(usize),
}

/// A wire from a serial port to another.
struct Adapter {
    port: PathBuf,
    /// Kept open: a port that nobody has open any more tells of an end.
    _other: OwnedFd,
    unplugged: Arc<AtomicBool>,
    wire: Option<std::thread::JoinHandle<()>>,
}

impl Adapter {
    fn plug(chip: &Path, fault: Fault) -> Result<Adapter, Failed> {
        let pty = openpty(None, None)?;
        let (port, unplugged) = (ttyname(&pty.slave)?, Arc::new(AtomicBool::new(false)));
        let mut chip = SerialPort::open(chip, panel::BAUD)?;
        chip.set_read_timeout(Duration::from_millis(20))?;
        let (far, ended) = (File::from(pty.master), unplugged.clone());
        let wire = Some(std::thread::spawn(move || carry(&chip, far, fault, &ended)));
        Ok(Adapter { port, _other: pty.slave, unplugged, wire })
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        self.unplugged.store(true, Ordering::Relaxed);
        if let Some(wire) = self.wire.take() {
            let _ = wire.join();
        }
    }
}

/// Carries what the chip sends until one end has gone.
fn carry(chip: &SerialPort, mut far: File, fault: Fault, ended: &AtomicBool) {
    let (mut bytes, mut lines) = ([0; 256], 0);
    while !ended.load(Ordering::Relaxed) {
        if matches!(fault, Fault::Others) && far.write_all(b"$GPTXT,01,01,01,NOFIX*65\r\n").is_err() {
            return;
        }
        let Ok(count @ 1..) = chip.read(&mut bytes) else { continue };
        for byte in &bytes[..count] {
            let carried: &[u8] = match fault {
                Fault::Dead => &[],
                Fault::Noise if lines == 0 && *byte == b'#' => &[0, 0xff, b'w', b'\n', 0xfe, b'#'],
                Fault::Rate => &[byte ^ 0x80],
                Fault::Lost(after) if lines == after && *byte == b' ' => &[],
                _ => std::slice::from_ref(byte),
            };
            if far.write_all(carried).is_err() {
                return;
            }
            lines += usize::from(*byte == b'\n');
            if let (Fault::Late(by), b'\n') = (fault, byte) {
                std::thread::sleep(by);
            }
            if matches!(fault, Fault::Out(after) if lines == after) {
                return;
            }
        }
    }
}

/// A board whose panel is at the end of such a wire.
struct OnAWire {
    /// Taken away first: it reads what the emulator makes.
    adapter: Adapter,
    wired: Wired,
    _folder: TempDir,
}

impl OnAWire {
    fn start(board: Description, fault: Fault) -> Result<OnAWire, Failed> {
        let folder = tempfile::tempdir()?;
        let chip = folder.path().join("usart2");
        let kernel = board.firmware.clone();
        let mut wired = Wired::sending_to(board, &kernel, SerialUse::Terminal(chip.clone()))?;
        let adapter = Adapter::plug(&chip, fault)?;
        let line = SerialLine { port: adapter.port.clone(), baud: panel::BAUD };
        wired.description.panel = Some(PanelAt::Serial(line));
        Ok(OnAWire { adapter, wired, _folder: folder })
    }

    /// Compares what a run came to with the stored message, in which the port has no name.
    fn compare(&self, name: &str) -> Result<(), Failed> {
        let mut record = run(self.wired.description.clone());
        for check in &mut record.checks {
            check.found = check.found.replace(&self.adapter.port.display().to_string(), "<port>");
            // Which tick a line is of differs with every build of the firmware.
            if let Some((before, (_, after))) =
                check.found.split_once("its line \"").and_then(|(before, rest)| Some((before, rest.split_once('"')?)))
            {
                check.found = format!("{before}its line \"...\"{after}");
            }
        }
        compare_record(name, &record)
    }
}

fn passes(record: &RunRecord) -> Result<(), Failed> {
    match record.checks.iter().find(|check| check.verdict != Verdict::Pass) {
        None => Ok(()),
        Some(check) => Err(format!("{check:?}").into()),
    }
}

fn a_panel_on_a_wire_agrees(board: Description) -> Result<(), Failed> {
    let on_a_wire = OnAWire::start(board, Fault::None)?;
    let case = crate::case();
    let outcome = Board::new(on_a_wire.wired.description.clone()).run(&case.plan);
    let flagfall::rig::Outcome::Ran { trace, .. } = &outcome else { return Err(format!("{outcome:?}").into()) };
    assert_eq!(trace.panel.as_deref(), Some([].as_slice()), "it is watched, and shows what the records say");
    passes(&case.judge("wire", outcome, &[]).record)
}

/// Frozen through the probe, as any bench does it, while the wire is good.
fn a_frozen_panel_on_a_wire_is_found(board: Description) -> Result<(), Failed> {
    let on_a_wire = OnAWire::start(board, Fault::None)?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/cases/defective-clock/displays-freeze.yaml");
    let text = fs::read_to_string(&path)?;
    let judged = |text: &str| -> Result<RunRecord, Failed> {
        let scenario = flagfall_scenarios::read_str("frozen.yaml", "test/frozen", text);
        let case = Case::prepare(scenario.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
        let outcome = Board::new(on_a_wire.wired.description.clone()).run(&case.plan);
        Ok(case.judge("wire", outcome, &[]).record)
    };
    passes(&judged(&text)?)?;
    let unexpected = judged(&text.replace("clock: {wrong: [display(white)], from: fault}\n", ""))?;
    let found = unexpected.checks.iter().find(|check| check.verdict == Verdict::Fail).ok_or("it was not found")?;
    assert!(found.found.contains("on the panel at"), "{found:?}");
    Ok(())
}

fn what_a_wire_has_before_the_first_line_is_none(board: Description) -> Result<(), Failed> {
    passes(&run(OnAWire::start(board, Fault::Noise)?.wired.description.clone()))
}

/// As slow as an adapter that waits for its packet to fill, three times over.
fn a_slow_wire_is_waited_for(board: Description) -> Result<(), Failed> {
    let on_a_wire = OnAWire::start(board, Fault::Late(Duration::from_millis(50)))?;
    passes(&run(on_a_wire.wired.description.clone()))
}

fn panel_port_gone(board: Description) -> Result<(), Failed> {
    OnAWire::start(board, Fault::Out(4))?.compare("panel_port_gone")
}

fn panel_silent(board: Description) -> Result<(), Failed> {
    OnAWire::start(board, Fault::Dead)?.compare("panel_silent")
}

fn panel_port_of_something_else(board: Description) -> Result<(), Failed> {
    OnAWire::start(board, Fault::Others)?.compare("panel_port_of_something_else")
}

fn panel_at_another_rate(board: Description) -> Result<(), Failed> {
    OnAWire::start(board, Fault::Rate)?.compare("panel_at_another_rate")
}

fn panel_line_lost_in_part(board: Description) -> Result<(), Failed> {
    OnAWire::start(board, Fault::Lost(4))?.compare("panel_line_lost_in_part")
}

/// A board behind a probe that nobody asks for: its panel's port is opened first.
fn behind(board: Description, port: &Path) -> RunRecord {
    let panel = Some(PanelAt::Serial(SerialLine { port: port.to_owned(), baud: panel::BAUD }));
    run(Description { probe: Probe::Selector("fa17:0001:0001".into()), panel, ..board })
}

fn panel_port_absent(board: Description) -> Result<(), Failed> {
    compare_record("panel_port_absent", &behind(board, Path::new("/dev/ttyUSB7000")))
}

fn panel_port_is_none(board: Description) -> Result<(), Failed> {
    compare_record("panel_port_is_none", &behind(board, Path::new("/dev/null")))
}

/// By the program, as a user who is nobody: whoever is root may open everything.
fn panel_port_forbidden(board: Description) -> Result<(), Failed> {
    let folder = tempfile::Builder::new().prefix("ff").tempdir_in("/tmp")?;
    let at = |name: &str| folder.path().join(name);
    let (program, port) = (at("flagfall"), at("ttyUSB0"));
    fs::copy(env!("CARGO_BIN_EXE_flagfall"), &program)?;
    fs::copy(&board.firmware, at("clock.elf"))?;
    fs::write(at("two-presses.yaml"), SCENARIO)?;
    fs::write(&port, "")?;
    fs::set_permissions(&port, fs::Permissions::from_mode(0o000))?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777))?;
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/virtual-f405.yaml"))?
        .replace("emulator: {machine: stm32f405, icount_shift: 6}", "selector: fa17:0001:0001")
        .replace("../target/firmware/flagfall-f405.elf", "clock.elf")
        .replace("{uart: 2}", &format!("{{serial: {}}}", port.display()));
    fs::write(at("board.yaml"), text)?;
    let by_root = Command::new("id").arg("-u").output()?.stdout == b"0\n";
    let mut command = if by_root { Command::new("setpriv") } else { Command::new("env") };
    if by_root {
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    }
    let output = command
        .arg(&program)
        .args(["run", "--retries", "0", "--board", "board.yaml", "--out", "out", "two-presses.yaml"])
        .env("FLAGFALL_LEASES", at("leases"))
        .current_dir(folder.path())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr).replace(&port.display().to_string(), "<port>");
    compare("panel_port_forbidden", &format!("exit {}\n{said}", output.status.code().ok_or("ended by a signal")?))
}
