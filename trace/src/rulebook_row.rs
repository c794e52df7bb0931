//! What a rulebook says, as `rulebooks.json` has it beside the results: an array with a row for each rulebook that ruled,
//! in the order of the run. Run records name rulebook and point; the texts stand here, once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The name of the file in a folder of results.
pub const FILE: &str = "rulebooks.json";

/// One text in one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulebookRow {
    /// By what run records name it: `fide-2014`.
    pub key: String,
    /// What the text is called.
    pub title: String,
    /// The language of the text as a two-letter code.
    pub language: String,
    /// How to recognise the edition; empty where nobody said.
    pub edition: String,
    /// The first day on which it was in force: `2014-07-01`.
    pub in_force_from: Option<String>,
    /// The last day.
    pub in_force_to: Option<String>,
    /// The rulebook that it builds upon.
    pub extends: Option<String>,
    /// What it says to each point that is ruled on, in the order of the catalogue.
    pub entries: Vec<EntryRow>,
}

/// What a rulebook says to one point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryRow {
    /// The point: `H2`.
    pub point: String,
    /// The question in a few words.
    pub question: String,
    /// The name of the answer, `silent` or `not-decidable`.
    pub answer: String,
    /// The figures on which the answer turns, as rulebooks write them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, String>,
    /// Articles as the text numbers them.
    pub article: Option<String>,
    /// `stated` or `literal`, where it decides.
    pub strength: Option<String>,
    /// The answer as an English sentence of ours, or why it cannot be decided; empty where the text is silent.
    pub sentence: String,
    /// The same in the language of the text, where that is another.
    pub sentence_own: Option<String>,
    /// The rulebook that the entry was taken from.
    pub taken_from: Option<String>,
    /// Nobody has seen the text itself: the answer is known from those who quote it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unverified: bool,
}

impl RulebookRow {
    /// What it says to this point.
    #[must_use]
    pub fn entry(&self, point: &str) -> Option<&EntryRow> {
        self.entries.iter().find(|entry| entry.point == point)
    }
}
