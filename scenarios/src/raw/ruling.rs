//! What a rulebook must rule.

use std::collections::BTreeMap;

use flagfall_core::Side;
use serde::Deserialize;

use super::RawBySide;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawRuling {
    pub(crate) result: Option<String>,
    pub(crate) game: Option<String>,
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
    pub(crate) allowed: Option<Side>,
    pub(crate) forbidden: Option<Side>,
    pub(crate) warning: Option<Side>,
    pub(crate) illegal_move: Option<Side>,
    pub(crate) honoured: Option<Side>,
    pub(crate) not_honoured: Option<Side>,
    pub(crate) gains: Option<RawBySide<String>>,
    pub(crate) charged: Option<RawBySide<String>>,
    pub(crate) claim_holds: Option<Side>,
    pub(crate) claim_fails: Option<Side>,
    pub(crate) complaint_heard: Option<Side>,
    pub(crate) complaint_void: Option<Side>,
    pub(crate) check_due: Option<Side>,
    pub(crate) setting: Option<String>,
    pub(crate) placed_by: Option<String>,
    pub(crate) exempt: Option<Side>,
    pub(crate) not_exempt: Option<Side>,
    pub(crate) clocks: Option<String>,
    pub(crate) act: Option<String>,
    pub(crate) considered: Option<Side>,
    pub(crate) not_considered: Option<Side>,
    pub(crate) may_change: Option<Side>,
    pub(crate) may_not_change: Option<Side>,
    pub(crate) envelope: Option<String>,
    pub(crate) evidence: Option<String>,
    pub(crate) default_time: Option<String>,
    pub(crate) target: Option<RawBySide<u16>>,
    pub(crate) increment: Option<String>,
    pub(crate) sheet_due: Option<Side>,
    pub(crate) check_not_due: Option<Side>,
    pub(crate) prompt: Option<String>,
    pub(crate) ends_at: Option<RawBySide<String>>,
    pub(crate) ruling: Option<String>,
    pub(crate) discretion: Option<Vec<RawRuling>>,
    pub(crate) needs: Option<String>,
    #[serde(rename = "if")]
    pub(crate) answers: Option<BTreeMap<String, RawRuling>>,
    pub(crate) point: Option<String>,
    pub(crate) article: Option<String>,
    pub(crate) strength: Option<String>,
}
