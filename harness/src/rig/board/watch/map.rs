//! The words of a board file in the firmware's memory.

use std::path::Path;

use flagfall_core::BySide;
use flagfall_scenarios::{Diagnostics, nearest};
use object::{Object, ObjectSymbol};

use super::super::description::{Game, Sign, Symbols, Word, Zero};
use super::super::image::{Firmware, ImageError, read_elf};

/// A word at its address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) address: u64,
    pub(super) bytes: u8,
    pub(super) signed: bool,
}

/// Everything that is mapped, at its address.
#[derive(Clone, Debug)]
pub(in super::super) struct Map {
    pub(in super::super) firmware: Firmware,
    pub(super) left: BySide<Place>,
    pub(super) running: Place,
    pub(super) paused: Option<(Place, u64)>,
    pub(super) flags: Option<BySide<(Place, u64)>>,
    pub(super) moves: Option<BySide<Place>>,
    pub(super) bonus: Option<Place>,
    pub(super) at_zero: Option<Place>,
}

impl Map {
    /// Finds every symbol of a board file in an ELF.
    pub(in super::super) fn read(path: &Path, symbols: &Symbols) -> Result<Self, ImageError> {
        let bytes = read_elf(path)?;
        let elf =
            object::File::parse(bytes.as_slice()).map_err(|cause| ImageError::Elf { path: path.to_owned(), cause })?;
        Self::find(path, symbols, &elf)
            .map_err(|diagnostics| ImageError::Mapping { path: path.to_owned(), diagnostics })
    }

    fn find(path: &Path, symbols: &Symbols, elf: &object::File<'_>) -> Result<Self, Diagnostics> {
        let table = Table { elf };
        let place = |word: &Word| table.place(word).map_err(|why| symbols.misfit(word, &why));
        let sign = |sign: &Sign| Ok((place(&sign.word)?, sign.mask));
        let both = |words: &BySide<Word>| Ok(BySide::new(place(&words.white)?, place(&words.black)?));
        let (bonus, at_zero) = match &symbols.game {
            Game::Words { bonus, at_zero: Zero::Set { word, .. } } => (bonus.as_ref(), Some(word)),
            Game::Words { bonus, at_zero: Zero::Always(_) } => (bonus.as_ref(), None),
            Game::BuiltIn { .. } => (None, None),
        };
        let stop = table.function(&symbols.stop).map_err(|why| symbols.misfit_of_stop(&why))?;
        Ok(Self {
            firmware: Firmware::Watched { path: path.to_owned(), stop },
            left: both(&symbols.left)?,
            running: place(&symbols.running)?,
            paused: symbols.paused.as_ref().map(sign).transpose()?,
            flags: match &symbols.flags {
                Some(flags) => Some(BySide::new(sign(&flags.white)?, sign(&flags.black)?)),
                None => None,
            },
            moves: symbols.moves.as_ref().map(both).transpose()?,
            bonus: bonus.map(place).transpose()?,
            at_zero: at_zero.map(place).transpose()?,
        })
    }
}

struct Table<'e> {
    elf: &'e object::File<'e>,
}

impl Table<'_> {
    fn function(&self, name: &str) -> Result<u64, String> {
        // Bit 0 of a function's address says that it is Thumb code.
        self.find(name, object::SymbolKind::Text).map(|(address, _)| address & !1)
    }

    fn place(&self, word: &Word) -> Result<Place, String> {
        let (address, size) = self.find(&word.symbol, object::SymbolKind::Data)?;
        let end = word.offset.saturating_add(u64::from(word.bytes));
        // A symbol from assembly may have no size.
        if size > 0 && end > size {
            return Err(format!("`{}` has {size} bytes, this word ends at {end}", word.symbol));
        }
        Ok(Place { address: address.saturating_add(word.offset), bytes: word.bytes, signed: word.signed })
    }

    /// The address and size of a symbol of this kind.
    fn find(&self, name: &str, kind: object::SymbolKind) -> Result<(u64, u64), String> {
        let of_kind = || self.elf.symbols().filter(move |symbol| symbol.is_definition() && symbol.kind() == kind);
        if let Some(found) = of_kind().find(|symbol| symbol.name() == Ok(name)) {
            return Ok((found.address(), found.size()));
        }
        let names: Vec<&str> = of_kind().filter_map(|symbol| symbol.name().ok()).collect();
        let what = match kind {
            object::SymbolKind::Text => "function",
            _ => "variable",
        };
        let near = nearest(name, names.iter().copied());
        Err(match near {
            Some(near) => format!("the firmware has no {what} `{name}`: did you mean `{near}`?"),
            None => format!("the firmware has no {what} `{name}`; it has {}", some_of(&names)),
        })
    }
}

/// A few names, so that somebody sees which ELF this is.
fn some_of(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let mut names: Vec<&str> = names.iter().copied().filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    match names.len() {
        0 => "none: was it stripped?".to_owned(),
        all if all <= SHOWN => names.join(", "),
        all => format!("{} and {} more", names[..SHOWN].join(", "), all - SHOWN),
    }
}
