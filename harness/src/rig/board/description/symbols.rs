//! A firmware that offers a bench nothing: where in its memory the clock is, by the symbols of its ELF.

use flagfall_core::BySide;
use flagfall_scenarios::{BoardText, Diagnostics};
use serde::Deserialize;

use super::field::Misfit;
use super::game::{Game, RawGame};

/// Longest unit, age and hold, in microseconds: beyond it a clock cannot be told from a wrong one.
const SPAN_US_MAX: u64 = 1_000_000;

/// Where a bench finds the clock in a firmware that offers nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbols {
    /// A function that the firmware runs regularly anyway, at which the bench stops it.
    pub stop: String,
    /// One unit of the words for the time left, in microseconds.
    pub unit_us: u64,
    /// How old what the words say may be, in microseconds.
    pub age_max_us: u64,
    /// How long a button must be held, in microseconds.
    pub press_us: u64,
    /// What each side has left.
    pub left: BySide<Word>,
    /// Whose time runs.
    pub running: Word,
    /// What it says of each side; of nobody anything else.
    pub runs: BySide<u64>,
    /// Whether the clock is paused.
    pub paused: Option<Sign>,
    /// Which flags are down.
    pub flags: Option<BySide<Sign>>,
    /// Counted moves.
    pub moves: Option<BySide<Word>>,
    /// What is played on it.
    pub game: Game,
    text: BoardText,
}

/// A whole number in the firmware's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The symbol that it is in.
    pub symbol: String,
    /// Bytes from there.
    pub offset: u64,
    /// How many bytes it has: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Whether it may be negative.
    pub signed: bool,
    /// Its place in the board file.
    field: String,
}

/// A word that says yes while any of some bits is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// The word.
    pub word: Word,
    /// The bits.
    pub mask: u64,
}

impl Symbols {
    /// Every word that is mapped.
    #[must_use]
    pub fn words(&self) -> Vec<&Word> {
        let mut words = vec![&self.left.white, &self.left.black, &self.running];
        words.extend(self.paused.iter().map(|sign| &sign.word));
        words.extend(self.flags.iter().flat_map(|flags| [&flags.white.word, &flags.black.word]));
        words.extend(self.moves.iter().flat_map(|moves| [&moves.white, &moves.black]));
        words.extend(self.game.words());
        words
    }

    /// A message about a word, with its place in the board file.
    #[must_use]
    pub fn misfit(&self, word: &Word, why: &str) -> Diagnostics {
        self.text.wrong(&format!("{}.at", word.field), why)
    }

    /// A message about the function at which the bench stops.
    #[must_use]
    pub fn misfit_of_stop(&self, why: &str) -> Diagnostics {
        self.text.wrong("symbols.stop", why)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSymbols {
    stop: String,
    unit_us: u64,
    age_max_us: u64,
    press_ms: u64,
    left: RawSides<RawWord>,
    running: RawRunning,
    paused: Option<RawSign>,
    flags: Option<RawSides<RawSign>>,
    moves: Option<RawSides<RawWord>>,
    game: RawGame,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSides<T> {
    white: T,
    black: T,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWord {
    at: String,
    bits: u8,
    #[serde(default)]
    signed: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSign {
    at: String,
    bits: u8,
    mask: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRunning {
    at: String,
    bits: u8,
    white: u64,
    black: u64,
}

impl RawSymbols {
    pub(super) fn checked(self, text: &BoardText) -> Result<Symbols, Misfit> {
        span("symbols.unit_us", self.unit_us, 1)?;
        span("symbols.age_max_us", self.age_max_us, 0)?;
        let press_us = self.press_ms.saturating_mul(1_000);
        span("symbols.press_ms", press_us, 0)?;
        if self.running.white == self.running.black {
            return Err(Misfit::new("symbols.running", "White and Black have values of their own"));
        }
        let running = word("symbols.running", &self.running.at, self.running.bits, false)?;
        Ok(Symbols {
            stop: self.stop,
            unit_us: self.unit_us,
            age_max_us: self.age_max_us,
            press_us,
            left: self.left.checked("symbols.left", RawWord::checked)?,
            running,
            runs: BySide::new(self.running.white, self.running.black),
            paused: self.paused.map(|sign| sign.checked("symbols.paused")).transpose()?,
            flags: self.flags.map(|flags| flags.checked("symbols.flags", RawSign::checked)).transpose()?,
            moves: self.moves.map(|moves| moves.checked("symbols.moves", RawWord::checked)).transpose()?,
            game: self.game.checked()?,
            text: text.clone(),
        })
    }
}

impl<T> RawSides<T> {
    fn checked<U>(&self, field: &str, check: impl Fn(&T, &str) -> Result<U, Misfit>) -> Result<BySide<U>, Misfit> {
        let white = check(&self.white, &format!("{field}.white"))?;
        Ok(BySide::new(white, check(&self.black, &format!("{field}.black"))?))
    }
}

impl RawWord {
    pub(super) fn checked(&self, field: &str) -> Result<Word, Misfit> {
        word(field, &self.at, self.bits, self.signed)
    }
}

impl RawSign {
    fn checked(&self, field: &str) -> Result<Sign, Misfit> {
        let word = word(field, &self.at, self.bits, false)?;
        let all = u64::MAX >> (64 - u32::from(self.bits));
        match self.mask.unwrap_or(all) {
            mask if mask != 0 && mask <= all => Ok(Sign { word, mask }),
            mask => Err(Misfit::new(format!("{field}.mask"), format!("{mask:#x}: some of its {} bits", self.bits))),
        }
    }
}

fn span(field: &str, us: u64, least: u64) -> Result<(), Misfit> {
    if (least..=SPAN_US_MAX).contains(&us) {
        return Ok(());
    }
    let why = format!("{least} us to a second: a clock that is looked at more coarsely cannot be judged");
    Err(Misfit::new(field, why))
}

/// A word at `SYMBOL` or `SYMBOL + offset`.
pub(super) fn word(field: &str, at: &str, bits: u8, signed: bool) -> Result<Word, Misfit> {
    if !matches!(bits, 8 | 16 | 32 | 64) {
        return Err(Misfit::new(format!("{field}.bits"), format!("{bits} bits: a word has 8, 16, 32 or 64")));
    }
    let (symbol, offset) = at.split_once('+').unwrap_or((at, "0"));
    let (symbol, offset) = (symbol.trim(), offset.trim());
    let number = offset.strip_prefix("0x").map_or_else(|| offset.parse(), |hex| u64::from_str_radix(hex, 16));
    match number {
        Ok(offset) if !symbol.is_empty() && !symbol.contains(char::is_whitespace) => {
            Ok(Word { symbol: symbol.to_owned(), offset, bytes: bits / 8, signed, field: field.to_owned() })
        }
        _ => Err(Misfit::new(format!("{field}.at"), format!("`{at}`: a symbol, or a symbol + bytes: `CLOCK + 8`"))),
    }
}
