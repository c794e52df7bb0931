//! Run records as continuous integration reads them.

use flagfall_reports::junit;
use flagfall_trace::{Check, Retried, RunRecord, Subject, Verdict};

fn check(subject: Subject, verdict: Verdict, what: &str, line: Option<u32>) -> Check {
    let (expected, found) = ("12 s <= limit".to_owned(), "11 s & \"less\"".to_owned());
    Check { subject, rulebook: None, verdict, what: what.to_owned(), expected, found, line }
}

fn record(scenario: &str, rig: &str, verdict: Verdict, reason: Option<&str>, checks: Vec<Check>) -> RunRecord {
    RunRecord {
        schema: RunRecord::SCHEMA,
        scenario: scenario.to_owned(),
        title: "a <title> & more".to_owned(),
        points: vec!["H2".to_owned(), "E2".to_owned()],
        requirements: Vec::new(),
        rig: rig.to_owned(),
        verdict,
        reason: reason.map(str::to_owned),
        checks,
        margins: Vec::new(),
        rulings: Vec::new(),
        trace_hash: reason.is_none().then(|| "00112233aabbccdd".to_owned()),
        trace_file: None,
        retried: None,
    }
}

#[test]
fn every_verdict_is_golden() {
    let good = || check(Subject::Clock, Verdict::Pass, "flags", None);
    let records = [
        record("both-flags/a", "virtual-board", Verdict::NotApplicable, Some("step 1000 ppm"), Vec::new()),
        record("both-flags/a", "sim", Verdict::Pass, None, vec![good()]),
        record(
            "late-arrival/b",
            "sim",
            Verdict::Fail,
            None,
            vec![
                good(),
                check(Subject::Clock, Verdict::Inconclusive, "remaining(white)", Some(7)),
                check(Subject::Ruling, Verdict::Fail, "result under cbx", Some(12)),
            ],
        ),
        record(
            "late-arrival/c",
            "sim",
            Verdict::Inconclusive,
            None,
            vec![check(Subject::Clock, Verdict::Inconclusive, "flag(white)", None)],
        ),
        record("late-arrival/d", "sim", Verdict::Infra, Some("the probe is gone \u{0}\u{1b}]]>"), Vec::new()),
    ];
    let xml = junit(&records).expect("XML");
    assert_eq!(xml, include_str!("golden/junit.xml"));
}

#[test]
fn tries_before_the_last_are_reruns() {
    let retried = Some(Retried { times: 2, first_cause: "read a word: No such device\nand more".to_owned() });
    let passed = record("a/b", "virtual-board", Verdict::Pass, None, vec![]);
    let lost = record("a/c", "virtual-board", Verdict::Infra, Some("the board is gone"), vec![]);
    let xml = junit(&[passed, lost].map(|one| RunRecord { retried: retried.clone(), ..one })).expect("XML");
    assert_eq!(xml.matches("<flakyError message=\"read a word: No such device\" type=\"infra\"").count(), 1, "{xml}");
    assert_eq!(xml.matches("<rerunError message=\"read a word: No such device\" type=\"infra\"").count(), 1, "{xml}");
    assert_eq!(xml.matches("message=\"the bench failed again\"").count(), 2, "{xml}");
    assert!(xml.contains("<error message=\"the board is gone\""), "{xml}");
}

#[test]
fn no_records_are_a_report_of_nothing() {
    let xml = junit(&[]).expect("XML");
    assert!(xml.contains(r#"tests="0" skipped="0" failures="0" errors="0""#), "{xml}");
}

#[test]
fn what_xml_cannot_hold_is_escaped_wherever_it_stands() {
    let loud = "\u{fffe}\u{ffff}\u{1b}[0m\u{9b}\0";
    let mut wrong = check(Subject::Clock, Verdict::Fail, loud, Some(1));
    wrong.found = loud.to_owned();
    let mut record = record(&format!("family{loud}/x"), &format!("rig{loud}"), Verdict::Fail, None, vec![wrong]);
    record.title = loud.to_owned();
    record.points = vec![loud.to_owned()];
    let mut broken = record.clone();
    broken.reason = Some(loud.to_owned());
    let xml = junit(&[record, broken]).expect("XML");
    let forbidden =
        |character: char| (character.is_control() && character != '\n') || matches!(character, '\u{fffe}' | '\u{ffff}');
    assert!(!xml.contains(forbidden), "{xml:?}");
    let escaped = r"\u{fffe}\u{ffff}\u{1b}[0m\u{9b}\u{0}";
    assert!(xml.contains(&format!("name=\"title\" value=\"{escaped}\"")), "{xml}");
    assert!(xml.contains(&format!("message=\"{escaped}\"")), "{xml}");
}
