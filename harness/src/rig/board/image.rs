//! The firmware's ELF: where a bench finds what it needs.

use std::io::Read;
use std::path::{Path, PathBuf};

use flagfall_core::contract;
use flagfall_scenarios::Diagnostics;
use flagfall_trace::open_regular;
use object::{Object, ObjectSection, ObjectSymbol};

/// Addresses in a firmware image, and the contract block as it was built.
#[derive(Clone, Debug)]
pub struct Image {
    /// The ELF.
    pub path: PathBuf,
    /// The contract block.
    pub block: u64,
    /// The function that is called at a stop.
    pub stop: u64,
    /// Its bytes.
    pub stop_len: u64,
    /// The word to which it writes; `None` for a firmware that only calls it.
    pub stopped: Option<u64>,
    /// The crash record.
    pub crash: u64,
    /// The function in which a crashed firmware spins.
    pub crashed: u64,
    /// The RTT control block.
    pub rtt: u64,
    /// What is kept over a reset; `None` for a firmware that keeps nothing.
    pub kept: Option<u64>,
    /// Device time, where the firmware counts it in memory.
    pub ticks: Option<u64>,
    /// The word that says how late an armed edge was; `None` for a firmware that cannot be armed.
    pub armed_late: Option<u64>,
    /// The word that says how much of a tick passes before a stop; `None` for a firmware that stops where it comes to it.
    pub phase: Option<u64>,
    /// The build id in the image.
    pub build_id: u64,
}

/// What runs on a target.
#[derive(Clone, Debug)]
pub(super) enum Firmware {
    /// A firmware that offers what a bench needs.
    Contract(Image),
    /// One that offers nothing, with the function at which a bench stops it.
    Watched {
        /// The ELF.
        path: PathBuf,
        /// The function's address.
        stop: u64,
    },
}

impl Firmware {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Contract(image) => &image.path,
            Self::Watched { path, .. } => path,
        }
    }

    /// Where it stops.
    pub(super) const fn stop(&self) -> u64 {
        match self {
            Self::Contract(image) => image.stop,
            Self::Watched { stop, .. } => *stop,
        }
    }
}

/// An ELF that is no firmware for a bench.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// It is not there: build the firmware first.
    #[error("cannot read firmware {path}: {cause}; build it with scripts/firmware")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// It is no ELF.
    #[error("{path} is no ELF file: {cause}")]
    Elf {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: object::Error,
    },
    /// A symbol of the contract is missing: the firmware does not offer what a bench needs.
    #[error("{path} has no symbol {symbol}: it is no firmware with a flagfall contract")]
    Symbol {
        /// Which.
        path: PathBuf,
        /// What is missing.
        symbol: &'static str,
    },
    /// Nobody says where device time is counted: add `device_counter` to the board file, or correct `firmware`.
    #[error(
        "{path} has no symbol {}, and its board file names no `device_counter`: device time cannot be read",
        contract::SYMBOL_TICKS
    )]
    Ticks {
        /// Which.
        path: PathBuf,
    },
    /// A symbol of the board file is not in the ELF: correct the name, or build the firmware that the file is for.
    #[error("{path} is not what the board file says\n{diagnostics}")]
    Mapping {
        /// Which.
        path: PathBuf,
        /// What is not there, with its place in the board file.
        diagnostics: Diagnostics,
    },
    /// The contract block is not among the initialised data.
    #[error("{path}: no contract block: {why}")]
    Block {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl Image {
    /// Reads an ELF.
    ///
    /// # Errors
    /// [`ImageError`] says what is missing.
    pub fn read(path: &Path) -> Result<Self, ImageError> {
        let bytes = read_elf(path)?;
        let elf =
            object::File::parse(bytes.as_slice()).map_err(|cause| ImageError::Elf { path: path.to_owned(), cause })?;
        // Bit 0 of a function's address says that it is Thumb code.
        let find = |symbol: &str| {
            elf.symbols().find(|candidate| candidate.name() == Ok(symbol)).map(|found| found.address() & !1)
        };
        // A function whose size nobody has noted has one instruction at least.
        let len = |symbol: &str| {
            elf.symbols().find(|candidate| candidate.name() == Ok(symbol)).map_or(2, |found| found.size().max(2))
        };
        let symbol =
            |symbol: &'static str| find(symbol).ok_or_else(|| ImageError::Symbol { path: path.to_owned(), symbol });
        let block = symbol(contract::SYMBOL_BLOCK)?;
        // The data may end with a block of an earlier version.
        let bytes = [contract::LEN, contract::LEN_1]
            .into_iter()
            .find_map(|len| elf.sections().find_map(|section| section.data_range(block, len as u64).ok().flatten()))
            .ok_or_else(|| ImageError::Block { path: path.to_owned(), why: "it is not initialised".into() })?;
        let header = contract::ContractHeader::parse(bytes)
            .map_err(|error| ImageError::Block { path: path.to_owned(), why: error.to_string() })?;
        Ok(Self {
            path: path.to_owned(),
            block,
            stop: symbol(contract::SYMBOL_STOP)?,
            stop_len: len(contract::SYMBOL_STOP),
            stopped: find(contract::SYMBOL_STOPPED),
            crash: symbol(contract::SYMBOL_CRASH)?,
            crashed: symbol(contract::SYMBOL_CRASHED)?,
            rtt: symbol(contract::SYMBOL_RTT)?,
            kept: find(contract::SYMBOL_KEPT),
            armed_late: find(contract::SYMBOL_ARMED_LATE),
            phase: find(contract::SYMBOL_PHASE),
            ticks: find(contract::SYMBOL_TICKS),
            build_id: header.build_id,
        })
    }
}

/// The bytes of an ELF.
pub(super) fn read_elf(path: &Path) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    open_regular(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|cause| ImageError::Read { path: path.to_owned(), cause })?;
    Ok(bytes)
}
