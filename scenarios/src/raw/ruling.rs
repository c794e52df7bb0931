//! What a rulebook must rule.

use std::collections::BTreeMap;

use flagfall_core::Side;
use serde::Deserialize;

use super::RawBySide;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawRuling {
    pub(crate) result: Option<String>,
    pub(crate) play: Option<String>,
    pub(crate) completed: Option<RawBySide<u16>>,
    pub(crate) incomplete: Option<RawBySide<u16>>,
    pub(crate) flag_counts: Option<Side>,
    pub(crate) flag_does_not_count: Option<Side>,
    pub(crate) left: Option<RawBySide<String>>,
    pub(crate) bears: Option<RawBySide<String>>,
    pub(crate) runs: Option<Side>,
    pub(crate) reading: Option<String>,
    pub(crate) clock: Option<String>,
    pub(crate) penalty: Option<Side>,
    pub(crate) no_penalty: Option<Side>,
    pub(crate) ruling: Option<String>,
    pub(crate) discretion: Option<Vec<RawRuling>>,
    pub(crate) needs: Option<String>,
    #[serde(rename = "if")]
    pub(crate) answers: Option<BTreeMap<String, RawRuling>>,
    pub(crate) point: Option<String>,
    pub(crate) article: Option<String>,
    pub(crate) strength: Option<String>,
}
