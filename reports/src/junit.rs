//! Run records as JUnit XML, one suite for each rig.
//!
//! `fail` is a failure, `infra` and `inconclusive` are errors (neither says that the clock is good, so neither may look
//! green), `not-applicable` is skipped. There are no times and no dates: those belong to the host, not to the clock.

use std::borrow::Cow;
use std::fmt::Write;

use flagfall_trace::{Check, RunRecord, Subject, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::error::ReportError;

/// The records as JUnit XML; suites in the order of their rigs' names, cases in the order of the records.
///
/// # Errors
/// [`ReportError::Junit`] if the XML writer fails, which it has no reason to.
pub fn junit(records: &[RunRecord]) -> Result<String, ReportError> {
    let mut rigs: Vec<&str> = records.iter().map(|record| record.rig.as_str()).collect();
    rigs.sort_unstable();
    rigs.dedup();
    let mut report = Report::new("flagfall");
    for rig in rigs {
        let mut suite = TestSuite::new(&*writable(rig));
        for record in records.iter().filter(|record| record.rig == rig) {
            suite.add_test_case(case(record));
        }
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}

fn case(record: &RunRecord) -> TestCase {
    let mut case = TestCase::new(&*writable(&record.scenario), status(record));
    let family = record.scenario.split_once('/').map_or("", |(family, _)| family);
    case.set_classname(&*writable(&format!("{}.{family}", record.rig)));
    case.set_assertions(record.checks.len());
    case.add_property(("title", &*writable(&record.title)));
    case.add_property(("points", &*writable(&record.points.join(" "))));
    case.add_property(("verdict", record.verdict.name()));
    if let Some(hash) = &record.trace_hash {
        case.add_property(("trace-hash", hash.as_str()));
    }
    case
}

fn status(record: &RunRecord) -> TestCaseStatus {
    let mut status = match record.verdict {
        Verdict::Pass => return TestCaseStatus::success(),
        Verdict::NotApplicable => TestCaseStatus::skipped(),
        Verdict::Inconclusive | Verdict::Infra => TestCaseStatus::non_success(NonSuccessKind::Error),
        Verdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    let open: Vec<&Check> = record.checks.iter().filter(|check| check.verdict != Verdict::Pass).collect();
    let worst = open.iter().copied().find(|check| check.verdict == record.verdict);
    let message = match (&record.reason, worst) {
        (Some(reason), _) => reason.clone(),
        (None, Some(check)) => sentence(check),
        (None, None) => record.verdict.to_string(),
    };
    status.set_message(&*writable(&message));
    status.set_type(match worst {
        Some(check) if record.verdict == Verdict::Fail => subject(check.subject),
        _ => record.verdict.name(),
    });
    if !open.is_empty() {
        let mut text = String::new();
        for check in open {
            writeln!(text, "{}: {}", check.verdict, sentence(check)).expect("a string takes all that is written to it");
        }
        status.set_description(&*writable(&text));
    }
    status
}

/// The text with what XML cannot hold written as its escape, the line breaks left.
fn writable(text: &str) -> Cow<'_, str> {
    let forbidden = |character: char| {
        let is_break = matches!(character, '\n' | '\t');
        (character.is_control() && !is_break) || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    if !text.contains(forbidden) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if forbidden(character) {
            written.extend(character.escape_default());
        } else {
            written.push(character);
        }
    }
    Cow::Owned(written)
}

/// `result under cbx (line 12): expected draw, found white-wins`.
fn sentence(check: &Check) -> String {
    let line = check.line.map_or(String::new(), |line| format!(" (line {line})"));
    format!("{}{line}: expected {}, found {}", check.what, check.expected, check.found)
}

/// What a check is about, as files write it.
pub(crate) const fn subject(subject: Subject) -> &'static str {
    match subject {
        Subject::Clock => "clock",
        Subject::Ruling => "ruling",
        Subject::Bench => "bench",
    }
}
