//! Reading a folder of results, good and damaged.

use std::path::Path;

use flagfall_reports::{ReportError, read_results};

const GOOD: &str = r#"{"schema":3,"scenario":"a/b","title":"t","points":[],"requirements":[],"rig":"sim","verdict":"pass","reason":null,"checks":[],"rulings":[],"trace_hash":null,"trace_file":null}"#;

fn read(text: &str) -> Result<usize, ReportError> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("results.jsonl"), text).expect("a file");
    read_results(folder.path()).map(|records| records.len())
}

#[test]
fn lines_are_records_and_empty_lines_are_nothing() {
    assert_eq!(read(&format!("{GOOD}\n\n{GOOD}\n")).expect("two records"), 2);
    assert_eq!(read("").expect("no record"), 0);
}

#[test]
fn a_broken_line_is_named_with_its_cause() {
    let text = read(&format!("{GOOD}\n{}\n", &GOOD[..40])).expect_err("cut off").to_string();
    assert!(text.contains("results.jsonl:2: no run record: EOF while parsing"), "{text}");
    let text = read(&GOOD.replace("pass", "passed")).expect_err("no verdict").to_string();
    assert!(text.contains("results.jsonl:1: no run record: unknown variant `passed`"), "{text}");
}

#[test]
fn the_version_before_is_read_and_others_are_refused() {
    let ruling = r#"{"rulebook":"cbx","at_ns":5,"point":"H2","ruling":"silent","outcome":"silent","article":null,"strength":null,"sentence":"It does not say.","evidence_used":[],"evidence_refused":[]}"#;
    let older = GOOD.replace(r#""schema":3"#, r#""schema":2"#);
    let older = older.replace(r#""rulings":[]"#, &format!(r#""rulings":[{ruling}]"#));
    assert_eq!(read(&older).expect("schema 2"), 1);
    for version in [1, 4] {
        let other = GOOD.replace(r#""schema":3"#, &format!(r#""schema":{version}"#));
        let text = read(&other).expect_err("another schema").to_string();
        let expected = format!("results.jsonl:1: run record schema {version}, this flagfall reads 2 to 3");
        assert!(text.ends_with(&expected), "{text}");
    }
}

#[test]
fn a_folder_without_results_says_which_file_is_missing() {
    let text = read_results(Path::new("no-such-folder")).expect_err("nothing there").to_string();
    assert!(text.starts_with("cannot read no-such-folder/results.jsonl: "), "{text}");
}
