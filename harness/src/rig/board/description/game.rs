//! What is played on a firmware that cannot be told: the control that is built in, or the words that set one.

use flagfall_core::{AtZero, Credit, TimeControl};
use flagfall_scenarios::control;
use serde::Deserialize;

use super::field::Misfit;
use super::symbols::{RawWord, Word, word};

/// What is played on a firmware that cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Game {
    /// Always the same.
    BuiltIn {
        /// The control of both sides.
        control: TimeControl,
        /// When a bonus is credited.
        credit: Credit,
        /// What happens at zero.
        at_zero: AtZero,
    },
    /// One period with or without an increment, set before the start by writing what each side has left and these words.
    Words {
        /// What a move adds, in the unit of the time left; without it no move adds anything.
        bonus: Option<Word>,
        /// What happens at zero.
        at_zero: Zero,
    },
}

/// What happens at zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Zero {
    /// Always this.
    Always(AtZero),
    /// What a word says.
    Set {
        /// The word.
        word: Word,
        /// What stops both sides.
        freeze: u64,
        /// What lets the clock go on.
        run_on: u64,
    },
}

impl Game {
    /// The words that set it.
    #[must_use]
    pub fn words(&self) -> Vec<&Word> {
        match self {
            Self::BuiltIn { .. } => Vec::new(),
            Self::Words { bonus, at_zero } => {
                let zero = match at_zero {
                    Zero::Always(_) => None,
                    Zero::Set { word, .. } => Some(word),
                };
                bonus.iter().chain(zero).collect()
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGame {
    control: Option<String>,
    increment: Option<RawIncrement>,
    at_zero: Option<RawAtZero>,
    words: Option<RawGameWords>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawIncrement {
    BeforeMove,
    AfterMove,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawAtZero {
    Freeze,
    RunOn,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGameWords {
    bonus: Option<RawWord>,
    at_zero: Option<RawZeroWord>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawZeroWord {
    at: String,
    bits: u8,
    freeze: u64,
    run_on: u64,
}

impl RawAtZero {
    const fn meant(self) -> AtZero {
        match self {
            Self::Freeze => AtZero::Freeze,
            Self::RunOn => AtZero::RunOn,
        }
    }
}

impl RawGame {
    pub(super) fn checked(&self) -> Result<Game, Misfit> {
        let always = self.at_zero.map(RawAtZero::meant);
        match (&self.control, &self.words) {
            (Some(text), None) => {
                let wrong = |error: control::NotationError| Misfit::new("symbols.game.control", error.to_string());
                let control = control::parse(text).map_err(wrong)?;
                let credit = match self.increment {
                    Some(RawIncrement::AfterMove) => Credit::AfterMove,
                    Some(RawIncrement::BeforeMove) | None => Credit::BeforeMove,
                };
                Ok(Game::BuiltIn { control, credit, at_zero: always.unwrap_or_default() })
            }
            (None, Some(words)) if self.increment.is_none() => words.checked(always),
            (None, Some(_)) => {
                let why = "with `words` the bonus for the first move is in what each side has left: leave it out";
                Err(Misfit::new("symbols.game.increment", why))
            }
            _ => Err(Misfit::new("symbols.game", "either `control`, what is built in, or `words` that set it")),
        }
    }
}

impl RawGameWords {
    fn checked(&self, always: Option<AtZero>) -> Result<Game, Misfit> {
        let bonus = self.bonus.as_ref().map(|word| word.checked("symbols.game.words.bonus")).transpose()?;
        let at_zero = match (&self.at_zero, always) {
            (None, always) => Zero::Always(always.unwrap_or_default()),
            (Some(zero), None) => Zero::Set {
                word: word("symbols.game.words.at_zero", &zero.at, zero.bits, false)?,
                freeze: zero.freeze,
                run_on: zero.run_on,
            },
            (Some(_), Some(_)) => {
                return Err(Misfit::new("symbols.game.at_zero", "a word sets it: leave one of both out"));
            }
        };
        Ok(Game::Words { bonus, at_zero })
    }
}
