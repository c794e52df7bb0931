//! The schema that editors read is that of the language, accepts every case, and refuses what it can know to be wrong.
//!
//! `FLAGFALL_BLESS=1 cargo test -p flagfall-scenarios --test schema` writes `scenario.schema.json` anew.

use std::fs;
use std::path::{Path, PathBuf};

use flagfall_scenarios::{discover, schema};
use jsonschema::Validator;
use serde_json::Value;

fn room() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(&schema()).expect("the schema is JSON");
    assert!(jsonschema::meta::is_valid(&schema), "the schema is one");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// What is wrong with a file, as an editor would say it.
fn wrong(validator: &Validator, path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a scenario is text");
    let value: Value = serde_yaml::from_str(&text).expect("it is YAML");
    validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn the_committed_schema_is_that_of_the_language() {
    let stored = room().join("scenario.schema.json");
    if std::env::var_os("FLAGFALL_BLESS").is_some() {
        fs::write(&stored, schema()).expect("the folder can be written");
    }
    let stored = fs::read_to_string(&stored).unwrap_or_default();
    assert!(stored == schema(), "stale: FLAGFALL_BLESS=1 cargo test -p flagfall-scenarios --test schema");
}

#[test]
fn every_case_is_as_the_schema_says() {
    let validator = validator();
    let cases = discover(&[room().join("cases")]);
    assert!(cases.sources.len() > 50 && cases.errors.is_empty());
    for source in cases.sources {
        let wrong = wrong(&validator, source.path());
        assert!(wrong.is_empty(), "{}: {wrong:#?}", source.id());
    }
}

/// Mistakes of keys, words, kinds and units; the others are known to the reader alone.
const KNOWN_TO_AN_EDITOR: [&str; 11] = [
    "empty-expectation",
    "missing-fields",
    "missing-root-field",
    "missing-unit",
    "missing-value",
    "no-verb",
    "two-verbs",
    "unknown-keys",
    "unknown-verb",
    "unknown-word",
    "wrong-kind",
];

#[test]
fn what_an_editor_can_know_is_refused() {
    let validator = validator();
    for stem in KNOWN_TO_AN_EDITOR {
        let path: PathBuf = room().join("tests/bad").join(format!("{stem}.yaml"));
        assert!(!wrong(&validator, &path).is_empty(), "{stem} is accepted");
    }
}

#[test]
fn every_example_of_a_form_has_that_form() {
    let schema: Value = serde_json::from_str(&schema()).expect("the schema is JSON");
    let mut seen = 0;
    let mut open = vec![&schema];
    while let Some(value) = open.pop() {
        if let (Some(examples), Some(_)) = (value.get("examples"), value.get("pattern")) {
            let form = jsonschema::validator_for(value).expect("a schema");
            for example in examples.as_array().expect("a list") {
                assert!(form.is_valid(example), "{example} is not like {}", value["pattern"]);
                seen += 1;
            }
        }
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    assert!(seen > 20, "{seen} examples");
}
