//! What is on a board after it has been flashed.

use std::io::Read;

use flagfall_trace::open_regular;
use object::{Object, ObjectSection, SectionKind};
use serde::Serialize;

use super::{Board, Image, ImageError, OpenError};

/// A firmware that was written, read back, and started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flashed {
    /// The ELF.
    pub firmware: String,
    /// Its build id, which what runs has said too; 16 hexadecimal digits.
    pub build_id: String,
    /// Ticks per second of its time base.
    pub tick_hz: u32,
    /// The version of the contract between firmware and bench.
    pub contract: u32,
    /// The number that the chip has of its own, where that is known.
    pub chip_serial: Option<String>,
    /// What it takes.
    pub sizes: Sizes,
}

/// Bytes that a firmware takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Flash: code, constants and the first values of data.
    pub flash: u64,
    /// RAM: data, zeroed or not, the buffers of RTT among it; the stack is what is left.
    pub ram: u64,
}

impl Board {
    /// Opens the board, which flashes it with verify, and says what runs there now.
    ///
    /// # Errors
    /// [`OpenError`] with what to do about it.
    pub fn flash(&mut self) -> Result<Flashed, OpenError> {
        let image = Image::read(&self.description.firmware)?;
        let sizes = Sizes::read(&image)?;
        self.open()?;
        let header = self.target.as_mut().expect("an open board has a target").header()?;
        let chip_serial = self.chip_serial()?;
        Ok(Flashed {
            firmware: image.path.display().to_string(),
            build_id: format!("{:016x}", image.build_id),
            tick_hz: header.tick_hz,
            contract: header.version,
            chip_serial,
            sizes,
        })
    }
}

impl Sizes {
    /// Of a firmware that a bench can use.
    fn read(image: &Image) -> Result<Self, ImageError> {
        let path = || image.path.clone();
        let mut bytes = Vec::new();
        open_regular(&image.path)
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .map_err(|cause| ImageError::Read { path: path(), cause })?;
        let elf = object::File::parse(bytes.as_slice()).map_err(|cause| ImageError::Elf { path: path(), cause })?;
        let mut sizes = Self::default();
        for section in elf.sections() {
            match section.kind() {
                SectionKind::Text | SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => {
                    sizes.flash += section.size();
                }
                SectionKind::Data => {
                    sizes.flash += section.size();
                    sizes.ram += section.size();
                }
                SectionKind::UninitializedData => sizes.ram += section.size(),
                _ => {}
            }
        }
        Ok(sizes)
    }
}
