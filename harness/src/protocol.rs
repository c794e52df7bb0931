//! The head of the protocol of a run on a board: on what it was made.

use std::io::Read;
use std::path::Path;

use flagfall_trace::bench_record::{BenchRecord, Firmware, Technique};
use flagfall_trace::open_regular;
use sha2::{Digest, Sha256};

use crate::rig::board::{Description, Image, Probe};

/// What only the people at the bench know of a run.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// The device under test, where it is another than the board file says.
    pub dut_serial: Option<String>,
    /// The number that its chip has of its own: what counts if nobody said another.
    pub chip_serial: Option<String>,
    /// Who makes the run.
    pub operator: Option<String>,
    /// The temperature of the device in degrees Celsius.
    pub temperature_c: Option<String>,
}

/// What the protocol of a run on this board begins with.
///
/// # Errors
/// What the file system says about the image.
pub fn head(description: &Description, said: &Said, technique: Technique) -> std::io::Result<BenchRecord> {
    let probe = match &description.probe {
        Probe::Selector(selector) => selector.clone(),
        Probe::Emulator { machine, paced: true, .. } => {
            format!("emulator, machine {}, in the host's time", machine.name.to_lowercase())
        }
        Probe::Emulator { machine, icount_shift, .. } => {
            format!("emulator, machine {}, 2^{icount_shift} ns an instruction", machine.name.to_lowercase())
        }
    };
    Ok(BenchRecord {
        schema: BenchRecord::SCHEMA,
        rig: description.probe.rig_name().to_owned(),
        board: description.board.clone(),
        chip: description.chip.clone(),
        probe,
        dut_serial: said
            .dut_serial
            .clone()
            .or_else(|| description.bench.dut_serial.clone())
            .or_else(|| said.chip_serial.clone()),
        firmware: firmware(&description.firmware)?,
        reference: description.bench.reference.clone(),
        temperature_c: said.temperature_c.clone(),
        operator: said.operator.clone(),
        technique,
        stack: None,
        flagfall: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// How time passes on this board, where it is jumped or not.
#[must_use]
pub const fn technique(description: &Description, jumps: bool) -> Technique {
    match description.probe {
        _ if jumps => Technique::Jumped,
        Probe::Emulator { .. } => Technique::Virtual,
        Probe::Selector(_) => Technique::Real,
    }
}

fn firmware(path: &Path) -> std::io::Result<Firmware> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    // Firmware without a contract says nothing of itself.
    let build_id = Image::read(path).ok().map(|image| format!("{:016x}", image.build_id));
    Ok(Firmware { file, sha256, build_id })
}
