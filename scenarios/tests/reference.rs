//! `docs/scenarios.md` names every key and every word that the schema knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use flagfall_scenarios::schema;
use serde_json::Value;

/// Listed elsewhere: points in docs/rule-points.md, requirements in their own file.
fn is_listed_elsewhere(word: &str) -> bool {
    let mut letters = word.chars();
    let first = letters.next().is_some_and(|letter| letter.is_ascii_uppercase());
    first && (letters.clone().all(|letter| letter.is_ascii_digit()) || word.starts_with("E-"))
}

fn words(part: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(keys) => {
            if let Some(Value::Object(properties)) = keys.get("properties") {
                found.extend(properties.keys().cloned());
            }
            if let Some(Value::Array(words)) = keys.get("enum") {
                found.extend(words.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            keys.values().for_each(|value| words(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| words(item, found)),
        _ => {}
    }
}

#[test]
fn the_reference_names_every_key_and_every_word() {
    let mut all = BTreeSet::new();
    words(&serde_json::from_str(&schema()).expect("the schema is JSON"), &mut all);
    assert!(all.len() > 200, "{} words", all.len());
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scenarios.md");
    let document = fs::read_to_string(document).expect("the reference can be read");
    let code: Vec<&str> = document.split('`').skip(1).step_by(2).collect();
    let named: BTreeSet<&str> = code
        .iter()
        .flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '(' | ')')))
        .collect();
    let missing: Vec<&String> =
        all.iter().filter(|word| !is_listed_elsewhere(word) && !named.contains(word.as_str())).collect();
    assert!(missing.is_empty(), "docs/scenarios.md does not name {missing:?}");
}
