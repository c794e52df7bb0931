//! `flagfall probes`: what probe-rs finds, and what the emulator needs.

use flagfall_vboard::{BOARDS, EmulatorOptions, PROBE_VENDOR};
use serde::Serialize;

use crate::cli::Probes;
use crate::command::print;
use crate::exit::Exit;
use crate::rig::board::probes::{FoundProbe, RULES_FILE, found};
use crate::terminal::count;

#[derive(Serialize)]
struct Report {
    probes: Vec<FoundProbe>,
    emulated: Emulated,
}

/// What stands for a probe where there is none.
#[derive(Serialize)]
struct Emulated {
    /// The machines that a board file can name.
    machines: Vec<Machine>,
    /// QEMU's program, if it can be used.
    program: Option<String>,
    /// Why it cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacking: Option<String>,
}

#[derive(Serialize)]
struct Machine {
    machine: String,
    chip: &'static str,
    ids: String,
}

/// Lists probes; that there is none is no error.
#[must_use]
pub fn probes(options: &Probes) -> Exit {
    let program = EmulatorOptions::default().program();
    let machines = BOARDS.iter().map(|board| Machine {
        machine: board.name.to_lowercase(),
        chip: board.name,
        ids: format!("{PROBE_VENDOR:04x}:{:04x}", board.product),
    });
    let report = Report {
        probes: found(),
        emulated: Emulated {
            machines: machines.collect(),
            lacking: program.as_ref().err().map(ToString::to_string),
            program: program.ok().map(|program| program.display().to_string()),
        },
    };
    if options.json {
        let text = serde_json::to_string(&report).expect("a report has string keys only");
        return print(&(text + "\n"));
    }
    print(&render(&report))
}

fn render(report: &Report) -> String {
    let mut text = match report.probes.len() {
        0 => "no debug probe found\n  plug one in; a probe behind a hub may need another port, and a virtual machine must be given the device\n"
            .to_owned(),
        probes => format!("{}\n", count(probes, "debug probe")),
    };
    for probe in &report.probes {
        text += &format!("  {}  {}\n", probe.selector, probe.name);
        if let Some(rule) = &probe.udev_rule {
            text += &format!(
                "    this user may not open it: put\n      {rule}\n    into {RULES_FILE}, run `udevadm control --reload` as root, and plug it in again\n"
            );
        }
    }
    text += "emulated, started by a board file with `probe: {emulator: ...}`\n";
    for machine in &report.emulated.machines {
        text += &format!("  {}  {}\n", machine.ids, machine.machine);
    }
    match (&report.emulated.program, &report.emulated.lacking) {
        (Some(program), _) => text += &format!("    run by {program}\n"),
        (None, Some(lacking)) => text += &format!("    not on this machine: {lacking}\n"),
        (None, None) => {}
    }
    text
}
