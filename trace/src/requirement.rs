//! What is asked of a clock, as `requirements.json` has it beside the results: an array of rows in the order of the list.

use serde::{Deserialize, Serialize};

/// The name of the file in a folder of results.
pub const FILE: &str = "requirements.json";

/// One thing that is asked of a clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequirementRow {
    /// By what run records name it: `E-d`.
    pub id: String,
    /// What it is about, in a few words.
    pub title: String,
    /// Where the text itself can be read.
    pub source: String,
    /// What it asks.
    pub text: String,
    /// How it is proved, or why not.
    pub proof: Proof,
}

/// How a requirement is proved; one key, whose value says more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// By scenarios that name it; what they show.
    Cases(String),
    /// By every scenario that expects the clock to be right; what they show.
    EveryCase(String),
    /// By none; why it is nothing that a scenario could show.
    NoCase(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_a_row_is_this_one() {
        let text = r#"{"id":"E-j","title":"t","source":"s","text":"x","proof":{"no_case":"print"}}"#;
        let row: RequirementRow = serde_json::from_str(text).expect("a row");
        assert_eq!(row.proof, Proof::NoCase("print".into()));
        assert_eq!(serde_json::to_string(&row).expect("JSON"), text);
        assert!(serde_json::from_str::<RequirementRow>(&text.replace("no_case", "none")).is_err());
    }
}
